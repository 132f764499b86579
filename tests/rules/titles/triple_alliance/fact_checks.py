"""How each kind of printed fact is checked against the title's data. One function per kind, true when it holds."""

import itertools
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules.maps.hexmap import HexMap
from rules.maps.paths import connected

Value = dict[str, Any]


SCENARIOS = Path(__file__).parents[4] / "scenarios" / "triple_alliance"


def read(name: str) -> Any:
    """One data file of the title."""
    return json.loads((SCENARIOS / f"{name}.json").read_text())


class Files:
    """The data files of the title, and its map."""

    def __init__(self) -> None:
        self.map_file: dict[str, Any] = read("map")
        self.map = HexMap(self.map_file)
        counters = read("units")
        self.units: dict[str, dict[str, Any]] = counters["units"]
        self.markers: list[dict[str, Any]] = counters["markers"]
        self.tables: dict[str, Any] = read("tables")
        self.war: dict[str, Any] = read("scenarios/war")


CHECKS: dict[str, Callable[[Files, Any], bool]] = {}
TURNS = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}


def check(function: Callable[[Files, Any], bool]) -> Callable[[Files, Any], bool]:
    CHECKS[function.__name__] = function
    return function


def plain(name: str) -> str:
    """A name without accents: the facts are written so."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def matches(piece: Value, select: Value) -> bool:
    """Whether a unit or marker is one that a fact speaks of."""
    for key, wanted in select.items():
        if key == "setup":
            wanted = {**wanted, "turn": TURNS[wanted["turn"]]} if "turn" in wanted else wanted
            if any(piece.get("setup", {}).get(k) != v for k, v in wanted.items()):
                return False
        elif key != "all" and piece.get({"gn": "guard", "marker": "kind"}.get(key, key)) != wanted:
            return False
    return True


def chosen(data: Files, select: Value) -> list[Value]:
    return [piece for piece in [*data.units.values(), *data.markers] if matches(piece, select)]


# --- counters


@check
def count(data: Files, fact: Value) -> bool:
    return bool(len(chosen(data, fact["select"])) == fact["n"])


@check
def abbreviations(data: Files, fact: Value) -> bool:
    """Each printed abbreviation is on a counter, alone or after the unit's number."""
    have = {u["abbrev"] for u in chosen(data, {"nation": fact["nation"], "mobility": fact["mobility"]})}
    return set(fact["abbr"]) <= have | {abbrev.lstrip("0123456789") for abbrev in have}


@check
def types(data: Files, fact: Value) -> bool:
    return all({u["type"] for u in chosen(data, {"mobility": m})} == set(names) for m, names in fact.items())


@check
def setup_all(data: Files, fact: Value) -> bool:
    units = chosen(data, fact["select"])
    return bool(units) and all(matches(u, {"setup": fact["setup"]}) for u in units)


@check
def nations_in_setup(data: Files, fact: Value) -> bool:
    units = chosen(data, {"setup": fact["setup"]})
    seen = {u["nation"] for u in units}, {u["mobility"] for u in units}
    return seen == (set(fact["nations"]), set(fact["mobilities"]))


@check
def unit_at(data: Files, fact: Value) -> bool:
    return [u["setup"]["hex"] for u in chosen(data, fact["select"])] == [fact["hex"]]


@check
def setup_stack(data: Files, fact: Value) -> bool:
    standing = chosen(data, {"setup": {"kind": "hex", "hex": fact["hex"]}})
    return bool(len(standing) == fact["n"] <= fact["max"])


@check
def zero_attack_exists(data: Files, fact: bool) -> bool:
    return any(u["attack"] == 0 for u in data.units.values()) is fact


@check
def mendoza_feasible(data: Files, fact: Value) -> bool:
    """8.3 The six and four can be found in the first turn that may ask for them."""
    by_then = [
        u
        for u in chosen(data, {"side": "allied", "guard": False})
        if u["setup"]["kind"] != "available" and u["setup"].get("turn", 1) <= TURNS[fact["turn"]]
    ]
    need = data.tables["events"]["mendoza"]
    infantry = sum(u["type"] == "infantry" for u in by_then)
    others = sum(u["type"] in ("cavalry", "field_artillery", "siege_artillery") for u in by_then)
    return bool(infantry >= need["infantry"] and others >= need["cavalry_or_artillery"])


def set_up_hexes(data: Files, where: Value) -> set[str]:
    """3.3, 3.4 The hexes that a set-up code allows."""
    if where["kind"] == "hex":
        return {where["hex"]}
    if where["kind"] == "river_stretch":
        river = data.map.along("navigable_river")
        above = {h for h in river[where["from"]] if where["to"] not in connected(river, [h], {where["from"]})}
        return connected(river, [where["from"]], above)
    near = data.map.within(where["hex"], where["radius"]) if where["kind"] == "radius" else data.map.hexes
    land = {h: data.map.hexes[h] for h in near if data.map.hexes[h].country == where["country"]}
    return {h for h, spot in land.items() if spot.region == where.get("region", spot.region)}


@check
def setup_groups_fit(data: Files, fact: bool) -> bool:
    """Every group has room, and ships have rivers."""
    for group in data.war["groups"]:
        if group["where"]["kind"] in ("available", "reinforcement"):
            continue
        allowed = set_up_hexes(data, group["where"])
        ships = any(data.units[u]["mobility"] == "river" for u in group["units"])
        if len(group["units"]) > data.tables["stacking_limit"] * len(allowed):
            return not fact
        if ships and any(data.map.hexes[h].terrain != "river" for h in allowed):
            return not fact
    return fact


# --- map


@check
def hex_feature(data: Files, fact: Value) -> bool:
    if fact["feature"] == "road":
        return bool(data.map.along("road")[fact["hex"]])
    return fact["feature"] in data.map.hexes[fact["hex"]].features


@check
def hex_named(data: Files, fact: Value) -> bool:
    spot = data.map.hexes[fact["hex"]]
    return spot.name is not None and plain(spot.name) == fact["name"] and fact["feature"] in spot.features


@check
def hex_terrain(data: Files, fact: Value) -> bool:
    return bool(data.map.hexes[fact["hex"]].terrain == fact["terrain"])


@check
def hex_country(data: Files, fact: Value) -> bool:
    return bool(data.map.hexes[fact["hex"]].country == fact["country"])


@check
def hex_region(data: Files, fact: Value) -> bool:
    return bool(data.map.hexes[fact["hex"]].region == fact["region"])


@check
def adjacent(data: Files, fact: Value) -> bool:
    return (fact["b"] in data.map.neighbours[fact["a"]]) is fact["adjacent"]


@check
def distance(data: Files, fact: Value) -> bool:
    return bool(data.map.distance(fact["a"], fact["b"]) == fact["d"])


@check
def map_edge(data: Files, fact: Value) -> bool:
    return len(data.map.neighbours[fact["hex"]]) < 6


@check
def nav_path(data: Files, fact: Value) -> bool:
    return fact["to"] in connected(data.map.along("navigable_river"), [fact["from"]], set())


@check
def road_path(data: Files, fact: Value) -> bool:
    return fact["to"] in connected(data.map.along("road"), [fact["from"]], set())


@check
def no_nav_edge(data: Files, fact: Value) -> bool:
    return not data.map.edge("navigable_river", fact["a"], fact["b"])


def on_net(data: Files, hex_id: str) -> bool:
    """7.5 Whether road, railway or navigable river passes through."""
    return data.map.hexes[hex_id].terrain == "river" or any(data.map.along(k)[hex_id] for k in ("road", "rail"))


@check
def not_net_hex(data: Files, fact: Value) -> bool:
    return not on_net(data, fact["hex"])


@check
def off_net(data: Files, fact: Value) -> bool:
    return not any(on_net(data, h) for h in (fact["hex"], *data.map.neighbours[fact["hex"]]))


@check
def minor_between(data: Files, fact: Value) -> bool:
    return data.map.edge("minor_river", fact["hex"], fact["other"])


@check
def chaco_bounds(data: Files, fact: Value) -> bool:
    """7.10 Where the Chaco ends on land, the Pilcomayo or the minor part of the Paraguay flows."""
    rivers = {fact["south"], fact["east"].removesuffix(" (upper)")}
    named = {(a, b): plain(name) for a, b, name in data.map_file["edges"]["minor_river"]}
    chaco = {h for h, spot in data.map.hexes.items() if spot.region == "chaco"}
    border = [(h, n) for h in chaco for n in data.map.neighbours[h] if n not in chaco]
    land = [tuple(sorted(side)) for side in border if data.map.hexes[side[1]].terrain != "river"]
    return bool(land) and all(named.get((a, b)) in rivers for a, b in land)


@check
def entry_span(data: Files, fact: Value) -> bool:
    entry = data.map_file["matto_grosso_entry"]
    chain = all(b in data.map.neighbours[a] for a, b in itertools.pairwise(entry))
    ends = (entry[0], entry[-1]) == (fact["first"], fact["last"])
    return chain and ends and set(entry) == set(data.map.marked("matto_grosso_entry"))


@check
def rail(data: Files, fact: Value) -> bool:
    line = connected(data.map.along("rail"), [fact["from"]], set())
    shared = [h for h in line if data.map.along("road")[h]]
    paraguayan = all(data.map.hexes[h].country == "paraguay" for h in line)
    return fact["to"] in line and len(line) == fact["hexes"] and paraguayan and 0 < len(shared) < len(line)


@check
def region_exists(data: Files, fact: Value) -> bool:
    """3.3 The main area is one piece, apart from the others, and larger than all of them together."""
    spots = data.map.hexes
    country = {h for h, spot in spots.items() if spot.country == fact["country"]}
    main = {h for h in country if spots[h].region == fact["main_region"]}
    outside = set(spots) - country
    regions = {spots[h].region for h in country}
    piece = connected(data.map.neighbours, [min(main)], outside)
    return piece == main and 2 * len(main) > len(country) and len(regions) - 1 >= fact["enclaves_min"]


@check
def terrain_types(data: Files, fact: list[str]) -> bool:
    have = {spot.terrain for spot in data.map.hexes.values()}
    if data.map.edges("minor_river"):
        have.add("minor_river_hexside")
    return have == set(fact)
