"""Hex maps with levels: contours true to play, hachures downhill, and all that a staff map has."""

import gzip
import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from app.sheet import relief
from app.sheet.drawing import draw_map
from app.sheet.hexsheet import HEIGHT, HexSheet
from app.sheet.terrain import GROUNDS
from rules.maps import hexes

COLUMNS, ROWS = 16, 14
SVG = "{http://www.w3.org/2000/svg}"
LEGEND = ["contour", "steep", "bluff", "built", "deep", "bridge", "highway", "wall", "pond", "cut", "scrub", "mountain"]
STYLE: dict[str, Any] = {
    "terrain": {"woods": "forest", "park": "forest", "swamp": "marsh"},
    "edges": {"brook": "minor_river", "river": "deep_river", "chaussee": "highway", "ravine": "bluff"},
    "marks": {"village": "church", "farm": "village"},
    "frame": 2,
    "legend": LEGEND,
    "words": {"en": {"title": "A field", "subtitle": "For tests", "areas": {"hill": "The Knoll"},
                     "legend": {kind: kind.title() for kind in LEGEND}}},
}  # fmt: skip


def level_of(column: int, row: int) -> int:
    """A hill of five levels in the east, a plain with a steep knob in the west."""
    return 3 if (column, row) == (3, 4) else max(0, 5 - round(math.hypot(column - 11, row - 6)))


def name_of(cell: hexes.Cell) -> str:
    return f"N{cell[0]:02}{cell[1]:03}"


def field() -> dict[str, Any]:
    cells = [(c, r) for c in range(1, COLUMNS + 1) for r in range(101, 101 + ROWS)]
    spots: dict[str, Any] = {name_of((c, r)): {"level": level_of(c, r - 100)} for c, r in cells}
    covered = {(2, 110): "woods", (2, 111): "park", (4, 112): "swamp", (6, 103): "village", (6, 104): "village",
               (5, 108): "pond", (5, 109): "pond"}  # fmt: skip
    for cell, terrain in covered.items():
        spots[name_of(cell)]["terrain"] = terrain
    spots[name_of((14, 112))] |= {"name": "Lone Farm", "features": [{"type": "farm"}]}

    def pair(a: hexes.Cell, side: int) -> list[str]:
        return [name_of(a), name_of(hexes.step(a, side, "odd"))]

    edges = {
        "brook": [[*pair((3, r), side), "Rill"] for r in range(101, 113) for side in (1, 2)],
        "river": [[*pair((15, r), side), "Broad"] for r in range(102, 113) for side in (1, 2)],
        "chaussee": [pair((c, 107 if c % 2 else 108), 2 if not c % 2 else 1) for c in range(1, 15)],
        "wall": [pair((6, 103), side) for side in (0, 1, 5)],
        "ravine": [pair((8, 110), 2)],
        "bridge": [pair((3, 107), 1)],
        "cut": [pair((9, 113), 0)],
        "telegraph": [pair((9, 112), 0)],
    }
    places = {"hill": {"name": "Knoll", "kind": "hill", "hexes": [name_of((11, 106)), name_of((11, 107))]},
              "fold": {"name": "Fold", "kind": "village", "hexes": [name_of((6, 103)), name_of((6, 104))]},
              "mere": {"name": "Mere", "kind": "pond", "hexes": [name_of((5, 108)), name_of((5, 109))]}}  # fmt: skip
    grid = {"lower_columns": "odd", "labels": [{"prefix": "N", "digits": [2, 3]}], "hex_km": 0.135}
    return {"grid": grid, "hexes": spots, "edges": edges, "places": places}


@pytest.fixture(scope="module")
def sheet() -> HexSheet:
    return HexSheet(field(), STYLE)


@pytest.fixture(scope="module")
def drawn() -> str:
    return draw_map(field(), STYLE, "en")


def test_every_centre_lies_on_its_level(sheet: HexSheet) -> None:
    ground = relief.Field(sheet)
    for k, h in sheet.hexes.items():
        x, y = sheet.centre(k)
        i, j = round((x - ground.left) / relief.STEP), round((y - ground.top) / relief.STEP)
        assert round(ground.grid[j][i]) == h["level"], h["id"]


def test_contours_close_and_part_the_levels(sheet: HexSheet) -> None:
    ground = relief.Field(sheet)
    for level in range(1, 6):
        rings = list(ground.contours(level - 0.5))
        assert rings
        for ring in rings:
            gaps = [math.dist(a, b) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
            assert max(gaps) < 2 * relief.STEP


def test_ground_falls_from_high_to_low(sheet: HexSheet) -> None:
    ground = relief.Field(sheet)
    east, south = ground.fall(sheet.centre((8, 106)))  # west of the hill
    assert east < 0
    assert abs(south) < abs(east)
    assert 0.4 < math.hypot(east, south) < 2.5  # about a level in a hex


def paths(svg: str, cls: str) -> list[str]:
    """Those of a class on the map itself."""
    return re.findall(rf'class="{cls}" d="([^"]*)"', svg.partition("</defs>")[2])


@pytest.mark.parametrize(
    "cls",
    ["m-stream", "m-deep-stream", "m-highway", "m-wall", "m-bluff", "m-steep", "m-cut", "m-house", "g-forest",
     "g-marsh", "g-village", "hach a", *(f"t t{level}" for level in range(6))],
)  # fmt: skip
def test_all_of_it_is_drawn(drawn: str, cls: str) -> None:
    assert any(paths(drawn, cls))


def test_signs_and_names(drawn: str) -> None:
    root = ElementTree.fromstring(drawn)
    shown = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    for name in ("Fold", "The Knoll", "Mere", "Lone Farm", "A field"):
        assert name in shown
    assert "telegraph" not in drawn
    body = drawn.partition("</defs>")[2]
    for sign in ("t-bridge", "t-church", "t-village"):
        assert body.count(f'"#{sign}"') == 1
    wanted = set(re.findall(r'href="#([^"]+)"', drawn)) | set(re.findall(r"url\(#([^)]+)\)", drawn))
    assert wanted <= set(re.findall(r' id="([^"]+)"', drawn))
    assert sorted(t for t in shown if re.fullmatch(r"N\d{5}", t)) == sorted(field()["hexes"])
    heights = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "height"]
    assert heights
    assert set(heights) <= {"1", "2", "3", "4", "5"}


def test_the_scale_of_a_field(drawn: str) -> None:
    assert ">2 km</text>" in drawn
    unit = HEIGHT / 0.135 * 0.5
    assert f"h{unit * 4:.1f}" in drawn


def test_steep_is_what_the_style_says() -> None:
    gentle = draw_map(field(), {**STYLE, "relief": {"steep": 9}}, "en")
    assert paths(gentle, "m-steep") == [""]
    assert any(paths(gentle, "m-bluff"))


def test_it_is_small(drawn: str) -> None:
    assert len(gzip.compress(drawn.encode(), 9)) < 150 * COLUMNS * ROWS


def test_a_flat_map_may_have_villages_and_ponds() -> None:
    flat = field()
    for spot in flat["hexes"].values():
        spot.pop("level")
    svg = draw_map(flat, STYLE, "en")
    assert any(paths(svg, "m-house"))
    assert "in-ponds" in svg
    assert "hach" not in svg.partition("</defs>")[2]
    assert {"village", "pond", "scrub"} < GROUNDS
