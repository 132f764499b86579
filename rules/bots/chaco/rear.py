"""What lies behind the front: leaders who go to men that have none, supply that is brought to the camps,
trucks that lengthen its radius."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.bots.chaco.march import NEAR, path_to
from rules.bots.chaco.sight import FAR, MARCH, Sight, covered
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Move
from rules.core.request import Request

MASS = 5  # attack factors that are worth a leader of their own
FRONT = 12  # hexes from the enemy within which men need a leader
LEAD = 1.0  # points that a leader may risk where he goes
STOCK = 2  # supply points that a camp keeps, and is filled up to
CARTS = 4  # supply points that go together
STARVES = 0.4  # how likely a hungry man is gone before the next turn
RISK = 2.0  # expected points for which a leader leaves his men
IDLE = 0.3  # those for which one more than his stack needs does
FEAR = 20.0  # marches that a leader goes farther to be surely safe
FEEDS = 2  # men whom an assigned truck has to feed


def leaders(sight: Sight, request: Request) -> Iterator[Answer]:
    """A leader without men or with few, or one more than a stack needs, rides to the men who need one most."""
    wants = {h: want for h in sight.mine if sight.threat(h) <= FRONT and (want := _wanted(sight, h)) >= MASS}
    for form in Move.among(request.forms):
        for hex_, able in sorted(form.stacks.items()):
            if hex_ not in sight.mine:
                continue
            chiefs = sorted((a["id"] for a in able if a["id"] not in sight.busy(hex_) and
                             sight.units[a["id"]].type == "leader"), key=lambda u: (sight.units[u].command, u))
            yield from _saved(sight, form, hex_, chiefs)
            few = sight.force(hex_) < MASS or sight.threat(hex_) > FRONT
            over = chiefs[: max(0, len(sight.leaders(hex_)) - _needed(sight, hex_))]
            yield from _saved(sight, form, hex_, over, IDLE)
            idle = not few and not over and sight.threat(hex_) > NEAR
            spare = chiefs if few or idle else over
            open_ = {h for h in wants if h != hex_ and (not idle or sight.threat(h) <= NEAR)}
            goal = max(open_, key=lambda h: (wants[h] / (sight.away(hex_, h) + 60), h), default=None)
            if spare and goal is not None:
                answer = _send(sight, form, spare[:1], goal)
                if answer is not None:
                    yield answer
                    wants.pop(goal)


def _needed(sight: Sight, hex_: str) -> int:
    """11.2, 7.3 The leaders who can take the men of a hex into the scrub beside an enemy: one for each four."""
    return -(-sum(sight.units[u].counted for u in sight.fighters(hex_)) // int(sight.game.n["stacking"]["other"]))


def _wanted(sight: Sight, hex_: str) -> float:
    """The attack factors of a hex that have no leader there, a third of them where one stands beside it."""
    needed, there = _needed(sight, hex_), len(sight.leaders(hex_))
    if needed <= there:
        return 0.0
    near = not there and any(sight.leaders(h) for h in sight.game.map.neighbours[hex_])
    return sight.force(hex_) * (needed - there) / needed * (0.34 if near else 1.0)


def _saved(sight: Sight, form: Move, hex_: str, chiefs: Sequence[str], risk: float = RISK) -> Iterator[Answer]:
    """10.3, 16.2 A leader whose men may all be gone before his next turn, by hunger or the enemy, leaves in time: for
    men who are safe, not for others beside an enemy."""
    men = sight.fighters(hex_)
    gone = sight.dies(hex_, sight.mine[hex_]) + (STARVES ** len(men) if sight.hungry(hex_) else 0.0)
    camps = {
        h: sight.away(hex_, h) / MARCH + FEAR * danger
        for h in sight.mine
        if h != hex_ and sight.fighters(h) and not sight.hungry(h) and sight.threat(h) > 1
        and (danger := sight.dies(h, sight.mine[h])) < gone / 2
    }
    goal = min(camps, key=lambda h: (camps[h], h), default=None)
    for chief in chiefs:
        if goal is not None and gone * sight.stake("", [chief]) > risk:
            answer = _send(sight, form, [chief], goal, max(LEAD, gone * sight.stake("", [chief]) / 2))
            if answer is not None:
                yield answer


def dumps(sight: Sight, request: Request) -> Iterator[Answer]:
    """2.20 Supply that nobody needs where it lies goes to the nearest camp in front that is short of it."""
    for form in Move.among(request.forms):
        for hex_, able in sorted(form.stacks.items()):
            if hex_ not in sight.mine:
                continue
            free = [a["id"] for a in able if a["id"] not in sight.busy(hex_) and sight.units[a["id"]].type == "supply"]
            keeps = STOCK if sight.leaders(hex_) and sight.fighters(hex_) else 0
            idle = free[: max(0, min(CARTS, supply(sight, hex_) - keeps))]
            camps = [h for h in sight.mine if h != hex_ and sight.leaders(h) and sight.fighters(h)
                     and supply(sight, h) < STOCK and sight.threat(h) <= FRONT]
            goal = min(camps, key=lambda h: (sight.away(hex_, h), h), default=None)
            if idle and goal is not None:
                answer = _send(sight, form, idle, goal)
                if answer is not None:
                    yield answer


def supply(sight: Sight, hex_: str) -> int:
    """The supply points in a hex."""
    return sum(sight.units[u].type == "supply" for u in sight.mine.get(hex_, []))


def _send(sight: Sight, form: Move, units: Sequence[str], goal: str, most: float = LEAD) -> Answer | None:
    """As far towards a goal as one comes, to a hex with own men or out of the enemy's reach."""
    try:
        found = form.reach(sorted(units), {})
    except Refusal:
        return None
    safe = [
        h
        for h in found["cost"]
        if h not in found["blocked"] and h not in sight.game.off_map and (sight.fighters(h) or h not in sight.reach)
    ]
    chiefs = [u for u in units if sight.units[u].type == "leader"]
    if chiefs:
        safe = [
            h
            for h in safe
            if sight.risk(h, [*sight.mine.get(h, []), *chiefs]) - sight.risk(h, sight.mine.get(h, [])) < most
        ]
    best = min(safe, key=lambda h: (sight.away(h, goal), h), default=None)
    if best is None or sight.away(best, goal) >= min(FAR, sight.away(found["from"], goal)):
        return None
    return {"form": form.name, "units": sorted(units), "path": path_to(found, best)}


def assigned(sight: Sight, form: Allocate) -> Iterator[Answer]:
    """8.11 A truck stays where by its wheels the radius reaches men who go hungry; any other is free to drive."""
    hungry = {h for h in sight.mine if sight.hungry(h) and any(sight.units[u].combat for u in sight.mine[h])}
    lots: dict[str, list[str]] = {}
    for lot in sorted(form.lots, key=lambda lot: lot.id):
        at, radius = lot.at or lot.id, sight.radius
        if sight.hungry(at):
            continue
        driven = covered(sight.game, at, sight.rain, radius, "mech")
        fed = (driven - covered(sight.game, at, sight.rain, radius)) & hungry
        if sum(len(sight.fighters(h)) for h in fed) >= FEEDS:
            lots[lot.id] = [lot.units[0]]
            hungry -= fed
    yield {"form": form.name, "lots": lots}
    yield {"form": form.name, "lots": {}}
