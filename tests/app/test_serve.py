"""`./mariscal serve` as a person starts it: a real process, its own PostgreSQL, killed and started again."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from app import postgres
from app.config import ROOT
from tests.conftest import PASSWORD

PATIENCE = 60.0  # seconds that an answer may take on a machine with much else to do
CLOSING = 5.0  # the same for the end, which takes one or two


class Served:
    """A running `serve`; `lines` is what it has said so far. A thread reads it: a server whose words nobody takes
    stands still when the pipe is full."""

    def __init__(self, data: Path, environment: dict[str, str] | None = None) -> None:
        clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "serve", "--port", "0", "--data", str(data)],
            cwd=ROOT,
            env=clean | {"PYTHONFAULTHANDLER": "1"} | (environment or {}),
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        self._read = 0
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        self.url = self._until(r"serving (http://\S+)/ ")

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as said:
            for line in said:
                self.lines.append(line)

    def _until(self, pattern: str) -> str:
        """The first group of the next line that has the pattern; waits for it until the server has ended."""
        while self._reader.is_alive() or self._read < len(self.lines):
            if self._read == len(self.lines):
                time.sleep(0.01)
                continue
            line = self.lines[self._read]
            self._read += 1
            if found := re.search(pattern, line):
                return found[1]
        self.process.wait(PATIENCE)
        raise AssertionError("".join(self.lines))

    def first_admin(self) -> str:
        return self._until(r"(http://\S+/first-admin/\S+)")

    def end(self, how: signal.Signals) -> tuple[int, float]:
        """Its exit code, and how many seconds the end took."""
        begin = time.monotonic()
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code, time.monotonic() - begin


@contextmanager
def serving(data: Path, environment: dict[str, str] | None = None) -> Iterator[Served]:
    served = Served(data, environment)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.end(signal.SIGKILL)


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder that the system user may pass through when the tests run as root."""
    with tempfile.TemporaryDirectory(prefix="mariscal-test-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "data"


def asked_on(line: HTTPConnection) -> None:
    """A request on a line that is kept, as a proxy keeps its lines to a server."""
    line.request("GET", "/health")
    answer = line.getresponse()
    answer.read()
    assert answer.status == 200
    assert line.sock is not None


def test_from_nothing_to_the_first_admin_and_back(data: Path) -> None:
    with serving(data) as first, httpx.Client(base_url=first.url, timeout=PATIENCE) as browser:
        link = first.first_admin()
        form = {"name": "Ana", "mail": "", "password": PASSWORD}
        assert browser.post(link, data=form).headers["location"] == "/admin"
        assert browser.get("/admin").status_code == 200
        idle = HTTPConnection(urlsplit(first.url).netloc, timeout=PATIENCE)
        asked_on(idle)
        since = time.monotonic()
        second = subprocess.run(
            [sys.executable, "-m", "app.cli", "serve", "--port", "0", "--data", str(data)],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert second.returncode == 1
        assert f"process {first.process.pid} already serves {data}" in second.stderr
        assert browser.get("/admin").status_code == 200
        time.sleep(max(0.0, since + 6 - time.monotonic()))  # the library would close it after five seconds
        asked_on(idle)
        idle.close()
        code, seconds = first.end(signal.SIGTERM)
        assert (code, seconds < CLOSING) == (0, True), (seconds, first.lines)
        assert first.lines[-1] == "mariscal: stopped.\n"
        assert not (data / "postgres/postmaster.pid").exists()
    with serving(data) as again, httpx.Client(base_url=again.url, cookies=browser.cookies, timeout=PATIENCE) as same:
        assert same.get("/admin").status_code == 200
        assert again.end(signal.SIGINT)[0] == 0
        assert not any("first-admin" in line for line in again.lines)


def test_a_killed_server_loses_nothing_and_starts_again(data: Path) -> None:
    with serving(data) as first, httpx.Client(base_url=first.url, timeout=PATIENCE) as browser:
        for name in ("Ana", "Bea"):
            browser.post("/api/account", json={"name": name, "password": PASSWORD})
        first.end(signal.SIGKILL)
    with serving(data) as again:
        answer = httpx.post(f"{again.url}/api/session", json={"name": "Bea", "password": PASSWORD}, timeout=PATIENCE)
        assert answer.status_code == 200


def test_a_folder_with_a_long_name_is_no_obstacle(data: Path) -> None:
    """The path of a Unix socket is limited to some hundred bytes."""
    with postgres.running(data / ("long" * 25) / "postgres", durable=False) as server:
        assert len(str(server.folder)) > postgres.LONGEST_SOCKET_FOLDER
        with psycopg.connect(server.url().replace("+psycopg", "")) as connection:
            assert connection.execute("select 1").fetchone() == (1,)


def test_the_socket_of_a_long_path_lies_where_nobody_else_can_have_been(data: Path) -> None:
    short = postgres._short((data / ("long" * 25) / "postgres").absolute())
    guessed = Path(tempfile.gettempdir()) / f"mariscal-{short}"
    guessed.mkdir(mode=0o777)
    try:
        with postgres.running(data / ("long" * 25) / "postgres", durable=False) as server:
            assert server.sockets not in (guessed, server.folder)
            assert stat.S_IMODE(server.sockets.stat().st_mode) == 0o700
            assert not list(guessed.iterdir())
        assert not server.sockets.exists()
        assert stat.S_IMODE((server.folder.parent / "postgres.log").stat().st_mode) == 0o600
    finally:
        guessed.rmdir()


def postmaster(data: Path) -> int:
    return int((data / "postgres/postmaster.pid").read_text().splitlines()[0])


def until_healthy(served: Served) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        with suppress(httpx.HTTPError):
            if httpx.get(f"{served.url}/health", timeout=5).status_code == 200:
                return
        assert time.monotonic() < end, served.lines
        time.sleep(0.2)


def test_a_database_that_died_is_started_again_and_at_last_given_up(data: Path) -> None:
    new = {"name": "Ana", "password": PASSWORD}
    with serving(data) as served, httpx.Client(base_url=served.url, timeout=PATIENCE) as browser:
        assert browser.post("/api/account", json=new).status_code == 201
        for _ in range(3):
            first = postmaster(data)
            os.kill(first, signal.SIGKILL)
            served._until("(PostgreSQL) ended")
            until_healthy(served)
            assert postmaster(data) != first
        wish = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": "both"}
        game = browser.post("/api/games", json=wish).raise_for_status().json()["id"]
        assert browser.get(f"/api/games/{game}/view").status_code == 200
        os.kill(postmaster(data), signal.SIGKILL)
        try:
            assert served.process.wait(PATIENCE) == 1
        except subprocess.TimeoutExpired:
            served.end(signal.SIGABRT)  # Python's fault handler says where each thread stands
            raise AssertionError("".join(served.lines)) from None


def test_a_taken_port_is_said(data: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "app.cli", "serve", "--port", port, "--data", str(data)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"can't listen on 127.0.0.1 port {port}" in done.stderr


def test_a_backup_of_a_working_server_holds_everything(data: Path) -> None:
    def mariscal(*words: str) -> None:
        done = subprocess.run([sys.executable, "-m", "app.cli", *words], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    dump, other = data.with_name("all.dump"), data.with_name("other")
    with serving(data) as first:
        httpx.post(f"{first.url}/api/account", json={"name": "Ana", "password": PASSWORD}, timeout=PATIENCE)
        mariscal("backup", str(dump), "--data", str(data))
    mariscal("restore", str(dump), "--data", str(other))
    with serving(other) as second:
        assert httpx.get(f"{second.url}/api/players/Ana", timeout=PATIENCE).status_code == 200
        answer = httpx.post(f"{second.url}/api/session", json={"name": "Ana", "password": PASSWORD}, timeout=PATIENCE)
        assert answer.status_code == 200
