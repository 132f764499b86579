"""The toy title as one of the house's, and pairs of people at it."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

import rules.titles
from app.games import config, data, titles
from tests.app import toy_title
from tests.app.toy_table import OVERLAYS, Pair, Side, new_game

MakePair = Callable[..., Pair]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
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
