"""What happens to a page, and on a desktop, while nobody touches anything: the rules change under a game, a push
message comes."""

import re
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from app.games.live import conninfo
from app.games.repository import CHANNEL
from app.games.store import note
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE

PUSH = """async (said) => {
    self.dispatchEvent(new PushEvent('push', { data: JSON.stringify(said) }))
    let shown = []
    while (!shown.length) {
        await new Promise((later) => setTimeout(later, 50))
        shown = await self.registration.getNotifications()
    }
    const [{ title, body, image, tag, data }] = shown
    const got = await fetch(image)
    const picture = await createImageBitmap(await got.blob())
    return { title, body, image, tag, data, type: got.headers.get('content-type'), width: picture.width }
}"""


@pytest.mark.long
def test_a_page_whose_game_no_longer_fits_the_rules_leads_to_the_choice(
    browser: Browser, live_server: LiveServer
) -> None:
    ana = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    game = ana.create("both")
    ana.page.goto(f"{ana.site}/games/{game}")
    ana.press(ana.key("option-no_invasion-no_invasion"))
    expect(ana.key("suggest")).to_be_visible(timeout=PATIENCE)
    with psycopg.connect(conninfo(live_server.settings.database_url), autocommit=True) as conn:
        conn.execute("update games set waiting_for = '{paraguay}' where id = %s", (game,))
        (user,) = conn.execute("select id from users").fetchone() or ()
        conn.execute("select pg_notify(%s, %s)", (CHANNEL, note("", "u", user)))
    expect(ana.page).to_have_url(f"{ana.site}/games/{game}/broken", timeout=PATIENCE)
    expect(ana.page.get_by_role("heading", name=re.compile("The rules have changed"))).to_be_visible()
    ana.page.get_by_role("button", name="Propose to go on").click()
    expect(ana.page).to_have_url(f"{ana.site}/games/{game}", timeout=PATIENCE)
    ana.context.close()
    assert ana.faults == []


@pytest.mark.long
def test_a_push_message_shows_the_position(browser: Browser, live_server: LiveServer) -> None:
    ana = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    at = f"/games/{ana.create('both')}"
    ana.context.grant_permissions(["notifications"], origin=ana.site)
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    (worker,) = ana.context.service_workers
    said = {"title": "It is your turn", "body": "Shall a column invade?", "path": at, "tag": at,
            "image": f"{at}/still.png"}  # fmt: skip
    shown: dict[str, Any] = worker.evaluate(PUSH, said)
    assert shown == {"title": said["title"], "body": said["body"], "image": f"{ana.site}{at}/still.png", "tag": at,
                     "data": at, "type": "image/png", "width": shown["width"]}  # fmt: skip
    assert shown["width"] > 300
    ana.context.close()
