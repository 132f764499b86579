"""What can be queued. Packages name their work here; nothing of the job library is imported until a worker starts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.config import Settings
from app.db import Database
from app.games.store import Store


@dataclass(frozen=True)
class Work:
    """What a job works with. A job that changes a game does so under `store.changing`."""

    settings: Settings
    db: Database
    store: Store


Do = Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class Job:
    """`do` is called with the Work and the arguments that were queued. `cron`: when it runs by itself, once across all
    processes. `tries`: how often it is tried again when it raises, each time after a longer wait. `at_start`: also when
    a worker begins, to look after what another left behind."""

    name: str
    do: Do
    cron: str | None
    tries: int
    at_start: bool


_jobs: dict[str, Job] = {}


def job(name: str, *, cron: str | None = None, tries: int = 5, at_start: bool = False) -> Callable[[Do], Do]:
    """Marks a coroutine function as a job. It may be run again after a kill: it has to look first whether it is still
    to be done. Jobs live in `app/PACKAGE/tasks.py`, which every worker imports."""

    def mark(do: Do) -> Do:
        if name in _jobs:
            raise ValueError(f"two jobs are called {name}")
        _jobs[name] = Job(name, do, cron, tries, at_start)
        return do

    return mark


def all_jobs() -> list[Job]:
    return list(_jobs.values())
