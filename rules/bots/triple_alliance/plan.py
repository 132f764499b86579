"""What each army is for: strikes that pay, garrisons, and the long march on the objectives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.bots.triple_alliance.sight import ALLIED, FAR, PARAGUAY, Sight
from rules.bots.triple_alliance.worth import (
    CERRO_LEON,
    CITIES,
    TOWNS,
    forces,
    forecast,
    ground,
    prize,
    strength,
)

STRIKE_PAYS = 1.0
ENOUGH = 0.95   # of what all could do
# What the Allies are out for, in this order: by the road through Itapúa, which Humaitá does not bar, to the three
# towns; then the forts, but only with enough at hand. With each, the attack factors it should get for every factor
# of the wall, and beside those.
AIMS = {"2534": (3, 80), CERRO_LEON: (3, 60), "1826": (4, 12), "1918": (3, 5), "2622": (3, 5), "1434": (3, 16),
        "1433": (4, 16), "1432": (4, 20), "1827": (4, 16)}
WEST = ("1434", "1433", "1432", "1827")
EAST = "2534"
# Paraguay's posts: the watch each has, and the most it gets, in defence factors.
POSTS = {"1826": (6.0, 40.0), "2622": (4.0, 24.0), "1918": (4.0, 24.0), "1432": (6.0, 40.0), "1433": (4.0, 24.0),
         "1434": (4.0, 24.0), CERRO_LEON: (4.0, 24.0), EAST: (4.0, 24.0), "1827": (2.0, 16.0)}
GOAL = (4.0,12.0)  # the same for what else a scenario is played for


@dataclass
class Task:
    """Units on their way to one hex. `strike`: they go next to it to attack; else into it, or near it."""

    goal: str
    kind: str  # strike, garrison, approach, rest
    units: list[str] = field(default_factory=list)


def movable(sight: Sight) -> list[str]:
    """Own units that may be sent about: no fortress, no Guard (7.14), nothing without points."""
    return sorted(u for u in sight.at if sight.unit(u).movement and not sight.unit(u).guard)


def tasks(sight: Sight) -> list[Task]:
    """All tasks with the units given to them; a unit has one task."""
    free = set(movable(sight))
    out = _strikes(sight, free)
    out += _garrisons(sight, free)
    out += _approaches(sight, free) if sight.side == ALLIED else _rally(sight, free)
    return out


# -- strikes -------------------------------------------------------------------------------------------------


def _joiners(sight: Sight, units: Iterable[str], goal: str) -> list[str]:
    """Who can stand next to a foreign hex in this phase and attack it, by march or by sail, as it seems; land units
    first, the nearest of them first."""
    out = []
    for river in (False, True):
        near = (sight.game.map.along("navigable_river") if river else sight.game.map.neighbours)[goal]
        away = sight.distances(goal, river=river)
        ring = min((away[n] for n in near if n in away and n not in sight.foes), default=FAR)
        found = []
        for unit in units:
            u, start = sight.unit(unit), sight.at[unit]
            if u.river != river or not u.attack:
                continue
            reach = 0 if unit in sight.moved else sight.left.get(unit, 0) // (2 if river else 1)
            far = 0 if start in near else away.get(start, FAR) - ring
            if far <= reach and (start in near or ring < FAR):
                found.append((far, unit))
        out += [unit for _, unit in sorted(found)]
    return out


def _strikes(sight: Sight, free: set[str]) -> list[Task]:
    """Attacks of this turn, the most promising first, each with the units that can join it."""
    out: list[Task] = []
    hopes = []
    for goal in sorted(sight.foes):
        able = _joiners(sight, free, goal)
        if able:
            hopes.append((_hope(sight, goal, able), goal))
    for hope, goal in sorted(hopes, reverse=True):
        if hope < STRIKE_PAYS:
            break
        able = _joiners(sight, free, goal)
        if not able or _hope(sight, goal, able) < STRIKE_PAYS:
            continue
        task = Task(goal, "strike", _force(sight, goal, able))
        free -= set(task.units)
        out.append(task)
    return out


def _hope(sight: Sight, goal: str, units: list[str]) -> float:
    """What the best part of the units could make of an attack."""
    foe, wall = sight.foes[goal].count, sight.foe_defense(goal)
    return max(forecast(sight.game, strength(sight, force), len(force), wall, foe, ground(sight, goal, force)).value(
        sight.side, prize(sight, goal)) for force in forces(sight, units))


def _force(sight: Sight, goal: str, able: list[str]) -> list[str]:
    """The nearest part of the units that promises nearly as much as all of them."""
    best = _hope(sight, goal, able)
    for share in (0.2, 0.35, 0.5, 0.7):
        part = able[:max(1, round(share * len(able)))]
        if _hope(sight, goal, part) >= ENOUGH * best:
            return part
    return able


# -- garrisons -----------------------------------------------------------------------------------------------


def _garrison(sight: Sight, free: set[str], task: Task, need: float) -> None:
    """Add the nearest units to those that hold a hex; Guards and others that stay there count."""
    here = [u for u in sight.own.get(task.goal, []) if not sight.unit(u).fortress and u not in free]
    has = float(sum(sight.unit(u).defense for u in {*here, *task.units}))
    away = sight.distances(task.goal)
    for unit in sorted(free, key=lambda u: (away.get(sight.at[u], FAR), sight.unit(u).attack, u)):
        u = sight.unit(unit)
        if has >= need or away.get(sight.at[unit], FAR) > 3 * u.movement:
            break
        if u.river or u.artillery or u.supply or (u.type == "engineer" and u.side == ALLIED):
            continue
        task.units.append(unit)
        free.discard(unit)
        has += u.defense


def _posts(sight: Sight) -> dict[str, tuple[float, float]]:
    """What each side watches, and what it would put there at most. A scenario is for its goal: forts get a watch."""
    goal = dict.fromkeys(sight.game.goal, GOAL)
    if sight.side == ALLIED:
        return dict.fromkeys((*CITIES, *TOWNS, *goal), (2.0, 8.0))
    return {**dict.fromkeys(POSTS, (2.0, 2.0)), **goal} if goal else POSTS


def _garrisons(sight: Sight, free: set[str]) -> list[Task]:
    """Everywhere a watch first, then more where more threatens."""
    posts = _posts(sight)
    held = [h for h in posts if h in sight.game.part and sight.controller(h) == sight.side and h not in sight.foes]
    out = {h: Task(h, "garrison") for h in held}
    threat = {h: sight.threat(h, 16 if h in TOWNS else 10) for h in held}
    for hex_ in held:
        if sight.side == PARAGUAY or threat[hex_]:
            _garrison(sight, free, out[hex_], posts[hex_][0])
    for hex_ in held:
        _garrison(sight, free, out[hex_], min(posts[hex_][1], (0.5 if hex_ in TOWNS else 0.4) * threat[hex_]))
    return list(out.values())


# -- the long march ------------------------------------------------------------------------------------------


def objectives(sight: Sight) -> list[str]:
    """What the Allies are out for, in this order."""
    wanted = dict.fromkeys((*(h for h in (*CITIES, *sight.game.goal) if sight.controller(h) == PARAGUAY), *AIMS))
    return [h for h in wanted if h in sight.game.part and sight.controller(h) == PARAGUAY]


def _approaches(sight: Sight, free: set[str]) -> list[Task]:
    """Each objective gets the nearest units, as many as should do; who is left goes to the nearest of all."""
    out = []
    goals = objectives(sight)
    for goal in goals:
        task = Task(goal, "approach")
        times, more = AIMS.get(goal, (3, 8))
        wall = sight.foe_defense(goal) if goal in sight.foes else 0.0
        wanted = times * wall + more if wall else 6.0
        near = sorted((_away(sight, u, goal), u) for u in free)
        near = [(far, u) for far, u in near if far <= (10 if goal in WEST else 30)]
        if strength(sight, [u for _, u in near]) < (3.0 if goal in WEST else 1.5) * wall:
            continue
        for _, unit in near:
            if strength(sight, task.units) >= wanted:
                break
            task.units.append(unit)
        free -= set(task.units)
        out.append(task)
    by_goal = {task.goal: task for task in out} or {goals[0]: Task(goals[0], "approach")} if goals else {}
    for unit in sorted(free):
        open_ = [g for g in by_goal if g not in WEST or sight.unit(unit).river] or list(by_goal)
        far, goal = min(((_away(sight, unit, g), g) for g in open_), default=(FAR, ""))
        if far < FAR:
            by_goal[goal].units.append(unit)
    return list(by_goal.values())


def needs(sight: Sight) -> dict[str, float]:
    """The attack factors each objective still wants beside those within two turns of it."""
    if sight.side == PARAGUAY:
        return {"1826": 0.0} if sight.turn > 4 else {"1432": 0.0}
    out = {}
    free = set(movable(sight))
    for goal in objectives(sight):
        times, more = AIMS.get(goal, (3, 8))
        wanted = times * sight.foe_defense(goal) + more if goal in sight.foes else 6.0
        near = sorted(u for u in free if _away(sight, u, goal) <= 14)
        while near and wanted > 0:
            wanted -= sight.unit(near[-1]).attack
            free.discard(near.pop())
        out[goal] = wanted
    return out


def _away(sight: Sight, unit: str, goal: str) -> int:
    return sight.distances(goal, foe_blocks=False, river=sight.unit(unit).river).get(sight.at[unit], FAR)


def _rally(sight: Sight, free: set[str]) -> list[Task]:
    """Paraguay's reserve: on the offensive toward the next city while that looks good, else by the forts."""
    land = [u for u in free if not sight.unit(u).river]
    if sight.turn <= 3:
        goals: Iterable[str] = [h for h in dict.fromkeys((*CITIES, *sight.game.goal)) if h in sight.game.part
                                and sight.controller(h) == ALLIED] or ("1434",)
        kind = "approach"
    else:
        kind = "rest"
        goals = [h for h in ("1432", "1433", "1826", EAST) if h in sight.game.part
                 and sight.controller(h) == PARAGUAY] or TOWNS
    by_goal = {goal: Task(goal, kind) for goal in goals}
    for unit in sorted(land):
        best = min(by_goal, key=lambda g: (sight.distances(g, foe_blocks=False).get(sight.at[unit], FAR), g))
        by_goal[best].units.append(unit)
    return list(by_goal.values())
