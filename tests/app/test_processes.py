"""Three server processes on one database behind a proxy: played through all of them, and one of them killed. News goes
between them by the database, or by NATS."""

import contextlib
import itertools
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from app.games.live import conninfo
from tests.app.test_kill import Table, easy
from tests.app.test_serve import Served, data, serving
from tests.app.toy_table import new_key

__all__ = ["data"]

ANSWERS = 24
PATIENCE = 90.0


class Proxy:
    """Passes each connection on to the next server that takes it, byte for byte."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = itertools.cycle(ports)
        self._most = len(ports)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,)).start()

    def _serve(self, client: socket.socket) -> None:
        server = self._reach()
        if server is None:
            client.close()
            return
        with client, server:
            back = threading.Thread(target=_pass_on, args=(server, client))
            back.start()
            _pass_on(client, server)
            back.join()

    def _reach(self) -> socket.socket | None:
        for _ in range(self._most):
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", next(self._ports)), 5)
        return None


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := one.recv(65536):
            other.sendall(piece)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A NATS server; its address is `args[-1]`."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("nats-server")
    with (tmp_path / "nats.log").open("wb") as log:
        args = [str(program), "--addr", "127.0.0.1", "--port", str(port), "--client_advertise", f"127.0.0.1:{port}"]
        running = subprocess.Popen(args, stdout=log, stderr=log)
    yield running
    running.terminate()
    running.wait(10)


@pytest.fixture(params=["postgresql", "nats"])
def servers(data: Path, database_url: str, request: pytest.FixtureRequest) -> Iterator[list[Served]]:
    where = {"DATABASE_URL": database_url, "MARISCAL_SECRET_KEY": "one for all"}
    if request.param == "nats":
        where["MARISCAL_NATS_URL"] = f"nats://{request.getfixturevalue('nats').args[-1]}"
    with contextlib.ExitStack() as running:
        with ThreadPoolExecutor(3) as together:
            started = together.map(
                lambda n: running.enter_context(serving(data.with_name(f"server-{n}"), where)), range(3)
            )
        yield list(started)


def watch(server: Served, table: Table, since: int) -> AbstractContextManager[ClientConnection]:
    cookies = "; ".join(f"{name}={value}" for name, value in table.browser.cookies.items())
    address = f"{server.url.replace('http', 'ws')}/api/games/{table.id}/socket?seat=allied&since={since}"
    return connect(address, additional_headers={"Cookie": cookies}, max_size=None)


def heard(line: ClientConnection, upto: int) -> list[int]:
    """The entries a line brings, up to one."""
    seen: list[int] = []
    while not seen or seen[-1] < upto:
        message: dict[str, Any] = json.loads(line.recv(PATIENCE))
        if message["type"] == "view":
            seen.append(message["view"]["seq"])
        seen += [entry["seq"] for entry in message.get("entries", ())]
    return seen


def answer_somewhere(table: Table) -> int:
    """One answer through whichever server takes it, sent again with its key while none acknowledges; the new seq."""
    while True:
        with contextlib.suppress(httpx.TransportError):
            request = table.get("/view")["request"]
            break
    said = {"seq": request["seq"], "key": new_key(), "answer": easy(request)}
    while True:
        with contextlib.suppress(httpx.TransportError):
            body = table.post("/answers", request["seat"], said)
            table.acknowledged[body["seq"]] = "answer"
            return table.last()


def uses_nats(request: pytest.FixtureRequest) -> bool:
    return "nats" in request.node.callspec.id


def listening(database_url: str) -> int:
    """How many processes are told of answers by the database."""
    with psycopg.connect(conninfo(database_url)) as conn:
        [[number]] = conn.execute("select count(*) from listeners").fetchall()
    return int(number)


def test_a_game_through_three_servers_of_which_one_dies(servers: list[Served], request: pytest.FixtureRequest) -> None:
    proxy = Proxy([httpx.URL(server.url).port or 0 for server in servers])
    limits = httpx.Limits(max_keepalive_connections=0)  # every request finds a server anew
    with httpx.Client(base_url=proxy.url, limits=limits, timeout=PATIENCE) as browser, contextlib.ExitStack() as open_:
        table = Table(browser)
        lines = [open_.enter_context(watch(server, table, 1)) for server in servers]
        seq = 1
        for _ in range(ANSWERS // 2):
            seq = answer_somewhere(table)
        for line in lines:
            assert heard(line, seq) == list(range(2, seq + 1)), "every server tells every entry once"
        assert listening(request.getfixturevalue("database_url")) == (0 if uses_nats(request) else 3)
        if uses_nats(request):  # what it can't carry is found in the database
            request.getfixturevalue("nats").kill()
        before = seq
        servers[1].process.send_signal(signal.SIGKILL)
        for _ in range(ANSWERS // 2):
            seq = answer_somewhere(table)
        with pytest.raises(ConnectionClosed):
            heard(lines[1], seq)
        lines[1] = open_.enter_context(watch(servers[2], table, before))
        for line in lines:
            assert heard(line, seq) == list(range(before + 1, seq + 1))
        record = table.get("/record?seat=paraguay")["entries"]
        assert table.acknowledged.items() <= {entry["seq"]: entry["kind"] for entry in record}.items()
        assert [entry["seq"] for entry in record] == list(range(1, seq + 1))
    proxy.close()
