"""The jobs of notices and mails."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage

from app import timing
from app.accounts import limits
from app.accounts import repository as accounts
from app.accounts import service as accounts_service
from app.accounts.models import User
from app.addresses import absolute
from app.errors import TooMany
from app.jobs.registry import Work, job
from app.notifications import content, delivery, mail, reminders, repository
from app.notifications.sending import NotSent
from app.queue import ABROAD, enqueue
from app.texts import Texts

log = logging.getLogger(__name__)

LOST = 1.0  # seconds after which what is due and was not sent is looked after again
BUSY = timedelta(seconds=3)  # until a test is tried again that found its person's channels in use
MAIL_TRIES = 6  # of what one waits for: over twenty minutes, since some servers turn away whom they don't know at first
SLACK = 1.0  # seconds by which two reckonings of one deadline may differ


@job(repository.DELIVER)
async def deliver(work: Work, user: int) -> None:
    await delivery.deliver(work, user)


@job(repository.DELIVER_ABROAD, tries=0, queue=ABROAD)  # what it leaves the sweep finds
async def deliver_abroad(work: Work, user: int) -> None:
    await delivery.deliver(work, user, abroad=True)


@job("notices.sweep", cron="* * * * *", tries=0, at_start=True)
async def sweep(work: Work) -> None:
    """Nothing stays behind because a process died in between."""
    async with work.store.pool.connection() as conn:
        for user in await repository.overdue(conn, LOST):
            await enqueue(conn, repository.DELIVER, {"user": user})


@job("notices.forget", cron="17 4 * * *", tries=0)
async def forget(work: Work) -> None:
    async with work.store.pool.connection() as conn:
        await repository.forget_old(conn)


@job("notices.remind")
async def remind(work: Work, game: str, seat: str, deadline: str, at: str, then: Sequence[str] = ()) -> None:
    """Reminds a seat of a deadline, unless it answered, the deadline moved since, or it wants no such reminder; once.
    `then`: when again."""
    ends = datetime.fromisoformat(deadline)
    async with work.store.quick.connection() as conn:  # most have answered: one statement says so
        if not _is_asked(await repository.asked_until(conn, game, seat), ends):
            return
    async with work.store.pool.connection() as conn:
        asked = await repository.asked_until(conn, game, seat)
        if asked is None or not _is_asked(asked, ends):
            return
        if not await repository.reminded(conn, game, seat, at):
            wishes = await repository.wishes(conn, asked[0])
            if wishes is not None and reminders.wanted(wishes.off, ends, datetime.fromisoformat(at)):
                told = {"user_id": asked[0], "kind": "reminder", "game_id": game, "seat": seat,
                        "args": {"deadline": deadline, "at": at}}  # fmt: skip
                await repository.tell(conn, [told], 0)
            await reminders.schedule(conn, game, seat, ends, [datetime.fromisoformat(one) for one in then])


def _is_asked(asked: tuple[int, datetime] | None, ends: datetime) -> bool:
    """Whether a seat still has to answer until then; not whether it has to later."""
    return asked is not None and (asked[1] - ends).total_seconds() <= SLACK


@job("notices.test", tries=0, queue=ABROAD)
async def test(work: Work, user: int, channel: int) -> None:
    """A message that says that messages arrive; logged like any other. It waits while another is on its way to the same
    person."""
    async with work.locks.taken(delivery.LOCK, user) as mine:
        if mine:
            await _test(work, user, channel)
            return
    async with work.store.pool.connection() as conn:
        again = {"user": user, "channel": channel}
        await enqueue(conn, "notices.test", again, at=timing.now() + BUSY, queue=ABROAD)


async def _test(work: Work, user: int, channel: int) -> None:
    async with work.store.pool.connection() as conn:
        wishes = await repository.wishes(conn, user)
        chosen = [one for one in await repository.channels(conn, user) if one.id == channel]
    if wishes is None or not chosen:
        return
    t, error = Texts(wishes.lang), None
    item = content.Item(0, "test", t("notice.test"), t("notice.test_go"), "/account/notifications")
    try:
        await delivery.send(work, wishes, chosen[0], [item])
    except NotSent as failed:
        error = str(failed)
    async with work.store.pool.connection() as conn:
        await repository.log_delivery(conn, user, chosen[0], [], error, False)


@job("accounts.reset_mail", tries=MAIL_TRIES)
async def reset_mail(work: Work, login: str) -> None:
    """Mails a link for a new password to whoever has this name or address, if it is anybody who can get mail."""
    if not mail.works(work.settings):
        log.warning("a password link was asked for, but this process sends no mail")
        return
    async with work.db.begin() as session:
        user = await accounts.user_by_login(session, login.strip())
        if user is None or user.mail is None:
            return
        link = absolute(work.settings, f"/reset/{await accounts_service.make_link(session, 'reset', user.id)}")
        letter = mail.reset(user.mail, Texts(user.lang), user.name, link)
    await _send(letter)


@job("accounts.proof_mail", tries=MAIL_TRIES)
async def proof_mail(work: Work, user: int) -> None:
    """Mails the link that proves an address; to one address not more than a few a day, whoever asks."""
    if not mail.works(work.settings):
        return
    async with work.db.begin() as session:
        found = await session.get(User, user)
        if found is None or found.mail_wish is None:
            return
        to, t = found.mail_wish, Texts(found.lang)
    counted = (work.db, work.settings.secret(), limits.PROVE_MAIL, to.casefold())
    try:
        await limits.count(*counted)
    except TooMany:
        return
    async with work.db.begin() as session:
        token = await accounts_service.mail_link(session, await session.get_one(User, user))
    if token is None:
        return
    link = absolute(work.settings, f"/account/mail/{token}")
    try:
        await _send(mail.proof(to, t, absolute(work.settings, ""), link))
    except NotSent as failed:
        if failed.refused:  # nothing has arrived that could annoy anybody
            await limits.forgive(*counted)
        raise


async def _send(letter: EmailMessage) -> None:
    """Raises NotSent for what may be taken later; what is refused for good is not tried again."""
    try:
        await mail.send(letter)
    except NotSent as failed:
        if not failed.for_good:
            raise
        log.warning("a mail to an account was refused for good")
