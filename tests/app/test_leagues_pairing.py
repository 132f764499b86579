"""Pairings of every system, as properties: nobody twice, sides balanced, everybody somewhere."""

import hashlib
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.leagues.pairing import Pair, apart, arena, berger, divisions, draw, knock_out, ladder, swiss
from app.leagues.pairing.swiss import Player

FIDE_SIX = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]


def flat(pairs: list[Pair]) -> list[int]:
    return [one for pair in pairs for one in pair if one is not None]


def test_the_tables_for_six_are_the_published_ones() -> None:
    made = berger.rounds([1, 2, 3, 4, 5, 6])
    assert [set(one) for one in made] == [set(one) for one in FIDE_SIX]


@given(st.integers(2, 25), st.booleans())
def test_berger_pairs_every_two_once_with_sides_balanced_within_one(n: int, double: bool) -> None:
    made = berger.rounds(list(range(100, 100 + n)), double)
    met = Counter(frozenset(pair) for one in made for pair in one if None not in pair)
    assert len(met) == n * (n - 1) // 2
    assert set(met.values()) == {2 if double else 1}
    for one in made:
        assert sorted(flat(one)) == list(range(100, 100 + n))
    lean: Counter[int] = Counter()
    for one in made:
        for first, second in one:
            if second is not None:
                lean[first] += 1
                lean[second] -= 1
    assert all(abs(value) <= (0 if double else 1) for value in lean.values())
    if double:
        twice = Counter(pair for one in made for pair in one if None not in pair)
        assert set(twice.values()) == {1}, "the second game is with the sides changed"


def test_too_few_meet_nobody() -> None:
    assert berger.rounds([]) == berger.rounds([7]) == []
    assert knock_out.first_round([7]) == []
    assert swiss.pair([Player(7)]) == [(7, None)]


class Field:
    """A Swiss event whose games are won at random; entrants may go."""

    def __init__(self, n: int, seed: int) -> None:
        self.rng = Random(seed)
        self.players = {i: Player(i) for i in range(n)}
        self.here = set(self.players)

    def order(self) -> list[Player]:
        return sorted((self.players[i] for i in self.here), key=lambda player: (-player.score, player.id))

    def play(self, pairs: list[Pair]) -> None:
        for first, second in pairs:
            one = self.players[first]
            if second is None:
                self.players[first] = Player(first, one.score + 2, one.met, one.sides, one.byes + 1)
                continue
            two = self.players[second]
            won = self.rng.choice((0, 1, 2))
            self.players[first] = Player(first, one.score + won, one.met | {second}, (*one.sides, 1), one.byes)
            self.players[second] = Player(second, two.score + 2 - won, two.met | {first}, (*two.sides, -1), two.byes)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 17), st.integers(0, 10_000), st.data())
def test_swiss_pairs_nobody_twice_and_ends_with_odd_fields_withdrawals_and_blocks(
    n: int, seed: int, data: st.DataObject
) -> None:
    field = Field(n, seed)
    blocked = apart(data.draw(st.lists(st.sets(st.integers(0, n - 1), min_size=2, max_size=2), max_size=3)))
    met: set[frozenset[int]] = set()
    for _ in range(min(5, n)):
        pairs = swiss.pair(field.order(), blocked)
        assert sorted(flat(pairs)) == sorted(field.here), "everybody is somewhere, once"
        for pair in pairs:
            if None not in pair:
                both = frozenset(flat([pair]))
                assert both not in met
                assert both not in blocked
                met.add(both)
        field.play(pairs)
        if len(field.here) > 1 and data.draw(st.booleans()):
            field.here.discard(data.draw(st.sampled_from(sorted(field.here))))


@settings(max_examples=15, deadline=None)
@given(st.integers(8, 30), st.integers(0, 10_000))
def test_swiss_keeps_sides_within_two_and_byes_to_one(n: int, seed: int) -> None:
    field = Field(n, seed)
    for _ in range(5):
        pairs = swiss.pair(field.order())
        assert sum(second is None for _, second in pairs) == n % 2
        field.play(pairs)
    assert all(abs(player.lean) <= 2 for player in field.players.values())
    assert all(player.byes <= 1 for player in field.players.values())


def test_the_first_round_of_a_swiss_is_upper_half_against_lower() -> None:
    pairs = swiss.pair([Player(i) for i in range(1, 9)])
    assert {frozenset(flat([pair])) for pair in pairs} == {frozenset((i, i + 4)) for i in range(1, 5)}
    assert [pair[0] < 5 for pair in pairs] == [True, False, True, False], "sides alternate down the boards"


def test_a_swiss_bye_goes_to_the_lowest_who_had_none() -> None:
    players = [Player(1, 4), Player(2, 2), Player(3, 2), Player(4, 0), Player(5, 0, byes=1)]
    assert (4, None) in swiss.pair(players)


def test_equal_scores_meet_before_unequal_ones() -> None:
    players = [Player(1, 4), Player(2, 4), Player(3, 2), Player(4, 2), Player(5, 0), Player(6, 0)]
    assert [frozenset(flat([pair])) for pair in swiss.pair(players)] == [{1, 2}, {3, 4}, {5, 6}]


def test_a_large_swiss_is_paired_quickly() -> None:
    field = Field(90, 1)
    for _ in range(2):
        pairs = swiss.pair(field.order())
        assert len(pairs) == 45
        field.play(pairs)


@given(st.integers(2, 40))
def test_a_bracket_keeps_the_best_two_for_the_final_and_has_byes_for_the_best(n: int) -> None:
    first = knock_out.first_round(list(range(1, n + 1)))
    assert sorted(flat(first)) == list(range(1, n + 1))
    byes = sorted(one for one, two in first if two is None)
    assert byes == list(range(1, len(byes) + 1))
    through: list[int | None] = [min(flat([pair])) for pair in first]
    games = sum(two is not None for _, two in first)
    while len(through) > 1:
        last = knock_out.next_round(through)
        games += sum(pair is not None and pair[1] is not None for pair in last)
        through = [min(flat([pair])) if pair else None for pair in last]
        if len(through) == 1:
            assert set(flat([last[0]])) == {1, 2} if last[0] else False
    assert through == [1]
    assert games == n - 1


def test_a_blocked_pair_is_parted_in_the_first_round() -> None:
    assert {1, 4} in [set(flat([pair])) for pair in knock_out.first_round([1, 2, 3, 4])]
    parted = knock_out.first_round([1, 2, 3, 4], apart([(1, 4)]))
    assert {1, 4} not in [set(flat([pair])) for pair in parted]
    assert sorted(flat(parted)) == [1, 2, 3, 4]


def test_a_board_nobody_came_through_gives_a_bye() -> None:
    assert knock_out.next_round([5, None, None, None]) == [(5, None), None]


def test_the_ladder_moves_the_winner_up_and_those_between_down() -> None:
    order = [1, 2, 3, 4, 5]
    assert ladder.in_reach(order, 5, 3) == [2, 3, 4]
    assert ladder.in_reach(order, 1, 3) == []
    assert ladder.after(order, 5, 2) == [1, 5, 2, 3, 4]
    assert ladder.after(order, 2, 5) == order
    assert ladder.without(order, 3) == [1, 2, 4, 5]


@given(st.permutations(range(8)), st.integers(0, 7), st.integers(0, 7))
def test_the_ladder_loses_nobody(order: list[int], one: int, two: int) -> None:
    if one != two:
        assert sorted(ladder.after(order, one, two)) == sorted(order)


def test_the_arena_pairs_who_waits_longest_and_not_the_last_opponents_again() -> None:
    free = [Player(i) for i in (1, 2, 3)]
    assert [set(pair) for pair in arena.pair(free, {1: 2, 2: 1}, {})] == [{1, 3}]
    assert arena.pair(free[:2], {1: 2, 2: 1}, {}) != []
    assert arena.pair(free[:2], {}, {}, apart([(1, 2)])) == []
    assert [set(p) for p in arena.pair(free, {}, {frozenset((1, 2)): 2})] == [{1, 3}]


def test_the_draw_follows_from_the_seed_alone() -> None:
    names = ["Ana", "Bea", "Eva", "Íñigo"]
    once = draw.drawn("ab" * 16, names)
    assert once == draw.drawn("ab" * 16, reversed(names))
    assert sorted(once) == sorted(names)
    assert {tuple(draw.drawn(str(i), names)) for i in range(40)} > {tuple(once)}
    assert draw.lot("ab", "Ana") == hashlib.sha256(b"ab:Ana").hexdigest()
    assert draw.commitment("ab") == hashlib.sha256(b"ab").hexdigest()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 3), st.data())
def test_divisions_lose_nobody_and_stay_full_from_above(sizes: list[int], moving: int, data: st.DataObject) -> None:
    numbers = iter(range(100))
    tables = [[next(numbers) for _ in range(size)] for size in sizes]
    everybody = [one for table in tables for one in table]
    gone = frozenset(data.draw(st.sets(st.sampled_from(everybody)))) if everybody else frozenset()
    nexts = divisions.next_season(tables, moving, gone)
    assert sorted(one for table in nexts for one in table) == sorted(set(everybody) - gone)
    for tier, table in enumerate(nexts):
        if len(table) < sizes[tier]:
            assert not any(nexts[tier + 1 :])


def test_two_go_up_and_two_down() -> None:
    tables = [[1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16]]
    assert divisions.next_season(tables, 2) == [[1, 2, 3, 4, 11, 12], [5, 6, 13, 14, 15, 16]]
    assert divisions.next_season(tables, 2, frozenset({6})) == [[1, 2, 3, 4, 11, 12], [5, 13, 14, 15, 16]]


@pytest.mark.parametrize("n", [2, 4, 8, 16])
def test_slots_put_one_and_two_in_different_halves(n: int) -> None:
    order = knock_out.slots(n)
    assert sorted(order) == list(range(1, n + 1))
    assert (order.index(1) < n // 2) != (order.index(2) < n // 2)
