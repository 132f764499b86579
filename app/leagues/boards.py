"""The games of pairings: begun, ended by a ruling, or never played at all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.clocks import service as clocks
from app.clocks import substitutes
from app.db import driver
from app.errors import Conflict
from app.games import data, making, repository
from app.games.change import Change
from app.games.reactions import reactions_of
from app.games.schemas import NewGame
from app.games.told import to_all
from app.leagues.models import Entrant, Pairing
from app.leagues.pairing import Apart
from app.leagues.pairing.bidding import Bid, settle
from app.leagues.sides import other_seat, seating_at, seats_of
from app.leagues.whole import Whole
from rules.core.record import Entry


def _options(whole: Whole, pairing: Pairing) -> dict[str, Any]:
    """What the event chose among the options of its titles, as far as this scenario has them."""
    known = data.current(pairing.title).scenarios[pairing.scenario].options
    chosen = whole.settings.options.get(pairing.title, {})
    return {name: value for name, value in chosen.items() if value in known.get(name, ())}


def decide(whole: Whole, pairing: Pairing, outcome: str, how: str) -> None:
    """Settles a pairing without a game, or over the head of one that is finished."""
    pairing.state, pairing.outcome, pairing.how, pairing.decided_at = "done", outcome, how, whole.now


async def open_board(whole: Whole, pairing: Pairing, apart: Apart) -> None:
    """A pairing of a round that begins: a game, or bids for its sides; a walkover where somebody has left; nothing for
    two who are kept apart."""
    first, second = whole.entrant(pairing.first_id), pairing.second_id and whole.entrant(pairing.second_id)
    if not second:
        decide(whole, pairing, "bye" if first.state == "in" else "none", "bye")
    elif "in" not in (first.state, second.state):
        decide(whole, pairing, "none", "forfeit")
    elif first.state != "in":
        decide(whole, pairing, "second", "forfeit")
    elif second.state != "in":
        decide(whole, pairing, "first", "forfeit")
    elif frozenset((first.id, second.id)) in apart:
        decide(whole, pairing, "void", "apart")
    elif whole.settings.bids and not (first.bot or second.bot):
        pairing.state, pairing.due_at = "bidding", whole.now + timedelta(hours=whole.settings.bid_hours)
    else:
        await begin_game(whole, pairing)


async def begin_game(whole: Whole, pairing: Pairing) -> None:
    """Makes the game. Raises Refused when the title has no such scenario or option."""
    assert pairing.second_id is not None, "nobody plays alone"
    settings, seat = whole.settings, pairing.first_seat
    wish: dict[str, Any] = {
        "title": pairing.title, "scenario": pairing.scenario, "seating": seating_at(pairing.title, pairing.scenario).id,
        "seat": seat, "visibility": "open", "policy": settings.policy, "options": _options(whole, pairing),
        "what_if": settings.what_if, "pace": settings.pace,
    }  # fmt: skip
    one, two = whole.entrant(pairing.first_id), whole.entrant(pairing.second_id)
    players = {seat: (one.user_id, one.bot), other_seat(pairing, seat): (two.user_id, two.bot)}
    game = await making.create_for(whole.session, whole.event.created_by, NewGame.model_validate(wish), players)
    pairing.game_id, pairing.state, pairing.due_at = game.id, "playing", None
    pairing.rated = whole.settings.rated and not (one.bot or two.bot)


def bid_of(pairing: Pairing, entrant: int) -> Bid | None:
    made = pairing.bids.get(str(entrant))
    return Bid(made["seat"], made["points"]) if made else None


async def settle_bids(whole: Whole, pairing: Pairing) -> None:
    """Opens the bids and begins the game."""
    assert pairing.second_id is not None, "nobody bids alone"
    seats = seats_of(pairing)
    bids = bid_of(pairing, pairing.first_id), bid_of(pairing, pairing.second_id)
    pairing.first_seat, pairing.handicap = settle(seats, pairing.first_seat, *bids)
    await begin_game(whole, pairing)


# -- ending a game from outside ----------------------------------------------------------------------------


async def end_game(session: AsyncSession, game_id: str, winner: str | None, key: str, **args: Any) -> bool:
    """Ends a game that goes on, as a ruling; False when it was over already."""
    conn = await driver(session)
    row = await repository.lock(conn, game_id)
    assert row is not None, "the games of pairings are never deleted"
    if row.status != "active":
        return False
    change = Change(conn, row)
    event = to_all(row.seating, "director_ruled", winner, {"key": key, **args})
    entry = Entry(row.seq + 1, "ruling", None, told=event, rules_version=row.rules_version)
    result = {"winner": winner, "key": key, "args": args, "clause": ""}
    await change.write(None, [entry], result=result)
    await reactions_of(session).follow(change)
    return True


async def forfeit(whole: Whole, entrant: Entrant) -> None:
    """Everything an entrant has still to play in open rounds is lost."""
    for pairing in whole.open_of(entrant):
        wins_first = pairing.second_id == entrant.id
        if pairing.game_id is not None:
            loser = pairing.first_seat if not wins_first else other_seat(pairing, pairing.first_seat)
            winner = other_seat(pairing, loser)
            await end_game(whole.session, pairing.game_id, winner, "result.withdrawn", seat=loser)
        elif pairing.second_id is None:
            decide(whole, pairing, "none", "forfeit")
        else:
            decide(whole, pairing, "first" if wins_first else "second", "forfeit")
    await whole.reload()


async def hand_over(whole: Whole, pairing: Pairing, old: Entrant, user_id: int, keeps_notes: bool) -> None:
    """Gives the seat of a running game to somebody else. Raises Conflict when the game is over."""
    assert pairing.game_id is not None, "only games are handed over"
    first_seat = pairing.first_seat
    seat = first_seat if pairing.first_id == old.id else other_seat(pairing, first_seat)
    await substitutes.hand_over(whole.session, pairing.game_id, seat, user_id, keeps_notes)
    pairing.rated = whole.settings.rated and whole.settings.rates == "substitute"


async def lose_on_time(session: AsyncSession, game_id: str, late_seat: str, by: int) -> None:
    """A director's word that a seat's time is up. Raises Conflict when the game is over."""
    conn = await driver(session)
    row = await repository.lock(conn, game_id)
    assert row is not None, "the games of pairings are never deleted"
    if row.status != "active":
        raise Conflict("games.finished")
    change = Change(conn, row)
    await clocks.lose_on_time(change, late_seat, by)
    await reactions_of(session).follow(change)
