"""Does the jobs of a server (mails, notices, reminders) in a process of its own.

Give the servers MARISCAL_WORKER=off then. Several workers share the work.
"""

import argparse
import asyncio
import signal
from pathlib import Path

from app.commands._database import connection_to
from app.commands.serve import CanNotServe, say
from app.config import ROOT, Settings
from app.db import Database, migrate
from app.games.config import game_settings
from app.games.store import Store
from app.jobs import worker
from app.jobs.registry import Work
from app.reactions import BORNE, REACTIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="data folder of the server")


def run(args: argparse.Namespace) -> int:
    try:
        with connection_to(args.data) as at:
            settings = Settings(data=args.data.absolute(), database_url=at)
            migrate(settings.database_url)
            asyncio.run(_work(settings, at))
    except CanNotServe as problem:
        say(str(problem))
        return 1
    say("stopped.")
    return 0


async def _work(settings: Settings, at: str) -> None:
    stop = asyncio.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(ending, stop.set)
    db = Database(settings.database_url, BORNE)
    store = Store(at, game_settings().games_in_memory, REACTIONS)
    await store.open()
    say("doing jobs (Ctrl-C stops)")
    try:
        await worker.run(Work(settings, db, store), stop)
    finally:
        await store.close()
        await db.close()
