"""The one worked example of the rulebook (8.5), on hexes of ours that fit its text: its figures as printed."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.titles.chaco.supply_phase import side_net
from tests.rules.titles.chaco.builders import B, answer, choose, last, play, prompt, until

FOLDER = Path(__file__).parents[4] / "scenarios" / "chaco" / "lab"
# The units and leaders of the example by their numbers there; leader 1 is Peña, who stands with the headquarters.
UNITS = dict(zip(range(1, 13), ("21", "14", "16", "20", "47", "4", "5", "31", "MONT", "AZU", "8", "9"), strict=True))
LEADERS = dict(zip(range(1, 6), ("Pena", "Bilbao", "Toro", "Penar", "Banzer"), strict=True))


def body(name: str) -> dict[str, Any]:
    position: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())["position"]
    return position


def ids(units: tuple[int, ...], leaders: tuple[int, ...] = ()) -> set[str]:
    return {f"BO-INF-{UNITS[n]}" for n in units} | {f"BO-LDR-{LEADERS[n]}" for n in leaders}


@pytest.mark.clause("8.5", "8.6", "8.7", "8.8", "8.9", "8.10", "8.11", "8.12")
def test_line_radius_depots_chains_and_the_roll_of_the_example() -> None:
    game = play(body("8.5-line-of-20"), [6, 6, 6])
    choose(game, B, "2807")
    assert [last(game, "line_laid")[k] for k in ("length", "radius")] == [20, 8]
    assert set(game.pos.depots[B]) >= {"2810", "2711"}
    answer(game, B, "trucks", lots={"2711": ["BO-TRK-1"]})
    assert {u for u in game.pos.out if u.startswith("BO")} == ids((8, 9))
    net = side_net(game.pos, B)
    assert net.projects["2023"] in ("1922", "2022"), "leader 2 is supplied by leader 1 and the headquarters"
    assert prompt(game, B) == "air_drop"
    until(game, "supply_points")
    assert [last(game, "supply_rolled")[k] for k in ("roll", "rating", "row", "points", "replacements", "trucks")] == [
        6, -1, 5, 4, 4, 1]


@pytest.mark.clause("8.5", "8.7", "10.8")
def test_in_the_rains_the_line_doubles_and_seven_units_and_a_leader_are_out() -> None:
    game = play(body("8.5-the-same-in-the-rains"))
    choose(game, B, "2807")
    assert [last(game, "line_laid")[k] for k in ("length", "radius")] == [40, 4]
    answer(game, B, "trucks", lots={})
    assert {u for u in game.pos.out if u.startswith("BO")} == ids((11, 8, 9, 10, 7, 4, 5), (4,))
