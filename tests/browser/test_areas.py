"""A map of areas on the game page: places and stacks on it, and one march over a river by mouse, keys and touch."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from app.sheet.areasheet import AreaSheet
from tests.app import areas_title
from tests.app.areas_site import forget, furnish_areas
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

RIVER = ["guayana", "los_llanos"]  # the Orinoco between them
SCOUT = "gc_inf_4"
KEYS = """([from, to]) => {
    const ways = new Map([[from, []]])
    for (const [loc, keys] of ways) {
        if (loc === to) return keys
        for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
            const next = testPlaces.step(loc, key)
            if (next && !ways.has(next)) ways.set(next, [...keys, key])
        }
    }
    return null
}"""
NAMED = "(text) => testPlaces.all.find((loc) => (testMap.areas[loc] ?? testMap.boxes[loc]).name === text)"


@pytest.fixture
def furnished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Asked for before the server starts; what was read meanwhile is forgotten after."""
    furnish_areas(monkeypatch, tmp_path)
    yield
    forget()


@pytest.fixture
def table(furnished: None, browser: Browser, live_server: LiveServer) -> Iterator[Player]:  # noqa: ARG001
    """One person at both seats; the patriots are on turn."""
    player = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    game = player.create("both", title="liberators", scenario="campaign", seat="patriot")
    player.url, player.seat = f"{live_server.url}/games/{game}", "patriot"
    sit(player)
    yield player
    assert player.faults == []
    player.context.close()


def sit(player: Player) -> None:
    player.page.goto(player.url)
    steps.ready(player)
    player.still("guayana")  # brings the places the tests ask
    player.page.evaluate("""async () => {
        const { title, digest } = document.getElementById('main').dataset
        globalThis.testMap = (await (await fetch(`/api/titles/${title}/data?digest=${digest}`)).json()).map
    }""")


def last_march(player: Player) -> Any:
    """The answer given last, once it is there; then it is taken back."""
    player.until(lambda: SCOUT in str(player.view().get(f"space:{RIVER[1]}")))
    whole = player.context.request.get(f"{player.api}/export").json()
    answer = [e for e in whole["entries"] if e["kind"] == "answer" and not e["retracted"]][-1]
    player.post("/take-back", {"to": answer["seq"]})
    expect(player.stack(RIVER[0])).to_have_count(1, timeout=PATIENCE)
    expect(player.key("go")).to_have_count(0)
    return answer["answer"]


def by_mouse(player: Player) -> None:
    player.tap(RIVER[0])
    costs = player.page.locator(".b-costs text")
    expect(costs.first).to_be_visible(timeout=PATIENCE)
    player.tap(RIVER[1])
    expect(player.page.locator(".b-steps .step")).to_have_text(["2"], timeout=PATIENCE)
    player.go()


def by_dragging(player: Player) -> None:
    page = player.page
    page.mouse.move(*player.still(RIVER[0]))
    page.mouse.down()
    page.mouse.move(*player.still(RIVER[1]), steps=5)
    page.mouse.up()
    expect(page.locator(".b-steps .step")).to_have_text(["2"], timeout=PATIENCE)
    player.go()


def walk(player: Player, loc: str) -> None:
    """With the arrows to a place, by where each of them leads."""
    player.tab_to("map", back=True)
    page, cursor = player.page, player.page.locator(".board-live")
    if not cursor.text_content():
        page.keyboard.press("ArrowUp")
    here = page.evaluate(NAMED, (cursor.text_content() or "").partition(":")[0])
    for key in page.evaluate(KEYS, [here, loc]):
        page.keyboard.press(key)
    expect(cursor).to_have_text(re.compile(f"^{areas_title.board().areas[loc].name}(:|$)"))


def by_keys(player: Player) -> None:
    page = player.page
    for loc, then in zip(RIVER, (".b-costs text", ".b-steps .step"), strict=True):
        walk(player, loc)
        page.keyboard.press("Enter")
        expect(page.locator(then).first).to_be_visible(timeout=PATIENCE)
    player.tab_to("go")
    page.keyboard.press(" ")


@pytest.mark.long
def test_a_march_over_a_river_is_one_answer_by_mouse_drag_keys_and_touch(table: Player, browser: Browser) -> None:
    wanted = {"form": "march", "units": [SCOUT], "path": RIVER}
    for way in (by_mouse, by_dragging, by_keys):
        way(table)
        assert last_march(table) == wanted, way.__name__
    context = browser.new_context(**PHONE, storage_state=table.context.storage_state())
    context.set_default_timeout(PATIENCE)
    phone = Player(context.new_page(), context, table.url, touch=True, seat=table.seat)
    phone.listen(phone.page)
    sit(phone)
    by_mouse(phone)
    assert last_march(phone) == wanted
    assert phone.faults == []
    context.close()


def test_places_stacks_and_ways_are_those_of_the_sheet(table: Player) -> None:
    page = table.page
    sheet, graph = AreaSheet(areas_title.read("map"), areas_title.look()), areas_title.board()
    seen = page.evaluate("testPlaces.all.map((l) => [l, testPlaces.centre(l), testPlaces.at(testPlaces.centre(l))])")
    assert {loc for loc, _, _ in seen} == {*graph.areas, *graph.boxes}
    for loc, at, found in seen:
        assert [at["x"], at["y"]] == pytest.approx(list(sheet.at[loc]), abs=0.1), loc
        assert found == loc
    around = page.evaluate("Object.fromEntries(testPlaces.all.map((l) => [l, testPlaces.around(l).sort()]))")
    assert around == {loc: list(there) for loc, there in graph.neighbours.items()}
    for start, key, goal in (("salta", "ArrowDown", "cordoba"), ("cordoba", "ArrowUp", "salta"),
                             ("cordoba", "ArrowLeft", "chile_norte"),
                             ("guayana", "ArrowLeft", "los_llanos")):  # fmt: skip
        assert page.evaluate("([l, k]) => testPlaces.step(l, k)", [start, key]) == goal, (start, key)
    line = page.evaluate("p => testPlaces.line(p)", RIVER)
    near = min(sheet.between(*RIVER), key=lambda i: len(sheet.lines[i]))
    gaps = [min(((p["x"] - x) ** 2 + (p["y"] - y) ** 2) ** 0.5 for p in line) for x, y in sheet.lines[near]]
    assert min(gaps) < 12  # it crosses the river where the areas meet
    assert page.evaluate("testPlaces.outline(['salta', 'callao'])").count("M") == 2
    assert page.evaluate("testPlaces.at({x: -500, y: 0})") is None
    stacks = table.stack("rio_de_la_plata").locator("g.stack")
    expect(stacks).to_have_count(3)  # Plata, Chile, Gran Colombia
    boxes = stacks.evaluate_all("all => all.map((n) => n.getBoundingClientRect()).map((b) => [b.left, b.top])")
    assert len({(round(x), round(y)) for x, y in boxes}) == 3


@pytest.mark.long
def test_finding_peeking_drawing_and_the_small_map(table: Player) -> None:
    page, view = table.page, table.view()

    # an area and a box by their names
    for typed, label, loc in (("banda", "Banda Oriental", "banda_oriental"), ("CALLAO", "El Callao", "callao")):
        page.keyboard.press("f")
        expect(page.locator(".find-pop input")).to_be_focused(timeout=PATIENCE)
        page.keyboard.type(typed)
        expect(page.locator(".find-pop li").first).to_have_text(label)
        page.keyboard.press("Enter")
        expect(page.locator(".board-live")).to_have_text(re.compile(f"^{label}(:|$)"))
        x, y = table.still(loc)
        assert page.evaluate(steps.FREE, [x, y])
    expect(page.locator(".b-cursor .cursor-ring")).to_be_attached()

    # the small map: a dot for each place with counters, and a press there goes there
    standing = [key for key, space in view.items() if key.startswith("space:") and space.get("count")]
    small = page.locator(".minimap-sheet")
    expect(small.locator(".thumb-dot")).to_have_count(len(standing))
    frame = small.locator(".minimap-frame")
    before = frame.get_attribute("y")
    assert before
    box = small.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.2)
    expect(frame).not_to_have_attribute("y", before)
    assert page.evaluate(steps.FREE, table.still("cuba"))

    # the mouse at rest over three armies
    loc = "rio_de_la_plata"
    table.tap("salta")  # brings the south into sight
    page.keyboard.press("Escape")
    page.mouse.move(*table.still(loc))
    peek = page.locator(".peek")
    expect(peek.locator("b")).to_have_text("Río de la Plata", timeout=PATIENCE)
    expect(peek.locator("svg")).to_have_count(view[f"space:{loc}"]["count"])

    # an arrow, a ring and a note, there again after a reload
    page.keyboard.press("d")
    expect(page.locator("#sketch")).to_be_visible(timeout=PATIENCE)
    for at in ("salta", "cordoba", "cordoba"):
        table.tap(at)
    table.press(table.key("sketch-ring"))
    table.tap("asuncion")
    table.press(table.key("sketch-note"))
    table.tap("pampas")
    expect(page.locator("dialog input")).to_be_focused(timeout=PATIENCE)
    page.keyboard.type("Grass")
    page.keyboard.press("Enter")
    table.press(table.key("sketch-done"))
    kept = {"arrows": [["salta", "cordoba"]], "rings": ["asuncion"], "notes": {"pampas": "Grass"}}
    table.until(lambda: table.get("/plans") == kept)
    page.reload()
    steps.ready(table)
    for css in (".plan-arrow", ".plan-ring", ".plan-note"):
        expect(page.locator(css)).to_have_count(1, timeout=PATIENCE)
    ring = page.locator(".plan-ring").bounding_box()
    x, y = table.still("asuncion")
    assert ring
    assert [ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2] == pytest.approx([x, y], abs=3)


def test_only_area_maps_ask_for_their_code_and_style(table: Player) -> None:
    page = table.page
    page.reload()  # what the tests themselves fetched is forgotten
    steps.ready(table)
    assert page.locator('link[href$="css/areas.css"]').count() == 1
    assert page.locator('link[rel="modulepreload"][href$="board/areas.js"]').count() == 0
    asked = page.evaluate("performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname)")
    assert sum(path.endswith("board/areas.js") for path in asked) == 1
    assert not any(path.endswith("board/points.js") for path in asked)
