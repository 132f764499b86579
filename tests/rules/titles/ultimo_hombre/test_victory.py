"""16 The ends of the game."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    choose,
    end,
    last,
    lead,
    march,
    play,
    told,
    use,
    view,
)


@pytest.mark.clause("16")
@pytest.mark.parametrize(("origin", "prize"), [("jaguarao", "rio_grande"), ("rio_pardo", "porto_alegre"),
                                               ("rosario", "buenos_aires")])
def test_paraguay_wins_by_taking_one_of_three_cities(origin: str, prize: str) -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "units": {"py_inf_01": origin}})
    march(game, P, "py_inf_01", origin, prize)
    assert game.pos.result == {"winner": P, "key": "result.prize", "args": {"at": prize}, "clause": "16"}
    assert game.asked == ()
    assert view(game, "public")["result"] == game.pos.result


@pytest.mark.clause("16")
def test_in_battle_too_and_other_battles_are_not_fought() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "units": {
        "py_inf_01": "jaguarao", "py_inf_02": "jaguarao", "br_gn_1": "rio_grande", "br_gn_2": "bage"},
        "reduced": ["br_gn_1"]}, [MISS, HIT])
    lead(game, P, diaz="rio_grande", resquin="bage")
    march(game, P, "py_inf_01", "jaguarao", "rio_grande")
    march(game, P, "py_inf_02", "jaguarao", "bage")
    end(game, P)
    choose(game, P, "rio_grande")
    assert game.pos.result is not None
    assert game.pos.result["key"] == "result.prize"
    assert len(told(game, "battle_began")) == 1


@pytest.mark.clause("16", "14")
def test_buenos_aires_is_no_prize_once_argentina_is_out() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "argentina": "out", "units": {"py_inf_01": "rosario"},
                 "control": {"rosario": "neutral", "buenos_aires": "neutral"}, "fortresses": {}})
    march(game, P, "py_inf_01", "rosario", "buenos_aires")
    assert game.pos.result is None


@pytest.mark.clause("16", "12.3")
@pytest.mark.parametrize(("allied", "paraguayan", "winner"), [(10, 9, A), (9, 10, P), (10, 10, A)])
def test_the_last_card_ends_the_game_and_the_cards_in_hand_count(allied: int, paraguayan: int, winner: str) -> None:
    """The Allies draw A24 (1 VP) with A04 (2) in hand; Paraguay holds P08 (2). A tie goes to who drew."""
    game = play({"phase": "allied_restore", "clear": True, "hands": {A: ["A04"], P: ["P08"]}, "decks": {A: ["A24"]},
                 "vp": {A: allied - 3, P: paraguayan - 2}}, [0])
    assert game.pos.vp == {A: allied, P: paraguayan}
    assert game.pos.result == {"winner": winner, "key": "result.last_card", "clause": "16",
                               "args": {"allied": allied, "paraguayan": paraguayan, "side": A}}
    assert game.asked == ()
    assert game.pos.hands == {A: [], P: []}
    assert last(game, "hand_counted", A) == {"cards": ["P08"], "titles": ["card.P08.title"], "total": paraguayan}


@pytest.mark.clause("16")
def test_a_tie_goes_to_paraguay_when_its_deck_runs_out() -> None:
    game = play({"phase": "paraguayan_restore", "clear": True, "decks": {P: ["P14"]}, "vp": {A: 5, P: 5}}, [0])
    assert game.pos.result is not None
    assert game.pos.result["winner"] == P


@pytest.mark.clause("16", "11")
def test_a_last_card_drawn_in_movement_ends_the_game_there() -> None:
    game = play({"phase": "allied_movement", "clear": True, "decks": {A: ["A24"]}, "leaders": {"caxias": "tuyuti"},
                 "units": {"br_inf_01": "uruguaiana", "br_inf_02": "itapiru", "py_inf_01": "tuyuti"}}, [0])
    march(game, A, "br_inf_02", "itapiru", "tuyuti")
    march(game, A, "br_inf_01", "uruguaiana", "salto", "melo")
    assert game.pos.result is not None
    assert game.pos.at["br_inf_01"] == "salto"
    assert not told(game, "battle_began")
    assert last(game, "deck_out")["winner"] == A


@pytest.mark.clause("16", "12.1")
def test_a_last_card_won_by_an_events_unit_ends_the_game_too() -> None:
    game = use("A03", [0], decks={A: ["A17", "A24"]})
    choose(game, A, "salto")
    assert game.pos.result is not None
    assert game.pos.vp[A] == 0 + 1  # A24's point; the cards of the turn had none
    assert game.pos.at["uc_escolta"] == "special:allied"


@pytest.mark.clause("16", "12.1")
def test_held_over_cards_count_as_in_hand() -> None:
    game = use("A03", [0], decks={A: ["A04", "A17", "A18"]})  # the filler drawn, A04, scores 2
    choose(game, A, "salto")
    assert game.pos.late[A] == ["A17"]
    assert game.pos.vp[A] == 2


@pytest.mark.clause("16", "12.3")
def test_points_beyond_the_printed_track_count() -> None:
    game = play({"phase": "allied_restore", "clear": True, "decks": {A: ["A24"]}, "vp": {A: 60, P: 60}}, [0])
    assert game.pos.vp[A] == 61
