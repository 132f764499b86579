"""How a game ends."""

from __future__ import annotations

from typing import Any

from rules.core.seats import Seat


def finish(pos: Any, winner: Seat | None, why: str, clause: str, **args: Any) -> None:
    """The game is over, won or (without a winner) drawn; `why` is a catalogue key, result.WHY, filled in with `args`.
    What ended first stays."""
    if pos.result is None:
        pos.result = {"winner": winner, "key": f"result.{why}", "args": args, "clause": clause}
        pos.touched.add("result")
