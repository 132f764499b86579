"""No fault of access on any page, in light and in dark, at a desk and on a phone (axe-core)."""

from importlib.resources import files
from typing import Any, Literal

import psycopg
import pytest
from playwright.sync_api import Browser, expect

from app.tables import PREFIX
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
# The map's sheet is one picture to assistive software, and thousands of nodes: it is taken out while axe looks.
RUN = """async (part) => {
    const sheet = document.querySelector('.board-sheet'), view = sheet?.parentNode
    sheet?.remove()
    const said = await axe.run(part, { resultTypes: ['violations'] })
    if (sheet) view.append(sheet)
    return said.violations
}"""
# Colours that change slowly are what they will be.
SETTLE = """async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    for (const moving of document.getAnimations()) if (moving instanceof CSSTransition) moving.finish()
}"""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Inspector:
    """Collects the faults of what a page shows, by where they were seen."""

    def __init__(self, player: Player) -> None:
        self.page = player.page
        self.found: dict[str, list[str]] = {}

    def look(self, where: str, part: str = "html") -> None:
        if not self.page.evaluate("'axe' in globalThis"):
            self.page.evaluate(AXE)
        for theme in THEMES:
            self.page.emulate_media(color_scheme=theme)
            self.page.evaluate(SETTLE)
            faults = [f"{fault['id']}: {node['html'][:160]} {node['failureSummary']}"
                      for fault in self.page.evaluate(RUN, part) for node in fault["nodes"]]  # fmt: skip
            if faults:
                self.found[f"{where}, {theme}"] = faults


@pytest.mark.parametrize("device", [pytest.param(DESKTOP, marks=pytest.mark.long), PHONE], ids=["desk", "phone"])
def test_pages_keep_to_the_rules_of_access(browser: Browser, live_server: LiveServer, device: dict[str, Any]) -> None:
    ana = steps.sign_up(browser, live_server, "Ana", {**device, "reduced_motion": "reduce"})
    page, inspector = ana.page, Inspector(ana)
    for path in ("/", "/games/new", "/account", "/about"):
        page.goto(live_server.url + path)
        inspector.look(path)

    ana.url, ana.seat = live_server.url + "/games/" + ana.create("both"), "allied"
    ana.answer({"form": "no_invasion", "option": "no_invasion"})
    page.goto(ana.url)
    steps.ready(ana)
    ana.press(ana.key("suggest"))
    expect(ana.key("go")).to_be_enabled(timeout=PATIENCE)
    inspector.look("set-up")
    for seat in ("allied", "paraguay"):
        ana.seat = seat
        steps.place(ana)

    page.reload()  # the other seat is asked now: a curtain first
    curtain = page.locator("dialog.curtain")
    expect(curtain).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".stack")).to_have_count(0)
    inspector.look("curtain", "dialog.curtain")
    ana.press(curtain.locator("button.go"))
    expect(page.locator("#prompt.mine")).to_be_visible(timeout=PATIENCE)
    ana.tap("1434")
    expect(ana.key("select-none")).to_be_visible(timeout=PATIENCE)
    inspector.look("movement")
    ana.answer({"form": "move", "units": ["PY-INF-1", "PY-INF-2"], "path": ["1434", "1435"], "aboard": {}})
    ana.answer({"form": "end", "option": "end"})
    expect(page.locator("#game .phase")).to_contain_text("combat", timeout=PATIENCE)
    ana.tap("1335")
    expect(page.locator(".odds .chart")).to_be_visible(timeout=PATIENCE)
    inspector.look("attack")
    page.keyboard.press("Escape")
    for tab in ("log", "chat", "forces", "tables", "charts", "notes", "about"):
        ana.press(ana.key(tab))
        inspector.look(tab, "aside")
    page.locator(".board-view").focus()
    page.keyboard.press("d")
    expect(page.locator("#sketch button").first).to_be_visible(timeout=PATIENCE)
    inspector.look("drawing", "#sketch")
    page.keyboard.press("d")
    page.keyboard.press("f")
    expect(page.locator(".find-pop")).to_be_visible(timeout=PATIENCE)
    page.keyboard.type("Corr")
    expect(page.locator(".find-pop button").first).to_be_visible()
    inspector.look("find", ".find-pop")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(page.locator("#textview h2")).to_be_visible()
    inspector.look("words", "#textview")

    page.goto(f"{ana.url}/replay")
    steps.ready(ana)
    inspector.look("replay")
    ana.context.close()
    assert inspector.found == {}
    assert ana.faults == []


@pytest.mark.long
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_pages_of_those_who_look_after_the_site_keep_to_them(
    browser: Browser, live_server: LiveServer, device: dict[str, Any]
) -> None:
    ana = steps.sign_up(browser, live_server, "Ana", {**device, "reduced_motion": "reduce"})
    game, bea = ana.create("both"), steps.sign_up(browser, live_server, "Bea", device)
    with psycopg.connect(live_server.settings.database_url.replace("+psycopg", "")) as database:
        database.execute("update users set is_admin = true where name = 'Bea'")
    page, inspector = bea.page, Inspector(bea)
    for path in ("", "/games?check=true", f"/games/{game}?check=true", "/jobs", "/audit"):
        page.goto(f"{live_server.url}/admin{path}")
        inspector.look(path)

    page.goto(f"{live_server.url}/admin/games/{game}")
    page.fill("#patch-reason", "a unit on the wrong hex")
    page.get_by_role("button", name="Open the position").click()
    page.fill("#merge", '{"mendoza": "crushed"}')
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("button", name="Change the position")).to_be_visible()
    inspector.look("patch")

    page.goto(f"{live_server.url}{PREFIX}/users/list")
    inspector.look("table")
    page.get_by_role("button", name="Filters").click()
    inspector.look("filters of a table")
    page.goto(f"{live_server.url}{PREFIX}/users/detail?pk=1")
    inspector.look("row of a table")
    for player in (ana, bea):
        player.context.close()
    assert inspector.found == {}
