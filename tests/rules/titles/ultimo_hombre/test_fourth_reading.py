"""What a fourth reading found where two rules meet: a leader whose fellow fugitives leave with Argentina."""

from typing import Any

import pytest

from tests.rules.titles.ultimo_hombre.builders import HIT, MISS, A, P, Play, both_line_up, choose, play, prompt, told


def fled_with_argentines() -> Play:
    """Flores and his Argentines flee from Yatay to Uruguaiana, where a battle is to come; then Mitre is taken at Santo
    Tomé, and they are gone."""
    units: dict[str, Any] = {"ar_inf_01": "yatay", "py_inf_01": "yatay", "ar_inf_02": "santo_tome",
                             "py_inf_02": "santo_tome", "br_inf_01": "uruguaiana", "py_cav_01": "uruguaiana"}
    shots = [MISS, MISS, MISS, HIT, MISS, HIT]
    game = play({"turn": 4, "phase": f"{P}_combat", "clear": True, "fortresses": {}, "units": units,
                 "control": {"concordia": P, "candelaria": P, "salto": P, "alegrete": A},
                 "leaders": {"flores": "yatay", "mitre": "santo_tome", "diaz": "yatay", "caballero": "santo_tome",
                             "lopez": "uruguaiana"},
                 "attacks": {"yatay": {"py_inf_01": "concordia"}, "santo_tome": {"py_inf_02": "candelaria"},
                             "uruguaiana": {"py_cav_01": "salto"}}}, [*shots, MISS, MISS, 0, 0])  # fmt: skip
    choose(game, P, "yatay")
    both_line_up(game)
    choose(game, A, "uruguaiana")
    assert game.pos.fled["uruguaiana"] == ["ar_inf_01", "flores"]
    choose(game, P, "santo_tome")
    while game.pos.argentina == "war":
        choose(game, game.asked[0], "stay")
    return game


@pytest.mark.clause("8", "14")
def test_a_leader_whose_fellow_fugitives_leave_with_argentina_joins_those_who_hold_the_space() -> None:
    game = fled_with_argentines()
    assert game.pos.leaders["flores"] == "uruguaiana"
    assert "flores" not in game.pos.fled.get("uruguaiana", [])
    assert prompt(game, A) == "retreat"
    choose(game, A, "alegrete")
    assert game.pos.leaders["flores"] == game.pos.at["br_inf_01"] == "alegrete"
    assert [step["data"]["leader"] for step in told(game, "leader_captured")] == ["mitre"]
