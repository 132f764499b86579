"""Games of earlier days in the server's export format (tests/records/exports): this server takes them in.

    MARISCAL_KEEP_EXPORTS=1 ./mariscal test tests/app/test_kept_exports.py

plays two games of each title over HTTP and keeps their exports beside those there are, under the title's version.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from app.games import data as games_data
from app.games import datasets
from app.games.dice import checked
from rules import bots, titles
from tests.app.conftest import Command
from tests.app.toy_table import Side, new_game, new_key
from tests.records import kept
from tests.rules import harness

Person = Callable[[str], TestClient]
RESIGNED = {"ultimo_hombre": 60, "guerra_a_muerte": 60, "austerlitz": 60}  # answers, of games too long to be kept
KEEP = bool(os.environ.get("MARISCAL_KEEP_EXPORTS"))
NAMES = sorted(path.name.removesuffix(".json.xz") for path in kept.EXPORTS.glob("*.json.xz"))
CHANGES = ("id", "created_at", "finished_at", "rules_version", "rolls", "imported")


def _pinned(client: TestClient, title: str, digest: str, name: str) -> None:
    """The data of that day, as the database of a server that ran then has them."""
    body = zlib.compress(orjson.dumps(kept.files(name)))

    async def keep() -> None:
        async with client.app.state.games.store.pool.connection() as conn:  # type: ignore[attr-defined]
            await datasets.keep_data(conn, digest, title, body)

    assert client.portal is not None
    client.portal.call(keep)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_earlier_days_is_taken_in(name: str, client: TestClient, person: Person, command: Command,
                                            tmp_path: Path) -> None:  # fmt: skip
    whole = kept.read(kept.EXPORTS / f"{name}.json.xz")
    was = whole["file"]
    ana = person("Ana")
    _pinned(client, was["title"], was["data_digest"], whole["data"])
    file, copy = tmp_path / "game.json", tmp_path / "copy.json"
    file.write_text(json.dumps(was))
    code, made = command("import-game", str(file), "--owner", "Ana")
    assert code == 0, made
    assert command("export-game", made["id"], str(copy))[0] == 0
    now = json.loads(copy.read_bytes())
    assert now["entries"] == was["entries"]
    side = Side(ana, made["id"], next(iter(was["seats"])))
    for seat, who in now["seats"].items():
        assert who.pop("side") == was["seats"][seat].pop("side", seat)
    if was["state"] == "finished":  # rules that have changed since may not fit it: it can be read all the same
        assert side.record()[0]["steps"][0]["event"] == "game_begins"
        said = {"what_if": True, **was}  # exports did not always say whether their game allows what-if
        assert {k: v for k, v in now.items() if k not in CHANGES} == {k: v for k, v in said.items() if k not in CHANGES}
        assert checked(now)[1] == []
        assert any(e["roll_no"] is not None for e in was["entries"])
    else:
        assert any(e["retracted"] for e in was["entries"])
        assert side.view()["seq"] == was["entries"][-1]["seq"]
        card = side.get("")
        assert card["state"] == "active"
        assert card["dice"]["first_roll"] == sum(e["roll_no"] is not None for e in was["entries"])


@pytest.mark.parametrize("name", NAMES)
def test_a_site_that_never_pinned_the_data_of_that_day_has_it(name: str) -> None:
    whole = kept.read(kept.EXPORTS / f"{name}.json.xz")
    title = titles.load(whole["file"]["title"])
    digest = whole["file"]["data_digest"]
    if digest == games_data.current(title.id).digest:
        return
    found = games_data.older(digest)
    assert found is not None
    there = title.upgrade_data(kept.files(whole["data"]))
    there = {name: body for name, body in there.items() if name in found}  # `excuses` were once kept beside it
    assert orjson.dumps(found) == orjson.dumps(there)


def test_there_is_a_finished_and_a_running_game_of_every_title() -> None:
    files = [kept.read(kept.EXPORTS / f"{name}.json.xz")["file"] for name in NAMES]
    assert {(title, state) for title in titles.IDS for state in ("finished", "active")} <= {
        (file["title"], file["state"]) for file in files}  # fmt: skip


def keep(title_id: str, state: str, client: TestClient, person: Person, command: Command,
         tmp_path: Path) -> None:  # fmt: skip
    title = titles.load(title_id)
    scenario = next(iter(harness.data(title_id).scenarios))
    one, other = harness.seats(title, scenario)
    ana, bea = person("Ana"), person("Bea")
    game = new_game(ana, title=title_id, scenario=scenario, seat=one)
    joined = bea.post(f"/api/games/{game['id']}/join", json={"seat": other, "token": game["join_token"]})
    assert joined.status_code == 200, joined.text
    sides = {one: Side(ana, game["id"], one), other: Side(bea, game["id"], other)}
    _seal(sides)
    _play(client, sides, Random(7), 10_000 if state == "finished" else 150, RESIGNED.get(title_id, 0))
    file = tmp_path / "game.json"
    command("export-game", game["id"], str(file))
    body = json.loads(file.read_bytes())
    name = f"{title_id}-{title.version}-{state}"
    kept.write(kept.EXPORTS / f"{name}.json.xz",
               {"data": kept.keep_data(title_id, harness.data(title_id).files), "file": body})  # fmt: skip


if KEEP:
    cases = [(title_id, state) for title_id in titles.IDS for state in ("finished", "running")]
    test_keep = pytest.mark.parametrize(("title_id", "state"), cases)(keep)


def _seal(sides: dict[str, Side]) -> None:
    for n, side in enumerate(sides.values()):
        side.post("/dice", {"hash": hashlib.sha256(bytes([n]) * 32).hexdigest()})
    for n, side in enumerate(sides.values()):
        side.post("/dice", {"nonce": (bytes([n]) * 32).hex()})


def _play(client: TestClient, sides: dict[str, Side], rng: Random, most: int, resign: int) -> None:
    """Bots over HTTP; one answer is taken back on the way. After `resign` answers of a game to be finished the first
    seat gives up."""
    store, bot = client.app.state.games.store, bots.make("random")  # type: ignore[attr-defined]
    game_id = next(iter(sides.values())).game
    taken = False
    for count in range(most):
        assert client.portal is not None
        _row, held = client.portal.call(store.look, game_id)
        referee = held.referee
        if not referee.pending:
            return
        if most > 1000 and resign and count >= resign:
            next(iter(sides.values())).post("/resign")
            return
        seat = rng.choice(referee.asked)
        answer: Any = bot.answer(referee, seat, rng)
        sides[seat].post("/answers", {"seq": referee.seq, "key": new_key(), "answer": answer})
        if not taken and count > 20 and (back := sides[seat].get("/take-back")["free"]) is not None:
            assert sides[seat].post("/take-back", {"to": back})["done"]
            taken = True
