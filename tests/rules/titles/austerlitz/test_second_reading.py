"""Where two rules meet (6.2, 8.4, 9.2, 10.1, 12, 14): what a second reading of the rulebook beside the rules found."""

import pytest

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz import TITLE, reaction, reinforcements
from tests.rules import building
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    last,
    play,
    position,
    prompt,
    ride,
    told,
)

LN, LN2, ARKH, HUS, LEG, GUNS = "F-1-34-Ln", "F-2-34-Ln", "A-2-Arkh", "F-10-Hus", "F-1-17-Leg", "A-art-a-B"
FAR = {ARKH: "B4012@SSW/line"}
RING = ("F-2-34-Ln", "F-1-40-Ln", "F-2-40-Ln", "F-1-64-Ln", "F-2-64-Ln", "F-1-88-Ln")


@pytest.mark.clause("12.2")
def test_a_routed_battalion_that_rallies_turns_where_its_player_likes() -> None:
    game = play([0], clear=True, units={LN: f"{CENTRE}@NE/disorder", **FAR}, morale={LN: "rout"}, phase="rally",
                pool=[])
    answer(game, F, "rally", lots={"rally": [LN]})
    assert prompt(game, F) == "rallied"
    choose(game, F, "S")
    assert (game.pos.facing[LN], game.pos.form[LN], game.pos.morale[LN]) == (FACINGS.index("S"), "disorder", 2)


@pytest.mark.clause("12.2", "6.5.2")
def test_a_regiment_on_two_hexes_rallies_one_way_or_the_other() -> None:
    game = play([0], "bagration", clear=True, units={"A-Leib-Cu": f"{CENTRE}@N/disorder", LN: "B4012@N/column"},
                morale={"A-Leib-Cu": "rout"}, phase="rally", pool=[])
    before = game.pos.at["A-Leib-Cu"], game.pos.tail["A-Leib-Cu"]
    answer(game, A, "rally", lots={"rally": ["A-Leib-Cu"]})
    choose(game, A, "S")
    assert (game.pos.tail["A-Leib-Cu"], game.pos.at["A-Leib-Cu"]) == before


@pytest.mark.clause("12.4", "10.1.2")
def test_who_routs_on_through_friends_shakes_them() -> None:
    around = position().game.board.touching(CENTRE)
    ring = {unit: f"{hex_}@N/column" for unit, hex_ in zip(RING, around, strict=True)}
    game = play([0], clear=True, units={LN: f"{CENTRE}@NE/disorder", **ring, **FAR}, morale={LN: "rout"},
                phase="rout_losses", pool=[])
    checked = last(game, "morale_checked")
    assert checked["unit"] in RING
    assert game.pos.at[LN] not in (CENTRE, *around)


@pytest.mark.clause("9.2.4", "10.1.1", "6.4.2")
def test_those_of_a_stack_that_rout_do_so_together() -> None:
    game = field({LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column", **FAR})
    answer(game, F, "rout", lots={"rout": [LN, LN2]})
    assert last(game, "retreated")["units"] == [LN, LN2]
    assert game.pos.at[LN] == game.pos.at[LN2]


@pytest.mark.clause("8.4.2", "8.4.5")
def test_who_is_thrown_out_of_its_charge_has_charged_all_the_same() -> None:
    """Guns shoot it to pieces on the way: it is unsteady, disordered and blown, and does not recover this turn."""
    game = play([9, 9], clear=True, active="F-T-CR", phase="melee", units={
        HUS: f"{CENTRE}@N/column", ARKH: "B2806@S/column", GUNS: "B2906@SSW/unlimbered"},
        leaders={"F-Treilhard": "B2811", "A-Markov": "B2804"}, morale={HUS: "shaken"})
    answer(game, F, "charge", target="B2806", units=[HUS])
    ride(game, F, CENTRE, "B2808", "B2807")
    choose(game, A, f"fire:{GUNS}")
    assert game.pos.morale[HUS] >= 2
    assert game.pos.blown[HUS] == 2
    assert HUS in game.pos.special["stirred"]


@pytest.mark.clause("8.4.2")
def test_limbered_guns_go_with_the_foot_that_a_charge_drives_off() -> None:
    game = play([9, 0, 0], clear=True, active="F-T-CR", phase="melee", units={
        HUS: f"{CENTRE}@N/column", ARKH: "B2806@N/column", GUNS: "B2806@N/limbered"},
        leaders={"F-Treilhard": "B2811", "A-Markov": "B2804"})
    answer(game, F, "charge", target="B2806", units=[HUS])
    ride(game, F)
    choose(game, A, "stand")
    assert game.pos.on_map(GUNS)
    assert game.pos.at[GUNS] != "B2806"


@pytest.mark.clause("6.2.2")
def test_skirmishers_never_react_over_the_side_of_their_return_fire() -> None:
    pos = position(clear=True, units={ARKH: "B2908@W/line", LEG: f"{CENTRE}@N/skirmish"}, leaders={"A-Markov": "B2907"},
                   active="A-2-B", phase="move")
    assert pos.act is not None
    assert reaction._fire_option(pos, LEG, ARKH)
    pos.act["sides"][LEG] = ["B2908"]
    assert not reaction._fire_option(pos, LEG, ARKH)


@pytest.mark.clause("8.4.5", "12.3")
@pytest.mark.parametrize(("stirred", "level"), [([], 1), ([HUS], 2)])
def test_cavalry_that_kept_still_recovers_though_its_division_was_never_active(stirred: list[str], level: int) -> None:
    start = position(clear=True, units={HUS: f"{CENTRE}@NE/disorder", **FAR}, blown={HUS: 2}, phase="recovery", pool=[])
    start.special["stirred"] = stirred
    game = building.begin(Play, TITLE, start)
    assert game.pos.blown[HUS] == level
    assert [step["data"]["unit"] for step in told(game, "recovered")] == ([] if stirred else [HUS])


@pytest.mark.clause("14.1", "14.3", "A5.1.1")
def test_points_to_come_in_with() -> None:
    pos = position("langeron", clear=True, units={ARKH: "B2812@S/column"})
    unit = "F-1-48-Ln"
    full = 2 * pos.unit(unit).movement
    hex_ = "B2820"
    board = pos.game.board
    assert not board.roads(hex_)
    pos.special["fog"] = None
    assert reinforcements._most(pos, unit, hex_) == 2 * full          # strategic
    assert reinforcements._most(pos, unit, "B2815") == full           # enemies within three hexes
    pos.special["fog"] = board.level[hex_]
    assert reinforcements._most(pos, unit, hex_) == full              # strategic, in fog, off the roads
