"""The dice key: sealed by both seats before a roll, checked from an export."""

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli import main
from app.games import data, dice
from app.games.proof import prove
from tests.app.conftest import MakePair
from tests.app.toy_table import HIDE, NONCES, ROLL, STAY, Pair
from tests.forged import FORGERIES, File

pytestmark = pytest.mark.usefixtures("toy")


def hashed(nonce: str) -> str:
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def test_no_roll_before_the_key_is_sealed_and_nothing_is_lost(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.hide()
    before = pair.red.view()
    assert pair.red.answer(ROLL, expect=400)["error"]["key"] == "refusal.dice_not_sealed"
    assert pair.red.view() == before
    pair.seal()
    pair.red.answer(ROLL)


def test_nonces_come_after_both_hashes(make_pair: MakePair) -> None:
    pair = make_pair()
    sealed = pair.red.post("/dice", {"hash": hashed(NONCES["red"])})
    assert sealed["seats"]["red"] == {"hash": hashed(NONCES["red"]), "nonce": None}
    assert pair.red.post("/dice", {"nonce": NONCES["red"]}, 400)["error"]["key"] == "games.dice_too_early"
    pair.blue.post("/dice", {"hash": hashed(NONCES["blue"])})
    pair.red.post("/dice", {"nonce": NONCES["red"]})
    sealed = pair.blue.post("/dice", {"nonce": NONCES["blue"]})
    assert sealed["complete"]
    assert "seed" not in sealed
    assert pair.red.post("/dice", {"hash": hashed("33" * 32)}, 400)["error"]["key"] == "games.dice_sealed"


def test_a_lost_nonce_starts_the_sealing_over_for_both(make_pair: MakePair) -> None:
    pair = make_pair()
    for side in (pair.red, pair.blue):
        side.post("/dice", {"hash": hashed(NONCES[side.seat])})
    pair.blue.post("/dice", {"nonce": NONCES["blue"]})
    over = pair.red.post("/dice", {"nonce": "33" * 32})
    assert over["restarts"] == 1
    assert over["seats"]["blue"] == {"hash": None, "nonce": None}
    pair.seal()
    assert pair.red.get("")["dice"]["complete"]


def test_a_bot_seals_its_part_unseen() -> None:
    fresh = dice.new(["blue"])
    seed = b"s" * 32
    nonce = fresh["kept"]["blue"]
    assert nonce not in json.dumps(dice.shown(fresh, ("red", "blue"), seed, finished=False))
    both = dice.with_hash(fresh, ("red", "blue"), "red", hashed(NONCES["red"]))
    assert both["nonces"] == {"blue": nonce}
    done = dice.with_nonce(both, ("red", "blue"), "red", NONCES["red"])
    expected = hashlib.sha256(seed + bytes.fromhex(NONCES["red"]) + bytes.fromhex(nonce)).digest()
    assert dice.key(done, ("red", "blue"), seed) == expected


def test_an_export_proves_its_rolls(pair: Pair, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dice.checked(pair.red.get("/export"))[1] == ["the seed is not shown: the game is not finished"]
    pair.to_the_end()
    export = pair.red.get("/export")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(export))
    assert main(["verify-dice", str(file), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["rolls"], said["faults"]) == (3, [])
    assert said["entries"] > said["rolls"], "the rules made all of the record again"


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_export_is_found_out(pair: Pair, forge: Callable[[File], None], tmp_path: Path) -> None:
    pair.to_the_end()
    export: File = copy.deepcopy(pair.red.get("/export"))
    forge(export)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(export))
    assert main(["verify-dice", str(file)]) == 1


def test_the_hash_that_a_player_saw_is_asked_for(pair: Pair, tmp_path: Path) -> None:
    seen = pair.red.get("")["dice"]["seed_hash"]
    begun = pair.red.record()[0]["steps"][0]
    assert begun["data"]["seed_hash"] == seen, "it stands in the record's first entry"
    pair.to_the_end()
    file = tmp_path / "game.json"
    file.write_text(json.dumps(pair.red.get("/export")))
    assert main(["verify-dice", str(file), "--seed-hash", seen]) == 0
    assert main(["verify-dice", str(file), "--seed-hash", "11" * 32]) == 1


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"null", b"NaN", b"\x1f\x8b\x08", b"[" * 100_000,
                                  b'{"title": "toy", "dice": {}, "entries": [], "data_digest": ""}'])  # fmt: skip
def test_what_is_no_export_is_no_traceback(body: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(body)
    assert main(["verify-dice", str(file)]) == 1
    assert main(["verify-dice", str(tmp_path / "none.json")]) == 1


def test_taken_back_and_rolled_again_is_proved(pair: Pair) -> None:
    """Along a take-back by consent, over a roll."""
    before = pair.red.seq
    pair.red.answer(ROLL)
    asked = pair.red.post("/take-back", {"to": before + 1})
    if not asked["done"]:
        pair.blue.post("/take-back/reply", {"yes": True})
    pair.red.answer(ROLL)
    if not pair.blue.view()["request"]["together"]:
        pair.blue.answer(STAY)
    pair.to_the_end_from_bids()
    export = pair.red.get("/export")
    assert any(entry["retracted"] for entry in export["entries"])
    proof = prove(export, data.current("toy"))
    assert (proof.faults, proof.rolls) == ([], 4)


def test_restarts_say_who_began_them(make_pair: MakePair) -> None:
    pair = make_pair()
    for side in (pair.red, pair.blue):
        side.post("/dice", {"hash": hashed(NONCES[side.seat])})
    pair.red.post("/dice", {"nonce": "33" * 32})
    pair.blue.post("/dice", {"hash": "44" * 32})
    over = pair.blue.post("/dice", {"hash": "55" * 32})
    assert over["restarted"] == [{"by": "red", "why": "nonce"}, {"by": "blue", "why": "hash"}]
    assert over["restarts"] == 2


def test_no_dice_needed_no_dice_asked(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.red.answer(HIDE)
    assert not pair.red.get("")["dice"]["complete"]
