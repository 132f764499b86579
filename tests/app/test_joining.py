"""What is asked of who joins an open game, and refusals that are told on its page."""

from typing import Any

import pytest

from tests.app.conftest import Person, Sql
from tests.app.toy_table import new_game

pytestmark = pytest.mark.usefixtures("toy")

ASKED = {"most_time_outs": 20, "least_rated": 2}


def finished(sql: Sql, name: str, late: int, played: int) -> None:
    """Games that somebody finished as red, some of them lost on time."""
    for n in range(late + played):
        key, winner = ("result.time_out", "blue") if n < late else ("result.points", "red")
        sql(f"""insert into games (id, title, scenario, data_digest, rules_version, schema, status, visibility,
                join_token, policy, dice_seed, created_by, result)
            select '{name}{n}', 'toy', 'duel', (select min(digest) from data_sets), '1', 1, 'finished', 'open', 'x',
                'run', '', id, '{{"key": "{key}", "winner": "{winner}"}}' from users where name = '{name}'""")
        sql("insert into seats (game_id, seat, side, place, user_id) "
            f"select '{name}{n}', 'red', 'red', 0, id from users "
            f"where name = '{name}'")  # fmt: skip


def rated(sql: Sql, name: str, games: int) -> None:
    sql(f"insert into ratings (user_id, title, mu, sigma, games) select id, '', 25, 8, {games} from users "
        f"where name = '{name}'")  # fmt: skip


def test_an_open_game_says_what_it_asks_and_refuses_who_has_it_not(person: Person, sql: Sql) -> None:
    ana, bea = person("Ana"), person("Bea")
    game = new_game(ana, visibility="open", conditions=ASKED)
    assert game["conditions"] == ASKED
    lobby = bea.get("/").text
    assert "at most 20 % of games lost on time, at least 2 rated games" in lobby
    wish = {"seat": "blue"}
    at = f"/api/games/{game['id']}/join"
    refused = bea.post(at, json=wish)
    assert (refused.status_code, refused.json()["error"]["key"]) == (403, "lobby.too_few_rated")
    assert "you have finished 0" in refused.json()["error"]["text"]
    rated(sql, "Bea", 2)
    finished(sql, "Bea", late=1, played=2)
    refused = bea.post(f"/games/{game['id']}/join", data=wish)
    assert refused.status_code == 403
    assert "at most 20 % of games lost on time; you have lost 33 % so" in refused.text
    assert "Asked of who joins" in refused.text
    sql("update games set result = null where id = 'Bea0'")
    assert bea.post(f"/games/{game['id']}/join", data=wish).headers["location"] == f"/games/{game['id']}"


def test_who_was_invited_by_name_need_not_show_anything(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    game = new_game(ana, visibility="open", conditions=ASKED)
    assert ana.post(f"/games/{game['id']}/invite", data={"player": "Bea"}).status_code == 303
    assert bea.post(f"/api/games/{game['id']}/join", json={"seat": "blue"}).status_code == 200


@pytest.mark.parametrize(
    ("wishes", "kept"),
    [
        ({"visibility": "open", "conditions": {}}, None),
        ({"visibility": "private", "conditions": ASKED}, None),
        ({"opponent": "both", "conditions": ASKED}, None),
        ({"visibility": "open", "conditions": {"least_rated": 3}}, {"most_time_outs": None, "least_rated": 3}),
    ],
)
def test_conditions_are_kept_where_they_make_sense(person: Person, wishes: dict[str, Any], kept: Any) -> None:
    assert new_game(person("Ana"), **wishes)["conditions"] == kept


def test_the_form_asks_too(person: Person) -> None:
    ana = person("Ana")
    form = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": "person",
            "visibility": "open", "policy": "run", "pace": "none"}  # fmt: skip
    made = ana.post("/games?title=triple_alliance", data={**form, "ask.late": "0", "ask.rated": ""})
    assert made.status_code == 303, made.text
    card = ana.get("/api/lobby").json()["mine"][0]
    assert card["conditions"] == {"most_time_outs": 0, "least_rated": 0}
    wrong = ana.post("/games?title=triple_alliance", data={**form, "ask.late": "101"})
    assert wrong.status_code == 422


def test_a_refused_invitation_is_told_on_the_page_of_the_game(person: Person) -> None:
    ana = person("Ana")
    game = new_game(ana, visibility="private")
    refused = ana.post(f"/games/{game['id']}/invite", data={"player": "Nobody"})
    assert refused.status_code == 404
    assert 'role="alert"' in refused.text
    assert 'value="Nobody"' in refused.text
    assert game["join_token"] in refused.text


def test_a_seat_that_is_taken_is_told_on_the_page_of_the_game(person: Person) -> None:
    game = new_game(person("Ana"), visibility="open")
    refused = person("Bea").post(f"/games/{game['id']}/join", data={"seat": "red"})
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text
