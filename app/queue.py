"""Queueing on the caller's connection: the job is there if, and only if, the transaction is committed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson
from psycopg import AsyncConnection

QUEUE = "mariscal"
ABROAD = "mariscal_abroad"  # jobs that wait for other people's servers: they have slots of their own

# A row of the job library's own type, for statements that queue what they have just written. The function is part of
# its schema; its Python side would take a round trip of its own.
ROW = f"row('{QUEUE}', {{name}}, 0, {{lock}}, null, {{args}}, {{at}})::procrastinate_job_to_defer_v1"
DEFER = "procrastinate_defer_jobs_v1"

_ENQUEUE = f"""select {DEFER}(array[{ROW.replace(f"'{QUEUE}'", "%(queue)s", 1).format(
    name="%(name)s", lock="%(lock)s", args="%(args)s::jsonb", at="%(at)s::timestamptz")}])"""  # fmt: skip
_ENQUEUE_ONCE = f"""{_ENQUEUE} where not exists (select from procrastinate_jobs
    where queue_name = %(queue)s and status = 'todo' and task_name = %(name)s and args = %(args)s::jsonb)"""


async def enqueue(conn: AsyncConnection[Any], name: str, args: Mapping[str, Any], *, at: datetime | None = None,
                  lock: str | None = None, queue: str = QUEUE, once: bool = False) -> None:
    """Queues a job by name; `args` must be what JSON can hold. `at`: not before; `lock`: of jobs with one lock only one
    runs at a time, in their order; `queue`: the job's own; `once`: not if the same is waiting already."""
    queued = {"queue": queue, "name": name, "lock": lock, "args": orjson.dumps(args).decode(), "at": at}
    await conn.execute(_ENQUEUE_ONCE if once else _ENQUEUE, queued)
