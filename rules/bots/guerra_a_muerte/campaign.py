"""Operations: which force goes where, what it attacks, and whom it leaves behind to hold the land."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.guerra_a_muerte import fleet
from rules.bots.guerra_a_muerte.sight import Sight
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Declare, Form, Move
from rules.core.request import Request
from rules.titles.guerra_a_muerte.board import ROYALIST

GOOD = 1.5  # so many times the enemy's strength make an attack
SURE = 2.0


def operations(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """The stack with the best errand is activated, but for a unit that holds the area."""
    form = Allocate.of(forms.get("activate"))
    found = []
    if form is not None:
        for lot in form.lots:
            for units in _parties(sight, list(lot.units)):
                score = errand(sight, lot.id, units, 4)[0]
                if score > 0.15:
                    found.append((score, lot.id, units))
    yield from fleet.launch(sight, forms)
    for _, loc, units in sorted(found, key=lambda f: (-f[0], f[1], f[2]))[:3]:
        yield {"form": "activate", "lots": {loc: sorted(units)}}
    yield {"form": "end_operations", "option": "end"}


def _parties(sight: Sight, units: list[str]) -> list[list[str]]:
    """All of them, and all but the weakest, who stays to hold the land."""
    troops = [u for u in units if sight.game.units[u].troops]
    if not troops:
        return []
    keep = min(troops, key=lambda u: (sight.factor(u), u))
    legion = [u for u in units if sight.game.units[u].nation == "portuguese"]
    if legion:
        return [legion] if len(legion) == len(units) else [[u for u in units if u not in legion]]
    return [units, *([[u for u in units if u != keep]] if len(troops) > 1 else [])]


def _holds_alone(sight: Sight, loc: str, units: list[str]) -> bool:
    """Whether nobody of the side would be left in the area."""
    area = sight.game.area(loc)
    return area is not None and set(sight.everyone(area, sight.side)) <= set(units)


def _bound(sight: Sight, loc: str, goal: str) -> bool:
    """Whether a force must not leave: the garrisons that victory asks of the crown."""
    if sight.side != ROYALIST:
        return False
    lists = sight.game.lists
    area = sight.game.area(loc)
    if area in lists["islands"]:
        return True
    return area in lists["garrison_mexico"] and sight.game.area(goal) not in lists["garrison_mexico"]


def errand(sight: Sight, loc: str, units: list[str], op: int) -> tuple[float, str | None]:
    """The best an area within reach promises a force, and which; None where it is best to act on the spot."""
    power = sight.strength(units)
    here = sight.game.area(loc)
    best: tuple[float, str | None] = (_on_the_spot(sight, here, power, op), None) if here else (0.0, None)
    leave = sight.worth(here) * 0.9 if here and _holds_alone(sight, loc, units) else 0.0
    far = sight.game.far(here or loc)
    for area, steps in sorted(far.items()):
        if not 0 < steps <= op or area not in sight.game.worth or _bound(sight, loc, area):
            continue
        promise = _promise(sight, area, power, op - steps) - leave - 0.08 * steps
        if area in sight.game.lists["hostile"]:
            promise -= 0.12
        if promise > best[0]:
            best = (promise, area)
    return best


def _promise(sight: Sight, area: str, power: float, op: int) -> float:
    """What a force can make of an area when it gets there with so many points."""
    threat = sight.threat(area, sight.foe)
    value = sight.gain(area)
    if threat:
        if power < GOOD * threat:
            return -1.0
        if op >= 2:
            value += sight.worth(area) * min(power / (SURE * threat), 1.2) * 0.8
    elif sight.foe in sight.held_by(area) and op >= 4:
        value += 0.4 * sight.worth(area)
    return value


def _on_the_spot(sight: Sight, area: str, power: float, op: int) -> float:
    """What can be done where the force stands."""
    threat = sight.threat(area, sight.foe)
    if threat and power >= GOOD * threat and op >= 2:
        return sight.worth(area)
    rebels = sight.strength(sight.field(area, "rebels"))
    if not threat and rebels and power >= GOOD * rebels and sight.side != ROYALIST:
        return 0.8 * sight.worth(area)
    walls = [p for p in sight.game.within(area) if sight.inside(p, sight.foe)]
    if walls and not threat and op >= 3:
        return 0.7 * sight.worth(area)
    if sight.bands(area, sight.foe) and op >= 2:
        return 0.35 * sight.worth(area)
    return 0.0


def operate(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """One deed of the active force: fight where it pays, starve or storm, hunt, march on, or have done."""
    at, op = str(request.args["at"]), int(request.args["n"])
    move = Move.of(forms.get("march"))
    units = [u["id"] for u in move.stacks[at]] if move is not None else [
        u for u in sight.here.get(at, ()) if "active" in sight.badges[u]]
    area = sight.game.area(at)
    if area is not None:
        yield from _fight(sight, forms, area, units)
    if forms.keys() & {"sail", "embark", "land"}:
        yield from fleet.operate(sight, forms, at)
    if move is not None:
        yield from _march(sight, move, at, units, op)
    hunt = Allocate.of(forms.get("hunt"))
    if hunt is not None and op >= 2:
        yield {"form": "hunt", "lots": {lot.id: list(lot.units) for lot in hunt.lots}}
    yield {"form": "end_force", "option": "end"}


def _fight(sight: Sight, forms: Mapping[str, Form], area: str, units: list[str]) -> Iterator[Answer]:
    power = sight.strength(units)
    troops = sorted(u for u in units if sight.game.units[u].troops)
    for name in ("attack", "attack_legion", "relieve", "attack_rebels"):
        form = Declare.of(forms.get(name))
        if form is None:
            continue
        for target in form.targets:
            enemy_ = {"attack": sight.threat(area, sight.foe), "relieve": sight.threat(area, sight.foe),
                      "attack_legion": sight.threat(area, sight.foe),
                      "attack_rebels": sight.strength(sight.field(area, "rebels"))}[name]
            if (name != "attack_rebels" or sight.side != ROYALIST) and power >= GOOD * max(enemy_, 0.5):
                yield {"form": name, "target": target, "units": troops}
    if sight.threat(area, sight.foe) > 0.6 * power:
        return
    blockade, assault = Choose.of(forms.get("blockade")), Declare.of(forms.get("assault"))
    if blockade is not None and not sight.field(area, sight.foe):
        yield {"form": "blockade", "option": blockade.options[0].id}
    if assault is not None:
        for target in assault.targets:
            walls = sight.game.tables["siege"]["fortress" if sight.game.fortified(target) else "city"]
            if power >= 1.2 * (sight.strength(sight.inside(target, sight.foe)) + walls):
                yield {"form": "assault", "target": target, "units": troops}


def _march(sight: Sight, move: Move, at: str, units: list[str], op: int) -> Iterator[Answer]:
    """On to the best area; if the land behind would be empty the weakest stays."""
    goal = errand(sight, at, units, op)[1]
    if goal is None:
        return
    troops = [u for u in units if sight.game.units[u].troops]
    going = list(units)
    area = sight.game.area(at)
    if area is not None and sight.game.worth.get(area) and _holds_alone(sight, at, units) and len(troops) > 1 \
            and not sight.threat(area, sight.foe):
        going.remove(min(troops, key=lambda u: (sight.factor(u), u)))
    for party in (going, units):
        try:
            reach: dict[str, Any] = move.reach(party, {})
        except Refusal:
            continue
        if goal in reach["cost"]:
            path = [goal]
            while path[-1] in reach["via"]:
                path.append(reach["via"][path[-1]])
            yield {"form": "march", "units": sorted(party), "path": path[::-1]}
