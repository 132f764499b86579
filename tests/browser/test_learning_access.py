"""No fault of access where one learns a title: primer, rules and tables, lessons, boards to try, what-if (axe-core)."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rules.titles import IDS
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player, ready
from tests.browser.test_access import Inspector

SIZES = {"desk": DESKTOP, "phone": PHONE}
FIRST = "triple_alliance"
EACH = [pytest.param(title, device, id=f"{title}-{name}") for title in IDS for name, device in SIZES.items()]
UNSEEN = """() => [...document.querySelectorAll('.clause h3, .clause > p, .clause table, .clause figure')]
    .filter((el) => !el.checkVisibility({ visibilityProperty: true })).map((el) => el.outerHTML.slice(0, 80))"""


@pytest.mark.long
@pytest.mark.parametrize(("title", "device"), EACH)
def test_pages_where_one_learns_keep_to_the_rules_of_access(
    browser: Browser, live_server: LiveServer, title: str, device: dict[str, Any]
) -> None:
    ana = steps.sign_up(browser, live_server, "Ana", {**device, "reduced_motion": "reduce"})
    ana.context.route("**/*.png*", lambda route: route.abort())  # the server draws each of them anew
    page, inspector = ana.page, Inspector(ana)
    for path in ("", "/rules", "/lessons", "/try"):
        page.goto(f"{live_server.url}/titles/{title}{path}")
        inspector.look(path or "primer")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), path
    ana.press(page.locator("[data-key=scenario]"))
    on_a_board(ana)
    inspector.look("a board")
    by_hand(ana)
    inspector.look("by hand")
    if title == FIRST:
        what_if(ana)
        inspector.look("what if")
    assert inspector.found == {}
    assert ana.faults == []
    ana.context.close()


def on_a_board(player: Player) -> None:
    player.page.wait_for_url("**/boards/*", timeout=PATIENCE)
    ready(player)


def by_hand(player: Player) -> None:
    choose(player, "Put by hand")
    expect(player.page.get_by_label("Find a counter")).to_be_visible(timeout=PATIENCE)


def choose(player: Player, item: str) -> None:
    """Of the page's menu."""
    player.press(player.page.get_by_role("button", name="Menu"))
    player.press(player.page.locator("#menu-pop").get_by_role("button", name=item))


def what_if(player: Player) -> None:
    """From a game against the computer."""
    page, site = player.page, player.site
    player.url, player.seat = f"{site}/games/{player.create('bot', seat='allied', bot='heuristic')}", "allied"
    page.goto(player.url)
    ready(player)
    choose(player, "What if")
    expect(page.locator(".guess-mark")).to_be_visible(timeout=PATIENCE)
    on_a_board(player)


def test_rules_are_read_without_scripts(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False, **PHONE)
    context.route("**/*.png*", lambda route: route.abort())
    page: Page = context.new_page()
    for title in IDS:
        page.goto(f"{live_server.url}/titles/{title}/rules")
        assert page.evaluate(UNSEEN) == []
    context.close()
