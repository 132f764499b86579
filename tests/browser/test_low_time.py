"""Little time left: a player whose clock runs is warned once, and both see it."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import steps, war
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, Player

MINUTE = {"kind": "live", "minutes": 1, "increment": 0}
DAYS = {"kind": "days", "days": 3, "bank": 1, "increment": 0}


@pytest.mark.parametrize(("pace", "low"), [(MINUTE, True), (DAYS, False)])
def test_little_time_is_seen_by_both_and_said_to_whose_it_is(
    browser: Browser, live_server: LiveServer, pace: dict[str, object], low: bool
) -> None:
    ana, bea = (steps.sign_up(browser, live_server, name, DESKTOP) for name in ("Ana", "Bea"))
    wish = {"title": "triple_alliance", "scenario": "war", "seat": "allied", "opponent": "person",
            "visibility": "private", "pace": pace}  # fmt: skip
    made = ana.context.request.post(f"{ana.site}/api/games", data=wish).json()
    joined = {"seat": "paraguay", "token": made["join_token"]}
    assert bea.context.request.post(f"{bea.site}/api/games/{made['id']}/join", data=joined).ok
    for player in (ana, bea):
        player.url = f"{player.site}/games/{made['id']}"
    war.seal((ana, "allied"), (bea, "paraguay"))  # the Allies are asked first: their clock runs
    for player, warned in ((ana, low), (bea, False)):
        war.open_page(player)
        toast = player.page.locator(".toast", has_text="left on your clock")
        if warned:  # it goes by itself
            expect(toast).to_be_visible(timeout=PATIENCE)
        expect(player.page.locator(".side-allied .clock.runs")).to_be_visible(timeout=PATIENCE)
        expect(player.page.locator(".side-allied .clock.low")).to_have_count(1 if low else 0, timeout=PATIENCE)
        expect(player.page.locator(".side-paraguay .clock.low")).to_have_count(0)
        if not warned:
            expect(toast).to_have_count(0)
    for player in (ana, bea):
        close(player)


def close(player: Player) -> None:
    player.context.close()
    assert player.faults == []
