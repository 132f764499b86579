"""What an open connection hangs on: the session that opened it. When that ends, so does the connection, in whichever
process it is: the table of sessions tells its ends by itself (migration 0015), and each process looks again when it may
have missed one."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import scalar_row

CHECKED = 60.0  # seconds after which a process looks again: what ran out tells nothing


@dataclass(frozen=True, slots=True)
class Tie:
    """Who is at a connection. `session`: the hash of the token that opened it, None for one who is not signed in;
    `helper`: the admin who really sits there, with the user's eyes."""

    user: int | None = None
    session: bytes | None = None
    helper: int | None = None

    def concerns(self, user: int) -> bool:
        return user in (self.user, self.helper)


NOBODY = Tie()

_BROKEN = """
select t.session
from unnest(%(sessions)s::bytea[], %(users)s::bigint[], %(helpers)s::bigint[]) as t (session, who, helper)
where not exists (
    select from sessions s join users u on u.id = s.user_id left join users a on a.id = s.as_user_id
    where s.token_hash = t.session and s.expires_at > now()
      and (u.ban_reason is null or u.banned_until <= now())
      and case when u.is_admin and a.id is not null and a.deleted_at is null
               then (t.helper, t.who) = (u.id, a.id) else t.helper is null and t.who = u.id end)"""


async def broken(conn: AsyncConnection[Any], ties: Collection[Tie]) -> set[bytes]:
    """The sessions of those that hold no longer."""
    kept = [tie for tie in ties if tie.session is not None]
    if not kept:
        return set()
    asked = {"sessions": [tie.session for tie in kept], "users": [tie.user for tie in kept],
             "helpers": [tie.helper for tie in kept]}  # fmt: skip
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(_BROKEN, asked)
        return {bytes(one) for one in await cursor.fetchall()}
