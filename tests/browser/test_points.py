"""The board of a point map in a real Chromium: places, steps, printed ways, clusters; and the battle board's parts."""

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page

from app.config import ROOT
from app.sheet.counters import draw_counters
from app.sheet.drawing import draw_map
from app.sheet.faces import pieces_of
from app.sheet.pointsheet import PointSheet
from app.sheet.sheets import title_style
from tests.browser.bare import drawn, opened, served, until

TITLE = "ultimo_hombre"
FOLDER = ROOT / "scenarios" / TITLE
STYLE = """.fixed { position: absolute; left: 10px; right: 10px; bottom: 10px; height: 80px }
.passing { position: absolute; left: 60px; right: 60px; top: 10px; height: 300px }"""
SCRIPT = """
import * as battle from '/static/js/game/battle.js'
import LineTool from '/static/js/game/line_tool.js'
const covers = () => ({ fixed: document.querySelectorAll('.fixed'), passing: document.querySelectorAll('.passing') })
const board = api.createBoard(element, { ...given, covers })
board.minimap(document.getElementById('mini'))
board.on('tap', ({ loc, pointerType }) => told.push({ loc, pointerType }))
Object.assign(window, { battle, LineTool })
"""
MAP: dict[str, Any] = json.loads((FOLDER / "map.json").read_text())
PIECES = pieces_of(json.loads((FOLDER / "units.json").read_text()))
SIX = [f"py_inf_{n:02}" for n in range(1, 7)]
FRAGMENTS: dict[str, Any] = {
    "space:humaita": {
        "side": "paraguayan", "control": "paraguayan", "count": 6,
        "units": [{"id": u, "badges": ["reduced"] if u == SIX[0] else []} for u in SIX],
        "markers": [{"id": "lopez", "kind": "leader"}, {"id": "fort_humaita", "kind": "fortress", "badges": []},
                    {"id": "capital", "kind": "capital"}],
    },
    "space:salto": {
        "side": "allied", "control": "paraguayan", "count": 3, "contested": True,
        "units": [{"id": u, "badges": []} for u in ("br_inf_04", "br_cav_03", "ub_cav_1")],
    },
    "space:melo": {"control": "allied", "count": 0, "units": []},
}  # fmt: skip
BOXES = """([stack, loc]) => {
    const box = (n) => { const { top, bottom } = n.getBoundingClientRect(); return { top, bottom } }
    const at = document.querySelector(`.l-counters [data-at="${stack}"]`)
    return [...at.querySelectorAll('.counter')].map((n) => box(n.querySelector('.ground')
        ?? n)).concat([box(document.querySelector(`.l-towns [data-at="${loc}"]`))])
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    cards, style = json.loads((FOLDER / "cards.json").read_text())["cards"], title_style(TITLE)
    sheet, symbols = draw_map(MAP, style, "en"), draw_counters(PIECES, style, cards)
    sheets = ("css/cards.css", f"titles/{TITLE}/theme.css")
    with served({"map": MAP, "units": PIECES}, sheet, symbols, SCRIPT, sheets=sheets, style=STYLE) as address:
        yield address


@pytest.fixture
def board(page: Page, address: str) -> Iterator[Page]:
    """Some stacks on the board, Humaitá in the middle."""
    page.set_viewport_size({"width": 1000, "height": 700})
    with opened(page, address, FRAGMENTS, "humaita", 1.2):
        yield page


def test_places_are_where_the_sheet_puts_them(board: Page) -> None:
    sheet = PointSheet(MAP, title_style(TITLE))
    seen = board.evaluate("Object.fromEntries(places.all.map((l) => [l, [places.centre(l).x, places.centre(l).y]]))")
    assert seen == {k: pytest.approx(list(at)) for k, at in sheet.at.items()}
    near = board.evaluate("places.all.map((l) => [l, places.at(places.centre(l))])")
    assert all(loc == found for loc, found in near)
    assert sorted(board.evaluate("places.around('humaita')")) == [
        "curupayti", "fuerte_timbo", "pilar", "san_fernando", "tuyuti"
    ]  # fmt: skip


def test_arrows_lead_to_the_nearest_neighbour_that_way(board: Page) -> None:
    for start, key, goal in (
        ("humaita", "ArrowUp", "pilar"), ("humaita", "ArrowDown", "curupayti"), ("curupayti", "ArrowRight", "tuyuti"),
        ("asuncion", "ArrowLeft", "villa_occidental"), ("porto_alegre", "ArrowRight", None),
    ):  # fmt: skip
        assert board.evaluate("([l, k]) => places.step(l, k)", [start, key]) == goal
    board.locator(".board-view").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        board.keyboard.press(key)
    taps = [(t["loc"], t["pointerType"]) for t in board.evaluate("told")]
    assert taps == [("pilar", "keyboard")]


def test_a_path_follows_the_printed_ways_in_both_directions(board: Page) -> None:
    gap = """(path) => {
        const line = places.line(path), ways = path.slice(1).map((b, i) => [path[i], b])
        const nodes = ways.map(([a, b]) => document.querySelector(`[data-way="${a} ${b}"], [data-way="${b} ${a}"]`))
        const spots = Array.from({ length: 301 }, (_, i) => i / 300)
        const on = nodes.flatMap((n) => spots.map((part) => n.getPointAtLength(n.getTotalLength() * part)))
        return Math.max(...line.map((p) => Math.min(...on.map((q) => Math.hypot(p.x - q.x, p.y - q.y)))))
    }"""
    path = ["pilar", "humaita", "tuyuti", "itapiru", "ytati"]
    for way in (path, path[::-1]):
        assert board.evaluate(gap, way) < 3
    assert board.evaluate("places.line(['pilar', 'humaita']).length") > 8
    board.evaluate("p => board.setPath(p, [0, 1, 2, 3, 4])", path)
    assert board.locator(".b-path .path-dots").count() == 1
    board.evaluate(
        "board.setReach({cost: {pilar: 0, humaita: 1, tuyuti: 2}, via: {humaita: 'pilar', tuyuti: 'humaita'}})"
    )
    assert board.locator(".b-reach .reach-way").count() == 2


def test_six_counters_leave_the_name_free(board: Page) -> None:
    *pieces, name = board.evaluate(BOXES, ["humaita", "humaita"])
    assert len(pieces) == 9
    assert all(piece["bottom"] <= name["top"] + 6 for piece in pieces), (pieces, name)
    assert board.locator('.l-counters [data-at="humaita"] use').first.get_attribute("href") == "#c-py_inf_01-r"
    assert board.locator('.l-counters [data-at="humaita"] .leader use').get_attribute("href") == "#c-lopez"
    assert board.locator('.l-counters [data-at="humaita"] .capital use').get_attribute("href") == "#marker-capital"
    assert board.locator(".b-control use").get_attribute("href") == "#control-allied"


def test_both_sides_of_a_battle_stand_apart(board: Page) -> None:
    board.evaluate("board.focus('salto', {zoom: 1.2, slowly: false})")
    hrefs = board.locator('.l-counters [data-at="salto"] .counter use').evaluate_all(
        "n => n.map((u) => [u.getAttribute('href'), u.getBoundingClientRect().top])"
    )
    tops = dict(hrefs)
    assert tops["#c-br_inf_04"] == pytest.approx(tops["#c-br_cav_03"], abs=1)
    assert tops["#c-ub_cav_1"] > tops["#c-br_inf_04"] + 20
    assert board.locator('.l-counters [data-at="salto"] .clash-sign').count() == 1


def test_the_sign_of_a_battle_covers_no_work_and_leaders_stand_by_their_side(board: Page) -> None:
    stack = {"side": "paraguayan", "contested": True, "count": 2,
             "units": [{"id": u, "badges": []} for u in ("py_inf_01", "br_inf_04")],
             "markers": [{"id": "lopez", "kind": "leader"}, {"id": "mitre", "kind": "leader"},
                         *FRAGMENTS["space:humaita"]["markers"][1:]]}  # fmt: skip
    board.evaluate("stack => board.setFragments({'space:humaita': stack})", stack)
    at = '.l-counters [data-at="humaita"]'

    def box(css: str) -> FloatRect:
        found = board.locator(f"{at} {css}").bounding_box()
        assert found
        return found

    for work in (".fortress use", ".capital use"):
        assert box(work)["x"] + box(work)["width"] <= box(".clash-sign")["x"] + 2, work
    ours, lopez, mitre = (box(f'use[href="#c-{name}"]')["y"] for name in ("py_inf_01", "lopez", "mitre"))
    assert abs(lopez - ours) < abs(mitre - ours)


def test_spaces_a_card_speaks_of_are_lit_and_neighbours_run_together(board: Page) -> None:
    board.evaluate("board.setShade(['humaita', 'pilar', 'tuyuti', 'salto', 'nowhere'])")
    ways, spots = board.locator(".b-shade .shade-area path").evaluate_all("all => all.map((p) => p.getAttribute('d'))")
    assert ways.count("M") == 2  # Humaitá to Pilar and to Tuyutí, along the printed ways
    assert spots.count("M") == 4
    board.evaluate("board.setShade(['montevideo'])")  # out of sight: brought in
    until(board, "board.pointOf('montevideo').y < innerHeight")
    board.evaluate("board.setShade([])")
    assert board.locator(".b-shade path").count() == 0


def test_expected_hits_and_shots_of_the_running_battle(board: Page) -> None:
    slots = [
        {"id": "1", "unit": "a", "factor": 3},
        {"id": "2", "unit": "b", "factor": 2},
        {"id": "3", "unit": "c", "factor": 9},
    ]
    assert board.evaluate("s => battle.expected({slots: s}, 6)", slots) == pytest.approx(3 / 6 + 2 / 6 + 1)
    shot: dict[str, Any] = {
        "event": "shot",
        "data": {"at": "salto", "unit": "a", "target": "x", "roll": 2, "hit": True},
        "side": "allied",
    }
    over: dict[str, Any] = {"event": "battle_ended", "data": {"at": "salto"}, "fragments": {"battle": None}}
    entries = [
        {"seq": 1, "steps": [shot]}, {"seq": 2, "steps": [over]},
        {"seq": 3, "steps": [{**shot, "data": {**shot["data"], "roll": 5, "hit": False}}]},
        {"seq": 4, "steps": [shot], "retracted": True},
        {"seq": 5, "steps": [{**shot, "data": {**shot["data"], "at": "melo"}}]},
    ]  # fmt: skip
    seen = board.evaluate("e => battle.shotsOf(e, 'salto')", entries)
    assert [(s["roll"], s["hit"]) for s in seen] == [(5, False)]


@pytest.fixture
def lined(board: Page) -> Callable[[str], Any]:
    """A line of battle for two units, suggested in order; runs an expression with it as `tool`."""
    form: dict[str, Any] = {
        "form": "line_up", "kind": "line", "suggested": {"a": "slot:1", "b": "slot:2"}, "units": ["a", "b"],
        "slots": ["slot:1", "slot:2"],
    }  # fmt: skip
    board.evaluate("f => { window.tool = new LineTool({ redraw() {} }, f) }", form)
    return lambda script: board.evaluate(script)


def test_two_taps_change_places_in_the_line(lined: Callable[[str], Any]) -> None:
    assert lined("tool.answer()") == {"form": "line_up", "placed": {"a": "slot:1", "b": "slot:2"}}
    lined("tool.tapSlot('slot:1')")
    lined("tool.tapSlot('slot:2')")
    assert lined("tool.answer().placed") == {"a": "slot:2", "b": "slot:1"}
    lined("tool.tapSlot('slot:1')")
    assert lined("tool.back()")
    assert lined("tool.answer().placed") == {"a": "slot:2", "b": "slot:1"}


FRAME = """() => { const r = document.querySelector('.l-frame .neat.wide').getBoundingClientRect()
    return [r.left, r.top, r.right, r.bottom] }"""
NAMES = """() => [...document.querySelectorAll('.l-towns .town')]
    .filter((t) => getComputedStyle(t).visibility === 'visible')
    .map((t) => { const r = t.getBoundingClientRect(), m = t.getScreenCTM()
        const size = parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b), spare = r.height * 0.16
        return { at: t.dataset.at, size, box: [r.left, r.top + spare, r.right, r.bottom - spare] } })"""
STACKS = """() => [...document.querySelectorAll('.l-counters .stack')].map((n) => {
    const r = n.getBoundingClientRect(); return { at: n.dataset.at, box: [r.left, r.top, r.right, r.bottom] } })"""


def over(page: Page, kind: str) -> None:
    """Something lies over the board from now on."""
    page.evaluate("kind => document.body.insertAdjacentHTML('beforeend', `<div class='${kind}'></div>`)", kind)


def test_the_whole_sheet_is_shown_where_nothing_lies_over_it(board: Page) -> None:
    over(board, "fixed")
    board.evaluate("board.fit()")
    left, top, right, bottom = board.evaluate(FRAME)
    assert top >= -1
    assert 595 < bottom < 610
    assert (left + right) / 2 == pytest.approx(500, abs=2)
    board.set_viewport_size({"width": 1000, "height": 500})
    until(board, "board.zoom < 0.11")
    assert board.evaluate(FRAME)[3] < 410
    over(board, "passing")  # it would leave less than half of it
    board.evaluate("board.fit()")
    assert board.evaluate(FRAME)[3] - board.evaluate(FRAME)[1] > 380


def test_a_fight_comes_out_from_under_what_lies_over_the_board(board: Page) -> None:
    over(board, "fixed")
    board.evaluate("board.focus('salto', {zoom: 1, slowly: false})")
    assert board.evaluate("board.pointOf('salto').y") == pytest.approx(301, abs=2)
    over(board, "passing")
    assert not board.evaluate("board.seen('salto')")
    board.evaluate("board.show('salto')")
    until(board, "board.seen('salto')")
    (box,) = [s["box"] for s in board.evaluate(STACKS) if s["at"] == "salto"]
    assert box[1] > 310
    assert box[3] < 610


def test_at_first_view_the_sheet_reads_like_a_printed_map(board: Page) -> None:
    board.set_viewport_size({"width": 1066, "height": 840})
    over(board, "fixed")
    board.evaluate("board.fit()")
    until(board, "document.querySelector('.afar-count') && !document.querySelector('.nameless')")
    drawn(board)
    names, stacks = board.evaluate(NAMES), board.evaluate(STACKS)
    shown = {name["at"] for name in names}
    assert {k for k, s in MAP["spaces"].items() if s["strategic"]} <= shown
    assert len(shown) > 60
    assert min(name["size"] for name in names) > 10.9
    boxes = [*((n["at"], n["box"]) for n in names), *((f"stack {s['at']}", s["box"]) for s in stacks)]
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert wide <= 1 or high <= 1 or one == other, (one, other)
    assert all(s["box"][2] - s["box"][0] >= 17 for s in stacks)
    number = board.locator('.l-counters [data-at="humaita"] .afar-count')
    assert number.text_content() == "6"
    assert number.is_visible()
    assert board.locator('.l-counters [data-at="salto"] .afar-count, .l-counters [data-at="salto"] use').count() == 2
