"""Games as a whole: made, joined, left."""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

import rules.bots
from app.accounts.models import User
from app.db import driver
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.games import data, dice, pace, play, repository
from app.games.access import check_link, seats_of
from app.games.change import Change
from app.games.channel import note, notify
from app.games.checkpoints import points, stored
from app.games.models import Game, Seat
from app.games.reactions import Reactions, reactions_of
from app.games.record import START
from app.games.repository import Conn, GameRow
from app.games.schemas import NewGame
from app.games.told import to_all
from app.packing import Base
from rules.core.chance import Chance
from rules.core.errors import DiceNotSealed, Refusal
from rules.core.referee import Referee
from rules.core.seats import Seating
from rules.core.title import Title
from rules.core.view import Views

SLUG = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
SLUG_LENGTH = 8


def slug() -> str:
    return "".join(secrets.choice(SLUG) for _ in range(SLUG_LENGTH))

Players = Mapping[str, tuple[int | None, str | None]]  # by seat: a person, or a bot by name, or neither


async def create_game(session: AsyncSession, user: User, new: NewGame) -> Game:
    """A game with its set-up ready; it begins at once when every seat is taken. Raises Refused."""
    if new.pace and new.pace.policy != "claim":
        raise Refused("games.no_director")
    seating = seating_of(data.title(new.title), new)
    return await create_for(session, user.id, new, _players(seating, user, new))


async def create_for(session: AsyncSession, maker: int, new: NewGame, players: Players) -> Game:
    """The same for players whom somebody else has put together; `new` says nothing of who they are. Raises Refused."""
    title = data.title(new.title)
    conn = await driver(session)
    seating = seating_of(title, new)
    _check(title, new, seating)
    current = await data.pin(conn, new.title)
    bots = [seat for seat, (_, bot) in players.items() if bot]
    full = all(person or bot for person, bot in players.values())
    alone = not bots and len(set(players.values())) == 1
    try:
        referee = Referee.start(title, current, new.scenario, new.options, Chance(None), seats=seating.seats)
    except DiceNotSealed:  # the game rolls before it asks anybody: it begins when the dice are sealed
        begun = title.first(current, new.scenario, new.options, seating.seats)
        referee = Referee.set_up(title, begun, Chance(None))
    except Refusal as refusal:
        raise play.refused(refusal, title.id) from refusal
    game_id = slug()
    await repository.add_game(conn, {
        "id": game_id, "title": title.id, "scenario": new.scenario, "data_digest": current.digest,
        "rules_version": title.version, "schema": title.schema, "status": "active" if full else "open",
        "visibility": new.visibility, "join_token": secrets.token_urlsafe(16), "policy": new.policy,
        "options": new.options, "what_if": new.what_if, "pace": None if alone else _pace(title, new, seating), "seq": 0,
        "conditions": new.asked,
        "waiting_for": [], "result": None, "dice": dice.new(bots), "dice_seed": secrets.token_bytes(32), "rolls": 0,
        "created_by": maker})  # fmt: skip
    await repository.add_seats(conn, game_id, seating, {seat: (*who, None) for seat, who in players.items()})
    await _begin(conn, reactions_of(session), game_id, referee)
    if full:
        await notify(conn, note(game_id, "b", 0))
    return await session.get_one(Game, game_id)


async def _begin(conn: Conn, reactions: Reactions, game_id: str, referee: Referee) -> None:
    """Writes the start of the record: its first entry tells the whole first view, so that a replay needs no rules."""
    title, first = referee.title, referee.phases.pop(0)
    made = referee.drain()
    pos = title.decode(referee.game, first.state, title.schema)
    views = Views(title.view, pos, referee.seating.sides)
    row = await repository.lock(conn, game_id)
    assert row is not None, "just written"
    seed_hash = hashlib.sha256(row.dice_seed).hexdigest()  # in the record, so that it can't be exchanged
    begins = to_all(referee.seating, "game_begins", None, {"seed_hash": seed_hash}, views.contents)
    made[0].told = {eye: [*steps, *made[0].told.get(eye, [])] for eye, steps in begins.items()}
    row.waiting_for = list(referee.asked)
    kept = [stored(first, START, title, None), *points(referee, Base(START, first.state))]
    change = Change(conn, row)
    await change.write(None, made, points=kept)
    await reactions.follow(change)


def seating_of(title: Title, new: NewGame) -> Seating:
    """Who is to sit. Raises Refused."""
    scenario = data.current(title.id).scenarios.get(new.scenario)
    if scenario is None:
        raise Refused("games.no_scenario", scenario=new.scenario)
    if new.seating is None:
        return scenario.seating()
    if new.seating not in scenario.seatings:
        raise Refused("games.no_seating", seating=new.seating)
    return scenario.seatings[new.seating]


def _pace(title: Title, new: NewGame, seating: Seating) -> dict[str, Any] | None:
    """Partners have their clocks as was wished, else as the scenario says."""
    if new.pace is None:
        return None
    partners = any(seating.partners(seat) for seat in seating.seats)
    usual = data.current(title.id).scenarios[new.scenario].clock
    return pace.stored(new.pace.model_copy(update={"each": (new.pace.each or usual) if partners else None}))


def _check(title: Title, new: NewGame, seating: Seating) -> None:
    if new.seat not in seating.seats:
        raise Refused("games.no_seat", seat=new.seat)
    known = data.current(title.id).scenarios[new.scenario].options
    for name, chosen in new.options.items():
        if chosen not in known.get(name, ()):
            raise Refused("games.no_option", option=name)
    if new.opponent == "bot":
        try:
            rules.bots.make(str(new.bot))
        except KeyError:
            raise Refused("games.no_bot", bot=new.bot) from None


def _players(seating: Seating, user: User, new: NewGame) -> Players:
    other: tuple[int | None, str | None] = (None, new.bot if new.opponent == "bot" else None)
    if new.opponent == "both":
        other = (user.id, None)
    return {seat: (user.id, None) if seat == new.seat else other for seat in seating.seats}


async def join_game(session: AsyncSession, user: User, game_id: str, seat: str, token: str | None) -> None:
    """Takes a free seat, one that sits already also another of his side; the game begins when it was the last. Raises
    NotFound, Conflict, Refused."""
    conn = await driver(session)
    row = await _open_game(conn, game_id, user.id, token)
    if seat not in row.seats:
        raise Refused("games.no_seat", seat=seat)
    if any(row.seats[seat][kind] is not None for kind in ("user", "bot")):
        raise Conflict("games.seat_taken")
    if any(row.seats[own]["side"] != row.seats[seat]["side"] for own in seats_of(row, user.id)):
        raise Conflict("games.sits_already")
    await repository.set_seat(conn, game_id, seat, user.id)
    row.seats[seat]["user"] = user.id
    full = all(who["user"] is not None or who["bot"] for who in row.seats.values())
    row.status = "active" if full else "open"
    await repository.update_game(conn, game_id, status=row.status)
    await reactions_of(session).follow(Change(conn, row))
    await notify(conn, note(game_id, "b" if full else "c", 0))
    _forget(session)


async def leave_game(session: AsyncSession, user: User, game_id: str) -> None:
    """Gives the seat back before the game begins; a game nobody is left in goes. Raises Conflict, NotAllowed;
    NotFound for a private one of others."""
    conn = await driver(session)
    row = await _open_game(conn, game_id, user.id, None)
    if not seats_of(row, user.id):
        raise NotAllowed("games.players_only")
    await _leave(conn, row, user.id)
    _forget(session)


async def _leave(conn: Conn, row: GameRow, user_id: int) -> None:
    for seat in seats_of(row, user_id):
        await repository.set_seat(conn, row.id, seat, None)
    if row.status == "open":
        await repository.has_left(conn, row.id, user_id)
    if all(who["user"] in (None, user_id) for who in row.seats.values()):
        await repository.drop_game(conn, row.id)
    await notify(conn, note(row.id, "c", 0))


def _forget(session: AsyncSession) -> None:
    """Games that the session read before they were changed under it."""
    for known in list(session):
        if isinstance(known, Game | Seat):
            session.expunge(known)


async def resign_all(session: AsyncSession, user_id: int) -> None:
    """Resigns what a leaving user plays, and leaves what has not begun."""
    conn = await driver(session)
    for game_id in await repository.unfinished_of(conn, user_id):
        row = await repository.lock(conn, game_id)
        if row is None or row.status == "finished":
            continue
        if row.status == "open":
            await _leave(conn, row, user_id)
        else:
            change = Change(conn, row)
            await play.resign(change, seats_of(row, user_id)[0], user_id)
            await reactions_of(session).follow(change)


async def hand_over(session: AsyncSession, guest: int, user_id: int) -> None:
    """A guest's games become an account's."""
    conn = await driver(session)
    await session.flush()
    await repository.hand_over(conn, guest, user_id)
    _forget(session)


async def drop_all(session: AsyncSession, guest: int) -> int:
    """A guest's games go, whatever became of them; how many there were."""
    conn = await driver(session)
    games = await repository.made_by(conn, guest)
    for game_id in games:
        await repository.drop_game(conn, game_id, begun=True)
    return len(games)


async def _open_game(conn: Conn, game_id: str, user_id: int, token: str | None) -> GameRow:
    row = await repository.lock(conn, game_id)
    if row is None:
        raise NotFound("games.no_game")
    check_link(row, user_id, token)
    if row.status != "open":
        raise Conflict("games.begun")
    return row
