"""Finished games are packed away and come back as they were; a game may hold so much and no more."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.archive import tasks
from app.archive.config import storage_settings
from app.cli import main
from app.jobs.registry import Work
from tests.app.conftest import Command, Sql
from tests.app.toy_table import LOOK, PASS, ROLL, Pair, move

Sweep = Callable[[], None]


@pytest.fixture
def sweep(client: TestClient, api: FastAPI) -> Sweep:
    """The nightly job."""

    def run() -> None:
        assert client.portal is not None
        client.portal.call(tasks.sweep, Work(api.state.settings, api.state.db, api.state.games.store))

    return run


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, int], None]]:
    """Sets a setting of storage."""

    def to(name: str, value: int) -> None:
        monkeypatch.setenv(f"MARISCAL_{name}", str(value))
        storage_settings.cache_clear()

    yield to
    monkeypatch.undo()
    storage_settings.cache_clear()


@pytest.fixture
def over(pair: Pair, sql: Sql) -> Pair:
    """A game with a bit of everything that ended a year ago."""
    pair.red.answer(move("a", "b"))
    pair.red.answer(move("b", "c"))
    pair.red.post("/take-back", {"to": pair.red.record()[-1]["seq"]})
    pair.red.answer(ROLL)
    pair.blue.answer(LOOK)
    pair.red.post("/chat", {"text": "good luck"})
    pair.red.put("/notes", {"text": "mine"})
    pair.to_the_end_from_bids()
    sql("update games set finished_at = now() - interval '1 year'")
    return pair


ROWS = "select (select count(*) from entries), (select count(*) from checkpoints), (select count(*) from archives)"
ALL = """select to_jsonb(e) - 'told' from entries e order by seq"""
POINTS = """select to_jsonb(c) from checkpoints c order by phase"""


def seen(pair: Pair) -> list[Any]:
    red = pair.red
    return [red.view(), red.record(), pair.blue.record(), red.get("/export"), red.get("/notes"), red.get("/chat")]


def test_a_packed_game_comes_back_as_it_was(over: Pair, sql: Sql, sweep: Sweep, client: TestClient) -> None:
    before, rows, points = seen(over), sql(ALL), sql(POINTS)
    entries, checkpoints, _ = sql(ROWS)[0]
    assert entries > 15
    assert checkpoints > 3
    stored = sql("select sum(octet_length(told)) from entries")[0][0]
    sweep()
    assert sql(ROWS) == [(0, 0, 1)]
    assert sql("select archived, thawed_at from games") == [(True, None)]
    assert sql("select octet_length(body) from archives")[0][0] < stored
    lobby = over.red.browser.get("/api/lobby").json()["mine"][0]
    assert (lobby["state"], sql(ROWS)[0][2]) == ("finished", 1)  # a list opens nothing
    client.app.state.games.store.drop(over.red.game)  # type: ignore[attr-defined]
    assert seen(over) == before
    assert sql(ROWS) == [(entries, checkpoints, 0)]
    assert (sql(ALL), sql(POINTS)) == (rows, points)
    sweep()
    assert sql(ROWS) == [(entries, checkpoints, 0)]  # it was looked at just now
    sql("update games set thawed_at = now() - interval '8 days'")
    sweep()
    assert sql(ROWS) == [(0, 0, 1)]
    assert over.blue.record() == before[2]


@pytest.mark.usefixtures("over")
def test_only_what_is_over_for_long_is_packed(sql: Sql, sweep: Sweep, limit: Any) -> None:
    sql("update games set finished_at = now() - interval '100 days'")
    sweep()
    assert sql("select count(*) from archives") == [(0,)]
    limit("ARCHIVE_DAYS", 0)
    sql("update games set finished_at = now() - interval '9 years'")
    sweep()
    assert sql("select count(*) from archives") == [(0,)]
    limit("ARCHIVE_DAYS", 30)
    sql("update games set status = 'active'")
    sweep()
    assert sql("select count(*) from archives") == [(0,)]


def test_the_command_packs_exports_and_takes_out(over: Pair, command: Command, sql: Sql, tmp_path: Path) -> None:
    assert command("archive", "--days", "1000") == (0, {"archived": 0})
    assert command("archive", "--days", "30") == (0, {"archived": 1})
    file = tmp_path / "game.json"
    assert command("export-game", over.red.game, str(file))[0] == 0
    assert main(["verify-dice", str(file)]) == 0
    assert json.loads(file.read_text())["entries"][0]["kind"] == "start"
    sql("update games set thawed_at = null")
    assert command("archive", "--days", "30") == (0, {"archived": 1})
    assert command("archive", "--thaw") == (0, {"thawed": 1})
    assert sql(ROWS)[0][2] == 0


def test_a_packed_game_can_be_rewound(over: Pair, sql: Sql, sweep: Sweep, staff: dict[str, TestClient]) -> None:
    to = [e["seq"] for e in over.red.record() if e["kind"] == "answer" and not e["forced"]][-1]
    sql("update games set visibility = 'private'; delete from rated_games")
    sweep()
    page = staff["director"].get(f"/admin/games/{over.red.game}").text
    assert "was packed away" in page
    sql("update games set thawed_at = null")
    sweep()
    assert sql(ROWS)[0][2] == 1
    done = staff["director"].post(f"/admin/games/{over.red.game}/rewind", data={"reason": "a test", "to": str(to)})
    assert done.status_code == 303, done.text
    assert over.red.view()["card"]["state"] == "active"


def test_a_record_a_chat_and_a_desk_hold_so_much(pair: Pair, limit: Any, staff: dict[str, TestClient]) -> None:
    limit("MOST_ENTRIES", pair.red.seq + 1)
    limit("CHAT_BYTES", 10)
    limit("DESK_BYTES", 90)
    pair.red.answer(move("a", "b"))
    last = pair.red.record()[-1]["seq"]
    refused = pair.red.answer(PASS, expect=400)
    assert refused["error"]["key"] == "games.record_full"
    assert str(last) in refused["error"]["text"]
    assert pair.red.post("/take-back", {"to": last}, 400)["error"]["key"] == "games.record_full"
    pair.red.post("/chat", {"text": "ñandú"})
    assert pair.red.post("/chat", {"text": "four"}, 400)["error"]["key"] == "games.chat_full"
    pair.red.put("/notes", {"text": "x" * 40})
    full = pair.red.put("/plans", {"arrows": [["a", "b"]], "rings": ["a"] * 10, "notes": {}}, 400)
    assert full["error"]["key"] == "games.desk_full"
    pair.red.put("/notes", {"text": ""})
    pair.red.put("/plans", {"arrows": [["a", "b"]], "rings": ["a"], "notes": {}})
    assert pair.red.put("/notes", {"text": "x" * 70}, 400)["error"]["key"] == "games.desk_full"
    page = staff["admin"].get(f"/admin/games/{pair.red.game}").text
    assert "1 line" in page
    assert f"{last} entries" in page
    assert f"{last} of at most {last} entries" in staff["admin"].get("/admin/jobs").text
    pair.red.post("/resign")
