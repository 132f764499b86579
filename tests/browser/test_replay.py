"""The replay's own hands: its keys, its buttons, and stacks opened at any moment of a game."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, Player
from tests.browser.war import both_seats, fight, fold, open_page, record

Step = dict[str, Any]


@pytest.fixture
def told(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """One who played both sides through a first fight looks at the replay."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, number, sides: (3 * number + 1) % sides)
    player = both_seats(browser, live_server)
    fight(player, player)
    player.seat = ""
    yield player
    assert player.faults == []
    player.context.close()


def test_keys_and_stacks_of_the_replay(told: Player) -> None:
    page = open_page(told, "/replay")
    entries = record(told)
    frames = [(entry["seq"], step) for entry in entries for step in entry["steps"]]
    expect(told.key("slide")).to_have_attribute("max", str(len(frames)))
    expect(page.locator("#player .caption p")).to_have_text("Press play, or move step by step.")
    step_and_play(told, frames)
    (march,) = [seq for seq, step in frames if step["event"] == "marched"]
    go_to_moments(told, entries, march)
    open_and_peek(told, entries, march)
    move_the_map(told)
    see_keys(told)


def step_and_play(told: Player, frames: list[tuple[int, Step]]) -> None:
    """Dot and comma step, Space plays and pauses, the ends are a button away; the address follows."""
    page, keys = told.page, told.page.keyboard
    caption, play, slide = page.locator("#player .caption p"), told.key("play"), told.key("slide")
    keys.press(".")
    expect(slide).to_have_value("1")
    first = caption.inner_text()
    keys.press(".")
    expect(caption).not_to_have_text(first)
    keys.press(",")
    expect(caption).to_have_text(first)
    expect(page).to_have_url(re.compile(f"#seq={frames[0][0]}$"))
    keys.press(" ")
    expect(play).to_have_accessible_name("Pause")
    expect(slide).not_to_have_value("1", timeout=PATIENCE)
    keys.press(" ")
    expect(play).to_have_text("Play")
    told.press(told.key("last"))
    expect(slide).to_have_value(str(len(frames)))
    expect(page).to_have_url(re.compile(f"#seq={frames[-1][0]}$"))
    told.press(told.key("first"))
    expect(slide).to_have_value("0")
    expect(page).to_have_url(re.compile("#seq=0$"))


def go_to_moments(told: Player, entries: list[Step], march: int) -> None:
    """A moment is told by its line of the log, and its stacks are those of that moment."""
    page, tray = told.page, told.page.locator("#tray")
    for until in (march - 1, march):
        page.locator(f'#pane-log .entry[data-seq="{until}"] .what').first.click()
        expect(page).to_have_url(re.compile(f"#seq={until}$"))
        shown = fold(entries, until)
        told.tap("1434")
        expect(tray.locator("h2")).to_have_text("Itapirú (1434)")
        there = shown["space:1434"]["units"]
        expect(tray.locator("ul > li")).to_have_count(len(there))
        assert tray.locator("ul b").first.inner_text()
        assert len(there) == shown["space:1434"]["count"]
        page.keyboard.press("Escape")
        expect(tray).to_be_hidden()
    assert len(there) < len(fold(entries, march - 1)["space:1434"]["units"])


def open_and_peek(told: Player, entries: list[Step], march: int) -> None:
    """The cursor walks, Enter opens, the mouse at rest shows, a held button opens; it goes with its moment."""
    page, keys, tray, slide = told.page, told.page.keyboard, told.page.locator("#tray"), told.key("slide")
    shown = fold(entries, march)
    told.walk("1435")
    keys.press("Enter")
    expect(tray.locator("ul > li")).to_have_count(len(shown["space:1435"]["units"]))
    keys.press(",")
    expect(tray).to_be_hidden()
    keys.press(".")
    expect(slide).not_to_have_value("0")
    page.mouse.move(*told.still("1436"))
    page.mouse.move(*told.still("1434"))
    peek = page.locator(".peek")
    expect(peek).to_be_visible(timeout=PATIENCE)
    expect(peek.locator("svg")).to_have_count(len(shown["space:1434"]["units"]))
    page.mouse.down()
    expect(tray.locator("h2")).to_have_text("Itapirú (1434)", timeout=PATIENCE)
    page.mouse.up()
    expect(peek).to_be_hidden()
    told.press(told.key("close"))
    expect(tray).to_be_hidden()


def move_the_map(told: Player) -> None:
    """Shift and arrows move the map and no more; + - 0 zoom; H bares the ground."""
    page, keys, slide = told.page, told.page.keyboard, told.key("slide")
    board, sheet = page.locator(".board-view"), page.locator(".board-sheet")
    at = slide.input_value()
    board.focus()
    for key in ("Shift+ArrowRight", "+", "-", "0"):
        before = sheet.get_attribute("style")
        assert before
        keys.press(key)
        expect(sheet).not_to_have_attribute("style", before)
        page.wait_for_timeout(60)
    expect(slide).to_have_value(at)
    keys.down("h")
    expect(page.locator(".l-counters")).to_be_hidden()
    keys.up("h")
    expect(page.locator(".l-counters")).to_be_visible()


def see_keys(told: Player) -> None:
    """`?` lists these keys and none that does nothing here."""
    page, keys = told.page, told.page.keyboard
    keys.press("?")
    expect(page.locator("dialog.keys kbd")).to_have_text(
        ["Space", ", .", "← → ↑ ↓", "Enter", "+ − 0", "H", "Esc", "?"], timeout=PATIENCE)  # fmt: skip
    keys.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
