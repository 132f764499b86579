"""A whole turn of cards, roads and the battle board by two people in two browsers, with a battle over a river: once on
the map, once answered from the text view; and what replay and 'since you left' show of it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

Table = tuple[Player, Player]
ROAD = ["montevideo", "durazno", "melo"]  # its last stretch is a river
BLANCOS = ["ub_inf_1", "ub_inf_3", "ub_inf_5"]
GUARD = ["br_inf_01", "br_inf_02"]
# Attacker 1 hits, 2 misses, 3 hits; defender 1 hits, 2 misses: all at once.
SHOTS = [0, 5, 1, 0, 5]


@pytest.fixture
def table(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Ana at a desk is the Allied player, Bea on a phone the Paraguayan. The shots are SHOTS, the rest misses; of a
    deck always the first card comes."""
    shots = iter(SHOTS)
    monkeypatch.setattr("rules.core.chance.value", lambda _key, _number, sides: next(shots, 5) if sides == 6 else 0)
    ana = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    bea = steps.sign_up(browser, live_server, "Bea", PHONE)
    steps.begin(ana, bea, "allied", "ultimo_hombre")
    ana.until(lambda: ana.get()["dice"]["complete"])
    yield ana, bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


def test_a_turn_with_a_battle_over_a_river(table: Table) -> None:
    ana, _bea = table
    recover(table, march_and_draw(table))
    march_at(table)
    line_up(table)
    fire(table)
    give_way(table)
    see_again(ana)
    see_replay(ana)


def march_and_draw(table: Table) -> str:
    """The Allied player marches over the river into Melo, which brings a card that she alone sees: which one."""
    ana, bea = table
    # A tap while the answer before it is still on its way is not lost.
    with steps.slow_answers(ana.page):
        press(ana, "option-end_transport-end")
        ana.tap("jaguarao")
    lead(ana, GUARD, ["jaguarao", "melo"])
    for player in table:
        same_units(player, "jaguarao", "melo")
    assert ana.view()["hand:allied"]["count"] == 1
    assert "cards" not in bea.view()["hand:allied"]
    ana.press(ana.page.get_by_role("tab", name="Cards"))
    held: str = ana.view()["hand:allied"]["cards"][0]["id"]
    hand = ana.page.locator("#pane-cards .cards").first
    expect(hand.locator(".event-card")).to_have_count(1, timeout=PATIENCE)
    expect(bea.page.locator("#pane-cards")).not_to_contain_text(hand.locator(".event-card h3").inner_text())
    press(ana, "option-end_movement-end", "go")
    return held


def recover(table: Table, held: str) -> None:
    """Two cards in hand, whole; the one put in use shows on both pages."""
    ana, bea = table
    ana.asked("choose_card")
    cards = ana.page.locator(".tray.hand .event-card")
    expect(cards).to_have_count(2, timeout=PATIENCE)
    expect(cards.first.locator(".plate")).to_be_visible()
    use(ana, held)
    finish(ana, "reinforce")
    ana.until(lambda: ana.view()["turn"]["side"] == "paraguayan")
    assert bea.view()["slots:cards_allied"]["slots"][0]["card"]["id"] == held
    counted(ana, "allied")


def march_at(table: Table) -> None:
    """The Paraguayan player leads three battalions over the river at it."""
    ana, bea = table
    bea.asked("transport")
    press(bea, "option-end_transport-end")
    bea.asked("movement")
    bea.press(bea.key("tool-leaders"))
    bea.press(bea.key("unit-diaz"))
    bea.tap("melo")
    press(bea, "option-end_movement-end")  # who is placed and not sent is not thrown away without a word
    expect(bea.page.locator("#prompt")).to_contain_text("Place 1 unit first?")
    assert bea.page.locator("#prompt [data-key=without]").count() == 1
    bea.go()
    bea.until(lambda: "diaz" in json.dumps(bea.view()["space:melo"]))
    march(bea, BLANCOS, ROAD)
    expect(ana.page.locator('.l-counters [data-at="melo"] .clash-sign')).to_have_count(1, timeout=PATIENCE)
    press(bea, "option-end_movement-end")
    expect(bea.page.locator("#prompt .needs")).to_have_text("Needs 1 decision of your opponent.")
    bea.go()


def line_up(table: Table) -> None:
    """The board: the defender lines up, then the attacker; both see the chances of all, and name targets."""
    ana, bea = table
    ana.asked("line_up")
    for player in table:
        expect(player.page.locator("#battle .battle h2")).to_contain_text("Melo", timeout=PATIENCE)
    ana.press(ana.key(f"unit-{GUARD[0]}"))
    ana.press(ana.key(f"unit-{GUARD[1]}"))  # they change places
    ana.go()
    bea.asked("line_up")
    bea.go()
    lines = {line["side"]: [slot["unit"] for slot in line["slots"]] for line in bea.view()["battle"]["lines"]}
    assert lines == {"allied": GUARD[::-1], "paraguayan": BLANCOS}
    bea.asked("target")  # nobody stands opposite the third
    for player in table:
        board = player.page.locator("#battle .battle")
        expect(board.locator("header")).to_contain_text("Round 1", timeout=PATIENCE)
        expect(board.locator("header")).to_contain_text("both fire at once")
        expect(board.locator(".chance")).to_have_text(["50 %", "50 %", *["33 %"] * 3])
        expect(board.locator(".losses b")).to_have_text(["1.0", "1.0"])
    press(bea, f"option-target-{GUARD[0]}")


def fire(table: Table) -> None:
    """All fire at once, every die in the open; the hits turn units."""
    ana, bea = table
    bea.asked("retreat")
    for player in table:
        board = player.page.locator("#battle .battle")
        expect(board.locator(".shots li")).to_have_count(len(SHOTS), timeout=PATIENCE)
        expect(board.locator(".shots .die-face.hit")).to_have_count(3)
    fought = [step["data"] for entry in ana.get("/record")["entries"] for step in entry["steps"]
              if step["event"] == "shot"]  # fmt: skip
    assert [(shot["roll"], shot["hit"]) for shot in fought] == [(n + 1, n < 2) for n in SHOTS]
    assert reduced(ana) == {*GUARD, BLANCOS[0]}


def give_way(table: Table) -> None:
    """The attacker stays, the defender retreats; the space changes hands."""
    ana, bea = table
    press(bea, "option-retreat-stay")
    ana.asked("retreat")
    press(ana, "option-retreat-jaguarao")
    bea.asked("choose_card")
    for player in table:  # its board stays as it stood at last, until each goes on
        expect(player.key("go")).to_have_text("Continue", timeout=PATIENCE)
        expect(player.page.locator("#battle .shots li")).to_have_count(len(SHOTS))
        player.go()
        expect(player.page.locator("#battle")).to_be_hidden(timeout=PATIENCE)
        same_units(player, "jaguarao", "melo")
    assert bea.view()["space:melo"]["control"] == "paraguayan"
    use(bea, bea.view()["hand:paraguayan"]["cards"][0]["id"])
    finish(bea, "reinforce")
    ana.until(lambda: ana.view()["turn"]["turn"] == 2)
    counted(bea, "paraguayan")


def see_again(ana: Player) -> None:
    """Since she left Ana sees the board again as it stood, then the game as it is."""
    ana.page.evaluate("""() => {
        const game = document.getElementById('main').dataset.game
        localStorage.setItem(`mariscal.seen.${game}.allied`, '8')
    }""")
    ana.page.reload()
    steps.ready(ana)
    press(ana, "since", "play")
    to_frame(ana, "shot")
    expect(ana.page.locator("#battle .shots li").first).to_be_visible(timeout=PATIENCE)
    press(ana, "skip")
    expect(ana.page.locator("#battle")).to_be_hidden(timeout=PATIENCE)


def see_replay(ana: Player) -> None:
    """And so does the replay, with the card in use of that moment."""
    ana.page.goto(f"{ana.url}/replay")
    steps.ready(ana)
    frames = to_frame(ana, "shot")
    board = ana.page.locator("#battle .battle")
    expect(board.locator(".slots li:not(.free)")).to_have_count(5, timeout=PATIENCE)
    expect(board.locator(".shots li")).to_have_count(1)
    ana.press(ana.page.get_by_role("tab", name="Cards"))
    title = ana.page.locator(".event-card h3")
    expect(title.first).to_be_visible()
    at_shot = title.all_inner_texts()
    slide(ana, 1)
    expect(ana.page.locator("#battle")).to_be_hidden()
    assert frames > 1
    assert title.all_inner_texts() != at_shot


@pytest.mark.long
def test_the_same_battle_answered_from_the_text_view(table: Table) -> None:
    ana, bea = table
    ana.answer({"form": "end_transport", "option": "end"})
    ana.answer({"form": "move", "units": GUARD, "path": ["jaguarao", "melo"], "aboard": {}})
    ana.answer({"form": "end_movement", "option": "end"})
    ana.asked("choose_card")
    ana.answer({"form": "choose_card", "option": ana.view()["hand:allied"]["cards"][0]["id"]})
    through(ana)
    bea.answer({"form": "end_transport", "option": "end"})
    bea.asked("movement")
    for player in table:
        player.page.reload()
        steps.ready(player)
        player.page.keyboard.press("t")
    words = {player.seat: player.page.locator("#textview") for player in table}

    # the leader and the march, by lists
    press(bea, "tool-leaders", "unit-diaz", "now-melo", "go")
    bea.until(lambda: "diaz" in json.dumps(bea.view()["space:melo"]))
    press(bea, "now-montevideo", "select-none", *(f"unit-{u}" for u in BLANCOS), "now-melo", "go")
    bea.until(lambda: bea.view()["space:melo"].get("contested", False))
    press(bea, "option-end_movement-end", "go")

    # the battle in words on both pages, the board itself out of the way
    ana.asked("line_up")
    press(ana, "go")
    bea.asked("line_up")
    press(bea, "go")
    bea.asked("target")
    for player in table:
        said = words[player.seat].locator(".battle-words")
        expect(said).to_contain_text("Round 1", timeout=PATIENCE)
        expect(said).to_contain_text("hits 50 % of its shots")
        expect(said.locator(".losses b")).to_have_text(["1.0", "1.0"])
        expect(player.page.locator("#battle")).to_be_hidden()
    press(bea, f"option-target-{GUARD[1]}")  # the first has his own
    bea.asked("retreat")
    for player in table:
        expect(words[player.seat].locator(".battle-words ol").last.locator("li")).to_have_count(len(SHOTS))
    press(bea, "option-retreat-stay")
    ana.asked("retreat")
    press(ana, "option-retreat-jaguarao")
    bea.asked("choose_card")
    assert bea.view()["space:melo"]["control"] == "paraguayan"
    assert reduced(ana) == {*GUARD, BLANCOS[0]}

    # whose hand it is reads its cards there; the other is told how many
    card = bea.view()["hand:paraguayan"]["cards"][0]["id"]
    texts = bea.context.request.get(f"{bea.site}/api/titles/ultimo_hombre/texts/en").json()
    expect(words["paraguayan"]).to_contain_text(texts[f"card.{card}.text"])
    expect(words["allied"]).not_to_contain_text(texts[f"card.{card}.text"])
    use(bea, card)
    through(bea)
    ana.until(lambda: ana.view()["turn"]["turn"] == 2)


def press(player: Player, *keys: str) -> None:
    for key in keys:
        player.press(player.key(key).first)


def march(player: Player, units: list[str], path: list[str]) -> None:
    """By taps: the stack, these units of it, the goal."""
    player.tap(path[0])
    lead(player, units, path)


def lead(player: Player, units: list[str], path: list[str]) -> None:
    """The stack is open."""
    press(player, "select-none", *(f"unit-{unit}" for unit in units))
    expect(player.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    player.tap(path[-1])
    player.go()
    player.until(lambda: units[0] in {u["id"] for u in player.view().get(f"space:{path[-1]}", {}).get("units", [])})


def same_units(player: Player, *locs: str) -> None:
    """The map shows the counters, each with its side up, that the server's view of the seat holds."""
    view = player.view()
    for loc in locs:
        units = view.get(f"space:{loc}", {}).get("units", [])
        want = sorted(f"#c-{u['id']}{'-r' if 'reduced' in u['badges'] else ''}" for u in units)
        shown = player.page.locator(f'.l-counters [data-at="{loc}"] .counter use[href^="#c-b"], '
                                    f'.l-counters [data-at="{loc}"] .counter use[href^="#c-u"]')  # fmt: skip
        expect(shown).to_have_count(len(want), timeout=PATIENCE)
        assert sorted(shown.evaluate_all("all => all.map((use) => use.getAttribute('href'))")) == want


def use(player: Player, card: str) -> None:
    """A card of the hand comes into use, and the answer has arrived."""
    player.press(player.key(f"option-choose_card-{card}"))
    player.until(lambda: player.get("/view")["request"]["prompt"]["key"] != "prompt.choose_card")


def through(player: Player, prompt: str = "") -> None:
    """Give the first legal answer to all the seat is still asked this turn; up to a prompt, if one is named."""
    while (request := player.get("/view")["request"]) and request["mine"] and request["prompt"]["key"] != prompt:
        form = next((f for f in request["forms"] if f["form"].startswith("end_")), request["forms"][0])
        player.answer(first_answer(form))


def first_answer(form: dict[str, Any]) -> dict[str, Any]:
    if form["kind"] == "choose":
        return {"form": form["form"], "option": form["options"][0]["id"]}
    return {"form": form["form"], "lots": {lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]}}


def finish(player: Player, prompt: str) -> None:
    """What the card asks, then recovery is closed on the page."""
    through(player, f"prompt.{prompt}")
    player.asked(prompt)
    press(player, "option-end_restore-end", "go")


def reduced(player: Player) -> set[str]:
    return {u["id"] for key, space in player.view().items() if key.startswith("space:")
            for u in space["units"] if "reduced" in u["badges"]}  # fmt: skip


def counted(player: Player, side: str) -> None:
    """The panel says how many cards are in each pile, as the server does."""
    view = player.view()
    player.press(player.page.get_by_role("tab", name="Cards"))
    said = player.page.locator("#pane-cards")
    for pile in (f"pool:deck:{side}", f"pool:discards:{side}"):
        n = view[pile].get("count", len(view[pile].get("cards", [])))
        name = {"deck": "Deck", "discards": "Discards"}[pile.split(":")[1]]
        head = said.locator(f"section.side-{side} h3", has_text=name)
        expect(head.locator(".count")).to_have_text(str(n), timeout=PATIENCE)


def slide(player: Player, frame: int) -> None:
    player.page.locator('[data-key="slide"]').evaluate(
        "(el, n) => { el.value = n; el.dispatchEvent(new Event('input')) }", frame)


def to_frame(player: Player, event: str) -> int:
    """Move the film to the first step of this name; which frame that is."""
    names = [step["event"] for entry in player.get("/record")["entries"] for step in entry["steps"]]
    frame = names.index(event) + 1
    slide(player, frame)
    return frame
