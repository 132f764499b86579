"""Changes of many games in one statement: what is wrong with one of them does no harm to its neighbours."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import psycopg
import pytest

from app.accounts.models import User
from app.config import Settings
from app.db import Database
from app.games import acts, making, repository, statement, writer
from app.games.acts import Player
from app.games.channel import note
from app.games.config import GameSettings
from app.games.live import Live, conninfo, living
from app.games.repository import GameRow
from app.games.schemas import Answering, NewGame
from app.games.statement import NewEntry, Written
from app.reactions import REACTIONS
from rules.core.record import Entry
from tests.app.test_games_record import SEATS, new_game, seal
from tests.app.test_games_store import Match

pytestmark = pytest.mark.anyio

GAMES = 5


@pytest.fixture
async def matches(settings: Settings, db: Database) -> AsyncIterator[list[Match]]:
    """Games of one person in one process, all in memory."""
    first, user = await new_game(db)
    made = [first]
    async with db.begin() as session:
        person = await session.get_one(User, user)
        wish = NewGame(title="triple_alliance", scenario="war", seat=SEATS[0], opponent="both")
        made += [(await making.create_game(session, person, wish)).id for _ in range(GAMES - 1)]
    async with living(settings.database_url, GameSettings(), REACTIONS) as live:
        found = [Match(live, game, user, conninfo(settings.database_url)) for game in made]
        for number, match in enumerate(found):
            match.rng = Random(number)
            await seal(live, match.players)
            await match.play(1)
        yield found


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many changes each statement carries."""
    found: list[int] = []

    def counted(changes: Sequence[Written]) -> tuple[bytes, bytes]:
        found.append(len(changes))
        return statement.arguments(changes)

    monkeypatch.setattr(writer, "arguments", counted)
    return found


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were locked."""
    found: list[str] = []
    real = repository.lock

    async def lock(conn: repository.Conn, game_id: str, key: str | None = None) -> Any:
        found.append(game_id)
        return await real(conn, game_id, key)

    monkeypatch.setattr(repository, "lock", lock)
    return found


async def give(live: Live, answers: list[tuple[Player, Answering]]) -> list[Any]:
    """All at once; what each brought, or its error."""
    return list(await asyncio.gather(*(acts.answer(live, *one) for one in answers), return_exceptions=True))


@asynccontextmanager
async def transaction(at: str) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    async with await psycopg.AsyncConnection.connect(at) as conn:
        yield conn


async def test_answers_given_at_once_are_written_together(
    matches: list[Match], statements: list[int], locked: list[str]
) -> None:
    live = matches[0].live
    for _ in range(12):
        for outcome in await give(live, [await match.next() for match in matches]):
            assert isinstance(outcome, int)
    assert sum(statements) == 12 * GAMES
    assert max(statements) == GAMES
    assert locked == []
    for match in matches:
        await match.same_when_loaded_anew()


async def test_a_used_key_does_no_harm_to_its_neighbours(
    matches: list[Match], statements: list[int], locked: list[str]
) -> None:
    live, bad = matches[0].live, matches[2]
    used, new = await bad.next()
    first = await acts.answer(live, used, new)
    answers = [await match.next() for match in matches]
    player, later = answers[2]
    answers[2] = player, Answering(seq=later.seq, key=new.key, answer=later.answer)
    statements.clear()
    outcomes = await give(live, answers)
    assert statements == [GAMES] + [1] * GAMES
    assert outcomes[2] == first
    for (_, given), outcome in zip(answers[:2] + answers[3:], outcomes[:2] + outcomes[3:], strict=True):
        assert outcome == given.seq + 1
    assert set(locked) == {bad.game}
    for match in matches:
        await match.same_when_loaded_anew()


async def test_a_row_that_changed_is_left_out(matches: list[Match], statements: list[int], locked: list[str]) -> None:
    live, changed = matches[0].live, matches[1]
    answers = [await match.next() for match in matches]
    await changed.sql("update games set draw_offer = %s where id = %s", SEATS[0], changed.game)
    for (_, given), outcome in zip(answers, await give(live, answers), strict=True):
        assert outcome == given.seq + 1
    assert statements == [GAMES]
    assert locked == [changed.game]
    for match in matches:
        await match.same_when_loaded_anew()


async def test_a_row_that_is_locked_holds_nobody_up(matches: list[Match], statements: list[int]) -> None:
    live, held_up = matches[0].live, matches[0]
    answers = [await match.next() for match in matches]
    async with transaction(held_up.at) as other:
        await other.execute("select from games where id = %s for update", (held_up.game,))
        waiting = asyncio.create_task(acts.answer(live, *answers[0]))
        async with asyncio.timeout(10):
            outcomes = await give(live, answers[1:])
        assert all(isinstance(outcome, int) for outcome in outcomes)
        assert not waiting.done()
    assert (await waiting) > answers[0][1].seq
    assert statements == [GAMES]
    for match in matches:
        await match.same_when_loaded_anew()


def change(match: Match, row: GameRow, entries: Sequence[NewEntry]) -> Written:
    seq = entries[-1].entry.seq if entries else row.seq
    heard = note(match.game, "e", seq, match.live.store.origin)
    return Written(match.game, None, entries, [], seq, row.waiting_for, row.rolls, "active", None, None, None, heard,
                   row.version)  # fmt: skip


async def end_connections(match: Match) -> None:
    """The database ends the connections that write."""
    pids = [one.conn.info.backend_pid for one in match.live.store.writer.connections]
    await match.sql("select pg_terminate_backend(pid) from unnest(%s::int[]) as pid", pids)


async def test_lost_connections_are_replaced(matches: list[Match]) -> None:
    for match in matches:
        player, new = await match.next()
        await end_connections(match)
        with contextlib.suppress(psycopg.OperationalError):
            await acts.answer(match.live, player, new)
        assert await acts.answer(match.live, player, new) > new.seq
        await match.play(2)
        await match.same_when_loaded_anew()


async def test_a_statement_that_breaks_off_leaves_no_trace(matches: list[Match]) -> None:
    """The connections are ended while the statement waits for a lock; the answers are given again."""
    live = matches[0].live
    answers = [await match.next() for match in matches]
    waits = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    async with transaction(matches[0].at) as other:
        await other.execute("lock table entries in exclusive mode")
        waiting = asyncio.create_task(give(live, answers))
        while await matches[0].sql(waits) == [(0,)]:
            await asyncio.sleep(0.02)
        await end_connections(matches[0])
        outcomes = await waiting
    assert all(isinstance(outcome, psycopg.OperationalError) for outcome in outcomes)
    for (_, given), outcome in zip(answers, await give(live, answers), strict=True):
        assert outcome == given.seq + 1
    for match in matches:
        await match.same_when_loaded_anew()


async def test_who_goes_away_while_it_is_written_leaves_the_game_whole(matches: list[Match]) -> None:
    match = matches[0]
    for turns in range(8):
        player, new = await match.next()
        task = asyncio.create_task(acts.answer(match.live, player, new))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        again = await acts.answer(match.live, player, new)
        assert again > new.seq
        await match.same_when_loaded_anew()


async def test_what_is_larger_than_a_socket_takes_at_once_is_written_too(matches: list[Match]) -> None:
    match = matches[0]
    row = await match.live.store.row(match.game)
    told, seq = Random(1).randbytes(8_000_000), row.seq + 1
    entry = NewEntry(Entry(seq, "answer", SEATS[0], rules_version="1"), row.updated_at, None, None, None, told)
    assert await match.live.store.writer.write(change(match, row, [entry]))
    assert await match.sql("select told from entries where game_id = %s and seq = %s", match.game, seq) == [(told,)]


async def test_what_cannot_be_written_as_json_fails_alone(matches: list[Match]) -> None:
    statement = matches[0].live.store.writer
    changes = [change(match, await match.live.store.row(match.game), []) for match in matches[:2]]
    changes[0].waiting_for = ["\ud800"]
    bad, good = await asyncio.gather(*map(statement.write, changes), return_exceptions=True)
    assert isinstance(bad, TypeError)
    assert isinstance(good, str)
