"""The game's page in Chromium: what its code and its map weigh, what it asks before the first view is drawn and when
that is, and what an answer costs on the line afterwards."""

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Response, sync_playwright

from app.chromium import find_chromium
from bench import titled
from bench.figures import Figure, quantile
from bench.players import Game, People
from bench.site import Site

ANSWERS = 120
THROTTLE = 4  # a middling laptop's processor is so many times slower
VISITS = 5
LAYER = 150  # kB, of a map of so many hexes, or of one without
HEXES = 2000
READY = "#main[data-ready=yes]"
WATCH = """new MutationObserver(() => {
  if (document.querySelector('#main[data-ready=yes]')) window.shownAt ??= performance.now()
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-ready'] })"""
EARLIER = "performance.getEntriesByType('resource').filter((r) => r.startTime < window.shownAt).map((r) => r.name)"


@dataclass(frozen=True, slots=True)
class Loaded:
    """One answer of the server: what kind, where, how large, and how large compressed."""

    kind: str
    path: str
    size: int
    packed: int


def measure(site: Site) -> Iterator[Figure]:
    people = People(site.serve("games", site.database("page")))
    game = people.new_game(1, ANSWERS)
    with reader(people) as context:
        loaded = _open(context, f"{people.served.http}/games/{game.id}")
        usable = median(_usable(context, f"{people.served.http}/games/{game.id}") for _ in range(VISITS))
    yield from _figures(loaded)
    yield Figure("first usable page, processor throttled 4x", "ms", usable,
                 note=f"median of {VISITS} visits, files kept from before")  # fmt: skip
    sizes = asyncio.run(_told(game))
    yield Figure("change message of an answer, p50", "byte", median(sizes),
                 note=f"p95 {quantile(sizes, 0.95):.0f}, uncompressed, to the opponent")  # fmt: skip


@contextmanager
def reader(people: People) -> Iterator[BrowserContext]:
    """A browser in which the first of the people is signed in."""
    with sync_playwright() as playwright:
        chosen = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=chosen, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": "session", "value": people.browsers[0].cookies["session"],
                              "url": people.served.http}])  # fmt: skip
        yield context
        browser.close()


def throttled(page: Page, rate: int = THROTTLE) -> Page:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    return page


def _usable(context: BrowserContext, url: str) -> float:
    """Milliseconds from asking for the page until it can be played on."""
    page = throttled(context.new_page())
    page.add_init_script(WATCH)
    page.goto(url)
    page.wait_for_selector(READY, state="attached")
    at: float = page.evaluate("window.shownAt")
    page.close()
    return at


async def _told(game: Game) -> list[int]:
    """The length of what the opponent is told of each answer."""
    await game.connect()
    sizes = [(await game.answer())[1] for _ in range(ANSWERS)]
    await game.close()
    return sizes


def _open(context: BrowserContext, url: str) -> list[Loaded]:
    """The page and all that was asked for before it showed the game."""
    page, answers = context.new_page(), list[Response]()
    page.add_init_script(WATCH)
    page.on("response", lambda answer: answers.append(answer))
    page.goto(url)
    page.wait_for_selector(READY, state="attached")
    earlier = {url, *page.evaluate(EARLIER)}
    return [_loaded(answer) for answer in answers if answer.url in earlier and answer.status == 200]


def _loaded(answer: Response) -> Loaded:
    body = answer.body()
    parts = urlsplit(answer.url)
    return Loaded(answer.request.resource_type, parts.path, len(body), len(gzip.compress(body, 6, mtime=0)))


def _figures(loaded: list[Loaded]) -> Iterator[Figure]:
    code = [one for one in loaded if one.kind in ("script", "stylesheet")]
    sheets = [one for one in loaded if one.path.startswith("/sheet/")]
    fonts = [one for one in loaded if one.kind == "font"]
    asked = [one for one in loaded if one.path.startswith(("/api/", "/texts/"))]
    plain = sum(one.size for one in code) / 1000
    yield Figure("page code, compressed", "kB", sum(one.packed for one in code) / 1000, limit=100,
                 note=f"{len(code)} files, {plain:.0f} kB as they are")  # fmt: skip
    yield Figure("requests to the first view, after the page", "", len(asked), limit=2,
                 note=" ".join(one.path for one in asked))  # fmt: skip
    yield _layer(sum(one.packed for one in sheets) / 1000)
    yield Figure("the same and the map, compressed", "kB", sum(one.packed for one in [*asked, *sheets]) / 1000,
                 note="map as SVG; the requests bring texts, units, counters as SVG")  # fmt: skip
    yield Figure("fonts", "kB", sum(one.size for one in fonts) / 1000, note=f"{len(fonts)} files")


def _layer(size: float) -> Figure:
    """Maps of hexes differ in how many they have, and each costs the same; on others the spaces are a small part."""
    sheet, note = titled.data().files["map"], "one for all themes, which are styles"
    if "hexes" not in sheet:
        return Figure("static layer of the map", "kB", size, limit=LAYER, note=f"{len(sheet['spaces'])} spaces; {note}")
    hexes = len(sheet["hexes"])
    return Figure(f"static layer of the map, scaled to {HEXES:,} hexes", "kB", size * HEXES / hexes, limit=LAYER,
                  note=f"{size:.1f} kB for {hexes} hexes; {note}")  # fmt: skip
