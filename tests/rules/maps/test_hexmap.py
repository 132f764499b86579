"""The map object: reading, hexsides, distances within the map's edges."""

from typing import Any

import pytest

from rules.maps.hexes import TO_VERTEX
from rules.maps.hexmap import HexMap


def spot(terrain: str = "clear", *features: str, name: str | None = None) -> dict[str, Any]:
    return {
        "terrain": terrain,
        "country": "x",
        "region": "x",
        "name": name,
        "features": [{"type": feature} for feature in features],
    }


def small_map(**edges: list[list[str]]) -> dict[str, Any]:
    """Two columns of three; odd columns lower."""
    places = {h: spot() for h in ("1001", "1002", "1003", "1102", "1103")}
    places["1101"] = spot("marsh", "town", name="Hamlet")
    return {"grid": {"lower_columns": "odd"}, "hexes": places, "edges": edges}


def test_hexes_are_read_in_order() -> None:
    board = HexMap(small_map())
    assert list(board.hexes) == ["1001", "1002", "1003", "1101", "1102", "1103"]
    assert board.hexes["1101"].terrain == "marsh"
    assert board.hexes["1101"].name == "Hamlet"
    assert board.marked("town") == ("1101",)


def test_neighbours_stop_at_the_edge() -> None:
    board = HexMap(small_map())
    assert board.neighbours["1001"] == ("1101", "1002")
    assert board.neighbours["1102"] == ("1101", "1103", "1003", "1002")


def test_edges_work_both_ways() -> None:
    board = HexMap(small_map(road=[["1001", "1101", "r"], ["1001", "1002", "r"]], rail=[]))
    assert board.edge("road", "1101", "1001")
    assert not board.edge("road", "1101", "1102")
    assert not board.edge("rail", "1001", "1101")
    assert board.along("road")["1001"] == ("1101", "1002")
    assert board.along("road")["1103"] == ()
    assert len(board.edges("road")) == 4


def test_edge_between_far_hexes_is_refused() -> None:
    with pytest.raises(ValueError, match="do not touch"):
        HexMap(small_map(road=[["1001", "1003", "r"]]))


def test_edge_to_a_hex_off_the_map_is_refused() -> None:
    with pytest.raises(ValueError, match="do not touch"):
        HexMap(small_map(road=[["1103", "1203", "r"]]))


def test_unknown_kind() -> None:
    board = HexMap(small_map())
    with pytest.raises(KeyError):
        board.edge("canal", "1001", "1002")


def test_within_keeps_to_the_map() -> None:
    board = HexMap(small_map())
    assert board.within("1001", 1) == ("1001", "1002", "1101")
    assert board.within("1001", 1) is board.within("1001", 1)
    assert board.distance("1001", "1103") == 3


def test_a_hex_that_says_little() -> None:
    board = HexMap({"grid": {"lower_columns": "odd"}, "hexes": {"1001": {}, "1002": {"level": 3}}, "edges": {}})
    plain = board.hexes["1001"]
    assert (plain.terrain, plain.country, plain.region, plain.name, plain.level) == ("clear", None, None, None, 0)
    assert plain.features == frozenset()
    assert board.rise("1001", "1002") == 3
    assert board.rise("1002", "1001") == -3


def test_steps_and_sides_by_name() -> None:
    board = HexMap(small_map())
    assert board.step("1001", 3) == "1002"
    assert board.step("1001", 0) is None
    assert board.side_to("1001", "1101") == 2
    assert board.arcs(["1102"], "W", TO_VERTEX) == (("1003", "1002"), ("1101", "1103"), ())


def test_a_map_of_many_rows_with_names_of_its_own() -> None:
    """120 rows, and ids on four boards of one map."""
    labels = [{"prefix": "N", "digits": [2, 2]}, {"prefix": "S", "digits": [2, 2], "shift": [0, 60]}]
    cells = [(c, r) for c in range(1, 5) for r in range(1, 61)]
    places: dict[str, Any] = {f"{board}{c:02}{r:02}": {"level": c % 4} for board in "NS" for c, r in cells}
    grid = {"lower_columns": "even", "labels": labels}
    board = HexMap({"grid": grid, "hexes": places, "edges": {"wall": [["N0160", "S0101"]]}})
    assert board.cells["S0460"] == (4, 120)
    assert board.distance("N0101", "S0160") == 119
    assert board.neighbours["N0160"] == ("N0159", "N0259", "N0260", "S0101")
    assert board.edge("wall", "S0101", "N0160")
