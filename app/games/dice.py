"""The sealing of a game's dice key (docs/protocol.md section 9), and the check of rolls from an export.

`dice`, as a game's row keeps it: {"hashes": {SEAT: hex}, "nonces": {SEAT: hex}, "kept": {SEAT: hex}, "restarts": N,
"first_roll": N, "before": [SEALING], "restarted": [{"by": SEAT|null, "why"}]}. `before`: earlier sealings of the game
as `shown` gives them, with their seeds; `restarted`: who began each restart, and why. `kept` holds the nonces of bots
until both hashes are in and is shown to nobody.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from app.errors import Refused
from rules.core.chance import seal, thrown
from rules.core.record import CHANCE
from rules.core.seats import ALL

Dice = dict[str, Any]

MOST_SIDES = 2**32  # of a die that a file may name


def new(bots: Sequence[str], restarts: int = 0, first_roll: int = 0, **kept_on: Any) -> Dice:
    """Nothing sealed yet, but by the bots. `kept_on`: `before`, the earlier sealings with their seeds, and `restarted`,
    who began each restart and why."""
    kept = {seat: secrets.token_hex(32) for seat in bots}
    hashes = {seat: _hash(nonce) for seat, nonce in kept.items()}
    return {"hashes": hashes, "nonces": {}, "kept": kept, "restarts": restarts, "first_roll": first_roll,
            **kept_on}  # fmt: skip


def anew(dice: Dice, bots: Sequence[str], rolls: int, by: str | None, why: str, old: Mapping[str, Any]) -> Dice:
    """A new sealing after so many rolls, with another seed. `old`: the earlier one, as `shown` with its seed."""
    alone = {name: part for name, part in old.items() if name not in ("before", "restarted")}
    before = [*dice.get("before", ()), alone]
    return new(bots, dice["restarts"] + 1, rolls, before=before, restarted=_restarted(dice, by, why))


def kept_as_sealed(sealing: Mapping[str, Any]) -> Dice:
    """The sealing of a finished game's file, as the database keeps it."""
    seats = sealing["seats"].items()
    return {"hashes": {seat: of["hash"] for seat, of in seats if of["hash"]},
            "nonces": {seat: of["nonce"] for seat, of in seats if of["nonce"]},
            "kept": {}, "restarts": sealing["restarts"], "first_roll": sealing["first_roll"],
            **{name: sealing[name] for name in ("before", "restarted") if name in sealing}}  # fmt: skip


def taken_on(sealing: Mapping[str, Any], rolls: int) -> Dice:
    """Nothing sealed yet in a game that goes on elsewhere after so many rolls; its file had another sealing."""
    alone = {name: part for name, part in sealing.items() if name not in ("before", "restarted")}
    return new((), first_roll=rolls, before=[*sealing.get("before", ()), alone] if "seed" in sealing else [])


def _restarted(dice: Dice, by: str | None, why: str) -> list[dict[str, Any]]:
    return [*dice.get("restarted", ()), {"by": by, "why": why}]


def with_hash(dice: Dice, seats: Sequence[str], seat: str, digest: str) -> Dice:
    """A seat commits itself. Another hash than before starts the sealing over. Raises Refused when it is done."""
    _hex(digest)
    if dice["hashes"].get(seat) == digest:
        return dice
    if complete(dice, seats):
        raise Refused("games.dice_sealed")
    if seat in dice["hashes"]:
        dice = _over(dice, seat, "hash")
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
        return _over(dice, seat, "nonce")
    return {**dice, "nonces": {**dice["nonces"], seat: nonce}}


def _over(dice: Dice, by: str, why: str) -> Dice:
    """For both seats: a nonce once shown must not meet a new one that could have been chosen after it."""
    return new(list(dice["kept"]), dice["restarts"] + 1, dice["first_roll"], before=list(dice.get("before", ())),
               restarted=_restarted(dice, by, why))  # fmt: skip


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
    out |= {name: dice[name] for name in ("before", "restarted") if dice.get(name)}
    return {**out, "seed": seed.hex()} if finished else out


def checked(file: Mapping[str, Any], seen: Sequence[str] = ()) -> tuple[int, list[str]]:
    """How many rolls and draws of an export were made again from what was sealed, and what is wrong with them: each has
    to be there in its order, and to follow from the sealing under which it was made. `seen`: hashes of seeds that a
    player was shown. Raises KeyError, TypeError, ValueError."""
    if "seed" not in file["dice"]:
        return 0, ["the seed is not shown: the game is not finished"]
    faults = [f"entry {entry['seq']}: a {entry['kind']} with roll number {entry['roll_no']}"
              for entry in file["entries"] if (entry["roll_no"] is not None) != (entry["kind"] in CHANCE)]  # fmt: skip
    rolls = [entry for entry in file["entries"] if entry["kind"] in CHANCE and entry["roll_no"] is not None]
    if [entry["roll_no"] for entry in rolls] != list(range(len(rolls))):
        faults.append("rolls are missing or out of order")
    if file.get("rolls", len(rolls)) != len(rolls):
        faults.append(f"{len(rolls)} rolls of {file['rolls']} are there")
    sealings = [*file["dice"].get("before", ()), file["dice"]]
    firsts = [sealing["first_roll"] for sealing in sealings]
    if firsts != sorted(firsts) or (rolls and firsts[0] != 0):
        faults.append("rolls were made before the first sealing that the file shows")
    known = [sealing["seed_hash"] for sealing in sealings]
    begun = [step["data"].get("seed_hash") for step in file["entries"][0]["told"].get(ALL, ())[:1]]
    faults += [f"the record began with another seed ({one})" for one in begun if one is not None and one != known[0]]
    faults += [f"a player was shown another seed ({one})" for one in seen if one not in known]
    count = 0
    for sealing, end in zip(sealings, [*firsts[1:], len(rolls)], strict=True):
        mine = [entry for entry in rolls if sealing["first_roll"] <= entry["roll_no"] < end]
        faults += _sealing(sealing, mine, sorted(file["seats"]))
        count += len(mine)
    if not count and not faults:
        faults.append("there is no roll to check")
    return count, faults


def _sealing(sealing: Mapping[str, Any], rolls: Sequence[Mapping[str, Any]], seats: Sequence[str]) -> list[str]:
    """What is wrong with one sealing and the rolls made under it."""
    seed, sealed = bytes.fromhex(sealing["seed"]), sealing["seats"]
    faults = []
    if hashlib.sha256(seed).hexdigest() != sealing["seed_hash"]:
        faults.append("the seed is not the one committed to")
    if sorted(sealed) != seats or sorted(sealing["order"]) != seats:
        faults.append("other seats have sealed than have played")
        return faults
    faults += [f"the nonce of {seat} is not the one committed to"
               for seat, of in sealed.items() if of["nonce"] is not None and _hash(of["nonce"]) != of["hash"]]
    if any(of["nonce"] is None for of in sealed.values()):
        return faults + (["rolls were made before the key was sealed"] if rolls else [])
    key = seal(seed, [bytes.fromhex(sealed[seat]["nonce"]) for seat in sealing["order"]])
    return faults + [f"roll {entry['roll_no']} (entry {entry['seq']}) is not what the key gives"
                     for entry in rolls if _again(key, entry) != entry["answer"]]  # fmt: skip


def _again(key: bytes, entry: Mapping[str, Any]) -> Any:
    """A roll made anew, as its record keeps it; None for a die that can't be."""
    said = entry["answer"]
    low, high = (0, entry["sides"] - 1) if isinstance(said, int) else (said["low"], said["high"])
    if not 1 <= high - low + 1 <= MOST_SIDES:
        return None
    if isinstance(said, int):  # of the first records: counted from 0, without its faces
        return thrown(key, entry["roll_no"], low, high)[0]
    return {**said, "faces": list(thrown(key, entry["roll_no"], said["low"], said["high"], len(said["faces"])))}


def _hash(nonce: str) -> str:
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def _hex(text: str) -> None:
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise Refused("games.dice_malformed")
