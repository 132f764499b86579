"""A real server process: from the answer to the opponent's committed view, one game at a time and 50 at once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from statistics import median

import psycopg

from app.packing import Base, unpack
from bench import relay
from bench.figures import Figure, beside, quantile
from bench.players import Game, People, Relayed
from bench.site import Served, Site

BALLAST = 25_000  # bytes, so that a position takes at least 25 kB to store
MESSAGE = 7_000  # bytes of the relay's message
ROUNDS = 5
ANSWERS = 150  # a round, after the set-up
SET_UP = 4  # answers of a new game that are given unmeasured
BLOCK = 10  # answers between changes from one to the other
TABLES = 50
LONGEST = 200  # answers of each of them
SECONDS = 2.0  # of 50 games at once,
SHARE = (LONGEST - SET_UP) // ROUNDS  # or fewer, when one of them has given so many answers


def measure(site: Site) -> Iterator[Figure]:
    games = site.database("live")
    floor = site.database("floor")
    served, relayed = site.serve("games", games, BALLAST), prepared(site, floor)
    people = People(served)
    played = [people.new_game(seed, SET_UP + ANSWERS) for seed in range(ROUNDS + 1)]
    yield from asyncio.run(_one_game(played, relayed))
    yield Figure("stored position", "kB", _position(served), limit=25, at_least=True)
    yield asyncio.run(_many_games([people.new_game(100 + n, LONGEST) for n in range(TABLES)], relayed))


def prepared(site: Site, url: str) -> Served:
    """The relay on a database that has its tables."""
    from app.games.live import conninfo

    with psycopg.connect(conninfo(url)) as conn:
        relay.make_tables(conn)
    return site.serve("relay", url)


def _position(served: Served) -> float:
    """The size of the smallest stored checkpoint, unpacked, in kB."""
    query = """select c.state, b.state from checkpoints c
        left join checkpoints b on b.game_id = c.game_id and b.phase = c.base"""
    with psycopg.connect(served.database) as conn:
        states = conn.execute(query).fetchall()
    return min(len(Base("", unpack(base)).whole(state) if base else unpack(state)) for state, base in states) / 1000


async def _one_game(played: list[Game], relayed: Served) -> list[Figure]:
    line = await Relayed(relayed, 1, MESSAGE).connect()
    middle, slow, sizes = [], [], []
    for number, game in enumerate(played):
        await game.connect()
        for _ in range(SET_UP):
            await game.answer()
        ours, floor = list[tuple[float, int]](), list[float]()
        while len(ours) < ANSWERS and not game.over:
            ours += [await game.answer() for _ in range(min(BLOCK, len(game.lines) - game.given))]
            floor += [await line.pass_on() for _ in range(BLOCK)]
        await game.close()
        times = [seconds * 1000 for seconds, _ in ours]
        if number:  # the first round warms both up
            sizes += [size for _, size in ours]
            floor = [seconds * 1000 for seconds in floor]
            middle.append((median(times), median(floor)))
            slow.append((quantile(times, 0.95), quantile(floor, 0.95)))
    await line.close()
    note = f"news of {median(sizes) / 1000:.1f} kB, 95% within {quantile(sizes, 0.95) / 1000:.1f}"
    return [
        beside("answer to the opponent's view, p50", "ms", middle, 2.5, note="relay with a commit, 7 kB"),
        beside("answer to the opponent's view, p95", "ms", slow, 3, note=note),
    ]


async def _many_games(games: list[Game], relayed: Served) -> Figure:
    lines = [await Relayed(relayed, n + 1, MESSAGE).connect() for n in range(TABLES)]
    for game in games:
        await game.connect()
        for _ in range(SET_UP):
            await game.answer()
    pairs = []
    for _ in range(ROUNDS):
        ours = await rate([game.answer for game in games], lambda n: not games[n].over, SHARE)
        floor = await rate([line.pass_on for line in lines], lambda _n: True)
        pairs.append((ours, floor))
    for game in games:
        await game.close()
    for line in lines:
        await line.close()
    return beside("50 games back to back", "1/s", pairs, 0.4, at_least=True)


async def rate(deeds: list[Callable[[], Awaitable[object]]], more: Callable[[int], bool],
               share: int | None = None) -> float:
    """How often a second, all together, each doing its deed again as soon as it is done: until the time is up or one
    has done its `share`, so that on a fast machine something is left for the next round."""
    clock = asyncio.get_running_loop().time
    began, done, last = clock(), 0, asyncio.Event()

    async def again(number: int) -> None:
        nonlocal done
        mine = 0
        while not last.is_set() and clock() - began < SECONDS and more(number):
            await deeds[number]()
            done, mine = done + 1, mine + 1
            if mine == share:
                last.set()

    await asyncio.gather(*(again(n) for n in range(len(deeds))))
    return done / (clock() - began)
