"""What can be queued. Packages name their work here; nothing of the job library is imported until a worker starts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property

from app.config import Settings
from app.db import Database
from app.games.live import conninfo
from app.games.store import Store
from app.jobs.locks import Locks
from app.queue import QUEUE


@dataclass(frozen=True)
class Work:
    """What a job works with. A job that changes a game does so under `store.changing`."""

    settings: Settings
    db: Database
    store: Store

    @cached_property
    def locks(self) -> Locks:
        return Locks(conninfo(self.settings.database_url))


Do = Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class Job:
    """`do` is called with the Work and the arguments that were queued. `cron`: when it runs by itself, once across all
    processes. `tries`: how often it is tried again when it raises, each time after a longer wait. `at_start`: also when
    a worker begins, to look after what another left behind. `queue`: whose slots it takes."""

    name: str
    do: Do
    cron: str | None
    tries: int
    at_start: bool
    queue: str = QUEUE


_jobs: dict[str, Job] = {}


def job(name: str, *, cron: str | None = None, tries: int = 5, at_start: bool = False,
        queue: str = QUEUE) -> Callable[[Do], Do]:
    """Marks a coroutine function as a job. It may be run again after a kill: it has to look first whether it is still
    to be done. Jobs live in `app/PACKAGE/tasks.py`, which every worker imports."""

    def mark(do: Do) -> Do:
        if name in _jobs:
            raise ValueError(f"two jobs are called {name}")
        _jobs[name] = Job(name, do, cron, tries, at_start, queue)
        return do

    return mark


def all_jobs() -> list[Job]:
    return list(_jobs.values())
