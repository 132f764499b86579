"""What an event tells people in person, beside the record that is open to all: who has to do something, and what became
of what they asked. Queued with the transaction of what happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from psycopg.rows import dict_row, scalar_row

from app.db import driver
from app.games.repository import Conn, GameRow
from app.leagues.models import Entrant, Pairing
from app.leagues.whole import Whole
from app.notifications.service import tell

AGAIN = 24  # hours after which a game that still wants a substitute says so again


async def _tell(whole: Whole, users: Iterable[int | None], what: str, path: str = "", by: int | None = None,
                **args: Any) -> None:
    """Text `leagues.told_WHAT`. Not to who did it, nor to bots."""
    people = sorted({user for user in users if user is not None} - {by})
    conn = await driver(whole.session)
    await tell(conn, people, "league", by=by, key=f"leagues.told_{what}", link=f"/events/{whole.event.id}{path}",
               event=whole.event.name, **args)  # fmt: skip


def _users(entrants: Iterable[Entrant]) -> list[int | None]:
    return [one.user_id for one in entrants]


def _board(pairing: Pairing) -> str:
    return f"/pairings/{pairing.id}"


def _players(whole: Whole, pairing: Pairing) -> list[int | None]:
    return [whole.entrant(one).user_id for one in (pairing.first_id, pairing.second_id) if one is not None]


async def round_begins(whole: Whole, number: int) -> None:
    """To all with a board in it: that they play, have a free round, or are to bid for a side."""
    for pairing in whole.in_round(number):
        if pairing.state in ("playing", "bidding"):
            what = "round" if pairing.state == "playing" else "bids"
            await _tell(whole, _players(whole, pairing), what, _board(pairing), n=number)
        elif pairing.outcome == "bye":
            await _tell(whole, _players(whole, pairing), "bye", "/schedule", n=number)


async def started(whole: Whole) -> None:
    """To the field of an event that has no rounds."""
    await _tell(whole, _users(whole.playing), "started")


async def challenged(whole: Whole, pairing: Pairing, challenger: Entrant, name: str) -> None:
    """To the one challenged on a ladder."""
    await _tell(whole, _players(whole, pairing), "challenged", _board(pairing), by=challenger.user_id, name=name)


async def moved_up(whole: Whole, entrant: Entrant) -> None:
    """To one who waited and has a place now."""
    await _tell(whole, [entrant.user_id], "moved_up")


async def claimed(whole: Whole, pairing: Pairing, by: int, name: str) -> None:
    """To the directors; where there is none but admins, to who made the event."""
    directors = list(whole.directors) or [whole.event.created_by]
    await _tell(whole, directors, "claimed", _board(pairing), by=by, name=name)


async def answered(whole: Whole, pairing: Pairing, by: int, what: str) -> None:
    """To both players: `ruled`, `dismissed` or `postponed`."""
    await _tell(whole, _players(whole, pairing), what, _board(pairing), by=by)


async def wanted(whole: Whole, left: Entrant, name: str) -> None:
    """To directors and those who stand by: a place is free."""
    standing_by = _users(whole.in_state("reserve"))
    await _tell(whole, [*whole.directors, *standing_by], "wanted", by=left.user_id, name=name)


async def seated(whole: Whole, place: Entrant, old: str, new: str, by: int) -> None:
    """To the substitute, and to those whose running games it takes over."""
    await _tell(whole, [place.user_id], "you_sit", by=by, name=old)
    others = [user for one in whole.open_of(place) for user in _players(whole, one) if user != place.user_id]
    await _tell(whole, others, "seated", by=by, name=new, old=old)


async def finished(whole: Whole) -> None:
    """To all who played in it, with their place."""
    for one in whole.field:
        if one.final_rank is not None:
            await _tell(whole, [one.user_id], "finished", n=one.final_rank)


async def called_off(whole: Whole, by: int) -> None:
    await _tell(whole, _users(whole.in_state("in", "waiting", "reserve")), "called_off", by=by)


async def game_wants_substitute(conn: Conn, row: GameRow, pairing: Mapping[str, Any]) -> None:
    """To directors and those who stand by, when an opponent asks for another player in the place of one who is late."""
    link = f"/events/{pairing['event_id']}/pairings/{pairing['id']}"
    async with conn.cursor(row_factory=scalar_row) as cursor:
        query = """select exists (select from notices where kind = 'league' and args->>'key' = 'leagues.told_game_wants'
            and args->>'link' = %s and created_at > now() - make_interval(hours => %s))"""
        await cursor.execute(query, (link, AGAIN))
        if await cursor.fetchone():
            return
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """select e.name, array(
                select d.user_id from directors d left join seasons s on s.id = e.season_id
                  where d.event_id = e.id or d.league_id = s.league_id
                union select user_id from entrants where event_id = e.id and state = 'reserve') as people
            from events e where e.id = %s""",
            (pairing["event_id"],),
        )
        event = await cursor.fetchone()
    if event is not None and row.wants_substitute is not None:
        await tell(conn, event["people"], "league", key="leagues.told_game_wants", link=link, event=event["name"],
                   name=row.seats[row.wants_substitute]["name"])  # fmt: skip
