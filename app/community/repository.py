"""Queries on profiles, blocks, friends and invitations."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Row, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Session, User
from app.community.models import Block, Friendship, Invitation, Profile
from app.games.models import Game, Seat
from app.notifications.models import Notice

LONGEST_LIST = 200


async def profile(session: AsyncSession, user_id: int) -> Profile:
    """A person's, written down or with the defaults."""
    return await session.get(Profile, user_id) or Profile(
        user_id=user_id, about="", languages=[], zone="", seen_by="friends", messages_from="all", invited_by="all"
    )


async def seen_by(session: AsyncSession, user_ids: Collection[int]) -> dict[int, str]:
    """Who may know when each was last here."""
    found = await session.execute(select(Profile.user_id, Profile.seen_by).where(Profile.user_id.in_(user_ids)))
    return dict.fromkeys(user_ids, "friends") | dict(list(found))


async def won(session: AsyncSession, user_id: int) -> int:
    """How many games a user has won; those played alone count for nothing."""
    mine = exists().where(Seat.game_id == Game.id, Seat.user_id == user_id, Seat.side == Game.result["winner"].astext)
    other = exists().where(Seat.game_id == Game.id, Seat.user_id.is_distinct_from(user_id))
    query = select(func.count()).select_from(Game).where(Game.status == "finished", mine, other)
    return (await session.execute(query)).scalar_one()


async def last_seen(session: AsyncSession, user_ids: Collection[int]) -> dict[int, datetime]:
    query = select(Session.user_id, func.max(Session.seen_at)).where(Session.user_id.in_(user_ids))
    return dict(list(await session.execute(query.group_by(Session.user_id))))


# -- blocks ------------------------------------------------------------------------------------------


async def blocked_pairs(session: AsyncSession, user_ids: Collection[int]) -> list[tuple[int, int]]:
    """(who blocks, who is blocked) among these."""
    query = select(Block.user_id, Block.blocked_id)
    query = query.where(Block.user_id.in_(user_ids), Block.blocked_id.in_(user_ids))
    return list(await session.execute(query))


async def apart_from(session: AsyncSession, user_id: int) -> set[int]:
    """Everybody who has blocked a user or whom the user has blocked."""
    query = select(Block.user_id, Block.blocked_id).where(or_(Block.user_id == user_id, Block.blocked_id == user_id))
    return {one for pair in await session.execute(query) for one in pair} - {user_id}


async def blocked_by(session: AsyncSession, user_id: int) -> Sequence[str]:
    query = select(User.name).join(Block, Block.blocked_id == User.id).where(Block.user_id == user_id)
    return (await session.scalars(query.order_by(User.name_key))).all()


async def drop_block(session: AsyncSession, user_id: int, other: int) -> None:
    await session.execute(delete(Block).where(Block.user_id == user_id, Block.blocked_id == other))


# -- friends -----------------------------------------------------------------------------------------


async def friendship(session: AsyncSession, one: int, other: int) -> Friendship | None:
    query = select(Friendship).where(
        or_(
            (Friendship.asker_id == one) & (Friendship.other_id == other),
            (Friendship.asker_id == other) & (Friendship.other_id == one),
        )
    )
    return (await session.execute(query.with_for_update())).scalar_one_or_none()


async def friendships(session: AsyncSession, user_id: int) -> Sequence[Row[Friendship, int, str]]:
    """Each with the other's id and name."""
    other = func.nullif(Friendship.asker_id, user_id)
    query = select(Friendship, User.id, User.name).join(User, User.id == func.coalesce(other, Friendship.other_id))
    query = query.where(or_(Friendship.asker_id == user_id, Friendship.other_id == user_id))
    return (await session.execute(query.order_by(User.name_key).limit(LONGEST_LIST))).all()


async def friend_ids(session: AsyncSession, user_id: int) -> set[int]:
    query = select(Friendship.asker_id, Friendship.other_id).where(
        or_(Friendship.asker_id == user_id, Friendship.other_id == user_id), Friendship.accepted_at.is_not(None)
    )
    return {one for pair in await session.execute(query) for one in pair} - {user_id}


# -- invitations -------------------------------------------------------------------------------------


async def game(session: AsyncSession, game_id: str) -> Game | None:
    return await session.get(Game, game_id)


async def invitation(session: AsyncSession, game_id: str, user_id: int) -> Invitation | None:
    query = select(Invitation).where(Invitation.game_id == game_id, Invitation.user_id == user_id)
    return (await session.execute(query)).scalar_one_or_none()


async def invited(session: AsyncSession, game_id: str) -> Sequence[Row[Invitation, str]]:
    query = select(Invitation, User.name).join(User, User.id == Invitation.user_id)
    return (await session.execute(query.where(Invitation.game_id == game_id).order_by(Invitation.id))).all()


async def invitations(session: AsyncSession, user_id: int) -> Sequence[Row[Invitation, Game, str]]:
    """Those that wait for an answer, the newest first, with the game and the inviter's name."""
    query = select(Invitation, Game, User.name).join(Game, Game.id == Invitation.game_id)
    query = query.join(User, User.id == Invitation.by_user).where(
        Invitation.user_id == user_id, Invitation.declined_at.is_(None),
        or_(Game.status == "open", Invitation.seat.is_not(None)),
        ~exists().where(Seat.game_id == Game.id, Seat.user_id == user_id),
    )  # fmt: skip
    return (await session.execute(query.order_by(Invitation.id.desc()).limit(LONGEST_LIST))).all()


async def drop_invitations(session: AsyncSession, one: int, other: int) -> None:
    """Those that two people sent each other."""
    pair = (one, other)
    await session.execute(delete(Invitation).where(Invitation.by_user.in_(pair), Invitation.user_id.in_(pair)))


async def see(session: AsyncSession, user_id: int, by: int, kind: str, game_id: str | None = None) -> None:
    """A user has seen the notices of a kind that another caused."""
    query = update(Notice).where(
        Notice.user_id == user_id, Notice.by_user == by, Notice.kind == kind, Notice.seen_at.is_(None)
    )
    query = query if game_id is None else query.where(Notice.game_id == game_id)
    await session.execute(query.values(seen_at=func.now()).execution_options(synchronize_session=False))


async def see_chat(session: AsyncSession, user_id: int, game_id: str) -> None:
    """A user has seen the notices of a game's chat."""
    query = update(Notice).where(
        Notice.user_id == user_id, Notice.kind == "chat", Notice.game_id == game_id, Notice.seen_at.is_(None)
    )
    await session.execute(query.values(seen_at=func.now()).execution_options(synchronize_session=False))
