"""What each seat may know of a position, on every way out of the server; and the websocket, tried by everybody."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from tests.app.access.stage import ROLES, SIZES, Stage, pair_of
from tests.app.access.table import ROUTES
from tests.app.access.test_routes import filled
from tests.app.toy_table import new_key

SEES = {"seat": {"right"}, "support": {"right"}, "opponent": {"left"}}  # the places of the coins; others see none
PLACE = re.compile(r'[:\[,]\s*(?:"|&#34;)(left|right)(?:"|&#34;)(?!\s*:)')
LISTS = ("/", "/api/lobby", "/notices", "/api/notices", "/calendar/{calendar}.ics", "/admin/games", "/admin/jobs",
         "/admin/audit", "/admin/games/{game}?check=true", "/account/audit", "/friends")  # fmt: skip


def hidden_game(red: TestClient, blue: TestClient) -> str:
    """A game in which red's coin lies on the right, blue's on the left."""
    pair = pair_of(red, blue)
    pair.seal()
    for side, place in ((pair.red, "right"), (pair.blue, "left")):
        side.answer({"form": "hide", "placed": {"coin": place}})
    return pair.red.game


@pytest.fixture
def hidden(stage: Stage) -> Stage:
    seats = []
    for role in ("seat", "opponent"):
        stage.browsers[role].cookies.set("session", stage.cookies[role])
        seats.append(stage.browsers[role])
    stage.at["game"] = hidden_game(*seats)
    return stage


@SIZES
def test_nobody_is_told_what_a_seat_hides(hidden: Stage, whole: bool) -> None:
    """Every route of a game, with every seat asked for; and the lists that speak of games. In the sample each route is
    asked for the other's seat by one role only."""
    paths = [path for method, path, *_ in ROUTES if method == "GET" and "{game_id}" in path]
    tried = [f"{path}{query}" for path in paths for query in ("", "?seat=red", "?seat=blue")]
    tried += ["/games/{game_id}/still.svg?seq=3", "/api/games/{game_id}/record?since=1", *LISTS]
    seen: dict[str, set[str]] = {}
    askers = ("anonymous", "opponent", "seat", "admin", "support")
    for number, path in enumerate(tried):
        for role in (askers[number % 5],) if "?seat" in path and not whole else askers:
            answer = hidden.send(role, "GET", filled(path.replace("{number}", "1"), hidden.at))
            found = set(PLACE.findall(answer.text))
            assert found <= SEES.get(role, set()), f"{role}: {path}"
            seen.setdefault(role, set()).update(found)
    assert {role: places for role, places in seen.items() if places} == SEES, "the test sees what it looks for"


def test_an_admin_does_not_look_into_own_games(hidden: Stage) -> None:
    """Sue, who looks on as Ana, plays Ana: none of the game's routes shows her Ana's side, nor does the websocket."""
    ana, sue = hidden.browsers["seat"], hidden.browsers["support"]
    sue.cookies.set("session", hidden.cookies["support"])
    assert sue.post("/support/stop").status_code == 303
    game = hidden.at["game"] = hidden_game(ana, sue)
    assert sue.post(f"/admin/users/{hidden.at['ana']}/support", data={"reason": "help"}).status_code == 303
    paths = [path for method, path, *_ in ROUTES if method == "GET" and "{game_id}" in path]
    for path in paths:
        answer = hidden.send("support", "GET", filled(path, hidden.at))
        assert answer.status_code == 403, path
        assert not PLACE.search(answer.text), path
    for path in LISTS:
        assert not PLACE.search(hidden.send("support", "GET", filled(path, hidden.at)).text), path
    for seat in (None, "red"):
        said = first(hidden, "support", game, seat)
        assert said == 4403 if seat else not PLACE.search(str(said).replace("'", '"')), seat


# -- websocket ---------------------------------------------------------------------------------------

LETTERS = {  # as in the table of routes
    "answer": "FFAAFFFFFF", "preview": "FFAAFFFFFF", "reach": "FFAAFFFFFF", "view": "AAAAAAAAAA", "ping": "AAAAAAAAAA",
}  # fmt: skip
SAID: dict[str, dict[str, Any]] = {
    "answer": {"seq": 0, "answer": {"form": "end", "option": "pass"}},
    "preview": {"answer": {"form": "end", "option": "pass"}}, "reach": {"form": "move", "units": ["red"]},
}  # fmt: skip


def connect(stage: Stage, role: str, game: str, query: str = "") -> WebSocketTestSession:
    browser = stage.browsers[role]
    browser.cookies.clear()
    headers = {"cookie": f"session={stage.cookies[role]}"} if role in stage.cookies else {}
    return browser.websocket_connect(f"/api/games/{game}/socket{query}", headers=headers)


def first(stage: Stage, role: str, game: str, seat: str | None = None, token: str = "") -> Any:
    """The first message, or the code with which the line is closed."""
    query = f"?seat={seat}" if seat else f"?token={token}" if token else ""
    try:
        with connect(stage, role, game, query) as line:
            return line.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code


def test_every_message_by_everybody(hidden: Stage) -> None:
    from app.games.socket import Session

    assert set(Session(None, None, None).deeds) == set(LETTERS)  # type: ignore[arg-type]
    eyes = {"seat": "red", "support": "red", "opponent": "blue"}
    for place, role in enumerate(ROLES):
        with connect(hidden, role, hidden.at["game"]) as line:
            said = line.receive_json()
            assert said["view"]["eye"] == eyes.get(role, "public"), role
            hidden.touched()
            for kind, letters in LETTERS.items():
                line.send_json({"type": kind, "n": kind, "key": new_key(), **SAID.get(kind, {})} if kind == "answer"
                               else {"type": kind, "n": kind, **SAID.get(kind, {})})  # fmt: skip
                line.send_json({"type": "ping", "n": "end"})
                status = 200
                while (heard := line.receive_json()).get("n") != "end":
                    if heard["type"] == "refused":
                        status = heard["error"]["status"]
                assert ("F" if status == 403 else "A") == letters[place], f"{role}: {kind}: {status}"
            assert hidden.touched() == [] or "A" in LETTERS["preview"][place], role


def test_who_may_open_a_line(hidden: Stage) -> None:
    game, private = hidden.at["game"], hidden.at["private"]
    token = hidden.sql(f"select join_token from games where id = '{private}'")[0][0]
    for role in ROLES:
        mine = {"seat": "red", "support": "red", "opponent": "blue"}.get(role)
        for seat in ("red", "blue"):
            said = first(hidden, role, game, seat)
            assert said == 4403 if seat != mine else said["view"]["eye"] == seat, f"{role}: {seat}"
        closed = first(hidden, role, private)
        assert closed["view"]["eye"] == mine if mine else closed == 4404, role
        assert first(hidden, role, "zzzzzzzz") == 4404
        invited = first(hidden, role, private, token=token)
        assert invited["view"]["eye"] == (mine or "public"), role
