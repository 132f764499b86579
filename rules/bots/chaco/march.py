"""The movement phase: groups with a leader go at a goal they can beat, others gather at the groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.bots.chaco.sight import FAR, NEAR, Sight
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Move
from rules.core.request import Request

STRONG = 1.3     # times the enemy's defence that a group wants to bring along
GRAVE = 2.5      # times its defence from which a camp falls back
STRIDE = 3       # hexes from which an enemy attacks next
HUNGRY = 2.5     # what it costs to end outside one's own supply, and without a leader
LOST = 9.0
SAFE = 4         # hexes that the headquarters keeps from the enemy
WORTH = 8.0      # what a reaction has to gain: to take a settlement, or to stand by a camp in danger
DONE: Answer = {"form": "end", "option": "end"}


def moves(sight: Sight, request: Request) -> Iterator[Answer]:
    """What to build, then the best move of each stack that has not moved, then the end."""
    yield from _build(sight, request)
    for form in Move.among(request.forms):
        on_map = [item for item in form.stacks.items() if item[0] in sight.mine]
        for hex_, able in sorted(on_map, key=lambda item: (sight.threat(item[0]), item[0])):
            fresh = [a["id"] for a in able if a["id"] not in sight.moved(hex_)]
            ghq = sight.game.ghq[sight.side]
            if ghq in fresh and (answer := _headquarters(sight, form, hex_, ghq)) is not None:
                yield answer
            for units in _groups(sight, hex_, fresh):
                answer = _march(sight, form, hex_, units)
                if answer is not None:
                    yield answer
    yield DONE


def reactions(sight: Sight, request: Request) -> Iterator[Answer]:
    """10.10 What half a march takes or saves: an open settlement of the enemy's, or a camp that he outnumbers."""
    for form in Move.among(request.forms):
        for hex_, able in sorted(form.stacks.items()):
            if hex_ not in sight.mine:
                continue
            fresh = [a["id"] for a in able if a["id"] not in sight.moved(hex_)]
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
    return {"form": form.name, "units": units, "path": _path(found, best)}


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


def _path(found: dict[str, Any], goal: str) -> list[str]:
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
    foot = [u for u in fresh if kinds[u].exerts]
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
    return {"form": form.name, "units": [ghq], "path": _path(found, best)}


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
    goals = sorted(found["cost"].keys() - found["blocked"].keys() - sight.game.off_map)
    if not goals:
        return None
    goal = _goal(sight, hex_, units)
    if goal is None or goal == hex_:
        return None
    now = _score(sight, hex_, hex_, goal, units)
    best = max(goals, key=lambda h: (_score(sight, hex_, h, goal, units), h))
    if _score(sight, hex_, best, goal, units) <= now:
        return None
    return {"form": "move", "units": sorted(units), "path": _path(found, best)}


def _goal(sight: Sight, hex_: str, units: Sequence[str]) -> str | None:
    """Where a group wants to go: what it can beat, near and worth it; else to a larger group."""
    force = sum(sight.attack(u) for u in units)
    led = any(sight.units[u].type == "leader" for u in units)
    best: tuple[float, str] | None = None
    grave = 2 * GRAVE if hex_ in sight.game.settlements else GRAVE
    if led and _peril(sight, hex_) > grave * sum(sight.defense(u) for u in sight.fighters(hex_)):
        return _refuge(sight, hex_)
    for goal, worth in sight.goals:
        guard = sight.guard(goal)
        if guard and (not led or _support(sight, goal, units) + force < STRONG * guard):
            continue
        away = sight.away(hex_, goal)
        if away >= FAR:
            continue
        value = worth / (away + 12)
        if best is None or value > best[0]:
            best = value, goal
    if best is not None and (led or (sight.guard(best[1]) == 0 and sight.away(hex_, best[1]) < 60)):
        return best[1]
    bare = min(sight.bare, key=lambda h: (sight.away(hex_, h), h), default=None)
    if not led and bare is not None and sight.away(hex_, bare) < 2 * sight.game.units[units[0]].movement * 6:
        return bare
    camps = [h for h in sight.mine if h != hex_ and sight.leaders(h) and len(sight.fighters(h)) >= 1]
    return min(camps, key=lambda h: (sight.away(hex_, h) + 6 * sight.threat(h), h), default=best[1] if best else None)


def _peril(sight: Sight, hex_: str) -> int:
    """The attack factors of enemies that could be beside a hex in their next turn."""
    near = [us for h, us in sight.theirs.items() if sight.game.map.distance(h, hex_) <= STRIDE]
    return sum(sight.attack(u) for us in near for u in us)


def _refuge(sight: Sight, hex_: str) -> str | None:
    """The camp to fall back to: strong for what threatens it, and near."""
    camps = [h for h in sight.mine if h != hex_ and sight.fighters(h) and sight.room(h) > 0]

    def need(h: str) -> float:
        held = sum(sight.defense(u) for u in [*sight.fighters(h), *sight.fighters(hex_)])
        return sight.away(hex_, h) / 6 + 4 * _peril(sight, h) / max(1, held)
    return min(camps, key=lambda h: (need(h), h), default=None)


def _support(sight: Sight, goal: str, units: Sequence[str]) -> int:
    """Attack factors of own leaders' groups that stand near a goal."""
    return sum(sight.attack(u) for h in sight.mine if sight.leaders(h) and sight.game.map.distance(h, goal) <= 3
               for u in sight.fighters(h) if u not in units)


def _score(sight: Sight, start: str, hex_: str, goal: str, units: Sequence[str]) -> float:
    """How good it is to end a move in a hex: near the goal, in a settlement taken, not crowded, not thrown away."""
    game = sight.game
    value = -sight.away(hex_, goal) / 6.0
    if hex_ in game.settlements and sight.controller(hex_) == sight.foe:
        value += 12.0
    room: dict[str, Any] = game.n["stacking"]
    limit = room["open" if game.map.hexes[hex_].terrain == "clear" else "other"]
    there = sum(sight.units[u].counted for u in sight.mine.get(hex_, []) if u not in units)
    if there + sum(sight.units[u].counted for u in units) > limit:
        value -= 100.0
    if sight.fed and hex_ not in sight.fed:
        value -= HUNGRY if any(sight.units[u].type == "leader" for u in units) else LOST
    beside = [h for h in game.map.neighbours[hex_] if h in sight.theirs]
    if beside and hex_ != start:
        defense = sum(sight.defense(u) for u in units)
        danger = max(sum(sight.attack(u) for u in sight.theirs[h]) for h in beside)
        value += 2.0 if sum(sight.attack(u) for u in units) >= min(sight.guard(h) for h in beside) else -3.0
        value -= 1.5 if danger > 2 * max(1, defense) else 0.0
    return value
