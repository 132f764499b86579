"""6.2, 10.1.1, 8.4.2 Reactions in the middle of a move, a charge, a retreat and a pursuit."""

from typing import Any

import pytest

from rules.core.procedure import Procedure
from rules.titles.austerlitz.reaction import passing
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    last,
    march,
    options,
    play,
    position,
    prompt,
)

LN, LN2, LEG, ARKH, ARKH3 = "F-1-34-Ln", "F-2-34-Ln", "F-2-17-Leg", "A-2-Arkh", "A-3-Arkh"
HUS, GUN, HORSE, COSSACKS = "F-10-Hus", "A-art-a-B", "F-art-c-V", "A-Kisevl-Coss"
BACK = {"B2709", "B2810", "B2909"}   # round the centre, beside nobody at B2808


def skirmish(dice: list[int] | None = None) -> Play:
    """A Russian column comes upon French skirmishers."""
    game = field({ARKH: "B2807@S/column", LEG: f"{CENTRE}@N/skirmish"}, dice or [], side=A,
                 leaders={"A-Markov": "B2806"})
    march(game, A, ARKH, "B2807@S/column", "B2808@S/column")
    return game


@pytest.mark.clause("6.2.2", "6.2", "6.3.3")
def test_skirmishers_fire_or_step_away_when_somebody_comes_in() -> None:
    game = skirmish()
    assert prompt(game, F) == "reaction"
    assert set(options(game, F)) == {f"fire:{LEG}", *(f"move:{LEG}:{h}" for h in BACK), "none"}
    choose(game, F, f"move:{LEG}:B2810")
    assert game.pos.at[LEG] == "B2810"
    assert prompt(game, A) == "movement"


@pytest.mark.clause("6.2.2")
def test_skirmishers_fire_once_and_then_only_move() -> None:
    game = skirmish([0, 0])
    choose(game, F, f"fire:{LEG}")
    assert last(game, "reaction_fire")["result"] == "M-1"
    answer(game, A, "end_move", option="end_move")
    assert prompt(game, A) in ("fire", "melee")   # the column has them in its front
    assert game.pos.act is not None
    assert game.pos.act["reacted"] == [LEG]


@pytest.mark.clause("6.2.2")
def test_skirmishers_with_enemies_all_round_only_fire() -> None:
    ring = {"A-G-Arkh": "B2909@N/column", ARKH3: "B2709@N/column", "A-2-Pskv": "B2810@N/column"}
    game = field({ARKH: "B2807@S/column", LEG: f"{CENTRE}@N/skirmish", **ring}, side=A, leaders={"A-Markov": "B2806"})
    march(game, A, ARKH, "B2807@S/column", "B2808@S/column")
    assert options(game, F) == [f"fire:{LEG}", "none"]


def horse(unit: str, units: dict[str, str], dice: list[int] | None = None) -> Play:
    """A Russian column moves towards French cavalry or guns."""
    return field({ARKH: "B2806@S/column", unit: f"{CENTRE}@{units.pop('stance')}", **units}, dice or [], side=A,
                 leaders={"A-Markov": "B2805"})


@pytest.mark.clause("6.2.3", "6.2.6")
def test_cavalry_goes_back_from_foot_a_hex_for_each_action() -> None:
    game = horse(HUS, {"stance": "N/column"})
    march(game, A, ARKH, "B2806@S/column", "B2807@S/column", "B2808@S/column")
    assert {f"back:{HUS}:B2810", f"charge:{HUS}"} <= set(options(game, F))
    choose(game, F, f"back:{HUS}:B2810")
    assert (game.pos.at[HUS], game.pos.facing[HUS]) == ("B2810", 0)   # it faces as before
    assert prompt(game, F) == "reaction"                               # the second step, two hexes away again
    choose(game, F, f"back:{HUS}:B2811")
    assert game.pos.at[HUS] == "B2811"


@pytest.mark.clause("6.2.6")
def test_nobody_goes_back_beside_an_enemy_nor_into_a_hex_that_is_taken() -> None:
    for other in ({ARKH3: "B2910@S/column"}, {LN: "B2810@N/column"}):
        game = horse(HUS, {"stance": "N/column", **other})
        march(game, A, ARKH, "B2806@S/column", "B2807@S/column")
        assert not [o for o in options(game, F) if o.startswith("back:")], other


@pytest.mark.clause("6.2.3", "8.4.2", "8.4")
def test_a_reaction_charge_ends_the_move_that_set_it_off() -> None:
    game = horse(HUS, {"stance": "NNE/line"}, [0, 5, 9, 9])
    march(game, A, ARKH, "B2806@S/column", "B2807@S/column", "B2808@S/column")
    choose(game, F, f"charge:{HUS}")
    assert last(game, "reaction_charge_tried")["over"] < 1
    assert game.pos.at[HUS] == "B2808"
    assert prompt(game, A) == "charged"
    choose(game, A, "square")
    assert {m["label"]["key"]: m["value"] for m in last(game, "square_tried")["modifiers"]} == {
        "square.charge_started_2_hexes_away": 1, "square.column": -1}
    assert last(game, "melee")["total"] == 9                           # the second step was never made
    assert last(game, "pursuit_tried")["over"] == 3                    # 9 + 1 for light horse - 7: two hexes
    assert game.pos.at[HUS] == last(game, "retreated")["path"][1]      # the hex given up, and the next of the rout
    assert game.pos.lost[ARKH] == 3 + 2                                # a point for each hex
    assert (game.pos.blown[HUS], game.pos.form[HUS]) == (2, "disorder")


@pytest.mark.clause("6.2.3")
def test_cavalry_whose_nerve_fails_is_disordered_and_stays() -> None:
    game = horse(HUS, {"stance": "NNE/line"}, [9])
    march(game, A, ARKH, "B2806@S/column", "B2807@S/column")
    choose(game, F, f"charge:{HUS}")
    assert (game.pos.at[HUS], game.pos.form[HUS]) == (CENTRE, "disorder")
    assert game.pos.act is not None
    assert HUS in game.pos.act["tried"]


@pytest.mark.clause("6.2.3")
def test_the_flank_zone_lets_cavalry_turn() -> None:
    game = field({ARKH: "B2710@N/column", HUS: f"{CENTRE}@N/column"}, side=A, leaders={"A-Markov": "B2810"})
    march(game, A, ARKH, "B2710@N/column", "B2709@N/column")
    assert [o for o in options(game, F) if o.startswith("turn:")] == [f"turn:{HUS}:NE", f"turn:{HUS}:NW"]
    choose(game, F, f"turn:{HUS}:NW")
    assert game.pos.facing[HUS] == 10


@pytest.mark.clause("6.2.3", "8.4.2", "6.3.5")
def test_only_a_charge_is_countercharged_and_that_ends_it() -> None:
    """Errata 6.2.3, 8.4: the countercharger attacks; its light +1 less what the heavy charge brings, +3 halved in
    column."""
    cuirassiers = "A-Leib-Cu"
    game = play([0, 3], "bagration", clear=True, units={cuirassiers: "B2809@N/column", HUS: "B2805@SSE/line"},
                leaders={"A-Voropaitzki": "B2811"}, active="A-3-B", phase="melee")
    assert game.pos.game.units[cuirassiers].cavalry == "heavy"
    answer(game, A, "charge", target="B2805", units=[cuirassiers])
    assert prompt(game, F) == "countercharge"
    choose(game, F, "counter:B2805")
    melee = {m["label"]["key"]: m["value"] for m in last(game, "melee")["modifiers"]}
    assert melee["melee.charge"] == 1 - 2
    assert last(game, "melee")["units"] == [HUS]
    assert last(game, "melee")["loser"] == "attacker"
    assert {game.pos.blown[u] for u in (HUS, cuirassiers) if game.pos.on_map(u)} == {2}


@pytest.mark.clause("6.2.5", "6.2.4")
def test_horse_guns_fire_or_limber_up_once() -> None:
    game = horse(HORSE, {"stance": "NNE/unlimbered"}, [0])
    march(game, A, ARKH, "B2806@S/column", "B2807@S/column", "B2808@S/column")
    assert set(options(game, F)) == {f"fire:{HORSE}", f"limber:{HORSE}:NE", f"limber:{HORSE}:N", "none"}
    choose(game, F, f"limber:{HORSE}:N")
    assert game.pos.form[HORSE] == "limbered"
    # limbered they go back a hex for each action, and check each time
    assert set(options(game, F)) == {f"back:{HORSE}:B2810", "none"}
    game.dice[:] = [9]
    choose(game, F, f"back:{HORSE}:B2810")
    assert last(game, "order_checked")["kept"] is False
    assert game.pos.form[HORSE] == "limbered"                          # guns are never disordered
    assert game.pos.act is not None
    assert game.pos.act["stuck"] == [HORSE]


@pytest.mark.clause("6.2.5")
def test_horse_guns_do_not_limber_up_before_cavalry() -> None:
    game = play(clear=True, units={"A-St-P-Dgn": "B2806@S/column", HORSE: f"{CENTRE}@NNE/unlimbered"},
                leaders={"A-Voropaitzki": "B2805"}, active="A-3-B", phase="move")
    march(game, A, "A-St-P-Dgn", "B2806@S/column", "B2807@S/column")
    assert set(options(game, F)) == {f"fire:{HORSE}", "none"}


@pytest.mark.clause("6.2.6", "A2.3")
def test_cossacks_go_back_from_anybody() -> None:
    game = play(clear=True, scenario="bagration", units={"F-9-Hus": "B2806@S/column", COSSACKS: f"{CENTRE}@N/disorder"},
                leaders={"F-Treilhard": "B2805"}, active="F-T-CR", phase="move")
    march(game, F, "F-9-Hus", "B2806@S/column", "B2807@S/column")
    assert prompt(game, A) == "reaction"
    assert {o.split(":")[0] for o in options(game, A)} == {"back", "none"}   # no charge at troops in order


@pytest.mark.clause("6.2.7")
def test_a_lone_leader_gets_away_as_often_as_he_must() -> None:
    game = field({ARKH: "B2806@S/column", LN: "B2610@N/column"}, side=A,
                 leaders={"A-Markov": "B2805", "F-Suchet": CENTRE})
    march(game, A, ARKH, "B2806@S/column", "B2807@S/column", "B2808@S/column")
    assert set(options(game, F)) == {*(f"leader:F-Suchet:{h}" for h in BACK), "none"}
    choose(game, F, "leader:F-Suchet:B2810")
    assert game.pos.leaders["F-Suchet"] == "B2810"


@pytest.mark.clause("6.2.7", "8.5.5")
def test_a_lone_leader_who_stays_joins_his_troops_when_ridden_down() -> None:
    game = field({ARKH: "B2808@S/column", LN: "B2610@N/column"}, side=A,
                 leaders={"A-Markov": "B2805", "F-Suchet": CENTRE})
    march(game, A, ARKH, "B2808@S/column", "B2809@S/column")
    if prompt(game, F) == "reaction":
        choose(game, F, "none")
    assert game.pos.leaders["F-Suchet"] == "B2610"


def offered(running: Procedure[bool]) -> list[str]:
    """The options of the first question a procedure asks."""
    asked: Any = next(running)
    return [option.id for option in asked.forms[0].options]


@pytest.mark.clause("10.1.1", "6.2")
def test_a_retreat_is_shot_at_and_charged_by_others_than_its_causes() -> None:
    """The cavalry two hexes from where the rout comes may charge it; who caused it may not."""
    pos = position(clear=True, units={ARKH: "B2808@N/disorder", HUS: "B2806@SSE/line"}, morale={ARKH: "rout"},
                    active="F-3-V", phase="shoot", leaders={"F-Suchet": "B2806"})
    assert offered(passing(pos, [ARKH], [], inside=False)) == [f"charge:{HUS}", "none"]
    assert not list(passing(pos, [ARKH], ["B2806"], inside=False))
    foot = position(clear=True, units={ARKH: "B2808@N/disorder", LN: "B2807@SSE/line"}, morale={ARKH: "unsteady"},
                    active="F-3-V", phase="shoot", leaders={"F-Suchet": "B2806"})
    assert offered(passing(foot, [ARKH], [], inside=True)) == [f"fire:{LN}", "none"]
    assert not list(passing(foot, [ARKH], [], inside=False))       # foot fires at who leaves its zone


@pytest.mark.clause("8.4.2", "10.1.1")
def test_pursuers_may_be_charged_and_do_not_countercharge() -> None:
    """8.4.2: the pursuit comes into the zone of fresh Russian horse, two hexes away, which charges it."""
    units = {ARKH: "B2807@N/disorder", HUS: f"{CENTRE}@N/column", "A-Mari-Hus": "B2805@S/column"}
    game = play([], clear=True, units=units, leaders={"F-Treilhard": "B2810", "A-Chaplitz": "B2804"},
                active="F-T-CR", phase="melee")
    game.dice[:] = [9, 9]
    answer(game, F, "charge", target="B2807", units=[HUS])
    choose(game, A, "stand")                                           # 9 + 1 - 4: it runs before the melee
    assert last(game, "pursuit_tried")["over"] == 3
    assert prompt(game, A) == "reaction"
    assert "charge:A-Mari-Hus" in options(game, A)
    game.dice[:] = [0, 0, 9, 9]
    choose(game, A, "charge:A-Mari-Hus")
    assert prompt(game, A) == "ride_along"                             # Chaplitz stands in its second hex
    answer(game, A, "ride_along", lots={"ride_along": ["A-Chaplitz"]})
    assert prompt(game, F) != "countercharge"
    assert last(game, "reaction_charge")["units"] == ["A-Mari-Hus"]


@pytest.mark.clause("8.4.2", "A15.6")
def test_a_charge_that_is_shot_down_has_come_as_far_as_it_came() -> None:
    """The Mamelukes fall to a battery on the first hex of level 5 that the French come to."""
    game = play([5], "pratzen", clear=True, phase="melee", active="F-Cav-IG", leaders={"F-Bessieres": "A2822"},
                units={"F-Mam": "A2820@NE/column", "A-3-Apsh": "A3019@SSW/line", "A-art-a-R4C": "A2918@SSE/unlimbered"})
    assert "level5" not in game.pos.special
    answer(game, F, "charge", target="A3019", units=["F-Mam"])
    choose(game, A, "fire:A-art-a-R4C")
    assert game.pos.at["F-Mam"].startswith("dead:")
    assert game.pos.special["level5"] == game.pos.turn
