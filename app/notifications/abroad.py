"""Calls to servers that people name: to public addresses only, within a deadline, and little is read of what they say.

A call runs in a thread, speaks by `requests` and is watched from outside: an audit hook sees each connection it opens
and refuses those that lead to private addresses, wherever a name or a redirect led; at the deadline the connections
are shut down, so that a server that sends a byte a second holds nothing for longer; an adapter asks for answers that
are not compressed, takes so many bytes of one and no more, head and all, and reads the beginning of a body only.
"""

import asyncio
import contextlib
import io
import ipaddress
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from app.notifications.config import notice_settings
from app.notifications.sending import NotSent

T = TypeVar("T")
log = logging.getLogger(__name__)

SLOTS = 16  # calls at once
DEADLINE = 20.0  # seconds for a whole call, however many requests it is made of
SLACK = 5.0  # seconds after which a call is given up that waits for no connection, as for a slow name server
LONGEST_ANSWER = 16_000  # bytes of a body
MOST = 64_000  # bytes of an answer that are taken at all, its head and what stands between the parts of its body too
PART = 4096
LOOK_UP = 5.0  # seconds that looking a name up may take

_threads = ThreadPoolExecutor(SLOTS, "abroad")
_here = threading.local()


class _Call:
    """What one call has opened. `refused`: it was led to a private address."""

    def __init__(self, private: bool, seconds: float) -> None:
        self.private, self.ends = private, time.monotonic() + seconds
        self.refused = False
        self._opened: list[socket.socket] = []
        self._lock = threading.Lock()

    @property
    def late(self) -> bool:
        return time.monotonic() >= self.ends

    def open(self, sock: socket.socket, address: Any) -> None:
        """Before a connection. Raises PermissionError, TimeoutError."""
        if self.late:
            raise TimeoutError("too late")
        if not self.private and (
            sock.family not in (socket.AF_INET, socket.AF_INET6) or not is_public(str(address[0]))
        ):
            self.refused = True
            raise PermissionError("private address")
        with self._lock:  # a copy: what wraps the socket in TLS takes it over
            self._opened.append(socket.socket(sock.family, sock.type, sock.proto, os.dup(sock.fileno())))

    def shut(self) -> None:
        with self._lock:
            for sock in self._opened:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            for sock in self._opened:
                sock.close()
            self._opened.clear()


async def call(work: Callable[[], T]) -> T:
    """Calls in a thread of its own, with all that this module watches over. Raises NotSent."""
    private, seconds = notice_settings().private, DEADLINE
    done = asyncio.get_running_loop().run_in_executor(_threads, lambda: guarded(work, private, seconds))
    try:
        return await asyncio.wait_for(asyncio.shield(done), seconds + SLACK)
    except TimeoutError:
        done.add_done_callback(lambda late: late.cancelled() or late.exception())
        raise NotSent(f"no answer within {seconds:.0f} s") from None


def guarded(work: Callable[[], T], private: bool, seconds: float = DEADLINE) -> T:
    """The call itself, for work that stays in its thread. Raises NotSent."""
    _watch()
    _read_little()
    current = _here.call = _Call(private, seconds)
    alarm = threading.Timer(seconds, current.shut)
    alarm.daemon = True
    alarm.start()
    try:
        return work()
    except NotSent:
        raise
    except Exception as fault:  # of a library, at what a person has named: no reason to try for ever
        log.warning("a service could not be spoken to", exc_info=fault)
        raise NotSent(type(fault).__name__, for_good=True) from fault
    finally:
        _here.call = None
        alarm.cancel()
        late = current.late
        current.close()
        if current.refused:
            raise NotSent("private address", for_good=True)
        if late:
            raise NotSent(f"no answer within {seconds:.0f} s")


@cache
def _watch() -> None:
    sys.addaudithook(_hook)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect" and (current := getattr(_here, "call", None)) is not None:
        current.open(args[0], args[1])


class _Counted(io.RawIOBase):
    """What a server sends, up to `MOST` bytes. The libraries take a hundred lines of head of 65 kB each."""

    def __init__(self, raw: Any) -> None:
        self._raw, self._left = raw, MOST

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._left <= 0:
            raise ConnectionError("too long an answer")
        got: int | None = self._raw.readinto(memoryview(buffer)[: self._left])
        self._left -= got or 0
        return got

    def close(self) -> None:
        self._raw.close()
        super().close()


@cache
def _read_little() -> None:
    """Every session that `requests` opens from now on speaks by our adapter; here nothing else uses the library."""
    import http.client

    import requests.adapters
    import requests.sessions
    import urllib3.connection
    import urllib3.connectionpool

    class Short(http.client.HTTPResponse):
        def __init__(self, sock: socket.socket, *args: Any, **how: Any) -> None:
            super().__init__(sock, *args, **how)
            self.fp.close()
            self.fp = io.BufferedReader(_Counted(sock.makefile("rb", buffering=0)), PART)

    class Plain(urllib3.connection.HTTPConnection):
        response_class = Short

    class Secure(urllib3.connection.HTTPSConnection):
        response_class = Short

    class PlainPool(urllib3.connectionpool.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.connectionpool.HTTPSConnectionPool):
        ConnectionCls = Secure

    class Little(requests.adapters.HTTPAdapter):
        def init_poolmanager(self, *args: Any, **how: Any) -> None:
            super().init_poolmanager(*args, **how)
            self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}

        def send(self, *args: Any, **how: Any) -> Any:
            args[0].headers["Accept-Encoding"] = "identity"
            answer: Any = super().send(*args, **how | {"stream": True})
            answer._content, answer._content_consumed = b"".join(_beginning(answer)), True
            answer.close()
            return answer

    vars(requests.sessions)["HTTPAdapter"] = Little


def _beginning(answer: Any) -> Iterator[bytes]:
    """The first bytes of a body, in the parts they arrive in; nothing of one that is compressed all the same."""
    if answer.headers.get("content-encoding", "identity") != "identity":
        return
    left = LONGEST_ANSWER
    while left > 0 and (part := answer.raw.read1(min(left, PART))):
        left -= len(part)
        yield part


# -- addresses -------------------------------------------------------------------------------------------------------

# What the registries keep for private use or for nobody, and Python counts as public all the same.
_ODD = tuple(map(ipaddress.ip_network, (
    "192.0.0.0/24",  # protocols
    "192.88.99.0/24",  # the way into 6to4, given up
    "168.63.129.16/32",  # a cloud's own services
    "64:ff9b:1::/48",  # NAT64 within a network
    "2001::/23", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10", "::/96",
)))  # fmt: skip
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


async def leads_inside(host: str) -> bool:
    """Whether a name leads to an address that is not public; a name that is none (of a room, of a user) does not. What
    it leads to later is looked at with every connection."""
    if notice_settings().private:
        return False
    with contextlib.suppress(OSError, TimeoutError, UnicodeError):
        looked_up = asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        found = await asyncio.wait_for(looked_up, LOOK_UP)
        return not all(is_public(str(one[4][0])) for one in found)
    return False


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet: also the one that it hides, as the addresses by which IPv6
    reaches IPv4 do."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = None
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or (ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None)
    if inner is not None:
        return is_public(str(inner))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not any(ip in net for net in _ODD)
