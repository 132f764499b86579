"""SQL on what a seat keeps for itself: notes, drawings, the draft of an answer."""

from typing import Any, cast

from app.games.repository import Conn, as_json, scalar


async def notes(conn: Conn, game_id: str, seat: str) -> str:
    return str(await scalar(conn, "select notes from seats where game_id = %s and seat = %s", (game_id, seat)) or "")


async def set_notes(conn: Conn, game_id: str, seat: str, text: str) -> None:
    await conn.execute("update seats set notes = %s where game_id = %s and seat = %s", (text, game_id, seat))


async def plans(conn: Conn, game_id: str, seat: str) -> dict[str, Any]:
    query = "select plans from seats where game_id = %s and seat = %s"
    return cast("dict[str, Any]", await scalar(conn, query, (game_id, seat)))


async def set_plans(conn: Conn, game_id: str, seat: str, drawn: dict[str, Any]) -> None:
    query = "update seats set plans = %s::jsonb where game_id = %s and seat = %s"
    await conn.execute(query, (as_json(drawn), game_id, seat))


async def keep_draft(conn: Conn, game_id: str, seat: str, answer: dict[str, Any]) -> None:
    await conn.execute(
        """insert into drafts (game_id, seat, answer) values (%s, %s, %s::jsonb)
           on conflict (game_id, seat) do update set answer = excluded.answer""",
        (game_id, seat, as_json(answer)),
    )


async def draft(conn: Conn, game_id: str, seat: str) -> Any:
    return await scalar(conn, "select answer from drafts where game_id = %s and seat = %s", (game_id, seat))


async def drop_orders(conn: Conn, game_id: str, seat: str) -> None:
    """Standing orders are those of a person."""
    await conn.execute("delete from standing_orders where game_id = %s and seat = %s", (game_id, seat))


async def drop_draft(conn: Conn, game_id: str, seat: str) -> None:
    await conn.execute("delete from drafts where game_id = %s and seat = %s", (game_id, seat))
