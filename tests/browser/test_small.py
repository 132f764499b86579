"""The smallest screen: a movement and an attack at 360 x 640 by touch, with nothing cut off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, PHONE, Player
from tests.browser.war import FOOT, both_seats, open_page, record

SMALL = {**PHONE, "viewport": {"width": 360, "height": 640}}
THUMB = 40  # pixels: the least height of a button that answers
# What is cut off: all that is wider than the screen; buttons that answer beyond its rim, too low or under something.
CUT = """(thumb) => {
    const { scrollWidth } = document.scrollingElement
    const wide = scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`] : []
    const shown = [...document.querySelectorAll('#prompt .acts button')].filter((el) => el.offsetParent)
    const buttons = shown.flatMap((el) => {
        const r = el.getBoundingClientRect(), said = `${el.dataset.key} ${Math.round(r.height)} high`
        const inside = r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight
        const over = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)
        if (!inside) return [`${said}, beyond the rim`]
        if (!el.contains(over)) return [`${said}, under ${over?.className}`]
        return r.height < thumb ? [said] : []
    })
    return [...wide, ...buttons]
}"""


@pytest.fixture
def small(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """One person at both seats, Paraguay on turn."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, number, sides: (3 * number + 1) % sides)
    player = both_seats(browser, live_server, SMALL)
    yield player
    assert player.faults == []
    player.context.close()


def whole(player: Player) -> None:
    """Nothing is cut off, now that the page is at rest."""
    expect(player.page.locator("#prompt")).not_to_have_class("busy")
    player.still("1434")
    assert player.page.evaluate(CUT, THUMB) == []
    assert player.page.locator("#prompt .acts button").count() > 0


def pull(line: CDPSession, player: Player, far: int) -> None:
    """Draw the sheet by its prompt, so many pixels down."""
    box = player.page.locator("#prompt").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 12
    for kind, dy in (("touchStart", 0), ("touchMove", far / 2), ("touchMove", far)):
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y + dy}]})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_march_and_an_attack_on_the_smallest_screen(small: Player) -> None:
    page = open_page(small)
    whole(small)

    # a march of some of a stack
    small.tap("1434")
    small.press(small.key("select-none"))
    for unit in FOOT[:3]:
        small.press(small.key(f"unit-{unit}"))
    expect(page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    whole(small)
    small.tap("1435")
    expect(small.key("go")).to_be_visible(timeout=PATIENCE)
    whole(small)
    small.go()
    small.until(lambda: small.view().get("space:1435", {}).get("count") == 3)
    expect(page.locator("#tray")).to_be_hidden(timeout=PATIENCE)
    whole(small)

    # the phase ended, after the question that comes first; the attack with its odds; the losses
    small.press(small.key("option-end-end"))
    expect(small.key("cancel")).to_be_visible()
    whole(small)
    small.go()
    small.asked("combat")
    small.tap("1335")
    expect(page.locator("#pane-odds .ratio .big")).to_be_visible(timeout=PATIENCE)
    expect(small.key("go")).to_be_enabled(timeout=PATIENCE)
    whole(small)
    small.go()
    small.until(lambda: any(step["event"] == "combat_rolled" for e in record(small) for step in e["steps"]))
    curtain = page.locator("dialog.curtain button.go")
    if small.get("/view")["request"]["seat"] == "allied":
        expect(curtain).to_be_in_viewport(timeout=PATIENCE)
        small.press(curtain)
        expect(curtain).to_have_count(0)
    expect(page.locator("#prompt.mine")).to_be_visible(timeout=PATIENCE)
    whole(small)

    # the sheet is drawn down and leaves the map the room; drawn up it shows more of the log
    high = {}
    line = page.context.new_cdp_session(page)
    for name, way in (("low", 70), ("usual", -70), ("high", -70)):
        pull(line, small, way)
        expect(page.locator("#main")).to_have_attribute("data-sheet", name)
        high[name] = page.locator(".board-view").evaluate("(el) => el.clientHeight")
    assert high["low"] > high["usual"] > high["high"]
