"""Every route, tried by everybody: who is let in, who is not, and that nothing changes for those who are not."""

import re
from typing import Any

import pytest

from tests.app.access.stage import ROLES, Stage, every_route
from tests.app.access.table import NOT_NOW, ROUTES

DEFAULTS = {"{game_id}": "{game}", "{event_id}": "{event}", "{league_id}": "{league}"}


def filled(value: Any, at: dict[str, str]) -> Any:
    """With what stands for the names in braces."""
    if isinstance(value, dict):
        return {name: filled(one, at) for name, one in value.items()}
    if not isinstance(value, str):
        return value
    for name, other in DEFAULTS.items():
        value = value.replace(name, other)
    return re.sub(r"\{(\w+)\}", lambda found: at[found[1]], value)


def outcome(answer: Any) -> str:
    """A letter of the table, or the status."""
    if answer.status_code == 401 or answer.headers.get("location", "").startswith("/sign-in"):
        return "S"
    known = {403: "F", 404: "N", 400: "A", 409: "A"}
    return "A" if answer.status_code < 400 else known.get(answer.status_code, str(answer.status_code))


def test_the_table_has_every_route() -> None:
    here = [(method, path) for method, path, *_ in ROUTES]
    assert len(here) == len(set(here))
    assert set(here) == set(every_route()) - {("WEBSOCKET", "/api/games/{game_id}/socket")}


def tried(stage: Stage, few: tuple[str, ...]) -> list[str]:
    """What went otherwise than the table says. Of those who may, only `few` are tried once one of them could."""
    wrong = []
    for method, path, who, body, address in ROUTES:
        to, said = filled(address or path, stage.at), filled(body, stage.at)
        stage.keep()
        stage.touched()
        gave: dict[str, int] = {}
        for allowed in (False, True):  # those who are refused come first: nothing may have changed after them
            for role, letter in zip(ROLES, who, strict=True):
                enough = role not in few and min(gave.values(), default=500) < 400
                if (letter == "A") is not allowed or (allowed and enough):
                    continue
                answer = stage.send(role, method, to, said)
                done = answer.status_code == 404 and min(gave.values(), default=404) < 400  # by one who came before
                if outcome(answer) != letter and not (allowed and done):
                    wrong.append(f"{role}: {method} {to}: {answer.status_code} for {letter} {answer.text[:300]}")
                if allowed:
                    gave[role] = answer.status_code
                    stage.keep()
            if not allowed and (changed := stage.touched()):
                wrong.append(f"refused, but changed: {method} {to}: {changed}")
        if gave and min(gave.values()) >= 400 and path not in NOT_NOW:
            wrong.append(f"nobody could: {method} {to}: {gave}")
    return wrong


def test_everybody_gets_what_the_table_says(stage: Stage) -> None:
    assert not tried(stage, ("seat", "banned", "support"))


@pytest.mark.long
def test_everybody_gets_what_the_table_says_one_by_one(stage: Stage) -> None:
    assert not tried(stage, ROLES)
