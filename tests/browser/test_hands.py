"""What the hand does on the map besides moving: choosing among a stack, resting on one, zooming."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, PHONE, Player
from tests.browser.war import both_seats, open_page

PORT = "1241"  # ships and foot of two nations


@pytest.fixture
def war(browser: Browser, live_server: LiveServer) -> Iterator[Player]:
    """One person at both seats; Paraguay has stood still, the Allies move."""
    player = both_seats(browser, live_server)
    player.seat = "paraguay"
    player.answer({"form": "end", "option": "end"})
    player.seat = "allied"
    player.asked("movement")
    yield player
    assert player.faults == []
    player.context.close()


def chosen(player: Player) -> set[str]:
    boxes: list[str] = player.page.locator("#tray input[data-key^=unit-]:checked").evaluate_all(
        "(all) => all.map((box) => box.dataset.key.slice(5))")  # fmt: skip
    return set(boxes)


def test_a_stack_is_chosen_by_kind_and_nation_looked_at_and_zoomed(war: Player, browser: Browser) -> None:
    page = open_page(war)
    expect(page.locator("#prompt.mine")).to_be_visible(timeout=PATIENCE)
    stacks = war.get("/view")["request"]["forms"][0]["stacks"]
    movers = {mover["id"] for mover in stacks[PORT]}
    kit = page.locator("#main").get_attribute("data-kit")
    data = war.context.request.get(f"{war.site}{kit}").json()

    def of(field: str, value: str) -> set[str]:
        return {unit for unit in movers if data["units"][unit][field] == value}

    # all, none, each kind, each nation; the map lifts them and asks their reach
    war.tap(PORT)
    kinds = {f: sorted({data["units"][unit][f] for unit in movers}) for f in ("type", "nation")}
    assert all(len(values) > 1 for values in kinds.values())
    wanted = [("all", movers), ("none", set()),
              *((value, of(field, value)) for field, values in kinds.items() for value in values)]  # fmt: skip
    for name, units in wanted:
        war.press(war.key(f"select-{name}"))
        expect(page.locator("#tray input[data-key^=unit-]:checked")).to_have_count(len(units))
        assert chosen(war) == units
        expect(page.locator("#prompt .ask")).to_contain_text(f"{len(units)} unit")
    page.keyboard.press("Escape")

    # the mouse at rest over a stack shows it, counter by counter
    expect(page.locator("#tray")).to_be_hidden()
    page.mouse.move(5, 5)
    page.mouse.move(*war.still(PORT))
    peek = page.locator(".peek")
    expect(peek).to_be_visible(timeout=PATIENCE)
    expect(peek.locator("svg")).to_have_count(war.view()[f"space:{PORT}"]["count"])
    page.mouse.move(5, 5)
    expect(peek).to_be_hidden()

    # the buttons that zoom, and two quick clicks on bare ground
    for name in ("zoom-in", "zoom-out", "zoom-fit"):
        nearer = zoomed(war, lambda name=name: page.locator(f"#{name}").click())
        assert nearer > 1 if name == "zoom-in" else nearer < 1, name
    page.locator("#zoom-in").click()
    assert zoomed(war, lambda: page.mouse.dblclick(*war.still("1341"))) > 1
    assert quick_with_a_press_between(war, war.still("1341"), "[role=tab]") == 1
    assert quick_with_a_press_between(war, war.still("1341"), None) > 1

    # the same by two taps of a finger; on a stack that can be chosen they are two taps
    context = browser.new_context(**PHONE, storage_state=war.context.storage_state())
    context.set_default_timeout(PATIENCE)
    phone = Player(context.new_page(), context, war.url, touch=True, seat="allied")
    phone.listen(phone.page)
    open_page(phone)
    spot = phone.still("1341")

    assert zoomed(phone, lambda: tap_twice(phone, spot)) > 1
    assert phone.faults == []
    context.close()


UPS = """() => {
    if (globalThis.ups) return
    globalThis.ups = []
    const heard = (e) => e.target.closest('.board-view') && globalThis.ups.push(e.timeStamp)
    document.addEventListener('pointerup', heard, true)
}"""


def quick_with_a_press_between(player: Player, spot: tuple[float, float], between: str | None) -> float:
    """How much nearer the map comes by two clicks, quick as a double click, with one elsewhere between them."""
    page, sheet = player.page, player.page.locator(".board-sheet")
    page.evaluate(UPS)
    for _ in range(8):
        page.evaluate("globalThis.ups.length = 0")
        before = sheet.evaluate(SCALE)
        page.mouse.click(*spot)
        if between:
            box = page.locator(between).first.bounding_box()
            assert box
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.click(*spot)
        page.wait_for_timeout(400)
        first, second = page.evaluate("globalThis.ups")
        if second - first < 300:
            nearer: float = sheet.evaluate(SCALE) / before
            return nearer
    raise AssertionError("the machine is too slow for two quick clicks")


SCALE = "(el) => new DOMMatrix(getComputedStyle(el).transform).a"


def tap_twice(player: Player, spot: tuple[float, float]) -> None:
    """Again where the machine was so slow that the second tap came too late to belong to the first."""
    sheet = player.page.locator(".board-sheet")
    before = sheet.evaluate(SCALE)
    for _ in range(8):
        for _ in range(2):
            player.page.touchscreen.tap(*spot)
        player.page.wait_for_timeout(400)
        if sheet.evaluate(SCALE) != before:
            return


def zoomed(player: Player, act: Any) -> float:
    """How much nearer the map is afterwards, once it is still."""
    sheet = player.page.locator(".board-sheet")
    before = sheet.evaluate(SCALE)
    act()
    player.until(lambda: bool(sheet.evaluate(SCALE) != before))
    player.still(PORT)
    return float(sheet.evaluate(SCALE) / before)


# -- the page draws anew while a finger is down ---------------------------------------------------------------

LOADED = """async () => {
    for (;;) {
        const [script] = performance.getEntriesByType('resource').filter((r) => r.name.endsWith('/game/press.js'))
        if (script) return void await import(script.name)
        await new Promise((done) => setTimeout(done, 50))
    }
}"""


AT_ONCE = """([keys, other, away]) => addEventListener('ontouchstart' in window ? 'touchstart' : 'mousedown', () => {
    if (other) document.getElementById('prompt').dataset.question += '*'
    if (away) document.getElementById('prompt').style.translate = '0 -200px'
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}, { once: true })"""


# A tap on the map brings up a button under the finger; `clicked`: the browser has made what it makes of the tap.
LAID_UNDER = """() => {
    const laid = document.createElement('button')
    laid.id = 'laid'
    laid.style.cssText = 'position: fixed; inset: 0; z-index: 99'
    laid.addEventListener('click', () => (laid.dataset.hit = 'yes'))
    addEventListener('pointerup', () => document.body.append(laid), { once: true })
    addEventListener('click', () => (laid.dataset.clicked = 'yes'), { once: true, capture: true })
}"""


# The sheet goes elsewhere as the finger goes down, or up, so that the click falls beside the tab.
MOVED = """(when) => addEventListener(when, () => {
    document.querySelector('[role=tablist]').style.translate = '0 -200px'
}, { once: true })"""


def pressed_anew(player: Player, control: Locator, *keys: str, other: bool = False, away: bool = False) -> None:
    """The page draws itself anew while mouse or finger is down on a control, which is another element then; `away`: in
    another place."""
    el = control.element_handle()
    player.page.evaluate(AT_ONCE, [keys, other, away])
    player.press(control)
    assert el.evaluate("(el) => !el.isConnected")


def test_a_redraw_between_press_and_release_loses_no_tap(war: Player, browser: Browser) -> None:
    context = browser.new_context(**PHONE, storage_state=war.context.storage_state())
    context.set_default_timeout(PATIENCE)
    phone = Player(context.new_page(), context, war.url, touch=True, seat=war.seat)
    phone.listen(phone.page)
    for player in (war, phone):
        redrawn_under_the_finger(player)
    assert phone.faults == []
    context.close()


def redrawn_under_the_finger(player: Player) -> None:
    page, again = open_page(player), ("t", "t")
    expect(page.locator("#prompt.mine")).to_be_visible(timeout=PATIENCE)
    page.evaluate(LOADED)

    # a tab, by pointer and by the space bar
    pressed_anew(player, page.get_by_role("tab", name="Tables"), "Escape")
    expect(page.locator("#pane-tables")).to_be_visible()
    page.get_by_role("tab", name="Log").focus()
    page.keyboard.down(" ")
    page.keyboard.press("Escape")
    page.keyboard.up(" ")
    expect(page.locator("#pane-log")).to_be_visible()
    for when, name in (("pointerup", "Tables"), ("pointerdown", "Log")):
        page.evaluate(MOVED, when)
        player.press(page.get_by_role("tab", name=name))
        expect(page.locator(f"#pane-{name.lower()}")).to_be_visible()
        page.evaluate("document.querySelector('[role=tablist]').style.translate = ''")

    # a button of the question; that of another question is another
    end, cancel = player.key("option-end-end"), player.key("cancel")
    pressed_anew(player, end, *again)
    expect(cancel).to_be_visible()
    pressed_anew(player, cancel, *again)
    expect(end).to_be_visible()
    pressed_anew(player, end, *again, other=True)
    assert cancel.count() == 0
    pressed_anew(player, end, *again, away=True)
    expect(cancel).to_be_visible()
    page.evaluate("document.getElementById('prompt').style.translate = ''")
    pressed_anew(player, cancel, *again)
    expect(end).to_be_visible()

    # a space of the map, and a counter of its stack, chosen once
    page.evaluate(AT_ONCE, [again, False, False])
    player.tap(PORT)
    unit = page.locator("#tray input[data-key^=unit-]:checked").first
    expect(unit).to_be_visible(timeout=PATIENCE)
    before = chosen(player)
    pressed_anew(player, unit, *again)
    expect(page.locator("#tray input[data-key^=unit-]:checked")).to_have_count(len(before) - 1)

    # what the tap brings up under the finger is not pressed by it
    page.evaluate(LAID_UNDER)
    player.tap("1436")
    expect(page.locator("#laid[data-clicked]")).to_be_attached(timeout=PATIENCE)
    assert page.locator("#laid[data-hit]").count() == 0
    page.evaluate("document.getElementById('laid').remove()")
