"""A board one tries, from the page of rules: an example step by step, branches, dice laid by hand, a link."""

import json
import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import PATIENCE, Player

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


def lay_a_die(page: Page) -> None:
    """The same attack by hand, with a nine: a second branch."""
    page.locator("[data-key=dice]").click()
    Player(page, page.context, page.url).tap("1437")
    page.get_by_role("button", name=re.compile("^Attack")).first.click()
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
    other.goto(page.url)
    expect(other.locator("#main[data-ready=yes]")).to_be_visible(timeout=PATIENCE)
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
