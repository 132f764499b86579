"""Writes a game into a file: its record, answers, everything told, and the seed of its dice.

For a game that still runs this is more than its players may know: keep the file to yourself.
--json prints {"id": ID, "file": FILE, "entries": N}.
"""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import orjson
import psycopg

from app.commands import _database as commandline
from app.commands._database import connection_to
from app.games import repository
from app.games.export import export
from app.games.repository import Conn
from rules.core.seats import ALL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="ID", help="the game's id, as in its address")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="default: mariscal-ID.json")
    commandline.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    file: Path = args.file or Path(f"mariscal-{args.game}.json")
    with connection_to(args.data) as at:
        found = asyncio.run(_export(at, args.game))
    if found is None:
        print(json.dumps({"error": "no such game"}) if args.json else f"there is no game {args.game}")
        return 1
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_bytes(orjson.dumps(found))
    entries = len(found["entries"])
    said = {"id": args.game, "file": str(file), "entries": entries}
    print(json.dumps(said) if args.json else f"{entries} entries written to {file}")
    return 0


async def _export(at: str, game_id: str) -> dict[str, Any] | None:
    conn: Conn
    async with await psycopg.AsyncConnection.connect(at) as conn:
        row = await repository.game(conn, game_id)
        return None if row is None else await export(conn, row, ALL, everything=True)
