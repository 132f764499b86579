"""Queries on accounts, sessions and one-time links."""

import unicodedata
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import LoginToken, Session, User
from app.accounts.names import LOOK, look


def name_key(name: str) -> str:
    """Names that look alike count as one."""
    return unicodedata.normalize("NFKC", name).casefold()


async def user_by_name(session: AsyncSession, name: str) -> User | None:
    query = select(User).where(User.name_key == name_key(name), User.deleted_at.is_(None), ~User.guest)
    return (await session.execute(query)).scalar_one_or_none()


async def user_by_login(session: AsyncSession, login: str) -> User | None:
    """By name or mail; a name can't hold the @ of a mail address."""
    same = or_(User.name_key == name_key(login), func.lower(User.mail) == func.lower(login))
    query = select(User).where(same, User.deleted_at.is_(None), ~User.guest)
    return (await session.execute(query)).scalar_one_or_none()


async def name_taken(session: AsyncSession, name: str) -> bool:
    """Whether somebody has this name, or one that looks like it."""
    alike = func.translate(User.name_key, *LOOK) == look(name)
    return bool((await session.execute(select(exists().where(alike)))).scalar_one())


async def mail_taken(session: AsyncSession, mail: str, but: int | None = None) -> bool:
    query = select(exists().where(func.lower(User.mail) == func.lower(mail), User.id.is_distinct_from(but)))
    return bool((await session.execute(query)).scalar_one())


async def an_admin_exists(session: AsyncSession) -> bool:
    return bool((await session.execute(select(exists().where(User.is_admin)))).scalar_one())


async def users(session: AsyncSession) -> Sequence[User]:
    query = select(User).where(User.deleted_at.is_(None), ~User.guest).order_by(User.name_key)
    return (await session.execute(query)).scalars().all()


async def live_session(session: AsyncSession, token_hash: bytes) -> tuple[Session, datetime] | None:
    """A session that has not run out, and what time it is, as `now` says."""
    query = select(Session, func.now()).where(Session.token_hash == token_hash, Session.expires_at > func.now())
    found = (await session.execute(query)).one_or_none()
    return found and (found[0], found[1])


async def note_use(session: AsyncSession, token_hash: bytes, now: datetime, expires: datetime) -> None:
    used = update(Session).where(Session.token_hash == token_hash).values(seen_at=now, expires_at=expires)
    await session.execute(used.execution_options(synchronize_session=False))


async def sessions_of(session: AsyncSession, user_id: int) -> Sequence[Session]:
    query = select(Session).where(Session.user_id == user_id, Session.expires_at > func.now())
    return (await session.execute(query.order_by(Session.seen_at.desc()))).scalars().all()


async def drop_session(session: AsyncSession, token_hash: bytes) -> None:
    await session.execute(delete(Session).where(Session.token_hash == token_hash))


async def drop_sessions(session: AsyncSession, user_id: int, but: bytes | None = None) -> None:
    await session.execute(delete(Session).where(Session.user_id == user_id, Session.token_hash.is_distinct_from(but)))


async def login_token(session: AsyncSession, token_hash: bytes, purpose: str) -> LoginToken | None:
    """A link that still works, locked until the transaction ends so that it works once."""
    query = select(LoginToken).where(
        LoginToken.token_hash == token_hash, LoginToken.purpose == purpose, LoginToken.expires_at > func.now()
    )
    return (await session.execute(query.with_for_update())).scalar_one_or_none()


async def set_link_mail(session: AsyncSession, token_hash: bytes, mail: str) -> None:
    await session.flush()
    await session.execute(update(LoginToken).where(LoginToken.token_hash == token_hash).values(mail=mail))


async def drop_login_tokens(session: AsyncSession, purpose: str, user_id: int | None = None) -> None:
    mine = LoginToken.user_id.is_not_distinct_from(user_id)
    await session.execute(delete(LoginToken).where(LoginToken.purpose == purpose, mine))


async def now(session: AsyncSession) -> datetime:
    """The database's clock at the start of the transaction."""
    return (await session.execute(select(func.now()))).scalar_one()
