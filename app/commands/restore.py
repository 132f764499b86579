"""Puts a backup into the database, all of it or nothing. Stop the server first.

Where there are accounts already, --replace is needed, and what is there is gone afterwards. --json prints
{"tables": {NAME: rows}}.
"""

import argparse
import json
from pathlib import Path

from app import backup
from app.commands._database import add_arguments as common
from app.commands.serve import CanNotServe, database, locked, say
from app.db import migrate
from app.games.live import conninfo
from app.postgres import PostgresError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--replace", action="store_true", help="also when there are accounts in the database")
    common(parser)


def run(args: argparse.Namespace) -> int:
    data = args.data.absolute()
    try:
        data.mkdir(parents=True, exist_ok=True)
        with locked(data), database(data) as settings:
            counts = backup.restore(conninfo(settings.database_url), args.file.absolute(), args.replace)
            migrate(settings.database_url)
    except (backup.BackupError, CanNotServe, PostgresError) as problem:
        say(str(problem))
        return 1
    if args.json:
        print(json.dumps({"tables": counts}))
    else:
        say(f"{counts['games']} games and {counts['users']} accounts are back.")
    return 0
