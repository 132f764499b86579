"""The browser's hexes: against the vectors that the rules' geometry is held to."""

import json
from typing import Any

from app.config import ROOT
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
