"""Moments where two rules meet, and exceptions that a first reading passes over."""

from random import Random

import pytest

from rules.titles.chaco import supply
from rules.titles.chaco.scramble import scramble
from tests.rules.titles.chaco.builders import (
    B,
    P,
    answer,
    bare,
    choose,
    forms,
    last,
    move,
    play,
    position,
    prompt,
    reach,
    refused,
    told,
    until,
)
from tests.rules.titles.chaco.test_combat import battle, strike


@pytest.mark.clause("9.5", "9.4")
def test_a_call_up_is_declared_before_the_reinforcements_are_known() -> None:
    game = play(bare(phase=f"{P}_new_units", units={}, points={P: 15}))
    assert prompt(game, P) == "call_up"
    assert not told(game, "units_drawn")
    game.chance.rolls[:] = [1, 0, 0, 0, 0]
    choose(game, P, "call_up")
    choose(game, P, "no_call_up")
    assert [step["data"]["count"] for step in told(game, "units_drawn")] == [1, 3]


@pytest.mark.clause("8.5", "7.8")
def test_a_headquarters_comes_back_to_no_hex_of_an_enemy_zone_even_a_negated_one() -> None:
    units = {"PY-GHQ": "lifted", "PY-INF-5": "2741", "PY-INF-7": "2742", "BO-INF-21": "2740", "PY-LDR-A": "2742"}
    game = play(bare(phase=f"{P}_new_units", units=units, points={P: 0}), [0, 0, 0])
    until(game, "new_units")
    where = next(g["where"] for g in forms(game, P)["new_units"]["groups"] if g["id"] == "ghq")
    assert "2742" in where
    assert "2741" not in where, "negated by the unit there, and still a zone"


@pytest.mark.clause("10.12")
def test_nobody_goes_through_the_boxes_of_the_other_side() -> None:
    game = play(bare(phase=f"{B}_movement", units={"BO-INF-21": "2753", "BO-INF-14": "3001"}))
    assert not {"2854", "2354"} & reach(game, B, "BO-INF-21")["cost"].keys()
    assert refused(game, B, "move", units=["BO-INF-21"], path=["2753", "2854"]) == ("no_way", "10.4")
    assert "3400" in reach(game, B, "BO-INF-14")["cost"], "its own box of a turn"


@pytest.mark.clause("10.12", "10.3")
def test_nobody_comes_back_to_the_map_where_any_enemy_stands() -> None:
    units = {"PY-INF-ITOR": "2854", "PY-INF-5": "2752", "BO-TRK-1": "2753"}
    game = play(bare(phase=f"{P}_movement", units=units))
    assert "2753" not in reach(game, P, "PY-INF-ITOR")["cost"]
    assert "2753" in reach(game, P, "PY-INF-5")["cost"], "over land it is run over"


@pytest.mark.clause("8.7", "10.12")
def test_boxes_off_the_map_carry_no_supply() -> None:
    game = position(**bare(units={"PY-GHQ": "2753"}))
    assert not supply.covered(game, P, "2753", mechanised=False, radius=8) & game.game.off_map


def routed(target: str, start: str, **more: str) -> str:
    """Where the 21st ends that the strongest Paraguayan cavalry routs out of a hex."""
    units = {"PY-CAV-AC": start, "PY-LDR-Estig": start, "BO-INF-21": target, "BO-INF-31": "1537", **more}
    game = battle(units, [4, 1], supply={P: {start: 1}})
    strike(game, P, target, "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={start: ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    assert last(game, "retreat_rolled")["how"] == "how.rout"
    while game.asked and prompt(game, B) == "retreat":
        choose(game, B, forms(game, B)["retreat"]["options"][0]["id"])
    return game.pos.at["BO-INF-21"]


@pytest.mark.clause("12.8", "11.2")
def test_a_rout_ends_in_no_full_hex() -> None:
    best = routed("2728", "2727")
    assert best not in ("2728", "dead:bolivia")
    four = dict.fromkeys(("BO-INF-14", "BO-INF-16", "BO-INF-20", "BO-INF-4"), best)
    assert routed("2728", "2727", **dict(list(four.items())[:3])) == best
    beside = routed("2728", "2727", **four, **{"BO-LDR-A": best})
    assert beside not in (best, "2728", "dead:bolivia"), "their leader holds up nobody who finds no room"


@pytest.mark.clause("12.8", "8.4")
def test_who_is_routed_from_a_source_runs_to_another_one() -> None:
    assert routed("2807", "2808") == "3207", "round the enemy zone and over no river, on the road to the edge"


@pytest.mark.clause("14.6", "10.10")
def test_a_well_can_be_destroyed_in_reaction_too() -> None:
    game = play(bare(phase=f"{B}_reaction", units={"BO-INF-21": "2726", "BO-LDR-Toro": "2726"}, wells=["2727"]))
    assert "destroy_well" not in forms(game, B)
    move(game, B, ["BO-INF-21", "BO-LDR-Toro"], "2726", "2727")
    answer(game, B, "destroy_well", option="2727")
    assert game.pos.wells == []
    assert last(game, "well_destroyed")["at"] == "2727"


@pytest.mark.clause("2.1")
def test_what_was_seen_on_top_stays_above_what_is_dealt_anew() -> None:
    """A leader has left the sources: the supply that he stood on was told, and no other supply unit can be above it."""
    for seed in range(20):
        pos = position({"intelligence": "limited"}, **bare(
            units={"BO-LDR-A": "4401", "BO-GHQ": "2807"}, supply={B: {"2807": 4, "4401": 2}}))
        seen = "BO-CSP-5"
        assert pos.stack("4401")[:2] == ["BO-LDR-A", seen]
        scramble(pos, P, Random(seed), {seen})
        assert pos.stack("4401")[1] == seen
