"""Cheapest paths and connection over small graphs worked out by hand, and against brute force."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from rules.maps.paths import connected, reach

LINKS = {"a": ("b", "c"), "b": ("a", "d"), "c": ("a", "d"), "d": ("b", "c", "e"), "e": ("d",)}


def test_cost_and_way() -> None:
    price = {("a", "b"): 1, ("b", "d"): 3, ("a", "c"): 2, ("c", "d"): 1, ("d", "e"): 2}
    found = reach(LINKS, "a", 4, lambda x, y: price.get((x, y)))
    assert found.cost == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert found.path("d") == ["a", "c", "d"]
    assert found.path("a") == ["a"]


def test_equal_ways_go_by_the_lower_id() -> None:
    assert reach(LINKS, "a", 9, lambda _x, _y: 1).path("e") == ["a", "b", "d", "e"]


def test_free_steps_reach_on_an_empty_budget() -> None:
    found = reach(LINKS, "a", 0, lambda x, y: 0 if {x, y} <= {"a", "b", "d"} else 1)
    assert found.cost == {"a": 0, "b": 0, "d": 0}


def test_barred_steps_have_a_direction() -> None:
    assert set(reach(LINKS, "d", 9, lambda _x, y: None if y == "a" else 1).cost) == {"b", "c", "d", "e"}


@given(st.dictionaries(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), st.integers(0, 4)))
def test_as_cheap_as_brute_force(price: dict[tuple[str, str], int]) -> None:
    everywhere = {x: tuple("abcde") for x in "abcde"}
    best = {x: 0 if x == "a" else 99 for x in "abcde"}
    for _ in best:
        for (x, y), p in price.items():
            best[y] = min(best[y], best[x] + p)
    found = reach(everywhere, "a", 9, lambda x, y: price.get((x, y)))
    assert found.cost == {x: cost for x, cost in best.items() if cost <= 9}
    for to in found.cost:
        way = found.path(to)
        assert sum(price[step] for step in itertools.pairwise(way)) == found.cost[to]


def test_connected_stops_at_closed_spaces() -> None:
    assert connected(LINKS, ["a"], {"b", "c"}) == {"a"}
    assert connected(LINKS, ["a"], {"b"}) == {"a", "c", "d", "e"}
    assert connected(LINKS, ["a", "e"], {"a", "d"}) == {"e"}
    assert connected(LINKS, [], set()) == set()
