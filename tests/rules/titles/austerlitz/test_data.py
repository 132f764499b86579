"""The printed data against the facts it was made from: counters, commands, tables, map, scenarios."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.titles.austerlitz.units import SIDES
from tests.rules.titles.austerlitz.builders import data, game

FACTS: dict[str, Any] = json.loads((Path(__file__).parent / "facts_tables.json").read_text())
SCENARIOS = ("northern_flank", "whole_battle", "langeron", "bagration", "goldbach", "pratzen")


@pytest.mark.clause("2.3", "2.4", "A2.1", "A2.1.1", "A2.1.2")
def test_every_counter_has_what_its_arm_needs() -> None:
    units = game().units
    assert len([u for u in units.values() if u.battalion is None]) == 325
    for unit in units.values():
        assert unit.strength >= 1
        assert 0 < unit.movement <= 12
        assert (unit.fire is None) == unit.mounted
        assert (unit.cavalry is not None) == unit.mounted
        assert (unit.gun is not None) == unit.guns
        assert unit.hexes == (2 if unit.strength > (6 if unit.mounted else 8) and not unit.guns else 1)


@pytest.mark.clause("2.1", "2.2")
def test_one_point_is_a_hundred_foot_or_fifty_horse() -> None:
    units = game().units.values()
    foot = sum(u.strength for u in units if u.side == "french" and u.foot and u.battalion is None) * 100
    horse = sum(u.strength for u in units if u.side == "french" and u.mounted) * 50
    assert 55_000 <= foot <= 75_000
    assert 10_000 <= horse <= 14_000
    assert data().files["map"]["grid"]["hex_km"] == 0.135


@pytest.mark.clause("A2.2")
def test_elites() -> None:
    elite = {u.id for u in game().units.values() if u.elite and u.battalion is None}
    assert elite == {"F-1-Gren-P", "F-2-Gren-P", "F-1-Chss-P", "F-2-Chss-P", "F-1-Gren-Ch", "F-2-Gren-Ch", "F-Chas-Ch",
                     "F-Mam", "F-Tir-Po", "F-Tir-Cors", "A-OReilly-CL", "A-GdC-Cu"}


@pytest.mark.clause("A6.1")
def test_who_can_skirmish() -> None:
    able = {u.id.split("-", 2)[-1] for u in game().units.values() if u.skirmish and u.battalion is None}
    assert able == {"27-Leg", "15-Leg", "10-Leg", "24-Leg", "26-Leg", "13-Leg", "17-Leg", "Cors", "Po"}


@pytest.mark.clause("11.2", "4.8")
def test_breakpoints_of_the_command_sheet() -> None:
    printed = FACTS["division_breakpoints"]
    commands = game().commands
    for side, prefix in (("French", "F"), ("Allied", "A")):
        for name, level in printed[side].items():
            command = commands[f"{prefix}-{name.replace('/', '-')}"]
            assert command.breakpoint == (8 if name == "3/IV" else level), name


@pytest.mark.clause("A4.2", "4.1.2", "A4.1", "A4.1.1", "A4.1.2")
def test_command_ranges() -> None:
    leaders = game().leaders
    assert leaders["F-Napoleon"].range == 12
    assert leaders["A-Alexander"].range == 10
    assert leaders["A-Buxhowden"].range == 8
    assert {x.range for x in leaders.values() if x.rank == "corps" and x.side == "french"} == {8}
    assert {x.range for x in leaders.values() if x.rank == "corps" and x.side == "allied"} == {6}
    assert {x.range for x in leaders.values() if x.rank == "division" and x.side == "french"} == {5}
    assert {x.range for x in leaders.values() if x.rank == "division" and x.side == "allied"} == {4}


@pytest.mark.clause("A4.3", "A4.3.1", "A4.4", "A4.4.4")
def test_independent_leaders_and_staff() -> None:
    found = game()
    assert {c.id for c in found.commands.values() if c.independent} == {"F-M-IV", "F-T-CR", "F-M-CR", "A-W-B"}
    assert {x.id for x in found.leaders.values() if x.rank == "staff"} == {"F-Rapp", "F-Mouton", "F-Songis"}
    assert (found.leaders["F-Songis"].span, found.leaders["F-Songis"].range) == (5, 2)
    assert (found.leaders["F-Rapp"].span, found.leaders["F-Rapp"].range) == (3, 3)


@pytest.mark.clause("8.1.8")
@pytest.mark.parametrize("die", range(10))
def test_every_cell_of_the_fire_table(die: int) -> None:
    assert game().tables["fire"]["results"][die] == FACTS["fire_table"]["results"][str(die)]


@pytest.mark.clause("8.1.8")
def test_columns_of_the_fire_table() -> None:
    assert game().tables["fire"]["column"] == FACTS["fire_table"]["column_by_class_and_letter"]
    assert game().tables["fire"]["class"] == FACTS["fire_table"]["defence_class"]


@pytest.mark.clause("8.1.6")
@pytest.mark.parametrize("nation", ["French", "Russian", "Austrian"])
def test_every_cell_of_the_range_table(nation: str) -> None:
    assert game().tables["artillery_range"][nation.lower()] == FACTS["artillery_range"][nation]
    guns = {u.gun for u in game().units.values() if u.guns and u.nation == nation.lower()}
    assert guns <= set(FACTS["artillery_range"][nation])


@pytest.mark.clause("8.5")
def test_every_row_of_the_melee_table() -> None:
    for die, row in enumerate(FACTS["melee_results"]["rows"]):
        loser, points, levels = game().tables["melee"]["results"][die]
        assert (loser, points) == (row["loser"], row["sp"])
        assert levels == (row["morale"] if isinstance(row["morale"], str) else -row["morale"])


@pytest.mark.clause("4.7")
def test_every_cell_of_the_breakdown_table() -> None:
    for die, cells in FACTS["command_breakdown"]["rows"].items():
        for personality, cell in zip(FACTS["command_breakdown"]["columns"], cells, strict=True):
            assert game().tables["breakdown"][personality][int(die)] == cell


@pytest.mark.clause("4.2", "A4.3.2")
@pytest.mark.parametrize("side", SIDES)
def test_every_cell_of_the_command_tables(side: str) -> None:
    change, independent = FACTS["command_change"][side], FACTS["independent_activation"][side]
    assert game().tables["command_change"][side] == [change[str(n)] for n in range(len(change))]
    assert game().tables["independent_activation"][side] == [independent[str(n)] for n in range(10)]


@pytest.mark.clause("7.1")
@pytest.mark.parametrize("arm", ["infantry", "cavalry"])
def test_every_cell_of_the_stacking_table(arm: str) -> None:
    assert game().tables["stacking"][arm] == FACTS["stacking"][arm]


@pytest.mark.clause("13.3")
def test_fatigue_effects_with_errata() -> None:
    rows = game().tables["fatigue"]
    by_level = {n: next(r for r in rows if r["low"] <= n <= r["high"]) for n in range(10)}
    assert [by_level[n]["morale"] for n in range(10)] == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert [by_level[n]["melee"] for n in range(10)] == [0, 0, 0, 0, 0, 0, -1, -1, -2, -2]
    assert [by_level[n]["lose"] for n in range(10)] == [0, 0, 0, 0, 0, 0, 0, 1, 0, 1]
    assert [by_level[n]["disorder"] for n in range(10)] == [False] * 8 + [True, True]


@pytest.mark.clause("A8.1", "A8.1.1", "A8.1.2")
def test_charge_distances_and_bonuses() -> None:
    assert game().tables["charge"] == {"bonus": FACTS["charge_bonus"] and {
        k: FACTS["charge_bonus"][k] for k in game().tables["charge"]["bonus"]}, "most": 4, "least": 2, "heavy_least": 3}


@pytest.mark.clause("A5.2")
def test_pratzen_heights() -> None:
    board = game().board
    heights = board.regions["pratzen_heights"]
    assert len(heights) == 769
    assert sum(board.level[h] == 8 for h in heights) == 7
    assert all(board.level[h] >= 4 for h in heights)
    assert heights.isdisjoint(board.regions["west_of_goldbach"])


@pytest.mark.clause("A10.1")
def test_directions_of_retreat() -> None:
    assert game().tables["retreat"] == {"french": "west", "allied": "east"}


@pytest.mark.parametrize("name", SCENARIOS)
def test_set_ups_name_known_counters_and_places(name: str) -> None:
    found = game(name)
    known = {*found.units, *found.leaders}
    for side in SIDES:
        for row in found.plan["setup"][side]:
            assert set(row["units"]) <= known
            assert row.get("at", row.get("of", "")) in {*found.board.around, *found.board.places, ""}
        assert set(found.plan["markers"][side].get("fixed", ())) <= set(found.markers)
        for arrival in found.plan["reinforcements"].get(side, ()):
            assert set(arrival["units"]) <= known
            assert arrival["turn"] in found.plan["turns"]
            entries = [arrival["entry"]] if isinstance(arrival["entry"], str) else arrival["entry"]
            assert {found.board.entries.get(e, e) for e in entries} <= found.area


@pytest.mark.clause("A15.1", "A15.2", "A15.3", "A15.4", "A15.5", "A15.6")
def test_lengths_of_the_scenarios() -> None:
    turns = {name: game(name).plan["turns"] for name in SCENARIOS}
    assert [len(turns[n]) for n in SCENARIOS] == [16, 29, 29, 21, 29, 24]
    assert {t[-1] for t in turns.values()} == {"16:40"}
    assert [turns[n][0] for n in SCENARIOS] == ["11:40", "7:20", "7:20", "10:00", "7:20", "9:00"]


@pytest.mark.parametrize("errata", ["2/61", "Kaiser", "Johann"])
def test_errata_of_counters(errata: str) -> None:
    """Errata: two battalions of the 61st in V Corps; the Kaiser Cuirassiers move nine; no Johann Dragoons."""
    units = game().units
    found = [u for u in units if errata.replace("/", "-") in u]
    if errata == "Johann":
        assert not found
    elif errata == "Kaiser":
        assert units["A-Kaiser-Cuir"].movement == 9
    else:
        assert {units[u].corps for u in found} == {"F-V"}


def test_errata_of_the_map() -> None:
    """Errata: the Olmutz road from A1016 to B4613 is the only primary road."""
    road = {h for side in game().board.map.edges("primary_road") for h in side}
    ends = [
        h for h in road if sum((h, n) in game().board.map.edges("primary_road") for n in game().board.touching(h)) == 1
    ]
    assert sorted(ends) == ["A1016", "B4613"]
