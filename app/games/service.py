"""Games as a whole: made, joined, left; who may see what of them; their cards."""

import secrets
from collections.abc import Collection, Mapping
from typing import cast

from sqlalchemy.ext.asyncio import AsyncSession

import rules.bots
from app import timing
from app.accounts.models import User
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.games import data, dice, following, play, repository
from app.games.models import Game, Seat
from app.games.pace import in_words
from app.games.packing import Base
from app.games.repository import START, Conn, GameRow
from app.games.schemas import NewGame, SeatCard, Status, TableCard
from app.games.store import Table, note, points, stored
from app.games.told import to_all
from rules.core.errors import DiceNotSealed, Refusal
from rules.core.referee import Referee
from rules.core.seats import ALL, PUBLIC, Eye
from rules.core.title import Data, Title
from rules.core.view import Views

SLUG = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that looks like something else
SLUG_LENGTH = 8


def slug() -> str:
    return "".join(secrets.choice(SLUG) for _ in range(SLUG_LENGTH))


# -- making, joining, leaving ------------------------------------------------------------------------


Players = Mapping[str, tuple[int | None, str | None]]  # by seat: a person, or a bot by name, or neither


async def create_game(session: AsyncSession, user: User, new: NewGame) -> Game:
    """A game with its set-up ready; it begins at once when every seat is taken. Raises Refused."""
    if new.pace and new.pace.policy != "claim":
        raise Refused("games.no_director")
    return await create_for(session, user.id, new, _players(data.title(new.title), user, new))


async def create_for(session: AsyncSession, maker: int, new: NewGame, players: Players) -> Game:
    """The same for players whom somebody else has put together; `new` says nothing of who they are. Raises Refused."""
    title = data.title(new.title)
    conn = await repository.driver(session)
    current = await data.pin(conn, new.title)
    _check(title, current, new)
    bots = [seat for seat, (_, bot) in players.items() if bot]
    full = all(person or bot for person, bot in players.values())
    alone = not bots and len(set(players.values())) == 1
    try:
        referee = Referee.start(title, current, new.scenario, new.options, dice.Cup(None))
    except DiceNotSealed:  # the game rolls before it asks anybody: it begins when the dice are sealed
        begun = title.begin(current, new.scenario, new.options)
        referee = Referee.set_up(title, current, begun, dice.Cup(None))
    except Refusal as refusal:
        raise play.refused(refusal, title.id) from refusal
    game_id = slug()
    await repository.add_game(conn, {
        "id": game_id, "title": title.id, "scenario": new.scenario, "data_digest": current.digest,
        "rules_version": title.version, "schema": title.schema, "status": "active" if full else "open",
        "visibility": new.visibility, "join_token": secrets.token_urlsafe(16), "policy": new.policy,
        "options": new.options, "pace": new.pace.model_dump() if new.pace and not alone else None, "seq": 0,
        "conditions": new.asked,
        "waiting_for": [], "result": None, "dice": dice.new(bots), "dice_seed": secrets.token_bytes(32), "rolls": 0,
        "created_by": maker})  # fmt: skip
    for seat, (person, bot) in players.items():
        await repository.add_seat(conn, game_id, seat, person, bot, None)
    await _begin(conn, game_id, referee, title, current)
    if full:
        await repository.notify(conn, note(game_id, "b", 0))
    return await session.get_one(Game, game_id)


async def _begin(conn: Conn, game_id: str, referee: Referee, title: Title, current: Data) -> None:
    """Writes the start of the record: its first entry tells the whole first view, so that a replay needs no rules."""
    first = referee.phases.pop(0)
    made = referee.drain()
    views = Views(title.view, title.decode(current, first.state, title.schema), title.seats)
    begins = to_all(title.seats, "game_begins", None, {}, views.contents)
    made[0].told = {eye: [*steps, *made[0].told.get(eye, [])] for eye, steps in begins.items()}
    row = await repository.lock(conn, game_id)
    assert row is not None, "just written"
    row.waiting_for = list(referee.asked)
    kept = [stored(first, START, title, None), *points(referee, Base(START, first.state))]
    table = Table(conn, row)
    await table.write(None, made, points=kept)
    await following.all_follow(table)


def _check(title: Title, current: Data, new: NewGame) -> None:
    if new.scenario not in data.scenarios(current):
        raise Refused("games.no_scenario", scenario=new.scenario)
    if new.seat not in title.seats:
        raise Refused("games.no_seat", seat=new.seat)
    for name, chosen in new.options.items():
        if chosen not in title.options.get(name, ()):
            raise Refused("games.no_option", option=name)
    if new.opponent == "bot":
        try:
            rules.bots.make(str(new.bot))
        except KeyError:
            raise Refused("games.no_bot", bot=new.bot) from None


def _players(title: Title, user: User, new: NewGame) -> Players:
    other: tuple[int | None, str | None] = (None, new.bot if new.opponent == "bot" else None)
    if new.opponent == "both":
        other = (user.id, None)
    return {seat: (user.id, None) if seat == new.seat else other for seat in title.seats}


async def join_game(session: AsyncSession, user: User, game_id: str, seat: str, token: str | None) -> None:
    """Takes a free seat; the game begins when it was the last. Raises NotFound, Conflict, Refused."""
    conn = await repository.driver(session)
    row = await _open_game(conn, game_id, user.id, token)
    if seat not in row.seats:
        raise Refused("games.no_seat", seat=seat)
    if any(row.seats[seat][kind] is not None for kind in ("user", "bot")):
        raise Conflict("games.seat_taken")
    if user.id in {who["user"] for who in row.seats.values()}:
        raise Conflict("games.sits_already")
    await repository.set_seat(conn, game_id, seat, user.id)
    row.seats[seat]["user"] = user.id
    full = all(who["user"] is not None or who["bot"] for who in row.seats.values())
    row.status = "active" if full else "open"
    await repository.update_game(conn, game_id, status=row.status)
    await following.all_follow(Table(conn, row))
    await repository.notify(conn, note(game_id, "b" if full else "c", 0))
    _forget(session)


async def leave_game(session: AsyncSession, user: User, game_id: str) -> None:
    """Gives the seat back before the game begins; a game nobody is left in goes. Raises Conflict, NotAllowed;
    NotFound for a private one of others."""
    conn = await repository.driver(session)
    row = await _open_game(conn, game_id, user.id, None)
    if not seats_of(row, user.id):
        raise NotAllowed("games.players_only")
    await _leave(conn, row, user.id)
    _forget(session)


async def _leave(conn: Conn, row: GameRow, user_id: int) -> None:
    for seat in seats_of(row, user_id):
        await repository.set_seat(conn, row.id, seat, None)
    if all(who["user"] in (None, user_id) for who in row.seats.values()):
        await repository.drop_game(conn, row.id)
    await repository.notify(conn, note(row.id, "c", 0))


def _forget(session: AsyncSession) -> None:
    """Games that the session read before they were changed under it."""
    for known in list(session):
        if isinstance(known, Game | Seat):
            session.expunge(known)


async def resign_all(session: AsyncSession, user_id: int) -> None:
    """Resigns what a leaving user plays, and leaves what has not begun."""
    conn = await repository.driver(session)
    for game_id in await repository.unfinished_of(conn, user_id):
        row = await repository.lock(conn, game_id)
        if row is None or row.status == "finished":
            continue
        if row.status == "open":
            await _leave(conn, row, user_id)
        else:
            table = Table(conn, row)
            await play.resign(table, seats_of(row, user_id)[0], user_id)
            await following.all_follow(table)


async def _open_game(conn: Conn, game_id: str, user_id: int, token: str | None) -> GameRow:
    row = await repository.lock(conn, game_id)
    if row is None:
        raise NotFound("games.no_game")
    _check_link(row, user_id, token)
    if row.status != "open":
        raise Conflict("games.begun")
    return row


# -- who may see and do what -------------------------------------------------------------------------


def seats_of(row: GameRow, user_id: int | None) -> list[str]:
    return [seat for seat in _ordered(row) if user_id is not None and row.seats[seat]["user"] == user_id]


def _ordered(row: GameRow) -> tuple[str, ...]:
    return data.title(row.title).seats


def _check_link(row: GameRow, user_id: int | None, token: str | None) -> None:
    """Raises NotFound for a private game to those who neither play it nor have its link."""
    invited = token is not None and secrets.compare_digest(token.encode(), row.join_token.encode())
    if row.visibility == "private" and not invited and not seats_of(row, user_id):
        raise NotFound("games.no_game")


def eye_of(row: GameRow, user_id: int | None, seat: str | None, token: str | None) -> Eye:
    """With whose eyes somebody looks at a game: an own seat's (`all` for one who plays both sides and names none),
    the public's, and anyone's when the game is over. Raises NotFound, NotAllowed."""
    _check_link(row, user_id, token)
    mine, over = seats_of(row, user_id), row.status == "finished"
    if seat is not None and seat not in row.seats:
        raise NotFound("games.no_seat", seat=seat)
    if seat is not None and (over or seat in mine):
        return seat
    if seat is not None:
        raise NotAllowed("games.not_your_seat")
    if over or len(mine) == len(row.seats):
        return ALL
    return mine[0] if mine else PUBLIC


def may_keep(row: GameRow, user_id: int | None, eye: Eye) -> bool:
    """Whether an open line may go on with its eye: not when its seat was given to somebody else."""
    mine = seats_of(row, user_id)
    return eye == PUBLIC or row.status == "finished" or eye in mine or (eye == ALL and len(mine) == len(row.seats))


def playing(row: GameRow, user_id: int | None, seat: str | None, token: str | None = None) -> str:
    """The seat somebody plays; one who holds several and names none plays the one that is asked. Raises NotAllowed;
    NotFound for a private game to those without its link."""
    _check_link(row, user_id, token)
    mine = seats_of(row, user_id)
    if not mine:
        raise NotAllowed("games.players_only")
    if seat is None:
        asked = [own for own in mine if own in row.waiting_for]
        return (asked or mine)[0]
    if seat not in mine:
        raise NotAllowed("games.not_your_seat")
    return seat


def opponent_agrees(row: GameRow, seat: str, user_id: int | None) -> bool:
    """Whether nobody need be asked: one person plays both sides, or the other is a bot."""
    other = row.seats[play.other_than(row, seat)]
    return bool(other["bot"]) or other["user"] == user_id


def card(row: GameRow, user_id: int | None, online: Collection[int] = ()) -> TableCard:
    """The game's card for one reader; `online` are the users with an open line."""
    mine = seats_of(row, user_id)
    return TableCard(
        **{name: getattr(row, name) for name in (
            "id", "title", "scenario", "data_digest", "visibility", "policy", "options", "waiting_for", "seq", "result",
            "created_at", "updated_at", "finished_at")},
        state=cast(Status, row.status),
        seats={seat: SeatCard(name=row.seats[seat]["name"], bot=row.seats[seat]["bot"],
                              online=row.seats[seat]["user"] in online) for seat in _ordered(row)},
        your_seats=mine,
        dice=dice.shown(row.dice, _ordered(row), row.dice_seed, row.status == "finished"),
        draw=row.draw_offer,
        take_back=row.undo_request if mine else None,
        pace=row.pace,
        pace_words=in_words(row.pace),
        clock={**row.clock, "now": timing.now().isoformat()} if row.clock else None,
        clock_offer=row.clock_offer if row.status == "active" else None,
        wants_substitute=row.wants_substitute,
        host_plays=any(who["host"] for who in row.seats.values()),
    )  # fmt: skip


