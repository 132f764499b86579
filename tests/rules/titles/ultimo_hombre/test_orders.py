"""What standing orders say in battle."""

from collections.abc import Sequence
from typing import Any

import pytest

from rules.core.forms import Allocate, Choose, Lot, Option
from rules.core.request import Request
from rules.titles.ultimo_hombre.orders import ORDERS
from tests.rules.titles.ultimo_hombre.builders import (
    MISS,
    A,
    P,
    Play,
    at,
    attack,
    both_line_up,
    choose,
    options,
    play,
    prompt,
)

BY_NAME = {order.name: order for order in ORDERS}
DECK = {"decks": {A: ["A04", "A17"]}}


def says(game: Play, seat: str, name: str, **settings: Any) -> dict[str, Any] | None:
    order = BY_NAME[name]
    chosen = {key: settings.get(key, values[0]) for key, values in order.settings.items()}
    return order.answer(game.pos.game, game.views.contents[seat], game.pending[seat], chosen)


def assault(attackers: list[str], defenders: list[str], dice: Sequence[int] = (), **body: Any) -> Play:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "units": {
        **at("itapiru", attackers), **at("tuyuti", defenders)}, **DECK, **body}, dice)
    attack(game, A, "tuyuti", {"itapiru": attackers})
    return game


@pytest.mark.clause("7")
def test_the_line_goes_by_strength_and_slot_1_apart() -> None:
    game = assault(["br_inf_01"], ["py_inf_01", "py_ninos", "py_inf_02"], reduced=["py_inf_02"])

    def line(**settings: str) -> list[str]:
        said = says(game, P, "line_up", **settings)
        assert said is not None
        return sorted(said["placed"], key=said["placed"].__getitem__)

    assert line()[0] == "py_inf_01"
    assert line(line="weakest")[-1] == "py_inf_01"
    assert line(slot_1="weakest")[1] == "py_inf_01"
    assert line(line="weakest", slot_1="strongest")[0] == "py_inf_01"


@pytest.mark.clause("8")
def test_retreat_by_numbers() -> None:
    game = assault(["br_inf_01", "br_inf_02"], ["py_inf_01"], [MISS, MISS, MISS])
    both_line_up(game)
    assert prompt(game, A) == "retreat"
    assert says(game, A, "retreat") == {"form": "retreat", "option": "stay"}
    assert says(game, A, "retreat", fewer_than=3) == {"form": "retreat", "option": "retreat"}
    game.dice.extend([MISS, MISS])
    choose(game, A, "stay")
    assert prompt(game, P) == "retreat"
    assert says(game, P, "retreat") == {"form": "retreat", "option": "stay"}
    gone = says(game, P, "retreat", outnumbered_by=1)
    assert gone is not None
    assert gone["option"] in options(game, P)
    assert gone["option"] != "stay"


@pytest.mark.clause("7")
def test_targets_by_strength_or_whoever_falls() -> None:
    game = assault(["br_inf_01", "br_inf_02"], ["py_inf_01"], reduced=["br_inf_01"])
    game.dice.extend([MISS, MISS, MISS])
    both_line_up(game)
    assert says(game, game.asked[0], "target") is None
    pending = Request(P, "prompt.target", "7", (Choose("target", "7", tuple(
        Option(u, "7", {}) for u in ("br_inf_01", "br_inf_02"))),))
    view = game.views.contents[P]
    chosen = {at: BY_NAME["target"].answer(game.pos.game, view, pending, {"at": at})["option"]  # type: ignore[index]
              for at in ("falling", "strongest", "weakest")}
    assert chosen == {"falling": "br_inf_01", "strongest": "br_inf_02", "weakest": "br_inf_01"}
    several = Request(P, "prompt.targets", "7", (Allocate("targets", "7", "aim", tuple(
        Lot(shooter, ("br_inf_01", "br_inf_02"), 1, 1) for shooter in ("py_inf_02", "py_inf_03"))),))
    said = BY_NAME["target"].answer(game.pos.game, view, several, {"at": "strongest"})
    assert said == {"form": "targets", "lots": {"py_inf_02": ["br_inf_02"], "py_inf_03": ["br_inf_02"]}}
