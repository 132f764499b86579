"""Games of Austerlitz in a wanted position, and answers to its requests (tests/rules/building.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.procedure import Procedure
from rules.core.record import Entry
from rules.titles.austerlitz import TITLE
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.position import Position
from tests.rules import building, harness
from tests.rules.building import answer, forms, last, lots, options, preview, prompt, refused, request, told

__all__ = [
    "CENTRE",
    "A",
    "F",
    "Play",
    "answer",
    "choose",
    "data",
    "drive",
    "field",
    "forms",
    "game",
    "last",
    "lots",
    "march",
    "mods",
    "options",
    "play",
    "position",
    "preview",
    "prompt",
    "refused",
    "request",
    "ride",
    "told",
]

F, A = "french", "allied"
CENTRE = "B2809"  # clear, level ground for four hexes around


class Play(building.Play):
    """A game of this title."""

    pos: Position


def data() -> Any:
    return harness.data(TITLE.id)


def game(scenario: str = "northern_flank") -> Game:
    """What games of a scenario are played with."""
    found = TITLE.game(data(), scenario)
    assert isinstance(found, Game)
    return found


def position(scenario: str = "northern_flank", **body: Any) -> Position:
    """A lab position. Raises BadPosition."""
    pos = TITLE.written(data(), {"scenario": scenario, "position": body})
    assert isinstance(pos, Position)
    return pos


def play(dice: Sequence[int] = (), scenario: str = "northern_flank", **body: Any) -> Play:
    """A game that runs from a lab position to its first request."""
    return building.begin(Play, TITLE, position(scenario, **body), dice)


def field(units: Mapping[str, str], dice: Sequence[int] = (), *, side: str = F, phase: str = "move", mode: str = "full",
          **more: Any) -> Play:
    """An activation of Suchet's division (or, for the Allies, of Markov's brigade) on an otherwise empty field. His
    place is beside its first unit unless `leaders` says more."""
    command, leader = ("F-3-V", "F-Suchet") if side == F else ("A-2-B", "A-Markov")
    own = next(where for unit, where in units.items() if unit.startswith("F" if side == F else "A"))
    leaders = {leader: "B2806", **more.pop("leaders", {})} if own.startswith("B") else {}
    return play(dice, clear=True, units=dict(units), leaders=leaders, active=command, mode=mode, phase=phase, **more)


def march(play_: Play, seat: str, unit: str, *path: str) -> list[Entry]:
    """Move a unit along stances."""
    return answer(play_, seat, "move", units=[unit], path=list(path))


def drive(running: Procedure[Any], dice: Sequence[int] = ()) -> Any:
    """A procedure to its end, which asks nothing but these dice."""
    left = list(dice)
    try:
        next(running)
        while True:
            running.send((left.pop(0),))
    except StopIteration as done:
        assert not left, "a die was not rolled"
        return done.value


def choose(play_: Play, seat: str, option: str) -> list[Entry]:
    """Answer a question that has one form of choices."""
    return answer(play_, seat, next(iter(forms(play_, seat))), option=option)


def mods(step: Mapping[str, Any]) -> dict[str, int]:
    """The modifiers of a told die, by key."""
    return {m["label"]["key"]: m["value"] for m in step["modifiers"]}


def ride(play_: Play, seat: str, *path: str) -> None:
    """8.4.2 A charge goes by these hexes (none: by the way that is proposed), and faces as is offered first, where that
    is asked."""
    if prompt(play_, seat) == "charge_way":
        proposed = forms(play_, seat)["charge_way"]["suggested"]
        answer(play_, seat, "charge_way", path=list(path) or proposed)
    if prompt(play_, seat) == "charge_facing":
        choose(play_, seat, options(play_, seat)[0])
