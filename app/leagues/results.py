"""What a finished game means for its league and for ratings: noted in the game's own transaction, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.rows import dict_row

from app.games.change import Change
from app.games.reactions import Reaction
from app.games.repository import Conn, GameRow
from app.leagues import notices
from app.leagues.ratings import noting

HOW = {
    "result.resigned": "resigned", "result.draw_agreed": "agreed", "result.withdrawn": "withdrawn",
    "result.director_ruled": "adjudicated", "result.both_lost": "adjudicated", "result.annulled": "annulled",
    "result.adjudicated": "adjudicated",
}  # fmt: skip
ENDS = {"result.both_lost": "none", "result.annulled": "void"}
TIME_OUT = "result.time"  # how the keys of games lost on time begin


@dataclass(frozen=True)
class Ended:
    """A result as a pairing keeps it."""

    outcome: str
    how: str
    lead: int | None


def ended(result: Mapping[str, Any], seats: Sequence[str], first_seat: str, handicap: int) -> Ended:
    """A game's result for the first of a pairing, who gave `handicap` points for its side. Where the title counts
    points for both, these decide once the handicap is taken off; any other end stands as it is."""
    key, args = result["key"], result["args"]
    how = "time_out" if key.startswith(TIME_OUT) else HOW.get(key, "played")
    if key in ENDS:
        return Ended(ENDS[key], how, None)
    lead = lead_of(args, seats, first_seat)
    winner = result["winner"]
    outcome = "draw" if winner is None else "first" if winner == first_seat else "second"
    if lead is not None:
        lead -= handicap
        if handicap:
            outcome = "first" if lead > 0 else "second" if lead < 0 else "draw"
    return Ended(outcome, how, lead)


def lead_of(args: Mapping[str, Any], seats: Sequence[str], first_seat: str) -> int | None:
    """The points of a seat less the other's; None for a title, or an end, that counts none for both."""
    lead = 0
    for seat in seats:
        points = args.get(seat)
        if not isinstance(points, int):
            return None
        lead += points if seat == first_seat else -points
    return lead


class NoteResult(Reaction):
    """The result for leagues and ratings; of a game that goes on, only that it wants a substitute."""

    name, moves = "results", True

    def concerns(self, change: Change) -> bool:
        """A game that is over, or one in which another player has just been asked for."""
        row = change.row
        asks = row.wants_substitute is not None and bool(change.notified) and not change.entries
        return row.status == "finished" or asks

    async def react(self, change: Change) -> None:
        row = change.row
        pairing = await _pairing(change.conn, row.id)
        if row.status != "finished" or row.result is None:
            if pairing is not None and pairing["state"] == "playing":
                await notices.game_wants_substitute(change.conn, row, pairing)
            return
        if pairing is not None and pairing["state"] == "playing":
            await _decide(change.conn, row, pairing)
        if await noting.counts(change.conn, row, pairing is None or pairing["rated"], pairing is not None):
            await noting.note(change.conn, row)


async def _pairing(conn: Conn, game_id: str) -> dict[str, Any] | None:
    query = """select p.id, p.state, p.first_seat, p.handicap, p.rated, p.event_id from pairings p
        where p.game_id = %s for update"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (game_id,))
        return await cursor.fetchone()


async def _decide(conn: Conn, row: GameRow, pairing: Mapping[str, Any]) -> None:
    assert row.result is not None, "the game is over"
    end = ended(row.result, list(row.seats), pairing["first_seat"], pairing["handicap"])
    query = """update pairings set state = 'done', outcome = %s, how = %s, lead = %s, decided_at = now()
        where id = %s and state = 'playing'"""
    await conn.execute(query, (end.outcome, end.how, end.lead, pairing["id"]))
