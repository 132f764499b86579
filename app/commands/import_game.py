"""Makes a new game of a file that `export-game`, or the export of a finished game, wrote.

The record is re-run with the rules that are here and must fit; the title's data must be known by its digest. A finished
game is there to be looked at; one that runs gets new dice, and the owner plays both sides.
--json prints {"id": ID} or {"error": KEY, "args": {...}}.
"""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import psycopg

from app.accounts.repository import name_key
from app.commands import _database as commandline
from app.commands._database import connection_to
from app.errors import NotFound, Refused
from app.games import repository
from app.games.export import take_in
from app.games.repository import Conn
from app.texts import Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--owner", required=True, metavar="NAME", help="the account that the game is to belong to")
    commandline.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    try:
        with connection_to(args.data) as at:
            game_id = asyncio.run(_import(at, json.loads(args.file.read_bytes()), args.owner))
    except (Refused, json.JSONDecodeError) as fault:
        refused = fault if isinstance(fault, Refused) else Refused("games.import_malformed", why=str(fault))
        said = {"error": refused.key, "args": dict(refused.words)}
        print(json.dumps(said) if args.json else Texts("en")(refused.key, **refused.words))
        return 1
    print(json.dumps({"id": game_id}) if args.json else f"game {game_id} made")
    return 0


async def _import(at: str, file: dict[str, Any], owner: str) -> str:
    conn: Conn
    async with await psycopg.AsyncConnection.connect(at) as conn:
        user = await repository.user_named(conn, name_key(owner))
        if user is None:
            raise NotFound("games.no_user", name=owner)
        return await take_in(conn, file, user)
