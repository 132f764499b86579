"""The political phase: a leader is challenged where a better one is worth more than a failure would cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.bots.chaco.sight import DIE, Sight
from rules.core.forms import Allocate, Answer, Choose, Option
from rules.core.request import Request
from rules.titles.chaco.dice import FACES

FIGHT = 0.3  # points that one on the die is worth a leader and a turn
AHEAD = 6  # turns that are looked ahead
FRONT = 8  # hexes from the enemy within which a leader leads
ABSENT = 0.5  # of it that a leader far from the front is worth


def ideas(sight: Sight, prompt: str, request: Request) -> Iterator[Answer]:
    """Answers to the questions of chapter 15, the best first."""
    for form in Choose.among(request.forms):
        if form.name == "politics":
            yield from _attempts(sight, form)
        elif form.name == "spend":
            yield from _spend(sight, form)
        elif form.name == "leader":
            yield from _each(form, sorted((o.id for o in form.options), key=lambda x: (-sight.units[x].command, x)))
        else:
            yield from _each(form, sorted((o.id for o in form.options), key=lambda h: (-_wants(sight, h), h)))
    for lots in Allocate.among(request.forms):
        if prompt == "backers":
            lot = lots.lots[0]
            yield {"form": lots.name, "lots": {lot.id: list(lot.units)}}


def _each(form: Choose, ids: list[str]) -> Iterator[Answer]:
    for option in ids:
        yield {"form": form.name, "option": option}


def _attempts(sight: Sight, form: Choose) -> Iterator[Answer]:
    """15.4, 15.5 The attempt with the best expectation, if that is better than none; never with so few points that a
    failure ends the war (16.4)."""
    best: tuple[float, str] = (0.0, "no_change")
    for option in (o for o in form.options if o.id != "no_change"):
        commander = option.id == "commander"
        leader = sight.commander if commander else option.id
        backers = _backers(sight) if commander else []
        chance = min(1.0, _share(option) + len(backers) / FACES)
        rating = sight.units[leader].political
        failure = rating + DIE * (1.5 if commander and not backers else 1.0)
        value = chance * _gain(sight, leader, backers) - (1 - chance) * failure
        if value > best[0] and sight.points[sight.side] > rating + 2 * FACES:
            best = value, option.id
    yield {"form": form.name, "option": best[1]}
    yield {"form": form.name, "option": "no_change"}


def _share(option: Option) -> float:
    """The part of the faces that succeed, as the option says it."""
    args: dict[str, Any] = option.label["args"] if option.label else {}
    n, _, of = str(args.get("chance", "0/6")).partition("/")
    return int(n) / int(of)


def _backers(sight: Sight) -> list[str]:
    """15.4 Named subordinates who are rated above the commander."""
    rating = sight.units[sight.commander].political
    return [x for x in sight.on_duty if sight.units[x].named and sight.units[x].political > rating]


def _gain(sight: Sight, leader: str, backers: list[str]) -> float:
    """What it is worth that a leader goes and another, drawn from those who wait, comes in at the front: his rating in
    combat, turn after turn, and that he is there. A backer who takes over keeps leading his own men."""
    waiting = [x for x in sight.waiting if sight.units[x].named or leader != sight.commander or backers]
    if not waiting:
        return 0.0
    new = sum(sight.units[x].command for x in waiting) / len(waiting)
    at = next((h for h, us in sight.mine.items() if leader in us), None)
    there = at is not None and sight.threat(at) <= FRONT
    return FIGHT * min(AHEAD, sight.turns_left + 1) * (new - sight.units[leader].command + (0.0 if there else ABSENT))


def _spend(sight: Sight, form: Choose) -> Iterator[Answer]:
    """15.3, 15.5 Points on the die, where the faces they buy are worth more than they cost. A forced challenge costs
    nothing when it fails: nobody pays for that."""
    leader = sight.commander
    forced = any(o.id.startswith("-") for o in form.options) and sight.blamed
    stake = 0.0 if forced else _gain(sight, leader, _backers(sight)) + sight.units[leader].political + DIE

    def value(option: Option) -> float:
        args: dict[str, Any] = option.label["args"] if option.label else {}
        return _share(option) * stake - float(args.get("cost", 0))
    yield from _each(form, [o.id for o in sorted(form.options, key=lambda o: (-value(o), abs(int(o.id))))])


def _wants(sight: Sight, hex_: str) -> float:
    """15.6 How much a hex wants a new leader: men near the enemy who have none."""
    if not sight.fighters(hex_):
        return 0.0
    led = any(sight.leaders(h) for h in (hex_, *sight.game.map.neighbours[hex_]))
    return sight.force(hex_) * (0.3 if led else 1.0) / (4.0 + sight.threat(hex_)) * (1.0 - sight.falls(
        hex_, sight.mine[hex_]))
