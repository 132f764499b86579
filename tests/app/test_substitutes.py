"""Somebody else in the place of a player whose time is up, in games of no event."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import timing
from tests.app.conftest import MakePair, Person, Sql
from tests.app.toy_table import PASS, Pair

DAYS = {"kind": "days", "days": 3, "bank": 7}
Late = Callable[..., Pair]


@pytest.fixture
def late(make_pair: MakePair, monkeypatch: pytest.MonkeyPatch) -> Late:
    """A game in which Ana's time is up and Bea has asked for a substitute."""

    def make(**wishes: Any) -> Pair:
        pair = make_pair(pace=DAYS, **wishes)
        pair.seal()
        pair.hide()
        monkeypatch.setattr(timing, "now", lambda: datetime.now(UTC) + timedelta(days=11))
        pair.blue.post("/clock/substitute")
        return pair

    return make


def take(browser: TestClient, game: str, token: str = "") -> Any:
    return browser.post(f"/games/{game}/substitute", data={"token": token})


def test_whoever_reads_the_lobby_steps_in_with_a_full_clock(late: Late, person: Person, sql: Sql) -> None:
    pair, cid = late(), person("Cid")
    game, at = pair.red.game, f"/games/{pair.red.game}/substitute"
    (card,) = cid.get("/api/lobby").json()["substitutes"]
    assert (card["id"], card["wants_substitute"]) == (game, "red")
    assert at in cid.get("/").text
    assert "listed in the lobby" in pair.blue.browser.get(f"/games/{game}/clock").text
    assert "Play on as" in cid.get(at).text
    assert pair.red.browser.get("/api/lobby").json()["substitutes"] == []
    assert take(pair.blue.browser, game).status_code == 409
    assert take(cid, game).headers["location"] == f"/games/{game}"
    shown = cid.get(f"/api/games/{game}").json()
    assert (shown["your_seats"], shown["seats"]["red"]["name"], shown["wants_substitute"]) == (["red"], "Cid", None)
    assert datetime.fromisoformat(shown["clock"]["seats"]["red"]["deadline"]) > timing.now() + timedelta(days=9)
    assert cid.get("/api/lobby").json()["substitutes"] == []
    assert take(person("Dora"), game).status_code == 409
    assert cid.get(at).headers["location"] == f"/games/{game}"
    assert "Cid plays on in your place" in pair.red.browser.get("/notices").text
    assert "Cid plays on in the place of your opponent" in pair.blue.browser.get("/notices").text
    answered = cid.post(f"/api/games/{game}/answers",
                        json={"seq": shown["seq"], "key": "12345678", "answer": PASS})  # fmt: skip
    assert answered.status_code == 200, answered.text
    pair.blue.post("/resign")
    assert sql("select count(*) from rated_games") == [(0,)], "rated for nobody"


def test_a_private_game_has_a_link_for_it(late: Late, person: Person) -> None:
    pair, cid = late(visibility="private"), person("Cid")
    game = pair.red.game
    assert cid.get("/api/lobby").json()["substitutes"] == []
    assert cid.get(f"/games/{game}/substitute").status_code == 404
    assert take(cid, game).status_code == 404
    assert "/substitute?t=" not in pair.red.browser.get(f"/games/{game}/clock").text
    found = re.search(rf"/games/{game}/substitute\?t=([\w-]+)", pair.blue.browser.get(f"/games/{game}/clock").text)
    assert found
    assert found[1] in cid.get(found[0]).text
    assert take(cid, game, found[1]).status_code == 303


def test_nobody_kept_apart_or_refused_by_conditions_steps_in(late: Late, person: Person, sql: Sql) -> None:
    pair, cid = late(), person("Cid")
    sql("""update games set conditions = '{"most_time_outs": null, "least_rated": 3}'""")
    assert take(cid, pair.red.game).status_code == 403
    assert pair.blue.browser.post("/api/players/Cid/block").status_code == 204
    assert cid.get("/api/lobby").json()["substitutes"] == []
    assert take(cid, pair.red.game).status_code == 404


def test_an_answer_ends_the_search(late: Late, person: Person) -> None:
    pair, cid = late(), person("Cid")
    pair.red.answer(PASS)
    assert cid.get(f"/games/{pair.red.game}/substitute").status_code == 303
    assert take(cid, pair.red.game).status_code == 409


def test_who_was_replaced_takes_no_other_side(late: Late, person: Person, sql: Sql) -> None:
    """Ana, who has seen red's coins, may come back for red, not for blue."""
    pair, cid = late(), person("Cid")
    ana, game = pair.red.browser, pair.red.game
    assert take(cid, game).status_code == 303
    sql("update games set wants_substitute = 'blue'")
    assert ana.get(f"/games/{game}/substitute").status_code == 200
    refused = take(ana, game)
    assert (refused.status_code, "seen this game from another side" in refused.text) == (409, True)
    as_json = ana.post(f"/api/games/{game}/substitute", json={})
    assert (as_json.status_code, as_json.json()["error"]["key"]) == (409, "games.sat_elsewhere")
    sql("update games set wants_substitute = 'red'")
    assert take(ana, game).status_code == 303


def test_who_opened_the_position_sits_nowhere(late: Late, staff: dict[str, TestClient], sql: Sql) -> None:
    pair = late()
    sql(f"""insert into audit (by_user, deed, game_id, reason, args)
            select id, 'position', '{pair.red.game}', 'x', '{{}}' from users where name = 'Director'""")
    assert take(staff["director"], pair.red.game).status_code == 409
    assert take(staff["moderator"], pair.red.game).status_code == 303


def test_a_seat_is_taken_over_as_json_too(late: Late, person: Person) -> None:
    pair, cid = late(visibility="private"), person("Cid")
    at = f"/api/games/{pair.red.game}/substitute"
    assert cid.post(at, json={}).status_code == 404
    link = re.search(r"/substitute\?t=([\w-]+)", pair.blue.browser.get(f"/games/{pair.red.game}/clock").text)
    assert link
    taken = cid.post(at, json={"token": link[1]})
    assert (taken.status_code, taken.json()["your_seats"]) == (200, ["red"])
    assert cid.post(at, json={"token": link[1]}).status_code == 409
