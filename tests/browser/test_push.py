"""What a push message shows on the desktop."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP

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
