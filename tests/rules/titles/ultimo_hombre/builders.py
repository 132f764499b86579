"""What the rule tests are built with: a game in a wanted position, with dice and draws that fall as told.

    game = play({"phase": "allied_movement", "clear": True, "units": {"br_inf_01": "itapiru"}})
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    assert last(game, "marched")["count"] == 1

Bodies are lab positions (docs/positions.md). Whatever a game does is asked of its referee, as the server does.
Shots are laid out as HIT (a one) and MISS (a six), or a face less one; draws as the place in the deck.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Data
from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.position import Position

A, P = "allied", "paraguayan"
HIT, MISS = 0, 5
FOLDER = Path(__file__).parents[4] / "scenarios" / "ultimo_hombre"
FILLERS = {A: ["A17", "A22", "A23"], P: ["P16", "P02", "P04"]}  # a deck for games that a draw should not end


@cache
def data() -> Data:
    """The title's data as it lies in `scenarios/`."""
    return Data.of({path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))})


def position(options: Mapping[str, Any] | None = None, **body: Any) -> Position:
    """A lab position; Argentina is at war in it unless the body says otherwise. Raises BadPosition."""
    pos: Position = TITLE.lab(data(), {"options": options or {}, "position": {"argentina": "war", **body}})
    return pos


class Dice(Chance):
    """Hands out the rolls and draws it was given, in order; one too many fails the test."""

    def __init__(self, rolls: Sequence[int] = ()) -> None:
        super().__init__(b"")
        self.rolls = list(rolls)

    def next(self, sides: int) -> tuple[int, int]:
        assert self.rolls, "a die was rolled that the test did not expect"
        drawn = self.rolls.pop(0)
        assert 0 <= drawn < sides
        number, self.made = self.made, self.made + 1
        return number, drawn


class Play(Referee):
    """A referee with forced dice that remembers all its entries."""

    log: list[Entry]
    chance: Dice
    pos: Position

    @property
    def dice(self) -> list[int]:
        """The rolls still to come."""
        return self.chance.rolls


GAMES: list[Play] = []  # those of the running test


def begin(pos: Position, dice: Sequence[int] = ()) -> Play:
    """A game that runs from a position to its first request."""
    game = Play.at(TITLE, data(), pos, Dice(dice))
    assert isinstance(game, Play)
    game.log = game.drain()
    GAMES.append(game)
    return game


def play(body: Mapping[str, Any], dice: Sequence[int] = (), options: Mapping[str, Any] | None = None) -> Play:
    """A game that runs from a lab position to its first request."""
    return begin(position(options, **body), dice)


def new_game(dice: Sequence[int] = (), **options: Any) -> Play:
    """A whole game from its very first decision."""
    return begin(TITLE.begin(data(), "war", options), dice)


def resumed(game: Play) -> Referee:
    """The game as the store would bring it back: its newest checkpoint and the entries since."""
    return Referee.resume(TITLE, data(), Checkpoint(game.newest.seq, game.newest.phase, game.newest.state),
                          TITLE.schema, game.log, Dice(game.dice))


# -- answering -----------------------------------------------------------------------------------------------


def answer(game: Play, seat: str, form: str | None = None, **fields: Any) -> list[Entry]:
    """Give an answer (to the request's first form by default); the entries it made."""
    form = form or next(iter(forms(game, seat)))
    made = game.answer(seat, {"form": form, **fields})
    game.log += made
    return made


def refused(game: Play, seat: str, form: str | None = None, **fields: Any) -> tuple[str, str]:
    """Key (without "refusal.") and clause of the refusal an answer gets. The preview says the same, and nothing
    changes."""
    body = {"form": form or next(iter(forms(game, seat))), **fields}
    before = TITLE.encode(game.pos)
    with pytest.raises(Refusal) as caught:
        game.answer(seat, body)
    assert TITLE.encode(game.pos) == before
    seen = game.pending[seat].preview(body)
    assert not seen["ok"]
    assert seen["problems"] == [caught.value.as_json()]
    return caught.value.key.removeprefix("refusal."), caught.value.clause


def choose(game: Play, seat: str, option: str) -> list[Entry]:
    """Answer a request that offers nothing but one choice."""
    return answer(game, seat, option=option)


def end(game: Play, seat: str) -> list[Entry]:
    """Close transport, movement or recovery."""
    name = next(form for form in forms(game, seat) if form.startswith("end_"))
    return answer(game, seat, name, option="end")


def listed(units: Sequence[str] | str) -> list[str]:
    return [units] if isinstance(units, str) else list(units)


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


# -- looking -------------------------------------------------------------------------------------------------


def request(game: Play, seat: str) -> dict[str, Any]:
    """The request as its seat sees it."""
    asked = game.request_for(seat)
    assert asked is not None, "the game is over"
    return asked


def prompt(game: Play, seat: str) -> str:
    """What a seat is asked, without "prompt."; "" when another is."""
    asked = request(game, seat)
    key: str = asked["prompt"]["key"]
    return key.removeprefix("prompt.") if asked["mine"] else ""


def forms(game: Play, seat: str) -> dict[str, dict[str, Any]]:
    """The forms of the request a seat is asked, by name."""
    return {form["form"]: form for form in request(game, seat).get("forms", [])}


def options(game: Play, seat: str) -> list[str]:
    """The choices of a request that offers but one form."""
    return [option["id"] for option in next(iter(forms(game, seat).values()))["options"]]


def groups(game: Play, seat: str, form: str) -> dict[str, dict[str, Any]]:
    """The groups of a `place` form, by id."""
    return {group["id"]: group for group in forms(game, seat)[form]["groups"]}


def lots(game: Play, seat: str, form: str | None = None) -> dict[str, dict[str, Any]]:
    """The lots of an `allocate` form, by id."""
    return {lot["id"]: lot for lot in forms(game, seat)[form or next(iter(forms(game, seat)))]["lots"]}


def reach(game: Play, seat: str, form: str, units: Sequence[str] | str) -> dict[str, Any]:
    """Where units could go, by the form `move` or `ship`. Raises Refusal."""
    asked: Any = game.pending[seat].form(form)
    found: dict[str, Any] = asked.reach(listed(units), {})
    return found


def told(game: Play, event: str | None = None, eye: str = "all") -> list[dict[str, Any]]:
    """The steps an eye was told since the start, or those of one event."""
    return [step for entry in game.log for step in entry.told.get(eye, []) if event in (None, step["event"])]


def last(game: Play, event: str, eye: str = "all") -> dict[str, Any]:
    """The data of the newest step of that event."""
    found: dict[str, Any] = told(game, event, eye)[-1]["data"]
    return found


def shots(game: Play) -> list[tuple[str, str]]:
    """Who fired at whom, in order."""
    return [(step["data"]["unit"], step["data"]["target"]) for step in told(game, "shot")]


def view(game: Referee, eye: str) -> dict[str, Any]:
    """The fragments an eye sees now."""
    fragments: dict[str, Any] = game.views.whole(eye, game.seq)["fragments"]
    return fragments


def rows(game: Referee, table: str) -> dict[str, Any]:
    """A table of the view: label to value."""
    return {row["label"]["key"].split(".", 1)[1]: row["value"] for row in view(game, A)[f"table:{table}"]["rows"]}


# -- names ---------------------------------------------------------------------------------------------------


def units(prefix: str, n: int | None = None) -> list[str]:
    """The first units whose id begins so, in the order of the counter sheet."""
    found = [unit for unit in data().files["units"]["units"] if unit.startswith(prefix)]
    assert n is None or len(found) >= n
    return found[:n]


def at(space: str, *ids: str | Sequence[str]) -> dict[str, str]:
    """A `units` part of a body: all of them in one place."""
    return {unit: space for group in ids for unit in listed(group)}
