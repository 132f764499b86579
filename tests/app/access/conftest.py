"""The stage of the tests of access."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.games import pages
from tests.app.access.stage import Stage, build
from tests.app.conftest import Sql


@pytest.fixture
def stage(toy: None, person: Callable[[str], TestClient], sql: Sql, client: TestClient,  # noqa: ARG001
          monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The toy title has no drawings: still pictures are written as what they would show."""

    def written(_title: str, _data: Any, fragments: dict[str, Any], *_: Any, **__: Any) -> bytes:
        return json.dumps(fragments).encode()

    monkeypatch.setattr(pages, "still", written)
    for drawn in ("kit.url", "map_url"):
        monkeypatch.setattr(f"app.games.pages.{drawn}", lambda *_: "/static/none")
    return build(person, sql, client)
