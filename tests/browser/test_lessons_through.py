"""All lessons of a title, one after another as the page offers them: by the keyboard alone, and by thumb."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from app.lessons.lesson import Step, lessons_of
from rules.titles import IDS
from tests.browser.answering import Hand, Keys, Thumb
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player, ready

pytestmark = pytest.mark.long
HANDS: tuple[tuple[str, type[Hand], dict[str, Any]], ...] = (("keys", Keys, DESKTOP), ("thumb", Thumb, PHONE))
EACH = [pytest.param(title, hand, device, id=f"{title}-{name}") for title in IDS for name, hand, device in HANDS]


@pytest.mark.parametrize(("title", "hand", "device"), EACH)
def test_lessons_one_after_another(
    browser: Browser, live_server: LiveServer, title: str, hand: type[Hand], device: dict[str, Any]
) -> None:
    context = browser.new_context(**device, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.route("**/*.png*", lambda route: route.abort())  # the server draws each of them anew
    player = Player(context.new_page(), context, live_server.url, touch="has_touch" in device)
    player.listen(player.page)
    page, lessons = player.page, lessons_of(title)
    page.goto(f"{live_server.url}/titles/{title}/lessons")
    start = page.locator("main button.go").first
    start.tap() if player.touch else start.press("Enter")
    for name, lesson in lessons.items():
        expect(page.locator("#lesson h2")).to_have_text(lesson.title["en"], timeout=PATIENCE)
        ready(player)
        player.url = page.url.partition("#")[0]
        for number, step in enumerate(lesson.steps, 1):
            play(hand(player), step, f"{name}, step {number}")
        expect(page.locator("#lesson .success")).to_have_text(lesson.success["en"])
        if name != list(lessons)[-1]:
            hand(player).press("lesson-next")
    page.goto(f"{live_server.url}/titles/{title}/lessons")
    expect(page.locator(".lessons .done")).to_have_count(len(lessons))
    assert player.faults == []
    context.close()


def play(hand: Hand, step: Step, where: str) -> None:
    """A step as its file solves it; what the lesson gives by itself is asked for."""
    if step.given is not None:
        before = hand.node
        hand.comes("lesson-go")
        hand.press("lesson-go")
        hand.until(lambda: hand.node != before, where)
    for count, said in enumerate(step.solution, 1):
        hand.answer(said)
        lesson = hand.page.locator("#lesson")
        verdict, told = lesson.get_attribute("data-verdict"), lesson.inner_text()
        assert verdict == ("right" if count == len(step.solution) else "on"), f"{where}: {said}: {told}"
