"""3.0 C The phase without markers: limited activations in turn."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import activation
from rules.titles.austerlitz.breakpoints import division_broken
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.ranges import in_command
from rules.titles.austerlitz.turn import segments, stage
from rules.titles.austerlitz.units import enemy


@segments.segment
def no_marker(pos: Position) -> Procedure[Next]:
    """3.0 C.1, C.2 The side with the initiative begins; they take turns until nobody has anybody left."""
    yield from ()
    stage(pos, "no_marker")
    assert pos.initiative is not None
    return [["limited_turn", pos.initiative, []]]


def divisions(pos: Position, side: str) -> list[str]:
    """3.0 C.1 Divisions whose marker was not in the pool, nor their corps' (with which a division at its breakpoint is
    not active, 11.2.1), and independent ones that have not been active; brigades too."""
    found = []
    for command in pos.game.divisions(side):
        c = pos.game.commands[command]
        if c.leader is None or c.leader in pos.finished or ":" in pos.leaders.get(c.leader, ":"):
            continue
        marks = {pos.game.marker_of[command]}
        if not division_broken(pos, command):
            marks.add(pos.game.marker_of.get(c.corps or "", ""))
        if not c.independent and marks & {*pos.pool, *pos.drawn}:
            continue
        if activation.taking_part(pos, command):
            found.append(command)
    found += [b for b in pos.detached if pos.game.side[b] == side and pos.game.leaders[b].rank == "brigade"
              and b not in pos.finished and activation.taking_part(pos, b)]
    return found


def strays(pos: Position, side: str) -> list[str]:
    """3.0 C.1, 4.3.3, A4.6 Units out of command, which act one by one: who was so when its leader was active is so
    still, wherever he has gone since. Guns that could have acted with a division of their corps, and did not, are in
    command."""
    found, spared = [], pos.special.get("spared", ())
    for unit, hex_ in sorted(pos.at.items()):
        if ":" in hex_ or pos.unit(unit).side != side or unit in pos.used or pos.routed(unit) or unit in spared:
            continue
        if not any(x not in pos.finished and in_command(pos, unit, x) for x in above(pos, unit)):
            found.append(unit)
    return found


def above(pos: Position, unit: str) -> list[str]:
    """The leaders that a unit may answer to."""
    owner = pos.division_of(unit)
    if owner in pos.detached:
        return [owner] if owner is not None else []
    u = pos.unit(unit)
    commands = [u.command] if u.command is not None else list(pos.game.commands[u.corps].divisions)
    if u.guns and pos.plan["command"].get("corps_guns") == "any":
        commands = list(pos.game.commands[u.corps].divisions)
    return [x for c in commands if c is not None for x in [pos.game.commands[c].leader]
            if x is not None and ":" not in pos.leaders.get(x, ":")]


@segments.segment
def limited_turn(pos: Position, side: str, passed: list[str]) -> Procedure[Next]:
    """3.0 C.1, C.2, 4.6.2 One limited activation of a division or of a unit out of command. Who passes is through."""
    other = enemy(side)
    groups, alone = ([], []) if side in passed else (divisions(pos, side), strays(pos, side))
    following = ["limited_turn", other, [*passed, side] if not groups and not alone else passed]
    if not groups and not alone:
        pos.tell("nobody_left", "3.0", side)
        return DONE if other in following[2] else [following]
    options = [Option(f"division:{c}", "3.0", label("option.division", command=f"command.{c}"),
                      at=pos.leaders[activation.leader_of(pos, c) or ""]) for c in groups]
    options += [Option(f"unit:{u}", "4.6.2", label("option.stray", unit=u), at=pos.at[u]) for u in alone]
    options.append(Option("pass", "3.0", label("option.no_more"), ends=True))
    said = yield from choose(Request(pos.commander(side), "prompt.no_marker", "3.0", (
        Choose("no_marker", "3.0", tuple(options)),), needs=needs_open))
    if said == "pass":
        pos.tell("passed", "3.0", side)
        return [["limited_turn", other, [*passed, side]]] if other not in passed else DONE
    kind, _colon, name = said.partition(":")
    if kind == "division":
        mode = activation.STRATEGIC if activation.marches(pos, name) else activation.LIMITED  # 5.2
        return [*activation.begin(pos, name, mode), following]
    # A2.4 The range of a leader is nothing to companies: they have half of their points.
    mode = activation.OUT if pos.unit(name).battalion is None else activation.LIMITED
    activation.begin_act(pos, side, pos.unit(name).command, None, mode, [name])
    return [["move"], ["shoot"], ["finish"], following]
