"""9 New units."""

import pytest

from tests.rules.titles.chaco.builders import (
    B,
    P,
    answer,
    bare,
    choose,
    forms,
    last,
    lots,
    play,
    position,
    prompt,
    refused,
    told,
    until,
)


@pytest.mark.clause("9.4")
@pytest.mark.parametrize(("side", "turn", "n"), [(P, 1, 3), (P, 5, 3), (P, 6, 2), (B, 1, 2), (B, 2, 3)])
def test_reinforcements_by_the_schedule(side: str, turn: int, n: int) -> None:
    game = play({"phase": f"{side}_new_units", "turn": turn}, [1] * n)
    choose(game, side, "no_call_up")
    assert last(game, "units_drawn")["count"] == n


@pytest.mark.clause("9.4")
def test_new_units_come_in_at_controlled_sources_within_stacking() -> None:
    game = play(bare(phase=f"{P}_new_units", units={"PY-GHQ": "2753"}), [1, 1, 1])
    until(game, "new_units")
    group = forms(game, P)["new_units"]["groups"][0]
    assert set(group["where"]) == {"1953", "2753", "3353", "3447"}
    drawn = group["units"]
    full = bare(phase=f"{P}_new_units", units={"PY-GHQ": "2753", **dict.fromkeys([
        "PY-INF-5", "PY-INF-7", "PY-INF-8", "PY-INF-9"], "1953")})
    crowded = play(full, [1, 1, 1])
    until(crowded, "new_units")
    units = forms(crowded, P)["new_units"]["groups"][0]["units"]
    assert refused(crowded, P, "new_units", placed=dict.fromkeys(units, "1953")) == ("no_room", "11.2")
    answer(game, P, "new_units", placed=dict.fromkeys(drawn, "2753"))
    assert [game.pos.at[u] for u in drawn] == ["2753"] * 3
    assert not set(drawn) & set(game.pos.reduced)


@pytest.mark.clause("9.4", "13.1")
def test_an_empty_pile_takes_up_the_dead_but_never_armour() -> None:
    pile = [u for u, loc in position(**bare(units={})).at.items() if loc == "pile:bolivia"]
    units = {**dict.fromkeys(pile, "lost"), "BO-INF-21": "dead", "BO-ARM-T1": "lost"}
    game = play(bare(phase=f"{B}_new_units", units=units), [0])
    choose(game, B, "no_call_up")
    assert last(game, "units_drawn")["units"] == ["BO-INF-21"], "one is left, and nothing is saved up"
    assert game.pos.at["BO-ARM-T1"] == "lost:bolivia"


@pytest.mark.clause("9.5")
def test_call_ups_cost_five_points_and_bring_a_die_of_units() -> None:
    game = play(bare(phase=f"{P}_new_units", units={}, points={P: 15}), [2, 1, 1])
    assert prompt(game, P) == "call_up"
    choose(game, P, "call_up")
    assert game.pos.vp[P] == 10
    assert last(game, "called_up")["roll"] == 2
    assert last(game, "units_drawn")["count"] == 2
    game.chance.rolls[:] = [1, 0, 1, 1, 1]
    choose(game, P, "call_up")
    assert prompt(game, P) == "new_units", "Paraguay twice in a game"


@pytest.mark.clause("9.5", "16.4")
def test_bolivia_calls_up_as_often_as_it_can_pay() -> None:
    game = play(bare(phase=f"{B}_new_units", units={}, points={B: 12}, callups={B: 5}), [1, 1, 1, 1, 1, 1])
    choose(game, B, "call_up")
    choose(game, B, "call_up")
    assert game.pos.vp[B] == 2
    assert prompt(game, B) == "new_units"


@pytest.mark.clause("9.1", "9.2", "9.3")
def test_replacements_turn_reduced_infantry_and_cavalry_in_supply_back() -> None:
    units = {"PY-INF-ITOR": "2741", "PY-CAV-TOLE": "2741", "PY-ART-A1": "2741", "PY-INF-5": "2741", "PY-INF-7": "dead"}
    body = bare(phase=f"{P}_new_units", units=units, replacements={P: 2}, out=["PY-INF-5"],
                reduced=["PY-INF-ITOR", "PY-CAV-TOLE", "PY-ART-A1", "PY-INF-5"])
    game = play(body, [1, 1, 1])
    until(game, "replacements")
    lot = lots(game, P)["replacements"]
    assert set(lot["units"]) == {"PY-INF-ITOR", "PY-CAV-TOLE"}
    answer(game, P, "replacements", lots={"replacements": ["PY-INF-ITOR"]})
    assert "PY-INF-ITOR" not in game.pos.reduced
    assert game.pos.replacements[P] == 1


@pytest.mark.clause("9.6")
def test_no_more_trucks_come_than_there_are_counters() -> None:
    """On a 6 the table gives one; none is told of."""
    trucks = {f"BO-TRK-{n}": "2807" for n in range(1, 8)}
    game = play(bare(phase=f"{B}_supply", units={"BO-GHQ": "2807", **trucks}), [6])
    choose(game, B, "2807")
    until(game, "supply_points")
    assert last(game, "supply_rolled")["trucks"] == 0
    assert not game.pos.stack("due:bolivia")
    assert told(game, "supply_rolled")
