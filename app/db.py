"""The database: engine, sessions, the base of all models, and migration."""

import select
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, ClassVar, cast

import psycopg
from alembic import command
from alembic.config import Config
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import DateTime, MetaData, Text, event, exc, func
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from app.config import ROOT

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Every table. Text is `text`, times know their zone."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar = {str: Text(), datetime: DateTime(timezone=True)}


class Created:
    """A mixin: when the row was made."""

    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Database:
    """One engine and its sessions; `url` is kept for connections outside the pool (LISTEN), and every session bears
    `info`: what the root gives to those who change games."""

    def __init__(self, url: str, info: Mapping[str, Any]) -> None:
        self.url = url
        self.engine: AsyncEngine = create_async_engine(url, pool_size=20, max_overflow=10, pool_use_lifo=True)
        event.listen(self.engine.sync_engine, "checkout", self._check)
        self.sessions = async_sessionmaker(self.engine, expire_on_commit=False, info=dict(info))
        each = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._at_once = async_sessionmaker(each, expire_on_commit=False, info=dict(info))

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncSession]:
        """A session in a transaction: committed at the end, rolled back by an exception."""
        async with self.sessions() as session, session.begin():
            yield session

    @asynccontextmanager
    async def at_once(self) -> AsyncIterator[AsyncSession]:
        """A session of which every statement counts at once: what needs one or two takes half as long."""
        async with self._at_once() as session:
            yield session

    def _check(self, conn: Any, record: Any, _proxy: Any) -> None:
        if spoken(record.driver_connection.fileno()):
            try:
                self.engine.dialect.do_ping(conn)
            except psycopg.Error as gone:
                raise exc.InvalidatePoolError from gone  # all that are idle are opened anew

    async def close(self) -> None:
        await self.engine.dispose()


async def driver(session: AsyncSession) -> psycopg.AsyncConnection[Any]:
    """The driver's connection under a session: the same transaction."""
    raw = await (await session.connection()).get_raw_connection()
    return cast("psycopg.AsyncConnection[Any]", raw.driver_connection)


def spoken(socket: int) -> bool:
    """Whether the database has said something on an idle connection that was not asked: then it may have ended it. To
    look costs no round trip, as to ask does."""
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))


async def alive(conn: psycopg.AsyncConnection[Any]) -> None:
    """For the pools of psycopg: raises psycopg.Error for a connection that the database has ended."""
    if spoken(conn.fileno()):
        await AsyncConnectionPool.check_connection(conn)


def migrate(url: str) -> None:
    """Brings the database to the newest revision; several processes may do it at once."""
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations").replace("%", "%%"))
    config.attributes["url"] = url
    command.upgrade(config, "head")
