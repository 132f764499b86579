"""3.6 Who controls a hex, and what falls with it."""

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    answer,
    attack,
    decline_until,
    move,
    play,
    told,
    view,
)


@pytest.mark.clause("3.6")
def test_paraguay_begins_with_paraguay_and_the_allies_with_the_rest() -> None:
    game = play({})
    for hex_, spot in game.pos.game.map.hexes.items():
        if game.pos.holder(hex_) is None:
            assert game.pos.controller(hex_) == (P if spot.country == "paraguay" else A)
    assert game.pos.controller("1621") == P  # the Chaco north of the Pilcomayo: a ruling
    assert game.pos.controller("1030") == A  # the Argentine Chaco
    assert game.pos.controller("3222") == A  # the enclaves


@pytest.mark.clause("3.6")
def test_every_hex_entered_on_the_way_changes_hands_and_stays() -> None:
    game = play({"turn": 3, "clear": True, "units": {"PY-CAV-1": "1433", "AR-CAV-1": "1340"}})
    move(game, P, "PY-CAV-1", "1433", "1434", "1435", "1436", "1336", "1337")
    assert {game.pos.controller(h) for h in ("1435", "1436", "1336", "1337")} == {P}
    assert view(game, A)["space:1436"] == {"control": P, "count": 0}
    decline_until(game, "allied_movement")
    move(game, A, "AR-CAV-1", "1340", "1339", "1338")
    assert game.pos.controller("1436") == P  # empty since, and nobody else was there
    assert game.pos.controller("1338") == A


@pytest.mark.clause("3.6")
def test_a_hex_changes_hands_as_often_as_it_is_entered() -> None:
    game = play({"turn": 3, "clear": True, "units": {"PY-CAV-1": "1435", "AR-CAV-1": "1339"}})
    move(game, P, "PY-CAV-1", "1435", "1436", "1336", "1337", "1336")
    assert game.pos.controller("1337") == P
    decline_until(game, "allied_movement")
    move(game, A, "AR-CAV-1", "1339", "1338", "1337", "1338")
    assert game.pos.controller("1337") == A
    assert "space:1337" not in view(game, P)  # as at the start: nothing to say


@pytest.mark.clause("3.6", "13.30")
def test_an_advance_takes_control_too() -> None:
    game = play({"turn": 3, "phase": "paraguay_combat_1", "clear": True,
                 "units": {"PY-INF-1": "1336", "PY-INF-2": "1336", "AR-ART-1": "1337"}}, [9])
    attack(game, P, "1337", "PY-INF-1", "PY-INF-2")
    assert game.pos.controller("1337") == A  # emptied, but not entered
    answer(game, P, "advance", lots={"advance": ["PY-INF-1"]})
    assert game.pos.controller("1337") == P


@pytest.mark.clause("3.6", "7.9", "7.13")
def test_what_falls_with_a_hex_is_told_once() -> None:
    game = play({"turn": 3, "phase": "allied_movement", "clear": True, "control": {"1432": P},
                 "units": {"AR-INF-1": "1431", "AR-CAV-1": "1433"}})
    move(game, A, "AR-INF-1", "1431", "1432")
    move(game, A, "AR-CAV-1", "1433", "1432")
    assert [step["data"]["at"] for step in told(game, "supply_hex_lost")] == ["1432"]
    assert game.pos.taken == ["1432"]


@pytest.mark.clause("3.6", "8.2")
def test_arrivals_take_control_of_their_entry_hex() -> None:
    game = play({"turn": 2, "phase": "allied_movement", "clear": True, "control": {"2044": P},
                 "units": {"UY-INF-FL": "turn:2"}})
    answer(game, A, "enter", placed={"UY-INF-FL": "2044"})
    assert game.pos.controller("2044") == A
