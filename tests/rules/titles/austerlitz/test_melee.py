"""8.2-8.5, 9, 10 Bayonet, assault, charge, their results, morale and retreats."""

import pytest

from rules.titles.austerlitz.charge import bonus
from rules.titles.austerlitz.clash import Clash, attack_parts, defence_parts, flank_support, modifiers, odds, points
from rules.titles.austerlitz.morale import Trouble, lower
from rules.titles.austerlitz.morale import modifiers as morale_modifiers
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.received import square_parts
from rules.titles.austerlitz.retreat import length
from rules.titles.austerlitz.volley import both_retreat
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    answer,
    choose,
    field,
    forms,
    last,
    play,
    position,
    prompt,
    refused,
    ride,
    told,
)

LN, LN2, ARKH, HUS = "F-1-34-Ln", "F-2-34-Ln", "A-2-Arkh", "F-10-Hus"


def values(parts: list[tuple[str, str, int]]) -> dict[str, int]:
    return {key.split(".")[1]: value for key, _clause, value in parts}


@pytest.mark.clause("8.2", "8.2.1")
def test_a_bayonet_attack_that_carries() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [2, 6], phase="melee")
    assert list(forms(game_, F)) == ["bayonet", "rout", "end"]
    answer(game_, F, "bayonet", target="B2908", units=[LN])
    assert prompt(game_, A) == "answer_attack"
    choose(game_, A, "hold")
    assert last(game_, "attacker_checked")["over"] == -2       # 2 + 1 for line - 5
    assert last(game_, "defender_checked")["over"] == 3        # 6 + 1 for line - 4
    assert game_.pos.lost[ARKH] == 2
    assert game_.pos.morale[ARKH] == 2
    assert game_.pos.form[ARKH] == "disorder"
    assert game_.pos.at[LN] == CENTRE                           # nobody advances


@pytest.mark.clause("8.2.1")
def test_an_attacker_whose_nerve_fails() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [5], phase="melee")
    answer(game_, F, "bayonet", target="B2908", units=[LN])
    assert game_.pos.form[LN] == "line"
    assert not told(game_, "defender_checked")
    worse = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [8], phase="melee")
    answer(worse, F, "bayonet", target="B2908", units=[LN])
    assert worse.pos.form[LN] == "disorder"
    assert worse.pos.morale[LN] == 1


@pytest.mark.clause("8.2.1")
def test_supports_and_flanks() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line", "A-3-Arkh": "B2907@W/line",
                                      "A-G-Arkh": "B2909@W/line"})
    assert flank_support(pos, ARKH) == 2
    assert values(attack_parts(pos, LN, ARKH, 2)) == {"line": 1, "support": -2}
    assert values(defence_parts(pos, ARKH, [LN], False, False)) == {"line": 1, "flank_support": -2}
    assert values(defence_parts(pos, ARKH, [LN], True, True)) == {"line": 1, "defensive_terrain": -1}


@pytest.mark.clause("8.3", "8.3.1")
@pytest.mark.parametrize(("attack", "defence", "value"), [
    (7, 4, 0), (8, 4, 1), (5, 8, -1), (4, 8, -1), (4, 9, -2), (24, 6, 3), (11, 4, 1), (3, 12, -2), (9, 3, 2)])
def test_ratios_go_down(attack: int, defence: int, value: int) -> None:
    assert odds(position(), attack, defence) == value


@pytest.mark.clause("8.5", "8.4.2", "A8.1.2")
def test_modifiers_of_a_melee() -> None:
    pos = position(clear=True, units={HUS: f"{CENTRE}@E/line", ARKH: "B2908@E/line"}, blown={}, fatigue={"A-2-B": 6})
    parts = values(modifiers(pos, Clash([HUS], [ARKH], charge=True, bonus=1)))
    assert parts["rear"] == 2
    assert parts["charge"] == 1
    assert parts["fatigue"] == 1          # the defender's -1, turned


@pytest.mark.clause("8.4.2", "6.3.6", "A8.1.1", "A8.1.2")
def test_charge_bonus() -> None:
    pos = position("bagration", clear=True, units={"F-2-Cuir": f"{CENTRE}@E/line", "F-9-Cuir": "B2709@NE/column"})
    assert [bonus(pos, "F-2-Cuir", gap, False) for gap in (2, 3, 4)] == [0, 4, 4]
    assert bonus(pos, "F-2-Cuir", 3, True) == 2
    assert bonus(pos, "F-9-Cuir", 3, False) == 2
    assert bonus(pos, "F-9-Cuir", 3, True) == 1
    assert points(pos, ["F-9-Cuir"], True) == pos.strength("F-9-Cuir") // 3


@pytest.mark.clause("8.4", "8.4.1", "8.4.2", "8.4.4")
def test_a_charge_met_by_a_square() -> None:
    game_ = play([0, 0], clear=True, units={HUS: "B2809@E/line", ARKH: "B3008@SW/column"},
                 leaders={"F-Treilhard": "B2709"}, active="F-T-CR", phase="melee")
    answer(game_, F, "charge", target="B3008", units=[HUS])
    ride(game_, F)
    assert prompt(game_, A) == "charged"
    choose(game_, A, "square")
    assert game_.pos.form[ARKH] == "square"
    assert prompt(game_, A) == "return_fire"
    choose(game_, A, "hold")
    assert last(game_, "melee")["modifiers"]
    assert game_.pos.blown[HUS] == 2


@pytest.mark.clause("8.4.2")
def test_forming_square_depends_on_the_distance_and_formation() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", LN2: "B2709@N/column"})
    assert values(square_parts(pos, LN, 2)) == {"charge_started_2_hexes_away": 1, "line": 1}
    assert values(square_parts(pos, LN2, 3)) == {"column": -1}


@pytest.mark.clause("A8.1.1", "8.4.1")
def test_nobody_charges_an_adjacent_unit_or_one_five_hexes_away() -> None:
    for target, able in (("B2908", False), ("B3008", True), ("B3207", True), ("B3307", False)):
        game_ = play(clear=True, units={HUS: "B2809@E/line", ARKH: f"{target}@W/line"},
                     leaders={"F-Treilhard": "B2709"}, active="F-T-CR", phase="melee")
        assert ("charge" in (forms(game_, F) if prompt(game_, F) == "melee" else {})) is able, target


@pytest.mark.clause("9.1", "9.2", "9.2.1", "9.2.2")
def test_modifiers_of_morale() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", LN2: "B2709@N/square"}, leaders={"F-Suchet": "B2709"},
                   morale={LN: "shaken"}, fatigue={"F-3-V": 4}, lost={LN: 5}, capped=[LN])
    assert values(morale_modifiers(pos, LN)) == {"line": 1, "breakpoint": 1, "shaken": 1, "fatigue": 1}
    assert values(morale_modifiers(pos, LN2)) == {"square": -1, "leader": -1, "fatigue": 1}


@pytest.mark.clause("10.1", "9.2.3", "9.2.4")
def test_lengths_of_retreats() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", HUS: "B2709@E/line"})
    assert [length(pos, LN, 2), length(pos, LN, 3), length(pos, HUS, 2), length(pos, HUS, 3)] == [1, 3, 2, 6]


@pytest.mark.clause("10.1.1", "10.1.2", "A10.1", "9.1.1", "9.2.3", "8.5.1")
def test_an_unsteady_battalion_goes_one_hex_and_its_neighbours_check() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line", "A-3-Arkh": "B2907@W/line"}, [9, 3], phase="shoot")
    answer(game_, F, "fire", target="B2908", units=[LN])
    choose(game_, A, "hold")
    assert last(game_, "fired")["result"] == "2"
    checks = [step["data"] for step in told(game_, "morale_checked")]
    assert [c["unit"] for c in checks] == [ARKH]
    assert checks[0]["levels"] == 1       # 3 + 1 for line + 1 for a second point - 4
    assert game_.pos.morale[ARKH] == 1


@pytest.mark.clause("9.3")
def test_guns_lose_points_instead_of_levels() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", "A-art-a-B": "B2908@W/unlimbered"}, [9, 8], phase="shoot")
    answer(game_, F, "fire", target="B2908", units=[LN])
    choose(game_, A, "hold")
    assert "A-art-a-B" not in game_.pos.morale
    assert game_.pos.lost["A-art-a-B"] >= 1


@pytest.mark.clause("6.4.1", "9.2.3", "11.1", "11.1.1")
def test_who_may_not_begin_a_melee() -> None:
    for more in ({"morale": {LN: "unsteady"}}, {"lost": {LN: 5}}):
        game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, phase="melee", **more)
        assert prompt(game_, F) != "melee" or "bayonet" not in forms(game_, F)
    disorder = field({LN: f"{CENTRE}@NE/disorder", ARKH: "B2908@W/line"}, phase="melee")
    assert prompt(disorder, F) != "melee"


@pytest.mark.clause("8.1.1")
def test_each_unit_fires_by_itself() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", LN2: "B2808@E/line", ARKH: "B2908@W/line"}, phase="shoot")
    assert refused(game_, F, "fire", target="B2908", units=[LN, LN2]) == ("one_fires", "8.1.1")


@pytest.mark.clause("8.4.3", "6.5.6")
def test_overlap() -> None:
    pos = position("bagration", clear=True, units={"F-16-CaC": f"{CENTRE}@E/line", ARKH: "B2909@W/line"})
    parts = values(modifiers(pos, Clash(["F-16-CaC"], [ARKH], charge=True, bonus=1)))
    assert parts["overlap"] == 1


# -- rounds, both retreat, the examples of the errata ------------------------------------------------------

@pytest.mark.clause("8.3", "8.3.1", "8.5.3")
def test_a_melee_goes_on_while_both_lose_a_point_and_hold() -> None:
    game_ = play([0, 0, 7, 0, 0, 9], "bagration", clear=True, units={
        ARKH: "B1606@SSW/line", LN: "B1607@N/column"}, leaders={"A-Markov": "B1605"}, active="A-2-B", phase="melee")
    assert "assault" in forms(game_, A)
    answer(game_, A, "assault", target="B1607", units=[ARKH])
    choose(game_, F, "hold")
    first = last(game_, "melee")
    assert first["loser"] == "both"
    assert game_.pos.lost == {ARKH: 1, LN: 1}
    assert prompt(game_, F) == "melee_goes_on"
    choose(game_, F, "fight")
    choose(game_, A, "fight")
    assert len(told(game_, "melee")) == 2
    ratios = [next(m["value"] for m in s["data"]["modifiers"] if m["label"]["key"] == "melee.ratio")
              for s in told(game_, "melee")]
    assert ratios == [-1, -1]                                     # 6 against 8, then 5 against 7
    assert not game_.dice


@pytest.mark.clause("8.5.3", "6.4.2")
def test_a_side_may_let_its_own_run_to_end_a_melee() -> None:
    game_ = play([0, 0, 7, 0, 0], "bagration", clear=True, units={
        ARKH: "B1606@SSW/line", LN: "B1607@N/column"}, leaders={"A-Markov": "B1605"}, active="A-2-B", phase="melee")
    answer(game_, A, "assault", target="B1607", units=[ARKH])
    choose(game_, F, "hold")
    choose(game_, F, "rout")
    assert game_.pos.morale[LN] == 3
    assert game_.pos.at[ARKH] == "B1607"                          # 8.3.1 no. 7


@pytest.mark.clause("8.5.4")
@pytest.mark.parametrize(("levels", "dice", "stays"), [
    ((2, 2), [3, 5], 1),        # both unsteady: the lower goes
    ((2, 2), [5, 3], 0),
    ((2, 2), [4, 4, 1, 2], 1),  # again when equal
    ((3, 2), [], 1),            # one routs: the other stays, unsteady
    ((3, 3), [6, 2], 0),        # both rout: the lower goes, the other stays unsteady
])
def test_both_never_go_at_once(levels: tuple[int, int], dice: list[int], stays: int) -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"})
    one, other = Trouble(("B2908",)), Trouble((CENTRE,))
    for unit, level, trouble in zip((LN, ARKH), levels, (one, other), strict=True):
        list(lower(pos, unit, level, trouble))
    rolls = list(dice)
    running = both_retreat(pos, one, other)
    try:
        next(running)
        while True:
            running.send((rolls.pop(0),))
    except StopIteration:
        pass
    left = [len(one.fates), len(other.fates)]
    assert left[stays] == 0
    assert left[1 - stays] == 1
    unit = (LN, ARKH)[stays]
    assert (pos.morale[unit], pos.form[unit], unit in pos.capped) == (2, "line", False)  # it never ran
    assert not rolls


def beaten(total: int, level: int = 0) -> Position:
    """A Russian assault of infantry whose melee comes to a total, from Good morale or worse."""
    game_ = play([0, 0, total + 3], "bagration", clear=True, units={
        ARKH: "B1606@SSW/line", LN: "B1607@N/column"}, leaders={"A-Markov": "B1605"}, active="A-2-B", phase="melee",
        morale={ARKH: ("good", "shaken")[level]})
    answer(game_, A, "assault", target="B1607", units=[ARKH])
    choose(game_, F, "hold")
    assert last(game_, "melee")["total"] == total
    return game_.pos


def test_the_three_examples_of_the_errata_to_8_5() -> None:
    """Errata, "other effects": at 1 two points, two levels to Unsteady, a hex for the result and one for the level; a
    Shaken one routs instead; at 3 a point, Shaken, one hex."""
    board = position("bagration").game.board
    good = beaten(1)
    assert (good.lost[ARKH], good.morale[ARKH]) == (2, 2)
    assert board.distance("B1607", good.at[ARKH]) == 3            # from one hex away two further
    shaken = beaten(1, level=1)
    assert (shaken.lost[ARKH], shaken.morale[ARKH]) == (2, 3)
    assert board.distance("B1607", shaken.at[ARKH]) > 3
    light = beaten(3)
    assert (light.lost[ARKH], light.morale[ARKH]) == (1, 1)
    assert board.distance("B1607", light.at[ARKH]) == 2


@pytest.mark.clause("9.2.3", "9.2.4", "9.1.1", "8.5.2")
def test_a_rout_makes_stack_and_neighbours_check_once() -> None:
    units = {ARKH: "B2908@SW/column", "A-3-Arkh": "B2907@SW/column", "A-G-Arkh": "B2909@SW/column"}
    game_ = field({LN: f"{CENTRE}@E/line", **units}, [9, 9, 0, 0], phase="shoot", morale={ARKH: "shaken"})
    answer(game_, F, "fire", target="B2908", units=[LN])
    choose(game_, A, "hold")
    checks = [s["data"]["unit"] for s in told(game_, "morale_checked")]
    assert checks[0] == ARKH
    assert set(checks[1:]) == {"A-3-Arkh", "A-G-Arkh"}
    assert game_.pos.morale[ARKH] == 3
    assert game_.pos.form[ARKH] == "disorder"
