"""What a deleted account takes along, and what it leaves to others without its name."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

MINE = "in (select game_id, seat from seats where user_id = :user)"
STATEMENTS = (
    "delete from profiles where user_id = :user",
    "delete from blocks where :user in (user_id, blocked_id)",
    "delete from friendships where :user in (asker_id, other_id)",
    "delete from invitations where :user in (by_user, user_id)",
    # of what was written to one another the other keeps a copy, unless there is no other any more
    """delete from direct_messages d using users u where :user in (d.from_id, d.to_id)
       and u.id = d.from_id + d.to_id - :user and u.deleted_at is not null""",
    "delete from notices where user_id = :user or (by_user = :user and kind in ('message', 'invitation'))",
    "delete from notice_settings where user_id = :user",
    "delete from notice_channels where user_id = :user",
    "delete from notice_deliveries where user_id = :user",
    "delete from calendar_weeks where user_id = :user",
    "delete from vacations where user_id = :user",
    f"delete from standing_orders where (game_id, seat) {MINE}",
    f"delete from drafts where (game_id, seat) {MINE}",
    "update seats set notes = '', plans = '{}' where user_id = :user",
)


async def forget(session: AsyncSession, user_id: int) -> None:
    await session.flush()
    for statement in STATEMENTS:
        await session.execute(text(statement), {"user": user_id})
