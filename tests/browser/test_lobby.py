"""The lobby in a real browser: without JavaScript, and with it under the strict policy."""

import re

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import LiveServer
from tests.conftest import PASSWORD


def sign_up(page: Page, server: LiveServer, name: str, to: str = "/") -> None:
    page.goto(f"{server.url}/sign-up?next={to}")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.click("main button.go")
    page.wait_for_url(server.url + to)


def test_a_link_brings_two_together_and_the_waiting_page_goes_on_by_itself(
    context: BrowserContext, browser: Browser, live_server: LiveServer
) -> None:
    ana = context.new_page()
    complaints: list[str] = []
    ana.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    sign_up(ana, live_server, "Ana", "/games/new")
    expect(ana.get_by_label("The computer", exact=False).first).to_be_checked()  # she has not played yet
    expect(ana.get_by_role("group", name="Its play")).to_be_visible()
    expect(ana.get_by_role("group", name="Who may join")).to_be_hidden()
    ana.get_by_label("Another person").check()
    expect(ana.get_by_role("group", name="Its play")).to_be_hidden()
    readings = ana.get_by_role("group", name="Force that meets the Matto Grosso invasion")
    expect(readings).to_be_hidden()
    ana.get_by_text("Readings and taking back").click()
    expect(readings.get_by_role("link", name="§8.2")).to_be_visible()
    ana.get_by_role("button", name="Create the game").click()
    link = ana.get_by_label("Link for the opponent").input_value()
    ana.get_by_role("button", name="Copy the link").wait_for()
    assert complaints == []

    other = browser.new_context(locale="es-PY", java_script_enabled=False)
    bea = other.new_page()
    bea.goto(link)
    bea.get_by_role("main").get_by_role("link", name="Registrarse").click()
    bea.fill("#name", "Bea")
    bea.fill("#password", PASSWORD)
    bea.click("main button.go")
    assert bea.url == link
    bea.get_by_role("button", name=re.compile("Jugar con")).click()
    game = link.partition("/join")[0]
    assert bea.url == game
    ana.wait_for_url(game)
    other.close()


def test_colours_and_language_change_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    plain = browser.new_context(java_script_enabled=False, color_scheme="dark")
    page = plain.new_page()
    page.goto(f"{live_server.url}/about")
    ground = page.locator("html")
    expect(ground).to_have_css("background-color", "rgb(19, 23, 25)")
    page.get_by_role("button", name="Light").click()
    expect(ground).to_have_css("background-color", "rgb(228, 219, 197)")
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Acerca de Mariscal")
    assert page.url == f"{live_server.url}/about"
    plain.close()


def test_nothing_is_wider_than_a_phone(browser: Browser, live_server: LiveServer) -> None:
    phone = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = phone.new_page()
    sign_up(page, live_server, "Ana")
    for path in ("/", "/games/new", "/account", "/about", "/players/Ana", "/sign-in", "/nowhere"):
        page.goto(live_server.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, path
    phone.close()
