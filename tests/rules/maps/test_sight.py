"""Lines of sight: what a line goes through, against plain geometry; and what hides its end."""

from fractions import Fraction
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.maps.hexmap import HexMap
from rules.maps.sight import Hidden, Sight, trace

TIME = 0.02  # seconds for all hexes of a battery's range
RANGE = 15

ends = st.tuples(st.integers(-9, 9), st.integers(-18, 18)).filter(lambda end: not (end[0] + end[1]) % 2 and any(end))


def crossed(across: int, down: int) -> dict[tuple[int, int], tuple[Fraction, Fraction]]:
    """Every hex in which the line has a length, with where it begins and ends there: by the six sides of each."""
    found = {}
    for column in range(min(0, across) - 1, max(0, across) + 2):
        for height in range(min(0, down) - 2, max(0, down) + 3):
            if (column + height) % 2:
                continue
            first, last = Fraction(0), Fraction(1)
            for speed, offset, reach in (
                (down, height, 1),
                (3 * across + down, 3 * column + height, 2),
                (3 * across - down, 3 * column - height, 2),
            ):
                if speed:
                    ends = sorted((Fraction(offset - reach, speed), Fraction(offset + reach, speed)))
                    first, last = max(first, ends[0]), min(last, ends[1])
                elif abs(offset) > reach:
                    last = first
            if first < last:
                found[column, height] = first, last
    return found


@settings(max_examples=150, deadline=None)
@given(ends)
def test_a_line_goes_through_what_geometry_says(end: tuple[int, int]) -> None:
    hexes = crossed(*end)
    del hexes[0, 0], hexes[end]
    stages = trace(*end)
    assert {offset for stage in stages for offset in stage} == hexes.keys()
    begun = [{hexes[offset][0] for offset in stage} for stage in stages]
    assert [len(starts) for starts in begun] == [1] * len(stages)
    assert [starts.pop() for starts in begun] == sorted({first for first, _ in hexes.values()})


def test_there_and_back_is_the_same_line() -> None:
    for end in ((7, 3), (4, -6), (5, 15), (6, 0), (1, 9)):
        back = [{(end[0] + c, end[1] + h) for c, h in stage} for stage in trace(-end[0], -end[1])]
        assert [set(stage) for stage in trace(*end)] == back[::-1]


def field(rows: list[str], **edges: list[list[str]]) -> HexMap:
    """A map of levels, one string a row from 01 on, one figure a column; odd columns lie lower."""
    hexes: dict[str, Any] = {
        f"{column:02}{row:02}": {"level": int(level)}
        for row, levels in enumerate(rows, 1)
        for column, level in enumerate(levels, 1)
    }
    return HexMap({"grid": {"lower_columns": "odd"}, "hexes": hexes, "edges": edges})


@pytest.mark.parametrize(
    ("levels", "screen", "why"),
    [
        ("000000", None, None),
        ("000000", "0103", Hidden("screen", "0103")),  # as high: what stands between hides
        ("020000", None, Hidden("crest", "0102")),  # ground higher than both
        ("210010", None, None),  # ground between the two levels
        ("220002", "0104", None),  # a screen lower than both ends
        ("200000", "0103", None),  # a screen on the lower end's level does not hide it from above
        ("211100", "0103", Hidden("screen", "0103")),  # one above the lower end does
        ("011112", "0103", Hidden("screen", "0103")),
    ],
)
def test_levels_and_screens(levels: str, screen: str | None, why: Hidden | None) -> None:
    board = field(list(levels))
    assert Sight(board).hidden("0101", "0106", [screen] if screen else []) == why
    assert Sight(board, screens=[screen] if screen else []).hidden("0101", "0106") == why


def test_hexes_that_touch_see_each_other() -> None:
    board = field(["05", "50"], steep=[["0101", "0102"]], wall=[["0101", "0102"]])
    sight = Sight(board, walls=board.edges("wall"), steep=board.edges("steep"))
    assert sight.hidden("0101", "0102", ["0101", "0102"]) is None


def test_a_wall_is_looked_over_from_beside_it_only() -> None:
    board = field(["0"] * 6, wall=[["0103", "0104"]])
    sight = Sight(board, walls=board.edges("wall"))
    assert sight.hidden("0103", "0106") is None
    assert sight.hidden("0101", "0104") is None
    assert sight.hidden("0102", "0105") == Hidden("wall", "0103")
    assert sight.hidden("0105", "0102") == Hidden("wall", "0104")


@pytest.mark.parametrize(
    ("levels", "a", "b", "seen"),
    [
        ("222000", "0103", "0106", True),  # the upper end stands at the slope
        ("222000", "0106", "0103", True),
        ("222000", "0101", "0104", False),  # the lower end stands at it
        ("222000", "0104", "0101", False),
        ("222000", "0102", "0105", False),  # as near to both
        ("222000", "0102", "0106", True),
        ("222202", "0101", "0106", True),  # ends as high
    ],
)
def test_a_steep_slope_is_looked_over_from_its_edge(levels: str, a: str, b: str, seen: bool) -> None:
    board = field(list(levels))
    steep = [(x, y) for x in board.hexes for y in board.neighbours[x] if abs(board.rise(x, y)) >= 2]
    assert (Sight(board, steep=steep).hidden(a, b) is None) == seen


def test_a_line_between_two_hexes_is_hidden_by_either() -> None:
    board = field(["000", "000", "000"])
    sight = Sight(board)
    assert sight.line("0102", "0302") == [("0202", "0203")]
    for between in ("0202", "0203"):
        assert sight.hidden("0102", "0302", [between]) == Hidden("screen", between)


def test_off_the_map_nothing_hides() -> None:
    board = field(["000", "000"])
    assert Sight(board).line("0101", "0301") == [("0201", "0202")]
    assert Sight(board).line("0102", "0302") == [("0202",)]


def test_a_title_may_say_from_where_screens_hide() -> None:
    board = field(list("200000"))
    strict = Sight(board, hides_from=min)
    assert strict.hidden("0101", "0106", ["0103"]) == Hidden("screen", "0103")


def test_all_that_a_battery_sees_is_found_fast() -> None:
    """720 hexes, on levels and among troops: 20 ms."""
    rows = ["".join(str((c * 7 + r * 3) // 11 % 4) for c in range(40)) for r in range(40)]
    board = field(rows)
    steep = [(x, y) for x in board.hexes for y in board.neighbours[x] if abs(board.rise(x, y)) >= 2]
    sight = Sight(board, steep=steep, screens=[h for h in board.hexes if h.endswith("7")])
    troops = {h for h in board.hexes if h.endswith("3")}
    took = []
    for _ in range(5):
        begun = process_time()
        seen = sight.seen("2020", RANGE, troops)
        took.append(process_time() - begun)
    assert min(took) < TIME
    assert len(board.within("2020", RANGE)) == 721
    assert 20 < len(seen) < 720
    assert list(seen) == [h for h in sorted(board.within("2020", RANGE))
                          if h != "2020" and sight.hidden("2020", h, troops) is None]  # fmt: skip
