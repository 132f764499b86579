"""Packs finished games away: record and positions of each in one compressed row.

A server does so by itself every night with games that ended MARISCAL_ARCHIVE_DAYS ago (180). Whoever looks at such a
game, replays or exports it, takes it out again, and it stays out for a week. --thaw takes all of them out, as before a
return to a release that knows no archive.
--json prints {"archived": N} or {"thawed": N}.
"""

import argparse
import asyncio
import json
from typing import Any

from psycopg_pool import AsyncConnectionPool

from app.archive import service
from app.archive.config import storage_settings
from app.archive.repository import Conn
from app.commands import _database as commandline
from app.commands._database import connection_to


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--days", type=int, metavar="N", help="those that ended N days ago or more")
    what.add_argument("--thaw", action="store_true", help="take all out again")
    commandline.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    days = storage_settings().archive_days if args.days is None else args.days
    with connection_to(args.data) as at:
        done = asyncio.run(_do(at, None if args.thaw else days))
    said: dict[str, Any] = {"thawed" if args.thaw else "archived": done}
    print(json.dumps(said) if args.json else f"{done} games {'taken out' if args.thaw else 'packed away'}")
    return 0


async def _do(at: str, days: int | None) -> int:
    pool: AsyncConnectionPool[Conn]
    async with AsyncConnectionPool(at, min_size=1, open=False) as pool:
        if days is None:
            return await service.thaw_all(pool)
        done = 0
        while more := await service.sweep(pool, days):
            done += more
        return done
