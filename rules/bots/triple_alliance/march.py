"""Movement: arrivals, replacements, and the stacks on their way to their tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.triple_alliance.plan import Task, needs, tasks
from rules.bots.triple_alliance.sight import FAR, Sight, enemy
from rules.bots.triple_alliance.worth import forecast, worth
from rules.core.errors import Refusal
from rules.core.forms import Answer, Form, Move, Place

STEP = 0.12        # what a point of march gained is worth to a unit
REST = 0.02        # to one who only waits near by
DANGER = 0.5       # how sure it is that the foe does what he can
GAIN = 0.05        # a move must bring that much
COLUMN = 6         # units that march as one
MARCH_TOGETHER = 8  # units a hex, but in a strike: more of them starve


def ideas(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """In order: the Guard's dice, arrivals, replacements, moves, the end."""
    if "end_move" in forms:
        yield {"form": "end_move", "option": "end_move"}
    for name in ("enter", "replace"):
        form = Place.of(forms.get(name))
        if form is not None:
            answer = _arrive(sight, form)
            if answer["placed"]:
                yield answer
    move = Move.of(forms.get("move"))
    if move is not None:
        yield from _moves(sight, move)
    yield {"form": "end", "option": "end"}


def _arrive(sight: Sight, form: Place) -> Answer:
    """Everybody by the entry nearest to his work, the best value first where steps are short."""
    count, left = dict(form.standing), dict(form.pools)
    wanted = needs(sight)
    placed: dict[str, str] = {}
    for group in form.groups:
        for unit in sorted(group.units, key=lambda u: (-worth(sight.unit(u)), u)):
            room = [h for h in group.where if count.get(h, 0) < form.limit]
            if group.pool is not None and left[group.pool] < group.cost:
                continue
            if not room:
                break
            if group.pool is not None:
                left[group.pool] -= group.cost
            placed[unit] = _entry(sight, unit, room, wanted)
            count[placed[unit]] = count.get(placed[unit], 0) + 1
    return {"form": form.name, "placed": placed}


def _entry(sight: Sight, unit: str, room: list[str], wanted: dict[str, float]) -> str:
    """The entry hex for a unit: nearest to the first place that still wants more, which then wants less."""
    river = sight.unit(unit).river
    goal = next((g for g, more in wanted.items() if more > 0), next(iter(wanted), "1432"))
    away = sight.distances("1434" if river else goal, foe_blocks=False, river=river)
    best = min(room, key=lambda h: (away.get(h, FAR), h))
    if not river and goal in wanted:
        wanted[goal] -= sight.unit(unit).attack
    return best


# -- moves ---------------------------------------------------------------------------------------------------


def _moves(sight: Sight, form: Move) -> Iterator[Answer]:
    """The first move that brings something, strikes first."""
    able = {u["id"] for units in form.stacks.values() for u in units if u["left"] > 0}
    for task in tasks(sight):
        groups: dict[tuple[str, int, bool], list[str]] = defaultdict(list)
        for unit in task.units:
            u = sight.unit(unit)
            if unit in able and unit not in sight.moved and not u.chata:
                groups[sight.at[unit], sight.left[unit], u.river].append(unit)
        for (start, _, river), units in sorted(groups.items()):
            answer = _best(sight, form, task, start, units[:COLUMN], river)
            if answer is not None:
                yield answer


def _best(sight: Sight, form: Move, task: Task, start: str, units: list[str], river: bool) -> Answer | None:
    """Where these units are best off; None when that is here."""
    reach = _reach(form, units)
    if reach is None:
        return None
    goals = {h: cost for h, cost in reach["cost"].items() if h not in reach["blocked"]}
    away = sight.distances(task.goal, river=river)
    if start not in away:
        away = sight.distances(task.goal, foe_blocks=False, river=river)
    here = _score(sight, task, away, start, units, stays=True)
    best = max(((_score(sight, task, away, h, units, stays=False), h) for h in goals), default=None)
    if best is None or best[0] < here + GAIN:
        return None
    path = [best[1]]
    while path[-1] in reach["via"]:
        path.append(reach["via"][path[-1]])
    return {"form": form.name, "units": sorted(units), "path": path[::-1]}


def _reach(form: Move, units: list[str]) -> dict[str, Any] | None:
    try:
        return form.reach(units, {})
    except Refusal:
        return None


def _score(sight: Sight, task: Task, away: Mapping[str, int], hex_: str, units: list[str], stays: bool) -> float:
    """What it is worth to a group to end its turn in a hex."""
    there = sight.own.get(hex_, [])
    others = len(there) - (len(units) if stays else 0)
    n = len(units)
    starved = sight.attrition(hex_, others + n) - sight.attrition(hex_, others)
    far = away.get(hex_, FAR)
    if task.kind == "strike":
        near = sight.game.map.along("navigable_river") if sight.unit(units[0]).river else sight.game.map.neighbours
        adjacent = hex_ in near[task.goal]
        return (50.0 if adjacent else 0.0) - STEP * n * far - starved
    score = -(REST if task.kind == "rest" else STEP) * n * min(far, 60) - starved
    if task.kind == "garrison" and hex_ == task.goal:
        score += 4.0
    if task.kind == "approach" and others + n > MARCH_TOGETHER:
        score -= 0.1 * (others + n - MARCH_TOGETHER)
    return score - _danger(sight, hex_, units, there)


def _danger(sight: Sight, hex_: str, units: list[str], there: list[str]) -> float:
    """What the foe near by would gain by an attack on the hex."""
    near = sight.foes_near.get(hex_)
    if not near:
        return 0.0
    stack = {*units, *there}
    foe = sum(sight.foe_attack(h) for h in near)
    what = forecast(sight.game, foe, sum(sight.foes[h].count for h in near),
                    max(1, sum(sight.unit(u).defense for u in stack)), len(stack),
                    -1 if sight.game.map.hexes[hex_].terrain in ("rough", "forest", "marsh", "river") else 0)
    return DANGER * max(0.0, what.value(enemy(sight.side), 0.0))
