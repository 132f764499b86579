"""Dumps or restores the whole database: for backups, moves and new PostgreSQL versions.

  mariscal db dump FILE      writes all games and accounts into FILE
  mariscal db restore FILE   replaces what is there by what FILE holds

Stop `serve` first when it runs on the same data folder; with DATABASE_URL a dump may be made while it runs.
"""

import argparse
import os
import subprocess
from pathlib import Path
from shutil import which
from urllib.parse import urlsplit

from app.commands.serve import CanNotServe, locked, say
from app.config import ROOT, Settings
from app.postgres import PostgresError, running


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["dump", "restore"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="data folder of the server")


def run(args: argparse.Namespace) -> int:
    settings = Settings(data=args.data.absolute())
    try:
        if settings.database_url:
            tools = Path(which("pg_dump") or "").parent
            return _tool(args.what, args.file, settings.database_url, tools)
        if not settings.data.is_dir() and args.what == "dump":
            raise CanNotServe(f"there is no data folder {settings.data}")
        settings.data.mkdir(parents=True, exist_ok=True)
        with locked(settings.data), running(settings.data / "postgres") as server:
            return _tool(args.what, args.file, server.url(), server.bin)
    except (CanNotServe, PostgresError) as problem:
        say(str(problem))
        return 1


def _tool(what: str, file: Path, url: str, tools: Path) -> int:
    target = urlsplit(url)._replace(scheme="postgresql").geturl()
    command: list[str | Path]
    if what == "dump":
        command = [tools / "pg_dump", "--format=custom", "--no-owner", f"--file={file.absolute()}", target]
    else:
        options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
        command = [tools / "pg_restore", *options, f"--dbname={target}", file.absolute()]
    done = subprocess.run(command, env=os.environ)
    if done.returncode == 0:
        say(f"{what} of {file} done.")
    return 1 if done.returncode else 0
