"""14 Engineers."""

import pytest

from rules.titles.chaco.engineers import projects
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    forms,
    last,
    move,
    play,
    position,
    prompt,
    told,
    until,
    view,
)


def site(hex_: str, dice: list[int], what: str, **body: object) -> Play:
    """A Paraguayan engineer that begins to build, up to the end of its construction phase."""
    units = {"PY-ENG-E1": hex_, "PY-GHQ": "2753", **body.pop("units", {})}  # type: ignore[dict-item]
    game = play(bare(phase=f"{P}_movement", units=units, **body), dice)
    answer(game, P, "build", option=f"PY-ENG-E1:{what}")
    return game


@pytest.mark.clause("14.1", "14.3", "14.4", "14.5", "14.6")
def test_what_can_be_built_where() -> None:
    pos = position(**bare(units={"PY-ENG-E1": "2728", "PY-ENG-E2": "1236", "BO-ENG-E1": "1406"}))
    assert projects(pos, "PY-ENG-E1") == ["entrenchment", "well"]
    assert projects(pos, "PY-ENG-E2") == ["trail", "well"], "no entrenchment in swamp"
    assert projects(pos, "BO-ENG-E1") == ["entrenchment", "trail"], "Bolivia digs no wells"
    dug = position(**bare(units={"PY-ENG-E1": "2728"}, works={"2728": "entrenchment"}, wells=["2726", "2725"]))
    assert projects(dug, "PY-ENG-E1") == ["fortification"]


@pytest.mark.clause("14.2", "14.3")
def test_an_entrenchment_begun_in_movement_is_done_in_construction() -> None:
    game = site("2728", [], "entrenchment")
    assert game.pos.building == {"PY-ENG-E1": "entrenchment"}
    assert "building" in view(game, P)["space:2728"]["units"][0]["badges"]
    until(game, "politics")
    assert game.pos.works["2728"] == "entrenchment"
    assert not game.pos.building


@pytest.mark.clause("14.4")
def test_a_fortification_takes_the_place_of_an_entrenchment() -> None:
    game = site("2728", [], "fortification", works={"2728": "entrenchment"})
    until(game, "politics")
    assert game.pos.works["2728"] == "fortification"


@pytest.mark.clause("14.2")
def test_moving_spoils_the_work() -> None:
    game = site("2728", [], "entrenchment")
    move(game, P, "PY-ENG-E1", "2728", "2727")
    assert not game.pos.building
    assert "build" not in forms(game, P)


@pytest.mark.clause("14.2")
def test_fighting_spoils_the_work() -> None:
    units = {"PY-INF-ITOR": "2728", "PY-LDR-Garay": "2728", "BO-INF-COLOR": "2729", "BO-LDR-Toro": "2729"}
    game = site("2728", [3], "entrenchment", units=units, air={P: 0, B: 0})
    choose(game, P, "end")
    until(game, "combat")
    while prompt(game, P) == "combat":
        choose(game, P, "no_attack")
    assert prompt(game, B) == "combat"
    answer(game, B, "attack", target="2728", units=["BO-INF-COLOR"])
    assert not game.pos.building
    game.chance.rolls.clear()


@pytest.mark.clause("14.5")
def test_a_trail_makes_a_hex_clear_while_an_engineer_keeps_it_up() -> None:
    game = site("1236", [], "trail")
    until(game, "politics")
    assert game.pos.trails == ["1236"]
    assert game.pos.terrain("1236") == "clear"
    left = play(bare(phase=f"{P}_construction", units={"PY-ENG-E1": "2728"}, trails=["1236"]))
    assert left.pos.trails == []
    assert last(left, "trails_gone")["hexes"] == ["1236"]


@pytest.mark.clause("14.5")
@pytest.mark.parametrize(("word", "kept"), [("let_keep", ["2006"]), ("forbid", [])])
def test_under_a_live_enemy_zone_the_enemy_decides_over_the_upkeep(word: str, kept: list[str]) -> None:
    units = {"PY-ENG-E1": "2105", "BO-INF-21": "1906"}
    game = play(bare(phase=f"{P}_construction", units=units, trails=["2006"]))
    assert prompt(game, B) == "trail"
    choose(game, B, word)
    assert game.pos.trails == kept


@pytest.mark.clause("14.6", "8.13")
@pytest.mark.parametrize(("die", "wells"), [(3, ["2728"]), (4, [])])
def test_a_well_is_dug_with_one_to_three(die: int, wells: list[str]) -> None:
    game = site("2728", [die], "well")
    until(game, "politics")
    assert game.pos.wells == wells


@pytest.mark.clause("14.6")
def test_who_moves_through_a_well_may_destroy_it() -> None:
    game = play(bare(phase=f"{B}_movement", units={"BO-INF-21": "2727"}, wells=["2728"]))
    assert "destroy_well" not in forms(game, B)
    move(game, B, "BO-INF-21", "2727", "2728", "2729")
    choose(game, B, "2728")
    assert game.pos.wells == []
    assert told(game, "well_destroyed")


@pytest.mark.clause("14.3", "14.6")
def test_what_is_built_lies_on_the_map_as_a_layer() -> None:
    game = play(bare(phase=f"{P}_movement", units={}, works={"2728": "entrenchment"}, wells=["2727"]))
    parts = view(game, "public")["layer:works"]["parts"]
    assert [(p["spaces"][0], p["text"]["key"]) for p in parts] == [
        ("2728", "layer.entrenchment"), ("2837", "layer.entrenchment"), ("2727", "layer.well")]
