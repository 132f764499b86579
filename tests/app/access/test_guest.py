"""A guest at every door: where not everybody is let in he is nobody, but for what it takes to play his own game."""

import pytest

from tests.app.access.stage import ROLES, Stage
from tests.app.access.table import AT_HIS_GAME, ROUTES
from tests.app.access.test_routes import filled, outcome

ELSEWHERE = {"/games/{game_id}/join", "/games/{game_id}/substitute", "/games/{game_id}/clock"}  # of games of people


@pytest.fixture
def own(stage: Stage) -> str:
    """The game of a guest, who is the stage's eleventh role."""
    stage.browsers["guest"] = stage.browsers["anonymous"]
    there = stage.send("guest", "POST", "/titles/toy/play")
    stage.cookies["guest"] = there.cookies["session"]
    stage.sql("insert into kept_sessions select s.* from sessions s join users u on u.id = s.user_id where u.guest")
    return str(there.headers["location"].removeprefix("/games/"))


@pytest.mark.usefixtures("own")
def test_elsewhere_he_gets_what_somebody_unknown_does(stage: Stage) -> None:
    wrong = []
    for method, path, who, body, address in ROUTES:
        letter = dict(zip(ROLES, who, strict=True))["anonymous"]
        if letter == "A":
            continue
        if letter == "S" and (method, path) in AT_HIS_GAME:
            letter = "F"  # known, but not there
        stage.keep()
        stage.touched()
        answer = stage.send("guest", method, filled(address or path, stage.at), filled(body, stage.at))
        if outcome(answer) != letter:
            wrong.append(f"{method} {path}: {answer.status_code} for {letter} {answer.text[:200]}")
        if changed := stage.touched():
            wrong.append(f"changed: {method} {path}: {changed}")
    assert not wrong


def test_at_his_game_he_does_what_it_takes_to_play(stage: Stage, own: str) -> None:
    wrong = []
    last = ("/resign",)  # after which nothing more can be done
    for method, path, who, body, address in sorted(ROUTES, key=lambda route: route[1].endswith(last)):
        if "{game_id}" not in path or path in ELSEWHERE:
            continue
        stage.keep()
        at = address if address is not None and "{game_id}" in address else path
        answer = stage.send("guest", method, at.replace("{game_id}", own), filled(body, stage.at))
        may = (method, path) in AT_HIS_GAME or (method == "GET" and who[0] == "A")
        if (outcome(answer) == "A") != may:
            wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
    assert not wrong
