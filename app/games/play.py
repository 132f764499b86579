"""Playing: answers, drafts, resigning, draws, dice, chat. Each works on a game the caller has locked."""

from typing import Any

from app.archive import repository as storage
from app.archive.config import storage_settings
from app.errors import Conflict, NotAllowed, Refused, TooMany
from app.games import consent, desk, dice, messages, record, repository
from app.games.change import Change
from app.games.checkpoints import points
from app.games.repository import GameRow
from app.games.told import LoadedGame, ToldEntry, to_all
from rules.core.errors import DiceNotSealed, Malformed, Refusal
from rules.core.events import Told
from rules.core.record import Entry
from rules.core.request import Request

CHATTY = 8  # messages within CHAT_SECONDS
CHAT_SECONDS = 15


class Stale(Conflict):
    """The answer is to a request that is no more; the caller sends the fresh view."""

    def __init__(self) -> None:
        super().__init__("games.stale")


def refused(refusal: Refusal, title_id: str) -> Refused:
    """A refusal of the rules of a title as one of the server."""
    return Refused(refusal.key, clause=refusal.clause or None, of=title_id, at=refusal.at, **refusal.args_)


def going_on(row: GameRow) -> None:
    """Raises Refused for a game that has not begun or is over."""
    if row.status == "open":
        raise Refused("games.not_begun")
    if row.status == "finished":
        raise Refused("games.finished")


def room_left(row: GameRow) -> None:
    """Raises Refused for a record that has grown as long as it may."""
    most = storage_settings().most_entries
    if row.seq >= most:
        raise Refused("games.record_full", n=most)


async def answer(change: Change, seat: str, seq: int, key: str | None, said: Any, by: int | None,
                 preface: Told | None = None) -> int:
    """Gives one answer of a seat; the number of its entry. `change` was locked with the same `key`: an answer that came
    before is not given again. `preface` is told before what the answer tells. Raises Stale,
    Refused."""
    row = change.row
    if row.repeated is not None:
        return row.repeated
    going_on(row)
    room_left(row)
    loaded = await change.loaded()
    referee = loaded.referee
    if not loaded.opened <= seq <= row.seq:
        raise Stale
    pending = referee.pending
    try:
        made = referee.answer(seat, said)
    except DiceNotSealed as refusal:
        raise refused(refusal, row.title) from refusal
    except Refusal as refusal:
        if referee.seq != row.seq:
            raise RuntimeError("the rules refused an answer they had accepted") from refusal
        raise refused(refusal, row.title) from refusal
    if preface:
        made[0].told = {eye: [*steps, *made[0].told.get(eye, [])] for eye, steps in preface.items()}
    kept = points(referee, loaded.base) if referee.newest.seq != loaded.saved else []
    loaded.saved = referee.newest.seq
    await change.write(seat, made, by=by, key=key, points=kept, result=referee.pos.result)
    if referee.pending is not pending:
        loaded.opened = row.seq
    return made[0].seq


async def withdraw(change: Change, seat: str, by: int | None) -> None:
    """Takes a seat's answer back while the other is still to come. Raises Refused."""
    going_on(change.row)
    loaded = await change.loaded()
    own = [e for e in loaded.tail if e.seat == seat and e.kind == "answer"]
    if seat not in loaded.referee.answered or len(loaded.referee.pending) < 2 or own[-1].forced:
        raise Refused("games.nothing_to_withdraw")
    gone = own[-1].seq
    loaded.referee.withdraw(seat)
    loaded.tail = [e for e in loaded.tail if e.seq != gone]
    await record.retract(change.conn, change.row.id, gone, gone)
    event = to_all(change.row.seating, "withdrawn", seat, {"seat": seat, "to": gone})
    await change.write(seat, [_entry(change, "withdraw", seat, event, {"to": gone})], by=by)
    marked = await record.told_since(change.conn, change.row.id, gone - 1, 1)
    change.entries[:0] = [ToldEntry.stored(entry) for entry in marked]


def request_of(loaded: LoadedGame, seat: str) -> Request:
    """What a seat is asked now. Raises Refused."""
    if seat not in loaded.referee.asked:
        raise Refused("refusal.not_asked")
    return loaded.referee.pending[seat]


def preview(loaded: LoadedGame, seat: str, said: Any) -> dict[str, Any]:
    """What an answer would do, by the code that checks answers."""
    return request_of(loaded, seat).preview(said)


def reach(loaded: LoadedGame, seat: str, form: str, question: dict[str, Any]) -> dict[str, Any]:
    """Where a stack can go (docs/protocol.md section 4). Raises Refused."""
    try:
        found = request_of(loaded, seat).form(form).reached(question)
        if found is None:
            raise Malformed("no_reach", given=form)
    except Refusal as refusal:
        raise refused(refusal, loaded.referee.title.id) from refusal
    return found


def forecast(loaded: LoadedGame, side: str) -> dict[str, Any]:
    """What the next check of the title's rules may cost the stacks of a side, by place (docs/protocol.md section 4)."""
    referee = loaded.referee
    how = referee.title.forecast
    return dict(how(referee.pos, side)) if how is not None and referee.pos.result is None else {}


def covers(loaded: LoadedGame, side: str, space: str) -> list[dict[str, Any]]:
    """What the counters of a space cover, as parts of a layer (docs/protocol.md section 2)."""
    referee = loaded.referee
    how = referee.title.covers
    return how(referee.pos, side, space) if how is not None else []


# -- ending by agreement -----------------------------------------------------------------------------


def _entry(change: Change, kind: str, seat: str, event: Told, said: Any = None) -> Entry:
    return Entry(change.row.seq + 1, kind, seat, answer=said, told=event, rules_version=change.row.rules_version)


async def resign(change: Change, seat: str, by: int | None) -> None:
    """Gives up: a partner plays on in one's seats; where there is none the game ends for the other side."""
    row = change.row
    going_on(row)
    heir = consent.heir(row, seat)
    if heir is not None:
        await _stand_down(change, seat, heir, by)
        return
    event = to_all(row.seating, "resigned", seat, {"seat": seat})
    result = {"winner": foe_of(row, seat), "key": "result.resigned", "args": {"seat": seat}, "clause": ""}
    await change.write(seat, [_entry(change, "resign", seat, event)], by=by, result=result)


def foe_of(row: GameRow, seat: str) -> str:
    """The side that wins when that of a seat has lost."""
    return next(side for side in row.seating.sides if side != row.seating.side(seat))


async def _stand_down(change: Change, seat: str, heir: str, by: int | None) -> None:
    """All seats of a person on a side are played on by a partner, with what is left on their clocks; drafts and
    standing orders go, notes stay with the seat."""
    row = change.row
    who, partner = row.seats[seat]["user"], row.seats[heir]
    left = [own for own, at in row.seats.items() if at["user"] == who]
    event = to_all(row.seating, "stood_down", seat, {"seat": seat, "partner": heir})
    for own in left:
        await repository.set_seat(change.conn, row.id, own, partner["user"])
        await desk.drop_draft(change.conn, row.id, own)
        await desk.drop_orders(change.conn, row.id, own)
        row.seats[own] = {**partner, "side": row.seats[own]["side"]}
    if row.undo_request or row.draw_offer or row.clock_offer:  # what was asked was asked of who is no more there
        await change.update(undo_request=None, draw_offer=None, clock_offer=None)
    said = {"seats": dict.fromkeys(left, partner["user"])}
    await change.write(seat, [_entry(change, "stand_down", seat, event, said)], by=by)
    await change.notify("c")


async def draw(change: Change, seat: str, word: str, by: int | None) -> None:
    """`offer`, `accept` or `decline` of a draw, which everybody has to accept. A bot of the other side declines at
    once. Raises Refused."""
    row = change.row
    going_on(row)
    theirs = row.draw_offer is not None and seat in row.draw_asks
    if word == "offer" and not theirs:
        await _offer_draw(change, seat, by)
    elif not theirs:
        raise Refused("games.no_draw_offered")
    elif word == "decline":
        await _draw_entry(change, "draw_decline", "draw_declined", seat, by)
        await change.update(draw_offer=None)
    elif left := consent.still_asked(row, row.draw_asks, seat):
        await _draw_entry(change, "draw_accept", "draw_accepted", seat, by)
        await change.update(draw_asks=left)
    else:
        result: dict[str, Any] = {"winner": None, "key": "result.draw_agreed", "args": {}, "clause": ""}
        await _draw_entry(change, "draw_accept", "draw_agreed", seat, by, result)


async def _offer_draw(change: Change, seat: str, by: int | None) -> None:
    row = change.row
    if row.draw_offer is not None:
        raise Refused("games.draw_offered")
    await _draw_entry(change, "draw_offer", "draw_offered", seat, by)
    bot = next((other for other in row.seating.opponents(seat) if row.seats[other]["bot"]), None)
    if bot is not None:
        await _draw_entry(change, "draw_decline", "draw_declined", bot, None)
    else:
        await change.update(draw_offer=seat, draw_asks=consent.for_all(row, seat))


async def _draw_entry(change: Change, kind: str, event: str, seat: str, by: int | None,
                      result: dict[str, Any] | None = None) -> None:
    step = to_all(change.row.seating, event, seat, {"seat": seat})
    await change.write(seat, [_entry(change, kind, seat, step)], by=by, result=result)


# -- dice, chat --------------------------------------------------------------------------------------


async def seal_dice(change: Change, seat: str, digest: str | None, nonce: str | None) -> None:
    """A seat's part of the dice key: the hash of its nonce, or the nonce. Raises Refused."""
    row = change.row
    seats = list(row.seats)
    new = row.dice if digest is None else dice.with_hash(row.dice, seats, seat, digest)
    new = new if nonce is None else dice.with_nonce(new, seats, seat, nonce)
    if new != row.dice:
        await change.update(dice=new)
    if row.status == "active" and not row.waiting_for and dice.complete(new, seats):
        await _begin(change)


async def _begin(change: Change) -> None:
    """Runs a game on that rolls before it asks anybody, now that it can."""
    row, loaded = change.row, await change.loaded()
    referee = loaded.referee
    referee.chance.key = dice.key(row.dice, list(row.seats), row.dice_seed)
    referee.begin()
    kept = points(referee, loaded.base)
    await change.write(None, referee.drain(), points=kept, result=referee.pos.result)
    loaded.saved, loaded.opened = referee.newest.seq, row.seq


async def chat(change: Change, user: int, text: str, side: str | None = None) -> dict[str, Any]:
    """A message from a player to all others, or to those of his side. Raises NotAllowed, TooMany; Refused where nobody
    is with him on the side."""
    if all(who["user"] != user for who in change.row.seats.values()):
        raise NotAllowed("games.players_only")
    hearing = {who["user"] for who in change.row.seats.values() if who["side"] == side} - {user, None}
    if side is not None and not hearing:
        raise Refused("games.no_partners")
    if await messages.recent_messages(change.conn, change.row.id, user, CHAT_SECONDS) >= CHATTY:
        raise TooMany(1)
    if await storage.chat_bytes(change.conn, change.row.id) + len(text.encode()) > storage_settings().chat_bytes:
        raise Refused("games.chat_full")
    number = await messages.add_message(change.conn, change.row.id, user, text, side)
    await change.notify("m", number)
    written = await messages.message(change.conn, number)
    assert written is not None, "just written"
    return written
