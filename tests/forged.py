"""Exports of finished games that somebody has changed: each is to be found out."""

import hashlib
from typing import Any

File = dict[str, Any]


def last_rolls(file: File) -> None:
    """All from the last roll on is cut off."""
    at = max(n for n, entry in enumerate(file["entries"]) if entry["kind"] == "roll")
    del file["entries"][at:]


def one_roll(file: File) -> None:
    file["entries"].remove(next(e for e in file["entries"] if e["kind"] == "roll"))


def first_roll_high(file: File) -> None:
    file["dice"]["first_roll"] = 10_000


def changed_roll(file: File) -> None:
    roll = next(e for e in file["entries"] if e["kind"] == "roll")
    roll["answer"]["faces"] = [3 if roll["answer"]["faces"][0] != 3 else 4]


def one_sided(file: File) -> None:
    for roll in file["entries"]:
        if roll["kind"] == "roll":
            roll["answer"] = {**roll["answer"], "low": 6, "high": 6, "faces": [6]}


def no_faces(file: File) -> None:
    """A roll of no dice at all."""
    next(e for e in file["entries"] if e["kind"] == "roll")["answer"]["faces"] = []


def endless(file: File) -> None:
    """A die of more sides than a number drawn has values."""
    next(e for e in file["entries"] if e["kind"] == "roll")["answer"]["high"] = 2**70


def sideless(file: File) -> None:
    roll = next(e for e in file["entries"] if e["kind"] == "roll")["answer"]
    roll["high"] = roll["low"] - 1


def no_numbers(file: File) -> None:
    for entry in file["entries"]:
        entry["roll_no"] = None


def no_rolls(file: File) -> None:
    file["entries"] = [e for e in file["entries"] if e["kind"] != "roll"]
    for n, entry in enumerate(file["entries"], 1):
        entry["seq"] = n


def told(file: File) -> None:
    entry = next(e for e in file["entries"] if e["kind"] == "roll" and e["told"].get("all"))
    entry["told"]["all"][0]["data"]["n"] = "something else"


def told_at_first(file: File) -> None:
    seen = file["entries"][0]["told"]
    (step, *_) = seen[max(seen)]
    step["fragments"] = dict.fromkeys(step["fragments"])


def answered(file: File) -> None:
    """More is said than the rules read."""
    entry = next(e for e in file["entries"] if e["kind"] == "answer")
    entry["answer"] = {**entry["answer"], "more": 1}


def clause(file: File) -> None:
    next(e for e in file["entries"] if e["kind"] == "answer")["clause"] = "99.9"


def winner(file: File) -> None:
    now = file["result"]["winner"]
    file["result"]["winner"] = next(seat for seat in file["dice"]["order"] if seat != now)


def seed(file: File) -> None:
    file["dice"]["seed"] = "00" * 32


def other_seed(file: File) -> None:
    """Another seed with its hash, as a host would exchange both; the record began with the first one."""
    file["dice"]["seed"] = "00" * 32
    file["dice"]["seed_hash"] = hashlib.sha256(bytes(32)).hexdigest()


def nonce(file: File) -> None:
    file["dice"]["seats"][file["dice"]["order"][0]]["nonce"] = "00" * 32


def one_seat(file: File) -> None:
    del file["dice"]["seats"][file["dice"]["order"].pop()]


def order(file: File) -> None:
    file["entries"][2], file["entries"][3] = file["entries"][3], file["entries"][2]


def marked(file: File) -> None:
    next(e for e in file["entries"] if e["kind"] == "answer")["retracted"] = True


FORGERIES = [
    last_rolls, one_roll, first_roll_high, changed_roll, one_sided, no_faces, endless, sideless, no_numbers, no_rolls,
    told, told_at_first, answered, clause, winner, seed, other_seed, nonce, one_seat, order, marked,
]
