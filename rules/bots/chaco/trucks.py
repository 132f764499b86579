"""Trucks: men who wait far from the front ride to a leader there, and empty trucks drive back for the next."""

from __future__ import annotations

from collections.abc import Iterator

from rules.bots.chaco.march import nearer
from rules.bots.chaco.sight import FAR, Sight
from rules.core.errors import Refusal
from rules.core.forms import Answer, Move
from rules.core.request import Request

REAR = 12  # hexes from the enemy at which men wait for a truck
FAR_OFF = 42  # sixths of a point on foot from which a ride is worth while: more than a march


def rides(sight: Sight, request: Request) -> Iterator[Answer]:
    """A ride for each truck that has not moved, the longest first."""
    for form in Move.among(request.forms):
        for hex_, able in sorted(form.stacks.items()):
            if hex_ not in sight.mine:
                continue
            moved = sight.busy(hex_)
            for ability in able:
                if ability["id"] not in moved and sight.units[ability["id"]].type == "truck":
                    answer = _ride(sight, form, hex_, ability["id"], moved)
                    if answer is not None:
                        yield answer


def _ride(sight: Sight, form: Move, hex_: str, truck: str, moved: set[str]) -> Answer | None:
    waiting = sorted((u for u in sight.mine[hex_] if sight.units[u].exerts and u not in moved),
                     key=lambda u: (-sight.attack(u), u))
    keep = 1 if sight.guarded(hex_) else 0
    front = _post(sight, hex_) or _front(sight, hex_)
    if front is not None and len(waiting) > keep and sight.away(hex_, front) >= FAR_OFF:
        return _drive(sight, form, truck, {waiting[0]: truck}, front)
    depot = _depot(sight, hex_)
    if not waiting and depot is not None:
        return _drive(sight, form, truck, {}, depot)
    return None


def _post(sight: Sight, hex_: str) -> str | None:
    """The own settlement that stands empty, may cost most within three turns, and that nobody on foot is nearer to."""
    empty = {h: loss for h in sight.game.settlements if sight.controller(h) == sight.side and not sight.fighters(h)
             and (loss := sight.loss(h, [])) and sight.away(hex_, h) >= FAR_OFF and not nearer(sight, h, hex_)}
    return max(empty, key=lambda h: (empty[h], -sight.threat(h), h), default=None)


def _front(sight: Sight, hex_: str) -> str | None:
    """The nearest leader's camp that is near the enemy and has room."""
    camps = [h for h in sight.mine if h != hex_ and sight.leaders(h) and sight.fighters(h) and not sight.hungry(h)
             and sight.threat(h) < sight.threat(hex_) and sight.room(h) > 0]
    return min(camps, key=lambda h: (sight.away(hex_, h), h), default=None)


def _depot(sight: Sight, hex_: str) -> str | None:
    """Where men wait for a truck: without a leader, far from the enemy."""
    waits = [
        h
        for h in sight.mine
        if h != hex_
        and not sight.leaders(h)
        and sight.threat(h) > REAR
        and sum(sight.units[u].exerts for u in sight.mine[h]) > sight.guarded(h)
    ]
    return min(waits, key=lambda h: (sight.away(hex_, h), h), default=None)


def _drive(sight: Sight, form: Move, truck: str, aboard: dict[str, str], goal: str) -> Answer | None:
    """As far towards a goal as the truck comes this phase; never where its load could not stay."""
    units = sorted([truck, *aboard])
    try:
        found = form.reach(units, aboard)
    except Refusal:
        return None
    reached = [h for h in found["cost"] if h not in found["blocked"] and h not in sight.game.off_map
               and (not aboard or sight.room(h) > 0)]
    best = min(reached, key=lambda h: (sight.away(h, goal), h), default=None)
    if best is None or sight.away(best, goal) >= min(FAR, sight.away(found["from"], goal)):
        return None
    path = [best]
    while path[-1] in found["via"]:
        path.append(found["via"][path[-1]])
    return {"form": form.name, "units": units, "path": path[::-1], **({"aboard": aboard} if aboard else {})}
