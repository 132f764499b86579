"""Melee, charges and morale (8.2-9, A8): what a third reading of the rulebook beside the rules found."""

from typing import Any

import pytest

from rules.titles.austerlitz import (
    charge,
    clash,
    independent,
    leaders,
    morale,
    notes,
    odds,
    pursuit,
    reaction,
    received,
    retreat,
    storm,
    volley,
)
from rules.titles.austerlitz.clash import Clash, modifiers
from rules.titles.austerlitz.morale import Trouble, lower, settle
from rules.titles.austerlitz.paths import charge_path
from rules.titles.austerlitz.position import Position
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    drive,
    field,
    last,
    mods,
    play,
    position,
    prompt,
    ride,
    told,
)

LN, LN2, HUS, LEG, CAC = "F-1-34-Ln", "F-2-34-Ln", "F-10-Hus", "F-2-17-Leg", "F-16-CaC"
ARKH, ARKH3, GUNS, DGN, LEIB = "A-2-Arkh", "A-3-Arkh", "A-art-a-B", "A-St-P-Dgn", "A-Leib-Cu"
HIT = "B2908"                            # east of the centre
UNSTEADY, ROUT = 2, 3
AWAY = {ARKH: "B4012@W/line"}


def checked(game: Play) -> list[tuple[str, str]]:
    """Who checked morale, by which clause."""
    return [(s["data"]["unit"], s["clause"]) for s in told(game, "morale_checked")]


def bayonet(units: dict[str, str], dice: list[int], **more: Any) -> Play:
    """A bayonet attack from the centre; nobody fires."""
    game = field({LN: f"{CENTRE}@E/line", **units}, [], phase="melee", **more)
    game.dice[:] = dice
    answer(game, F, "bayonet", target=HIT, units=[u for u in (LN, LN2) if game.pos.at.get(u) == CENTRE])
    return game


# -- 8.2, 8.3 --------------------------------------------------------------------------------------------


@pytest.mark.clause("8.2.1")
def test_a_stack_is_attacked_once_whoever_is_left_of_it() -> None:
    game = bayonet({ARKH: f"{HIT}@SW/disorder", ARKH3: f"{HIT}@SW/disorder", LN2: "B2808@SE/column"},
                   [0, 5, 0], lost={ARKH: 2, ARKH3: 2})
    if prompt(game, F) == "support":
        answer(game, F, "support", lots={})
    choose(game, A, "hold")
    assert game.pos.at[ARKH] != HIT
    assert game.pos.at[ARKH3] == HIT
    assert prompt(game, F) != "melee"                                  # the other battalion attacks nobody


@pytest.mark.clause("8.2.1", "8.4.2")
def test_a_stack_that_was_attacked_may_still_be_charged() -> None:
    pos = position(clear=True, units={HUS: f"{CENTRE}@E/line", ARKH: "B3008@W/line"}, active="F-T-CR", phase="melee",
                   leaders={"F-Treilhard": CENTRE})
    assert pos.act is not None
    pos.act["may_charge"], pos.act["assailed"] = [HUS], [ARKH]
    assert "B3008" in charge.choices(pos)
    pos.act["charged"] = [ARKH]
    assert not charge.choices(pos)


@pytest.mark.clause("8.2.1", "9.1.1")
def test_the_battalion_under_one_that_return_fire_drives_off_goes_on() -> None:
    game = bayonet({LN2: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line"}, [0, 5, 9, 0, 0], lost={LN: 4, LN2: 4})
    choose(game, A, "fire")
    assert game.pos.morale[LN] == UNSTEADY                             # it goes back, the second holds
    assert last(game, "defender_checked")["unit"] == ARKH


@pytest.mark.clause("8.5", "9.2.3")
def test_who_is_unsteady_by_a_result_shakes_those_beside_the_hex_he_leaves() -> None:
    """Errata to 8.5: the levels are lost first, then it retreats for the result, then for its morale."""
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line"})
    beside = next(h for h in pos.game.board.touching(HIT) if h in pos.game.board.touching(CENTRE))
    game = bayonet({ARKH: f"{HIT}@W/line", ARKH3: f"{beside}@N/column"}, [0, 7, 0])
    choose(game, A, "hold")
    assert game.pos.morale[ARKH] == UNSTEADY
    assert checked(game) == [(ARKH3, "9.2.3")]
    assert game.pos.game.board.distance(game.pos.at[ARKH], HIT) == 2


@pytest.mark.clause("8.3.1", "9.2.4")
def test_a_defender_whom_another_takes_along_does_not_fight() -> None:
    game = play([], "bagration", clear=True, units={
        ARKH: "B1606@SSW/line", LN: "B1607@N/disorder", LN2: "B1607@N/disorder"}, lost={LN: 5, LN2: 5},
        leaders={"A-Markov": "B1605"}, active="A-2-B", phase="melee")
    game.dice[:] = [0, 0, 9, 9]
    answer(game, A, "assault", target="B1607", units=[ARKH])
    choose(game, F, "hold")
    assert not told(game, "melee")
    assert game.pos.at[ARKH] == "B1607"


@pytest.mark.clause("8.5.1")
def test_all_under_a_battalion_that_its_check_destroys_check() -> None:
    game = bayonet({ARKH: f"{HIT}@SW/disorder", ARKH3: f"{HIT}@SW/disorder"}, [0, 5, 0, 0], lost={ARKH: 5, ARKH3: 2})
    choose(game, A, "hold")
    assert not game.pos.on_map(ARKH)
    assert checked(game) == [(ARKH3, "8.5.1")]


@pytest.mark.clause("8.2.1", "9.2.4")
def test_guns_are_attacked_when_the_routed_on_top_of_them_are_gone() -> None:
    game = bayonet({ARKH: f"{HIT}@N/disorder", GUNS: f"{HIT}@W/unlimbered"}, [0], morale={ARKH: "rout"})
    if prompt(game, A):
        choose(game, A, "hold")
    assert not game.pos.on_map(ARKH)
    assert not game.pos.on_map(GUNS)


@pytest.mark.clause("6.2.1", "8.2.1")
def test_before_a_melee_skirmishers_step_where_no_enemy_has_them_in_front() -> None:
    """6.2.2 never beside an enemy while he moves; 6.2.1 in the front of none when he attacks."""
    pos = position(clear=True, units={ARKH: f"{CENTRE}@E/line", LEG: f"{HIT}@N/skirmish"}, leaders={
        "A-Markov": "B2709"}, active="A-2-B", phase="melee")
    beside = {h for h in pos.game.board.touching(HIT) if h in pos.game.board.touching(CENTRE)}
    before = set(storm.skirmish_exits(pos, LEG))
    assert not before & beside
    assert set(storm.skirmish_exits(pos, LEG, melee=True)) == (before | beside) - set(pos.arcs(ARKH).front)
    assert beside - set(pos.arcs(ARKH).front)


@pytest.mark.clause("8.3.1", "7.1", "6.4.1")
def test_a_line_that_advances_into_a_village_is_disordered() -> None:
    game = play([0, 0, 7, 0, 0], "bagration", clear=True, units={
        ARKH: "B1606@SSW/line", LN: "B1607@N/column"}, leaders={"A-Markov": "B1605"}, active="A-2-B", phase="melee")
    answer(game, A, "assault", target="B1607", units=[ARKH])
    choose(game, F, "hold")
    choose(game, F, "rout")
    assert (game.pos.at[ARKH], game.pos.form[ARKH]) == ("B1607", "disorder")


@pytest.mark.clause("8.2")
def test_only_who_might_attack_himself_supports(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line", LN2: "B2808@SE/column"}, leaders={
        "F-Suchet": CENTRE}, active="F-3-V", phase="melee")
    assert HIT in pos.arcs(LN2).front
    assert storm.supporters(pos, [LN], ARKH) == [LN2]
    monkeypatch.setattr(pos.game.board, "melee_barred", lambda a, _b: a == "B2808")
    assert storm.supporters(pos, [LN], ARKH) == []


# -- 8.4 -------------------------------------------------------------------------------------------------


def charging(units: dict[str, str], dice: list[int] | None = None, scenario: str = "bagration", **more: Any) -> Play:
    """French hussars charge eastwards from the centre."""
    game = play([], scenario, clear=True, units={HUS: f"{CENTRE}@E/line", **units}, active="F-T-CR", phase="melee",
                leaders={"F-Treilhard": "B2611", **more.pop("leaders", {})}, **more)
    game.dice[:] = dice or []
    return game


@pytest.mark.clause("8.4.2", "6.2.3")
def test_a_charge_from_two_hexes_is_countercharged_before_it_moves() -> None:
    game = charging({DGN: "B3008@W/line"}, [0, 9, 9])
    notes = {n["key"] for n in odds.of_charge(game.pos, [HUS], "B3008")["notes"]}
    assert "note.countercharge" in notes                               # which the panel says beforehand
    answer(game, F, "charge", target="B3008", units=[HUS])
    assert prompt(game, A) == "countercharge"
    choose(game, A, "counter:B3008")
    ride(game, A)
    assert last(game, "melee")["units"] == [DGN]
    assert not told(game, "charged_on")


@pytest.mark.clause("8.4.2", "6.3.6", "8.5.3")
def test_a_column_that_is_countercharged_counts_a_third_and_is_pursued_when_it_runs() -> None:
    game = play([], "bagration", clear=True, units={LEIB: "B2809@N/column", HUS: "B2805@SSE/line"},
                leaders={"A-Voropaitzki": "B2811"}, active="A-3-B", phase="melee")
    game.dice[:] = [0, 4, 0, 0, 9]
    answer(game, A, "charge", target="B2805", units=[LEIB])
    choose(game, F, "counter:B2805")
    assert game.pos.unit(LEIB).strength == 8
    assert mods(last(game, "melee"))["melee.ratio"] == 1              # four against eight thirds, down
    choose(game, A, "rout")                                            # 8.5.3 to end it
    assert told(game, "pursuit_tried")


@pytest.mark.clause("A4.4.2", "8.5", "8.5.5")
def test_murat_counts_for_a_charge_that_is_countercharged_and_only_while_he_lives() -> None:
    pos = position("bagration", clear=True, units={HUS: f"{CENTRE}@E/line", DGN: f"{HIT}@W/line"}, leaders={
        "F-Murat": CENTRE})
    met = Clash([DGN], [HUS], charge=True, bonus=1, chargers=(HUS,))
    assert ("melee.murat", "A4.4.2", -1) in modifiers(pos, met)
    assert charge.spared(pos, HUS)
    assert ("pursuit.stacked_with_murat", "8.4.2", 2) in pursuit.pursuit_parts(pos, HUS)
    pos.post["F-Murat"] = "F-Replacement-1"                            # a nameless one
    assert "melee.murat" not in {key for key, _clause, _n in modifiers(pos, met)}
    assert not charge.spared(pos, HUS)
    assert ("pursuit.other_leader_in_hex", "8.4.2", -2) in pursuit.pursuit_parts(pos, HUS)


@pytest.mark.clause("8.4.2", "8.4")
def test_who_tried_against_another_charge_has_not_tried_against_this_one() -> None:
    pos = position("bagration", clear=True, units={HUS: f"{CENTRE}@E/line", DGN: f"{HIT}@SW/column"}, active="F-T-CR",
                   phase="melee", leaders={"F-Treilhard": CENTRE})
    assert pos.act is not None
    pos.act["tried"] = [DGN]  # by a reaction charge, say
    asked = next(received.stands(pos, [HUS], HIT, 3))
    assert getattr(asked, "why", "").startswith(f"defender_checked {DGN}")


@pytest.mark.clause("8.4.2")
def test_guns_do_not_fire_after_cavalry_that_has_fled() -> None:
    pos = position(clear=True, units={HUS: f"{CENTRE}@E/line", GUNS: f"{HIT}@W/unlimbered"}, active="F-T-CR",
                   phase="melee", leaders={"F-Treilhard": CENTRE})
    pos.morale[HUS] = UNSTEADY
    assert list(received._return(pos, [HUS], HIT)) == []


@pytest.mark.clause("8.4.2", "8.5")
def test_a_pursuit_begins_in_the_hex_that_was_struck() -> None:
    """A unit that retreats for the result and then routs has gone one way."""
    pos = position(clear=True, units={HUS: f"{CENTRE}@E/line", ARKH: "B3008@NE/disorder"}, active="F-T-CR",
                   phase="melee", leaders={"F-Treilhard": CENTRE})
    retreat._note_way(pos, [ARKH], [HIT, "B3008"])
    retreat._note_way(pos, [ARKH], ["B3008", "B3107", "B3207"])
    assert pursuit._way_of(pos, ARKH, [HIT]) == [HIT, "B3008", "B3107", "B3207"]
    assert pursuit._way_of(pos, ARKH, ["B3008"]) == ["B3008", "B3107", "B3207"]


@pytest.mark.clause("8.4.2")
def test_a_pursuit_goes_as_far_as_the_table_says_though_nobody_is_left_to_pursue() -> None:
    game = play([], clear=True, units={ARKH: "B2807@N/disorder", HUS: f"{CENTRE}@N/column"}, active="F-T-CR",
                phase="melee", leaders={"F-Treilhard": "B2811", "A-Markov": "B3005"}, lost={ARKH: 3})
    game.dice[:] = [9, 9]
    answer(game, F, "charge", target="B2807", units=[HUS])
    choose(game, A, "stand")
    assert last(game, "pursuit_tried")["over"] == 3                     # two hexes
    assert not game.pos.on_map(ARKH)                                    # three left, less two, less one
    assert len(told(game, "pursued")) == 2


@pytest.mark.clause("8.1.3", "8.4.2")
def test_the_active_side_does_not_fire_at_a_reaction_charge_nor_at_its_pursuit() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", "A-Mari-Hus": f"{HIT}@SW/disorder"}, active="F-3-V",
                   phase="move", leaders={"F-Suchet": CENTRE})
    assert pos.act is not None
    assert reaction._fire_option(pos, LN, "A-Mari-Hus")
    pos.act["answering"] = ["A-Mari-Hus"]
    assert not reaction._fire_option(pos, LN, "A-Mari-Hus")


@pytest.mark.clause("8.4.5", "13.1.2")
def test_no_regiment_of_a_stack_that_is_attacked_or_goes_back_rests() -> None:
    two = [HUS, "F-22-CaC"]
    pos = position("bagration", clear=True, units={**dict.fromkeys(two, f"{CENTRE}@N/disorder"), ARKH: f"{HIT}@W/line"},
                   blown=dict.fromkeys(two, 2))
    notes.note_melee(pos, ARKH, two)
    assert pos.special["stirred"] == two
    pos.special["stirred"] = []
    drive(retreat.withdraw(pos, [HUS], 2, (HIT,), routed=False))
    assert pos.special["stirred"] == [HUS]


@pytest.mark.clause("8.4.2", "6.5", "6.3.3")
def test_skirmishers_on_two_hexes_form_square_where_the_charge_strikes() -> None:
    pos = position(clear=True, units={LEG: f"{CENTRE}@N/spread", ARKH: "B4012@W/line"})
    behind = pos.tail[LEG]
    running = received._square(pos, [ARKH], [LEG], 3, behind)
    next(running)
    running.send({"form": "charged", "option": "square"})
    with pytest.raises(StopIteration) as done:
        running.send((0,))
    assert done.value.value == received.FORMED
    assert (pos.at[LEG], pos.form[LEG], LEG in pos.tail) == (behind, "square", False)


@pytest.mark.clause("8.4.2", "6.5")
def test_infantry_on_two_hexes_fights_also_when_the_second_is_struck() -> None:
    pos = position("langeron", clear=True, units={"A-6-Kaiser": f"{CENTRE}@N/column", LN: "B2010@N/column"})
    tail = pos.tail["A-6-Kaiser"]
    assert clash.still(pos, ["A-6-Kaiser"], tail) == ["A-6-Kaiser"]
    assert clash.still(pos, ["A-6-Kaiser"], "B2010") == []


def beside_two(form: str, facing: str) -> tuple[Position, str, str]:
    """A French regiment on two hexes, a Russian one two hexes before it, and a battalion that its step brings into its
    front, too."""
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@{facing}/{form}"}, active="A-3-B", phase="melee",
                   leaders={"A-Voropaitzki": "B4012", "F-Milhaud": "B2612"})
    return pos, DGN, ARKH


@pytest.mark.clause("6.5.6")
def test_cavalry_on_two_hexes_that_countercharges_meets_all_in_its_front() -> None:
    pos, one, other = beside_two("line", "NNE")
    board = pos.game.board
    pos.form[one], pos.facing[one] = "column", 6
    pos.form[other], pos.facing[other] = "column", 6
    for hex_ in board.within(CENTRE, 3):
        if pos.holder(hex_) is not None or min(board.distance(hex_, h) for h in pos.footprint(CAC)) != 2:
            continue
        pos.put(one, hex_)
        path = charge_path(pos, CAC, one, one=True)
        if path is None:
            continue
        there, tail, facing = path[-1]
        front = pos.game.ground.arcs(there, tail, "line", facing).front
        spare = [h for h in front if h != hex_ and pos.holder(h) is None and all(
            board.distance(h, own) >= 2 for own in pos.footprint(CAC))]
        if spare:
            pos.put(other, spare[0])
            break
    pos.morale[other] = 0
    running = charge._counter(pos, [CAC], [one], 3)
    asked: Any = next(running)
    assert getattr(asked, "prompt", "") == "prompt.charged"            # the battalion answers, too
    assert asked.args["unit"] == other


@pytest.mark.clause("6.2.3", "6.5")
def test_the_second_hex_of_a_charge_comes_into_zones_too() -> None:
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@N/column", DGN: "B4012@SW/column"}, active="F-M-CR",
                   phase="melee", leaders={"F-Milhaud": "B2612"})
    board, tail = pos.game.board, pos.tail[CAC]
    for hex_ in board.within(tail, 2):
        for facing in range(0, 12, 2):
            if pos.holder(hex_) is not None or min(board.distance(hex_, h) for h in pos.footprint(CAC)) != 2:
                continue
            pos.put(DGN, hex_)
            pos.facing[DGN] = facing
            pos.mark(DGN)
            if CENTRE not in pos.zone(DGN) and tail in pos.zone(DGN) and charge.may_counter(pos, hex_, [CAC]):
                asked: Any = next(charge.countercharged(pos, [CAC], 3))
                assert asked.prompt == "prompt.countercharge"
                return
            pos.put(DGN, "B4012")
    raise AssertionError("nowhere")


# -- 8.5, 9 ----------------------------------------------------------------------------------------------


@pytest.mark.clause("8.5.5")
def test_a_leader_rolls_once_for_a_result_that_costs_two_units_points() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column", **AWAY}, leaders={
        "F-Suchet": CENTRE}, lost={LN: 7, LN2: 4})
    trouble = Trouble(())
    drive(volley.apply(pos, LN, "2", trouble), [5, 0])                 # one die for Suchet, one check
    assert not pos.on_map(LN)
    assert pos.lost[LN2] == 5


@pytest.mark.clause("8.5.5")
def test_each_nameless_leader_takes_one_place() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column"}, leaders={"F-Suchet": CENTRE})
    pos.post["F-Lannes"] = "F-Replacement-1"
    asked: Any = next(leaders._replace(pos, "F-Suchet"))
    assert list(asked.options if hasattr(asked, "options") else asked.of) == ["F-Replacement-2", "F-Replacement-3"]


@pytest.mark.clause("8.5.4", "8.5.2")
def test_a_stack_of_which_somebody_stands_does_not_go() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", LN2: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line"},
                   lost={LN: 4, LN2: 4})
    one, other = Trouble((HIT,)), Trouble((CENTRE,))
    drive(lower(pos, LN, 2, one))
    drive(lower(pos, ARKH, 2, other))
    drive(volley.both_retreat(pos, one, other), [0])                   # the second battalion holds; nobody rolls on
    assert (one.fates, other.fates) == ([(LN, UNSTEADY)], [(ARKH, UNSTEADY)])


@pytest.mark.clause("9.2.3", "9.2.4", "9.1.1")
def test_those_under_check_when_the_top_unit_goes_and_all_when_any_routs() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column", **AWAY})
    assert morale.mates(pos, [LN], UNSTEADY) == [LN2]
    assert morale.mates(pos, [LN2], UNSTEADY) == []
    assert morale.mates(pos, [LN2], ROUT) == [LN]


@pytest.mark.clause("10.1.1")
def test_units_of_a_stack_that_are_unsteady_together_stay_together() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column", ARKH: f"{HIT}@W/line"})
    trouble = Trouble((HIT,))
    for unit in (LN, LN2):
        drive(lower(pos, unit, 2, trouble))
    drive(settle(pos, trouble))                                        # and nobody checks
    assert pos.at[LN] == pos.at[LN2] != CENTRE


@pytest.mark.clause("7.3", "8.1.3", "8.5.1")
def test_who_is_fired_at_as_he_passes_friends_takes_the_loss() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column", **AWAY}, lost={LN: 4})
    drive(volley.apply(pos, LN2, "1", Trouble(())), [0])
    assert (pos.lost.get(LN), pos.lost.get(LN2)) == (4, 1)


@pytest.mark.clause("8.5")
def test_napoleon_counts_in_whichever_hex_of_the_defence_he_is() -> None:
    pos = position("bagration", clear=True, units={LN: f"{CENTRE}@E/line", LN2: "B2808@E/line", DGN: f"{HIT}@W/line"},
                   leaders={"F-Napoleon": "B2808"})
    parts = modifiers(pos, Clash([DGN], [LN, LN2], charge=True))
    assert ("melee.napoleon", "8.5", -2) in parts


@pytest.mark.clause("4.5.2", "8.4.2")
def test_a_reaction_charge_is_over_when_the_division_it_struck_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strip of the combat shows whether it is under way, which hangs on there being an activation."""
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", **AWAY}, active="F-3-V", phase="move", leaders={
        "F-Suchet": CENTRE})
    changed: list[set[str]] = []
    monkeypatch.setattr(pos, "tell", lambda *_args, **_data: changed.append({*pos.touched}))
    for step in (independent.set_aside(pos, "F-3-V"), independent.corps_combat(pos, "F-V", ["F-3-V"])):
        pos.touched.clear()
        drive(step)
    assert ["combat" in names for names in changed] == [True, True]
