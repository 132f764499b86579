"""Tables worked by hand: points, each tie-break, crosstable, withdrawals."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.leagues.models import Pairing
from app.leagues.standings import tie_breaks
from app.leagues.standings.results import Meeting, Outcome, without
from app.leagues.standings.table import table
from app.leagues.standings.tie_breaks import NAMES
from app.leagues.standings.withdrawals import annulled
from app.leagues.views import LARGEST_CROSS, cross, halves, quarters

A, B, C, D = 1, 2, 3, 4


def met(first: int, second: int, outcome: Outcome, lead: int | None = None, played: bool = True) -> Meeting:
    return Meeting(first, second, outcome, played=played, lead=lead)


# A beats B, C beats A, B beats C: a ring of three; D loses to A, draws with B, loses to C.
RING = [
    met(A, B, "first", 5), met(C, A, "first", 1), met(B, C, "first", 3),
    met(D, A, "second", -4), met(D, B, "draw"), met(C, D, "first", 2),
]  # fmt: skip


def test_points_and_counts() -> None:
    rows = {row.entrant: row for row in table([A, B, C, D], RING, ())}
    assert {one: row.points for one, row in rows.items()} == {A: 4, B: 3, C: 4, D: 1}
    assert (rows[B].played, rows[B].won, rows[B].drawn, rows[B].lost) == (3, 1, 1, 1)
    assert [row.rank for row in table([A, B, C, D], RING, ())] == [1, 1, 3, 4]


def test_three_points_for_a_win() -> None:
    rows = {row.entrant: row.points for row in table([A, B, C, D], RING, (), "three")}
    assert rows == {A: 12, B: 8, C: 12, D: 2}


def test_direct_encounter_parts_two() -> None:
    order = table([A, B, C, D], RING, ("direct",))
    assert [row.entrant for row in order] == [C, A, B, D]
    assert [row.rank for row in order] == [1, 2, 3, 4]


def test_direct_encounter_says_nothing_until_all_have_met() -> None:
    rows = table([A, B, C], [met(A, B, "first"), met(C, 9, "first")], ("direct",))
    assert [(row.entrant, row.rank, row.breaks["direct"]) for row in rows[:2]] == [(A, 1, 0), (C, 1, 0)]


def test_buchholz_and_its_cut() -> None:
    rows = {row.entrant: row.breaks for row in table([A, B, C, D], RING, ("buchholz", "buchholz_cut"))}
    assert {one: row["buchholz"] for one, row in rows.items()} == {A: 3 + 4 + 1, B: 4 + 4 + 1, C: 4 + 3 + 1, D: 11}
    assert rows[A]["buchholz_cut"] == 3 + 4


def test_what_was_not_played_counts_the_own_points_for_buchholz() -> None:
    meetings = [met(A, B, "first"), Meeting(A, None, "bye"), met(A, C, "first", played=False)]
    (row,) = [row for row in table([A, B, C], meetings, ("buchholz", "wins")) if row.entrant == A]
    assert (row.points, row.breaks["buchholz"], row.breaks["wins"]) == (6, 0 + 6 + 6, 1)


def test_sonneborn_berger() -> None:
    """A beat B (3) and D (1): twice 4; B beat C (4) and drew with D (1): twice 4 and 1."""
    rows = {row.entrant: row.breaks["sonneborn"] for row in table([A, B, C, D], RING, ("sonneborn",))}
    assert rows == {A: 2 * 3 + 2 * 1, B: 2 * 4 + 1, C: 2 * 4 + 2 * 1, D: 3}


def test_the_points_margin_of_the_title() -> None:
    rows = {row.entrant: row.breaks["margin"] for row in table([A, B, C, D], RING, ("margin",))}
    assert rows == {A: 5 - 1 + 4, B: -5 + 3, C: 1 - 3 + 2, D: -4 - 2}


def test_both_may_lose_and_an_annulled_game_counts_for_nobody() -> None:
    meetings = [met(A, B, "none"), met(C, D, "void")]
    rows = {row.entrant: (row.points, row.played, row.lost) for row in table([A, B, C, D], meetings, ())}
    assert rows == {A: (0, 1, 1), B: (0, 1, 1), C: (0, 0, 0), D: (0, 0, 0)}


def test_the_crosstable_holds_both_games_of_a_pair() -> None:
    again = Pairing(id=9, round=4, first_id=B, second_id=A, state="done", outcome="draw")
    first = Pairing(id=8, round=1, first_id=A, second_id=B, state="done", outcome="first")
    on = Pairing(id=7, round=2, first_id=B, second_id=A, state="playing")
    free = Pairing(id=6, round=3, first_id=A, second_id=None, state="done", outcome="bye")
    made = cross([A, B], [again, on, first, free])
    rows = [[[(cell.mark, cell.pairing) for cell in cells] for cells in row] for row in made]
    assert rows == [[[], [("win", 8), ("draw", 9), ("on", 7)]], [[("loss", 8), ("draw", 9), ("on", 7)], []]]


def test_a_table_of_five_hundred_is_made_at_once_and_has_no_crosstable() -> None:
    """Nobody's meetings are looked for among everybody's."""
    order = list(range(LARGEST_CROSS + 1))
    assert cross(order, []) == []
    assert len(cross(order[1:], [])) == LARGEST_CROSS
    many = [met(n, (n + 2 * r + 1) % 500, "first") for r in range(9) for n in range(0, 500, 2)]
    looked: list[int] = []
    real = tie_breaks.of

    def counted(who: int, mine: Sequence[Meeting]) -> list[Meeting]:
        looked.append(len(mine))
        return real(who, mine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tie_breaks, "of", counted)
        assert len(table(list(range(500)), many, NAMES)) == 500
    assert max(looked) == 9


def test_whose_results_are_annulled() -> None:
    assert annulled([A, B], {A: 3, B: 2}, 6, "forfeit") == frozenset()
    assert annulled([A, B], {A: 3, B: 2}, 6, "annul") == {A, B}
    assert annulled([A, B], {A: 3, B: 2}, 6, "half") == {B}
    assert without(RING, frozenset({A})) == [RING[2], RING[4], RING[5]]


OUTCOMES: tuple[Outcome, ...] = ("first", "second", "draw", "none", "void")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(OUTCOMES)), max_size=25))
def test_ranks_go_by_points_and_every_tie_break_in_turn(games: list[tuple[int, int, Outcome]]) -> None:
    meetings = [met(one, two, outcome) for one, two, outcome in games if one != two]
    rows = table(range(6), meetings, NAMES)
    assert sorted(row.entrant for row in rows) == list(range(6))
    keys = [(row.points, *(row.breaks[name] for name in NAMES)) for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert [row.rank for row in rows] == [1 + keys.index(key) for key in keys]
    decided = [one for one in meetings if one.outcome not in ("none", "void")]
    assert sum(row.points for row in rows) == 2 * len(decided)


def test_points_and_quarters_are_written_alike_in_every_language() -> None:
    assert [halves(n) for n in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]
    assert [quarters(n) for n in (0, 1, 2, 3, 5, 8)] == ["0", "¼", "½", "¾", "1¼", "2"]
