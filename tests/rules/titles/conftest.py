"""Every game of these folders is whole when its test is over."""

from collections.abc import Iterator

import pytest

from tests.rules.building import GAMES, check_whole


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    GAMES.clear()
    yield
    for game in GAMES:
        check_whole(game)
