"""The charts cell by cell: terrain, actions, morale, pre-melee, square, pursuit, melee (others are in test_data)."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.titles.austerlitz.board import Price, _sum
from rules.titles.austerlitz.clash import Clash, attack_parts, defence_parts, modifiers, odds
from rules.titles.austerlitz.morale import modifiers as morale_parts
from rules.titles.austerlitz.pursuit import pursuit_parts
from rules.titles.austerlitz.received import square_parts
from tests.rules.titles.austerlitz.builders import CENTRE, game, position

FACTS: dict[str, Any] = json.loads((Path(__file__).parent / "facts_tables.json").read_text())
LN, LEG, ARKH, HUS, CUIR, COSS = "F-1-34-Ln", "F-2-17-Leg", "A-2-Arkh", "F-10-Hus", "F-2-Cuir", "A-Kisevl-Coss"
TARGET = "B2908"
COLUMNS = ("infantry_line", "infantry_column", "infantry_disorder", "cavalry_line", "cavalry_column",
           "cavalry_disorder", "artillery_foot", "artillery_horse", "skirmisher", "leader")
# Points to enter, in the order of COLUMNS; then columns to the right for fire, melee (x: none), charge, defensive.
TERRAIN = """
clear                2   1   1   2   1   1   2   1   1   1    0  0  c  -
woods                2D  2D  2   3D  3D  2   P   P   1   1    1  0  -  -
swamp                2D  2D  2   4D  3D  3   P   P   2   2    0  0  -  -
primary_road         OT  1/2 1   OT  1/2 1   1/2 1/2 1/2 1/2  0  0  c  -
secondary_road       OT  1   1   OT  1/2 1   1   1/2 1/2 1/2  0  0  c  -
stream_hexside       +1d +1  +1  +3d +2  +2  +3  +2  +1  +1   0 -1  c  -
minor_slope_up       †   †   †   ‡   ‡   ‡   +1  ‡   0   0    1  0  c  -
minor_slope_down     †   †   †   ‡   ‡   ‡   +1  ‡   0   0    1  1  c  -
steep_slope_up       +1d +1  +1  +2d +2  +2  +1  +2  +1  +1   1 -1  c  -
steep_slope_down     +1d +1  +1  +1d +1  +1  +1  +1  0   0    1  1  c  -
sharp_slope_up       +2D +2d +2  +3D +3d +3  P   P   +2  +1   2  x  -  -
sharp_slope_down     +1D +1d +1  +2D +2d +2  P   P   +1  +1   1  x  -  -
village              2D  2   2   3D  2   2   2   2   2   1    2 -2  -  d
castle               P   2   2   P   P   P   P   P   2   2    2 -3  -  d
wall_hexside         +1d +1  +1  P   P   P   P   P   +1  +1   1 -1  -  d
deep_stream_hexside  P   P   P   P   P   P   P   P   P   P    0  x  -  -
bridge_hexside       0   0   0   0   0   0   0   0   0   0    0 -2  -  -
pond                 P   P   P   P   P   P   P   P   P   P    0  x  -  -
orchard              2D  2   1   2D  2   2   2   2   1   1    1  0  -  -
river_hexside        P   P   P   P   P   P   P   P   P   P    0  x  -  -
hedge_hexside        +1d +1  +1  +1d +1  +1  +2  +2  0   0    1  0  -  -
ditch_hexside        +1d +1d +1  +2d +2d +2  +3  +2  +1  +1   0 -1  -  -
pheasantry           2D  2D  2   3D  3D  2   P   P   1   1    1  0  -  -
frozen_pond          P   P   P   P   P   P   P   P   P   P    0  x  -  -
"""
ACTIONS = """
change_formation     2   1   1   2   1   1   3   2   1   0
change_facing        2   1   1   1   1   1   2   1   0   0
about_face           m   2   3   3   3   3   NA  NA  na  na
slide                2x  NA  na  2x  NA  na  NA  NA  na  na
reverse              M   2x  2x  M   2x  2x  NA  NA  na  na
"""


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@pytest.mark.clause("5.1", "8.1.8", "8.2", "8.4.1")
@pytest.mark.parametrize("row", lines(TERRAIN), ids=lambda row: row[0])
def test_every_cell_of_the_terrain_chart(row: list[str]) -> None:
    name, cells, (fire, melee, charge, defensive) = row[0], row[1:11], row[11:]
    printed = game().tables["terrain"][name]
    assert [printed["move"][c] for c in COLUMNS] == cells
    assert (printed["fire"], printed["melee"]) == (int(fire), None if melee == "x" else int(melee))
    assert (printed["charge"], printed["defensive"]) == (charge == "c", defensive == "d")


def test_no_row_of_the_terrain_chart_is_left_out() -> None:
    assert {row[0] for row in lines(TERRAIN)} == set(game().tables["terrain"])


@pytest.mark.clause("6.1", "6.3")
@pytest.mark.parametrize("row", lines(ACTIONS), ids=lambda row: row[0])
def test_every_cell_of_the_action_chart(row: list[str]) -> None:
    assert [game().tables["actions"][row[0]].get(c, "") for c in COLUMNS] == row[1:]


@pytest.mark.clause("5.1", "5.1.1")
@pytest.mark.parametrize(("tokens", "price"), [
    (["2"], Price(4)), (["1/2"], Price(1)), (["2D"], Price(4, 0, True)), (["1", "+1d"], Price(4, 0, False, True)),
    (["2D", "+1d"], Price(6, 0, True, False)), (["1", "†"], Price(2, 2)), (["1", "‡"], Price(2, 4)),
    (["1", "P"], None), (["2", "+3D", "+1"], Price(12, 0, True)),
])
def test_how_the_signs_of_the_chart_add_up(tokens: list[str], price: Price | None) -> None:
    """Half points; D disorders and needs no check besides, the daggers are free the first time."""
    assert _sum(tokens) == price


@pytest.mark.clause("8.1.8", "8.5", "8.2")
def test_what_lies_in_the_hex_and_on_its_side_adds_up() -> None:
    """Ruling on 8.1.8: terrain of the target's hex and of the last side crossed."""
    board = game("whole_battle").board
    chart, seen = game().tables["terrain"], set()
    for a in sorted(board.around)[::7]:
        for b in board.touching(a):
            rows = board.rows(a, b)
            if rows in seen:
                continue
            seen.add(rows)
            assert board.cover(a, b) == sum(chart[r]["fire"] for r in rows)
            bridged = board.edge("bridge", a, b)
            assert board.melee_barred(a, b) == (not bridged and any(chart[r]["melee"] is None for r in rows))
            assert board.chargeable(a, b) == (not bridged and all(chart[r]["charge"] for r in rows))
            assert board.defensive(a, b) == any(chart[r]["defensive"] for r in rows)
    assert len(seen) > 25


# -- modifiers: each cell is reached from a position laid out for it ---------------------------------------


def values(parts: list[tuple[str, str, int]]) -> dict[str, int]:
    return {key.split(".")[1]: value for key, _clause, value in parts}


PRE_ATTACK = [
    ("from_rear", "SW/column", "NE/column", {}), ("from_flank", "SW/column", "N/column", {}),
    ("defenders_skirmish", "NE/column", "N/skirmish", {}),
    ("leader_in_hex", "NE/column", "SW/column", {"leader": True}),
    ("line", "E/line", "SW/column", {}), ("shaken", "NE/column", "SW/column", {"morale": "shaken"}),
    ("disordered", "NE/disorder", "SW/column", {}), ("elite", "NE/column", "SW/column", {"unit": "F-1-Gren-P"})]


@pytest.mark.clause("8.2", "8.2.1", "A2.2")
@pytest.mark.parametrize(("key", "own", "theirs", "more"), PRE_ATTACK, ids=lambda x: x if isinstance(x, str) else "")
def test_every_modifier_of_the_attackers_check(key: str, own: str, theirs: str, more: dict[str, Any]) -> None:
    unit = more.get("unit", LN)
    # The attacker stands at the centre; who defends is a French or a Russian battalion to its north-east.
    foe = ("A-2-Arkh" if key != "defenders_skirmish" else LEG)
    unit = "A-3-Arkh" if key == "defenders_skirmish" else unit
    pos = position("langeron", clear=True, units={unit: f"{CENTRE}@{own}", foe: f"{TARGET}@{theirs}"},
                   leaders={"F-Suchet": CENTRE} if more.get("leader") else {},
                   morale={unit: more["morale"]} if "morale" in more else {})
    assert values(attack_parts(pos, unit, foe, 0)) == {key: FACTS["pre_melee_attacker"]["modifiers"][key]}


@pytest.mark.clause("8.2.1")
def test_each_supporting_stack_helps_the_attacker() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@NE/column", ARKH: f"{TARGET}@SW/column"})
    each = FACTS["pre_melee_attacker"]["modifiers"]["per_supporting_stack"]
    assert [values(attack_parts(pos, LN, ARKH, n)).get("support") for n in (0, 1, 3)] == [None, each, 3 * each]


PRE_DEFENCE = [
    ("from_rear", "NE/column", {}), ("from_flank", "N/column", {}), ("leader_in_hex", "SW/column", {"leader": True}),
    ("line", "W/line", {}), ("shaken", "SW/column", {"morale": "shaken"}), ("disordered", "SW/disorder", {}),
    ("unsteady", "SW/column", {"morale": "unsteady"}), ("strategic_movement", "SW/column", {"strategic": ["A-2-B"]}),
    ("defensive_terrain", "SW/column", {"cover": True}), ("square", "N/square", {})]


@pytest.mark.clause("8.2", "5.2.1", "9.2.3")
@pytest.mark.parametrize(("key", "form", "more"), PRE_DEFENCE, ids=lambda x: x if isinstance(x, str) else "")
def test_every_modifier_of_the_defenders_check(key: str, form: str, more: dict[str, Any]) -> None:
    pos = position("langeron", clear=True, units={LN: f"{CENTRE}@NE/column", ARKH: f"{TARGET}@{form}"},
                   leaders={"A-Markov": TARGET} if more.get("leader") else {}, strategic=more.get("strategic", []),
                   morale={ARKH: more["morale"]} if "morale" in more else {})
    facts = FACTS["pre_melee_defender"]
    printed = {**facts["modifiers"], "square": facts["found_extra"]["square"]}
    assert values(defence_parts(pos, ARKH, [LN], False, more.get("cover", False))) == {key: printed[key]}


@pytest.mark.clause("6.3.3", "A2.2")
def test_skirmishers_and_elites_in_the_defenders_check() -> None:
    pos = position("langeron", clear=True, units={ARKH: f"{CENTRE}@NE/column", LEG: f"{TARGET}@N/skirmish"})
    assert values(defence_parts(pos, LEG, [ARKH], False, False)) == {"skirmish": 3}
    pos = position("langeron", clear=True, units={ARKH: f"{CENTRE}@NE/column", "F-1-Gren-P": f"{TARGET}@SW/column"})
    assert values(defence_parts(pos, "F-1-Gren-P", [ARKH], False, False)) == {"elite": -1}


@pytest.mark.clause("8.2")
def test_results_of_both_checks() -> None:
    tables = game().tables["pre_melee"]
    defender = [[*r["over"], r["sp"], r["levels"]] for r in FACTS["pre_melee_defender"]["results"][1:]]
    assert [[low, high or 99, sp, levels] for low, high, sp, levels in tables["defender"]["results"]] == defender
    assert [r[:2] for r in tables["attacker"]["results"]] == [[1, 3], [4, None]]
    assert [r["over"] for r in FACTS["pre_melee_attacker"]["results"][1:]] == [[1, 3], [4, 99]]


@pytest.mark.clause("8.4.2")
@pytest.mark.parametrize(("form", "gap", "leader", "parts"), [
    ("E/line", 3, False, {"line": 1}), ("NE/column", 3, False, {"column": -1}),
    ("N/skirmish", 3, False, {"skirmish": 4}),
    ("NE/disorder", 2, False, {"charge_started_2_hexes_away": 1}), ("NE/disorder", 4, True, {"leader_in_hex": -2})])
def test_every_modifier_of_the_square(form: str, gap: int, leader: bool, parts: dict[str, int]) -> None:
    pos = position(clear=True, units={LEG: f"{CENTRE}@{form}"}, leaders={"F-Suchet": CENTRE} if leader else {})
    assert values(square_parts(pos, LEG, gap)) == parts
    assert FACTS["reaction_square"]["modifiers"].items() >= parts.items()
    assert [r[:2] for r in game().tables["reaction_square"]["results"]] == [[1, 2], [3, None]]


@pytest.mark.clause("8.4.2", "A4.4.2")
@pytest.mark.parametrize(("unit", "leaders", "parts"), [
    (HUS, [], {"light_or_lancer": 1}), ("A-GD-Const-Uhl", [], {"light_or_lancer": 1}), (COSS, [], {"cossack": 3}),
    (CUIR, [], {}), (CUIR, ["F-Murat"], {"stacked_with_murat": 2}), (CUIR, ["F-Nansouty"], {"other_leader_in_hex": -2}),
    (CUIR, ["F-Murat", "F-Nansouty"], {"stacked_with_murat": 2})])
def test_every_modifier_of_the_pursuit(unit: str, leaders: list[str], parts: dict[str, int]) -> None:
    form = "NE/disorder" if unit == COSS else "E/line"
    pos = position("langeron", clear=True, units={unit: f"{CENTRE}@{form}"}, leaders=dict.fromkeys(leaders, CENTRE))
    assert values(pursuit_parts(pos, unit)) == parts
    results = [[*r["over"], r["hexes"]] for r in FACTS["pursuit"]["results"] if r["hexes"]]
    assert [[low, high or 99, n] for low, high, n in game().tables["pursuit"]["hexes"]] == results


@pytest.mark.clause("9.1", "9.2.2", "9.2.3", "5.2.1", "11.1.1", "13.3")
@pytest.mark.parametrize(("key", "form", "more"), [
    ("square", "N/square", {}), ("line", "E/line", {}), ("breakpoint", "NE/column", {"lost": {LN: 5}}),
    ("leader", "NE/column", {"leaders": {"F-Suchet": CENTRE}}), ("shaken", "NE/column", {"morale": {LN: "shaken"}}),
    ("unsteady", "NE/column", {"morale": {LN: "unsteady"}}), ("rout", "NE/disorder", {"morale": {LN: "rout"}}),
    ("strategic", "NE/column", {"strategic": ["F-3-V"]}), ("fatigue", "NE/column", {"fatigue": {"F-3-V": 4}})])
def test_every_modifier_of_a_morale_check(key: str, form: str, more: dict[str, Any]) -> None:
    pos = position("langeron", clear=True, units={LN: f"{CENTRE}@{form}"}, **more)
    printed = FACTS["morale_check"]["modifiers"]
    named = {"leader": "leader_in_hex", "rout": "unsteady_or_routed", "unsteady": "unsteady_or_routed",
             "strategic": "strategic_movement"}
    assert values(morale_parts(pos, LN)) == {key: 1 if key == "fatigue" else printed[named.get(key, key)]}
    levels = [[*r["over"], r["levels"]] for r in FACTS["morale_check"]["fail"]]
    assert [[low, high or 99, n] for low, high, n in game().tables["morale"]["levels"]] == levels


MELEE = [
    ("napoleon", LN, "NE/column", "SW/column", {"leaders": {"F-Napoleon": CENTRE}}, {}, 2),
    ("fatigue", LN, "NE/column", "SW/column", {"fatigue": {"F-3-V": 8}}, {}, -2),
    ("fatigue", LN, "NE/column", "SW/column", {"fatigue": {"A-2-B": 6}}, {}, 1),
    ("strategic", LN, "NE/column", "SW/column", {"strategic": ["A-2-B"]}, {}, 2),
    ("rear", LN, "NE/column", "NE/column", {}, {}, 2), ("flank", LN, "NE/column", "N/column", {}, {}, 1),
    ("square", LN, "NE/column", "N/square", {}, {}, -1), ("square", HUS, "E/line", "N/square", {}, {}, -3),
    ("charge", HUS, "E/line", "SW/column", {}, {"charge": True, "bonus": 1}, 1),
    ("murat", HUS, "E/line", "SW/column", {"leaders": {"F-Murat": CENTRE}}, {"charge": True}, 1)]


@pytest.mark.clause("8.5", "5.2.1", "13.3", "A4.4.2")
@pytest.mark.parametrize(("key", "unit", "own", "theirs", "more", "how", "value"), MELEE)
def test_every_modifier_of_a_melee(key: str, unit: str, own: str, theirs: str, more: dict[str, Any],
                                   how: dict[str, Any], value: int) -> None:
    pos = position("langeron", clear=True, units={unit: f"{CENTRE}@{own}", ARKH: f"{TARGET}@{theirs}"}, **more)
    parts = values(modifiers(pos, Clash([unit], [ARKH], **how)))
    parts.pop("ratio", None)
    assert parts == {key: value}


@pytest.mark.clause("8.5", "8.4.4")
def test_blown_cavalry_fights_worse_and_napoleon_helps_the_defence_too() -> None:
    pos = position("langeron", clear=True, units={ARKH: f"{CENTRE}@NE/column", HUS: f"{TARGET}@SW/disorder"},
                   blown={HUS: 2}, leaders={"F-Napoleon": TARGET})
    parts = values(modifiers(pos, Clash([ARKH], [HUS])))
    assert (parts["blown"], parts["napoleon"]) == (1, -2)


@pytest.mark.clause("8.5")
@pytest.mark.parametrize(("attack", "defence", "value"), [(1, 4, -2), (1, 3, -2), (1, 2, -1), (1, 1, 0), (2, 1, 1),
                                                          (3, 1, 2), (4, 1, 3), (9, 1, 3)])
def test_every_ratio_of_the_melee_table(attack: int, defence: int, value: int) -> None:
    assert odds(position(), attack, defence) == value
