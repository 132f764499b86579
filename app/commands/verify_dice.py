"""Proves an exported game: every roll and draw from what was sealed, and what was told by running the record again.

FILE is what a finished game's export gives. Exit code 1 when anything does not fit, or nothing was there to check.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from app.commands import _database as commandline
from app.commands.import_game import read
from app.commands.serve import CanNotServe
from app.errors import NotFound, Refused
from app.games import data
from app.games.proof import Proof, prove
from app.texts import Texts
from rules.core.title import Data


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="an exported game")
    parser.add_argument("--seed-hash", action="append", default=[], metavar="HEX",
                        help="a hash of the seed as a player was shown it; may be given several times")  # fmt: skip
    commandline.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    try:
        file = read(args.file)
        if not isinstance(file, Mapping):
            raise Refused("games.import_malformed", why="this is no export of a game")
        proof = prove(file, _data(file, args.data), args.seed_hash)
    except Refused as refused:
        proof = Proof(faults=[Texts("en")(refused.key, **refused.words)])
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        proof = Proof(faults=[f"this is no whole export: {type(fault).__name__}: {fault}"])
    if args.json:
        print(json.dumps(proof.said()))
    else:
        checked = f"{proof.rolls} rolls as sealed, {proof.entries} entries as the rules make them"
        print("\n".join(proof.said()["faults"]) or checked)
    return 0 if proof.holds else 1


def _data(file: Mapping[str, Any], folder: Path) -> Data | None:
    """The data that the game was played with: those that are here, or those that the server's games are pinned to."""
    title, digest = data.title(file["title"]), file["data_digest"]
    if data.current(title.id).digest == digest:
        return data.current(title.id)
    try:
        with commandline.connection_to(folder) as at:
            return asyncio.run(_pinned(at, digest, title.id))
    except (NotFound, CanNotServe):
        return None


async def _pinned(at: str, digest: str, title_id: str) -> Data:
    async with await psycopg.AsyncConnection.connect(at) as conn:
        return await data.pinned(conn, digest, title_id)
