"""Everything that is kept about a person, as a file for that person."""

import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import IO, Any

import orjson
from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.concurrency import run_in_threadpool

from app.db import driver
from app.games import access, export, repository
from app.games.repository import Conn

CHUNK = 65536  # bytes of a file that are read at once

# by file, what is kept: the person's own words and choices, and others by name only
QUERIES: Mapping[str, str] = {
    "account": """select id, name, mail, lang, theme, is_admin, roles, ban_reason, banned_until, created_at from users
        where id = %(user)s""",
    "sessions": "select agent, created_at, seen_at, expires_at from sessions where user_id = %(user)s",
    "profile": "select * from profiles where user_id = %(user)s",
    "friends": """select u.name, f.asker_id = %(user)s as asked_by_me, f.created_at, f.accepted_at from friendships f
        join users u on u.id = f.asker_id + f.other_id - %(user)s where %(user)s in (f.asker_id, f.other_id)""",
    "blocks": """select u.name, b.created_at from blocks b join users u on u.id = b.blocked_id
        where b.user_id = %(user)s""",
    "invitations": """select i.game_id, b.name as by, u.name as invited, i.created_at, i.declined_at from invitations i
        join users b on b.id = i.by_user join users u on u.id = i.user_id where %(user)s in (i.by_user, i.user_id)""",
    "messages": """select f.name as sender, t.name as receiver, d.text, d.created_at, d.read_at from direct_messages d
        join users f on f.id = d.from_id join users t on t.id = d.to_id where %(user)s in (d.from_id, d.to_id)
        order by d.id""",
    "chat": """select game_id, at, text from messages where user_id = %(user)s order by id""",
    "reports": """select r.kind, u.name as about, r.quote, r.reason, r.created_at, r.handled_at from reports r
        join users u on u.id = r.about_user where r.by_user = %(user)s order by r.id""",
    "notices": """select n.kind, n.game_id, n.seat, u.name as by, n.args, n.created_at, n.sent_at, n.seen_at,
        n.withdrawn_at from notices n left join users u on u.id = n.by_user where n.user_id = %(user)s order by n.id""",
    "notice_settings": "select timing, hour, zone, off, token from notice_settings where user_id = %(user)s",
    "notice_channels": "select kind, role, name, address, created_at from notice_channels where user_id = %(user)s",
    "notice_deliveries": "select at, kind, name, notices, error from notice_deliveries where user_id = %(user)s",
    "calendar": "select * from calendar_weeks where user_id = %(user)s order by holds_from",
    "vacations": "select * from vacations where user_id = %(user)s order by starts_at",
    "ratings": "select * from ratings where user_id = %(user)s",
    "rated_games": "select * from rated_games where %(user)s in (first_user, second_user) order by at",
    "events": "select * from entrants where user_id = %(user)s order by joined_at",
    "seats": """select game_id, seat, joined_at, notes, plans, chat_read, chat_muted from seats
        where user_id = %(user)s""",
    "standing_orders": """select o.* from standing_orders o join seats s using (game_id, seat)
        where s.user_id = %(user)s""",
    "drafts": "select d.* from drafts d join seats s using (game_id, seat) where s.user_id = %(user)s",
}


async def archive(session: AsyncSession, user_id: int) -> IO[bytes]:
    """A ZIP of JSON files, in one among the temporary ones: one for each of `QUERIES`, and each game as the person's
    own eye knows it. No more than one game at a time is in memory: a person may have hundreds."""
    conn = await driver(session)
    with ExitStack() as unless_done:
        out = unless_done.enter_context(tempfile.TemporaryFile())
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            games: list[str] = []
            for name, query in QUERIES.items():
                rows = await _rows(conn, query, user_id)
                games += [row["game_id"] for row in rows if name == "seats"]
                await run_in_threadpool(_add, packed, name, rows, orjson.OPT_INDENT_2)
            for game_id in dict.fromkeys(games):
                row = await repository.game(conn, game_id)
                if row is not None:
                    one = await export.export(conn, row, access.eye_of(row, user_id, None, None))
                    await run_in_threadpool(_add, packed, f"games/{game_id}", one)
        out.seek(0)
        unless_done.pop_all()
        return out


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """All of it, after which it is closed."""
    with file:
        while piece := file.read(CHUNK):
            yield piece


async def _rows(conn: Conn, query: str, user_id: int) -> Any:
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query.encode(), {"user": user_id})
        return await cursor.fetchall()


def _add(packed: zipfile.ZipFile, name: str, body: Any, option: int = 0) -> None:
    packed.writestr(f"{name}.json", orjson.dumps(body, option=option, default=str))
