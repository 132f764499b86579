"""A board one tries, from the page of rules: an example step by step, branches, dice laid by hand, a link."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from app.cli import main
from bench.page import EARLIER, WATCH
from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, PHONE, Player, sign_up
from tests.browser.test_access import Inspector

LARGEST_CODE = 90_000  # bytes gzipped that a board's page loads before it is shown
EXAMPLE = "13.9-26-against-7"


def test_an_example_becomes_a_board_with_branches_and_a_link(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(PATIENCE)
    find_in_the_rules(page, live_server.url)
    play_the_example(page)
    lay_a_die(page)
    write_beside_it(page)
    open_the_link_as_somebody_else(browser, page)
    assert faults == []
    context.close()


def find_in_the_rules(page: Page, url: str) -> None:
    """The search leaves the clause; its example is a button away from a board."""
    page.goto(f"{url}/titles/triple_alliance/rules")
    page.get_by_label("Find").fill("26 against 7 odds")
    expect(page.locator(".find output")).to_have_text("1")
    page.locator("#c13\\.9").get_by_role("button", name="Try it on a board").click()
    page.wait_for_url(re.compile("/boards/"))
    expect(page.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)


def play_the_example(page: Page) -> None:
    page.locator("[data-key=next]").click()
    expect(page.locator("#pane-board [aria-current]")).to_have_text("Triple Alliance: Attack (4)")
    expect(page).to_have_url(re.compile("#1$"))
    expect(page.locator("#pane-odds")).to_contain_text("3 : 1")
    page.locator("[data-key=back]").click()
    expect(page.locator("#pane-board [aria-current]")).to_have_text("The position")


def attack_by_hand(page: Page) -> None:
    """The attack on 1437, up to the question which die to lay."""
    page.locator("[data-key=dice]").click()
    Player(page, page.context, page.url).tap("1437")
    page.get_by_role("button", name=re.compile("^Attack")).first.click()


def lay_a_die(page: Page) -> None:
    """The same attack by hand, with a nine: a second branch."""
    attack_by_hand(page)
    box = page.locator("dialog.dice-box")
    expect(box).to_contain_text("Die 1 of 1")
    box.get_by_role("button", name="9", exact=True).click()
    expect(page.locator("#pane-board [aria-current]")).to_have_text("Triple Alliance: Attack (9)")
    expect(page.locator("#pane-board a")).to_have_count(3)


def write_beside_it(page: Page) -> None:
    note = page.get_by_label("What you think of this position")
    note.fill("A nine breaks them.")
    note.blur()
    expect(page.locator("#pane-board small")).to_have_text("A nine breaks them.")


def open_the_link_as_somebody_else(browser: Browser, page: Page) -> None:
    """Somebody else sees the branch and its note, and plays on with a copy; the file plays in the lab."""
    other = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB").new_page()
    answers: list[Response] = []
    other.on("response", lambda answer: answers.append(answer))
    other.add_init_script(WATCH)
    other.goto(page.url)
    expect(other.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)
    earlier = other.evaluate(EARLIER)
    code = [a for a in answers if a.request.resource_type in ("script", "stylesheet") and a.ok and a.url in earlier]
    assert sum(len(gzip.compress(a.body(), 6, mtime=0)) for a in code) <= LARGEST_CODE, [a.url for a in code]
    expect(other.locator("#pane-board p.note")).to_have_text("A nine breaks them.")
    other.locator("[data-key=copy]").click()
    theirs = page.url.split("#")[0]
    other.wait_for_url(lambda url: url.split("#")[0] != theirs, timeout=PATIENCE)
    expect(other.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)
    expect(other.locator("[data-key=back]")).to_be_visible(timeout=PATIENCE)
    board = other.url.split("/")[-1].split("#")[0]
    written = other.request.get(f"{theirs.partition('/boards/')[0]}/api/boards/{board}/file?node=2").text()
    assert json.loads(written)["dice"][0] == 9
    other.context.close()

def test_a_position_by_hand_is_asked_shared_and_plays_in_the_lab(
    browser: Browser, live_server: LiveServer, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(PATIENCE)
    inspector = Inspector(Player(page, context, page.url))
    page.goto(f"{live_server.url}/titles/triple_alliance/try")
    inspector.look("what one can try")
    open_an_empty_map(page, live_server.url)
    put_by_hand(page)
    inspector.look("by hand")
    what_cannot_be_waits(page)
    inspector.look("board")
    ask_the_rules(page)
    draw_an_arrow(page)
    shared_saved_and_played_in_the_lab(browser, live_server, page.url, tmp_path)
    assert faults == []
    assert inspector.found == {}
    context.close()


def open_an_empty_map(page: Page, url: str) -> None:
    page.goto(f"{url}/titles/triple_alliance")
    page.get_by_role("link", name="Try it on a board").click()
    page.get_by_label("With an empty map").check()
    page.locator("[data-key=scenario]").click()
    page.wait_for_url(re.compile("/boards/"))
    expect(page.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)


def take(page: Page, unit: str) -> None:
    page.get_by_label("Find a counter").fill(unit)
    page.locator(f"[data-key='unit-{unit}']").click()


# The server is slow to tell the position: of two changes one after another the second holds the first all the same.
LATE = """() => {
    const inTime = (globalThis.inTime = fetch)
    globalThis.fetch = async (...asked) => {
        const said = await inTime(...asked)
        if (String(asked[0]?.url ?? asked[0]).includes('/hand')) await new Promise((done) => setTimeout(done, 700))
        return said
    }
}"""


def put_by_hand(page: Page) -> None:
    player = Player(page, page.context, page.url)
    page.locator("[data-key=by-hand]").click()
    expect(page.get_by_label("Find a counter")).to_be_visible()
    for unit in ("BR-INF-1F", "BR-INF-2F"):
        take(page, unit)
    player.tap("1436")
    expect(page).to_have_url(re.compile("#1$"))
    take(page, "PY-INF-1")
    player.tap("1437")
    expect(page).to_have_url(re.compile("#2$"))
    page.evaluate(LATE)
    page.get_by_label("Phase, and whose").select_option("allied_combat_1")
    expect(page).to_have_url(re.compile("#3$"))
    page.get_by_label("Turn", exact=True).fill("3")
    page.get_by_label("Turn", exact=True).blur()
    expect(page).to_have_url(re.compile("#4$"))
    page.evaluate("globalThis.fetch = globalThis.inTime")


def what_cannot_be_waits(page: Page) -> None:
    """Both sides in one hex: said with its clause, forgotten, and nothing is changed."""
    take(page, "PY-INF-2")
    Player(page, page.context, page.url).tap("1436")
    wrong = page.locator(".hand-waits")
    expect(wrong).to_contain_text("11.4")
    wrong.get_by_role("button").last.click()
    expect(wrong).to_have_count(0)
    expect(page).to_have_url(re.compile("#4$"))
    page.locator("[data-key=hand-done]").click()


def ask_the_rules(page: Page) -> None:
    """The attack, with a nine laid by hand."""
    attack_by_hand(page)
    page.locator("dialog.dice-box").get_by_role("button", name="9", exact=True).click()
    expect(page.locator("#pane-board [aria-current]")).to_contain_text("(9)")
    note = page.get_by_label("What you think of this position")
    note.fill("Is it two losses?")
    note.blur()
    expect(page.locator("#pane-board small")).to_have_text("Is it two losses?")


def draw_an_arrow(page: Page) -> None:
    player = Player(page, page.context, page.url)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Draw on the map").click()
    player.tap("1436")
    player.tap("1437")
    with page.expect_response(re.compile("/note$")):
        player.tap("1437")
    page.locator("[data-key=sketch-done]").click()


def shared_saved_and_played_in_the_lab(browser: Browser, site: LiveServer, link: str, folder: Path) -> None:
    """Bea opens the link on her phone, sees note and arrow, takes a copy, keeps it, plays its file in the lab, and puts
    one more counter."""
    bea = sign_up(browser, site, "Bea", PHONE)
    page = bea.page
    page.goto(link)
    expect(page.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#pane-board p.note")).to_have_text("Is it two losses?")
    expect(page.locator(".plan-arrow").first).to_be_attached(timeout=PATIENCE)
    board_tab = page.locator("#tabs [data-key=board]")  # a phone shows one of its panels: here the odds of the fight
    bea.press(board_tab)
    bea.press(bea.key("copy"))
    page.wait_for_url(lambda url: url.split("#")[0] != link.split("#")[0])
    expect(page.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#tabs [data-key=odds]")).to_be_visible()
    bea.press(board_tab)
    bea.press(bea.key("keep"))
    expect(page.locator("[data-key=keep]")).to_have_text("Let go")
    address, _, node = page.url.partition("#")
    board = address.split("/")[-1]
    assert [one["id"] for one in page.request.get(f"{site.url}/api/boards").json()] == [board]
    file = folder / "question.json"
    file.write_bytes(page.request.get(f"{site.url}/api/boards/{board}/file?node={node}").body())
    assert json.loads(file.read_text())["position"]["units"]["PY-INF-1"] == "1437"
    assert main(["lab", "triple_alliance", str(file)]) == 0
    by_thumb(bea)
    assert bea.faults == []
    bea.context.close()


def by_thumb(bea: Player) -> None:
    """On a phone a counter is found, lies in hand in sight of the map, and is put; a value is changed."""
    page = bea.page
    bea.press(bea.key("by-hand"))
    find = page.get_by_label("Find a counter")
    expect(find).to_be_in_viewport(ratio=1)
    find.press_sequentially("PY-INF-3")
    counter = bea.key("unit-PY-INF-3")
    expect(counter).to_be_in_viewport(ratio=1)
    bea.press(counter)
    expect(page.locator(".in-hand p")).to_be_in_viewport(ratio=1)
    before = page.url
    bea.tap("1437")
    expect(page).not_to_have_url(before)
    before = page.url
    page.get_by_label("Turn", exact=True).fill("4")
    page.get_by_label("Turn", exact=True).blur()
    expect(page).not_to_have_url(before)
    assert put(bea)["units"]["PY-INF-3"] == "1437"
    assert put(bea)["turn"] == 4
    bea.press(bea.key("hand-done"))
    expect(bea.key("by-hand")).to_be_visible()


def by_hand(browser: Browser, server: LiveServer, title: str) -> Player:
    """A board of a title, its position about to be put by hand."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    player = Player(context.new_page(), context, server.url)
    player.page.on("pageerror", lambda error: player.faults.append(str(error)))
    player.page.goto(f"{server.url}/titles/{title}/try")
    player.page.locator("[data-key=scenario]").click()
    player.page.wait_for_url(re.compile("/boards/"))
    expect(player.page.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)
    player.page.locator("[data-key=by-hand]").click()
    expect(player.page.get_by_label("Find a counter")).to_be_visible()
    return player


def put(player: Player) -> dict[str, Any]:
    """What was put so far, as the server has it."""
    board, _, node = player.page.url.partition("#")
    said = player.context.request.get(f"{board.replace('/boards/', '/api/boards/')}/hand", params={"node": node})
    position: dict[str, Any] = said.json()["position"]
    return position


@pytest.mark.long
def test_losses_morale_and_how_one_stands_are_put_by_hand(browser: Browser, live_server: LiveServer) -> None:
    player = by_hand(browser, live_server, "austerlitz")
    page, unit = player.page, "F-1-40-Ln"
    take(page, unit)
    for count, (label, value) in enumerate(
        (("Strength points lost", "2"), ("Morale", "shaken"), ("Formation", "column"), ("Facing", "SE")), 1
    ):
        page.locator(".in-hand").get_by_label(label, exact=True).select_option(value)
        expect(page).to_have_url(re.compile(f"#{count}$"))
        expect(page.locator(".in-hand").get_by_label(label, exact=True)).to_have_value(value)
    page.locator(".hand-fields").get_by_label("3/V", exact=False).first.fill("4")
    page.locator(".hand-fields").get_by_label("3/V", exact=False).first.blur()
    expect(page).to_have_url(re.compile("#5$"))
    assert put(player) == {"lost": {unit: 2}, "morale": {unit: "shaken"}, "units": {unit: "B3410@SE/column"},
                           "fatigue": {"F-3-V": 4}}  # fmt: skip
    player.tap("B3411")  # one who is in hand keeps how he stands
    expect(page).to_have_url(re.compile("#6$"))
    assert put(player)["units"] == {unit: "B3411@SE/column"}
    assert player.faults == []
    player.context.close()


@pytest.mark.long
def test_supply_points_are_laid_by_a_tap(browser: Browser, live_server: LiveServer) -> None:
    player = by_hand(browser, live_server, "chaco")
    page = player.page
    lie = page.locator("[data-store=supply-paraguay]")
    expect(lie).to_contain_text("2741")
    page.get_by_label("A tap lays").fill("3")
    page.get_by_label("A tap lays").blur()
    page.locator("[data-key=brush-supply-paraguay]").click()
    player.tap("2741")
    expect(page).to_have_url(re.compile("#1$"))
    expect(lie.locator("li", has_text="2741").locator("b")).to_have_text("3")
    page.get_by_label("A tap lays").fill("0")
    page.get_by_label("A tap lays").blur()
    player.tap("2741")
    expect(page).to_have_url(re.compile("#2$"))
    expect(lie.locator("li", has_text="2741")).to_have_count(0)
    assert player.faults == []
    player.context.close()
