"""Guerra a Muerte by two people: a march that is intercepted, a siege with works, and a landing from Haiti."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from rules.core.title import Data, Title
from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, Player

Table = tuple[Player, Player]
MARCH = ["pla_1", "pla_2", "pla_dp-1"]
SIEGE = ["bolivar", "gra_cr", "gra_gl"]
EXPEDITION = ["gra_ar", "paez"]
START: dict[str, Any] = {
    "scenario": "campaign",
    "position": {
        "clear": True, "only": True, "phase": "patriot_operations", "turn": 7,
        "units": {"hidalgo": "out", "morelos": "out", **dict.fromkeys(MARCH, "salta"),
                  **dict.fromkeys(["pezuela", "ame_rl-1", "ame_cu-1"], "salta"),
                  **dict.fromkeys(SIEGE, "costa_firme"), "mil_royalist_inf-1": "puerto_cabello",
                  **dict.fromkeys([*EXPEDITION, "gc_frigate-1"], "haiti"), "mil_royalist_inf-2": "cumana"},
        "masses": {"patriot": []},
        "purses": dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0),
    },
}


@pytest.fixture
def table(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Ana leads the royalists, Bea the patriots, who operate. Every die falls on four."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, _number, sides, _die=0: min(3, sides - 1))

    def first(title: Title, data: Data, *_: Any) -> Any:
        return title.written(data, START)

    monkeypatch.setattr(Title, "first", first)
    ana, bea = war.at_a_table(browser, live_server, "guerra_a_muerte", "campaign", ("royalist", "patriot"))
    ana.seat, bea.seat = "royalist", "patriot"
    for player in (ana, bea):
        war.open_page(player)
    yield ana, bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def standing(table: Table, unit: str, at: str) -> None:
    """Both pages draw a counter in a place."""
    for player in table:
        expect(player.stack(at).locator(f'use[href="#c-{unit}"]')).to_have_count(1, timeout=PATIENCE)


def option(player: Player, form: str, name: str) -> None:
    player.press(player.key(f"option-{form}-{name}"))


def intercepted_march(ana: Player, bea: Player) -> None:
    """A tap on the stack takes all of it, another marches it off; Ana's army falls upon it and is beaten."""
    bea.asked("operations")
    bea.tap("salta")
    bea.go()
    bea.asked("operate")
    bea.tap("salta")
    expect(bea.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    bea.tap("charcas")
    bea.go()
    ana.asked("intercept")
    option(ana, "intercept", "field")
    ana.asked("losses")
    expect(ana.page.locator("#pane-odds .theatre li.works")).to_have_text(["a turned flank"] * 2, timeout=PATIENCE)
    ana.press(ana.key("fill"))
    ana.go()
    bea.asked("advance")
    option(bea, "advance", "stay")
    bea.asked("go_on")
    option(bea, "go_on", "yes")
    standing((ana, bea), MARCH[0], "charcas")
    bea.asked("operate")
    option(bea, "end_force", "end")  # nothing is open and nobody is handed to: not asked again


def siege(ana: Player, bea: Player) -> None:
    """Works before Puerto Cabello are to be seen by both; then it is stormed."""
    bea.asked("operations")  # of Gran Colombia, as nobody else of El Plata is there
    bea.answer({"form": "activate", "lots": {"costa_firme": SIEGE}})
    bea.asked("operate")
    option(bea, "works", "puerto_cabello")
    for player in (ana, bea):
        expect(player.page.locator(".layer-sign")).to_have_count(1, timeout=PATIENCE)
        expect(player.page.locator(".lay-trench.lay-teeth")).to_have_count(1)
    bea.press(bea.key("tool-assault"))
    bea.tap("puerto_cabello")
    bea.go()
    bea.until(lambda: "layer:sieges" not in ana.view())
    for player in (ana, bea):
        expect(player.page.locator(".layer-sign, .lay-trench")).to_have_count(0, timeout=PATIENCE)
    bea.answer({"form": "end_force", "option": "end"})


def landing(ana: Player, bea: Player) -> None:
    """A frigate takes men aboard in Haiti and lands them where a tap on the coast says."""
    bea.answer({"form": "activate_fleet", "lots": {"haiti": ["gc_frigate-1"]}})
    bea.answer({"form": "embark", "lots": {"haiti": EXPEDITION}})
    bea.asked("operate")
    bea.tap("haiti")
    expect(bea.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    bea.tap("caribbean_6")
    bea.go()
    standing((ana, bea), "gc_frigate-1", "caribbean_6")
    bea.tap("cumana")
    standing((ana, bea), EXPEDITION[0], "cumana")


def test_a_turn_with_an_interception_a_siege_and_a_landing(table: Table) -> None:
    ana, bea = table
    intercepted_march(ana, bea)
    siege(ana, bea)
    landing(ana, bea)
    told = [step["event"] for entry in war.record(ana) for step in entry["steps"]]
    wanted = ["intercepted", "battle_rolled", "marched", "works_built", "siege_rolled", "place_fell", "embarked",
              "sailed", "landed"]
    assert [event for event in told if event in wanted] == wanted
