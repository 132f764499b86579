"""What follows a change of a game follows it whoever makes the change: a server, a worker, a command."""

import asyncio
from typing import Any

import pytest

import app.jobs.worker
from app.commands import worker
from app.config import Settings
from app.games import play
from app.games.live import conninfo
from app.reactions import REACTIONS
from tests.app.conftest import MakePair, Sql
from tests.app.toy_table import PASS, Pair

DAYS = {"kind": "days", "days": 3, "bank": 2, "increment": 0}


@pytest.fixture
def paced(make_pair: MakePair) -> Pair:
    pair = make_pair(pace=DAYS)
    pair.seal()
    pair.hide()
    return pair


def of_the_end(sql: Sql, game: str) -> dict[str, Any]:
    """What reactions leave behind when red resigns."""
    return {
        "clock": sql(f"select clock ->> 'seq' = seq::text, deadline is null from games where id = '{game}'"),
        "told": sql(f"select kind, seat from notices where game_id = '{game}' and kind = 'over'"),
        "rated": sql(f"select count(*) from rated_games where game_id = '{game}'"),
    }


def in_a_worker(settings: Settings, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Red resigns in a job of `./mariscal worker`."""

    async def run(work: Any, _stop: asyncio.Event) -> None:
        async with work.store.locked(game) as change:
            await play.resign(change, "red", None)

    monkeypatch.setattr(app.jobs.worker, "run", run)
    asyncio.run(worker._work(settings, conninfo(settings.database_url)))


def test_a_worker_reacts_as_a_server_does(
    paced: Pair, make_pair: MakePair, settings: Settings, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_pair(pace=DAYS)
    other.seal()
    other.hide()
    other.red.answer(PASS)
    paced.red.answer(PASS)
    other.red.post("/resign")
    in_a_worker(settings, monkeypatch, paced.red.game)
    by_server, by_worker = of_the_end(sql, other.red.game), of_the_end(sql, paced.red.game)
    assert by_worker == by_server
    assert by_server["told"] == [("over", "blue")]
    assert by_server["rated"] == [(1,)]
    assert paced.red.get("")["result"]["winner"] == "blue"


def test_each_reaction_has_a_name_of_its_own() -> None:
    names = [reaction.name for reaction in REACTIONS.each]
    assert names == ["orders", "clocks", "results", "notices", "bots"]
    assert list(REACTIONS.statements) == ["clocks", "notices"]
