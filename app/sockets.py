"""Websockets as the house serves them: what fits one packet goes as it is, the rest is compressed quickly."""

import asyncio
from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import CTRL_OPCODES, Frame
from websockets.server import ServerProtocol
from websockets.typing import ExtensionParameter

SMALL = 1200  # bytes
WINDOW = 12  # bits; 4 kB for each side of each line
HEAD_WITHIN = 20.0  # seconds for the head of a request
HOW = {"level": 1, "memLevel": 5}


class Sparing(PerMessageDeflate):
    """Compression that leaves small messages alone; each message says whether it is compressed."""

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode not in CTRL_OPCODES and frame.fin and len(frame.data) <= SMALL:
            return frame
        return super().encode(frame)


class _Offered(ServerPerMessageDeflateFactory):
    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        answer, agreed = super().process_request_params(params, accepted_extensions)
        return answer, Sparing(
            agreed.remote_no_context_takeover, agreed.local_no_context_takeover,
            agreed.remote_max_window_bits, agreed.local_max_window_bits, agreed.compress_settings,
        )  # fmt: skip


class Hurried(HttpToolsProtocol):
    """For `uvicorn.Config(http=)`: a request whose head is not there in time holds its connection no longer. (Idle
    connections the library closes by itself, bodies are hurried by `security.SmallBody`.)"""

    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._calm()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._alarm is None:
            self._alarm = self.loop.call_later(HEAD_WITHIN, self.transport.close)

    def _calm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


class Protocol(WebSocketsSansIOProtocol):
    """For `uvicorn.Config(ws=)`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        offered = _Offered(server_max_window_bits=WINDOW, client_max_window_bits=WINDOW, compress_settings=HOW)
        self.conn = ServerProtocol(extensions=[offered], max_size=self.config.ws_max_size, logger=self.logger)
