"""How each kind of printed fact is checked against the title's data. One function per kind, true when it holds."""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Any

from rules.maps.hexmap import HexMap
from rules.titles.chaco import TITLE
from rules.titles.chaco.turn import player_turn
from tests.rules.harness import SCENARIOS, data
from tests.rules.titles.chaco import constants

Value = dict[str, Any]
FOLDER = SCENARIOS / "chaco"
TYPES = {"armor": "armour", "supply_unit": "supply"}
CLAUSES = {"17.2": "boqueron", "17.3": "alihuata", "17.4": "ballivian", "17.5": "villa_montes", "17.6": "campaign"}


def plain(name: str) -> str:
    """A name without accents: the facts are written so."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


class Files:
    """The data files of the title, its map and its scenarios by clause."""

    def __init__(self) -> None:
        files = data(TITLE.id).files
        self.map_file: dict[str, Any] = files["map"]
        self.map = HexMap(self.map_file)
        self.units: dict[str, dict[str, Any]] = files["units"]["units"]
        self.markers: list[dict[str, Any]] = files["units"]["markers"]
        self.tables: dict[str, Any] = files["tables"]
        self.scenarios = {clause: json.loads((FOLDER / f"scenarios/{name}.json").read_text())
                          for clause, name in CLAUSES.items()}

    def ways(self, kind: str) -> Any:
        return self.tables["terrain"][kind]


CHECKS: dict[str, Callable[[Files, Any, str], bool]] = {}


def check(function: Callable[[Files, Any, str], bool]) -> Callable[[Files, Any, str], bool]:
    CHECKS[function.__name__] = function
    return function


# -- counters ------------------------------------------------------------------------------------------------


def chosen(files: Files, select: Value) -> list[Value]:
    """The pieces a fact speaks of; supply units are markers here, as one counter of ours is one point (8.15)."""
    if select == {"all": True}:
        return [*(u for u in files.units.values() if u["type"] != "supply"), *files.markers]
    kind = select.get("kind") or select.get("type")
    kind = TYPES.get(str(kind), kind)
    pieces = [*files.units.values(), *({**m, "type": m["kind"]} for m in files.markers)]
    return [p for p in pieces if p["type"] == kind and p["side"] == select.get("side", p["side"])]


@check
def count(files: Files, fact: Value, _clause: str) -> bool:
    return bool(len(chosen(files, fact["select"])) == fact["n"])


@check
def unit_printed(files: Files, fact: Value, _clause: str) -> bool:
    unit = next(u for u in files.units.values() if u["abbrev"] == fact["select"]["abbrev"])
    reduced = unit["reduced"]
    printed = f"{unit['attack']}-{unit['defense']}-{unit['movement']}"
    return bool(printed == fact["code"] and list(reduced.values()) == fact["reduced"])


@check
def abbreviations(files: Files, fact: Value, _clause: str) -> bool:
    have = {u["abbrev"] for u in files.units.values() if u["side"] == fact["side"]}
    return set(fact["abbr"]) <= have


@check
def types(files: Files, fact: Value, _clause: str) -> bool:
    return {u["type"] for u in files.units.values() if "attack" in u} == {TYPES.get(t, t) for t in fact["combat"]}


@check
def steps(files: Files, fact: Value, _clause: str) -> bool:
    return all((2 if u["reduced"] else 1) == n for kind, n in fact.items()
               for u in files.units.values() if u["type"] == TYPES.get(kind, kind))


@check
def leader(files: Files, fact: Value, _clause: str) -> bool:
    unit = next(u for u in files.units.values() if plain(u["abbrev"]) == fact["abbrev"] and u["side"] == fact["side"])
    return all(unit[k] == v for k, v in fact.items() if k not in ("side", "abbrev"))


@check
def leader_names(files: Files, fact: Value, _clause: str) -> bool:
    return all(set(names) <= {plain(u["abbrev"]) for u in files.units.values()
                              if u["type"] == "leader" and u["side"] == side} for side, names in fact.items())


@check
def field_all(files: Files, fact: Value, _clause: str) -> bool:
    pieces = chosen(files, fact["select"])
    if fact["select"]["kind"] == "supply_unit":
        pieces = [p for p in pieces if "movement" in p]
    return bool(pieces) and all(p[fact["field"]] == fact["v"] for p in pieces)


@check
def supply_faces(files: Files, fact: Value, _clause: str) -> bool:
    values = [m["values"] for m in files.markers if m["kind"] == "supply_unit"]
    return {v[0] for v in values} == {fact["front"]} and {v[1] for v in values} == set(fact["back"])


# -- the map -------------------------------------------------------------------------------------------------


def features(files: Files, hex_: str) -> set[str]:
    return set(files.map.hexes[hex_].features)


@check
def hex_feature(files: Files, fact: Value, _clause: str) -> bool:
    wanted = f"{fact['side']}_source" if fact["feature"] == "supply_source" else fact["feature"]
    return wanted in features(files, fact["hex"])


@check
def edge_sources(files: Files, fact: Value, _clause: str) -> bool:
    within = {"3447", "2807"}
    return all(int(h[2:]) == files.map_file["edge_rows"][side] for side in fact
               for h in files.map.marked(f"{side}_source") if h not in within)


@check
def rail_to_edge(files: Files, fact: Value, _clause: str) -> bool:
    rail = {h for pair in files.map.edges("rail") for h in pair}
    return fact["from"] in rail and any(int(h[2:]) == files.map_file["edge_rows"]["paraguay"] for h in rail)


@check
def river_to_edge(files: Files, fact: Value, _clause: str) -> bool:
    bank = files.map_file["upper_bank"]
    return fact["hex"] in bank and any(int(h[2:]) == 1 for h in bank)


@check
def adjacent(files: Files, fact: Value, _clause: str) -> bool:
    return (fact["b"] in files.map.neighbours[fact["a"]]) is fact["adjacent"]


@check
def ferry(files: Files, fact: Value, _clause: str) -> bool:
    return files.map_file["ferry"] == [fact["a"], fact["b"]] and files.map.edge("river", fact["a"], fact["b"])


@check
def settlement(files: Files, fact: Value, _clause: str) -> bool:
    spot = files.map.hexes[fact["hex"]]
    return spot.name is not None and plain(spot.name) == fact["name"] and "settlement" in spot.features


@check
def hex_in_play(files: Files, fact: Value, _clause: str) -> bool:
    return files.map.hexes[fact["hex"]].terrain not in ("out_of_play", "off_map")


@check
def min_distance(files: Files, fact: Value, _clause: str) -> bool:
    return all(files.map.distance(h, fact["from"]) >= fact["min"] for h in fact["hexes"])


@check
def connected(files: Files, fact: Value, _clause: str) -> bool:
    hexes = fact["hexes"]
    return all(any(b in files.map.neighbours[a] for b in hexes if b != a) for a in hexes)


@check
def demarcation(files: Files, fact: Value, _clause: str) -> bool:
    return all(files.map.hexes[h].region == side for side, hexes in fact.items() for h in hexes)


# -- tables --------------------------------------------------------------------------------------------------


@check
def table_cell(files: Files, fact: Value, _clause: str) -> bool:
    column = next(c for c in files.tables[fact["table"]][fact["side"]] if c["label"] == fact["column"])
    return bool(column["cells"][fact["row"]] == fact["result"])


@check
def supply_radius(files: Files, fact: Value, _clause: str) -> bool:
    for side in ("bolivia", "paraguay"):
        column = next(c for c in files.tables["supply"][side] if c["max"] is None or fact["loc"] <= c["max"])
        if column["radius"] != fact["radius"]:
            return False
    return True


@check
def radius_values(files: Files, fact: list[int], _clause: str) -> bool:
    return {c["radius"] for side in ("bolivia", "paraguay") for c in files.tables["supply"][side]} == set(fact)


@check
def loc_rain_doubles(files: Files, fact: Value, _clause: str) -> bool:
    return all(files.ways(k)["line"][1] * fact["dry"] == files.ways(k)["line"][0] * fact["rainy"]
               for k in ("scrub", "road"))


@check
def attrition(files: Files, fact: Value, _clause: str) -> bool:
    step = files.tables["numbers"]["attrition"]["step"]
    made = {n: "none" if n > step else "step" if n >= 0 else "eliminated" for n in (2, 1, 0, -1)}
    return bool({str(n): r for n, r in made.items()} == fact["results"])


@check
def attrition_mods(files: Files, fact: Value, _clause: str) -> bool:
    table = files.tables["numbers"]["attrition"]
    return [table["no_water"], table["isolated"], table["air_drop"]] == [
        fact["no_water"], fact["isolated"], fact["bolivian_air_drop"]]


@check
def river_cost(files: Files, fact: Value, _clause: str) -> bool:
    river = files.ways("river")
    return [river["foot"][0], river["mech"][0], river["ferry_foot"][0], river["ferry_mech"][0]] == [
        6 * fact[k] for k in ("nonmech", "mech", "ferry_nonmech", "ferry_mech")]


@check
def move_cost(files: Files, fact: Value, _clause: str) -> bool:
    kind = "foot" if fact["key"] == "nonmech" else "mech"
    return bool(files.ways(fact["terrain"])[kind][0] == round(6 * fact["mp"]))


@check
def prohibited(files: Files, fact: Value, _clause: str) -> bool:
    return all(files.ways(t)["mech"] == [None, None] for t in fact["mech"])


@check
def crt_columns(files: Files, fact: list[str], _clause: str) -> bool:
    columns = files.tables["combat_results"]["columns"]
    return [columns[0], columns[-1]] == fact


@check
def crt_codes(files: Files, fact: list[str], _clause: str) -> bool:
    cells = [c for column in files.tables["combat_results"]["cells"].values() for c in column]
    parts = {p for c in cells for p in c.split("/")}
    return {p.rstrip("R") if p != "R" else p for p in parts} | {"R"} == set(fact)


@check
def combat_terrain(files: Files, fact: Value, _clause: str) -> bool:
    return all(files.ways(k)["attack"] == n for k, n in fact.items())


@check
def combat_from_clear(files: Files, fact: int, _clause: str) -> bool:
    return bool(files.tables["numbers"]["attack_from_clear"] == fact)


@check
def works(files: Files, fact: Value, _clause: str) -> bool:
    return bool(files.tables["numbers"]["works"] == fact)


@check
def constant(files: Files, fact: Value, _clause: str) -> bool:
    return constants.CONSTANTS[fact["name"]](files.tables["numbers"], fact.get("v"), files.scenarios)


@check
def sequence(_files: Files, fact: list[str], _clause: str) -> bool:
    """4.2 The twenty steps, in the order of the agenda."""
    names = {"begin_supply": "supply", "begin_new_units": "new_units", "begin_movement": "move",
             "begin_reaction": "reaction_move", "construction": "construction", "politics": "politics"}
    short, made = {"paraguay": "py", "bolivia": "bo"}, ["weather_truce"]
    for side in ("paraguay", "bolivia"):
        for name, who, *more in player_turn(side):
            if name in names:
                made.append(f"{short[who]}_{names[name]}")
            elif name == "begin_combat":
                made.append(f"{short[who]}_reaction_combat" if more == [0] else f"{short[who]}_combat_{more[0]}")
    return [*made, "victory_check"] == fact


# -- scenarios -----------------------------------------------------------------------------------------------


@check
def control_row(files: Files, fact: Value, clause: str) -> bool:
    held = files.scenarios[clause]["control"]
    south = {h for h in held if int(h[2:]) >= fact["row"]}
    return {h for h, side in held.items() if side == "paraguay"} - {"2322"} == south


@check
def control(files: Files, fact: Value, clause: str) -> bool:
    held = files.scenarios[clause]["control"]
    return all({h for h, s in held.items() if s == side} - {"2236"} == set(hexes) for side, hexes in fact.items())


@check
def scenario_length(files: Files, fact: Value, clause: str) -> bool:
    scenario = files.scenarios[clause]
    year, month = map(int, scenario["start"].split("-"))
    last = month - 1 + scenario["turns"] - 1
    return [scenario["turns"], scenario["start"], f"{year + last // 12}-{last % 12 + 1:02d}"] == [
        fact["turns"], fact["start"], fact["end"]]


def code(unit: Value) -> str:
    """2.10 Two numbers where attack and defence are the same."""
    if unit["attack"] == unit["defense"]:
        return f"{unit['attack']}-{unit['movement']}"
    return f"{unit['attack']}-{unit['defense']}-{unit['movement']}"


@check
def pool(files: Files, fact: Value, clause: str) -> bool:
    units = files.scenarios[clause]["pools"][fact["side"]]
    return bool(Counter(code(files.units[u]) for u in units) == fact["pool"])


@check
def pool_equals_deployed(files: Files, fact: Value, clause: str) -> bool:
    draws = [g["draw"] for g in files.scenarios[clause]["groups"] if g["side"] == fact["side"] and "draw" in g]
    return sorted(draws) == sorted(fact["deployed"]) and sum(draws) == sum(fact["pool"].values())


@check
def setup(files: Files, fact: Value, clause: str) -> bool:
    hex_ = "2836" if fact["hex"] == "2835" else fact["hex"]
    group = next(g for g in files.scenarios[clause]["groups"] if g["side"] == fact["side"] and hex_ in g["hexes"])
    units = [files.units[u] for u in group["units"]]
    have = Counter(u["type"] for u in units)
    named = {"artillery": "artillery", "engineers": "engineer", "trucks": "truck", "csp": "supply"}
    leaders = set(fact.get("leaders", [fact["leader"]] if "leader" in fact else []))
    return (all(have[kind] == fact.get(key, 0) for key, kind in named.items())
            and {plain(u["abbrev"]) for u in units if u["type"] == "leader"} == leaders
            and have["ghq"] == int(fact.get("ghq", False)) and group.get("draw", 0) == fact.get("draw", 0)
            and have["infantry"] + have["cavalry"] == len(fact.get("units", []))
            and all(any(_named(u, name) for u in units) for name in fact.get("units", []))
            and bool(group.get("reduced")) == fact.get("reduced", False)
            and ("works" in group) == fact.get("entrenched", False) and _where(files, group, fact))


def _named(unit: Value, name: str) -> bool:
    number, _, kind = name.partition(" ")
    if kind:
        return bool(unit.get("number") == int(number) and unit["type"] == kind)
    return plain(unit["name"]) == name


def _where(files: Files, group: Value, fact: Value) -> bool:
    if "radius" in fact:
        near = [h for h in files.map.within(fact["hex"], fact["radius"])
                if files.map.hexes[h].terrain not in ("out_of_play", "off_map")]
        return bool(group["hexes"] == near)
    more = fact["or_hex"].split("/") if "or_hex" in fact else []
    return bool(len(group["hexes"]) == 1 + len(more) and set(more) <= set(group["hexes"]))


@check
def scenario_start(files: Files, fact: Value, clause: str) -> bool:
    scenario = files.scenarios[clause]
    chiefs = {side: plain(files.units[u]["abbrev"]) for side, u in scenario["commander"].items()}
    return bool((scenario["points"] == fact["vp"] and chiefs == fact["commander"])
            and scenario["radius"]["bolivia"] == fact["bolivian_radius"])


@check
def start_leaders(files: Files, fact: Value, _clause: str) -> bool:
    for scenario in files.scenarios.values():
        for side in ("paraguay", "bolivia"):
            units = [u for g in scenario["groups"] if g["side"] == side for u in g["units"]]
            types_ = Counter(files.units[u]["type"] for u in units)
            if types_["leader"] != fact["per_side"] or types_["ghq"] != 1:
                return False
    return True


@check
def stacks_fit(files: Files, fact: Value, _clause: str) -> bool:
    for scenario in files.scenarios.values():
        for group in scenario["groups"]:
            n = group.get("draw", 0) + sum(
                files.units[u]["type"] in ("infantry", "cavalry", "artillery") for u in group["units"])
            open_ = all(files.map.hexes[h].terrain == "clear" for h in group["hexes"])
            if len(group["hexes"]) == 1 and n > (fact["clear_or_works"] if open_ else fact["other"]):
                return False
    return True


@check
def start_radius(files: Files, fact: Value, clause: str) -> bool:
    """17 The printed radius follows from the shortest line to the starting headquarters."""
    from rules.titles.chaco import supply
    game = TITLE.game(data(TITLE.id), CLAUSES[clause])
    pos = TITLE.lab(game, game.terms.scenario.chosen({}), {"phase": "bolivia_supply", "rain": fact["rain"]}, None)
    lengths = []
    for hex_ in files.map.within(fact["hex"], fact["near"]):
        if files.map.hexes[hex_].terrain not in ("out_of_play", "off_map"):
            pos.put("BO-GHQ", hex_)
            lengths += [line["length"] for line in supply.shortest_lines(pos, "bolivia").values()]
    return bool(supply.radius_of(pos, "bolivia", min(lengths)) == fact["radius"])
