"""Two people, two browsers, one war: set-up, moves, an attack, and taking back; and what each was sent meanwhile."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, KEY, PATIENCE, PHONE, Player, same_stacks, units_of

Table = tuple[Player, Player]
GUARDS = [f"AR-CAV-{n}GN" for n in (1, 2, 3, 4)]
FOOT = [f"PY-INF-{n}" for n in range(1, 9)]
ROLLS = [1, 9]  # the first attack fails, the second clears the space


@pytest.fixture
def table(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Ana (Allied, at a desk) and Bea (Paraguay, on a phone) at a game that begins; the dice show ROLLS."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, number, _sides: ROLLS[min(number, len(ROLLS) - 1)])
    ana = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    bea = steps.sign_up(browser, live_server, "Bea", PHONE)
    steps.begin(ana, bea)
    yield ana, bea
    assert ana.faults == []
    assert bea.faults == []
    ana.context.close()
    bea.context.close()


def test_set_up_turn_one_an_attack_and_a_take_back(table: Table) -> None:
    ana, bea = table
    secret = {"ana": Secrets(ana, bea), "bea": Secrets(bea, ana)}

    # the dice were sealed without a question
    sealed = "(at) => fetch(at).then((r) => r.json()).then((card) => card.dice.complete)"
    ana.page.wait_for_function(sealed, arg=ana.api)
    assert all(of["nonce"] for of in bea.get()["dice"]["seats"].values())

    # set-up: the decision, the suggestion, and two units put elsewhere by hand
    ana.press(ana.key("option-no_invasion-no_invasion"))
    ana.asked("set_up_allied")
    ana.press(ana.key("suggest"))
    ana.tap("1541")
    for guard in GUARDS[2:]:
        ana.press(ana.key(f"lift-{guard}"))
        ana.tap("1335")
        expect(ana.stack("1335").locator(".stack-count text")).to_have_text(str(GUARDS.index(guard) + 1))
    expect(bea.stack("1335")).to_have_count(0)
    ana.go()
    bea.asked("set_up_paraguay")
    for player in table:
        same_stacks(player, "1335", "1541", "1241", "2440")
    bea.press(bea.key("suggest"))
    bea.tap("2622")
    bea.press(bea.key("lift-PY-CAV-23"))
    bea.tap("1532")
    bea.go()
    bea.asked("movement")
    for player in table:
        same_stacks(player, "1434", "1532", "1432", "2026", "2622")
    for knows in secret.values():
        knows.nothing_hidden()

    # movement: a stack, some of its units, their reach, a goal
    bea.tap("1434")
    bea.press(bea.key("select-none"))
    for unit in FOOT:
        bea.press(bea.key(f"unit-{unit}"))
    expect(bea.page.locator(".b-costs text").first).to_be_visible()
    bea.tap("1435")
    bea.go()
    for player in table:
        same_stacks(player, "1434", "1435")
    assert bea.view()["space:1435"]["count"] == len(FOOT)
    secret["ana"].nothing_hidden()

    # a free take-back, and the move once more
    before = bea.get("/view")["seq"]
    bea.press(bea.key("undo"))
    for player in table:
        expect(player.stack("1435")).to_have_count(0, timeout=PATIENCE)
        same_stacks(player, "1434")
    bea.answer({"form": "move", "units": FOOT, "path": ["1434", "1435"], "aboard": {}})
    for player in table:
        same_stacks(player, "1434", "1435")
    assert bea.get("/view")["seq"] > before
    bea.press(bea.key("option-end-end"))
    bea.go()
    bea.asked("combat")
    secret["ana"].nothing_hidden()

    # the attack: what the panel says is what the rules say
    bea.tap("1335")
    odds = bea.page.locator("#pane-odds")
    expect(odds.locator(".ratio .big")).to_be_visible()
    declared = {"form": "attack", "target": "1335", "units": FOOT}
    effect = bea.post("/preview", {"answer": declared})["effect"]
    expect(odds.locator(".ratio .big")).to_have_text(effect["ratio"].replace(":", " : "))
    expect(odds.locator(".ratio b").first).to_have_text(str(effect["attack"]))
    expect(odds.locator(".mods .sum td").last).to_have_text(str(effect["total"]).replace("-", "−"))
    expect(odds.locator(".chart .face")).to_have_count(len(effect["faces"]))
    secret["bea"].nothing_hidden()
    standing, number = (ana.view(), bea.view()), bea.get("/view")["seq"] + 1
    bea.go()
    lose(ana, "defender")
    lose(bea, "attacker")
    bea.asked("combat")
    assert len(ana.view()["space:1335"]["units"]) == 1
    expect(odds.locator(".tag")).to_have_text(f"rolled {ROLLS[0]}")

    # a take-back over the die: asked, described, granted; the position is back, the die is gone for good
    bea.press(bea.page.get_by_role("tab", name="Log"))
    bea.press(bea.page.locator(f'.entry[data-seq="{number}"] .more button', has_text="Ask to take back to here").first)
    offer = ana.page.locator(".offer")
    expect(offer).to_contain_text("1 die was thrown since", timeout=PATIENCE)
    expect(offer).to_contain_text("Something hidden was shown since")
    expect(bea.page.locator(".offer")).to_be_visible()
    ana.press(offer.get_by_role("button", name="Agree"))
    expect(offer).to_have_count(0, timeout=PATIENCE)
    bea.asked("combat")
    assert (ana.view(), bea.view()) == standing
    for player in table:
        same_stacks(player, "1335", "1435")
        expect(player.page.locator(".entry.retracted").first).to_be_attached()

    # the attack again: the next die, not the first; losses, the advance
    bea.tap("1335")
    bea.go()
    lose(bea, "attacker")
    bea.asked("advance")
    bea.press(bea.key("fill-most"))
    bea.go()
    bea.asked("combat")
    rolled = [step["data"]["roll"] for entry in bea.get("/record")["entries"] for step in entry["steps"]
              if step["event"] == "combat_rolled"]
    assert rolled == ROLLS
    for player in table:
        same_stacks(player, "1335", "1435")
    assert bea.view()["space:1335"]["side"] == "paraguay"
    assert secret["bea"].named(GUARDS)
    secret["ana"].nothing_hidden(but=FOOT)


def lose(player: Player, who: str) -> None:
    """Pick the weakest, as many as the die says."""
    player.asked(f"{who}_losses")
    player.press(player.key("fill"))
    player.go()


class Secrets:
    """What one player was sent, held against what the other hides."""

    def __init__(self, knower: Player, other: Player) -> None:
        self.knower, self.other = knower, other
        self.shown: set[str] = set()

    def named(self, units: list[str]) -> bool:
        heard = " ".join(self.knower.heard)
        return all(unit in heard for unit in units)

    def nothing_hidden(self, but: list[str] | None = None) -> None:
        """No unit of the other side on the map but those that lay on top, or were openly shown, was ever named."""
        self.shown |= units_of(self.knower.view()) | set(but or ())
        theirs = {key: space for key, space in self.other.view().items()
                  if key.startswith("space:") and space.get("side") == self.other.seat}
        hidden = units_of(theirs) - self.shown
        assert len(hidden) > 5
        for message in self.knower.heard:
            assert not hidden & set(KEY.findall(message)), message[:300]
