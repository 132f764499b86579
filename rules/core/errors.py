"""The ways an answer or a record can be wrong. Nothing is changed by any of them."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """An answer the rules forbid. `key` names its text, `args` fill it, `clause` says why, `at` says where."""

    def __init__(self, key: str, clause: str, at: str | None = None, **args: Any) -> None:
        self.key, self.clause, self.at, self.args_ = key, clause, at, args

    def __str__(self) -> str:
        return f"{self.key} ({self.clause}) {self.args_ or ''}".strip()

    def as_json(self) -> dict[str, Any]:
        return {**self.reason(), "at": self.at}

    def reason(self) -> dict[str, Any]:
        """What an offer says of a space or a unit that is barred, in the very words of the refusal."""
        return {"key": self.key, "args": self.args_, "clause": self.clause}


class Malformed(Refusal):
    """An answer that can't be read: it has not the shape of its form, or names what is not there. `malformed.CAUSE`
    says why, filled by `args`."""

    def __init__(self, cause: str, clause: str = "", **args: Any) -> None:
        super().__init__("refusal.malformed", clause, why={"key": f"malformed.{cause}", "args": args})


def unknown(given: object) -> Malformed:
    """The answer names a thing that the game doesn't have."""
    return Malformed("unknown", given=quoted(given))


def quoted(given: object) -> str:
    """What was given, short enough to be said."""
    text = str(given)
    return text if len(text) <= 40 else text[:39] + "…"


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


class NoStored(BadPosition):
    """What is said to be a stored position, and is none of this title."""
