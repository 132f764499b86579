"""The toy title as one of the house's, and pairs of people at it."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import rules.titles
from app.cli import main
from app.config import Settings
from app.db import Database
from app.games import config, data, titles
from app.leagues import blocks
from tests.app import toy_title
from tests.app.club import Club
from tests.app.toy_table import OVERLAYS, Pair, Side, new_game

MakePair = Callable[..., Pair]
Person = Callable[[str], TestClient]
Sql = Callable[..., list[Any]]
Command = Callable[..., tuple[int, Any]]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    install_toy(monkeypatch)


def install_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARISCAL_OVERLAYS", str(OVERLAYS))
    monkeypatch.setenv("MARISCAL_BOT_PAUSE", "0")
    monkeypatch.setattr(rules.titles, "load", rules.titles.load)
    toy_title.install()
    for cached in (config.game_settings, data.files, data.current, titles.info):
        cached.cache_clear()


@pytest.fixture
def make_pair(toy: None, person: Callable[[str], TestClient]) -> MakePair:  # noqa: ARG001
    """Two people at a new game, Ana with red and Bea with blue."""
    ana, bea = person("Ana"), person("Bea")

    def make(**wishes: object) -> Pair:
        game = new_game(ana, **wishes)
        joined = bea.post(f"/api/games/{game['id']}/join", json={"seat": "blue", "token": game["join_token"]})
        assert joined.status_code == 200, joined.text
        return Pair(Side(ana, game["id"], "red"), Side(bea, game["id"], "blue"))

    return make


@pytest.fixture
def pair(make_pair: MakePair) -> Pair:
    """Two people whose dice are sealed and who have hidden their coins."""
    pair = make_pair()
    pair.seal()
    pair.hide()
    return pair


@pytest.fixture
def sql(client: TestClient, api: FastAPI) -> Sql:
    """Runs a statement; its rows."""
    return sql_of(client, api)


def sql_of(client: TestClient, api: FastAPI) -> Sql:
    async def run(statement: str) -> list[Any]:
        async with api.state.db.begin() as session:
            done = await (await session.connection()).exec_driver_sql(statement)
            return [tuple(row) for row in done] if done.returns_rows else []

    def call(statement: str) -> list[Any]:
        assert client.portal is not None
        return client.portal.call(run, statement)

    return call


@pytest.fixture
def staff(person: Person, sql: Sql) -> dict[str, TestClient]:
    """A browser for each role; `anonymous` is nobody's."""
    found = {role: person(f"{role.title()} One") for role in ("user", "moderator", "director", "admin")}
    sql("update users set name = split_part(name, ' ', 1), name_key = split_part(name_key, ' ', 1)")  # reserved names
    sql("update users set is_admin = true where name = 'Admin'")
    sql("update users set roles = array[lower(name)] where name in ('Moderator', 'Director')")
    anonymous = TestClient(found["user"].app, follow_redirects=False)
    anonymous.portal = found["user"].portal
    return {**found, "anonymous": anonymous}


@pytest.fixture
async def club(db: Database) -> AsyncIterator[Club]:
    blocks._sources.clear()
    yield Club(db)
    blocks._sources.clear()


@pytest.fixture
def command(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a subcommand on the test's database; exit code and the JSON it prints."""
    monkeypatch.setenv("DATABASE_URL", settings.database_url)

    def run(*words: str) -> tuple[int, Any]:
        capsys.readouterr()
        code = main([*words, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run
