"""What the tests of a title's rules are built with: a game in a wanted position, with dice and draws that fall as told.

    game = play({"phase": "allied_movement", "clear": True, "units": {"br_inf_01": "itapiru"}}, dice=[4])
    answer(game, "allied", "move", units=["br_inf_01"], path=["itapiru", "tuyuti"])
    assert last(game, "marched")["count"] == 1

Each title's `builders.py` has the `play` of its own lab positions (docs/positions.md), and words for its own requests.
Whatever a game does is asked of its referee, as the server does.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import pytest

from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Data, Title
from rules.core.view import Views
from tests.rules.harness import data


class Dice(Chance):
    """Hands out the rolls and draws it was given, in order; one too many fails the test."""

    def __init__(self, rolls: Sequence[int] = ()) -> None:
        super().__init__(b"")
        self.rolls = list(rolls)

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        assert len(self.rolls) >= dice, "a die was rolled that the test did not expect"
        faces = tuple(self.rolls.pop(0) for _ in range(dice))
        assert all(low <= face <= high for face in faces), f"no die from {low} to {high} falls on {faces}"
        number, self.made = self.made, self.made + 1
        return number, faces


class Play(Referee):
    """A referee with forced dice that remembers all its entries."""

    log: list[Entry]
    chance: Dice

    @property
    def dice(self) -> list[int]:
        """The rolls still to come."""
        return self.chance.rolls


Kind = TypeVar("Kind", bound=Play)
GAMES: list[Play] = []  # those of the running test


def begin(kind: type[Kind], title: Title, pos: Any, dice: Sequence[int] = ()) -> Kind:
    """A game that runs from a position to its first request."""
    game = kind.at(title, pos, Dice(dice))
    assert isinstance(game, kind)
    game.log = game.drain()
    GAMES.append(game)
    return game


class Builder(Generic[Kind]):
    """Starts the games of one title. `usual`: what a lab position says unless its body says otherwise."""

    def __init__(self, kind: type[Kind], title: Title, **usual: Any) -> None:
        self.kind, self.title, self.usual = kind, title, usual

    def data(self) -> Data:
        """The title's data as it lies in `scenarios/`."""
        return data(self.title.id)

    def position(self, options: Mapping[str, Any] | None = None, **body: Any) -> Any:
        """A lab position. Raises BadPosition."""
        usual = {} if body.get("phase") == "set_up" else self.usual
        return self.title.written(self.data(), {"options": options or {}, "position": {**usual, **body}})

    def play(self, body: Mapping[str, Any], dice: Sequence[int] = (),
             options: Mapping[str, Any] | None = None) -> Kind:
        """A game that runs from a lab position to its first request."""
        return begin(self.kind, self.title, self.position(options, **body), dice)

    def new_game(self, dice: Sequence[int] = (), scenario: str = "", **options: Any) -> Kind:
        """A whole game of a scenario (the title's first unless named) from its very first decision."""
        scenario = scenario or next(iter(self.data().scenarios))
        return begin(self.kind, self.title, self.title.first(self.data(), scenario, options), dice)

    def units(self, prefix: str, n: int | None = None) -> list[str]:
        """The first units whose id begins so, in the order of the counter sheet."""
        found = [unit for unit in self.data().files["units"]["units"] if unit.startswith(prefix)]
        assert n is None or len(found) >= n
        return found[:n]


def resumed(game: Play) -> Referee:
    """The game as the store would bring it back: its newest checkpoint and the entries since."""
    return Referee.resume(game.title, game.game, Checkpoint(game.newest.seq, game.newest.phase, game.newest.state),
                          game.title.schema, game.log, Dice(game.dice))


def check_whole(game: Play) -> None:
    """All dice that were laid out are used, no rule of the house is broken, views built up step by step are equal to
    fresh ones, only known clauses are named, and the game comes back the same from its checkpoint."""
    title = game.title
    assert not game.dice, "dice were laid out that nobody rolled"
    title.invariants(game.pos)
    fresh = Views(title.view, game.pos, game.seating.sides)
    assert game.views.contents == fresh.contents
    assert game.views.digest == fresh.digest
    known = set(game.game.terms.data.files["clauses"])
    assert {entry.clause for entry in game.log if entry.kind != "start"} <= known
    assert {step["clause"] for step in told(game)} <= known
    again = resumed(game)
    assert title.encode(again.pos) == title.encode(game.pos)
    for eye in (*game.seating.seats, *game.views.eyes):
        assert again.request_for(eye) == game.request_for(eye)


# -- answering -----------------------------------------------------------------------------------------------


def answer(game: Play, seat: str, form: str | None = None, **fields: Any) -> list[Entry]:
    """Give an answer (to the request's first form by default); the entries it made."""
    made = game.answer(seat, {"form": form or first_form(game, seat), **fields})
    game.log += made
    return made


def refused(game: Play, seat: str, form: str | None = None, **fields: Any) -> tuple[str, str]:
    """Key (without "refusal.") and clause of the refusal an answer gets. The preview says the same, and nothing
    changes."""
    body = {"form": form or first_form(game, seat), **fields}
    before = game.title.encode(game.pos)
    with pytest.raises(Refusal) as caught:
        game.answer(seat, body)
    assert game.title.encode(game.pos) == before
    seen = preview(game, seat, **body)
    assert not seen["ok"]
    assert seen["problems"] == [caught.value.as_json()]
    return caught.value.key.removeprefix("refusal."), caught.value.clause


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


def first_form(game: Play, seat: str) -> str:
    return next(iter(forms(game, seat)))


def options(game: Play, seat: str) -> list[str]:
    """The choices of a request's first form."""
    return [option["id"] for option in next(iter(forms(game, seat).values()))["options"]]


def groups(game: Play, seat: str, form: str) -> dict[str, dict[str, Any]]:
    """The groups of a `place` form, by id."""
    return {group["id"]: group for group in forms(game, seat)[form]["groups"]}


def lots(game: Play, seat: str, form: str | None = None) -> dict[str, dict[str, Any]]:
    """The lots of an `allocate` form, by id."""
    return {lot["id"]: lot for lot in forms(game, seat)[form or first_form(game, seat)]["lots"]}


def preview(game: Play, seat: str, form: str, **fields: Any) -> dict[str, Any]:
    """What an answer would do (docs/protocol.md section 4)."""
    return game.pending[seat].preview({"form": form, **fields})


def needs(game: Play, seat: str, form: str, **fields: Any) -> tuple[int, int | None]:
    """What the preview of a legal answer says it needs of the other side; an option says the same itself."""
    said = preview(game, seat, form, **fields)["needs"]
    for option in forms(game, seat)[form].get("options", []):
        assert option["id"] != fields["option"] or option["needs"] == said
    return said["least"], said["most"]


def told(game: Play, event: str | None = None, eye: str = "all") -> list[dict[str, Any]]:
    """The steps an eye was told since the start, or those of one event."""
    return [step for entry in game.log for step in entry.told.get(eye, []) if event in (None, step["event"])]


def last(game: Play, event: str, eye: str = "all") -> dict[str, Any]:
    """The data of the newest step of that event."""
    found: dict[str, Any] = told(game, event, eye)[-1]["data"]
    return found


def view(game: Referee, eye: str) -> dict[str, Any]:
    """The fragments an eye sees now."""
    fragments: dict[str, Any] = game.views.whole(eye, game.seq)["fragments"]
    return fragments


# -- names ---------------------------------------------------------------------------------------------------


def listed(units: Sequence[str] | str) -> list[str]:
    return [units] if isinstance(units, str) else list(units)


def at(place: str, *ids: str | Sequence[str]) -> dict[str, str]:
    """A `units` part of a body: all of them in one place."""
    return {unit: place for group in ids for unit in listed(group)}
