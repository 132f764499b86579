"""Austerlitz by two people: a march under reaction fire, a charge met by a square and one met by a countercharge; by
touch; and by four people, a turn of the whole day."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from rules.core.title import Data, Title
from tests.browser import steps, war
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

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


FOUR = {"lannes": "Ana", "soult": "Bea", "alexander": "Cid", "buxhowden": "Dora"}
WHOLE_DAY: dict[str, Any] = {  # a battalion or regiment of each of the four, and guns of Buxhowden's wing before Soult
    "scenario": "langeron", "seats": list(FOUR),
    "position": {
        "clear": True, "phase": "initiative", "turn": 2, "pool": ["LIM-F-3-V", "LIM-F-1-IV", "LIM-A-3-B", "LIM-A-1-1C"],
        "units": {"F-1-34-Ln": "B3010@N/column", "F-1-10-Leg": "B2510@N/column", "A-Leib-Cu": "B3004@SSE/line",
                  "A-G-N-Ing": "B2804@S/column", "A-art-a-1C": "B2506@SSE/unlimbered"},
        "leaders": {"F-Suchet": "B3012", "F-St-Hilaire": "B2512", "A-Voropaitzki": "B3002", "A-Lewis": "B2802"},
    },
}


def laid(monkeypatch: pytest.MonkeyPatch, start: dict[str, Any] = START) -> None:
    """The French have the initiative by a five; every other die falls on three. Games begin in this position."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, n, sides, _die=0: 5 if n == 0 else min(3, sides - 1))

    def first(title: Title, data: Data, *_: Any) -> Any:
        return title.written(data, start)

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
    expect(player.page.locator(".b-layers .lay-violet.lay-dash")).to_have_count(1, timeout=PATIENCE)  # its zone


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
    bea.asked("charge_way")  # one is proposed, to the flank
    bea.go()
    option(bea, "charge_facing", "charge_facing", "SSE")
    option(ana, "charged", "charged", "square")
    expect(bea.stack("B2510").locator('use[href="#f-square-infantry"]')).to_have_count(1, timeout=PATIENCE)
    expect(ana.page.locator("#strip li.now")).to_contain_text("Square!", timeout=PATIENCE)
    option(ana, "return_fire", "return_fire", "hold")
    charge(bea, "B3010", "you choose its way next")
    bea.asked("charge_way")
    bea.press(bea.key("clear"))
    for loc in ("B3006", "B3009"):  # straight on, into the zone of the hussars
        bea.tap(loc)
    bea.go()
    option(bea, "charge_facing", "charge_facing", "SSW")
    option(ana, "countercharge", "countercharge", "counter:B3010")
    record = [step for entry in war.record(ana) for step in entry["steps"]]
    told = [step["event"] for step in record]
    ridden = [step["data"]["at"] for step in record if step["event"] == "charged_on"]
    assert ridden == ["B2508", "B2409", "B2410", "B3007", "B3008"]
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


@pytest.fixture
def four(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Player]]:
    """Four people with the map before them, met over the API."""
    laid(monkeypatch, WHOLE_DAY)
    players = {seat: steps.account(browser, live_server, name, DESKTOP) for seat, name in FOUR.items()}
    ana = players["lannes"]
    game = ana.create("person", title="austerlitz", scenario="langeron", seating="four", seat="lannes")
    for seat, player in players.items():
        player.url, player.seat = f"{player.site}/games/{game}", seat
        if player is not ana:
            player.post("/join", {"seat": seat})
    war.seal(*((player, seat) for seat, player in players.items()))
    for player in players.values():
        open_page(player)
    yield players
    for player in players.values():
        player.context.close()
        assert player.faults == []


def led(four: dict[str, Player], seat: str, path: tuple[str, str]) -> None:
    """A limited activation by the one whose corps it is: a counter goes from a hex to another, and all see it."""
    player = four[seat]
    option(player, "activation", "activation", "limited")
    player.asked("movement")
    player.tap(path[0])
    expect(player.page.locator(".b-costs text").first).to_be_visible(timeout=4 * PATIENCE)
    player.tap(path[1])
    player.go()
    if seat == "soult":  # the guns of Buxhowden's wing are his to fire, not the Tsar's
        four["alexander"].until(lambda: four["alexander"].get()["waiting_for"] == ["buxhowden"])
        option(four["buxhowden"], "reaction", "reaction", "fire:A-art-a-1C")
    for one in four.values():
        expect(one.stack(path[1])).to_have_count(1, timeout=4 * PATIENCE)
    close(player, "movement", "end_move", "end_move")


@pytest.mark.long
def test_four_people_play_a_turn_of_the_whole_day(four: dict[str, Player]) -> None:
    ana, bea, cid, dora = four.values()
    option(ana, "first_marker", "first_marker", "LIM-F-1-IV")   # who leads a side chooses for it
    expect(dora.page.locator("aside")).to_contain_text("1/IV (St. Hilaire) division is drawn", timeout=4 * PATIENCE)
    led(four, "soult", ("B2510", "B2508"))
    for seat, path in (("lannes", ("B3010", "B3009")), ("alexander", ("B3004", "B3005")),
                       ("buxhowden", ("B2804", "B2805"))):  # the markers in the order in which they are drawn
        led(four, seat, path)
    option(cid, "no_marker", "no_marker", "pass")
    cid.go()
    for player in (ana, cid):
        player.asked("remove_markers")
        player.answer({"form": "remove", "lots": {"remove": []}})
    for player in four.values():
        expect(player.page.locator("#track .turns .now")).to_contain_text("8:00", timeout=4 * PATIENCE)
    assert [war.record(bea) == war.record(one) for one in (ana, cid)] == [True, False]
