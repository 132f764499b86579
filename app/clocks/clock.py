"""Clocks: the time left to each seat of a game, or to each side when its partners share a clock.

**A clock is a pure function** of the record (each entry's `at`, seat, kind, and which seats were asked after it), of
the game's settings, which are entries of the record too, and of the players' calendars. `reckon` is that function;
`advance` is its step, so that a stored clock can go on from where it stood, and both come to the same.

- Time runs for a seat while it is asked, and only the hours that its player's calendar counts (`live` games count all).
  Before the dice are sealed it runs for those who still owe their part instead: the others may not be able to answer.
- When the move passes to a seat, its **turn** allowance is full again and its **bank** grows by the increment, up to a
  most. Time spent comes out of the turn first, then out of the bank, and neither goes below nothing.
- The deadline of a seat is the instant by which both are used up. Passing it changes nothing by itself: an answer
  counts until a claim is in the record.
- A take-back along one's own run gives no time back: the seat was asked all the while. One that the opponent agreed to
  puts the clocks back to where they stood when the first entry that is gone was asked for; nobody is charged for what
  came after it, the waiting for consent included. What was granted or agreed meanwhile stands.
- A withdrawn answer (both were asked at once) brings its seat back with what it had left, and nothing more.
- While a game is paused no time runs; what ends the pause renews nothing.

Kinds of entries that only clocks read: `pace` starts the clocks or changes the pace, with everything full
({"pace", "seats": {SEAT: USER}, "owes": [SEAT]}; pace null ends all time-keeping); `dice` says who owes a part of the
dice ({"owes"}); `pause`, `resume`; `grant` adds to a bank ({"seat", "hours"}); `fresh` gives a seat to another player
with a full clock ({"seat", "user"}); `stand_down` gives seats to a partner, with what is left
({"seats": {SEAT: USER}}); `time_out` ends the game.

A shared clock (`shared`, SEAT: SIDE) is kept with each of its seats and changes with all of them. It is charged once
however many of them are asked, by the calendar of the first of these.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from app.clocks.calendar import PLAIN, ZERO, Calendar
from app.games.pace import Days, Live, pace_of

KINDS = ("pace", "dice", "pause", "resume", "grant", "fresh", "stand_down", "time_out")
GIVES_BACK = ("withdraw", "take_back", "patch")  # who is asked again after these has not been handed the move
Calendars = Mapping[int | None, Calendar]  # by user


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry as clocks read it. `asks`: the seats asked after it, None within one write; `answer`: only that of a
    kind that clocks read."""

    seq: int
    at: datetime
    seat: str | None
    kind: str
    asks: tuple[str, ...] | None
    answer: Mapping[str, Any] | None = None

    @property
    def puts_back(self) -> bool:
        """Whether the clocks go back with the position."""
        return self.kind in ("take_back", "patch") and bool(self.answer and self.answer.get("consent"))


@dataclass(frozen=True, slots=True)
class Hand:
    """The clock of one seat: what is left, whose calendar counts, and since when it has been this seat's time."""

    turn: timedelta
    bank: timedelta
    user: int | None
    since: datetime | None = None

    @property
    def left(self) -> timedelta:
        return self.turn + self.bank

    def less(self, spent: timedelta) -> "Hand":
        from_turn = min(spent, self.turn)
        return replace(self, turn=self.turn - from_turn, bank=max(ZERO, self.bank - (spent - from_turn)))


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of a game as they stood at an instant, after entry `seq`."""

    pace: Live | Days
    seq: int
    at: datetime
    hands: Mapping[str, Hand]
    asked: tuple[str, ...]
    owes: tuple[str, ...] = ()
    paused: bool = False
    shared: Mapping[str, str] = field(default_factory=dict)

    @property
    def on(self) -> tuple[str, ...]:
        """Whose time it is."""
        return self.owes or self.asked

    @property
    def running(self) -> tuple[str, ...]:
        return () if self.paused else self.on

    def mates(self, seat: str) -> list[str]:
        """The seats of a clock, this one among them."""
        side = self.shared.get(seat)
        return [seat] if side is None else [other for other in self.hands if self.shared.get(other) == side]

    def calendar(self, seat: str, calendars: Calendars) -> Calendar:
        """By which the time of a seat's clock counts: that of the first of its seats whose time it is."""
        payer = next((mate for mate in self.mates(seat) if mate in self.running), seat)
        return PLAIN if self.pace.kind == "live" else calendars.get(self.hands[payer].user, PLAIN)

    def deadline(self, seat: str, calendars: Calendars) -> datetime | None:
        """The instant by which a seat has no time left; None while its clock stands."""
        if seat not in self.running:
            return None
        return self.calendar(seat, calendars).after(self.at, self.hands[seat].left)

    def until(self, at: datetime, calendars: Calendars) -> "Clocks":
        """The same clocks later. Time never goes back, whatever the clocks of two servers say."""
        at = max(at, self.at)
        charged = {mate for seat in self.running for mate in self.mates(seat)}
        hands = {seat: hand.less(self.calendar(seat, calendars).counted(self.at, at)) if seat in charged else hand
                 for seat, hand in self.hands.items()}  # fmt: skip
        return replace(self, at=at, hands=hands)


def reckon(moments: Sequence[Moment], calendars: Calendars) -> Clocks | None:
    """The clocks after a whole record; None without a pace."""
    stood: list[Clocks | None] = [None]  # before each entry
    for n, moment in enumerate(moments):
        if moment.puts_back:
            assert moment.answer is not None
            first = bisect_left(moments, moment.answer["to"], hi=n, key=lambda m: m.seq)
            stood.append(_put_back(stood[first], moments[first:n], moment))
        else:
            stood.append(advance(stood[n], moment, calendars))
    return stood[-1]


def advance(clocks: Clocks | None, moment: Moment, calendars: Calendars) -> Clocks | None:
    """The clocks after one entry more. A take-back that puts clocks back needs the whole record: `reckon`."""
    return _entered(clocks.until(moment.at, calendars) if clocks else None, moment)


def _entered(clocks: Clocks | None, moment: Moment) -> Clocks | None:
    """What an entry changes, the time up to it being charged."""
    said = moment.answer or {}
    if moment.kind == "pace":
        return _begin(moment, said, clocks)
    if clocks is None:
        return None
    after = replace(clocks, seq=moment.seq, asked=clocks.asked if moment.asks is None else moment.asks)
    match moment.kind:
        case "dice":
            after = replace(after, owes=tuple(said["owes"]))
        case "pause" | "resume":
            after = replace(after, paused=moment.kind == "pause")
        case "grant":
            hand = after.hands[said["seat"]]
            bank = min(hand.bank + timedelta(hours=said["hours"]), max(hand.bank, after.pace.most))
            after = _with(after, said["seat"], replace(hand, bank=bank))
        case "fresh":
            after = _with(after, said["seat"], _full(after.pace, said["user"]))
        case "stand_down":
            given = {seat: replace(after.hands[seat], user=user) for seat, user in said["seats"].items()}
            after = replace(after, hands={**after.hands, **given})
    return _handed_over(clocks, after, renews=moment.kind not in GIVES_BACK)


def _begin(moment: Moment, said: Mapping[str, Any], before: Clocks | None) -> Clocks | None:
    if said["pace"] is None:
        return None
    pace = pace_of(said["pace"])
    hands = {seat: _full(pace, user) for seat, user in said["seats"].items()}
    at = max(moment.at, before.at) if before else moment.at
    idle = Clocks(pace, moment.seq, at, hands, (), shared=said.get("shared", {}))
    return _handed_over(idle, replace(idle, asked=moment.asks or (), owes=tuple(said["owes"])))


def _handed_over(before: Clocks, after: Clocks, renews: bool = True) -> Clocks:
    """Renews the turn of those whose time it has become, and stops the others."""
    renewed: set[str] = set()
    for seat in after.hands:
        hand = after.hands[seat]
        if seat not in after.on:
            after = _with(after, seat, replace(hand, since=None))
        elif seat not in before.on or hand.since is None:
            if renews and seat not in renewed and not set(before.on) & set(after.mates(seat)):
                renewed |= {*after.mates(seat)}
                bank = min(hand.bank + after.pace.more, max(hand.bank, after.pace.most))
                hand = replace(hand, turn=after.pace.turn, bank=bank)
            after = _with(after, seat, replace(hand, since=after.at))
    return after


def _put_back(clocks: Clocks | None, gone: Sequence[Moment], moment: Moment) -> Clocks | None:
    """The clocks after a take-back that was agreed to: as they stood, with what was granted or agreed in what is gone,
    from now on."""
    for later in gone:
        if later.kind == "pace":
            clocks = _entered(clocks, later)
        elif clocks and later.kind in KINDS:
            clocks = _entered(replace(clocks, at=max(clocks.at, later.at)), replace(later, asks=None))
    if clocks is None:
        return None
    hands = {seat: replace(hand, since=None) for seat, hand in clocks.hands.items()}
    return _entered(replace(clocks, at=max(clocks.at, moment.at), hands=hands), moment)


def _full(pace: Live | Days, user: int | None) -> Hand:
    return Hand(pace.turn, pace.reserve, user)


def _with(clocks: Clocks, seat: str, hand: Hand) -> Clocks:
    """The clocks with another hand at a seat; who shares it has the same time left."""
    mates = {mate: replace(clocks.hands[mate], turn=hand.turn, bank=hand.bank) for mate in clocks.mates(seat)}
    return replace(clocks, hands={**clocks.hands, **mates, seat: hand})


# -- as stored ---------------------------------------------------------------------------------------

_TICK = timedelta(microseconds=1)


def to_json(clocks: Clocks, calendars: Calendars) -> dict[str, Any]:
    """What `games.clock` keeps and the card shows: times left in microseconds, and the deadlines. `reserve_from`: when
    the turn is used up and the bank begins to be."""
    seats = {}
    for seat, hand in clocks.hands.items():
        deadline = clocks.deadline(seat, calendars)
        turn_ends = clocks.calendar(seat, calendars).after(clocks.at, hand.turn) if deadline else None
        seats[seat] = {"turn": hand.turn // _TICK, "bank": hand.bank // _TICK, "since": _iso(hand.since),
                       "reserve_from": _iso(turn_ends), "deadline": _iso(deadline)}  # fmt: skip
    return {"seq": clocks.seq, "at": clocks.at.isoformat(), "asked": list(clocks.asked), "owes": list(clocks.owes),
            "paused": clocks.paused, "seats": seats, **({"shared": dict(clocks.shared)} if clocks.shared else {})}


def from_json(stored: Mapping[str, Any], pace: Live | Days, users: Mapping[str, int | None]) -> Clocks:
    """The clocks that `to_json` wrote; `users` holds the seats."""
    hands = {seat: Hand(hand["turn"] * _TICK, hand["bank"] * _TICK, users[seat], _instant(hand["since"]))
             for seat, hand in stored["seats"].items()}  # fmt: skip
    return Clocks(pace, stored["seq"], datetime.fromisoformat(stored["at"]), hands, tuple(stored["asked"]),
                  tuple(stored["owes"]), stored["paused"], stored.get("shared", {}))  # fmt: skip


def first_deadline(stored: Mapping[str, Any]) -> datetime | None:
    """The earliest deadline of a stored clock: `games.deadline`."""
    return min(_deadlines(stored), default=None)


def _deadlines(stored: Mapping[str, Any]) -> Iterable[datetime]:
    return (datetime.fromisoformat(hand["deadline"]) for hand in stored["seats"].values() if hand["deadline"])


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
