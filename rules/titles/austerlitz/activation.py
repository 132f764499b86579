"""4.5-4.7 An activation: who takes part, how, and what the breakdown table does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose, roll
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import duty
from rules.titles.austerlitz.breakpoints import division_broken
from rules.titles.austerlitz.losses import draw_together
from rules.titles.austerlitz.notes import stir, tire
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.ranges import in_command
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import FRENCH, enemy
from rules.titles.austerlitz.victory import judge

FULL, LIMITED, OUT, STRATEGIC, CHARGE, RETREAT = "full", "limited", "out", "strategic", "charge", "retreat"
COMBAT = (FULL, CHARGE)   # modes that may begin melees
ACT = ("turn", "layer:zones", "layer:command")  # what the eyes see of the activation under way


def begin_act(pos: Position, side: str, command: str | None, leader: str | None, mode: str,
              units: Sequence[str]) -> None:
    """4.6 An activation begins: its units, and what it will keep count of."""
    if side == FRENCH:
        duty.free_garrison(pos)  # A15.2, A15.5
    else:
        duty.near_french(pos, units)  # A15.2
    fronts = pos.fronts(enemy(side))
    pos.act = {
        "side": side, "command": command, "leader": leader, "mode": mode, "units": list(units),
        "spent": {}, "flags": {}, "finished": [], "mover": [], "turned": {}, "may_charge": [], "unlimbered": [],
        "began": {u: sorted({e for h in pos.footprint(u) for e in fronts.get(h, ())}) for u in units},
        "from": {u: pos.at[u] for u in units},
        "reacted": [], "returned": [], "sides": {}, "supported": [], "melee": [], "assailed": [], "charging": [],
        "tried": [], "stuck": [], "shot": [], "fired_at": {}, "surprised": [], "pursuing": [], "ways": {}}
    pos.active, pos.fight = side, None
    pos.touched.update((*ACT, "combat"))
    pos.show(units)
    pos.tell("activation_began", "4.6", side, mode=f"mode.{mode}", command=f"command.{command}",
             units=list(units), count=len(units))


def leader_of(pos: Position, command: str) -> str | None:
    """The leader of a division; a brigade leader or staff officer leads himself."""
    return pos.game.commands[command].leader if command in pos.game.commands else command


def members(pos: Position, command: str) -> list[str]:
    """A4.6 The units that answer to a command: its own, less those detached, and guns of its corps that are free."""
    game = pos.game
    if command in pos.detached:
        return [u for u in pos.detached[command] if pos.on_map(u)]
    away = {u for units in pos.detached.values() for u in units}
    own = list(game.members[command])
    corps = game.commands[command].corps
    if corps is not None:
        own += game.corps_guns.get(corps, ())
        if pos.plan["command"].get("corps_guns") == "any":  # A15.1
            own += [u for u in game.guns_of.get(corps, ()) if u not in own]
    legrand = pos.plan.get("legrand")
    if legrand is not None and command == "F-3-IV":  # A15.5
        own = [u for u in own if u in legrand]
    return [u for u in own if u not in away and pos.on_map(u)]


def taking_part(pos: Position, command: str) -> list[str]:
    """4.3.3 The units of a command that are in command now and have not been active this turn; A4.6 nor guns that have
    moved with another division of their corps, which waits to fight (4.5.2)."""
    leader = leader_of(pos, command)
    if leader is None:
        return []
    busy = {u for act in pos.special.get("waiting", {}).values() if act for u in act["units"] if acted(act, u)}
    return [u for u in members(pos, command) if u not in pos.used and u not in busy and in_command(pos, u, leader)]


def acted(act: dict[str, Any], unit: str) -> bool:
    """Whether a unit has done anything in an activation."""
    return bool(act["spent"].get(unit)) or unit in act["shot"]


def lent(pos: Position, unit: str) -> bool:
    """A4.6 Guns of a corps, which act with whichever division of it their player likes: with the one with which they
    move or fire. A15.1 All guns are so."""
    u = pos.unit(unit)
    free = u.command is None or pos.plan["command"].get("corps_guns") == "any"
    return u.guns and free and pos.division_of(unit) == u.command


def claim(pos: Position, act: dict[str, Any]) -> None:
    """A4.6 Guns of a corps that have acted with a division act with no other that waits to fight."""
    gone = {u for u in act["units"] if acted(act, u) and lent(pos, u)}
    for other in pos.special.get("waiting", {}).values():
        if other is not None and other is not act:
            other["units"] = [u for u in other["units"] if u not in gone]


def companies(pos: Position, command: str) -> list[str]:
    """A2.4 Companies on the map: always fully active when their division's marker is drawn."""
    return [u for u in members(pos, command) if pos.unit(u).battalion is not None and u not in pos.used]


# -- attempts --------------------------------------------------------------------------------------------


def attempt(pos: Position, command: str, modifier: int = 0, chain: str = "") -> Procedure[list[Any]]:
    """4.5, 4.5.1 A leader tries for a full activation or takes a limited one; the steps to run. `chain` says which
    breakdown result brought him here: it does not come twice (4.7)."""
    side, leader = pos.game.side[leader_of(pos, command) or command], leader_of(pos, command)
    assert leader is not None
    if marches(pos, command):
        return begin(pos, command, STRATEGIC)  # errata 5.2: no die
    if not chain:
        tire(pos, command)
    rated = pos.rated(leader)
    broken = command in pos.game.commands and division_broken(pos, command)
    options = [] if broken else [Option("full", "4.5.1", label("option.full", n=rated.activation + modifier))]
    options.append(Option("limited", "4.5.1", label("option.limited")))
    if chain:
        options.append(Option("pass", "4.7", label("option.pass")))
    said = yield from choose(Request(pos.seat_of(leader), "prompt.activation", "4.5.1", (
        Choose("activation", "4.5.1", tuple(options)),), {"leader": leader, "at": pos.leaders[leader]},
        needs=needs_open))
    if said == "pass":
        return []
    if said == "limited":
        return begin(pos, command, LIMITED)
    die = yield from roll(f"activation of {leader}", "4.5.1", 0, 9)
    success = die <= rated.activation + modifier
    pos.tell("activation_rolled", "4.5.1", side, leader=leader, at=pos.leaders[leader], roll=die,
             need=rated.activation + modifier, success=success)
    if success:
        return (yield from fully(pos, command))
    return (yield from breakdown(pos, command, chain))


def within(pos: Position, command: str, radius: int) -> bool:
    """4.7, 5.2 Whether any unit of a division, in command or not, has an enemy so near; of the guns of its corps those
    that act with it (A4.6)."""
    side, acting = pos.game.side[leader_of(pos, command) or command], taking_part(pos, command)
    return any(pos.near_enemy(h, side, radius) for u in members(pos, command)
               if u in acting or pos.division_of(u) == command for h in pos.footprint(u))


def marches(pos: Position, command: str) -> bool:
    """5.2 Whether a command has the strategic marker and may use it: each unit begins three hexes or more from all
    enemies. If one does not, the marker comes off."""
    if command not in pos.strategic:
        return False
    if within(pos, command, 2):
        duty.lose_strategic(pos, command, "5.2")
        return False
    return True


def fully(pos: Position, command: str) -> Procedure[list[Any]]:
    """4.6.1, 5.2 A full activation moves normally or, three hexes or more from all enemies, strategically."""
    far = bool(taking_part(pos, command)) and command in pos.game.commands and not within(pos, command, 2)
    if far and duty.may_march(pos, command):
        leader = leader_of(pos, command)
        assert leader is not None
        options = (Option("normal", "5.0", label("option.normal")),
                   Option("strategic", "5.2", label("option.strategic")))
        said = yield from choose(Request(pos.seat_of(leader), "prompt.way_of_moving", "5.2", (
            Choose("way_of_moving", "5.2", options),), {"leader": leader}, needs=needs_open))
        if said == "strategic":
            pos.set_strategic(command, True)
            if command in pos.tired:
                pos.tired.remove(command)  # 5.2.1, 13.1.1
            return begin(pos, command, STRATEGIC)
    return begin(pos, command, FULL)


def begin(pos: Position, command: str, mode: str) -> list[Any]:
    """4.6 The steps of an activation."""
    leader = leader_of(pos, command)
    assert leader is not None
    side = pos.game.side[leader]
    begin_act(pos, side, command, leader, mode, taking_part(pos, command))
    return [["move"], ["shoot"], ["melee"], ["finish"]]


def breakdown(pos: Position, command: str, chain: str) -> Procedure[list[Any]]:
    """4.7 What a failed attempt brings, by the leader's personality. The results ENEMY and REACTIVATE are offers
    (errata), and do not come twice running."""
    leader = leader_of(pos, command)
    assert leader is not None
    rated, side = pos.rated(leader), pos.game.side[leader]
    die = yield from roll(f"breakdown of {leader}", "4.7", 0, 9)
    result = pos.game.tables["breakdown"][rated.personality][die]
    pos.tell("breakdown", "4.7", side, leader=leader, at=pos.leaders[leader], roll=die,
             result=f"breakdown.{result}", personality=f"personality.{rated.personality}")
    if result == "reactivate":
        steps = yield from fully(pos, command)
        return (
            steps if chain == "reactivate" else [*steps, ["nearest", side, pos.leaders[leader], "reactivate", command]]
        )
    if result == "enemy":
        close_leader(pos, command)
        if chain == "enemy" or pos.special.get("enemy_turn") == pos.turn:
            return []
        pos.special["enemy_turn"] = pos.turn
        return [["nearest", enemy(side), pos.leaders[leader], "enemy", command]]
    if result == "charge" and within(pos, command, 4):
        return begin(pos, command, CHARGE)
    if result in ("charge", FULL):
        return (yield from fully(pos, command))
    if result == LIMITED:
        return begin(pos, command, LIMITED)
    if result == RETREAT:
        return begin_retreat(pos, command)
    close_leader(pos, command)
    return []


def begin_retreat(pos: Position, command: str) -> list[Any]:
    """4.7 RETREAT: with an enemy within three hexes of any unit, all go back; in any case the leader is finished."""
    leader = leader_of(pos, command)
    assert leader is not None
    if not within(pos, command, 3):
        close_leader(pos, command)
        return []
    begin_act(pos, pos.game.side[leader], command, leader, RETREAT, taking_part(pos, command))
    return [["go_back"], ["finish"]]


def close_leader(pos: Position, command: str) -> None:
    """4.6.1 no. 3 The leader is finished; his units in command can't be active any more this turn (4.7)."""
    leader = leader_of(pos, command)
    if leader is not None and leader not in pos.finished:
        pos.finished.append(leader)
        pos.touched.add(f"space:{pos.leaders[leader]}")
    for unit in taking_part(pos, command):
        pos.used[unit] = pos.used.get(unit, 0) + 1
        pos.show([unit])
    pos.tell("leader_finished", "4.7", pos.game.side_of(command), leader=leader)


@segments.segment
def nearest(pos: Position, side: str, hex_: str, why: str, command: str) -> Procedure[Next]:
    """4.7 ENEMY and REACTIVATE: the division whose leader is nearest to where the first one was may try, even one that
    has been active; of several equally near the player picks. No division twice in this way in a turn, and its own
    activation is not used up by it (ruling: at most two in a turn)."""
    again: list[str] = pos.special.setdefault("again", [])
    able: dict[str, int] = {}
    for division in pos.game.divisions(side):
        leader = pos.game.commands[division].leader
        if leader is None or ":" in pos.leaders.get(leader, ":") or division in again or division == command:
            continue
        able[division] = pos.game.board.distance(hex_, pos.leaders[leader])
    close = [d for d, n in able.items() if n == min(able.values())]
    if not close:
        return DONE
    options = [Option(d, "4.7", label("option.division", command=f"command.{d}"),
                      at=pos.leaders[pos.game.commands[d].leader or ""]) for d in close]
    first = pos.game.commands[close[0]].leader
    assert first is not None
    said = yield from choose(Request(pos.seat_of(first), f"prompt.{why}", "4.7", (
        Choose(why, "4.7", (*options, Option("none", "4.7", label("option.pass")))),), {"at": hex_}, needs=needs_open))
    if said == "none":
        return DONE
    again.append(said)
    fresh = pos.game.commands[said].leader not in pos.finished
    _refresh(pos, said)
    if not fresh:
        pos.tell("acts_again", "4.7", side, command=f"command.{said}")
    steps = yield from attempt(pos, said, chain=why)
    return [*steps, *([["offered_over", said]] if fresh else [])]


def _refresh(pos: Position, division: str) -> None:
    """4.7 A division may be active (again): its leader, and its own units; guns of its corps act once (A4.6), and so
    does who has acted in another's command (A4.4.5, A4.5)."""
    leader = pos.game.commands[division].leader
    if leader is not None and leader in pos.finished:
        pos.finished.remove(leader)
        pos.touched.add(f"space:{pos.leaders[leader]}")
    own = [u for u in pos.game.members[division] if u in pos.used and pos.division_of(u) == division]
    for unit in own:
        pos.used.pop(unit)
    pos.show(own)


@segments.segment
def offered_over(pos: Position, division: str) -> Procedure[Next]:
    """4.7 A division that acted by ENEMY or REACTIVATE before its own turn still has that."""
    yield from ()
    _refresh(pos, division)
    pos.tell("ready_again", "4.7", pos.game.side_of(division), command=f"command.{division}")
    return DONE


@segments.segment
def activate(pos: Position, command: str, modifier: int) -> Procedure[Next]:
    """4.5.1 One division's attempt, and what follows from it."""
    steps = yield from attempt(pos, command, modifier)
    return steps or DONE


@segments.segment
def finish(pos: Position) -> Procedure[Next]:
    """4.6.1 no. 3 An activation is over: its leader finished, its units used, guns' and strategic markers looked
    after."""
    act = pos.act
    assert act is not None
    yield from draw_together(pos)
    claim(pos, act)
    for unit in act["units"]:
        if act["mode"] not in (OUT, RETREAT) and lent(pos, unit) and not acted(act, unit):
            pos.special.setdefault("spared", []).append(unit)  # A4.6 free to act with another division
            continue
        pos.used[unit] = pos.used.get(unit, 0) + 1
        if pos.on_map(unit):
            pos.mark(unit)
            if act["spent"].get(unit):
                stir(pos, unit)
            elif pos.blown.get(unit) and unit not in (*pos.resting, *pos.special.get("stirred", ())):
                pos.resting.append(unit)  # 8.4.5
    leader, command = act["leader"], act["command"]
    if leader is not None and act["mode"] != OUT and leader not in pos.finished:
        pos.finished.append(leader)
        if ":" not in pos.leaders.get(leader, ":"):
            pos.touched.add(f"space:{pos.leaders[leader]}")
    duty.end_of_activation(pos, act)
    pos.act = None
    pos.touched.update((*ACT, "combat"))
    pos.show(act["units"])
    pos.tell("activation_ended", "4.6.1", act["side"], command=f"command.{command}")
    judge(pos)
    if act["mode"] == FULL and leader is not None and command in pos.game.commands and act["side"] == FRENCH:
        return [["detach", command]]  # A4.4.5
    return DONE
