"""4.5.2, A4.3 What a drawn marker sets off: a division, a corps, independent leaders, and the special ones."""

from __future__ import annotations

from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose, roll
from rules.core.request import Request, needs_open
from rules.mechanics.lookup import lookup
from rules.titles.austerlitz import activation, reinforcements, special
from rules.titles.austerlitz.breakpoints import division_broken
from rules.titles.austerlitz.leaders import aboard
from rules.titles.austerlitz.notes import tire
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.ranges import division_in_range
from rules.titles.austerlitz.turn import segments

INDEPENDENT = "independent"


def steps_of(pos: Position, marker: str) -> list[Any]:
    """What a drawn marker sets off."""
    m = pos.game.markers[marker]
    match m.kind:
        case "division":
            assert m.command is not None
            _tire(pos, m.command)
            return [["division", m.command]]
        case "corps":
            assert m.command is not None
            for division in pos.game.commands[m.command].divisions:
                _tire(pos, division)
            # 4.5.2 Who is in range is seen when the marker is drawn, though their leader may ride later.
            pos.special["in_reach"] = [d for d in pos.game.commands[m.command].divisions if division_in_range(pos, d)]
            return [["corps", m.command, list(able(pos, m.command)), []]]
        case "independent":
            return [["independents", m.side]]
        case "reinforcements":
            return reinforcements.steps(m.side)
        case _:
            return special.steps(pos, marker)


def _tire(pos: Position, division: str) -> None:
    """13.1.1 A drawn marker tires a division, in range or not; A15.5, A15.6 one that is still to come it does not."""
    if aboard(pos, pos.game.commands[division].leader or ""):
        tire(pos, division)


def able(pos: Position, corps: str) -> list[str]:
    """4.5.2, 11.2.1 The divisions of a corps that may try: on the map, not broken, not active with the Independent
    marker."""
    return [d for d in pos.game.commands[corps].divisions if _ready(pos, d)]


def _ready(pos: Position, division: str) -> bool:
    leader = pos.game.commands[division].leader
    return (leader is not None and ":" not in pos.leaders.get(leader, ":") and leader not in pos.finished
            and not division_broken(pos, division))


@segments.segment
def division(pos: Position, command: str) -> Procedure[Next]:
    """4.5.1 A division's own marker."""
    yield from ()
    leader = pos.game.commands[command].leader
    able_ = leader is not None and aboard(pos, leader) and leader not in pos.finished
    out = activation.companies(pos, command)  # A2.4 whether the division is active or not
    return [*([["companies", command]] if out else []), *([["activate", command, 0]] if able_ else []),
            ["brigades", command]]


@segments.segment
def companies(pos: Position, command: str) -> Procedure[Next]:
    """A2.4 Companies are fully active when their division's marker is drawn, wherever they are and whatever the leader
    rolls."""
    yield from ()
    units = activation.companies(pos, command)
    if not units:
        return DONE
    activation.begin_act(pos, pos.game.commands[command].side, command, None, activation.FULL, units)
    return [["move"], ["shoot"], ["melee"], ["finish"]]


@segments.segment
def corps(pos: Position, name: str, left: list[str], moved: list[str]) -> Procedure[Next]:
    """4.5.2 Division after division tries and moves; when all have, each that is active fights, one after another."""
    left = [d for d in left if _ready(pos, d)]
    if not left:
        return [["corps_combat", name, moved]]
    leader = pos.game.commands[left[0]].leader
    assert leader is not None
    options = [Option(d, "4.5.2", label("option.division", command=f"command.{d}"),
                      at=pos.leaders[pos.game.commands[d].leader or ""]) for d in left]
    options.append(Option("end", "4.5.2", label("option.corps_done"), ends=True))
    said = yield from choose(Request(pos.seat_of(leader), "prompt.corps", "4.5.2", (
        Choose("corps", "4.5.2", tuple(options)),), {"command": f"command.{name}"}, needs=needs_open))
    if said == "end":
        return [["corps_combat", name, moved]]
    rated = pos.rated(pos.game.commands[name].leader or "")
    near = pos.special.get("in_reach")
    modifier = rated.modifier if (division_in_range(pos, said) if near is None else said in near) else 0
    steps = yield from activation.attempt(pos, said, modifier)
    rest = [d for d in left if d != said]
    before = [s for s in steps if s[0] in ("move", "go_back")]
    later = [s for s in steps if s[0] in ("nearest",)]
    if pos.act is None:
        return [*later, ["corps", name, rest, moved]]
    return [*before, ["set_aside", said], *later, ["corps", name, rest, [*moved, said]]]


@segments.segment
def set_aside(pos: Position, command: str) -> Procedure[Next]:
    """4.5.2 A division has moved; it fights when all of its corps have."""
    yield from ()
    pos.special.setdefault("waiting", {})[command] = pos.act
    if pos.act is not None:
        activation.claim(pos, pos.act)
        pos.show(pos.act["units"])
    pos.act = None
    pos.touched.update((*activation.ACT, "combat"))
    pos.tell("waits_to_fight", "4.5.2", pos.game.side_of(command), command=f"command.{command}")
    return DONE


@segments.segment
def corps_combat(pos: Position, name: str, left: list[str]) -> Procedure[Next]:
    """4.5.2 The active divisions of a corps fight in the order their player likes, each to its end."""
    if not left:
        return [["brigades", name], ["detach", name]]  # A4.4.5
    said = left[0]
    if len(left) > 1:
        leader = pos.game.commands[left[0]].leader
        assert leader is not None
        options = tuple(Option(d, "4.5.2", label("option.division", command=f"command.{d}")) for d in left)
        said = yield from choose(Request(pos.seat_of(leader), "prompt.corps_combat", "4.5.2", (
            Choose("corps_combat", "4.5.2", options),), {"command": f"command.{name}"}, needs=needs_open))
    pos.act = pos.special["waiting"].pop(said)
    pos.touched.update((*activation.ACT, "combat"))
    if pos.act is not None:
        pos.show(pos.act["units"])
    pos.tell("fights_now", "4.5.2", pos.game.side_of(said), command=f"command.{said}")
    rest = [d for d in left if d != said]
    return [["shoot"], ["melee"], ["finish"], ["corps_combat", name, rest]]


@segments.segment
def independents(pos: Position, side: str) -> Procedure[Next]:
    """A4.3, A4.3.2 The Independent marker: a die says how many independent leaders may try."""
    if not could_try(pos, side):
        return DONE
    die = yield from roll(f"independent {side}", "A4.3.2", 0, 9)
    n = pos.game.tables["independent_activation"][side][die]
    pos.tell("independent_rolled", "A4.3.2", side, roll=die, count=n)
    return [["independent_next", side, n]] if n else DONE


def candidates(pos: Position, side: str) -> list[str]:
    """A4.3.1, A4.4.5 B, A2.4 Independent divisions and brigade leaders that may try, and companies without a marker."""
    found = [c.id for c in pos.game.commands.values() if c.side == side and c.independent and _ready(pos, c.id)]
    found += [b for b in pos.detached if pos.game.leaders[b].rank == "brigade" and pos.game.side[b] == side
              and b not in pos.finished and ":" not in pos.leaders.get(b, ":")]
    for command in pos.game.divisions(side):
        if activation.companies(pos, command) and pos.game.marker_of[command] not in pos.pool:
            found.append(f"companies:{command}")
    return found


def could_try(pos: Position, side: str) -> bool:
    """4.1 Whether the other side must take it that somebody may try: it doesn't know which markers lie in the pool, so
    companies are asked about although their division has one there."""
    return bool(candidates(pos, side)) or any(
        activation.companies(pos, c) and pos.game.marker_of[c] not in pos.drawn for c in pos.game.divisions(side))


@segments.segment
def independent_next(pos: Position, side: str, n: int) -> Procedure[Next]:
    """A4.3.2 One of so many independent leaders tries, as the player likes."""
    able_ = candidates(pos, side)
    if not n or not could_try(pos, side):
        return DONE
    options = [Option(c, "A4.3.2", label("option.division", command=f"command.{c.removeprefix('companies:')}"))
               for c in able_]
    options.append(Option("end", "A4.3.2", label("option.pass"), ends=True))
    said = yield from choose(Request(pos.commander(side), "prompt.independent", "A4.3.2", (
        Choose("independent", "A4.3.2", tuple(options)),), {"n": n}, needs=needs_open,
        table=lookup("independent", rows=[side])))
    if said == "end":
        return DONE
    if said.startswith("companies:"):
        return [["companies", said.removeprefix("companies:")], ["independent_next", side, n - 1]]
    tire(pos, said)
    return [["join_brigade", said], ["activate", said, 0], ["independent_next", side, n - 1]]
