"""What the subcommands on games share: the database, whether a server runs on it or not."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from app.commands.serve import CanNotServe, database, locked
from app.config import ROOT, Settings
from app.db import migrate
from app.games.live import conninfo

SOCKET_LINE = 4  # of postmaster.pid: the folder of the server's socket


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="data folder of the server")
    parser.add_argument("--json", action="store_true", help="print JSON")


@contextmanager
def connection_to(data: Path) -> Iterator[str]:
    """How to reach the database of `DATABASE_URL` or of a data folder; its server is started unless it runs already.
    Raises CanNotServe for a folder there is not."""
    settings = Settings(data=data.absolute())
    if settings.database_url:
        yield conninfo(settings.database_url)
        return
    if not settings.data.is_dir():
        raise CanNotServe(f"there is no data folder {settings.data}")
    try:
        with locked(settings.data), database(settings.data) as own:
            migrate(own.database_url)
            yield conninfo(own.database_url)
    except CanNotServe:
        lines = (settings.data / "postgres" / "postmaster.pid").read_text().splitlines()
        yield f"postgresql://mariscal@/postgres?host={quote(lines[SOCKET_LINE])}"
