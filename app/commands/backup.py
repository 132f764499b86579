"""Writes all accounts, games and leagues into one file, while the server runs or not, and proves that it restores.

The file appears when it is whole. To prove it, it is restored into a database of its own on the same server and every
table is counted; --no-verify leaves that out. --json prints {"file", "bytes", "tables": {NAME: rows}}.
"""

import argparse
import json
from pathlib import Path

from app import backup
from app.commands._database import add_arguments as common
from app.commands._database import connection_to
from app.commands.serve import CanNotServe, say
from app.postgres import PostgresError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--no-verify", action="store_true", help="do not restore it to see whether it is whole")
    common(parser)


def run(args: argparse.Namespace) -> int:
    try:
        with connection_to(args.data) as at:
            counts = backup.backup(at, args.file.absolute(), verify=not args.no_verify)
    except (backup.BackupError, CanNotServe, PostgresError) as problem:
        say(str(problem))
        return 1
    size = args.file.stat().st_size
    if args.json:
        print(json.dumps({"file": str(args.file), "bytes": size, "tables": counts}))
    else:
        proved = "" if args.no_verify else ", restored and counted"
        say(f"{args.file}: {counts['games']} games, {counts['users']} accounts, {size:,} bytes{proved}.")
    return 0
