"""3.0 The sequence of play."""

from __future__ import annotations

from rules.core.agenda import Segments, Step
from rules.titles.austerlitz.position import Position

segments = Segments()
STAGES = ("command_change", "initiative", "activations", "no_marker", "removal", "rally", "rout_losses", "recovery",
          "fatigue")


def turn_steps() -> list[Step]:
    """3.0 A to D, one turn."""
    return [["turn_begins"], ["command_change"], ["initiative"], ["draw_marker"], ["no_marker"], ["removal"], ["rally"],
            ["rout_losses"], ["recovery"], ["fatigue_segment"], ["turn_ends"]]


def stage(pos: Position, name: str) -> None:
    """A new segment begins."""
    if pos.stage != name:
        pos.stage = name
        pos.touched.update(("turn", "track"))
        pos.tell("segment_began", "3.0", segment=f"step.{name}")


def has_markers(pos: Position, side: str) -> list[str]:
    """The markers of a side that are in the pool and not drawn yet."""
    return [m for m in pos.pool if pos.game.side[m] == side and m not in pos.drawn]
