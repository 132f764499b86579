"""The drawn area map: closed, without gaps, small, always the same; no name over another; its stacks and pictures."""

import gzip
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from app.config import ROOT
from app.games import data
from app.sheet import areamap, areasheet, stills
from app.sheet.areanames import Name, name_places
from app.sheet.areasheet import HALF, AreaSheet, Rect
from app.sheet.counters import draw_counters
from app.sheet.drawing import BOARD_LAYERS, ORDER, draw_map
from app.sheet.sheets import extra_styles
from rules.maps import areas, paths
from tests.app import areas_title
from tests.app.areas_site import forget, furnish_areas

SVG = "{http://www.w3.org/2000/svg}"
LIMIT = 150 * 1024


@pytest.fixture(scope="module")
def board() -> dict[str, Any]:
    found: dict[str, Any] = areas_title.read("map")
    return found


@pytest.fixture(scope="module")
def style() -> dict[str, Any]:
    return areas_title.look()


@pytest.fixture(scope="module")
def drawn(board: dict[str, Any], style: dict[str, Any]) -> str:
    return draw_map(board, style, "en")


@pytest.fixture(scope="module")
def named(board: dict[str, Any], style: dict[str, Any]) -> tuple[AreaSheet, dict[str, Name], dict[str, Name]]:
    sheet = AreaSheet(board, style)
    areamap.take_room(sheet)
    return (sheet, *name_places(sheet))


@pytest.fixture(scope="module")
def sheet(named: tuple[AreaSheet, dict[str, Name], dict[str, Name]]) -> AreaSheet:
    return named[0]


def layer(svg: str, name: str) -> ElementTree.Element:
    return next(g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == f"l-{name}")


def overlap(a: Rect, b: Rect) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) + 1 and min(a[3], b[3]) > max(a[1], b[1]) + 1


def play(board: dict[str, Any]) -> set[str]:
    return {name for name, area in board["areas"].items() if area["kind"] != "void"}


def test_every_area_is_closed_and_holds_its_anchor(sheet: AreaSheet) -> None:
    for name, rings in sheet.rings.items():
        assert rings, name
        for loop, ring in zip(sheet.loops[name], rings, strict=True):
            assert sheet._end(*_start(loop[0])) == sheet._end(*_start(loop[-1], end=True)), name
            assert max(math.dist(a, b) for a, b in itertools.pairwise([*ring, ring[0]])) < 60, name
        assert sheet.within[name](*sheet.place(*sheet.areas[name]["at"])), name
    for name, slots in sheet.slots.items():
        if name in sheet.areas:
            assert sheet.within[name](*slots[0]), name


def _start(step: tuple[int, bool], end: bool = False) -> tuple[int, int]:
    i, back = step
    return i, -1 if back != end else 0


def test_neighbours_share_the_very_curve_of_their_border(sheet: AreaSheet, board: dict[str, Any], drawn: str) -> None:
    paths_of = {p.get("data-area"): p.get("d", "") for p in layer(drawn, "ground").iter(f"{SVG}path")}
    for i, border in enumerate(board["borders"]):
        a, b = border["a"], border["b"]
        here = {(i, False), (i, True)}
        owners = [name for name, loops in sheet.loops.items() if any(here & set(loop) for loop in loops)]
        assert sorted(owners) == sorted(x for x in (a, b) if x)
        curves = [areasheet.START.sub("", sheet.curve(i, back), count=1) for back in (False, True)]
        for name in {a, b} & play(board):
            assert any(curve in paths_of[name] for curve in curves), (name, border)


def test_areas_cover_the_sheet_and_none_lies_on_another(sheet: AreaSheet) -> None:
    for i, j in itertools.product(range(1, 40), range(1, 40)):
        x, y = sheet.right * i / 40, sheet.bottom * j / 40
        owners = [name for name, within in sheet.within.items() if within(x, y)]
        assert len(owners) == 1, (x, y, owners)


def test_no_name_lies_over_another_a_box_or_a_stack(
    named: tuple[AreaSheet, dict[str, Name], dict[str, Name]],
) -> None:
    sheet, boxes, names = named
    assert boxes.keys() == {k for k, box in sheet.boxes.items() if "size" not in box}
    assert names.keys() == {k for k, area in sheet.areas.items() if area["name"]}
    every = [*boxes.values(), *names.values()]
    for one, other in itertools.combinations(every, 2):
        assert not overlap(one.rect, other.rect), (one.of, other.of)
    stacks = [(k, p) for k in sheet.areas for p in sheet.slots.get(k, ())]
    for name in every:
        for box, rect in sheet.rects.items():
            assert not overlap(name.rect, rect), (name.of, box)
        for k, (x, y) in stacks:
            assert not overlap(name.rect, (x - HALF + 7, y - HALF + 7, x + HALF - 7, y + HALF - 7)), (name.of, k)


def test_stacks_of_an_area_stand_apart_and_off_the_boxes(sheet: AreaSheet) -> None:
    for name, slots in sheet.slots.items():
        for (x, y), (u, v) in itertools.combinations(slots, 2):
            assert abs(x - u) >= 50 or abs(y - v) >= 50, name
    many = [name for name, area in sheet.areas.items() if area["kind"] == "land" and len(sheet.slots[name]) >= 2]
    assert len(many) >= 40


def test_map_is_small_layered_and_the_same_every_time(
    named: tuple[AreaSheet, dict[str, Name], dict[str, Name]], drawn: str
) -> None:
    assert len(gzip.compress(drawn.encode(), 9)) < LIMIT
    assert re.findall(r'<g class="l-([a-z]+)"', drawn) == [*ORDER, "frame"]
    for name in BOARD_LAYERS:
        assert f'<g class="l-{name}"></g>' in drawn
    sheet, boxes, names = named
    assert areamap.fields(sheet) in drawn
    assert "".join(areamap.lettered(sheet, name) for name in (*boxes.values(), *names.values())) in drawn


def test_everything_in_play_is_drawn_once_with_its_name_and_signs(board: dict[str, Any], drawn: str) -> None:
    fields = [p.get("data-area", "") for p in layer(drawn, "ground").iter(f"{SVG}path") if "data-area" in p.attrib]
    plates = [p.get("data-box", "") for p in layer(drawn, "signs").iter(f"{SVG}rect") if "data-box" in p.attrib]
    assert sorted(fields) == sorted(play(board))
    assert sorted(plates) == sorted(board["boxes"])
    lettered: dict[str, list[str]] = {}
    for text in layer(drawn, "towns").iter(f"{SVG}text"):
        if at := text.get("data-at"):
            lettered.setdefault(at, []).append(text.text or "")
    for name, spot in (*board["areas"].items(), *board["boxes"].items()):
        if spot["name"] and "size" not in spot:
            assert " ".join(lettered[name]) == spot["name"]
    signs = Counter(use.get("href") for use in layer(drawn, "towns").iter(f"{SVG}use"))
    told = [sign for a in board["areas"].values() for sign in (*a.get("worth", {}), *a.get("signs", ()))]
    assert signs == Counter(f"#p-{sign}" for sign in told)
    ports = sum(use.get("href") == "#a-port" for use in layer(drawn, "signs").iter(f"{SVG}use"))
    assert ports == sum(box.get("port", False) for box in board["boxes"].values())
    cells = sum(r.get("class") == "a-cell" for r in layer(drawn, "signs").iter(f"{SVG}rect"))
    assert cells == sum(len(track["cells"]) for track in board["tracks"])


def test_rivers_taper_and_follow_their_borders(sheet: AreaSheet) -> None:
    for course in sheet.courses:
        assert course.widths[0] < course.widths[-1] / 1.5, course.name
        assert max(math.dist(p, q) for p, q in itertools.pairwise(course.line)) < 40, course.name
        for pair in course.pairs:
            for i in sheet.between(*pair):
                x, y = sheet.lines[i][len(sheet.lines[i]) // 2]
                assert min(math.dist((x, y), p) for p in course.line) < 8, (course.name, pair)


def test_ids_are_known_and_colour_is_left_to_style_sheets(drawn: str, style: dict[str, Any]) -> None:
    symbols = draw_counters(areas_title.read("units")["units"], style)
    ids = Counter(re.findall(r' id="([^"]+)"', drawn + symbols))
    assert [name for name, times in ids.items() if times > 1] == []
    wanted = set(re.findall(r'href="#([^"]+)"', drawn)) | set(re.findall(r"url\(#([^)]+)\)", drawn))
    assert wanted <= set(ids)
    for node in ElementTree.fromstring(drawn).iter():
        assert not {"style", "fill", "stroke", "onload"} & set(node.attrib)


def test_all_three_themes_colour_what_is_drawn() -> None:
    css = (ROOT / "static/css/areas.css").read_text()
    light = set(re.findall(r"(--a-[\w-]+):", css.split("}")[0]))
    for theme in ("dark", "contrast"):
        block = re.search(rf":root\[data-theme={theme}\] {{([^}}]*)}}", css)
        assert block
        assert set(re.findall(r"(--a-[\w-]+):", block[1])) == light
    general = (ROOT / "static/css/map.css").read_text()
    known = set(re.findall(r"(--[\w-]+):", css + general)) | {"--nation"}
    assert set(re.findall(r"var\((--[\w-]+)", css)) <= known


def test_the_page_asks_for_the_style_of_areas_only_where_they_are() -> None:
    for title in ("triple_alliance", "ultimo_hombre"):
        assert extra_styles({"map": data.current(title).files["map"], "units": {}}) == []
    assert extra_styles({"map": {"kind": "areas"}, "units": {}}) == ["areas"]
    hills: dict[str, Any] = {"hexes": {"0101": {"level": 1}}, "edges": {}}
    assert extra_styles({"map": hills, "units": {"x": {"face": "formation"}}}) == ["relief", "troops"]
    walls: dict[str, Any] = {"hexes": {}, "edges": {"wall": []}}
    assert extra_styles({"map": walls, "units": {}}) == ["relief"]
    assert "import('./areas.js')" in (ROOT / "static/js/board/places.js").read_text()


def test_a_still_shows_a_stack_for_each_owner(
    board: dict[str, Any], style: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stills, "title_style", lambda _: style)
    monkeypatch.setattr(stills, "style_sheet", lambda *_: "")
    units = areas_title.read("units")["units"]
    fragments = {
        "space:salta": {"side": "patriot", "count": 4, "units": [{"id": u} for u in
                        ("plata_inf_1", "plata_inf_2", "gc_inf_1", "es_inf_1")],
                        "others": [{"side": "royalist", "count": 2}],
                        "markers": [{"id": "plata_cav_1", "kind": "leader"}]},
        "space:callao": {"side": "royalist", "count": 1, "units": [{"id": "es_inf_2"}]},
    }  # fmt: skip
    stacks = stills.pieces("liberators", {"map": board, "units": units}, fragments)
    drawn = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{stacks}</svg>')
    camps = [g for g in drawn.iter(f"{SVG}g") if g.get("class", "").startswith("stack camp")]
    assert len(camps) == 2
    used = Counter(use.get("href") for camp in camps for use in camp.iter(f"{SVG}use"))
    assert used == Counter(
        ["#c-plata_inf_1", "#c-plata_inf_2", "#c-gc_inf_1", "#c-es_inf_1", "#back-royalist", "#back-royalist",
         "#c-plata_cav_1", "#c-es_inf_2"]
    )  # fmt: skip


def test_a_map_to_scale_has_a_scale(board: dict[str, Any], style: dict[str, Any], drawn: str) -> None:
    assert 'class="scale"' not in drawn
    nothing: dict[str, Any] = {"areas": {}, "borders": [], "boxes": {}, "links": [], "rivers": {}, "tracks": []}
    small = {**board, **nothing, "board": {"width": 400, "height": 300, "km": 4}}
    style = {**style, "ground": []}
    assert ">1000 km<" in draw_map(small, style, "en")
    small["board"]["km"] = 0.5
    assert ">100 km<" in draw_map(small, style, "en")


def test_each_language_has_its_words(style: dict[str, Any]) -> None:
    for words in style["words"].values():
        assert set(words["legend"]) == set(style["legend"])
        assert set(words["areas"]) == {label["name"] for label in style["regions"]}


def test_the_graph_of_areas(board: dict[str, Any]) -> None:
    graph = areas.AreaMap(board)
    assert graph.areas.keys() == play(board)
    assert graph.ways("chaco", "paraguay") == {areas.RIVER}
    assert graph.ways("chile_norte", "cordoba") == graph.ways("cordoba", "chile_norte") == {areas.PASS}
    assert graph.ways("charcas", "chile_norte") == {areas.IMPASSABLE}
    assert "chile_norte" not in graph.neighbours["charcas"]
    assert graph.within("lima") == ("callao", "lima_city")
    assert graph.holder("callao") == "lima"
    assert graph.holder("spain") is None
    assert graph.boxes["callao"].sea == "pacific_8"
    assert "pacific_10" in graph.neighbours["atlantic_3"]
    assert graph.region("chile") == ("chile_norte", "chile_sur", "chiloe")
    assert all(a in graph.neighbours[b] for a, there in graph.neighbours.items() for b in there)
    found = paths.reach(paths.Prices(graph.neighbours, areas_title.price), "rio_de_la_plata", 4)
    assert found.cost["buenos_aires"] == 0
    assert found.cost["banda_oriental"] == 2
    assert found.cost["cordoba"] == 1
    assert found.cost["chile_norte"] == 4


def test_the_graph_knows_the_title_s_facts(board: dict[str, Any]) -> None:
    """Which areas of the mainland touch is told by the facts of the title that will be played on such a map."""
    graph = areas.AreaMap(board)
    assert sum(area.kind == "land" for area in graph.areas.values()) == 43
    assert sum(area.kind == "sea" for area in graph.areas.values()) == 23
    for a, b in (("charcas", "salta"), ("salta", "rio_de_la_plata"), ("lima", "cuzco"), ("maracaibo", "santa_fe"),
                 ("paraguay", "chaco")):  # fmt: skip
        assert b in graph.neighbours[a]
    for island in ("cuba", "santo_domingo", "puerto_rico", "margarita"):
        assert all(n in graph.boxes or graph.areas[n].kind == "sea" for n in graph.neighbours[island])


@pytest.mark.parametrize(
    "border",
    [
        {"a": "lima", "b": "cuzco", "kind": "bridge", "line": [[0, 0], [1, 1]]},
        {"a": "lima", "b": "atlantis", "kind": "open", "line": [[0, 0], [1, 1]]},
        {"a": "lima", "b": None, "kind": "open", "line": [[0, 0], [1, 1]]},
        {"a": "brasil", "b": "lima", "kind": "open", "line": [[0, 0], [1, 1]]},
    ],
)
def test_a_border_that_cannot_be_is_refused(board: dict[str, Any], border: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"border|way"):
        areas.AreaMap({**board, "borders": [*board["borders"], border]})


@pytest.fixture
def furnished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    furnish_areas(monkeypatch, tmp_path)
    yield
    forget()


def test_a_game_on_it_is_served_and_played(furnished: None, person: Callable[[str], TestClient]) -> None:  # noqa: ARG001
    ana = person("Ana")
    wish = {"title": "liberators", "scenario": "campaign", "seat": "patriot", "opponent": "both"}
    game = ana.post("/api/games", json=wish).json()["id"]
    page = ana.get(f"/games/{game}")
    assert page.status_code == 200
    assert "css/areas.css" in page.text
    assert "titles/liberators/theme.css" in page.text
    march = {"form": "march", "units": ["gc_inf_4"], "path": ["guayana", "los_llanos"]}
    at, seat = f"/api/games/{game}", {"seat": "patriot"}
    found = ana.post(f"{at}/reach", params=seat, json={"form": "march", "units": ["gc_inf_4"]})
    assert found.json()["cost"]["los_llanos"] == 2
    seq = ana.get(f"{at}/view", params=seat).json()["seq"]
    told = ana.post(f"{at}/answers", params=seat, json={"seq": seq, "key": "march-over", "answer": march})
    assert told.status_code == 200, told.text
    here = ana.get(f"{at}/view", params=seat).json()["view"]["fragments"]["space:los_llanos"]
    assert {unit["id"]: unit["left"] for unit in here["units"]}["gc_inf_4"] == 2
