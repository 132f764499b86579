"""Two people, two browsers, one war: set-up, moves, an attack, and taking back; and what each was sent meanwhile."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, KEY, PATIENCE, PHONE, Player, choose, same_stacks, told, units_of

Table = tuple[Player, Player]
GUARDS = [f"AR-CAV-{n}GN" for n in (1, 2, 3, 4)]
FOOT = [f"PY-INF-{n}" for n in range(1, 9)]
ROLLS = [0, 9]  # the first attack fails, the second clears the space


@pytest.fixture
def table(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Ana at a desk has made a private game as the Allies, Bea on a phone has joined it; the dice show ROLLS."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, number, _sides: ROLLS[min(number, len(ROLLS) - 1)])
    ana = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    bea = steps.sign_up(browser, live_server, "Bea", PHONE)
    steps.begin(ana, bea)
    yield ana, bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def test_set_up_turn_one_an_attack_and_a_take_back(table: Table) -> None:
    ana, bea = table
    secret = {"ana": Secrets(ana, bea), "bea": Secrets(bea, ana)}

    # the dice were sealed without a question
    ana.until(lambda: ana.get()["dice"]["complete"])
    assert all(of["nonce"] for of in bea.get()["dice"]["seats"].values())

    set_up(table)
    for knows in secret.values():
        knows.nothing_hidden()
    march_some(table)
    secret["ana"].nothing_hidden()
    march_again(table)
    secret["ana"].nothing_hidden()
    announce(bea)
    secret["bea"].nothing_hidden()
    standing, number = (ana.view(), bea.view()), bea.get("/view")["seq"] + 1
    fail(table)
    take_back(table, number)
    assert (ana.view(), bea.view()) == standing
    for player in table:
        same_stacks(player, "1335", "1435")
        expect(player.page.locator(".entry.retracted").first).to_be_attached()
    win(table)
    assert secret["bea"].named(GUARDS)
    secret["ana"].nothing_hidden(but=FOOT)

    # the other half of the turn
    ana.press(ana.key("option-end-end"))
    ana.go()
    ana.until(lambda: ana.view()["turn"]["turn"] == 2)
    for player in table:
        expect(player.page.locator(".name-of-game small")).to_contain_text("Turn II", timeout=PATIENCE)


def set_up(table: Table) -> None:
    """The decision, the suggestion, and two units put elsewhere by hand."""
    ana, bea = table
    ana.press(ana.key("option-no_invasion-no_invasion"))
    for device in (PHONE, DESKTOP):  # it says what is given up, and asks
        ana.page.set_viewport_size(device["viewport"])
        expect(ana.page.locator("#prompt .warn")).to_contain_text("For good")
        expect(ana.page.locator("#prompt .warn")).to_be_visible()
    ana.go()
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


def march_some(table: Table) -> None:
    """A stack, some of its units, their reach, a goal."""
    _ana, bea = table
    choose(bea, FOOT)
    bea.tap("1435")
    bea.go()
    for player in table:
        same_stacks(player, "1434", "1435")
    assert bea.view()["space:1435"]["count"] == len(FOOT)


def march_again(table: Table) -> None:
    """A free take-back, and the move once more; the phase is ended."""
    _ana, bea = table
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


def announce(bea: Player) -> None:
    """The attack: what the panel says is what the rules say."""
    bea.tap("1335")
    odds = bea.page.locator("#pane-odds")
    expect(odds.locator(".ratio .big")).to_be_visible()
    declared = {"form": "attack", "target": "1335", "units": FOOT}
    effect = bea.post("/preview", {"answer": declared})["effect"]
    says(odds, effect)
    assert {use.removeprefix("#c-") for use in drawn(odds.locator("use"))} >= set(FOOT)
    expect(bea.page.locator("#prompt .needs")).to_have_text("May need up to 2 decisions of your opponent.")


def fail(table: Table) -> None:
    """The first die falls: both panels show it and its losses, which both take."""
    ana, bea = table
    bea.go()
    for player in table:
        rolled = player.page.locator("#pane-odds .tag")
        expect(rolled).to_have_text(f"rolled {ROLLS[0]}", timeout=PATIENCE)
    fought = next(step["data"] for entry in bea.get("/record")["entries"] for step in entry["steps"]
                  if step["event"] == "combat_rolled")  # fmt: skip
    assert fought["roll"] == ROLLS[0]
    for player in table:
        says(player.page.locator("#pane-odds"), fought["odds"])
        expect(player.page.locator("#pane-odds .face.lit .die")).to_have_text(str(ROLLS[0]))
    ana.asked("defender_losses")
    (face,) = [face for face in fought["odds"]["faces"] if face["roll"] == ROLLS[0]]
    assert [lot["min"] for lot in ana.get("/view")["request"]["forms"][0]["lots"]] == [face["defender"]]
    lose(ana, "defender")
    lose(bea, "attacker")
    bea.asked("combat")
    assert len(ana.view()["space:1335"]["units"]) == 1


def ask_back(bea: Player, number: int, word: str) -> None:
    """From the log's entry of that number, with a word to go with it."""
    bea.press(bea.page.get_by_role("tab", name="Log"))
    bea.press(bea.page.locator(f'.entry[data-seq="{number}"] .more button', has_text="Ask to take back to here").first)
    expect(bea.page.locator("dialog .undone li").first).to_be_visible()
    bea.page.locator("dialog input").fill(word)
    bea.press(bea.page.locator('dialog [data-key="ask-back"]'))


def take_back(table: Table, number: int) -> None:
    """Over the die: asked for and withdrawn, asked for again, described, granted."""
    ana, bea = table
    offer = ana.page.locator(".offer")
    ask_back(bea, number, "I looked at the wrong hex.")
    expect(offer.locator("blockquote")).to_have_text("I looked at the wrong hex.", timeout=PATIENCE)
    expect(bea.page.locator(".offer blockquote")).to_have_text("I looked at the wrong hex.", timeout=PATIENCE)
    expect(ana.key("withdraw-back")).to_have_count(0)  # only who asked withdraws
    bea.press(bea.key("withdraw-back"))
    for player in table:
        expect(player.page.locator(".offer")).to_have_count(0, timeout=PATIENCE)
    assert ana.get()["take_back"] is None
    bea.asked("combat")  # nothing was taken back

    ask_back(bea, number, "It was the other hex, really.")
    expect(offer.locator("blockquote")).to_have_text("It was the other hex, really.", timeout=PATIENCE)
    expect(offer).to_contain_text("1 die was thrown since")
    expect(offer).to_contain_text("Something hidden was shown since")
    ana.press(offer.get_by_role("button", name="Agree"))
    expect(offer).to_have_count(0, timeout=PATIENCE)
    bea.asked("combat")


def win(table: Table) -> None:
    """The attack again: the next die, not the first, for the position is back and the first is gone for good; losses,
    the advance."""
    ana, bea = table
    bea.tap("1335")
    bea.go()
    lose(bea, "attacker")
    bea.asked("advance")
    bea.press(bea.key("fill-most"))
    bea.go()
    ana.asked("movement")
    thrown = [step["data"]["roll"] for entry in bea.get("/record")["entries"] for step in entry["steps"]
              if step["event"] == "combat_rolled"]
    assert thrown == ROLLS
    for player in table:
        same_stacks(player, "1335", "1435")
    assert bea.view()["space:1335"]["side"] == "paraguay"


@pytest.mark.long
def test_a_bad_line_two_tabs_and_double_clicks_lose_and_double_nothing(table: Table) -> None:
    ana, bea = table
    deaf = ana.context.new_page()
    deaf.route_web_socket(re.compile("/socket"), lambda _line: None)  # open, but nothing comes
    deaf.goto(ana.url)
    steps.ready(ana, deaf)

    # a double click is one answer, and a tab that missed it is told so
    ana.press(ana.key("option-no_invasion-no_invasion"))
    ana.key("go").dblclick()
    ana.asked("set_up_allied")
    assert told(ana, "matto_grosso_not_launched") == 1
    deaf.locator('[data-key="option-no_invasion-no_invasion"]').click()
    deaf.locator('[data-key="go"]').click()
    expect(deaf.locator(".toast")).to_contain_text("The game has moved on", timeout=PATIENCE)
    expect(deaf.locator('[data-key="suggest"]')).to_be_visible()
    assert told(ana, "matto_grosso_not_launched") == 1
    steps.place(ana)
    steps.place(bea)
    bea.asked("movement")

    wires = {player.seat: steps.Wire(player) for player in table}
    # an answer into a dead line counts once, however often it is pressed
    choose(bea, FOOT[:2])
    bea.tap("1435")
    expect(bea.key("go")).to_be_enabled()
    with wires[bea.seat].cut():
        bea.go()
        expect(bea.page.locator(".toast")).to_contain_text("could not be reached", timeout=PATIENCE)
    bea.key("go").dblclick()
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    assert told(bea, "marched") == 1
    same_stacks(bea, "1434", "1435")

    # who was away catches up
    with wires[ana.seat].cut():
        bea.answer({"form": "move", "units": FOOT[2:4], "path": ["1434", "1435"], "aboard": {}})
    for player in table:
        same_stacks(player, "1434", "1435")

    # the same answer sent twice with one key is given once; an old one is refused
    seq = bea.get("/view")["request"]["seq"]
    move = {"form": "move", "units": FOOT[4:5], "path": ["1434", "1435"], "aboard": {}}
    first, again = (bea.post("/answers", {"seq": seq, "key": "one click", "answer": move}) for _ in range(2))
    assert first == again
    old = bea.context.request.post(f"{bea.api}/answers", data={"seq": 1, "key": "too late", "answer": move})
    assert old.status == 409
    assert told(bea, "marched") == 3
    for player in table:
        same_stacks(player, "1434", "1435")


@pytest.mark.long
def test_by_keyboard_and_by_words_one_moves_as_by_touch(table: Table) -> None:
    ana, bea = table
    ana.answer({"form": "no_invasion", "option": "no_invasion"})
    steps.place(ana)
    steps.place(bea)
    bea.asked("movement")
    keys = bea.page.keyboard

    choose(bea, FOOT[:2])
    bea.tap("1435")
    bea.go()
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    by_touch = last_step(bea)
    keys.press("Control+z")
    expect(bea.stack("1435")).to_have_count(0, timeout=PATIENCE)

    # the same by keys alone
    bea.page.locator("body").press("Tab")
    bea.walk("1434")
    keys.press("Enter")
    bea.tab_to("select-none")
    keys.press("Enter")
    for unit in FOOT[:2]:
        bea.tab_to(f"unit-{unit}", back=True)
        keys.press("Space")
    bea.walk("1435")
    keys.press("Enter")
    expect(bea.key("go")).to_be_enabled()
    keys.press("Escape")  # the goal is dropped, the stack stays open
    expect(bea.key("go")).to_have_count(0)
    keys.press("Enter")
    bea.tab_to("go")
    keys.press("Enter")
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    assert last_step(bea) == by_touch
    keys.press("Control+z")
    expect(bea.stack("1435")).to_have_count(0, timeout=PATIENCE)

    # the same in words
    keys.press("t")
    words = bea.page.locator("#textview")
    form = next(f for f in bea.get("/view")["request"]["forms"] if f["kind"] == "move")
    expect(words.locator('[data-key^="now-"]')).to_have_count(len(form["stacks"]), timeout=PATIENCE)
    bea.press(bea.key("now-1434"))
    bea.press(bea.key("select-none"))
    for unit in FOOT[:2]:
        bea.press(bea.key(f"unit-{unit}"))
    reach = bea.post("/reach", {"form": "move", "units": FOOT[:2], "aboard": {}})
    expect(words.locator('[data-key^="now-"]')).to_have_count(len(reach["cost"]), timeout=PATIENCE)
    bea.press(bea.key("now-1435"))
    bea.go()
    bea.until(lambda: "space:1435" in bea.view())
    assert last_step(bea) == by_touch


def says(panel: Locator, odds: dict[str, Any]) -> None:
    """The panel of odds says what the rules do: totals, ratio, every modifier, every face, the chance to clear."""

    def signed(n: int | None) -> str:
        return "?" if n is None else f"{n:+d}".replace("+0", "0").replace("-", "−")

    expect(panel.locator(".ratio .big")).to_have_text(odds["ratio"].replace(":", " : "))
    expect(panel.locator(".ratio b").first).to_have_text(str(odds["attack"]))
    defense = "?" if odds["defense"] is None else str(odds["defense"])
    assert panel.locator(".ratio b").last.inner_text() == defense
    values = [signed(modifier["value"]) for modifier in odds["modifiers"]]
    assert panel.locator(".mods tr td:last-child").all_inner_texts() == [*values, signed(odds["total"])]
    faces = [["all" if f["clears"] else str(f["defender"]), str(f["attacker"]), str(f["roll"])] for f in odds["faces"]]
    shown = "(all) => all.map((face) => [...face.querySelectorAll('text')].map((text) => text.textContent))"
    assert panel.locator(".chart .face").evaluate_all(shown) == faces
    chance = panel.locator(".stats b").first.inner_text()
    assert chance == f"{100 * odds['clears']['n'] / odds['clears']['of']:.0f} %"
    assert odds["clears"] == {"n": sum(face["clears"] for face in odds["faces"]), "of": len(odds["faces"])}


def drawn(uses: Locator) -> list[str]:
    """The symbols that are used."""
    found: list[str] = uses.evaluate_all("(all) => all.map((use) => use.getAttribute('href'))")
    return found


def last_step(player: Player) -> dict[str, Any]:
    step: dict[str, Any] = player.get("/record")["entries"][-1]["steps"][0]
    return step


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
