"""Boards that one tries: from example and file, both sides, dice that fall or are laid, branches, notes, links."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.boards import service
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
