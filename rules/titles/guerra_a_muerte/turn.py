"""3.1, 3.2 The sequence of play, as segments."""

from __future__ import annotations

from rules.core.agenda import Segments, Step
from rules.titles.guerra_a_muerte.board import PATRIOT, ROYALIST, Game
from rules.titles.guerra_a_muerte.position import Position

segments = Segments()

PHASES = ("events", "uprisings", "reorganisation", "patriot_operations", "royalist_operations", "end")


def phase_steps(game: Game, phase: str) -> list[Step]:
    """3.1, 3.2 The segments of one phase."""
    match phase:
        case "events":
            return [["begin_turn"], ["events"]]
        case "uprisings":
            return [["uprisings"]]
        case "reorganisation":
            return [["income"], ["royalist_arrivals"], ["patriot_arrivals"], ["promotions"], ["builders"]]
        case "patriot_operations":
            slots = range(len(game.tables["slots"]))
            return [["begin_operations", PATRIOT], *(["operations", PATRIOT, slot] for slot in slots),
                    ["end_operations", PATRIOT]]
        case "royalist_operations":
            return [["begin_operations", ROYALIST], ["operations", ROYALIST, 0], ["end_operations", ROYALIST]]
        case _:
            return [["blockades"], ["return_to_port"], ["end_turn"]]


def whole_turn(game: Game, first: str = "events") -> list[Step]:
    """3.1 The segments of a turn, from a phase on."""
    phases = PHASES[PHASES.index(first):]
    steps = [step for phase in phases for step in phase_steps(game, phase)]
    return steps if first == "events" else [["begin_turn"], *steps]


def enter_stage(pos: Position, stage: str, active: str | None = None) -> None:
    """A phase begins: what the eyes see of turn and phase changes."""
    pos.stage, pos.active = stage, active
    pos.touched |= {"turn", "track", "table:set_up"}
