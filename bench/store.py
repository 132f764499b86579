"""Encoding and committing a position of 60 kB, against the bare insert and update, on one connection."""

import asyncio
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from statistics import fmean
from time import perf_counter

import psycopg

from app.games import repository
from app.games.live import conninfo
from app.games.play import SPARE
from app.games.repository import NEWEST, NewEntry
from app.games.store import stored
from app.games.told import pack
from bench import relay, titled
from bench.figures import Figure, beside, quantile
from bench.players import People
from bench.site import Site
from rules.bots.playout import chance, play
from rules.bots.random_bot import RandomBot
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee

BALLAST = 55_000
ROUNDS = 7
COMMITS = 100  # a round
BLOCK = 5  # commits between changes from one to the other


def measure(site: Site) -> Iterator[Figure]:
    url = site.database("store")
    served = site.serve("games", url)
    game = People(served).new_game(1, 0).id
    served.stop()  # it must not read what is written here without it
    with psycopg.connect(conninfo(url)) as conn:
        relay.make_tables(conn)
    title = titled.title(BALLAST)
    referee = play(titled.title(), titled.data(), titled.SCENARIO, 1, dict.fromkeys(title.seats, RandomBot())).referee
    size = len(title.encode(referee.pos))
    packed = len(zlib.compress(title.encode(referee.pos), 1))
    with psycopg.connect(conninfo(url), autocommit=True) as conn:
        row = conn.execute("select max(seq) from entries where game_id = %s", (game,)).fetchone()
    assert row is not None
    note = f"{size / 1000:.0f} kB, stored as {packed / 1000:.0f}"
    entry = _typical_entry()
    means, stores = asyncio.run(_commits(url, game, row[0], entry, referee))
    yield beside("an answer with a 60 kB position, mean", "ms", means,
                 note=f"{note}; one answer in {SPARE} stores it")  # fmt: skip
    yield beside("encode and commit of a 60 kB position, p50", "ms", stores, 1.8, note=note)


def _typical_entry() -> Entry:
    """An answer that told something."""
    title = titled.title()
    referee = Referee.start(title, titled.data(), titled.SCENARIO, {}, chance(title, 1))
    return max(referee.drain(), key=lambda entry: len(entry.told))


async def _commits(url: str, game: str, seq: int, entry: Entry,
                   referee: Referee) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:  # fmt: skip
    """Pairs of mean times of an answer, and of middle times of those that store the position, against the floor."""
    title = titled.title(BALLAST)
    means: list[tuple[float, float]] = []
    stores: list[tuple[float, float]] = []
    conn = await psycopg.AsyncConnection.connect(conninfo(url), autocommit=True)

    async def ours() -> None:
        nonlocal seq
        seq += 1
        entry.seq = seq
        state = Checkpoint(seq, "", title.encode(referee.pos))  # as the referee does at every answer
        points = [] if seq % SPARE else [stored(state, NEWEST, title.schema, title.version)]
        new = NewEntry(entry, datetime.now(UTC), None, None, None, pack(entry.told))
        async with conn.transaction():
            await repository.append(
                conn, game, None, [new], points, seq=seq, waiting_for=["allied"], rolls=0, status="active",
                result=None, undo_request=None, draw_offer=None, note=f"{game}:e:{seq}:")  # fmt: skip

    async def bare() -> None:
        await relay.commit(conn, 1)

    for _ in range(ROUNDS):
        times: dict[bool, list[float]] = {True: [], False: []}
        heavy: list[float] = []
        for _ in range(COMMITS // BLOCK):
            for mine, deed in ((True, ours), (False, bare)):
                for _ in range(BLOCK):
                    began = perf_counter()
                    await deed()
                    times[mine].append(1000 * (perf_counter() - began))
                    if mine and seq % SPARE == 0:
                        heavy.append(times[mine][-1])
        means.append((fmean(times[True]), fmean(times[False])))
        stores.append((quantile(heavy, 0.5), quantile(times[False], 0.5)))
    await conn.close()
    return means, stores
