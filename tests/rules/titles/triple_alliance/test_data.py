"""The title's data hangs together: map, counters, tables, scenario, clauses and rulings."""

from collections import Counter
from itertools import pairwise

import pytest

from rules.maps.hexmap import HexMap
from rules.maps.paths import Prices, connected, reach
from tests.rules.titles.triple_alliance.fact_checks import Files, read, set_up_hexes

NET = ("road", "rail", "navigable_river")
LANGUAGES = {"en", "es", "it", "pt"}


@pytest.fixture(scope="module")
def files() -> Files:
    return Files()


def net(board: HexMap) -> dict[str, tuple[str, ...]]:
    return {h: tuple(n for kind in NET for n in board.along(kind)[h]) for h in board.hexes}


def march(files: Files, start: str, end: str) -> int:
    """11.10-11.19 Movement points on foot in an odd turn, over an empty map, the railway as a road."""
    board, terrain = files.map, files.tables["terrain"]

    def step(a: str, b: str) -> int:
        if board.edge("road", a, b) or board.edge("rail", a, b):
            return int(terrain["road"]["mp"])
        river = terrain["minor_river"]["odd_turn"] if board.edge("minor_river", a, b) else 0
        return int(terrain[board.hexes[b].terrain]["mp"] + river)

    return reach(Prices(board.neighbours, step), start, 99).cost[end]


def sail(files: Files, start: str, end: str) -> int:
    """12.2, 12.3 Movement points by ship."""
    board, ship = files.map, files.tables["terrain"]["ship"]
    prices = Prices(
        board.along("navigable_river"),
        lambda _a, b: ship["in_paraguay" if board.hexes[b].country == "paraguay" else "mp"],
    )
    return reach(prices, start, 99).cost[end]


# --- map


def test_grid_is_whole(files: Files) -> None:
    grid = files.map_file["grid"]
    (first_column, last_column), (first_row, last_row) = grid["columns"], grid["rows"]
    wanted = {
        f"{column:02d}{row:02d}"
        for column in range(first_column, last_column + 1)
        for row in range(first_row, (grid["odd_columns_last_row"] if column % 2 else last_row) + 1)
    }
    assert set(files.map.hexes) == wanted
    assert len(wanted) == 725


def test_edges_are_stored_once_and_in_order(files: Files) -> None:
    for sides in files.map_file["edges"].values():
        assert sides == sorted(sides)
        assert all(a < b and name for a, b, name in sides)
        assert len({(a, b) for a, b, _ in sides}) == len(sides)


def test_river_hexes_and_river_sides_agree(files: Files) -> None:
    board = files.map
    river = {h for h, spot in board.hexes.items() if spot.terrain == "river"}
    assert connected(board.along("navigable_river"), ["1042"], set()) == river
    assert not board.edges("navigable_river") & board.edges("minor_river")


def test_borders_are_exactly_where_countries_meet(files: Files) -> None:
    country = {h: spot.country or "" for h, spot in files.map.hexes.items()}
    meet = {(a, b) for a in country for b in files.map.neighbours[a] if country[a] != country[b]}
    assert files.map.edges("border") == meet
    for a, b, name in files.map_file["edges"]["border"]:
        assert name == "/".join(sorted({country[a], country[b]}))


def test_towns_are_named_and_roles_match_the_tables(files: Files) -> None:
    board, tables = files.map, files.tables
    assert {h for h, spot in board.hexes.items() if spot.name} == set(board.marked("town"))
    for feature, listed in {
        "auto_victory_icon": tables["victory"]["automatic"],
        "depot_city": tables["depots"],
        "allied_supply": tables["sources"]["allied"],
        "paraguayan_supply": tables["sources"]["paraguay"],
        "paraguayan_replacement_entry": tables["entry"]["paraguay_replacements"],
        "allied_river_entry": tables["entry"]["allied_river"],
        "uruguayan_entry": tables["entry"]["uruguay"],
    }.items():
        assert list(board.marked(feature)) == sorted(listed), feature
    assert tables["entry"]["allied"] == tables["sources"]["allied"]


def test_chaco_is_clear_or_marsh(files: Files) -> None:
    """7.10 speaks of no other terrain there."""
    assert {spot.terrain for spot in files.map.hexes.values() if spot.region == "chaco"} == {"clear", "marsh"}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1730", "1042"),
        ("1335", "1042"),
        ("1541", "1943"),
        ("2044", "1943"),
        ("2440", "3244"),
        ("1432", "1826"),
        ("1434", "1432"),
        ("2534", "2026"),
        ("1918", "1826"),
        ("2622", "1826"),
    ],
)
def test_supply_lines_exist(files: Files, a: str, b: str) -> None:
    assert b in connected(net(files.map), [a], set())


@pytest.mark.parametrize(
    ("start", "end", "turns"),
    [("1042", "1335", 2), ("1943", "1335", 2), ("1432", "1828", 1), ("1826", "2622", 2), ("1826", "1918", 2)],
)
def test_allied_infantry_can_march_the_war(files: Files, start: str, end: str, turns: int) -> None:
    foot = min(u["movement"] for u in files.units.values() if u["side"] == "allied" and u["type"] == "infantry")
    assert march(files, start, end) <= foot * turns


def test_openings_of_the_war_are_in_reach(files: Files) -> None:
    infantry, cavalry = 3, 5
    assert march(files, "1434", "1435") <= infantry
    assert "1435" in files.map.neighbours["1335"]
    assert march(files, "2534", "2143") <= cavalry + 9
    assert sail(files, "1432", "1335") <= 8
    slowest = min(u["movement"] for u in files.units.values() if u["side"] == "allied" and u["ship"])
    assert sail(files, "1042", "1334") <= slowest


# --- counters


def test_unit_fields(files: Files) -> None:
    fields = {
        "face", "nation", "side", "mobility", "type", "abbrev", "name", "size", "attack", "defense", "movement",
        "guard", "setup", "ship",
    }  # fmt: skip
    for unit, body in files.units.items():
        assert set(body) == fields, unit
        assert (body["ship"] is not None) == (body["mobility"] == "river"), unit
        assert body["side"] == ("paraguay" if body["nation"] == "paraguay" else "allied"), unit
        assert not body["guard"] or (body["mobility"] == "land" and "GN" in body["abbrev"]), unit
    assert len(files.units) == 242


def test_names_tell_units_of_a_nation_apart(files: Files) -> None:
    names = Counter((u["nation"], u["name"]) for u in files.units.values())
    assert max(names.values()) == 1


# --- tables


def test_combat_table_rises(files: Files) -> None:
    """Better odds or a better roll never cost the attacker more or the defender less."""
    table = files.tables["combat_results"]
    columns = [table["cells"][label] for label in table["columns"]]
    assert all(len(column) == len(table["rows"]) for column in columns)
    for column in columns:
        assert all(a[0] >= b[0] and a[1] <= b[1] for a, b in pairwise(column))
    for worse, better in pairwise(columns):
        assert all(a[0] >= b[0] and a[1] <= b[1] for a, b in zip(worse, better, strict=True))


def test_attrition_table_covers_all_stacks_and_rises(files: Files) -> None:
    table = files.tables["attrition"]
    spans = [range(c["min"], c["max"] + 1) for c in table["columns"]]
    assert [n for span in spans for n in span] == list(range(1, files.tables["stacking_limit"] + 1))
    columns = [table["cells"][c["label"]] for c in table["columns"]]
    for span, column in zip(spans, columns, strict=True):
        assert column == sorted(column, reverse=True)
        assert len(column) == len(table["rows"])
        assert column[0] <= span.stop - 1
    for small, large in pairwise(columns):
        assert all(a <= b for a, b in zip(small, large, strict=True))


def test_run_the_guns_rises(files: Files) -> None:
    table = files.tables["run_the_guns"]
    assert table["rows"] == list(range(10))
    assert table["cells"] == sorted(table["cells"])
    assert len(table["cells"]) == 10


def test_every_modifier_names_a_clause(files: Files) -> None:
    clauses = read("clauses")
    for table in files.tables["modifiers"].values():
        for modifier in table.values():
            assert modifier["clause"] in clauses
            assert modifier["drm"]


# --- scenario


def test_groups_hold_every_unit_once(files: Files) -> None:
    placed = [unit for group in files.war["groups"] for unit in group["units"]]
    assert sorted(placed) == sorted(files.units)
    for group in files.war["groups"]:
        for unit in group["units"]:
            body = files.units[unit]
            assert body["side"] == group["side"]
            assert {k: body["setup"][k] for k in group["where"]} == group["where"]


def test_suggested_set_up_is_legal(files: Files) -> None:
    """3.3, 3.4, 6.1: all free units and no others, each where its group may stand, within stacking."""
    suggested: dict[str, str] = files.war["suggested"]
    free = {unit for group in files.war["groups"] if group["free"] for unit in group["units"]}
    assert set(suggested) == free
    for group in files.war["groups"]:
        if group["free"]:
            assert {suggested[unit] for unit in group["units"]} <= set_up_hexes(files, group["where"])
    fixed = [u["setup"]["hex"] for u in files.units.values() if u["setup"]["kind"] == "hex"]
    heaps = Counter([*suggested.values(), *fixed])
    assert max(heaps.values()) < files.tables["stacking_limit"]


def test_suggested_boxes_hold_stacks_without_a_fortress(files: Files) -> None:
    fortresses = set(files.map.marked("fortress_start"))
    for side, boxes in files.war["suggested_boxes"].items():
        stacks = {h for unit, h in files.war["suggested"].items() if files.units[unit]["side"] == side}
        assert set(boxes.values()) <= stacks - fortresses
        assert len(set(boxes.values())) == len(boxes)
        assert all(1 <= int(box) <= files.war["boxes"][side] for box in boxes)


# --- texts and provenance


def test_clauses_are_complete_in_every_language() -> None:
    clauses = read("clauses")
    assert len(clauses) == 120
    chapters = {1: 4, 2: 12, 3: 6, 4: 4, 5: 4, 6: 4, 7: 15, 8: 3, 9: 2, 10: 7, 11: 21, 12: 7, 13: 31}
    assert list(clauses) == [f"{chapter}.{n}" for chapter, last in chapters.items() for n in range(1, last + 1)]
    for number, clause in clauses.items():
        assert clause["kind"] in ("rule", "component", "note", "advice"), number
        for part in ("title", "text"):
            assert set(clause[part]) == LANGUAGES, number
            assert all(words.strip() for words in clause[part].values()), number


def test_rulings_name_a_clause_and_speak_every_language() -> None:
    clauses, rulings = read("clauses"), read("rulings")
    assert len({ruling["id"] for ruling in rulings}) == len(rulings)
    for ruling in rulings:
        assert set(ruling) == {"id", "clause", *LANGUAGES}
        assert ruling["clause"] in clauses
        assert len({ruling[lang] for lang in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("name", ["map", "units", "tables", "scenarios/war", "scenarios/corrientes"])
def test_provenance(name: str) -> None:
    clauses = read("clauses")
    for part, origin in read(name)["provenance"].items():
        if origin["source"] == "rulebook":
            assert origin["clauses"], part
            assert set(origin["clauses"]) <= set(clauses), part
        else:
            assert origin["source"] == "reconstructed", part
            assert set(origin["why"]) == LANGUAGES, part


def test_every_table_has_a_provenance(files: Files) -> None:
    assert set(files.tables["provenance"]) | {"die", "provenance"} == set(files.tables)
