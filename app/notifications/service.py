"""Notices for their readers: lists, wishes, ways to them. The caller's transaction decides whether it stays."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import driver
from app.errors import Conflict, NotFound, Refused
from app.games.repository import Conn
from app.notifications import push, relay, repository
from app.notifications.config import notice_settings
from app.notifications.content import heading, path
from app.notifications.kinds import KINDS, REMINDERS
from app.notifications.repository import Channel
from app.notifications.repository import Wishes as Kept
from app.notifications.schemas import Badge, NewsCard, Notices, Subscription, WaitingCard, Wishes
from app.queue import ABROAD, enqueue
from app.texts import Texts

MOST_CHANNELS = 12
PRIVATE = ("chat", "invitation")  # kinds that quote, or hold a link to a private game


async def tell(conn: Conn, users: Iterable[int], kind: str, *, by: int | None = None, game: str | None = None,
               key: str | None = None, link: str | None = None, **args: Any) -> None:
    """Tells people something that no change of a game tells: `kind` is one of kinds.OTHER. `key` and `args`: the text,
    from a catalogue; `link`: the page to go to. Noted and queued with the caller's transaction."""
    told: dict[str, Any] = {"args": args}
    told |= {"key": key} if key else {}
    told |= {"link": link} if link else {}
    wanted = [{"user_id": user, "kind": kind, "game_id": game, "by_user": by, "args": told} for user in users]
    await repository.tell(conn, wanted, notice_settings().delay)


# -- lists -------------------------------------------------------------------------------------------


async def waiting(session: AsyncSession, user_id: int) -> list[WaitingCard]:
    """What waits for a person, the most urgent first."""
    return [
        WaitingCard(game=one.game_id, title=one.title, scenario=one.scenario, seat=one.seat, kind=one.kind,  # type: ignore[arg-type]
                    since=one.since, deadline=one.deadline)
        for one in await repository.waiting(await driver(session), user_id)
    ]  # fmt: skip


async def notices(session: AsyncSession, user_id: int, lang: str, zone: str, in_person: bool = True) -> Notices:
    """`zone`: the reader's, for the deadlines that news tell. Without `in_person` (an admin who looks on) there is
    nothing of what is private between people."""
    t = Texts(lang)
    news = [
        NewsCard(id=one.id, kind=one.kind, game=one.game_id, text=heading(t, one, zone), path=path(one),
                 created_at=one.created_at, seen_at=one.seen_at, withdrawn_at=one.withdrawn_at)
        for one in await repository.newest(await driver(session), user_id)
        if in_person or one.kind not in PRIVATE
    ]  # fmt: skip
    return Notices(waiting=await waiting(session, user_id), news=news)


async def badge(session: AsyncSession, user_id: int) -> Badge:
    conn = await driver(session)
    return Badge(waiting=len(await repository.waiting(conn, user_id)), news=await repository.unseen(conn, user_id))


async def visit(session: AsyncSession, user_id: int, game_id: str | None) -> Badge:
    """The person is here: who is told once is told again from now on; news of the open game are seen."""
    conn = await driver(session)
    await repository.hold(conn, user_id, False)
    if game_id:
        await repository.see(conn, user_id, game_id)
    return await badge(session, user_id)


async def see_all(session: AsyncSession, user_id: int) -> None:
    await repository.see(await driver(session), user_id)


async def next_path(session: AsyncSession, user_id: int, after: str | None) -> str:
    """The page of the game that waits most urgently, of another than `after` if there is one; else the lobby's."""
    games = list(dict.fromkeys(one.game_id for one in await repository.waiting(await driver(session), user_id)))
    if after in games:  # go round
        at = games.index(after)
        games = games[at + 1 :] + games[: at + 1]
    return f"/games/{games[0]}" if games else "/"


# -- wishes ------------------------------------------------------------------------------------------


async def wishes(session: AsyncSession, user_id: int) -> Kept:
    found = await repository.wishes(await driver(session), user_id)
    assert found is not None, "of one who is signed in"
    return found


def shown(kept: Kept) -> Wishes:
    off = {*kept.off, *(REMINDERS if "reminder" in kept.off else ())}  # once there was one kind for all three
    return Wishes(timing=kept.timing, hour=kept.hour, zone=kept.zone,  # type: ignore[arg-type]
                  on=[kind for kind in KINDS if kind not in off])  # fmt: skip


async def set_wishes(session: AsyncSession, user_id: int, new: Wishes) -> None:
    """Raises Refused for a zone there is not."""
    conn = await driver(session)
    await wishes(session, user_id)
    if not await repository.known_zone(conn, new.zone):
        raise Refused("notice.bad_zone", zone=new.zone)
    off = [kind for kind in KINDS if kind not in new.on]
    await repository.set_wishes(conn, user_id, new.timing, new.hour, new.zone, off)


async def new_token(session: AsyncSession, user_id: int) -> None:
    await wishes(session, user_id)
    await repository.new_token(await driver(session), user_id)


async def owner(session: AsyncSession, token: str) -> Kept:
    """Whose address with a token this is. Raises NotFound."""
    found = await repository.wishes_by_token(await driver(session), token)
    if found is None:
        raise NotFound
    return found


async def unsubscribe(session: AsyncSession, token: str) -> None:
    """Ends the mails of whoever has this token. Raises NotFound."""
    await repository.mails_off(await driver(session), (await owner(session, token)).user_id)


# -- channels ----------------------------------------------------------------------------------------


async def channels(session: AsyncSession, user_id: int) -> Sequence[Channel]:
    await wishes(session, user_id)
    return await repository.channels(await driver(session), user_id)


async def add_service(session: AsyncSession, user_id: int, address: str) -> Channel:
    """Raises Refused for what is no service, or one in a private network; Conflict when there are too many."""
    return await _add(session, user_id, "url", await relay.checked(address.strip()), address.strip())


async def add_push(session: AsyncSession, user_id: int, new: Subscription) -> Channel:
    """Raises Refused, Conflict."""
    address = await push.subscription(new.endpoint, new.keys.p256dh, new.keys.auth)
    return await _add(session, user_id, "push", new.name, address)


async def _add(session: AsyncSession, user_id: int, kind: str, name: str, address: str) -> Channel:
    conn = await driver(session)
    if len(await channels(session, user_id)) >= MOST_CHANNELS:
        raise Conflict("notice.too_many_channels", n=MOST_CHANNELS)
    added = await repository.add_channel(conn, user_id, kind, name, address)
    return next(one for one in await repository.channels(conn, user_id) if one.id == added)


async def _own(session: AsyncSession, user_id: int, channel_id: int) -> None:
    if channel_id not in {one.id for one in await channels(session, user_id)}:
        raise NotFound


async def set_role(session: AsyncSession, user_id: int, channel_id: int, role: str) -> None:
    """Raises NotFound."""
    await _own(session, user_id, channel_id)
    await repository.set_role(await driver(session), user_id, channel_id, role)


async def drop_channel(session: AsyncSession, user_id: int, channel_id: int) -> None:
    """Raises NotFound."""
    await _own(session, user_id, channel_id)
    await repository.drop_channel(await driver(session), user_id, channel_id)


async def try_channel(session: AsyncSession, user_id: int, channel_id: int) -> None:
    """Queues a test message. Raises NotFound."""
    await _own(session, user_id, channel_id)
    await enqueue(await driver(session), "notices.test", {"user": user_id, "channel": channel_id}, queue=ABROAD)


async def deliveries(session: AsyncSession, user_id: int) -> list[dict[str, Any]]:
    return await repository.deliveries(await driver(session), user_id)


async def push_key(session: AsyncSession) -> str:
    """The public key that browsers subscribe with."""
    return (await push.keys(await driver(session)))[1]


async def ask_reset(session: AsyncSession, login: str) -> None:
    """Queues a mail with a link for a new password. Whether there is such a person shows neither in the answer nor in
    the time it takes."""
    await enqueue(await driver(session), "accounts.reset_mail", {"login": login[:200]})
