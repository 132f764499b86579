"""Sending what is due to a person: by every first channel, and by the others when those failed.

The table of notices is the truth; a job only says that it is time to look. One process at a time looks for one person.
What was sent is written down at once, channel by channel, so that a kill repeats at most the message under way, which
bears the same id then.
"""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from app import timing
from app.games.repository import Conn
from app.jobs.queue import enqueue
from app.jobs.registry import Work
from app.notifications import content, mail, push, relay, repository
from app.notifications.config import notice_settings
from app.notifications.kinds import TASKS
from app.notifications.repository import Channel, Told, Wishes
from app.notifications.sending import Message, NotSent
from app.texts import Texts

log = logging.getLogger(__name__)

LOCK = 0x6E6F74  # the class of advisory locks that only deliveries use
TRIES = 4  # in a row by one channel; then it is given up for these notices


async def deliver(work: Work, user: int) -> None:
    """Sends what is due to a person. Often that is nothing: it was answered, or went out with something else."""
    async with _alone(work, user) as conn:
        if conn is None:
            return
        wishes = await repository.wishes(conn, user)
        due = await repository.due(conn, user) if wishes else []
        due = await _still_asked(conn, user, due)
        if wishes is None or not due:
            return
        if wishes.held:  # told once; the rest waits on the site
            await repository.finish(conn, [notice.id for notice in due])
            return
        await _Delivery(work, conn, wishes, due).send()


@asynccontextmanager
async def _alone(work: Work, user: int) -> AsyncIterator[Conn | None]:
    """A connection on which every statement counts at once, while no other process delivers to this person; None
    when one does, or when nothing is due. The store's pool has one for each job that may wait for somebody else's
    server."""
    async with work.store.pool.connection() as conn:
        await conn.set_autocommit(True)
        try:
            got = await repository.take(conn, LOCK, user)
            yield conn if got else None
            if got:
                await repository.give_back(conn, LOCK, user)
            await conn.set_autocommit(False)
        except BaseException:
            await conn.close()  # a lock that is not given back goes with its connection
            raise


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

    def __init__(self, work: Work, conn: Conn, wishes: Wishes, due: Sequence[Told]) -> None:
        self.work, self.conn, self.wishes, self.due = work, conn, wishes, due
        self.items: dict[int, content.Item] = {}

    async def send(self) -> None:
        channels = [one for one in await repository.channels(self.conn, self.wishes.user_id) if self._usable(one)]
        tried = {(notice, channel): ok for notice, channel, ok in
                 await repository.sent_by(self.conn, [notice.id for notice in self.due])}  # fmt: skip
        if channels:
            made = await content.items(self.work, self.wishes, self.due)
            self.items = {item.notice: item for item in made}
        later = 0  # failures in a row of the channel that will be tried again
        for role in ("first", "backup"):
            mine = [one for one in channels if one.role == role]
            if role == "backup" and mine:  # the first took their time: perhaps it was answered meanwhile
                self.due = await _still_asked(self.conn, self.wishes.user_id, self.due)
            for channel in mine:
                ids = [one.id for one in self.due if (one.id, channel.id) not in tried]
                if role == "backup":  # only what nobody else brought, and nobody else will
                    ids = [one for one in ids if not later and not any(
                        ok for (notice, _), ok in tried.items() if notice == one)]  # fmt: skip
                if ids:
                    later = max(later, await self._try(channel, ids, tried))
        ids = [one.id for one in self.due]
        if not later:
            await repository.finish(self.conn, ids)
            if self.wishes.timing == "visit" and any(tried.values()):
                await repository.hold(self.conn, self.wishes.user_id, True)
            return
        at = timing.now() + notice_settings().again(later)
        await repository.postpone(self.conn, ids, at)
        await enqueue(self.conn, repository.DELIVER, {"user": self.wishes.user_id}, at=at)

    async def _try(self, channel: Channel, ids: Sequence[int], tried: dict[tuple[int, int], bool]) -> int:
        """Sends by one channel; how often it has failed in a row if it is to be tried again."""
        error, again = None, False
        try:
            await send(self.work, self.conn, self.wishes, channel, [self.items[one] for one in ids])
        except NotSent as failed:
            error, again = str(failed), not failed.for_good and channel.failing + 1 < TRIES
            if failed.gone and channel.kind == "push":
                await repository.log_delivery(self.conn, self.wishes.user_id, channel, ids, error, False)
                await repository.drop_channel(self.conn, self.wishes.user_id, channel.id)
                return 0
        await repository.log_delivery(self.conn, self.wishes.user_id, channel, ids, error, not again)
        if not again:
            tried.update(dict.fromkeys(((one, channel.id) for one in ids), error is None))
        return channel.failing + 1 if again else 0

    def _usable(self, channel: Channel) -> bool:
        return channel.kind != "mail" or (self.wishes.mail is not None and mail.works(self.work.settings))


async def send(work: Work, conn: Conn, wishes: Wishes, channel: Channel, items: list[content.Item]) -> None:
    """One message by one channel. Raises NotSent."""
    message = Message(Texts(wishes.lang), work.settings.url, items, wishes.mail or "", wishes.token)
    if channel.kind == "mail":
        if not wishes.mail or not mail.works(work.settings):
            raise NotSent("no mail server or no address", for_good=True)
        await mail.send(mail.notices(message))
    elif channel.kind == "push":
        await push.send(conn, channel.address, message, work.settings)
    else:
        await relay.send(channel.address, message)
