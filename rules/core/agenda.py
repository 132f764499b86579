"""Segments and the agenda: where a game can stop and go on next week."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

Step = list[Any]  # [segment name, *arguments], all JSON


class Close(Enum):
    """How a segment ends when it puts nothing in front of the rest."""

    DONE = "done"
    AGAIN = "again"


DONE, AGAIN = Close.DONE, Close.AGAIN
Next = Close | list[Step]
Segment = Callable[..., Any]


class Segments(dict[str, Segment]):
    """The segments of a title by name; `@segments.segment` adds one."""

    def segment(self, procedure: Segment) -> Segment:
        if procedure.__name__ in self:
            raise ValueError(f"two segments named {procedure.__name__}")
        self[procedure.__name__] = procedure
        return procedure


def close(agenda: list[Step], how: Next) -> None:
    """Apply what a finished segment returned: drop it, keep it, or replace it by others."""
    if how is AGAIN:
        return
    agenda.pop(0)
    if isinstance(how, list):
        agenda[:0] = how
