"""What the page says and does about the dice: the hash it saw is kept and checked, who began anew is named, all is
shown at the end, and a game from a file says what of it was proved."""

import hashlib
import os
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Locator, expect
from psycopg.types.json import Jsonb

from app.games.live import conninfo
from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

FIRST, SECOND = "11" * 32, "22" * 32  # Bea's numbers
ANOTHER = hashlib.sha256(b"x" * 32).hexdigest()


def hashed(number: str) -> str:
    return hashlib.sha256(bytes.fromhex(number)).hexdigest()


def about(player: Player) -> Locator:
    """The part of the page that speaks of the dice."""
    tab = player.key("about")

    def opened() -> bool:  # a tap while the page still loads may be lost
        if tab.get_attribute("aria-selected") != "true":
            player.press(tab)
        return tab.get_attribute("aria-selected") == "true"

    player.until(opened)
    part = player.page.locator("#pane-about .sealed")
    expect(part).to_be_visible(timeout=PATIENCE)
    return part


def sealed(player: Player) -> Any:
    """What the server holds of Ana's part."""
    return player.get()["dice"]["seats"]["allied"]


def shot(player: Player, name: str) -> None:
    """For eyes, when a folder is named."""
    if folder := os.environ.get("MARISCAL_SHOTS"):
        player.page.locator("#pane-about .sealed").scroll_into_view_if_needed()
        size = player.page.viewport_size or {"width": 0}
        player.page.screenshot(path=Path(folder) / f"{name}-{size['width']}.png")


@pytest.mark.parametrize("device", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desk", "phone"])
def test_what_was_sealed_is_kept_checked_and_shown(
    browser: Browser, live_server: LiveServer, device: dict[str, object]
) -> None:
    seats = ("allied", "paraguay")
    ana, bea = war.at_a_table(browser, live_server, "triple_alliance", "war", seats, device, dice=False)
    notice = ana.page.get_by_role("alert").filter(has_text="the seed has been exchanged")
    war.open_page(ana)
    ana.until(lambda: bool(sealed(ana)["hash"]))  # the page has sent its own
    seed = ana.get()["dice"]["seed_hash"]
    expect(about(ana).locator("p.hash")).to_have_text(seed)
    expect(about(ana)).to_contain_text("saw the same hash", timeout=PATIENCE)
    game = ana.url.rpartition("/")[2]
    with psycopg.connect(conninfo(live_server.settings.database_url), autocommit=True) as conn:
        _exchanged(conn, game)
        war.open_page(ana)
        expect(notice).to_contain_text(seed, timeout=PATIENCE)  # drawn when the page has done what it owes
        assert sealed(ana)["hash"] is None, "nothing more for an exchanged seed"
        expect(about(ana).locator("p.hash")).to_have_text(ANOTHER)
        expect(about(ana).locator("p.wrong")).to_contain_text(seed)
        shot(ana, "exchanged")

        conn.execute("update games set dice_seed = kept.dice_seed, dice = kept.dice from kept where id = %s", (game,))
        war.open_page(ana)
        bea.post("/dice", {"hash": hashed(FIRST)})
        ana.until(lambda: bool(sealed(ana)["nonce"]))
        expect(notice).to_have_count(0)
        bea.post("/dice", {"hash": hashed(SECOND)})  # it has lost its first
        expect(about(ana)).to_contain_text("begun anew once:", timeout=PATIENCE)
        expect(about(ana).locator("ol")).to_have_text("by Paraguay")
        shot(ana, "restarted")
        ana.until(lambda: bool(sealed(ana)["nonce"]))
        bea.post("/dice", {"nonce": SECOND})
        assert bea.context.request.post(f"{bea.api}/resign?seat=paraguay").ok

        for words in (seed, "Its hash is the one above.", sealed(ana)["nonce"], "The dice were made with it."):
            expect(about(ana)).to_contain_text(words, timeout=PATIENCE)
        expect(about(ana).locator("dd", has_text=seed)).to_have_count(1)  # beside the one of the record
        shot(ana, "ended")

        for faults in (["entry 7: the roll is 5, the key makes it 2"], []):
            said = Jsonb({"rolls": 3, "entries": 9, "faults": faults})
            conn.execute("update games set imported = %s where id = %s", (said, game))
            war.open_page(ana)
            expect(about(ana)).to_contain_text("entry 7" if faults else "were proved", timeout=PATIENCE)
            expect(ana.page.locator("#game .unproved")).to_have_count(len(faults))
            shot(ana, "imported" if faults else "proved")
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def _exchanged(conn: psycopg.Connection, game: str) -> None:
    """Another seed, and a restart that somebody is said to have begun."""
    conn.execute("create table kept as select dice_seed, dice from games where id = %s", (game,))
    blame = Jsonb({"hashes": {}, "restarts": 1, "restarted": [{"by": "paraguay", "why": "hash"}]})
    conn.execute("update games set dice_seed = repeat('x', 32)::bytea, dice = dice || %s where id = %s", (blame, game))
