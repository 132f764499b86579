"""Where the year's mails and webhooks end: a mail server and a web server in the test's own loop, that take what comes,
refuse some of it, and are away at times."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from random import Random
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

# what a sink does with a message, and how often in a hundred
MAIL_FAULTS = (("451 4.3.0 try again later", 5), ("550 5.7.1 not wanted", 2), ("421 4.3.2 closing", 2), ("drop", 2),
               ("hang", 0.15))  # fmt: skip
WEB_FAULTS = (("500", 5), ("404", 2), ("drop", 3), ("hang", 0.1))


@dataclass
class Post:
    """The one sink's record. `taken`: what was acknowledged, in order (to, id, text); `fate`: how often what befell a
    message; `turned`: how often mails that prove an address, by that, were not taken, but may be tried again; `away`:
    nothing is taken at all."""

    rng: Random
    faults: Sequence[tuple[str, float]]
    taken: list[tuple[str, str, str]] = field(default_factory=list)
    fate: Counter[str] = field(default_factory=Counter)
    turned: Counter[str] = field(default_factory=Counter)
    away: bool = False
    port: int = 0

    def decide(self) -> str:
        drawn, upto, word = self.rng.random() * 100, 0.0, "taken"
        for fault, share in self.faults:
            upto += share
            if drawn < upto:
                word = fault
                break
        word = "drop" if self.away else word
        self.fate[word[:3] if word[0].isdigit() else word] += 1
        return word


class MailHandler:
    def __init__(self, post: Post) -> None:
        self._post = post

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        word = self._post.decide()
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content)
        if not mail["Message-ID"] and word != "taken" and not word.startswith("5"):
            self._post.turned[mail["To"]] += 1
        assert server.transport is not None
        if word == "hang":
            await asyncio.sleep(5)
        if word in ("drop", "hang") or server.transport.is_closing():
            server.transport.close()
            return "421 gone"
        if word != "taken":
            return word
        plain: Any = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        self._post.taken.append((mail["To"], mail["Message-ID"], plain.get_payload(decode=True).decode()))
        return "250 taken"


async def _web(post: Post, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        length = next(int(one.partition(":")[2]) for one in lines if one.lower().startswith("content-length"))
        body = json.loads(await reader.readexactly(length))
        word = post.decide()
        if word == "hang":
            await asyncio.sleep(5)
        if word not in ("drop", "hang"):
            status = "200 OK" if word == "taken" else f"{word} No"
            if word == "taken":
                post.taken.append((lines[0].split(" ")[1], body["title"], body["message"]))
            writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
    writer.close()


@asynccontextmanager
async def sinks(rng: Random) -> AsyncIterator[tuple[Post, Post]]:
    """The mail server's and the web server's record."""
    mail, web = Post(rng, MAIL_FAULTS), Post(rng, WEB_FAULTS)
    loop = asyncio.get_running_loop()
    smtp = await loop.create_server(
        lambda: SMTP(MailHandler(mail), hostname="127.0.0.1", loop=loop, enable_SMTPUTF8=True), "127.0.0.1", 0
    )
    http = await asyncio.start_server(lambda reader, writer: _web(web, reader, writer), "127.0.0.1", 0)
    mail.port, web.port = (server.sockets[0].getsockname()[1] for server in (smtp, http))
    try:
        yield mail, web
    finally:
        smtp.close()
        http.close()
