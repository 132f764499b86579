"""Hex geometry: against vectors that the browser's geometry shares, and against its own laws."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.maps import hexes
from rules.maps.hexes import ALL_ROUND, TO_SIDE, TO_VERTEX, Arcs, Cell, Stagger

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "hex_vectors.json").read_text())

places: st.SearchStrategy[Cell] = st.tuples(st.integers(-50, 150), st.integers(-50, 150))
staggers: st.SearchStrategy[Stagger] = st.sampled_from(["odd", "even"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['hex']}-{v['grid']['lower_columns']}")
def test_vectors(vector: dict[str, Any]) -> None:
    lower = vector["grid"]["lower_columns"]
    told = {vector["hex"], *vector["around"], *vector["ring2"], *vector["distances"], *vector.get("towards", ())}
    at = hexes.cells({"grid": vector["grid"], "hexes": {hex_id: {} for hex_id in told}})
    here = at[vector["hex"]]
    assert here == tuple(vector["cell"])
    assert hexes.around(here, lower) == tuple(at[other] for other in vector["around"])
    assert sorted(hexes.ring(here, 2, lower)) == sorted(at[other] for other in vector["ring2"])
    for other, steps in vector["distances"].items():
        assert hexes.distance(here, at[other], lower) == steps
    for other, sides in vector.get("towards", {}).items():
        assert list(hexes.towards(here, at[other], lower)) == sides


@given(places, places, staggers)
def test_touching_is_one_step_and_mutual(a: Cell, b: Cell, lower: Stagger) -> None:
    for side, other in enumerate(hexes.around(a, lower)):
        assert hexes.distance(a, other, lower) == 1
        assert hexes.step(a, side, lower) == other
        assert hexes.side_to(a, other, lower) == side
        assert hexes.step(other, side + 3, lower) == a
        assert hexes.towards(a, other, lower) == (side,)
    assert (b in hexes.around(a, lower)) == (hexes.distance(a, b, lower) == 1)


@given(places, places, staggers)
def test_some_neighbour_is_always_nearer(a: Cell, b: Cell, lower: Stagger) -> None:
    steps = hexes.distance(a, b, lower)
    assert steps == hexes.distance(b, a, lower)
    if steps:
        assert min(hexes.distance(n, b, lower) for n in hexes.around(a, lower)) == steps - 1
        assert all(hexes.distance(hexes.step(a, s, lower), b, lower) < steps for s in hexes.towards(a, b, lower))


@given(places, st.integers(0, 9), staggers)
def test_within_is_all_rings(cell: Cell, radius: int, lower: Stagger) -> None:
    near = hexes.within(cell, radius, lower)
    assert list(near) == sorted(near)
    assert len(near) == 1 + 3 * radius * (radius + 1)
    assert set(near) == {h for r in range(radius + 1) for h in hexes.ring(cell, r, lower)}


def test_far_hexes_do_not_touch() -> None:
    with pytest.raises(ValueError, match="do not touch"):
        hexes.side_to((4, 4), (6, 4), "odd")


@pytest.mark.parametrize("bad", ["", "123", "12345", "12a4", "١٢٣٤", "A1201"])
def test_bad_ids(bad: str) -> None:
    with pytest.raises(ValueError, match="not a hex id"):
        hexes.labelled(bad, ({},))


def test_a_hex_may_say_where_it_is() -> None:
    data = {"grid": {"lower_columns": "odd"}, "hexes": {"the gate": {"at": [3, 120]}, "0312": {}}}
    assert hexes.cells(data) == {"the gate": (3, 120), "0312": (3, 12)}


def test_two_hexes_in_one_place_are_refused() -> None:
    with pytest.raises(ValueError, match="'0312' and 'ford' in one place"):
        hexes.cells({"grid": {"lower_columns": "odd"}, "hexes": {"0312": {}, "ford": {"at": [3, 12]}}})


# facing


def test_facings_are_sides_and_vertices_in_turn() -> None:
    assert hexes.FACINGS[::2] == hexes.SIDES
    assert hexes.FACINGS[1::2] == hexes.VERTICES
    assert [hexes.first_side(f) for f in ("N", "NNE", "SE", "E", "NW", "NNW")] == [0, 0, 2, 1, 5, 5]
    assert not hexes.faces_vertex("SW")
    assert hexes.faces_vertex("W")


def test_turning() -> None:
    assert hexes.turned("NW", 2) == "N"
    assert hexes.turned("N", -2) == "NW"
    assert hexes.turned("E", 6) == "W"
    assert hexes.turned("NNE", 1) == "NE"
    with pytest.raises(ValueError, match="NORTH"):
        hexes.turned("NORTH", 1)


def around_of(vector: int) -> tuple[Cell, list[Cell], Stagger]:
    v = VECTORS[vector]
    here = hexes.labelled(v["hex"], ({},))
    return here, [hexes.labelled(other, ({},)) for other in v["around"]], v["grid"]["lower_columns"]


@pytest.mark.parametrize("vector", [0, 4])
def test_arcs_to_a_hexside_and_to_a_vertex(vector: int) -> None:
    """One in front, four on the flanks, one behind (6.3.2 of Austerlitz); two, two and two (6.3.1 there)."""
    here, (n, ne, se, s, sw, nw), lower = around_of(vector)
    assert hexes.arcs_around([here], "SE", TO_SIDE, lower) == ((se,), (s, sw, n, ne), (nw,))
    assert hexes.arcs_around([here], "E", TO_VERTEX, lower) == ((ne, se), (s, n), (sw, nw))
    assert hexes.arcs_around([here], "N", ALL_ROUND, lower) == ((n, ne, se, s, sw, nw), (), ())


@given(places, staggers, st.integers(0, 5))
def test_arcs_of_a_line_on_two_hexes(left: Cell, lower: Stagger, v: int) -> None:
    """L and R = n(L, v + 2): three in front, one on each flank, three behind; eight different neighbours in all."""

    def n(cell: Cell, side: int) -> Cell:
        return hexes.step(cell, side, lower)

    right = n(left, v + 2)
    front, flank, rear = hexes.arcs_around([left, right], hexes.VERTICES[v], TO_VERTEX, lower)
    assert front == (n(left, v), n(left, v + 1), n(right, v + 1))
    assert set(flank) == {n(left, v - 1), n(right, v + 2)}
    assert set(rear) == {n(left, v + 3), n(left, v + 4), n(right, v + 3)}
    assert len({*front, *flank, *rear}) == 8


@given(places, staggers, st.integers(0, 5))
def test_arcs_of_a_column_on_two_hexes(fore: Cell, lower: Stagger, s: int) -> None:
    """F and R = n(F, s + 3); in disorder the three sides before it are front, and the foremost arc wins."""

    def n(cell: Cell, side: int) -> Cell:
        return hexes.step(cell, side, lower)

    back = n(fore, s + 3)
    front, flank, rear = hexes.arcs_around([fore, back], hexes.SIDES[s], TO_SIDE, lower)
    assert front == (n(fore, s),)
    assert set(flank) == {*(n(fore, s + i) for i in (1, 2, 4, 5)), n(back, s + 2), n(back, s + 4)}
    assert rear == (n(back, s + 3),)
    disorder = Arcs((5, 0, 1), (), (2, 3, 4))
    front, _, rear = hexes.arcs_around([fore, back], hexes.SIDES[s], disorder, lower)
    assert set(front) == {n(fore, s + i) for i in (0, 1, 5, 2, 4)}
    assert set(rear) == {n(back, s + i) for i in (2, 3, 4)}


# steps of a path


@pytest.mark.parametrize("text", ["B1512", "B1512@NE", "B1512@NNE/line", "track:II", "gate@W"])
def test_a_step_of_a_path_is_read_as_written(text: str) -> None:
    assert str(hexes.stance(text)) == text


def test_a_step_of_a_path_says_facing_and_formation() -> None:
    assert hexes.stance("B1512@NE/column") == ("B1512", "NE", "column")
    assert hexes.stance("B1512") == ("B1512", None, None)


@pytest.mark.parametrize("bad", ["", "@N", "B1512@", "B1512@X", "B1512@N/"])
def test_bad_steps_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="not a step"):
        hexes.stance(bad)
