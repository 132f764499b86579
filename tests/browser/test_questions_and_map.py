"""What is asked and what the map shows: places that may be chosen are in sight, buttons beside the map leave it its
room, and nobody is told that nothing has to be chosen where something must be."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import CENTRE, DESKTOP, PATIENCE, PHONE, Player

Table = tuple[Player, Player]
HEIGHT = "() => document.querySelector('#prompt').getBoundingClientRect().height"
SEEN = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.board-view, .minimap, .zoom'))"
CLEAR = """() => document.querySelector('#minimap').getBoundingClientRect().bottom
    < document.querySelector('#prompt').getBoundingClientRect().top"""


@pytest.fixture(params=["desktop", "phone"])
def table(request: Any, browser: Browser, live_server: LiveServer) -> Iterator[Table]:
    """Ana leads Bolivia in the Chaco War, Bea Paraguay; nobody has opened the page."""
    device = DESKTOP if request.param == "desktop" else PHONE
    both = war.at_a_table(browser, live_server, "chaco", "boqueron", ("bolivia", "paraguay"), device)
    yield both
    for player in both:
        player.context.close()
        assert player.faults == []


def until(table: Table, prompt: str) -> Player:
    """Both answer plainly until Ana is asked that; her page is opened then."""
    ana, _ = table
    for _ in range(60):
        request = ana.get("/view")["request"]
        if request["prompt"]["key"] == f"prompt.{prompt}" and request["seat"] == ana.seat:
            war.open_page(ana)
            return ana
        player = next(p for p in table if p.seat == request["seat"])
        player.answer(war.plain(player))
    raise AssertionError(f"she is never asked {prompt}")


def in_sight(player: Player, loc: str) -> bool:
    player.still(loc)
    return bool(player.page.evaluate(SEEN, player.page.evaluate(CENTRE, loc)))


def test_places_to_choose_from_are_in_sight(table: Table) -> None:
    ana = until(table, "depots")
    form = ana.get("/view")["request"]["forms"][0]
    assert any(in_sight(ana, option["at"]) for option in form["options"] if "at" in option)


def test_buttons_beside_the_map_leave_it_its_room(table: Table) -> None:
    ana = until(table, "movement")
    works = ana.page.locator('#prompt [data-key^="option-"]:not(.ends)')
    expect(works.first).to_be_in_viewport()
    assert works.count() > 1  # what the engineers may begin
    if ana.touch:
        expect(ana.page.locator("#tabs")).to_be_in_viewport(ratio=1)
    else:
        assert ana.page.evaluate(HEIGHT) < 150


def test_the_small_map_lies_above_a_long_question(table: Table) -> None:
    ana = until(table, "line")
    if not ana.touch:
        expect(ana.page.locator("#minimap svg")).to_be_visible(timeout=PATIENCE)
        ana.page.wait_for_function(CLEAR)


def test_the_whole_sheet_stays_while_a_replay_runs(table: Table) -> None:
    ana = until(table, "movement")
    war.open_page(ana, "/replay")
    before = ana.still("1537")
    ana.press(ana.key("last"))
    expect(ana.key("last")).to_be_disabled()
    assert ana.still("1537") == before


def test_what_has_to_be_placed_is_headed_as_that_and_ends_with_a_verb(table: Table) -> None:
    ana = until(table, "new_units")
    expect(ana.page.locator("#tray h2")).to_have_text("To be placed")
    expect(ana.key("go")).to_have_text("Bring in the new units")
