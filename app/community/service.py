"""Profiles, friends and blocks: what may be done, and by whom. The caller's transaction decides whether it stays."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import datetime, timedelta

from babel import Locale, UnknownLocaleError
from pydantic import BaseModel
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app import texts, timing
from app.accounts import repository as accounts
from app.accounts.models import User
from app.community import repository
from app.community.models import Block, Friendship
from app.community.schemas import Friend, Friends, ProfileWishes
from app.db import driver
from app.errors import NotAllowed, NotFound, Refused
from app.leagues.blocks import blocks
from app.notifications.service import tell

HERE = timedelta(minutes=15)  # a session's `seen_at` is written every ten
MOST_LANGUAGES = 8


async def person(session: AsyncSession, name: str) -> User:
    """Raises NotFound."""
    found = await accounts.user_by_name(session, name)
    if found is None:
        raise NotFound("lobby.no_player")
    return found


async def other(session: AsyncSession, me: User, name: str) -> User:
    """Somebody else. Raises NotFound, Refused."""
    found = await person(session, name)
    if found.id == me.id:
        raise Refused("community.oneself")
    return found


# -- profiles ----------------------------------------------------------------------------------------


async def wishes(session: AsyncSession, user_id: int) -> ProfileWishes:
    """A person's profile as its form holds it."""
    kept = await repository.profile(session, user_id)
    return ProfileWishes.model_validate({
        "about": kept.about, "languages": ", ".join(kept.languages), "zone": kept.zone, "seen_by": kept.seen_by,
        "messages_from": kept.messages_from, "invited_by": kept.invited_by})  # fmt: skip


async def set_wishes(session: AsyncSession, user_id: int, new: ProfileWishes) -> None:
    """Raises Refused for a zone or a language there is not."""
    languages = [tag(one) for one in re.split(r"[,;\s]+", new.languages) if one]
    if len(languages) > MOST_LANGUAGES:
        raise Refused("community.too_many_languages", n=MOST_LANGUAGES)
    if new.zone and new.zone not in timing.zones():
        raise Refused("community.bad_zone", zone=new.zone)
    kept = await repository.profile(session, user_id)
    for name, value in new.model_dump(exclude={"languages"}).items():
        setattr(kept, name, value)
    kept.languages = list(dict.fromkeys(languages))
    session.add(kept)


def tag(written: str) -> str:
    """A language's tag as it is usually written. Raises Refused."""
    try:
        return str(Locale.parse(written, sep="-" if "-" in written else "_")).replace("_", "-")
    except (ValueError, UnknownLocaleError) as error:
        raise Refused("community.bad_language", language=written) from error


def language_name(tagged: str, lang: str) -> str:
    """A language as readers of `lang` call it."""
    return Locale.parse(tagged, sep="-").get_display_name(texts.locale(lang)) or tagged


async def seen(session: AsyncSession, viewer: int | None, user_ids: Collection[int]) -> dict[int, datetime]:
    """When people were last here, as far as they let a viewer know."""
    friends = await repository.friend_ids(session, viewer) if viewer else set()
    shown = await repository.seen_by(session, user_ids)
    told = {one for one in user_ids if shown[one] == "all" or (shown[one] == "friends" and one in friends)}
    return await repository.last_seen(session, told)


# -- blocks ------------------------------------------------------------------------------------------


@blocks
async def blocked_pairs(session: AsyncSession, user_ids: list[int]) -> list[tuple[int, int]]:
    return await repository.blocked_pairs(session, user_ids)


async def apart(session: AsyncSession, one: int, two: int) -> bool:
    """Whether either has blocked the other."""
    return bool(await repository.blocked_pairs(session, (one, two)))


async def block(session: AsyncSession, me: User, name: str) -> None:
    """From now on the two can't reach each other; they are no friends any more. Raises NotFound, Refused."""
    found = await other(session, me, name)
    if await session.get(Block, (me.id, found.id)) is None:
        session.add(Block(user_id=me.id, blocked_id=found.id))
    if friendship := await repository.friendship(session, me.id, found.id):
        await session.delete(friendship)
    await repository.drop_invitations(session, me.id, found.id)


async def unblock(session: AsyncSession, me: User, name: str) -> None:
    """Raises NotFound, Refused."""
    await repository.drop_block(session, me.id, (await other(session, me, name)).id)


async def check_reach(session: AsyncSession, me: int, found: int, wish: str) -> None:
    """Whether one may write to (`messages_from`) or invite (`invited_by`) the other. A block is not told from a wish
    to be left alone. Raises NotAllowed."""
    allowed = getattr(await repository.profile(session, found), wish)
    stranger = allowed == "friends" and found not in await repository.friend_ids(session, me)
    if allowed == "nobody" or stranger or await apart(session, me, found):
        raise NotAllowed("community.unreachable")


# -- friends -----------------------------------------------------------------------------------------


async def befriend(session: AsyncSession, me: User, name: str) -> None:
    """Asks, or accepts when the other has asked. Raises NotFound, Refused, NotAllowed."""
    found = await other(session, me, name)
    if await apart(session, me.id, found.id):
        raise NotAllowed("community.unreachable")
    friendship = await repository.friendship(session, me.id, found.id)
    conn = await driver(session)
    if friendship is None:
        try:
            async with session.begin_nested():
                session.add(Friendship(asker_id=me.id, other_id=found.id))
        except IntegrityError as both_at_once:
            raise Refused("community.asked_already") from both_at_once
        await tell(conn, [found.id], "message", by=me.id, key="community.told_asks", link="/friends")
    elif friendship.asker_id == found.id and friendship.accepted_at is None:
        friendship.accepted_at = await accounts.now(session)
        await repository.see(session, me.id, found.id, "message")
        await tell(conn, [found.id], "message", by=me.id, key="community.told_accepts", link="/friends")


async def part(session: AsyncSession, me: User, name: str) -> None:
    """Ends a friendship, declines or withdraws the wish for one; the other is not told. Raises NotFound, Refused."""
    found = await other(session, me, name)
    if friendship := await repository.friendship(session, me.id, found.id):
        await session.delete(friendship)


async def friends(session: AsyncSession, user_id: int) -> Friends:
    """A user's friends, those who are here first."""
    rows = await repository.friendships(session, user_id)
    times = await seen(session, user_id, [friend for row, friend, _ in rows if row.accepted_at])
    now = await accounts.now(session)
    found = [
        Friend(name=name, since=row.accepted_at, seen_at=times.get(friend),
               online=friend in times and now - times[friend] < HERE)
        for row, friend, name in rows if row.accepted_at
    ]  # fmt: skip
    found.sort(key=lambda one: not one.online)
    return Friends(
        friends=found,
        asking=[name for row, _, name in rows if row.other_id == user_id and not row.accepted_at],
        asked=[name for row, _, name in rows if row.asker_id == user_id and not row.accepted_at],
    )


class Tie(BaseModel):
    """How a viewer stands to a player, for the buttons of a profile."""

    oneself: bool = False
    friend: bool = False
    asked: bool = False
    asking: bool = False
    blocked: bool = False
    apart: bool = False


async def tie(session: AsyncSession, me: User, name: str) -> Tie:
    """Raises NotFound."""
    found = await person(session, name)
    if found.id == me.id:
        return Tie(oneself=True)
    friendship = await repository.friendship(session, me.id, found.id)
    pairs = await repository.blocked_pairs(session, (me.id, found.id))
    accepted = friendship is not None and friendship.accepted_at is not None
    open_from = friendship.asker_id if friendship and not accepted else None
    return Tie(friend=accepted, asked=open_from == me.id, asking=open_from == found.id,
               blocked=(me.id, found.id) in pairs, apart=bool(pairs))  # fmt: skip


ACTS: Mapping[str, Callable[[AsyncSession, User, str], Awaitable[None]]] = {
    "befriend": befriend, "part": part, "block": block, "unblock": unblock,
}  # fmt: skip
