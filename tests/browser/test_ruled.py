"""What comes over an open game page from outside the game: a position that was corrected, and other rules."""

import json
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, expect

import rules.titles
from app.games.store import Store
from rules.core.errors import BadPosition
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE
from tests.browser.war import FOOT, open_page, two_people

WHY = "the regiment had crossed already"
LINES = """() => {
    const Line = WebSocket
    globalThis.lines = []
    globalThis.WebSocket = class extends Line {
        constructor(...how) { super(...how); lines.push(this) }
    }
}"""


@pytest.mark.long
def test_a_correction_reaches_open_pages_the_film_and_the_replay(browser: Browser, live_server: LiveServer) -> None:
    ana, bea = two_people(browser, live_server, DESKTOP)
    host = steps.sign_up(browser, live_server, "Dora", DESKTOP)
    with psycopg.connect(live_server.settings.database_url.replace("+psycopg", "")) as database:
        database.execute("update users set roles = '{director}' where name = 'Dora'")
    page = ana.page
    open_page(ana)
    log = page.locator("#pane-log")

    # who sits there sees the new position and why: one unit has crossed, the march of all is taken back
    bea.answer({"form": "move", "units": FOOT, "path": ["1434", "1435"], "aboard": {}})
    steps.same_stacks(ana, "1434", "1435")
    at = f"{live_server.url}/admin{ana.url.removeprefix(live_server.url)}/patch"
    crossed = json.dumps({"at": {FOOT[0]: "1435"}, "control": {"1435": "paraguay"}})
    seq = bea.get("/view")["seq"]
    done = host.context.request.post(at, form={"reason": WHY, "merge": crossed, "seq": seq})
    assert done.ok, done.text()
    steps.same_stacks(ana, "1434", "1435")
    page.keyboard.press("l")
    expect(log).to_contain_text(f"The hosts of the site corrected the position: {WHY}", timeout=PATIENCE)

    # who had left is told so in the film, and the replay tells it too
    shelf = f"mariscal.seen.{ana.url.rpartition('/')[2]}.allied"
    page.evaluate("(shelf) => localStorage.setItem(shelf, '4')", shelf)
    open_page(ana)
    ana.press(ana.key("since"))
    ana.press(ana.key("last"))
    caption = page.locator("#player .caption p")
    expect(caption).to_contain_text(WHY)
    steps.same_stacks(ana, "1434", "1435")
    open_page(ana, "/replay")
    ana.press(ana.key("last"))
    expect(caption).to_contain_text(WHY)
    expect(ana.stack("1435")).to_have_count(1)
    ana.press(ana.key("back"))  # the march
    expect(caption).not_to_contain_text(WHY)
    assert ana.faults == []
    for player in (ana, bea, host):
        player.context.close()


def test_an_open_page_goes_where_its_players_choose_when_the_rules_have_changed(
    browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a server begins anew with rules that the game no longer fits: the page's line ends and comes back."""
    ana = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    ana.url = f"{live_server.url}/games/{ana.create('both')}"
    page = ana.page
    page.add_init_script(f"({LINES})()")
    open_page(ana)

    def load(*_: Any) -> Any:
        raise BadPosition("no such unit any more")

    other = replace(rules.titles.load("triple_alliance"), load=load)
    monkeypatch.setattr(rules.titles, "load", lambda _: other)
    monkeypatch.setattr(Store, "_fresh", lambda *_: None)  # nothing is in memory yet
    page.evaluate("lines.at(-1).close()")
    page.wait_for_url(f"{ana.url}/broken", timeout=PATIENCE)
    expect(page.get_by_role("heading", name="The rules have changed")).to_be_visible()
    assert ana.faults == []
    ana.context.close()
