"""3.0 A, C.3, 4.2, 4.4 The pool of markers: command change, initiative, draws, removal."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Choose, Form, Legal, Lot, Option, label
from rules.core.procedure import Procedure, ask, choose, draw, roll, together
from rules.core.request import Request, needs_open
from rules.mechanics.lookup import lookup
from rules.titles.austerlitz import independent, reinforcements, special
from rules.titles.austerlitz.breakpoints import corps_broken
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.position import DUE, Position
from rules.titles.austerlitz.ranges import corps_in_range, division_in_range
from rules.titles.austerlitz.turn import has_markers, segments, stage
from rules.titles.austerlitz.units import ALLIED, SIDES

BUXHOWDEN, ALEXANDER = "A-Buxhowden", "A-Alexander"
CORPS, DIVISION = "corps", "division"


# -- command change --------------------------------------------------------------------------------------


@segments.segment
def command_change(pos: Position) -> Procedure[Next]:
    """3.0 A.1, 4.2 Each side may try to put markers into the pool; not in the first turn (errata)."""
    yield from ()
    stage(pos, "command_change")
    return [["change_of", side] for side in SIDES]


@segments.segment
def change_of(pos: Position, side: str) -> Procedure[Next]:
    """3.0 A.1, 4.2.3 One side's markers: the Reinforcement marker openly, others by a die or at will."""
    yield from reinforcements.marker(pos, side)
    if side == ALLIED and special.level_markers_due(pos):
        yield from _of_the_level(pos)
    if side in pos.plan["command"].get("free", ()):
        yield from _freely(pos, side)
    elif pos.turn > 1:
        yield from _try(pos, side)
    return DONE


def _of_the_level(pos: Position) -> Procedure[None]:
    """A15.6 The turn after the French came to level 5: a division marker for each half of the 4th Column that has one
    to add, without a die."""
    lots = tuple(Lot(corps, able, 0, 1, label=label(f"command.{corps}"))
                 for corps, able in special.level_markers(pos).items() if able)
    put_in(pos, ALLIED, [m for taken in (yield from _secretly(
        pos, ALLIED, "level_markers", "A15.6", lots)).values() for m in taken])


def _secretly(pos: Position, side: str, name: str, clause: str, lots: tuple[Lot, ...],
              legal: Legal = lambda _answer: None) -> Procedure[dict[str, list[str]]]:
    """4.2 errata Markers taken from lots. A side that has none to take is asked too, or the other would know it."""
    form: Form = Allocate(name, "4.2", "choose", lots, legal=legal) if lots else Choose(
        "none", clause, (Option("none", clause, label("option.add_none")),))
    answer = yield from ask(Request(pos.commander(side), f"prompt.{name}", clause, (form,), needs=needs_open))
    return dict(answer["lots"]) if lots else {}


def _try(pos: Position, side: str) -> Procedure[None]:
    """4.2 One attempt a turn. A15.2 With Buxhowden, who puts in corps of his wing only, it is announced, and harder;
    without him the Tsar reaches who is in his own range."""
    both = side == ALLIED and _two_commanders(pos)
    able = addable(pos, side, ALEXANDER if both else None)
    wing = addable(pos, side, BUXHOWDEN) if both else []
    # Who has nothing to add is asked too, or the other side would know that all of it is in the pool.
    options = [Option("try", "4.2", label("option.command_change"))] if able else []
    if wing:
        options.append(Option("buxhowden", "A15.2", label("option.by_buxhowden")))
    options.append(Option("pass", "4.2", label("option.pass")))
    said = yield from choose(Request(pos.commander(side), "prompt.command_change", "4.2", (
        Choose("command_change", "4.2", tuple(options)),), needs=needs_open, table=lookup("change", rows=[side])))
    if said == "pass":
        return
    alone = pos.plan["command"].get("overall", {}).get(side) == [BUXHOWDEN]
    plus = pos.game.tables["command_change"]["buxhowden"] if said == "buxhowden" or alone else 0
    die = yield from roll(f"command change {side}", "4.2", 0, 9)
    result = change_result(pos, side, die + plus)
    # errata 4.2: the +1 stays secret, so only the die is told to the other side, and not what it brought.
    pos.tell(
        "command_change_rolled", "4.2", side, roll=die, private={side: {"plus": plus, "result": f"change.{result}"}}
    )
    if result != "none" or change_result(pos, side, die) != "none":  # asked either way, or the +1 would show
        yield from add_markers(pos, side, result, BUXHOWDEN if said == "buxhowden" else ALEXANDER if both else None)


def _two_commanders(pos: Position) -> bool:
    return len(pos.plan["command"].get("overall", {}).get("allied", ())) > 1


def change_result(pos: Position, side: str, die: int) -> str:
    """4.2 The cell of the command change table; A15.4 has three of its own."""
    rows = pos.game.tables["command_change"][side]
    own: dict[str, str] = pos.plan["command"].get("table", {}).get(side, {})
    return own.get(str(die)) or str(rows[min(die, len(rows) - 1)])


def addable(pos: Position, side: str, by: str | None, freely: bool = False) -> list[str]:
    """4.1, 4.2.1, 4.2.2, A4.3, A4.3.2, A4.5 Markers that may come into the pool now; `by` the overall commander whose
    range counts for corps (None: any). Buxhowden beside the Tsar puts in nothing but corps (A15.2). `freely` the marker
    of a corps may make room for its divisions in the same breath. Independent divisions use no marker of their own."""
    corps_only = by == BUXHOWDEN and _two_commanders(pos)
    found = []
    for marker in pos.game.markers.values():
        if marker.side != side or marker.id in pos.pool or marker.id in pos.barred or marker.id in pos.game.unused:
            continue
        if marker.kind == CORPS and marker.command is not None:
            ok = corps_in_range(pos, marker.command, by) and not corps_broken(pos, marker.command)
        elif marker.kind == DIVISION and marker.command is not None:
            corps = pos.game.commands[marker.command].corps
            mark = pos.game.marker_of.get(corps or "")
            room = freely or mark not in pos.pool
            ok = not corps_only and room and division_in_range(pos, marker.command)
        else:
            ok = not corps_only and special.marker_addable(pos, marker)
        if ok and not special.held_back(pos, marker.id):
            found.append(marker.id)
    return found


def add_markers(pos: Position, side: str, result: str, by: str | None) -> Procedure[None]:
    """4.2 One corps marker, or as many division markers as the table says; in secret (errata)."""
    able = addable(pos, side, by) if result != "none" else []
    n = int(result[-1]) if result != "none" else 0
    corps = tuple(m for m in able if pos.game.markers[m].kind == CORPS) if result.startswith("corps") else ()
    others = tuple(m for m in able if pos.game.markers[m].kind != CORPS)
    forms = [Allocate("add_corps", "4.2.1", "choose", (lot("add", corps, 1, 1),))] if corps else []
    if others:
        forms.append(Allocate("add_divisions", "4.2.2", "choose", (lot("add", others, 1, min(n, len(others))),)))
    none = Choose("none", "4.2", (Option("none", "4.2", label("option.add_none")),))
    answer = yield Request(pos.commander(side), "prompt.add_markers", "4.2", (*forms, none), {"n": n}, needs=needs_open)
    if answer["form"] != "none":
        put_in(pos, side, answer["lots"].get("add", []))


def put_in(pos: Position, side: str, markers: Sequence[str]) -> None:
    """4.2.1, 4.8 Markers into the pool; a corps' own divisions give way to it."""
    for marker in markers:
        command = pos.game.markers[marker].command
        if pos.game.markers[marker].kind == CORPS and command is not None:
            for division in pos.game.commands[command].divisions:
                mark = pos.game.marker_of[division]
                if mark in pos.pool:
                    pos.pool.remove(mark)
        if marker not in pos.pool:
            pos.pool.append(marker)
        special.marker_added(pos, marker)
    pos.touched.add(f"pool:markers_{side}")
    pos.tell("markers_added", "4.2", side, private={side: {"units": list(markers), "count": len(markers)}})


def _freely(pos: Position, side: str) -> Procedure[None]:
    """A15.1, A15.5 A side that adds and removes markers at will."""
    able = [*addable(pos, side, None, freely=True), *_of_the_due(pos, side)]
    there = has_markers(pos, side)
    lots = [lot("add", tuple(able), 0, len(able))] if able else []
    if there:
        lots.append(lot("remove", tuple(there), 0, len(there)))
    taken = yield from _secretly(pos, side, "markers_freely", pos.plan["clause"], tuple(lots),
                                 lambda a: special.exclusive(pos, a))
    take_out(pos, side, taken.get("remove", []))
    if taken.get("add"):
        put_in(pos, side, taken["add"])


def _of_the_due(pos: Position, side: str) -> list[str]:
    """A15.5 Markers are there in the very turn in which their leaders are to come in (ruling)."""
    due = {x for row in reinforcements.expected(pos, side) for x in row[2] if pos.leaders.get(x) == DUE[side]}
    out = {*pos.pool, *pos.barred, *pos.game.unused}
    return [m.id for m in pos.game.markers.values() if m.kind in (CORPS, DIVISION) and m.id not in out
            and pos.game.commands[m.command or ""].leader in due]


def take_out(pos: Position, side: str, markers: Sequence[str]) -> None:
    """3.0 C.3 Markers out of the pool."""
    for marker in markers:
        pos.pool.remove(marker)
        special.marker_removed(pos, marker)
    pos.touched.add(f"pool:markers_{side}")
    pos.tell("markers_removed", "3.0", side, private={side: {"units": list(markers), "count": len(markers)}})


# -- initiative and draws --------------------------------------------------------------------------------


@segments.segment
def initiative(pos: Position) -> Procedure[Next]:
    """3.0 A.2, A.3, 4.4 Both roll, ties again; the winner picks the marker that begins."""
    stage(pos, "initiative")
    plan = pos.plan["initiative"]
    if pos.turn == 1 and "first" in plan:
        pos.initiative = plan["first"]
        pos.active = pos.initiative
        pos.touched.add("turn")
        pos.tell("initiative_given", "4.4", pos.initiative)
    else:
        while True:
            dice = {}
            for side in SIDES:
                dice[side] = (yield from roll(f"initiative {side}", "4.4", 0, 9)) + special.initiative_modifier(
                    pos, side
                )
            pos.tell("initiative_rolled", "4.4", None, rolls=[dice[s] for s in SIDES])
            if dice[SIDES[0]] != dice[SIDES[1]]:
                break
        pos.initiative = max(SIDES, key=lambda s: dice[s])
        pos.active = pos.initiative
        pos.touched.add("turn")
        pos.tell("initiative_won", "4.4", pos.initiative)
    own = has_markers(pos, pos.initiative)
    if not own:
        return DONE
    options = tuple(Option(m, "4.4", label("option.marker", marker=f"marker.{m}")) for m in own)
    said = yield from choose(Request(pos.commander(pos.initiative), "prompt.first_marker", "4.4", (
        Choose("first_marker", "4.4", options),), needs=needs_open))
    stage(pos, "activations")
    return drawn_steps(pos, said, "4.4")


def drawn_steps(pos: Position, marker: str, clause: str) -> list[list[object]]:
    """4.4.1 A marker is drawn: its owner acts with it."""
    side = pos.game.side[marker]
    pos.drawn.append(marker)
    pos.active = side
    pos.touched.update(("turn", "pool:markers_french", "pool:markers_allied"))
    pos.tell("marker_drawn", clause, side, marker=f"marker.{marker}", unit=marker, reveals=True)
    return independent.steps_of(pos, marker)


@segments.segment
def draw_marker(pos: Position) -> Procedure[Next]:
    """3.0 B.2, 4.4.1 The player whose turn it is draws a marker; its owner acts, and draws the next."""
    stage(pos, "activations")
    left = sorted(m for m in pos.pool if m not in pos.drawn)
    if not left:
        return DONE
    n = yield from draw("marker", "4.4.1", len(left), left)
    return [*drawn_steps(pos, left[n], "4.4.1"), ["draw_marker"]]


# -- removal ---------------------------------------------------------------------------------------------


@segments.segment
def removal(pos: Position) -> Procedure[Next]:
    """3.0 C.3, 4.1.1, 11.2.1 Markers of broken divisions leave the pool; both sides remove others, in secret
    (errata). A corps marker that goes may leave markers of its divisions in its place."""
    pos.drawn = []
    pos.touched.update(("pool:markers_french", "pool:markers_allied"))
    stage(pos, "removal")
    pos.special["pooled"] = sorted(pos.pool)  # 13.2 asks at the turn's end who was in it
    for marker in [m for m in pos.pool if m in pos.barred or _corps_gone(pos, m)]:
        pos.pool.remove(marker)
        side = pos.game.side[marker]
        pos.touched.add(f"pool:markers_{side}")
        pos.tell("marker_barred", "11.2.1", side, private={side: {"unit": marker}})
    requests = {}
    for side in SIDES:
        lots = _removal_lots(pos, side)
        if lots:
            requests[pos.commander(side)] = Request(pos.commander(side), "prompt.remove_markers", "3.0", (
                Allocate("remove", "3.0", "choose", lots, legal=lambda a: _stays(pos, a)),), needs=needs_open)
    answers = yield from together(requests)
    for seat, answer in answers.items():
        side = pos.side_of(seat)
        gone = answer["lots"].get("remove", [])
        take_out(pos, side, gone)
        stay = answer["lots"].get("stay", [])
        if stay:
            pos.pool += [m for m in stay if m not in pos.pool]
            pos.touched.add(f"pool:markers_{side}")
    return DONE


def _corps_gone(pos: Position, marker: str) -> bool:
    m = pos.game.markers[marker]
    return m.kind == CORPS and m.command is not None and corps_broken(pos, m.command)


def _removal_lots(pos: Position, side: str) -> tuple[Lot, ...]:
    there = has_markers(pos, side)
    lots = [lot("remove", tuple(there), 0, len(there))] if there else []
    corps = [m for m in there if pos.game.markers[m].kind == CORPS]
    divisions = [
        pos.game.marker_of[d] for m in corps for d in pos.game.commands[pos.game.markers[m].command or ""].divisions
    ]
    out = {*pos.barred, *pos.pool, *pos.game.unused}
    able = tuple(m for m in divisions if m not in out and _there(pos, m))
    if able:
        lots.append(lot("stay", able, 0, len(able)))
    return tuple(lots)


def _there(pos: Position, marker: str) -> bool:
    """4.8 Markers of divisions that are still to come are not available."""
    leader = pos.game.commands[pos.game.markers[marker].command or ""].leader
    return leader is not None and pos.leaders.get(leader) not in DUE.values()


def _stays(pos: Position, answer: dict[str, object]) -> None:
    """Errata 3.0: division markers stay only for a corps marker that goes."""
    lots = answer["lots"]
    assert isinstance(lots, dict)
    gone = {pos.game.markers[m].command for m in lots.get("remove", [])}
    for marker in lots.get("stay", []):
        corps = pos.game.commands[pos.game.markers[marker].command or ""].corps
        if corps not in gone:
            raise Refusal("refusal.corps_marker_there", "3.0", unit=marker)
