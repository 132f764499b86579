"""The stage of the tests of access: built once, then copied with its database."""

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app import postgres
from app.config import Settings
from app.games import stills
from app.main import furnish
from tests.app.access.stage import Stage, build
from tests.app.conftest import Sql, install_toy, sql_of
from tests.conftest import another, copied, signed_up


@pytest.fixture(scope="session")
def model(
    postgres_server: postgres.Server, application: FastAPI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Stage]]:
    """The name of a database, and the stage that was built in it; its application runs no longer."""
    with copied(postgres_server) as name:
        folder, url = tmp_path_factory.mktemp("stage"), postgres_server.url(name)
        furnish(application, Settings(data=folder, database_url=url, secret_key="known to the tests"))
        with pytest.MonkeyPatch.context() as patch, TestClient(application, follow_redirects=False) as client:
            install_toy(patch)
            stage = build(partial(signed_up, client, application), sql_of(client, application), client)
        yield name, stage


@pytest.fixture
def database_url(postgres_server: postgres.Server, request: pytest.FixtureRequest) -> Iterator[str]:
    """A copy of the stage's, where a test stands on it."""
    template = request.getfixturevalue("model")[:1] if "stage" in request.fixturenames else ()
    with copied(postgres_server, *template) as name:
        yield postgres_server.url(name)


@pytest.fixture
def stage(toy: None, model: tuple[str, Stage], sql: Sql, client: TestClient, api: FastAPI,  # noqa: ARG001
          monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The toy title has no drawings: still pictures are written as what they would show."""

    def written(_title: str, _sheet: Any, _data: Any, fragments: dict[str, Any], *_: Any, **__: Any) -> str:
        return json.dumps(fragments)

    stills._kept.clear()
    monkeypatch.setattr(stills, "on_sheet", written)
    monkeypatch.setattr(stills, "version", lambda _: "1")
    monkeypatch.setattr("app.sheet.sheets.Sheets.map", lambda *_: b"")
    for drawn in ("kit.url", "map_url"):
        monkeypatch.setattr(f"app.games.pages.{drawn}", lambda *_: "/static/none")
    monkeypatch.setattr("app.accounts.service.SEEN_STEP", timedelta(days=1))  # the model may be an hour old
    built = model[1]
    browsers = {role: another(client, api) for role in built.cookies} | {"anonymous": client}
    return Stage(browsers, sql, dict(built.at), dict(built.cookies))
