"""8.1 Fire: targets, column, return fire, sight; 6.2 reaction fire."""

import pytest

from rules.titles.austerlitz.charge import near
from rules.titles.austerlitz.fire import defence_class, shot, targets
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    answer,
    choose,
    field,
    game,
    last,
    march,
    mods,
    position,
)
from tests.rules.titles.austerlitz.builders import prompt as asked

LN, ARKH, GUN = "F-1-34-Ln", "A-2-Arkh", "F-art-a-V"


@pytest.mark.clause("8.1.8", "6.3.1", "6.3.2")
@pytest.mark.parametrize(("own", "theirs", "letter", "column"), [
    ("E/line", "W/line", "B", 4),         # C, one up in line; an Allied line is class d
    ("NE/column", "W/line", "C", 5),
    ("NE/column", "SW/column", "C", 4),   # class e
    ("NE/column", "SW/disorder", "C", 4),
])
def test_letter_and_column(own: str, theirs: str, letter: str, column: int) -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@{own}", ARKH: f"B2908@{theirs}"})
    made = shot(pos, LN, ARKH)
    assert (made.letter, made.column) == (letter, column)


@pytest.mark.clause("8.1.8", "6.1")
def test_flank_and_rear_shift_left() -> None:
    for facing, shift in (("W", 0), ("SSE", -1), ("E", -2)):
        pos = position(clear=True, units={LN: f"{CENTRE}@NE/column", ARKH: f"B2908@{facing}/line"})
        assert shot(pos, LN, ARKH).column == 5 + shift, facing


@pytest.mark.clause("8.1.8", "11.1.1")
def test_a_broken_unit_fires_a_letter_worse() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@NE/column", ARKH: "B2908@W/line"}, lost={LN: 5})
    assert shot(pos, LN, ARKH).letter == "D"


@pytest.mark.clause("8.1.6", "7.3.1")
def test_guns_by_range() -> None:
    """The example of the range table's key, with an eight-pounder: base to ten hexes, one letter worse from eleven."""
    for row, letter in (("B2908", "B"), ("B3108", "D")):
        pos = position(clear=True, units={GUN: f"{CENTRE}@E/unlimbered", ARKH: f"{row}@W/line"})
        assert shot(pos, GUN, ARKH).letter == letter, row
    row8 = game().tables["artillery_range"]["French"]["8pdr"] if "French" in game().tables["artillery_range"] else (
        game().tables["artillery_range"]["french"]["8pdr"])
    assert row8[9:11] == [0, -1]
    six = game().tables["artillery_range"]["french"]["6pdr"]
    assert six[9] == -1  # a French six-pounder at ten hexes drops from D to E


@pytest.mark.clause("8.1.1")
def test_adjacent_targets_come_first() -> None:
    pos = position(clear=True, units={GUN: f"{CENTRE}@E/unlimbered", ARKH: "B2908@W/line", "A-3-Arkh": "B3009@W/line"})
    assert targets(pos, GUN) == [ARKH]
    far = position(clear=True, units={GUN: f"{CENTRE}@E/unlimbered", ARKH: "B3009@W/line", "A-3-Arkh": "B3208@W/line"})
    assert targets(far, GUN) == [ARKH]


@pytest.mark.clause("8.1.5")
def test_only_over_the_front() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", ARKH: "B2908@W/line"})
    assert targets(pos, LN) == []
    pos = position(clear=True, units={LN: f"{CENTRE}@N/square", ARKH: "B2908@W/line"})
    assert targets(pos, LN) == [ARKH]


@pytest.mark.clause("8.1.8")
@pytest.mark.parametrize(
    ("form", "expected"), [("W/line", "d"), ("SW/column", "e"), ("SW/disorder", "e"), ("N/square", "g")]
)
def test_classes_of_allied_foot(form: str, expected: str) -> None:
    assert defence_class(position(clear=True, units={ARKH: f"B2908@{form}"}), ARKH) == expected


@pytest.mark.clause("8.1", "8.1.2", "8.1.8", "8.5.2")
def test_fire_and_return_fire_are_applied_together() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [9, 9, 9, 3], phase="shoot")
    answer(game_, F, "fire", target="B2908", units=[LN])
    assert asked(game_, A) == "return_fire"
    choose(game_, A, "fire")
    assert last(game_, "fired")["result"] == "2"
    assert last(game_, "returned_fire")["result"] == "1"
    assert game_.pos.lost == {ARKH: 2, LN: 1}
    assert game_.pos.morale[ARKH] == 3 or game_.pos.morale[ARKH] == 2


@pytest.mark.clause("8.1.3", "6.2.1")
def test_foot_fires_at_points_spent_in_its_zone_not_at_the_first_step_in() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", ARKH: "B2807@SSE/line"})
    march(game_, F, LN, f"{CENTRE}@N/column", "B2808@N/column")
    assert asked(game_, F) == "movement"        # the step into the zone sets nothing off
    inside = field({LN: "B2808@N/column", ARKH: "B2807@SSE/line"}, [0])
    march(inside, F, LN, "B2808@N/column", "B2808@NE/column")
    assert asked(inside, A) == "reaction"
    choose(inside, A, f"fire:{ARKH}")
    assert last(inside, "reaction_fire")["result"] == "NE"
    assert inside.pos.facing[LN] == 2


@pytest.mark.clause("6.2.4", "8.1.4", "6.2")
def test_foot_guns_fire_once_when_somebody_enters() -> None:

    game_ = field({LN: f"{CENTRE}@N/column", ARKH: "B2610@W/line", "A-art-a-B": "B2806@SSE/unlimbered"}, [0, 0])
    march(game_, F, LN, f"{CENTRE}@N/column", "B2808@N/column")
    assert asked(game_, A) == "reaction"
    choose(game_, A, "fire:A-art-a-B")
    assert mods(last(game_, "reaction_fire"))["fire.grape"] == 2



@pytest.mark.clause("8.1.7")
def test_sight() -> None:
    sight, board = game().sight, game().board
    assert sight.clear("B2809", "B2908", lambda _h: True)                    # adjacent
    assert sight.clear("B2809", "B2806", lambda _h: False)
    assert not sight.clear("B2809", "B2806", lambda h: h == "B2808")         # a unit on the same level
    wood = next(h for h, t in board.terrain.items() if t == "woods" and h in game().area)
    assert wood in board.blocking


@pytest.mark.clause("A5.1.2")
def test_fog_cuts_sight_beyond_two_hexes() -> None:
    sight = game().sight
    assert sight.clear("B2809", "B2807", lambda _h: False, 8)
    assert not sight.clear("B2809", "B2806", lambda _h: False, 8)


@pytest.mark.clause("A5.1.2", "8.4.1")
def test_nobody_charges_into_the_fog_from_more_than_two_hexes() -> None:
    """Also from above it, where the line enters no more than two hexes of fog."""
    for gap in (3, 2):
        a, b = next((a, b) for a in sorted(game().area) for b in [down_from(a, gap)] if b is not None)
        pos = position(clear=True, units={"F-10-Hus": f"{a}@SSE/line", ARKH: f"{b}@N/column"},
                       fog=game().board.level[b])
        assert near(pos, "F-10-Hus") == ([ARKH] if gap == 2 else [])
        pos.special["fog"] = None
        assert near(pos, "F-10-Hus") == [ARKH]


def down_from(hex_: str, gap: int) -> str | None:
    """The hex so far to the south, if it lies lower and is seen over at most two hexes of a fog on its level."""
    board, there = game().board, hex_
    for _ in range(gap):
        south = board.around[there][3]
        if south is None or board.rows(there, south)[0] != "clear":
            return None
        there = south
    fog = board.level[there]
    open_ = board.level[hex_] > fog and there in game().area and game().sight.clear(hex_, there, lambda _h: False, fog)
    return there if open_ else None


@pytest.mark.clause("9.2.4")
def test_any_result_destroys_a_routed_unit() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@SW/disorder"}, [9], phase="shoot", morale={ARKH: "rout"})
    answer(game_, F, "fire", target="B2908", units=[LN])
    assert game_.pos.at[ARKH] == "dead:allied"
