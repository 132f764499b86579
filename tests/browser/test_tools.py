"""The tools of forms on a page of their own: those the house has since the titles after the second, and one of a kind
that is made here."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import Response
from playwright.sync_api import Page

from tests.browser.bare import listening

PAGE = """<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>tools</title>
<link rel="stylesheet" href="/static/css/site.css"><link rel="stylesheet" href="/static/css/game.css">
<body class="game-page"><div id="bar"></div><div id="tray"></div><script type="module" src="/page.js"></script></body>
</html>"""
SCRIPT = """
import { Marks } from '/static/js/game/marks.js'
import { loadTools, makeTool } from '/static/js/game/tools.js'
import { fill, h } from '/static/js/game/dom.js'
const sent = [], asked = [], toasts = []
let reach = null, tool = null
const same = (id) => id, fine = { ok: true, problems: [], effect: {} }
const t = (key, args = {}) => [key, ...Object.values(args)].join(' ')
const ctx = {
  texts: { t, say: (l) => t(l.key, l.args), has: () => false, unit: same, place: same, placeName: same,
    names: { places: new Map() }, numbers: new Intl.NumberFormat('en') },
  units: {}, store: { fragments: {}, request: { seat: 'left' }, space: () => null, kind: () => [] },
  around: () => [], mini: () => document.createElement('span'), clause: () => null,
  reach: async (question) => (asked.push(question), reach), preview: async () => fine,
  board: { show() {}, measure() {}, seen: () => true }, keep() {}, submit: (answer) => sent.push(answer),
  toast: (text) => toasts.push(text),
  say: (message) => toasts.push(message.key), showOdds() {}, focus() {},
  redraw() {
    if (!tool) return
    const said = tool.prompt()
    fill(document.getElementById('bar'), h('p', {}, said?.hint ?? ''), said?.acts ?? [])
    fill(document.getElementById('tray'), tool.tray()?.node)
  },
}
Object.assign(window, {
  sent, asked, toasts,
  async open(form, found = null) {
    reach = found
    await loadTools({ forms: [form] })
    tool = window.tool = makeTool(ctx, form)
    ctx.redraw()
  },
  marks() { const marks = new Marks(); tool.paint(marks); return { choices: marks.choices, targets: marks.targets,
    reach: marks.reach, path: marks.path.map((s) => s.at) } },
})
document.documentElement.dataset.ready = 'yes'
"""
RANK = """
import { h } from '/static/js/game/dom.js'
import { Tool } from '/static/js/game/tool.js'
export default class RankTool extends Tool {
  order = []
  answer() { return { form: this.form.form, order: this.order } }
  prompt() {
    return { title: null, acts: [this.go('rank', this.order.length === this.form.names.length)] }
  }
  tray() {
    return this.dock('rank', {}, this.counters(this.form.names, (id) => ({ on: this.order.includes(id), act: () => {
      this.order.push(id); this.ctx.redraw() } })))
  }
}
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A page with nothing but a tool, at a site that has one tool more."""
    script = "text/javascript"
    with listening({
        "/": Response(PAGE, media_type="text/html"),
        "/page.js": Response(SCRIPT, media_type=script),
        "/static/js/game/rank_tool.js": Response(RANK, media_type=script),
        "/favicon.ico": Response(status_code=204),
    }) as found:  # fmt: skip
        yield found


Open = Callable[..., Page]


@pytest.fixture
def opened(page: Page, address: str) -> Iterator[Open]:
    """Opens a form on the page; nothing may go wrong in its scripts."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    page.wait_for_selector("html[data-ready]")

    def opened(form: dict[str, Any], reach: Any = None) -> Page:
        page.evaluate("([form, reach]) => open(form, reach)", [form, reach])
        return page

    yield opened
    assert faults == []


def form(kind: str, **fields: Any) -> dict[str, Any]:
    return {"form": f"the_{kind}", "kind": kind, "label": {"key": f"form.{kind}", "args": {}}, "clause": "1", **fields}


def option(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "label": {"key": f"option.{name}", "args": {}}, "clause": "1", "ends": False, **more}


def press(page: Page, key: str) -> None:
    page.locator(f'[data-key="{key}"]').click()


def go_is_ready(page: Page) -> bool:
    return page.locator('[data-key="go"]').is_enabled()


def sent(page: Page) -> Any:
    press(page, "go")
    return page.evaluate("sent.at(-1)")


def test_a_form_of_a_new_kind_needs_its_tool_and_nothing_else(opened: Open) -> None:
    page = opened(form("rank", names=["a", "b"]))
    assert not go_is_ready(page)
    press(page, "unit-b")
    press(page, "unit-a")
    assert sent(page) == {"form": "the_rank", "order": ["b", "a"]}
    assert page.evaluate("[tool.idle, tool.tap('x'), tool.reason('x'), tool.planned(), tool.places(), tool.leads]") == [
        False, False, None, None, [], False]  # fmt: skip


def test_several_options_are_ticked_or_tapped(opened: Open) -> None:
    options = [option("a", at="A"), option("b"), option("c")]
    page = opened(form("pick", options=options, min=1, max=2))
    assert not go_is_ready(page)
    page.locator('[data-key="pick-b"]').check()
    assert page.evaluate("tool.tap('A')")
    page.locator('[data-key="pick-c"]').click()
    assert page.evaluate("[tool.answer().options, toasts.at(-1)]") == [["a", "b"], "game.pick.full 2"]
    assert sent(page) == {"form": "the_pick", "options": ["a", "b"]}
    assert page.evaluate("marks().choices") == ["A"]
    page.evaluate("tool.restore({options: ['c', 'gone']})")
    assert page.evaluate("tool.answer().options") == ["c"]
    assert page.evaluate("[tool.back(), tool.back()]") == [True, False]


def amount(name: str, least: int, most: int, **more: Any) -> dict[str, Any]:
    return {"id": name, "label": {"key": name, "args": {}}, "at": None, "min": least, "max": most, **more}


def test_numbers_stay_within_their_bounds_their_budget_and_their_sum(opened: Open) -> None:
    gold = {"pool": "gold", "cost": 1}
    amounts = [amount("x", 0, 9, at="A", **{**gold, "cost": 2}), amount("y", 1, 4), amount("z", 0, 9, **gold)]
    page = opened(form("amounts", verb="spend", amounts=amounts, pools={"gold": 5}, min=3, max=6, suggested={"x": 1}))
    assert page.evaluate("tool.answer().amounts") == {"x": 1, "y": 1}
    assert not go_is_ready(page)
    press(page, "more-x")
    assert page.evaluate("tool.answer().amounts.x") == 2
    assert page.locator('[data-key="more-x"]').is_disabled()  # a third would cost six of five
    page.locator('[data-key="amount-z"]').fill("7")
    page.locator('[data-key="amount-z"]').blur()
    assert page.evaluate("[tool.answer().amounts.z, tool.spent().gold]") == [1, 5]
    page.locator('[data-key="amount-y"]').fill("4")
    page.locator('[data-key="amount-y"]').blur()
    assert page.evaluate("[tool.answer().amounts.y, tool.total]") == [3, 6]
    assert sent(page) == {"form": "the_amounts", "amounts": {"x": 2, "y": 3, "z": 1}}
    press(page, "less-z")
    assert page.evaluate("tool.tap('A')")  # it is at its most: the tap begins anew
    assert page.evaluate("tool.answer().amounts") == {"y": 3}
    press(page, "clear")
    assert page.evaluate("tool.answer().amounts") == {"y": 1}
    assert not go_is_ready(page)


def test_a_way_is_drawn_space_by_space_or_to_a_far_one(opened: Open) -> None:
    ways = {"A": ["B"], "B": ["A", "C", "D"], "C": ["D"], "D": ["E"], "F": ["D"]}
    page = opened(form("trace", starts=["A", "F"], goals=["E"], ways=ways, max=5, suggested=[]))
    assert page.evaluate("marks().choices") == ["A", "F"]
    assert page.evaluate("[tool.tap('C'), tool.tap('A'), tool.tap('E')]") == [False, True, True]
    assert page.evaluate("tool.answer().path") == ["A", "B", "D", "E"]
    assert page.evaluate("tool.tap('B')")  # a space of the way cuts it back
    assert page.evaluate("[tool.answer().path, marks().choices, marks().targets]") == [["A", "B"], ["C", "D"], ["E"]]
    assert not go_is_ready(page)
    page.evaluate("[tool.tap('C'), tool.tap('E')]")
    assert sent(page) == {"form": "the_trace", "path": ["A", "B", "C", "D", "E"]}
    assert page.evaluate("[tool.tap('F'), tool.answer().path]") == [True, ["F"]]
    assert page.evaluate("[tool.back(), tool.answer()]") == [True, None]
    page = opened(form("trace", starts=["A"], goals=["E"], ways=ways, max=None, suggested=["A", "B", "D", "E"]))
    assert go_is_ready(page)
    press(page, "clear")
    assert not go_is_ready(page)
    press(page, "suggest")
    assert sent(page)["path"] == ["A", "B", "D", "E"]


REACH = {
    "from": "A@N/line", "left": 3,
    "cost": {"A@N/line": 0, "A@NE/line": 1, "A@N/column": 1, "B@N/line": 2, "B@NE/line": 2, "B@NE/column": 3},
    "via": {"A@NE/line": "A@N/line", "A@N/column": "A@N/line", "B@N/line": "A@N/line", "B@NE/line": "A@NE/line",
            "B@NE/column": "B@NE/line"},
    "blocked": {"A@N/line": {"key": "refusal.here", "clause": "1", "args": {}}},
}  # fmt: skip


def test_a_path_whose_steps_say_how_the_units_stand(opened: Open) -> None:
    page = opened(form("move", stacks={"A": [{"id": "one", "left": 3}]}, still={}, stances=True), REACH)
    page.evaluate("tool.tap('A')")
    page.evaluate("tool.asking")
    assert page.evaluate("[marks().reach.cost, marks().reach.via]") == [{"A": 1, "B": 2}, {"B": "A"}]
    page.evaluate("tool.tap('B')")
    assert page.evaluate("tool.answer().path") == ["A@N/line", "B@N/line"]
    press(page, "facing-NE")
    assert page.evaluate("tool.answer().path") == ["A@N/line", "A@NE/line", "B@NE/line"]
    assert page.evaluate("marks().path") == ["A", "B"]
    press(page, "formation-column")
    assert page.locator('[data-key="facing-NE"]').get_attribute("aria-pressed") == "true"
    assert page.locator('[data-key="facing-N"]').count() == 0
    assert sent(page) == {"form": "the_move", "units": ["one"], "aboard": {},
                          "path": ["A@N/line", "A@NE/line", "B@NE/line", "B@NE/column"]}  # fmt: skip
    page.evaluate("tool.tap('A')")  # to turn where they stand
    assert page.evaluate("tool.answer().path.length") == 2
    press(page, "formation-line")
    assert page.evaluate("tool.answer().path") == ["A@N/line", "A@NE/line"]
    assert page.locator('[data-key="bend"]').count() == 0
    page.evaluate("tool.restore({units: ['one'], path: ['A@N/line', 'A@N/column']})")
    page.evaluate("tool.asking")
    assert page.evaluate("tool.answer().path") == ["A@N/line", "A@N/column"]
