"""Clocks of games: they follow every change of a game that has a pace, and players act on them. Each act works on a
game the caller has locked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from app import timing
from app.clocks import repository
from app.clocks.clock import Calendars, Clocks, Moment, advance, first_deadline, from_json, reckon, to_json
from app.errors import NotAllowed, Refused
from app.games import channel, consent, play
from app.games import repository as games
from app.games.change import Change
from app.games.channel import note
from app.games.pace import in_words, pace_of
from app.games.reactions import Reaction
from app.games.repository import Conn, GameRow
from app.games.told import to_all
from app.notifications.reminders import LEFT, schedule
from rules.core.record import PLAYED, Entry

Wish = Literal["pause", "pace"]
LONGEST_GRANT = 30 * 24  # hours at once


# -- following the game ------------------------------------------------------------------------------


class MoveClocks(Reaction):
    """Starts the clocks when all seats are taken, notes who owes a part of the dice, and reckons on."""

    name, moves, statement = "clocks", True, repository.SAVE_ALL

    def concerns(self, change: Change) -> bool:
        return change.row.pace is not None

    def beside(self, change: Change) -> dict[str, Any] | None:
        """A live game's clock after answers, which need neither calendars nor the record before them."""
        row = change.row
        if row.pace is None or row.pace["kind"] != "live" or row.status != "active" or row.wants_substitute:
            return None
        if row.clock is None or row.clock["seq"] != change.before or row.clock["owes"] != owing(row):
            return None
        if not change.entries or any(entry.kind not in PLAYED for entry in change.entries):
            return None
        clocks = from_json(row.clock, pace_of(row.pace), {seat: who["user"] for seat, who in row.seats.items()})
        for entry in change.entries:
            asks = tuple(row.waiting_for) if entry is change.entries[-1] else None
            after = advance(clocks, Moment(entry.seq, entry.at, entry.seat, entry.kind, asks), {})
            assert after is not None, "an answer ends no clock"
            clocks = after
        clock = to_json(clocks, {})
        return {"game": row.id, "clock": clock, "deadline": first_deadline(clock)}

    def stands(self, change: Change, body: Any) -> None:
        change.row.clock, change.row.deadline = body["clock"], body["deadline"]
        change.card_changed = True

    async def react(self, change: Change) -> None:
        row = change.row
        if row.pace is None or row.status == "open":
            return
        if row.status == "active":
            owes = owing(row)
            if row.clock is None and all(entry.kind != "pace" for entry in change.entries):
                await _enter(change, "pace", None, "clocks_started", {}, _settings(row, row.pace))
            elif row.clock and row.clock["owes"] != owes:
                await _enter(change, "dice", None, None, {}, {"owes": owes})
        if row.clock is None or row.clock["seq"] < row.seq:
            await _reckon_on(change)


def owing(row: GameRow) -> list[str]:
    """The seats whose part of the dice key is missing: the hash, and when all have given theirs, the nonce."""
    hashes, nonces = row.dice["hashes"], row.dice["nonces"]
    return sorted(row.seats.keys() - (hashes if len(hashes) < len(row.seats) else nonces).keys())


def _settings(row: GameRow, pace: dict[str, Any] | None) -> dict[str, Any]:
    """What an entry of kind `pace` says."""
    together = pace is not None and pace_of(pace).each == "side"
    shared = {seat: who["side"] for seat, who in row.seats.items() if together and row.seating.partners(seat)}
    return {"pace": pace, "seats": {seat: who["user"] for seat, who in row.seats.items()}, "owes": owing(row),
            **({"shared": shared} if shared else {})}  # fmt: skip


async def _reckon_on(change: Change) -> None:
    row, conn = change.row, change.conn
    clocks: Clocks | None = None
    if row.clock is not None:
        new = await repository.moments(conn, row.id, row.clock["seq"])
        if not any(m.puts_back or m.kind in ("pace", "fresh", "stand_down") for m in new):
            users = {seat: who["user"] for seat, who in row.seats.items()}
            clocks = from_json(row.clock, pace_of(row.pace), users)
            calendars = await _calendars(conn, row, users.values())
            for moment in new:
                clocks = clocks and advance(clocks, moment, calendars)
    if clocks is None:
        clocks, calendars = await _from_record(conn, row)
    assert clocks is not None, "a game with a pace has an entry that says so"
    await _save(change, clocks, calendars)
    change.card_changed = True


async def _from_record(conn: Conn, row: GameRow) -> tuple[Clocks | None, Calendars]:
    moments = await repository.moments(conn, row.id)
    calendars = await _calendars(conn, row, _players(moments))
    return reckon(moments, calendars), calendars


def _players(moments: Sequence[Moment]) -> Iterable[int | None]:
    """All who have sat at a game since it has clocks."""
    for moment in moments:
        if (moment.answer and moment.kind == "pace") or (moment.answer and moment.kind == "stand_down"):
            yield from moment.answer["seats"].values()
        elif moment.answer and moment.kind == "fresh":
            yield moment.answer["user"]


async def _calendars(conn: Conn, row: GameRow, users: Iterable[int | None]) -> Calendars:
    """Nobody's in a live game, where every hour counts."""
    people = {user for user in users if user is not None}
    return await repository.calendars(conn, people) if people and row.pace and row.pace["kind"] == "days" else {}


async def _save(change: Change, clocks: Clocks, calendars: Calendars) -> None:
    row, old = change.row, {seat: _deadline(change.row.clock, seat) for seat in change.row.seats}
    row.clock = to_json(clocks, calendars)
    row.deadline = first_deadline(row.clock)
    if row.wants_substitute and not late(row, row.wants_substitute):
        row.wants_substitute = None
    await repository.save(change.conn, row.id, row.clock, row.deadline, row.wants_substitute)
    await _remind(change.conn, row, [seat for seat in row.seats if _deadline(row.clock, seat) != old[seat]])


async def _remind(conn: Conn, row: GameRow, seats: Iterable[str]) -> None:
    """Has people reminded of new deadlines; a live game is over before a letter arrives."""
    if row.pace is None or row.pace["kind"] != "days" or row.status != "active":
        return
    for seat in seats:
        if row.seats[seat]["user"] is not None:
            coming = [one for one in reminders(row.clock, seat) if one.at > timing.now()]
            if coming:
                await schedule(conn, row.id, seat, coming[0].deadline, [one.at for one in coming])


async def refresh(conn: Conn, game_id: str) -> None:
    """Reckons the deadlines of a game anew, after a calendar has changed."""
    row = await games.lock(conn, game_id)
    if row is None or row.pace is None or row.clock is None or row.status != "active":
        return
    users = {seat: who["user"] for seat, who in row.seats.items()}
    calendars = await _calendars(conn, row, users.values())
    await _save(Change(conn, row), from_json(row.clock, pace_of(row.pace), users), calendars)
    await channel.notify(conn, note(game_id, "c", 0))


# -- what anybody may ask of a stored clock ----------------------------------------------------------


def deadline_of(row: GameRow, seat: str) -> datetime | None:
    """Until when a seat has time; None while its clock stands, or without one."""
    return _deadline(row.clock, seat)


def _deadline(clock: Mapping[str, Any] | None, seat: str) -> datetime | None:
    found = clock["seats"][seat]["deadline"] if clock else None
    return datetime.fromisoformat(found) if found else None


def late(row: GameRow, seat: str) -> bool:
    deadline = deadline_of(row, seat)
    return deadline is not None and timing.now() >= deadline


@dataclass(frozen=True, slots=True)
class Reminder:
    """`kind`: `half` of the time, or the time left. It stays the same as long as the deadline does."""

    kind: str
    at: datetime
    deadline: datetime


def reminders(clock: Mapping[str, Any] | None, seat: str, left: Iterable[timedelta] = tuple(LEFT.values()),
              half: bool = True) -> list[Reminder]:  # fmt: skip
    """When to remind a seat of its deadline, in order: at half of its time and when so much is `left`. `clock` is what
    `games.clock` holds. Empty while the seat's clock stands."""
    deadline = _deadline(clock, seat)
    if clock is None or deadline is None:
        return []
    since = datetime.fromisoformat(clock["seats"][seat]["since"])
    wanted = [Reminder("half", since + (deadline - since) / 2, deadline)] if half else []
    wanted += [Reminder(f"left:{int(time.total_seconds())}", deadline - time, deadline) for time in left]
    return sorted((one for one in wanted if one.at > since), key=lambda one: one.at)


# -- acts of players ---------------------------------------------------------------------------------


async def _enter(change: Change, kind: str, seat: str | None, event: str | None, data: Mapping[str, Any], said: Any,
                 by: int | None = None, result: dict[str, Any] | None = None, side: str | None = None) -> None:
    row = change.row
    if change.store:
        await change.loaded()  # stays in memory with the number of the new entry
    told = to_all(row.seating, event, side or seat, data) if event else {}
    entry = Entry(row.seq + 1, kind, seat, answer=said, told=told, rules_version=row.rules_version)
    await change.write(seat, [entry], by=by, result=result)


def _has_clock(row: GameRow) -> None:
    play.going_on(row)
    if row.pace is None or row.clock is None:
        raise Refused("clocks.no_clock")


async def _late_foe(change: Change, seat: str) -> str:
    """A seat of the other side whose time is up, by the record. Raises Refused when there is none, or when the time of
    the own side is up too."""
    _has_clock(change.row)
    clocks, calendars = await _from_record(change.conn, change.row)
    assert clocks is not None, "it has a clock"
    seating = change.row.seating
    up = [one for one in change.row.seats if _up(clocks, calendars, one)]
    if any(seating.side(one) == seating.side(seat) for one in up):
        raise Refused("clocks.late_yourself")
    if not up:
        raise Refused("clocks.not_late")
    return up[0]


def _up(clocks: Clocks, calendars: Calendars, seat: str) -> bool:
    deadline = clocks.deadline(seat, calendars)
    return deadline is not None and timing.now() >= deadline


async def claim(change: Change, seat: str, by: int | None) -> None:
    """The other side has lost on time. Raises Refused; NotAllowed where only a director says so."""
    late_seat = await _late_foe(change, seat)
    if pace_of(change.row.pace).policy != "claim":
        raise NotAllowed("clocks.director_decides")
    await lose_on_time(change, late_seat, by, seat)


async def lose_on_time(change: Change, late_seat: str, by: int | None, claimed_by: str | None = None) -> None:
    """Ends the game as a rated loss of a seat and its side; also for a director, who has looked at the clock."""
    winner = play.foe_of(change.row, late_seat)
    result = {"winner": winner, "key": "result.time_out", "args": {"seat": late_seat}, "clause": "",
              "time_out": late_seat, "rated": True}  # fmt: skip
    await _enter(change, "time_out", claimed_by, "timed_out", {"seat": late_seat}, {"seat": late_seat}, by, result,
                 side=winner)  # fmt: skip


async def grant(change: Change, seat: str, hours: int, by: int | None) -> None:
    """Gives the other side time, on each of its clocks. Raises Refused, also when its banks hold the most already."""
    _has_clock(change.row)
    if not 1 <= hours <= LONGEST_GRANT:
        raise Refused("clocks.too_much", n=LONGEST_GRANT // 24)
    clocks, _ = await _from_record(change.conn, change.row)
    assert clocks is not None, "it has a clock"
    foes = [one for one in change.row.seating.opponents(seat)
            if clocks.hands[one].bank < clocks.pace.most and one == clocks.mates(one)[0]]  # fmt: skip
    if not foes:
        raise Refused("clocks.bank_full")
    event, n = ("days_granted", hours // 24) if hours % 24 == 0 else ("hours_granted", hours)
    for other in foes:
        await _enter(change, "grant", seat, event, {"seat": other, "n": n}, {"seat": other, "hours": hours}, by)


async def ask_substitute(change: Change, seat: str) -> None:
    """Another player is looked for in the place of one whose time is up, until that one answers. Raises Refused."""
    await change.update(wants_substitute=await _late_foe(change, seat))


async def resume(change: Change, seat: str, by: int | None) -> None:
    """Ends a pause; either may. Raises Refused."""
    _has_clock(change.row)
    if change.row.clock is None or not change.row.clock["paused"]:
        raise Refused("clocks.not_paused")
    await _enter(change, "resume", seat, "clocks_resumed", {"seat": seat}, None, by)


async def propose(change: Change, seat: str, wish: Wish, pace: dict[str, Any] | None, by: int | None) -> bool:
    """Proposes a pause or another pace, or agrees to the same proposal of another; at once when there is nobody to ask.
    Whether it was done. Raises Refused."""
    row = change.row
    play.going_on(row)
    if wish == "pause":
        _has_clock(row)
        if row.clock and row.clock["paused"]:
            raise Refused("clocks.paused_already")
    elif pace == row.pace:
        raise Refused("clocks.same_pace")
    offer = row.clock_offer
    same = offer is not None and (offer["what"], offer["pace"]) == (wish, pace)
    if offer and same and seat in offer["asks"]:
        return await _one_agrees(change, seat, by)
    asks = consent.for_all(row, seat)
    if not asks:
        await _agree(change, seat, wish, pace, by)
        return True
    if offer is not None:
        raise Refused("clocks.offer_open")
    await change.update(clock_offer={"seat": seat, "asks": asks, "what": wish, "pace": pace, "words": in_words(pace)})
    return False


async def _one_agrees(change: Change, seat: str, by: int | None) -> bool:
    """Whether it was the last that had to."""
    offer = change.row.clock_offer
    assert offer is not None, "somebody is asked"
    if left := consent.still_asked(change.row, offer["asks"], seat):
        await change.update(clock_offer={**offer, "asks": left})
        return False
    await _agree(change, seat, offer["what"], offer["pace"], by)
    return True


async def reply(change: Change, seat: str, yes: bool, by: int | None) -> None:
    """The word on a proposal: yes or no of one who is asked; a no to one's own takes it back. Raises Refused."""
    play.going_on(change.row)
    offer = change.row.clock_offer
    if offer is None or (seat not in offer["asks"] and (yes or seat != offer["seat"])):
        raise Refused("clocks.no_offer")
    if yes:
        await _one_agrees(change, seat, by)
    else:
        await change.update(clock_offer=None)


async def _agree(change: Change, seat: str, wish: Wish, pace: dict[str, Any] | None, by: int | None) -> None:
    row = change.row
    if wish == "pause":
        await change.update(clock_offer=None)
        await _enter(change, "pause", seat, "clocks_paused", {"seat": seat}, None, by)
        return
    without = {"clock": None, "deadline": None, "wants_substitute": None} if pace is None else {}
    await change.update(clock_offer=None, pace=pace, **without)
    await _enter(change, "pace", seat, "pace_changed", {"pace": in_words(pace)}, _settings(row, pace), by)


async def fresh_clock(change: Change, seat: str) -> None:
    """A full clock for the player who has just taken over a seat (`change.row.seats` names the new one)."""
    if change.row.clock is not None:
        await _enter(change, "fresh", None, "fresh_clock", {"seat": seat},
                     {"seat": seat, "user": change.row.seats[seat]["user"]}, side=seat)  # fmt: skip
    if change.row.wants_substitute == seat:
        await change.update(wants_substitute=None)
