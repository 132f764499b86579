"""The floor of a game server: each message is committed, durably, and passed on to the other seat's socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Response, WebSocket
from psycopg import AsyncConnection, Connection
from psycopg_pool import AsyncConnectionPool
from starlette.websockets import WebSocketDisconnect

TABLES = (
    "create table relay_games (id int primary key, version int not null default 0)",
    """create table relay_acts (id bigint generated always as identity primary key,
        game_id int not null references relay_games, body jsonb)""",
    "create index on relay_acts (game_id)",
    "insert into relay_games select generate_series(1, 1000)",
)
ACT = "insert into relay_acts (game_id, body) values (%s, %s::jsonb)"
MOVED = "update relay_games set version = version + 1 where id = %s"
BODY = '{"a":"move","x":12}'


def make_tables(conn: Connection[Any]) -> None:
    for statement in TABLES:
        conn.execute(statement.encode())


async def commit(conn: AsyncConnection[Any], game: int) -> None:
    """The bare transaction: one insert, one update."""
    async with conn.transaction():
        await conn.execute(ACT, (game, BODY))
        await conn.execute(MOVED, (game,))


def create(conninfo: str) -> FastAPI:
    """The application; its database has `make_tables` behind it."""
    pool: AsyncConnectionPool[AsyncConnection[Any]] = AsyncConnectionPool(
        conninfo, min_size=1, max_size=12, open=False
    )
    seats: dict[tuple[int, int], WebSocket] = {}

    @asynccontextmanager
    async def lifespan(_api: FastAPI) -> AsyncIterator[None]:
        async with pool:
            yield

    api = FastAPI(lifespan=lifespan)

    @api.get("/health")
    async def health() -> Response:
        return Response("ok")

    @api.websocket("/relay/{game}/{seat}")
    async def relay(socket: WebSocket, game: int, seat: int) -> None:
        await socket.accept()
        seats[game, seat] = socket
        with suppress(WebSocketDisconnect):
            while True:
                message = await socket.receive_text()
                async with pool.connection() as conn:
                    await commit(conn, game)
                await seats[game, 1 - seat].send_text(message)

    return api
