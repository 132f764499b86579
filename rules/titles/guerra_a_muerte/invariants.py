"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from rules.core.errors import BadPosition
from rules.titles.guerra_a_muerte.board import SIDES, enemy
from rules.titles.guerra_a_muerte.position import OUT, Position


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    game = pos.game
    if set(pos.at) != set(game.units):
        raise BadPosition("units lost or made up")
    for unit, loc in pos.at.items():
        u = game.units[unit]
        if loc not in game.spaces and loc != OUT and loc.partition(":")[0] not in ("recruits", "turn"):
            raise BadPosition(f"{unit} stands at {loc!r}, which is no place")
        if u.ship and loc in game.worth:
            raise BadPosition(f"{unit} sails on land in {loc} (7.1)")
        if not u.ship and not u.naval and loc in game.seas and unit not in pos.aboard:
            raise BadPosition(f"{unit} stands in the sea {loc} (7.6)")
    for unit in pos.reduced:
        if game.units[unit].steps < 2 or pos.reduced.count(unit) > 1:
            raise BadPosition(f"{unit} cannot be reduced")
        if not pos.on_map(unit) and pos.stage != "set_up":
            raise BadPosition(f"{unit} is reduced off the map")
    for unit in pos.guerrillas:
        if not game.units[unit].militia or pos.at[unit] not in game.worth:
            raise BadPosition(f"{unit} is a guerrilla at {pos.at[unit]} (10.1)")
    for unit, ship in pos.aboard.items():
        if pos.at[unit] != pos.at[ship] or not game.units[ship].ship:
            raise BadPosition(f"{unit} is not where its ship {ship} is (7.7)")
    _places(pos)
    _boxes(pos)
    if any(n < 0 for n in pos.purses.values()):
        raise BadPosition("a purse is overdrawn (4.2)")


def _places(pos: Position) -> None:
    """6.2, 6.4, 6.7 Cities hold one side; sieges have besiegers in the field and somebody besieged."""
    for place in pos.game.places:
        sides = {pos.unit(u).side for u in pos.stack(place) if not pos.unit(u).ship and u not in pos.aboard}
        if len(sides) > 1:
            raise BadPosition(f"both sides stand in {place} (6.7)")
    for city, siege in pos.sieges.items():
        area = pos.game.area(city)
        if not pos.troops(siege["units"]) or any(pos.at[u] != area for u in siege["units"]):
            raise BadPosition(f"the siege of {city} has besiegers elsewhere (6.2)")
        if any(pos.unit(u).side != siege["side"] for u in siege["units"]):
            raise BadPosition(f"the siege of {city} has besiegers of two sides (6.2)")
        if any(pos.unit(u).side != enemy(siege["side"]) for u in pos.stack(city) if not pos.unit(u).ship):
            raise BadPosition(f"besiegers stand in {city} (6.2)")


def _boxes(pos: Position) -> None:
    """5.1.1 A marker for each area at most, on troops of its side."""
    for side in SIDES:
        areas = [a for a in pos.armies[side].values() if a is not None]
        if len(set(areas)) < len(areas):
            raise BadPosition(f"two army markers of {side} in one area (5.1.1)")
        for area in areas:
            if not any(pos.boxed(u) for u in pos.troops(pos.units_at(area, side))):
                raise BadPosition(f"an empty army box of {side} in {area} (5.1.1)")
