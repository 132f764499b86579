"""Puts a backup into the database, all of it or nothing. Stop the server first.

Where there are accounts already, --replace is needed, and what is there is gone afterwards. The dice of all games that
are not over are sealed anew. --json prints
{"tables": {NAME: rows}, "sealed_anew": games}.
"""

import argparse
import asyncio
import json
from pathlib import Path

import psycopg

from app import backup
from app.commands._database import add_arguments as common
from app.commands.serve import CanNotServe, database, locked, say
from app.db import migrate
from app.games import repository, take_back
from app.games.change import Change
from app.games.live import conninfo
from app.games.repository import Conn
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
            sealed = asyncio.run(_seal_anew(conninfo(settings.database_url)))
    except (backup.BackupError, CanNotServe, PostgresError) as problem:
        say(str(problem))
        return 1
    if args.json:
        print(json.dumps({"tables": counts, "sealed_anew": sealed}))
    else:
        say(f"{counts['games']} games and {counts['users']} accounts are back.")
        say(f"The dice of {sealed} unfinished games are sealed anew: whoever saw rolls that are lost foresees none.")
    return 0


async def _seal_anew(at: str) -> int:
    """Another seed for every game that is not over; how many there are."""
    conn: Conn
    async with await psycopg.AsyncConnection.connect(at) as conn:
        games = await repository.live_games(conn)
        for game_id in games:
            row = await repository.lock(conn, game_id)
            assert row is not None, "of one transaction"
            await take_back.reseal(Change(conn, row), "restored")
    return len(games)
