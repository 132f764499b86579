"""Numbers that the rulebook prints, against `numbers` of tables.json: one function per name, true when they hold."""

from collections.abc import Callable
from typing import Any

Numbers = dict[str, Any]
CONSTANTS: dict[str, Callable[[Numbers, Any, Any], bool]] = {
    "rain": lambda n, v, _: n["rain"] == {"months": [1, 2], "december": v["december_on"]},
    "truce": lambda n, v, _: [n["truce"]["first"], n["truce"]["second"], n["truce"]["continues"],
                              -n["truce"]["refusal"]] == [[v["first_roll"]], v["second_rolls"], v["continue"],
                                                         v["refuse_vp"]],
    "truce_win": lambda n, v, _: n["truce"]["lead"] == v,
    "no_loc_radius": lambda _n, v, _: v == 4,
    "max_replacements": lambda n, v, _: n["replacements_kept"] == v,
    "reinforcements": lambda n, v, _: [row["n"] for s in ("bolivia", "paraguay") for row in n["reinforcements"][s]] == [
        v["bolivia"]["1932-09"], v["bolivia"]["else"], v["paraguay"]["1932-09..1933-01"], v["paraguay"]["else"]],
    "callup": lambda n, v, _: n["call_up"] == {"cost": -v["vp"],
                                               "most": {"bolivia": None, "paraguay": v["paraguay_max"]}},
    "truck_capacity": lambda n, v, _: n["truck"] == {"units": v["combat_units"], "supply": v["csp"],
                                                     "pick_up": 6 * v["pickup_mp"]},
    "mounted_option": lambda n, v, _: n["mounted"] == {"movement": v["movement"], "attack": v["attack_drm"]}
    and n["attrition"]["mounted"] == v["attrition_drm"],
    "stacking": lambda n, v, _: n["stacking"] == {"open": v["clear_or_works"], "works": v["clear_or_works"],
                                                  "other": v["other"]},
    "barrage": lambda _n, v, _: v["csp_each"] == 1,
    "air": lambda n, v, _: v["attack"] == 1 and v["defense"] == -1 and n["air"] == {"bolivia": 3, "paraguay": 1},
    "well": lambda n, v, _: n["wells"]["success"] == v["success"],
    "water": lambda _n, v, _: len(v) == 4,
    "river_attack": lambda _n, v, _: v == {"multiplier": 0.5, "round": "up", "rainy": "prohibited"},
    "vp": lambda n, v, _: [n["points"][k] for k in ("eliminated", "surrendered", "supply", "exited")]
    == [v["unit_eliminated"], v["unit_surrendered"], v["csp_captured"], v["unit_exited"]],
    "vp_option": lambda n, v, _: [n["points"]["settlement"], n["points"]["major"]] == [
        {"advance": v["settlement_by_advance"], "move": v["settlement_by_move"]},
        {"advance": v["major_by_advance"], "move": v["major_by_move"]}],
    "levels": lambda n, v, _: n["levels"] == [[v["decisive_min"], "decisive"], [v["substantive"][0], "substantive"],
                                              [v["marginal"][0], "marginal"]],
    "commander_challenge": lambda n, v, _: n["challenge"] == {"cost": v["vp_per_step"],
                                                              "most": v["max_vp"] // v["vp_per_step"]},
    "subordinate": lambda n, v, _: n["subordinate"] == {"cost": v["vp_per_step"],
                                                        "most": v["max_vp"] // v["vp_per_step"]},
    "leaders_on_map": lambda n, v, _: n["leaders"] == v["max"],
    "free_entrenchments": lambda _n, v, scenarios: scenarios[v["scenario"]]["entrenchments"] == {
        "bolivia": v["bolivia"], "paraguay": v["paraguay"]},
}
