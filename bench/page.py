"""The game's page in Chromium: what its code weighs, and what it asks before the first view is drawn."""

import gzip
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Response, sync_playwright

from bench.figures import Figure
from bench.players import People
from bench.site import Site

NAMES = ("chromium", "chromium-browser", "google-chrome")
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
    game = people.new_game(1, 0)
    with sync_playwright() as playwright:
        chosen = os.environ.get("MARISCAL_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
        browser = playwright.chromium.launch(executable_path=chosen, args=["--no-sandbox"])
        context = browser.new_context()
        context.add_cookies([{"name": "session", "value": people.browsers[0].cookies["session"],
                              "url": people.served.http}])  # fmt: skip
        loaded = _open(context, f"{people.served.http}/games/{game.id}")
        browser.close()
    yield from _figures(loaded)


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
    yield Figure("the same and the map, compressed", "kB", sum(one.packed for one in [*asked, *sheets]) / 1000,
                 note="map as SVG; the requests bring texts, units, counters as SVG")  # fmt: skip
    yield Figure("fonts", "kB", sum(one.size for one in fonts) / 1000, note=f"{len(fonts)} files")
