"""Games of the Triple Alliance War in a wanted position, and answers to its requests (tests/rules/building.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.record import Entry
from rules.core.referee import Referee
from rules.titles.triple_alliance import TITLE
from rules.titles.triple_alliance.position import Position
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
    "ENDS",
    "FOLDER",
    "A",
    "P",
    "Play",
    "answer",
    "at",
    "attack",
    "bear_losses",
    "choose",
    "clauses",
    "data",
    "decline_until",
    "ends",
    "forms",
    "groups",
    "last",
    "listed",
    "lots",
    "modifiers",
    "move",
    "needs",
    "new_game",
    "odds",
    "only_form",
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
    "take_least",
    "told",
    "units",
    "view",
]

P, A = "paraguay", "allied"
FOLDER = harness.SCENARIOS / TITLE.id
ENDS = ("end", "no_attack", "let_them_come", "leave_mendoza", "no_invasion")


class Play(building.Play):
    """A game of this title."""

    pos: Position


BUILDER = building.Builder(Play, TITLE, points={"fortresses": 0})
data, position, play, new_game, units = (
    BUILDER.data, BUILDER.position, BUILDER.play, BUILDER.new_game, BUILDER.units)  # fmt: skip


def choose(game: Play, seat: str, option: str) -> list[Entry]:
    """Answer with an option that has a form of its own name."""
    return answer(game, seat, option, option=option)


def ends(game: Play, seat: str) -> list[Entry]:
    """Close the phase, decline or leave alone: whatever the seat's request offers of that kind."""
    return choose(game, seat, next(name for name in ENDS if name in forms(game, seat)))


def move(game: Play, seat: str, units: Sequence[str] | str, *path: str, **more: Any) -> list[Entry]:
    """Move one unit or several along a path."""
    return answer(game, seat, "move", units=listed(units), path=list(path), **more)


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


def only_form(game: Play, seat: str) -> str:
    """The form of a request that has but one ("" when it has several)."""
    names = list(forms(game, seat))
    return names[0] if len(names) == 1 else ""


def odds(game: Play, seat: str, target: str, *units: str) -> dict[str, Any]:
    """The odds panel of an attack before it is announced."""
    effect: dict[str, Any] = preview(game, seat, "attack", target=target, units=list(units))["effect"]
    return effect


def reach(game: Play, seat: str, units: Sequence[str] | str, aboard: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Where units could go. Raises Refusal."""
    form: Any = game.pending[seat].form("move")
    found: dict[str, Any] = form.reach(listed(units), aboard or {})
    return found


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
