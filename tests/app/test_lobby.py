"""The lobby: making, finding, joining and leaving games, in forms and over HTTP."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import texts
from app.lobby.titles import titles
from app.rulebook.book import options_explained

Person = Callable[[str], TestClient]
FORM = {
    "title": "triple_alliance",
    "scenario": "war",
    "seat": "paraguay",
    "opponent": "person",
    "visibility": "private",
    "policy": "run",
}


def create(browser: TestClient, **changes: str) -> str:
    """The address a made game's form leads to."""
    answer = browser.post("/games?title=triple_alliance", data=FORM | changes)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def lobby(browser: TestClient) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = browser.get("/api/lobby").json()
    return found


def test_home_says_what_this_is_to_strangers_and_lists_games_to_players(person: Person, client: TestClient) -> None:
    assert "keeps every rule" in client.get("/").text
    page = person("Ana").get("/").text
    assert "You play no game yet" in page
    assert "Nobody is looking for an opponent" in page


@pytest.mark.parametrize("title", titles())
def test_every_reading_is_explained_with_its_clause(title: str) -> None:
    options = {name for scenario in titles()[title].scenarios.values() for name in scenario.options}
    for lang in texts.LANGUAGES:
        explained = options_explained(title, lang)
        assert explained.keys() == options
        assert all(len(words) > 20 for _clause, words in explained.values())


def test_who_has_not_played_yet_is_offered_the_computer_first(person: Person) -> None:
    ana, chosen = person("Ana"), re.compile(r'name="opponent" value="(\w+)" checked')
    assert chosen.findall(ana.get("/games/new").text) == ["bot"]
    create(ana)
    page = ana.get("/games/new?title=chaco").text
    assert chosen.findall(page) == ["person"]
    assert '<details class="folded">' in page, "readings are folded until somebody wants them"
    refused = ana.post("/games?title=chaco", data=FORM | {"title": "chaco", "scenario": "boqueron", "policy": "x"})
    assert refused.status_code == 422
    assert '<details class="folded" open>' in refused.text


def test_a_list_says_where_a_game_stands_and_which_side_is_ones_own(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    at = create(ana, visibility="open")
    assert bea.post(at, data={"seat": "allied"}).status_code == 303
    page = bea.get("/").text
    assert re.search(r'<li class="seat own[^"]*"[^>]*>\s*<span class="side">Triple Alliance', page)
    assert page.count('class="seat own') == 1
    (mine,) = lobby(bea)["mine"]
    assert (mine["turn"], mine["stage"], mine["event"]) in ((0, "set_up", None), (None, None, None))
    if mine["stage"]:
        assert "Set-up" in page


def test_a_private_game_is_joined_by_its_link(person: Person, client: TestClient) -> None:
    ana, bea = person("Ana"), person("Bea")
    page = ana.get(create(ana)).text
    link = re.search(r'value="http://testserver(/games/\w+/join\?t=[^"]+)"', page)
    assert link
    bare = link[1].partition("?")[0]
    assert lobby(bea)["open"] == []
    assert bea.get(bare).status_code == 404
    assert bea.post(bare, data={"seat": "allied"}).status_code == 404
    invitation = client.get(link[1]).text
    assert "/sign-up?next=/games/" in invitation
    assert "To take a side" in invitation
    token = link[1].partition("t=")[2]
    assert "Play Triple Alliance" in bea.get(link[1]).text
    answer = bea.post(bare, data={"seat": "allied", "token": token})
    assert answer.headers["location"] == bare.removesuffix("/join")
    (mine,) = lobby(bea)["mine"]
    assert (mine["state"], mine["your_seats"], mine["policy"]) == ("active", ["allied"], "run")
    assert mine["join_token"] is None
    assert {seat: who["name"] for seat, who in mine["seats"].items()} == {"allied": "Bea", "paraguay": "Ana"}


def test_an_open_game_is_listed_until_it_begins(person: Person) -> None:
    ana, bea, eva = person("Ana"), person("Bea"), person("Eva")
    create(ana, visibility="open")
    (card,) = lobby(bea)["open"]
    assert (card["created_by"], card["state"], card["join_token"]) == ("Ana", "open", None)
    assert lobby(ana)["open"] == []
    assert "Join" in bea.get("/").text
    joined = bea.post(f"/api/games/{card['id']}/join", json={"seat": "allied"})
    assert joined.json()["state"] == "active"
    assert lobby(eva)["open"] == []
    assert eva.post(f"/api/games/{card['id']}/join", json={"seat": "allied"}).status_code == 409
    assert eva.get(f"/games/{card['id']}/join").headers["location"] == f"/games/{card['id']}"


def test_a_taken_seat_stays_taken(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    create(ana, visibility="open")
    game = lobby(bea)["open"][0]["id"]
    assert bea.post(f"/api/games/{game}/join", json={"seat": "paraguay"}).status_code == 409
    assert bea.post(f"/api/games/{game}/join", json={"seat": "nobody"}).status_code == 400
    assert bea.post("/api/games/xxxxxxxx/join", json={"seat": "allied"}).status_code == 404


def test_both_sides_at_one_screen_begin_at_once(person: Person) -> None:
    ana = person("Ana")
    address = create(ana, opponent="both")
    assert not address.endswith("/join")
    (mine,) = lobby(ana)["mine"]
    assert mine["your_turn"]
    assert set(mine["your_seats"]) == {"allied", "paraguay"}
    assert "Your turn" in ana.get("/").text


def test_a_bot_takes_the_other_side(person: Person) -> None:
    ana = person("Ana")
    create(ana, opponent="bot", bot="random", seat="allied")
    (mine,) = lobby(ana)["mine"]
    assert mine["state"] == "active"
    assert mine["seats"]["paraguay"]["bot"] == "random"


def test_my_turn_comes_first(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    create(ana, opponent="both")
    create(ana, visibility="open")
    create(ana, visibility="open", seat="allied")
    for card, seat in zip(lobby(bea)["open"], ("paraguay", "allied"), strict=True):
        assert bea.post(f"/api/games/{card['id']}/join", json={"seat": seat}).status_code == 200
    turns = [card["your_turn"] for card in lobby(ana)["mine"]]
    assert turns == sorted(turns, reverse=True)
    assert set(turns) == {True, False}


def test_leaving_gives_the_game_up_before_it_begins_only(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    create(ana, visibility="open")
    first = lobby(ana)["mine"][0]["id"]
    assert bea.post(f"/api/games/{first}/leave").status_code == 403
    assert ana.post(f"/games/{first}/leave").headers["location"] == "/"
    assert lobby(ana)["mine"] == lobby(bea)["open"] == []
    create(ana, visibility="open")
    second = lobby(ana)["mine"][0]["id"]
    bea.post(f"/api/games/{second}/join", json={"seat": "allied"})
    assert bea.post(f"/api/games/{second}/leave").status_code == 409


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"scenario": "peace"}, 400), ({"seat": "chile"}, 400), ({"policy": "always"}, 422), ({"opponent": "bot"}, 400)],
)
def test_a_game_that_can_not_be_is_refused(person: Person, changes: dict[str, str], status: int) -> None:
    ana = person("Ana")
    answer = ana.post("/games?title=triple_alliance", data=FORM | changes)
    assert answer.status_code == status
    assert 'class="alert"' in answer.text
    assert ana.post("/api/games", json=FORM | changes).status_code == status
    assert lobby(ana)["mine"] == []


def test_the_form_offers_every_option_of_the_title_and_keeps_what_was_chosen(person: Person) -> None:
    ana = person("Ana")
    title = titles()["triple_alliance"]
    page = ana.get("/games/new").text
    chosen = {}
    for name, values in title.options.items():
        assert page.count(f'name="option.{name}"') == len(values)
        chosen[f"option.{name}"] = str(len(values) - 1)
    create(ana, **chosen)
    (mine,) = lobby(ana)["mine"]
    assert mine["options"] == {name: values[-1] for name, values in title.options.items()}


def test_deleting_an_account_resigns_its_games(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    create(ana, visibility="open")
    game = lobby(bea)["open"][0]["id"]
    bea.post(f"/api/games/{game}/join", json={"seat": "allied"})
    create(ana, visibility="open")
    assert ana.request("DELETE", "/api/account", json={"password": "correct horse battery"}).status_code == 204
    (mine,) = lobby(bea)["mine"]
    assert (mine["state"], mine["result"]["winner"]) == ("finished", "allied")
    assert mine["seats"]["paraguay"]["name"].startswith("deleted:")
    assert lobby(bea)["open"] == []
    assert "Won by Triple Alliance" in bea.get("/").text


def test_a_player_s_page_counts_games(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    create(ana, opponent="both")
    assert client.get("/api/players/ana").json()["playing"] == 1
    assert "Games running" in client.get("/players/Ana").text
    assert client.get("/players/Nobody").status_code == 404


def test_strangers_sign_in_first(client: TestClient) -> None:
    assert client.get("/games/new").headers["location"] == "/sign-in?next=/games/new"
    assert client.get("/api/lobby").status_code == 401
    assert client.post("/api/games", json=FORM).status_code == 401


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_title_has_the_texts_that_the_lobby_shows(lang: str) -> None:
    for title in titles().values():
        wanted = {"title.name", "title.subtitle", "title.blurb"}
        for name, scenario in title.scenarios.items():
            wanted |= {f"scenario.{name}", f"scenario.{name}.briefing"}
            for seats in scenario.seatings.values():
                wanted |= {f"seat.{word}" for word in (*seats, *seats.values())}
        for option, values in title.options.items():
            wanted |= {f"option.{option}", *(f"option.{option}.{str(value).lower()}" for value in values)}
        assert wanted <= texts.title(title.id, lang).keys()


def test_openapi_names_every_call(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"/api/account", "/api/session", "/api/lobby", "/api/games", "/api/games/{game_id}/join"} <= paths.keys()
    assert not {"/", "/sign-in", "/account", "/health"} & paths.keys()
