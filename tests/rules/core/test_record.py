"""The record: what of it a seat may take back without asking."""

from typing import Any

from rules.core.record import Entry, free_from, steps_back
from tests.rules.core.toy import LEFT, RIGHT, played

START = Entry(1, "start")


def line(*marks: str) -> list[Entry]:
    """`L` and `R` answers, `l` and `r` forced ones, `*` a roll, `!` a reveal, `.` a hand-over, `t` a take-back."""
    out = [START]
    for mark in marks:
        more: dict[str, Any] = {"forced": mark[0].islower(), "reveals": "!" in mark, "commits": "." in mark}
        kind, seat = ("answer", LEFT if mark[0] in "Ll" else RIGHT)
        if mark[0] in "*t":
            kind, seat, more = ("roll" if mark[0] == "*" else "take_back"), "", {}
        out.append(Entry(len(out) + 1, kind, seat or None, **more))
    return out


def test_back_along_the_own_entries_to_the_start() -> None:
    assert free_from(line("L", "L", "L"), LEFT, (LEFT,)) == 2
    assert free_from(line(), LEFT, (LEFT,)) is None
    assert free_from([], LEFT, (LEFT,)) is None


def test_only_while_the_game_waits_for_the_seat() -> None:
    assert free_from(line("L", "L"), LEFT, (RIGHT,)) is None
    assert free_from(line("L", "L"), RIGHT, (RIGHT,)) is None
    assert free_from(line("L", "L"), LEFT, ()) is None


def test_a_roll_a_reveal_a_hand_over_and_the_others_answer_stop_it() -> None:
    assert free_from(line("L", "*", "L"), LEFT, (LEFT,)) == 4
    assert free_from(line("L", "*"), LEFT, (LEFT,)) is None
    assert free_from(line("L", "L!", "L"), LEFT, (LEFT,)) == 4
    assert free_from(line("L", "L.", "L"), LEFT, (LEFT,)) == 4
    assert free_from(line("L", "R", "L"), LEFT, (LEFT,)) == 4
    assert free_from(line("L", "R"), LEFT, (LEFT,)) is None


def test_forced_answers_on_public_grounds_are_passed_over_but_nothing_starts_at_one() -> None:
    assert free_from(line("L", "l", "L"), LEFT, (LEFT,)) == 2
    assert free_from(line("L", "r", "L"), LEFT, (LEFT,)) == 2
    assert free_from(line("L", "l", "r"), LEFT, (LEFT,)) == 2
    assert free_from(line("*", "l", "L"), LEFT, (LEFT,)) == 4
    assert free_from(line("*", "l"), LEFT, (LEFT,)) is None
    assert free_from(line("L", "l!", "L"), LEFT, (LEFT,)) == 4


def test_entries_that_are_no_play_are_passed_over() -> None:
    assert free_from(line("L", "t", "L", "t"), LEFT, (LEFT,)) == 2


def test_the_places_to_go_back_to_are_the_own_unforced_answers_newest_first() -> None:
    entries = line("L", "*", "L", "l", "r", "L")
    assert steps_back(entries, LEFT, free_from(entries, LEFT, (LEFT,))) == [7, 4]
    assert steps_back(entries, LEFT, None) == []


def test_in_a_game_it_goes_to_the_start_of_the_own_turn_and_not_past_a_hand_over_or_dice() -> None:
    game, log, _ = played(2)
    assert free_from(log, LEFT, game.asked) == 2
    game, log, _ = played(3)
    assert free_from(log, LEFT, game.asked) is None  # asked again, for a bid; but dice have fallen
    game, log, _ = played(8)
    assert free_from(log, RIGHT, game.asked) == log[-1].seq
    assert free_from(log, LEFT, game.asked) is None
