"""Panning over 400 counters in Chromium, measured by its own tracing: when each frame was drawn, and what of the
processor it took. Headless Chromium rasters and composes in software; a display shows 60 frames a second at most."""

import json
from collections.abc import Iterator
from itertools import pairwise, product
from statistics import median
from typing import Any

from playwright.sync_api import CDPSession, Page

from bench import titled
from bench.figures import Figure, quantile
from bench.page import READY, THROTTLE, reader, throttled
from bench.players import People
from bench.site import Site

COUNTERS, STACK = 400, 4
FRAME = round(1000 / 60 + 0.1, 2)  # ms: a display's at 60 Hz; marks in the trace may be a tenth off
LATE = 20.0  # ms
STEPS = 180  # of the pointer, one a frame
ZOOMS = (0.55, 1.1)  # nearly all counters in sight; every text legible
DRAWN = "DrawFrame"  # a frame the compositor has finished
TRACED = ("devtools.timeline", "disabled-by-default-devtools.timeline.frame", "toplevel", "__metadata")
THREADS = {"CrRendererMain": "main thread", "Compositor": "compositor", "CompositorTileWorker": "raster"}

# The game's own board, filled by hand in the place of the page.
BOARD = """async ([counters, stack]) => {
    const { kit, map } = document.getElementById('main').dataset
    const script = document.querySelector('script[src$="js/game/main.js"]').src
    const from = (name) => import(new URL(`../board/${name}.js`, script))
    const [{ createBoard }, { placesOf }] = await Promise.all([from('api'), from('places')])
    const data = await (await fetch(kit)).json()
    const mapSvgText = await (await fetch(map)).text()
    const places = await placesOf(data.map, data.units)
    const element = document.createElement('div')
    Object.assign(element.style, { position: 'fixed', inset: 0 })
    document.body.replaceChildren(element)
    const { units, symbols } = data
    const board = createBoard(element, { mapSvgText, symbolsSvgText: symbols, units, places, label: 'map' })
    const ids = Object.keys(units), all = places.all
    const stacks = Math.min(all.length, Math.ceil(counters / stack)), each = Math.ceil(counters / stacks)
    const fragments = {}
    for (let i = 0; i < stacks; i++) {
        const here = Array.from({ length: each }, (_, k) => ({ id: ids[(each * i + k) % ids.length] }))
        const loc = all[Math.floor((i * all.length) / stacks)]
        fragments[`space:${loc}`] = { side: units[here[0].id].side, count: each, units: here }
    }
    board.setFragments(fragments)
    globalThis.benchBoard = board
    globalThis.benchMiddle = all[Math.floor(all.length / 2)]
    return document.querySelectorAll('.board-view .counters .counter').length
}"""
ZOOM = "(zoom) => benchBoard.focus(benchMiddle, { zoom, slowly: false })"
# The pointer is moved once a frame by the page itself: nothing else has to keep time.
PAN = """(steps) => new Promise((done) => {
    const view = document.querySelector('.board-view')
    view.setPointerCapture = () => {}
    const at = (i) => ({ clientX: 720 + 260 * Math.sin(i / 22), clientY: 450 + 140 * Math.sin(i / 15) })
    const tell = (kind, i) => view.dispatchEvent(new PointerEvent(kind, {
        ...at(i), pointerId: 1, pointerType: 'mouse', button: 0, bubbles: true, isPrimary: true }))
    let i = 0
    tell('pointerdown', 0)
    const step = () => {
        tell('pointermove', ++i)
        if (i < steps) return requestAnimationFrame(step)
        tell('pointerup', i)
        done()
    }
    requestAnimationFrame(step)
})"""


def measure(site: Site) -> Iterator[Figure]:
    people = People(site.serve("games", site.database("frames")))
    game = people.new_game(1, 0)
    with reader(people) as context:
        page = context.new_page()
        page.goto(f"{people.served.http}/games/{game.id}")
        page.wait_for_selector(READY, state="attached")
        shown = page.evaluate(BOARD, [COUNTERS, STACK])
        for rate, zoom in product((1, THROTTLE), ZOOMS):
            throttled(page, rate)
            page.evaluate(ZOOM, zoom)
            page.wait_for_timeout(1500)
            page.evaluate(PAN, STEPS // 3)  # what is painted when it first comes into sight is there
            yield from _figures(_traced(page), rate, f"{titled.chosen()}, {shown} counters, zoom {zoom:g}")


def _traced(page: Page) -> list[dict[str, Any]]:
    """The events of the browser's trace while the map is panned."""
    session = page.context.new_cdp_session(page)
    wanted = {"includedCategories": list(TRACED)}
    session.send("Tracing.start", {"transferMode": "ReturnAsStream", "traceConfig": wanted})
    page.evaluate(PAN, STEPS)
    ended = dict[str, Any]()
    session.on("Tracing.tracingComplete", lambda said: ended.update(said))
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    events: list[dict[str, Any]] = json.loads(_read(session, ended["stream"]))["traceEvents"]
    session.detach()
    return events


def _read(session: CDPSession, stream: str) -> str:
    parts, done = list[str](), False
    while not done:
        said = session.send("IO.read", {"handle": stream})
        parts.append(said["data"])
        done = said["eof"]
    return "".join(parts)


def _figures(events: list[dict[str, Any]], rate: int, what: str) -> Iterator[Figure]:
    drawn = sorted(event["ts"] for event in events if event["name"] == DRAWN)
    frames = [(after - before) / 1000 for before, after in pairwise(drawn)]
    how = f"processor throttled {rate}x" if rate > 1 else "processor as it is"
    yield Figure(f"frame while panning, {how}, p50", "ms", median(frames), limit=FRAME, note=what)
    yield Figure("the same, p95", "ms", quantile(frames, 0.95), limit=LATE,
                 note=f"{len(frames)} frames, drawn by software")  # fmt: skip
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    page = next(event["pid"] for event in events if event["name"] == DRAWN)
    for thread, called in THREADS.items():
        spent = sum(event.get("tdur", 0) for event in events
                    if event["name"] in ("RunTask", "ThreadControllerImpl::RunTask", "ThreadPool_RunTask")
                    and event["pid"] == page
                    and names.get((event["pid"], event["tid"]), "").startswith(thread))  # fmt: skip
        yield Figure(f"processor time of a frame, {called}", "ms", spent / 1000 / max(1, len(frames)))
