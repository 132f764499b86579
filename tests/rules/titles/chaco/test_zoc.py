"""3.2 Control, 7 zones of control."""

import pytest

from rules.titles.chaco.zoc import live_zones, zones
from tests.rules.titles.chaco.builders import B, P, bare, move, play, position, reach, refused

AROUND = {"2727", "2828", "2829", "2729", "2629", "2628"}  # of 2728, scrub without road or river


@pytest.mark.clause("7.1")
@pytest.mark.parametrize(("unit", "exerts"), [("BO-INF-21", True), ("BO-CAV-5c", True), ("BO-ART-A1", False),
                                              ("BO-ENG-E1", False), ("BO-ARM-T1", False), ("BO-TRK-1", False)])
def test_only_infantry_and_cavalry_exert_a_zone(unit: str, exerts: bool) -> None:
    pos = position(**bare(units={unit: "2728"}))
    assert zones(pos, B) == (AROUND if exerts else set())


@pytest.mark.clause("7.2")
def test_a_zone_ends_at_mountains_rivers_and_the_border() -> None:
    pos = position(**bare(units={"BO-INF-21": "2708", "BO-INF-14": "1502", "BO-INF-16": "2009"}))
    found = zones(pos, B)
    assert "2808" not in found, "over the Pilcomayo"
    assert "2709" in found
    assert not [h for h in found if pos.terrain(h) == "mountain"]
    assert not [h for h in found if pos.game.map.hexes[h].country == "argentina"]


@pytest.mark.clause("7.3")
def test_an_enemy_zone_is_entered_only_with_a_leader_and_stops() -> None:
    game = play(bare(phase=f"{P}_movement", units={
        "PY-INF-ITOR": "2726", "PY-LDR-Estig": "2726", "BO-INF-21": "2728", "PY-INF-5": "3030"}))
    assert refused(game, P, "move", units=["PY-INF-ITOR"], path=["2726", "2727"]) == ("zone_needs_leader", "7.3")
    both = ["PY-INF-ITOR", "PY-LDR-Estig"]
    assert refused(game, P, "move", units=both, path=["2726", "2727", "2828"]) == ("must_stop", "7.3")
    move(game, P, both, "2726", "2727")
    assert refused(game, P, "move", units=["PY-LDR-Estig"], path=["2727", "2726"]) == ("stopped", "7.3")


@pytest.mark.clause("10.2")
def test_no_hex_of_an_enemy_combat_unit_is_entered() -> None:
    game = play(bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2726", "BO-ART-A1": "2728"}))
    assert refused(game, P, "move", units=["PY-INF-ITOR"], path=["2726", "2727", "2728"]) == ("enemy_hex", "10.2")
    assert "2728" not in reach(game, P, "PY-INF-ITOR")["cost"]


@pytest.mark.clause("7.3")
def test_a_leader_who_is_there_already_lets_units_in() -> None:
    game = play(bare(phase=f"{P}_movement", units={
        "PY-INF-ITOR": "2726", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}))
    move(game, P, "PY-INF-ITOR", "2726", "2727")
    assert game.pos.at["PY-INF-ITOR"] == "2727"


@pytest.mark.clause("7.3")
def test_who_leaves_a_zone_steps_first_out_of_all_zones() -> None:
    game = play(bare(phase=f"{P}_movement", units={
        "PY-INF-ITOR": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}))
    both = ["PY-INF-ITOR", "PY-LDR-Estig"]
    assert refused(game, P, "move", units=both, path=["2727", "2828"]) == ("zone_to_zone", "7.3")
    assert "2828" not in [h for h in reach(game, P, both)["cost"] if reach(game, P, both)["via"].get(h) == "2727"]
    move(game, P, "PY-LDR-Estig", "2727", "2726")
    assert game.pos.at["PY-LDR-Estig"] == "2726", "a leader needs nobody to leave"


@pytest.mark.clause("7.8")
def test_a_friend_negates_a_zone_for_supply_and_retreat_but_never_for_movement() -> None:
    body = bare(phase=f"{P}_movement", units={"PY-ENG-E1": "2727", "PY-INF-ITOR": "2726", "BO-INF-21": "2728"})
    game = play(body)
    assert "2727" in zones(game.pos, B)
    assert "2727" not in live_zones(game.pos, P)
    assert refused(game, P, "move", units=["PY-INF-ITOR"], path=["2726", "2727"]) == ("zone_needs_leader", "7.3")


@pytest.mark.clause("3.2")
def test_control_passes_the_moment_a_combat_unit_enters() -> None:
    game = play(bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2726", "PY-TRK-1": "3030"}))
    assert game.pos.controller("2727") == B
    move(game, P, "PY-INF-ITOR", "2726", "2727", "2726")
    assert game.pos.controller("2727") == P
    before = game.pos.controller("3031")
    move(game, P, "PY-TRK-1", "3030", "3031")
    assert game.pos.controller("3031") == before, "trucks control nothing (2.13)"
