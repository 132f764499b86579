"""What a third reading of the rulebook beside the code found: leaders alone, full spaces, what is told and refused."""

from typing import Any

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    answer,
    at,
    attack,
    both_line_up,
    choose,
    end,
    groups,
    last,
    lead,
    march,
    options,
    play,
    preview,
    prompt,
    refused,
    ship,
    take,
    told,
    use,
    view,
)

WALK = {"leaders": True}
BODY = {"phase": "allied_movement", "clear": True, "fortresses": {}, "decks": {A: ["A04", "A17", "A24"]}}
RIVER = ["puerto_esperanza", "fuerte_olimpo", "concepcion", "villa_del_rosario", "asuncion", "villeta", "villa_franca",
         "pilar", "humaita", "curupayti", "itapiru"]  # fmt: skip


# -- leaders who stand alone (17.1) --------------------------------------------------------------------------


@pytest.mark.clause("17.1", "14")
def test_a_lone_leader_escapes_when_enemy_units_only_go_through() -> None:
    game = play({**BODY, "phase": "paraguayan_movement", "decks": {P: ["P10", "P12", "P16"]},
                 "units": {"br_inf_01": "bage", "py_cav_01": "livramento"}, "leaders": {"osorio": "alegrete"}},
                options=WALK)  # fmt: skip
    march(game, P, "py_cav_01", "livramento", "alegrete", "sao_gabriel")
    assert game.pos.leaders["osorio"] == "box"
    assert last(game, "leader_returned") == {"leader": "osorio", "at": "alegrete"}
    assert told(game, "leader_returned")[0]["clause"] == "17.1"
    assert not told(game, "leader_captured")


@pytest.mark.clause("17.1", "3")
def test_a_lone_leader_escapes_when_enemy_units_are_shipped_through() -> None:
    game = play({**BODY, "phase": "allied_transport", "units": {"br_inf_01": "corrientes", "py_inf_01": "luque"},
                 "control": {"itapiru": A}, "leaders": {"diaz": "itapiru", "caxias": "corrientes"}},
                options=WALK)  # fmt: skip
    ship(game, A, "caxias", "corrientes", "itapiru")  # a leader alone frightens nobody
    assert game.pos.leaders["diaz"] == "itapiru"
    ship(game, A, "br_inf_01", "corrientes", "itapiru", "ytati")
    assert game.pos.leaders["diaz"] == "box"


@pytest.mark.clause("17.1", "12.2")
def test_a_lone_leader_escapes_when_a_reinforcement_comes() -> None:
    game = use("P12", options=WALK, units={"br_inf_01": "bage"}, leaders={"osorio": "asuncion"})
    assert game.pos.leaders["osorio"] == "asuncion"
    answer(game, P, "reinforce", placed={"py_inf_20": "asuncion"})
    assert game.pos.leaders["osorio"] == "box"


@pytest.mark.clause("17.1")
def test_from_his_box_a_leader_does_not_go_by_himself_into_a_battle() -> None:
    game = play({**BODY, "units": {"br_inf_01": "itapiru", "br_inf_02": "goya", "py_inf_01": "tuyuti"},
                 "leaders": {"caxias": "itapiru"}}, options=WALK)  # fmt: skip
    march(game, A, ["br_inf_01", "caxias"], "itapiru", "tuyuti")
    assert groups(game, A, "leaders")["osorio"]["where"] == ["goya"]
    assert refused(game, A, "leaders", placed={"osorio": "tuyuti"}) == ("leader_alone", "17.1")


@pytest.mark.clause("6")
def test_a_leader_is_not_put_where_he_is() -> None:
    game = play({**BODY, "units": {"br_inf_01": "itapiru"}, "leaders": {"caxias": "itapiru"}})
    assert refused(game, A, "leaders", placed={"caxias": "itapiru"}) == ("leader_is_there", "6")
    assert refused(game, A, "leaders", placed={"osorio": "box"}) == ("leader_is_there", "6")
    assert refused(game, A, "leaders", placed={"osorio": "goya"}) == ("nobody_to_lead", "6")


@pytest.mark.clause("17.1")
def test_a_ride_is_told_as_far_as_it_comes() -> None:
    game = play({**BODY, "units": {"br_inf_01": "jaguarao"}, "leaders": {"osorio": "bage"}}, [5, 6], WALK)
    march(game, A, "osorio", "bage", "jaguarao", "melo", "durazno", "colonia")
    assert [step["data"]["path"] for step in told(game, "marched")] == [
        ["bage", "jaguarao", "melo"], ["melo", "durazno"]]  # fmt: skip
    assert last(game, "leader_captured")["at"] == "durazno"


@pytest.mark.clause("17.1", "14")
def test_who_is_left_among_enemies_by_mitres_capture_goes_home_at_once() -> None:
    """Caxias led Argentines into Humaitá; they vanish with Mitre, and he holds no battle open for others."""
    game = play({**BODY, "units": {"ar_inf_01": "goya", "br_inf_01": "corrientes", "py_inf_01": "humaita",
                                   "ar_inf_02": "tuyuti", "br_inf_02": "san_fernando"},
                 "leaders": {"mitre": "corrientes", "caxias": "tuyuti"}}, [6], WALK)  # fmt: skip
    march(game, A, ["ar_inf_02", "caxias"], "tuyuti", "humaita")
    march(game, A, "mitre", "corrientes", "itapiru")
    assert game.pos.argentina == "out"
    assert game.pos.leaders["caxias"] == "box"
    assert refused(game, A, "move", units=["br_inf_02"], path=["san_fernando", "humaita"]) == ("no_leader", "6")


# -- full spaces (5, 12.1) -----------------------------------------------------------------------------------


@pytest.mark.clause("5", "12.1")
def test_p15_a_unit_of_a_full_space_goes_on_though_another_has_had_its_one() -> None:
    """Asunción, the capital too, is full and Cerro León takes one: the other goes next to Asunción."""
    full = at("asuncion", *(f"py_inf_0{n}" for n in range(1, 7)))
    game = use("P15", units={**full, "py_inf_20": "reserve", "py_inf_21": "reserve"})
    take(game, P, "py_inf_20")
    assert game.pos.at["py_inf_20"] == "cerro_leon"
    take(game, P, "py_inf_21")
    assert options(game, P) == ["luque", "villa_del_rosario", "villa_occidental", "villeta"]
    choose(game, P, "luque")
    assert game.pos.at["py_inf_21"] == "luque"


@pytest.mark.clause("5", "12.1")
def test_p15_both_full_they_go_to_two_spaces() -> None:
    full = {**at("asuncion", *(f"py_inf_0{n}" for n in range(1, 7))),
            **at("cerro_leon", *(f"py_cav_0{n}" for n in range(1, 7)))}  # fmt: skip
    game = use("P15", units={**full, "py_inf_20": "reserve", "py_inf_21": "reserve"})
    take(game, P, "py_inf_20")
    assert {"luque", "paraguari"} <= set(options(game, P))
    choose(game, P, "luque")
    take(game, P, "py_inf_21")
    assert "luque" not in options(game, P)
    assert "paraguari" in options(game, P)


@pytest.mark.clause("5", "12.1")
def test_a_card_is_refused_a_full_space_for_its_limit() -> None:
    game = use("A14", units=at("rio_grande", *(f"br_inf_0{n}" for n in range(1, 7))), lost_strategic=[])
    assert game.pos.at["br_zuavos"] == "porto_alegre"
    game = use("P02", units=at("luque", *(f"py_inf_0{n}" for n in range(1, 7))))
    assert refused(game, P, option="luque") == ("too_many", "5")
    assert refused(game, P, option="corrientes") == ("card_not_there", "12.1")


# -- refusals name their clause ------------------------------------------------------------------------------


@pytest.mark.clause("12.1", "3")
def test_p12_water_behind_the_torpedoes_is_shut_by_the_card() -> None:
    body = {**BODY, "phase": "allied_transport", "units": {"br_inf_01": "cuiaba", "br_inf_02": "santo_tome"},
            "control": dict.fromkeys(RIVER, A), "capital": "piribebuy", "capitals_used": 1}  # fmt: skip
    way = ["cuiaba", "corumba", "coimbra", *RIVER, "corrientes"]
    game = play({**body, "in_use": {P: "P12"}})
    answered: Any = game.pending[A].form("ship")
    assert answered.why(["br_inf_02"], {}, "cuiaba").clause == "12.1"
    assert answered.why(["br_inf_02"], {}, "rio_grande").clause == "3"  # not by the card: Uruguay lies between
    other = play({**body, "units": {"br_inf_01": "corrientes"}, "in_use": {P: "P12"}})
    assert refused(other, A, "ship", units=["br_inf_01"], path=way[::-1]) == ("card_shuts_water", "12.1")
    free = play(body)
    ship(free, A, "br_inf_01", *way)
    assert free.pos.at["br_inf_01"] == "corrientes"


@pytest.mark.clause("3", "14")
def test_neutral_water_carries_nobody_by_clause_14() -> None:
    game = play({**BODY, "phase": "allied_transport", "argentina": "out", "uruguay": "flipped",
                 "units": {"br_inf_01": "montevideo"}})  # fmt: skip
    for way in (["buenos_aires"], ["buenos_aires", "colonia"]):
        assert refused(game, A, "ship", units=["br_inf_01"], path=["montevideo", *way]) == ("neutral_water", "14")


# -- what is told --------------------------------------------------------------------------------------------


@pytest.mark.clause("9")
def test_the_fall_of_a_fortress_with_its_space_is_told() -> None:
    forts = {"fort_paysandu": "paysandu", "fort_montevideo": "montevideo"}
    game = play({**BODY, "fortresses": forts, "units": {"br_inf_01": "maldonado"}, "control": {"maldonado": A},
                 "decks": {A: [f"A{n:02}" for n in range(1, 20)]}}, [0] * 6)  # fmt: skip
    march(game, A, "br_inf_01", "maldonado", "montevideo")
    fallen = [(step["data"]["fort"], step["clause"]) for step in told(game, "fort_fell")]
    assert fallen == [("fort_montevideo", "9"), ("fort_paysandu", "9")]  # the one entered, the other at the flip


@pytest.mark.clause("9")
def test_a_fortress_made_good_is_told() -> None:
    game = play({**BODY, "fortresses": {"fort_humaita": "humaita"},
                 "units": {"br_engenheiros": "tuyuti", "py_inf_03": "humaita"}}, [MISS, HIT])  # fmt: skip
    attack(game, A, "humaita", {"tuyuti": "br_engenheiros"})
    both_line_up(game)
    game.dice.extend([HIT, 0])
    choose(game, P, "stay")
    assert last(game, "fort_restored") == {"fort": "fort_humaita", "at": "humaita"}


@pytest.mark.clause("12.1")
def test_argentinas_entry_into_the_war_is_told() -> None:
    game = play({"argentina": "not_yet", "phase": "allied_restore", "hands": {A: ["A04"]},
                 "decks": {A: ["A17", "A22"]}}, [0])  # fmt: skip
    choose(game, A, "A04")
    assert not told(game, "argentina_at_war")
    end(game, A)
    assert [step["side"] for step in told(game, "argentina_at_war")] == [None]


@pytest.mark.clause("12.1")
@pytest.mark.parametrize("card", ["A05", "A12", "A17", "A19", "A21", "P06", "P07", "P09"])
def test_what_a_card_cannot_do_is_told(card: str) -> None:
    game = use(card, fortresses={}, argentina="out", control={"fuerte_timbo": A, "villeta": A})
    assert last(game, "effect_lost")["title"] == f"card.{card}.title"


@pytest.mark.clause("12.1")
def test_nothing_is_told_of_what_a_card_has_done() -> None:
    assert not told(use("P16", units={"py_inf_01": "luque"}, reduced=["py_inf_01"]), "effect_lost")


@pytest.mark.clause("6")
def test_a_leader_who_is_home_for_want_of_troops_is_told_by_clause_6() -> None:
    game = play({**BODY, "units": {"br_inf_01": "itapiru"}, "decks": {A: ["A04", "A17"]}}, [0])
    lead(game, A, osorio="itapiru")
    march(game, A, "br_inf_01", "itapiru", "corrientes")
    end(game, A)
    assert told(game, "leader_returned")[0]["clause"] == "6"


@pytest.mark.clause("6")
def test_the_log_says_which_leader_went_where() -> None:
    game = play({**BODY, "units": {"br_inf_01": "itapiru", "br_inf_02": "goya"}, "leaders": {"caxias": "goya"}})
    lead(game, A, caxias="box", osorio="itapiru")
    assert last(game, "leaders_placed")["placed"] == [
        {"key": "note.leader_home", "args": {"leader": "caxias"}},
        {"key": "note.leader_at", "args": {"leader": "osorio", "at": "itapiru"}}]  # fmt: skip


@pytest.mark.clause("14")
def test_a_captured_leader_lies_with_what_is_out_of_the_game() -> None:
    game = play({**BODY, "units": {"br_inf_01": "jaguarao"}, "leaders": {"osorio": "bage"}}, [6], WALK)
    march(game, A, "osorio", "bage", "jaguarao", "melo")
    out = view(game, P)[f"pool:dead:{A}"]["units"]
    assert out[-1] == {"id": "osorio", "badges": [], "kind": "leader"}


@pytest.mark.clause("16")
def test_cards_counted_at_the_end_lie_in_the_order_of_their_numbers() -> None:
    game = play({"phase": "allied_restore", "hands": {A: ["A24", "A04"]}, "decks": {A: ["A10"]}}, [0])
    assert last(game, "hand_counted")["cards"] == ["A04", "A10", "A24"]


# -- refusals of a retreat, previews, the first turn ---------------------------------------------------------


@pytest.mark.clause("8", "15")
def test_a_retreat_is_refused_with_its_reason() -> None:
    blancos = play({**BODY, "units": {"br_inf_01": "livramento", "ub_cav_1": "salto"}, "control": {"uruguaiana": P}},
                   [MISS, MISS])  # fmt: skip
    attack(blancos, A, "salto", {"livramento": "br_inf_01"})
    both_line_up(blancos)
    assert blancos.asked == (P,)
    assert refused(blancos, P, option="uruguaiana") == ("stays_in_uruguay", "15")
    assert refused(blancos, P, option="livramento") == ("stays_in_uruguay", "15")
    assert refused(blancos, P, option="colonia") == ("no_haven", "8")  # not next to it
    assert "paysandu" in options(blancos, P)


@pytest.mark.clause("12.1", "17.1")
def test_a_planned_march_counts_the_leader_who_walks_along() -> None:
    game = play({**BODY, "in_use": {A: "A07"}, "units": {"br_inf_01": "itapiru", "py_inf_01": "tuyuti"},
                 "leaders": {"caxias": "itapiru"}}, options=WALK)  # fmt: skip
    with_him = preview(game, A, "move", units=["br_inf_01", "caxias"], path=["itapiru", "tuyuti"])["effect"]["attacks"][
        0
    ]
    assert with_him["attack"] == 3 + 1


@pytest.mark.clause("12.1", "5")
def test_a01_with_buenos_aires_full_goes_next_door_on_the_first_turn_too() -> None:
    full = at("buenos_aires", *(f"ar_inf_0{n}" for n in range(1, 7)))
    game = use("A01", turn=1, argentina="not_yet", units=full)
    assert options(game, A) == ["concepcion_del_uruguay", "rosario"]
    choose(game, A, "rosario")
    assert game.pos.at["ar_legion_militar"] == "rosario"


@pytest.mark.clause("13")
def test_a_government_may_come_back_to_asuncion() -> None:
    """Asunción fell and was retaken, then capital II fell: III may lie in Asunción again."""
    game = play({**BODY, "units": {"br_inf_01": "cerro_leon"}, "capital": "piribebuy", "capitals_used": 1,
                 "lost_strategic": ["asuncion"], "earned": ["asuncion"]})  # fmt: skip
    march(game, A, "br_inf_01", "cerro_leon", "piribebuy")
    choose(game, P, "asuncion")
    assert (game.pos.capital, game.pos.capitals_used) == ("asuncion", 2)
    again = play({**BODY, "capital": "asuncion", "capitals_used": 2, "units": {"br_inf_01": "bage"}})
    assert again.pos.capital == "asuncion"


@pytest.mark.clause("8")
def test_a_leader_who_retreats_with_the_defenders_is_told() -> None:
    game = play({**BODY, "units": {"br_inf_01": "tuyuti", "py_inf_03": "humaita"}, "leaders": {"diaz": "humaita"}},
                [MISS, MISS])  # fmt: skip
    attack(game, A, "humaita", {"tuyuti": "br_inf_01"})
    both_line_up(game)
    game.dice.extend([0, 0])
    choose(game, P, "pilar")
    assert last(game, "leader_moved") == {"leader": "diaz", "at": "pilar"}


@pytest.mark.clause("17.1", "12.1")
def test_a_lone_leader_escapes_before_the_card_goes_on() -> None:
    """A25 brings two units to Uruguay: Díaz, alone in Colonia, is gone when the second is asked for."""
    game = use("A25", options=WALK, control={"colonia": A, "melo": A}, leaders={"diaz": "colonia"})
    choose(game, A, "colonia")
    assert prompt(game, A) == "card_unit"
    assert game.pos.leaders["diaz"] == "box"


@pytest.mark.clause("7")
def test_an_empty_field_is_held_by_nobody() -> None:
    game = play({**BODY, "units": {"br_inf_01": "villa_franca", "py_ninos": "san_fernando"}, "reduced": ["br_inf_01"]},
                [HIT, HIT, 0])  # fmt: skip
    attack(game, A, "san_fernando", {"villa_franca": "br_inf_01"})
    assert [(step["side"], step["data"]) for step in told(game, "field_empty")] == [(None, {"at": "san_fernando"})]
    assert not told(game, "battle_ended")


@pytest.mark.clause("8")
def test_it_is_told_who_takes_no_part_in_a_battle_to_come() -> None:
    game = play({**BODY, "control": {"curupayti": A, "itapiru": A, "san_fernando": A},
                 "units": {"br_inf_01": "itapiru", "br_inf_02": "san_fernando", "py_inf_01": "tuyuti",
                           "py_inf_02": "humaita"}, "reduced": ["py_inf_02"]},
                [MISS, MISS, MISS])  # fmt: skip
    lead(game, A, caxias="tuyuti", osorio="humaita")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    march(game, A, "br_inf_02", "san_fernando", "humaita")
    end(game, A)
    choose(game, A, "tuyuti")
    choose(game, A, "stay")
    game.dice.extend([MISS, HIT, 0, 0])
    choose(game, P, "humaita")
    assert last(game, "fled_into_battle") == {"at": "humaita"}
