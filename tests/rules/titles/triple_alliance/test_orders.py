"""What standing orders say, clause by clause."""

from typing import Any

import pytest

from rules.titles.triple_alliance.orders import ORDERS
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    attack,
    data,
    lots,
    only_form,
    play,
    take_least,
)
from tests.rules.titles.triple_alliance.ground import AROUND, GAME, TARGET, battle, kind

BY_NAME = {order.name: order for order in ORDERS}
BR = kind(A, "infantry", 12, nation="brazil")
PY = kind(P, "infantry", 6)
GUN = kind(P, "field_artillery")[0]
SUPPLY = kind(P, "supply")[0]
CAVALRY = kind(P, "cavalry", 2)


def says(game: Play, seat: str, name: str, **settings: Any) -> list[str] | None:
    """The units an order names, all lots together; None when it leaves the decision to the player."""
    order = BY_NAME[name]
    chosen = {key: settings.get(key, values[0]) for key, values in order.settings.items()}
    said = order.answer(game.pos.game, game.views.contents[seat], game.pending[seat], chosen)
    return None if said is None else [unit for units in said["lots"].values() for unit in units]


def attacked(defenders: list[str], *dice: int, n: int = 10) -> Play:
    """So many of Brazil's infantry on one hex, as far as the first decision of the defender or the advance."""
    game = battle(A, {AROUND[0]: BR[:n], TARGET: defenders}, dice=dice)
    attack(game, A, TARGET, *BR[:n])
    return game


def worth(unit: str) -> tuple[int, str]:
    u = data().files["units"]["units"][unit]
    return u["attack"] + u["defense"], unit


@pytest.mark.clause("13.24")
def test_supply_is_spent_in_large_enough_stacks_only() -> None:
    game = attacked([*PY[:3], SUPPLY])
    assert says(game, P, "defender_supply") == []
    assert says(game, P, "defender_supply", spend="yes", stack=2) == [SUPPLY]
    assert says(game, P, "defender_supply", spend="yes", stack=5) == []
    assert says(game, P, "losses") is None


@pytest.mark.clause("13.24")
def test_the_last_unit_of_a_hex_is_never_spent() -> None:
    assert says(attacked([SUPPLY]), P, "defender_supply", spend="yes", stack=2) == []


@pytest.mark.clause("13.29")
def test_losses_go_by_strength_and_spare_a_kind() -> None:
    force = [PY[0], GUN, *CAVALRY]
    game = attacked(force, 2, n=4)
    while only_form(game, P) != "defender_losses":
        take_least(game, game.asked[0])
    (lot,) = lots(game, P).values()
    assert 0 < lot["min"] < len(force)
    ranked = sorted(force, key=worth)
    assert says(game, P, "losses") == ranked[: lot["min"]]
    assert says(game, P, "losses", first="strongest") == sorted(
        force, key=lambda u: (-worth(u)[0], u))[: lot["min"]]
    assert GUN not in (says(game, P, "losses", spare="artillery") or [])


@pytest.mark.clause("13.29", "10.2")
@pytest.mark.parametrize("first", ["weakest", "strongest"])
def test_a_fortress_is_given_last_whatever_comes_first(first: str) -> None:
    fort = "PY-FOR-Ipr"
    game = battle(A, {GAME.map.neighbours["1434"][0]: BR, "1434": [fort, *PY[:4]]}, dice=[7])
    attack(game, A, "1434", *BR)
    (lot,) = lots(game, P).values()
    given = says(game, P, "losses", first=first) or []
    assert 0 < len(given) == lot["min"] < 5
    assert fort not in given


@pytest.mark.clause("13.30")
def test_the_advance_is_nobody_the_weakest_or_all() -> None:
    game = attacked(PY[:1], 8)
    while only_form(game, A) != "advance":
        take_least(game, game.asked[0])
    (lot,) = lots(game, A).values()
    assert says(game, A, "advance") == []
    assert says(game, A, "advance", who="one") == [min(lot["units"], key=worth)]
    assert sorted(says(game, A, "advance", who="all") or []) == sorted(lot["units"])


@pytest.mark.clause("7.4")
def test_supply_for_attrition_goes_to_large_stacks() -> None:
    other = kind(P, "supply", 2)[1]
    game = play({"turn": 3, "phase": "events", "mendoza": "crushed", "clear": True, "units": {
        SUPPLY: TARGET, **dict.fromkeys(PY[:5], TARGET), other: "1439", BR[0]: "3041"}})
    assert says(game, P, "attrition_supply") == []
    assert says(game, P, "attrition_supply", spend="yes", stack=5) == [SUPPLY]
    assert says(game, P, "attrition_supply", spend="yes", stack=10) == []
