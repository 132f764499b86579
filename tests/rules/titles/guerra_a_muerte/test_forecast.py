"""5.3, 4.1 The forecast of attrition is what the dice then do."""

from random import Random
from typing import Any

import pytest

from rules.titles.guerra_a_muerte.attrition import hostile
from rules.titles.guerra_a_muerte.forecast import forecast
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    lots,
    march,
    operating,
    position,
    prompt,
    told,
)


def scattered(seed: int, side: str) -> dict[str, str]:
    """Some forty land counters of a side, most of them in hostile country, a few reduced."""
    rng, pos = Random(seed), position()
    land = [loc for loc in sorted(pos.game.spaces) if loc not in pos.game.seas and pos.game.area(loc) is not None]
    bad = [loc for loc in land if hostile(pos, loc)]
    units = [u for u in sorted(pos.game.units) if pos.unit(u).side == side and pos.unit(u).troops
             and pos.unit(u).nation not in ("portuguese",)]
    return {u: rng.choice(bad if rng.random() < 0.8 else land) for u in rng.sample(units, min(40, len(units)))}


def lose_what_is_asked(game: Play, side: str) -> None:
    """No points are spent, and the first steps are lost, until nobody rolls any more."""
    while list(game.asked) == [side] and prompt(game, side) in ("provisions", "losses"):
        if prompt(game, side) == "provisions":
            choose(game, side, "none")
        else:
            (lot,) = lots(game, side, "losses").values()
            answer(game, side, "losses", lots={lot["id"]: lot["units"][: lot["min"]]})


def steps_at(game: Play, units: dict[str, str], loc: str) -> int:
    return sum(game.pos.steps(u) for u, at in units.items() if at == loc and game.pos.at[u] == loc)


@pytest.mark.clause("5.3", "4.2.1", "10.6")
@pytest.mark.parametrize("side", [R, P])
@pytest.mark.parametrize("seed", range(8))
def test_each_stack_loses_what_was_foretold(side: str, seed: int) -> None:
    units, dice = scattered(seed, side), Random(seed).choices(range(1, 7), k=120)
    game = operating(side, units, dice)
    assert prompt(game, side) == "operations"
    seen = forecast(game.pos, side)
    before = {loc: steps_at(game, units, loc) for loc in seen}
    while prompt(game, side) == "operations":
        done(game, side)
    lose_what_is_asked(game, side)
    told_all = told(game)
    done_with = next((i for i, step in enumerate(told_all) if step["event"] == "operations_ended"), 0)
    rolled = [step["data"] for step in told_all[done_with:] if step["event"] == "attrition"][: len(seen)]
    assert {data["at"] for data in rolled} == set(seen)  # a later year may roll again
    for data in rolled:
        (check,) = seen[data["at"]]["checks"]
        face = check["faces"][data["roll"] - 1]
        assert min(data["steps"], before[data["at"]]) == face["loss"]
        assert before[data["at"]] - steps_at(game, units, data["at"]) == face["loss"]
    game.dice.clear()


@pytest.mark.clause("5.3")
def test_the_chaco_adds_one_and_the_last_step_bounds_it() -> None:
    game = operating(R, {"ame_rl-1": "chaco", "ame_cu-1": "chaco", "ame_co": "costa_firme"})
    seen = forecast(game.pos, R)
    (chaco,), (coast,) = seen["chaco"]["checks"], seen["costa_firme"]["checks"]
    assert [f["loss"] for f in chaco["faces"]] == [1, 1, 1, 2, 2, 3]
    assert [m["value"] for m in chaco["modifiers"]] == [1]
    steps = game.pos.steps("ame_co")
    assert [f["loss"] for f in coast["faces"]] == [min(steps, n) for n in (1, 1, 1, 1, 2, 2)]
    assert seen["chaco"]["mean"] == "1.7"
    assert "eased" not in seen["chaco"], "no points to spend"


@pytest.mark.clause("4.1")
def test_points_save_a_step_for_each_unit_that_can_be_paid_for() -> None:
    units = {"ame_rl-1": "chaco", "ame_cu-1": "chaco"}
    one, two = (forecast(operating(R, units, purses={R: points}).pos, R)["chaco"]["eased"] for points in (1, 2))
    assert [f["loss"] for f in one["checks"][0]["faces"]] == [0, 0, 0, 1, 1, 2]
    assert [f["loss"] for f in two["checks"][0]["faces"]] == [0, 0, 0, 0, 0, 1]
    game = operating(R, units, [6], purses={R: 2})
    while prompt(game, R) == "operations":
        done(game, R)
    answer(game, R, "provisions", lots={"chaco/": sorted(units)})
    lose_what_is_asked(game, R)
    assert sum(game.pos.steps(u) for u in units) == 3


@pytest.mark.clause("5.3", "5.2")
def test_a_force_that_came_through_rolls_when_it_is_done_and_who_has_rolled_does_not_again() -> None:
    game = operating(R, {"ame_rl-1": "san_luis_potosi", "ame_cu-1": "san_luis_potosi", "ame_co": "lima"}, [3, 2])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    assert forecast(game.pos, R) == {}
    march(game, R, "san_luis_potosi", "tierra_caliente")
    (check,) = forecast(game.pos, R)["tierra_caliente"]["checks"]
    assert check["faces"][1]["loss"] == 1
    while "end_force" in forms(game, R):
        done(game, R)
    lose_what_is_asked(game, R)
    assert forecast(game.pos, R) == {}, "it has rolled in this phase"


@pytest.mark.clause("5.3", "11.1")
def test_after_its_operations_it_looks_at_the_next_year_and_after_the_last_at_nothing() -> None:
    units = {"ame_rl-1": "chaco", "pla_1": "charcas"}
    later: dict[str, Any] = {"phase": f"{P}_operations", "units": units}
    assert set(forecast(position(**later, turn=5), R)) == {"chaco"}
    game = operating(P, {"ame_rl-1": "pampas", "pla_1": "chaco"}, turn=14)
    assert set(forecast(game.pos, P)) == {"chaco"}
    assert set(forecast(game.pos, R)) == {"pampas"}, "the royalists are to come"
