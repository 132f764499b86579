"""The public draw: an order that follows from a seed which was fixed, by its hash, before anybody entered."""

import hashlib
from collections.abc import Iterable


def commitment(seed: str) -> str:
    """What is published before the draw: SHA-256 of the seed, a text of hexadecimal digits."""
    return hashlib.sha256(seed.encode()).hexdigest()


def lot(seed: str, name: str) -> str:
    """The lot of a name, by which anybody can check the draw: SHA-256 of `SEED:NAME`."""
    return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()


def drawn(seed: str, names: Iterable[str]) -> list[str]:
    """The names in the order of their lots, the lowest first."""
    return sorted(names, key=lambda name: lot(seed, name))
