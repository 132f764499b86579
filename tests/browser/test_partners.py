"""Four players at two sides of one game in browsers: lobby, march, partners' chat, take-back, giving up, replay."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.app.hills_site import forget, furnish_hills
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

SEATS = {"colborne": "Ana", "picton": "Bea", "ney": "Cid", "reille": "Dora"}
PASS = {"form": "end", "option": "pass"}


@pytest.fixture
def furnished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Asked for before the server starts; what was read meanwhile is forgotten after."""
    furnish_hills(monkeypatch, tmp_path)
    yield
    forget()


@pytest.fixture
def four(furnished: None, browser: Browser, live_server: LiveServer) -> Iterator[dict[str, Player]]:  # noqa: ARG001
    """Four people in the lobby; Dora plays on a phone."""
    players = {seat: steps.sign_up(browser, live_server, name, PHONE if seat == "reille" else DESKTOP)
               for seat, name in SEATS.items()}  # fmt: skip
    yield players
    for player in players.values():
        assert player.faults == []
        player.context.close()


def meet(four: dict[str, Player]) -> None:
    """Ana makes the game on the lobby's pages, the others take their seats there; all sit at the map."""
    ana = four["colborne"]
    ana.page.goto(f"{ana.site}/games/new?title=hills&scenario=duel")
    ana.page.get_by_role("link", name="The ridge").click()
    ana.page.get_by_role("link", name="4 players").click()
    ana.page.get_by_label("Another person").check()
    ana.page.locator('input[name="seat"][value="colborne"]').check()
    ana.page.locator('input[name="pace"][value="days"]').check()
    ana.page.get_by_role("button", name="Create the game").click()
    link = ana.page.get_by_label("Link for the opponent").input_value()
    for seat in ("picton", "ney", "reille"):
        four[seat].page.goto(link)
        expect(four[seat].page.get_by_text("Two hills, four corps.")).to_be_visible()
        four[seat].press(four[seat].page.locator(f'main button[value="{seat}"]'))
    for seat, player in four.items():
        player.url, player.seat = link.partition("/join")[0], seat
        player.page.goto(player.url)
        steps.ready(player)


def lie_in_wait(four: dict[str, Player]) -> None:
    """Every seat answers by its buttons, in any order; who has answered reads who has still to."""
    ana = four["colborne"]
    ana.until(lambda: ana.get()["dice"]["complete"])
    still = expect(four["ney"].page.locator("#prompt"))
    for seat, said, waits in (("ney", "village", "Colborne, Picton, and Reille to decide:"),
                              ("picton", "ready", "Colborne and Reille to decide:"),
                              ("reille", "ready", "Colborne to decide:"), ("colborne", "wood", "Colborne to decide:")):
        player = four[seat]
        player.press(player.key(f"option-ambush-{said}"))
        still.to_contain_text(waits, timeout=PATIENCE)
    ana.asked("march")


def hand_over(player: Player) -> None:
    player.press(player.key("option-end-pass"))
    player.go()


def test_four_at_one_map_march_talk_take_back_and_stand_down(four: dict[str, Player]) -> None:
    meet(four)
    ana, bea, cid, dora = four.values()
    expect(cid.page.locator(".player")).to_have_count(4)
    expect(cid.page.locator(".player.side-north .name")).to_contain_text(["Colborne (North)", "Picton (North)"])
    expect(cid.page.locator(".player .clock")).to_have_count(4, timeout=PATIENCE)
    lie_in_wait(four)

    # partners see their ambush, the others don't; only who is asked decides
    assert "table:ambush_north" in bea.view()
    assert "table:ambush_north" not in cid.view()
    expect(bea.page.locator("#prompt")).to_contain_text("Colborne")

    # a counter on two hexes marches and turns about; everybody sees it
    ana.tap("03055")
    ana.tap("03056")
    ana.press(ana.key("facing-N"))
    ana.go()
    for player in four.values():
        expect(player.stack("03056")).to_have_count(1, timeout=PATIENCE)
        assert player.view()["space:03056"]["units"][0]["on"] == ["03056", "03057"]
    # nobody is "your opponent" among four: the words speak of the other side, and name it
    ana.press(ana.key("option-end-pass"))
    words = ana.page.locator("#prompt .words")
    expect(words).to_contain_text("the other side's consent")
    expect(words.locator(".needs")).to_contain_text("Cid and Dora", timeout=PATIENCE)
    expect(words).not_to_contain_text("opponent")
    ana.go()
    bea.asked("march")

    # a line to one's side alone
    ana.press(ana.page.get_by_role("tab", name="Chat"))
    ana.page.get_by_label("To whom").select_option("side")
    ana.page.get_by_label("Write").fill("You take the right")
    ana.page.get_by_role("button", name="Send").click()
    bea.press(bea.page.get_by_role("tab", name="Chat"))
    expect(bea.page.locator(".talk .to-side")).to_contain_text("You take the right", timeout=PATIENCE)
    assert not any("You take the right" in heard for player in (cid, dora) for heard in player.frames)

    # a take-back needs both of the other side
    ana.press(ana.key("undo"))
    expect(ana.page.locator("dialog")).to_contain_text("Cid and Dora will see what would be undone")
    ana.press(ana.page.locator('dialog [data-key="ask-back"]'))
    for player in (cid, dora):
        player.press(player.page.locator("section.offer button.go"))
    ana.asked("march")
    for player in four.values():
        assert player.seat == "colborne" or not player.get("/view")["request"]["mine"]

    # who gives up leaves his seat to his partner, who plays on with both
    assert ana.context.request.post(f"{ana.api}/resign?seat=colborne", data={}).ok
    bea.until(lambda: bea.get()["your_seats"] == ["colborne", "picton"])
    bea.page.reload()
    steps.ready(bea)
    expect(bea.page.locator(".player.you")).to_have_count(2)
    for seat in ("Colborne", "Picton"):  # the page may still be at the question before
        expect(bea.page.locator(".player.active .name")).to_contain_text(seat, timeout=PATIENCE)
        hand_over(bea)
    cid.asked("march")


@pytest.mark.long
def test_the_game_goes_on_to_its_end_and_is_seen_again(four: dict[str, Player]) -> None:
    meet(four)
    lie_in_wait(four)
    cid = four["ney"]
    while (card := cid.get())["state"] == "active":
        player = four[card["waiting_for"][0]]
        fires = player.get("/view")["request"]["prompt"]["key"] == "prompt.fire"
        player.answer({"form": "fire", "option": "hold"} if fires else PASS)
    for player in four.values():
        expect(player.page.locator("#prompt")).to_contain_text("North 0, South 0", timeout=PATIENCE)
    cid.page.goto(f"{cid.url}/replay")
    steps.ready(cid)
    expect(cid.page.locator(".player")).to_have_count(4)
