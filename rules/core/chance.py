"""Chance is a seat whose answers anyone can check: HMAC of a sealed key and the number of the roll."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from rules.core.errors import DiceNotSealed


def seal(seed: bytes, nonces: list[bytes]) -> bytes:
    """The dice key of a game: SHA-256 over the server's seed and both nonces, in seat order."""
    return hashlib.sha256(seed + b"".join(nonces)).digest()


def value(key: bytes, number: int, sides: int) -> int:
    """Roll `number` (from 0) of a key: an integer in 0..sides-1, unbiased by rejection."""
    limit = (1 << 64) // sides * sides
    for attempt in range(1000):
        block = hmac.digest(key, f"{number}:{attempt}".encode(), "sha256")
        drawn = int.from_bytes(block[:8], "big")
        if drawn < limit:
            return drawn % sides
    raise AssertionError("unreachable: a thousand rejections")


@dataclass(slots=True)
class Chance:
    """Hands out rolls in order. `made` counts every roll this game ever made, retracted ones too."""

    key: bytes | None
    made: int = 0

    def next(self, sides: int) -> tuple[int, int]:
        """The number of the roll and its value."""
        if self.key is None:
            raise DiceNotSealed
        number, self.made = self.made, self.made + 1
        return number, value(self.key, number, sides)
