"""The dice key: sealed by both seats before a roll, checked from an export."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.games import dice
from tests.app.conftest import MakePair
from tests.app.toy_table import HIDE, NONCES, ROLL, Pair

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
    assert dice.verify(pair.red.get("/export")) == ["the seed is not shown: the game is not finished"]
    pair.to_the_end()
    export = pair.red.get("/export")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(export))
    assert main(["verify-dice", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rolls": 3, "faults": []}


@pytest.mark.parametrize("tamper", ["value", "seed", "nonce", "missing"])
def test_a_tampered_export_is_found_out(pair: Pair, tamper: str, tmp_path: Path) -> None:
    pair.to_the_end()
    export: dict[str, Any] = copy.deepcopy(pair.red.get("/export"))
    roll = next(e for e in export["entries"] if e["kind"] == "roll")
    if tamper == "value":
        (face,) = roll["answer"]["faces"]
        roll["answer"]["faces"] = [face + 1 if face < 9 else 0]
    elif tamper == "missing":
        export["entries"].remove(roll)
    elif tamper == "seed":
        export["dice"]["seed"] = "00" * 32
    else:
        export["dice"]["seats"]["red"]["nonce"] = "00" * 32
    file = tmp_path / "game.json"
    file.write_text(json.dumps(export))
    assert main(["verify-dice", str(file)]) == 1


def test_no_dice_needed_no_dice_asked(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.red.answer(HIDE)
    assert not pair.red.get("")["dice"]["complete"]
