"""The ways an answer or a record can be wrong. Nothing is changed by any of them."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """An answer the rules forbid. `key` names its text, `args` fill it, `clause` says why, `at` says where."""

    def __init__(self, key: str, clause: str, at: str | None = None, **args: Any) -> None:
        super().__init__(f"{key} ({clause}) {args or ''}".strip())
        self.key, self.clause, self.at, self.args_ = key, clause, at, args

    def as_json(self) -> dict[str, Any]:
        return {"key": self.key, "args": self.args_, "clause": self.clause, "at": self.at}


class Malformed(Refusal):
    """An answer that has not the shape of any form asked."""

    def __init__(self, why: str) -> None:
        super().__init__("refusal.malformed", "", why=why)


class NotAsked(Refusal):
    """An answer from a seat that is not asked now."""

    def __init__(self) -> None:
        super().__init__("refusal.not_asked", "")


class DiceNotSealed(Refusal):
    """A roll is due before both seats have sealed the dice key."""

    def __init__(self) -> None:
        super().__init__("refusal.dice_not_sealed", "")


class OutOfStep(Exception):
    """A record no longer fits the rules that re-run it; the game is left as it is."""


class BadPosition(ValueError):
    """A stored or hand-written position that cannot be."""
