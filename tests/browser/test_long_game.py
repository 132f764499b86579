"""A game of three thousand answers: opened, and played on."""

import time

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, Player, choose

ANSWERS = 3000
# What was answered and taken back again and again: copies of the first march, under numbers of their own.
GROW = """insert into entries (game_id, seq, at, seat, by_user, kind, clause, answer, forced, roll_no, sides, reveals,
    commits, rules_version, told, retracted_at)
  select game_id, seq + n, at, seat, by_user, kind, clause, answer, forced, roll_no, sides, reveals,
    commits, rules_version, told, now()
  from entries, generate_series(1, %(more)s) as n where game_id = %(game)s and seq = %(seq)s"""

WATCH = """() => {
    globalThis.tasks = []
    new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map((one) => one.duration)))
        .observe({ type: 'longtask' })
}"""


@pytest.mark.long
def test_a_game_of_three_thousand_answers_is_opened_and_played_on(browser: Browser, live_server: LiveServer) -> None:
    """It comes as soon as a short one, its whole log soon after, and an answer takes no longer for what was before."""
    player = war.both_seats(browser, live_server)
    player.seat = "paraguay"
    short = opened(player)
    busy_before = marched(player, war.FOOT[4:6], "2")
    seq, game = player.get()["seq"], player.url.rpartition("/")[2]
    with psycopg.connect(live_server.settings.database_url.replace("+psycopg", ""), autocommit=True) as conn:
        conn.execute(GROW.encode(), {"game": game, "seq": seq, "more": ANSWERS})
        conn.execute("update games set seq = seq + %s where id = %s", (ANSWERS, game))
    long = opened(player)
    lines = player.page.locator("#pane-log .entry")
    began = time.monotonic()
    expect(lines.nth(ANSWERS)).to_be_attached(timeout=2 * PATIENCE)
    whole = time.monotonic() - began
    assert long < 3 * short + 1, (short, long)

    busy = marched(player, war.FOOT[:2], "4")
    assert player.get()["seq"] == seq + ANSWERS + 1
    expect(lines.first).to_have_attribute("data-seq", str(seq + ANSWERS + 1))
    print(f"ready {short:.2f} and {long:.2f} s, the whole log {whole:.2f} s later, longest task {busy:.0f} ms")
    assert busy < 5 * busy_before + 500, ("nothing is drawn anew that has not changed", busy_before)
    player.press(player.key("undo"))
    expect(player.stack("1435").locator(".stack-count text")).to_have_text("2", timeout=PATIENCE)
    player.context.close()
    assert player.faults == []


def marched(player: Player, units: list[str], then: str) -> float:
    """Milliseconds of the longest task of the page while units march to 1435, where so many stand then."""
    choose(player, units)
    player.tap("1435")
    expect(player.key("go")).to_be_enabled(timeout=PATIENCE)
    player.page.evaluate(WATCH)
    player.go()
    expect(player.stack("1435").locator(".stack-count text")).to_have_text(then, timeout=PATIENCE)
    longest: float = max(player.page.evaluate("() => globalThis.tasks"), default=0)
    return longest


def opened(player: Player) -> float:
    began = time.monotonic()
    war.open_page(player)
    return time.monotonic() - began
