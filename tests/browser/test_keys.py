"""A whole turn of each title by keys alone, from the page opened to the answer that ends it: no focus is ever lost."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, Player
from tests.browser.war import seal

RIDER, BENT = "PY-CAV-23", ["2622", "2521", "2422"]
GUARD, BLANCOS = ["br_inf_01", "br_inf_02"], ["ub_inf_1", "ub_inf_3", "ub_inf_5"]
SHOTS = [0, 5, 1, 0, 5]
HERE = "() => document.activeElement !== document.body"
NAMELESS = """() => [...document.querySelectorAll('#prompt button, #tray button, #tray input, #battle button')]
    .filter((el) => el.offsetParent && !(el.getAttribute('aria-label') ?? el.textContent).trim()
        && !el.labels?.length).map((el) => el.outerHTML.slice(0, 200))"""

pytestmark = pytest.mark.long


class Keyboard:
    """Someone who has nothing else."""

    def __init__(self, player: Player) -> None:
        self.player, self.page = player, player.page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(60)
            assert self.page.evaluate(HERE), f"{key} has lost the focus"
        assert self.page.evaluate(NAMELESS) == []

    def choose(self, *controls: str) -> None:
        """Controls of the page, one after the other, by Tab and Enter; boxes to tick by Space."""
        for control in controls:
            self.player.tab_to(control)
            ticked = self.page.evaluate("() => document.activeElement.type === 'checkbox'")
            self.press("Space" if ticked else "Enter")

    def find(self, name: str) -> None:
        """The cursor to a space, by its name."""
        self.press("f")
        expect(self.page.locator(".find-pop input")).to_be_focused(timeout=PATIENCE)
        self.page.keyboard.type(name)
        self.press("Enter")
        expect(self.page.locator(".board-view")).to_be_focused()

    def asked(self, prompt: str) -> None:
        """The next question has come, and the focus is by it."""
        self.player.asked(prompt)
        self.still()
        assert self.page.evaluate(HERE), f"the focus is lost at {prompt}"

    def still(self) -> None:
        expect(self.page.locator("#prompt")).not_to_have_class("busy", timeout=PATIENCE)
        self.page.wait_for_timeout(150)

    def live(self) -> str:
        return self.page.locator(".board-live").inner_text()

    def reach(self) -> None:
        expect(self.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice of ten show nine, then nought; those of six SHOTS, then six; of a deck always the first card comes."""
    shots, tens = iter(SHOTS), iter([8])
    faces = {6: lambda: next(shots, 5), 10: lambda: next(tens, 9)}
    monkeypatch.setattr("rules.core.chance.value", lambda _key, _number, sides: faces.get(sides, lambda: 0)())


@pytest.fixture
def pair(browser: Browser, live_server: LiveServer, chance: None) -> Iterator[tuple[Player, Player]]:  # noqa: ARG001
    """Ana, whose page is played, and Bea, who answers without one."""
    ana, bea = (steps.sign_up(browser, live_server, name, DESKTOP) for name in ("Ana", "Bea"))
    yield ana, bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def sit(ana: Player, bea: Player, title: str, seat: str) -> None:
    """A game of both, its dice sealed."""
    wish = {"title": title, "scenario": "war", "seat": seat, "opponent": "person", "visibility": "private"}
    made = ana.context.request.post(f"{ana.site}/api/games", data=wish).json()
    joined = {"seat": "allied", "token": made["join_token"]}
    assert bea.context.request.post(f"{bea.site}/api/games/{made['id']}/join", data=joined).ok
    for player in (ana, bea):
        player.url = f"{player.site}/games/{made['id']}"
    seal((ana, seat), (bea, "allied"))


def first(request: dict[str, Any]) -> dict[str, Any]:
    """The closing option, if there is one, else the first thing that can be answered."""
    form = next((f for f in request["forms"] if f["form"].startswith("end")), request["forms"][0])
    if form["kind"] == "choose":
        return {"form": form["form"], "option": form["options"][0]["id"]}
    if form["kind"] in ("place", "line"):
        return {"form": form["form"], "placed": form["suggested"]}
    return {"form": form["form"], "lots": {lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]}}


def after(player: Player, other: Player) -> str:
    """The player answers until the other is asked; the name of the prompt."""
    while (request := player.get("/view")["request"])["mine"]:
        player.answer(first(request))
    prompt: str = other.get("/view")["request"]["prompt"]["key"]
    return prompt.removeprefix("prompt.")


def told(player: Player) -> int:
    """How much the record holds."""
    return len(player.get("/record")["entries"])


def test_set_up_march_and_fight_of_triple_alliance(pair: tuple[Player, Player]) -> None:
    ana, bea = pair
    sit(ana, bea, "triple_alliance", "paraguay")
    bea.answer({"form": "no_invasion", "option": "no_invasion"})
    steps.place(bea)
    hand, page = Keyboard(ana), ana.page
    page.goto(ana.url)
    steps.ready(ana)
    hand.press("ArrowRight")  # an arrow leads into the map from anywhere
    expect(page.locator(".board-view")).to_be_focused()
    set_up(hand)
    see_keys(hand)
    bend(hand)
    march_some(hand)
    attack(hand)
    lose_and_go_on(hand, bea)


def set_up(hand: Keyboard) -> None:
    """The suggestion, one unit of it elsewhere."""
    hand.choose("suggest")
    hand.find("Curuguaty")
    hand.press("Enter")
    hand.choose(f"lift-{RIDER}")
    hand.find("1532")
    hand.press("Enter")
    hand.find("1532")
    hand.press("Enter")
    hand.choose(f"lift-{RIDER}")
    hand.find("2622")
    hand.press("Enter")
    hand.choose("go")
    hand.asked("movement")


def see_keys(hand: Keyboard) -> None:
    """`?` and what it says; the keys of the map from anywhere."""
    ana, page = hand.player, hand.page
    hand.press("?")
    keys = page.locator("dialog.keys kbd").all_inner_texts()
    assert len(keys) == 16
    hand.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    hand.press("ArrowLeft")
    sheet = page.locator(".board-sheet")
    for at in ("map", "undo"):
        ana.tab_to(at, back=at == "map")
        for key in ("0", "+", "-"):
            before = sheet.get_attribute("style")
            assert before
            hand.press(key)
            expect(sheet).not_to_have_attribute("style", before)
        hand.press("+")
    hand.press("l")
    expect(page.locator(".toast")).to_contain_text("no fight")


def bend(hand: Keyboard) -> None:
    """A stack, its reach, a goal, a bend; each step back and again; Space answers and is no tap."""
    ana, page = hand.player, hand.page
    hand.find("Curuguaty")
    assert hand.live() == "Curuguaty (2622): Paraguay, 1 unit; can be chosen"
    hand.press("Enter")
    hand.reach()
    ana.walk(BENT[2])
    assert hand.live() == "2422: cost 2"
    hand.press("Enter", "Escape", "Enter", "b")
    ana.walk(BENT[1])
    hand.press("Enter")
    steps_shown = page.locator(".b-steps .step")
    expect(steps_shown).to_have_count(2, timeout=PATIENCE)
    hand.press("Escape", "b", "Enter")
    expect(page.locator("#prompt")).to_contain_text("3 of 5 MP", timeout=PATIENCE)
    hand.press("Space")
    ana.until(lambda: "space:2422" in ana.view())
    (last,) = [e for e in ana.context.request.get(f"{ana.api}/export").json()["entries"] if e["kind"] == "answer"][-1:]
    assert last["answer"] == {"form": "move", "units": [RIDER], "path": BENT}
    hand.still()
    hand.press("Control+z")
    expect(ana.stack("2422")).to_have_count(0, timeout=PATIENCE)
    expect(ana.key("redo")).to_be_visible(timeout=PATIENCE)
    hand.press("Control+Shift+z")
    expect(ana.stack("2422")).to_have_count(1, timeout=PATIENCE)
    hand.still()


def march_some(hand: Keyboard) -> None:
    """Some of a stack; the bar's own button; the stack put away by its cross."""
    ana, page = hand.player, hand.page
    hand.find("1434")
    hand.press("Enter")
    hand.reach()
    hand.choose("close")
    expect(page.locator(".board-view")).to_be_focused()
    hand.press("Enter")
    hand.choose("select-none", *(f"unit-PY-INF-{n}" for n in range(1, 9)))
    hand.reach()
    ana.walk("1435")
    hand.press("Enter")
    hand.choose("go")
    ana.until(lambda: "space:1435" in ana.view())


def attack(hand: Keyboard) -> None:
    """On to the fights: the question before what ends a phase."""
    page = hand.page
    hand.still()
    hand.choose("option-end-end")
    expect(page.locator("#prompt")).to_be_focused()
    hand.press("Escape")
    hand.choose("option-end-end", "go")
    hand.asked("combat")
    hand.find("1335")
    assert hand.live().endswith("can be attacked")
    hand.press("Enter", "Escape", "Enter")
    expect(page.locator("#pane-odds")).to_be_visible(timeout=PATIENCE)
    hand.choose("from-1435", "from-1435", "go")


def lose_and_go_on(hand: Keyboard, bea: Player) -> None:
    """Losses and the advance of both sides, and the end of the phase."""
    ana, page = hand.player, hand.page
    while (prompt := after(bea, ana)).endswith(("losses", "advance")):
        hand.asked(prompt)
        standing = told(ana)
        hand.choose("fill-most" if prompt == "advance" else "fill", "go")
        while told(ana) == standing:
            page.wait_for_timeout(100)
    form = next((f for f in ana.get("/view")["request"]["forms"] if f["form"] in ("end", "no_attack")), None)
    if form:
        hand.choose(f"option-{form['form']}-{form['options'][0]['id']}", "go")
    bea.asked("movement")
    hand.still()


def test_march_battle_and_recovery_of_ultimo_hombre(pair: tuple[Player, Player]) -> None:
    ana, bea = pair
    sit(ana, bea, "ultimo_hombre", "paraguayan")
    bea.answer({"form": "end_transport", "option": "end"})
    bea.answer({"form": "move", "units": GUARD, "path": ["jaguarao", "melo"], "aboard": {}})
    after(bea, ana)
    hand = Keyboard(ana)
    ana.page.goto(ana.url)
    steps.ready(ana)
    ana.asked("transport")
    hand.press("ArrowUp")
    hand.choose("option-end_transport-end")
    hand.asked("movement")
    march_over_the_river(hand)
    fight(hand, bea)
    recover(hand)


def march_over_the_river(hand: Keyboard) -> None:
    """A leader, and a march."""
    ana = hand.player
    hand.choose("tool-leaders", "unit-diaz")
    hand.find("Melo")
    hand.press("Enter")
    hand.choose("go")
    ana.until(lambda: "diaz" in json.dumps(ana.view()["space:melo"]))
    hand.still()
    hand.find("Montevideo")
    assert "can be chosen" in hand.live()
    hand.press("Enter")
    hand.choose("select-none", *(f"unit-{unit}" for unit in BLANCOS))
    hand.reach()
    hand.find("Melo")
    hand.press("Enter", "Space")
    ana.until(lambda: ana.view()["space:melo"].get("contested", False))
    hand.still()
    hand.choose("option-end_movement-end", "go")


def fight(hand: Keyboard, bea: Player) -> None:
    """The battle, which she wins."""
    after(bea, hand.player)
    hand.asked("line_up")
    hand.choose("go")
    hand.asked("target")
    hand.choose(f"option-target-{GUARD[0]}")
    hand.asked("retreat")
    hand.choose("option-retreat-stay")
    bea.asked("retreat")
    bea.answer({"form": "retreat", "option": "jaguarao"})
    expect(hand.page.locator('#prompt [data-key="go"]')).to_have_text("Continue", timeout=PATIENCE)
    hand.choose("go")  # the battle has been seen


def recover(hand: Keyboard) -> None:
    """A card, and what it asks."""
    ana = hand.player
    hand.asked("choose_card")
    held = ana.view()["hand:paraguayan"]["cards"][0]["id"]
    hand.choose(f"option-choose_card-{held}")
    ana.until(lambda: ana.get("/view")["request"]["prompt"]["key"] != "prompt.choose_card")
    hand.still()
    while (request := ana.get("/view")["request"])["mine"] and request["prompt"]["key"] != "prompt.reinforce":
        ana.answer(first(request))
        hand.still()
    hand.asked("reinforce")
    hand.choose("option-end_restore-end", "go")
    ana.until(lambda: ana.view()["turn"]["turn"] == 2)
    hand.still()
