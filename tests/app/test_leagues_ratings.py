"""Ratings, balance, bids and results as pure functions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.leagues.pairing.bidding import Bid, settle
from app.leagues.ratings.reliability import Conditions, Reliability
from app.leagues.ratings.skill import Played, Skill, after, balance, expected
from app.leagues.results import ended

SEATS = ("red", "blue")
skills = st.builds(Skill, st.floats(5, 45), st.floats(1, 9))


def test_a_newcomer_has_1000_and_a_first_win_moves_both() -> None:
    assert Skill().shown == 1000
    won, lost = after(Skill(), Skill(), 1.0)
    assert won.mu > 25 > lost.mu
    assert won.sigma == pytest.approx(lost.sigma)
    assert won.sigma < Skill().sigma
    assert won.shown > 1000 > lost.shown


@given(skills, skills, st.sampled_from((1.0, 0.5, 0.0)))
def test_a_win_never_costs_and_sides_do_not_matter(one: Skill, two: Skill, score: float) -> None:
    new_one, new_two = after(one, two, score)
    if score == 1.0:
        assert new_one.mu >= one.mu
        assert new_two.mu <= two.mu
    turned_two, turned_one = after(two, one, 1 - score)
    assert [turned_one.mu, turned_two.mu] == pytest.approx([new_one.mu, new_two.mu])


@given(skills, skills)
def test_what_one_expects_the_other_gives(one: Skill, two: Skill) -> None:
    assert expected(one, two) + expected(two, one) == pytest.approx(1)
    assert (expected(one, two) > 0.5) == (one.mu > two.mu) or one.mu == pytest.approx(two.mu)


def test_balance_is_what_strength_does_not_explain() -> None:
    """The stronger side wins as often as it should: even. The same wins between equals: uneven."""
    strong = [Played("war", 1.0, 0.75)] * 30 + [Played("war", 0.0, 0.75)] * 10
    fair = balance(strong)
    assert (fair.games, fair.won, fair.lost) == (40, 30, 10)
    assert fair.surplus == pytest.approx(0)
    assert not fair.uneven
    level = balance([Played("war", game.score, 0.5) for game in strong])
    assert level.surplus == pytest.approx(0.25)
    assert level.uneven
    assert (balance([]).games, balance([]).uneven) == (0, False)
    assert balance([Played("war", 0.5, 0.5)]).drawn == 1


def test_bids_for_different_sides_cost_nothing() -> None:
    assert settle(SEATS, "red", Bid("blue", 7), Bid("red", 3)) == ("blue", 0)


def test_the_higher_bid_has_the_side_and_gives_what_it_bid() -> None:
    assert settle(SEATS, "red", Bid("blue", 7), Bid("blue", 3)) == ("blue", 7)
    assert settle(SEATS, "red", Bid("blue", 3), Bid("blue", 7)) == ("red", -7)


def test_level_bids_go_by_the_pairing_and_missing_ones_take_what_is_left() -> None:
    assert settle(SEATS, "red", Bid("red", 4), Bid("red", 4)) == ("red", 4)
    assert settle(SEATS, "red", Bid("blue", 4), Bid("blue", 4)) == ("red", -4)
    assert settle(SEATS, "red", Bid("blue", 4), None) == ("blue", 0)
    assert settle(SEATS, "red", None, Bid("red", 9)) == ("blue", 0)
    assert settle(SEATS, "red", None, None) == ("red", 0)


def result(winner: str | None, key: str = "result.last_card", **args: int) -> dict[str, object]:
    return {"winner": winner, "key": key, "args": args}


def test_a_result_counts_for_the_first_of_the_pairing() -> None:
    won = ended(result("blue", red=3, blue=8), SEATS, "blue", 0)
    assert (won.outcome, won.how, won.lead) == ("first", "played", 5)
    assert ended(result(None), SEATS, "red", 0).outcome == "draw"
    assert ended(result("red", "result.resigned"), SEATS, "blue", 0) == ended(
        result("red", "result.resigned"), SEATS, "blue", 3)  # fmt: skip
    assert ended(result("red", "result.time_out"), SEATS, "blue", 0).how == "time_out"
    assert ended(result(None, "result.annulled"), SEATS, "blue", 0).outcome == "void"
    assert ended(result(None, "result.both_lost"), SEATS, "blue", 0).outcome == "none"


@pytest.mark.parametrize(("handicap", "outcome", "lead"), [(4, "first", 1), (5, "draw", 0), (6, "second", -1)])
def test_a_handicap_is_taken_off_the_points(handicap: int, outcome: str, lead: int) -> None:
    end = ended(result("blue", red=3, blue=8), SEATS, "blue", handicap)
    assert (end.outcome, end.lead) == (outcome, lead)


def test_conditions_to_enter() -> None:
    newcomer, solid, late = Reliability(0, 0, 0, 0.0), Reliability(10, 0, 1, 2.0), Reliability(10, 3, 3, 0.1)
    asked = Conditions(least_share=80, most_time_outs=2)
    assert [asked.met_by(one) for one in (newcomer, solid, late)] == [True, True, False]
    assert Conditions(least_share=95).met_by(solid) is False
    assert (newcomer.share, solid.share, late.share) == (None, 90, 70)
