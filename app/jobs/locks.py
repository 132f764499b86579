"""Locks that a process holds while its jobs run: advisory ones of PostgreSQL, all on one connection that belongs to no
pool. They go with the process, however that ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg


class Locks:
    """Opens its connection at the first lock; a lost one is opened anew at the next."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._conn: psycopg.AsyncConnection | None = None
        self._turn = asyncio.Lock()
        self._mine: set[tuple[int, int]] = set()

    @asynccontextmanager
    async def taken(self, class_: int, number: int) -> AsyncIterator[bool]:
        """Whether nobody else, here or in another process, has this lock; if so it is held in the block."""
        one = (class_, number % 2**31)
        if one in self._mine:
            yield False
            return
        self._mine.add(one)
        try:
            got = await self._ask("select pg_try_advisory_lock(%s, %s)", one)
            try:
                yield got
            finally:
                if got:
                    with suppress(psycopg.Error):  # its connection is gone, and so is the lock
                        await self._ask("select pg_advisory_unlock(%s, %s)", one)
        finally:
            self._mine.discard(one)

    async def _ask(self, query: str, one: tuple[int, int]) -> bool:
        async with self._turn:
            if self._conn is None or self._conn.closed:
                self._conn = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
            try:
                row = await (await self._conn.execute(query.encode(), one)).fetchone()
            except BaseException:  # what became of it is not known: with the connection all its locks go
                await self._conn.close()
                raise
        return bool(row and row[0])

    async def close(self) -> None:
        async with self._turn:
            if self._conn is not None:
                await self._conn.close()
                self._conn = None
