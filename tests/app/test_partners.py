"""Four at two sides of one game: lobby, partners' eyes and chat, take-back, draw, clocks, giving up, ratings."""

import asyncio
import hashlib
import html
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import timing
from app.games import messages
from tests.app.conftest import Command, Person, Sql
from tests.app.hills_site import forget, furnish_hills
from tests.app.toy_table import Side

NAMES = {"colborne": "Ana", "picton": "Bea", "ney": "Cid", "reille": "Dora"}
SIDES = {"colborne": "north", "picton": "north", "ney": "south", "reille": "south"}
LIVE = {"kind": "live", "minutes": 10, "increment": 0}
DAYS = {"kind": "days", "days": 3, "bank": 7}
PASS = {"form": "end", "option": "pass"}
Four = dict[str, Side]
MakeFour = Callable[..., Four]


@pytest.fixture(autouse=True)
def furnished(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    furnish_hills(monkeypatch, tmp_path)
    yield
    forget()


@pytest.fixture
def make_four(furnished: None, person: Person) -> MakeFour:  # noqa: ARG001
    """Four people at a new game, each with a seat of his own."""
    people = {seat: person(name) for seat, name in NAMES.items()}

    def make(scenario: str = "ridge", sealed: bool = True, **wishes: Any) -> Four:
        body = {"title": "hills", "scenario": scenario, "seating": "four", "seat": "colborne", **wishes}
        made = people["colborne"].post("/api/games", json=body)
        assert made.status_code == 201, made.text
        four = {seat: Side(browser, made.json()["id"], seat) for seat, browser in people.items()}
        for seat in ("picton", "ney", "reille"):
            four[seat].post("/join", {"seat": seat})
        if sealed:
            seal(four)
            lie_in_wait(four)
        return four

    return make


def seal(four: Four) -> None:
    nonces = {seat: f"{n:02x}" * 32 for n, seat in enumerate(four, 17)}
    for seat, one in four.items():
        one.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(nonces[seat])).hexdigest()})
    for seat, one in four.items():
        one.post("/dice", {"nonce": nonces[seat]})


def lie_in_wait(four: Four) -> None:
    for seat, said in {"ney": "village", "reille": "ready", "picton": "ready", "colborne": "wood"}.items():
        four[seat].answer({"form": "ambush", "option": said})


def marched(unit: str, *path: str) -> dict[str, Any]:
    return {"form": "march", "units": [unit], "path": list(path)}


def card(side: Side) -> dict[str, Any]:
    return side.get("")


def to_the_end(four: Four) -> dict[str, Any]:
    """Nobody marches and nobody fires."""
    while (shown := card(four["ney"]))["state"] == "active":
        for seat in shown["waiting_for"]:
            request = four[seat].view()["request"]
            hold = {"form": "fire", "option": "hold"}
            four[seat].answer(hold if request["prompt"]["key"] == "prompt.fire" else PASS)
    return shown


# -- lobby and end -------------------------------------------------------------------------------------------


def test_four_meet_in_the_lobby_and_play_to_the_end_unrated(make_four: MakeFour, sql: Sql) -> None:
    four = make_four(sealed=False)
    shown = card(four["ney"])
    assert {seat: (who["side"], who["name"]) for seat, who in shown["seats"].items()} == {
        seat: (SIDES[seat], NAMES[seat]) for seat in NAMES}  # fmt: skip
    assert list(shown["seats"]) == list(NAMES)
    assert shown["waiting_for"] == list(NAMES)
    assert shown["dice"]["order"] == list(NAMES)
    seal(four)
    assert card(four["ney"])["dice"]["complete"]
    lie_in_wait(four)
    over = to_the_end(four)
    assert over["result"] == {"winner": None, "key": "result.points", "args": {"north": 0, "south": 0}, "clause": "4"}
    assert sql("select count(*) from rated_games") == [(0,)], "ratings are for two"


@pytest.mark.parametrize("scenario", ["ridge", "duel"])
def test_two_play_the_same_title_to_the_end_and_are_rated(scenario: str, person: Person, sql: Sql) -> None:
    ana, bea = person("Ana"), person("Bea")
    made = ana.post("/api/games", json={"title": "hills", "scenario": scenario, "seat": "south"}).json()
    two = {"north": Side(bea, made["id"], "north"), "south": Side(ana, made["id"], "south")}
    two["north"].post("/join", {"seat": "north"})
    seal(two)
    for one in two.values():
        one.answer({"form": "ambush", "option": "wood"})
    two["north"].answer(marched("n1", "03055", "03056@N"))
    assert two["south"].view()["view"]["fragments"]["space:03056"]["units"][0]["on"] == ["03056", "03057"]
    two["north"].post("/take-back", {"to": two["north"].get("/take-back")["free"]})
    two["north"].answer(PASS)
    goal = two["south"].get("/take-back")["consent"][-1]
    assert two["south"].post("/take-back", {"to": goal})["done"] is False
    two["north"].post("/take-back/reply", {"yes": True})
    two["south"].answer({"form": "ambush", "option": "village"})
    two["south"].post("/resign")
    assert card(two["north"])["result"]["winner"] == "north"
    assert sql("select title, scenario, score from rated_games") == [("hills", scenario, 1.0)]


def test_the_lobby_shows_who_sits_where_and_a_particular_seat_is_joined(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    page = ana.get("/games/new?title=hills&scenario=ridge&seating=four").text
    assert page.count('name="seat"') == 4
    assert all(name in page for name in ("Colborne", "Picton", "Ney", "Reille", "2 players", "4 players"))
    assert "Two hills, four corps." in page
    assert ana.get("/games/new?title=hills&scenario=duel").text.count('name="seat"') == 2
    form = {"title": "hills", "scenario": "pursuit", "seating": "four", "seat": "ney", "opponent": "person",
            "visibility": "open", "policy": "run_and_consent", "pace": "none"}  # fmt: skip
    made = ana.post("/games?title=hills&scenario=pursuit&seating=four", data=form)
    at = made.headers["location"]
    page = bea.get(at).text
    assert "The pursuit" in page
    assert page.count('name="seat"') == 3
    assert bea.post(at, data={"seat": "picton"}).status_code == 303
    assert bea.post(at, data={"seat": "reille"}).status_code == 409, "never against oneself"
    assert bea.post(at, data={"seat": "colborne"}).status_code == 303, "a partner may take the seat beside his own"
    game = at.split("/")[2]
    shown = ana.get(f"/api/games/{game}").json()
    assert (shown["state"], [who["name"] for who in shown["seats"].values()]) == ("open", ["Bea", "Bea", "Ana", None])
    assert ana.post(at, data={"seat": "reille"}).status_code == 303
    assert ana.get(f"/api/games/{game}").json()["state"] == "active"


@pytest.mark.parametrize(("wish", "key"), [
    ({"seating": "six"}, "games.no_seating"), ({"seat": "north"}, "games.no_seat"),
    ({"scenario": "duel"}, "games.no_seating"), ({"scenario": "war"}, "games.no_scenario"),
    ({"options": {"wind": 2}}, "games.no_option"),
    ({"scenario": "pursuit", "options": {"wind": True}}, "games.no_option"),
])  # fmt: skip
def test_what_a_scenario_has_not_cannot_be_played(wish: dict[str, Any], key: str, person: Person) -> None:
    body = {"title": "hills", "scenario": "ridge", "seating": "four", "seat": "ney", **wish}
    made = person("Ana").post("/api/games", json=body)
    assert (made.status_code, made.json()["error"]["key"]) == (400, key)


def test_bots_fill_the_other_seats_and_play_to_the_end(person: Person) -> None:
    body = {"title": "hills", "scenario": "ridge", "seating": "four", "seat": "picton", "opponent": "bot",
            "bot": "random"}  # fmt: skip
    ana = person("Ana")
    side = Side(ana, ana.post("/api/games", json=body).json()["id"], "picton")
    nonce = "33" * 32
    side.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(nonce)).hexdigest()})
    side.post("/dice", {"nonce": nonce})
    deadline = datetime.now(UTC) + timedelta(seconds=60)
    while (shown := card(side))["state"] == "active" and datetime.now(UTC) < deadline:
        if "picton" in shown["waiting_for"]:
            forms = {form["form"]: form for form in side.view()["request"]["forms"]}
            name = next(name for name in ("end", "fire", "ambush") if name in forms)
            side.answer({"form": name, "option": forms[name]["options"][-1]["id"]})
    assert card(side)["state"] == "finished"


def test_map_and_counters_are_drawn_from_its_data(person: Person) -> None:
    ana = person("Ana")
    body = {"title": "hills", "scenario": "ridge", "seat": "south", "opponent": "both"}
    game = ana.post("/api/games", json=body).json()
    page = ana.get(f"/games/{game['id']}").text
    for name in ("kit", "map"):
        found = re.search(rf'data-{name}="([^"]+)"', page)
        assert found
        drawn = ana.get(html.unescape(found[1]))
        assert drawn.status_code == 200, drawn.text
        assert 'class=\\"ctr north' in drawn.text or 'class="map"' in drawn.text
    assert ana.get(f"/games/{game['id']}/still.svg").status_code == 200


# -- eyes ----------------------------------------------------------------------------------------------------


def test_partners_share_what_their_side_knows(make_four: MakeFour, person: Person) -> None:
    four = make_four()
    for seat, one in four.items():
        seen = one.view()["view"]
        assert seen["eye"] == SIDES[seat]
        assert [key for key in seen["fragments"] if "ambush" in key] == [f"table:ambush_{SIDES[seat]}"]
    ana, bea = (four[seat].view()["request"] for seat in ("colborne", "picton"))
    assert (ana["mine"], bea["mine"], bea["seat"]) == (True, False, "colborne")
    assert four["picton"].answer(PASS, expect=400)["error"]["key"] == "refusal.not_asked"
    eve = person("Eve")
    public = eve.get(f"/api/games/{four['ney'].game}/view").json()["view"]
    assert public["eye"] == "public"
    assert not [key for key in public["fragments"] if key.startswith("table:ambush")]
    four["picton"].put("/notes", {"text": "mine"})
    assert four["colborne"].get("/notes")["text"] == "", "notes are a seat's own"
    assert four["colborne"].browser.get(four["colborne"].at + "/view?seat=picton").status_code == 403


def test_over_the_socket_each_has_his_own_request(make_four: MakeFour) -> None:
    four = make_four()
    at = f"/api/games/{four['ney'].game}/socket"
    with four["colborne"].browser.websocket_connect(at) as ana, four["picton"].browser.websocket_connect(at) as bea:
        assert ana.receive_json()["request"]["mine"]
        assert not bea.receive_json()["request"]["mine"]
        four["colborne"].answer(PASS)
        for connection, mine in ((ana, False), (bea, True)):
            told = next(m for m in iter(connection.receive_json, None) if m["type"] == "told")
            assert told["request"]["seat"] == "picton"
            assert told["request"]["mine"] is mine
            assert told["entries"][0]["steps"][0]["side"] == "north"


def test_a_side_has_a_chat_of_its_own(make_four: MakeFour) -> None:
    four = make_four()
    four["colborne"].post("/chat", {"text": "Good luck to all"})
    four["colborne"].post("/chat", {"text": "You take the left", "to": "side"})
    heard = {seat: [(m["text"], m["side"]) for m in one.get("/chat")["messages"]] for seat, one in four.items()}
    both = [("Good luck to all", None), ("You take the left", "north")]
    assert heard == {"colborne": both, "picton": both, "ney": both[:1], "reille": both[:1]}
    game = four["ney"].game
    unread = {seat: next(g["unread"] for g in one.browser.get("/api/lobby").json()["mine"] if g["id"] == game)
              for seat, one in four.items()}  # fmt: skip
    assert unread == {"colborne": 0, "picton": 2, "ney": 1, "reille": 1}
    pages = {seat: one.browser.get(f"/games/{game}/chat").text for seat, one in four.items()}
    assert [seat for seat, page in pages.items() if "You take the left" in page] == ["colborne", "picton"]
    secret = four["picton"].get("/chat")["messages"][1]["id"]
    reason = {"reason": "what they plan"}
    assert four["ney"].browser.post("/api/reports", params={"line": secret}, json=reason).status_code == 404


def test_a_line_to_a_side_is_heard_there_alone_and_before_the_next(
    make_four: MakeFour, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, seen = messages.message, list[int]()

    async def slow(conn: Any, number: int) -> Any:
        seen.append(number)
        await asyncio.sleep(0.3 if number == seen[0] else 0)
        return await read(conn, number)

    monkeypatch.setattr(messages, "message", slow)
    four = make_four()
    at = f"/api/games/{four['ney'].game}/socket"
    with four["picton"].browser.websocket_connect(at) as bea, four["ney"].browser.websocket_connect(at) as cid:
        for connection in (bea, cid):  # they hear what is said from their first view on
            while connection.receive_json()["type"] != "view":
                pass
        four["colborne"].post("/chat", {"text": "left", "to": "side"})
        four["colborne"].post("/chat", {"text": "hello"})
        heard = {}
        for name, connection in (("bea", bea), ("cid", cid)):
            lines = []
            while "hello" not in lines:
                said = connection.receive_json()
                lines += [said["text"]] if said["type"] == "chat" else []
            heard[name] = lines
    assert heard == {"bea": ["left", "hello"], "cid": ["hello"]}


# -- consent -------------------------------------------------------------------------------------------------


def test_a_take_back_needs_all_of_the_other_side(make_four: MakeFour) -> None:
    four = make_four()
    four["colborne"].answer(marched("n1", "03055", "03056@S"))
    four["colborne"].answer(PASS)
    mine = four["colborne"].get("/take-back")["consent"]
    assert four["colborne"].post("/take-back", {"to": mine[-1]})["done"] is False
    asked = card(four["ney"])["take_back"]
    assert (asked["seat"], asked["asks"]) == ("colborne", ["ney", "reille"])
    assert four["picton"].post("/take-back/reply", {"yes": True}, 400)["error"]["key"] == "games.no_take_back_asked"
    four["ney"].post("/take-back/reply", {"yes": True})
    assert card(four["ney"])["take_back"]["asks"] == ["reille"]
    waits = {seat: {one["kind"] for one in side.browser.get("/api/notices").json()["waiting"]}
             for seat, side in four.items()}  # fmt: skip
    assert waits == {"colborne": set(), "picton": {"turn"}, "ney": set(), "reille": {"take_back"}}
    four["reille"].post("/take-back/reply", {"yes": True})
    assert card(four["ney"])["waiting_for"] == ["colborne"]


def test_who_loses_an_own_answer_is_asked_too_and_one_no_is_enough(make_four: MakeFour) -> None:
    four = make_four()
    four["colborne"].answer(PASS)
    four["picton"].answer(PASS)
    goal = four["colborne"].get("/take-back")["consent"][-1]
    four["colborne"].post("/take-back", {"to": goal})
    assert set(card(four["picton"])["take_back"]["asks"]) == {"picton", "ney", "reille"}
    four["picton"].post("/take-back/reply", {"yes": False})
    assert card(four["ney"])["take_back"] is None
    assert goal not in four["colborne"].get("/take-back")["consent"]


def test_a_draw_needs_everybody(make_four: MakeFour) -> None:
    four = make_four()
    four["ney"].post("/draw", {"offer": True})
    assert card(four["ney"])["draw_asks"] == ["colborne", "picton", "reille"]
    for seat in ("colborne", "reille"):
        four[seat].post("/draw", {"accept": True})
    four["colborne"].post("/draw", {"accept": True}, 400)
    assert card(four["ney"])["state"] == "active"
    four["picton"].post("/draw", {"accept": True})
    over = card(four["ney"])
    assert (over["state"], over["result"]["key"]) == ("finished", "result.draw_agreed")


def test_a_draw_lapses_when_the_other_side_plays_on_and_not_by_a_partner(make_four: MakeFour) -> None:
    four = make_four()
    four["picton"].post("/draw", {"offer": True})
    four["colborne"].answer(PASS)
    assert card(four["ney"])["draw"] == "picton"
    four["picton"].answer(PASS)
    four["ney"].answer(PASS)
    assert (card(four["ney"])["draw"], card(four["ney"])["draw_asks"]) == (None, [])


# -- giving up -----------------------------------------------------------------------------------------------


def test_where_one_of_four_gives_up_his_partner_plays_on(make_four: MakeFour, command: Command, tmp_path: Path) -> None:
    four = make_four(pace=DAYS)
    four["colborne"].put("/notes", {"text": "Hold the hill."})
    four["colborne"].post("/resign")
    shown = card(four["picton"])
    assert (shown["state"], shown["your_seats"]) == ("active", ["colborne", "picton"])
    assert four["picton"].record()[-1]["kind"] == "stand_down"
    ana = four["colborne"].browser
    assert ana.get(f"/api/games/{four['ney'].game}").json()["your_seats"] == []
    heir = Side(four["picton"].browser, four["ney"].game, "colborne")
    assert heir.get("/notes")["text"] == "Hold the hill."
    four["ney"].post("/draw", {"offer": True})
    heir.browser.post(heir.at + "/draw", json={"decline": True})
    assert card(four["ney"])["draw"] is None, "one who holds both has one word"
    heir.answer(PASS)
    heir.browser.post(heir.at + "/answers", json={"seq": heir.seq, "key": "12345678", "answer": PASS})
    assert card(four["ney"])["waiting_for"] == ["ney"], "one who holds both need not say for which"
    heir.post("/resign")
    over = card(four["ney"])
    assert (over["result"]["winner"], over["result"]["key"]) == ("south", "result.resigned")
    file = tmp_path / "game.json"
    assert command("export-game", four["ney"].game, str(file))[0] == 0
    code, made = command("import-game", str(file), "--owner", "Dora")
    assert code == 0, made


def test_an_account_that_goes_leaves_its_seat_to_the_partner(make_four: MakeFour) -> None:
    four = make_four()
    gone = four["ney"].browser.request("DELETE", "/api/account", json={"password": "correct horse battery"})
    assert gone.status_code in (200, 204), gone.text
    shown = card(four["reille"])
    assert (shown["state"], shown["your_seats"]) == ("active", ["ney", "reille"])


def test_against_bots_whose_partner_is_a_bot_giving_up_ends_the_game(person: Person) -> None:
    body = {"title": "hills", "scenario": "ridge", "seating": "four", "seat": "picton", "opponent": "bot",
            "bot": "random"}  # fmt: skip
    ana = person("Ana")
    side = Side(ana, ana.post("/api/games", json=body).json()["id"], "picton")
    side.post("/resign")
    assert card(side)["result"]["winner"] == "south"


# -- clocks --------------------------------------------------------------------------------------------------


@pytest.fixture
def travel(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    ahead = [timedelta()]
    monkeypatch.setattr(timing, "now", lambda: datetime.now(UTC) + ahead[0])

    def go(**by: float) -> None:
        ahead[0] += timedelta(**by)

    return go


def minutes(side: Side) -> dict[str, int]:
    return {seat: round(hand["bank"] / 60_000_000) for seat, hand in card(side)["clock"]["seats"].items()}


def test_partners_have_a_clock_each(make_four: MakeFour, travel: Callable[..., None]) -> None:
    four = make_four(pace=LIVE)
    travel(minutes=4)
    four["colborne"].answer(PASS)
    travel(minutes=3)
    four["picton"].answer(PASS)
    assert minutes(four["ney"]) == {"colborne": 6, "picton": 7, "ney": 10, "reille": 10}


@pytest.mark.parametrize("how", ["by the scenario", "as wished"])
def test_partners_may_share_a_clock(how: str, make_four: MakeFour, travel: Callable[..., None]) -> None:
    four = (make_four("pursuit", pace=LIVE) if how == "by the scenario" else
            make_four("ridge", pace={**LIVE, "each": "side"}))  # fmt: skip
    travel(minutes=4)
    four["colborne"].answer(PASS)
    travel(minutes=3)
    four["picton"].answer(PASS)
    assert minutes(four["ney"]) == {"colborne": 3, "picton": 3, "ney": 10, "reille": 10}
    travel(minutes=11)
    assert four["reille"].post("/clock/claim", expect=400)["error"]["key"] == "clocks.late_yourself"
    four["picton"].post("/clock/claim")
    over = card(four["ney"])["result"]
    assert (over["winner"], over["key"], over["time_out"]) == ("north", "result.time_out", "ney")


def test_a_shared_clock_is_charged_once_while_both_are_asked(make_four: MakeFour, travel: Callable[..., None]) -> None:
    four = make_four("pursuit", sealed=False, pace=LIVE)
    seal(four)
    travel(minutes=2)
    lie_in_wait(four)
    assert minutes(four["ney"]) == {"colborne": 8, "picton": 8, "ney": 8, "reille": 8}


def test_a_pause_needs_everybody_and_time_is_given_to_all_of_a_side(make_four: MakeFour) -> None:
    four = make_four(pace=DAYS)
    assert four["ney"].post("/clock/propose", {"what": "pause"})["done"] is False
    for seat in ("reille", "picton"):
        four[seat].post("/clock/reply", {"yes": True})
    assert not card(four["ney"])["clock"]["paused"]
    four["colborne"].post("/clock/reply", {"yes": True})
    assert card(four["ney"])["clock"]["paused"]
    four["ney"].post("/clock/resume")
    four["ney"].post("/clock/grant", {"hours": 24})
    days = {seat: round(hand["bank"] / 86_400_000_000) for seat, hand in card(four["ney"])["clock"]["seats"].items()}
    assert days == {"colborne": 8, "picton": 8, "ney": 7, "reille": 7}


def test_a_late_seat_is_taken_over_by_a_stranger_or_by_the_partner(make_four: MakeFour, person: Person,
                                                                  travel: Callable[..., None]) -> None:  # fmt: skip
    four = make_four(pace=DAYS)
    travel(days=11)
    four["ney"].post("/clock/substitute")
    game = four["ney"].game
    assert card(four["ney"])["wants_substitute"] == "colborne"
    assert four["reille"].browser.post(f"/games/{game}/substitute", data={}).status_code == 409
    assert four["picton"].browser.post(f"/games/{game}/substitute", data={}).status_code == 303
    assert card(four["picton"])["your_seats"] == ["colborne", "picton"]
    travel(days=11)
    four["ney"].post("/clock/substitute")
    eve = person("Eve")
    assert eve.post(f"/games/{game}/substitute", data={}).status_code == 303
    assert eve.get(f"/api/games/{game}").json()["your_seats"] == ["colborne"]
    assert card(four["picton"])["your_seats"] == ["picton"]


# -- looking on and after ------------------------------------------------------------------------------------


def test_when_it_is_over_anybody_looks_with_any_eye(make_four: MakeFour, person: Person) -> None:
    four = make_four()
    to_the_end(four)
    eve = person("Eve")
    for seat, eye in ((None, "all"), ("ney", "south"), ("north", "north"), ("picton", "north")):
        seen = eve.get(f"/api/games/{four['ney'].game}/view", params={"seat": seat} if seat else {}).json()
        assert seen["view"]["eye"] == eye
    record = eve.get(f"/api/games/{four['ney'].game}/record", params={"since": 0, "seat": "south"}).json()
    told = [step for entry in record["entries"] for step in entry["steps"] if step["event"] == "laid"]
    assert [("where" in step["data"], step["side"]) for step in told] == [(False, "north"), (True, "south")]


def test_admins_adjudicate_for_a_side(make_four: MakeFour, staff: dict[str, TestClient]) -> None:
    four = make_four()
    at = f"/admin/games/{four['ney'].game}"
    page = staff["admin"].get(at).text
    assert page.count('<option value="north">') == page.count('<option value="south">') == 1
    done = staff["admin"].post(f"{at}/adjudicate", data={"winner": "south", "reason": "They agreed so by letter."})
    assert done.status_code == 303, done.text
    assert card(four["ney"])["result"]["winner"] == "south"
