"""How answers reach the database: in one statement while the game in memory is the row's, under its lock otherwise;
and how positions are stored."""

import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import orjson
import psycopg
import pytest

import rules.bots
from app import packing
from app.accounts.ties import Tie
from app.config import Settings
from app.db import Database
from app.errors import NotAllowed, Refused
from app.games import (
    acts,
    change,
    channel,
    data,
    loading,
    play,
    record,
    repository,
    store,
    take_back,
)
from app.games.acts import Player
from app.games.change import Change
from app.games.checkpoints import stored
from app.games.config import GameSettings
from app.games.hub import Connection
from app.games.live import Live, conninfo, living
from app.games.reactions import Reaction, Reactions
from app.games.record import BASE, NEWEST, START
from app.games.schemas import Answering, Replying, Saying, TakingBack
from app.reactions import REACTIONS
from rules.core.title import Data
from tests.app.test_games_record import SEATS, new_game, seal, whole_record
from tests.app.toy_table import new_key

pytestmark = pytest.mark.anyio


class Match:
    """A game one person plays with random answers; `locked` counts the changes that took the row's lock."""

    def __init__(self, live: Live, game: str, user: int, at: str) -> None:
        self.live, self.game, self.user, self.at = live, game, user, at
        self.rng, self.bot = Random(5), rules.bots.make("random")
        self.players = {seat: Player(game, user, seat) for seat in SEATS}

    async def next(self, live: Live | None = None) -> tuple[Player, Answering]:
        row, loaded = await (live or self.live).store.look(self.game)
        seat = loaded.referee.asked[0]
        said = self.bot.answer(loaded.referee, seat, self.rng)
        return self.players[seat], Answering(seq=row.seq, key=new_key(), answer=said)

    async def play(self, answers: int, live: Live | None = None) -> None:
        for _ in range(answers):
            await acts.answer(live or self.live, *await self.next(live))

    async def sql(self, query: str, *args: Any) -> list[Any]:
        async with await psycopg.AsyncConnection.connect(self.at, autocommit=True) as conn:
            cursor = await conn.execute(query.encode(), args)
            return await cursor.fetchall() if cursor.description else []

    async def same_when_loaded_anew(self) -> None:
        _, loaded = await self.live.store.look(self.game)
        self.live.store.drop(self.game)
        row, again = await self.live.store.look(self.game)
        assert again is not loaded
        assert again.referee.title.encode(again.referee.pos) == loaded.referee.title.encode(loaded.referee.pos)
        assert again.referee.views.contents == loaded.referee.views.contents
        assert (again.referee.asked, again.referee.chance.made) == (loaded.referee.asked, row.rolls)


@pytest.fixture
async def match(settings: Settings, db: Database) -> AsyncIterator[Match]:
    game, user = await new_game(db)
    async with living(settings.database_url, GameSettings(), REACTIONS) as live:
        match = Match(live, game, user, conninfo(settings.database_url))
        await seal(live, match.players)
        await match.play(1)
        yield match


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were locked for a change or to be read."""
    found: list[str] = []
    real = repository.lock

    async def lock(conn: repository.Conn, game_id: str, key: str | None = None) -> Any:
        found.append(game_id)
        return await real(conn, game_id, key)

    monkeypatch.setattr(repository, "lock", lock)
    return found


async def test_answers_from_memory_take_no_lock_and_are_all_there(match: Match, locked: list[str]) -> None:
    await match.play(30)
    assert locked == []
    await match.same_when_loaded_anew()


async def test_units_keep_their_order_when_data_comes_back(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stacks follow it: what lies on top, and is seen, must not hang on whether a server has been started anew."""
    now = data.current("triple_alliance")
    order = list(now.files["units"]["units"])
    assert order != sorted(order)
    monkeypatch.setattr(data, "_known", OrderedDict())
    monkeypatch.setattr(data, "current", lambda _title: Data({}, "newer"))  # the files have changed since
    async with match.live.store.pool.connection() as conn:
        kept = await data.pinned(conn, now.digest, "triple_alliance")
        assert list(kept.files["units"]["units"]) == order
    await match.same_when_loaded_anew()


async def test_a_row_changed_by_another_process_is_seen(match: Match, settings: Settings, locked: list[str]) -> None:
    await match.play(3)
    async with living(settings.database_url, GameSettings(), REACTIONS) as other:
        await match.play(2, other)
        given = await match.next(other)
        before = len(locked)
        _, loaded = await match.live.store.look(match.game)
        assert loaded.referee.seq == given[1].seq  # `look` reads the row and what was added
        await match.play(1, other)
        with pytest.raises(play.Stale):
            await acts.answer(match.live, *given)
        await match.play(2)
        await match.play(2, other)
    assert len(locked) > before
    seqs = [entry["seq"] for entry in await whole_record(match.live, match.players[SEATS[0]])]
    assert seqs == list(range(1, len(seqs) + 1))
    await match.same_when_loaded_anew()


async def test_what_another_process_added_is_carried_out_in_memory(
    match: Match, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By turns in two processes: neither loads the game again until something is taken back."""
    loads: list[str] = []
    load = loading.load

    async def counted(conn: Any, row: Any) -> Any:
        loads.append(row.id)
        return await load(conn, row)

    async with living(settings.database_url, GameSettings(), REACTIONS) as other:
        await match.play(1)
        await match.play(1, other)
        monkeypatch.setattr(store, "load", counted)
        for _ in range(12):
            await match.play(2)
            await match.play(3, other)
        _, loaded = await match.live.store.look(match.game)
        assert not loads
        _, theirs = await other.store.look(match.game)
        assert loaded.referee.views.contents == theirs.referee.views.contents
        assert [e.seq for e in loaded.tail] == [e.seq for e in theirs.tail]
        last = [e for e in theirs.tail if e.kind == "answer" and not e.forced][-1]
        async with other.store.locked(match.game) as change:
            assert last.seat is not None
            await take_back.execute(change, last.seat, last.seq, True, match.user)
        row, loaded = await match.live.store.look(match.game)
        assert loads
        assert loaded.referee.seq == row.seq
        await match.play(3)
    await match.same_when_loaded_anew()


async def test_an_answer_from_memory_loses_against_a_row_that_changed(match: Match, locked: list[str]) -> None:
    """The offer of a draw comes from another process: its row has the same entries but another version."""
    player, new = await match.next()
    await match.sql("update games set draw_offer = %s where id = %s",
                    next(seat for seat in SEATS if seat != player.seat), match.game)  # fmt: skip
    await acts.answer(match.live, player, new)
    assert locked
    row = await match.live.store.row(match.game)
    assert row.draw_offer is None  # it lapsed, so it was seen
    await match.same_when_loaded_anew()


async def test_who_gave_up_the_seat_elsewhere_answers_no_more(match: Match) -> None:
    player, new = await match.next()
    assert player.seat is not None
    async with match.live.store.pool.connection() as conn:
        await repository.set_seat(conn, match.game, player.seat, None)
    with pytest.raises(NotAllowed):
        await acts.answer(match.live, player, new)


async def test_a_game_that_was_ended_elsewhere_takes_no_answer(match: Match, settings: Settings) -> None:
    player, new = await match.next()
    async with living(settings.database_url, GameSettings(), REACTIONS) as other:
        await acts.resign(other, match.players[SEATS[0]])
    with pytest.raises(Refused, match="finished"):
        await acts.answer(match.live, player, new)


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_an_answer_sent_again_counts_once(match: Match, settings: Settings, elsewhere: bool) -> None:
    player, new = await match.next()
    first = await acts.answer(match.live, player, new)
    last = (await match.live.store.row(match.game)).seq
    if elsewhere:
        async with living(settings.database_url, GameSettings(), REACTIONS) as other:
            again = await acts.answer(other, player, new)
    else:
        again = await acts.answer(match.live, player, new)
    assert first == again == new.seq + 1
    assert (await match.live.store.row(match.game)).seq == last
    await match.play(2)


async def test_a_key_that_was_used_is_not_used_again_though_the_answer_would_do(match: Match) -> None:
    """The database refuses it, the game in memory is dropped, and the first outcome is told again."""
    player, new = await match.next()
    first = await acts.answer(match.live, player, new)
    other, later = await match.next()
    assert await acts.answer(match.live, other, Answering(seq=later.seq, key=new.key, answer=later.answer)) == first
    assert (await match.live.store.row(match.game)).seq == later.seq
    await match.same_when_loaded_anew()


async def test_a_lost_connection_leaves_no_trace(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    player, new = await match.next()

    async def fail(*_args: Any) -> None:
        raise psycopg.OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(match.live.store.writer, "write", fail)
        with pytest.raises(psycopg.OperationalError):
            await acts.answer(match.live, player, new)
    await acts.answer(match.live, player, new)
    await match.same_when_loaded_anew()


async def test_a_row_that_was_read_stays_as_it_was(match: Match) -> None:
    """A bot answers the request that it saw."""
    async with match.live.store.lock(match.game):
        row, _ = await match.live.store.look_locked(match.game)
    seq = row.seq
    await match.play(2)
    assert row.seq == seq < (await match.live.store.row(match.game)).seq


async def test_games_that_are_open_stay_in_memory_and_of_others_a_few(match: Match, settings: Settings) -> None:
    async with living(settings.database_url, GameSettings(games_in_memory=2), REACTIONS) as other:
        _, loaded = await other.store.look(match.game)
        connection = Connection(match.game, Tie(match.user), "all")
        await other.hub.join(connection, None)
        for name in ("a", "b", "c", "d"):
            other.store.keep(name, loaded)
        assert list(other.store._games) == [match.game, "c", "d"]
        other.hub.leave(connection)
        other.store.keep("e", loaded)
        assert list(other.store._games) == ["d", "e"]


async def test_a_plain_refusal_is_given_once_and_takes_no_lock(
    match: Match, settings: Settings, locked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the game went on elsewhere: then the lock decides."""
    player, new = await match.next()
    tried: list[int] = []
    real = play.answer

    async def counted(change: Change, *rest: Any) -> int:
        tried.append(change.row.seq)
        return await real(change, *rest)

    monkeypatch.setattr(play, "answer", counted)
    wrong = Answering(seq=new.seq, key=new_key(), answer={"form": "nothing like it"})
    with pytest.raises(Refused):
        await acts.answer(match.live, player, wrong)
    with pytest.raises(play.Stale):
        await acts.answer(match.live, player, Answering(seq=0, key=new_key(), answer=new.answer))
    assert (tried, locked) == ([new.seq, new.seq], [])
    async with living(settings.database_url, GameSettings(), REACTIONS) as other:
        await acts.answer(other, player, new)
    tried.clear()
    locked.clear()
    with pytest.raises(Refused):
        await acts.answer(match.live, player, wrong)
    assert len(tried) == 2
    assert locked == [match.game]
    assert await acts.answer(match.live, player, new) == new.seq + 1
    await match.same_when_loaded_anew()


async def test_what_follows_is_in_the_same_transaction(match: Match) -> None:
    """A reaction that is concerned gets a connection; when it fails nothing of the answer stays."""
    seen: list[tuple[int, int]] = []

    class Look(Reaction):
        name, moves = "look", False

        def concerns(self, change: Change) -> bool:
            return bool(change.entries)

        async def react(self, change: Change) -> None:
            cursor = await change.conn.execute("select seq from games where id = %s", (change.row.id,))
            row = await cursor.fetchone()
            assert row is not None
            seen.append((change.before, row[0]))
            if len(seen) == 2:
                raise RuntimeError("the second time")

    match.live.store.reactions = Reactions(Look())
    await match.play(1)
    assert seen[0][0] < seen[0][1]
    player, new = await match.next()
    with pytest.raises(RuntimeError):
        await acts.answer(match.live, player, new)
    assert (await match.live.store.row(match.game)).seq == new.seq
    await acts.answer(match.live, player, new)
    await match.same_when_loaded_anew()


async def test_what_changes_no_entry_leaves_the_game_in_memory(match: Match, locked: list[str]) -> None:
    """A refused take-back is written to the row, a line of chat is not."""
    player, new = await match.next()
    asked = {"seat": next(seat for seat in SEATS if seat != player.seat), "asks": [player.seat], "to": 2}
    await match.sql("update games set undo_request = %s::jsonb where id = %s", orjson.dumps(asked).decode(), match.game)
    await acts.reply(match.live, player, Replying(yes=False))
    await acts.chat(match.live, player, Saying(text="No, thank you."))
    locked.clear()
    await acts.answer(match.live, player, new)
    assert locked == []
    assert (await match.live.store.row(match.game)).undo_refused == [2]


async def test_answers_are_told_to_other_processes_while_there_are_any(match: Match) -> None:
    async with await psycopg.AsyncConnection.connect(match.at, autocommit=True) as conn:
        await conn.execute("listen game")
        heard = conn.notifies(timeout=0.5)
        await match.play(3)
        assert [notice async for notice in heard] == []
        await channel.register(conn, "another")
        heard = conn.notifies(timeout=5, stop_after=3)
        await match.play(3)
        assert {notice.payload.split(":")[1] async for notice in heard} == {"e"}
        await channel.unregister(conn, "another")
    left = await match.sql("select origin from listeners")
    assert left == [(match.live.store.origin,)]


async def test_a_process_that_was_killed_is_forgotten_by_the_next(match: Match) -> None:
    await match.sql("insert into listeners (origin, pid) values ('gone', 0)")
    async with match.live.store.pool.connection() as conn:
        await channel.register(conn, "next")
    assert ("gone",) not in await match.sql("select origin from listeners")


async def test_the_last_entry_of_a_change_says_who_was_asked_then(match: Match) -> None:
    await match.play(20)
    rows = await match.sql("select seq, asks from entries where game_id = %s order by seq", match.game)
    row = await match.live.store.row(match.game)
    assert rows[-1] == (row.seq, row.waiting_for)
    assert any(asks is None for _, asks in rows)
    assert all(set(asks) <= set(SEATS) for _, asks in rows if asks is not None)


# -- positions ---------------------------------------------------------------------------------------


async def checkpoints(match: Match) -> dict[str, tuple[int, str | None, int]]:
    """By phase: entry, base and bytes."""
    query = "select phase, seq, base, length(state) from checkpoints where game_id = %s order by seq"
    return {phase: tuple(rest) for phase, *rest in await match.sql(query, match.game)}


async def test_positions_are_differences_and_every_one_can_be_loaded(match: Match) -> None:
    await match.play(60)
    kept = await checkpoints(match)
    assert kept[START][:2] == (1, None)
    assert len(kept) > 5
    assert all(base == START for phase, (_, base, _) in kept.items() if phase != START)
    assert sum(size for *_, size in kept.values()) / len(kept) < kept[START][2]
    row = await match.live.store.row(match.game)
    async with match.live.store.pool.connection() as conn:
        for seq, *_ in kept.values():
            found = await record.newest_checkpoint(conn, match.game, seq + 1)
            assert found is not None
            assert found.seq == seq
            loaded = await loading.resume(conn, row, found, None)
            assert list(loaded.referee.asked) == row.waiting_for
    await match.same_when_loaded_anew()


async def test_take_backs_over_phases_keep_what_others_are_told_apart_from(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a new base after every position stored, and far take-backs between."""
    monkeypatch.setattr(change, "LARGE", 0)
    bases = 0
    for _ in range(4):
        await match.play(25)
        kept = await checkpoints(match)
        bases = max(bases, sum(phase.startswith(BASE) for phase in kept))
        _, loaded = await match.live.store.look(match.game)
        seat = loaded.referee.asked[0]
        offer = await acts.take_back_offer(match.live, match.players[seat])
        assert offer is not None
        to = min([*offer["steps"], *offer["consent"]])
        assert await acts.take_back(match.live, match.players[seat], TakingBack(to=to))
        left = await checkpoints(match)
        assert all(seq < to for seq, *_ in left.values())
        assert {base for _, base, _ in left.values()} - {None} <= set(left)
        await match.same_when_loaded_anew()
    assert bases > 2


async def test_a_base_is_not_kept_when_the_row_has_changed_meanwhile(match: Match) -> None:
    row, loaded = await match.live.store.look(match.game)
    new = stored(loaded.referee.newest, f"{BASE}9", loaded.referee.title, None)
    async with match.live.store.pool.connection() as conn:
        assert not await record.keep_base(conn, match.game, new, "3")
        assert await record.keep_base(conn, match.game, new, str(row.version))


async def test_nothing_stays_of_a_game_that_never_began(match: Match) -> None:
    await match.sql("update games set status = 'open' where id = %s", match.game)
    async with match.live.store.pool.connection() as conn:
        await repository.drop_game(conn, match.game)
    for table in ("entries", "checkpoints", "seats"):
        assert await match.sql(f"select count(*) from {table}") == [(0,)]


def test_threads_pack_beside_one_another() -> None:
    def work(number: int) -> bool:
        bodies = [Random(f"{number} {i}").randbytes(500) * 8 for i in range(200)]
        return all(packing.unpack(packing.pack(body)) == body for body in bodies)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(work, range(16)))


async def test_what_was_stored_with_zlib_still_loads(match: Match) -> None:
    """Positions stored whole, and what was told, as before migration 0004."""
    await match.play(10)
    for phase, state in await match.sql("""select c.phase, c.state from checkpoints c
            where c.game_id = %s and c.base is null""", match.game):  # fmt: skip
        old = zlib.compress(packing.unpack(state), 1)
        await match.sql("update checkpoints set state = %s where game_id = %s and phase = %s", old, match.game, phase)
    await match.sql("delete from checkpoints where game_id = %s and base is not null", match.game)
    _, loaded = await match.live.store.look(match.game)
    newest = zlib.compress(loaded.referee.newest.state, 1)
    await match.sql("""insert into checkpoints (game_id, phase, seq, schema, rules_version, state)
        values (%s, %s, %s, %s, '', %s)""", match.game, NEWEST, loaded.referee.newest.seq,
                    loaded.referee.title.schema, newest)  # fmt: skip
    for seq, told in await match.sql("select seq, told from entries where game_id = %s", match.game):
        old = zlib.compress(orjson.dumps(orjson.loads(packing.unpack(told))))
        await match.sql("update entries set told = %s where game_id = %s and seq = %s", old, match.game, seq)
    await match.same_when_loaded_anew()
    assert await whole_record(match.live, match.players[SEATS[0]])
    await match.play(30)
    await match.same_when_loaded_anew()
