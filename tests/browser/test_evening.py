"""A stranger's evening: a game against the computer at once, which an account keeps; and what a game leaves behind."""

import copy
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.games import data
from app.games.proof import prove
from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player, ready
from tests.browser.test_access import Inspector
from tests.conftest import PASSWORD
from tests.forged import FORGERIES

MARCH = {"form": "move", "units": [f"PY-INF-{n}" for n in range(1, 5)], "path": ["1434", "1435"], "aboard": {}}
CHECKED = """async (files) => {
    const script = document.querySelector('script[src$="js/site/result.js"]').src
    const { checked } = await import(new URL('check_dice.js', script))
    return files.map((file) => checked(file))
}"""
# What only the rules find, which the page does not have and says so.
OF_THE_RULES = {"one_sided", "told", "told_at_first", "answered", "clause", "winner", "marked"}


def test_a_guest_plays_at_once_and_signing_up_keeps_the_game(
    browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARISCAL_BOT_PAUSE", "0")
    context = browser.new_context(**DESKTOP, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    player = Player(page, context, live_server.url)
    player.listen(page)
    page.goto(live_server.url)
    page.get_by_role("button", name="Play the computer").first.click()
    page.wait_for_url(re.compile("/games/"))
    ready(player)
    player.url, player.seat = page.url, "paraguay"
    player.asked("set_up_paraguay")
    player.press(player.key("suggest"))
    player.go()
    player.asked("movement")
    player.tap("1434")
    player.tap("1435")
    player.go()
    player.until(lambda: player.view().get("space:1435", {}).get("count", 0) > 0)
    before = player.get()
    page.get_by_role("link", name="Sign up to keep this game").click()
    page.fill("#name", "Gina")
    page.fill("#password", PASSWORD)
    page.click("main button.go")
    page.wait_for_url(player.url)
    ready(player)
    now = player.get()
    assert (now["seats"]["paraguay"]["name"], now["your_seats"]) == ("Gina", before["your_seats"])
    expect(page.locator(".keep-game")).to_have_count(0)
    page.goto(live_server.url)
    expect(page.locator(f'main a[href="{player.url.removeprefix(live_server.url)}"]').first).to_be_visible()
    assert player.faults == []
    context.close()


@pytest.mark.long
def test_a_game_that_is_over_has_its_card(browser: Browser, live_server: LiveServer) -> None:
    ana, bea = war.at_a_table(browser, live_server, "triple_alliance", "corrientes", ("allied", "paraguay"))
    play_out(ana, bea)
    page = ana.page
    page.goto(f"{ana.url}/result")
    says_what_happened(page)
    says_of_the_dice_what_the_command_says(ana, page)
    inspector = Inspector(ana)
    inspector.look("card, at a desk")
    page.set_viewport_size(PHONE["viewport"])
    inspector.look("card, on a phone")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert inspector.found == {}
    page.set_viewport_size(DESKTOP["viewport"])
    page.get_by_role("button", name="Rematch, sides changed").click()
    page.wait_for_url(re.compile("/join"))
    ana.url = page.url.partition("/join")[0]
    again = ana.context.request.get(f"{ana.api}").json()
    assert (again["your_seats"], again["scenario"], again["state"]) == (["paraguay"], "corrientes", "open")
    assert ana.faults == []
    ana.context.close()
    bea.context.close()


def play_out(ana: Player, bea: Player) -> None:
    """Robles marches, whoever can attacks, and all else is the least that has to be answered."""
    marched = False
    while True:
        requests = [(player, player.get("/view")["request"]) for player in (ana, bea)]
        if not any(request for _, request in requests):
            return
        player, request = next((p, r) for p, r in requests if r["mine"])
        if request["prompt"]["key"] == "prompt.movement" and player is bea and not marched:
            marched = True
            player.answer(MARCH)
        else:
            player.answer(shortest(request["forms"]))


def shortest(forms: list[dict[str, Any]]) -> dict[str, Any]:
    attack = next((form for form in forms if form["form"] == "attack"), None)
    if attack:
        target, way = next(iter(attack["targets"].items()))
        return {"form": "attack", "target": target, "units": [u for units in way["from"].values() for u in units]}
    form = next((f for f in forms if f["form"] in ("end", "no_attack")), forms[0])
    if form["kind"] == "choose":
        return {"form": form["form"], "option": form["options"][0]["id"]}
    if form["kind"] == "place":
        return {"form": form["form"], "placed": form["suggested"], "boxes": form.get("suggested_boxes", {})}
    lots = {lot["id"]: [*(u for u in lot["units"] if u not in lot["last"]), *lot["last"]][: lot["min"]]
            for lot in form["lots"]}  # fmt: skip
    return {"form": form["form"], "lots": lots}


def says_what_happened(page: Page) -> None:
    """Points turn by turn, luck, and the rolls that mattered with a way into the moment."""
    points = page.locator(".graph").filter(has=page.get_by_role("heading", name="Points"))
    points.get_by_text("In figures").click()
    expect(points.locator("thead th")).to_have_count(5)  # as it began, and the three turns
    for row in points.locator("tbody tr").all():
        assert all(re.fullmatch(r"\d+", cell) for cell in row.locator("td").all_inner_texts())
    luck = page.locator(".of-sides tr").filter(has_text="Luck of the dice").locator("td")
    assert all(re.fullmatch(r"[+−]?\d+(\.\d)?", cell) for cell in luck.all_inner_texts())
    moment = page.locator(".decisive a", has_text="See the moment").first
    seq = str(moment.get_attribute("href")).rpartition("=")[2]
    replay = page.context.new_page()
    replay.goto(str(moment.evaluate("(link) => link.href")))
    expect(replay.locator("#main")).to_have_attribute("data-ready", "yes", timeout=PATIENCE)
    expect(replay).to_have_url(re.compile(f"seq={seq}$"))
    replay.close()


def says_of_the_dice_what_the_command_says(ana: Player, page: Page) -> None:
    """All is well; and of each forged file the same as the command, but for what only the rules can tell."""
    export = ana.get("/export")
    body = data.current("triple_alliance")
    proof = prove(export, body)
    assert (proof.faults, proof.rolls > 0) == ([], True)
    page.get_by_role("button", name="Check the dice").click()
    expect(page.locator("#checked.fits")).to_have_text(f"All {proof.rolls} rolls are what was sealed.")
    expect(page.locator("section", has=page.locator("#checked"))).to_contain_text("It does not have the rules")
    forged = {}
    for forge in FORGERIES:
        forged[forge.__name__] = copy.deepcopy(export)
        forge(forged[forge.__name__])
    found = dict(zip(forged, page.evaluate(CHECKED, list(forged.values())), strict=True))
    for name, file in forged.items():
        assert not prove(json.loads(json.dumps(file)), body).holds, name
        assert bool(found[name]["faults"]) == (name not in OF_THE_RULES), (name, found[name])
