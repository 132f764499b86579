"""Set-up, events, losses, supply and advances: all requests but movement and the choice of attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.bots.triple_alliance.sight import ALLIED, FAR, PARAGUAY, Sight
from rules.bots.triple_alliance.worth import CERRO_LEON, CITIES, FORTS, TOWNS, cheapest, prize, rates, worth
from rules.core.forms import Allocate, Answer, Form, Lot, Place

THRIFT = 2.0       # units a supply unit must save in attrition
SUPPLY_PAYS = 3.0  # units' worth it must bring in a fight
GARRISON = 10      # units that go into a hex taken, for attrition's sake


def ideas(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """The one thought there is for each kind of request."""
    thoughts: Mapping[str, Callable[[Sight, Any], Answer]] = {
        "set_up": _set_up, "crush_mendoza": _send, "meet_invasion": _send, "attrition_supply": _attrition_supply,
        "attrition_losses": _lose, "guns_losses": _lose, "defender_losses": _lose, "attacker_losses": _lose,
        "attacker_supply": _combat_supply, "defender_supply": _combat_supply, "advance": _advance}
    for name, think in thoughts.items():
        if name in forms:
            yield think(sight, forms[name])
    for name in ("no_invasion", "leave_mendoza", "let_them_come"):
        if name in forms:
            yield {"form": name, "option": name}


def _set_up(_sight: Sight, form: Place) -> Answer:
    return {"form": form.name, "placed": dict(form.suggested), "boxes": dict(form.suggested_boxes)}


def _send(sight: Sight, form: Allocate) -> Answer:
    """The cheapest of those far from the front."""
    front = {h: min((sight.game.map.distance(h, foe) for foe in sight.foes), default=FAR) for h in sight.own}

    def rank(unit: str) -> tuple[bool, float, int, str]:
        far = front.get(sight.at.get(unit, ""), FAR)
        return far < 4, worth(sight.unit(unit)), -far, unit

    return {"form": form.name, "lots": {lot.id: sorted(lot.units, key=rank)[:lot.least] for lot in form.lots}}


def _lose(sight: Sight, form: Allocate) -> Answer:
    return {"form": form.name, "lots": {lot.id: cheapest(sight, lot.units, lot.least, lot.last) for lot in form.lots}}


def _attrition_supply(sight: Sight, form: Allocate) -> Answer:
    lots = {}
    for lot in form.lots:
        assert lot.at is not None
        count = len(sight.own[lot.at])
        if sight.attrition(lot.at, count, now=True) - sight.attrition(lot.at, count, now=True, relief=3) >= THRIFT:
            lots[lot.id] = list(lot.units[:1])
    return {"form": form.name, "lots": lots}


def _combat_supply(sight: Sight, form: Allocate) -> Answer:
    """Three on the die: spend it where the table says it pays."""
    battle = sight.fragments.get("battle") or {}
    attacking = form.name == "attacker_supply"
    swing = 3 if attacking else -3
    lot = form.lots[0]
    pays = bool(lot.units and battle.get("column")) and _swing(sight, battle, swing, attacking) >= SUPPLY_PAYS
    return {"form": form.name, "lots": {lot.id: list(lot.units[:1])} if pays else {}}


def _swing(sight: Sight, battle: Mapping[str, Any], drm: int, attacking: bool) -> float:
    """What a shift of the die is worth to this side in a battle."""
    cells = sight.game.tables["combat_results"]["cells"][battle["column"]]
    attackers = sum(len(part["units"]) for part in battle["sides"]["attack"])
    defenders = sum(len(part["units"]) for part in battle["sides"]["defense"])
    theirs, ours = rates(sight.side)
    hex_value = prize(sight, battle["target"]) if attacking else _hold_value(sight, battle["target"])

    def mean(total: int) -> float:
        rows = [cells[max(0, min(14, face + total))] for face in range(10)]
        lost, killed = sum(min(a, attackers) for a, _ in rows), sum(min(d, defenders) for _, d in rows)
        clears = sum(d >= defenders for _, d in rows)
        gain = theirs * killed - ours * lost if attacking else theirs * lost - ours * killed
        return float((gain + (hex_value if attacking else -hex_value) * clears) / 10)

    return mean(battle["total"] + drm) - mean(battle["total"])


def _hold_value(sight: Sight, hex_: str) -> float:
    held = {PARAGUAY: (*TOWNS, *FORTS, CERRO_LEON), ALLIED: CITIES}[sight.side]
    return 6.0 if hex_ in held else 0.5


def _advance(sight: Sight, form: Allocate) -> Answer:
    lot: Lot = form.lots[0]
    assert lot.at is not None
    land = sorted((u for u in lot.units if not sight.unit(u).river),
                  key=lambda u: (sight.unit(u).artillery, -sight.unit(u).defense, worth(sight.unit(u)), u))
    fighters = [u for u in land if not sight.unit(u).artillery]
    wanted = prize(sight, lot.at) >= 3.0
    if wanted:
        taken = fighters[:GARRISON] or land[:1]
    elif sight.side == PARAGUAY:
        taken = fighters[-1:]  # 13.27: one is enough to pick up the arms
    else:
        taken = []
    if wanted and not taken:
        ships = [u for u in lot.units if sight.unit(u).river and not sight.unit(u).chata]
        taken = ships[:3]
    return {"form": form.name, "lots": {lot.id: taken[:lot.most]}}
