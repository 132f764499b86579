"""Games as files: what they hold, games made of them, and the check of all live games."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.cli import main
from tests.app import toy_title
from tests.app.conftest import Command, MakePair, Person, Sql
from tests.app.toy_table import LOOK, PASS, STAY, Pair, Side, bid, move

pytestmark = pytest.mark.usefixtures("toy")


def test_a_running_game_exports_what_its_reader_knows(pair: Pair) -> None:
    pair.red.answer(PASS)
    red, blue = pair.red.get("/export"), pair.blue.get("/export")
    assert (red["eye"], blue["eye"]) == ("red", "blue")
    own = [e["answer"] for e in red["entries"] if "answer" in e]
    assert own == [{"form": "hide", "placed": {"coin": "left"}}, PASS]
    assert all("answer" not in e for e in blue["entries"] if e["seat"] == "red")
    assert "seed" not in red["dice"]
    assert red["entries"][1]["steps"][0]["data"] == {"where": "left"}
    assert blue["entries"][1]["steps"][0]["data"] == {}


def test_a_finished_game_is_taken_in_to_be_looked_at(pair: Pair, command: Command, tmp_path: Path) -> None:
    pair.red.answer(move("a", "b"))
    pair.red.post("/take-back", {"to": pair.red.get("/take-back")["free"]})
    pair.to_the_end()
    file = tmp_path / "game.json"
    assert command("export-game", pair.red.game, str(file))[0] == 0
    code, made = command("import-game", str(file), "--owner", "Ana")
    assert code == 0
    again = Side(pair.red.browser, made["id"], "red")
    card = again.get("")
    assert [who["name"] for who in card["seats"].values()] == ["Ana", "Bea"]
    assert card["state"] == "finished"
    assert again.record() == pair.red.record()
    assert again.view()["view"]["fragments"] == pair.red.view()["view"]["fragments"]


def test_export_and_import_are_inverse(pair: Pair, command: Command, tmp_path: Path) -> None:
    pair.red.answer(PASS)
    pair.blue.answer(LOOK)
    pair.to_the_end_from_bids()
    file = tmp_path / "game.json"
    command("export-game", pair.red.game, str(file))
    _, made = command("import-game", str(file), "--owner", "Bea")
    command("export-game", made["id"], str(tmp_path / "copy.json"))
    one, two = (json.loads((tmp_path / name).read_text()) for name in ("game.json", "copy.json"))
    for changes in ("id", "created_at", "finished_at", "imported"):
        one.pop(changes)
        two.pop(changes)
    assert one == two
    assert (made["proved"], made["faults"], made["rolls"]) == (True, [], 2)
    assert main(["verify-dice", str(tmp_path / "copy.json")]) == 0


def test_a_ban_of_what_if_goes_along(make_pair: MakePair, command: Command, tmp_path: Path) -> None:
    red = make_pair(what_if=False).red
    file = tmp_path / "game.json"
    assert command("export-game", red.game, str(file))[0] == 0
    body = json.loads(file.read_text())
    for said, kept in ((body, False), ({k: v for k, v in body.items() if k != "what_if"}, True)):  # an older file
        file.write_text(json.dumps(said))
        code, made = command("import-game", str(file), "--owner", "Ana")
        assert code == 0
        assert Side(red.browser, made["id"], "red").get("")["what_if"] is kept
    file.write_text(json.dumps(body | {"what_if": "perhaps"}))
    assert command("import-game", str(file), "--owner", "Ana")[0] == 1


def test_a_running_game_goes_on_with_new_dice(pair: Pair, command: Command, tmp_path: Path) -> None:
    pair.round()
    pair.red.answer(move("a", "b"))
    file = tmp_path / "game.json"
    command("export-game", pair.red.game, str(file))
    code, made = command("import-game", str(file), "--owner", "Ana")
    assert code == 0
    ana = pair.red.browser
    copy = Pair(Side(ana, made["id"], "red"), Side(ana, made["id"], "blue"))
    assert copy.red.view()["view"]["fragments"] == pair.red.view()["view"]["fragments"]
    assert not copy.red.get("")["dice"]["complete"]
    copy.seal()
    copy.round()
    copy.round()
    export = copy.red.get("/export")
    assert export["dice"]["first_roll"] == 1
    assert [e["roll_no"] for e in export["entries"] if e["kind"] == "roll"] == [0, 1, 2]
    (tmp_path / "copy.json").write_text(json.dumps(export))
    assert main(["verify-dice", str(tmp_path / "copy.json")]) == 0


@pytest.mark.parametrize(
    ("spoil", "key"),
    [
        (lambda e: e.update(data_digest="0" * 16), "games.no_data"),
        (lambda e: e.update(format=9), "games.import_format"),
        (lambda e: e.update(policy="whatever"), "games.import_malformed"),
        (lambda e: e["entries"].append(e["entries"][-1]), "games.import_malformed"),
        (lambda e: e.update(eye="red"), "games.import_not_whole"),
        (lambda e: e.pop("entries"), "games.import_malformed"),
        (lambda e: e["entries"][2]["answer"].update(form="dance"), "games.import_out_of_step"),
    ],
)
def test_a_spoilt_file_makes_no_game(
    pair: Pair, command: Command, tmp_path: Path, spoil: Callable[[dict[str, Any]], None], key: str
) -> None:
    pair.to_the_end()
    export = pair.red.get("/export")
    spoil(export)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(export))
    code, said = command("import-game", str(file), "--owner", "Ana")
    assert (code, said["error"]) == (1, key)


def test_live_games_are_checked_against_the_rules(
    make_pair: MakePair, client: TestClient, command: Command
) -> None:
    pair = make_pair()
    pair.hide()
    pair.red.answer(move("a", "b"))
    assert command("verify-games") == (0, {"games": 1, "faults": {}, "back": {}})
    pair.red.answer(PASS)
    pair.blue.answer(STAY)
    pair.red.answer(bid(1))
    rules_of_tomorrow = pytest.MonkeyPatch()
    rules_of_tomorrow.setitem(toy_title.SEGMENTS, "bids", toy_title.SEGMENTS["blue_turn"])
    code, said = command("verify-games")
    assert code == 1
    assert list(said["faults"]) == [pair.red.game]
    assert "comes from a seat that is not asked" in said["faults"][pair.red.game]
    assert said["back"] == {pair.red.game: pair.red.record()[-1]["seq"]}
    store = client.app.state.games.store  # type: ignore[attr-defined]
    store.drop(pair.red.game)
    refused = pair.blue.browser.get(pair.blue.at + "/view")
    assert (refused.status_code, refused.json()["error"]["key"]) == (409, "games.out_of_step")
    rules_of_tomorrow.undo()
    assert pair.blue.view()["request"]["mine"]


def test_exports_name_people_and_hold_no_numbers_of_accounts(make_pair: MakePair, command: Command,
                                                             tmp_path: Path) -> None:  # fmt: skip
    pair = make_pair(pace={"kind": "days", "days": 3, "bank": 7, "increment": 0})
    pair.seal()
    file = tmp_path / "game.json"
    command("export-game", pair.red.game, str(file))
    for export in (json.loads(file.read_bytes()), pair.red.get("/export")):
        said = [e["answer"]["seats"] for e in export["entries"] if e["kind"] == "pace" and "answer" in e]
        assert said in ([{"red": "Ana", "blue": "Bea"}], [])
    assert json.loads(file.read_bytes())["entries"][-1]["kind"] == "dice"


def test_what_could_not_be_proved_is_said_and_marked(pair: Pair, command: Command, sql: Sql, tmp_path: Path) -> None:
    """An edited export is taken in, but not without a word."""
    pair.to_the_end()
    export = pair.red.get("/export")
    export["result"]["winner"] = "red" if export["result"]["winner"] == "blue" else "blue"
    file = tmp_path / "game.json"
    file.write_text(json.dumps(export))
    code, made = command("import-game", str(file), "--owner", "Ana")
    assert (code, made["proved"], made["faults"]) == (0, False, ["the result is not that which the rules give"])
    assert sql(f"select count(user_id) from seats where game_id = '{made['id']}'") == [(0,)], "names, not accounts"
    card = pair.red.browser.get(f"/api/games/{made['id']}").json()
    assert card["imported"]["faults"] == made["faults"]


@pytest.mark.parametrize("body", [b"\x1f\x8b\x08\x00", b'{"format": NaN}', b"[" * 100_000, b"null", b"[]", b"\xff"])
def test_what_is_no_file_of_ours_is_no_traceback(
    pair: Pair, command: Command, tmp_path: Path, body: bytes  # noqa: ARG001
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(body)
    code, said = command("import-game", str(file), "--owner", "Ana")
    assert (code, said["error"]) == (1, "games.import_malformed")


def test_a_player_of_a_game_from_a_file_is_a_name_until_an_account_agrees(
    pair: Pair, command: Command, person: Person, sql: Sql, tmp_path: Path
) -> None:
    """Who is asked, and nobody else, takes the place of the name; who says no leaves it."""
    file, running = tmp_path / "game.json", tmp_path / "running.json"
    command("export-game", pair.red.game, str(running))
    pair.to_the_end()
    command("export-game", pair.red.game, str(file))
    cleo, otto = person("Cleo"), person("Otto")

    def taken_in(*asked: str, what: Path = file) -> Any:
        return command("import-game", str(what), "--owner", "Ana", *(w for one in asked for w in ("--player", one)))[1]

    def seats(game: str) -> list[Any]:
        return sql(f"select user_id is null, name from seats where game_id = '{game}' order by place")

    game = taken_in("red=Cleo", "blue=Otto")["id"]
    [asked] = cleo.get("/api/invitations").json()
    assert (asked["game"], asked["seat"], asked["called"], asked["by"]) == (game, "red", "Ana", "Ana")
    assert "as Ana" in cleo.get("/").text
    [told] = cleo.get("/api/notices").json()["news"]
    assert "asks whether it was you" in told["text"]
    assert seats(game) == [(True, "Ana"), (True, "Bea")]
    assert otto.post(f"/api/invitations/{asked['id']}/agree").status_code == 404, "somebody else's"
    assert cleo.post(f"/invitations/{asked['id']}/agree").headers["location"] == f"/games/{game}"
    assert cleo.post(f"/api/invitations/{asked['id']}/agree").status_code == 409, "already there"
    [other] = otto.get("/api/invitations").json()
    assert otto.post(f"/api/invitations/{other['id']}/decline").status_code == 204
    assert otto.post(f"/api/invitations/{other['id']}/agree").status_code == 404
    assert seats(game) == [(False, None), (True, "Bea")]
    names = {seat: who["name"] for seat, who in cleo.get(f"/api/games/{game}").json()["seats"].items()}
    assert names == {"red": "Cleo", "blue": "Bea"}
    assert [one.get("/api/invitations").json() for one in (cleo, otto)] == [[], []]
    before = sql("select count(*) from games")
    assert [taken_in(*wrong, what=what).get("error") for wrong, what in (
        (["red=Nobody"], file), (["green=Cleo"], file), (["red=Cleo"], running))] == [
            "games.no_user", "games.no_seat", "games.import_runs"]  # fmt: skip
    assert sql("select count(*) from games") == before, "what can't be asked makes no game"
