"""How an event runs: begun, paired round by round, closed. `advance` does whatever is due and is safe to repeat."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from app.leagues import boards, notices
from app.leagues.models import Entrant, Pairing, Round
from app.leagues.pairing import Pair, arena, berger, draw, knock_out, ladder, swiss
from app.leagues.ratings import service as ratings
from app.leagues.settings import ROUNDLESS
from app.leagues.sides import other_seat, seating_at
from app.leagues.whole import LEFT, Whole


def draw_name(entrant: Entrant) -> str:
    """Under which name an entrant is in the draw."""
    return entrant.user.name if entrant.user else f"{entrant.bot} {entrant.number}"


# -- beginning -------------------------------------------------------------------------------------------


async def start(whole: Whole) -> None:
    """Draws or seeds the field and opens the first round."""
    event, settings = whole.event, whole.settings
    for seed, entrant in enumerate(await _order(whole), 1):
        entrant.seed = seed
        entrant.rung = seed if event.format == "ladder" else None
    event.state, event.started_at = "running", whole.now
    if event.format in ROUNDLESS:
        event.ends_at = whole.now + timedelta(days=settings.days)
    await whole.reload()
    if event.format == "round_robin":
        order = [one.id for one in whole.playing]
        for number, pairs in enumerate(berger.rounds(order, settings.double), 1):
            _plan(whole, number, pairs)
        await whole.reload()
        for number in sorted({one.round for one in whole.pairings}) if settings.at_once else [1]:
            await open_round(whole, number, told=number == 1)
    elif event.format in ("swiss", "knock_out"):
        await _next_round(whole, 1)
    else:
        await notices.started(whole)
    whole.tell("started")


async def _order(whole: Whole) -> list[Entrant]:
    """The field in the order of its seeds."""
    field = sorted(whole.playing, key=lambda one: one.number)
    if whole.settings.seeding == "joined":
        return field
    by_name = {draw_name(one): one for one in field}
    drawn = [by_name[name] for name in draw.drawn(whole.event.seed, by_name)]
    if whole.settings.seeding == "drawn":
        return drawn
    users = [one.user_id for one in field if one.user_id is not None]
    skills = await ratings.skills(whole.session, whole.settings.boards[0].title, users)
    return sorted(drawn, key=lambda one: -(skills[one.user_id].shown if one.user_id in skills else 0))


# -- rounds ------------------------------------------------------------------------------------------------


def _plan(whole: Whole, number: int, pairs: list[Pair], branch: str = "main") -> list[Pairing]:
    """Pairings of a round, before it opens. The first of each has the title's first seat."""
    board = whole.settings.board(number)
    first_seat = next(iter(seating_at(board.title, board.scenario).seats))
    start = len(whole.in_round(number))
    made = [Pairing(event_id=whole.event.id, round=number, board=start + place, branch=branch, first_id=first,
                    second_id=second, title=board.title, scenario=board.scenario, first_seat=first_seat,
                    state="planned", bids={}, handicap=0)
            for place, (first, second) in enumerate(pairs, 1)]  # fmt: skip
    whole.session.add_all(made)
    return made


async def open_round(whole: Whole, number: int, told: bool = True) -> None:
    """Begins what is planned for a round; its players are told, but in an arena or on a ladder."""
    days = whole.settings.round_days
    due = whole.now + timedelta(days=days) if days else None
    whole.session.add(Round(event_id=whole.event.id, number=number, opened_at=whole.now, due_at=due))
    await whole.reload()
    apart = await whole.apart()
    for pairing in whole.in_round(number):
        if pairing.state == "planned":
            await boards.open_board(whole, pairing, apart)
    await whole.reload()
    if told and whole.event.format not in ROUNDLESS:
        await notices.round_begins(whole, number)


async def _next_round(whole: Whole, number: int) -> bool:
    """Pairs the next round; False when there is none."""
    if whole.event.format == "round_robin":
        if not whole.in_round(number):
            return False
    elif whole.event.format == "swiss":
        if not await _pair_swiss(whole, number):
            return False
    elif not await _pair_knock_out(whole, number):
        return False
    await open_round(whole, number)
    return True


async def _pair_swiss(whole: Whole, number: int) -> bool:
    if number > whole.settings.rounds:
        return False
    players = whole.players(whole.playing)
    pairs = await asyncio.to_thread(swiss.pair, players, await whole.apart())
    if not any(second is not None for _, second in pairs):
        return False
    _plan(whole, number, pairs)
    await whole.reload()
    return True


async def _pair_knock_out(whole: Whole, number: int) -> bool:
    if number == 1:
        pairs: list[Pair | None] = list(knock_out.first_round([one.id for one in whole.playing], await whole.apart()))
        third: list[Pair] = []
    else:
        last = [one for one in whole.in_round(number - 1) if one.branch == "main"]
        if len(last) < 2:
            return False
        through = [whole.through(one) if one.state == "done" else None for one in last]
        pairs = knock_out.next_round(through)
        third = _third(whole, last) if len(last) == 2 and whole.settings.third_place else []
    _plan(whole, number, [pair for pair in pairs if pair is not None])
    await whole.reload()
    _plan(whole, number, third, "third")
    await whole.reload()
    return bool(whole.in_round(number))


def _third(whole: Whole, semi_finals: list[Pairing]) -> list[Pair]:
    """The match for third place: those who lost a semi-final and are still in."""
    losers = []
    for one in semi_finals:
        winner = whole.through(one)
        losers += [who for who in (one.first_id, one.second_id)
                   if who is not None and who != winner and whole.entrant(who).state == "in"]  # fmt: skip
    return [(losers[0], losers[1])] if len(losers) == 2 else []


async def add_board(whole: Whole, number: int, pair: Pair) -> Pairing:
    """One more pairing in a round that is open, or in a new one."""
    (pairing,) = _plan(whole, number, [pair])
    await whole.reload()
    if any(one.number == number for one in whole.rounds):
        await boards.open_board(whole, pairing, await whole.apart())
        await whole.reload()
    else:
        await open_round(whole, number)
    return pairing


# -- what is due -------------------------------------------------------------------------------------------


async def advance(whole: Whole) -> None:
    """Everything that is due in an event whose row is locked."""
    if whole.event.state == "open":
        await _begin_if_due(whole)
    if whole.event.state != "running":
        return
    for entrant in whole.playing:
        if entrant.user and entrant.user.deleted_at:
            await drop_out(whole, entrant, "withdrawn")
            whole.tell("left", name={"key": "leagues.deleted"})
            await notices.wanted(whole, entrant, draw_name(entrant))
    for pairing in whole.pairings:
        if pairing.state == "bidding" and bids_are_in(whole, pairing):
            await boards.settle_bids(whole, pairing)
    await whole.reload()
    while await _close_rounds(whole):
        pass
    if whole.event.format == "arena":
        await _pair_arena(whole)
    if whole.event.format in ROUNDLESS and whole.event.ends_at and whole.event.ends_at <= whole.now:
        if all(one.state == "done" for one in whole.pairings):
            await finish(whole)
    elif whole.event.format in ROUNDLESS and len(whole.playing) < 2 and not _open_rounds(whole):
        await finish(whole)
    await whole.session.flush()


async def _begin_if_due(whole: Whole) -> None:
    settings, size = whole.settings, len(whole.playing)
    full = settings.capacity is not None and size >= settings.capacity
    due = whole.event.starts_at is not None and whole.event.starts_at <= whole.now
    if size >= settings.least and ((settings.start == "full" and full) or (settings.start == "date" and due)):
        await start(whole)


def bids_are_in(whole: Whole, pairing: Pairing) -> bool:
    """Both have bid, or there was time enough."""
    return len(pairing.bids) == 2 or (pairing.due_at is not None and pairing.due_at <= whole.now)


def _open_rounds(whole: Whole) -> list[Round]:
    return [one for one in whole.rounds if one.closed_at is None]


async def _close_rounds(whole: Whole) -> bool:
    """Closes rounds that are decided and opens what follows; whether that may have brought more to do."""
    closed = [one for one in _open_rounds(whole) if all(each.state == "done" for each in whole.in_round(one.number))]
    for one in closed:
        one.closed_at = whole.now
        if whole.event.format == "ladder":
            _climb(whole, one)
    if not closed or whole.event.format in ROUNDLESS or _open_rounds(whole):
        return False
    if await _next_round(whole, max(one.number for one in whole.rounds) + 1):
        return True
    await finish(whole)
    return False


async def finish(whole: Whole) -> None:
    """The final table stays as it is."""
    for row in whole.table():
        whole.entrant(row.entrant).final_rank = row.rank
    whole.event.state, whole.event.finished_at = "finished", whole.now
    whole.tell("finished")
    await notices.finished(whole)


# -- ladder and arena --------------------------------------------------------------------------------------


def _climb(whole: Whole, round_: Round) -> None:
    """A challenger who won takes the rung of the one challenged. The challenger has the second seat's place."""
    for pairing in whole.in_round(round_.number):
        if pairing.outcome == "second" and pairing.second_id is not None:
            order = ladder.after(rungs(whole), pairing.second_id, pairing.first_id)
            for rung, who in enumerate(order, 1):
                whole.entrant(who).rung = rung


def rungs(whole: Whole) -> list[int]:
    """The ladder from the top, with those who left and still have a rung."""
    on = [one for one in whole.field if one.rung is not None]
    return [one.id for one in sorted(on, key=lambda one: one.rung or 0)]


async def challenge(whole: Whole, challenger: Entrant, challenged: Entrant) -> None:
    """Begins a game of the ladder; the challenged has the first place of the pairing, so its board's first seat goes
    by who had it less often."""
    number = max((one.number for one in whole.rounds), default=0) + 1
    (pairing,) = _plan(whole, number, [(challenged.id, challenger.id)])
    lean = {player.id: player.lean for player in whole.players([challenger, challenged])}
    if lean[challenged.id] > lean[challenger.id]:
        pairing.first_seat = other_seat(pairing, pairing.first_seat)
    await open_round(whole, number)
    await notices.challenged(whole, pairing, challenger, draw_name(challenger))


async def _pair_arena(whole: Whole) -> None:
    """Whoever is free, while the arena is open."""
    if whole.event.ends_at and whole.event.ends_at <= whole.now:
        return
    free = sorted((one for one in whole.playing if is_free(whole, one)), key=lambda one: (one.ready_at, one.id))
    if len(free) < 2:
        return
    players = {player.id: player for player in whole.players(free)}
    last: dict[int, int] = {}
    meetings: dict[frozenset[int], int] = {}
    for one in whole.pairings:
        if one.second_id is not None and one.how != "apart":
            last |= {one.first_id: one.second_id, one.second_id: one.first_id}
            pair = frozenset((one.first_id, one.second_id))
            meetings[pair] = meetings.get(pair, 0) + 1
    for made in arena.pair([players[one.id] for one in free], last, meetings, await whole.apart()):
        number = max((one.number for one in whole.rounds), default=0) + 1
        _plan(whole, number, [made])
        await open_round(whole, number)


def is_free(whole: Whole, entrant: Entrant) -> bool:
    """Whether somebody in an arena waits for the next game: a bot always does, between its games."""
    return entrant.state == "in" and entrant.ready_at is not None and not whole.open_of(entrant)


# -- leaving -----------------------------------------------------------------------------------------------


async def drop_out(whole: Whole, entrant: Entrant, state: str) -> None:
    """Somebody leaves a running event: what is open is lost, what is planned will be a walkover, and the results stand
    or are annulled by the event's rule."""
    assert state in LEFT, "how one leaves"
    entrant.state, entrant.left_at, entrant.ready_at = state, whole.now, None
    if entrant.rung is not None:
        order = ladder.without(rungs(whole), entrant.id)
        entrant.rung = None
        for rung, who in enumerate(order, 1):
            whole.entrant(who).rung = rung
    await boards.forfeit(whole, entrant)
