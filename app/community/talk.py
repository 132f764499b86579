"""Direct messages, and the chats of games beside their pages. Queries and what may be done with them."""

from collections.abc import Collection, Sequence
from urllib.parse import quote

from sqlalchemy import Row, case, func, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.community import repository, service
from app.community.models import DirectMessage
from app.community.schemas import ChatMessage, ChatPage, Letter, Talk, Thread
from app.db import driver
from app.errors import NotAllowed, NotFound
from app.games.models import Game, Message, Seat
from app.notifications.service import tell

LONGEST_LIST = 100


# -- direct messages ---------------------------------------------------------------------------------


async def talks(session: AsyncSession, user_id: int) -> list[Talk]:
    """A user's conversations, the latest first."""
    other = case((DirectMessage.from_id == user_id, DirectMessage.to_id), else_=DirectMessage.from_id)
    fresh = func.count().filter(DirectMessage.to_id == user_id, DirectMessage.read_at.is_(None))
    mine = or_(DirectMessage.from_id == user_id, DirectMessage.to_id == user_id)
    latest = select(other.label("other"), func.max(DirectMessage.id).label("last"), fresh.label("unread"))
    latest_of = latest.where(mine).group_by(text("1")).subquery()
    query = select(DirectMessage, User.name, latest_of.c.unread).join(latest_of, latest_of.c.last == DirectMessage.id)
    query = query.join(User, User.id == latest_of.c.other).order_by(DirectMessage.id.desc()).limit(LONGEST_LIST)
    return [Talk(name=name, text=row.text, mine=row.from_id == user_id, at=row.created_at, unread=unread)
            for row, name, unread in await session.execute(query)]  # fmt: skip


async def unread(session: AsyncSession, user_id: int) -> int:
    query = select(func.count()).where(DirectMessage.to_id == user_id, DirectMessage.read_at.is_(None))
    return (await session.execute(query)).scalar_one()


async def thread(session: AsyncSession, me: User, name: str, before: int | None = None) -> Thread:
    """A page of a conversation; from here on it is read. Also with a deleted account, by its name, if there was one.
    Raises NotFound, Refused."""
    other = await _other(session, me, name)
    pair = or_(
        (DirectMessage.from_id == me.id) & (DirectMessage.to_id == other.id),
        (DirectMessage.from_id == other.id) & (DirectMessage.to_id == me.id),
    )
    query = select(DirectMessage).where(pair).order_by(DirectMessage.id.desc()).limit(LONGEST_LIST + 1)
    if before is not None:
        query = query.where(DirectMessage.id < before)
    rows: Sequence[DirectMessage] = (await session.scalars(query)).all()
    if other.deleted_at and not rows:
        raise NotFound("lobby.no_player")
    letters = [Letter(id=row.id, mine=row.from_id == me.id, text=row.text, at=row.created_at,
                      read=row.read_at is not None) for row in rows[:LONGEST_LIST]]  # fmt: skip
    fresh = (DirectMessage.from_id == other.id) & (DirectMessage.to_id == me.id) & DirectMessage.read_at.is_(None)
    await session.execute(update(DirectMessage).where(fresh).values(read_at=func.now()))
    await repository.see(session, me.id, other.id, "message")
    refused = None
    try:
        await _check(session, me, other)
    except NotAllowed as refusal:
        refused = refusal.key
    return Thread(name=other.name, gone=other.deleted_at is not None, letters=letters[::-1],
                  before=letters[-1].id if len(rows) > LONGEST_LIST else None, refused=refused)  # fmt: skip


async def write(session: AsyncSession, me: User, name: str, said: str) -> None:
    """Raises NotFound, Refused, NotAllowed."""
    other = await service.other(session, me, name)
    await _check(session, me, other)
    first = await session.scalar(
        select(func.count()).where(DirectMessage.from_id == me.id, DirectMessage.to_id == other.id,
                                   DirectMessage.read_at.is_(None)))  # fmt: skip
    session.add(DirectMessage(from_id=me.id, to_id=other.id, text=said))
    if not first:  # a notice waits already while one is unread
        await tell(await driver(session), [other.id], "message", by=me.id, link=f"/messages/{quote(me.name)}")


async def _check(session: AsyncSession, me: User, other: User) -> None:
    if other.deleted_at:
        raise NotAllowed("community.unreachable")
    await service.check_reach(session, me.id, other.id, "messages_from")


async def _other(session: AsyncSession, me: User, name: str) -> User:
    gone = await session.scalar(select(User).where(User.name == name, User.deleted_at.is_not(None)))
    return gone or await service.other(session, me, name)


# -- the chats of games ------------------------------------------------------------------------------


async def unread_messages(session: AsyncSession, user_id: int, game_ids: Collection[str]) -> dict[str, int]:
    """How many messages of others a user has not read, by game; muted chats count none."""
    query = select(Seat.game_id, func.count(Message.id.distinct())).join(Message, Message.game_id == Seat.game_id)
    query = query.where(
        Seat.user_id == user_id, Seat.game_id.in_(game_ids), ~Seat.chat_muted, Message.id > Seat.chat_read,
        Message.user_id != user_id, Message.side.is_(None) | (Message.side == Seat.side),
    )  # fmt: skip
    return dict(list(await session.execute(query.group_by(Seat.game_id))))


async def chat(session: AsyncSession, user_id: int, game_id: str) -> ChatPage:
    """The newest messages of a game's chat for one of its players; from here on they are read. Raises NotFound."""
    game, seats = await _played(session, user_id, game_id)
    names = {seat.user_id: seat.seat for seat in game.seats}
    mine = Message.side.is_(None) | Message.side.in_({seat.side for seat in seats})
    query = select(Message, User.name).join(User, User.id == Message.user_id).where(Message.game_id == game_id, mine)
    rows = (await session.execute(query.order_by(Message.id.desc()).limit(LONGEST_LIST))).all()[::-1]
    read = min(seat.chat_read for seat in seats)
    muted = any(seat.chat_muted for seat in seats)
    messages = [
        ChatMessage(id=row.id, name=name, seat=names.get(row.user_id), side=row.side, text=row.text, at=row.at,
                    mine=row.user_id == user_id, new=row.id > read and row.user_id != user_id)
        for row, name in rows if not muted or row.user_id == user_id
    ]  # fmt: skip
    if not muted:
        await mark_read(session, user_id, game_id)
    return ChatPage(title=game.title, game=game_id, muted=muted, messages=messages)


async def mark_read(session: AsyncSession, user_id: int, game_id: str) -> None:
    """All messages there are now; a game one doesn't play has no mark. Their notices are seen."""
    last = select(func.coalesce(func.max(Message.id), 0)).where(Message.game_id == game_id).scalar_subquery()
    mine = (Seat.game_id == game_id) & (Seat.user_id == user_id)
    await session.execute(update(Seat).where(mine).values(chat_read=last).execution_options(synchronize_session=False))
    await repository.see_chat(session, user_id, game_id)


async def mute(session: AsyncSession, user_id: int, game_id: str, muted: bool) -> None:
    """While muted, nothing the others say is shown, told or counted. Raises NotFound."""
    for seat in (await _played(session, user_id, game_id))[1]:
        seat.chat_muted = muted


async def line(session: AsyncSession, user_id: int, line_id: int) -> Row[Message, str]:
    """A message of a chat that a user takes part in, with its author's name. Raises NotFound."""
    query = select(Message, User.name).join(User, User.id == Message.user_id).where(Message.id == line_id)
    found = (await session.execute(query)).one_or_none()
    if found is None:
        raise NotFound
    seats = (await _played(session, user_id, found[0].game_id))[1]
    if found[0].side not in (None, *(seat.side for seat in seats)):
        raise NotFound
    return found


async def check_plays(session: AsyncSession, user_id: int, game_id: str) -> None:
    """Raises NotFound for who does not sit at a game."""
    await _played(session, user_id, game_id)


async def _played(session: AsyncSession, user_id: int, game_id: str) -> tuple[Game, list[Seat]]:
    game = await repository.game(session, game_id)
    mine = [seat for seat in game.seats if seat.user_id == user_id] if game else []
    if game is None or not mine:
        raise NotFound("lobby.no_game")
    return game, mine
