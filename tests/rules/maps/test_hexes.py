"""Hex geometry: against vectors that the browser's geometry shares, and against its own laws."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.maps import hexes
from rules.maps.hexes import Stagger

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "hex_vectors.json").read_text())

inner = st.builds(hexes.hex_at, st.integers(10, 80), st.integers(10, 80))
staggers: st.SearchStrategy[Stagger] = st.sampled_from(["odd", "even"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['hex']}-{v['lower']}")
def test_vectors(vector: dict[str, Any]) -> None:
    hex_id, lower = vector["hex"], vector["lower"]
    assert hexes.neighbours(hex_id, lower) == tuple(vector["neighbours"])
    assert hexes.ring(hex_id, 2, lower) == tuple(vector["ring2"])
    for other, steps in vector["distances"].items():
        assert hexes.distance(hex_id, other, lower) == steps


@given(inner, inner, staggers)
def test_touching_is_one_step_and_mutual(a: str, b: str, lower: Stagger) -> None:
    for other in hexes.neighbours(a, lower):
        assert hexes.distance(a, other, lower) == 1
        assert a in hexes.neighbours(other, lower)
    assert (b in hexes.neighbours(a, lower)) == (hexes.distance(a, b, lower) == 1)


@given(inner, inner, staggers)
def test_some_neighbour_is_always_nearer(a: str, b: str, lower: Stagger) -> None:
    steps = hexes.distance(a, b, lower)
    assert steps == hexes.distance(b, a, lower)
    if steps:
        assert min(hexes.distance(n, b, lower) for n in hexes.neighbours(a, lower)) == steps - 1


@given(inner, st.integers(0, 9), staggers)
def test_within_is_all_rings(hex_id: str, radius: int, lower: Stagger) -> None:
    near = hexes.within(hex_id, radius, lower)
    assert list(near) == sorted(near)
    assert len(near) == 1 + 3 * radius * (radius + 1)
    assert set(near) == {h for r in range(radius + 1) for h in hexes.ring(hex_id, r, lower)}


def test_ids_end_at_the_numbering() -> None:
    assert hexes.neighbours("0000", "odd") == ("0100", "0001")
    assert hexes.within("0000", 1, "odd") == ("0000", "0001", "0100")


@pytest.mark.parametrize("bad", ["", "123", "12345", "12a4", "١٢٣٤"])
def test_bad_ids(bad: str) -> None:
    with pytest.raises(ValueError, match="not a hex id"):
        hexes.column_row(bad)


def test_no_id_beyond_two_digits() -> None:
    with pytest.raises(ValueError, match="no hex id"):
        hexes.hex_at(100, 0)
