"""The sealing of a game's dice key (docs/protocol.md section 9), and the check of rolls from an export.

`dice`, as a game's row keeps it: {"hashes": {SEAT: hex}, "nonces": {SEAT: hex}, "kept": {SEAT: hex}, "restarts": N,
"first_roll": N}. `kept` holds the nonces of bots until both hashes are in and is shown to nobody.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from app.errors import Refused
from rules.core.chance import seal, thrown

Dice = dict[str, Any]


def new(bots: Sequence[str], restarts: int = 0, first_roll: int = 0) -> Dice:
    """Nothing sealed yet, but by the bots."""
    kept = {seat: secrets.token_hex(32) for seat in bots}
    hashes = {seat: _hash(nonce) for seat, nonce in kept.items()}
    return {"hashes": hashes, "nonces": {}, "kept": kept, "restarts": restarts, "first_roll": first_roll}


def with_hash(dice: Dice, seats: Sequence[str], seat: str, digest: str) -> Dice:
    """A seat commits itself. Another hash than before starts the sealing over. Raises Refused when it is done."""
    _hex(digest)
    if dice["hashes"].get(seat) == digest:
        return dice
    if complete(dice, seats):
        raise Refused("games.dice_sealed")
    if seat in dice["hashes"]:
        dice = _over(dice)
    dice = {**dice, "hashes": {**dice["hashes"], seat: digest}}
    if len(dice["hashes"]) == len(seats):
        dice["nonces"] = {**dice["nonces"], **dice["kept"]}
    return dice


def with_nonce(dice: Dice, seats: Sequence[str], seat: str, nonce: str) -> Dice:
    """A seat shows its nonce. One that is not what was hashed (another browser, a cleared one) starts the sealing
    over. Raises Refused before all hashes are in."""
    _hex(nonce)
    if seat in dice["nonces"]:
        return dice
    if len(dice["hashes"]) < len(seats):
        raise Refused("games.dice_too_early")
    if dice["hashes"][seat] != _hash(nonce):
        return _over(dice)
    return {**dice, "nonces": {**dice["nonces"], seat: nonce}}


def _over(dice: Dice) -> Dice:
    """For both seats: a nonce once shown must not meet a new one that could have been chosen after it."""
    return new(list(dice["kept"]), dice["restarts"] + 1, dice["first_roll"])


def complete(dice: Dice, seats: Sequence[str]) -> bool:
    return len(dice["nonces"]) == len(seats)


def key(dice: Dice, seats: Sequence[str], seed: bytes) -> bytes | None:
    """The key of the rolls, once all nonces are in."""
    if not complete(dice, seats):
        return None
    return seal(seed, [bytes.fromhex(dice["nonces"][seat]) for seat in seats])


def shown(dice: Dice, seats: Sequence[str], seed: bytes, finished: bool) -> dict[str, Any]:
    """What everybody may know; the seed when the game is over."""
    out = {
        "seed_hash": hashlib.sha256(seed).hexdigest(),
        "seats": {s: {"hash": dice["hashes"].get(s), "nonce": dice["nonces"].get(s)} for s in seats},
        "order": list(seats), "complete": complete(dice, seats), "restarts": dice["restarts"],
        "first_roll": dice["first_roll"],
    }  # fmt: skip
    return {**out, "seed": seed.hex()} if finished else out


def verify(export: Mapping[str, Any]) -> list[str]:
    """What is wrong with the dice of an exported game: every roll is made again from seed and nonces."""
    dice = export["dice"]
    if "seed" not in dice:
        return ["the seed is not shown: the game is not finished"]
    seed, sealed = bytes.fromhex(dice["seed"]), dice["seats"]
    faults = []
    if hashlib.sha256(seed).hexdigest() != dice["seed_hash"]:
        faults.append("the seed is not the one committed to")
    faults += [f"the nonce of {seat} is not the one committed to"
               for seat, of in sealed.items() if of["nonce"] is not None and _hash(of["nonce"]) != of["hash"]]
    rolls = [e for e in export["entries"] if e["roll_no"] is not None and e["roll_no"] >= dice["first_roll"]]
    if any(of["nonce"] is None for of in sealed.values()):
        return faults + (["rolls were made before the key was sealed"] if rolls else [])
    key = seal(seed, [bytes.fromhex(sealed[seat]["nonce"]) for seat in dice["order"]])
    for entry in rolls:
        if _again(key, entry) != entry["answer"]:
            faults.append(f"roll {entry['roll_no']} (entry {entry['seq']}) is not what the key gives")
    numbers = [e["roll_no"] for e in rolls]
    if numbers != list(range(dice["first_roll"], dice["first_roll"] + len(numbers))):
        faults.append("rolls are missing or out of order")
    return faults


def _again(key: bytes, entry: Mapping[str, Any]) -> Any:
    """A roll made anew, as its record keeps it."""
    said = entry["answer"]
    if isinstance(said, int):  # of the first records: counted from 0, without its faces
        return thrown(key, entry["roll_no"], 0, entry["sides"] - 1)[0]
    return {**said, "faces": list(thrown(key, entry["roll_no"], said["low"], said["high"], len(said["faces"])))}


def _hash(nonce: str) -> str:
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def _hex(text: str) -> None:
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise Refused("games.dice_malformed")
