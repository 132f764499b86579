"""What is said of a position is true of it: in random play the numbers of every refusal are those that its own eye sees
on the board or is told by the offer."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from rules import bots, titles
from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.forms import Form, Move, Place, in_points
from rules.core.referee import Referee
from tests.rules.harness import data

TITLES = {"triple_alliance": ({"turn": 4, "phase": "allied_movement"}, 12), "ultimo_hombre": (None, 50),
          "chaco": (None, 40), "guerra_a_muerte": (None, 25)}  # fmt: skip


def said(form: Form, **answer: Any) -> dict[str, Any] | None:
    try:
        form.check({"form": form.name, **answer})
    except Refusal as refusal:
        return refusal.reason()
    return None


def placing(form: Place) -> list[str]:
    """Room and price as they are said, against what may be placed: so many more, and no one beyond."""
    found = []
    for group in form.groups:
        for loc in group.where[:3]:
            counted = [u for u in group.units if u not in form.free]
            room = max(0, form.limits.get(loc, form.limit) - form.standing.get(loc, 0))
            if len(counted) <= room or any(other.must for other in form.groups):
                continue
            wrong = said(form, placed=dict.fromkeys(counted[:room + 1], loc))
            if wrong and wrong["key"] == "refusal.no_room":
                assert wrong["args"]["n"] == room
                found.append("no_room")
        if group.pool is not None and group.cost:
            units, have = list(group.units), form.pools[group.pool]
            spread = {u: group.where[n % len(group.where)] for n, u in enumerate(units)}
            wrong = said(form, placed=spread)
            if wrong and wrong["key"] == "refusal.too_dear":
                cost = group.cost * len(units)
                assert cost > have
                assert (wrong["args"]["n"], wrong["args"]["limit"]) == (
                    in_points(cost, form.per), in_points(have, form.per))
                found.append("too_dear")
    return found


def moving(form: Move, spaces: list[str], fragments: dict[str, Any], side: str, rng: Random) -> list[str]:
    """Why a space is out of reach: the points are those that the counters have, the enemy and so many stand there."""
    loc = rng.choice(list(form.stacks))
    mover = rng.choice(form.stacks[loc])
    found: list[str] = []
    for to in rng.sample(spaces, min(6, len(spaces))):
        try:
            reach = form.reached({"units": [mover["id"]], "to": to}) or {}
        except Refusal:
            return found
        why = reach["blocked"].get(to)
        if why is None:
            assert to in reach["cost"] or to == loc
            continue
        there, args = fragments.get(f"space:{to}") or {}, why["args"]
        match why["key"].removeprefix("refusal."):
            case "too_far":
                assert args.get("unit", mover["id"]) == mover["id"]
                assert args["left"] == mover["left"]
            case "too_many":
                assert args["n"] == there["count"] + 1 > args["limit"]
            case "enemy_hex":
                assert there["side"] != side
            case "beyond":
                assert args["left"] == reach["left"]
        found.append(why["key"].removeprefix("refusal."))
    return found


@pytest.mark.parametrize("title_id", TITLES)
def test_numbers_are_the_positions(title_id: str) -> None:
    title, rng, bot = titles.load(title_id), Random(11), bots.make("random")
    body, answers = TITLES[title_id]
    pos = title.written(data(title_id), {"position": body}) if body else \
        title.first(data(title_id), next(iter(data(title_id).scenarios)), {})
    game, seen = Referee.at(title, pos, Chance(b"messages")), Counter[str]()
    for _ in range(answers):
        if not game.asked:
            break
        seat = game.asked[0]
        side = game.seating.side(seat)
        fragments = game.views.whole(side, 1)["fragments"]
        spaces = sorted({key.partition(":")[2] for key in fragments if key.startswith("space:")})
        for form in game.pending[seat].forms:
            if isinstance(form, Place):
                seen.update(placing(form))
            elif isinstance(form, Move) and not form.stances:
                seen.update(moving(form, spaces, fragments, side, rng))
        game.answer(seat, bot.answer(game, seat, rng))
    assert seen
