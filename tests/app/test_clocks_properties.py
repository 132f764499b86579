"""What holds of every clock: never negative, never endless, nothing charged twice, right over daylight saving, and the
same whether reckoned from the record or carried on entry by entry."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.clocks.calendar import ZERO, Calendar, Hours
from app.clocks.clock import Calendars, Clocks, Moment, advance, from_json, reckon, to_json
from app.games.pace import Days, Live, pace_of

BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
ZONES = ("UTC", "Europe/Madrid", "America/Santiago", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu",
         "America/Havana", "Africa/Casablanca")  # fmt: skip
WEEK = timedelta(days=7)  # no calendar changes oftener
USERS: dict[str, int | None] = {"red": 1, "blue": 2}
LONGEST = timedelta(days=450)  # 90 days of time, quiet for 14 hours, 3 days of rest, 60 days of vacation

instants = st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))
amounts = st.timedeltas(timedelta(microseconds=1), timedelta(days=90))


@st.composite
def weeks(draw: st.DrawFn) -> Hours:
    quiet = None
    if draw(st.booleans()):
        begin, length = draw(st.integers(0, 1439)), draw(st.integers(1, 14 * 60))
        end = (begin + length) % 1440
        quiet = time(begin // 60, begin % 60), time(end // 60, end % 60)
    rest = draw(st.frozensets(st.integers(1, 7), max_size=3))
    return Hours(draw(st.sampled_from(ZONES)), quiet, rest)


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    edges = sorted({draw(instants) for _ in range(draw(st.integers(0, 3)))})
    hours = [(edge, draw(weeks())) for n, edge in enumerate(edges) if n == 0 or edge - edges[n - 1] >= WEEK]
    days = sorted({draw(st.integers(0, 700)) for _ in range(draw(st.integers(0, 4)))})
    off = [(BEGIN + timedelta(days=a), BEGIN + timedelta(days=min(a + draw(st.integers(1, 15)), b)))
           for a, b in pairwise([*days, 720])]  # fmt: skip
    return Calendar(hours, off)


paces = st.one_of(
    st.builds(Live, kind=st.just("live"), minutes=st.integers(1, 600), increment=st.integers(0, 600)),
    st.builds(
        Days, kind=st.just("days"), days=st.integers(1, 30), bank=st.integers(0, 60), increment=st.integers(0, 72)
    ),
)
asks = st.sampled_from([("red",), ("blue",), ("red", "blue")])


@st.composite
def records(draw: st.DrawFn) -> list[Moment]:
    """A record with everything that moves clocks. What cannot follow one another in a game may do so here."""
    pace = draw(paces)
    at = draw(instants)
    begin = {"pace": pace.model_dump(), "seats": USERS, "owes": draw(st.sampled_from([[], ["blue"], ["red", "blue"]]))}
    out = [Moment(1, at, None, "start", ("red",)), Moment(2, at, None, "pace", ("red",), begin)]
    for seq in range(3, 3 + draw(st.integers(0, 14))):
        at += draw(st.one_of(st.just(ZERO), st.timedeltas(ZERO, timedelta(hours=3)),
                             st.timedeltas(ZERO, timedelta(days=12))))  # fmt: skip
        kind = draw(st.sampled_from(["answer"] * 6 + ["roll", "withdraw", "pause", "resume", "grant", "take_back",
                                                      "fresh", "dice", "pace"]))  # fmt: skip
        seat = draw(st.sampled_from(["red", "blue"]))
        said: dict[str, Any] = {"grant": {"seat": seat, "hours": draw(st.integers(1, 720))},
                "take_back": {"to": draw(st.integers(2, seq - 1)), "consent": draw(st.booleans())},
                "fresh": {"seat": seat, "user": USERS[seat]}, "dice": {"owes": draw(st.sampled_from([[], [seat]]))},
                "pace": {"pace": draw(paces).model_dump(), "seats": USERS, "owes": []}}  # fmt: skip
        asked = None if kind == "roll" else draw(asks)
        out.append(Moment(seq, at, seat, kind, asked, said.get(kind)))
    return out


@given(calendars(), instants, amounts)
@settings(max_examples=150, deadline=None)
def test_an_amount_of_time_ends_and_is_counted_exactly(calendar: Calendar, since: datetime, amount: timedelta) -> None:
    until = calendar.after(since, amount)
    assert since + amount <= until <= since + LONGEST
    assert calendar.counted(since, until) == amount
    assert calendar.counted(since, until - timedelta(microseconds=1)) < amount


@given(calendars(), st.lists(instants, min_size=3, max_size=3).map(sorted))
@settings(max_examples=150, deadline=None)
def test_what_is_counted_in_parts_is_counted_once(calendar: Calendar, at: list[datetime]) -> None:
    a, b, c = at
    assert calendar.counted(a, b) + calendar.counted(b, c) == calendar.counted(a, c) <= c - a
    spans = [span for span, _ in zip(calendar.spans(a), range(200), strict=False)]
    assert all(begin < end for begin, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


@given(records(), calendars(), calendars())
@settings(max_examples=150, deadline=None)
def test_reckoned_from_the_record_or_carried_on_is_the_same(
    record: list[Moment], red: Calendar, blue: Calendar
) -> None:
    of: Calendars = {1: red, 2: blue}
    clocks: Clocks | None = None
    for n, moment in enumerate(record):
        clocks = reckon(record[: n + 1], of) if moment.puts_back else advance(clocks, moment, of)
        if clocks:  # as the server does between two entries
            clocks = from_json(to_json(clocks, of), clocks.pace, USERS)
        assert clocks == reckon(record[: n + 1], of)


@given(records(), calendars(), calendars(), amounts)
@settings(max_examples=150, deadline=None)
def test_no_clock_is_negative_or_endless(record: list[Moment], red: Calendar, blue: Calendar, later: timedelta) -> None:
    of: Calendars = {1: red, 2: blue}
    clocks = reckon(record, of)
    assert clocks is not None
    for seat in clocks.running:
        deadline = clocks.deadline(seat, of)
        assert deadline is not None
        assert clocks.at <= deadline <= clocks.at + LONGEST
        assert clocks.until(deadline, of).hands[seat].left == ZERO
        assert clocks.until(deadline + later, of).hands[seat].left == ZERO
        assert clocks.until(clocks.at + later, of).deadline(seat, of) == max(deadline, clocks.at + later) or (
            clocks.at + later < deadline)  # fmt: skip
    for hand in clocks.hands.values():
        assert hand.turn >= ZERO
        assert ZERO <= hand.bank <= timedelta(days=60)
    for seat in set(clocks.hands) - set(clocks.running):
        assert clocks.deadline(seat, of) is None
        assert clocks.until(clocks.at + later, of).hands[seat] == clocks.hands[seat]


@given(records(), calendars(), st.integers(0, 30))
@settings(max_examples=100, deadline=None)
def test_looking_at_a_clock_charges_nothing(record: list[Moment], calendar: Calendar, n: int) -> None:
    """An entry that asks the same seats and changes nothing may stand anywhere."""
    of: Calendars = {1: calendar, 2: calendar}
    at = min(n, len(record) - 1)
    if any(m.kind == "take_back" for m in record) or at < 1:
        return
    between = replace(record[at], kind="draw_offer", answer=None, asks=None, seat=None)
    if at + 1 < len(record):
        between = replace(between, at=record[at].at + (record[at + 1].at - record[at].at) / 2)
    with_it = reckon([*record[: at + 1], between, *record[at + 1 :]], of)
    without = reckon(record, of)
    assert with_it
    assert without
    assert replace(with_it, seq=0) == replace(without, seq=0)


@given(paces, calendars(), instants, st.lists(st.tuples(
    st.sampled_from(["answer", "take_back", "withdraw", "away"]), st.timedeltas(ZERO, timedelta(days=3))), max_size=12))
@settings(max_examples=100, deadline=None)
def test_nobody_gains_time_alone(
    pace: Live | Days, calendar: Calendar, at: datetime, deeds: list[tuple[str, timedelta]]
) -> None:
    """Answering, taking back and withdrawing, as long as the other side does nothing: all time spent is charged, once.
    `away` is an answer after which only the other side is asked, which is withdrawn next."""
    of: Calendars = {1: calendar}
    begin = {"pace": pace.model_dump(), "seats": USERS, "owes": []}
    record = [Moment(1, at, None, "pace", ("red", "blue"), begin)]
    asked, since = True, at
    spent = ZERO
    for seq, (deed, after) in enumerate(deeds, 2):
        at += after
        if asked:
            spent += calendar.counted(since, at) if pace.kind == "days" else at - since
        kind = "withdraw" if not asked else "answer" if deed == "away" else deed
        said = {"to": seq - 1, "consent": False} if kind == "take_back" else None
        asked = not asked or deed != "away"
        record.append(Moment(seq, at, "red", kind, ("red", "blue") if asked else ("blue",), said))
        since = at
    clocks, full = reckon(record, of), reckon(record[:1], of)
    assert clocks
    assert full
    assert clocks.hands["red"].left == max(ZERO, full.hands["red"].left - spent)


@given(paces)
@settings(max_examples=30, deadline=None)
def test_a_pace_survives_being_stored(pace: Live | Days) -> None:
    assert pace_of(pace.model_dump(mode="json")) == pace
