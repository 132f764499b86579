"""A turn played out: the odds of a planned move and the plan kept, a second tap on the goal, the forecast in a stack's
card, on the map and in the question that ends a phase, a way through what is still open, no more attacks this turn."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, Player, choose, told
from tests.browser.war import FOOT, both_seats, open_page

CAMP, CORRIENTES = "1435", "1335"


@pytest.fixture
def war(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setattr("rules.core.chance.value", lambda _key, _number, _sides: 0)
    player = both_seats(browser, live_server)
    player.seat = "paraguay"
    yield player
    assert player.faults == []
    player.context.close()


def test_a_turn_is_played_out(war: Player) -> None:
    page = open_page(war)
    planned(war)
    moved_by_a_second_tap(war)
    in_the_card(war)
    on_the_map(war)
    before_the_end(war)
    war.press(war.key("option-no_attack-no_more"))
    expect(page.locator("#prompt")).to_contain_text("attack is possible")
    war.go()
    war.until(lambda: war.view()["turn"]["side"] == "allied")
    assert told(war, "attacks_done") == 1
    assert told(war, "combat_began") == 1


def planned(war: Player) -> None:
    """The odds of the attack that the move would allow, and the plan kept on one's own map."""
    choose(war, FOOT)
    war.tap(CAMP)
    odds = war.page.locator("#pane-odds")
    expect(odds).to_contain_text(f"if the move ends in {CAMP}")
    move = {"form": "move", "units": FOOT, "path": ["1434", CAMP], "aboard": {}}
    (shown,) = war.post("/preview", {"answer": move})["effect"]["attacks"]
    expect(odds.locator(".ratio .big")).to_have_text(shown["ratio"].replace(":", " : "))
    in_the_table(war, shown)
    war.press(war.key("keep-plan"))
    war.until(lambda: bool(war.get("/plans")["arrows"]))
    kept = war.get("/plans")
    assert kept["arrows"] == [["1434", CAMP], [CAMP, CORRIENTES]]
    assert kept["rings"] == [CORRIENTES]
    assert shown["ratio"] in kept["notes"][CORRIENTES]


def in_the_table(war: Player, odds: dict[str, Any]) -> None:
    """The cells of the printed table that its faces read, and what they read there."""
    war.press(war.key("odds-table"))
    lit = war.page.locator("#pane-tables [data-table=combat_results] td.lit")
    rows = list(dict.fromkeys(str(face["row"]) for face in odds["faces"]))
    expect(lit).to_have_count(len(rows))
    assert [(cell.get_attribute("data-row"), cell.get_attribute("data-column")) for cell in lit.all()] == [
        (row, odds["table"]["column"]) for row in rows]  # fmt: skip
    asked = war.page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    edition = war.page.locator("#main").get_attribute("data-digest")
    assert [one for one in asked if one.endswith(f"/tables/en?digest={edition}")], "of the game's edition"
    war.press(war.page.locator("#tabs [data-key=log]"))


def moved_by_a_second_tap(war: Player) -> None:
    war.tap(CAMP)
    war.until(lambda: war.view().get(f"space:{CAMP}", {}).get("count") == len(FOOT))
    expect(war.page.locator("#pane-odds .ratio")).to_have_count(0)


def in_the_card(war: Player) -> None:
    war.tap(CAMP)
    one = war.get("/forecast")[CAMP]
    card = war.page.locator(".tray .foretold")
    expect(card).to_contain_text(f"{float(one['mean']):g} of {one['count']} units on average, {one['most']} at most")
    war.press(war.key("foretold"))
    (check,) = one["checks"]
    expect(card.locator(".mods tr:not(.sum)")).to_have_count(len(check["modifiers"]))
    expect(card.locator(".faces tbody:last-child td")).to_have_text([str(face["loss"]) for face in check["faces"]])
    war.page.keyboard.press("Escape")


def on_the_map(war: Player) -> None:
    tags = war.page.locator(".layer-tag")
    expect(tags).to_have_count(0)
    war.page.locator("#layers").click()
    war.page.get_by_label("What the next check may cost").check()
    at_risk = [one for one in war.get("/forecast").values() if one["most"]]
    expect(tags).to_have_count(len(at_risk), timeout=PATIENCE)
    war.page.get_by_label("What the next check may cost").uncheck()
    war.page.keyboard.press("Escape")


def before_the_end(war: Player) -> None:
    """The question says what is open and what the check may cost, and leads from one stack to the next."""
    page = war.page
    war.press(war.key("option-end-end"))
    (move,) = (form for form in war.get("/view")["request"]["forms"] if form["form"] == "move")
    (still,) = move["open"]
    n = still["what"]["args"]["n"]
    assert CAMP not in still["at"]
    expect(page.locator(".still-open")).to_contain_text(f"{n} stacks have not moved")
    whole = sum(float(one["mean"]) for one in war.get("/forecast").values())
    expect(page.locator(".foretold-all")).to_contain_text(f"may cost {round(whole, 1):g} on average")
    war.press(war.key("open-move"))
    for i, at in enumerate(still["at"][:2], 1):
        expect(page.locator(".walk")).to_contain_text(f": {i} of {n}")
        expect(page.locator(".tray h2")).to_contain_text(at)
        war.press(war.key("walk-next"))
    war.press(war.key("walk-done"))
    expect(page.locator(".walk")).to_have_count(0)
    page.keyboard.press("Escape")
    war.press(war.key("option-end-end"))
    war.go()
    war.asked("combat")
