"""Re-runs all live games with the rules that are here, from their newest checkpoints; changes nothing.

Run it before an upgrade, with the new code on the old database: exit code 1 when a game is out of step. The players of
such a game are told once a server runs with that code, and choose on its page: to go on from before the first answer
that does not fit, or to end it unrated.
--json prints {"games": N, "faults": {ID: WHY}, "back": {ID: ENTRY or null}}.
"""

import argparse
import asyncio
import json

import psycopg

from app.commands import _database as commandline
from app.commands._database import connection_to
from app.games import repository
from app.games.repository import Conn
from app.mending import service


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commandline.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    with connection_to(args.data) as at:
        games, faults, back = asyncio.run(_verify(at))
    if args.json:
        print(json.dumps({"games": games, "faults": faults, "back": back}))
    else:
        for game_id, why in faults.items():
            to = back[game_id]
            print(f"{game_id}: {why}; " + (f"can go on before entry {to}" if to else "can't go on from anywhere"))
        print(f"{games - len(faults)} of {games} live games fit")
    return 1 if faults else 0


async def _verify(at: str) -> tuple[int, dict[str, str], dict[str, int | None]]:
    faults: dict[str, str] = {}
    back: dict[str, int | None] = {}
    conn: Conn
    async with await psycopg.AsyncConnection.connect(at) as conn:
        games = await repository.live_games(conn)
        for game_id in games:
            row = await repository.game(conn, game_id)
            why = await service.fault(conn, row) if row else None
            if row and why:
                faults[game_id], back[game_id] = why, await service.way_back(conn, row)
    return len(games), faults, back
