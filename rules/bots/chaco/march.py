"""The movement phase: single men take what stands empty, groups with a leader go at a goal they can beat, the rest
gathers at the groups; in the last turn men leave by the enemy's edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.bots.chaco.assault import promise
from rules.bots.chaco.sight import MARCH, Sight
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Move
from rules.core.request import Request

NEAR = 6  # hexes at which an enemy makes works worth while
SAFE = 4  # hexes that the headquarters keeps from the enemy
HUNGRY = 0.3  # what a turn out of supply costs each man, and each without water on top
WORTH = 8.0  # what a reaction has to gain: to take a settlement, or to stand by a camp in danger
LEAST = 0.06  # by how much a place has to be better than where a group stands
LIKELY = 24  # hexes nearest a goal that are weighed
PATIENCE = 0.85  # what a goal is worth a turn later
OTHERS = 0.5  # of what it is worth to garrison a settlement, for each man who is nearer
CAMP = 2.0  # what it is worth to be with a leader at the front
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
    """The headquarters goes where more of the men at the front are within its radius: into company, out of the enemy's
    reach."""
    try:
        found = form.reach([ghq], {})
    except Refusal:
        return None
    front = {h: len(sight.fighters(h)) for h in sight.mine if sight.fighters(h) and sight.threat(h) <= NEAR}
    reach = 6 * sight.radius

    def distress(h: str) -> int:
        return sum(men * max(0, sight.away(h, camp) - reach) for camp, men in front.items())

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
    """The best move of a group, or of so much of it as stands in the scrub (11.2), that is better than to stay."""
    found = [_best(sight, form, hex_, party) for party in _parties(sight, units)]
    gain, answer = max(((gain, answer) for gain, answer in found if answer), key=lambda f: f[0], default=(0.0, None))
    return answer if gain >= LEAST else None


def _parties(sight: Sight, units: list[str]) -> list[list[str]]:
    """A group, and its leader with the strongest of it, where all of it could stand in few hexes."""
    counted = sorted((u for u in units if sight.units[u].counted), key=lambda u: (-sight.attack(u), u))
    most = int(sight.game.n["stacking"]["other"])
    if len(counted) <= most:
        return [units]
    chiefs = sorted((u for u in units if sight.units[u].type == "leader"), key=lambda u: (-sight.units[u].command, u))
    return [units, sorted({*units} - {*counted[most:], *chiefs[1:]})]


def _best(sight: Sight, form: Move, hex_: str, units: list[str]) -> tuple[float, Answer | None]:
    """The best move of units that go together, and by how much it is better than to stay."""
    try:
        found = form.reach(units, {})
    except Refusal:
        return 0.0, None
    reached = sorted(found["cost"].keys() - found["blocked"].keys() - sight.game.off_map)
    goals = _goals(sight, hex_, units)
    if not reached or not goals:
        return 0.0, None
    pace = 6 * min(sight.units[u].movement for u in units)
    pull = {h: _pull(sight, h, goals, pace) for h in reached}
    likely = {
        h
        for h in reached
        if h in sight.game.settlements
        or h in sight.far_edge
        or any(n in sight.theirs for n in sight.game.map.neighbours[h])
    }
    likely |= {*sorted(reached, key=lambda h: (-pull[h], h))[:LIKELY]}
    scores = {h: pull[h] + _score(sight, h, units) for h in likely}
    best = max(likely, key=lambda h: (scores[h], h))
    gain = scores[best] - _score(sight, hex_, units) - _pull(sight, hex_, goals, pace)
    return gain, {"form": form.name, "units": sorted(units), "path": path_to(found, best)}


# -- where to ------------------------------------------------------------------------------------------------


def _pull(sight: Sight, hex_: str, goals: Sequence[tuple[str, float]], pace: int) -> float:
    """What the best of the goals is worth from a hex, by the turns it is away and those that are left."""
    best = 0.0
    for goal, worth in goals:
        turns = sight.away(hex_, goal) / pace
        if worth > best and turns <= sight.turns_left + 1:
            best = max(best, worth * PATIENCE**turns)
    return best


def _goals(sight: Sight, hex_: str, units: Sequence[str]) -> list[tuple[str, float]]:
    """Where a group wants to go, and what that is worth: what it can take with those who stand near it, what of ours
    it can hold, a camp to join."""
    led = any(sight.units[u].type == "leader" for u in units)
    force, foot = sum(sight.attack(u) for u in units), [u for u in units if sight.units[u].exerts]
    found = [
        (goal, worth * _success(sight, goal, force, units))
        for goal, worth in sight.goals
        if led or not sight.guard(goal)
    ]
    if foot:
        found += [
            (h, loss * OTHERS ** nearer(sight, h, hex_))
            for h in sorted(sight.game.settlements)
            if h != hex_ and sight.controller(h) == sight.side
            and (loss := sight.loss(h, sight.mine.get(h, [])) - sight.loss(h, [*sight.mine.get(h, []), *foot])) > LEAST
        ]
    for camp in sight.mine:
        if (
            camp != hex_
            and sight.fighters(camp)
            and not sight.hungry(camp)
            and sight.leaders(camp)
            and (not led or sight.force(camp) > force)
        ):
            found.append((camp, CAMP * (1.0 if sight.threat(camp) <= NEAR else 0.6) * (0.5 if led else 1.0)))
    return [(goal, worth) for goal, worth in found if worth > LEAST]


def nearer(sight: Sight, goal: str, hex_: str) -> int:
    """How many men are nearer to a goal than a hex, but for those who stand guard."""
    mine, count = sight.away(hex_, goal), 0
    for at in sight.mine:
        if at != goal and sight.away(at, goal) < mine:
            count += max(0, sum(sight.units[u].exerts for u in sight.fighters(at)) - sight.guarded(at))
    return count


def _success(sight: Sight, goal: str, force: int, units: Sequence[str]) -> float:
    """How likely it is that a goal is taken by a force and those who stand near."""
    guard = sight.strength(goal)
    if not guard:
        return 1.0
    return max(0.0, min(1.0, ((force + _support(sight, goal, units)) / guard - 0.7) / 3))


def _support(sight: Sight, goal: str, units: Sequence[str]) -> float:
    """Attack factors of own leaders' groups that stand near a goal; half of those who are two marches off."""
    total = 0.0
    for hex_ in sight.mine:
        if sight.leaders(hex_):
            near = sight.game.map.distance(hex_, goal) <= 3
            if near or sight.away(hex_, goal) <= 2 * MARCH:
                total += (1.0 if near else 0.5) * sum(sight.attack(u) for u in sight.fighters(hex_) if u not in units)
    return total


def _score(sight: Sight, hex_: str, units: Sequence[str]) -> float:
    """How good it is to end a move in a hex: a settlement taken or held, not crowded, fed, not thrown away, beside an
    enemy who can be beaten."""
    game = sight.game
    others = [u for u in sight.mine.get(hex_, []) if u not in units]
    value = 0.0
    if hex_ in game.settlements:
        if sight.controller(hex_) == sight.foe:
            value += 2 * sight.stake(hex_, [])
        else:
            value += sight.loss(hex_, others) - sight.loss(hex_, [*others, *units])
    if sight.room(hex_) + sum(sight.units[u].counted for u in sight.mine.get(hex_, []) if u in units) < sum(
            sight.units[u].counted for u in units):
        value -= 100.0
    if sight.hungry(hex_) and all(sight.hungry(h) for h in game.map.neighbours[hex_]):
        thirst = HUNGRY if sight.rain or hex_ in game.wet else 2 * HUNGRY
        value -= thirst * sum(sight.units[u].combat for u in units)
    risk = sight.risk(hex_, [*units, *others]) - (sight.risk(hex_, others) if others else 0.0)
    value -= risk * (1.0 - 0.5 * sight.daring)
    if not sight.turns_left and hex_ in sight.far_edge:
        value += sum(sight.units[u].combat for u in units)
    if any(sight.leaders(h) for h in (hex_, *game.map.neighbours[hex_])) or any(
        sight.units[u].type == "leader" for u in units
    ):
        value += promise(sight, hex_, units)
    return value
