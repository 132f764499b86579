"""12.1 The Allied event cards, each by its effect."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    Play,
    answer,
    at,
    attack,
    both_line_up,
    choose,
    data,
    end,
    forms,
    groups,
    last,
    line_up,
    lots,
    march,
    new_game,
    options,
    play,
    prompt,
    reach,
    refused,
    ship,
    shots,
    take,
    told,
    units,
    use,
)

ON = {"phase": "allied_movement", "clear": True, "fortresses": {}, "decks": {A: ["A17", "A22", "A24"]}}
COUNTRY = ["colonia", "durazno", "maldonado", "melo", "montevideo", "paysandu", "salto"]


def fight(card: str, target: str, origin: str, attackers: list[str], defenders: list[str], dice: list[int],
          **body: object) -> Play:
    """An Allied attack with a card in use."""
    side = A if card.startswith("A") else P
    there = {**at(origin, attackers), **at(target, defenders)}
    game = play({**ON, "in_use": {side: card}, "units": there, **body}, dice)
    attack(game, A, target, {origin: attackers})
    both_line_up(game)
    return game


def factors(game: Play) -> list[int]:
    return [step["data"]["factor"] for step in told(game, "shot")]


@pytest.mark.clause("1", "12.1")
def test_a00_initial_card() -> None:
    game = new_game()
    assert game.pos.in_use[A] == "A00"
    assert game.pos.argentina == "not_yet"
    assert not [u for us in forms(game, A)["ship"]["stacks"].values() for u in us if u["id"].startswith("ar_")]


@pytest.mark.clause("12.1")
def test_a01_legion_militar_comes_to_buenos_aires_even_on_the_first_turn() -> None:
    game = use("A01", argentina="not_yet")
    assert game.pos.at["ar_legion_militar"] == "buenos_aires"
    assert game.pos.vp[A] == 1


@pytest.mark.clause("12.1", "14")
def test_a01_not_when_argentina_is_out() -> None:
    neutral = {s: "neutral" for s, d in data().files["map"]["spaces"].items() if d["country"] == "argentina"}
    game = use("A01", argentina="out", control=neutral, fortresses={}, units={"ar_legion_militar": "dead"})
    assert game.pos.at["ar_legion_militar"] == "dead:allied"
    assert last(game, "unit_not_placed")["unit"] == "ar_legion_militar"


@pytest.mark.clause("12.1")
def test_a02_two_volunteer_corps_together_or_apart() -> None:
    game = use("A02")
    assert options(game, A) == ["porto_alegre", "rio_grande"]
    choose(game, A, "porto_alegre")
    choose(game, A, "rio_grande")
    assert (game.pos.at["br_vp_1"], game.pos.at["br_vp_2"]) == ("porto_alegre", "rio_grande")


@pytest.mark.clause("12.1", "5")
def test_a02_full_cities_send_them_to_the_nearest_own_space() -> None:
    game = use("A02", units={**at("rio_grande", units("br_inf_", 6)), **at("porto_alegre", units("br_inf_", 12)[6:])})
    assert options(game, A) == ["bage", "jaguarao", "rio_pardo"]


@pytest.mark.clause("12.1", "11")
def test_a03_two_colorado_units_land_together_and_take_the_space() -> None:
    game = use("A03", [0], units={"ub_inf_1": "montevideo"})
    assert "montevideo" not in options(game, A)
    assert {"salto", "jaguarao", "melo"} <= set(options(game, A))
    choose(game, A, "melo")
    assert game.pos.units_of(A, "melo") == ["uc_escolta", "uc_florida"]
    assert game.pos.controller("melo") == A
    assert len(game.pos.late[A]) == 1


@pytest.mark.clause("12.1", "5")
def test_a03_needs_room_for_both() -> None:
    game = use("A03", units=at("jaguarao", units("br_inf_", 5)))
    assert "jaguarao" not in options(game, A)


@pytest.mark.clause("12.1", "3")
def test_a04_paraguay_may_not_transport() -> None:
    game = play({"phase": "paraguayan_transport", "clear": True, "in_use": {A: "A04"},
                 "units": {"py_inf_01": "asuncion"}})
    assert game.pos.stage == "paraguayan_movement"  # there is nothing to ship, so the phase is over
    assert not [entry for entry in game.log if entry.kind == "answer" and not entry.forced]


@pytest.mark.clause("12.1")
def test_a05_an_argentine_unit_beyond_the_normal_ones() -> None:
    game = use("A05")
    assert prompt(game, A) == "extra_reinforcement"
    take(game, A, "ar_inf_07")
    choose(game, A, "santa_fe")
    assert game.pos.at["ar_inf_07"] == "santa_fe"
    assert "santa_fe" in groups(game, A, "reinforce")["reserve_argentina"]["where"]
    assert prompt(use("A05", argentina="not_yet"), A) == "reinforce"


@pytest.mark.clause("12.1", "12.2")
def test_a06_one_paraguayan_strategic_space_does_nothing() -> None:
    game = play({"phase": "paraguayan_restore", "clear": True, "in_use": {A: "A06"}, "units": {"py_inf_01": "asuncion"},
                 "reduced": ["py_inf_01"], "decks": {P: ["P10", "P16", "P02"]}}, [0])
    choose(game, P, "P10")
    assert refused(game, P, "reinforce", placed={"py_inf_20": "asuncion", "py_inf_21": "cerro_leon"}) == (
        "spaces_shut", "12.1")
    answer(game, P, "reinforce", placed={"py_inf_20": "cerro_leon"})  # which one is his choice
    assert set(forms(game, P)) == {"end_restore"}
    assert game.pos.reduced == ["py_inf_01"]


@pytest.mark.clause("12.1", "7")
def test_a07_infantry_with_caxias_hits_better_in_the_first_round() -> None:
    game = fight("A07", "tuyuti", "itapiru", ["br_inf_01", "br_cav_01"], ["py_inf_01", "py_inf_02"], [MISS] * 4)
    assert factors(game)[:2] == [4, 2]  # infantry 3 + 1, cavalry as it is
    game.dice.extend([MISS, MISS])
    choose(game, A, "stay")
    assert factors(game)[4:] == [3, 2]


@pytest.mark.clause("12.1", "7")
def test_a07_another_leader_does_not_do() -> None:
    game = play({**ON, "in_use": {A: "A07"}, "units": {"br_inf_01": "itapiru", "py_inf_01": "tuyuti"}}, [MISS, MISS])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"}, "osorio")
    assert factors(game)[0] == 3


@pytest.mark.clause("12.1", "3")
def test_a08_ships_pass_two_enemy_spaces_even_occupied_ones() -> None:
    body = {"phase": "allied_transport", "clear": True, "in_use": {A: "A08"},
            "units": {"br_inf_01": "corrientes", "py_inf_01": "curupayti"}, "control": {"humaita": A}}
    game = play(body)
    assert "humaita" in reach(game, A, "ship", "br_inf_01")["cost"]
    assert "itapiru" not in reach(game, A, "ship", "br_inf_01")["cost"]  # it must end on a space of its own
    ship(game, A, "br_inf_01", "corrientes", "itapiru", "curupayti", "humaita")
    assert game.pos.controller("itapiru") == P
    assert "fort_curupayti" in game.pos.forts
    far = play({**body, "control": {"pilar": A}})
    assert "pilar" not in reach(far, A, "ship", "br_inf_01")["cost"]


@pytest.mark.clause("12.1", "3", "14")
def test_a08_opens_no_neutral_space() -> None:
    neutral = {s: "neutral" for s, d in data().files["map"]["spaces"].items() if d["country"] == "argentina"}
    game = play({"phase": "allied_transport", "clear": True, "argentina": "out", "in_use": {A: "A08"}, "fortresses": {},
                 "control": {**neutral, "colonia": A, "montevideo": A, "maldonado": A}, "earned": COUNTRY,
                 "uruguay": "flipped", "units": {"br_inf_01": "rio_grande"}})
    assert "colonia" in reach(game, A, "ship", "br_inf_01")["cost"]
    assert refused(
        game, A, "ship", units=["br_inf_01"], path=["rio_grande", "maldonado", "montevideo", "buenos_aires", "colonia"]
    ) == ("neutral_water", "14")


@pytest.mark.clause("12.1", "10")
def test_a09_engineers_and_the_road_out_of_the_chaco() -> None:
    game = use("A09")
    assert {"corrientes", "cuiaba"} <= set(options(game, A))
    assert "bage" not in options(game, A)
    choose(game, A, "corrientes")
    assert game.pos.at["br_engenheiros"] == "corrientes"
    chaco = fight("A09", "pilar", "andai", ["br_inf_01"], ["py_inf_01"], [MISS, MISS])
    assert last(chaco, "battle_began")["order"] == "order.simultaneous"
    other = fight("A09", "pilar", "san_fernando", ["br_inf_01"], ["py_inf_01"], [MISS, MISS])
    assert last(other, "battle_began")["order"] == "order.defender_first"
    mixed = play({**ON, "in_use": {A: "A09"}, "units": {"br_inf_01": "andai", "br_inf_02": "san_fernando",
                                                         "py_inf_01": "pilar"}})
    attack(mixed, A, "pilar", {"andai": "br_inf_01", "san_fernando": "br_inf_02"})
    assert last(mixed, "battle_began")["order"] == "order.defender_first"


@pytest.mark.clause("12.1", "7")
def test_a10_one_miss_a_battle_may_be_rolled_again() -> None:
    game = fight("A10", "tuyuti", "itapiru", ["br_inf_01", "br_inf_02"], ["py_inf_01", "py_inf_02"], [MISS])
    assert prompt(game, A) == "reroll"
    game.dice.extend([HIT, MISS, MISS, MISS])
    choose(game, A, "again")
    assert shots(game)[:3] == [("br_inf_01", "py_inf_01"), ("br_inf_01", "py_inf_01"), ("br_inf_02", "py_inf_02")]
    assert game.pos.reduced == ["py_inf_01"]
    assert prompt(game, A) == "retreat"  # the second miss stood
    keeps = fight("A10", "tuyuti", "itapiru", ["br_inf_01"], ["py_inf_01"], [MISS])
    keeps.dice.append(MISS)
    choose(keeps, A, "keep")
    assert len(shots(keeps)) == 2


@pytest.mark.clause("12.1", "7")
def test_a11_cavalry_in_two_regions_for_two_rounds() -> None:
    game = fight("A11", "bage", "livramento", ["br_cav_01", "br_inf_01"], ["py_inf_01", "py_inf_02"], [MISS] * 4,
                 control={"sao_gabriel": A, "melo": A, "jaguarao": A})
    game.dice.extend([MISS] * 4)
    choose(game, A, "stay")
    game.dice.extend([MISS] * 4)
    choose(game, A, "stay")
    mine = [step["data"]["factor"] for step in told(game, "shot") if step["data"]["unit"] == "br_cav_01"]
    assert mine == [3, 3, 2]
    elsewhere = fight("A11", "tuyuti", "itapiru", ["br_cav_01"], ["py_inf_01"], [MISS, MISS])
    assert factors(elsewhere)[0] == 2


@pytest.mark.clause("12.1")
def test_a12_a_leaderless_column_loses_two_steps() -> None:
    game = use("A12", units={**at("uruguaiana", "py_inf_01", "py_inf_02"), "py_inf_03": "corrientes",
                             "py_inf_04": "pilar"}, leaders={"diaz": "corrientes"})
    # one space fits: not Corrientes with its leader, not Pilar at home
    assert prompt(game, P) == "lose_step"
    take(game, P, "py_inf_02")
    take(game, P, "py_inf_02")
    assert game.pos.at["py_inf_02"] == "dead:paraguayan"
    assert game.pos.units_of(P, "uruguaiana") == ["py_inf_01"]
    two = use("A12", units={"py_inf_01": "uruguaiana", "py_inf_03": "corrientes"})
    assert options(two, A) == ["corrientes", "uruguaiana"]
    choose(two, A, "corrientes")
    assert two.pos.at["py_inf_03"] == "dead:paraguayan"
    assert two.pos.controller("corrientes") == P


@pytest.mark.clause("12.1", "6")
def test_a12_may_leave_nobody_without_capture() -> None:
    game = use("A12", units={"py_ninos": "uruguaiana"})
    assert game.pos.at["py_ninos"] == "dead:paraguayan"
    assert prompt(game, A) == "reinforce"


@pytest.mark.clause("12.1")
def test_a13_two_reduced_units_for_mato_grosso() -> None:
    game = use("A13")
    take(game, A, "br_inf_12")
    choose(game, A, "nioaque")
    choose(game, A, "miranda")
    assert game.pos.at["br_inf_12"] == "nioaque"
    assert game.pos.at["br_cacadores"] == "miranda"
    assert game.pos.reduced == ["br_inf_12", "br_cacadores"]


@pytest.mark.clause("12.1")
def test_a14_zuavos() -> None:
    game = use("A14")
    assert options(game, A) == ["porto_alegre", "rio_grande"]
    choose(game, A, "rio_grande")
    assert game.pos.at["br_zuavos"] == "rio_grande"


@pytest.mark.clause("12.1", "11")
def test_a15_corrientes_rises_behind_the_enemy() -> None:
    game = use("A15", control={"corrientes": P, "goya": P}, units={"py_inf_01": "corrientes"})
    assert {"goya", "curuzu_cuatia", "yatay"} <= set(options(game, A))
    assert {"corrientes", "rosario"}.isdisjoint(options(game, A))
    choose(game, A, "goya")
    assert game.pos.controller("goya") == A
    assert game.pos.at["ar_correntina"] == "goya"


@pytest.mark.clause("12.1", "10")
def test_a16_marines_and_both_fire_at_once_on_main_rivers() -> None:
    game = use("A16")
    choose(game, A, "cuiaba")
    assert game.pos.at["br_fuzileiros"] == "cuiaba"
    fought = play({**ON, "in_use": {A: "A16"}, "units": {"br_inf_01": "andai", "br_inf_02": "san_fernando",
                                                         "py_inf_01": "pilar"}})
    attack(fought, A, "pilar", {"andai": "br_inf_01", "san_fernando": "br_inf_02"})  # from two regions
    assert last(fought, "battle_began")["order"] == "order.simultaneous"
    mine = play({**ON, "phase": "paraguayan_movement", "in_use": {A: "A16"},
                 "units": {"py_inf_01": "san_fernando", "br_inf_01": "pilar"}, "control": {"andai": A}}, [MISS, MISS])
    attack(mine, P, "pilar", {"san_fernando": "py_inf_01"})
    assert last(mine, "battle_began")["order"] == "order.defender_first"  # only when the Allies attack


@pytest.mark.clause("12.1")
def test_a17_two_units_anywhere_made_full() -> None:
    three = ["br_inf_01", "ar_inf_01", "uc_florida"]
    game = use("A17", units={**at("goya", three), "py_inf_01": "pilar"}, reduced=[*three, "py_inf_01"])
    assert lots(game, A)["units"]["units"] == sorted(three)
    take(game, A, "uc_florida", "ar_inf_01")
    assert game.pos.reduced == ["br_inf_01", "py_inf_01"]
    assert prompt(use("A17"), A) == "reinforce"  # none to restore


@pytest.mark.clause("12.1", "4")
def test_a18_infantry_beginning_in_paraguay_or_the_chaco_moves_three() -> None:
    game = play({**ON, "in_use": {A: "A18"}, "units": {"br_inf_01": "pilar", "br_inf_02": "andai", "br_inf_03": "goya",
                                                       "br_cav_01": "pilar"}})
    left = {u["id"]: u["left"] for us in forms(game, A)["move"]["stacks"].values() for u in us}
    assert left == {"br_inf_01": 3, "br_inf_02": 3, "br_inf_03": 2, "br_cav_01": 3}
    march(game, A, "br_inf_01", "pilar", "villa_franca")
    assert {u["id"]: u["left"] for u in forms(game, A)["move"]["stacks"]["villa_franca"]} == {"br_inf_01": 2}
    march(game, A, "br_inf_02", "andai", "fuerte_timbo", "corrientes")
    # it began in the Chaco
    assert {u["id"]: u["left"] for u in forms(game, A)["move"]["stacks"]["corrientes"]} == {"br_inf_02": 1}


@pytest.mark.clause("12.1", "12.3")
@pytest.mark.parametrize(("holder", "vp"), [(A, 1 + 2), (P, 1)])
def test_a19_points_for_holding_asuncion_and_a_unit_made_full(holder: str, vp: int) -> None:
    game = use("A19", control={"asuncion": holder}, capital="luque", units={"br_inf_01": "goya"}, reduced=["br_inf_01"])
    assert game.pos.vp[A] == vp
    assert game.pos.reduced == []


@pytest.mark.clause("12.1", "4")
def test_a20_a_corps_on_a_strategic_space_and_cavalry_moves_four() -> None:
    game = use("A20", lost_strategic=["cuiaba"])
    assert options(game, A) == ["porto_alegre", "rio_grande"]
    choose(game, A, "porto_alegre")
    assert game.pos.at["br_vp_3"] == "porto_alegre"
    ride = play({**ON, "in_use": {A: "A20"}, "units": {"br_cav_01": "bage", "br_inf_01": "bage"}})
    assert {u["id"]: u["left"] for u in forms(ride, A)["move"]["stacks"]["bage"]} == {"br_cav_01": 4, "br_inf_01": 2}


@pytest.mark.clause("12.1", "9")
def test_a21_a_bombarded_fortress_takes_one_hit_only() -> None:
    game = use("A21", units={"py_inf_03": "humaita", "br_inf_01": "tuyuti", "br_inf_02": "tuyuti"},
               decks={A: ["A17", "A22", "A24"], P: ["P02", "P12", "P16"]})
    assert "paysandu" in options(game, A)
    assert "coimbra" not in options(game, A)  # it is not Paraguay's
    choose(game, A, "humaita")
    assert game.pos.worn == ["fort_humaita"]
    end(game, A)
    game.dice.append(1)
    end_turn_of_paraguay(game)
    assert game.pos.worn == ["fort_humaita"]  # Paraguay's own combat phase does not mend it
    end(game, A) if "end_transport" in forms(game, A) else None
    game.dice.extend([MISS, HIT, HIT])
    attack(game, A, "humaita", {"tuyuti": ["br_inf_01", "br_inf_02"]})
    line_up(game, A, "br_inf_01", "br_inf_02")
    assert "fort_humaita" not in game.pos.forts
    assert game.pos.reduced == ["py_inf_03"]


def end_turn_of_paraguay(game: Play) -> None:
    """Paraguay does nothing in its turn and uses P12."""
    while game.pos.stage.startswith(P):
        choose(game, P, "P12") if "choose_card" in forms(game, P) else end(game, P)


@pytest.mark.clause("12.1", "9")
def test_a21_it_recovers_after_the_next_own_combat_phase_even_when_the_card_is_covered() -> None:
    game = use("A21", units={"py_inf_03": "humaita"}, decks={A: ["A17", "A22", "A24"], P: ["P02", "P12", "P16"]})
    choose(game, A, "humaita")
    end(game, A)
    game.dice.append(1)
    end_turn_of_paraguay(game)
    assert game.pos.worn == ["fort_humaita"]
    game.dice.append(0)
    end(game, A)
    assert game.pos.stage == "allied_restore"
    assert game.pos.worn == []
    assert game.pos.forts["fort_humaita"] == "humaita"


@pytest.mark.clause("12.1")
def test_a22_san_nicolas() -> None:
    game = use("A22", lost_strategic=["santa_fe"])
    assert game.pos.at["ar_san_nicolas"] == "buenos_aires"


@pytest.mark.clause("12.1")
def test_a23_an_infantry_unit_without_a_leader_near_loses_a_step() -> None:
    game = use("A23", units={**at("pilar", "py_inf_01", "py_inf_02", "py_cav_01"), "py_inf_03": "humaita",
                             "py_cav_02": "villeta", "ub_inf_1": "salto"}, leaders={"lopez": "humaita"})
    assert options(game, A) == ["pilar", "salto"]
    choose(game, A, "pilar")
    assert lots(game, P)["units"]["units"] == ["py_inf_01", "py_inf_02"]
    take(game, P, "py_inf_02")
    assert game.pos.reduced == ["py_inf_02"]


@pytest.mark.clause("12.1", "12.2")
def test_a24_no_paraguayan_replacements() -> None:
    game = play({"phase": "paraguayan_restore", "clear": True, "in_use": {A: "A24"}, "units": {"py_inf_01": "asuncion"},
                 "reduced": ["py_inf_01"], "decks": {P: ["P10", "P16", "P02"]}}, [0])
    choose(game, P, "P10")
    assert set(forms(game, P)) == {"reinforce", "end_restore"}
    mends = use("P16", units={"py_inf_01": "pilar"}, reduced=["py_inf_01"], in_use={A: "A24"})
    assert mends.pos.reduced == []  # cards still work


@pytest.mark.clause("12.1")
def test_a25_two_units_on_own_spaces_of_uruguay() -> None:
    game = use("A25", uruguay="flipped", earned=COUNTRY,
               control={s: A if s in ("melo", "salto") else P for s in COUNTRY})
    assert options(game, A) == ["melo", "salto"]
    choose(game, A, "melo")
    choose(game, A, "salto")
    assert (game.pos.at["uc_24_abril"], game.pos.at["uc_libertad"]) == ("melo", "salto")
    nowhere = use("A25")
    assert len(told(nowhere, "unit_not_placed")) == 2
    assert prompt(nowhere, A) == "reinforce"


@pytest.mark.clause("12.1", "10")
def test_a26_the_allies_fire_first_at_five_places() -> None:
    game = fight("A26", "pilar", "san_fernando", ["br_inf_01"], ["py_inf_01"], [MISS, MISS])
    assert last(game, "battle_began")["order"] == "order.attacker_first"
    assert shots(game)[0][0] == "br_inf_01"
    other = fight("A26", "villeta", "cerro_leon", ["br_inf_01"], ["py_inf_01"], [MISS, MISS])
    assert last(other, "battle_began")["order"] == "order.defender_first"


@pytest.mark.clause("12.1", "13", "4")
def test_a27_the_next_capital_near_the_last_and_cavalry_moves_four() -> None:
    game = play({**ON, "in_use": {A: "A27"}, "units": {"br_inf_01": "villeta", "br_cav_01": "cerro_leon",
                                                       "br_cav_02": "goya", "br_cav_03": "curuguaty"}})
    assert {u["id"]: u["left"] for us in forms(game, A)["move"]["stacks"].values() for u in us} == {
        "br_inf_01": 2, "br_cav_01": 4, "br_cav_02": 3, "br_cav_03": 4}
    march(game, A, "br_inf_01", "villeta", "asuncion")
    far = game.pos.game.distances("asuncion")
    assert options(game, P)
    assert all(far[s] <= 3 for s in options(game, P))
    home = [s for s, d in data().files["map"]["spaces"].items() if d["country"] == "paraguay"]
    held = {s: A for s in home if s not in ("asuncion", "cerro_cora", "panadero")}
    none = play({**ON, "in_use": {A: "A27"}, "control": held, "units": {"br_inf_01": "villeta"}})
    march(none, A, "br_inf_01", "villeta", "asuncion")
    assert options(none, P) == ["cerro_cora", "panadero"]  # none is near, so anywhere
