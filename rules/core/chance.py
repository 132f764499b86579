"""Chance is a seat whose answers anyone can check: HMAC of a sealed key and the number of the roll."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import lru_cache

from rules.core.errors import DiceNotSealed


def seal(seed: bytes, nonces: list[bytes]) -> bytes:
    """The dice key of a game: SHA-256 over the server's seed and both nonces, in seat order."""
    return hashlib.sha256(seed + b"".join(nonces)).digest()


@lru_cache(256)
def _keyed(key: bytes) -> hmac.HMAC:
    """HMAC of a key, to be copied for each roll: to begin it anew takes longer than the roll."""
    return hmac.new(key, digestmod="sha256")


def value(key: bytes, number: int, sides: int, die: int = 0) -> int:
    """Roll `number` (from 0) of a key: an integer in 0..sides-1, unbiased by rejection. `die`: which of several
    that are thrown at once."""
    limit = (1 << 64) // sides * sides
    name = f"{number}.{die}" if die else f"{number}"
    for attempt in range(1000):
        block = _keyed(key).copy()
        block.update(f"{name}:{attempt}".encode())
        drawn = int.from_bytes(block.digest()[:8], "big")
        if drawn < limit:
            return drawn % sides
    raise AssertionError("unreachable: a thousand rejections")


def thrown(key: bytes, number: int, low: int, high: int, dice: int = 1) -> tuple[int, ...]:
    """The faces of roll `number`: so many dice from `low` to `high`."""
    sides = high - low + 1
    return low + value(key, number, sides), *[low + value(key, number, sides, die) for die in range(1, dice)]


@dataclass(slots=True)
class Chance:
    """Hands out rolls in order. `made` counts every roll this game ever made, retracted ones too."""

    key: bytes | None
    made: int = 0

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        """The number of the roll and its faces."""
        if self.key is None:
            raise DiceNotSealed
        number, self.made = self.made, self.made + 1
        return number, thrown(self.key, number, low, high, dice)
