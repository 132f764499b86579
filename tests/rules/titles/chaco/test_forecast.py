"""8.12, 8.13 The forecast of attrition is what the dice then do."""

from random import Random
from typing import Any

import pytest

from rules.titles.chaco.forecast import forecast
from rules.titles.chaco.units import COMBAT
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    finish,
    forms,
    play,
    position,
    prompt,
    told,
)

EVERY = [1, 2, 3, 4, 5, 6]


def scattered(seed: int, side: str, **more: Any) -> dict[str, Any]:
    """The first scenario with a third of each army blown about the map, in the supply phase of a side."""
    rng, pos = Random(seed), position(phase=f"{side}_supply")
    free = [h for h, hex_ in sorted(pos.game.map.hexes.items())
            if not pos.stack(h) and hex_.terrain not in ("out_of_play", "off_map", "swamp")]
    units: dict[str, str] = {}
    for unit in pos.on_map(P) + pos.on_map(B):
        if pos.unit(unit).type in COMBAT and rng.random() < 0.35:
            units[unit] = free.pop(rng.randrange(len(free)))
    return {"phase": f"{side}_supply", "units": units, **more}


def go_through(game: Play, side: str, notes: list[dict[str, Any]]) -> None:
    """The supply phase of a side as the forecast assumes it: its line, its depots, trucks as they are, no air drop."""
    said = {note["key"].removeprefix("forecast."): note["args"] for note in notes}
    while list(game.asked) == [side] and game.pos.stage == f"{side}_supply":
        match prompt(game, side):
            case "line":
                choose(game, side, said["line"]["at"])
            case "depots":
                left = [h for h in said.get("depots", {"hexes": []})["hexes"] if h not in game.pos.depots[side]]
                offered = [o["id"] for o in forms(game, side)["depots"]["options"]]
                choose(game, side, next((h for h in left if h in offered), "no_depot"))
            case "trucks":
                form = forms(game, side)["trucks"]
                kept = {lot["id"]: [u for u in lot["units"] if u in game.pos.assigned] for lot in form["lots"]}
                answer(game, side, "trucks", lots=kept)
            case "air_drop":
                answer(game, side, "air_drop", lots={})
            case "lift":
                choose(game, side, "stay")
            case _:
                return


def compare(game: Play, seen: dict[str, Any], already: int = 0) -> int:
    """Each unit that rolled has its die in the forecast, with its modifiers and what fell; and none is missing."""
    rolled = [step["data"] for step in told(game, "attrition_rolled")][already:]
    dice = {(hex_, check["unit"]): check for hex_, one in seen.items() for check in one["checks"]}
    assert {(data["at"], data["unit"]) for data in rolled} == set(dice)
    for data in rolled:
        check = dice[data["at"], data["unit"]]
        (face,) = [face for face in check["faces"] if face["roll"] == data["roll"]]
        assert data["modifiers"] == check["modifiers"]
        assert (data["row"], data["effect"]) == (face["row"], face["effect"])
    return len(rolled)


@pytest.mark.clause("8.3", "8.6", "8.8", "8.11", "8.12", "8.13")
@pytest.mark.parametrize("side", [P, B])
@pytest.mark.parametrize("seed", range(6))
def test_each_die_is_the_one_foretold(side: str, seed: int) -> None:
    options = {"cavalry": "mounted"} if seed % 2 else {}
    dice = Random(seed).choices(EVERY, k=200)
    game = play(scattered(seed, side, rain=seed == 4, turn=5 if seed == 4 else 2), dice, options)
    assert prompt(game, side) in ("line", "lift")
    seen = forecast(game.pos, side)
    notes: list[dict[str, Any]] = next((one["notes"] for one in seen.values()), [])
    steps = {u: game.pos.unit(u).steps - (u in game.pos.reduced) for one in seen.values()
             for u in (check["unit"] for check in one["checks"])}
    if notes:
        go_through(game, side, notes)
        assert compare(game, seen) == sum(one["count"] for one in seen.values())
    for data in (step["data"] for step in told(game, "attrition_rolled")):
        (check,) = [c for c in seen[data["at"]]["checks"] if c["unit"] == data["unit"]]
        gone = steps[data["unit"]] - (0 if game.pos.at[data["unit"]].startswith("dead")
                                      else game.pos.unit(data["unit"]).steps - (data["unit"] in game.pos.reduced))
        assert gone == check["faces"][data["roll"] - 1]["loss"]
    game.dice.clear()


@pytest.mark.clause("8.12", "8.13")
def test_the_faces_of_one_who_is_cut_off_without_water() -> None:
    ring = {"BO-INF-14": "2727", "BO-INF-16": "2829", "BO-INF-20": "2629"}
    units = {"PY-GHQ": "2753", "PY-INF-ITOR": "2728", **ring}
    one = forecast(position(**bare(phase=f"{P}_supply", units=units)), P)["2728"]
    (check,) = one["checks"]
    assert [m["value"] for m in check["modifiers"]] == [-1, -2]
    assert [f["effect"].removeprefix("effect.") for f in check["faces"]] == [
        "surrender", "surrender", "step", "step", "none", "none"]
    assert [f["loss"] for f in check["faces"]] == [2, 2, 1, 1, 0, 0]
    assert (one["mean"], one["most"], one["of"]) == ("1.0", 2, "steps")
    assert "eased" not in one, "Paraguay drops nothing"


@pytest.mark.clause("8.13", "13.3")
def test_an_air_drop_helps_the_unit_that_it_saves_most() -> None:
    units = {"BO-GHQ": "2807", "BO-INF-21": "2728", "BO-INF-14": "2728"}
    one = forecast(position(**bare(phase=f"{B}_supply", units=units, radius={B: 4})), B)["2728"]
    assert [check["total"] for check in one["checks"]] == [-1, -1]
    assert sorted(check["total"] for check in one["eased"]["checks"]) == [-1, 0]
    assert float(one["eased"]["mean"]) < float(one["mean"])


@pytest.mark.clause("5.0", "8.3", "16.3")
def test_in_the_movement_it_looks_at_the_next_turn_its_season_and_its_end() -> None:
    units = {"PY-GHQ": "2753", "PY-INF-ITOR": "2728"}
    dry, wet, last = (position(**bare(phase=f"{P}_movement", turn=turn, units=units)) for turn in (1, 4, 6))
    assert dry.game.month_of(2)[1] == 10
    (check,) = forecast(dry, P)["2728"]["checks"]
    assert [m["label"]["key"] for m in check["modifiers"]] == ["modifier.no_water"]
    assert wet.game.month_of(5)[1] == 1
    assert forecast(wet, P)["2728"]["checks"][0]["modifiers"] == [], "it rains in January"
    assert forecast(last, P) == {}
    december = position(**bare(phase=f"{P}_movement", turn=3, units=units))
    assert "forecast.december" in [note["key"] for note in forecast(december, P)["2728"]["notes"]]


@pytest.mark.clause("8.3", "8.12")
def test_what_the_movement_foretells_comes_a_turn_later() -> None:
    units = {"PY-GHQ": "2753", "PY-INF-ITOR": "2728", "BO-GHQ": "2807"}
    game = play(bare(phase=f"{P}_movement", turn=1, units=units), [6] * 12)
    seen = forecast(game.pos, P)
    before = len(told(game, "attrition_rolled"))
    finish(game, f"{P}_supply")
    assert game.pos.turn == 2
    assert forecast(game.pos, P) == seen
    go_through(game, P, seen["2728"]["notes"])
    assert compare(game, seen, before) == 1
    game.dice.clear()
