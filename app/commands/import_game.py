"""Makes a new game of a file that `export-game`, or the export of a finished game, wrote.

The record is re-run with the rules that are here and must fit; the title's data must be known by its digest. Dice and
all that was told are proved: what does not fit is said, and the game marked for everybody who looks at it. A finished
game is there to be looked at, its players by name; an account is put in a name's place when it says that it was it,
which --player asks it. One that runs gets new dice, and the owner plays both sides.
--json prints {"id": ID, "proved": BOOL, "rolls": N, "entries": N, "faults": [...]} or {"error": KEY, "args": {...}}.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import psycopg

from app.accounts.repository import name_key
from app.commands import _database as commandline
from app.commands._database import connection_to
from app.community import invitations
from app.errors import NotFound, Refused
from app.games import repository
from app.games.export import TakenIn, take_in
from app.games.repository import Conn
from app.texts import Texts

PACKED = b"\x1f\x8b"  # how gzip begins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--owner", required=True, metavar="NAME", help="the account that the game is to belong to")
    parser.add_argument("--player", action="append", default=[], metavar="SEAT=NAME", type=_player,
                        help="of a finished game: the account to ask whether it played this seat")  # fmt: skip
    commandline.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    try:
        with connection_to(args.data) as at:
            made = asyncio.run(_import(at, read(args.file), args.owner, dict(args.player)))
    except Refused as refused:
        said = {"error": refused.key, "args": dict(refused.words)}
        print(json.dumps(said) if args.json else Texts("en")(refused.key, **refused.words))
        return 1
    if args.json:
        print(json.dumps({"id": made.id, "proved": made.proof.holds, **made.proof.said()}))
        return 0
    print(f"game {made.id} made")
    for fault in made.proof.said()["faults"]:
        print(f"not proved: {fault}")
    return 0


def read(file: Path) -> Any:
    """What an export holds. Raises Refused for what is none, whatever it is."""
    try:
        body = file.read_bytes()
    except OSError as fault:
        raise Refused("games.import_malformed", why=f"{fault.strerror}: {file}") from fault
    if body.startswith(PACKED):
        raise Refused("games.import_malformed", why="it is packed with gzip; unpack it first")
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as fault:
        raise Refused("games.import_malformed", why=str(fault)) from fault


def _player(text: str) -> tuple[str, str]:
    seat, given, name = text.partition("=")
    if not (seat and given and name):
        raise argparse.ArgumentTypeError(f"{text!r} is not like paraguay=Ana")
    return seat, name


async def _import(at: str, file: Any, owner: str, players: Mapping[str, str]) -> TakenIn:
    conn: Conn
    async with await psycopg.AsyncConnection.connect(at) as conn:
        user = await repository.user_named(conn, name_key(owner))
        if user is None:
            raise NotFound("games.no_user", name=owner)
        made = await take_in(conn, file, user)
        await _ask(conn, made.id, user, players)
        return made


async def _ask(conn: Conn, game_id: str, owner: int, players: Mapping[str, str]) -> None:
    """Asks accounts whether it was them who played. Raises Refused."""
    row = await repository.lock(conn, game_id)
    assert row is not None, "just made"
    if players and row.status != "finished":
        raise Refused("games.import_runs")
    for seat, name in players.items():
        found = await repository.user_named(conn, name_key(name))
        if found is None:
            raise NotFound("games.no_user", name=name)
        if seat not in row.seats:
            raise Refused("games.no_seat", seat=seat)
        await invitations.ask_player(conn, owner, game_id, seat, found)
