"""The pages and exports of leagues, as browsers use them."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import pages, texts
from app.config import ROOT
from app.leagues import limits
from app.lobby.titles import titles

Person = Callable[[str], TestClient]
FORM = {
    "name": "Spring Cup", "about": "For all.", "format": "round_robin", "board.triple_alliance.war": "on",
    "seeding": "joined", "pace": "days", "pace.days": "2", "pace.bank": "5", "rated": "true", "hosts_play": "true",
}  # fmt: skip


def make(browser: TestClient, **changes: str) -> str:
    """The address of a new event."""
    answer = browser.post("/events", data=FORM | changes)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def post(browser: TestClient, address: str, expect: Any = 303, **fields: Any) -> str:
    answer = browser.post(address, data=fields)
    assert answer.status_code == expect, answer.text
    return answer.text


def event(browser: TestClient, at: str) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/api{at}").json()
    return found


@pytest.fixture
def cup(person: Person) -> tuple[str, TestClient, TestClient, TestClient]:
    """An event of two that runs: its address, the organiser's browser, and the players'."""
    olga, ana, bea = person("Olga"), person("Ana"), person("Bea")
    at = make(olga)
    for browser in (ana, bea):
        post(browser, f"{at}/enter", **{"as": "player"})
    post(olga, f"{at}/start")
    return at, olga, ana, bea


def test_an_event_is_made_entered_and_played(
    cup: tuple[str, TestClient, TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    at, olga, ana, bea = cup
    shown = event(ana, at)
    assert (shown["state"], [one["name"] for one in shown["entrants"]]) == ("running", ["Ana", "Bea"])
    (pairing,) = shown["rounds"][0]["pairings"]
    card = ana.get(f"/api/games/{pairing['game']}").json()
    assert {who["name"] for who in card["seats"].values()} == {"Ana", "Bea"}
    assert card["pace"] == {"kind": "days", "days": 2, "bank": 5, "increment": 0, "policy": "claim"}
    home = ana.get("/").text
    mine, events = home.split('class="sheet events"')
    assert events.count(f'href="{at}">') == 2  # its name and its button: the event stands there once
    assert re.search(r"against\s*<a href=\"/players/Bea\"", events)
    assert f'<p class="of-event"><a href="{at}">' in mine  # its game says whose it is
    assert "Set-up" in mine
    assert bea.post(f"/api/games/{pairing['game']}/resign", json={}).status_code in (200, 204)
    shown = event(olga, at)
    assert shown["table"][0]["who"]["name"] == "Ana"
    for tab in ("", "/cross", "/schedule", "/rules", "/acts", "/direct", f"/pairings/{pairing['id']}", "/edit"):
        page = olga.get(at + tab)
        assert page.status_code == 200, page.text
        assert "leagues." not in re.sub(r"leagues\.css", "", page.text), "every text is in the catalogue"
    rows = list(csv.DictReader(io.StringIO(ana.get(f"/api{at}/table.csv").content.decode("utf-8-sig"))))
    assert [(row["name"], row["points"]) for row in rows] == [("Ana", "1"), ("Bea", "0")]
    (game,) = csv.DictReader(io.StringIO(ana.get(f"/api{at}/games.csv").content.decode("utf-8-sig")))
    assert (game["how"], game["game"]) == ("resigned", f"http://testserver/games/{pairing['game']}")
    monkeypatch.setattr(limits, "LARGE", 0)
    monkeypatch.setitem(limits.READING.__dict__, "hits", 3)
    large = (f"/api{at}", f"/api{at}/games.csv", f"{at}/schedule")
    assert [ana.get(path).status_code for path in (*large, *large)] == [200] * 3 + [429] * 3
    assert [ana.get(path).status_code for path in (at, f"{at}/cross", f"/api{at}/table.csv")] == [200] * 3
    ratings = ana.get("/ratings?title=triple_alliance").text
    assert "/ratings/players/Ana" in ratings
    assert "Balance of" in ratings
    assert "Bea" in ana.get("/ratings/players/Ana").text
    assert ana.get("/api/ratings", params={"title": "triple_alliance"}).json()[0]["name"] == "Ana"


def test_only_the_page_to_embed_may_be_framed(cup: tuple[str, TestClient, TestClient, TestClient]) -> None:
    at, _, ana, _ = cup
    embedded = ana.get(f"{at}/embed")
    assert "frame-ancestors *" in embedded.headers["content-security-policy"]
    assert "<nav" not in embedded.text
    assert "frame-ancestors 'none'" in ana.get(at).headers["content-security-policy"]


def test_only_directors_direct(cup: tuple[str, TestClient, TestClient, TestClient]) -> None:
    at, olga, ana, _ = cup
    (pairing,) = event(ana, at)["rounds"][0]["pairings"]
    board = f"{at}/pairings/{pairing['id']}"
    assert ana.get(f"{at}/direct").status_code == 404
    assert ana.get(f"{at}/edit").status_code == 403
    for address, fields in {
        f"{at}/start": {}, f"{at}/end": {"reason": "x"}, f"{at}/bots": {"bot": "random"},
        f"{at}/directors": {"name": "Ana"}, f"{at}/remove": {"entrant": pairing["second"]["id"], "reason": "x"},
        f"{at}/substitute": {"entrant": pairing["second"]["id"], "name": "Olga", "reason": "x"},
        f"{at}/pair": {"first": pairing["first"]["id"], "second": pairing["second"]["id"], "reason": "x"},
        f"{board}/rule": {"ruling": "first", "reason": "x"},
        f"{board}/postpone": {"to": "2099-01-01T10:00", "reason": "x"},
    }.items():  # fmt: skip
        post(ana, address, 403, **fields)
    olga.cookies.set("zone", "Europe/Madrid")
    assert "New date (Madrid)" in olga.get(board).text
    post(olga, f"{board}/postpone", to="2099-01-01T10:00", zone="Europe/Madrid", reason="A journey.")
    assert event(ana, at)["rounds"][0]["pairings"][0]["postponed_to"] == "2099-01-01T09:00:00Z"
    post(ana, f"{board}/claim", wish="draw", seq=3, text="Neither side can win.")
    assert "Neither side can win." in olga.get(f"{at}/direct").text
    assert f"/games/{pairing['game']}/replay?seq=3" in olga.get(board).text
    post(olga, f"{board}/rule", ruling="draw", reason="I agree.")
    shown = event(ana, at)
    assert shown["state"] == "finished"
    assert [act["kind"] for act in shown["acts"]] == ["finished", "ruled", "claimed", "postponed", "started"]
    assert "I agree." in ana.get(f"{at}/acts").text


def test_an_event_keeps_its_pace_and_who_takes_a_place_over_is_briefed(
    cup: tuple[str, TestClient, TestClient, TestClient], person: Person
) -> None:
    at, olga, ana, bea = cup
    (pairing,) = event(ana, at)["rounds"][0]["pairings"]
    place = next(pairing[one]["id"] for one in ("first", "second") if pairing[one]["name"] == "Bea")
    cid = person("Cid")
    post(olga, f"{at}/substitute", entrant=place, name="Cid", reason="Bea is ill.")
    board = f"{at}/pairings/{pairing['id']}"
    game = f"/api/games/{pairing['game']}/clock/propose"
    refused = ana.post(game, json={"what": "pace", "pace": None})
    assert (refused.status_code, refused.json()["error"]["key"]) == (403, "clocks.event_pace")
    assert "The pace is the event" in ana.get(f"/games/{pairing['game']}/clock").text
    assert "You have taken this place over" in cid.get(board).text
    for other in (olga, ana, bea):
        assert "You have taken this place over" not in other.get(board).text


def test_times_of_forms_are_those_of_the_zone_they_name(person: Person) -> None:
    olga = person("Olga")
    olga.cookies.set("zone", "America/Montevideo")
    assert "Date (Montevideo)" in olga.get("/events/new").text
    made = FORM | {"start": "date", "starts_at": "2099-07-01T10:30", "zone": "Europe/Madrid"}
    at = olga.post("/events", data=made).headers["location"]
    assert event(olga, at)["starts_at"] == "2099-07-01T08:30:00Z"
    form = olga.get(f"{at}/edit").text
    assert 'value="2099-07-01T05:30"' in form
    assert '<input type="hidden" name="zone" value="America/Montevideo">' in form
    again = olga.post("/events", data=made | {"name": ""})
    assert 'value="2099-07-01T10:30"' in again.text
    assert "Date (Madrid)" in again.text
    nowhere = olga.post("/events", data=made | {"zone": "Nowhere/Land"}).headers["location"]
    assert event(olga, nowhere)["starts_at"] == "2099-07-01T10:30:00Z"
    assert olga.post("/events", data=made | {"starts_at": "9999-12-31T23:59"}).status_code == 422


def test_a_form_that_can_not_be_shows_again_what_was_typed(person: Person) -> None:
    olga = person("Olga")
    page = olga.post("/events", data=FORM | {"start": "full", "capacity": ""})
    assert page.status_code == 422
    assert 'value="Spring Cup"' in page.text
    without = {name: value for name, value in FORM.items() if not name.startswith("board.")}
    assert olga.post("/events", data=without).status_code == 422
    assert olga.post("/events", data=without | {"board.chess.open": "on"}).status_code == 400
    assert olga.post("/events", data=FORM | {"start": "date", "starts_at": ""}).status_code == 400
    assert post(olga, "/events/nowhere/bots", 422)


def test_an_open_event_is_changed_by_its_form(person: Person) -> None:
    olga = person("Olga")
    at = make(olga, format="swiss", rounds="7", **{"break.1": "wins", "break.2": "wins", "break.3": "buchholz"})
    page = olga.get(f"{at}/edit").text
    assert re.search(r'name="rounds"[^>]*value="7"', page)
    post(olga, f"{at}/edit", **FORM | {"format": "swiss", "rounds": "4", "name": "Autumn Cup"})
    shown = event(olga, at)
    assert (shown["name"], shown["settings"]["rounds"]) == ("Autumn Cup", 4)


def test_only_admins_organise_where_the_admin_says_so(person: Person, client: TestClient, api: Any) -> None:
    admin, olga = person("Root"), person("Olga")
    link = client.portal.call(_admin_link, api)  # type: ignore[union-attr]
    assert admin.post(f"/first-admin/{link}").status_code == 303
    post(olga, "/leagues/organisers", 403, who="admins")
    post(admin, "/leagues/organisers", who="admins")
    assert olga.get("/events/new").status_code == 403
    assert olga.post("/events", data=FORM).status_code == 403
    assert "/events/new" not in olga.get("/leagues").text
    assert "/events/new" in admin.get("/leagues").text


async def _admin_link(api: Any) -> str:
    from app.accounts.service import first_admin_link

    async with api.state.db.begin() as session:
        return str(await first_admin_link(session))


def test_a_league_promotes_and_relegates(person: Person) -> None:
    olga = person("Olga")
    players = {name: person(name) for name in ("Ana", "Bea", "Carl", "Dora")}
    made = olga.post("/leagues", data=FORM | {"divisions": "2", "moving": "1"})
    assert made.status_code == 303, made.text
    league = made.headers["location"]
    post(olga, f"{league}/seasons")
    upper, lower = re.findall(r'<h3><a href="(/events/\w+)">', olga.get(league).text)
    for at, names in ((upper, ("Ana", "Bea")), (lower, ("Carl", "Dora"))):
        for name in names:
            post(players[name], f"{at}/enter", **{"as": "player"})
        post(olga, f"{at}/start")
        assert olga.post(f"{league}/seasons").status_code == 409
        (pairing,) = event(olga, at)["rounds"][0]["pairings"]
        players[names[1]].post(f"/api/games/{pairing['game']}/resign", json={})
        olga.post(f"{at}/end", data={"reason": "It is over."})  # unless it has ended by itself already
        assert event(olga, at)["state"] == "finished"
    post(olga, f"{league}/seasons")
    page = olga.get(league).text
    assert page.index("Season 2") < page.index("Season 1")
    new_upper, new_lower = re.findall(r'<h3><a href="(/events/\w+)">', page)[:2]
    assert [one["name"] for one in event(olga, new_upper)["entrants"]] == ["Ana", "Carl"]
    assert [one["name"] for one in event(olga, new_lower)["entrants"]] == ["Bea", "Dora"]


def test_strangers_look_and_sign_in_to_enter(person: Person, client: TestClient) -> None:
    at = make(person("Olga"))
    assert "Sign in to enter" in client.get(at).text
    assert client.post(f"{at}/enter", data={"as": "player"}).headers["location"].startswith("/sign-in")
    assert client.get("/leagues").status_code == 200
    assert client.get("/events/nowhere").status_code == 404
    assert client.get(f"{at}/elsewhere").status_code == 404


def test_bids_stay_secret_until_both_have_bid(person: Person) -> None:
    olga, ana, bea = person("Olga"), person("Ana"), person("Bea")
    at = make(olga, bids="true")
    for browser in (ana, bea):
        post(browser, f"{at}/enter", **{"as": "player"})
    post(olga, f"{at}/start")
    (pairing,) = event(ana, at)["rounds"][0]["pairings"]
    board = f"{at}/pairings/{pairing['id']}"
    assert board in ana.get("/").text
    post(ana, f"{board}/bid", seat="paraguay", points=4)
    assert event(bea, at)["rounds"][0]["pairings"][0]["bids"] == {}
    post(bea, f"{board}/bid", seat="paraguay", points=2)
    (pairing,) = event(olga, at)["rounds"][0]["pairings"]
    assert len(pairing["bids"]) == 2
    assert pairing["state"] == "playing"
    named = dict(zip((pairing["first"]["name"], pairing["second"]["name"]), pairing["seats"], strict=True))
    assert named["Ana"] == "paraguay"


KEYS = re.compile(r"t\('(leagues\.[a-z_.]+[a-z])'(?! ~)")


def test_every_text_of_the_templates_and_refusals_is_in_every_catalogue() -> None:
    wanted: set[str] = set()
    for path in (ROOT / "templates/leagues").rglob("*.html"):
        wanted |= set(KEYS.findall(path.read_text()))
    for path in (ROOT / "app/leagues").rglob("*.py"):
        wanted |= set(re.findall(r'"(leagues\.[a-z_]+)"', path.read_text())) - {"leagues.id"}
    assert len(wanted) > 100
    for lang in texts.LANGUAGES:
        assert wanted <= texts.site(lang).keys()


def test_the_form_offers_every_title_and_scenario(person: Person) -> None:
    page = person("Olga").get("/events/new").text
    for title in titles().values():
        for scenario in title.scenarios:
            assert f'name="board.{title.id}.{scenario}"' in page


def test_a_name_with_an_apostrophe_is_escaped_once_in_a_sentence() -> None:
    template = pages._jinja.from_string("{% from 'leagues/macros.html' import outcome %}{{ outcome(t, one) }}")
    first, second = ({"name": name, "bot": None} for name in ("O'Higgins", "Ana"))
    one = {"state": "done", "outcome": "first", "how": "played", "first": first, "second": second}
    assert template.render(t=texts.Texts("en"), one=one).strip() == "O&#39;Higgins wins"
