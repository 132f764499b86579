"""Everything has its place on the page: no lit space and no button lies under a panel, in the scenes of the gallery and
in every size; cards and buttons stay where they are; the map keeps its height; a battle stays until one goes on."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from gallery.run import SIZES, opened
from gallery.scenes import ROOMS, Room, World
from gallery.server import Server
from gallery.table import Table, _first
from tests.browser.conftest import LiveServer
from tests.browser.steps import CENTRE, PATIENCE, PHONE, Player
from tests.browser.war import FOOT, both_seats, open_page

PARTS = 2  # of the scenes, for each size
QUICK = ("reach", "attack", "line-of-battle")  # the others take minutes
LIT = "() => [...document.querySelectorAll('#textview [data-key^=now-]')].map((el) => el.dataset.key.slice(4))"
# Buttons of the page that something else lies over, in the middle of what is seen of them.
COVERED = """() => {
    const faults = []
    for (const el of document.querySelectorAll('.game-page :is(button, select, input, a)')) {
        const shown = el.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        const pane = el.closest('.pane') // one that is all but drawn in is not read now: its tab opens it
        if (!shown || el.closest('dialog, [popover]') || pane && pane.clientHeight < 120) continue
        el.scrollIntoView({ block: 'center', inline: 'nearest' })
        const r = el.getBoundingClientRect()
        const over = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)
        if (over?.closest('dialog, [popover]')) continue // what the reader has opened over the page goes with a tap
        if (!over || !(el.contains(over) || over.contains(el) && over.closest('label')))
            faults.push(`${el.dataset.key ?? (el.id || el.textContent)} at ${Math.round(r.x)}, ${Math.round(r.y)}:` +
                        ` ${over?.className ?? 'beyond the window'}`)
    }
    return faults
}"""
# Of lit spaces: which are seen, and which lie under something, by its class.
SEEN = """(points) => {
    const { left, top, right, bottom } = document.querySelector('.board-view').getBoundingClientRect()
    const out = {}
    for (const [loc, [x, y]] of Object.entries(points)) {
        if (x < left || y < top || x > right || y > bottom) continue
        const over = document.elementFromPoint(x, y)
        const open = over.closest('#battle') ? 'battle' : (over.closest('.zoom, .minimap') ?? over).className
        out[loc] = over.closest('.board-view') ? '' : open
    }
    return out
}"""


# The odds as a ratio and the chart of each face, with no scrolling between them.
TOGETHER = """() => {
    document.querySelector('.odds .chart').scrollIntoView({ block: 'end' })
    return [...document.querySelectorAll('.odds :is(.ratio, .chart)')].every((el) => {
        const { x, width, top, bottom } = el.getBoundingClientRect()
        return [top + 2, bottom - 2].every((y) => document.elementFromPoint(x + width / 2, y)?.closest('.odds'))
    })
}"""

# What of a phone's strip of counters is out of sight: above the sheet's head, or beyond the strip's own foot.
CUT = """() => {
    const strip = document.querySelector('.tray:not(.dock) > ul')
    if (!strip?.checkVisibility() || !matchMedia('(max-width: 900px)').matches) return 0
    const column = strip.closest('.column').getBoundingClientRect()
    const { top, bottom } = strip.getBoundingClientRect()
    return Math.max(0, column.top - top, bottom - column.bottom, strip.scrollHeight - strip.clientHeight)
}"""


@pytest.fixture
def world(browser: Browser, live_server: LiveServer) -> World:
    return World(browser, Server(live_server.url, "", ""), "en")


def lit(page: Page) -> list[str]:
    """Spaces that can be tapped, as the position in words lists them."""
    page.keyboard.press("t")
    page.locator("#textview section").first.wait_for()
    found: list[str] = page.evaluate(LIT)
    page.keyboard.press("t")
    return found


def uncovered(world: World, name: str, size: str) -> None:
    scene = ROOMS[name]
    assert isinstance(scene, Room)
    with opened(world, scene.who, size, "light") as page:
        page.emulate_media(reduced_motion="reduce")
        scene.show(world, page)
        page.wait_for_timeout(300)
        if page.locator("#textview").is_hidden() and page.locator("#player").is_hidden():
            spaces(page, name, size)
        assert page.evaluate(CUT) <= 1, f"{name}, {size}: the strip of counters is cut"
        if page.locator("#pane-odds .chart").is_visible():
            if size == "360x740" and not page.evaluate(TOGETHER):
                draw_up(page)
            assert page.evaluate(TOGETHER), (name, size)
        assert page.evaluate(COVERED) == [], (name, size)


def draw_up(page: Page) -> None:
    """The sheet of a small phone, by its head."""
    head = page.locator("#tabs").bounding_box()
    assert head
    page.mouse.move(head["x"] + 40, head["y"] + 10)
    page.mouse.down()
    page.mouse.move(head["x"] + 40, head["y"] - 60, steps=4)
    page.mouse.up()
    expect(page.locator("#main")).to_have_attribute("data-sheet", "high")
    page.wait_for_timeout(300)


def spaces(page: Page, name: str, size: str) -> None:
    locs = lit(page)
    page.wait_for_timeout(300)
    seen = page.evaluate(SEEN, {loc: page.evaluate(CENTRE, loc) for loc in locs})
    if "battle" in seen.values():  # each has its button below; the board makes room for the map at a press
        assert page.locator("#prompt button").count() >= list(seen.values()).count("battle")
        page.locator('[data-key="battle-fold"]').click()
        page.wait_for_timeout(300)
        seen = page.evaluate(SEEN, {loc: page.evaluate(CENTRE, loc) for loc in locs})
    assert {loc: under for loc, under in seen.items() if under not in ("", "zoom", "minimap")} == {}, (name, size)
    assert not locs or "" in seen.values(), f"{name}, {size}: nothing that can be done is in sight"
    player = Player(page, page.context, page.url)
    for loc in [loc for loc, under in seen.items() if under][:2]:  # what the tools of the map cover can be drawn clear
        player.bring(loc)


@pytest.mark.parametrize("size", ["390x844", pytest.param("1280x800", marks=pytest.mark.long)])
def test_nothing_lies_over_what_must_be_tapped(world: World, size: str) -> None:
    for name in QUICK:
        uncovered(world, name, size)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("size", SIZES)
def test_nothing_lies_over_what_must_be_tapped_in_any_scene(world: World, size: str, part: int) -> None:
    faults = []
    for name in [name for name, scene in ROOMS.items() if isinstance(scene, Room)][part::PARTS]:
        try:
            uncovered(world, name, size)
        except AssertionError as fault:  # the other scenes are looked at too
            faults.append(str(fault))
    assert not faults, "\n".join(faults)


# -- cards, buttons and map stay where they are -----------------------------------------------------------

COUNT_DICE = """() => {
    globalThis.dice = 0
    const thrown = (m) => [...m.addedNodes].filter((n) => n.querySelector?.(".thrown")).length
    const count = (all) => all.forEach((m) => { dice += thrown(m) })
    new MutationObserver(count).observe(document.querySelector('.board-sheet'), { childList: true, subtree: true })
}"""
BOX = "(el) => { const r = el.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round) }"


def box(player: Player, selector: str) -> list[int]:
    """Where something is drawn, once it is."""
    found: list[int] = [0]
    while not any(found):
        expect(player.page.locator(selector).first).to_be_visible(timeout=PATIENCE)
        found = player.page.locator(selector).first.evaluate(BOX)
    return found


@pytest.fixture(params=[{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["desk", "phone"])
def mover(browser: Browser, live_server: LiveServer, request: pytest.FixtureRequest) -> Iterator[Player]:
    """One person at both seats, Paraguay on turn."""
    player = both_seats(browser, live_server, {**request.param, "reduced_motion": "reduce"})
    yield player
    assert player.faults == []
    player.context.close()


def test_cards_buttons_and_map_keep_their_places(mover: Player) -> None:
    page = open_page(mover)
    end, tray, board = '#prompt [data-key="option-end-end"]', "#tray .tray", ".board-view"
    cancel, go = '#prompt [data-key="cancel"]', '#prompt [data-key="go"]'
    places = {"end": box(mover, end), "map": box(mover, board)}

    # a stack is opened, its choice changed, a goal taken: card, buttons and map stay
    mover.tap("1434")
    expect(page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator('#tray [data-key="foretold"]')).to_be_visible(timeout=PATIENCE)
    first = f'[data-key="unit-{FOOT[0]}"]'
    places |= {"tray": box(mover, tray), "cancel": box(mover, cancel), "first": box(mover, first)}
    for unit in FOOT[:2]:
        mover.press(mover.key(f"unit-{unit}"))
        expect(mover.key(f"unit-{unit}")).not_to_be_checked(timeout=PATIENCE)
    page.wait_for_timeout(200)
    mover.press(mover.key("select-none"))
    mover.press(mover.key(f"unit-{FOOT[0]}"))
    expect(page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)
    assert box(mover, tray) == places["tray"]
    assert box(mover, first) == places["first"]
    before = mover.still("1434")
    mover.tap("1435")
    expect(mover.key("go")).to_be_enabled(timeout=PATIENCE)
    places["go"] = box(mover, go)
    assert (box(mover, end), box(mover, cancel), box(mover, board)) == (places["end"], places["cancel"], places["map"])
    assert mover.still("1434") == before, "stacks do not move on the screen"
    mover.go()
    mover.until(lambda: mover.view().get("space:1435", {}).get("count") == 1)

    # the phase is ended: asked at the same places, none of them where the end was pressed
    mover.press(mover.key("option-end-end"))
    expect(mover.key("cancel")).to_be_visible()
    assert (box(mover, cancel), box(mover, go), box(mover, board)) == (places["cancel"], places["go"], places["map"])
    assert places["go"] != places["end"]
    mover.go()
    mover.asked("combat")
    expect(page.locator("#prompt")).not_to_have_class(re.compile("busy"), timeout=PATIENCE)
    assert box(mover, board) == places["map"]

    # a game that is over shows nothing that runs
    assert page.locator(".steps .now").count() == 1
    assert mover.context.request.post(f"{mover.api}/resign?seat={mover.seat}", data={}).ok
    expect(page.locator("#prompt")).to_contain_text("resigned", timeout=PATIENCE)
    for stale in (".steps .now", ".player.active", ".clock", '[data-key="since"]'):
        expect(page.locator(stale)).to_have_count(0)


def test_an_empty_space_tells_what_it_is_and_no_frame_stays(mover: Player) -> None:
    page = open_page(mover)
    mover.tap("1436")
    expect(page.locator("#tray .ground").last).to_contain_text("Itapirú (1434)", timeout=PATIENCE)
    expect(page.locator("#tray header")).to_contain_text("clear")
    frame = "() => getComputedStyle(document.querySelector('.board-view'), '::after').content"
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(frame) == "none"
    mover.tap("1434")
    expect(page.locator("#tray h2")).to_have_text("Itapirú (1434)", timeout=PATIENCE)
    mover.tap("2622")  # out of reach, and no longer once the choice is dropped
    expect(page.locator("#tray h2")).to_have_text("Curuguaty (2622)", timeout=PATIENCE)


# -- what is over before it is seen -----------------------------------------------------------------------


@pytest.mark.long
def test_dice_fall_on_the_map_and_a_battle_can_be_seen_again(browser: Browser, live_server: LiveServer) -> None:
    """Bartolomé looks on while both fight through the API."""
    world = World(browser, Server(live_server.url, "", ""), "en")
    table: Table = world.table
    game = table.battle
    with opened(world, "Bartolomé", "1280x800", "light") as page:
        page.set_default_timeout(PATIENCE)
        page.goto(f"{live_server.url}/games/{game}")
        expect(page.locator("#main")).to_have_attribute("data-ready", "yes", timeout=PATIENCE)
        expect(page.locator("#battle")).to_be_visible()
        page.evaluate(COUNT_DICE)
        here = f"{live_server.url}/api/games/{game}/view"
        for n in range(40):  # another round or two, then back
            if "battle" not in table.people["allied"].get(here).json()["view"]["fragments"]:
                break
            seat, request = table._request(game)
            form = request["forms"][0]
            back = {"form": form["form"], "option": form["options"][-1]["id"]} if form["form"] == "retreat" else None
            table._answer(game, seat, back if back and n > 3 else _first(request))
        go = page.locator('#prompt [data-key="go"]')
        expect(go).to_have_text("Continue", timeout=PATIENCE)
        expect(page.locator("#prompt")).to_contain_text("the battle is over")
        expect(page.locator("#battle .shots li").first).to_be_visible()
        assert page.locator(".choice-area").count() == 0, "the next question waits"
        assert page.evaluate("dice") > 0
        go.click()
        expect(page.locator("#battle")).to_be_hidden()
        page.wait_for_function("!document.querySelector('.thrown')")

        # it can be seen again
        page.locator(".board-view").focus()
        page.keyboard.press("l")
        expect(page.locator("#battle .shots li").first).to_be_visible()
        go.click()
        expect(page.locator("#battle")).to_be_hidden()
