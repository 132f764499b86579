"""What the page says and does about the dice: the hash it saw is kept and checked, who began anew is named, and a game
from a file says what of it was proved."""

import hashlib
import os
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Locator, expect
from psycopg.types.json import Jsonb

from app.games.live import conninfo
from tests.browser import steps, war
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

NONCES = ("11" * 32, "22" * 32)


def about(player: Player) -> Locator:
    """The part of the page that speaks of the dice."""
    if player.touch and not player.key("about").count():
        player.press(player.key("panel"))
    player.press(player.key("about"))
    part = player.page.locator("section", has=player.page.locator("p.hash")).last
    expect(part).to_be_visible(timeout=PATIENCE)
    part.scroll_into_view_if_needed()
    return part


def sealed(player: Player) -> Any:
    """What the server holds of Ana's part."""
    return player.get()["dice"]["seats"]["allied"]


def shot(player: Player, name: str) -> None:
    """For eyes, when a folder is named."""
    if folder := os.environ.get("MARISCAL_SHOTS"):
        size = player.page.viewport_size or {"width": 0}
        player.page.screenshot(path=Path(folder) / f"{name}-{size['width']}.png")


@pytest.mark.parametrize("device", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desk", "phone"])
def test_the_hash_that_was_seen_is_kept_checked_and_shown(
    browser: Browser, live_server: LiveServer, device: dict[str, object]
) -> None:
    ana, bea = steps.sign_up(browser, live_server, "Ana", device), steps.sign_up(browser, live_server, "Bea", DESKTOP)
    wish = {"title": "triple_alliance", "scenario": "war", "seat": "allied", "opponent": "person",
            "visibility": "private"}  # fmt: skip
    made = ana.context.request.post(f"{ana.site}/api/games", data=wish).json()
    joined = {"seat": "paraguay", "token": made["join_token"]}
    assert bea.context.request.post(f"{bea.site}/api/games/{made['id']}/join", data=joined).ok
    for player, seat in ((ana, "allied"), (bea, "paraguay")):
        player.url, player.seat = f"{player.site}/games/{made['id']}", seat
    war.open_page(ana)
    ana.until(lambda: bool(sealed(ana)["hash"]))  # the page has sent its own
    seed = ana.get()["dice"]["seed_hash"]
    expect(about(ana).locator("p.hash")).to_have_text(seed)
    with psycopg.connect(conninfo(live_server.settings.database_url), autocommit=True) as conn:
        game = {"game": made["id"]}
        conn.execute("create table kept as select dice_seed from games where id = %(game)s", game)
        conn.execute("update games set dice_seed = decode(repeat('78', 32), 'hex') where id = %(game)s", game)
        war.open_page(ana)
        expect(about(ana).locator("p.wrong")).to_contain_text(seed, timeout=PATIENCE)
        shot(ana, "exchanged")
        bea.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(NONCES[0])).hexdigest()})
        ana.page.wait_for_timeout(1500)
        assert sealed(ana)["nonce"] is None, "nothing more for an exchanged seed"

        conn.execute("update games set dice_seed = (select dice_seed from kept) where id = %(game)s", game)
        war.open_page(ana)
        expect(about(ana)).to_contain_text("saw the same hash", timeout=PATIENCE)
        ana.until(lambda: bool(sealed(ana)["nonce"]))
        bea.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(NONCES[1])).hexdigest()})  # it has lost its first
        expect(about(ana)).to_contain_text("Sealing no. 1 was begun anew by Paraguay", timeout=PATIENCE)
        shot(ana, "restarted")

        for faults, words in ((["entry 7: the roll is 5, the key makes it 2"], "entry 7"), ([], "proved")):
            said = Jsonb({"rolls": 3, "entries": 9, "faults": faults})
            conn.execute("update games set imported = %(said)s where id = %(game)s", {**game, "said": said})
            war.open_page(ana)
            expect(about(ana)).to_contain_text(words, timeout=PATIENCE)
            shot(ana, "imported" if faults else "proved")
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []
