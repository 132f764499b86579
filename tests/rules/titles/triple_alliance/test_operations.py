"""11.6 Operations: stacks that split, drop, collect and go on, and what closes them."""

from collections.abc import Mapping, Sequence

import pytest

from rules.core.record import free_from
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    choose,
    forms,
    last,
    move,
    play,
    reach,
    refused,
    resumed,
    view,
)
from tests.rules.titles.triple_alliance.ground import GAME, WATCH, kind, trail

FOOT = kind(A, "infantry", 3, nation="brazil")
HORSE = kind(A, "cavalry", 3, nation="brazil")
GUARD = kind(A, "cavalry", 2, guard=True, nation="argentina")
PATH = trail("1437", 6)


def game_of(where: Mapping[str, list[str]], dice: Sequence[int] = ()) -> Play:
    """The Allied movement phase with these units on the map, and those that watch."""
    return play({"turn": 3, "phase": "allied_movement", "clear": True,
                 "units": {**WATCH, **{u: h for h, us in where.items() for u in us}}}, dice=dice)


@pytest.mark.clause("11.6", "11.5")
def test_a_stack_drops_parts_that_go_their_own_way_and_goes_on_itself() -> None:
    game = game_of({"1437": [*FOOT, *HORSE]})
    move(game, A, [*FOOT, *HORSE], *PATH[:3])
    move(game, A, HORSE[0], *PATH[2:5])  # a part goes ahead
    move(game, A, [*FOOT, *HORSE[1:]], *PATH[2:4])  # the rest goes on
    move(game, A, FOOT[0], PATH[3], PATH[2])  # and splits again
    move(game, A, HORSE[0], *PATH[4:6])
    move(game, A, [*FOOT[1:], *HORSE[1:]], *PATH[3:5])
    assert [game.pos.at[u] for u in FOOT] == [PATH[2], PATH[4], PATH[4]]
    assert game.pos.at[HORSE[0]] == PATH[5]


@pytest.mark.clause("11.6", "11.2")
def test_a_counter_of_another_hex_ends_the_operation() -> None:
    game = game_of({"1437": [FOOT[0], HORSE[0]], "1335": [FOOT[1]]})
    move(game, A, [FOOT[0], HORSE[0]], *PATH[:2])
    other = trail("1335", 2, without=PATH)
    move(game, A, FOOT[1], *other[:2])
    for unit in (FOOT[0], HORSE[0]):
        assert refused(game, A, "move", units=[unit], path=PATH[1:3]) == ("settled", "11.6")
    assert forms(game, A)["move"]["still"][PATH[1]]["clause"] == "11.6"
    assert {u["left"] for u in view(game, A)[f"space:{PATH[1]}"]["units"]} == {0}
    move(game, A, FOOT[1], *other[1:3])  # the new one goes on


@pytest.mark.clause("11.6")
def test_those_left_at_the_start_belong_to_it_and_may_begin_later_if_they_have_not_moved() -> None:
    game = game_of({"1437": FOOT[:2], "1335": [FOOT[2]]})
    other = trail("1335", 1, without=PATH)
    move(game, A, FOOT[0], *PATH[:2])
    move(game, A, FOOT[1], *PATH[:2])
    move(game, A, FOOT[0], *PATH[1:3])  # still one operation
    move(game, A, FOOT[2], *other)
    game = game_of({"1437": FOOT[:2], "1335": [FOOT[2]]})
    move(game, A, FOOT[0], *PATH[:2])
    move(game, A, FOOT[2], *other)
    move(game, A, FOOT[1], *PATH[:3])  # ruling: it has not moved yet
    assert refused(game, A, "move", units=[FOOT[0]], path=PATH[1:3]) == ("settled", "11.6")


@pytest.mark.clause("3.5", "11.6")
def test_a_stack_collects_units_on_its_way_at_the_pace_of_the_slowest() -> None:
    game = game_of({"1437": HORSE[:2], PATH[1]: [FOOT[0]], PATH[2]: [FOOT[1]]})
    move(game, A, HORSE[:2], *PATH[:2])
    both = [*HORSE[:2], FOOT[0]]
    assert reach(game, A, both)["left"] == min(GAME.units[FOOT[0]].movement, GAME.units[HORSE[0]].movement - 1)
    move(game, A, both, *PATH[1:3])
    move(game, A, [*both, FOOT[1]], *PATH[2:4])
    move(game, A, HORSE[0], *PATH[3:5])  # whoever collected may still go on
    move(game, A, FOOT[0], *PATH[3:5])   # and so may the collected
    assert game.pos.at[FOOT[0]] == PATH[4]


@pytest.mark.clause("3.5", "11.6")
def test_a_unit_met_on_the_way_that_moves_alone_begins_an_operation_of_its_own() -> None:
    game = game_of({"1437": [HORSE[0]], PATH[1]: [FOOT[0]]})
    move(game, A, HORSE[0], *PATH[:2])
    move(game, A, FOOT[0], *PATH[1:3])
    assert refused(game, A, "move", units=[HORSE[0]], path=PATH[1:3]) == ("settled", "11.6")
    assert refused(game, A, "move", units=[HORSE[0], FOOT[0]], path=PATH[1:3])[0] in ("settled", "not_together")


@pytest.mark.clause("11.6")
def test_settled_units_are_never_collected() -> None:
    game = game_of({"1437": [HORSE[0]], PATH[2]: [HORSE[1]]})
    move(game, A, HORSE[0], *PATH[:2])
    move(game, A, HORSE[1], PATH[2], PATH[1])
    assert refused(game, A, "move", units=HORSE[:2], path=PATH[1:3]) == ("settled", "11.6")
    assert HORSE[0] not in [u["id"] for u in forms(game, A)["move"]["stacks"][PATH[1]]]


@pytest.mark.clause("11.6", "5.1")
def test_boxes_and_previews_leave_the_operation_open() -> None:
    game = game_of({"1437": HORSE[:2]})
    move(game, A, HORSE[:2], *PATH[:2])
    boxes = forms(game, A)["boxes"]["boxes"]
    answer(game, A, "boxes", boxes={**boxes, "3": PATH[1]})
    move(game, A, HORSE[:2], *PATH[1:3])
    assert game.pos.box_at(PATH[2], A) == "3"
    assert resumed(game).pos.state() == game.pos.state()


@pytest.mark.clause("3.5")
def test_a_box_goes_with_its_stack_or_stays_or_is_kept_by_a_part() -> None:
    for gone, keep, where in ((HORSE[:3], False, PATH[1]), (HORSE[:1], False, "1437"), (HORSE[:1], True, PATH[1])):
        game = play({"turn": 3, "phase": "allied_movement", "clear": True, "boxes": {A: {"2": "1437"}},
                     "units": {**WATCH, **at("1437", HORSE)}})
        move(game, A, gone, *PATH[:2], keep_box=keep)
        assert game.pos.boxes[A]["2"] == where


@pytest.mark.clause("7.14", "11.6")
def test_guards_roll_before_anything_else_moves() -> None:
    game = game_of({"1437": [GUARD[0]], "1335": [FOOT[0]]}, dice=(4,))
    move(game, A, GUARD[0], *PATH[:2])
    assert "end" not in forms(game, A)
    other = trail("1335", 1, without=PATH)
    assert refused(game, A, "move", units=[FOOT[0]], path=other) == ("guard_dice_first", "7.14")
    assert "1335" not in forms(game, A)["move"]["stacks"]
    move(game, A, GUARD[0], *PATH[1:3])  # its own operation may go on
    choose(game, A, "end_move")
    assert last(game, "guard_attrition")["count"] == 0
    move(game, A, FOOT[0], *other)
    assert refused(game, A, "move", units=[GUARD[0]], path=PATH[2:4]) == ("settled", "11.6")
    game = game_of({"1437": [GUARD[0]]}, dice=(3,))
    move(game, A, GUARD[0], *PATH[:2])
    choose(game, A, "end_move")
    assert game.pos.at[GUARD[0]] == "dead:allied"
    game = game_of({"1437": [GUARD[0], HORSE[0]]}, dice=(3,))
    move(game, A, [GUARD[0], HORSE[0]], *PATH[:2])
    choose(game, A, "end_move")
    assert game.pos.at[GUARD[0]] == PATH[1]  # lost on 0 to 2 only: it had company


@pytest.mark.clause("5.1", "11.2")
def test_moves_are_taken_back_freely_to_the_start_of_the_phase_but_for_the_guards_dice() -> None:
    game = game_of({"1437": [GUARD[0], HORSE[0]], "1335": FOOT[:2]}, dice=(9,))
    move(game, A, FOOT[0], *trail("1335", 1, without=PATH))
    first = game.log[-1].seq
    move(game, A, HORSE[0], *PATH[:2])
    boxes = forms(game, A)["boxes"]["boxes"]
    answer(game, A, "boxes", boxes={**boxes, "1": PATH[1]})
    move(game, A, GUARD[0], *PATH[:2])
    assert free_from(game.log, A, game.asked) == first
    assert free_from(game.log, P, game.asked) is None
    choose(game, A, "end_move")
    assert free_from(game.log, A, game.asked) is None  # dice fell
    assert refused(game, A, "move", units=[HORSE[0]], path=PATH[1:3]) == ("settled", "11.6")  # the operation is over
    move(game, A, FOOT[1], *trail("1335", 1, without=PATH))
    assert free_from(game.log, A, game.asked) == game.log[-1].seq
    choose(game, A, "end")
    assert free_from(game.log, A, game.asked) is None  # handed over
