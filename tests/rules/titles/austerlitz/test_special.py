"""A4.4, A4.5, A2.4, A4.6 Special leaders, the Grand Battery, detachments, brigades, tirailleurs."""

import pytest

from rules.titles.austerlitz.activation import begin_act, members, taking_part
from rules.titles.austerlitz.charge import spared
from rules.titles.austerlitz.clash import Clash, modifiers
from rules.titles.austerlitz.leaders import end_brigade
from rules.titles.austerlitz.nomarker import strays
from rules.titles.austerlitz.rally import rests
from rules.titles.austerlitz.reaction import _charge_option
from rules.titles.austerlitz.reinforcements import on_the_march
from rules.titles.austerlitz.riding import ride, riders
from rules.titles.austerlitz.special import GRAND_BATTERY, brigade_of, initiative_modifier, marker_removed, set_brigade
from rules.titles.austerlitz.stacking import fault
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    forms,
    last,
    lots,
    march,
    options,
    play,
    position,
    prompt,
    told,
)

LN, LN2, ARKH, HUS = "F-1-34-Ln", "F-2-34-Ln", "A-2-Arkh", "F-10-Hus"
GUN_A, GUN_B, GUN_D = "F-art-a-V", "F-art-b-V", "F-art-d-V"
AWAY = {ARKH: "B4012@W/line"}


# -- Napoleon, Murat, Bessières, the staff ---------------------------------------------------------------


@pytest.mark.clause("A4.4.1", "A4.1.1", "4.4")
def test_napoleon_gives_no_initiative_while_he_leads_the_grand_battery() -> None:
    pos = position("langeron", pool=[GRAND_BATTERY])
    assert initiative_modifier(pos, F) == 2
    assert initiative_modifier(pos, A) == 0
    pos.special["battery"] = "F-Napoleon"
    assert initiative_modifier(pos, F) == 0
    pos.special["battery"] = "F-Songis"
    assert initiative_modifier(pos, F) == 2


@pytest.mark.clause("A4.4.1", "8.5.5")
def test_napoleons_fall_ends_the_game() -> None:
    game = field({ARKH: f"{CENTRE}@E/line", LN: "B2908@W/line"}, [8, 0, 9], side=A, phase="shoot",
                 leaders={"F-Napoleon": "B2908", "A-Markov": "B2806"})
    answer(game, A, "fire", target="B2908", units=[ARKH])
    choose(game, F, "hold")
    assert last(game, "leader_hit")["leader"] == "F-Napoleon"
    assert game.pos.result is not None
    assert (game.pos.result["winner"], game.pos.result["clause"]) == (A, "A4.4.1")


@pytest.mark.clause("8.5.5")
def test_a_fallen_leader_is_replaced_by_a_nameless_one() -> None:
    """One die for each leader in the hex, and a 0 hits; the replacement's ratings count."""
    game = field({ARKH: f"{CENTRE}@E/line", LN: "B2908@W/line"}, [8, 5, 0, 2, 0], side=A, phase="shoot",
                 leaders={"F-Suchet": "B2908", "F-Lannes": "B2908", "A-Markov": "B2806"})
    answer(game, A, "fire", target="B2908", units=[ARKH])
    choose(game, F, "hold")
    assert last(game, "leader_hit")["leader"] == "F-Suchet"
    assert last(game, "leader_unhurt")["leader"] == "F-Lannes"
    assert game.pos.post == {"F-Suchet": game.pos.game.replacements[F][2]}
    assert game.pos.rated("F-Suchet").personality == "cautious"


@pytest.mark.clause("8.5.5", "10.1")
def test_leaders_go_back_with_their_troops_or_stay() -> None:
    for follow, where in ((["F-Suchet"], "with"), ([], "stays")):
        game = field({ARKH: f"{CENTRE}@E/line", LN: "B2908@W/line", LN2: "B2908@W/line"}, [7, 5, 9], side=A,
                     phase="shoot", leaders={"F-Suchet": "B2908", "A-Markov": "B2806"}, lost={LN: 4, LN2: 4},
                     morale={LN: "shaken", LN2: "shaken"})
        game.dice[:] = [5, 9, 9, 9, 9]
        answer(game, A, "fire", target="B2908", units=[ARKH])
        choose(game, F, "hold")
        assert prompt(game, F) == "follow"
        assert list(lots(game, F)["follow"]["units"]) == ["F-Suchet"]
        game.dice[:] = [0, 0, 0]
        answer(game, F, "follow", lots={"follow": follow})
        moved = game.pos.at[LN]
        assert game.pos.leaders["F-Suchet"] == (moved if where == "with" else "B2908")
        game.dice[:] = []


@pytest.mark.clause("A4.4.2", "A4.4.3", "A4.4")
def test_murat_and_bessieres_spare_the_check() -> None:
    at = {HUS: f"{CENTRE}@E/line", "F-9-Hus": "B2808@E/line", "F-13-CaC": "B2806@E/line"}
    pos = position(clear=True, units={**at, ARKH: "B2908@W/line"}, leaders={"F-Murat": CENTRE, "F-Bessieres": "B2806"})
    assert [spared(pos, u) for u in at] == [True, True, True]        # with Murat, beside him, with Bessières
    pos.put_leader("F-Bessieres", "B2805")
    assert not spared(pos, "F-13-CaC")                                # beside Bessières is not enough
    parts = {k: v for k, _c, v in modifiers(pos, Clash([HUS], [ARKH], charge=True))}
    assert parts["melee.murat"] == 1
    assert "melee.murat" not in {k for k, _c, _v in modifiers(pos, Clash(["F-9-Hus"], [ARKH], charge=True))}


@pytest.mark.clause("A4.4.4", "A4.4")
def test_the_staff_rides_with_napoleon_until_it_is_sent_away() -> None:
    game = field({LN: f"{CENTRE}@N/column", **AWAY}, leaders={"F-Napoleon": "B2810", "F-Rapp": "B2810",
                                                               "F-Mouton": "B2810"})
    march(game, F, "F-Mouton", "B2810", "B2811")
    march(game, F, "F-Napoleon", "B2810", "B2710")
    assert [game.pos.leaders[x] for x in ("F-Napoleon", "F-Rapp", "F-Mouton")] == ["B2710", "B2710", "B2811"]


# -- the Grand Battery -----------------------------------------------------------------------------------


def battery(dice: list[int], **more: object) -> Play:
    """The Grand Battery's marker is drawn with Napoleon and Songis near three batteries."""
    game = play(dice, "langeron", clear=True, phase="initiative", pool=[GRAND_BATTERY], units={
        GUN_A: f"{CENTRE}@E/unlimbered", GUN_B: "B2807@E/unlimbered", GUN_D: "B2801@E/unlimbered",
        ARKH: "B3207@W/line"}, leaders={"F-Napoleon": "B2808", "F-Songis": "B2808", "F-Suchet": "B2809"}, **more)
    choose(game, F, GRAND_BATTERY)
    return game


@pytest.mark.clause("A4.5.1", "A4.5", "4.5.3")
def test_the_grand_battery_takes_guns_of_any_command_and_keeps_its_leader() -> None:
    game = battery([9, 2])
    assert options(game, F) == ["F-Napoleon", "F-Songis"]
    choose(game, F, "F-Songis")
    assert set(lots(game, F)["take"]["units"]) == {GUN_A, GUN_B}      # two hexes
    assert lots(game, F)["take"]["max"] == 2                          # of five he may have
    answer(game, F, "assign", lots={"take": [GUN_A, GUN_B]})
    choose(game, F, "limited")
    assert game.pos.act is not None
    assert game.pos.act["units"] == [GUN_A, GUN_B]
    assert GUN_A not in members(game.pos, "F-3-V")                     # not with their own leader meanwhile
    answer(game, F, "end_move", option="end_move")
    answer(game, F, "end", option="end_fire")
    assert GRAND_BATTERY in game.pos.pool                              # nobody fired: it stays, and so do they
    assert game.pos.detached["F-Songis"] == [GUN_A, GUN_B]
    assert game.pos.special["battery"] == "F-Songis"


@pytest.mark.clause("A4.5.1")
def test_a_grand_battery_that_fires_loses_its_marker_and_its_guns_at_once() -> None:
    game = battery([9, 2])
    choose(game, F, "F-Napoleon")
    answer(game, F, "assign", lots={"take": [GUN_A]})
    game.dice[:] = [4, 0]
    choose(game, F, "full")
    answer(game, F, "end_move", option="end_move")
    answer(game, F, "fire", target="B3207", units=[GUN_A])
    assert GRAND_BATTERY not in game.pos.pool
    assert "F-Napoleon" not in game.pos.detached
    assert "battery" not in game.pos.special
    assert GUN_A in members(game.pos, "F-3-V")
    assert GUN_A in game.pos.used                                      # but it has been active this turn
    assert last(game, "battery_spent") == {}


@pytest.mark.clause("A4.5.1")
def test_a_grand_battery_that_fails_stops() -> None:
    game = battery([9, 2])
    choose(game, F, "F-Napoleon")
    answer(game, F, "assign", lots={"take": [GUN_A]})
    game.dice[:] = [9]
    choose(game, F, "full")
    assert not told(game, "breakdown")
    assert GUN_A in game.pos.used
    assert GRAND_BATTERY in game.pos.pool


@pytest.mark.clause("A4.5.1")
def test_the_guns_go_back_when_their_leader_falls_or_the_marker_goes() -> None:
    pos = position("langeron", clear=True, units={GUN_A: f"{CENTRE}@E/unlimbered"}, leaders={"F-Songis": CENTRE},
                   pool=[GRAND_BATTERY])
    pos.special["battery"], pos.detached["F-Songis"] = "F-Songis", [GUN_A]
    assert pos.division_of(GUN_A) == "F-Songis"
    marker_removed(pos, GRAND_BATTERY)
    assert pos.division_of(GUN_A) == pos.unit(GUN_A).command
    assert "battery" not in pos.special


# -- detachments -----------------------------------------------------------------------------------------


@pytest.mark.clause("A4.5.2", "A4.5", "7.1")
def test_a_detachment_takes_troops_of_any_command_and_stacks_them() -> None:
    game = play([9, 2], "langeron", clear=True, phase="initiative", pool=["LIM-F-Rapp"], units={
        LN: f"{CENTRE}@N/column", "F-1-61-Ln": "B2807@N/column", HUS: "B2709@N/column", GUN_A: "B2809@N/limbered",
        **AWAY}, leaders={"F-Rapp": "B2808", "F-Napoleon": "B2810"}, fatigue={"F-3-V": 1, "F-1-V": 2, "F-T-CR": 4})
    choose(game, F, "LIM-F-Rapp")
    assert set(lots(game, F)["take"]["units"]) == {LN, "F-1-61-Ln", HUS}   # no guns
    assert lots(game, F)["take"]["max"] == 3
    answer(game, F, "assign", lots={"take": [LN, "F-1-61-Ln"]})
    assert game.pos.fatigue["F-Rapp"] == 2                             # E: the most tired counts
    assert prompt(game, F) == "activation"
    assert game.pos.detached["F-Rapp"] == [LN, "F-1-61-Ln"]


@pytest.mark.clause("A4.5.2")
def test_a_detachment_goes_home_when_its_marker_does() -> None:
    pos = position("langeron", clear=True, units={LN: f"{CENTRE}@N/column", "F-1-61-Ln": "B2807@N/column"}, leaders={
        "F-Rapp": "B2808", "F-Napoleon": "B2810", "F-Suchet": CENTRE}, fatigue={"F-Rapp": 2}, lost={LN: 4},
        detached={"F-Rapp": [LN, "F-1-61-Ln"]})
    assert fault(pos, CENTRE, [LN, "F-1-61-Ln"]) is None               # D
    assert taking_part(pos, "F-3-V") == []                             # C
    marker_removed(pos, "LIM-F-Rapp")                                  # F
    assert pos.leaders["F-Rapp"] == "B2810"
    assert pos.division_of(LN) == "F-3-V"
    assert "F-Rapp" not in pos.fatigue
    assert fault(pos, CENTRE, [LN, "F-1-61-Ln"]) is not None


@pytest.mark.clause("A4.5.2")
def test_a_detachment_tires_to_the_level_of_who_joins_it() -> None:
    """The example of A4.5.2 E: 1 and 2 make 2; somebody at 4 joins, and it is 4."""
    game = play([9, 2], "langeron", clear=True, phase="initiative", pool=["LIM-F-Rapp"], units={
        LN: f"{CENTRE}@N/column", "F-1-61-Ln": "B2807@N/column", HUS: "B2709@N/column", **AWAY},
        leaders={"F-Rapp": "B2808"}, fatigue={"F-3-V": 1, "F-1-V": 2, "F-T-CR": 4, "F-Rapp": 2},
        detached={"F-Rapp": [LN, "F-1-61-Ln"]})
    choose(game, F, "LIM-F-Rapp")
    assert lots(game, F)["take"]["units"] == [HUS]
    answer(game, F, "assign", lots={"take": [HUS]})
    assert game.pos.fatigue["F-Rapp"] == 4
    assert game.pos.tired == ["F-Rapp"]                                # 13.1.1 its marker was drawn


@pytest.mark.clause("A4.5.2", "13.2")
def test_a_detachment_does_not_recover_while_its_marker_is_in_the_pool() -> None:
    pos = position("langeron", clear=True, units={LN: f"{CENTRE}@N/column", **AWAY}, leaders={"F-Rapp": "B2808"},
                   detached={"F-Rapp": [LN]})
    assert rests(pos, "F-Rapp")
    pos.special["pooled"] = ["LIM-F-Rapp"]
    assert not rests(pos, "F-Rapp")


@pytest.mark.clause("A4.5.1", "4.3.3")
def test_napoleon_leads_guns_at_the_range_of_the_grand_battery() -> None:
    """Four hexes, not the twelve of an army's commander."""
    pos = position("langeron", clear=True, units={GUN_A: "B2809@N/limbered", GUN_B: "B2814@N/limbered", **AWAY},
                   leaders={"F-Napoleon": CENTRE}, detached={"F-Napoleon": [GUN_A, GUN_B]})
    assert taking_part(pos, "F-Napoleon") == [GUN_A]
    assert strays(pos, F) == [GUN_B]


@pytest.mark.clause("A4.5.1", "5.4")
def test_who_leads_a_special_command_rides_once_a_turn_all_the_same() -> None:
    pos = position("langeron", clear=True, units={GUN_A: "B2809@N/limbered", **AWAY}, leaders={
        "F-Napoleon": CENTRE, "F-Songis": CENTRE}, detached={"F-Napoleon": [GUN_A]})
    pos.used["F-Napoleon"] = 1
    begin_act(pos, F, "F-Napoleon", "F-Napoleon", "limited", [GUN_A])
    assert riders(pos) == ["F-Songis"]                                 # he rode with a division before
    pos.used.clear()
    ride(pos, "F-Napoleon", [CENTRE, "B2808"])
    assert "F-Napoleon" in riders(pos)                                 # he goes on with what is left
    begin_act(pos, F, "F-3-V", "F-Suchet", "full", [])
    assert "F-Napoleon" not in riders(pos)                             # but with no other activation


# -- brigades --------------------------------------------------------------------------------------------


@pytest.mark.clause("A4.4.5", "4.5.2")
def test_a_brigade_is_detached_at_the_end_of_a_full_activation() -> None:
    game = play([], "langeron", clear=True, units={
        LN: f"{CENTRE}@N/column", LN2: "B2807@N/column", GUN_A: "B2809@N/limbered", **AWAY},
        leaders={"F-Suchet": "B2808"}, active="F-3-V", phase="move", fatigue={"F-3-V": 3})
    answer(game, F, "end_move", option="end_move")
    assert prompt(game, F) == "detach"
    answer(game, F, "detach", lots={"take": [LN, GUN_A]})
    assert prompt(game, F) == "brigade_hex"
    where = forms(game, F)["hex"]["groups"][0]["where"]
    assert {"B2808", "B2813", "B2803"} <= set(where)                   # anywhere within his five hexes
    assert "B2814" not in where
    answer(game, F, "hex", placed={"F-Bde-V": "B2810"})
    assert game.pos.leaders["F-Bde-V"] == "B2810"
    assert game.pos.detached["F-Bde-V"] == [LN, GUN_A]
    assert game.pos.fatigue["F-Bde-V"] == 3                            # errata A4.4.5 C
    assert game.pos.division_of(LN) == "F-Bde-V"
    assert members(game.pos, "F-3-V") == [LN2]
    assert "F-Bde-V" in game.pos.finished                              # it acts from the next turn on


@pytest.mark.clause("A4.4.5", "13.1.1")
def test_a_brigade_takes_more_of_its_command_when_it_acts_and_tires() -> None:
    """The marker of Suchet's division is drawn, and a brigade of his stands far from him."""
    game = play([9, 2], "langeron", clear=True, phase="initiative", pool=["LIM-F-3-V"], units={
        LN: f"{CENTRE}@N/column", LN2: "B2807@N/column", GUN_A: "B2809@N/limbered", HUS: "B2709@N/column", **AWAY},
        leaders={"F-Suchet": "B2801", "F-Bde-V": "B2808"}, detached={"F-Bde-V": [LN]})
    game.pos.special["source"] = {"F-Bde-V": "F-3-V"}
    choose(game, F, "LIM-F-3-V")
    choose(game, F, "limited")
    answer(game, F, "end_move", option="end_move")
    choose(game, F, "try")
    assert game.pos.tired == ["F-3-V", "F-Bde-V"]
    assert set(lots(game, F)["take"]["units"]) == {LN2, GUN_A}         # no horse, nobody of another command
    answer(game, F, "assign", lots={"take": [LN2]})
    assert game.pos.detached["F-Bde-V"] == [LN, LN2]
    assert prompt(game, F) == "activation"


@pytest.mark.clause("A4.4.5")
def test_who_may_detach_brigades() -> None:
    pos = position("langeron")
    assert brigade_of(pos, "F-3-V") == brigade_of(pos, "F-V") == "F-Bde-V"
    assert brigade_of(pos, "F-O") == "F-Bde-O"
    assert brigade_of(pos, "F-T-CR") is None
    assert brigade_of(pos, "F-Inf-IG") is None
    assert brigade_of(pos, "A-2-B") is None


@pytest.mark.clause("A4.4.5")
def test_a_brigade_is_taken_off_at_any_time_and_leaves_its_fatigue() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", LN2: "B2807@N/column"}, fatigue={"F-3-V": 2})
    set_brigade(pos, "F-Bde-V", "F-3-V", [LN2], "B2807")
    assert pos.fatigue["F-Bde-V"] == 2
    pos.fatigue["F-Bde-V"] = 5
    end_brigade(pos, "F-Bde-V")
    assert pos.fatigue == {"F-3-V": 5}
    assert pos.leaders["F-Bde-V"] == "staff:french"
    assert pos.special["recalled"]["F-Bde-V"] == pos.turn              # back from the next turn on


@pytest.mark.clause("A4.4.5", "14.4")
def test_a_brigade_that_came_as_reinforcement_marches_no_more_when_it_ends() -> None:
    pos = position("goldbach", clear=True, units={"F-1-108-Ln": "C1136@NE/column"}, leaders={"F-Bde-III": "C1136"},
                   detached={"F-Bde-III": ["F-1-108-Ln"]}, strategic=["F-Bde-III"])
    pos.special["reinforced"] = ["F-Bde-III"]
    assert on_the_march(pos, F) == ["F-Bde-III"]
    end_brigade(pos, "F-Bde-III")
    assert on_the_march(pos, F) == []
    assert pos.strategic == []


@pytest.mark.clause("A4.4.5")
def test_the_movement_of_any_activation_offers_to_take_a_brigade_off() -> None:
    game = play(clear=True, scenario="goldbach", units={"F-1-3-Ln": "C2520@N/disorder", "F-1-48-Ln": "C1020@N/column",
                                                        "A-G-N-Ing": "D2020@N/column"},
                leaders={"F-Bde-IV": "C2520", "F-Friant": "C1020", "A-Lewis": "D2020"}, active="F-2-III", phase="move",
                detached={"F-Bde-IV": ["F-1-3-Ln"]})
    assert [o["id"] for o in forms(game, F)["recall"]["options"]] == ["F-Bde-IV"]
    answer(game, F, "recall", option="F-Bde-IV")
    assert "F-Bde-IV" not in game.pos.detached
    assert "recall" not in forms(game, F)


@pytest.mark.clause("A4.4.5", "8.5.1")
def test_a_brigade_ends_with_its_last_unit() -> None:
    game = field({ARKH: f"{CENTRE}@E/line", LN: "B2908@SE/disorder", LN2: "B2610@N/column"}, [9], side=A, phase="shoot",
                 leaders={"A-Markov": "B2806", "F-Bde-V": "B2610"}, morale={LN: "rout"}, detached={"F-Bde-V": [LN]})
    answer(game, A, "fire", target="B2908", units=[ARKH])
    assert game.pos.at[LN] == "dead:french"
    assert "F-Bde-V" not in game.pos.detached
    assert game.pos.leaders["F-Bde-V"] == "staff:french"


# -- tirailleurs -----------------------------------------------------------------------------------------


PO = [f"F-Tir-Po-{n}" for n in (1, 2, 3)]


def tirailleurs(**more: object) -> Play:
    return play([], "langeron", clear=True, units={"F-Tir-Po": f"{CENTRE}@N/column", **AWAY},
                leaders={"F-Legrand": "B2808"}, active="F-3-IV", phase="move", **more)


@pytest.mark.clause("A2.4", "6.3")
def test_a_battalion_of_tirailleurs_splits_into_as_many_companies_as_it_has_points() -> None:
    game = tirailleurs(lost={"F-Tir-Po": 1})
    answer(game, F, "companies", option="split:F-Tir-Po")
    assert [u for u in PO if game.pos.on_map(u)] == PO[:2]
    assert game.pos.at["F-Tir-Po"] == "split:french"
    assert {game.pos.form[u] for u in PO[:2]} == {"skirmish"}
    assert game.pos.act is not None
    assert game.pos.act["spent"][PO[0]] == 2 * 1                       # a change of formation
    answer(game, F, "companies", option="join:F-Tir-Po")
    assert game.pos.at["F-Tir-Po"] == CENTRE
    assert game.pos.strength("F-Tir-Po") == 2
    assert not any(game.pos.on_map(u) for u in PO)


@pytest.mark.clause("A2.4", "9.2.4")
def test_a_company_that_routs_stays_in_skirmish_order() -> None:
    game = field({ARKH: f"{CENTRE}@E/line", PO[0]: "B2908@N/skirmish"}, side=A, phase="melee",
                 leaders={"A-Markov": "B2806"})
    game.dice[:] = [0]
    answer(game, A, "bayonet", target="B2908", units=[ARKH])
    choose(game, F, "rout")
    assert game.pos.morale[PO[0]] == 3
    assert game.pos.form[PO[0]] == "skirmish"


@pytest.mark.clause("A2.4", "4.3.3")
def test_companies_act_fully_with_their_marker_wherever_they_are() -> None:
    game = play([9, 2], "langeron", clear=True, phase="initiative", pool=["LIM-F-3-IV"], units={
        PO[0]: f"{CENTRE}@N/skirmish", **AWAY}, leaders={"F-Legrand": "A3020"})
    choose(game, F, "LIM-F-3-IV")
    assert game.pos.act is not None
    assert (game.pos.act["units"], game.pos.act["mode"]) == ([PO[0]], "full")


@pytest.mark.clause("A4.6", "4.3.3")
def test_corps_guns_act_with_any_division_of_their_corps_once_a_turn() -> None:
    pos = position("langeron", clear=True, units={"F-art-d-IV": f"{CENTRE}@N/limbered"}, leaders={
        "F-St-Hilaire": "B2808", "F-Vandamme": "B2810"})
    corps_gun = "F-art-d-IV"
    if pos.unit(corps_gun).command is None:
        assert corps_gun in taking_part(pos, "F-1-IV")
        assert corps_gun in taking_part(pos, "F-2-IV")
    pos.used[corps_gun] = 1
    assert corps_gun not in taking_part(pos, "F-2-IV")


def test_what_a_reaction_charge_wants() -> None:
    """Kept beside A4.4.2: the option is there at two hexes only (A8.1.1)."""
    pos = position(clear=True, units={HUS: f"{CENTRE}@NNE/line", ARKH: "B2807@S/column"}, active="A-2-B", phase="move",
                   leaders={"A-Markov": "B2806"})
    assert [o.id for o in _charge_option(pos, HUS, ARKH)] == [f"charge:{HUS}"]
    pos.put(ARKH, "B2808")
    assert _charge_option(pos, HUS, ARKH) == []
