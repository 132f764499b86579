"""Somebody who has only the page: a first lesson from the front page, without an account, by mouse, keys and thumb."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player, ready
from tests.browser.test_access import Inspector

PACE = 7  # seconds for a person to read what is said and press once
PRESSES = 16  # of the first lesson, with a mistake and a hint: well within two minutes at that pace
assert PRESSES * PACE < 120


def open_site(browser: Browser, server: LiveServer, device: dict[str, Any]) -> Player:
    context = browser.new_context(**device, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    player = Player(page, context, server.url, touch="has_touch" in device)
    player.listen(page)
    page.goto(server.url)
    expect(page.locator(".shown-board img")).to_be_attached()
    return player


def says(player: Player, text: str) -> None:
    expect(player.page.locator("#lesson")).to_contain_text(text, timeout=PATIENCE)


def clean(player: Player, where: str) -> None:
    inspector = Inspector(player)
    inspector.look(where)
    assert inspector.found == {}


def play_with_finger_or_mouse(player: Player) -> None:
    """The three steps of the first lesson, with a wrong answer between."""
    player.tap("1432")
    player.tap("1434")
    player.go()
    says(player, "Right. Two road hexes")
    player.tap("1434")
    player.tap("1435")
    player.go()
    says(player, "Not this. All who are ticked go together")
    player.press(player.key("lesson-back"))
    says(player, "Step 2 of 3")
    player.press(player.key("lesson-hint"))
    says(player, "Leave a tick only")
    player.tap("1434")
    for unit in ("PY-INF-2", "PY-INF-3"):
        player.press(player.key(f"unit-{unit}"))
    player.tap("1435")
    player.go()
    says(player, "A stack may part")
    player.press(player.page.locator("#prompt button.ends"))
    player.go()
    says(player, "You have marched")


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["mouse", "thumb"])
def test_a_stranger_plays_the_first_lesson_from_the_front_page(
    browser: Browser, live_server: LiveServer, device: dict[str, Any]
) -> None:
    player = open_site(browser, live_server, device)
    page = player.page
    player.press(page.get_by_role("button", name="Play your first lesson"))
    page.wait_for_url(re.compile("/lessons/"))
    ready(player)
    says(player, "Step 1 of 3")
    expect(page.locator("#map")).to_be_in_viewport()
    expect(page.locator("#lesson .ask")).to_be_in_viewport()
    clean(player, page.url)
    play_with_finger_or_mouse(player)
    assert player.presses == PRESSES, "from the front page to the lesson's end"
    expect(player.key("lesson-next")).to_have_text("Next: What a march costs")
    player.press(page.get_by_role("link", name="All lessons"))
    expect(page.locator(".lessons .done h2")).to_have_text(["1 March a stack"])
    clean(player, page.url)
    assert player.faults == []
    player.context.close()


def test_the_same_by_keys_alone(browser: Browser, live_server: LiveServer) -> None:
    player = open_site(browser, live_server, DESKTOP)
    page = player.page
    page.get_by_role("button", name="Play your first lesson").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/lessons/"))
    ready(player)
    for loc in ("1432", "1434"):
        player.walk(loc)
        page.keyboard.press("Enter")
    player.tab_to("go")
    page.keyboard.press("Enter")
    says(player, "Right. Two road hexes")
    player.walk("1434")
    page.keyboard.press("Enter")
    for unit in ("PY-INF-2", "PY-INF-3"):
        player.tab_to(f"unit-{unit}")
        page.keyboard.press("Space")
    player.walk("1435")
    page.keyboard.press("Enter")
    player.tab_to("go")
    page.keyboard.press("Enter")
    says(player, "A stack may part")
    page.locator("#prompt button.ends").press("Enter")
    player.tab_to("go")
    page.keyboard.press("Enter")
    says(player, "You have marched")
    player.tab_to("lesson-next")
    page.keyboard.press("Enter")
    says(player, "What a march costs")
    assert player.faults == []
    player.context.close()
