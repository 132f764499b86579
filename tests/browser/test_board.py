"""The board in a real Chromium: geometry, stacks, pointing, keys, legibility, speed. No game, no socket."""

import json
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.config import ROOT
from app.sheet.counters import draw_counters
from app.sheet.drawing import draw_map
from app.sheet.hexsheet import HexSheet
from app.sheet.sheets import title_style
from tests.browser.bare import drawn, opened, served, until

TITLE = "triple_alliance"
FOLDER = ROOT / "scenarios" / TITLE
SCRIPT = """
const describe = (loc) => `Hex ${loc}`
const board = api.createBoard(element, { ...given, describe })
for (const name of ['tap', 'hover', 'longpress', 'drag', 'drop', 'key']) {
  board.on(name, ({ loc, unit, from, phase, pointerType }) => {
    told.push(JSON.parse(JSON.stringify({ name, loc, unit, from, phase, pointerType })))
  })
}
"""
UNITS: dict[str, Any] = json.loads((FOLDER / "units.json").read_text())["units"]
MAP: dict[str, Any] = json.loads((FOLDER / "map.json").read_text())
LETTERS = """[...document.querySelectorAll('.board-view .map text')]
  .filter((t) => t.getClientRects().length && t.textContent && getComputedStyle(t).visibility === 'visible')
  .map((t) => [t, t.getScreenCTM(), parseFloat(getComputedStyle(t).fontSize)])
  .map(([t, m, size]) => [t.textContent, size * Math.hypot(m.a, m.b)])
  .filter(([, size]) => size < 10.9)"""
FULL = ["BR-INF-1F", "BR-INF-2F", "BR-ENG-E1", "BR-ART-2", "BR-SUP-Sup-1"]
FRAGMENTS = {
    "space:1335": {"side": "allied", "control": "allied", "count": 5, "units": [{"id": u, "badges": []} for u in FULL]},
    "space:1434": {"side": "paraguay", "control": "paraguay", "count": 3, "top": {"id": "PY-FOR-Ipr", "badges": []}},
    "space:1537": {"side": "allied", "control": "allied", "count": 9, "box": 3},
    "space:1735": {"control": "paraguay", "count": 0},
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    sheet, symbols = draw_map(MAP, title_style(TITLE), "en"), draw_counters(UNITS, title_style(TITLE))
    theme = (f"titles/{TITLE}/theme.css",)
    with served({"map": MAP, "units": UNITS}, sheet, symbols, SCRIPT, sheets=theme) as address:
        yield address


@pytest.fixture
def board(page: Page, address: str) -> Iterator[Page]:
    """Some stacks on the board, hex 1435 in the middle."""
    page.set_viewport_size({"width": 1000, "height": 700})
    with opened(page, address, FRAGMENTS, "1435", 1.2):
        yield page


def at(page: Page, loc: str) -> tuple[float, float]:
    point = page.evaluate("loc => board.pointOf(loc)", loc)
    return point["x"], point["y"]


def told(page: Page, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("name => told.filter((e) => e.name === name)", name)
    return found


def test_browser_and_server_agree_on_places(board: Page) -> None:
    sheet = HexSheet(MAP, {})
    centres = board.evaluate("Object.fromEntries(places.all.map((l) => [l, places.centre(l)]))")
    assert centres.keys() == MAP["hexes"].keys()
    for loc, point in centres.items():
        assert math.dist(sheet.centre(sheet.key(loc)), (point["x"], point["y"])) < 0.01
    rng = random.Random(1)
    points = [(rng.uniform(sheet.left, sheet.right), rng.uniform(sheet.top, sheet.bottom)) for _ in range(500)]
    found = board.evaluate("points => points.map(([x, y]) => places.at({x, y}))", points)
    for point, loc in zip(points, found, strict=True):
        k = sheet.at(point)
        assert loc == (sheet.hexes[k]["id"] if k in sheet.hexes else None)
    around = board.evaluate("places.around('1335').sort()")
    assert around == sorted(sheet.hexes[k]["id"] for k in sheet.around(sheet.key("1335")) if k in sheet.hexes)


def symbols(page: Page, loc: str) -> list[str]:
    """What is drawn in a space, bottom first."""
    uses = page.locator(f".stack[data-at='{loc}'] .counter > use:first-child")
    return [str(name) for name in uses.evaluate_all("all => all.map((u) => u.getAttribute('href').slice(1))")]


def test_stacks_show_what_fragments_tell(board: Page) -> None:
    assert symbols(board, "1335") == [f"c-{u}" for u in FULL[:4]][::-1]
    assert symbols(board, "1434") == ["back-paraguay", "back-paraguay", "c-PY-FOR-Ipr"]
    assert symbols(board, "1537") == ["box-allied"]
    assert board.locator(".stack[data-at='1335'] .stack-count").text_content() == "5"
    assert board.locator(".stack[data-at='1537']").text_content() == "39"
    assert board.locator(".b-control > g").count() == 1
    assert board.locator("#mini .thumb-dot").count() == 0
    board.evaluate("board.minimap(document.getElementById('mini'))")
    expect(board.locator("#mini .thumb-dot")).to_have_count(3)
    board.evaluate(
        "board.applyFragments({'space:1335': null, 'pool:x': {},"
        "'space:1434': {side: 'paraguay', count: 1, top: {id: 'PY-FOR-Ipr'}}})"
    )
    assert symbols(board, "1335") == []
    assert symbols(board, "1434") == ["c-PY-FOR-Ipr"]
    assert symbols(board, "1537") == ["box-allied"]
    assert board.locator("#mini .thumb-dot").count() == 2
    board.evaluate("board.setFragments({'space:1336': {side: 'allied', count: 1, units: [{id: 'BR-INF-1F'}]}})")
    assert board.locator(".stack").count() == 1
    assert board.locator(".b-control > g").count() == 0


def test_the_window_stays_filled(board: Page) -> None:
    """Wherever one looks or draws the map to, little is seen beside the sheet."""
    gaps = """() => {
        const view = document.querySelector('.board-view').getBoundingClientRect()
        const sheet = document.querySelector('.board-sheet > svg.map').getBoundingClientRect()
        return [sheet.left - view.left, sheet.top - view.top, view.right - sheet.right, view.bottom - sheet.bottom]
    }"""
    for corner in ("1013", "1060", "3013", "3060", "2013"):
        nearest = min(MAP["hexes"], key=lambda loc: abs(int(loc) - int(corner)))
        board.evaluate("loc => board.focus(loc, { zoom: 1.2, slowly: false })", nearest)
        assert max(board.evaluate(gaps)) <= 91, nearest
    x, y = 500, 350
    for _ in range(6):
        board.mouse.move(x, y)
        board.mouse.down()
        board.mouse.move(x - 450, y + 300, steps=3)
        board.mouse.up()
    board.wait_for_timeout(100)
    assert max(board.evaluate(gaps)) <= 91


def test_selected_units_come_to_the_top(board: Page) -> None:
    board.evaluate("board.select({'1335': ['BR-SUP-Sup-1', 'BR-ART-2']})")
    assert symbols(board, "1335")[-2:] == ["c-BR-SUP-Sup-1", "c-BR-ART-2"]
    assert board.locator(".counter.selected").count() == 2
    board.mouse.click(*at(board, "1335"))
    assert told(board, "tap") == [{"name": "tap", "loc": "1335", "unit": "BR-ART-2", "pointerType": "mouse"}]
    board.evaluate("board.select({})")
    assert board.locator(".counter.selected").count() == 0
    assert symbols(board, "1335")[-1] == "c-BR-INF-1F"


def test_lower_stacks_overlap_upper_ones(board: Page) -> None:
    board.evaluate(
        "board.applyFragments({'space:1336': {side: 'allied', count: 1, units: [{id: 'BR-INF-3F'}]},"
        "'space:1433': {side: 'paraguay', count: 1, top: {id: 'PY-FOR-C'}}})"
    )
    order = board.evaluate("[...document.querySelectorAll('.stack')].map((s) => places.centre(s.dataset.at).y)")
    assert order == sorted(order)


def test_the_pointers_look_is_not_handed_down(board: Page) -> None:
    """Else all the sheet is styled anew whenever the pointer comes to a stack, or the sheet is taken up."""
    board.mouse.move(*at(board, "1335"))
    looks = "['.board-view', '.board-sheet', '.stack'].map((s) => getComputedStyle(document.querySelector(s)).cursor)"
    assert board.evaluate(looks) == ["pointer", "default", "default"]
    board.mouse.down()
    board.mouse.move(400, 300, steps=4)
    assert board.evaluate(looks)[1:] == ["default", "default"]
    board.mouse.up()


def test_a_drag_moves_the_sheet_and_is_no_tap(board: Page) -> None:
    board.evaluate("board.focus('2030', {slowly: false})")
    x, y = at(board, "2030")
    board.mouse.move(x, y)
    board.mouse.down()
    board.mouse.move(x + 30, y + 20, steps=4)
    board.mouse.move(x + 90, y - 40, steps=4)
    board.mouse.up()
    until(board, f"Math.abs(board.pointOf('2030').x - {x + 90}) < 1.5")
    moved = at(board, "2030")
    assert abs(moved[0] - x - 90) < 1.5
    assert abs(moved[1] - y + 40) < 1.5
    assert told(board, "tap") == []


def test_units_are_dragged_only_from_where_the_game_allows(board: Page) -> None:
    board.evaluate("board.setDraggable(['1335']); board.select({'1335': ['BR-INF-1F']})")
    before = at(board, "1435")
    x, y = at(board, "1335")
    board.mouse.move(x, y)
    board.mouse.down()
    board.mouse.move(*at(board, "1336"), steps=5)
    assert board.locator(".board-ghost").count() == 1
    assert board.locator(".drop").count() == 1
    board.mouse.up()
    drop = told(board, "drop")
    assert [(d["from"], d["loc"]) for d in drop] == [("1335", "1336")]
    assert board.locator(".board-ghost, .drop").count() == 0
    assert at(board, "1435") == before


def test_the_wheel_keeps_the_place_under_the_pointer(board: Page) -> None:
    x, y = at(board, "1336")
    board.mouse.move(x, y)
    board.mouse.wheel(0, -300)
    until(board, "board.zoom > 1.9")
    drawn(board)
    assert math.dist(at(board, "1336"), (x, y)) < 1
    board.mouse.wheel(0, 20000)
    until(board, "board.zoom < 1")
    drawn(board)
    sheet = board.locator(".board-sheet .map").bounding_box()
    assert sheet is not None
    assert sheet["height"] <= 701


def test_keys_lead_a_cursor_that_is_seen_and_heard(board: Page) -> None:
    board.locator(".board-view").focus()
    board.keyboard.press("Enter")
    assert board.evaluate("board.cursor") == "1435"
    board.keyboard.press("ArrowUp")
    assert board.locator(".board-live").text_content() == "Hex 1434"
    board.keyboard.press("ArrowLeft")
    board.keyboard.press("ArrowRight")
    assert board.evaluate("board.cursor") == "1434"
    assert board.locator(".cursor-ring").count() == 1
    board.keyboard.press("Enter")
    assert told(board, "tap") == [{"name": "tap", "loc": "1434", "unit": "PY-FOR-Ipr", "pointerType": "keyboard"}]
    zoom = board.evaluate("board.zoom")
    board.keyboard.press("+")
    assert board.evaluate("board.zoom") > zoom
    board.keyboard.press("Escape")
    assert [e["name"] for e in told(board, "key")] == ["key"]
    for _ in range(40):
        board.keyboard.press("ArrowUp")
    until(board, "board.seen(board.cursor)")
    x, y = at(board, board.evaluate("board.cursor"))
    assert 0 < x < 1000
    assert 0 < y < 700


def test_help_over_the_map_comes_and_goes(board: Page) -> None:
    empty = {
        name: board.locator(f".b-{name}").inner_html()
        for name in ("reach", "path", "targets", "attack", "choices", "veil", "last", "costs")
    }
    assert set(empty.values()) == {""}
    board.evaluate(
        "board.setReach({cost: {1335: 0, 1336: 1, 1435: 1, 1337: 2}});"
        "board.setPath(['1335', '1336', '1337'], [0, 1, 2]); board.setTargets(['1434']);"
        "board.setAttack({target: '1434', from: ['1335', '1435'], label: '3 : 1', name: 'Itapirú'});"
        "board.setChoices(['1537'], {dim: true}); board.setLastMoves([{path: ['1631', '1532', '1533']}])"
    )
    assert board.locator(".reach").count() == 2
    assert board.locator(".cost").all_text_contents() == ["1"]
    assert board.locator(".step").all_text_contents() == ["1", "2"]
    assert board.locator(".attack-arrow").count() == 2
    assert board.locator(".odds-tag").text_content() == "Itapirú3 : 1"
    assert board.locator(".town[data-at='1434']").is_hidden()
    for shown in ("veil", "choice-area", "last-move"):
        assert board.locator(f".{shown}").count() == 1
    board.evaluate(
        "board.setReach(null); board.setPath([]); board.setTargets([]); board.setAttack(null);"
        "board.setChoices([]); board.setLastMoves([])"
    )
    assert {name: board.locator(f".b-{name}").inner_html() for name in empty} == empty
    assert board.locator(".town[data-at='1434']").is_visible()


def test_units_on_their_way_are_not_drawn_twice(board: Page) -> None:
    board.evaluate("void (window.done = board.animateMove(['BR-INF-1F', 'BR-INF-2F'], ['1335', '1336', '1337'], 300))")
    assert symbols(board, "1335") == ["c-BR-SUP-Sup-1", "c-BR-ART-2", "c-BR-ENG-E1"]
    assert board.locator(".board-ghost .counter").count() == 2
    board.evaluate("(async () => { await done; board.applyFragments({'space:1335': null}) })()")
    until(board, "!document.querySelector('.board-ghost')")
    assert symbols(board, "1335") == []
    board.evaluate("void board.animateMove(2, ['1434', '1433'], 200)")
    assert symbols(board, "1434") == ["c-PY-FOR-Ipr"]


@pytest.mark.parametrize("zoom", [0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 2.0])
def test_text_is_legible_or_hidden(board: Page, zoom: float) -> None:
    board.evaluate("board.setReach({cost: {1335: 0, 1336: 1, 1435: 1}}); board.setPath(['1335', '1336'], [0, 1])")
    board.evaluate("board.setAttack({target: '1434', from: ['1335'], label: '3 : 1', name: 'Itapirú'})")
    board.evaluate("zoom => board.focus('1435', {zoom, slowly: false})", zoom)
    small = board.evaluate(LETTERS)
    assert small == []
    factors = board.evaluate(
        "getComputedStyle(document.querySelector('.counters')).getPropertyValue('--c-text').trim()"
    )
    assert factors == ("" if zoom * 13.5 > 11 else "hidden")


def test_themes_are_style_only(board: Page) -> None:
    def fill() -> str:
        return str(board.evaluate("getComputedStyle(document.querySelector('.l-ground .g-clear')).fill"))

    fills = []
    for theme in ("light", "dark", "contrast"):
        board.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        fills.append(fill())
    assert len(set(fills)) == 3


def test_small_pictures_for_panels(board: Page) -> None:
    board.evaluate(
        "document.getElementById('panel').append("
        "api.counterSvg('BR-INF-1F', {size: 34, badges: ['moved', 'unknown'], selected: true}))"
    )
    mini = board.locator("#panel svg.mini.small")
    assert mini.locator(".counter.selected.is-moved").count() == 1
    assert mini.locator("use").evaluate_all("all => all.map((u) => u.getAttribute('href'))") == [
        "#c-BR-INF-1F",
        "#badge-moved",
    ]


def test_panning_over_four_hundred_counters_keeps_its_frames(board: Page) -> None:
    ids = list(UNITS)
    places = [f"{c}{r}" for c in range(11, 31) for r in range(16, 42) if (c * 7 + r * 3) % 5 == 0]
    crowd = {
        f"space:{loc}": {"side": "allied", "count": 4, "units": [{"id": ids[(4 * i + k) % len(ids)]} for k in range(4)]}
        for i, loc in enumerate(places)
    }
    assert 4 * len(crowd) >= 400
    board.evaluate("f => board.setFragments(f)", crowd)
    drawn(board)
    board.evaluate(
        "window.frames_ = []; let last = performance.now();"
        "const next = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(next) };"
        "requestAnimationFrame(next)"
    )
    board.mouse.move(500, 350)
    board.mouse.down()
    for i in range(60):
        board.mouse.move(500 - 4 * i, 350 + i)
    board.mouse.up()
    frames = sorted(board.evaluate("frames_"))
    assert len(frames) > 5
    assert frames[len(frames) // 2] < 34


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 600}, has_touch=True, is_mobile=True)
    with opened(context.new_page(), address, FRAGMENTS, "1435", 1.2) as page:
        yield page
    context.close()


def test_fingers_pinch_hold_and_carry(phone: Page) -> None:
    page, session = phone, phone.context.new_cdp_session(phone)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    zoom = page.evaluate("board.zoom")
    touch("touchStart", (150, 300), (240, 300))
    for spread in range(0, 60, 10):
        touch("touchMove", (150 - spread, 300), (240 + spread, 300))
    touch("touchEnd")
    assert page.evaluate("board.zoom") == pytest.approx(zoom * 190 / 90, rel=0.05)
    assert told(page, "tap") == []

    page.evaluate("board.focus('1435', {zoom: 1.2, slowly: false}); board.setDraggable(['1335'])")
    x, y = at(page, "1335")
    touch("touchStart", (x, y))
    until(page, "told.some((e) => e.name === 'longpress')")
    assert [e["loc"] for e in told(page, "longpress")] == ["1335"]
    goal = at(page, "1336")
    touch("touchMove", (x + 4, y + 30))
    touch("touchMove", goal)
    touch("touchEnd")
    assert [(e["from"], e["loc"]) for e in told(page, "drop")] == [("1335", "1336")]
    page.touchscreen.tap(*at(page, "1434"))
    assert [(e["loc"], e["pointerType"]) for e in told(page, "tap")] == [("1434", "touch")]
