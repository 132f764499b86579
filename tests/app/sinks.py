"""Where messages end in tests: a mail server, and a web server that takes webhooks and push messages."""

import base64
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece  # type: ignore[import-untyped]
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class MailSink:
    """Takes mails: `mails` in the order they came. `busy` is set while one is being taken; with `hold` it waits then
    until `go`. `refuse`: what is answered instead of taking one."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.busy, self.go = threading.Event(), threading.Event()
        self.go.set()
        self.refuse: str | None = None
        self.port = 0

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        self.busy.set()
        while not self.go.is_set():
            await server.loop.run_in_executor(None, self.go.wait, 0.05)
        if server.transport is None or server.transport.is_closing():
            return "421 the sender is gone"
        if self.refuse:
            return self.refuse
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 taken"


@contextmanager
def mail_sink() -> Iterator[MailSink]:
    sink = MailSink()
    with socket.create_server(("127.0.0.1", 0)) as free:
        sink.port = free.getsockname()[1]
    controller = Controller(sink, hostname="127.0.0.1", port=sink.port)
    controller.start()
    try:
        yield sink
    finally:
        sink.go.set()
        controller.stop()


class WebSink:
    """Takes posts: `posts` are (path, headers, body) in the order they came; `status` is what it answers."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        self.port = 0

    def at(self, path: str) -> list[tuple[str, dict[str, str], bytes]]:
        return [one for one in self.posts if one[0] == path]


@contextmanager
def web_sink() -> Iterator[WebSink]:
    sink = WebSink()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            sink.posts.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(sink.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    sink.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield sink
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Browser:
    """A browser's end of web push: its keys, and what it reads of a post."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"

    def subscription(self, endpoint: str) -> dict[str, Any]:
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {name: base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
                for name, raw in (("p256dh", public), ("auth", self.auth))}  # fmt: skip
        return {"endpoint": endpoint, "keys": keys, "name": "Firefox, Linux"}

    def read(self, body: bytes) -> dict[str, Any]:
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        shown: dict[str, Any] = json.loads(plain)
        return shown
