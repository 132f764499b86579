"""The admin library's pages work under their policy: none of their scripts is kept from running, nor any other run."""

import re

import psycopg
from playwright.sync_api import Page, expect

from app.tables import PREFIX
from tests.browser.conftest import LiveServer
from tests.browser.test_lobby import sign_up

MANY = "insert into users (name, name_key) select 'Player ' || n, 'player' || n from generate_series(1, 60) n"


def test_an_admin_reads_the_tables(page: Page, live_server: LiveServer) -> None:
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", lambda answer: complaints.append(answer.url) if answer.status >= 400 else None)
    sign_up(page, live_server, "Ana")
    with psycopg.connect(live_server.settings.database_url.replace("+psycopg", "")) as database:
        database.execute("update users set is_admin = true")
        database.execute(MANY)
    page.goto(f"{live_server.url}/admin")
    page.get_by_role("link", name="Tables").click()
    page.wait_for_url(re.compile("/users/list"))
    expect(page.locator("tbody tr")).to_have_count(25)

    page.locator("select[onchange]").select_option("50")
    expect(page.locator("tbody tr")).to_have_count(50)

    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Theme").uncheck()
    page.locator("[onclick]").click()
    expect(page.get_by_role("columnheader", name="Theme")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Language")).to_be_visible()

    page.get_by_text("Export", exact=True).first.click()
    with page.expect_download() as saved:
        page.locator(".modal.show").get_by_text("Export", exact=True).click()
    assert len(saved.value.path().read_text().splitlines()) == 51

    page.goto(f"{live_server.url}{PREFIX}/users/list")
    page.get_by_role("button", name="Filters").click()
    page.locator(".dropdown-menu.show select").nth(1).select_option("name")
    page.get_by_role("textbox", name="Value", exact=True).fill("Player 7")
    page.get_by_role("button", name="Apply filters").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("cell", name="Player 7").click()
    page.wait_for_url(re.compile("/users/detail"))

    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=data:, onerror=\"window.ran = 1\">')")
    page.wait_for_timeout(300)
    assert not page.evaluate("'ran' in window")
    blocked = [one for one in complaints if "Content Security Policy" in one]
    assert len(blocked) == 1, "only what the test put there"
    assert complaints == blocked
