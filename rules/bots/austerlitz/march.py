"""Where units go: towards the enemy, in line when they come to shots, with friends beside them and no foe behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.bots.austerlitz.sight import Sight, Troop
from rules.core.errors import Refusal
from rules.core.forms import Answer, Form, Move
from rules.maps.hexes import FACINGS, stance
from rules.titles.austerlitz.formations import ARCS, COLUMN, DISORDER, LIMBERED, LINE, SQUARE, UNLIMBERED, Around

FAR = 99


def movement(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """One move of the unit that is nearest to the enemy and has somewhere better to be; then the end of the
    movement."""
    form = Move.of(forms.get("move"))
    if form is not None:
        able = [u["id"] for here in form.stacks.values() for u in here if u["id"] in sight.own]
        for name in sorted(able, key=lambda u: (sight.nearest(sight.own[u].at), u))[:6]:
            answer = best(sight, form, sight.own[name])
            if answer is not None:
                yield answer
        yield from leaders(sight, form)
    yield {"form": "end_move", "option": "end_move"}


def best(sight: Sight, form: Move, troop: Troop) -> Answer | None:
    """The best stance that a unit can come to, if it is better than where it stands."""
    try:
        reach = form.reach([troop.id], {})
    except Refusal:
        return None
    start = reach["from"]
    here = value(sight, troop, start)
    goals = [(value(sight, troop, g) - 0.02 * n, g) for g, n in reach["cost"].items() if g not in reach["blocked"]]
    if not goals:
        return None
    worth, goal = max(goals)
    if worth <= here + 0.3:
        return None
    path = [goal]
    while path[-1] in reach["via"]:
        path.append(reach["via"][path[-1]])
    return {"form": form.name, "units": [troop.id], "path": path[::-1]}


def leaders(sight: Sight, form: Move) -> Iterator[Answer]:
    """A leader stays in the middle of his troops, two hexes behind them."""
    for loc, here in form.stacks.items():
        for told in here:
            command = sight.game.leaders[told["id"]].command if told["id"] in sight.game.leaders else None
            troops = [t for t in sight.own.values() if command is not None and t.unit.command == command]
            if not troops:
                continue
            try:
                reach = form.reach([told["id"]], {})
            except Refusal:
                continue

            def cost(hex_: str, troops: Sequence[Troop] = troops) -> float:
                spread = sum(max(0, sight.gap(hex_, t.at) - 3) ** 2 for t in troops)
                return spread + 20 * max(0, 3 - sight.nearest(hex_))
            goal = min((h for h in reach["cost"] if h not in reach["blocked"]), key=cost, default=None)
            if goal is None or cost(goal) >= cost(loc) - 3:
                continue
            path = [goal]
            while path[-1] in reach["via"]:
                path.append(reach["via"][path[-1]])
            yield {"form": form.name, "units": [told["id"]], "path": path[::-1]}


def value(sight: Sight, troop: Troop, step: str) -> float:
    """How good it is to stand so: near the enemy, with him in front, not in too many of his fronts."""
    told = stance(step)
    at, shape = told.at, told.formation or troop.form
    facing = FACINGS.index(told.facing or "N")
    arcs: Around = sight.game.ground.arcs(at, None, shape if shape in ARCS else DISORDER, facing)
    gap = sight.nearest(at)
    if (sight.careful or sight.weary(troop.unit.command)) and not troop.unit.guns:
        return rest(sight, at, shape, min(gap, 5), arcs)
    if troop.level >= 1 or troop.broken:
        return rest(sight, at, shape, min(gap, 3 if troop.level == 1 else 6), arcs)
    if troop.unit.guns:
        return guns(sight, troop, at, shape, gap, facing)
    if troop.unit.mounted:
        return horse(sight, at, shape, gap, arcs)
    return foot(sight, troop, at, shape, gap, arcs)


def rest(sight: Sight, at: str, shape: str, gap: int, arcs: Around) -> float:
    """The shaken and the weary stand off, out of all fronts, in an order in which they rally well (9.1)."""
    return gap - 1.5 * len(sight.threats.get(at, ())) - 0.6 * beside(sight, at, arcs) + {
        SQUARE: 0.8, LINE: -0.8, DISORDER: -0.5}.get(shape, 0.0)


def beside(sight: Sight, at: str, arcs: Around) -> float:
    """9.2.3 Friends whom a panic here would reach, and whose panic would come here; the shaken more."""
    return sum(1.0 + 0.5 * sight.friends[h].level for h in (*arcs.front, *arcs.flank, *arcs.rear)
               if h in sight.friends and sight.gap(h, at) == 1)


def foot(sight: Sight, troop: Troop, at: str, shape: str, gap: int, arcs: Around) -> float:
    """Foot wants one enemy in its front, itself in line, at his flank if it can."""
    worth = -0.9 * gap
    marks = sight.marks(arcs.front)
    if marks:
        worth += 2.0 * sight.power(troop, shape) + max(_aside(sight, t, at) for t in marks)
        worth += 0.4 * sum(t.level + (t.form == DISORDER) for t in marks)
    timid = max(0, 6 - troop.unit.morale)
    worth -= (0.6 + 0.2 * timid) * len(sight.threats.get(at, ()))
    riders = any(t.unit.mounted and not t.blown and t.level < 2 for t in sight.around(at, 4))
    worth += {LINE: (0.6 if gap <= 3 else -0.3) - 0.2 * timid, COLUMN: 0.3, DISORDER: -1.5, SQUARE: -2.0 + riders}.get(
        shape, -0.4)
    worth -= 1.5 * sum(t.level < 3 for t in sight.marks(arcs.rear))
    return worth - 0.15 * timid * beside(sight, at, arcs)


def _aside(sight: Sight, foe: Troop, at: str) -> float:
    """What it is worth to stand on an enemy's flank or rear."""
    arcs = sight.arcs(foe)
    return 2.5 if at in arcs.rear else 1.5 if at in arcs.flank else 0.0


def horse(sight: Sight, at: str, shape: str, gap: int, arcs: Around) -> float:
    """Cavalry waits three hexes off, in line, with its prey in front: the shaken, the disordered, guns, flanks."""
    worth = -1.2 * abs(gap - 3)
    for foe in sight.around(at, 4):
        reach = sight.gap(at, foe.at)
        if reach >= 2 and foe.level < 3 and any(sight.gap(h, foe.at) < reach for h in arcs.front):
            prey = 0.6 * foe.level + (foe.form == DISORDER) + 1.2 * foe.unit.guns + _aside(sight, foe, at) * 0.3
            worth += 0.5 * prey
    worth -= 1.0 * sight.fired_on.get(at, 0)
    return worth + (0.5 if shape == LINE else -1.0 if shape == DISORDER else 0.0)


def guns(sight: Sight, troop: Troop, at: str, shape: str, gap: int, facing: int) -> float:
    """Guns want to stand unlimbered, three to six hexes from the enemy, facing him."""
    worth = -0.5 * abs(gap - 4) - 3.0 * (gap <= 2)
    sides = {(facing // 2 + s) % 6 for s in ARCS[shape].front} if shape in (UNLIMBERED, LIMBERED) else set()
    board = sight.game.board
    row = sight.game.tables["artillery_range"][troop.unit.nation][troop.unit.gun]
    for foe in sight.around(at, len(row)) if shape == UNLIMBERED else ():
        reach = sight.gap(at, foe.at)
        if not 1 <= reach <= len(row) or row[reach - 1] is None or foe.level == 3:
            continue
        toward = min(range(6), key=lambda s: FAR if board.around[at][s] is None else sight.gap(
            board.around[at][s] or at, foe.at))
        if toward in sides and sight.game.sight.clear(at, foe.at, lambda h: h in sight.stacks):
            worth += 1.0 + 0.2 * row[reach - 1]
    return worth + (0.5 if shape == UNLIMBERED else 0.0)


