"""What processes tell one another through the database."""

from app.games.repository import Conn

CHANNEL = "game"


async def notify(conn: Conn, note: str) -> None:
    """Reaches all processes when the transaction is committed."""
    await conn.execute("select pg_notify(%s, %s)", (CHANNEL, note))


async def register(conn: Conn, origin: str) -> None:
    """From now on this connection is told of what others than `origin` write; those that ended are forgotten."""
    await conn.execute("delete from listeners where pid not in (select pid from pg_stat_activity)")
    await conn.execute(
        """insert into listeners (origin, pid) values (%s, pg_backend_pid())
           on conflict (origin) do update set pid = excluded.pid""",
        (origin,),
    )


async def unregister(conn: Conn, origin: str) -> None:
    await conn.execute("delete from listeners where origin = %s", (origin,))


def note(game_id: str, kind: str, number: int, origin: str = "") -> str:
    """A notification: `e` entries up to a number, `c` the card, `m` a chat message, `b` a bot may be asked,
    `u` (of no game) that a user's lines end."""
    return f"{game_id}:{kind}:{number}:{origin}"
