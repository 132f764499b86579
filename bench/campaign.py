"""Games in store and in memory: loading one in mid-campaign, ten thousand of them, fifty alive."""

import asyncio
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

import psycopg

from app.games import repository
from app.games.live import conninfo
from app.games.loading import load
from bench.figures import Figure, beside, quantile
from bench.live import MESSAGE, SET_UP, TABLES, prepared
from bench.players import Game, People, Relayed
from bench.site import Site

ROUNDS = 5
HALF_WAY = 120  # answers
LOADS = 20  # a round
ANSWERS = 60  # a round, at each of both houses
BLOCK = 10
FEW, MANY = 100, 10_000  # stored games
FILLED, OPENED = 300, 1500  # of which are looked at: 200 stay in memory
KEPT = 20  # entries of each stored game


def measure(site: Site) -> Iterator[Figure]:
    houses = {stored: site.database(f"campaign_{stored}") for stored in (FEW, MANY)}
    people = {stored: People(site.serve("games", url)) for stored, url in houses.items()}
    first = people[FEW].new_game(1, HALF_WAY)
    asyncio.run(_answers(first))
    yield asyncio.run(_load(houses[FEW], first.id))
    for stored, url in houses.items():
        game = people[stored].new_game(2, KEPT)
        asyncio.run(_answers(game))
        _copy(url, game.id, stored)
    games = [(people[MANY].new_game(10 + n, SET_UP + ANSWERS), people[FEW].new_game(10 + n, SET_UP + ANSWERS))
             for n in range(ROUNDS + 1)]  # fmt: skip
    yield asyncio.run(_crowded(games))
    yield _opened(people[MANY])
    yield from asyncio.run(_memory(site))


async def _answers(game: Game) -> None:
    await game.connect()
    while not game.over:
        await game.answer()
    await game.close()


async def _load(url: str, game_id: str) -> Figure:
    """From the database into memory, against reading the row of the game."""
    conn = await psycopg.AsyncConnection.connect(conninfo(url), autocommit=True)
    pairs = []
    for _ in range(ROUNDS + 1):
        times: tuple[list[float], list[float]] = [], []
        for _ in range(LOADS):
            began = perf_counter()
            row = await repository.game(conn, game_id)
            assert row is not None
            read = perf_counter()
            await load(conn, row)
            times[0].append(1000 * (perf_counter() - began))
            times[1].append(1000 * (read - began))
        pairs.append((median(times[0]), median(times[1])))
    await conn.close()
    found = beside("load of a game in mid-campaign", "ms", pairs[1:], note="reading its row")
    return Figure(found.name, "ms", found.ours, limit=50, note=f"its row alone: {found.floor:.2g} ms")


def _copy(url: str, game_id: str, times: int) -> None:
    """Fills the house with copies of a game: its row, seats, checkpoints and first entries."""
    with psycopg.connect(conninfo(url), autocommit=True) as conn:
        for table, key, more in (("games", "id", ""), ("seats", "game_id", ""), ("checkpoints", "game_id", ""),
                                 ("entries", "game_id", f" and seq <= {KEPT}")):  # fmt: skip
            columns = ", ".join(f"'copy' || n::text as {c}" if c == key else c for c in _columns(conn, table))
            query = f"""insert into {table} ({", ".join(_columns(conn, table))})
                select {columns} from {table}, generate_series(1, {times}) as n where {key} = %s{more}"""
            conn.execute(query.encode(), (game_id,))
        conn.execute("vacuum analyze")


def _columns(conn: psycopg.Connection[Any], table: str) -> list[str]:
    query = "select column_name from information_schema.columns where table_name = %s order by ordinal_position"
    return [name for (name,) in conn.execute(query, (table,)).fetchall()]


async def _crowded(games: list[tuple[Game, Game]]) -> Figure:
    """The same games in a house with many stored games and in one with few."""
    pairs = []
    for both in games:
        times: tuple[list[float], list[float]] = [], []
        for game in both:
            await game.connect()
            for _ in range(SET_UP):
                await game.answer()
        for _ in range(ANSWERS // BLOCK):
            for game, spent in zip(both, times, strict=True):
                spent += [1000 * (await game.answer())[0] for _ in range(BLOCK)]
        for game in both:
            await game.close()
        pairs.append((quantile(times[0], 0.5), quantile(times[1], 0.5)))
    return beside(f"p50 with {MANY} stored games", "ms", pairs[1:], 1.3, note=f"with {FEW}")


def _opened(people: People) -> Figure:
    """Of the process after one has looked at many old games, against that after some: only so many stay in memory."""
    sizes = []
    for number in range(1, OPENED + 1):
        people.browsers[0].get(f"/api/games/copy{number}/view", params={"seat": people.seats[0]}).raise_for_status()
        if number in (FILLED, OPENED):
            sizes.append(people.served.megabytes())
    few, many = sizes
    return Figure(f"memory after looking at {OPENED} old games", "MB", many, few, many / few, 1.1,
                  note=f"after {FILLED}")  # fmt: skip


async def _memory(site: Site) -> list[Figure]:
    """Of a process with 50 games in memory and both their lines open, and of the relay with as many sockets."""
    served = site.serve("games", site.database("memory"))
    relayed = prepared(site, site.database("memory_floor"))
    empty = served.megabytes()
    people = People(served)
    games = [people.new_game(n, SET_UP + 2) for n in range(TABLES)]
    for game in games:
        await game.connect()
        while not game.over:
            await game.answer()
    lines = [await Relayed(relayed, n + 1, MESSAGE).connect() for n in range(TABLES)]
    for line in lines:
        await line.pass_on()
    ours, floor = served.megabytes(), relayed.megabytes()
    for game in games:
        await game.close()
    for line in lines:
        await line.close()
    return [Figure("memory: 50 live games, 100 sockets", "MB", ours, floor, ours / floor,
                   note=f"{empty:.0f} before the first game")]  # fmt: skip
