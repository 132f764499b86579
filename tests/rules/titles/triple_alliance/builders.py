"""What the rule tests are built with: a game in a wanted position, with dice that fall as told.

    game = play({"turn": 3, "phase": "allied_movement", "clear": True, "units": {"AR-INF-1": "1335"}}, dice=[4])
    answer(game, "allied", "move", units=["AR-INF-1"], path=["1335", "1336"])
    assert told(game, "marched")[0]["data"]["count"] == 1

Bodies are lab positions (docs/positions.md). Whatever a game does is asked of its referee, as the server does.
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
from rules.titles.triple_alliance import TITLE
from rules.titles.triple_alliance.position import Position

P, A = "paraguay", "allied"
FOLDER = Path(__file__).parents[4] / "scenarios" / "triple_alliance"
ENDS = ("end", "no_attack", "let_them_come", "leave_mendoza", "no_invasion")


@cache
def data() -> Data:
    """The title's data as it lies in `scenarios/`."""
    return Data.of({path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))})


def position(options: Mapping[str, Any] | None = None, **body: Any) -> Position:
    """A lab position. Raises BadPosition."""
    pos: Position = TITLE.lab(data(), {"options": options or {}, "position": body})
    return pos


class Dice(Chance):
    """Hands out the rolls it was given, in order; one too many fails the test."""

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


referee = play


def new_game(dice: Sequence[int] = (), **options: Any) -> Play:
    """A whole game from its very first decision."""
    return begin(TITLE.begin(data(), "war", options), dice)


def resumed(game: Play) -> Referee:
    """The game as the store would bring it back: its newest checkpoint and the entries since."""
    return Referee.resume(TITLE, data(), Checkpoint(game.newest.seq, game.newest.phase, game.newest.state),
                          TITLE.schema, game.log, Dice(game.dice))


# -- answering -----------------------------------------------------------------------------------------------


def answer(game: Play, seat: str, form: str | None = None, **fields: Any) -> list[Entry]:
    """Give an answer (a request's only form by default); the entries it made."""
    form = form or only_form(game, seat)
    assert form, f"which of {list(forms(game, seat))}?"
    made = game.answer(seat, {"form": form, **fields})
    game.log += made
    return made


def refused(game: Play, seat: str, form: str | None = None, **fields: Any) -> tuple[str, str]:
    """Key (without "refusal.") and clause of the refusal an answer gets. The preview says the same, and nothing
    changes."""
    body = {"form": form or only_form(game, seat), **fields}
    before = TITLE.encode(game.pos)
    with pytest.raises(Refusal) as caught:
        game.answer(seat, body)
    assert TITLE.encode(game.pos) == before
    seen = game.pending[seat].preview(body)
    assert not seen["ok"]
    assert seen["problems"] == [caught.value.as_json()]
    return caught.value.key.removeprefix("refusal."), caught.value.clause


def choose(game: Play, seat: str, option: str) -> list[Entry]:
    """Answer with an option that has a form of its own name."""
    return answer(game, seat, option, option=option)


def ends(game: Play, seat: str) -> list[Entry]:
    """Close the phase, decline or leave alone: whatever the seat's request offers of that kind."""
    return choose(game, seat, next(name for name in ENDS if name in forms(game, seat)))


def move(game: Play, seat: str, units: Sequence[str] | str, *path: str, **more: Any) -> list[Entry]:
    """Move one unit or several along a path."""
    return answer(game, seat, "move", units=[units] if isinstance(units, str) else list(units), path=list(path), **more)


def attack(game: Play, seat: str, target: str, *units: str) -> list[Entry]:
    """Declare an attack."""
    return answer(game, seat, "attack", target=target, units=list(units))


def take_least(game: Play, seat: str) -> list[Entry]:
    """Answer an allocation with as few units as it allows, in the order they are offered."""
    return answer(game, seat, lots={lot["id"]: [*(u for u in lot["units"] if u not in lot["last"]), *lot["last"]]
                                    [: lot["min"]] for lot in lots(game, seat).values()})


def bear_losses(game: Play) -> None:
    """Let both sides lose the first units they may, and spend no supply, as long as they are asked that."""
    while game.asked and only_form(game, game.asked[0]).endswith(("_losses", "_supply")):
        take_least(game, game.asked[0])


def decline_until(game: Play, stage: str) -> None:
    """Let everybody pass up to a stage (or the end of the game)."""
    while game.pos.stage != stage and game.asked:
        seat = game.asked[0]
        if any(name in forms(game, seat) for name in ENDS):
            ends(game, seat)
        else:
            take_least(game, seat)


# -- looking -------------------------------------------------------------------------------------------------


def request(game: Play, seat: str) -> dict[str, Any]:
    """The request as its seat sees it."""
    asked = game.request_for(seat)
    assert asked is not None, "the game is over"
    return asked


def forms(game: Play, seat: str) -> dict[str, dict[str, Any]]:
    """The forms of the request a seat is asked, by name."""
    return {form["form"]: form for form in request(game, seat).get("forms", [])}


def only_form(game: Play, seat: str) -> str:
    """The form of a request that has but one ("" when it has several)."""
    names = list(forms(game, seat))
    return names[0] if len(names) == 1 else ""


def groups(game: Play, seat: str, form: str) -> dict[str, dict[str, Any]]:
    """The groups of a `place` form, by id."""
    return {group["id"]: group for group in forms(game, seat)[form]["groups"]}


def lots(game: Play, seat: str, form: str | None = None) -> dict[str, dict[str, Any]]:
    """The lots of an `allocate` form, by id."""
    return {lot["id"]: lot for lot in forms(game, seat)[form or only_form(game, seat)]["lots"]}


def preview(game: Play, seat: str, form: str, **fields: Any) -> dict[str, Any]:
    """What an answer would do (docs/protocol.md section 4)."""
    return game.pending[seat].preview({"form": form, **fields})


def odds(game: Play, seat: str, target: str, *units: str) -> dict[str, Any]:
    """The odds panel of an attack before it is announced."""
    effect: dict[str, Any] = preview(game, seat, "attack", target=target, units=list(units))["effect"]
    return effect


def reach(game: Play, seat: str, units: Sequence[str] | str, aboard: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Where units could go. Raises Refusal."""
    form: Any = game.pending[seat].form("move")
    found: dict[str, Any] = form.reach([units] if isinstance(units, str) else list(units), aboard or {})
    return found


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


def modifiers(shown: Mapping[str, Any]) -> dict[str, int | None]:
    """The modifiers of an attrition step or an odds panel: name to value."""
    return {m["label"]["key"].removeprefix("modifier."): m["value"] for m in shown["modifiers"]}


def clauses(shown: Mapping[str, Any]) -> dict[str, str]:
    """The modifiers of an attrition step or an odds panel: name to clause."""
    return {m["label"]["key"].removeprefix("modifier."): m["clause"] for m in shown["modifiers"]}


def rows(game: Referee, eye: str, table: str) -> dict[str, Any]:
    """A table of the view: label (with its hex where it has one) to value."""
    return {row["label"]["key"].split(".", 1)[1] + (f" {row['label']['args']['at']}" if "at" in row["label"]["args"]
            else ""): row["value"] for row in view(game, eye)[f"table:{table}"]["rows"]}


# -- names ---------------------------------------------------------------------------------------------------


def units(prefix: str, n: int | None = None) -> list[str]:
    """The first units whose id begins so, in the order of the counter sheet."""
    found = [unit for unit in data().files["units"]["units"] if unit.startswith(prefix)]
    assert n is None or len(found) >= n
    return found[:n]


def at(hex_: str, *ids: str | Sequence[str]) -> dict[str, str]:
    """A `units` part of a body: all of them in one place."""
    return {unit: hex_ for group in ids for unit in ([group] if isinstance(group, str) else group)}
