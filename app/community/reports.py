"""Reports to the moderators: of a player, a message, a line of a chat."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.accounts import repository as accounts
from app.accounts.models import User
from app.community import service, talk
from app.community.models import DirectMessage, Report
from app.community.schemas import About, ReportCard
from app.errors import Conflict, NotFound, Refused

LONGEST_LIST = 200


class Cause:
    """What a report is about. `kind`: player, message or chat; `quote`: the words that gave cause."""

    def __init__(self, kind: str, about: User, quote: str = "", game_id: str | None = None) -> None:
        self.kind, self.about, self.quote, self.game_id = kind, about, quote, game_id


async def cause(session: AsyncSession, me: User, what: About) -> Cause:
    """Only what the reporter may read can be reported. Raises NotFound, Refused."""
    if what.message is not None:
        message = await session.get(DirectMessage, what.message)
        if message is None or message.to_id != me.id:
            raise NotFound
        return Cause("message", await session.get_one(User, message.from_id), message.text)
    if what.line is not None:
        line = (await talk.line(session, me.id, what.line))[0]
        if line.user_id == me.id:
            raise Refused("community.oneself")
        return Cause("chat", await session.get_one(User, line.user_id), line.text, line.game_id)
    return Cause("player", await service.other(session, me, what.player or ""))


async def report(session: AsyncSession, me: User, why: Cause, reason: str) -> None:
    session.add(Report(kind=why.kind, by_user=me.id, about_user=why.about.id, game_id=why.game_id, quote=why.quote,
                       reason=reason))  # fmt: skip


async def cards(session: AsyncSession, moderator: User) -> list[ReportCard]:
    """Open ones first, then the latest handled; not those about the reader, who is not to know who made them."""
    by, about, handler = aliased(User), aliased(User), aliased(User)
    query = select(Report, by.name, about.name, handler.name).join(by, by.id == Report.by_user)
    query = query.join(about, about.id == Report.about_user).outerjoin(handler, handler.id == Report.handled_by)
    query = query.where(Report.about_user != moderator.id)
    query = query.order_by(Report.handled_at.desc().nulls_first(), Report.id).limit(LONGEST_LIST)
    return [
        ReportCard(id=row.id, kind=row.kind, by=by_name, about=about_name, game=row.game_id, quote=row.quote,  # type: ignore[arg-type]
                   reason=row.reason, created_at=row.created_at, handled_by=handled_by, handled_at=row.handled_at,
                   note=row.note)
        for row, by_name, about_name, handled_by in await session.execute(query)
    ]  # fmt: skip



async def handle(session: AsyncSession, moderator: User, report_id: int, note: str) -> None:
    """Raises NotFound; Conflict when another moderator has done so, or for a report of oneself."""
    found = await session.get(Report, report_id, with_for_update=True)
    if found is None:
        raise NotFound
    if found.handled_at:
        raise Conflict("community.handled_already")
    if found.about_user == moderator.id:
        raise Conflict("community.handles_oneself")
    found.handled_by, found.handled_at, found.note = moderator.id, await accounts.now(session), note
