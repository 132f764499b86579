"""Patches: a position corrected by a ruling, told to each eye as far as it sees, and kept by every re-run."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import rules.titles
from app.games import dice
from rules.core.errors import BadPosition
from tests.app import toy_title
from tests.app.conftest import Command, Sql
from tests.app.test_admin import until
from tests.app.test_clocks import Travel, travel  # noqa: F401
from tests.app.toy_table import PASS, ROLL, STAY, Pair, move

WHY = {"reason": "a unit on the wrong hex"}
Patch = Callable[..., Any]


@pytest.fixture
def patch(staff: dict[str, TestClient], pair: Pair) -> Patch:
    def post(merge: Any, act: str = "patch", seq: int | None = None, by: str = "director") -> Any:
        text = merge if isinstance(merge, str) else json.dumps(merge)
        form = {**WHY, "merge": text, "seq": str(pair.red.seq if seq is None else seq)}
        return staff[by].post(f"/admin/games/{pair.red.game}/{act}", data=form)

    return post


def no_debts(pos: Any) -> None:
    if min(pos.points.values()) < 0:
        raise BadPosition("points below nothing")


def points(view: dict[str, Any]) -> dict[str, int]:
    return {row["label"]: row["value"] for row in view["view"]["fragments"]["table:points"]["rows"]}


def test_a_patch_is_played_on_and_told(patch: Patch, pair: Pair, sql: Sql, command: Command) -> None:
    pair.round()
    pair.red.answer(move("a", "b"))
    pair.red.answer(move("b", "c"))
    before = pair.red.view()
    old = before["card"]["dice"]
    with pair.blue.browser.websocket_connect(f"{pair.blue.at}/socket?seat=blue") as line:
        until(line, "view")
        assert patch({"points": {"red": 40}, "at": {"blue": "c"}}).status_code == 303
        told = until(line, "taken_back")
    entry = pair.red.record()[-1]
    assert (entry["kind"], entry["steps"][0]["event"]) == ("patch", "patched")
    assert entry["steps"][0]["data"] == {**WHY, "to": told["to"]}
    after = pair.blue.view()
    assert points(after)["red"] == 40
    assert after["view"]["fragments"]["space:c"]["units"] == [{"id": "blue"}]
    assert (told["view"], told["seq"]) == (after["view"], after["seq"])
    gone = [e for e in pair.red.record() if e["seq"] >= told["to"] and e["kind"] in ("answer", "roll")]
    assert gone
    assert all(e["retracted"] for e in gone)
    new = after["card"]["dice"]
    assert new["seed_hash"] != old["seed_hash"]
    assert new["complete"] is False
    shown: dict[str, Any] = {}  # a page that follows the steps comes to the same view
    for one in pair.red.record():
        for step in one["steps"]:
            shown |= step["fragments"]
    shown = {key: content for key, content in shown.items() if content is not None}
    assert shown == pair.red.view()["view"]["fragments"]
    assert pair.red.view()["take_back"] == {"free": None, "steps": [], "undoes": [], "consent": []}
    pair.red.answer(ROLL, expect=400)  # the dice are not sealed again yet
    pair.seal()
    pair.red.answer(ROLL)
    assert points(pair.red.view())["red"] > 39
    assert command("verify-games") == (0, {"games": 1, "faults": {}, "back": {}})
    sql("delete from checkpoints where phase <> 'start'")  # from the start on, past the patch
    pair.red.browser.app.state.games.store.drop(pair.red.game)  # type: ignore[attr-defined]
    assert points(pair.red.view())["red"] > 39
    assert command("verify-games") == (0, {"games": 1, "faults": {}, "back": {}})


def test_the_other_side_learns_nothing_hidden(patch: Patch, pair: Pair) -> None:
    hidden = "left" if pair.red.view()["view"]["fragments"]["hand:red"]["held"] == "right" else "right"
    assert patch({"hand": {"red": hidden}}).status_code == 303
    assert pair.red.view()["view"]["fragments"]["hand:red"] == {"held": hidden}
    assert pair.red.record()[-1]["steps"][0]["fragments"]["hand:red"] == {"held": hidden}
    steps = pair.blue.record()[-1]["steps"]
    assert "hand:red" not in steps[0]["fragments"]
    at = f"/games/{pair.red.game}/audit"
    pages = [pair.blue.browser.get(path).text for path in (at, "/account/audit")]
    assert all("Position corrected: 1 value" in page and WHY["reason"] in page for page in pages)
    for text in (*pages, json.dumps(steps), json.dumps(pair.blue.get("/export"))):
        assert hidden not in text
    pair.blue.post("/resign")
    page = pair.blue.browser.get(at).text
    assert "hand.red" in page
    assert hidden in page
    answer = pair.blue.get("/export")["entries"][-2]["answer"]
    assert answer["merge"] == {"hand": {"red": hidden}}


@pytest.mark.parametrize(("merge", "says"), [
    ("{", "no JSON"), ("[]", "in braces"), ('{"stage": "\\u0000"}', "in braces"), ({}, "changes nothing"),
    ({"point": {}}, "unknown fields: point"),
    ({"at": None}, "can&#39;t stand"), ({"points": {"red": -1}}, "points below nothing"),
    ({"agenda": []}, "not to be patched"), ({"result": {"winner": "red"}}, "not to be patched"),
])  # fmt: skip
def test_what_cannot_be_is_refused_with_its_cause(patch: Patch, pair: Pair, sql: Sql, merge: Any, says: str,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    title = replace(toy_title.TITLE, invariants=no_debts)
    monkeypatch.setattr(rules.titles, "load", lambda _: title)
    before = pair.red.view()
    kept = sql("select count(*) from checkpoints")
    for act in ("position", "patch"):
        refused = patch(merge, act)
        assert refused.status_code == 400
        assert says in refused.text
    assert pair.red.view() == before
    assert sql("select count(*) from checkpoints") == kept
    assert [row[0] for row in sql("select deed from audit")] == ["position"]
    pair.red.answer(ROLL)


def test_a_look_is_noted_and_shows_what_would_change(patch: Patch, pair: Pair) -> None:
    before = pair.red.view()
    page = patch({"points": {"blue": 7}}, "position").text
    assert re.search(r"points\.blue</code> <del>0</del> → <ins>7</ins>", page)
    assert "&#34;hand&#34;: {" in page
    assert patch("", "position").status_code == 200
    assert pair.red.view() == before
    audit = pair.blue.browser.get(f"/games/{pair.red.game}/audit").text
    assert audit.count("Opened the whole position") == 1
    pair.red.answer(PASS)
    moved = patch({"points": {"blue": 7}}, seq=before["seq"])
    assert moved.status_code == 409
    assert "moved on" in moved.text


def test_rewinding_past_a_patch_undoes_it_and_after_it_keeps_it(patch: Patch, staff: dict[str, TestClient],
                                                                pair: Pair) -> None:
    def rewind(to: int) -> None:
        done = staff["director"].post(f"/admin/games/{pair.red.game}/rewind", data={**WHY, "to": str(to)})
        assert done.status_code == 303

    pair.round()
    earlier = [e["seq"] for e in pair.red.record() if e["kind"] == "answer" and not e["forced"]][2]
    assert patch({"points": {"blue": 30}}).status_code == 303
    pair.red.answer(PASS)
    later = pair.red.seq
    pair.blue.answer(STAY)
    rewind(later)
    assert points(pair.red.view())["blue"] == 30
    rewind(earlier)
    assert points(pair.red.view())["blue"] == 0
    assert next(e for e in pair.red.record() if e["kind"] == "patch")["retracted"]


def test_a_patched_game_ends_and_comes_back_from_its_file(patch: Patch, pair: Pair, command: Command,
                                                           tmp_path: Path) -> None:
    pair.round()
    assert patch({"points": {"red": 50}}).status_code == 303
    pair.seal()
    pair.round()
    pair.round()
    done = pair.red.get("/export")
    assert (done["state"], dice.checked(done)[1]) == ("finished", [])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(done))
    code, made = command("import-game", str(file), "--owner", "Ana")
    assert code == 0
    view = pair.red.browser.get(f"/api/games/{made['id']}/view").json()
    assert points(view) == points(pair.red.view())
    assert "Only a running game" in patch({"points": {"red": 1}}).text


def test_who_plays_and_who_has_not_the_role_may_not(patch: Patch, pair: Pair, sql: Sql) -> None:
    for who in ("user", "moderator"):
        for act in ("position", "patch"):
            assert patch({"points": {"red": 1}}, act, by=who).status_code == 403
    sql("update users set is_admin = true where name = 'Ana'")
    form = {**WHY, "merge": '{"points": {"red": 9}}', "seq": str(pair.red.seq)}
    refused = pair.red.browser.post(f"/admin/games/{pair.red.game}/patch", data=form)
    assert refused.status_code == 403
    assert points(pair.red.view())["red"] == 0


def test_clocks_give_the_time_back(staff: dict[str, TestClient], make_pair: Callable[..., Pair],
                                   travel: Travel) -> None:  # noqa: F811
    """Red's hours since the gap, and the waiting, are nobody's."""
    pair = make_pair(visibility="private", pace={"kind": "days", "days": 3, "bank": 7, "increment": 0})
    pair.seal()
    pair.hide()
    pair.red.answer(move("a", "b"))
    full = pair.red.view()["card"]["clock"]["seats"]["red"]
    travel(timedelta(days=5))  # two of them out of the bank
    pair.red.answer(move("b", "c"))
    assert pair.red.view()["card"]["clock"]["seats"]["red"]["bank"] < full["bank"]
    form = {**WHY, "merge": '{"points": {"red": 9}}', "seq": str(pair.red.seq)}
    assert staff["director"].post(f"/admin/games/{pair.red.game}/patch", data=form).status_code == 303
    pair.seal()
    clock = pair.red.view()["card"]["clock"]["seats"]["red"]
    assert clock["bank"] == full["bank"]
    assert clock["deadline"] > full["deadline"]
