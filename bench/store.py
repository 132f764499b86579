"""Encoding and committing positions of 60 kB, against the bare insert and update."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle
from random import Random
from statistics import fmean, median
from time import perf_counter
from typing import Any

import psycopg

from app.games import checkpoints, record, store
from app.games.live import conninfo
from app.games.record import BASE, START
from app.games.repository import Conn
from app.games.statement import NewEntry, Written
from app.games.told import pack
from app.games.writer import Writer
from app.packing import Base
from app.reactions import REACTIONS
from bench import relay, titled
from bench.figures import Figure, beside, quantile
from bench.players import People
from bench.site import Site
from rules.bots.playout import chance
from rules.bots.random_bot import RandomBot
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee

BALLAST = 55_000
ROUNDS = 7
COMMITS = 200  # a round
BLOCK = 5  # commits between changes from one to the other; the first of them stores a position


def measure(site: Site) -> Iterator[Figure]:
    url = site.database("store")
    served = site.serve("games", url)
    game = People(served).new_game(1, 0).id
    served.stop()  # it must not read what is written here without it
    with psycopg.connect(conninfo(url)) as conn:
        relay.make_tables(conn)
    answers = Answers(game)
    means, stores = asyncio.run(_commits(url, answers))
    note = f"{median(answers.wholes) / 1000:.0f} kB, as a difference {median(answers.differences) / 1000:.2f}"
    yield beside("an answer, mean", "ms", means, note=f"one in {BLOCK} stores a position")
    yield beside("encode and commit of a 60 kB position, p50", "ms", stores, 1.8, note=note)
    yield Figure("a new base, stored whole beside the answers", "ms", median(answers.bases),
                 note=f"one for {len(answers.differences) / len(answers.bases):.0f} positions")  # fmt: skip


def _game() -> tuple[Entry, list[Any]]:
    """An answer that told as much as the middle one of a game, and the positions with which its phases begin."""
    title = titled.title(BALLAST)
    rng, bot = Random(1), RandomBot()
    referee = Referee.start(title, titled.data(), titled.scenario().id, {}, chance(title, 1), seats=titled.seats())
    told = []
    while referee.pending:
        seat = referee.asked[0]
        told.append(max(referee.answer(seat, bot.answer(referee, seat, rng)), key=_length))
    phases = [title.decode(referee.game, point.state, title.schema) for point in referee.drain_phases()]
    return sorted(told, key=_length)[len(told) // 2], phases


def _length(entry: Entry) -> int:
    return len(pack(entry.told))


@dataclass
class Answers:
    """Answers of one game as the server commits them; what they stored, in bytes, and the milliseconds of new bases."""

    game: str
    wholes: list[int] = field(default_factory=list)
    differences: list[int] = field(default_factory=list)
    bases: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.title = titled.title(BALLAST)
        self.entry, phases = _game()
        self.base = Base(START, self.title.encode(phases[0]))
        self.phases = cycle(phases)
        self.seq, self.version = 0, ""

    async def begin(self, conn: Conn) -> None:
        cursor = await conn.execute("select seq, xmin::text from games where id = %s", (self.game,))
        self.seq, self.version = await cursor.fetchone() or (0, "")

    async def commit(self, writer: Writer, position: Any = None) -> None:
        """One answer; with a position it is encoded, told apart and stored."""
        self.seq += 1
        self.entry.seq = self.seq
        points = []
        if position is not None:
            point = Checkpoint(self.seq, position.phase(), self.title.encode(position))
            points.append(checkpoints.stored(point, point.phase, self.title, self.base))
        new = NewEntry(self.entry, datetime.now(UTC), None, None, None, pack(self.entry.told))
        written = Written(self.game, None, [new], points, self.seq, ["allied"], 0, "active", None, None, None,
                          f"{self.game}:e:{self.seq}:", self.version)  # fmt: skip
        self.version = await writer.write(written) or ""
        assert self.version, "nobody else changes the game"
        if points:
            self.wholes.append(len(point.state))
            self.differences.append(len(points[0].state))

    async def rebase(self, conn: Conn, position: Any) -> None:
        """Keeps another base once a difference was large, as the server does when the answer is out."""
        if self.differences[-1] <= checkpoints.LARGE:
            return
        began = perf_counter()
        point = Checkpoint(self.seq, position.phase(), self.title.encode(position))
        new = checkpoints.stored(point, f"{BASE}{self.seq}", self.title, None)
        assert await record.keep_base(conn, self.game, new, self.version)
        self.base = Base(new.phase, point.state)
        self.base.difference(point.state)
        self.bases.append(1000 * (perf_counter() - began))


async def _commits(url: str, answers: Answers) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Pairs of mean times of an answer, and of middle times of those that store a position, against the floor."""
    means: list[tuple[float, float]] = []
    stores: list[tuple[float, float]] = []
    house = store.Store(conninfo(url), 1, REACTIONS)
    await house.open()
    floor: Conn = await psycopg.AsyncConnection.connect(conninfo(url), autocommit=True)
    async with house.quick.connection() as conn:
        await answers.begin(conn)
    for _ in range(ROUNDS):
        light, heavy, bare = list[float](), list[float](), list[float]()
        for _ in range(COMMITS // BLOCK):
            position = next(answers.phases)
            began = perf_counter()
            await answers.commit(house.writer, position)
            heavy.append(1000 * (perf_counter() - began))
            async with house.quick.connection() as conn:
                await answers.rebase(conn, position)
            for _ in range(BLOCK - 1):
                began = perf_counter()
                await answers.commit(house.writer)
                light.append(1000 * (perf_counter() - began))
            for _ in range(BLOCK):
                began = perf_counter()
                await relay.commit(floor, 1)
                bare.append(1000 * (perf_counter() - began))
        means.append((fmean(light + heavy), fmean(bare)))
        stores.append((quantile(heavy, 0.5), quantile(bare, 0.5)))
    await house.close()
    await floor.close()
    return means, stores
