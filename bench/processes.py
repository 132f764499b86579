"""Three server processes on one database against one: every game's two seats are at different processes."""

import asyncio
from collections.abc import Iterator, Sequence
from statistics import median

from bench.figures import Figure, beside, quantile
from bench.live import BALLAST, LONGEST, ROUNDS, SET_UP, rate
from bench.players import Game, People
from bench.site import Served, Site

PROCESSES = 3
ANSWERS = 60  # a round
BLOCK = 10  # answers between changes from one house to the other
TABLES = 20


def measure(site: Site) -> Iterator[Figure]:
    one = [site.serve("games", site.database("one"), BALLAST)]
    url = site.database("three")
    three = [site.serve("games", url, BALLAST) for _ in range(PROCESSES)]
    yield from asyncio.run(_latency([(_games(one, 1, ROUNDS + 1, SET_UP + ANSWERS), one),
                                     (_games(three, 1, ROUNDS + 1, SET_UP + ANSWERS), three)]))  # fmt: skip
    yield asyncio.run(_throughput([(_games(one, 100, TABLES, LONGEST), one),
                                   (_games(three, 100, TABLES, LONGEST), three)]))  # fmt: skip


def _games(house: Sequence[Served], first: int, number: int, answers: int) -> list[Game]:
    """Games of the same seeds in each house; their people signed up at its first process."""
    people = People(house[0])
    return [people.new_game(first + n, answers) for n in range(number)]


def _lines(house: Sequence[Served], number: int) -> Sequence[Served]:
    """The processes of a game's seats: another pair for each game."""
    return [house[(number + seat) % len(house)] for seat in range(2)]


Played = tuple[list[Game], Sequence[Served]]


async def _latency(houses: Sequence[Played]) -> list[Figure]:
    middle, slow = [], []
    for number in range(ROUNDS + 1):
        pair = [games[number] for games, _ in houses]
        times: tuple[list[float], list[float]] = [], []
        for game, (_, house) in zip(pair, houses, strict=True):
            await game.connect(_lines(house, number))
            for _ in range(SET_UP):
                await game.answer()
        while not any(game.over for game in pair):
            for game, found in zip(pair, times, strict=True):
                found += [1000 * (await game.answer())[0] for _ in range(min(BLOCK, len(game.lines) - game.given))]
        for game in pair:
            await game.close()
        if number:  # the first round warms both up
            one, three = times
            middle.append((median(three), median(one)))
            slow.append((quantile(three, 0.95), quantile(one, 0.95)))
    note = "seats at different processes; beside it, one process"
    return [
        beside(f"answer to the opponent's view, {PROCESSES} processes, p50", "ms", middle, note=note),
        beside(f"answer to the opponent's view, {PROCESSES} processes, p95", "ms", slow),
    ]


async def _throughput(houses: Sequence[Played]) -> Figure:
    for games, house in houses:
        for number, game in enumerate(games):
            await game.connect(_lines(house, number))
            for _ in range(SET_UP):
                await game.answer()
    pairs = []
    for _ in range(ROUNDS):
        one, three = [await _rate_of(games) for games, _ in houses]
        pairs.append((three, one))
    for games, _ in houses:
        for game in games:
            await game.close()
    return beside(f"{TABLES} games back to back, {PROCESSES} processes", "1/s", pairs, note="beside it, one process")


async def _rate_of(games: Sequence[Game]) -> float:
    return await rate([game.answer for game in games], lambda n: not games[n].over)
