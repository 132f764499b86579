"""The card of a game that is over, who sees it, and the rematch."""

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.app.conftest import MakePair, Person, Sql
from tests.app.test_guests import begin, sealed
from tests.app.toy_table import Pair
from tests.conftest import another


@pytest.fixture
def over(make_pair: MakePair) -> Pair:
    pair = make_pair(visibility="open")
    pair.seal()
    pair.hide()
    pair.to_the_end()
    return pair


def test_a_game_that_is_over_has_a_card(over: Pair, client: TestClient, sql: Sql) -> None:
    game = over.red.game
    for browser in (over.red.browser, over.blue.browser, client):
        page = browser.get(f"/games/{game}/result")
        assert page.status_code == 200
        assert 'data-check="' + game in page.text
        assert ("/rematch" in page.text) == (browser is not client)
        assert "Time to answer" in page.text
    skill = '{"mu": %s, "sigma": 8}'
    sql(f"""insert into rated_games (game_id, title, scenario, first_user, second_user, score, expected, first_before,
            second_before, first_after, second_after)
        select r.game_id, 'toy', 'duel', r.user_id, b.user_id, 1, 0.5, '{skill % 25}', '{skill % 25}', '{skill % 27}',
            '{skill % 23}'
        from seats r join seats b on b.game_id = r.game_id and b.seat = 'blue'
        where r.game_id = '{game}' and r.seat = 'red' on conflict do nothing""")
    assert "Rating" in client.get(f"/games/{game}/result").text
    client.cookies.set("lang", "es")
    assert "Puntuación" in client.get(f"/games/{game}/result").text


def test_a_game_that_runs_has_none(make_pair: MakePair, client: TestClient) -> None:
    pair = make_pair(visibility="open")
    pair.seal()
    game = pair.red.game
    assert pair.red.browser.get(f"/games/{game}/result").headers["location"] == f"/games/{game}"
    assert pair.red.browser.post(f"/games/{game}/rematch").status_code == 409
    hidden = make_pair(visibility="private").red.game
    assert client.get(f"/games/{hidden}/result").status_code == 404


def test_a_rematch_of_people_changes_the_sides_and_asks_the_other(over: Pair, person: Person) -> None:
    red, blue, game = over.red.browser, over.blue.browser, over.red.game
    assert person("Cid").post(f"/games/{game}/rematch").status_code == 403
    there = red.post(f"/games/{game}/rematch").headers["location"]
    again = there.removeprefix("/games/").removesuffix("/join")
    card = red.get(f"/api/games/{again}").json()
    assert (card["your_seats"], card["state"], card["visibility"]) == (["blue"], "open", "private")
    [asked] = blue.get("/api/lobby").json()["invitations"]
    assert asked["card"]["id"] == again if "card" in asked else again in str(asked)
    assert blue.post(f"/api/games/{again}/join", json={"seat": "red"}).status_code in (200, 404)


def test_a_guest_plays_the_computer_again(toy: None, client: TestClient, api: FastAPI) -> None:  # noqa: ARG001
    guest = another(client, api)
    game = begin(guest)
    sealed(guest, game).post("/resign")
    assert guest.get(f"/games/{game}/result").status_code == 200
    again = guest.post(f"/games/{game}/rematch").headers["location"].removeprefix("/games/")
    card = guest.get(f"/api/games/{again}").json()
    assert (card["your_seats"], card["seats"]["red"]["bot"]) == (["blue"], "heuristic")
    assert client.post(f"/games/{game}/rematch").status_code in (401, 404, 303)
