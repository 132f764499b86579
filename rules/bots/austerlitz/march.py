"""Where units go: towards the enemy or what is to be taken, in line when they come to shots, with friends beside them
and no foe behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rules.bots.austerlitz.foes import FAR, Troop
from rules.bots.austerlitz.post import drawn, rider, shown
from rules.bots.austerlitz.road import roads
from rules.bots.austerlitz.sight import Sight
from rules.core.errors import Refusal
from rules.core.forms import Answer, Form, Move
from rules.core.request import Request
from rules.maps.hexes import FACINGS, stance
from rules.titles.austerlitz.formations import ARCS, COLUMN, DISORDER, LINE, SQUARE, UNLIMBERED, Around

MOST_SHOT = 12  # hexes that no gun shoots farther than
CLOSE = 4      # hexes within which who has somewhere to go minds the enemy
OUT_OF_REACH = {"infantry": 7, "artillery": 8, "cavalry": 9}  # hexes to the enemy at which a unit just marches


def movement(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """One move of the unit that is nearest to the enemy and has somewhere better to be; then the end of the
    movement."""
    form, mode = Move.of(forms.get("move")), str(request.args["mode"])
    if form is not None:
        able = {u["id"]: u["left"] for here in form.stacks.values() for u in here if u["id"] in sight.own}
        for name in sorted(able, key=lambda u: (sight.nearest(sight.own[u].at), u)):
            key = _ground(sight, sight.own[name], mode, able[name])
            if key not in sight.enemy.still:
                yield from best(sight, form, sight.own[name], mode, able[name])
                sight.enemy.still.add(key)
        yield from leaders(sight, form)
        if mode == "mode.strategic" and _owes(sight, form, able):
            yield {"form": "end_move", "option": "drop_march"}
    yield {"form": "end_move", "option": "end_move"}


def _ground(sight: Sight, troop: Troop, mode: str, left: float) -> Any:
    """All that the best place of a unit hangs on, as long as the enemy stands as he does."""
    aim, near = sight.aim(troop), sight.game.board.within(troop.at, CLOSE)
    friends = tuple((h, *sight.stacks[h]) for h in near if h in sight.stacks)
    wanted = shown(sight, aim) if aim is not None else ()
    return troop, mode, left, friends, wanted, sight.careful, sight.weary(troop.unit.command)


def best(sight: Sight, form: Move, troop: Troop, mode: str, left: float) -> Iterator[Answer]:
    """The best stance that a unit can come to, if it is better than where it stands; then the next best, should the
    scenario not allow that (A15.2). Who is far from the enemy marches."""
    aim, strategic = sight.aim(troop), mode == "mode.strategic"
    if aim is not None and (strategic or sight.nearest(troop.at) > OUT_OF_REACH[troop.unit.arm]):
        for path in roads(sight, troop, aim.hexes, left, strategic):
            yield {"form": form.name, "units": [troop.id], "path": path}
        if not strategic:
            return
    try:
        reach = form.reach([troop.id], {})
    except Refusal:
        return
    if strategic:
        goals = _onward(sight, troop, reach)
    else:
        goals = _goals(sight, troop, reach, value(sight, troop, reach["from"]) + 0.3)
    for goal in goals:
        yield {"form": form.name, "units": [troop.id], "path": _path(reach, goal)}


def _onward(sight: Sight, troop: Troop, reach: Mapping[str, Any]) -> list[str]:
    """The stance of a march that leaves the least way to go, if any leaves less than there is."""
    far = {g: drawn(sight, troop, g.partition("@")[0]) for g in reach["cost"] if g not in reach["blocked"]}
    least = min(far, key=lambda g: (far[g], reach["cost"][g], g), default=None)
    return [] if least is None or far[least] >= drawn(sight, troop, troop.at) else [least]


def _goals(sight: Sight, troop: Troop, reach: Mapping[str, Any], least: float) -> list[str]:
    """The best stances in the three best hexes, the best first; hexes that can't be among them are not looked at."""
    blocked, hexes = reach["blocked"], dict[str, list[tuple[str, float]]]()
    for goal, n in reach["cost"].items():
        if goal not in blocked:
            hexes.setdefault(goal.partition("@")[0], []).append((goal, n))
    found: list[tuple[float, str]] = []
    for most, at in sorted(((limit(sight, troop, h), h) for h in hexes), reverse=True):
        if most <= least or (len(found) == 3 and most <= found[-1][0]):
            break
        worth, goal = max((value(sight, troop, g) - 0.02 * n, g) for g, n in hexes[at])
        if worth > least:
            found = sorted([*found, (worth, goal)], reverse=True)[:3]
    return [goal for _worth, goal in found]


def _path(reach: Mapping[str, Any], goal: str) -> list[str]:
    path = [goal]
    while path[-1] in reach["via"]:
        path.append(reach["via"][path[-1]])
    return path[::-1]


def _owes(sight: Sight, form: Move, able: Mapping[str, float]) -> bool:
    """5.2.1 Whether a unit on the march could go on: better to give the march up than to lose the marker for it."""
    for name in able:
        try:
            reach = form.reach([name], {})
        except Refusal:
            continue
        at = sight.own[name].at
        if any(g not in reach["blocked"] and g.partition("@")[0] != at for g in reach["cost"]):
            return True
    return False


def leaders(sight: Sight, form: Move) -> Iterator[Answer]:
    """A leader stays in the middle of his troops, two hexes behind them; those above them where they are heard."""
    for loc, here in form.stacks.items():
        for told in here:
            leader = sight.game.leaders.get(told["id"])
            if leader is None:
                continue
            troops = [t for t in sight.own.values() if leader.command is not None and t.unit.command == leader.command]
            cost = _amid(sight, troops) if troops else rider(sight, leader)
            if cost is None or cost(loc) <= 3:
                continue
            try:
                reach = form.reach([told["id"]], {})
            except Refusal:
                continue
            goal = min((h for h in reach["cost"] if h not in reach["blocked"]), key=cost, default=None)
            if goal is None or cost(goal) >= cost(loc) - 3:
                continue
            yield {"form": form.name, "units": [told["id"]], "path": _path(reach, goal)}


def _amid(sight: Sight, troops: Sequence[Troop]) -> Callable[[str], float]:
    """What it costs a leader to stand somewhere: troops more than three hexes off, enemies nearer than that."""
    def cost(hex_: str) -> float:
        return sum(max(0, sight.gap(hex_, t.at) - 3) ** 2 for t in troops) + 20 * max(0, 3 - sight.nearest(hex_))
    return cost


def value(sight: Sight, troop: Troop, step: str) -> float:
    """How good it is to stand so: near the enemy, with him in front, not in too many of his fronts."""
    told = stance(step)
    at, shape = told.at, told.formation or troop.form
    facing = FACINGS.index(told.facing or "N")
    arcs: Around = sight.game.ground.arcs(at, None, shape if shape in ARCS else DISORDER, facing)
    gap, pull = sight.nearest(at), drawn(sight, troop, at)
    if (sight.careful or sight.weary(troop.unit.command)) and not troop.unit.guns:
        return rest(sight, at, shape, min(gap, 5), arcs) - 0.3 * min(pull, 4.0)
    if troop.level >= 1 or troop.broken:
        return rest(sight, at, shape, min(gap, 3 if troop.level == 1 else 6), arcs) - 0.2 * min(pull, 4.0)
    gap = gap if sight.aim(troop) is None else min(gap, 8 if troop.unit.guns else CLOSE)
    if troop.unit.guns:
        return guns(sight, troop, at, shape, gap, facing) - 0.5 * max(0.0, pull - 3.0)
    if troop.unit.mounted:
        return horse(sight, at, shape, gap, arcs) - 0.7 * pull
    return foot(sight, troop, at, shape, gap, arcs) - pull


def limit(sight: Sight, troop: Troop, at: str) -> float:
    """No stance in a hex is worth more than this (see `value`)."""
    gap, pull = sight.nearest(at), drawn(sight, troop, at)
    if not troop.unit.guns and (sight.careful or sight.weary(troop.unit.command) or troop.level >= 1 or troop.broken):
        return min(gap, 6) + 0.8 - 0.2 * min(pull, 4.0) if pull > 0 else min(gap, 6) + 0.8 - 0.3 * pull
    gap = gap if sight.aim(troop) is None else min(gap, 8 if troop.unit.guns else CLOSE)
    if troop.unit.guns:
        return 0.5 + 2.0 * len(sight.around(at, MOST_SHOT)) - 0.5 * abs(gap - 4) - 0.5 * max(0.0, pull - 3.0)
    if troop.unit.mounted:
        prey = sum(1.0 + 0.3 * t.level + 0.6 * t.unit.guns for t in sight.around(at, 4))
        return 0.5 + prey - 1.2 * abs(gap - 3) - 0.7 * pull
    return (9.0 if sight.nearest(at) <= 1 else 0.7) - 0.9 * gap - pull


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
    key = troop.unit.morale, troop.unit.fire, troop.broken, at, arcs, shape
    known = sight.enemy.worth.get(key)
    if known is None:
        known = sight.enemy.worth[key] = _facing_foes(sight, troop, at, shape, arcs)
    return known - 0.9 * gap - 0.15 * max(0, 6 - troop.unit.morale) * beside(sight, at, arcs)


def _facing_foes(sight: Sight, troop: Troop, at: str, shape: str, arcs: Around) -> float:
    """The part of it in which no friend has a part."""
    worth, gap = 0.0, sight.nearest(at)
    marks = sight.marks(arcs.front)
    if marks:
        worth += 2.0 * sight.power(troop, shape) + max(_aside(sight, t, at) for t in marks)
        worth += 0.4 * sum(t.level + (t.form == DISORDER) for t in marks)
    timid = max(0, 6 - troop.unit.morale)
    worth -= (0.6 + 0.2 * timid) * len(sight.threats.get(at, ()))
    riders = any(t.unit.mounted and not t.blown and t.level < 2 for t in sight.around(at, 4))
    worth += {LINE: (0.6 if gap <= 3 else -0.3) - 0.2 * timid, COLUMN: 0.3, DISORDER: -1.5, SQUARE: -2.0 + riders}.get(
        shape, -0.4)
    return worth - 1.5 * sum(t.level < 3 for t in sight.marks(arcs.rear))


def _aside(sight: Sight, foe: Troop, at: str) -> float:
    """What it is worth to stand on an enemy's flank or rear."""
    arcs = sight.arcs(foe)
    return 2.5 if at in arcs.rear else 1.5 if at in arcs.flank else 0.0


def horse(sight: Sight, at: str, shape: str, gap: int, arcs: Around) -> float:
    """Cavalry waits three hexes off, in line, with its prey in front: the shaken, the disordered, guns, flanks."""
    key = "horse", at, shape, arcs
    known = sight.enemy.worth.get(key)
    if known is None:
        known = sight.enemy.worth[key] = _prey(sight, at, shape, arcs)
    return known - 1.2 * abs(gap - 3)


def _prey(sight: Sight, at: str, shape: str, arcs: Around) -> float:
    worth = 0.0
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
    if shape != UNLIMBERED:
        return worth
    sides = {(facing // 2 + s) % 6 for s in ARCS[shape].front}
    return worth + 0.5 + sum(n for toward, n in _fields(sight, troop, at) if toward in sides)


def _fields(sight: Sight, troop: Troop, at: str) -> list[tuple[int, float]]:
    """The targets of a gun at a hex: the side they lie beyond, and what each is worth."""
    known = sight.fields.get((troop.unit.nation, troop.unit.gun, at))
    if known is not None:
        return known
    board, found = sight.game.board, []
    row = sight.game.tables["artillery_range"][troop.unit.nation][troop.unit.gun]
    for foe in sight.around(at, len(row)):
        reach = sight.gap(at, foe.at)
        if not 1 <= reach <= len(row) or row[reach - 1] is None or foe.level == 3:
            continue
        toward = min(range(6), key=lambda s: FAR if board.around[at][s] is None else sight.gap(
            board.around[at][s] or at, foe.at))
        if sight.game.sight.clear(at, foe.at, lambda h: h in sight.stacks):
            found.append((toward, 1.0 + 0.2 * row[reach - 1]))
    sight.fields[troop.unit.nation, troop.unit.gun, at] = found
    return found
