"""How reliable a player is: games brought to an end, games lost on time, answers a day; and what a host may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Integer, bindparam, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotAllowed

DAYS = 30  # over which answers are counted

_QUERY = text("""
select count(*) filter (where g.status = 'finished') as finished,
    count(*) filter (where g.status = 'finished' and s.side <> g.result->>'winner'
        and coalesce(g.result->'args'->>'seat', s.seat) = s.seat and g.result->>'key' like 'result.time%') as timed_out,
    count(*) filter (where g.status = 'finished' and s.side <> g.result->>'winner'
        and g.result->>'key' = 'result.withdrawn') as withdrawn,
    (select count(*) from entries e join seats mine on mine.game_id = e.game_id and mine.user_id = :player
        where e.by_user = :player and e.kind = 'answer' and not e.forced
        and e.at > now() - make_interval(days => :days)) as answers,
    coalesce((select games from ratings where user_id = :player and title = ''), 0) as rated,
    extract(epoch from now() - greatest(min(g.created_at), now() - make_interval(days => :days))) / 86400 as span
from seats s join games g on g.id = s.game_id
where s.user_id = :player and g.status <> 'open'
""").bindparams(bindparam("days", DAYS, Integer))


@dataclass(frozen=True)
class Reliability:
    """`finished` games, of which `dropped` were lost on time or by leaving, and of which `rated` were; `answers` a day
    over the last month."""

    finished: int
    timed_out: int
    dropped: int
    answers: float
    rated: int = 0

    @property
    def late(self) -> int:
        """How many of the finished games were lost on time, in per cent."""
        return round(100 * self.timed_out / self.finished) if self.finished else 0

    @property
    def share(self) -> int | None:
        """How many of the finished games were played to their end, in per cent; None when there are none yet."""
        return round(100 * (self.finished - self.dropped) / self.finished) if self.finished else None


@dataclass(frozen=True)
class Conditions:
    """What somebody has to show before entering an event or taking a seat. A newcomer, with nothing finished yet,
    meets them."""

    least_share: int = 0
    most_time_outs: int | None = None

    def met_by(self, player: Reliability) -> bool:
        late = self.most_time_outs is not None and player.timed_out > self.most_time_outs
        return not late and (player.share is None or player.share >= self.least_share)


async def of(session: AsyncSession, user_id: int) -> Reliability:
    row = (await session.execute(_QUERY, {"player": user_id})).one()
    days = max(float(row.span or 0), 1.0)
    return Reliability(row.finished, row.timed_out, row.timed_out + row.withdrawn, round(row.answers / days, 1),
                       row.rated)  # fmt: skip


async def check(session: AsyncSession, user_id: int, wanted: Conditions) -> None:
    """For events and for open games. Raises NotAllowed, saying what is asked."""
    if wanted == Conditions() or wanted.met_by(await of(session, user_id)):
        return
    time_outs = "–" if wanted.most_time_outs is None else wanted.most_time_outs
    raise NotAllowed("leagues.unreliable", share=wanted.least_share, time_outs=time_outs)


async def check_seat(session: AsyncSession, user_id: int, asked: Mapping[str, int | None]) -> None:
    """For an open game with `games.schemas.Conditions`. Raises NotAllowed, saying what is asked and what there is."""
    most, least = asked["most_time_outs"], asked["least_rated"] or 0
    player = await of(session, user_id)
    if most is not None and player.late > most:
        raise NotAllowed("lobby.too_often_late", most=most, n=player.late)
    if player.rated < least:
        raise NotAllowed("lobby.too_few_rated", least=least, n=player.rated)
