"""A4.4, A4.5 Special leaders and markers: the Grand Battery, detachments, brigade leaders; A15.6 markers held back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Choose, Group, Option, Place, label
from rules.core.procedure import Procedure, allocate, ask, choose, roll
from rules.core.request import Request, needs_nobody, needs_open
from rules.titles.austerlitz import activation, duty
from rules.titles.austerlitz.breakpoints import corps_broken, division_broken
from rules.titles.austerlitz.leaders import NAPOLEON, aboard
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.notes import tire
from rules.titles.austerlitz.position import STAFF, Position
from rules.titles.austerlitz.ranges import traced
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import FRENCH, Marker

SONGIS = "F-Songis"
GRAND_BATTERY = "LIM-F-Grand-Battery"
NO_BRIGADES = ("F-CR", "F-IG")   # A4.4.5


# -- markers ---------------------------------------------------------------------------------------------


def marker_addable(pos: Position, marker: Marker) -> bool:
    """A4.3.2, A4.5.1 A, A4.5.2 A Markers that count as a division's: Independent, Grand Battery, staff."""
    if marker.kind == "independent":
        return any(c.side == marker.side and c.independent and c.leader and aboard(pos, c.leader)
                   for c in pos.game.commands.values()) or any(
                       pos.game.leaders[b].rank == "brigade" and pos.game.side[b] == marker.side for b in pos.detached)
    if marker.kind == "grand_battery":
        return aboard(pos, NAPOLEON) or aboard(pos, SONGIS)
    if marker.kind == "detachment" and marker.command is not None:
        return aboard(pos, marker.command)
    return False


def held_back(pos: Position, marker: str) -> bool:
    """A15.6 Markers that a scenario keeps out for now: IV Corps before 11:00, the Guards of both sides."""
    if pos.scenario != "pratzen":
        return False
    m = pos.game.markers[marker]
    corps = pos.game.corps_of(m.command) if m.command in pos.game.commands else None
    if marker == "LIM-F-IV":
        return bool(pos.turn < pos.plan["turns"].index("11:00") + 1)
    if corps == "A-IG":
        return not _russian_guard(pos)
    if corps == "F-IG":
        return not _french_guard(pos)
    return False


def level_markers_due(pos: Position) -> bool:
    """A15.6 Whether this is the turn after the first French unit came to a hex of level 5."""
    return "level_markers" in pos.plan and pos.special.get("level5") == pos.turn - 1


def level_markers(pos: Position) -> dict[str, tuple[str, ...]]:
    """A15.6 Division markers of each half of the 4th Column that are not in the pool; none where all are, or where the
    corps' own marker is."""
    found = {}
    for corps in pos.plan["level_markers"]["corps"]:
        marks = [pos.game.marker_of[d] for d in pos.game.commands[corps].divisions]
        there = pos.game.marker_of[corps] in pos.pool
        found[corps] = () if there else tuple(m for m in marks if m not in pos.pool and m not in pos.barred)
    return found


def _attacked(pos: Position, corps: str) -> bool:
    return any(pos.unit(u).corps == corps for u in pos.special.get("attacked", {}).get("close", ()))


def _russian_guard(pos: Position) -> bool:
    """A15.6 The French have been on a hex of level 7, both corps of the 4th Column are broken, or the Guard has been
    attacked."""
    high = any(pos.game.board.level[h] == 7 for h in pos.hexes_of(FRENCH))  # however they came there
    return (bool(pos.special.get("level7")) or high or _attacked(pos, "A-IG")
            or all(corps_broken(pos, c) for c in ("A-R4C", "A-A4C")))


def _french_guard(pos: Position) -> bool:
    """A15.6 A Russian Guard marker in the pool, Vandamme or St. Hilaire broken, or the Guard attacked."""
    return (bool(pos.special.get("russian_guard")) or _attacked(pos, "F-IG")
            or any(division_broken(pos, d) for d in ("F-1-IV", "F-2-IV")))


def marker_added(pos: Position, marker: str) -> None:
    """A15.6 Note the Russian Guard's first marker."""
    m = pos.game.markers[marker]
    if m.command in pos.game.commands and pos.game.corps_of(m.command) == "A-IG":
        pos.special["russian_guard"] = True


def marker_removed(pos: Position, marker: str) -> None:
    """A4.5.1 D, A4.5.2 F Who was led by a special marker goes back to his own command; staff to Napoleon."""
    m = pos.game.markers[marker]
    if m.kind == "grand_battery":
        _dissolve(pos, pos.special.pop("battery", ""))
    elif m.kind == "detachment" and m.command is not None:
        _dissolve(pos, m.command)
        if aboard(pos, NAPOLEON) and aboard(pos, m.command):
            pos.put_leader(m.command, pos.leaders[NAPOLEON])


def _dissolve(pos: Position, leader: str) -> None:
    """A4.5 The units of a special command are their own division's again, as tired as that is (A4.5.2 C)."""
    units = pos.detached.pop(leader, [])
    pos.fatigue.pop(leader, None)
    pos.touched.add("table:fatigue_french")
    for unit in units:
        pos.mark(unit)


def exclusive(pos: Position, answer: Mapping[str, Any]) -> None:
    """4.8 A corps and its own divisions are never in the pool together; those that lie in it give way to their corps
    (4.2.1). Raises Refusal."""
    lots = answer["lots"]
    added = lots.get("add", [])
    there = (set(pos.pool) | set(added)) - set(lots.get("remove", []))
    for marker in there:
        m = pos.game.markers[marker]
        if m.kind != "corps" or m.command is None:
            continue
        for division in pos.game.commands[m.command].divisions:
            if pos.game.marker_of[division] in added:
                raise Refusal("refusal.corps_or_divisions", "4.8", unit=marker)


def initiative_modifier(pos: Position, side: str) -> int:
    """4.4, A4.1.1, A15.2, A15.5, A15.6 The overall commander's modifier; A4.4.1 not while Napoleon leads the Grand
    Battery."""
    plan = pos.plan["initiative"]
    value = int(plan.get(side, 0))
    if side == FRENCH and "napoleon" in plan and pos.special.get("napoleon_commands"):
        value = int(plan["napoleon"])
    if side == FRENCH and pos.special.get("battery") == NAPOLEON and GRAND_BATTERY in pos.pool:
        return 0
    return value


# -- what they set off -----------------------------------------------------------------------------------


def steps(pos: Position, marker: str) -> list[Any]:
    """4.5.3, A4.5 The steps of a special marker that is drawn."""
    m = pos.game.markers[marker]
    return [["grand_battery"]] if m.kind == "grand_battery" else [["detachment", m.command]]


@segments.segment
def grand_battery(pos: Position) -> Procedure[Next]:
    """A4.5.1 B, C One leader for as long as the marker is in the pool; guns of any command within his range, up to his
    span; a failed try is STOP."""
    leader = pos.special.get("battery")
    if leader is not None and not aboard(pos, leader):
        marker_removed(pos, GRAND_BATTERY)  # he fell: his guns go back, the marker may have another leader
        leader = None
    if leader is None:
        able = [x for x in (NAPOLEON, SONGIS) if aboard(pos, x)]
        if not able:
            return DONE
        options = tuple(Option(x, "A4.5.1", label("option.leader", leader=x)) for x in able)
        leader = yield from choose(Request(pos.commander(FRENCH), "prompt.grand_battery", "A4.5.1", (
            Choose("leader", "A4.5.1", options),), needs=needs_nobody))
        pos.special["battery"] = leader
    span, range_, rating = _ratings(pos, leader)
    yield from _assign(pos, leader, span, range_, lambda u: pos.unit(u).guns, "A4.5.1")
    options = (Option("full", "A4.5.1", label("option.full", n=rating)),
               Option("limited", "A4.5.1", label("option.limited")))
    said = yield from choose(Request(pos.commander(FRENCH), "prompt.activation", "A4.5.1", (
        Choose("activation", "A4.5.1", options),), {"leader": leader}, needs=needs_open))
    mode = activation.LIMITED
    if said == "full":
        die = yield from roll(f"grand battery {leader}", "A4.5.1", 0, 9)
        pos.tell("activation_rolled", "A4.5.1", FRENCH, leader=leader, at=pos.leaders[leader], roll=die, need=rating,
                 success=die <= rating)
        if die > rating:
            activation.close_leader(pos, leader)
            return DONE
        mode = activation.FULL
    activation.begin_act(pos, FRENCH, leader, leader, mode, activation.taking_part(pos, leader))
    return [["move"], ["shoot"], ["battery_fired"], ["finish"]]


def _ratings(pos: Position, leader: str) -> tuple[int, int, int]:
    """A4.5.1 C Span, range and activation of a leader of the Grand Battery; Napoleon's are on his counter's other
    side."""
    rated = pos.game.leaders[leader]
    return rated.grand_battery or (rated.span, rated.range, rated.activation)


@segments.segment
def battery_fired(pos: Position) -> Procedure[Next]:
    """A4.5.1 D A Grand Battery that has fired loses its marker at once, and its guns go back to their commands."""
    yield from ()
    act = pos.act
    assert act is not None
    if act["shot"] and GRAND_BATTERY in pos.pool:
        pos.pool.remove(GRAND_BATTERY)
        marker_removed(pos, GRAND_BATTERY)
        pos.touched.add("pool:markers_french")
        pos.tell("battery_spent", "A4.5.1", FRENCH)
    return DONE


@segments.segment
def detachment(pos: Position, leader: str) -> Procedure[Next]:
    """A4.5.2 B, C A staff officer takes battalions and regiments of any command, up to his span, and tries."""
    if not aboard(pos, leader):
        return DONE
    rated = pos.game.leaders[leader]
    yield from _assign(pos, leader, rated.span, rated.range, lambda u: not pos.unit(u).guns, "A4.5.2")
    tire(pos, leader)  # A4.5.2 E
    return [["activate", leader, 0]]


def _assign(pos: Position, leader: str, span: int, range_: int, fits: Any, clause: str) -> Procedure[None]:
    """A4.5 Units taken into a special command: not yet active this turn, in no other one; they stay until its marker is
    gone. A4.5.2 E It has the fatigue of its most tired unit."""
    have = [u for u in pos.detached.get(leader, []) if pos.on_map(u)]
    taken = {u for units in pos.detached.values() for u in units}
    reach = traced(pos, pos.leaders[leader], range_, FRENCH)
    able = sorted(u for u, h in pos.at.items() if h in reach and pos.unit(u).side == FRENCH and fits(u)
                  and u not in pos.used and u not in taken)
    room = span - len(have)
    if able and room > 0:
        chosen = lot("take", tuple(able), 0, min(room, len(able)), at=pos.leaders[leader])
        seat = pos.seat_of(leader) if pos.game.leaders[leader].rank == "brigade" else pos.commander(FRENCH)
        more = yield from allocate(Request(seat, "prompt.assign", clause, (
            Allocate("assign", clause, "assign", (chosen,)),), {"leader": leader, "n": room}, needs=needs_nobody))
        have += more.get("take", [])
    tired = max([pos.fatigue.get(leader, 0), *(
        pos.fatigue.get(pos.unit(u).command or "", 0) for u in have if not pos.unit(u).guns)])
    if tired:
        pos.fatigue[leader] = tired
    pos.detached[leader] = have
    for unit in have:
        pos.mark(unit)
    pos.touched.add("table:fatigue_french")
    pos.tell("assigned", clause, FRENCH, leader=leader, units=list(have))


# -- brigade leaders -------------------------------------------------------------------------------------


@segments.segment
def brigades(pos: Position, command: str) -> Procedure[Next]:
    """A4.4.5 B A brigade leader detached from a division may act with its marker; one detached by a corps as part of
    the activation of that corps."""
    leaders = [b for b, source in pos.special.get("source", {}).items() if source == command and b in pos.detached
               and b not in pos.finished and aboard(pos, b)]
    if not leaders:
        return DONE
    leader = leaders[0]
    options = (Option("try", "A4.4.5", label("option.brigade", leader=leader)),
               Option("wait", "A4.4.5", label("option.pass")))
    said = yield from choose(Request(pos.seat_of(leader), "prompt.brigade", "A4.4.5", (
        Choose("brigade", "A4.4.5", options),), {"leader": leader}, needs=needs_open))
    if said == "wait":
        return DONE
    tire(pos, leader)  # C
    return [["join_brigade", leader], ["activate", leader, 0]]


@segments.segment
def join_brigade(pos: Position, leader: str) -> Procedure[Next]:
    """A4.4.5 B A brigade leader who is to act may take more battalions and batteries of the command from which he was
    detached, up to his span: in his range, and not active this turn."""
    source = pos.special.get("source", {}).get(leader)
    if source is None or leader not in pos.detached:
        return DONE
    under = {u for d in pos.game.commands[source].divisions or (source,) for u in activation.members(pos, d)}
    rated = pos.game.leaders[leader]
    yield from _assign(pos, leader, rated.span, rated.range, lambda u: u in under and not pos.unit(u).mounted, "A4.4.5")
    return DONE


def brigade_of(pos: Position, command: str) -> str | None:
    """A4.4.5 The brigade leader that a French command may detach: one for each corps, and for Oudinot."""
    if command not in pos.game.commands or pos.game.commands[command].side != FRENCH:
        return None
    corps = pos.game.corps_of(command) or command
    if corps in NO_BRIGADES:
        return None
    return next((i for i, x in pos.game.leaders.items() if x.rank == "brigade" and x.command == corps), None)


@segments.segment
def detach(pos: Position, command: str) -> Procedure[Next]:
    """A4.4.5 A At the end of a full activation the leader of a division, or of a corps (of all its divisions), may
    detach a brigade leader within his range, with battalions and batteries of the command up to his span; not in the
    turn in which he was taken off (D)."""
    leader, boss = brigade_of(pos, command), pos.game.commands[command].leader
    if leader is None or boss is None or pos.leaders.get(leader) != STAFF or not aboard(pos, boss):
        return DONE
    if pos.special.get("recalled", {}).get(leader) == pos.turn:
        return DONE
    reach = traced(pos, pos.leaders[boss], pos.game.leaders[boss].range, FRENCH)
    under = pos.game.commands[command].divisions or (command,)
    able = sorted({u for d in under for u in activation.members(pos, d) if pos.at[u] in reach
                   and not pos.unit(u).mounted and not pos.routed(u)})
    if not able:
        return DONE
    span = pos.game.leaders[leader].span
    chosen = lot("take", tuple(able), 0, min(span, len(able)), at=pos.leaders[boss])
    form = Allocate("detach", "A4.4.5", "choose", (chosen,))
    taken = (yield from allocate(Request(pos.seat_of(boss), "prompt.detach", "A4.4.5", (form,),
                                         {"leader": leader, "n": span}, needs=needs_nobody))).get("take")
    if not taken:
        return DONE
    spots = tuple(sorted(h for h in reach if _leaders_may_stand(pos, h)))
    placed = yield from ask(Request(pos.seat_of(boss), "prompt.brigade_hex", "A4.4.5", (
        Place("hex", "A4.4.5", (Group("brigade", "A4.4.5", (leader,), spots, must=True),), 1, "A4.4.5",
              suggested={leader: pos.at[taken[0]]}),), {"leader": leader}, needs=needs_nobody))
    set_brigade(pos, leader, command, taken, placed["placed"][leader])
    return DONE


def _leaders_may_stand(pos: Position, hex_: str) -> bool:
    """A4.4.5 A On the scenario's ground, not in water, with no enemy leader."""
    return (duty.in_area(pos, hex_) and pos.game.board.terrain[hex_] != "pond"
            and all(pos.game.side[x] == FRENCH for x in pos.here.get(hex_, ())))


def set_brigade(pos: Position, leader: str, command: str, units: Sequence[str], hex_: str) -> None:
    """A4.4.5 A, C errata: a brigade begins as tired as its division, or as its most tired unit."""
    pos.put_leader(leader, hex_)
    pos.detached[leader] = list(units)
    level = max((pos.fatigue.get(pos.unit(u).command or "", 0) for u in units), default=0)
    if level:
        pos.fatigue[leader] = level
    pos.special.setdefault("source", {})[leader] = command
    pos.finished.append(leader)
    pos.touched.add("table:fatigue_french")
    for unit in units:
        pos.mark(unit)
    pos.tell("detached", "A4.4.5", FRENCH, leader=leader, units=list(units), at=hex_)


def recallable(pos: Position, side: str) -> list[str]:
    """A4.4.5 D The brigade leaders that their player may take off now: at any time, but not while they act."""
    acting = pos.act["leader"] if pos.act is not None else None
    return [b for b in pos.detached if pos.game.leaders[b].rank == "brigade" and pos.game.side[b] == side
            and b != acting and aboard(pos, b)]


def recalls(pos: Position, side: str) -> tuple[Choose, ...]:
    """A4.4.5 D The form by which brigade leaders are taken off, if there are any."""
    options = tuple(Option(b, "A4.4.5", label("option.recall_brigade", leader=b), at=pos.leaders[b])
                    for b in recallable(pos, side))
    return (Choose("recall", "A4.4.5", options),) if options else ()
