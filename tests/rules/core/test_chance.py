"""Chance: sealed, reproducible, unbiased, never rewound."""

import hashlib
import hmac
from collections import Counter
from typing import Self

import pytest

from rules.core.chance import Chance, seal, thrown, value
from rules.core.errors import DiceNotSealed

KEY = seal(b"seed", [b"left", b"right"])


def test_the_key_is_the_hash_of_seed_and_both_nonces_in_seat_order() -> None:
    assert hashlib.sha256(b"seedleftright").digest() == KEY
    assert seal(b"seed", [b"right", b"left"]) != KEY
    assert len({seal(bytes([n]), [b"left", b"right"]) for n in range(50)}) == 50


def test_a_roll_is_what_anybody_can_compute() -> None:
    for number in (0, 1, 77, 10**6):
        block = hmac.new(KEY, f"{number}:0".encode(), hashlib.sha256).digest()
        assert value(KEY, number, 10) == int.from_bytes(block[:8], "big") % 10


@pytest.mark.parametrize("sides", [1, 2, 6, 10, 52, 1000])
def test_rolls_stay_in_range(sides: int) -> None:
    assert {0 <= value(KEY, n, sides) < sides for n in range(500)} == {True}


def test_a_die_says_its_faces_and_several_fall_at_once() -> None:
    assert {thrown(KEY, n, 1, 6)[0] for n in range(100)} == {1, 2, 3, 4, 5, 6}
    assert thrown(KEY, 3, 1, 6) == (1 + value(KEY, 3, 6),)
    pairs = [thrown(KEY, n, 1, 6, 2) for n in range(3600)]
    assert [first for first, _ in pairs] == [thrown(KEY, n, 1, 6)[0] for n in range(3600)]
    block = hmac.new(KEY, b"3.1:0", hashlib.sha256).digest()  # the second die of roll 3
    assert pairs[3][1] == 1 + int.from_bytes(block[:8], "big") % 6
    both = Counter(pairs)
    assert sum((both[a, b] - 100) ** 2 / 100 for a in range(1, 7) for b in range(1, 7)) < 90
    number, faces = Chance(KEY, 7).next(-1, 4, 3)
    assert (number, len(faces)) == (7, 3)
    assert all(-1 <= face <= 4 for face in faces)


def test_the_die_is_fair() -> None:
    """Chi-square over 20,000 rolls of ten sides and 20,000 pairs of neighbours: far under the 1-in-a-million mark."""
    rolls = [value(KEY, n, 10) for n in range(20_000)]
    faces = Counter(rolls)
    assert sum((faces[f] - 2000) ** 2 / 2000 for f in range(10)) < 45
    pairs = Counter(zip(rolls[::2], rolls[1::2], strict=True))
    assert sum((pairs[a, b] - 100) ** 2 / 100 for a in range(10) for b in range(10)) < 190


def test_what_would_bias_the_die_is_thrown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    class Thrown:
        def copy(self) -> Self:
            return self

        def update(self, message: bytes) -> None:
            asked.append(message)

        def digest(self) -> bytes:
            return (b"\xff" * 32) if len(asked) == 1 else (7).to_bytes(8, "big") + bytes(24)

    monkeypatch.setattr("rules.core.chance._keyed", lambda _key: Thrown())
    assert value(KEY, 3, 10) == 7  # 2**64 - 1 lies beyond the last whole multiple of ten
    assert asked == [b"3:0", b"3:1"]


def test_dice_never_rewind_and_start_where_the_record_says() -> None:
    dice = Chance(KEY)
    first = [dice.next(0, 9) for _ in range(6)]
    assert [number for number, _ in first] == list(range(6))
    assert [Chance(KEY, 4).next(0, 9)] == first[4:5]
    assert Chance(KEY, 4).next(0, 51)[0] == 4


def test_nothing_is_rolled_before_the_dice_are_sealed() -> None:
    dice = Chance(None)
    with pytest.raises(DiceNotSealed):
        dice.next(1, 6)
    assert dice.made == 0
