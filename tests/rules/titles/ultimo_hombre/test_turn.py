"""1, 2 Preparation and the order of play."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    A,
    P,
    choose,
    data,
    end,
    forms,
    groups,
    march,
    new_game,
    play,
    reach,
    refused,
    rows,
    ship,
    told,
    units,
    view,
)


@pytest.mark.clause("1", "6", "12.1")
def test_the_war_is_set_up_as_the_scenario_says() -> None:
    game = new_game()
    pos, files = game.pos, data().files
    for space, there in files["scenarios"]["war"]["placements"].items():
        assert pos.stack(space) == sorted(there)
    assert set(pos.leaders.values()) == {"box"}
    assert pos.in_use == {A: "A00", P: "P00"}
    assert pos.hands == {A: [], P: []}
    assert {side: len(deck) for side, deck in pos.decks.items()} == {A: 27, P: 22}
    assert sorted(pos.forts.values()) == sorted(files["scenarios"]["war"]["fortresses"])
    sheet = files["units"]["units"]
    assert pos.stack("reserve:argentina") == sorted(u for u in units("ar_") if sheet[u]["pool"] == "reserve")
    assert pos.stack("special:allied") == sorted(u for u in sheet if sheet[u]["special"] and sheet[u]["side"] == A)
    assert game.asked == (A,)


@pytest.mark.clause("2", "12")
def test_a_turn_has_four_phases_for_each_side_the_allies_first() -> None:
    game = new_game([3, 9])  # cards that last and ask nothing
    stages = []
    while game.pos.turn == 1:
        seat = game.asked[0]
        stages.append(game.pos.stage)
        if "choose_card" in forms(game, seat):
            choose(game, seat, {A: "A04", P: "P10"}[seat])
        else:
            end(game, seat)
    # the Allied card forbids Paraguay to ship, so nobody is asked for that
    assert list(dict.fromkeys(stages)) == ["allied_transport", "allied_movement", "allied_restore",
                                           "paraguayan_movement", "paraguayan_restore"]
    assert [(step["side"], step["event"]) for step in told(game)
            if step["event"] in ("turn_began", "combat_began", "combat_ended")] == [
        *((A, what) for what in ("turn_began", "combat_began", "combat_ended")),
        *((P, what) for what in ("turn_began", "combat_began", "combat_ended")), (A, "turn_began")]
    assert view(game, "public")["turn"]["turn"] == 2


@pytest.mark.clause("1", "12.1")
def test_argentina_is_at_war_from_the_first_paraguayan_turn() -> None:
    game = play({"argentina": "not_yet", "phase": "allied_restore", "hands": {A: ["A04"]},
                 "decks": {A: ["A17", "A22"]}}, [0])
    choose(game, A, "A04")
    assert rows(game, "war")["argentina"] == "argentina.not_yet"
    end(game, A)
    assert rows(game, "war")["argentina"] == "argentina.war"
    assert game.pos.stage == f"{P}_movement"  # A04: nothing may be shipped


@pytest.mark.clause("1", "12.1", "12.2")
def test_on_the_first_allied_turn_argentina_does_nothing() -> None:
    game = new_game()
    assert "santa_fe" not in forms(game, A)["ship"]["stacks"]
    assert "buenos_aires" not in reach(game, A, "ship", "br_inf_06")["cost"]
    end(game, A)
    assert not {"buenos_aires", "santa_fe", "corrientes", "goya", "rosario"} & set(forms(game, A)["move"]["stacks"])
    assert refused(game, A, "move", units=["br_inf_04"], path=["uruguaiana", "yatay"]) == (
        "not_into_argentina", "12.1")
    march(game, A, "br_inf_04", "uruguaiana", "alegrete")


@pytest.mark.clause("12.1", "12.2")
def test_a_covered_initial_card_still_keeps_argentina_from_reinforcements() -> None:
    game = play({"argentina": "not_yet", "phase": "allied_restore", "hands": {A: ["A01"]}, "decks": {A: ["A17", "A22"]},
                 "reduced": ["ar_inf_01"]}, [0])
    choose(game, A, "A01")
    assert game.pos.at["ar_legion_militar"] == "buenos_aires"  # the event works
    assert game.pos.in_use[A] == "A01"
    assert set(groups(game, A, "reinforce")) == {"reserve_brazil"}
    assert "replace" not in forms(game, A)


@pytest.mark.clause("2")
def test_what_has_moved_and_what_was_shipped_is_free_again_next_turn() -> None:
    game = play({"phase": "allied_transport", "clear": True, "units": {"br_inf_01": "rio_grande", "br_inf_02": "bage"},
                 "hands": {A: ["A04"]}, "decks": {A: ["A17", "A22"]}}, [0])
    ship(game, A, "br_inf_01", "rio_grande", "porto_alegre")  # nothing is left to ship, so the phase ends by itself
    march(game, A, "br_inf_02", "bage", "jaguarao")
    assert [u["badges"] for u in view(game, P)["space:jaguarao"]["units"]] == [["moved"]]
    assert [u["badges"] for u in view(game, P)["space:porto_alegre"]["units"]] == [["aboard"]]
    end(game, A)
    choose(game, A, "A04")
    end(game, A)
    assert [u["badges"] for u in view(game, P)["space:jaguarao"]["units"]] == [[]]
    assert game.pos.steps == {}
