"""13.30 Advance after combat."""

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    attack,
    ends,
    forms,
    last,
    lots,
    odds,
    refused,
    told,
    view,
)
from tests.rules.titles.triple_alliance.ground import AROUND, GAME, MAP, TARGET, battle, kind, settle, take

BR = kind(A, "infantry", 24, nation="brazil")
FOE = kind(P, "cavalry")
SHIPS = kind(A, "warship", 8, nation="brazil")


def to_advance(game: Play, target: str, *units: str) -> None:
    """Attack, and answer all before the advance."""
    side = game.pos.active
    assert side is not None
    attack(game, side, target, *units)
    while "advance" not in forms(game, side):
        seat = game.asked[0]
        [form] = forms(game, seat).values()
        take(game, seat, form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])


@pytest.mark.clause("13.30")
def test_any_attackers_that_live_may_enter_the_emptied_hex_at_no_cost() -> None:
    game = battle(A, {AROUND[0]: BR[:6], AROUND[2]: BR[6:8], AROUND[4]: BR[8:9], TARGET: FOE}, dice=[9])
    to_advance(game, TARGET, *BR[:8])
    [lot] = lots(game, A, "advance").values()
    assert (lot["min"], set(lot["units"])) == (0, {u for u in BR[:8] if game.pos.at[u] != "dead:allied"})
    assert refused(game, A, "advance", lots={"advance": [BR[8]]}) == ("not_of_the_lot", "13.30")  # it did not attack
    go = [lot["units"][0], lot["units"][-1]]
    take(game, A, "advance", *go)
    assert set(game.pos.stack(TARGET)) == set(go)
    assert game.pos.controller(TARGET) == A
    assert game.pos.spent == {}
    assert last(game, "advanced", A)["units"]
    assert "units" not in last(game, "advanced", P)


@pytest.mark.clause("13.30")
def test_nobody_has_to_advance_and_the_hex_stays_the_defenders() -> None:
    game = battle(P, {AROUND[0]: kind(P, "infantry", 12), TARGET: kind(A, "cavalry", nation="brazil")}, dice=[9])
    to_advance(game, TARGET, *kind(P, "infantry", 12))
    take(game, P, "advance")
    assert told(game, "advance_declined")
    assert game.pos.controller(TARGET) == A
    assert "battle" not in view(game, P)


@pytest.mark.clause("13.30")
def test_no_advance_while_a_defender_stands_and_none_for_the_defender() -> None:
    game = battle(A, {AROUND[0]: BR[:4], TARGET: kind(P, "infantry", 6)}, dice=[0])
    attack(game, A, TARGET, *BR[:4])
    settle(game)
    assert not told(game, "advanced")
    shattered = battle(A, {AROUND[0]: BR[:1], TARGET: kind(P, "infantry", 12)})
    attack(shattered, A, TARGET, *BR[:1])
    assert shattered.pos.stack(AROUND[0]) == []
    assert "advance" not in forms(shattered, P)
    assert shattered.asked == (A,)


@pytest.mark.clause("13.30", "6.1")
def test_26_at_most_advance_and_a_whole_stack_takes_its_box_along() -> None:
    crowd = [*BR[:24], *kind(A, "infantry", 4, nation="argentina")]
    game = battle(A, {AROUND[0]: crowd[:20], AROUND[1]: crowd[20:], TARGET: FOE}, dice=[9],
                  boxes={A: {"5": AROUND[0], "6": AROUND[1]}})
    to_advance(game, TARGET, *crowd)
    alive = [u for u in crowd if game.pos.at[u] != "dead:allied"]
    [lot] = lots(game, A, "advance").values()
    assert lot["max"] == 26
    assert refused(game, A, "advance", lots={"advance": alive[:27]}) == ("count", "13.30")
    take(game, A, "advance", *alive[:26])
    assert len(game.pos.stack(TARGET)) == 26
    assert game.pos.boxes[A]["5"] == TARGET
    assert game.pos.boxes[A]["6"] in (None, AROUND[1])
    assert view(game, P)[f"space:{TARGET}"] == {"side": A, "control": A, "count": 26, "box": 5}


@pytest.mark.clause("13.30", "3.5")
def test_a_part_that_advances_leaves_its_box_behind() -> None:
    game = battle(A, {AROUND[0]: BR[:8], TARGET: FOE}, dice=[9], boxes={A: {"5": AROUND[0]}})
    to_advance(game, TARGET, *BR[:8])
    take(game, A, "advance", *lots(game, A, "advance")["advance"]["units"][:2])
    assert game.pos.boxes[A]["5"] == AROUND[0]
    assert "box" not in view(game, A)[f"space:{TARGET}"]


@pytest.mark.clause("13.30", "12.2")
def test_ships_advance_along_the_river_with_land_units() -> None:
    game = battle(A, {"1236": SHIPS[:4], "1336": BR[:4], "1335": FOE}, dice=[9])
    to_advance(game, "1335", *SHIPS[:4], *BR[:4])
    units = lots(game, A, "advance")["advance"]["units"]
    assert set(units) & set(SHIPS)
    take(game, A, "advance", *units)
    assert set(game.pos.stack("1335")) == set(units)


@pytest.mark.clause("13.30", "4.4", "13.16")
def test_the_last_fortress_scores_the_moment_it_falls() -> None:
    near = next(n for n in MAP.neighbours["2534"] if MAP.hexes[n].terrain != "river"
                and not MAP.edge("minor_river", n, "2534"))
    game = battle(A, {near: BR, "2534": ["PY-FOR-Ipu"]}, dice=[9])
    assert game.pos.points == {}
    attack(game, A, "2534", *BR)
    assert game.pos.points == {"fortresses": 1}
    assert told(game, "point_scored")[0]["clause"] == "4.4"
    settle(game)
    left = battle(A, {near: BR, "2534": ["PY-FOR-Ipu"], "1432": ["PY-FOR-H"]}, dice=[9])
    attack(left, A, "2534", *BR)
    assert left.pos.points == {}


@pytest.mark.clause("13.30", "13.2")
def test_whoever_advanced_has_attacked_and_others_may_attack_from_where_they_are() -> None:
    beyond = next(n for n in MAP.neighbours[TARGET] if n not in MAP.neighbours[AROUND[0]] and n != AROUND[0])
    game = battle(A, {AROUND[0]: BR[:9], TARGET: FOE, beyond: kind(P, "infantry")}, dice=[9])
    to_advance(game, TARGET, *BR[:9])
    go = lots(game, A, "advance")["advance"]["units"]
    take(game, A, "advance", *go)
    assert beyond not in forms(game, A).get("attack", {"targets": {}})["targets"]
    ends(game, A)
    assert set(forms(game, A)["attack"]["targets"][beyond]["from"][TARGET]) == set(go)  # in the next phase they may
    assert odds(game, A, beyond, *go)["attack"] == sum(GAME.units[u].attack for u in go)
