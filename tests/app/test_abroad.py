"""Servers that people name: what they answer is hardly read, how slow they are harms nobody else, all are public."""

import gzip
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI

from app.games.store import Store
from app.notifications import abroad, config, content, limits, push, relay
from app.notifications.sending import Message, NotSent
from app.texts import Texts
from tests.app.conftest import Person
from tests.app.sinks import Browser, MailSink
from tests.app.test_notifications import mails, quiet, settings, sql, until
from tests.conftest import with_mail

__all__ = ["mails", "settings", "sql"]

HEAD = b"HTTP/1.1 201 Created\r\n"
Serve = Callable[[socket.socket], None]


class Odd:
    """A server that answers each connection by a function; `most` connections were open at once."""

    def __init__(self, answer: Serve) -> None:
        self.answer, self.open, self.most, self.seen = answer, 0, 0, b""
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self.listener.getsockname()[1]
        self._lock = threading.Lock()

    def serve(self) -> None:
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(sock,), daemon=True).start()

    def _one(self, sock: socket.socket) -> None:
        with sock:
            with self._lock:
                self.open += 1
                self.most = max(self.most, self.open)
            try:
                self.seen = sock.recv(100_000)
                self.answer(sock)
            except OSError:
                pass
            finally:
                with self._lock:
                    self.open -= 1


@contextmanager
def odd(answer: Serve) -> Iterator[Odd]:
    server = Odd(answer)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.listener.shutdown(socket.SHUT_RDWR)
        server.listener.close()


def message() -> Message:
    item = content.Item(0, "test", "A test", "Go", "/account/notifications")
    return Message(Texts("en"), "http://games.example", [item], "", "t")


def by_hook(port: int) -> Callable[[], None]:
    return lambda: relay._send(f"json://127.0.0.1:{port}/", message())


def by_push(port: int) -> Callable[[], None]:
    subscription = Browser().subscription(f"http://127.0.0.1:{port}/push")
    private, _ = push._new_keys()
    return lambda: push._post(subscription, "{}", private, {"sub": "mailto:a@example.org"}, "x" * 32)


WAYS = pytest.mark.parametrize("way", [by_hook, by_push])


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@WAYS
def test_a_compressed_answer_is_not_unpacked(way: Callable[[int], Callable[[], None]]) -> None:
    """Half a megabyte that would become six hundred."""
    bomb = gzip.compress(bytes(1_000_000)) * 600
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with odd(lambda sock: sock.sendall(head + bomb)) as server:
        send = way(server.port)
        relay._library()
        before = memory()
        abroad.guarded(send, private=True)
        assert memory() - before < 30_000_000
        assert b"\r\naccept-encoding: identity\r\n" in server.seen.lower()


@WAYS
@pytest.mark.parametrize("chunked", [False, True])
def test_of_a_long_answer_the_beginning_is_read(way: Callable[[int], Callable[[], None]], chunked: bool) -> None:
    sent = 0

    def answer(sock: socket.socket) -> None:
        nonlocal sent
        how = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: 1000000000"
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        sock.sendall(HEAD + how + b"\r\n\r\n")
        part = b"10000\r\n" + bytes(0x10000) + b"\r\n" if chunked else bytes(0x10000)
        while sent < 500_000_000:
            sock.sendall(part)
            sent += len(part)

    with odd(answer) as server:
        send = way(server.port)
        before = memory()
        abroad.guarded(send, private=True)
        assert memory() - before < 30_000_000
        assert sent < 20_000_000, "what the system's own buffers took"


def _head() -> Iterator[bytes]:
    yield HEAD
    for n in range(90):  # a library that counts lines takes a hundred, of 65 kB each
        yield b"X-%d: " % n + b"a" * 60_000 + b"\r\n"


def _welcomes() -> Iterator[bytes]:
    while True:
        yield b"HTTP/1.1 100 Continue\r\nX: " + b"a" * 60_000 + b"\r\n\r\n"


def _chunk() -> Iterator[bytes]:
    yield HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;"
    while True:
        yield b"a" * 60_000


@WAYS
@pytest.mark.parametrize("parts", [_head, _welcomes, _chunk])
def test_of_what_is_no_body_only_so_much_is_taken(
    way: Callable[[int], Callable[[], None]], parts: Callable[[], Iterator[bytes]]
) -> None:
    sent = 0

    def answer(sock: socket.socket) -> None:
        nonlocal sent
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        for part in parts():
            sock.sendall(part)
            sent += len(part)

    with odd(answer) as server:
        send = way(server.port)
        before = memory()
        with pytest.raises(NotSent):
            abroad.guarded(send, private=True, seconds=5)
        assert memory() - before < 5_000_000
        assert sent < 4_000_000, "what the system's own buffers took"


@WAYS
@pytest.mark.parametrize("where", ["status", "headers", "body"])
def test_a_call_has_a_deadline(way: Callable[[int], Callable[[], None]], where: str) -> None:
    """A byte now and then keeps every single wait short."""

    def answer(sock: socket.socket) -> None:
        start = {"status": b"", "headers": HEAD + b"X-A: ", "body": HEAD + b"Content-Length: 1000\r\n\r\n"}[where]
        sock.sendall(start)
        for byte in b"HTTP/1.1 201 Created" + b" " * 500:
            sock.sendall(bytes([byte]))
            time.sleep(0.2)

    with odd(answer) as server:
        send = way(server.port)
        relay._library()
        began = time.monotonic()
        with pytest.raises(NotSent, match="no answer within"):
            abroad.guarded(send, private=True, seconds=1.0)
        assert time.monotonic() - began < 3


@WAYS
def test_a_redirect_to_a_private_address_is_not_followed(
    way: Callable[[int], Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with odd(lambda sock: sock.sendall(HEAD + b"Content-Length: 0\r\n\r\n")) as inner:
        to = HEAD.replace(b"201 Created", b"307 Away") + b"Location: http://127.0.0.1:%d/\r\n\r\n" % inner.port
        with odd(lambda sock: sock.sendall(to)) as outer:
            real = abroad.is_public
            first: list[str] = []

            def but_the_first(address: str) -> bool:
                first.append(address)
                return len(first) == 1 or real(address)

            monkeypatch.setattr(abroad, "is_public", but_the_first)
            with pytest.raises(NotSent):
                abroad.guarded(way(outer.port), private=False)
        assert inner.most == 0


def test_a_name_that_leads_elsewhere_later_leads_nowhere(
    person: Person, sql: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Public when the address was taken, this machine when a message is sent."""
    monkeypatch.setattr(config.notice_settings(), "private", False)
    real, leads = socket.getaddrinfo, ["8.8.8.8"]
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, *rest, **more: real(
        leads[0] if host in ("push.example.org", b"push.example.org") else host, port, *rest, **more))  # fmt: skip
    ana = person("Ana")

    def tried(times: int) -> bool:
        return len(ana.get("/api/account/deliveries").json()) == times

    with odd(lambda sock: sock.sendall(HEAD + b"Content-Length: 0\r\n\r\n")) as server:
        there = f"//push.example.org:{server.port}/"
        made = [ana.post("/api/account/push", json=Browser().subscription(f"https:{there}")),
                ana.post("/api/account/channels", json={"address": f"json:{there}"})]  # fmt: skip
        assert [one.status_code for one in made] == [201, 201], [one.text for one in made]
        leads[0] = "127.0.0.1"
        for n, one in enumerate(made, 1):
            ana.post(f"/api/account/channels/{one.json()['id']}/test")
            until(partial(tried, n))
        quiet(sql)
        assert server.most == 0
    assert {one["error"] for one in ana.get("/api/account/deliveries").json()} == {"private address"}


BAD_ENDPOINTS = [
    "", "https://", "https:///push", "https://[::1/", "https://push.example.org:99999/", "https://push.example.org:x/",
    "https://me:secret@push.example.org/", "https://push.example.org/a b", "https://push.example.org/\n", "//push/",
    "https://pu\u015fh.example.org/", "http://push.example.org/", "ftp://push.example.org/", "file:///etc/shadow",
    "javascript:alert(1)", "https://" + "a" * 1000,
]  # fmt: skip


def test_what_is_no_push_service_is_refused(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config.notice_settings(), "private", False)
    monkeypatch.setitem(limits.CHANNELS.__dict__, "hits", 1000)
    ana, good = person("Ana"), Browser().subscription("https://push.example.org/")
    keys = good["keys"]
    bad = [{**good, "endpoint": endpoint} for endpoint in BAD_ENDPOINTS]
    bad += [{**good, "keys": {**keys, name: key}} for name in keys
            for key in ("", "x", "x" * 87, keys[name] + "AAAA", "*" + keys[name][1:])]  # fmt: skip
    bad += [{**good, "endpoint": f"https://{host}/"} for host in (
        "localhost", "10.0.0.1", "127.1", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254")]  # fmt: skip
    for new in bad:
        answer = ana.post("/api/account/push", json=new)
        assert answer.status_code in (400, 422), (new, answer.status_code)
    assert [one["kind"] for one in ana.get("/api/account/channels").json()] == ["mail"]


@pytest.mark.parametrize(("answer", "tries", "left"), [
    (b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", 1, 0),
    (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 1, 0),
    (b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", 1, 1),
    (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 4, 1),
    (b"HTTP/1.1 429 Slower\r\nContent-Length: 0\r\n\r\n", 4, 1),
    (b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", 4, 1),
    (b"SSH-2.0-OpenSSH\r\n", 4, 1),
    (b"", 4, 1),
], ids=["gone", "unknown", "forbidden", "away", "often", "broken", "other", "nothing"])  # fmt: skip
def test_what_a_push_service_may_say(answer: bytes, tries: int, left: int) -> None:
    """How often it is tried, and whether the channel stays."""
    with odd(lambda sock: sock.sendall(answer)) as server, pytest.raises(NotSent) as failed:
        abroad.guarded(by_push(server.port), private=True)
    assert (failed.value.gone, failed.value.for_good) == (not left, tries == 1)


def test_a_library_that_breaks_at_what_a_person_named_is_not_asked_again() -> None:
    def broken() -> None:
        raise KeyError("of a library")

    with pytest.raises(NotSent, match="KeyError") as failed:
        abroad.guarded(broken, private=False)
    assert failed.value.for_good


def drip(sock: socket.socket) -> None:
    for _ in range(100):
        sock.sendall(b"H")
        time.sleep(0.2)


def in_use(store: Store) -> int:
    stats = [pool.get_stats() for pool in (store.pool, store.quick)]
    return sum(one["pool_size"] - one["pool_available"] for one in stats)


def test_a_slow_service_keeps_nobody_else_waiting(
    person: Person, api: FastAPI, mails: MailSink, sql: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five tests of a service that never ends, by each of two people; a third one's mail goes out at once. Of each
    person one delivery is under way, and no connection of the games' pools."""
    monkeypatch.setattr(abroad, "DEADLINE", 4.0)
    with odd(drip) as slow, odd(drip) as other:
        ana, eva, store = person("Ana"), person("Eva"), api.state.games.store
        quiet(sql)
        before = in_use(store)
        for one, server in ((ana, slow), (eva, other)):
            hook = {"address": f"json://127.0.0.1:{server.port}/"}
            channel = one.post("/api/account/channels", json=hook).json()["id"]
            for _ in range(5):
                assert one.post(f"/api/account/channels/{channel}/test").status_code in (202, 204)
        until(lambda: slow.open and other.open)
        bea = person("Bea")
        began = time.monotonic()
        with_mail(bea, "bea@example.org")
        channel = next(one["id"] for one in bea.get("/api/account/channels").json() if one["kind"] == "mail")
        bea.post(f"/api/account/channels/{channel}/test")
        until(lambda: mails.mails and in_use(store) <= before)
        assert time.monotonic() - began < 4
        assert (slow.most, other.most) == (1, 1)
        sql("delete from procrastinate_jobs where status = 'todo' returning 1")
        until(lambda: not slow.open and not other.open)
        quiet(sql)
    log = ana.get("/api/account/deliveries").json()
    assert {one["error"] for one in log} == {"no answer within 4 s"}


FILES = [
    "discord://1234567890/abcdefghij?template=/etc/shadow",
    "https://discord.com/api/webhooks/1234567890/" + "a" * 60 + "?template=/etc/shadow",
    "tgram://123456789:abcdefg_hijklmnop/12315544/?Template=/etc/shadow",
    "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?template=/etc/shadow",
    "workflows://host/workflow/signature/?template=/etc/shadow",
    "fcm://project@apikey/device?keyfile=/etc/shadow",
    "fcm://project/device?keyfile=/etc/shadow",
    "vapid://somebody@example.org/?subfile=/etc/shadow&keyfile=/etc/passwd",
    "json://127.0.0.1/?retry=1000&wait=60",
    "json://127.0.0.1/?cto=86400&rto=86400",
    "ntfy://127.0.0.1/topic?attach=file:///etc/shadow",
    "matrixs://token@127.0.0.1/room?e2ee=yes&store=yes",
    "mailto://user:pass@example.org?pgppub=/etc/shadow",
    "prowl://apikey/?anything=/etc/shadow",
    "discord://1234567890/abcdefghij?+X-File=/etc/shadow",
]  # fmt: skip
FINE = [
    "discord://1234567890/abcdefghij?footer=yes&format=markdown",
    "json://127.0.0.1/hook?+X-Token=abc&:game=mariscal&method=PUT",
    "ntfy://127.0.0.1/topic?priority=high&tags=dice",
    "tgram://123456789:abcdefg_hijklmnop/12315544/?silent=yes",
    "gotify://127.0.0.1/token?priority=high",
    "prowl://" + "a" * 40,
]


@pytest.mark.parametrize("address", FILES)
def test_what_could_name_a_file_is_refused(address: str, person: Person) -> None:
    answer = person("Ana").post("/api/account/channels", json={"address": address})
    assert (answer.status_code, answer.json()["error"]["key"]) == (400, "notice.bad_service")
    with pytest.raises(NotSent, match="unknown address"):  # nor is one of an earlier day used
        relay._send(address, message())


@pytest.mark.parametrize("address", FINE)
def test_what_is_known_to_be_harmless_is_taken(address: str) -> None:
    assert relay._service(address) is not None


@pytest.mark.parametrize("address", [
    "10.0.0.1", "127.0.0.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.88.99.1", "198.18.0.1", "240.0.0.1",
    "0.0.0.0", "224.0.0.1", "168.63.129.16", "::1", "::", "fe80::1%eth0", "fd00::1", "fec0::1", "ff0e::1",
    "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:a00:1::",
    "2002:808:808::", "2001::1", "2001:db8::1", "3fff::1", "5f00::1", "100::1",
])  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not abroad.is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_that_are_public(address: str) -> None:
    assert abroad.is_public(address)
