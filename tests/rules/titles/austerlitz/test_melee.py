"""8.2-8.5, 9, 10 Bayonet, assault, charge, their results, morale and retreats."""

import pytest

from rules.titles.austerlitz.charge import bonus, square_parts
from rules.titles.austerlitz.clash import Clash, attack_parts, defence_parts, flank_support, modifiers, odds, points
from rules.titles.austerlitz.morale import modifiers as morale_modifiers
from rules.titles.austerlitz.retreat import length
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    answer,
    choose,
    field,
    forms,
    game,
    last,
    play,
    position,
    prompt,
    refused,
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


def test_errata_of_the_countercharge_bonus() -> None:
    """Errata 6.2.3: a light countercharger against heavy cavalry fights at +1 less +3."""
    table = game().tables["charge"]["bonus"]
    assert table["light"] - table["heavy"] == -2
