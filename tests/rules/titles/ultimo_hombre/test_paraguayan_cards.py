"""12.1 The Paraguayan event cards, each by its effect."""

import re
from pathlib import Path

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
    preview,
    prompt,
    reach,
    refused,
    rows,
    shots,
    take,
    told,
    units,
    use,
    view,
)

COUNTRY = ["colonia", "durazno", "maldonado", "melo", "montevideo", "paysandu", "salto"]
HOME = [s for s, d in data().files["map"]["spaces"].items() if d["region"] == "paraguay"]
UPPER = [s for s, d in data().files["map"]["spaces"].items() if d["region"] == "alto_parana"]


def defend(card: str, target: str, origin: str, defenders: list[str], dice: list[int], **body: object) -> Play:
    """An Allied attack by one battalion while a Paraguayan card is in use."""
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: card}, "decks": {A: ["A17", "A22", "A24"]},
                 "units": {"br_inf_01": origin, **at(target, defenders)}, **body}, dice)
    attack(game, A, target, {origin: "br_inf_01"})
    both_line_up(game)
    return game


@pytest.mark.clause("1", "12.1")
def test_p00_initial_card() -> None:
    game = new_game()
    assert game.pos.in_use[P] == "P00"
    assert data().files["cards"]["cards"]["P00"]["effects"] == [
        {"op": "argentina_at_war", "at": "start_of_first_paraguayan_turn"}]


@pytest.mark.clause("12.1")
@pytest.mark.parametrize(("card", "unit"), [("P01", "py_batallon_40"), ("P03", "py_aca_vera")])
def test_p01_p03_on_a_strategic_space_or_in_the_capital(card: str, unit: str) -> None:
    game = use(card, capital="piribebuy", capitals_used=1, lost_strategic=["asuncion"], control={"asuncion": A})
    assert options(game, P) == ["cerro_leon", "piribebuy"]
    choose(game, P, "piribebuy")
    assert game.pos.at[unit] == "piribebuy"
    assert game.pos.vp[P] == 2  # the card's and the filler's


@pytest.mark.clause("12.1")
@pytest.mark.parametrize(("card", "unit"), [("P02", "py_aca_caraya"), ("P04", "py_nambi_i")])
def test_p02_p04_on_an_own_space_of_the_region_paraguay(card: str, unit: str) -> None:
    game = use(card, control={"luque": A}, units={"br_inf_01": "villeta"})
    assert set(options(game, P)) == set(HOME) - {"luque", "villeta"}
    choose(game, P, "humaita")
    assert game.pos.at[unit] == "humaita"


@pytest.mark.clause("12.1", "11")
def test_p05_rowers_take_back_a_river_space() -> None:
    game = use("P05", control={"pilar": A, "villeta": A}, units={"br_inf_01": "villeta"}, earned=["pilar"])
    assert "pilar" in options(game, P)
    assert {"villeta", "luque", "coimbra", "fuerte_olimpo"}.isdisjoint(options(game, P))
    choose(game, P, "pilar")
    assert game.pos.controller("pilar") == P
    assert game.pos.at["py_bogavantes"] == "pilar"


@pytest.mark.clause("12.1", "9")
def test_p06_fortress_and_marines_at_fuerte_timbo() -> None:
    game = use("P06")
    assert game.pos.forts["fort_timbo"] == "fuerte_timbo"
    assert game.pos.at["py_marina"] == "fuerte_timbo"
    lost = use("P06", control={"fuerte_timbo": A})
    assert "fort_timbo" not in lost.pos.forts
    assert lost.pos.at["py_marina"] == "special:paraguayan"


@pytest.mark.clause("12.1", "9")
def test_p07_fortress_and_an_infantry_unit_at_villeta() -> None:
    game = use("P07")
    assert {game.pos.unit(u).type for u in lots(game, P)["reserve"]["units"]} == {"infantry"}
    take(game, P, "py_inf_20")
    assert game.pos.at["py_inf_20"] == "villeta"
    assert game.pos.forts["fort_angostura"] == "villeta"
    lost = use("P07", control={"villeta": A})
    assert prompt(lost, P) == "reinforce"  # nobody is asked for a unit that can't come
    assert "fort_angostura" not in lost.pos.forts


@pytest.mark.clause("12.1", "9")
def test_p08_infantry_behind_a_fortress_hits_better_for_two_rounds() -> None:
    game = defend("P08", "humaita", "tuyuti", ["py_inf_03", "py_cav_01"], [MISS] * 3)
    mine = [(s["data"]["unit"], s["data"]["factor"]) for s in told(game, "shot") if s["side"] == P]
    assert set(mine) == {("py_inf_03", 3), ("py_cav_01", 3)}
    game.dice.extend([MISS] * 2)
    choose(game, P, "stay")
    game.dice.extend([MISS])
    choose(game, A, "stay")
    game.dice.extend([MISS] * 2)
    choose(game, P, "stay")
    infantry = [s["data"]["factor"] for s in told(game, "shot") if s["data"]["unit"] == "py_inf_03"]
    assert infantry == [3, 3, 2]
    bare = defend("P08", "humaita", "tuyuti", ["py_inf_03"], [MISS, MISS], fortresses={})
    assert told(bare, "shot")[0]["data"]["factor"] == 2


@pytest.mark.clause("12.1", "7")
def test_p08_the_battle_board_shows_what_a_unit_hits_with_now() -> None:
    pair = ["br_inf_01", "br_inf_02"]
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P08"}, "decks": {A: ["A17", "A22", "A24"]},
                 "units": {**at("tuyuti", pair), "py_inf_03": "humaita", "py_cav_01": "humaita"}})
    attack(game, A, "humaita", {"tuyuti": pair})
    line_up(game, P, "py_inf_03", "py_cav_01")
    seen = [[slot["factor"] for slot in line["slots"]] for line in view(game, A)["battle"]["lines"]]
    assert seen == [[], [3, 3]]
    game.dice.extend([MISS] * 4)
    line_up(game, A)
    for side in (P, A, P):
        game.dice.extend([MISS] * 2)
        choose(game, side, "stay")
    seen = [[slot["factor"] for slot in line["slots"]] for line in view(game, A)["battle"]["lines"]]
    assert seen == [[3, 3], [2, 3]]


@pytest.mark.clause("12.1", "7", "9")
@pytest.mark.parametrize(("forts", "factors"), [({}, [2, 3]), (None, [3, 3])])
def test_p08_a_march_shows_before_what_its_defenders_would_hit_with(forts: dict[str, str] | None,
                                                                    factors: list[int]) -> None:
    pair = ["br_inf_01", "br_inf_02"]
    given = {} if forts is None else {"fortresses": forts}
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P08"}, **given,
                 "units": {**at("tuyuti", pair), "py_inf_03": "humaita", "py_cav_01": "humaita"}})
    lead(game, A, caxias="humaita")
    (shown,) = preview(game, A, "move", units=pair, path=["tuyuti", "humaita"])["effect"]["attacks"]
    assert sorted(unit["value"] for unit in shown["sides"]["defense"][0]["units"]) == factors


@pytest.mark.clause("12.1")
def test_p08_the_fortress_counts_that_stood_when_the_battle_began() -> None:
    game = defend("P08", "humaita", "tuyuti", ["py_inf_03"], [MISS, HIT])
    game.dice.extend([MISS, HIT])
    choose(game, P, "stay")
    choose(game, A, "stay")
    assert "fort_humaita" not in game.pos.forts
    assert [s["data"]["factor"] for s in told(game, "shot") if s["side"] == P] == [3, 3]


@pytest.mark.clause("12.1")
def test_p09_every_crowded_allied_space_loses_a_step() -> None:
    six, five, four = units("br_inf_", 6), units("br_inf_", 11)[6:], units("ar_inf_", 4)
    game = use("P09", units={**at("bage", six), **at("goya", five), **at("rosario", four), "py_inf_01": "pilar"})
    assert prompt(game, A) == "lose_steps"
    assert {lot: content["units"] for lot, content in lots(game, A).items()} == {"bage": six, "goya": five}
    take(game, A, six[2], five[0])
    assert set(game.pos.reduced) == {six[2], five[0]}
    assert prompt(game, P) == "reinforce"


@pytest.mark.clause("12.1", "12.2")
def test_p10_argentina_gets_neither_reinforcements_nor_replacements() -> None:
    game = play({"phase": "allied_restore", "clear": True, "in_use": {P: "P10"}, "units": {"ar_inf_01": "santa_fe"},
                 "reduced": ["ar_inf_01"], "decks": {A: ["A04", "A17", "A22"]}}, [0])
    choose(game, A, "A04")
    assert set(groups(game, A, "reinforce")) == {"reserve_brazil"}
    assert "replace" not in forms(game, A)
    assert use("A05", in_use={P: "P10"}).pos.in_use[A] == "A05"  # events still work


@pytest.mark.clause("12.1", "3", "4")
def test_p11_argentine_cavalry_stays() -> None:
    body = {"clear": True, "in_use": {P: "P11"}, "units": at("goya", "ar_cav_01", "ar_inf_01", "br_cav_01")}
    game = play({"phase": "allied_transport", **body})
    assert {u["id"] for u in forms(game, A)["ship"]["stacks"]["goya"]} == {"ar_inf_01", "br_cav_01"}
    game = play({"phase": "allied_movement", **body})
    assert {u["id"] for u in forms(game, A)["move"]["stacks"]["goya"]} == {"ar_inf_01", "br_cav_01"}
    assert refused(game, A, "move", units=["ar_cav_01"], path=["goya", "san_roque"]) == ("card_holds", "12.1")
    fought = play({"phase": "paraguayan_movement", "clear": True, "in_use": {P: "P11"},
                   "units": {"ar_cav_01": "san_roque", "py_inf_01": "caa_cati"}}, [MISS, MISS, MISS])
    attack(fought, P, "san_roque", {"caa_cati": "py_inf_01"})
    choose(fought, P, "stay")
    fought.dice.append(0)
    choose(fought, A, "goya")  # it retreats as usual
    assert fought.pos.at["ar_cav_01"] == "goya"


@pytest.mark.clause("12.1", "3")
def test_p12_no_allied_transport_on_the_river_paraguay() -> None:
    body = {"phase": "allied_transport", "clear": True, "in_use": {P: "P12"}, "control": {"corumba": A, "itapiru": A},
            "fortresses": {}, "units": {"br_inf_01": "cuiaba", "ar_inf_01": "corrientes", "br_inf_02": "corumba"}}
    game = play(body)
    assert reach(game, A, "ship", "br_inf_01")["cost"] == {}
    assert reach(game, A, "ship", "br_inf_02")["cost"] == {}
    found = reach(game, A, "ship", "ar_inf_01")["cost"]
    assert {"itapiru", "ytati"}.isdisjoint(found)  # Ytatí lies behind it
    assert "goya" in found
    assert refused(game, A, "ship", units=["ar_inf_01"], path=["corrientes", "itapiru"]) == ("card_shuts_water", "12.1")
    assert "villeta" in reach(play({**body, "phase": "paraguayan_transport", "units": {"py_inf_01": "asuncion"}}),
                              P, "ship", "py_inf_01")["cost"]


@pytest.mark.clause("12.1", "6")
def test_p13_one_battle_a_turn() -> None:
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P13"}, "units": {
        **at("itapiru", "br_inf_01", "br_inf_02", "br_inf_03"), "py_inf_01": "tuyuti", "py_inf_02": "curupayti"}})
    lead(game, A, caxias="tuyuti", osorio="curupayti")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    assert refused(game, A, "move", units=["br_inf_02"], path=["itapiru", "curupayti"]) == ("no_more_battles", "12.1")
    march(game, A, "br_inf_02", "itapiru", "tuyuti")  # the same battle may grow


@pytest.mark.clause("12.1", "11", "15")
def test_p14_blancos_rise_again_without_cards_or_points() -> None:
    game = use("P14", uruguay="flipped", earned=COUNTRY, control=dict.fromkeys(COUNTRY, A), units={"br_inf_01": "melo"})
    assert options(game, P) == sorted(set(COUNTRY) - {"melo"})
    points = game.pos.vp[P]
    choose(game, P, "montevideo")
    assert game.pos.controller("montevideo") == P
    assert game.pos.vp[P] == points
    assert game.pos.late[P] == []
    assert game.pos.uruguay == "flipped"


@pytest.mark.clause("12.1")
def test_p15_two_units_at_most_one_on_each_space() -> None:
    game = use("P15", capital="piribebuy", capitals_used=1)
    take(game, P, "py_cav_08")
    assert options(game, P) == ["asuncion", "cerro_leon", "piribebuy"]
    choose(game, P, "piribebuy")
    take(game, P, "py_inf_20")
    assert options(game, P) == ["asuncion", "cerro_leon"]
    choose(game, P, "asuncion")
    assert "asuncion" in groups(game, P, "reinforce")["reserve_paraguay"]["where"]  # beyond the normal ones
    one = use("P15", lost_strategic=["cerro_leon"], control={"cerro_leon": A})
    take(one, P, "py_inf_20")
    assert one.pos.at["py_inf_20"] == "asuncion"
    assert prompt(one, P) == "reinforce"


@pytest.mark.clause("12.1")
def test_p16_two_units_anywhere_made_full() -> None:
    three = ["py_inf_01", "ub_inf_1", "py_batallon_40"]
    game = use("P16", units={"py_inf_01": "pilar", "ub_inf_1": "salto", "py_batallon_40": "luque"}, reduced=three)
    assert lots(game, P)["units"]["min"] == lots(game, P)["units"]["max"] == 2
    take(game, P, "ub_inf_1", "py_batallon_40")
    assert game.pos.reduced == ["py_inf_01"]


@pytest.mark.clause("12.1", "10")
def test_p17_paraguay_attacks_on_main_rivers_with_both_firing_at_once() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "in_use": {P: "P17"}, "fortresses": {}, "units": {
        "py_inf_01": "itapiru", "py_inf_02": "fuerte_timbo", "br_inf_01": "corrientes"}})
    attack(game, P, "corrientes", {"itapiru": "py_inf_01", "fuerte_timbo": "py_inf_02"})
    assert last(game, "battle_began")["order"] == "order.simultaneous"
    mine = defend("P17", "pilar", "san_fernando", ["py_inf_01"], [MISS, MISS])
    assert last(mine, "battle_began")["order"] == "order.defender_first"


@pytest.mark.clause("12.1", "12.2")
def test_p18_one_brazilian_strategic_space_does_nothing() -> None:
    game = play({"phase": "allied_restore", "clear": True, "in_use": {P: "P18"}, "units": {"br_inf_01": "rio_grande"},
                 "reduced": ["br_inf_01"], "decks": {A: ["A04", "A17", "A22"]}}, [0])
    choose(game, A, "A04")
    assert refused(game, A, "reinforce", placed={
        "br_inf_12": "cuiaba", "br_inf_13": "porto_alegre", "br_inf_14": "rio_grande"}) == ("spaces_shut", "12.1")
    answer(game, A, "replace", lots={"rio_grande": ["br_inf_01"]})
    answer(game, A, "reinforce", placed={"br_inf_12": "cuiaba"})
    assert set(groups(game, A, "reinforce")) == {"reserve_argentina"}  # whose spaces all serve


@pytest.mark.clause("12.1", "12.3")
@pytest.mark.parametrize(("held", "vp"), [([], 0), (["corumba"], 2), (["coimbra", "miranda"], 2)])
def test_p19_cavalry_in_the_north_and_points_for_mato_grosso(held: list[str], vp: int) -> None:
    game = use("P19", control=dict.fromkeys(held, P), fortresses={})
    assert {game.pos.unit(u).type for u in lots(game, P)["reserve"]["units"]} == {"cavalry"}
    take(game, P, "py_cav_08")
    before = 1 + 1  # the card's points and the filler's
    assert options(game, P) == ["bella_vista", "concepcion", "fuerte_olimpo", "horqueta", "puerto_esperanza",
                                "san_pedro"]
    choose(game, P, "horqueta")
    assert rows(game, "points")[P] == before + vp
    if held:
        assert last(game, "points_scored")["at"] in held


@pytest.mark.clause("12.1", "7")
def test_p20_the_fallen_shoot_once_more_at_who_removed_them() -> None:
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P20"}, "fortresses": {},
                 "decks": {A: ["A17", "A22", "A24"]}, "units": {"br_inf_01": "itapiru", "py_inf_03": "tuyuti"},
                 "reduced": ["py_inf_03"]}, [HIT, HIT, 0])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    assert shots(game) == [("br_inf_01", "py_inf_03"), ("py_inf_03", "br_inf_01")]
    assert told(game, "shot")[1]["data"]["factor"] == 1  # the factor it had
    assert game.pos.reduced == ["br_inf_01"]
    assert game.pos.controller("tuyuti") == A


@pytest.mark.clause("12.1", "7", "14")
def test_p20_the_last_shot_may_leave_nobody() -> None:
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P20"}, "fortresses": {},
                 "decks": {A: ["A17", "A22", "A24"]}, "units": {"br_engenheiros": "itapiru", "py_ninos": "tuyuti"}},
                [HIT, HIT, 0])
    attack(game, A, "tuyuti", {"itapiru": "br_engenheiros"})
    assert game.pos.at["br_engenheiros"] == "dead:allied"
    assert game.pos.leaders["caxias"] == "out"
    assert game.pos.controller("tuyuti") == P


@pytest.mark.clause("12.1", "10")
def test_p20_no_last_shot_when_all_fire_at_once() -> None:
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P20"}, "fortresses": {},
                 "decks": {A: ["A17", "A22", "A24"]},
                 "units": {"br_inf_01": "villa_franca", "py_ninos": "san_fernando"}}, [HIT, MISS, 0])
    attack(game, A, "san_fernando", {"villa_franca": "br_inf_01"})
    assert len(shots(game)) == 2


@pytest.mark.clause("12.1")
def test_p20_boys_on_an_own_space_of_two_regions() -> None:
    game = use("P20")
    assert set(options(game, P)) == {*HOME, *UPPER}
    choose(game, P, "cerro_cora")
    assert game.pos.at["py_ninos"] == "cerro_cora"


@pytest.mark.clause("12.1")
def test_p21_women_and_riflemen_together() -> None:
    game = use("P21", units=at("luque", units("py_inf_", 5)))
    assert set(options(game, P)) == {*HOME, *UPPER} - {"luque"}  # there is no room for both
    choose(game, P, "piribebuy")
    assert game.pos.stack("piribebuy") == ["py_mujeres", "py_rifleros"]


@pytest.mark.clause("12.1", "7")
def test_p22_defenders_of_paraguay_hit_better_in_rounds_two_and_three() -> None:
    game = defend("P22", "tuyuti", "itapiru", ["py_inf_01"], [MISS, MISS])
    for _ in range(3):
        game.dice.append(MISS)
        choose(game, A, "stay")
        game.dice.append(MISS)
        choose(game, P, "stay")
    assert [s["data"]["factor"] for s in told(game, "shot") if s["side"] == P] == [3, 4, 4, 3]
    abroad = defend("P22", "livramento", "bage", ["py_inf_01"], [MISS, MISS], control={"alegrete": P})
    abroad.dice.append(MISS)
    choose(abroad, A, "stay")
    abroad.dice.append(MISS)
    choose(abroad, P, "stay")
    assert [s["data"]["factor"] for s in told(abroad, "shot") if s["side"] == P] == [3, 3]


@pytest.mark.clause("12.1")
def test_every_card_has_a_test_of_its_own() -> None:
    """Names of tests begin with the numbers of the cards they are about."""
    names = " ".join(re.findall(r"def test_(\w+)", "".join(
        (Path(__file__).parent / f"test_{side}_cards.py").read_text() for side in ("allied", "paraguayan"))))
    tested = {number.upper() for number in re.findall(r"[ap]\d\d", names)}
    assert tested == set(data().files["cards"]["cards"])
    assert len(tested) == 51
