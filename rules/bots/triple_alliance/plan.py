"""What each army is for: strikes that pay, garrisons, and the long march on the objectives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.bots.triple_alliance.sight import ALLIED, FAR, PARAGUAY, Sight
from rules.bots.triple_alliance.worth import (
    CERRO_LEON,
    CITIES,
    FORTS,
    TOWNS,
    forecast,
    ground,
    prize,
    strength,
)

STRIKE_PAYS = 1.0
CHAINS = (("1434", "1433", "1432", "1827", "1826", "1918", "2622"), ("2534", CERRO_LEON, "2622", "1918", "1826"))
EAST = "2534"


@dataclass
class Task:
    """Units on their way to one hex. `strike`: they go next to it to attack; else into it, or near it."""

    goal: str
    kind: str  # strike, garrison, approach
    units: list[str] = field(default_factory=list)


def movable(sight: Sight) -> list[str]:
    """Own units that may be sent about: no fortress, no Guard (7.14), nothing without points."""
    return sorted(u for u in sight.at if sight.unit(u).movement and not sight.unit(u).guard)


def tasks(sight: Sight) -> list[Task]:
    """All tasks with the units given to them; a unit has one task."""
    free = set(movable(sight))
    out = _strikes(sight, free)
    for goal, need in (_defence(sight) if sight.seat == PARAGUAY else _hold(sight)):
        out.append(_garrison(sight, free, goal, need))
    out += _approaches(sight, free) if sight.seat == ALLIED else _rally(sight, free)
    return out


# -- strikes -------------------------------------------------------------------------------------------------


def _within(sight: Sight, unit: str, goal: str) -> bool:
    """Whether a unit can stand next to a foreign hex in this phase and attack it."""
    u, start = sight.unit(unit), sight.at[unit]
    if not u.attack:
        return False
    near = sight.game.map.along("navigable_river") if u.river else sight.game.map.neighbours
    if start in near[goal]:
        return True
    if unit in sight.moved:
        return False
    away = sight.distances(goal, river=u.river)
    reach = sight.left.get(unit, 0)
    if u.river:
        reach //= 2
    return min((away.get(n, FAR) for n in near[goal] if n not in sight.foes), default=FAR) <= away.get(start, FAR) and (
        min((away[start] - away[n] for n in near[goal] if n in away and n not in sight.foes), default=FAR) <= reach
        if start in away else False)


def _strikes(sight: Sight, free: set[str]) -> list[Task]:
    """Attacks of this turn, the most promising first, each with the units that can join it."""
    out: list[Task] = []
    hopes = []
    for goal in sorted(sight.foes):
        able = sorted(u for u in free if _within(sight, u, goal))
        if able:
            hopes.append((_hope(sight, goal, able), goal))
    for hope, goal in sorted(hopes, reverse=True):
        if hope < STRIKE_PAYS:
            break
        able = sorted((u for u in free if _within(sight, u, goal)),
                      key=lambda u: (sight.unit(u).river, sight.distances(goal).get(sight.at[u], FAR), u))
        if not able or _hope(sight, goal, able) < STRIKE_PAYS:
            continue
        task = Task(goal, "strike", _force(sight, goal, able))
        free -= set(task.units)
        out.append(task)
    return out


def _hope(sight: Sight, goal: str, units: list[str]) -> float:
    fort = sight.fortress(goal)
    land = [u for u in units if not sight.unit(u).river]
    force = land if fort and land else units
    drm = ground(sight, goal, force)
    what = forecast(sight.game, strength(sight, force), len(force), sight.foe_defense(goal), sight.foes[goal].count,
                    drm)
    return what.value(sight.seat, prize(sight, goal))


def _force(sight: Sight, goal: str, able: list[str]) -> list[str]:
    """As many as make the odds as good as they get: 7:1 at most."""
    wanted = 7.5 * sight.foe_defense(goal) + (10 if sight.fortress(goal) else 0)
    units: list[str] = []
    for unit in able:
        if strength(sight, units) >= wanted:
            break
        units.append(unit)
    return units


# -- garrisons -----------------------------------------------------------------------------------------------


def _garrison(sight: Sight, free: set[str], goal: str, need: float) -> Task:
    """The nearest units to hold a hex, Guards and others already there counted."""
    task = Task(goal, "garrison")
    here = [u for u in sight.own.get(goal, []) if not sight.unit(u).fortress]
    has = float(sum(sight.unit(u).defense for u in here if u not in free))
    away = sight.distances(goal)
    for unit in sorted(free, key=lambda u: (away.get(sight.at[u], FAR), sight.unit(u).artillery, u)):
        u = sight.unit(unit)
        if has >= need or away.get(sight.at[unit], FAR) > 3 * u.movement:
            break
        if u.river or u.artillery or u.supply or (u.type == "engineer" and u.side == ALLIED):
            continue
        task.units.append(unit)
        has += u.defense
    free -= set(task.units)
    return task


def _defence(sight: Sight) -> list[tuple[str, float]]:
    """Paraguay: towns and forts by what threatens them."""
    out = []
    for goal, least, most in (("1826", 6, 40), ("1432", 6, 40), ("2622", 4, 30), ("1918", 4, 30), ("1433", 4, 30),
                              ("1434", 4, 30), (CERRO_LEON, 4, 24), ("2534", 4, 24), ("1827", 2, 20)):
        if sight.controller(goal) == PARAGUAY and goal not in sight.foes:
            out.append((goal, min(most, max(least, 0.5 * sight.threat(goal, 12)))))
    return out


def _hold(sight: Sight) -> list[tuple[str, float]]:
    """The Allies: their four cities against what could come."""
    out = []
    for goal in CITIES:
        if sight.controller(goal) == ALLIED and goal not in sight.foes:
            threat = sight.threat(goal, 12)
            out.append((goal, min(16.0, max(2.0 if threat else 0.0, 0.5 * threat))))
    return out


# -- the long march ------------------------------------------------------------------------------------------


def objectives(sight: Sight) -> list[str]:
    """The next objective of each Allied army."""
    lost = [h for h in CITIES if sight.controller(h) == PARAGUAY]
    return lost or [next((h for h in chain if sight.controller(h) == PARAGUAY), chain[-1]) for chain in CHAINS]


def _approaches(sight: Sight, free: set[str]) -> list[Task]:
    goals = objectives(sight)
    by_goal: dict[str, Task] = {goal: Task(goal, "approach") for goal in goals}
    for unit in sorted(free):
        u = sight.unit(unit)
        away = {g: sight.distances(g, foe_blocks=False, river=u.river).get(sight.at[unit], FAR) for g in goals}
        best = min(goals, key=lambda g: (away[g], g))
        if away[best] < FAR:
            by_goal[best].units.append(unit)
    return list(by_goal.values())


def _rally(sight: Sight, free: set[str]) -> list[Task]:
    """Paraguay's reserve: on the offensive toward the next city while that looks good, else by the forts."""
    land = [u for u in free if not sight.unit(u).river]
    if sight.turn <= 3:
        goals: Iterable[str] = [h for h in CITIES if sight.controller(h) == ALLIED] or ("1434",)
    else:
        goals = [h for h in ("1432", "1433", "1826", EAST) if sight.controller(h) == PARAGUAY] or TOWNS
    by_goal = {goal: Task(goal, "approach") for goal in goals}
    for unit in sorted(land):
        best = min(by_goal, key=lambda g: (sight.distances(g, foe_blocks=False).get(sight.at[unit], FAR), g))
        by_goal[best].units.append(unit)
    return list(by_goal.values())


__all__ = ["FORTS", "Task", "objectives", "tasks"]
