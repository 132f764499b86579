"""Austerlitz by two people: a march under reaction fire, a charge met by a square and one met by a countercharge."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from rules.core.title import Data, Title
from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, PHONE, Player

Table = tuple[Player, Player]
START: dict[str, Any] = {
    "scenario": "northern_flank",
    "position": {
        "clear": True, "phase": "initiative", "turn": 2, "pool": ["LIM-A-3-B", "LIM-F-3-V"],
        "units": {"F-1-34-Ln": "B2810@N/column", "F-2-17-Leg": "B2510@N/column", "F-10-Hus": "B3010@NNW/line",
                  "A-art-a-B": "B2805@SSE/unlimbered", "A-Leib-Cu": "B2507@SSE/line", "A-Tver-Dgn": "B3006@SSW/line"},
        "leaders": {"F-Suchet": "B2812", "F-Treilhard": "B3012", "A-Voropaitzki": "B2704", "A-Markov": "B2804"},
    },
}


def laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """The French have the initiative by a five; every other die falls on three. Games begin in the position above."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, n, sides, _die=0: 5 if n == 0 else min(3, sides - 1))

    def first(title: Title, data: Data, *_: Any) -> Any:
        return title.written(data, START)

    monkeypatch.setattr(Title, "first", first)


@pytest.fixture
def table(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Ana leads the French, Bea the Allies."""
    laid(monkeypatch)
    ana, bea = war.at_a_table(browser, live_server, "austerlitz", "northern_flank", ("french", "allied"))
    ana.seat, bea.seat = "french", "allied"
    for player in (ana, bea):
        open_page(player)
    yield ana, bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def open_page(player: Player) -> None:
    """The map of 7,500 hexes is drawn when the first page asks for it."""
    player.page.goto(player.url)
    expect(player.page.locator("#main")).to_have_attribute("data-ready", "yes", timeout=4 * PATIENCE)


def option(player: Player, prompt: str, form: str, name: str) -> None:
    """Asked on the page, and answered there."""
    player.asked(prompt)
    player.press(player.key(f"option-{form}-{name}"))


def close(player: Player, prompt: str, form: str, name: str) -> None:
    """What ends a phase is asked once more."""
    option(player, prompt, form, name)
    player.go()


def activate(player: Player) -> None:
    option(player, "activation", "activation", "full")


def take_a_battalion(player: Player) -> None:
    """The first marker is chosen and activated, and a battalion that may go shows where."""
    option(player, "first_marker", "first_marker", "LIM-F-3-V")
    activate(player)
    option(player, "way_of_moving", "way_of_moving", "normal")
    player.asked("movement")
    player.tap("B2810")
    expect(player.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)


def march_under_fire(ana: Player, bea: Player) -> None:
    """The first marker is chosen, a battalion taken by a tap and led three hexes on; a battery fires, dragoons wait."""
    take_a_battalion(ana)
    ana.tap("B2807")
    ana.go()
    option(bea, "reaction", "reaction", "fire:A-art-a-B")
    option(bea, "reaction", "reaction", "none")
    ana.asked("movement")
    for player in (ana, bea):
        expect(player.stack("B2807").locator('use[href="#f-column-infantry"]')).to_have_count(1, timeout=PATIENCE)
        expect(player.page.locator("aside")).to_contain_text("fires in reaction", timeout=PATIENCE)
    close(ana, "movement", "end_move", "end_move")


def charge(bea: Player, target: str, says: str) -> None:
    """The target is tapped, its odds are read, and it is charged."""
    bea.asked("melee")
    bea.tap(target)
    expect(bea.page.locator("#pane-odds .odds .notes")).to_contain_text(says, timeout=PATIENCE)
    bea.go()


def test_an_activation_with_reaction_fire_and_charges_met_by_a_square_and_a_countercharge(table: Table) -> None:
    ana, bea = table
    march_under_fire(ana, bea)
    activate(bea)
    close(bea, "movement", "end_move", "end_move")
    close(bea, "fire", "end", "end_fire")
    charge(bea, "B2510", "he forms square with")
    option(ana, "charged", "charged", "square")
    expect(bea.stack("B2510").locator('use[href="#f-square-infantry"]')).to_have_count(1, timeout=PATIENCE)
    expect(ana.page.locator("#strip li.now")).to_contain_text("Square!", timeout=PATIENCE)
    option(ana, "return_fire", "return_fire", "hold")
    charge(bea, "B3010", "may countercharge on the way: 1")
    option(ana, "countercharge", "countercharge", "counter:B3010")
    told = [step["event"] for entry in war.record(ana) for step in entry["steps"]]
    wanted = ["marker_drawn", "reaction_fire", "charge_declared", "square_formed", "countercharged"]
    assert [event for event in told if event in wanted] == [
        "marker_drawn", "reaction_fire", "marker_drawn", "charge_declared", "square_formed", "charge_declared",
        "countercharged"]  # fmt: skip


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    laid(monkeypatch)
    ana, bea = war.at_a_table(browser, live_server, "austerlitz", "northern_flank", ("french", "allied"), PHONE)
    ana.seat = "french"
    open_page(ana)
    yield ana
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


@pytest.mark.long
def test_a_battalion_is_led_by_touch(phone: Player) -> None:
    take_a_battalion(phone)
    phone.tap("B2809")
    phone.go()
    phone.until(lambda: "space:B2809" in phone.view() and phone.view()["space:B2809"]["count"] == 1)
    expect(phone.stack("B2809").locator('use[href="#f-column-infantry"]')).to_have_count(1, timeout=PATIENCE)
