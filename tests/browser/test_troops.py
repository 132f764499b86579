"""Troops on a staff map: formations, facings, counters on two hexes, and what a view lays over the map."""

from collections.abc import Iterator
from math import dist
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.sheet.counters import draw_counters
from app.sheet.drawing import draw_map
from app.sheet.faces import pieces_of
from rules.maps.hexes import FACINGS
from tests.app.test_sheet_relief import STYLE as FIELD
from tests.app.test_sheet_relief import field
from tests.browser.bare import opened, served, until

SCRIPT = """
import { layersMenu } from '/static/js/game/layers.js'
const say = ({ key, args }) => `${key} ${args?.n ?? ''}`.trim()
const board = api.createBoard(element, { ...given, say })
board.setSingleTaps(true)
board.on('tap', ({ loc, unit }) => told.push([loc, unit]))
layersMenu(board, document.getElementById('panel'), { t: (key) => key })
"""
COLOURS = """#panel { position: absolute } .ctr.france { --g: #2A52A0; --k: #fff }
.ctr.russia { --g: #2C6843; --k: #fff } .fourth { --band: #F0C24B }"""
STYLE: dict[str, Any] = {
    **FIELD,
    "nations": {"france": {"emblem": "bars"}, "russia": {"emblem": "sun"}},
    "sides": {"french": {"edge": "corners", "emblem": "bars"}, "allied": {"edge": "keyline", "emblem": "sun"}},
}
FRENCH, ALLIED = {"nation": "france", "side": "french"}, {"nation": "russia", "side": "allied"}


def troop(kind: str, who: dict[str, str], name: str) -> dict[str, Any]:
    figures = {"sp": 8, "fire": "C", "morale": 5}
    return {"face": "formation", "type": kind, **figures, "abbrev": name, "band": "fourth", **who}


UNITS: dict[str, Any] = {
    "line": troop("infantry", FRENCH, "1/36 Ln"), "column": troop("infantry", FRENCH, "2/36 Ln"),
    "square": troop("infantry", FRENCH, "1/4 Ln"), "long": troop("infantry", ALLIED, "6/Kaunitz"),
    "horse": troop("heavy_cavalry", ALLIED, "Eliz Hus"), "guns": troop("foot_artillery", FRENCH, "a/1"),
    "soult": {"face": "leader", "type": "leader", "name": "Soult", "stars": 3, **FRENCH},
}  # fmt: skip


def standing(unit: str, facing: str, formation: str, *on: str, **more: Any) -> dict[str, Any]:
    return {"id": unit, "facing": facing, "formation": formation, **({"on": list(on)} if on else {}), **more}


LONG = standing("long", "E", "line", "N08106", "N08107")
HORSE = standing("horse", "NE", "column", "N06107", "N05107")
FRAGMENTS: dict[str, Any] = {
    "space:N04106": {"side": "french", "count": 1, "units": [standing("line", "W", "line", badges=["moved"])]},
    "space:N04104": {
        "side": "french",
        "count": 3,
        "units": [standing("column", "NE", "column"), standing("guns", "NNE", "unlimbered"), {"id": "soult"}],
    },
    "space:N10109": {"side": "french", "count": 1, "units": [standing("square", "N", "square")]},
    "space:N08106": {"side": "allied", "count": 1, "units": [LONG]},
    "space:N08107": {"side": "allied", "count": 1, "units": [LONG]},
    "space:N06107": {"side": "allied", "count": 1, "units": [HORSE]},
    "space:N05107": {"side": "allied", "count": 1, "units": [HORSE]},
    "layer:zones": {
        "title": {"key": "zones", "args": {}},
        "parts": [{"spaces": ["N09106", "N09107"], "colour": "red", "fill": "hatch", "line": "solid",
                   "text": {"key": "zone", "args": {"n": 3}}}],
    },
    "layer:supply": {
        "title": {"key": "supply", "args": {}},
        "shown": False,
        "parts": [{"path": ["N03108", "N04108", "N05108"], "colour": "blue", "line": "dash", "arrow": True}],
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pieces = pieces_of({"units": UNITS, "figures": {"formation": ["sp", "fire", "morale"]}})
    drawn, symbols = draw_map(field(), STYLE, "en"), draw_counters(pieces, STYLE)
    with served({"map": field(), "units": pieces}, drawn, symbols, SCRIPT, style=COLOURS) as address:
        yield address


@pytest.fixture(scope="module")
def board(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    with opened(page, address, FRAGMENTS, "N06106", 1.3):
        yield page
    page.close()


SHAPES = """(loc) => [...document.querySelectorAll(`.counters [data-at="${loc}"] .troops`)].map((node) => [
    node.querySelector('use').getAttribute('href'), node.querySelector('use').getAttribute('transform'),
    [...node.querySelectorAll('.tr-figures text')].map((text) => text.textContent)])"""


@pytest.mark.parametrize(
    ("loc", "shapes"),
    [
        ("N04106", [["#f-line-infantry", "rotate(270)", ["8", "C", "5"]]]),
        ("N10109", [["#f-square-infantry", None, ["8", "C", "5"]]]),
        ("N08106", [["#f-line-infantry-2", "rotate(90)", ["8", "C", "5"]]]),
        ("N06107", [["#f-column-heavy_cavalry-2", "rotate(60)", ["8", "C", "5"]]]),
        ("N08107", []),  # the other hexes of counters on two
        ("N05107", []),
    ],
)
def test_a_block_is_the_formation_turned_to_its_facing(board: Page, loc: str, shapes: list[Any]) -> None:
    assert board.evaluate(SHAPES, loc) == shapes


def test_a_stack_of_troops_with_its_leader_beside(board: Page) -> None:
    shapes = board.evaluate(SHAPES, "N04104")
    assert [shape for shape, _, _ in shapes] == ["#f-unlimbered-foot_artillery", "#f-column-infantry"]  # bottom first
    assert board.locator('[data-at="N04104"] .beside use[href="#c-soult"]').count() == 1
    assert board.locator('[data-at="N04104"] .stack-count').text_content() == "2"


def test_a_counter_on_two_hexes_lies_over_both(board: Page) -> None:
    across = "(loc) => document.querySelector(`[data-at='${loc}'] use`).getBoundingClientRect().toJSON()"
    box, ends = board.evaluate(across, "N08106"), [board.evaluate("l => board.pointOf(l)", h) for h in LONG["on"]]
    assert all(box["left"] < end["x"] < box["right"] and box["top"] < end["y"] < box["bottom"] for end in ends)


def test_on_its_way_a_block_stays_a_block(board: Page) -> None:
    """Of one that is several steps away."""
    board.evaluate("void board.animateMove(['line'], ['N04106', 'N04107', 'N04108'], 60000)")
    expect(board.locator('.board-ghost use[href="#f-line-infantry"]')).to_have_count(1)
    board.evaluate("document.querySelector('.board-ghost').getAnimations().forEach((way) => way.finish())")
    expect(board.locator(".board-ghost")).to_have_count(0)


def tapped(board: Page, *locs: str) -> list[Any]:
    """What is told of taps on these."""
    board.evaluate("told.length = 0")
    for i, loc in enumerate(locs):
        point = board.evaluate("l => board.pointOf(l)", loc)
        board.mouse.click(point["x"], point["y"])
        until(board, f"told.length > {i}")
    told: list[Any] = board.evaluate("told")
    return told


def test_a_tap_on_either_hex_finds_the_counter(board: Page) -> None:
    """Whether its other hexes list it or not."""
    assert tapped(board, "N08106", "N08107") == [["N08106", "long"]] * 2
    board.evaluate("board.applyFragments({'space:N08107': null})")
    assert tapped(board, "N08107") == [["N08106", "long"]]
    board.evaluate("f => board.applyFragments({'space:N08107': f})", FRAGMENTS["space:N08107"])


def test_a_hex_that_is_offered_is_meant_itself(board: Page) -> None:
    board.evaluate("board.setTargets(['N08107'])")
    assert tapped(board, "N08107", "N08106") == [["N08107", "long"], ["N08106", "long"]]
    board.evaluate("board.setTargets([])")


def test_selecting_it_on_its_other_hex_lifts_it(board: Page) -> None:
    board.evaluate("board.select({N08107: ['long']})")
    expect(board.locator('[data-at="N08106"] .troops.selected')).to_have_count(1)
    board.evaluate("board.select({})")
    expect(board.locator('[data-at="N08106"] .troops.selected')).to_have_count(0)


def test_figures_stay_upright_and_inside_their_block(board: Page) -> None:
    inside = """(loc) => { const block = document.querySelector(`[data-at="${loc}"] use`).getBoundingClientRect()
        return [...document.querySelectorAll(`[data-at="${loc}"] .tr-figures text`)].every((text) => {
            const box = text.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2
            const within = x > block.left && x < block.right && y > block.top && y < block.bottom
            return within && text.getCTM().b === 0 }) }"""
    assert all(board.evaluate(inside, loc) for loc in ("N04106", "N10109", "N08106", "N06107"))


FREE = [f"N{column:02}{row}" for column in (9, 10, 11, 12) for row in (104, 105, 106)]
# Where badges and figures of a block are, in pixels.
MARKED = """async ([loc, formation]) => {
    const block = () => document.querySelector(`.counters [data-at="${loc}"] .troops.${formation}`)
    while (!block()) await new Promise(requestAnimationFrame)
    return ['.badge-use', '.tr-figures text'].map((what) => [...block().querySelectorAll(what)].map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect()
        return [(left + right) / 2, (top + bottom) / 2]
    }))
}"""


def test_badges_hide_no_figure(board: Page) -> None:
    for formation in ("line", "column", "square", "skirmish", "disorder"):
        units = [standing("line", facing, formation, badges=["moved", "spent"]) for facing in FACINGS]
        spots = zip(FREE, units, strict=True)
        stand = {f"space:{loc}": {"side": "french", "count": 1, "units": [unit]} for loc, unit in spots}
        board.evaluate("f => board.applyFragments(f)", stand)
        for loc, facing in zip(FREE, FACINGS, strict=True):
            badges, figures = board.evaluate(MARKED, [loc, formation])
            assert (len(badges), len(figures)) == (2, 3)
            assert min(dist(b, f) for b in badges for f in figures) > 1.3 * 11, (formation, facing)
    board.evaluate("f => board.applyFragments(f)", dict.fromkeys(stand))


def test_from_afar_shape_and_front_are_left(board: Page) -> None:
    board.evaluate("board.focus('N06106', {zoom: 0.5, slowly: false})")
    try:
        seen = """(what) => [...document.querySelectorAll(`[data-at="N04106"] ${what}`)]
            .filter((node) => node.getClientRects().length).length"""
        assert board.evaluate(seen, ".tr-figures text") == 0
        assert board.evaluate(seen, ".tr-name") == 0
        assert board.evaluate(seen, "use") >= 1
    finally:
        board.evaluate("board.focus('N06106', {zoom: 1.3, slowly: false})")


def test_steps_of_a_path_say_where_the_counter_faces(board: Page) -> None:
    board.evaluate("board.setPath(['N04106', 'N05105@NE', 'N06105@NNE/line'], [0, 1, 3])")
    marks = "[...document.querySelectorAll('.step-facing')].map((node) => node.getAttribute('transform'))"
    turns = f"{marks}.map((transform) => transform.split('rotate')[1])"
    assert board.evaluate(turns) == ["(60)", "(30)"]
    assert board.locator(".step-cost").all_text_contents() == ["1", "3"]
    board.evaluate("board.setReach({cost: {'N05105@N': 2, 'N05105@NE': 1, N06105: 4}})")
    board.evaluate("board.setPath([])")
    assert sorted(board.locator(".b-costs .cost").all_text_contents()) == ["1", "4"]
    board.evaluate("board.setReach(null)")


def test_layers_are_drawn_hidden_and_shown(board: Page) -> None:
    names = board.evaluate("board.layers().map(({name, shown}) => [name, shown])")
    assert names == [["zones", True], ["supply", False]]
    expect(board.locator(".b-layers .lay-red.lay-hatch")).to_have_count(1)
    expect(board.locator(".layer-tag text")).to_have_text("zone 3")
    expect(board.locator(".b-layers .lay-way")).to_have_count(0)
    board.evaluate("board.showLayer('supply', true)")
    expect(board.locator(".b-layers .lay-blue.lay-way.lay-dash")).to_have_count(1)
    expect(board.locator(".b-layers .lay-head")).to_have_count(1)
    board.evaluate("board.showLayer('zones', false)")
    expect(board.locator(".b-layers .lay-red")).to_have_count(0)
    board.evaluate("board.applyFragments({'layer:supply': null})")
    expect(board.locator(".b-layers .lay-way")).to_have_count(0)
    assert board.evaluate("board.layers().map(({name}) => name)") == ["zones"]
    board.evaluate("board.showLayer('zones', true)")
    expect(board.locator(".b-layers .lay-red.lay-hatch")).to_have_count(1)


def test_the_map_has_a_menu_of_its_layers(board: Page) -> None:
    board.evaluate("f => board.setFragments(f)", FRAGMENTS)
    board.locator("#layers").click()
    ticks = board.locator("#layers-pop input")
    assert board.locator("#layers-pop label").all_text_contents() == [" zones", " supply"]
    assert [ticks.nth(i).is_checked() for i in (0, 1)] == [True, True]  # supply was shown before
    ticks.nth(0).click()
    expect(board.locator(".b-layers .lay-red")).to_have_count(0)
    assert board.evaluate("JSON.parse(localStorage.getItem('mariscal.layers'))") == {"zones": False}
    board.evaluate("board.setFragments({})")
    expect(board.locator("#layers")).to_be_hidden()
