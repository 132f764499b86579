"""Games of Hasta el último hombre in a wanted position, and answers to its requests (tests/rules/building.py). Shots
are laid out as HIT (a one) and MISS (a six), or a face; draws as the place in the deck."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.record import Entry
from rules.core.referee import Referee
from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.position import Position
from tests.rules import building, harness
from tests.rules.building import (
    answer,
    at,
    forms,
    groups,
    last,
    listed,
    lots,
    needs,
    options,
    preview,
    prompt,
    refused,
    request,
    resumed,
    told,
    view,
)

__all__ = [
    "FILLERS",
    "FOLDER",
    "HIT",
    "MISS",
    "A",
    "P",
    "Play",
    "answer",
    "at",
    "attack",
    "both_line_up",
    "choose",
    "data",
    "end",
    "forms",
    "groups",
    "last",
    "lead",
    "line_up",
    "listed",
    "lots",
    "march",
    "needs",
    "new_game",
    "options",
    "play",
    "position",
    "preview",
    "prompt",
    "reach",
    "refused",
    "request",
    "resumed",
    "rows",
    "ship",
    "shots",
    "take",
    "told",
    "units",
    "use",
    "view",
]

A, P = "allied", "paraguayan"
HIT, MISS = 1, 6
FOLDER = harness.SCENARIOS / TITLE.id
FILLERS = {A: ["A17", "A22", "A23"], P: ["P16", "P02", "P04"]}  # a deck for games that a draw should not end


class Play(building.Play):
    """A game of this title."""

    pos: Position


BUILDER = building.Builder(Play, TITLE, argentina="war", vp={A: 0, P: 0})
data, position, play, new_game, units = (
    BUILDER.data, BUILDER.position, BUILDER.play, BUILDER.new_game, BUILDER.units)  # fmt: skip


def choose(game: Play, seat: str, option: str) -> list[Entry]:
    """Answer a request that offers nothing but one choice."""
    return answer(game, seat, option=option)


def end(game: Play, seat: str) -> list[Entry]:
    """Close transport, movement or recovery."""
    name = next(form for form in forms(game, seat) if form.startswith("end_"))
    return answer(game, seat, name, option="end")


def march(game: Play, seat: str, units: Sequence[str] | str, *path: str) -> list[Entry]:
    """Move one unit or several along a path."""
    return answer(game, seat, "move", units=listed(units), path=list(path))


def ship(game: Play, seat: str, units: Sequence[str] | str, *path: str) -> list[Entry]:
    """Transport one unit or several along a path."""
    return answer(game, seat, "ship", units=listed(units), path=list(path))


def lead(game: Play, seat: str, **leaders: str) -> list[Entry]:
    """Put leaders on spaces."""
    return answer(game, seat, "leaders", placed=leaders)


def attack(game: Play, seat: str, target: str, origins: Mapping[str, Sequence[str] | str], leader: str = "") -> None:
    """Put a leader on a space, march units in from neighbours and end the movement phase."""
    lead(game, seat, **{leader or {A: "caxias", P: "diaz"}[seat]: target})
    for origin, units in origins.items():
        march(game, seat, units, origin, target)
    end(game, seat)


def line_up(game: Play, seat: str, *units: str) -> list[Entry]:
    """Fill the line from slot 1 on; without units as suggested."""
    placed = {u: f"slot:{n}" for n, u in enumerate(units, 1)} or forms(game, seat)["line_up"]["suggested"]
    return answer(game, seat, "line_up", placed=placed)


def both_line_up(game: Play) -> None:
    """Let whoever is asked line up as suggested."""
    while game.asked and "line_up" in forms(game, game.asked[0]):
        line_up(game, game.asked[0])


def take(game: Play, seat: str, *units: str) -> list[Entry]:
    """Answer an allocation with units from its lots."""
    given = {lot: [u for u in units if u in body["units"]] for lot, body in lots(game, seat).items()}
    return answer(game, seat, lots={lot: us for lot, us in given.items() if us})


def use(card: str, dice: Sequence[int] = (), options: Mapping[str, Any] | None = None, **body: Any) -> Play:
    """A recovery phase in which a side draws a filler and puts a card into use."""
    side = A if card.startswith("A") else P
    deck = [c for c in FILLERS[side] if c != card]
    game = play({"phase": f"{side}_restore", "clear": True, "hands": {side: [card]}, "decks": {side: deck}, **body},
                [0, *dice], options)
    answer(game, side, "choose_card", option=card)
    return game


def reach(game: Play, seat: str, form: str, units: Sequence[str] | str) -> dict[str, Any]:
    """Where units could go, by the form `move` or `ship`. Raises Refusal."""
    asked: Any = game.pending[seat].form(form)
    found: dict[str, Any] = asked.reach(listed(units), {})
    return found


def shots(game: Play) -> list[tuple[str, str]]:
    """Who fired at whom, in order."""
    return [(step["data"]["unit"], step["data"]["target"]) for step in told(game, "shot")]


def rows(game: Referee, table: str) -> dict[str, Any]:
    """A table of the view: label to value."""
    return {row["label"]["key"].split(".", 1)[1]: row["value"] for row in view(game, A)[f"table:{table}"]["rows"]}
