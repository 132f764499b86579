"""Cheapest paths and connection over small graphs worked out by hand, and against brute force."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from rules.maps.paths import Prices, connected, led, reach, steps_to, unjoined

LINKS = {"a": ("b", "c"), "b": ("a", "d"), "c": ("a", "d"), "d": ("b", "c", "e"), "e": ("d",)}


def test_cost_and_way() -> None:
    price = {("a", "b"): 1, ("b", "d"): 3, ("a", "c"): 2, ("c", "d"): 1, ("d", "e"): 2}
    found = reach(Prices(LINKS, lambda x, y: price.get((x, y))), "a", 4)
    assert found.cost == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert found.path("d") == ["a", "c", "d"]
    assert found.path("a") == ["a"]


def test_equal_ways_go_by_the_lower_id() -> None:
    assert reach(Prices(LINKS, lambda _x, _y: 1), "a", 9).path("e") == ["a", "b", "d", "e"]


def test_free_steps_reach_on_an_empty_budget() -> None:
    found = reach(Prices(LINKS, lambda x, y: 0 if {x, y} <= {"a", "b", "d"} else 1), "a", 0)
    assert found.cost == {"a": 0, "b": 0, "d": 0}


def test_closed_spaces_are_never_entered_but_may_be_left() -> None:
    prices = Prices(LINKS, lambda _x, _y: 1)
    assert reach(prices, "a", 9, {"b"}).path("e") == ["a", "c", "d", "e"]
    assert reach(prices, "a", 9, {"b", "c"}).cost == {"a": 0}
    assert reach(prices, "d", 1, {"d"}).cost == {"d": 0, "b": 1, "c": 1, "e": 1}


def test_a_free_way_counts_before_a_higher_id_at_the_same_cost() -> None:
    links = {"s": ("b", "d"), "b": ("a", "s"), "d": ("x", "s"), "a": ("x", "b"), "x": ()}
    free = {("s", "b"), ("s", "d"), ("b", "a")}
    assert reach(Prices(links, lambda x, y: 0 if (x, y) in free else 1), "s", 1).via["x"] == "a"


def test_barred_steps_have_a_direction() -> None:
    assert set(reach(Prices(LINKS, lambda _x, y: None if y == "a" else 1), "d", 9).cost) == {"b", "c", "d", "e"}


@given(st.dictionaries(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), st.integers(0, 4)))
def test_as_cheap_as_brute_force(price: dict[tuple[str, str], int]) -> None:
    everywhere = {x: tuple("abcde") for x in "abcde"}
    best = {x: 0 if x == "a" else 99 for x in "abcde"}
    for _ in best:
        for (x, y), p in price.items():
            best[y] = min(best[y], best[x] + p)
    found = reach(Prices(everywhere, lambda x, y: price.get((x, y))), "a", 9)
    assert found.cost == {x: cost for x, cost in best.items() if cost <= 9}
    for to in found.cost:
        way = found.path(to)
        assert sum(price[step] for step in itertools.pairwise(way)) == found.cost[to]


def test_connected_stops_at_closed_spaces() -> None:
    assert connected(LINKS, ["a"], {"b", "c"}) == {"a"}
    assert connected(LINKS, ["a"], {"b"}) == {"a", "c", "d", "e"}
    assert connected(LINKS, ["a", "e"], {"a", "d"}) == {"e"}
    assert connected(LINKS, [], set()) == set()


@given(
    st.sets(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"))),
    st.sets(st.sampled_from("abcdefg")),
    st.sets(st.sampled_from("abcdefg")),
)
def test_who_is_not_joined(pairs: set[tuple[str, str]], closed: set[str], wanted: set[str]) -> None:
    links = {x: tuple(y for y in "abcdefg" if (x, y) in pairs or (y, x) in pairs) for x in "abcdefg"}
    joined = connected(links, ["a", "b"], closed)
    assert unjoined(links, ["a", "b"], closed, wanted) == wanted - joined
    home = connected(links, ["a"], closed)
    found = led(steps_to("a", links, ()), "a", wanted, closed)
    assert found <= home
    assert closed or found >= wanted & home
