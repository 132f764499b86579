"""Boards that one tries: from example and file, both sides, dice that fall or are laid, branches, notes, links."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.boards import service
from app.games import data
from app.lab.play import Lab
from app.rulebook.book import examples_of
from rules.titles import IDS
from tests.app.conftest import Person, Sql

TITLE, EXAMPLE = "triple_alliance", "13.9-26-against-7"


@pytest.fixture(autouse=True)
def forgotten() -> None:
    service._tables.clear()


def make(browser: TestClient, **what: Any) -> str:
    made = browser.post("/api/boards", json={"title": TITLE, **what})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def look(browser: TestClient, board: str, node: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/api/boards/{board}/view?node={node}").raise_for_status().json()
    return found


def give(browser: TestClient, board: str, node: int, answer: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"node": node, "answer": answer, **more}
    given: dict[str, Any] = browser.post(f"/api/boards/{board}/answers", json=body).raise_for_status().json()
    return given


def clear(browser: TestClient) -> int:
    """What the nightly job does; how many boards it drops."""
    assert browser.portal is not None
    dropped: int = browser.portal.call(service.sweep, browser.app.state.games.store)  # type: ignore[attr-defined]
    return dropped


def first_answer(name: str = EXAMPLE) -> dict[str, Any]:
    return {k: v for k, v in examples_of(TITLE)[name]["answers"][0].items() if k != "seat"}


def test_an_example_is_played_through_step_by_step(client: TestClient) -> None:
    for title in IDS:
        for name, body in examples_of(title).items():
            if any("refused" in answer for answer in body.get("answers", [])):
                continue
            board = client.post("/api/boards", json={"title": title, "example": name}).raise_for_status().json()["id"]
            node = 0
            for _ in body.get("answers", []):
                stepped = client.post(f"/api/boards/{board}/step", json={"node": node})
                assert stepped.status_code == 200, (title, name, stepped.text)
                made = stepped.json()
                node = made["node"]
            over = client.post(f"/api/boards/{board}/step", json={"node": node})
            assert over.json()["error"]["key"] == "boards.example_over"
            service._tables.clear()
            again = look(client, board, node)
            assert len(again["nodes"]) == len(body.get("answers", [])) + 1
            assert node == 0 or again["digest"] == made["digest"]


def test_dice_are_laid_one_by_one_and_a_wrong_face_is_refused(client: TestClient) -> None:
    board = make(client, example=EXAMPLE)
    answer = first_answer()
    due = give(client, board, 0, answer, dice=[])["due"]
    assert (due["low"], due["high"], due["dice"], due["clause"]) == (0, 9, 1, "13.28")
    refused = client.post(f"/api/boards/{board}/answers", json={"node": 0, "answer": answer, "dice": [[17]]})
    assert refused.json()["error"]["key"] == "boards.no_face"
    given = give(client, board, 0, answer, dice=[[7]])
    assert given["nodes"][1]["dice"][0] == 7
    assert look(client, board, 0)["nodes"] == given["nodes"]


def test_branches_stand_side_by_side(client: TestClient) -> None:
    board = make(client, example=EXAMPLE)
    low, high = (give(client, board, 0, first_answer(), dice=[[face]]) for face in (0, 9))
    assert (low["node"], high["node"]) == (1, 2)
    assert low["digest"] != high["digest"]
    assert look(client, board, 1)["digest"] == low["digest"]
    assert look(client, board, 2)["digest"] == high["digest"]
    assert [node["parent"] for node in high["nodes"]] == [None, 0, 0]
    service._tables.clear()
    assert look(client, board, 1)["entries"][-1]["steps"] == low["entries"][-1]["steps"]
    assert client.get(f"/api/boards/{board}/view?node=9").status_code == 404


def test_what_the_rules_refuse_is_refused_and_changes_nothing(client: TestClient) -> None:
    board = make(client, example=EXAMPLE)
    before = look(client, board)
    bad = client.post(f"/api/boards/{board}/answers", json={"node": 0, "answer": {"form": "none"}})
    assert bad.status_code == 400
    assert look(client, board) == before


def test_a_link_shows_a_board_and_only_its_maker_plays_on(client: TestClient, person: Person) -> None:
    board = make(client, example=EXAMPLE)
    other = person("Bea")
    assert look(other, board)["mine"] is False
    refused = other.post(f"/api/boards/{board}/answers", json={"node": 0, "answer": first_answer()})
    assert refused.status_code == 403
    own = other.post(f"/api/boards/{board}/copy").raise_for_status().json()["id"]
    assert give(other, own, 0, first_answer())["mine"] is True
    assert len(look(client, board)["nodes"]) == 1


def test_notes_and_what_an_account_keeps(person: Person, sql: Sql) -> None:
    ana = person("Ana")
    board, left = make(ana, example=EXAMPLE), make(ana, example=EXAMPLE)
    ana.put(f"/api/boards/{board}/note", json={"node": 0, "text": "26 against 7"}).raise_for_status()
    assert look(ana, board)["nodes"][0]["note"] == "26 against 7"
    assert ana.put(f"/api/boards/{board}/note", json={"node": 0, "text": "x" * 501}).status_code == 422
    ana.put(f"/api/boards/{board}/kept", json={"kept": True}).raise_for_status()
    assert [one["id"] for one in ana.get("/api/boards").json()] == [board]
    sql("update boards set seen_at = now() - interval '13 days'")
    assert clear(ana) == 0
    sql("update boards set seen_at = now() - interval '15 days'")
    assert clear(ana) == 1
    assert ana.get(f"/api/boards/{left}/view").status_code == 404
    assert look(ana, board)["kept"] is True


def test_a_file_in_and_out(client: TestClient) -> None:
    board = make(client, file=dict(examples_of(TITLE)[EXAMPLE]))
    node = give(client, board, 0, first_answer(), dice=[[7]])["node"]
    written = client.get(f"/api/boards/{board}/file?node={node}").raise_for_status().json()
    assert written["answers"][0]["form"] == first_answer()["form"]
    assert written["dice"][0] == 7
    again = make(client, file=written)
    stepped = client.post(f"/api/boards/{again}/step", json={"node": 0}).raise_for_status().json()
    assert stepped["digest"] == look(client, board, node)["digest"]


@pytest.mark.parametrize(
    ("what", "key"),
    [
        ({}, "boards.example_or_file"),
        ({"example": EXAMPLE, "file": {}}, "boards.example_or_file"),
        ({"file": {"position": {"units": {"nobody": "1924"}}}}, None),
        ({"file": {"nonsense": 1}}, None),
        ({"file": {"about": "x" * 70_000}}, "boards.file_large"),
    ],
)
def test_what_is_no_board_is_said(client: TestClient, what: dict[str, Any], key: str | None) -> None:
    answer = client.post("/api/boards", json={"title": TITLE, **what})
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert key is None or error["key"] == key
    assert error["text"]
    assert not error["text"].startswith(error["key"])


def test_reach_preview_and_forecast_are_those_of_games(client: TestClient) -> None:
    board = make(client, example="11.19-costs-add-up")
    move = first_answer("11.19-costs-add-up")
    reached = client.post(f"/api/boards/{board}/reach", json={"node": 0, "form": "move", "units": move["units"]}).json()
    assert reached["cost"][move["path"][-1]] == 3
    preview = client.post(f"/api/boards/{board}/preview", json={"node": 0, "answer": move})
    assert preview.status_code == 200
    assert client.get(f"/api/boards/{board}/forecast").status_code == 200


def test_what_a_stack_covers_is_told_of_boards_too(client: TestClient) -> None:
    board = make(client, title="austerlitz", example="8.1.6-a-six-pounder-at-ten-hexes")
    covered = client.get(f"/api/boards/{board}/covers?space=B1101").json()
    assert [part["colour"] for part in covered] == ["violet", "red", "gold", "blue"], "its zone, three ranges"
    assert client.get(f"/api/boards/{board}/covers?space=nowhere").json() == []
    assert client.get(f"/api/boards/{board}/covers?space={'a' * 61}").status_code == 422


# -- by hand -----------------------------------------------------------------------------------------


def put(browser: TestClient, board: str, node: int, position: dict[str, Any]) -> Any:
    return browser.post(f"/api/boards/{board}/put", json={"node": node, "position": position})


def by_hand(browser: TestClient, board: str, node: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/api/boards/{board}/hand?node={node}").raise_for_status().json()
    return found


@pytest.mark.parametrize("title", IDS)
def test_every_scenario_opens_as_printed_and_empty(client: TestClient, title: str) -> None:
    for scenario in data.current(title).scenarios:
        page = client.get(f"/titles/{title}/try")
        assert page.status_code == 200
        for fields in ({"scenario": scenario}, {"scenario": scenario, "empty": "true"}):
            made = client.post(f"/titles/{title}/try", data=fields)
            assert made.status_code == 303, (scenario, fields, made.text)
            board = made.headers["location"].removeprefix("/boards/")
            offered = by_hand(client, board)
            assert {"turn", "phase", "units"} <= {field["field"] for field in offered["fields"]}
            assert look(client, board)["view"]["fragments"]


def test_a_position_is_put_by_hand_and_undone(client: TestClient) -> None:
    board = make(client, file={"position": {"clear": True}})
    position = {"clear": True, "units": {"BR-INF-1F": "1436", "PY-INF-1": "1437"}, "turn": 3,
                "phase": "allied_combat_1"}  # fmt: skip
    made = put(client, board, 0, position).raise_for_status().json()
    assert made["request"]["seat"] == "allied"
    assert [unit["id"] for unit in made["view"]["fragments"]["space:1436"]["units"]] == ["BR-INF-1F"]
    assert (made["nodes"][1]["put"], made["nodes"][1]["parent"]) == (True, 0)
    offered = by_hand(client, board, 1)
    assert (offered["base"], offered["position"]) == (None, position)
    assert {"field": "turn", "kind": "number", "now": 3, "low": 1, "high": 9} in offered["fields"]
    assert "space:1436" not in look(client, board, 0)["view"]["fragments"]
    written = client.get(f"/api/boards/{board}/file?node=1").raise_for_status().json()
    assert written["position"] == position
    service._tables.clear()
    assert look(client, board, 1)["digest"] == made["digest"]


@pytest.mark.parametrize(
    ("units", "key", "clause"),
    [
        ({"BR-INF-1F": "1436", "PY-INF-1": "1436"}, "lab.both_sides", "11.4"),
        ({"BR-INF-1F": "9999"}, "lab.unknown", None),
        ({"nobody": "1436"}, "lab.unknown", None),
        ({"BR-INF-1F": ["1436"]}, "lab.unknown", None),
    ],
)
def test_what_cannot_be_is_said_as_in_the_lab(
    client: TestClient, units: dict[str, Any], key: str, clause: str | None
) -> None:
    board = make(client, file={"position": {"clear": True}})
    refused = put(client, board, 0, {"clear": True, "units": units})
    error = refused.json()["error"]
    assert refused.status_code == 400
    assert error["key"].startswith(key)
    assert error["clause"] == clause
    assert len(look(client, board)["nodes"]) == 1


def test_a_hand_goes_on_from_what_was_played(client: TestClient) -> None:
    board = make(client, example=EXAMPLE)
    played = give(client, board, 0, first_answer(), dice=[[7]])
    before = played["nodes"][1]
    if not before["rests"]:
        assert put(client, board, 1, {"units": {}}).json()["error"]["key"] == "boards.under_way"
    node = next(n for n in reversed(look(client, board, 1)["nodes"]) if n["rests"])["id"]
    made = put(client, board, node, {"units": {"PY-INF-1": "dead"}}).raise_for_status().json()
    over = client.post(f"/api/boards/{board}/step", json={"node": made["node"]}).json()
    assert over["error"]["key"] == "boards.example_over"
    written = client.get(f"/api/boards/{board}/file?node={made['node']}").raise_for_status().json()
    lab = Lab(TITLE, written)
    lab.play()
    assert lab.referee is not None
    assert lab.referee.views.digest["all"] == made["digest"]
    again = make(client, file=written)
    assert look(client, again)["digest"] == made["digest"]
    other = make(client, example="11.19-costs-add-up")
    assert put(client, other, 0, {"phase": "no such"}).json()["error"]["key"].startswith("lab.unknown")


def test_no_stored_position_breaks_the_server(client: TestClient) -> None:
    for wrong in ({}, {"schema": 1}, {"schema": "x", "state": {}}, {"schema": 99, "state": {}},
                  {"schema": 1, "state": []}):  # fmt: skip
        made = client.post("/api/boards", json={"title": TITLE, "file": {"from": wrong}})
        assert made.status_code == 400, made.text


def test_arrows_are_kept_with_the_note(client: TestClient) -> None:
    board = make(client, example=EXAMPLE)
    plans = {"arrows": [["1436", "1437"]], "rings": ["1924"], "notes": {"1437": "here"}}
    client.put(f"/api/boards/{board}/note", json={"node": 0, "text": "so", "plans": plans}).raise_for_status()
    client.put(f"/api/boards/{board}/note", json={"node": 0, "text": "thus"}).raise_for_status()
    node = look(client, board)["nodes"][0]
    assert (node["plans"], node["note"]) == (plans, "thus")
