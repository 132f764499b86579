"""Rating a finished game, in its own transaction and never twice."""

from __future__ import annotations

from typing import Any

import orjson
from psycopg.rows import dict_row

from app.clocks.substitutes import changed_hands
from app.games.repository import Conn, GameRow
from app.leagues.ratings.skill import Skill, after, expected

UNRATED = ("result.annulled", "result.both_lost")
OVERALL = ""


async def counts(conn: Conn, row: GameRow, rated: bool, in_event: bool) -> bool:
    """Whether a finished game is one of those that are rated: between two people; of an event that rates, or open to
    all in the lobby and played to its end by those who began it; not annulled. `rated`: what the event says."""
    people = {who["user"] for who in row.seats.values() if who["user"] is not None}
    if not rated or not len(people) == len(row.seats) == 2 or row.result is None or row.result["key"] in UNRATED:
        return False
    if not in_event and (row.visibility != "open" or await changed_hands(conn, row.id)):
        return False
    query = "select exists (select from rated_games where game_id = %s) as is_rated"
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (row.id,))
        found = await cursor.fetchone()
    return found is not None and not found["is_rated"]


async def note(conn: Conn, row: GameRow) -> None:
    """Moves both players' ratings, at the title and over all. The row of the game in `rated_games` is written first:
    who comes second with the same game finds it and changes nothing."""
    assert row.result is not None, "the game is over"
    seats = list(row.seats)
    first, second = (row.seats[seat]["user"] for seat in seats)
    winner = row.result["winner"]
    score = 0.5 if winner is None else 1.0 if winner == seats[0] else 0.0
    async with conn.cursor() as cursor:
        await cursor.execute(
            """insert into rated_games (game_id, title, scenario, first_user, second_user, score, expected,
                   first_before, second_before, first_after, second_after)
               values (%s, %s, %s, %s, %s, %s, 0.5, '{}', '{}', '{}', '{}') on conflict do nothing""",
            (row.id, row.title, row.scenario, first, second, score),
        )
        if cursor.rowcount == 0:
            return
    await _move(conn, OVERALL, first, second, score)
    before, now = await _move(conn, row.title, first, second, score)
    await conn.execute(
        """update rated_games set expected = %s, first_before = %s::jsonb, second_before = %s::jsonb,
               first_after = %s::jsonb, second_after = %s::jsonb where game_id = %s""",
        (expected(*before), *(_json(skill) for skill in (*before, *now)), row.id),
    )


async def _move(conn: Conn, title: str, first: int, second: int,
                score: float) -> tuple[tuple[Skill, Skill], tuple[Skill, Skill]]:
    """Both players' skill at a title before and after. Rows are locked in the order of the users, so that two games
    of the same players never wait for each other."""
    new = Skill()
    for user in sorted((first, second)):
        await conn.execute(
            """insert into ratings (user_id, title, mu, sigma, games) values (%s, %s, %s, %s, 0)
               on conflict do nothing""",
            (user, title, new.mu, new.sigma),
        )
    query = """select user_id, mu, sigma from ratings where title = %s and user_id in (%s, %s)
        order by user_id for update"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (title, first, second))
        held = {row["user_id"]: Skill(row["mu"], row["sigma"]) for row in await cursor.fetchall()}
    before = held[first], held[second]
    now = after(*before, score)
    for user, skill in zip((first, second), now, strict=True):
        await conn.execute(
            """update ratings set mu = %s, sigma = %s, games = games + 1, updated_at = now()
               where user_id = %s and title = %s""",
            (skill.mu, skill.sigma, user, title),
        )
    return before, now


def _json(skill: Skill) -> str:
    data: dict[str, Any] = {"mu": skill.mu, "sigma": skill.sigma}
    return orjson.dumps(data).decode()
