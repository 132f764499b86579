"""What units, hexes and fights are worth, in battalions of the line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.bots.triple_alliance.sight import ALLIED, PARAGUAY, Sight
from rules.titles.triple_alliance.tables import odds
from rules.titles.triple_alliance.units import Game, Unit

CITIES = ("1335", "1241", "1541", "2044")          # with Asunción, the war for Paraguay (4.2)
TOWNS = ("1826", "1918", "2622")                    # a point each for the Allies (4.4)
FORTS = ("1434", "1433", "1432", "1827", "2534")    # a point together
CERRO_LEON = "2026"                                 # half of what Paraguay can replace (10.3)
PHASES = (1, 0, -1)


def worth(unit: Unit) -> float:
    """What losing a unit costs."""
    if unit.fortress:
        return 9.0
    base = 0.25 * unit.attack + 0.2 * unit.defense
    if unit.guard:
        return 0.5 * base
    if unit.type in ("siege_artillery", "rocket_artillery") or (unit.type == "engineer" and unit.side == ALLIED):
        return base + 1.0
    if unit.supply:
        return 1.5
    return base + (0.02 * unit.movement if unit.river else 0.0)


def cheapest(sight: Sight, units: Iterable[str], n: int, last: Iterable[str] = ()) -> list[str]:
    """The n units easiest to spare, those of `last` after all others."""
    late = set(last)
    return sorted(units, key=lambda u: (u in late, worth(sight.unit(u)), u))[:n]


def prize(sight: Sight, hex_: str) -> float:
    """What taking a hex is worth to the side."""
    if sight.side == PARAGUAY:
        missing = [h for h in (*CITIES, "1826") if sight.controller(h) != PARAGUAY]
        if missing == [hex_]:
            return 200.0
        return 7.0 if hex_ in CITIES or hex_ in sight.game.goal else 5.0 if hex_ in TOWNS and hex_ in missing else 0.5
    if hex_ in TOWNS:
        return 14.0 + 2 * max(0, sight.turn - 6)
    if hex_ in CITIES or hex_ in sight.game.goal:
        return 10.0
    if hex_ in FORTS:
        return 4.0 + 10.0 / max(1, len(sight.standing_forts))
    return 5.0 if hex_ == CERRO_LEON else 0.5


def rates(side: str) -> tuple[float, float]:
    """What a foreign and an own unit lost counts: Paraguay has fewer to give."""
    return (1.0, 1.15) if side == PARAGUAY else (1.15, 0.85)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a day of three combat phases would bring on average."""

    killed: float
    lost: float
    clears: float

    def value(self, side: str, hex_value: float) -> float:
        theirs, ours = rates(side)
        return theirs * self.killed - ours * self.lost + self.clears * hex_value


@lru_cache(maxsize=20000)
def _blow(game: Game, column: str, drm: int, attackers: int, defenders: int) -> tuple[float, float, float]:
    """Mean losses of attacker and defender; the chance that no defender is left, and an attacker to move in."""
    cells = game.tables["combat_results"]["cells"][column]
    rows = [cells[max(0, min(14, face + drm))] for face in range(10)]
    return (sum(min(a, attackers) for a, _ in rows) / 10, sum(min(d, defenders) for _, d in rows) / 10,
            sum(d >= defenders and a < attackers for a, d in rows) / 10)


def forecast(game: Game, attack: float, attackers: int, defense: float, defenders: int, drm: int) -> Forecast:
    """The mean course of an attack kept up through the three phases while it pays."""
    return _forecast(game, round(attack), attackers, max(1, round(defense)), defenders, drm)


@lru_cache(maxsize=100_000)
def _forecast(game: Game, attack: int, attackers: int, defense: int, defenders: int, drm: int) -> Forecast:
    killed = lost = 0.0
    holds = 1.0
    there, here = float(defenders), float(attackers)
    for phase in PHASES:
        strength, wall = attack * here / max(1, attackers), defense * there / max(1, defenders)
        if strength < 1 or there < 0.5:
            break
        ratio = odds(int(strength), max(1, round(wall)))
        if ratio.column is None:
            break
        mine, theirs, clears = _blow(game, ratio.column, drm + phase + ratio.above, max(1, round(here)),
                                     max(1, round(there)))
        if killed and theirs < mine:
            break
        killed, lost = killed + min(theirs, there), lost + mine
        here, there, holds = here - mine, there - min(theirs, there), holds * (1 - clears)
    return Forecast(killed, lost, 1 - holds)


def ground(sight: Sight, target: str, units: Sequence[str]) -> int:
    """The die modifiers of an attack on a hex that are known before it: ground, fortress, nations, tools, supply."""
    game, spot = sight.game, sight.game.map.hexes[target]
    drm = 0
    fort = sight.fortress(target)
    if spot.terrain in ("rough", "forest", "marsh") or (spot.terrain == "river" and not fort):
        drm -= 1
    if sight.side == ALLIED:
        kinds = {sight.unit(u).type for u in units}
        if fort:
            drm += game.tables["fortress_drm"][target] + ("siege_artillery" in kinds) + ("engineer" in kinds)
        drm -= max(0, len({sight.unit(u).nation for u in units}) - 1)
    elif any(sight.unit(u).type == "rocket_artillery" for u in units) and spot.terrain in ("clear", "river"):
        drm += 1
    return drm


def strength(sight: Sight, units: Iterable[str]) -> int:
    """13.26 Attack factors, guns no more than the rest."""
    guns = others = 0
    for unit in map(sight.unit, units):
        if unit.artillery:
            guns += unit.attack
        else:
            others += unit.attack
    return others + min(guns, others)


def forces(sight: Sight, able: Sequence[str]) -> list[list[str]]:
    """All; by land alone, for ships draw the fire of fortresses (13.18); one nation alone, for allies quarrel
    (13.19)."""
    out = [list(able)]
    land = [u for u in able if not sight.unit(u).river]
    out.append(land)
    for nation in sorted({sight.unit(u).nation for u in able}):
        out += [[u for u in part if sight.unit(u).nation == nation] for part in (able, land)]
    found: list[list[str]] = []
    for force in out:
        if force and force not in found:
            found.append(force)
    return found
