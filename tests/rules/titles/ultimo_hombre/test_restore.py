"""12 The recovery phase: cards (12.1), reinforcements and replacements (12.2)."""

import pytest

from rules.core.record import free_from
from tests.rules.titles.ultimo_hombre.builders import (
    A,
    P,
    Play,
    answer,
    at,
    choose,
    data,
    end,
    forms,
    groups,
    last,
    lots,
    march,
    options,
    play,
    prompt,
    refused,
    rows,
    units,
    use,
    view,
)


def recovery(side: str, **body: object) -> Play:
    """After a card that lasts and asks nothing (Allies: A04, Paraguay: P12), drawn from a deck of three."""
    card = {A: "A04", P: "P12"}[side]
    deck = {A: ["A04", "A17", "A24"], P: ["P02", "P12", "P16"]}[side]
    game = play({"phase": f"{side}_restore", "clear": True, "decks": {side: deck}, **body}, [deck.index(card)])
    choose(game, side, card)
    return game


# -- cards (12.1) --------------------------------------------------------------------------------------------


@pytest.mark.clause("12", "12.1", "12.3")
def test_all_cards_of_the_turn_score_and_just_one_is_put_in_use() -> None:
    game = play({"phase": "allied_restore", "clear": True, "hands": {A: ["A24", "A26"]}, "in_use": {A: "A10"},
                 "decks": {A: ["A04", "A17", "A18"]}}, [0])
    assert options(game, A) == ["A24", "A26", "A04"]
    assert game.request_for(P)["prompt"]["key"] == "prompt.choose_card"  # type: ignore[index]
    choose(game, A, "A24")
    assert game.pos.vp[A] == 1 + 1 + 2
    assert game.pos.in_use[A] == "A24"
    assert game.pos.hands[A] == []
    assert set(game.pos.discards[A]) >= {"A10", "A26", "A04"}
    assert last(game, "card_used", P) == {"card": "A24", "title": "card.A24.title", "discarded": ["A04", "A26"],
                                          "titles": ["card.A04.title", "card.A26.title"], "value": 4}
    assert view(game, P)["slots:cards_allied"]["slots"][0]["card"] == {"id": "A24", "vp": 1}


@pytest.mark.clause("12.1")
def test_a_card_holds_while_it_shows_and_no_longer() -> None:
    game = play({"phase": "allied_restore", "clear": True, "in_use": {A: "A26"}, "decks": {A: ["A04", "A17", "A18"]}},
                [0])
    assert game.pos.effects("main_river_fire")
    choose(game, A, "A04")
    assert not game.pos.effects("main_river_fire")
    assert game.pos.effects("forbid_transport") == [(A, {"op": "forbid_transport", "side": P})]


@pytest.mark.clause("12.1")
def test_a_card_won_by_an_events_unit_waits_for_the_next_turn() -> None:
    game = use("A03", [0], decks={A: ["A17", "A24", "A18", "A19"]})
    choose(game, A, "salto")
    assert game.pos.late[A] == ["A24"]
    assert prompt(game, A) == "reinforce"
    end(game, A)
    game.dice.append(0)
    end(game, P)  # movement: Paraguay has nothing but leaders
    choose(game, P, game.pos.hands[P][0])
    while game.asked == (P,):
        if any(form.startswith("end_") for form in forms(game, P)):
            end(game, P)
        else:
            choose(game, P, options(game, P)[0])
    assert game.pos.turn == 2
    assert (game.pos.hands[A], game.pos.late[A]) == (["A24"], [])


@pytest.mark.clause("12.1")
def test_the_other_side_sees_only_how_many_cards() -> None:
    game = play({"phase": "allied_restore", "clear": True, "hands": {A: ["A24"]}, "decks": {A: ["A04", "A17", "A18"]}},
                [2])
    assert view(game, P)["hand:allied"] == {"title": {"key": "hand.title", "args": {}}, "side": A, "count": 2}
    assert [c["id"] for c in view(game, A)["hand:allied"]["cards"]] == ["A24", "A18"]
    assert view(game, P)["pool:deck:allied"]["count"] == 2
    assert "forms" not in (game.request_for(P) or {})


@pytest.mark.clause("12.1", "1")
@pytest.mark.parametrize(("card", "named"), [
    ("A02", ["porto_alegre", "rio_grande"]),                                     # spaces
    ("A25", ["colonia", "durazno", "maldonado", "melo", "montevideo", "paysandu", "salto"]),  # a region
    ("A15", ["apipe", "caa_cati", "candelaria", "corrientes", "curuzu_cuatia", "goya", "san_cosme", "san_roque",
             "santo_tome", "yatay", "ytati"]),                                   # both
    ("A22", ["buenos_aires", "santa_fe"]),                                       # strategic spaces
    ("A19", ["asuncion"]),                                                       # a condition
    ("A24", None)])
def test_a_card_in_hand_names_the_spaces_it_speaks_of(card: str, named: list[str] | None) -> None:
    game = play({"phase": "allied_restore", "clear": True, "hands": {A: [card]},
                 "decks": {A: [c for c in ("A04", "A17", "A18") if c != card]}}, [0])
    assert view(game, A)["hand:allied"]["cards"][0].get("spaces") == named


@pytest.mark.clause("12.1", "1")
def test_main_rivers_alone_or_as_a_further_condition_of_a_card() -> None:
    named = play({"phase": "allied_movement", "clear": True}).pos.game.named
    spaces = data().files["map"]["spaces"]
    assert named["A16"] == sorted(s for s, d in spaces.items() if d["main_river"])
    assert named["P05"] == sorted(s for s, d in spaces.items() if d["main_river"] and d["region"] == "paraguay")


# -- reinforcements (12.2) -----------------------------------------------------------------------------------


@pytest.mark.clause("12.2")
def test_one_unit_of_the_reserve_on_each_strategic_space_of_its_nation() -> None:
    game = recovery(A)
    assert groups(game, A, "reinforce")["reserve_brazil"]["where"] == ["cuiaba", "porto_alegre", "rio_grande"]
    assert groups(game, A, "reinforce")["reserve_argentina"]["where"] == ["buenos_aires", "santa_fe"]
    assert not [u for g in groups(game, A, "reinforce").values() for u in g["units"] if game.pos.unit(u).special]
    assert refused(game, A, "reinforce", placed={"br_inf_12": "santa_fe"}) == ("other_nation", "12.2")
    assert refused(game, A, "reinforce", placed={"br_inf_12": "cuiaba", "br_inf_13": "cuiaba"}) == ("no_room", "12.2")
    assert refused(game, A, "reinforce", placed={"br_vp_1": "cuiaba"}) == ("by_card_alone", "12.2")
    answer(game, A, "reinforce", placed={"br_inf_12": "cuiaba", "br_cav_05": "rio_grande", "ar_gn_4": "santa_fe"})
    assert game.pos.at["br_inf_12"] == "cuiaba"
    assert groups(game, A, "reinforce")["reserve_brazil"]["where"] == ["porto_alegre"]  # the others are used up
    answer(game, A, "reinforce", placed={"br_cav_06": "porto_alegre", "ar_inf_07": "buenos_aires"})
    assert set(forms(game, A)) == {"end_restore"}
    end(game, A)
    assert game.pos.stage.startswith(P)


@pytest.mark.clause("12.2", "2")
def test_the_last_placement_can_be_taken_back_until_the_phase_is_ended() -> None:
    game = recovery(P, units=at("asuncion", units("py_inf_", 6)), reduced=["py_inf_01"])
    made = [*answer(game, P, "replace", lots={"asuncion": ["py_inf_01"]}),
            *answer(game, P, "reinforce", placed={"py_inf_20": "cerro_leon"})]
    assert set(forms(game, P)) == {"end_restore"}
    assert free_from(made, P, game.asked) == made[0].seq
    ended = end(game, P)
    assert (ended[0].forced, ended[0].commits) == (False, True)
    assert game.asked == (A,)


@pytest.mark.clause("12.2", "2")
def test_with_nothing_to_place_the_phase_ends_by_itself() -> None:
    lost = dict.fromkeys(("asuncion", "cerro_leon"), A)
    game = recovery(P, control=lost, capital="villarrica", lost_strategic=list(lost))
    assert game.pos.turn == 2


@pytest.mark.clause("12.2")
def test_instead_a_reduced_unit_of_the_nation_there_is_made_full() -> None:
    game = recovery(A, units={**at("rio_grande", "br_inf_01", "br_inf_02", "ar_inf_01", "uc_florida"),
                              "br_inf_03": "bage"},
                    reduced=["br_inf_01", "br_inf_02", "ar_inf_01", "uc_florida", "br_inf_03"])
    assert {lot: body["units"] for lot, body in lots(game, A, "replace").items()} == {
        "rio_grande": ["br_inf_01", "br_inf_02"]}
    assert refused(game, A, "replace", lots={"rio_grande": ["br_inf_01", "br_inf_02"]}) == ("count", "12.2")
    assert refused(game, A, "replace", lots={}) == ("nothing_taken", "12.2")
    answer(game, A, "replace", lots={"rio_grande": ["br_inf_02"]})
    assert "br_inf_02" not in game.pos.reduced
    assert "replace" not in forms(game, A)
    assert "rio_grande" not in groups(game, A, "reinforce")["reserve_brazil"]["where"]  # one or the other


@pytest.mark.clause("12.2")
def test_a_full_space_takes_no_reinforcement_but_a_replacement() -> None:
    game = recovery(P, units=at("asuncion", units("py_inf_", 6)), reduced=["py_inf_01"])
    assert groups(game, P, "reinforce")["reserve_paraguay"]["where"] == ["cerro_leon"]
    answer(game, P, "replace", lots={"asuncion": ["py_inf_01"]})
    assert game.pos.reduced == []


@pytest.mark.clause("12.2")
def test_a_strategic_space_once_taken_is_lost_for_good() -> None:
    taken = play({"phase": "paraguayan_movement", "clear": True, "units": {"py_inf_01": "corumba"},
                  "decks": {P: ["P02", "P12", "P16"]}}, [0])
    march(taken, P, "py_inf_01", "corumba", "cuiaba")
    assert taken.pos.strategic("brazil") == ["porto_alegre", "rio_grande"]
    assert last(taken, "strategic_lost") == {"at": "cuiaba"}
    assert rows(taken, "strategic") == {"paraguay": 2, "brazil": 2, "argentina": 2}
    back = recovery(A, lost_strategic=["cuiaba"], units={"br_inf_01": "cuiaba"}, reduced=["br_inf_01"])
    assert groups(back, A, "reinforce")["reserve_brazil"]["where"] == ["porto_alegre", "rio_grande"]
    assert "replace" not in forms(back, A)


@pytest.mark.clause("12.2", "14")
def test_argentina_out_of_the_war_gets_nothing() -> None:
    neutral = {s: "neutral" for s, d in data().files["map"]["spaces"].items() if d["country"] == "argentina"}
    game = recovery(A, argentina="out", control=neutral, fortresses={})
    assert set(groups(game, A, "reinforce")) == {"reserve_brazil"}


@pytest.mark.clause("12.2", "15")
def test_uruguay_has_no_strategic_space() -> None:
    assert set(rows(recovery(A), "strategic")) == {"argentina", "brazil", "paraguay"}


@pytest.mark.clause("12.2")
def test_nobody_has_to_take_what_he_may() -> None:
    game = recovery(P)
    end(game, P)
    assert game.pos.turn == 2
