"""Where things are measured: an embedded PostgreSQL, durable on disk, and server processes on it."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.request import urlopen

import psycopg

from app import postgres
from app.config import ROOT
from app.db import migrate
from app.games.live import conninfo

PATIENCE = 180.0  # a busy machine takes a minute to start a server


@dataclass(frozen=True, slots=True)
class Served:
    """A server process: its port, its process, and the database it is on (for psycopg)."""

    port: int
    process: subprocess.Popen[bytes]
    database: str

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def megabytes(self) -> float:
        """Resident memory of the process."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Site:
    """Starts what a part asks for, once, and stops it all in the end."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._servers = list[Served]()

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop_servers()
        self._stack.close()

    @cached_property
    def folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="mariscal-bench-"))
        folder.chmod(0o755)
        self._stack.callback(shutil.rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def cluster(self) -> postgres.Server:
        """With the settings of `./mariscal serve`: every commit is on the disk before it is answered."""
        return self._stack.enter_context(postgres.running(self.folder / "postgres"))

    def database(self, name: str) -> str:
        """A new database with the tables of the house; its address for SQLAlchemy."""
        with psycopg.connect(conninfo(self.cluster.url()), autocommit=True) as conn:
            conn.execute(f"create database {name}".encode())
        migrate(self.cluster.url(name))
        return self.cluster.url(name)

    def serve(self, kind: str, url: str, ballast: int = 0) -> Served:
        """A process that serves the `games` or the `relay` on that database, with the settings of the house."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(1024)
            port = listener.getsockname()[1]
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "bench.server", kind, "--fd", str(listener.fileno()),
                 "--ballast", str(ballast), "--folder", self.folder],
                pass_fds=[listener.fileno()], cwd=ROOT,
                env={**os.environ, "DATABASE_URL": url, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
        served = Served(port, process, conninfo(url))
        self._servers.append(served)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{port}/health", timeout=PATIENCE):
                    return served
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def stop_servers(self) -> None:
        """Those of a part that is done take nothing from the next."""
        while self._servers:
            self._servers.pop().stop()

    def describe(self) -> str:
        """The machine, as far as it matters here."""
        chip = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name")), "?")  # fmt: skip
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        python = ".".join(map(str, sys.version_info[:3]))
        return f"{os.cpu_count()} x {chip}; load {load}; Python {python}; {_file_system(Path(tempfile.gettempdir()))}"


def _file_system(folder: Path) -> str:
    """What the database lies on; in memory nothing is durable and the figures say nothing."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    at = max((m for m in mounts if folder.is_relative_to(m[1])), key=lambda m: len(m[1]))
    return f"database on {at[2]}" + (" (NOT DURABLE)" if at[2] in ("tmpfs", "ramfs") else "")
