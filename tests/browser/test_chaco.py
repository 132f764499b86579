"""The Chaco War by two people: a Paraguayan turn with Bolivian reaction movement and reaction combat."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, Player, same_stacks

Table = tuple[Player, Player]


@pytest.fixture
def table(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Ana leads Paraguay, Bea Bolivia; both have the page of their private game open. Every die falls on four."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, _number, sides, _die=0: min(3, sides - 1))
    ana, bea = war.at_a_table(browser, live_server, "chaco", "boqueron", ("paraguay", "bolivia"))
    ana.seat, bea.seat = "paraguay", "bolivia"
    for player in (ana, bea):
        war.open_page(player)
    yield ana, bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def until(table: Table, prompt: str) -> None:
    """Both answer plainly, through the API, until one is asked that."""
    for _ in range(40):
        request = table[0].get("/view")["request"]
        if request["prompt"]["key"] == f"prompt.{prompt}":
            return
        player = next(p for p in table if p.seat == request["seat"])
        player.answer(war.plain(player))
    raise AssertionError(f"nobody is asked {prompt}")


def choose(player: Player, at: str, units: list[str]) -> None:
    """Open a stack and take these units of it, no others."""
    player.tap(at)
    player.press(player.key("select-none"))
    for unit in units:
        player.press(player.key(f"unit-{unit}"))
    expect(player.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)


def test_a_paraguayan_turn_with_reaction_by_the_other_player(table: Table) -> None:
    ana, bea = table
    until(table, "movement")
    head = ana.page.locator(".name-of-game small")
    expect(head).to_contain_text("September 1932")
    expect(head).not_to_contain_text("9/32")  # as on its track: the month is told once

    # Ana marches by hand: the stack of Isla Poí, two of its men and Estigarribia
    ana.asked("movement")
    camp = ana.view()["space:2741"]
    men = [u["id"] for u in camp["units"] if "-INF-" in u["id"]][:2]
    party = [*men, "PY-LDR-Estig"]
    choose(ana, "2741", party)
    ana.tap("2640")
    ana.go()
    for player in table:
        same_stacks(player, "2640")
    assert {u["id"] for u in bea.view()["space:2640"]["units"]} == set(party)
    ana.press(ana.key("option-end-end"))
    ana.go()

    # Bea is asked in the middle of Ana's turn, reacts with a leader, and hands back
    bea.asked("reaction")
    choose(bea, "2241", ["BO-INF-14", "BO-LDR-Penar"])
    bea.tap("2341")
    bea.go()
    for player in table:
        same_stacks(player, "2341")
    bea.press(bea.key("option-end_reaction-end_reaction"))
    bea.go()
    ana.until(lambda: "reaction" not in ana.get("/view")["request"]["prompt"]["key"])

    # both combat phases of the turn pass; in between Bea may fight back where she has contact
    until(table, "politics")
    assert ana.get("/view")["request"]["seat"] == "paraguay"
    ana.asked("politics")
    expect(ana.page.locator("#prompt")).to_be_visible(timeout=PATIENCE)
    told = [step["event"] for entry in war.record(ana) for step in entry["steps"]]
    assert [event for event in told if event in ("marched", "reacted", "combat_began")] == [
        "marched", "reacted", "combat_began", "combat_began", "combat_began"]
