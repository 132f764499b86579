"""Combat: attacks at good odds, losses that cost least, advances that hold what was won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.bots.chaco.sight import Sight
from rules.core.forms import Allocate, Answer, Choose, Declare, Place
from rules.core.request import Request

PASS: Answer = {"form": "no_attack", "option": "no_attack"}
LEAST = 0.6  # expected gain, in factors, that is worth an attack
JOINT = 2.5  # times the defence of two hexes together that is worth an attack on both


def attacks(sight: Sight, request: Request) -> Iterator[Answer]:
    """The attack with the best expectation, if it is worth it."""
    found: list[tuple[float, Answer]] = []
    for target, sources in (aim for form in Declare.among(request.forms) for aim in form.targets.items()):
        units = sorted(u for us in sources.values() for u in us if sight.units[u].type != "engineer")
        if units:
            answer: Answer = {"form": "attack", "target": target, "units": units}
            seen = request.preview(answer)
            if seen["ok"]:
                found.append((_worth(sight, target, units, seen["effect"]), answer))
    best = max((gain for gain, _ in found), default=0.0)
    yield from _joint(sight, request, best)
    for gain, answer in sorted(found, key=lambda f: (-f[0], f[1]["target"])):
        if gain > LEAST:
            yield answer
    yield PASS


def _joint(sight: Sight, request: Request, best: float) -> Iterator[Answer]:
    """12.3 Two hexes at once, where those beside both are more than twice what stands there and no single fight is as
    good; and back to single ones when such a plan has nothing in it."""
    aims = {t: sources for form in Declare.among(request.forms) for t, sources in form.targets.items()}
    for form in (f for f in Choose.among(request.forms) if f.name == "join"):
        ids = [option.id for option in form.options]
        if "part" in ids:
            if best <= LEAST:
                yield {"form": "join", "option": "part"}
            continue
        for pair in ids:
            one, other = pair.split("+")
            near = aims.get(one, {}).keys() & aims.get(other, {}).keys()
            both = {u for h in near for u in aims[one][h] if u in aims[other][h]}
            force, guard = sum(sight.attack(u) for u in both), sight.guard(one) + sight.guard(other)
            if guard and force >= JOINT * guard and 0.25 * guard > best:
                yield {"form": "join", "option": pair}


def _worth(sight: Sight, target: str, units: Sequence[str], panel: dict[str, Any]) -> float:
    """Mean gain over the faces of the die: their losses less ours, and what the hex is worth if it is emptied."""
    mine = sum(sight.attack(u) for u in units)
    theirs = max(1, sight.guard(target))
    prize = 5.0 if target in sight.game.settlements else 1.5
    total = 0.0
    for face in panel["faces"]:
        attacker, defender = face["result"].split("/")
        total += _cost(defender, theirs) - 0.9 * _cost(attacker, mine)
        if defender.endswith("R") or defender == "E":
            total += prize * (1.0 if defender == "E" else 0.6)
    return total / max(1, len(panel["faces"]))


def _cost(code: str, factors: int) -> float:
    if code == "E":
        return float(factors)
    share = int(code.rstrip("R")) / 100 if code.rstrip("R").isdigit() else 0.0
    return share * factors + (1.0 if code.endswith("R") else 0.0)


def losses(sight: Sight, request: Request) -> Iterator[Answer]:
    """Turn over as few factors as will do; give units up only when that is not enough."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return
    lots = {lot.id: sorted(lot.units, key=lambda u: (sight.attack(u) + sight.defense(u), u)) for lot in form.lots}
    flips, kills = lots.get("flip", []), lots.get("kill", [])
    for unit in flips:
        yield {"form": form.name, "lots": {"flip": [unit]}}
    for n in range(2, len(flips) + 1):
        yield {"form": form.name, "lots": {"flip": flips[:n]}}
    for unit in kills:
        yield {"form": form.name, "lots": {"kill": [unit]}}
    for n in range(1, len(kills) + 1):
        yield {"form": form.name, "lots": {"flip": [u for u in flips if u not in kills[:n]], "kill": kills[:n]}}


def advance(sight: Sight, request: Request) -> Iterator[Answer]:
    """Into a settlement, or any hex that does not leave one's own in danger, with a leader and what fits."""
    for form in Place.among(request.forms):
        goal = max(form.groups[0].where, key=lambda h: (h in sight.game.settlements, h))
        units = form.groups[0].units
        men = [u for u in units if sight.units[u].exerts]
        chiefs = [u for u in units if sight.units[u].type == "leader"]
        stay = 1 if any(h in sight.game.settlements for h in sight.mine if set(men) & set(sight.mine[h])) else 0
        going = men[: max(1, len(men) - stay)]
        if goal in sight.game.settlements or len(men) > 1:
            rest = [u for h in sight.mine for u in sight.fighters(h) if u in units and u not in going]
            for party in ([*going, *(chiefs if not rest else chiefs[:1])], going, going[:1]):
                yield {"form": form.name, "placed": dict.fromkeys(party, goal)}
    yield {"form": "no_advance", "option": "no_advance"}
