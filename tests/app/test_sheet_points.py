"""The drawn point map: whole, small, the same every time; no name over another; its counters and pictures."""

import gzip
import itertools
import json
import math
import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from app.config import ROOT
from app.sheet import sheets
from app.sheet.counters import draw_counters
from app.sheet.drawing import BOARD_LAYERS, ORDER, draw_map
from app.sheet.faces import pieces_of
from app.sheet.pen import inside
from app.sheet.pointmap import take_lines
from app.sheet.pointnames import Box, name_places
from app.sheet.pointsheet import STACK, PointSheet
from app.sheet.stills import still

TITLE = "ultimo_hombre"
FOLDER = ROOT / "scenarios" / TITLE
SVG = "{http://www.w3.org/2000/svg}"
LIMIT = 150 * 1024


def read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text())


@pytest.fixture(scope="module")
def board() -> dict[str, Any]:
    found: dict[str, Any] = read("map")
    return found


@pytest.fixture(scope="module")
def sheet(board: dict[str, Any]) -> PointSheet:
    return PointSheet(board, sheets.title_style(TITLE))


@pytest.fixture(scope="module")
def drawn(board: dict[str, Any]) -> str:
    return draw_map(board, sheets.title_style(TITLE), "en")


@pytest.fixture(scope="module")
def symbols() -> str:
    return draw_counters(pieces_of(read("units")), sheets.title_style(TITLE), read("cards")["cards"])


def layer(svg: str, name: str) -> ElementTree.Element:
    return next(g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == f"l-{name}")


def overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def test_every_space_has_its_name_prizes_and_sign(board: dict[str, Any], drawn: str) -> None:
    lettered: dict[str, list[str]] = {}
    for text in layer(drawn, "towns").iter(f"{SVG}text"):
        if at := text.get("data-at"):
            lettered.setdefault(at, []).append(text.text or "")
    assert {k: " ".join(rows) for k, rows in lettered.items()} == {k: s["name"] for k, s in board["spaces"].items()}
    texts = layer(drawn, "towns").iter(f"{SVG}text")
    worth = Counter(f"{text.get('class')} {text.text}" for text in texts if not text.get("data-at"))
    wanted = Counter(f"worth medal {s['vp']}" for s in board["spaces"].values() if s["vp"])
    wanted += Counter(f"worth card {s['cards']}" for s in board["spaces"].values() if s["cards"])
    assert worth == wanted
    signs = Counter(use.get("href") for use in layer(drawn, "signs").iter(f"{SVG}use"))
    keys = [s for s in board["spaces"].values() if s["strategic"]]
    assert signs["#p-key"] + signs["#p-key-port"] == len(keys)
    assert signs.total() == len(board["spaces"])


def test_map_is_small_layered_and_the_same_every_time(board: dict[str, Any], drawn: str) -> None:
    assert len(gzip.compress(drawn.encode(), 9)) < LIMIT
    assert re.findall(r'<g class="l-([a-z]+)"', drawn) == [*ORDER, "frame"]
    for name in BOARD_LAYERS:
        assert f'<g class="l-{name}"></g>' in drawn
    assert draw_map(board, sheets.title_style(TITLE), "en") == drawn


def test_each_language_has_its_words() -> None:
    style = sheets.title_style(TITLE)
    for words in style["words"].values():
        assert set(words["legend"]) == set(style["legend"])
        assert set(words["areas"]) == {a["name"] for a in (*style["countries"], *style["regions"])}


def test_no_name_lies_over_another_a_sign_or_its_own_counters(sheet: PointSheet) -> None:
    take_lines(sheet)
    names = name_places(sheet)
    for k, name in names.items():
        x, y = sheet.at[k]
        assert not overlap(name.box, (x + STACK[0], y + STACK[1], x + STACK[2], y + STACK[3])), k
        for other, (u, v) in sheet.at.items():
            assert not overlap(name.box, (u - 14, v - 14, u + 14, v + 14)), (k, other)
            assert other == k or not overlap(name.box, names[other].box), (k, other)


def test_each_way_is_drawn_from_space_to_space(board: dict[str, Any], sheet: PointSheet, drawn: str) -> None:
    paths = layer(drawn, "roads").iter(f"{SVG}path")
    ways = {path.get("data-way"): path.get("class") for path in paths if path.get("data-way")}
    kinds = {"brown": "way road", "blue": "way ford", "main_river": "way sail"}
    assert ways == {f"{a} {b}": kinds[kind] for a, b, kind in board["connections"]}
    for lines in sheet.ways.values():
        for (a, b), line in lines.items():
            assert math.dist(line[0], sheet.at[a]) < 0.1
            assert math.dist(line[-1], sheet.at[b]) < 0.1
            assert max(math.dist(p, q) for p, q in itertools.pairwise(line)) < 140


def test_lands_hold_their_spaces_and_share_their_borders(sheet: PointSheet) -> None:
    lands, borders = sheet.lands()
    for k, space in sheet.spaces.items():
        x, y = sheet.at[k]
        near = [inside(lands[space["country"]])(x + dx, y + dy) for dx in (-45, 0, 45) for dy in (-45, 0, 45)]
        assert any(near), k
    for line, _ in borders:
        owners = [country for country, rings in lands.items() if any(line[len(line) // 2] in ring for ring in rings)]
        assert len(owners) == 2


def test_every_piece_has_its_sides(symbols: str) -> None:
    ids = set(re.findall(r' id="([^"]+)"', symbols))
    units = read("units")["units"]
    assert {f"c-{u}" for u in units} <= ids
    assert {u for u in units if f"c-{u}-r" in ids} == {u for u, unit in units.items() if unit["reduced"] is not None}
    assert {f"c-{u}" for group in ("leaders", "fortresses") for u in read("units")[group]} <= ids
    assert {"marker-capital", "marker-battle", "control-allied", "control-paraguayan"} <= ids
    assert {f"card-{c}" for c in read("cards")["cards"]} <= ids
    factors = dict(re.findall(r'id="c-(\w+(?:-r)?)"(?:(?!id="c-).)*?class="strength"[^>]*>(\d)<', symbols))
    for u, unit in units.items():
        assert factors[u] == str(unit["full"])
        assert factors.get(f"{u}-r", "None") == str(unit["reduced"])


def test_ids_are_unique_and_known_and_colour_is_left_to_style_sheets(drawn: str, symbols: str) -> None:
    ids = Counter(re.findall(r' id="([^"]+)"', drawn + symbols))
    assert [name for name, times in ids.items() if times > 1] == []
    for svg in (drawn, symbols):
        wanted = set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg))
        assert wanted <= set(ids)
        for node in ElementTree.fromstring(svg).iter():
            assert not {"style", "fill", "stroke", "onload"} & set(node.attrib)


def test_a_still_shows_both_sides_of_a_battle_leaders_and_control(board: dict[str, Any]) -> None:
    fragments = {
        "space:salto": {
            "side": "paraguayan", "control": "paraguayan", "count": 2, "contested": True,
            "units": [{"id": "br_inf_04", "badges": []}, {"id": "ub_cav_1", "badges": ["reduced"]}],
            "markers": [{"id": "osorio", "kind": "leader"}, {"id": "capital", "kind": "capital"}],
        },
        "space:melo": {"control": "allied", "count": 0, "units": []},
    }  # fmt: skip
    svg = still(TITLE, {"map": board, "units": pieces_of(read("units"))}, fragments)
    shown = [use.get("href") for use in layer(svg, "counters").iter(f"{SVG}use")]
    for symbol in ("c-br_inf_04", "c-ub_cav_1-r", "c-osorio", "marker-capital", "marker-battle", "control-allied"):
        assert f"#{symbol}" in shown
