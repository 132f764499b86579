"""Checks of printed facts against `tables.json`; imported for what they register in `fact_checks.CHECKS`."""

from collections.abc import Callable
from typing import Any

from tests.rules.titles.triple_alliance.fact_checks import TURNS, Files, Value, check


@check
def table_cell(data: Files, fact: Value) -> bool:
    table = data.tables[fact["table"]]
    row = table["rows"].index(fact["row"])
    if fact["table"] == "attrition":
        labels = [c["label"] for c in table["columns"] if c["min"] <= fact["units"] <= c["max"]]
        return bool([table["cells"][label][row] for label in labels] == [fact["result"]])
    if fact["table"] == "combat_results":
        return bool(table["cells"][fact["column"]][row] == fact["result"])
    return bool(table["cells"][row] == fact["result"])


@check
def table_range(data: Files, fact: Value) -> bool:
    low, high = fact["rows"]
    return bool(data.tables[fact["table"]]["rows"] == list(range(low, high + 1)))


@check
def drm(data: Files, fact: Value) -> bool:
    ours = {
        "paraguayan_fortress_in_or_adjacent": "paraguayan_fortress",
        "allied_depot_in_or_adjacent": "allied_depot",
    }
    modifiers = data.tables["modifiers"][fact["table"]]
    return bool(modifiers[ours.get(fact["id"], fact["id"])]["drm"] == fact["drm"])


@check
def crt_columns(data: Files, fact: list[str]) -> bool:
    columns = data.tables["combat_results"]["columns"]
    return [columns[0], columns[-1]] == fact


@check
def odds_above_example(data: Files, fact: Value) -> bool:
    top = int(fact["column"].split(":")[0])
    step = data.tables["modifiers"]["combat"]["odds_above_6_1"]["drm"]
    return bool((fact["odds"] - top) * step == fact["drm"])


@check
def move_cost(data: Files, fact: Value) -> bool:
    key = "paraguay_free" if fact.get("key") == "mp_paraguay" else "mp"
    return bool(data.tables["terrain"][fact["terrain"]][key] == fact["mp"])


@check
def minor_cost(data: Files, fact: Value) -> bool:
    minor = data.tables["terrain"]["minor_river"]
    return (minor["odd_turn"], minor["even_turn"]) == (fact["odd"], fact["even"])


@check
def cost_example(data: Files, fact: Value) -> bool:
    terrain = data.tables["terrain"]
    river = terrain["minor_river"][f"{fact['turn']}_turn"] if fact["minor"] else 0
    return bool(terrain[fact["terrain"]]["mp"] + river == fact["mp"])


@check
def river_cost(data: Files, fact: Value) -> bool:
    ship = data.tables["terrain"]["ship"]
    return (ship["mp"], ship["in_paraguay"]) == (fact["normal"], fact["paraguay"])


@check
def combat_drm(data: Files, fact: Value) -> bool:
    key = fact["terrain"].removesuffix("_hexside")
    return bool(data.tables["modifiers"]["combat"].get(key, {"drm": 0})["drm"] == fact["drm"])


@check
def fortress_drm(data: Files, fact: Value) -> bool:
    return all(data.tables["fortress_drm"][h] == fact["drm"] for h in fact.get("others", [fact.get("hex")]))


@check
def fortress_drm_range(data: Files, fact: list[int]) -> bool:
    table = data.tables["fortress_drm"]
    return set(table.values()) == set(fact) and set(table) == set(data.map.marked("fortress_start"))


@check
def turn_period(data: Files, fact: Value) -> bool:
    turn = data.tables["turn_track"][TURNS[fact["turn"]] - 1]
    return fact["contains"].lower() in turn["period"]["en"].lower()


@check
def winter_turns(data: Files, fact: list[str]) -> bool:
    return [turn["label"] for turn in data.tables["turn_track"] if turn["winter"]] == fact


@check
def constant(data: Files, fact: Value) -> bool:
    return bool(CONSTANTS[fact["name"]](data, fact["v"]))


def _combat(data: Files, *ids: str) -> list[int]:
    return [data.tables["modifiers"]["combat"][name]["drm"] for name in ids]


def _victory(data: Files, fact: Value) -> bool:
    terms = data.tables["victory"]
    draw = list(range(terms["paraguay_at_most"] + 1, terms["allied_at_least"]))
    last = TURNS[fact["turn"]] == terms["last_turn"]
    return bool(last and max(fact["paraguay"]) == terms["paraguay_at_most"] and fact["draw"] == draw)


def _points(data: Files, fact: Value) -> bool:
    points = data.tables["victory"]["points"]
    ours = {
        "all_five_fortresses": points["fortresses"],
        "matto_grosso_not_defeated_turn_V": points["matto_grosso"],
        "mendoza_not_defeated": points["mendoza_lost"],
        **points["hexes"],
    }
    return ours == fact and set(points["hexes"]) == set(data.map.marked("allied_vp"))


def _replacements(data: Files, fact: Value) -> bool:
    table = data.tables["replacements"]
    paraguay = [fact["paraguay"], fact["paraguay_one_lost"], fact["paraguay_both_lost"]]
    allied = {nation: fact[nation] for nation in ("argentina", "brazil", "uruguay")}
    from_turn = TURNS[fact["from_turn"]]
    ours = table["paraguay_rate_by_towns_lost"], table["rates"], table["from_turn"]
    return ours == (paraguay, allied, from_turn)


def _replacement_cost(data: Files, fact: Value) -> bool:
    table = data.tables["replacements"]
    by_type = {name: cost for name, cost in fact.items() if name != "paraguay_sappers"}
    sappers = {u for u, unit in data.units.items() if unit["type"] == "engineer" and unit["side"] == "paraguay"}
    return bool(table["costs"] == by_type and table["unit_costs"] == dict.fromkeys(sappers, fact["paraguay_sappers"]))


def _transport(data: Files, fact: Value) -> bool:
    table = data.tables["transport"]
    carry = {"transport": fact["transport_units"], "warship": fact["other_river_unit_infantry"], "chata": fact["chata"]}
    return bool(table["embark_mp"] == fact["embark_mp"] and table["capacity"] == carry)


def _transport_example(data: Files, fact: Value) -> bool:
    enter, board = data.tables["terrain"]["river"]["mp"], data.tables["transport"]["embark_mp"]
    return (enter, board, fact["mf"] - enter - board) == (fact["enter_river"], fact["embark"], fact["left"])


def _attrition_example(data: Files, fact: Value) -> bool:
    drms = {name: modifier["drm"] for name, modifier in data.tables["modifiers"]["attrition"].items()}
    total = drms["winter"] + drms["marsh"] + drms["chaco"]
    return (total, total + drms["supply_unit_expended"]) == (fact["sum"], fact["with_supply"])


def _matto_grosso(data: Files, fact: Value) -> bool:
    event = data.tables["events"]["matto_grosso"]
    return (event["supply"], event["infantry"]) == (fact["supply"], fact["brazil_infantry_with_numeral"])


def _mendoza(data: Files, fact: Value) -> bool:
    return bool(
        data.tables["events"]["mendoza"]
        == {
            "from_turn": TURNS[fact["from_turn"]],
            "breaks_out": fact["occurs_on"],
            "infantry": fact["infantry"],
            "cavalry_or_artillery": fact["cavalry_or_artillery"],
        }
    )


def _guard(data: Files, fact: Value) -> bool:
    table = data.tables["national_guard"]
    return bool(
        table["alone"] == fact["alone_eliminated_on"] and table["accompanied"] == fact["with_non_gn_eliminated_on"]
    )


def _months(data: Files, fact: Value) -> bool:
    return all(t["months"] == fact.get(t["label"], fact["other"]) for t in data.tables["turn_track"])


def _not_replaceable(data: Files, fact: list[str]) -> bool:
    table = data.tables["replacements"]
    river = {u["type"] for u in data.units.values() if u["mobility"] == "river"}
    barred = (river if "river" in fact else set()) | (set(fact) - {"gn", "river"})
    return set(table["irreplaceable_types"]) == barred and table["irreplaceable_guard"] is ("gn" in fact)


def _supply_combat(data: Files, fact: Value) -> bool:
    ours = _combat(data, "attacker_supply", "defender_supply", "attacker_no_line", "defender_no_line")
    return ours == [fact[k] for k in ("attacker_expends", "defender_expends", "attacker_no_line", "defender_no_line")]


def _joint(data: Files, fact: Value) -> bool:
    ours = _combat(
        data,
        "allied_defense_two_nations",
        "allied_defense_three_nations",
        "allied_attack_two_nations",
        "allied_attack_three_nations",
    )
    return ours == [
        fact[k] for k in ("paraguay_attack_two_nations", "three", "allied_attack_two_nations", "allied_three")
    ]


CONSTANTS: dict[str, Callable[[Files, Any], bool]] = {
    "hex_km": lambda d, v: d.map_file["grid"]["hex_km"] == v,
    "turn_months": _months,
    "die": lambda d, v: (d.tables["die"]["lowest"], d.tables["die"]["highest"]) == (v["min"], v["max"]),
    "victory": _victory,
    "vp": _points,
    "combat_phase_drm": lambda d, v: _combat(d, "first_combat_phase", "third_combat_phase") == [v["1"], v["3"]],
    "last_turn": lambda d, v: d.war["last_turn"] == len(d.tables["turn_track"]) == TURNS[v],
    "stack_limit": lambda d, v: (
        d.tables["stacking_limit"] == v == max(c["max"] for c in d.tables["attrition"]["columns"])
    ),
    "attrition_example": _attrition_example,
    "gn_attrition": _guard,
    "supply_combat_drm": _supply_combat,
    "matto_grosso_force": _matto_grosso,
    "matto_grosso_turn": lambda d, v: d.tables["events"]["matto_grosso"]["turn"] == TURNS[v],
    "mendoza": _mendoza,
    "replacements": _replacements,
    "replacement_cost": _replacement_cost,
    "not_replaceable": _not_replaceable,
    "transport": _transport,
    "transport_example": _transport_example,
    "siege_engineer": lambda d, v: _combat(d, "siege_artillery", "engineers") == [v["siege"], v["engineer"]],
    "joint_drm": _joint,
    "gn_only_drm": lambda d, v: _combat(d, "guard_attack", "guard_defense") == [v["attack"], v["defense"]],
    "congreve": lambda d, v: _combat(d, "congreve") == [v],
    "supply_combat": lambda d, v: _combat(d, "attacker_supply", "defender_supply") == [v["attack"], v["defense"]],
    "capture": lambda d, v: d.tables["captured_arms"]["allied_units"] == v["min_allied_units"],
}
