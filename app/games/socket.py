"""A game's websocket (docs/protocol.md section 8): answers and questions about them come in, news goes out."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import anyio
import orjson
import psycopg
from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ValidationError
from starlette.websockets import WebSocketDisconnect

from app.accounts.ties import Tie
from app.deps import address, tie_of_socket
from app.errors import Refused
from app.games import access, acts, crowd
from app.games.acts import Player
from app.games.hub import Connection, encode
from app.games.live import Live
from app.games.play import Stale
from app.games.schemas import Answering, Previewing, Reaching

router = APIRouter()
Model = TypeVar("Model", bound=BaseModel)

NO_GAME = 4404  # close codes of our own: what HTTP would answer, after 4000
NOT_ALLOWED = 4403
TOO_SLOW = 1013
NO_TEXT = 1003
LARGEST = 200_000  # characters of one message


class Session:
    """One open connection and its player."""

    def __init__(self, live: Live, connection: Connection, player: Player) -> None:
        self.live, self.connection, self.player = live, connection, player
        self.deeds: Mapping[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]] = {
            "answer": self._answer, "preview": self._preview, "reach": self._reach, "view": self._view,
            "ping": self._ping,
        }  # fmt: skip

    async def receive(self, text: str) -> None:
        """Does what one message says and sends the reply, if it has one. A refusal goes back; nothing else happens
        then. Both bear the message's `n`."""
        said: dict[str, Any] = {}
        number = None
        try:
            body = orjson.loads(text) if len(text) <= LARGEST else None
            said = body if isinstance(body, dict) else {}
            number = _plain(said.pop("n", None))
            kind = str(said.pop("type", None))
            if kind not in self.deeds:
                raise Refused("games.bad_message")
            reply = await self.deeds[kind](said)
            if reply is not None:
                self.connection.send(encode({"type": kind, "n": number, **reply}))
        except (orjson.JSONDecodeError, ValidationError):
            self._refuse(said, number, Refused("games.bad_message"))
        except psycopg.DataError:  # what it can't hold: a text with a NUL, a number that is far too large
            self._refuse(said, number, Refused("error.invalid"))
        except Refused as refused:
            self._refuse(said, number, refused)
            if isinstance(refused, Stale):
                await self.live.hub.show(self.connection)

    def _refuse(self, said: dict[str, Any], number: Any, refused: Refused) -> None:
        error = {"key": refused.key, "args": dict(refused.words), "clause": refused.clause, "status": refused.status}
        self.connection.send(encode({"type": "refused", "n": number, "key": _plain(said.get("key")), "error": error}))

    async def _answer(self, said: dict[str, Any]) -> dict[str, Any]:
        return {"seq": await acts.answer(self.live, self.player, _read(Answering, said))}

    async def _preview(self, said: dict[str, Any]) -> dict[str, Any]:
        return await acts.preview(self.live, self.player, _read(Previewing, said))

    async def _reach(self, said: dict[str, Any]) -> dict[str, Any]:
        return await acts.reach(self.live, self.player, _read(Reaching, said))

    async def _view(self, _said: dict[str, Any]) -> None:
        await self.live.hub.show(self.connection)

    async def _ping(self, _said: dict[str, Any]) -> dict[str, Any]:
        return {"type": "pong"}


def _plain(value: Any) -> Any:
    """A number or a text; what is neither can't be sent back."""
    return value if isinstance(value, int | float | str) else None


def _read(model: type[Model], said: dict[str, Any]) -> Model:
    return model.model_validate(said)


@router.websocket("/games/{game_id}/socket")
async def game_socket(socket: WebSocket, game_id: str, seat: str | None = None, since: int | None = None,
                      token: str | None = None) -> None:
    live: Live = socket.app.state.games
    tie = await tie_of_socket(socket)
    await socket.accept()
    with crowd.place(str(tie.user or address(socket))) as room:
        if room:
            await _serve(socket, live, tie, Player(game_id, None if tie.helper else tie.user, seat, token), since)
        else:
            await socket.close(TOO_SLOW, "too many connections")


async def _serve(socket: WebSocket, live: Live, tie: Tie, player: Player, since: int | None) -> None:
    """An admin who helps only looks: the player then acts for nobody."""
    try:
        row = await live.store.row(player.game_id)
        eye = access.eye_of(row, tie.user, player.seat, player.token)
        connection = Connection(player.game_id, tie, eye, player.seat)
        await live.hub.join(connection, since)
    except Refused as refused:
        await socket.close(NO_GAME if refused.status == 404 else NOT_ALLOWED, refused.key)
        return
    if await live.hub.untied(connection):  # signed out meanwhile, when it was not yet there to be hung up
        live.hub.leave(connection)
        await socket.close(TOO_SLOW)
        return
    talk = Session(live, connection, player)
    try:
        async with anyio.create_task_group() as tasks:

            async def until_done(job: Awaitable[object]) -> None:
                await job
                tasks.cancel_scope.cancel()

            for job in (_send(socket, connection), _hear(socket, talk), connection.lost.wait()):
                tasks.start_soon(until_done, job)
    finally:
        live.hub.leave(connection)
    if connection.lost.is_set():
        with contextlib.suppress(RuntimeError):
            await socket.close(TOO_SLOW)


async def _send(socket: WebSocket, connection: Connection) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(await connection.queue.get())


async def _hear(socket: WebSocket, talk: Session) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            heard = await socket.receive()
            if heard["type"] == "websocket.disconnect":
                return
            if heard.get("text") is None:
                await socket.close(NO_TEXT)
                return
            await talk.receive(heard["text"])
