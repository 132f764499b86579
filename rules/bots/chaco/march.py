"""The movement phase: single men take what stands empty, groups with a leader go at a goal they can beat, the rest
gathers at the groups; in the last turn men leave by the enemy's edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.bots.chaco.sight import FAR, MARCH, Sight
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Move
from rules.core.request import Request

STRONG = 1.3     # times the enemy's defence that a group wants to bring along
NEAR = 6         # hexes at which an enemy makes works worth while
SAFE = 4         # hexes that the headquarters keeps from the enemy
GRAVE = 0.35     # how likely a led stack may fall before it goes elsewhere
HUNGRY = 0.8     # what a turn out of supply costs each man, and each without water on top
WORTH = 8.0      # what a reaction has to gain: to take a settlement, or to stand by a camp in danger
TAKEN = 12.0     # what it is worth to walk into a settlement of the enemy's
LEAST = 1.0      # by how much a place has to be better than where a group stands
LIKELY = 24      # hexes nearest a goal that are weighed
DONE: Answer = {"form": "end", "option": "end"}


def moves(sight: Sight, request: Request) -> Iterator[Answer]:
    """What to build, then the best move of each stack that has not moved."""
    yield from _build(sight, request)
    for form in Move.among(request.forms):
        on_map = [item for item in form.stacks.items() if item[0] in sight.mine]
        near = sorted(on_map, key=lambda item: (sight.threat(item[0]), item[0]))
        free = {h: [a["id"] for a in able if a["id"] not in sight.busy(h)] for h, able in near}
        for hex_, fresh in free.items():
            answer = _raid(sight, form, hex_, fresh)
            if answer is not None:
                yield answer
        for hex_, fresh in free.items():
            ghq = sight.game.ghq[sight.side]
            if ghq in fresh and (answer := _headquarters(sight, form, hex_, ghq)) is not None:
                yield answer
            for units in _groups(sight, hex_, fresh):
                answer = _march(sight, form, hex_, units)
                if answer is not None:
                    yield answer


def leave(sight: Sight, request: Request) -> Iterator[Answer]:
    """16.2 In the last turn whoever stands at the enemy's edge goes over it, but for who holds a settlement."""
    if sight.turns_left:
        return
    for form in Allocate.among(request.forms):
        if form.name == "leave_map":
            lots = {lot.id: list(lot.units[int(lot.id in sight.game.settlements):]) for lot in form.lots}
            yield {"form": form.name, "lots": {h: units for h, units in lots.items() if units}}


def _raid(sight: Sight, form: Move, hex_: str, fresh: Sequence[str]) -> Answer | None:
    """16.2 One man walks into a settlement that stands empty: by moving it counts double."""
    foot = [u for u in fresh if sight.units[u].exerts]
    going = [u for u in foot if u not in _garrison(sight, hex_, foot)]
    open_ = [h for h in sight.game.settlements if sight.controller(h) == sight.foe and h not in sight.theirs
             and sight.away(hex_, h) <= 2 * MARCH]
    if not going or not open_:
        return None
    man = min(going, key=lambda u: (-sight.units[u].movement, sight.attack(u), u))
    try:
        found = form.reach([man], {})
    except Refusal:
        return None
    reached = [h for h in open_ if h in found["cost"] and h not in found["blocked"]]
    if not reached:
        return None
    best = max(reached, key=lambda h: (h in sight.game.majors, -sight.dangers.get(h, 0), h))
    return {"form": form.name, "units": [man], "path": path_to(found, best)}


def reactions(sight: Sight, request: Request) -> Iterator[Answer]:
    """10.10 What half a march takes or saves: an open settlement of the enemy's, or a camp that he outnumbers."""
    for form in Move.among(request.forms):
        for hex_, able in sorted(form.stacks.items()):
            if hex_ not in sight.mine:
                continue
            fresh = [a["id"] for a in able if a["id"] not in sight.busy(hex_)]
            chiefs = [u for u in fresh if sight.units[u].type == "leader"]
            foot = [u for u in fresh if sight.units[u].exerts]
            going = [u for u in foot if u not in _garrison(sight, hex_, foot)]
            if chiefs and going and (len(going) == len(foot) or len(going) > 1):
                answer = _rush(sight, form, sorted([chiefs[0], *going]))
                if answer is not None:
                    yield answer
    yield {"form": "end_reaction", "option": "end_reaction"}


def _rush(sight: Sight, form: Move, units: list[str]) -> Answer | None:
    try:
        found = form.reach(units, {})
    except Refusal:
        return None
    goals = sorted(found["cost"].keys() - found["blocked"].keys() - sight.game.off_map)
    best = max(goals, key=lambda h: (_rescue(sight, h, units), h), default=None)
    if best is None or _rescue(sight, best, units) < WORTH:
        return None
    return {"form": form.name, "units": units, "path": path_to(found, best)}


def _rescue(sight: Sight, hex_: str, units: Sequence[str]) -> float:
    """What it is worth to be in a hex when the fights of this turn begin."""
    beside = [h for h in sight.game.map.neighbours[hex_] if h in sight.theirs]
    danger = max((sum(sight.attack(u) for u in sight.theirs[h]) for h in beside), default=0)
    own = sum(sight.defense(u) for u in [*units, *sight.fighters(hex_)])
    if sight.room(hex_) < sum(sight.units[u].counted for u in units) or danger > 2 * own:
        return 0.0
    value = 12.0 if hex_ in sight.game.settlements and sight.controller(hex_) == sight.foe else 0.0
    there = sum(sight.defense(u) for u in sight.fighters(hex_))
    if there and danger > 1.5 * there:
        value += 9.0
    return value


def path_to(found: dict[str, Any], goal: str) -> list[str]:
    """The path of a reach to a goal."""
    path = [goal]
    while path[-1] in found["via"]:
        path.append(found["via"][path[-1]])
    return path[::-1]


def _build(sight: Sight, request: Request) -> Iterator[Answer]:
    """Entrench where men stand near the enemy."""
    for option in (o for form in Choose.among(request.forms) if form.name == "build" for o in form.options):
        what, hex_ = option.id.split(":")[1], option.at or ""
        if what in ("entrenchment", "fortification") and len(sight.fighters(hex_)) > 1 and sight.threat(hex_) <= NEAR:
            yield {"form": "build", "option": option.id}


def _groups(sight: Sight, hex_: str, fresh: Sequence[str]) -> list[list[str]]:
    """The units of a hex that go together: a leader with the infantry, guns with their own pace, single men to a
    leader. One stays with what must be guarded."""
    kinds = sight.units
    foot = [u for u in fresh if kinds[u].exerts or kinds[u].type == "engineer"]
    guns = [u for u in fresh if kinds[u].type in ("artillery", "armour")]
    chiefs = [u for u in fresh if kinds[u].type == "leader"]
    keep = _garrison(sight, hex_, foot)
    going = [u for u in foot if u not in keep]
    out: list[list[str]] = []
    if chiefs and going:
        staying = [u for u in sight.fighters(hex_) if u not in going]
        led = chiefs if not staying or len(chiefs) == 1 else chiefs[:1]
        out.append(sorted([*led, *going]))
    elif going:
        out += [[u] for u in going]
    out += [[u] for u in guns if not chiefs or not going]
    if guns and chiefs and going:
        out.insert(0, sorted([*chiefs[:1], *going, *guns]))
    return out


def _headquarters(sight: Sight, form: Move, hex_: str, ghq: str) -> Answer | None:
    """The headquarters goes where more of the leaders are within its radius: into company, out of the enemy's reach."""
    try:
        found = form.reach([ghq], {})
    except Refusal:
        return None
    camps = [h for h in sight.mine if sight.leaders(h) and sight.fighters(h)]
    reach = 6 * sight.radius

    def distress(h: str) -> int:
        return sum(max(0, sight.away(h, camp) - reach) for camp in camps)

    goals = sorted(h for h in found["cost"].keys() - found["blocked"].keys()
                   if sight.fighters(h) and sight.threat(h) >= SAFE)
    best = min(goals, key=lambda h: (distress(h), h), default=None)
    if best is None or distress(best) + 6 > distress(hex_):
        return None
    return {"form": form.name, "units": [ghq], "path": path_to(found, best)}


def _garrison(sight: Sight, hex_: str, foot: Sequence[str]) -> list[str]:
    """Who stays: one with the headquarters, with supply, or in a settlement that the enemy could walk into."""
    others = [u for u in sight.fighters(hex_) if u not in foot and sight.units[u].exerts]
    if not sight.guarded(hex_) or others or not foot:
        return []
    return sorted(foot, key=lambda u: (sight.attack(u), u))[:1]


def _march(sight: Sight, form: Move, hex_: str, units: list[str]) -> Answer | None:
    try:
        found = form.reach(units, {})
    except Refusal:
        return None
    reached = sorted(found["cost"].keys() - found["blocked"].keys() - sight.game.off_map)
    goal = _goal(sight, hex_, units) if reached else None
    if goal is None:
        return None
    here = _score(sight, hex_, hex_, goal, units)
    likely = [h for h in reached if h in sight.game.settlements or h in sight.far_edge]
    likely += sorted(reached, key=lambda h: (sight.away(h, goal), h))[:LIKELY]
    scores = {h: _score(sight, hex_, h, goal, units) for h in likely}
    best = max(likely, key=lambda h: (scores[h], h))
    if scores[best] < here + LEAST:
        return None
    return {"form": form.name, "units": sorted(units), "path": path_to(found, best)}


# -- where to ------------------------------------------------------------------------------------------------


def _goal(sight: Sight, hex_: str, units: Sequence[str]) -> str | None:
    """Where a group wants to go: out of danger, at what it can beat, near and worth it, or to a larger group."""
    led = any(sight.units[u].type == "leader" for u in units)
    if led and sight.falls(hex_, sight.mine[hex_]) > GRAVE * (2 if hex_ in sight.game.settlements else 1):
        return _refuge(sight, hex_)
    if led and (target := _target(sight, hex_, units)) is not None:
        return target
    foot = [u for u in units if sight.units[u].exerts]
    bare = min(sight.bare, key=lambda h: (sight.away(hex_, h), h), default=None)
    if len(foot) == 1 and bare is not None and sight.away(hex_, bare) < 2 * MARCH:
        return bare
    return _camp(sight, hex_, units, led)


def _target(sight: Sight, hex_: str, units: Sequence[str]) -> str | None:
    """What a group can beat, with those who stand near it, by its worth and distance. Who is hungry, or would be, goes
    only at what is at hand."""
    force = sum(sight.attack(u) for u in units)
    best: tuple[float, str] | None = None
    for goal, worth in sight.goals:
        away, guard = sight.away(hex_, goal), sight.strength(goal)
        if away >= FAR or (sight.hungry(hex_) and away > MARCH):
            continue
        if guard and force + _support(sight, goal, units) < STRONG * guard:
            continue
        value = worth / (away + 12) * (1.0 if away <= 2 * MARCH or sight.near_supply(goal) else 0.3)
        if best is None or value > best[0]:
            best = value, goal
    return best[1] if best else None


def _camp(sight: Sight, hex_: str, units: Sequence[str], led: bool) -> str | None:
    """A larger group to join: fed, with room; without a leader one that has one."""
    force, need = sight.force(hex_), sum(sight.units[u].counted for u in units)
    camps = [h for h in sight.mine if h != hex_ and sight.fighters(h) and not sight.hungry(h) and sight.room(h) >= need
             and (sight.leaders(h) if not led else (sight.force(h), h) > (force, hex_))]
    return min(camps, key=lambda h: (sight.away(hex_, h) - 3 * sight.force(h) + 6 * sight.threat(h), h), default=None)


def _refuge(sight: Sight, hex_: str) -> str | None:
    """The camp to fall back to: strong for what threatens it, and near."""
    camps = [h for h in sight.mine if h != hex_ and sight.fighters(h) and sight.room(h) > 0]

    def need(h: str) -> float:
        return sight.away(hex_, h) / 6 + 30 * sight.falls(h, [*sight.mine[h], *sight.mine[hex_]])
    return min(camps, key=lambda h: (need(h), h), default=None)


def _support(sight: Sight, goal: str, units: Sequence[str]) -> int:
    """Attack factors of own leaders' groups that stand near a goal."""
    return sum(sight.attack(u) for h in sight.mine if sight.leaders(h) and sight.game.map.distance(h, goal) <= 3
               for u in sight.fighters(h) if u not in units)


def _score(sight: Sight, start: str, hex_: str, goal: str, units: Sequence[str]) -> float:
    """How good it is to end a move in a hex: near the goal, in a settlement taken, not crowded, fed, not thrown
    away."""
    game = sight.game
    others = [u for u in sight.mine.get(hex_, []) if u not in units]
    value = -sight.away(hex_, goal) / 6.0
    if hex_ in game.settlements and sight.controller(hex_) == sight.foe:
        value += TAKEN
    if sight.room(hex_) + sum(sight.units[u].counted for u in sight.mine.get(hex_, []) if u in units) < sum(
            sight.units[u].counted for u in units):
        value -= 100.0
    if sight.hungry(hex_) and all(sight.hungry(h) for h in game.map.neighbours[hex_]):
        thirst = HUNGRY if sight.rain or hex_ in game.wet else 2 * HUNGRY
        value -= thirst * sum(sight.units[u].combat for u in units)
    value -= sight.falls(hex_, [*units, *others]) * sight.stake(hex_, units)
    if not sight.turns_left and hex_ in sight.far_edge:
        value += sum(sight.units[u].combat for u in units)
    beside = [h for h in game.map.neighbours[hex_] if h in sight.theirs]
    if beside and hex_ != start:
        enough = sum(sight.attack(u) for u in units) >= min(sight.strength(h) for h in beside)
        value += 2.0 if enough else -3.0
    return value
