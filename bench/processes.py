"""Three server processes on one database against one. The seats of a game are at different processes, as when a proxy
passes each connection to the next; or at one, as when it goes by the game's address."""

import asyncio
from collections.abc import Iterator, Sequence
from statistics import median

from bench.figures import Figure, beside, quantile
from bench.live import BALLAST, LONGEST, ROUNDS, SET_UP, SHARE, rate
from bench.players import Game, People
from bench.site import Served, Site

PROCESSES = 3
ANSWERS = 60  # a round
BLOCK = 10  # answers between changes from one house to the other
TABLES = 40
Played = list[tuple[Game, Sequence[Served]]]  # games, and the processes their seats are at


def measure(site: Site) -> Iterator[Figure]:
    one = [site.serve("games", site.database("one"), BALLAST)]
    url = site.database("three")
    three = [site.serve("games", url, BALLAST) for _ in range(PROCESSES)]
    yield from asyncio.run(_latency(_games(three, 2, 1, ROUNDS + 1, SET_UP + ANSWERS),
                                    _games(one, 1, 1, ROUNDS + 1, SET_UP + ANSWERS)))  # fmt: skip
    for apart, where in ((2, "seats at different processes"), (1, "both seats at the same")):
        yield asyncio.run(_throughput(_games(three, apart, 100 * apart, TABLES, LONGEST),
                                      _games(one, 1, 100 * apart, TABLES, LONGEST), where))  # fmt: skip


def _games(house: Sequence[Served], apart: int, first: int, number: int, answers: int) -> Played:
    """Games of the same seeds in each house; the seats of each at so many of its processes."""
    people = People(house[0])
    at = [[house[(n + seat) % len(house)] for seat in range(apart)] for n in range(number)]
    return [(people.new_game(first + n, answers), at[n]) for n in range(number)]


async def _begin(game: Game, at: Sequence[Served]) -> None:
    await game.connect(at)
    for _ in range(SET_UP):
        await game.answer()


async def _latency(ours: Played, floor: Played) -> list[Figure]:
    middle, slow = [], []
    for number, pair in enumerate(zip(ours, floor, strict=True)):
        times: tuple[list[float], list[float]] = [], []
        for game, at in pair:
            await _begin(game, at)
        while not any(game.over for game, _ in pair):
            for (game, _), found in zip(pair, times, strict=True):
                found += [1000 * (await game.answer())[0] for _ in range(min(BLOCK, len(game.lines) - game.given))]
        for game, _ in pair:
            await game.close()
        if number:  # the first round warms both up
            three, one = times
            middle.append((median(three), median(one)))
            slow.append((quantile(three, 0.95), quantile(one, 0.95)))
    name = f"answer to the opponent's view, {PROCESSES} processes"
    return [
        beside(f"{name}, p50", "ms", middle, note="seats at different processes; the floor is one process"),
        beside(f"{name}, p95", "ms", slow),
    ]


async def _throughput(ours: Played, floor: Played, where: str) -> Figure:
    for game, at in (*ours, *floor):
        await _begin(game, at)
    pairs = [(await _rate(ours), await _rate(floor)) for _ in range(ROUNDS)]
    for game, _ in (*ours, *floor):
        await game.close()
    return beside(f"{TABLES} games back to back, {PROCESSES} processes", "1/s", pairs, note=where)


async def _rate(played: Played) -> float:
    return await rate([game.answer for game, _ in played], lambda n: not played[n][0].over, SHARE)
