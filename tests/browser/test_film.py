"""'Since you left' on a phone: three speeds, step by step, stacks opened meanwhile; and of the other side no more than
this seat knows. What was told is found again in the log by its filters."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from tests.browser.conftest import LiveServer
from tests.browser.steps import KEY, PATIENCE, PHONE, Player, units_of
from tests.browser.war import FOOT, fight, open_page, record, two_people

SPEEDS = (2400, 1200, 450)  # ms from step to step
# What waits for a while waits no longer than `most`, and is noted.
HURRY = """() => {
    const wait = setTimeout
    globalThis.waits = []
    globalThis.most = 20
    globalThis.setTimeout = (then, ms = 0, ...more) => {
        waits.push(ms)
        return wait(then, Math.min(ms, most), ...more)
    }
}"""
DRAWN = "(all) => all.map((el) => el.outerHTML).join()"
LEARN = """() => {
    globalThis.captions = []
    new MutationObserver(() => {
        const said = document.querySelector('#player .caption p')?.textContent.trim()
        if (said && said !== captions.at(-1)) captions.push(said)
    }).observe(document.getElementById('player'), { childList: true })
}"""


@pytest.fixture
def back(
    browser: Browser, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Player, Player, dict[str, Any]]]:
    """Ana has looked in and left; then Bea marched, attacked and won ground. With what Ana was sent of all that."""
    monkeypatch.setattr("rules.core.chance.value", lambda _key, number, sides: (3 * number + 1) % sides)
    ana, bea = two_people(browser, live_server, {**PHONE, "reduced_motion": "reduce"})
    page = open_page(ana)
    shelf = f"mariscal.seen.{ana.url.rpartition('/')[2]}.allied"
    page.wait_for_function("(shelf) => localStorage.getItem(shelf)", arg=shelf)
    seen = int(page.evaluate("(shelf) => localStorage.getItem(shelf)", shelf))
    page.goto("about:blank")
    fight(bea, ana)
    open_page(ana)
    entries = [entry for entry in record(ana) if entry["seq"] > seen]
    yield ana, bea, {"steps": [s for e in entries for s in e["steps"] if not only_phase(s)], "all": record(ana)}
    for player in (ana, bea):
        assert player.faults == []
        player.context.close()


def only_phase(step: dict[str, Any]) -> bool:
    """Says no more than the headings do."""
    told = "phase" in step["data"] or step["fragments"].get("turn")
    return bool(told) and set(step["data"]) <= {"phase", "turn"} and all(
        re.match(r"turn$|track$|table:", key) for key in step["fragments"])  # fmt: skip


def long_press(line: CDPSession, x: float, y: float, player: Player) -> None:
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    player.page.wait_for_timeout(600)
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_since_you_left_at_three_speeds_and_by_steps(back: tuple[Player, Player, dict[str, Any]]) -> None:
    ana, bea, told = back
    runs = run_through(ana, len(told["steps"]))
    assert runs[1] == runs[2]  # both from the first step of the game
    assert runs[0] == runs[1][-len(runs[0]) :]
    assert any("1435" in said and "march" in said for said in runs[1])
    assert any("Corrientes" in said and "attack" in said.lower() for said in runs[1])
    by_steps(ana, runs[1])
    answers = len(record(ana))
    open_stacks(ana)
    nothing_more(ana, bea, told["all"])
    assert len(record(ana)) == answers, "none was given meanwhile"
    back_in_the_game(ana)
    filtered(ana, told["all"])


def run_through(ana: Player, length: int) -> list[list[str]]:
    """Offered with the number of steps, and run through at each speed: what was said in each run."""
    page, play = ana.page, ana.key("play")
    expect(ana.key("since")).to_contain_text(str(length), timeout=PATIENCE)
    page.evaluate(LEARN)
    ana.press(ana.key("since"))
    expect(page.locator("#prompt")).to_be_hidden()
    ana.press(play)
    expect(play).to_have_text("Play")
    page.evaluate(HURRY)
    runs: list[list[str]] = []
    for speed, wait in enumerate(SPEEDS):
        ana.press(ana.key(f"speed-{speed}"))
        expect(ana.key(f"speed-{speed}")).to_have_attribute("aria-pressed", "true")
        page.evaluate("() => { waits.length = captions.length = 0 }")
        ana.press(play)
        expect(ana.key("last")).to_be_disabled(timeout=PATIENCE)
        expect(play).to_be_disabled()
        runs.append(page.evaluate("captions"))
        asked = [ms for ms in page.evaluate("waits") if ms in SPEEDS]
        assert len(asked) >= len(runs[-1]) - 2  # none after the last, nor before one that was on its way
        assert set(asked) == {wait}
        ana.press(ana.key("first"))
        expect(ana.key("first")).to_be_disabled()
    return runs


def by_steps(ana: Player, said: list[str]) -> None:
    """Step by step, by hand and by keys, there and back."""
    keys, caption = ana.page.keyboard, ana.page.locator("#player .caption p")
    keys.press(".")
    expect(caption).to_have_text(said[0])
    ana.press(ana.key("step"))
    expect(caption).to_have_text(said[1])
    keys.press(",")
    expect(caption).to_have_text(said[0])
    ana.press(ana.key("back"))
    expect(caption).to_have_text("Press play, or move step by step.")
    ana.press(ana.key("last"))
    expect(caption).to_have_text(said[-1])


def open_stacks(ana: Player) -> None:
    """A stack opens, the film waits; what stood there then is shown, and why nothing can be done."""
    page, keys, tray, play = ana.page, ana.page.keyboard, ana.page.locator("#tray"), ana.key("play")
    ana.press(ana.key("first"))
    page.evaluate("() => { most = Infinity }")
    ana.press(ana.key("speed-0"))
    page.locator("#player").focus()
    keys.press(" ")
    expect(ana.key("play")).to_have_accessible_name("Pause")
    ana.tap("1434")
    expect(play).to_have_text("Play")
    expect(tray.locator(".why")).to_contain_text("As it stood then", timeout=PATIENCE)
    keys.press("Escape")
    expect(tray).to_be_hidden()
    ana.press(ana.key("last"))
    line = page.context.new_cdp_session(page)
    long_press(line, *ana.still("1435"), ana)
    expect(tray.locator("h2")).to_have_text(re.compile("1435"))
    expect(tray.locator(".why")).to_be_visible()
    ana.press(ana.key("back"))  # it stays open while the film goes
    expect(tray.locator("h2")).to_have_text(re.compile("1435"))


def nothing_more(ana: Player, bea: Player, entries: list[dict[str, Any]]) -> None:
    """Of the other side no more than was ever shown: not in words, not on the map, not in a stack."""
    page = ana.page
    theirs = {k: s for k, s in bea.view().items() if k.startswith("space:") and s["side"] == "paraguay"}
    hidden = units_of(theirs) - units_of(ana.view()) - units_of({"record": entries}) - set(FOOT)
    assert len(hidden) > 5
    length = int(ana.key("slide").get_attribute("max") or 0)
    for n in range(length + 1):
        page.locator('[data-key="slide"]').evaluate(
            "(el, n) => { el.value = n; el.dispatchEvent(new Event('input')) }", n)  # fmt: skip
        shown = page.locator("#player, #tray, .l-counters").evaluate_all(DRAWN)
        assert not hidden & set(KEY.findall(shown)), n
    assert hidden & set(KEY.findall(open_page(bea).locator(".l-counters").evaluate_all(DRAWN)))


def back_in_the_game(ana: Player) -> None:
    """The question is there, nothing more is offered."""
    ana.press(ana.key("skip"))
    expect(ana.page.locator("#prompt")).to_be_visible()
    expect(ana.page.locator("#tray")).to_be_hidden()
    expect(ana.key("since")).to_have_count(0)


def filtered(ana: Player, entries: list[dict[str, Any]]) -> None:
    """The log's filters leave what they name."""
    page = ana.page
    ana.press(ana.key("log"))
    wanted = by_filter(entries)
    assert all(wanted.values())
    for name, seqs in wanted.items():
        ana.press(page.locator(f'#pane-log .chip[data-key="{name}"]'))
        lines = page.locator("#pane-log .entry")
        expect(lines).to_have_count(len(seqs))
        assert lines.evaluate_all("(all) => all.map((line) => line.dataset.seq)") == seqs, name


def by_filter(entries: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The numbers of the entries that each filter leaves, once for each step, the newest first."""
    dead: dict[str, int] = {}
    wanted: dict[str, list[str]] = {name: [] for name in ("all", "moves", "fights", "losses", "mine", "theirs")}
    for entry in entries:
        for step in entry["steps"]:
            died = 0
            for pool in (key for key in step["fragments"] if key.startswith("pool:dead")):
                size = len((step["fragments"][pool] or {"units": []})["units"])
                died += max(0, size - dead.get(pool, 0))
                dead[pool] = size
            if only_phase(step):
                continue
            kinds = {"moves": "path" in step["data"], "fights": bool({"odds", "target"} & set(step["data"]))}
            sides = {"mine": step["side"] == "allied", "theirs": step["side"] == "paraguay"}
            for name, so in {"all": True, "losses": died, **kinds, **sides}.items():
                if so:
                    wanted[name].insert(0, str(entry["seq"]))
    return wanted
