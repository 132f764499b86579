"""What people's browsers say to the server: plain HTTP over connections that are kept. A client library would take more
time than the server does."""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import orjson

from tests.app.year.people import Person


@dataclass
class Answer:
    """Header names are small."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> Any:
        return orjson.loads(self.content)

    def checked(self) -> "Answer":
        assert self.status < 400, f"{self.status} {self.text[:300]}"
        return self


class Browsers:
    """Connections to one server; `ask` raises OSError or IncompleteReadError when it is gone."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, method: str, path: str, who: Person, body: Any, form: dict[str, Any] | None) -> Answer:
        kind, content = "application/json", b"" if body is None else orjson.dumps(body)
        if form is not None:
            kind, content = "application/x-www-form-urlencoded", urlencode(form).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: year.club\r\nX-Forwarded-For: {who.address}\r\n"
            f"Cookie: {who.cookie}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        line = self._idle.pop() if self._idle else await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        reader, writer = line
        try:
            writer.write(head.encode() + content)
            answer = await _read(reader)
        except BaseException:
            writer.close()
            raise
        self._idle.append(line)
        return answer

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Answer:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    pairs = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines if line)]
    headers = {name: value for name, value in pairs if name != "set-cookie" or value.startswith("session=")}
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Answer(int(first.split(" ")[1]), headers, content)
