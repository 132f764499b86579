"""Guests: people who play the computer before they have an account. A guest is an account without name or password that
the site takes for nobody, but at his own games; signing up makes it a whole one, signing in leaves its games to the
account that there is, and one that nobody came back to is forgotten with its games."""

import secrets

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import names, repository, service
from app.accounts.leaving import hand_over_all
from app.accounts.models import Session, User
from app.accounts.schemas import SignUp

KEPT_DAYS = 14  # that nobody came back


async def begin(session: AsyncSession, lang: str, theme: str, agent: str) -> tuple[User, str]:
    """A new guest, and the token of his browser."""
    name = f"{names.GUEST}{secrets.token_hex(8)}"
    guest = User(name=name, name_key=name, lang=lang, theme=theme, guest=True)
    session.add(guest)
    await session.flush()
    return guest, await service.open_session(session, guest, agent)


async def sign_up(session: AsyncSession, guest: User | None, new: SignUp, lang: str, theme: str) -> User:
    """A new account: of a guest the one that he has, with all that is his. Raises Conflict, Refused."""
    user = await service.sign_up(session, new, lang, theme, guest)
    if guest is not None:
        await repository.drop_sessions(session, guest.id)
    return user


async def sign_in(session: AsyncSession, guest: User | None, user: User) -> None:
    """What somebody played as a guest becomes that of the account he has."""
    if guest is not None and guest.id != user.id:
        await hand_over_all(session, guest.id, user.id)
        await session.delete(guest)
        await session.flush()


async def forgotten(session: AsyncSession) -> list[User]:
    """Guests whom nobody has been for so many days."""
    return list(await session.scalars(select(User).where(User.guest, ~_lately())))


def _lately() -> ColumnElement[bool]:
    since = func.now() - func.make_interval(0, 0, 0, KEPT_DAYS)
    return exists().where(Session.user_id == User.id, Session.seen_at > since)
