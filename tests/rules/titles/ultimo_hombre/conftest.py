"""Every game of this folder ends with all dice used that were laid out, no rule of the house broken, views that were
built up step by step equal to fresh ones, only known clauses named, and comes back the same from its checkpoint."""

from collections.abc import Iterator

import pytest

from rules.core.view import Views
from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.invariants import check
from tests.rules.titles.ultimo_hombre import builders


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    builders.GAMES.clear()
    yield
    for game in builders.GAMES:
        assert not game.dice, "dice were laid out that nobody rolled"
        check(game.pos)
        fresh = Views(TITLE.view, game.pos, TITLE.seats)
        assert game.views.contents == fresh.contents
        assert game.views.digest == fresh.digest
        known = set(builders.data().files["clauses"])
        assert {entry.clause for entry in game.log if entry.kind != "start"} <= known
        assert {step["clause"] for step in builders.told(game)} <= known
        again = builders.resumed(game)
        assert TITLE.encode(again.pos) == TITLE.encode(game.pos)
        for eye in game.views.eyes:
            assert again.request_for(eye) == game.request_for(eye)
