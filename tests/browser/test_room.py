"""The map room: ways to say one thing, drawing for oneself, replay and figures, and what the first view weighs."""

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.page import EARLIER, WATCH
from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, PHONE, Player
from tests.browser.war import both_seats, fight, fold, open_page, record, seal

RIDER = "PY-CAV-23"  # alone in 2622
BENT = ["2622", "2521", "2422"]  # the shortest way leads over 2522
# What is drawn, by space: the number on a stack and the symbols in it.
STACKS = """(all) => Object.fromEntries(all.map((stack) => [stack.dataset.at, [
    stack.querySelector('.stack-count text')?.textContent,
    [...stack.querySelectorAll('use')].map((use) => use.getAttribute('href'))]]))"""
LARGEST_CODE, MOST_REQUESTS = 90_000, 2  # the limit is 100; what is above 90 should begin after the view is shown


@pytest.fixture
def war(browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """One person at both seats; the suggested set-ups are done and Paraguay moves."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, number, sides: (3 * number + 1) % sides)
    player = both_seats(browser, live_server)
    yield player
    assert player.faults == []
    player.context.close()


# -- one path, four ways ------------------------------------------------------------------------------


def last_move(player: Player) -> Any:
    """The answer given last, once it is there; then it is taken back."""
    player.until(lambda: player.view().get(f"space:{BENT[-1]}", {}).get("count") == 1)
    whole = player.context.request.get(f"{player.api}/export").json()
    answer = [e for e in whole["entries"] if e["kind"] == "answer" and not e["retracted"]][-1]
    player.post("/take-back", {"to": answer["seq"]})
    expect(player.stack(BENT[0])).to_have_count(1, timeout=PATIENCE)
    expect(player.key("go")).to_have_count(0)
    return answer["answer"]


def bend(player: Player) -> None:
    player.press(player.key("bend"))
    player.tap(BENT[1])
    expect(player.page.locator(".b-steps .step")).to_have_count(2, timeout=PATIENCE)
    player.go()


def by_mouse(player: Player) -> None:
    player.tap(BENT[0])
    expect(player.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    player.tap(BENT[2])
    bend(player)


def by_dragging(player: Player) -> None:
    page = player.page
    page.mouse.move(*player.still(BENT[0]))
    page.mouse.down()
    for loc in BENT[1:]:
        page.mouse.move(*player.still(loc), steps=4)
    page.mouse.up()
    expect(player.key("bend")).to_be_visible(timeout=PATIENCE)
    bend(player)


def by_keys(player: Player) -> None:
    page = player.page
    player.walk(BENT[0])
    page.keyboard.press("Enter")
    expect(page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    for loc, then in ((BENT[2], "b"), (BENT[1], " ")):
        player.walk(loc)
        page.keyboard.press("Enter")
        expect(page.locator(".b-steps .step").first).to_be_visible(timeout=PATIENCE)
        if then == " ":
            expect(page.locator(".b-steps .step")).to_have_count(2, timeout=PATIENCE)
            player.tab_to("go")
        page.keyboard.press(then)


def test_a_bent_path_is_one_answer_by_mouse_drag_keys_and_touch(war: Player, browser: Browser) -> None:
    wanted = {"form": "move", "units": [RIDER], "path": BENT}
    open_page(war)
    for way in (by_mouse, by_dragging, by_keys):
        way(war)
        assert last_move(war) == wanted, way.__name__
    context = browser.new_context(**PHONE, storage_state=war.context.storage_state())
    context.set_default_timeout(PATIENCE)
    phone = Player(context.new_page(), context, war.url, touch=True, seat=war.seat)
    phone.listen(phone.page)
    open_page(phone)
    by_mouse(phone)
    assert last_move(phone) == wanted
    assert phone.faults == []
    context.close()


def test_undo_and_redo_by_keys(war: Player) -> None:
    page = open_page(war)
    by_mouse(war)
    war.until(lambda: "space:2422" in war.view())
    expect(war.key("undo")).to_contain_text("1 unit marches from Curuguaty (2622) to 2422")
    page.keyboard.press("Control+z")
    expect(war.stack("2622")).to_have_count(1, timeout=PATIENCE)
    expect(war.key("redo")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Control+Shift+z")
    expect(war.stack("2422")).to_have_count(1, timeout=PATIENCE)
    war.until(lambda: war.view()["space:2422"]["count"] == 1)
    expect(war.key("redo")).to_have_count(0)


# -- looking ------------------------------------------------------------------------------------------


def test_find_bare_ground_and_reasons(war: Player) -> None:
    page = open_page(war)
    page.keyboard.press("f")
    expect(page.locator(".find-pop input")).to_be_focused(timeout=PATIENCE)
    page.keyboard.type("CURUG")
    expect(page.locator(".find-pop li")).to_have_text(["Curuguaty (2622)"])
    page.keyboard.press("Enter")
    expect(page.locator(".b-cursor .cursor-ring")).to_be_attached()
    box = page.locator(".board-view").bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2
    war.until(lambda: abs(war.still("2622")[0] - middle) < 200)
    counters = page.locator(".counters")
    page.keyboard.down("h")
    expect(counters).to_be_hidden()
    page.keyboard.up("h")
    expect(counters).to_be_visible(timeout=PATIENCE)
    # what can't be done is dull, and says why
    expect(war.stack("1335")).to_have_class(re.compile("dull"))
    expect(war.stack("2622")).not_to_have_class(re.compile("dull"))
    page.keyboard.press("Enter")
    expect(page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    war.tap("2625")
    expect(page.locator(".tray .why")).to_contain_text("This costs 6 points")


def test_plans_are_the_seats_own_and_survive_a_reload(war: Player) -> None:
    page = open_page(war)
    page.keyboard.press("d")
    expect(page.locator("#sketch")).to_be_visible(timeout=PATIENCE)
    for loc in ("2622", "2521", "2422", "2422"):
        war.tap(loc)
    war.press(war.key("sketch-ring"))
    war.tap("2520")
    war.press(war.key("sketch-note"))
    war.tap("2720")
    expect(page.locator("dialog input")).to_be_focused(timeout=PATIENCE)
    page.keyboard.type("Hold <b>this</b>")
    page.keyboard.press("Enter")
    war.press(war.key("sketch-done"))
    kept = {"arrows": [["2622", "2521", "2422"]], "rings": ["2520"], "notes": {"2720": "Hold <b>this</b>"}}
    war.until(lambda: war.get("/plans") == kept)
    open_page(war)
    expect(page.locator(".plan-arrow")).to_have_count(1, timeout=PATIENCE)
    expect(page.locator(".plan-ring")).to_have_count(1)
    expect(page.locator(".plan-note text")).to_have_text("Hold <b>this</b>")
    # at one screen the other player sits down, and sees nothing of it
    for form in ("end", "no_attack", "no_attack", "no_attack"):
        if (asked := war.get("/view")["request"])["mine"] and form in [f["form"] for f in asked["forms"]]:
            option = next(f for f in asked["forms"] if f["form"] == form)["options"][0]["id"]
            war.answer({"form": form, "option": option})
    page.locator("dialog.curtain button.go").click()
    expect(page.locator(".plan-ring")).to_have_count(0, timeout=PATIENCE)
    war.seat = "allied"
    assert war.get("/plans") == {"arrows": [], "rings": [], "notes": {}}


# -- replay and figures -------------------------------------------------------------------------------


def nearer(page: Page) -> None:
    """So near that stacks are no longer blocks with a number."""
    for _ in range(8):
        page.keyboard.press("+")
        page.wait_for_timeout(100)
    expect(page.locator(".counters .stack.far")).to_have_count(0)


def test_a_link_to_a_moment_shows_its_position_and_its_picture(war: Player) -> None:
    fight(war, war)
    war.seat = ""  # one who plays both sides sees all
    entries = record(war)
    moments = [e["seq"] for e in entries for s in e["steps"] if s["event"] in ("marched", "combat_lost")]
    assert len(moments) > 1
    for moment in (moments[0], moments[-1]):
        page = open_page(war, f"/replay#seq={moment}")
        shown = {k.removeprefix("space:"): s for k, s in fold(entries, moment).items() if k.startswith("space:")}
        standing = sorted(loc for loc, space in shown.items() if space.get("count"))
        expect(page.locator(".counters > [data-at]")).to_have_count(len(standing), timeout=PATIENCE)
        nearer(page)
        drawn = page.locator(".counters > [data-at]").evaluate_all(STACKS)
        assert sorted(drawn) == standing
        for loc in standing:
            count, faces = drawn[loc]
            assert int(count or 1) == shown[loc]["count"], loc
            assert f"#c-{shown[loc]['units'][0]['id']}" in faces, loc
        assert page.url.endswith(f"#seq={moment}")
        picture = war.context.request.get(f"{war.url}/still.svg?seq={moment}&theme=dark")
        assert picture.headers["content-type"] == "image/svg+xml"
        tops = [shown[loc]["units"][0]["id"] for loc in standing if shown[loc].get("units")]
        assert all(f'href="#c-{top}"' in picture.text() for top in tops)
        page.goto("about:blank")
    page = open_page(war, f"/replay#seq={moments[-1]}")
    war.press(war.key("picture"))
    with page.expect_download(timeout=2 * PATIENCE) as download:
        war.press(war.key("picture-png"))
    assert download.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_charts_and_dice_are_the_records(war: Player) -> None:
    fight(war, war)
    war.seat = ""
    entries = record(war)
    last = fold(entries)
    page = open_page(war, "/replay")
    page.locator('#tabs [data-key="charts"]').click()

    def figure(name: str) -> Any:
        return page.locator(f'[data-figure="{name}"]')

    for seat in ("paraguay", "allied"):
        standing = sum(s.get("count", 0) for k, s in last.items() if k.startswith("space:") and s.get("side") == seat)
        lost = sum(len(p["units"]) for k, p in last.items() if k.startswith("pool:dead") and p["side"] == seat)
        expect(figure(f"strength-{seat}")).to_have_text(str(standing), timeout=PATIENCE)
        expect(figure(f"lost-{seat}")).to_have_text(str(lost))
    rolls = [(e["dice"], s) for e in entries if e["dice"] for s in e["steps"] if "roll" in s["data"]]
    ((die, step),) = rolls
    assert die == {"low": 0, "high": 9, "n": 1}
    faces = step["data"]["odds"]["faces"]
    (face,) = [f for f in faces if f["roll"] == step["data"]["roll"]]
    mean = sum(f["defender"] for f in faces) / len(faces)
    row = figure("fights-paraguay").locator("td")
    expect(row.nth(1)).to_have_text("1")
    expect(row.nth(2)).to_have_text(re.compile(rf"^{face['defender']} {mean:.1f}".removesuffix(".0")))
    dice = figure("dice-paraguay")
    bars = ["1" if face == step["data"]["roll"] else "0" for face in range(10)]
    expect(dice.locator("text.v")).to_have_text(bars)
    expect(dice.locator("text.die")).to_have_text([str(face) for face in range(10)])
    expect(dice.locator("h3")).to_contain_text("d10")
    expect(figure("dice-allied")).to_have_count(0)


def test_the_log_says_what_was_answered_for_a_player(war: Player) -> None:
    fight(war, war)
    war.seat = ""
    forced = [e["seq"] for e in record(war) if e["forced"] and e["steps"]]
    assert forced
    page = open_page(war)
    line = page.locator(f'.entry[data-seq="{forced[0]}"]').last
    expect(line).to_contain_text("The only legal answer", timeout=PATIENCE)


# -- weight, and the app --------------------------------------------------------------------------------


def weigh(player: Player) -> None:
    """What the page loads before it shows the game."""
    page = player.page
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))
    page.add_init_script(WATCH)
    open_page(player)
    seen = list(answers)
    earlier = page.evaluate(EARLIER)
    code = [a for a in seen if a.request.resource_type in ("script", "stylesheet") and a.ok and a.url in earlier]
    paths = [re.sub(r"\?.*", "", name.removeprefix(player.site)) for name in earlier]
    asked = [p for p in paths if p.startswith(("/api/", "/sheet/", "/texts/"))]
    assert len(asked) <= MOST_REQUESTS, asked
    packed = sum(len(gzip.compress(a.body(), 6, mtime=0)) for a in code)
    assert packed <= LARGEST_CODE, {a.url.rpartition("/")[2]: len(a.body()) for a in code}
    kept = [a for a in seen if a.url.startswith((f"{player.site}/static/", f"{player.site}/sheet/"))]
    assert all("immutable" in a.headers["cache-control"] for a in kept)
    packed_files = [a for a in code if a.headers.get("content-encoding") == "gzip"]
    assert len(packed_files) == len(code)
    preloaded = page.locator("link[rel=modulepreload]").evaluate_all("(all) => all.map((link) => link.href)")
    assert {a.url for a in code if a.url in preloaded} == set(preloaded)


def test_the_first_view_is_light(war: Player) -> None:
    weigh(war)


def test_the_first_view_of_a_point_map_with_cards_is_light(browser: Browser, live_server: LiveServer) -> None:
    player = steps.sign_up(browser, live_server, "Ana", DESKTOP)
    player.url = f"{live_server.url}/games/{player.create('both', title='ultimo_hombre', seat='allied')}"
    seal((player, "paraguayan"), (player, "allied"))
    player.seat = "allied"
    player.answer({"form": "end_transport", "option": "end"})
    weigh(player)  # units and leaders to be moved
    assert player.faults == []
    player.context.close()


def test_the_site_is_an_app_with_a_page_for_no_connection(war: Player) -> None:
    page = open_page(war)
    manifest = json.loads(war.context.request.get(f"{war.site}/manifest.webmanifest").text())
    for icon in manifest["icons"]:
        assert war.context.request.get(f"{war.site}{icon['src']}").ok
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    kept = page.evaluate("""async () => {
        const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
        const requests = (await Promise.all(stores.map((store) => store.keys()))).flat()
        return requests.map((request) => new URL(request.url).pathname)
    }""")
    assert "/offline" in kept
    assert not [path for path in kept if path.startswith(("/api/", "/games/", "/sheet/"))]
    page.wait_for_load_state("networkidle")  # what is loaded after the first view has come
    war.context.set_offline(True)
    page.goto(f"{war.site}/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    war.context.set_offline(False)
