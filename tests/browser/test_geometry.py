"""The browser's hexes: against the vectors that the rules' geometry is held to."""

import json
from typing import Any

from app.config import ROOT
from rules.maps import hexes
from tests.browser.test_page_units import Run, run  # noqa: F401

VECTORS: list[dict[str, Any]] = json.loads((ROOT / "tests/rules/maps/hex_vectors.json").read_text())


def test_vectors(run: Run) -> None:  # noqa: F811
    for vector in VECTORS:
        told = {vector["hex"], *vector["around"], *vector["ring2"]}
        body = """const hexes = Object.fromEntries(arg.told.map((id) => [id, {}]))
            const places = m.hexPlaces({ grid: arg.grid, hexes }), here = arg.hex
            const at = (id) => places.at({ x: places.centre(id).x + 9, y: places.centre(id).y - 9 })
            const [up, down] = ['ArrowUp', 'ArrowDown'].map((key) => places.step(here, key))
            return [places.around(here), arg.told.map(at), up, down]"""
        found = run("../board/geometry", body, {**vector, "told": sorted(told)})
        assert found == [vector["around"], sorted(told), vector["around"][0], vector["around"][3]]


def block(vector: dict[str, Any]) -> dict[str, Any]:
    """A map of all hexes around those of a vector, so that the shortest ways lie on it."""
    told = {vector["hex"], *vector["distances"], *vector.get("towards", ())}
    at = hexes.cells({"grid": vector["grid"], "hexes": {hex_id: {} for hex_id in told}})
    columns, rows = ([place[i] for place in at.values()] for i in (0, 1))
    rest = {(c, r) for c in range(min(columns) - 1, max(columns) + 2) for r in range(min(rows) - 1, max(rows) + 2)}
    return {hex_id: {} for hex_id in told} | {f"{c}/{r}": {"at": [c, r]} for c, r in rest - set(at.values())}


def test_steps_and_directions_are_those_of_the_rules(run: Run) -> None:  # noqa: F811
    """Step by step to the neighbours as the page goes, and by the line between two centres as it draws."""
    assert all(vector["distances"] for vector in VECTORS)
    for vector in VECTORS:
        body = """const places = m.hexPlaces({ grid: arg.grid, hexes: arg.hexes })
            const steps = new Map([[arg.hex, 0]])
            for (const [loc, n] of steps) {
              for (const near of places.around(loc)) if (!steps.has(near)) steps.set(near, n + 1)
            }
            const leaves = (loc) => {
              const way = m.heading(places.centre(arg.hex), places.centre(loc)) + 90
              const off = (side) => Math.abs(((way - 60 * side + 540) % 360) - 180)
              return loc === arg.hex ? [] : [0, 1, 2, 3, 4, 5].filter((side) => off(side) < 30.001)
            }
            const sides = Object.fromEntries(Object.keys(arg.towards ?? {}).map((loc) => [loc, leaves(loc)]))
            return [Object.fromEntries(Object.keys(arg.distances).map((loc) => [loc, steps.get(loc)])), sides]"""
        found = run("../board/geometry", body, {**vector, "hexes": block(vector)})
        wanted = {loc: sorted(sides) for loc, sides in vector.get("towards", {}).items()}
        assert found == [vector["distances"], wanted], vector["hex"]


def test_a_hex_may_say_where_it_is(run: Run) -> None:  # noqa: F811
    body = """const map = { grid: { lower_columns: 'odd' }, hexes: { gate: { at: [3, 120] }, '0312': {}, '0412': {} } }
        const places = m.hexPlaces(map)
        const [gate, ford] = ['gate', '0312'].map(places.centre)
        return [places.around('0312'), gate.y - ford.y, places.at(gate)]"""
    around, down, there = run("../board/geometry", body)
    assert (around, there) == (["0412"], "gate")
    assert abs(down - 108 * 40 * 3**0.5) < 1e-6


def test_steps_of_a_path_are_read(run: Run) -> None:  # noqa: F811
    body = "return ['B1512', 'B1512@NE', 'B1512@NNE/line'].map(m.stanceOf)"
    assert run("../board/geometry", body) == [
        {"at": "B1512", "facing": None, "formation": None},
        {"at": "B1512", "facing": "NE", "formation": None},
        {"at": "B1512", "facing": "NNE", "formation": "line"},
    ]
    assert run("../board/geometry", "return ['N', 'NE', 'NNW', null].map(m.degrees)") == [0, 60, 330, 0]
