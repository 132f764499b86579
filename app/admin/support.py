"""An admin looks at the site as a user sees it, to help: read-only, never at games that the admin plays, and written
into the audit log that the user reads."""

from sqlalchemy.ext.asyncio import AsyncSession

from app import audit
from app.accounts import service as accounts
from app.accounts.models import User
from app.admin import repository
from app.db import driver
from app.errors import NotAllowed

STOP = "/support/stop"  # the one thing that may be sent meanwhile


async def start(session: AsyncSession, admin: User, token: str, user: User, reason: str) -> None:
    """Raises NotAllowed for another admin's eyes."""
    if user.is_admin:
        raise NotAllowed("admin.not_of_admins")
    await accounts.look_as(session, token, user.id)
    await audit.note(await driver(session), admin.id, "support_start", user=user.id, reason=reason)


async def stop(session: AsyncSession, token: str) -> None:
    admin, user = await accounts.look_as(session, token, None)
    if user is not None:
        await audit.note(await driver(session), admin, "support_end", user=user)


async def look(session: AsyncSession, admin: int, user: int, path: str, game_id: str | None) -> None:
    """Notes what is looked at. Raises NotAllowed for a game that the admin plays."""
    if await sits(session, admin, game_id):
        raise NotAllowed("admin.plays_there")
    await repository.note_look(await driver(session), admin, user, path)


async def sits(session: AsyncSession, admin: int, game_id: str | None) -> bool:
    return game_id is not None and await repository.sits(await driver(session), admin, game_id)
