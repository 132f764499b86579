"""Clocks against the record, twice: by the application's own function, and by plain sums that share no code with it.

The sums: for each seat, all the time it was given, less what ran off while it was asked (wall time less quiet hours,
days of rest and vacations), less what was left of a turn when a new one began, is what the server says is left.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from app.clocks import repository
from app.clocks.clock import first_deadline, reckon, to_json
from tests.app.year.year import START, Year

MIDNIGHT = time()
ZERO, DAY = timedelta(0), timedelta(days=1)


class Off:
    """When a person's clocks stand: spans that don't overlap, in order, and how much of it there was before each."""

    def __init__(self, weeks: Sequence[dict[str, Any]], away: Sequence[dict[str, Any]], upto: datetime) -> None:
        spans = [(one["starts_at"], one["ends_at"]) for one in away]
        for week, following in zip(weeks, [*weeks[1:], None], strict=True):
            begin, end = week["holds_from"], following["holds_from"] if following else upto
            spans += [(max(a, begin), min(b, end)) for a, b in _week(week, begin, end) if max(a, begin) < min(b, end)]
        self._begins: list[datetime] = []
        self._ends: list[datetime] = []
        for begin, end in sorted(spans):
            if self._ends and begin <= self._ends[-1]:
                self._ends[-1] = max(end, self._ends[-1])
            else:
                self._begins.append(begin)
                self._ends.append(end)
        self._before = [ZERO]
        for begin, end in zip(self._begins, self._ends, strict=True):
            self._before.append(self._before[-1] + (end - begin))

    def upto(self, at: datetime) -> timedelta:
        """How long they stood before an instant."""
        n = bisect_right(self._begins, at)
        return self._before[n] - (max(ZERO, self._ends[n - 1] - at) if n else ZERO)


def _week(week: dict[str, Any], begin: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    zone, found = ZoneInfo(week["zone"]), []
    day = begin.astimezone(zone).date() - DAY

    def at(date: Any, wall: Any = MIDNIGHT) -> datetime:
        return datetime.combine(date, wall, zone).astimezone(UTC)

    while day <= end.astimezone(zone).date():
        if day.isoweekday() in week["rest"]:
            found.append((at(day), at(day + DAY)))
        if week["quiet_from"] is not None:
            over_night = week["quiet_from"] > week["quiet_to"]
            found.append((at(day, week["quiet_from"]), at(day + DAY if over_night else day, week["quiet_to"])))
        day += DAY
    return found


@dataclass(frozen=True)
class Side:
    """One seat's account. `ran`: wall time while it was asked; `stood`: what of it didn't count."""

    user: int | None
    turn: timedelta
    bank: timedelta
    given: timedelta
    dropped: timedelta = ZERO
    ran: timedelta = ZERO
    stood: timedelta = ZERO

    def spend(self, ran: timedelta, stood: timedelta) -> "Side":
        """What ran off beyond all that there was is nobody's: a late answer costs no more than everything."""
        used = min(ran - stood, self.turn + self.bank)
        more = (ran - stood) - used
        turn = max(ZERO, self.turn - used)
        return replace(self, turn=turn, bank=self.bank - (used - (self.turn - turn)), ran=self.ran + ran,
                       stood=self.stood + stood, dropped=self.dropped - more)  # fmt: skip

    @property
    def adds_up(self) -> bool:
        return self.given - self.dropped - (self.ran - self.stood) == self.turn + self.bank


@dataclass
class Account:
    """A game's clocks by sums."""

    offs: dict[int | None, Off]
    pace: dict[str, Any] = field(default_factory=dict)
    sides: dict[str, Side] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    owes: tuple[str, ...] = ()
    paused: bool = False
    at: datetime = START

    @property
    def live(self) -> bool:
        return bool(self.pace["kind"] == "live")

    def units(self) -> tuple[timedelta, timedelta, timedelta, timedelta]:
        """Of a turn, of the bank at first, of the increment, of the bank at most."""
        if self.live:
            bank = timedelta(minutes=self.pace["minutes"])
            return ZERO, bank, timedelta(seconds=self.pace["increment"]), max(bank, 7 * DAY)
        bank = timedelta(days=self.pace["bank"])
        return timedelta(days=self.pace["days"]), bank, timedelta(hours=self.pace["increment"]), max(bank, 60 * DAY)

    def run(self, at: datetime) -> None:
        for seat in () if self.paused else self.owes or self.asked:
            side = self.sides[seat]
            off = None if self.live else self.offs.get(side.user)
            stood = off.upto(at) - off.upto(self.at) if off else ZERO
            self.sides[seat] = side.spend(at - self.at, stood)
        self.at = at

    def full(self, user: int | None) -> Side:
        turn, bank, _, _ = self.units()
        return Side(user, turn, bank, turn + bank)

    def renew(self, seat: str) -> None:
        turn, _, more, most = self.units()
        side = self.sides[seat]
        bank = min(side.bank + more, max(side.bank, most))
        self.sides[seat] = replace(side, turn=turn, bank=bank, given=side.given + turn + bank - side.bank,
                                   dropped=side.dropped + side.turn)  # fmt: skip

    def enter(self, one: dict[str, Any]) -> None:
        """An entry of a record without take-backs by consent."""
        said, before = one["answer"] or {}, self.owes or self.asked
        if one["kind"] == "pace":
            self.pace, self.owes, self.at = said["pace"] or {}, tuple(said["owes"]), one["at"]
            self.paused, before = False, ()
            if not self.pace:
                return
            self.sides = {seat: self.full(user) for seat, user in said["seats"].items()}
        if not self.pace:
            return
        self.run(one["at"])
        if one["asks"] is not None:
            self.asked = tuple(one["asks"])
        match one["kind"]:
            case "dice":
                self.owes = tuple(said["owes"])
            case "pause" | "resume":
                self.paused = one["kind"] == "pause"
            case "fresh":
                self.sides[said["seat"]] = self.full(said["user"])
            case "grant":
                side, most = self.sides[said["seat"]], self.units()[3]
                bank = min(side.bank + timedelta(hours=said["hours"]), max(side.bank, most))
                self.sides[said["seat"]] = replace(side, bank=bank, given=side.given + bank - side.bank)
        if one["kind"] not in ("withdraw", "take_back"):
            for seat in set(self.owes or self.asked) - set(before):
                self.renew(seat)


async def clocks(year: Year) -> dict[str, Any]:
    """Raises AssertionError for a clock that is not what its record says."""
    conn, server = year.server.conn, year.server
    weeks = await server.rows("select * from calendar_weeks order by user_id, holds_from")
    away = await server.rows("select * from vacations order by user_id, starts_at")
    far = year.end + 400 * DAY
    offs: dict[int | None, Off] = {
        who.user: Off([one for one in weeks if one["user_id"] == who.user],
                      [one for one in away if one["user_id"] == who.user], far) for who in year.folk}  # fmt: skip
    games = await server.rows("select id, pace, clock, deadline, status from games where clock is not null order by id")
    calendars = await repository.calendars(conn, [who.user for who in year.folk])
    summed, stood, ran = 0, ZERO, ZERO
    for game in games:
        moments = await repository.moments(conn, game["id"])
        mine = calendars if game["pace"]["kind"] == "days" else {}
        reckoned = reckon(moments, mine)
        assert reckoned is not None, game
        assert to_json(reckoned, mine)["seats"] == game["clock"]["seats"] or game["status"] == "finished", game["id"]
        told = to_json(reckoned, mine)
        for seat, hand in game["clock"]["seats"].items():
            pure = told["seats"][seat]
            assert (hand["turn"], hand["bank"]) == (pure["turn"], pure["bank"]), game["id"]
        assert game["status"] == "finished" or first_deadline(told) == game["deadline"], game["id"]
        if any(one.puts_back for one in moments):
            continue
        account = Account(offs)
        for one in moments:
            account.enter({"kind": one.kind, "at": one.at, "asks": one.asks, "answer": one.answer})
        for seat, side in account.sides.items():
            left = timedelta(microseconds=game["clock"]["seats"][seat]["turn"] + game["clock"]["seats"][seat]["bank"])
            assert side.adds_up, (game["id"], seat, side)
            assert side.turn + side.bank == left, (game["id"], seat, side, left, side.turn + side.bank)
            stood, ran = stood + side.stood, ran + side.ran
        summed += 1
    return {"clocks": len(games), "clocks by sums": summed, "days that clocks ran": round(ran / DAY),
            "days of them that did not count": round(stood / DAY)}  # fmt: skip
