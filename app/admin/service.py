"""What those who look after the site may do with accounts and jobs. Every act is written into the audit log."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app import audit, timing
from app.accounts import repository as accounts
from app.accounts.models import User
from app.accounts.service import make_link
from app.admin import repository
from app.admin.repository import Act, UserRow
from app.db import driver
from app.errors import NotAllowed, NotFound, Refused
from app.games.channel import note as message
from app.games.channel import notify as tell

ROLES = ("director", "moderator")


async def list_users(session: AsyncSession, reader: User, words: str) -> tuple[list[UserRow], int]:
    """Accounts found, and how many there are."""
    conn = await driver(session)
    return await repository.users(conn, words.strip(), reader.is_admin), await repository.count_users(conn)


async def user_row(session: AsyncSession, user_id: int) -> tuple[UserRow, list[Act]]:
    """An account and what was done to it. Raises NotFound."""
    conn = await driver(session)
    found = await repository.user(conn, user_id)
    if found is None:
        raise NotFound
    return found, await repository.acts(conn, user=user_id)


async def acts(session: AsyncSession, *, user: int | None = None, game: str | None = None,
               before: int | None = None) -> list[Act]:
    return await repository.acts(await driver(session), user=user, game=game, before=before)


async def reset_link(session: AsyncSession, admin: User, user_id: int) -> str:
    """A token with which a new password can be set, once. Raises NotFound."""
    user = await get_user(session, user_id)
    await audit.note(await driver(session), admin.id, "password_link", user=user.id)
    return await make_link(session, "reset", user.id)


async def set_roles(session: AsyncSession, admin: User, user_id: int, roles: Sequence[str]) -> None:
    """Of admin, director and moderator. Raises NotFound, Refused when no admin would be left."""
    user = await get_user(session, user_id)
    admins = (await session.execute(select(User.id).where(User.is_admin).order_by(User.id).with_for_update())).scalars()
    if "admin" not in roles and set(admins) == {user.id}:
        raise Refused("account.last_admin")
    user.is_admin, user.roles = "admin" in roles, [role for role in ROLES if role in roles]
    kept = [*(["admin"] if user.is_admin else []), *user.roles]
    await audit.note(await driver(session), admin.id, "roles", user=user.id, roles=kept)


async def ban(session: AsyncSession, by: User, user_id: int, reason: str, days: int | None) -> None:
    """Signs a user out everywhere and keeps him out for so many days, or for good. His games stay and their clocks run
    on. Raises NotFound, NotAllowed for admins, and for those with a role unless an admin does it."""
    user = await get_user(session, user_id)
    if user.is_admin or (user.roles and not by.is_admin):
        raise NotAllowed("admin.not_of_staff")
    until = None if days is None else timing.now() + timedelta(days=days)
    user.ban_reason, user.banned_until = reason, until
    await session.flush()
    await accounts.drop_sessions(session, user.id)
    conn = await driver(session)
    await tell(conn, message("", "u", user.id))
    await audit.note(conn, by.id, "ban", user=user.id, reason=reason, until=until)


async def unban(session: AsyncSession, by: User, user_id: int, reason: str) -> None:
    """Raises NotFound, Refused when nobody is banned, NotAllowed for those with a role unless an admin does it: who may
    not ban them may not take back that they were."""
    user = await get_user(session, user_id)
    if user.roles and not by.is_admin:
        raise NotAllowed("admin.not_of_staff")
    if user.ban_reason is None:
        raise Refused("admin.not_banned")
    user.ban_reason = user.banned_until = None
    await audit.note(await driver(session), by.id, "unban", user=user.id, reason=reason)


async def retry(session: AsyncSession, admin: User, job_id: int) -> None:
    """Raises NotFound for a job that hasn't failed."""
    conn = await driver(session)
    name = await repository.lock_failed(conn, job_id)
    if name is None:
        raise NotFound("admin.no_failed_job")
    await repository.retry(conn, job_id)
    await audit.note(conn, admin.id, "job_retry", job=job_id, task=name)


async def get_user(session: AsyncSession, user_id: int) -> User:
    """Raises NotFound."""
    user = await session.get(User, user_id)
    if user is None or user.deleted_at or user.guest:
        raise NotFound
    return user
