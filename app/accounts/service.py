"""Accounts: what may be done, and by whom. The caller's transaction decides whether it stays."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app import timing
from app.accounts import names, passwords, repository
from app.accounts.leaving import leave_all
from app.accounts.models import LoginToken, Session, User
from app.accounts.schemas import Preferences, SessionCard, SignUp
from app.db import driver
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.queue import enqueue

SESSION_LIFE = timedelta(days=60)
SEEN_STEP = timedelta(minutes=10)  # how often `seen_at` is worth a write
LINK_LIFE = timedelta(days=2)


def token_hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


async def sign_up(
    session: AsyncSession, new: SignUp, lang: str, theme: str = "auto", guest: User | None = None
) -> User:
    """A new account, or a guest who becomes one. Raises Conflict when the name is taken, Refused for one that nobody
    may take. Of a mail address nothing is said here: whether it is known shows only to who reads its mails."""
    names.check(new.name)
    if await repository.name_taken(session, new.name):
        raise Conflict("account.name_taken", name=new.name)
    user = guest or User()
    user.name, user.name_key, user.mail_wish = new.name, repository.name_key(new.name), new.mail
    user.password_hash = await passwords.hashed(new.password)
    user.lang, user.theme, user.guest = lang, theme, False
    session.add(user)
    await _flush_unique(session)
    return user


async def account_of(session: AsyncSession, login: str) -> User | None:
    """Whose name or mail address this is."""
    return await repository.user_by_login(session, login.strip())


async def sign_in(session: AsyncSession, login: str, password: str) -> User:
    """Raises Refused without saying which of the two was wrong."""
    user = await account_of(session, login)
    right, newer = await passwords.verified(password, user.password_hash if user else None)
    if user is None or not right:
        raise Refused("account.wrong_login")
    if newer:
        user.password_hash = newer
    return user


async def open_session(session: AsyncSession, user: User, agent: str) -> str:
    """Signs a browser in and returns its token, which is stored nowhere. Raises Banned."""
    if banned(user):
        raise Banned(user)
    token = secrets.token_urlsafe(32)
    expires = await repository.now(session) + SESSION_LIFE
    session.add(Session(token_hash=token_hash(token), user_id=user.id, expires_at=expires, agent=agent[:200]))
    await session.flush()
    return token


async def close_session(session: AsyncSession, token: str) -> None:
    await repository.drop_session(session, token_hash(token))


class Banned(NotAllowed):
    """Says why, and until when."""

    def __init__(self, user: User) -> None:
        until = user.banned_until
        if until is None:
            super().__init__("account.banned", reason=user.ban_reason)
        else:
            super().__init__("account.banned_until", reason=user.ban_reason, until=until)


def banned(user: User) -> bool:
    return user.ban_reason is not None and (user.banned_until is None or user.banned_until > timing.now())


@dataclass(frozen=True)
class Visit:
    """Who a browser acts for; `admin` is who really sits there, when that is an admin who helps."""

    user: User
    admin: User | None


async def visit_of(session: AsyncSession, token: str) -> Visit | None:
    """Who a token belongs to; a session in use keeps living."""
    live = await repository.live_session(session, token_hash(token))
    if live is None:
        return None
    found, now = live
    if now - found.seen_at > SEEN_STEP:
        await repository.note_use(session, found.token_hash, now, now + SESSION_LIFE)
    if found.as_user and found.user.is_admin and not banned(found.user) and not found.as_user.deleted_at:
        return Visit(found.as_user, found.user)
    return Visit(found.user, None)


async def look_as(session: AsyncSession, token: str, user_id: int | None) -> tuple[int, int | None]:
    """From now on a browser shows the site as another user sees it, or (None) as its own again; whose browser it is,
    and as whom it looked before. Raises NotFound."""
    live = await repository.live_session(session, token_hash(token))
    if live is None:
        raise NotFound
    found, _ = live
    before, found.as_user_id = found.as_user_id, user_id
    return found.user_id, before


async def list_sessions(session: AsyncSession, user: User, token: str) -> list[SessionCard]:
    """The signed-in browsers, the last used first."""
    mine = token_hash(token)
    return [
        SessionCard(agent=row.agent, created_at=row.created_at, seen_at=row.seen_at, this=row.token_hash == mine)
        for row in await repository.sessions_of(session, user.id)
    ]


async def close_other_sessions(session: AsyncSession, user: User, token: str) -> None:
    await repository.drop_sessions(session, user.id, but=token_hash(token))


async def check_password(user: User, password: str) -> None:
    """Raises Refused when it isn't the user's."""
    right, _ = await passwords.verified(password, user.password_hash)
    if not right:
        raise Refused("account.wrong_password")


def set_preferences(user: User, wish: Preferences) -> None:
    user.lang = wish.lang or user.lang
    user.theme = wish.theme or user.theme


def set_mail(user: User, mail: str | None) -> None:
    """Another address, to be proved before it is used, or none. The old one stays until then."""
    if mail is None:
        user.mail = None
    user.mail_wish = None if mail is None or mail == user.mail else mail


async def ask_proof(session: AsyncSession, user: User) -> None:
    """Queues the one mail that goes to an address before it is proved, if one waits for that."""
    if user.mail_wish is not None:
        await session.flush()
        await enqueue(await driver(session), "accounts.proof_mail", {"user": user.id})


async def mail_link(session: AsyncSession, user: User) -> str | None:
    """A token for the link that proves an address that waits for it."""
    if user.mail_wish is None:
        return None
    token = await make_link(session, "mail", user.id)
    await repository.set_link_mail(session, token_hash(token), user.mail_wish)
    return token


async def prove_mail(session: AsyncSession, user: User, token: str) -> None:
    """From now on mails go to the address to which this link was sent. Raises NotFound when the link no longer works or
    was sent for another account; Conflict when another account has proved the address."""
    link = await check_link(session, "mail", token)
    if link.user_id != user.id or link.mail is None or link.mail != user.mail_wish:
        raise NotFound("account.link_spent")
    if await repository.mail_taken(session, link.mail, but=user.id):
        raise Conflict("account.mail_taken")
    user.mail, user.mail_wish = link.mail, None
    await session.delete(link)
    await _flush_unique(session)


async def set_password(session: AsyncSession, user: User, password: str, keep: str | None = None) -> None:
    """Every other browser is signed out; `keep` is the token of the one that stays."""
    user.password_hash = await passwords.hashed(password)
    await repository.drop_sessions(session, user.id, but=token_hash(keep) if keep else None)


async def delete_account(session: AsyncSession, user: User) -> None:
    """Resigns the user's games and forgets who it was; the games and their records stay.
    Raises Refused for the last admin."""
    if user.is_admin and not any(other.is_admin and other.id != user.id for other in await repository.users(session)):
        raise Refused("account.last_admin")
    await leave_all(session, user.id)
    await repository.drop_sessions(session, user.id)
    for purpose in ("reset", "mail"):
        await repository.drop_login_tokens(session, purpose, user.id)
    user.name = user.name_key = f"{names.DELETED}{user.id}"
    user.mail = user.mail_wish = user.password_hash = None
    user.is_admin, user.roles = False, []
    user.deleted_at = await repository.now(session)


async def make_link(session: AsyncSession, purpose: str, user_id: int | None = None) -> str:
    """A token for a link that works once; earlier ones for the same purpose stop working."""
    token = secrets.token_urlsafe(24)
    await repository.drop_login_tokens(session, purpose, user_id)
    expires = await repository.now(session) + LINK_LIFE
    session.add(LoginToken(token_hash=token_hash(token), purpose=purpose, user_id=user_id, expires_at=expires))
    return token


async def check_link(session: AsyncSession, purpose: str, token: str) -> LoginToken:
    """Raises NotFound when the link was used, replaced or is too old."""
    found = await repository.login_token(session, token_hash(token), purpose)
    if found is None:
        raise NotFound("account.link_spent")
    return found


async def first_admin_link(session: AsyncSession) -> str | None:
    """A fresh token as long as there is no admin."""
    return None if await repository.an_admin_exists(session) else await make_link(session, "first_admin")


async def become_first_admin(session: AsyncSession, user: User, token: str) -> None:
    """Raises NotFound when the link no longer works."""
    link = await check_link(session, "first_admin", token)
    user.is_admin = True
    await session.delete(link)


async def reset_password(session: AsyncSession, token: str, password: str) -> User:
    """Raises NotFound when the link no longer works."""
    link = await check_link(session, "reset", token)
    user = await session.get_one(User, link.user_id)
    await set_password(session, user, password)
    await session.delete(link)
    return user


async def _flush_unique(session: AsyncSession) -> None:
    """Two requests may have asked for one name at the same moment: the table decides."""
    try:
        await session.flush()
    except IntegrityError as error:
        raise Conflict("account.taken_just_now") from error
