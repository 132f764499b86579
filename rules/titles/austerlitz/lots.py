"""Lots of a question, named by what becomes of what is taken from them."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.forms import Lot, label


def lot(name: str, units: Sequence[str], least: int, most: int, at: str | None = None) -> Lot:
    """`least` to `most` of some units, headed by the words `lot.NAME`."""
    return Lot(name, tuple(units), least, most, at=at, label=label(f"lot.{name}"))
