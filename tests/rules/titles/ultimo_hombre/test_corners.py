"""Where two rules meet: cards and conquests, leaders and fugitives, rivers, neutral spaces, options together."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    at,
    attack,
    choose,
    data,
    end,
    forms,
    groups,
    last,
    lead,
    line_up,
    lots,
    march,
    new_game,
    options,
    play,
    reach,
    refused,
    ship,
    take,
    told,
    units,
    use,
)

ON = {"phase": "allied_movement", "clear": True, "fortresses": {}, "decks": {A: ["A04", "A17"]}}
ARGENTINA = {s: "neutral" for s, d in data().files["map"]["spaces"].items() if d["country"] == "argentina"}
WALK = {"leaders": True}


# -- what a conquest brings, and in which order (11, 13, 16) ---------------------------------------------------


@pytest.mark.clause("11", "13", "16")
def test_capital_v_wins_before_its_card_ends_the_game() -> None:
    """Villarrica has a card, and it would be the last of the deck; Paraguay leads on points."""
    game = play({**ON, "capital": "villarrica", "capitals_used": 4, "decks": {A: ["A24"]}, "vp": {A: 0, P: 40},
                 "units": {"br_inf_01": "piribebuy"}})
    march(game, A, "br_inf_01", "piribebuy", "villarrica")
    assert game.pos.result is not None
    assert (game.pos.result["key"], game.pos.result["winner"]) == ("result.capital", A)


@pytest.mark.clause("11", "12.3", "13", "16")
def test_the_points_of_a_capital_count_before_its_card_ends_the_game() -> None:
    game = play({**ON, "capital": "villarrica", "capitals_used": 3, "decks": {A: ["A17"]}, "vp": {A: 0, P: 5},
                 "units": {"br_inf_01": "piribebuy"}}, [0])
    march(game, A, "br_inf_01", "piribebuy", "villarrica")
    choose(game, P, "cerro_cora")
    assert game.pos.vp == {A: 1 + 4, P: 5}  # Villarrica, capital IV; the last card has no points
    assert game.pos.result is not None
    assert (game.pos.result["key"], game.pos.result["winner"]) == ("result.last_card", A)


@pytest.mark.clause("14", "16")
def test_buenos_aires_wins_the_war_even_if_mitre_is_taken_in_it() -> None:
    game = play({**ON, "phase": "paraguayan_movement", "leaders": {"mitre": "buenos_aires"}, "reduced": ["ar_gn_1"],
                 "units": {"ar_gn_1": "buenos_aires", "py_inf_01": "rosario"}}, [MISS, HIT])
    attack(game, P, "buenos_aires", {"rosario": "py_inf_01"})
    assert game.pos.result == {"winner": P, "key": "result.prize", "args": {"at": "buenos_aires"}, "clause": "16"}


# -- battles: leaders, fugitives, rivers (7, 8, 10, 14) --------------------------------------------------------


@pytest.mark.clause("10", "14")
def test_vanished_attackers_who_came_over_the_river_leave_no_trace() -> None:
    game = play({**ON, "reduced": ["ar_inf_01"], "units": {
        "ar_inf_01": "itapiru", "py_inf_01": "tuyuti", "ar_inf_02": "villa_franca", "br_inf_01": "pilar",
        "py_inf_02": "san_fernando", "py_inf_03": "san_fernando"}}, [MISS, HIT])
    lead(game, A, mitre="tuyuti", caxias="san_fernando")
    march(game, A, "ar_inf_01", "itapiru", "tuyuti")
    march(game, A, "ar_inf_02", "villa_franca", "san_fernando")
    march(game, A, "br_inf_01", "pilar", "san_fernando")
    end(game, A)
    choose(game, A, "tuyuti")
    assert last(game, "battle_began")["order"] == "order.attacker_first"
    assert game.pos.attacks["san_fernando"]["blue"] == []


@pytest.mark.clause("8", "10", "14")
def test_both_wiped_out_beside_fugitives_their_leader_is_captured_all_the_same() -> None:
    """Tuyutí's garrison and Resquín flee to San Fernando; its own garrison and the attackers destroy each other."""
    game = play({**ON, "control": {"itapiru": A, "curupayti": A, "humaita": P}, "reduced": ["br_inf_02"],
                 "leaders": {"diaz": "humaita", "resquin": "tuyuti"}, "in_use": {A: "A16"},
                 "units": {"br_inf_01": "itapiru", "py_inf_01": "tuyuti", "br_inf_02": "curupayti",
                           "py_ninos": "humaita"}}, [MISS, MISS, MISS])
    lead(game, A, caxias="tuyuti", osorio="humaita")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    march(game, A, "br_inf_02", "curupayti", "humaita")
    end(game, A)
    choose(game, A, "tuyuti")
    choose(game, A, "stay")
    game.dice.extend([HIT, HIT, 0])
    choose(game, P, "humaita")
    assert game.pos.units_of(P, "humaita") == ["py_inf_01"]
    assert game.pos.leaders["diaz"] == game.pos.leaders["osorio"] == "out"
    assert game.pos.leaders["resquin"] == "humaita"
    assert game.pos.controller("humaita") == P


@pytest.mark.clause("8", "15")
def test_fugitives_do_not_bind_those_who_retreat() -> None:
    """A Blanco who fled into Salto may not leave Uruguay; its garrison may."""
    game = play({**ON, "earned": ["paysandu"], "control": {
        "livramento": P, "melo": A, "colonia": A, "durazno": A}, "units": {
        "br_inf_01": "colonia", "ub_inf_1": "paysandu", "br_inf_02": "uruguaiana", "py_inf_01": "salto"}},
                [MISS, MISS])
    lead(game, A, caxias="paysandu", osorio="salto")
    march(game, A, "br_inf_01", "colonia", "paysandu")
    march(game, A, "br_inf_02", "uruguaiana", "salto")
    end(game, A)
    choose(game, A, "paysandu")
    game.dice.extend([MISS, MISS])
    choose(game, P, "salto")
    assert options(game, P) == ["stay", "livramento"]


@pytest.mark.clause("8", "14")
def test_nobody_retreats_to_attackers_whose_enemy_has_vanished() -> None:
    """With Argentina the garrison of Humaitá is gone; the Paraguayans in it still wait for their battle."""
    game = play({**ON, "phase": "paraguayan_movement", "decks": {P: ["P10", "P16"]}, "reduced": ["ar_inf_01"],
                 "leaders": {"mitre": "itapiru"}, "control": {"humaita": A, "curupayti": P}, "units": {
                     "ar_inf_01": "itapiru", "py_inf_01": "curupayti", "ar_inf_02": "humaita", "py_inf_02": "pilar",
                     "br_inf_01": "tuyuti", "py_inf_03": "curupayti"}}, [MISS, HIT])
    lead(game, P, diaz="itapiru", resquin="humaita", caballero="tuyuti")
    march(game, P, "py_inf_01", "curupayti", "itapiru")
    march(game, P, "py_inf_02", "pilar", "humaita")
    march(game, P, "py_inf_03", "curupayti", "tuyuti")
    end(game, P)
    choose(game, P, "itapiru")
    game.dice.extend([MISS, MISS])
    choose(game, P, "tuyuti")
    game.dice.extend([MISS, MISS])
    choose(game, P, "stay")
    assert game.asked == (P,)  # again: Humaitá is the defender's by control alone, so he was not asked
    assert game.pos.controller("humaita") == A


@pytest.mark.clause("5", "8")
def test_attackers_who_go_back_to_a_space_filled_meanwhile_go_on() -> None:
    game = play({**ON, "units": {**at("itapiru", "br_inf_01", "br_inf_02"), **at("corrientes", units("ar_inf_", 6)),
                                 "py_inf_01": "tuyuti"}}, [MISS, MISS, MISS])
    lead(game, A, caxias="tuyuti")
    march(game, A, ["br_inf_01", "br_inf_02"], "itapiru", "tuyuti")
    march(game, A, units("ar_inf_", 5), "corrientes", "itapiru")
    end(game, A)
    line_up(game, A)
    choose(game, A, "retreat")
    assert lots(game, A)["excess"]["units"] == ["br_inf_01", "br_inf_02"]  # who stood there stays
    take(game, A, "br_inf_02")
    assert options(game, A) == ["corrientes", "san_cosme", "ytati"]
    game.dice.append(0)
    choose(game, A, "ytati")
    assert len(game.pos.units_of(A, "itapiru")) == 6
    assert game.pos.leaders["caxias"] == "itapiru"


@pytest.mark.clause("9", "10")
def test_a_fortress_stands_whole_when_both_sides_are_wiped_out() -> None:
    game = play({**ON, "fortresses": {"fort_humaita": "humaita"}, "in_use": {A: "A16"}, "reduced": ["br_inf_03"],
                 "units": {**at("curupayti", "br_inf_03"), "py_ninos": "humaita"}}, [HIT, MISS])
    attack(game, A, "humaita", {"curupayti": "br_inf_03"})
    assert game.pos.worn == ["fort_humaita"]
    game.dice.extend([MISS, HIT, 0])
    choose(game, A, "stay")
    choose(game, P, "stay")
    assert game.pos.units_of(P, "humaita") == ["py_ninos"]
    assert game.pos.worn == []


# -- neutral spaces, the first turn (3, 12.1, 14) --------------------------------------------------------------


@pytest.mark.clause("3", "14")
def test_a_transport_may_begin_in_a_neutral_space_but_not_pass_or_end_there() -> None:
    game = play({"phase": "paraguayan_transport", "clear": True, "argentina": "out", "fortresses": {},
                 "units": {"py_inf_01": "corrientes"}, "control": ARGENTINA})
    found = reach(game, P, "ship", "py_inf_01")["cost"]
    assert {"itapiru", "asuncion"} <= set(found)
    assert set(ARGENTINA).isdisjoint(found)
    ship(game, P, "py_inf_01", "corrientes", "itapiru", "curupayti")
    assert game.pos.at["py_inf_01"] == "curupayti"


@pytest.mark.clause("6", "12.1")
def test_mitre_may_lead_others_before_his_war() -> None:
    game = new_game()
    end(game, A)
    lead(game, A, mitre="paysandu")
    assert game.pos.leaders["mitre"] == "paysandu"


@pytest.mark.clause("12.1", "17.5")
def test_the_cavalry_of_the_treaty_waits_for_the_war_too() -> None:
    game = new_game(treaty=True)
    assert not {"ytati", "apipe"} & set(forms(game, A)["ship"]["stacks"])
    end(game, A)
    assert not {"san_cosme", "ytati", "apipe"} & set(forms(game, A)["move"]["stacks"])


# -- optional rules together (17) ------------------------------------------------------------------------------


@pytest.mark.clause("17.1", "4")
def test_a_leader_who_joins_his_troops_may_walk_on_with_them() -> None:
    game = play({**ON, "units": {"br_inf_01": "sao_gabriel", "py_inf_01": "bage"}}, [MISS, MISS], WALK)
    lead(game, A, osorio="sao_gabriel")
    march(game, A, ["br_inf_01", "osorio"], "sao_gabriel", "bage")
    end(game, A)
    assert game.pos.leaders["osorio"] == "bage"
    assert last(game, "battle_began")["at"] == "bage"


@pytest.mark.clause("17.1", "14")
def test_neutral_ground_is_safe_for_a_leader_alone() -> None:
    game = play({**ON, "argentina": "out", "control": ARGENTINA, "units": {"br_inf_01": "uruguaiana"},
                 "leaders": {"osorio": "uruguaiana", "mitre": "out"}}, options=WALK)
    march(game, A, "osorio", "uruguaiana", "yatay", "concordia")
    assert not told(game, "leader_risked")
    assert game.pos.leaders["osorio"] == "concordia"


@pytest.mark.clause("17.1", "17.2")
def test_a_brazilian_leader_takes_the_long_road_like_a_brazilian_unit() -> None:
    both = {"leaders": True, "mato_grosso": True}
    game = play({**ON, "phase": "allied_transport", "units": at("rio_grande", "br_inf_01", "uc_florida"),
                 "leaders": {"osorio": "rio_grande", "flores": "rio_grande", "mitre": "rio_grande"}}, options=both)
    assert "cuiaba" in reach(game, A, "ship", ["br_inf_01", "osorio"])["cost"]
    for other in ("flores", "mitre"):
        assert "cuiaba" not in reach(game, A, "ship", other)["cost"]
    ship(game, A, ["br_inf_01", "osorio"], "rio_grande", "cuiaba")
    assert game.pos.leaders["osorio"] == game.pos.at["br_inf_01"] == "cuiaba"
    assert game.pos.reduced == ["br_inf_01"]


@pytest.mark.clause("17.2", "3")
def test_where_the_rivers_are_open_others_still_go_by_them_and_not_by_the_road() -> None:
    rivers = {s: A for s, d in data().files["map"]["spaces"].items() if d["main_river"]}
    game = play({**ON, "phase": "allied_transport", "control": rivers, "uruguay": "flipped", "capital": "luque",
                 "units": at("rio_grande", "br_inf_01", "uc_florida")}, options={"mato_grosso": True})
    assert "cuiaba" in reach(game, A, "ship", "uc_florida")["cost"]
    assert refused(game, A, "ship", units=["uc_florida"], path=["rio_grande", "cuiaba"]) == ("no_water", "3")


@pytest.mark.clause("17.1", "17.3")
def test_the_chaco_slows_units_but_no_leader() -> None:
    game = play({**ON, "units": {"br_inf_01": "andai"}, "leaders": {"osorio": "andai"}},
                options={"leaders": True, "chaco": True})
    assert {u["id"]: u["left"] for u in forms(game, A)["move"]["stacks"]["andai"]} == {"br_inf_01": 1, "osorio": 6}
    assert reach(game, A, "move", ["br_inf_01", "osorio"])["left"] == 1


# -- cards (12.1, 16) ------------------------------------------------------------------------------------------


@pytest.mark.clause("16", "12.1")
def test_cards_held_over_count_when_the_other_deck_runs_out() -> None:
    game = use("A03", [0], decks={A: ["A17", "A24", "A18", "A19"], P: ["P16"]})
    choose(game, A, "salto")
    assert game.pos.late[A] == ["A24"]
    before = game.pos.vp[A]
    game.dice.append(0)
    end(game, A)
    end(game, P)
    assert game.pos.result is not None
    assert game.pos.result["key"] == "result.last_card"
    assert game.pos.vp[A] == before + 1
    assert game.pos.late[A] == []


@pytest.mark.clause("12.2")
def test_a_special_unit_is_made_full_on_a_strategic_space_of_its_nation() -> None:
    game = play({"phase": "paraguayan_restore", "clear": True, "decks": {P: ["P10", "P16", "P02"]},
                 "units": at("asuncion", "py_batallon_40", "ub_inf_1"), "uruguay": "flipped",
                 "control": {"montevideo": A}, "reduced": ["py_batallon_40", "ub_inf_1"]}, [0])
    choose(game, P, "P10")
    assert lots(game, P, "replace")["asuncion"]["units"] == ["py_batallon_40"]
    assert "asuncion" in groups(game, P, "reinforce")["reserve_paraguay"]["where"]
