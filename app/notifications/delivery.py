"""Sending what is due to a person: by every first channel, and by the others when those failed.

The table of notices is the truth; a job only says that it is time to look. One process at a time looks for one person.
What was sent is written down at once, channel by channel, so that a kill repeats at most the message under way, which
bears the same id then. While somebody's server is waited for, no connection of a pool is held; who has named servers of
others is served in a queue of its own, so that these keep nobody else waiting.
"""

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from app import timing
from app.addresses import absolute
from app.games.repository import Conn
from app.jobs.registry import Work
from app.notifications import content, mail, push, relay, repository
from app.notifications.config import notice_settings
from app.notifications.kinds import TASKS
from app.notifications.repository import Channel, Told, Wishes
from app.notifications.sending import Message, NotSent
from app.queue import ABROAD, enqueue
from app.texts import Texts

log = logging.getLogger(__name__)

LOCK = 0x6E6F74  # the class of advisory locks that only deliveries use
TRIES = 4  # in a row by one channel; then it is given up for these notices
ROUND = 60.0  # seconds after which what is left of one person's channels waits for the next round


async def deliver(work: Work, user: int, abroad: bool = False) -> None:
    """Sends what is due to a person. Often that is nothing: it was answered, or went out with something else. Only a
    job of the queue `abroad` speaks with servers that the person has named."""
    async with _at_once(work) as conn:
        if not await repository.anything_due(conn, user):
            return
        ways = await repository.channels(conn, user)
        if not abroad and any(one.kind != "mail" and one.role != "off" for one in ways):
            await enqueue(conn, repository.DELIVER_ABROAD, {"user": user}, queue=ABROAD, once=True)
            return
    async with work.locks.taken(LOCK, user) as mine:
        if mine:
            await _deliver(work, user)


async def _deliver(work: Work, user: int) -> None:
    async with _at_once(work) as conn:
        wishes = await repository.wishes(conn, user)
        due = await repository.due(conn, user) if wishes else []
        due = await _still_asked(conn, user, due)
        if wishes is None or not due:
            return
        if wishes.held:  # told once; the rest waits on the site
            await repository.finish(conn, [notice.id for notice in due])
            return
    await _Delivery(work, wishes, due).send()


@asynccontextmanager
async def _at_once(work: Work) -> AsyncIterator[Conn]:
    """A connection for a moment: every statement counts at once."""
    async with work.store.quick.connection() as conn:
        yield conn


async def _still_asked(conn: Conn, user: int, due: Sequence[Told]) -> list[Told]:
    """Without tasks that don't wait for the person any more."""
    if not any(one.kind in TASKS for one in due):
        return list(due)
    waiting = {(one.game_id, one.seat, one.kind) for one in await repository.waiting(conn, user)}
    gone = [one.id for one in due if one.kind in TASKS and (one.game_id, one.seat, one.kind) not in waiting]
    if gone:
        await repository.withdraw(conn, gone)
    return [one for one in due if one.id not in gone]


class _Delivery:
    """One round of sending."""

    def __init__(self, work: Work, wishes: Wishes, due: Sequence[Told]) -> None:
        self.work, self.wishes, self.due = work, wishes, due
        self.items: dict[int, content.Item] = {}
        self.ends = time.monotonic() + ROUND

    async def send(self) -> None:
        async with _at_once(self.work) as conn:
            known = await repository.channels(conn, self.wishes.user_id)
            sent = await repository.sent_by(conn, [notice.id for notice in self.due])
        channels = [one for one in known if self._usable(one)]
        tried = {(notice, channel): ok for notice, channel, ok in sent}
        if channels:
            made = await content.items(self.work, self.wishes, self.due)
            self.items = {item.notice: item for item in made}
        later = 0  # failures in a row of the channel that will be tried again
        for role in ("first", "backup"):
            mine = [one for one in channels if one.role == role]
            if role == "backup" and mine:  # the first took their time: perhaps it was answered meanwhile
                async with _at_once(self.work) as conn:
                    self.due = await _still_asked(conn, self.wishes.user_id, self.due)
            for channel in mine:
                ids = [one.id for one in self.due if (one.id, channel.id) not in tried]
                if role == "backup":  # only what nobody else brought, and nobody else will
                    ids = [one for one in ids if not later and not any(
                        ok for (notice, _), ok in tried.items() if notice == one)]  # fmt: skip
                if ids:
                    later = max(later, await self._try(channel, ids, tried))
        async with _at_once(self.work) as conn:
            await self._conclude(conn, later, any(tried.values()))

    async def _conclude(self, conn: Conn, later: int, sent: bool) -> None:
        """What was sent is over; what failed comes again."""
        ids = [one.id for one in self.due]
        if later:
            at = timing.now() + notice_settings().again(later)
            await repository.postpone(conn, ids, at)
            await enqueue(conn, repository.DELIVER, {"user": self.wishes.user_id}, at=at)
            return
        await repository.finish(conn, ids)
        if self.wishes.timing == "visit" and sent:
            await repository.hold(conn, self.wishes.user_id, True)

    async def _try(self, channel: Channel, ids: Sequence[int], tried: dict[tuple[int, int], bool]) -> int:
        """Sends by one channel; how often it has failed in a row if it is to be tried again."""
        error, again, gone = None, False, False
        try:
            if time.monotonic() > self.ends:
                raise NotSent("the other services took too long")
            await send(self.work, self.wishes, channel, [self.items[one] for one in ids])
        except NotSent as failed:
            gone = failed.gone and channel.kind == "push"
            error, again = str(failed), not failed.for_good and channel.failing + 1 < TRIES
        async with _at_once(self.work) as conn:
            await repository.log_delivery(conn, self.wishes.user_id, channel, ids, error, not again and not gone)
            if gone:
                await repository.drop_channel(conn, self.wishes.user_id, channel.id)
                return 0
        if not again:
            tried.update(dict.fromkeys(((one, channel.id) for one in ids), error is None))
        return channel.failing + 1 if again else 0

    def _usable(self, channel: Channel) -> bool:
        return channel.kind != "mail" or (self.wishes.mail is not None and mail.works(self.work.settings))


async def send(work: Work, wishes: Wishes, channel: Channel, items: list[content.Item]) -> None:
    """One message by one channel. Raises NotSent."""
    message = Message(Texts(wishes.lang), absolute(work.settings, ""), items, wishes.mail or "", wishes.token)
    if channel.kind == "mail":
        if not wishes.mail or not mail.works(work.settings):
            raise NotSent("no mail server or no address", for_good=True)
        await mail.send(mail.notices(message))
    elif channel.kind == "push":
        async with _at_once(work) as conn:
            private, _ = await push.keys(conn)
        await push.send(private, channel.address, message, work.settings)
    else:
        await relay.send(channel.address, message)
