"""The choice of attacks: by the expected losses of the odds panel, and what the hex is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.triple_alliance.sight import Sight
from rules.bots.triple_alliance.worth import cheapest, forces, prize, rates
from rules.core.forms import Answer, Declare, Form
from rules.core.request import Request

WORTH_IT = 0.3   # a battle must promise at least that much
AS_GOOD = 0.93   # a smaller force will do that keeps this share of the promise


def ideas(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """The best attack, or none."""
    form = Declare.of(forms.get("attack"))
    if form is not None:
        yield from _attacks(sight, form, request)
    yield {"form": "no_attack", "option": "no_attack"}


def _attacks(sight: Sight, form: Declare, request: Request) -> Iterator[Answer]:
    found: list[tuple[float, str, list[str]]] = []
    for target, sources in form.targets.items():
        able = sorted(u for units in sources.values() for u in units)
        best = max(((value(sight, request, target, units), units) for units in forces(sight, able)),
                   key=lambda pair: pair[0])
        found.append((best[0], target, best[1]))
    found.sort(reverse=True)
    for promise, target, units in found:
        if promise < WORTH_IT:
            return
        yield _answer(target, _enough(sight, request, target, units, promise) if len(found) > 1 else units)


def _enough(sight: Sight, request: Request, target: str, units: list[str], promise: float) -> list[str]:
    """A part of the force that promises nearly as much, when there is other work."""
    order = cheapest(sight, units, len(units))
    for share in (4, 2):
        part = order[-max(1, len(order) // share):]
        if value(sight, request, target, part) >= AS_GOOD * promise:
            return part
    return units


def _answer(target: str, units: list[str]) -> Answer:
    return {"form": "attack", "target": target, "units": units}


def value(sight: Sight, request: Request, target: str, units: list[str]) -> float:
    """What an attack promises: losses by the faces of its panel, and the hex."""
    preview = request.preview(_answer(target, units))
    if not preview["ok"]:
        return -99.0
    panel: dict[str, Any] = preview["effect"]
    if not panel["faces"]:
        return -99.0
    theirs, ours = rates(sight.side)
    losses = sum(theirs * face["defender"] - ours * face["attacker"] for face in panel["faces"])
    ships = sum(sight.unit(u).river for u in units)
    guns = 1.0 if ships and sight.fortress(target) else 0.0  # 13.18: on average
    taken = sum(face["clears"] and face["attacker"] < len(units) for face in panel["faces"])
    return float((losses + prize(sight, target) * taken) / 10 - ours * min(guns, ships))
