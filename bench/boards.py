"""Boards that one tries, under load: many at once at one process, beside as many games at another, both over HTTP."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from time import perf_counter

import httpx

from app.rulebook.book import examples_of
from bench import titled
from bench.figures import PAIRS, Figure, beside, quantile
from bench.live import SET_UP
from bench.players import Game, People
from bench.site import Site

BOARDS = 20  # at once, and games
ANSWERS = 6  # of each, a round
AT_ONCE = 8


def measure(site: Site) -> Iterator[Figure]:
    people = People(site.serve("games", site.database("games_beside_boards")))
    games = [people.new_game(seed, SET_UP + ANSWERS * (PAIRS + 1)) for seed in range(1, BOARDS + 1)]
    served = site.serve("games", site.database("boards"))
    browser = httpx.Client(base_url=served.http, timeout=60)
    boards = [_made(browser) for _ in range(BOARDS)]
    pairs, slow, puts = [], [], []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(partial(_answered, people, SET_UP), games))
        for _ in range(PAIRS + 1):
            played = [t for times in pool.map(partial(_answered, people, ANSWERS), games) for t in times]
            tried = [t for times in pool.map(partial(_stepped, browser), boards) for t in times]
            pairs.append((1000 * median(tried), 1000 * median(played)))
            slow.append((1000 * quantile(tried, 0.95), 1000 * quantile(played, 0.95)))
            puts += list(pool.map(partial(_put, browser), boards))
    yield beside(f"answers at {BOARDS} boards at once, p50", "ms", pairs[1:], 3, note="as many games, over HTTP")
    yield beside("... p95", "ms", slow[1:], 3)
    yield Figure("position put by hand, p50", "ms", 1000 * median(puts))
    yield beside("resident memory of the process", "MB", [(served.megabytes(), people.served.megabytes())] * PAIRS, 1.3)


def _timed(deed: Callable[[], httpx.Response]) -> float:
    began = perf_counter()
    deed().raise_for_status()
    return perf_counter() - began


def _answered(people: People, n: int, game: Game) -> list[float]:
    """The next answers of a game, one after the other: seconds each."""
    out = []
    for line in game.lines[game.given : game.given + n]:
        browser = people.browsers[people.seats.index(line.seat)]
        body = {"seq": line.seq, "key": f"{game.id}-{game.given}", "answer": line.answer}
        at = f"/api/games/{game.id}/answers?seat={line.seat}"
        out.append(_timed(partial(browser.post, at, json=body)))
        game.given += 1
    return out


def _example() -> tuple[str, int]:
    """The title's example with most answers, none of which is refused, and how many."""
    found = {name: body.get("answers", []) for name, body in examples_of(titled.chosen()).items()}
    fair = {name: len(said) for name, said in found.items() if not any("refused" in one for one in said)}
    return max(fair.items(), key=lambda one: one[1])


def _made(browser: httpx.Client) -> str:
    body = {"title": titled.chosen(), "example": _example()[0]}
    made: dict[str, str] = browser.post("/api/boards", json=body).raise_for_status().json()
    return made["id"]


def _stepped(browser: httpx.Client, board: str) -> list[float]:
    """Steps of the example, from its beginning again when it is over: seconds each."""
    out, node, steps = [], 0, _example()[1]
    for n in range(ANSWERS):
        node = 0 if n % steps == 0 else node
        began = perf_counter()
        made = browser.post(f"/api/boards/{board}/step", json={"node": node}).raise_for_status().json()
        out.append(perf_counter() - began)
        node = made["node"]
    return out


def _put(browser: httpx.Client, board: str) -> float:
    return _timed(partial(browser.post, f"/api/boards/{board}/put", json={"node": 0, "position": {}}))
