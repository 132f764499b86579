"""What a patched game goes through later: backups, other processes, other rules, take-backs, files; and its story."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import rules.titles
from app import backup
from app.config import Settings
from app.games import dice
from app.games.live import conninfo
from app.main import create_app
from rules.core.errors import BadPosition
from tests.app import toy_title
from tests.app.conftest import Command
from tests.app.test_admin import until
from tests.app.test_mending import blue_turn_of_tomorrow
from tests.app.test_patch import WHY, patch, points
from tests.app.toy_table import LOOK, PASS, ROLL, STAY, Pair, Side, bid, move

__all__ = ["patch"]

FITS = (0, {"games": 1, "faults": {}, "back": {}})
Patch = Callable[..., Any]


@pytest.fixture
def patched(patch: Patch, pair: Pair) -> Pair:
    """After the first round: red has 40 points and blue stands at c; the dice are sealed anew."""
    pair.round()
    pair.red.answer(move("a", "b"))
    assert patch({"points": {"red": 40}, "at": {"blue": "c"}}).status_code == 303
    pair.seal()
    return pair


def anew(pair: Pair) -> None:
    """The game as the next process would load it."""
    pair.red.browser.app.state.games.store.drop(pair.red.game)  # type: ignore[attr-defined]


def test_a_backup_brings_a_patched_game_back_and_it_is_played_to_its_end(
    patched: Pair, settings: Settings, command: Command, tmp_path: Path
) -> None:
    at, red = conninfo(settings.database_url), patched.red
    seen = [side.view() for side in (red, patched.blue)]
    backup.backup(at, tmp_path / "b")
    red.answer(PASS)
    backup.restore(at, tmp_path / "b", replace=True)
    assert command("verify-games") == FITS
    assert [side.view() for side in (red, patched.blue)] == seen
    patched.round()
    patched.round()
    done = red.get("/export")
    assert (done["state"], done["result"]["winner"]) == ("finished", "red")
    assert points(red.view())["red"] >= 40, "and what the dice add, which may be nothing"
    assert dice.checked(done)[1] == []
    file = tmp_path / "game.json"
    file.write_text(json.dumps(done))
    assert command("verify-dice", str(file))[0] == 0


def test_another_process_takes_a_patch_over_and_goes_on(patch: Patch, pair: Pair, settings: Settings) -> None:
    pair.round()
    with TestClient(create_app(settings)) as elsewhere:
        elsewhere.cookies = pair.blue.browser.cookies
        blue = Side(elsewhere, pair.blue.game, "blue")
        assert points(blue.view())["red"] < 40  # it is in memory there
        with elsewhere.websocket_connect(f"{blue.at}/socket?seat=blue") as line:
            until(line, "view")
            pair.red.answer(move("a", "b"))
            until(line, "told")
            assert patch({"points": {"red": 40}, "at": {"blue": "c"}}).status_code == 303
            told = until(line, "taken_back")
            assert points(told)["red"] == 40
            assert told["entries"][-1]["steps"][0]["data"]["reason"] == WHY["reason"]
            assert (told["view"], told["seq"]) == (blue.view()["view"], blue.view()["seq"])
            pair.seal()
            pair.red.answer(PASS)
            while not (told := until(line, "told"))["request"]["mine"]:
                pass
        blue.answer(LOOK)
        pair.red.answer(bid(1))
        blue.answer(bid(2))
        assert pair.blue.view()["digest"] == blue.view()["digest"]
        assert points(blue.view())["blue"] == 4


@contextmanager
def tomorrow(pair: Pair) -> Iterator[None]:
    """Blue's turn has another word for passing."""
    with pytest.MonkeyPatch.context() as other:
        other.setitem(toy_title.SEGMENTS, "blue_turn", blue_turn_of_tomorrow)
        anew(pair)
        yield


def test_other_rules_lead_back_to_after_the_patch(patched: Pair, command: Command) -> None:
    red, blue = patched.red, patched.blue
    red.answer(PASS)
    blue.answer(STAY)
    misfit = [e for e in blue.record() if e["kind"] == "answer" and e["seat"] == "blue"][-1]["seq"]
    with tomorrow(patched):
        assert command("verify-games")[1]["back"] == {red.game: misfit}
        assert red.get("/mending")["back"]["seq"] == misfit
        red.post("/mending", {"what": "resume"})
        blue.post("/mending/reply", {"yes": True})
        assert [o["id"] for o in blue.view()["request"]["forms"][0]["options"]] == ["stay", "go"]
        assert points(blue.view())["red"] == 40
        assert not next(e for e in red.record() if e["kind"] == "patch")["retracted"]
        patched.seal()
        blue.answer({"form": "blue", "option": "go"})
        assert command("verify-games") == FITS


def test_rules_that_the_patch_does_not_fit_lead_back_before_it(
    patched: Pair, command: Command, sql: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players agree, and the patch is taken back with what was answered before it."""

    def load(_data: Any, state: dict[str, Any]) -> toy_title.Toy:
        if state["at"].get("blue") == "c":
            raise BadPosition("nobody stands at c")
        return toy_title.load(_data, state)

    red, blue = patched.red, patched.blue
    red.answer(PASS)
    title = replace(toy_title.TITLE, load=load)
    monkeypatch.setattr(rules.titles, "load", lambda _: title)
    anew(patched)
    code, said = command("verify-games")
    assert (code, list(said["faults"])) == (1, [red.game])
    back = said["back"][red.game]
    entry = next(e for e in red.record() if e["kind"] == "patch")
    assert back is not None
    assert back < entry["seq"]
    red.post("/mending", {"what": "resume"})
    blue.post("/mending/reply", {"yes": True})
    assert next(e for e in red.record() if e["kind"] == "patch")["retracted"]
    assert points(red.view())["red"] < 40
    assert command("verify-games") == FITS
    assert sql("select count(*) from mendings") == [(0,)]


def test_no_take_back_leads_over_a_patch(patched: Pair) -> None:
    """Not freely nor by consent, before and after further answers; what came after the patch can be taken back."""
    red = patched.red
    earlier = [e["seq"] for e in red.record() if e["kind"] == "answer" and e["seat"] == "red" and not e["forced"]]
    entry = next(e["seq"] for e in red.record() if e["kind"] == "patch")
    assert red.view()["take_back"]["consent"] == []
    for to in (*earlier, entry):
        assert red.post("/take-back", {"to": to}, 400)["error"]["key"] == "games.no_take_back"
    red.answer(move("b", "c"))
    red.answer(ROLL)
    own = [e["seq"] for e in red.record() if e["kind"] == "answer" and e["seat"] == "red" and e["seq"] > entry]
    anew(patched)
    assert red.view()["take_back"]["consent"] == own
    for to in (*earlier, entry):
        assert red.post("/take-back", {"to": to}, 400)["error"]["key"] == "games.no_take_back"
    red.post("/take-back", {"to": own[0]})
    patched.blue.post("/take-back/reply", {"yes": True})
    assert points(red.view())["red"] == 40
    assert not next(e for e in red.record() if e["kind"] == "patch")["retracted"]


def test_a_running_game_goes_on_elsewhere_with_its_patch(patched: Pair, command: Command, tmp_path: Path) -> None:
    """By the host's own export; not with the fields of the patch missing."""
    patched.red.answer(PASS)
    path = tmp_path / "game.json"
    assert command("export-game", patched.red.game, str(path))[0] == 0
    file = json.loads(path.read_text())
    assert [e["answer"]["merge"] for e in file["entries"] if e["kind"] == "patch"] == [
        {"points": {"red": 40}, "at": {"blue": "c"}}
    ]
    code, made = command("import-game", str(path), "--owner", "Ana")
    assert code == 0
    copy = Side(patched.red.browser, made["id"], "blue")
    assert copy.view()["view"]["fragments"]["space:c"] == {"count": 1, "units": [{"id": "blue"}]}
    assert points(copy.view())["red"] == 40
    copy.answer(STAY)
    for entry in file["entries"]:
        if entry["kind"] == "patch":
            entry["answer"] = {"to": entry["answer"]["to"]}
    path.write_text(json.dumps(file))
    code, said = command("import-game", str(path), "--owner", "Ana")
    assert (code, "error" in said) == (1, True)
