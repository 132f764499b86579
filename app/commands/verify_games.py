"""Re-runs all live games with the rules that are here, from their newest checkpoints; changes nothing.

To be run before a deploy. Exit code 1 when a game no longer fits; --json prints {"games": N, "faults": {ID: why}}.
"""

import argparse
import asyncio
import json

import psycopg

from app.games import repository, store
from app.games.commandline import add_arguments, connection_to
from app.games.repository import Conn

__all__ = ["add_arguments", "run"]


def run(args: argparse.Namespace) -> int:
    with connection_to(args.data) as at:
        games, faults = asyncio.run(_verify(at))
    if args.json:
        print(json.dumps({"games": games, "faults": faults}))
    else:
        for game_id, why in faults.items():
            print(f"{game_id}: {why}")
        print(f"{games - len(faults)} of {games} live games fit")
    return 1 if faults else 0


async def _verify(at: str) -> tuple[int, dict[str, str]]:
    faults: dict[str, str] = {}
    conn: Conn
    async with await psycopg.AsyncConnection.connect(at) as conn:
        games = await repository.live_games(conn)
        for game_id in games:
            row = await repository.game(conn, game_id)
            if row is None:
                continue
            try:
                await store.load(conn, row)
            except Exception as fault:
                faults[game_id] = repr(fault.__cause__ or fault)
    return len(games), faults
