"""The orders in the database, on the connection that holds the game's lock."""

from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from app.games.repository import Conn
from app.orders.schemas import NewOrder, OrderCard

COLUMNS = "id, name, settings, places, until, uses_left, used"


async def of_seat(conn: Conn, game_id: str, seat: str) -> list[OrderCard]:
    """The orders that stand, oldest first."""
    async with conn.cursor(row_factory=class_row(OrderCard)) as cursor:
        await cursor.execute(
            f"select {COLUMNS} from standing_orders where game_id = %s and seat = %s"
            " and (until is null or until > now()) and uses_left is distinct from 0 order by id",
            (game_id, seat))  # fmt: skip
        return await cursor.fetchall()


async def add(conn: Conn, game_id: str, seat: str, new: NewOrder, settings: dict[str, Any]) -> None:
    await conn.execute(
        "insert into standing_orders (game_id, seat, name, settings, places, until, uses_left)"
        " values (%s, %s, %s, %s, %s, %s, %s)",
        (game_id, seat, new.name, Jsonb(settings), new.places, new.until, new.uses))  # fmt: skip


async def drop(conn: Conn, game_id: str, seat: str, number: int) -> bool:
    """Whether there was such an order of this seat."""
    done = await conn.execute("delete from standing_orders where id = %s and game_id = %s and seat = %s",
                              (number, game_id, seat))  # fmt: skip
    return done.rowcount > 0


async def mark_used(conn: Conn, number: int) -> None:
    await conn.execute("update standing_orders set used = used + 1, uses_left = uses_left - 1 where id = %s", (number,))


async def mark(conn: Conn, game_id: str) -> None:
    """That a seat has ever left an order; nobody is told, and the game counts as changed for nobody."""
    await conn.execute("update games set orders = true where id = %s", (game_id,))
