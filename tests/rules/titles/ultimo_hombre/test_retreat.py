"""8 Retreat, 5 units beyond six."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    Play,
    at,
    attack,
    both_line_up,
    choose,
    data,
    end,
    last,
    lead,
    lots,
    march,
    options,
    play,
    prompt,
    take,
    told,
    units,
    view,
)

DECK = {"decks": {A: ["A04", "A17"]}}


def rounds(game: Play) -> tuple[int, str]:
    """In which round a side is asked to retreat, and which."""
    assert prompt(game, game.asked[0]) == "retreat"
    return view(game, A)["battle"]["round"], game.asked[0]


def duel(origin: str, target: str, dice: list[int], **body: object) -> Play:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "units": {"br_inf_01": origin,
                 "py_inf_01": target}, **DECK, **body}, dice)
    attack(game, A, target, {origin: "br_inf_01"})
    return game


# -- windows -------------------------------------------------------------------------------------------------


@pytest.mark.clause("8")
def test_attacker_first_he_may_go_after_the_first_reply_the_defender_after_the_second_attack() -> None:
    game = duel("itapiru", "tuyuti", [MISS, MISS])
    assert rounds(game) == (2, A)  # after round 1, before his second fire
    game.dice.extend([MISS])
    choose(game, A, "stay")
    assert rounds(game) == (2, P)
    game.dice.extend([MISS])
    choose(game, P, "stay")
    assert rounds(game) == (3, A)


@pytest.mark.clause("8", "10")
def test_defender_first_he_may_go_after_the_first_reply() -> None:
    game = duel("san_fernando", "pilar", [MISS, MISS])
    assert rounds(game) == (2, P)
    game.dice.extend([MISS])
    choose(game, P, "stay")
    assert rounds(game) == (2, A)


@pytest.mark.clause("8", "10")
@pytest.mark.parametrize("order", [(A, P), (P, A)])
def test_at_once_both_decide_together_and_then_comes_the_next_round(order: tuple[str, str]) -> None:
    game = duel("villa_franca", "san_fernando", [MISS, MISS])
    assert sorted(game.asked) == [A, P]
    choose(game, order[0], "stay")
    assert list(game.asked) == [order[1]]
    game.dice.extend([MISS, MISS])
    choose(game, order[1], "stay")
    assert game.pos.battle is not None
    assert game.pos.battle["round"] == 2


@pytest.mark.clause("8", "10")
def test_at_once_the_attackers_word_comes_first_when_both_would_go() -> None:
    game = duel("villa_franca", "san_fernando", [MISS, MISS, 0])
    choose(game, P, options(game, P)[1])
    choose(game, A, "retreat")
    assert game.pos.at["br_inf_01"] == "villa_franca"
    assert game.pos.at["py_inf_01"] == "san_fernando"
    assert len(told(game, "retreated")) == 1


@pytest.mark.clause("8", "10")
def test_at_once_the_defender_goes_when_the_attacker_stays() -> None:
    game = duel("villa_franca", "san_fernando", [MISS, MISS, 0])
    haven = options(game, P)[1]
    choose(game, P, haven)
    choose(game, A, "stay")
    assert game.pos.at["py_inf_01"] == haven
    assert game.pos.controller("san_fernando") == A


# -- where to ------------------------------------------------------------------------------------------------


@pytest.mark.clause("8")
def test_attackers_go_back_each_where_it_came_from_and_a_leader_with_any_group() -> None:
    game = play({"phase": "allied_movement", "clear": True, **DECK, "units": {
        "br_inf_01": "itapiru", "br_inf_02": "curupayti", **at("tuyuti", "py_inf_01", "py_inf_02")}}, [MISS] * 4)
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01", "curupayti": "br_inf_02"})
    both_line_up(game)
    choose(game, A, "retreat")
    assert game.pos.at["br_inf_01"] == "itapiru"
    assert game.pos.at["br_inf_02"] == "curupayti"
    assert prompt(game, A) == "leader_goes"
    assert options(game, A) == ["curupayti", "itapiru"]
    game.dice.extend([0])
    choose(game, A, "itapiru")
    assert game.pos.leaders["caxias"] == "itapiru"
    assert game.pos.controller("tuyuti") == P


@pytest.mark.clause("8", "14")
def test_attackers_from_a_neutral_space_go_back_to_it() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "argentina": "out", "fortresses": {},
                 "control": {"itapiru": A},
                 "decks": {P: ["P10", "P16"]},
                 "units": {"py_inf_01": "san_cosme", "br_inf_01": "itapiru"}}, [MISS, MISS, MISS, 0])
    attack(game, P, "itapiru", {"san_cosme": "py_inf_01"})
    choose(game, P, "retreat")
    assert game.pos.at["py_inf_01"] == "san_cosme"
    assert game.pos.leaders["diaz"] == "san_cosme"


@pytest.mark.clause("8")
def test_defenders_go_to_one_adjacent_space_of_their_own_with_their_leader() -> None:
    game = duel("itapiru", "tuyuti", [MISS, MISS], leaders={"diaz": "tuyuti"}, control={"curupayti": A})
    game.dice.extend([MISS])
    choose(game, A, "stay")
    assert options(game, P) == ["stay", "humaita"]  # Itapirú is Allied by now, Curupaytí too
    game.dice.extend([0])
    choose(game, P, "humaita")
    assert game.pos.at["py_inf_01"] == game.pos.leaders["diaz"] == "humaita"
    assert game.pos.controller("tuyuti") == A
    assert last(game, "retreated") == {"at": "tuyuti", "units": ["py_inf_01"], "count": 1, "to": ["humaita"]}
    assert not told(game, "leader_captured")


@pytest.mark.clause("8")
def test_a_defender_without_a_space_to_go_fights_on() -> None:
    game = duel("itapiru", "tuyuti", [MISS, MISS], control={"curupayti": A, "humaita": A})
    game.dice.extend([MISS, MISS])
    choose(game, A, "stay")
    assert rounds(game) == (3, A)  # nobody asked the defender


@pytest.mark.clause("8", "15")
def test_blancos_do_not_retreat_out_of_uruguay() -> None:
    body = {"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK, "control": {"livramento": P},
            "units": {"ub_cav_1": "salto", "br_inf_01": "uruguaiana"}}
    game = play(body, [MISS, MISS])
    attack(game, A, "salto", {"uruguaiana": "br_inf_01"})
    assert options(game, P) == ["stay", "melo", "paysandu"]
    later = play({**body, "uruguay": "flipped", "control": {"livramento": P, "melo": A, "paysandu": A}}, [MISS, MISS])
    attack(later, A, "salto", {"uruguaiana": "br_inf_01"})
    assert options(later, P) == ["stay", "livramento"]


@pytest.mark.clause("8", "14")
def test_nobody_retreats_into_a_neutral_space() -> None:
    game = duel("ytati", "itapiru", [MISS, MISS, MISS], argentina="out",
                control={"san_cosme": "neutral", "corrientes": "neutral", "ytati": "neutral", "curupayti": A,
                         "tuyuti": A})
    assert rounds(game) == (2, A)  # by way of the defender's second fire: he was not asked


# -- into a battle to come -----------------------------------------------------------------------------------


def two_battles(dice: list[int], **body: object) -> Play:
    """Allied attacks on Tuyutí and Humaitá, whose garrisons may flee to each other."""
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK,
                 "control": {"curupayti": A, "itapiru": A, "san_fernando": A},
                 "units": {"br_inf_01": "itapiru", "br_inf_02": "san_fernando", "py_inf_01": "tuyuti",
                           "py_inf_02": "humaita"}, **body}, dice)
    lead(game, A, caxias="tuyuti", osorio="humaita")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    march(game, A, "br_inf_02", "san_fernando", "humaita")
    end(game, A)
    choose(game, A, "tuyuti")
    choose(game, A, "stay")
    return game


@pytest.mark.clause("8", "14")
def test_who_retreats_into_a_battle_to_come_is_lost_with_it_and_so_is_his_leader() -> None:
    game = two_battles([MISS, MISS, MISS], leaders={"diaz": "tuyuti"}, reduced=["py_inf_02"])
    assert options(game, P) == ["stay", "humaita"]
    game.dice.extend([MISS, HIT, 0, 0])  # Humaitá lies on the river: its garrison fires first, then falls
    choose(game, P, "humaita")
    assert told(game, "battle_began")[1]["data"]["defenders"] == ["py_inf_02"]
    assert game.pos.at["py_inf_01"] == game.pos.at["py_inf_02"] == "dead:paraguayan"
    assert last(game, "fugitives_lost")["units"] == ["py_inf_01"]
    assert game.pos.leaders["diaz"] == "out"
    assert last(game, "leader_captured")["at"] == "humaita"
    assert game.pos.controller("humaita") == A


@pytest.mark.clause("8")
def test_if_that_battle_is_won_the_fugitives_are_safe() -> None:
    game = two_battles([MISS, MISS, MISS], reduced=["br_inf_02"])
    game.dice.extend([HIT, 0])
    choose(game, P, "humaita")
    assert game.pos.units_of(P, "humaita") == ["py_inf_01", "py_inf_02"]
    assert game.pos.leaders["osorio"] == "out"
    assert game.pos.fled == {}


@pytest.mark.clause("8", "14")
def test_fugitives_and_their_leader_do_not_flee_twice() -> None:
    """Humaitá's garrison goes on to Pilar; who fled to Humaitá is lost with it, his leader too."""
    game = two_battles([MISS, MISS, MISS], leaders={"diaz": "tuyuti", "resquin": "humaita"})
    game.dice.extend([MISS, MISS])
    choose(game, P, "humaita")
    assert options(game, P) == ["stay", "fuerte_timbo", "pilar"]
    game.dice.extend([0, 0])
    choose(game, P, "pilar")
    assert game.pos.at["py_inf_02"] == game.pos.leaders["resquin"] == "pilar"
    assert game.pos.at["py_inf_01"] == "dead:paraguayan"
    assert game.pos.leaders["diaz"] == "out"


# -- beyond six (5) ------------------------------------------------------------------------------------------


@pytest.mark.clause("5", "8")
def test_of_those_that_come_retreating_the_excess_goes_on_to_the_nearest_own_space() -> None:
    garrison = units("py_inf_", 6)[:5]
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK,
                 "control": {"curupayti": A, "itapiru": A}, "units": {
                     "br_inf_01": "itapiru", **at("humaita", garrison), **at("tuyuti", "py_cav_01", "py_cav_02")}},
                [MISS] * 4)
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    both_line_up(game)
    choose(game, A, "stay")
    choose(game, P, "humaita")
    assert lots(game, P)["excess"]["units"] == ["py_cav_01", "py_cav_02"]  # the garrison stays
    take(game, P, "py_cav_02")
    assert options(game, P) == ["fuerte_timbo", "pilar", "san_fernando"]
    game.dice.extend([0])
    choose(game, P, "pilar")
    assert game.pos.at["py_cav_02"] == "pilar"
    assert len(game.pos.units_of(P, "humaita")) == 6


@pytest.mark.clause("5", "8")
def test_all_who_go_on_are_named_in_one_answer() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK,
                 "control": {"curupayti": A, "itapiru": A}, "units": {
                     "br_inf_01": "itapiru", **at("humaita", units("py_inf_", 6)[:5]),
                     **at("tuyuti", "py_cav_01", "py_cav_02", "py_cav_03")}}, [MISS] * 5)
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    both_line_up(game)
    game.dice.extend([0])
    choose(game, A, "stay")
    choose(game, P, "humaita")
    take(game, P, "py_cav_01", "py_cav_03")
    choose(game, P, "pilar")
    choose(game, P, "fuerte_timbo")
    assert (game.pos.at["py_cav_01"], game.pos.at["py_cav_03"]) == ("pilar", "fuerte_timbo")
    assert len(game.pos.units_of(P, "humaita")) == 6


@pytest.mark.clause("5", "8")
def test_the_nearest_space_is_that_of_the_fewest_lines_whatever_lies_between() -> None:
    own = ("humaita", "tuyuti", "villeta", "concepcion")
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK, "capital": "humaita",
                 "control": dict.fromkeys([s for s in all_spaces() if s not in own], A), "units": {
                     "br_inf_01": "itapiru", **at("humaita", units("py_inf_", 6)), "py_cav_01": "tuyuti",
                     "br_inf_02": "pilar", "br_inf_03": "san_fernando"}}, [MISS, MISS, MISS])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    choose(game, A, "stay")
    game.dice.extend([0])
    choose(game, P, "humaita")
    take(game, P, "py_cav_01")
    assert game.pos.at["py_cav_01"] == "villeta"


@pytest.mark.clause("5", "8")
def test_excess_with_nowhere_to_go_is_lost() -> None:
    everywhere = dict.fromkeys([s for s in all_spaces() if s not in ("humaita", "tuyuti")], A)
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK, "control": everywhere,
                 "capital": "humaita", "units": {
                     "br_inf_01": "itapiru", **at("humaita", units("py_inf_", 6)), "py_cav_01": "tuyuti"}},
                [MISS, MISS, MISS])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    choose(game, A, "stay")
    game.dice.extend([0])
    choose(game, P, "humaita")
    take(game, P, "py_cav_01")
    assert game.pos.at["py_cav_01"] == "dead:paraguayan"
    assert told(game, "nowhere_to_go")


def all_spaces() -> list[str]:
    return list(data().files["map"]["spaces"])


@pytest.mark.clause("5", "8")
def test_excess_never_goes_to_a_space_under_attack_or_the_one_just_lost() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK,
                 "control": {"curupayti": A, "itapiru": A, "fuerte_timbo": A}, "units": {
                     "br_inf_01": "itapiru", "br_inf_02": "villa_franca", **at("humaita", units("py_inf_", 6)),
                     "py_cav_01": "tuyuti", "py_cav_02": "pilar", "py_cav_03": "san_fernando",
                     "br_inf_03": "fuerte_timbo"}},
                [MISS, MISS, MISS])
    lead(game, A, caxias="tuyuti", osorio="pilar")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    march(game, A, "br_inf_02", "villa_franca", "pilar")
    end(game, A)
    choose(game, A, "tuyuti")
    choose(game, A, "stay")
    choose(game, P, "humaita")
    game.dice.extend([MISS, MISS])  # for Pilar, the only battle left
    take(game, P, "py_cav_01")
    assert game.pos.at["py_cav_01"] == "san_fernando"  # not Pilar, not Tuyutí
    assert game.pos.stack("san_fernando") == ["py_cav_01", "py_cav_03"]


@pytest.mark.clause("5", "8", "14", "16")
def test_a_leader_whose_units_all_go_on_as_excess_goes_on_with_them() -> None:
    """Tuyutí's one unit and López flee into a full Humaitá: both go on, and López outlives what comes there."""
    six = units("py_inf_")[:6]
    game = two_battles([MISS, MISS, MISS], leaders={"lopez": "tuyuti"}, units={
        "br_inf_01": "itapiru", "br_inf_02": "san_fernando", "py_cav_01": "tuyuti", **at("humaita", six)})
    choose(game, P, "humaita")
    take(game, P, "py_cav_01")
    assert options(game, P) == ["fuerte_timbo", "pilar"]
    choose(game, P, "pilar")
    assert game.pos.at["py_cav_01"] == game.pos.leaders["lopez"] == "pilar"
    assert last(game, "leader_moved") == {"leader": "lopez", "at": "pilar"}
    assert game.pos.fled == {"humaita": []}
    game.dice.extend([*[MISS] * 7, 0, 0])  # the last two draw the cards of Humaitá
    both_line_up(game)  # now Humaitá: its six retreat unhurt
    choose(game, P, "fuerte_timbo")
    assert game.pos.stack("fuerte_timbo") == six
    assert game.pos.leaders["lopez"] == "pilar"


@pytest.mark.clause("5", "8")
def test_a_leader_stays_with_those_of_his_units_that_find_room() -> None:
    five = units("py_inf_")[:5]
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK, "leaders": {"lopez": "tuyuti"},
                 "control": {"curupayti": A, "itapiru": A, "san_fernando": A},
                 "units": {"br_inf_01": "itapiru", "br_inf_02": "san_fernando", **at("humaita", five),
                           **at("tuyuti", "py_cav_01", "py_cav_02")}}, [MISS] * 4)
    lead(game, A, caxias="tuyuti", osorio="humaita")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    march(game, A, "br_inf_02", "san_fernando", "humaita")
    end(game, A)
    choose(game, A, "tuyuti")
    both_line_up(game)
    choose(game, A, "stay")
    choose(game, P, "humaita")
    take(game, P, "py_cav_02")
    choose(game, P, "pilar")
    assert game.pos.leaders["lopez"] == game.pos.at["py_cav_01"] == "humaita"
    assert game.pos.fled["humaita"] == ["py_cav_01", "lopez"]


@pytest.mark.clause("5", "8", "14")
def test_a_leader_whose_units_had_nowhere_to_go_joins_those_who_hold_the_space() -> None:
    six = units("py_inf_")[:6]
    own = {"humaita", "tuyuti"}
    game = two_battles([MISS, MISS, MISS], leaders={"lopez": "tuyuti"}, capital="humaita",
                       control={s: A for s in data().files["map"]["spaces"] if s not in own}, units={
        "br_inf_01": "itapiru", "br_inf_02": "san_fernando", "py_cav_01": "tuyuti", **at("humaita", six)})
    choose(game, P, "humaita")
    take(game, P, "py_cav_01")
    assert game.pos.at["py_cav_01"] == "dead:paraguayan"
    assert game.pos.leaders["lopez"] == "humaita"
    assert game.pos.fled == {"humaita": []}
