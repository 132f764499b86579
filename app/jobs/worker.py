"""The worker: the job library on our PostgreSQL, with the jobs of all packages."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import procrastinate
from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

import app
from app.db import alive
from app.games.live import conninfo
from app.jobs.registry import Job, Work, all_jobs
from app.queue import ABROAD, QUEUE

log = logging.getLogger(__name__)

AT_ONCE = {QUEUE: 4, ABROAD: 16}  # jobs, by queue
POLL = 2.0  # seconds after which a job that has become due is found
GRACE = 1.0  # seconds that running jobs get at the end; what is cut off is done again
BACKOFF = 4  # seconds, to the power of the try: 4, 16, 64, 256, 1024
JUMP = 30.0  # seconds by which the clock of the day may run away from that of the machine
STALLED = 30.0  # seconds without a sign of life after which a worker counts as dead
KEPT = 72  # hours that failed jobs can be looked at


def known() -> list[Job]:
    """The jobs of all packages."""
    for path in sorted(Path(app.__path__[0]).glob("*/tasks.py")):
        import_module(f"app.{path.parent.name}.tasks")
    return all_jobs()


def manager(url: str) -> procrastinate.App:
    """The library's App for a database, without any job."""
    return procrastinate.App(
        connector=procrastinate.PsycopgConnector(
            pool_factory=_pool, conninfo=conninfo(url), min_size=1, max_size=4, configure=_at_once, name="jobs"
        )
    )


def _pool(**settings: Any) -> AsyncConnectionPool[Any]:
    return AsyncConnectionPool(**{**settings, "check": alive})


async def _at_once(conn: AsyncConnection[Any]) -> None:
    """The library does each thing by one statement, the same ones again and again."""
    await conn.set_autocommit(True)
    conn.prepare_threshold = 0


async def _register(jobs: procrastinate.App, work: Work, one: Job) -> None:
    async def do(_context: procrastinate.JobContext, /, **args: Any) -> None:
        args.pop("timestamp", None)
        await one.do(work, **args)

    retry = procrastinate.RetryStrategy(max_attempts=one.tries, exponential_wait=BACKOFF)
    task: Any = jobs.task(name=one.name, queue=one.queue, retry=retry, pass_context=True)(do)
    if one.cron:
        jobs.periodic(cron=one.cron)(task)
    if one.at_start:
        await task.defer_async()


async def _rescue(jobs: procrastinate.App, work: Work) -> None:
    """Jobs of processes that were killed are done again; a clock set and set right between two looks of `_jumped` left
    turns that have not come."""
    await _forget_to_come(work)
    for stalled in await jobs.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED):
        with suppress(ConnectorException):
            await jobs.job_manager.retry_job(stalled)
    await jobs.job_manager.prune_stalled_workers(STALLED)
    await jobs.job_manager.delete_old_jobs(nb_hours=KEPT, include_failed=True)


async def run(work: Work, stop: asyncio.Event) -> None:
    """Does jobs until `stop` is set; after a lost connection it begins again."""
    pause = 0.5
    while not stop.is_set():
        jobs = manager(work.settings.database_url)
        try:
            async with jobs.open_async():
                await _forget_to_come(work)
                for one in (*known(), Job("jobs.rescue", partial(_rescue, jobs), "* * * * *", 0, True)):
                    await _register(jobs, work, one)
                await _until(jobs, stop)
                pause = 0.5
        except (ConnectorException, OSError) as fault:
            log.warning("jobs wait for the database (%s)", fault)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        pause = min(pause * 2, 10)
    await work.locks.close()


async def _until(jobs: procrastinate.App, stop: asyncio.Event) -> None:
    """Until it is told to stop, or the clock has jumped: the library reckons with times that it has seen, and would do
    nothing until they come again. Raises what ends a worker before that."""
    workers: list[asyncio.Task[Any]] = [
        asyncio.create_task(jobs.run_worker_async(
            queues=[queue], concurrency=number, fetch_job_polling_interval=POLL, shutdown_graceful_timeout=GRACE,
            delete_jobs="successful", install_signal_handlers=False))
        for queue, number in AT_ONCE.items()
    ]  # fmt: skip
    stopping, jump = asyncio.create_task(stop.wait()), asyncio.create_task(_jumped())
    ended, _ = await asyncio.wait((*workers, stopping, jump), return_when=asyncio.FIRST_COMPLETED)
    for one in (*workers, stopping, jump):
        one.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    for one in ended - {stopping, jump}:
        one.result()


async def _jumped() -> None:
    """Returns when the clock of the day has been set, forward or back."""
    began = time.time() - time.monotonic()
    while abs(time.time() - time.monotonic() - began) < JUMP:
        await asyncio.sleep(POLL)
    log.warning("the clock has been set; jobs begin anew")


async def _forget_to_come(work: Work) -> None:
    """What a clock noted that was ahead: turns of regular jobs would be left out until then, and jobs of a dead worker
    be nobody's."""
    async with work.store.pool.connection() as conn:
        await conn.execute(
            "delete from procrastinate_periodic_defers where defer_timestamp > extract(epoch from now()) + 60")
        await conn.execute("update procrastinate_workers set last_heartbeat = now() where last_heartbeat > now()")


@asynccontextmanager
async def working(work: Work) -> AsyncIterator[None]:
    """Does jobs beside what goes on in the block."""
    stop = asyncio.Event()
    task = asyncio.create_task(run(work, stop))
    try:
        yield
    finally:
        stop.set()
        await task
