"""12.1 What each of the 49 cards may not do: in the wrong phase, for the wrong side, in a wrong place, for more than it
says, without a target; each with the clause of the refusal. What they do is in the tests of either side's cards."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    FILLERS,
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
    lots,
    march,
    play,
    prompt,
    refused,
    take,
    told,
    units,
    use,
)

CARDS = sorted(set(data().files["cards"]["cards"]) - {"A00", "P00"})
NEVER = ("card_not_there", "12.1")
URUGUAY = ["colonia", "durazno", "maldonado", "melo", "montevideo", "paysandu", "salto"]


def owner(card: str) -> str:
    return A if card.startswith("A") else P


# -- every card ----------------------------------------------------------------------------------------------


def test_there_are_forty_nine() -> None:
    assert len(CARDS) == 49


@pytest.mark.clause("12.1")
@pytest.mark.parametrize("card", CARDS)
def test_only_in_the_recovery_phase(card: str) -> None:
    side = owner(card)
    game = play({"phase": f"{side}_movement", "clear": True, "hands": {side: [card]},
                 "units": {"br_inf_01": "bage", "py_inf_01": "pilar"}})
    assert refused(game, side, "choose_card", option=card)[0] == "malformed"
    assert game.pos.in_use[side] != card


@pytest.mark.clause("12.1")
@pytest.mark.parametrize("card", CARDS)
def test_only_by_its_own_side_out_of_the_hand_and_one_alone(card: str) -> None:
    side, foe = owner(card), {A: P, P: A}[owner(card)]
    deck = [c for c in FILLERS[side] if c != card]
    game = play({"phase": f"{side}_restore", "clear": True, "hands": {side: [card]}, "decks": {side: deck}}, [0])
    other = FILLERS[foe][1]
    assert refused(game, side, "choose_card", option=other) == ("malformed", "12.1")  # the enemy's
    assert refused(game, side, "choose_card", option=deck[1]) == ("malformed", "12.1")  # not drawn yet
    assert refused(game, side, "choose_card", option=[card, deck[0]]) == ("malformed", "12.1")  # two at once
    with pytest.raises(KeyError):
        refused(game, foe, "choose_card", option=card)  # who is not asked has no form at all
    answer(game, side, "choose_card", option=card)
    assert game.pos.in_use[side] == card


# -- units and fortresses that a card brings ------------------------------------------------------------------

ELSEWHERE: list[tuple[str, dict[str, Any], Sequence[str]]] = [
    ("A02", {}, ("sao_borja", "montevideo")),
    ("A03", {"units": {"ub_inf_1": "montevideo"}}, ("buenos_aires", "montevideo")),
    ("A09", {}, ("bage", "pilar")),
    ("A14", {}, ("bage", "cuiaba")),
    ("A15", {"units": {"py_inf_01": "goya"}}, ("goya", "buenos_aires")),
    ("A16", {}, ("bage", "humaita")),
    ("A20", {"control": {"cuiaba": P}, "lost_strategic": ["cuiaba"]}, ("cuiaba", "bage")),
    ("A22", {}, ("rosario", "rio_grande")),
    ("A25", {"uruguay": "flipped", "earned": URUGUAY,
             "control": {s: A if s in ("melo", "salto") else P for s in URUGUAY}}, ("colonia", "bage")),
    ("P01", {}, ("humaita", "corrientes")),
    ("P02", {"control": {"luque": A}}, ("luque", "coimbra")),
    ("P03", {}, ("pilar", "corrientes")),
    ("P04", {"units": {"br_inf_01": "villeta"}}, ("villeta", "fuerte_timbo")),
    ("P05", {"units": {"br_inf_01": "villeta"}}, ("villeta", "luque")),
    ("P14", {"units": {"br_inf_01": "melo"}}, ("melo", "bage")),
    ("P20", {"control": {"luque": A}}, ("luque", "fuerte_timbo")),
    ("P21", {"control": {"luque": A}}, ("luque", "corrientes")),
]


@pytest.mark.clause("12.1")
@pytest.mark.parametrize(("card", "body", "wrong"), ELSEWHERE, ids=[row[0] for row in ELSEWHERE])
def test_not_elsewhere(card: str, body: dict[str, Any], wrong: Sequence[str]) -> None:
    game = use(card, **body)
    for space in wrong:
        assert refused(game, owner(card), option=space) == NEVER
    assert refused(game, owner(card), option="nowhere") == ("malformed", "12.1")


@pytest.mark.clause("12.1")
@pytest.mark.parametrize(("card", "unit", "wrong"), [
    ("A05", "ar_inf_07", "rosario"), ("A13", "br_inf_12", "bage"), ("P15", "py_inf_20", "pilar"),
    ("P19", "py_cav_08", "asuncion")])
def test_not_elsewhere_with_a_unit_of_the_reserve(card: str, unit: str, wrong: str) -> None:
    game = use(card)
    side = owner(card)
    foreign = {A: "py_inf_20", P: "br_inf_12"}[side]
    assert refused(game, side, lots={"reserve": [foreign]}) == ("not_of_the_lot", "12.1")
    assert refused(game, side, lots={"reserve": []}) == ("count", "12.1")
    two = [u for u in lots(game, side)["reserve"]["units"] if u != unit][:1]
    assert refused(game, side, lots={"reserve": [unit, *two]}) == ("count", "12.1")
    take(game, side, unit)
    assert refused(game, side, option=wrong) == NEVER


@pytest.mark.clause("12.1")
def test_p15_not_two_on_one_space() -> None:
    game = use("P15")
    take(game, P, "py_inf_20")
    choose(game, P, "asuncion")
    take(game, P, "py_inf_21") if prompt(game, P) == "extra_reinforcement" else None
    assert [game.pos.at[u] for u in ("py_inf_20", "py_inf_21")] == ["asuncion", "cerro_leon"]


@pytest.mark.clause("12.1")
def test_p07_and_p19_bring_one_kind_alone() -> None:
    assert refused(use("P07"), P, lots={"reserve": ["py_cav_08"]}) == ("not_of_the_lot", "12.1")
    assert refused(use("P19"), P, lots={"reserve": ["py_inf_20"]}) == ("not_of_the_lot", "12.1")


@pytest.mark.clause("12.1", "14")
@pytest.mark.parametrize(("card", "body", "unit"), [
    ("A01", {"control": {"buenos_aires": P}}, "ar_legion_militar"), ("A25", {}, "uc_libertad"),
    ("P06", {"control": {"fuerte_timbo": A}}, "py_marina")])
def test_without_a_place_nothing_comes(card: str, body: dict[str, Any], unit: str) -> None:
    if card == "A01":  # its fall would have ended the war (16); a garrison of the enemy does as well
        body = {"units": {"py_inf_01": "rosario"}, "argentina": "out", "fortresses": {}, "control": {
            s: "neutral" for s, d in data().files["map"]["spaces"].items() if d["country"] == "argentina"}}
        body["units"] = {unit: "dead"}
    game = use(card, **body)
    assert unit in [step["data"]["unit"] for step in told(game, "unit_not_placed")]
    assert prompt(game, owner(card)) == "reinforce"


@pytest.mark.clause("12.1", "9")
def test_p06_and_p07_build_nothing_where_the_ally_holds() -> None:
    for card, space, fort in (("P06", "fuerte_timbo", "fort_timbo"), ("P07", "villeta", "fort_angostura")):
        assert fort not in use(card, control={space: A}).pos.forts
        assert fort in use(card).pos.forts


# -- steps given back and taken ------------------------------------------------------------------------------


@pytest.mark.clause("12.1")
@pytest.mark.parametrize(("card", "n"), [("A17", 2), ("A19", 1), ("P16", 2)])
def test_no_more_units_made_full_than_it_says(card: str, n: int) -> None:
    side = owner(card)
    own, foreign = (("br_inf_01", "br_inf_02", "br_inf_03"), "py_inf_01") if side == A else (
        ("py_inf_01", "py_inf_02", "py_inf_03"), "br_inf_01")
    sound = {A: "br_inf_04", P: "py_inf_04"}[side]
    home, away = {A: ("bage", "pilar"), P: ("pilar", "bage")}[side]
    game = use(card, units={**at(home, *own, sound), foreign: away}, reduced=[*own, foreign])
    assert refused(game, side, lots={"units": list(own[:n + 1])}) == ("count", "12.1")
    assert refused(game, side, lots={"units": [sound, *own[:n - 1]]}) == ("not_of_the_lot", "12.1")
    assert refused(game, side, lots={"units": [foreign, *own[:n - 1]]}) == ("not_of_the_lot", "12.1")
    take(game, side, *own[:n])
    assert len(game.pos.reduced) == 4 - n
    assert use(card).pos.reduced == []  # nobody to mend: nothing is asked


@pytest.mark.clause("12.1")
def test_a12_not_at_home_not_beside_a_leader_not_by_the_other() -> None:
    game = use("A12", units={**at("uruguaiana", "py_inf_01", "py_inf_02"), "py_inf_03": "corrientes",
                             "py_inf_04": "pilar", "py_inf_05": "goya"}, leaders={"diaz": "corrientes"})
    for space in ("corrientes", "pilar", "bage"):
        assert refused(game, A, option=space) == NEVER
    choose(game, A, "uruguaiana")
    assert game.asked == (P,)  # whose units they are, he chooses
    assert refused(game, P, lots={"units": ["py_inf_05"]}) == ("not_of_the_lot", "12.1")
    assert refused(game, P, lots={"units": ["py_inf_01", "py_inf_02"]}) == ("count", "12.1")


@pytest.mark.clause("12.1")
def test_a23_infantry_alone_and_no_leader_there() -> None:
    game = use("A23", units={**at("pilar", "py_inf_01", "py_inf_02", "py_cav_01"), "py_inf_03": "humaita",
                             "py_cav_02": "villeta", "ub_inf_1": "salto"}, leaders={"lopez": "humaita"})
    for space in ("humaita", "villeta", "bage"):
        assert refused(game, A, option=space) == NEVER
    choose(game, A, "pilar")
    assert refused(game, P, lots={"units": ["py_cav_01"]}) == ("not_of_the_lot", "12.1")


@pytest.mark.clause("12.1")
def test_p09_one_step_a_space_and_none_of_four() -> None:
    five, four = units("br_inf_", 5), units("ar_inf_", 4)
    game = use("P09", units={**at("bage", five), **at("rosario", four), "py_inf_01": "pilar"})
    assert refused(game, A, lots={"bage": five[:2]}) == ("count", "12.1")
    assert refused(game, A, lots={"bage": [four[0]]}) == ("not_of_the_lot", "12.1")
    assert refused(game, A, lots={"rosario": four[:1]})[0] == "malformed"
    assert refused(game, A, lots={}) == ("count", "12.1")


@pytest.mark.clause("12.1", "9")
def test_a21_no_space_without_a_fortress_on_a_main_river() -> None:
    game = use("A21", units={"py_inf_03": "humaita"})
    for space in ("pilar", "coimbra", "cerro_leon"):
        assert refused(game, A, option=space) == NEVER
    assert prompt(use("A21", fortresses={}), A) == "reinforce"  # nothing to bombard


@pytest.mark.clause("12.1", "12.3")
@pytest.mark.parametrize(("card", "space", "holder"), [("A19", "asuncion", A), ("P19", "corumba", P)])
def test_points_only_for_who_holds_the_place(card: str, space: str, holder: str) -> None:
    other = {A: P, P: A}[holder]
    fallen: dict[str, Any] = {"lost_strategic": ["asuncion"], "capital": "luque"} if holder == A else {}
    held = use(card, control={space: holder}, fortresses={}, **fallen)
    not_held = use(card, control={space: other}, fortresses={})
    for game in (held, not_held) if card == "P19" else ():
        take(game, P, "py_cav_08")
        choose(game, P, "horqueta")
    assert told(held, "points_scored")
    assert not told(not_held, "points_scored")


# -- what lasts ----------------------------------------------------------------------------------------------


def recovery(card: str, in_use: str, unit: str, space: str) -> Play:
    """The recovery phase of the side that suffers from a card in use; one unit of its is reduced."""
    side = {A: P, P: A}[owner(in_use)]
    game = play({"phase": f"{side}_restore", "clear": True, "in_use": {owner(in_use): in_use}, "units": {unit: space},
                 "reduced": [unit], "decks": {side: [card, *[c for c in ("A17", "A22") if side == A],
                                                     *[c for c in ("P16", "P02") if side == P]]}}, [0])
    choose(game, side, card)
    return game


@pytest.mark.clause("12.1", "12.2")
def test_a06_and_p18_shut_one_space_of_their_nation() -> None:
    game = recovery("P10", "A06", "py_inf_01", "asuncion")
    assert refused(game, P, "reinforce", placed={"py_inf_20": "asuncion", "py_inf_21": "cerro_leon"}) == (
        "spaces_shut", "12.1")
    assert groups(game, P, "reinforce")["reserve_paraguay"]["most"] == 1
    answer(game, P, "reinforce", placed={"py_inf_20": "cerro_leon"})
    game = recovery("A04", "P18", "br_inf_01", "rio_grande")
    placed = dict(zip(("br_inf_12", "br_inf_13", "br_inf_14"), ("cuiaba", "porto_alegre", "rio_grande"), strict=True))
    assert refused(game, A, "reinforce", placed=placed) == ("spaces_shut", "12.1")
    assert groups(game, A, "reinforce")["reserve_brazil"]["most"] == 2


@pytest.mark.clause("12.1", "12.2")
def test_a24_and_p10_forbid_what_they_name() -> None:
    game = recovery("P10", "A24", "py_inf_01", "asuncion")
    assert refused(game, P, "replace", lots={"asuncion": ["py_inf_01"]})[0] == "malformed"
    game = recovery("A04", "P10", "ar_inf_01", "santa_fe")
    assert refused(game, A, "reinforce", placed={"ar_inf_07": "buenos_aires"}) == ("card_bars_nation", "12.1")
    assert refused(game, A, "replace", lots={"santa_fe": ["ar_inf_01"]})[0] == "malformed"


@pytest.mark.clause("12.1", "3")
def test_a04_a08_p11_p12_in_the_transport_phase() -> None:
    shut = play({"phase": "paraguayan_transport", "clear": True, "in_use": {A: "A04"},
                 "units": {"py_inf_01": "asuncion"}})
    assert shut.pos.stage == "paraguayan_movement"  # nothing may be shipped
    ships = {"phase": "allied_transport", "clear": True}
    game = play({**ships, "in_use": {A: "A08"}, "units": {"br_inf_01": "corrientes"}, "control": {"pilar": A}})
    way = ["corrientes", "itapiru", "curupayti", "humaita", "pilar"]
    assert refused(game, A, "ship", units=["br_inf_01"], path=way) == ("no_water", "3")  # three enemy spaces
    assert refused(game, A, "ship", units=["br_inf_01"], path=way[:2]) == ("not_own_space", "3")
    game = play({**ships, "in_use": {P: "P11"}, "units": at("goya", "ar_cav_01", "ar_inf_01")})
    assert refused(game, A, "ship", units=["ar_cav_01"], path=["goya", "corrientes"]) == ("card_holds", "12.1")
    game = play({**ships, "in_use": {P: "P12"}, "control": {"corumba": A, "itapiru": A}, "fortresses": {},
                 "units": {"ar_inf_01": "corrientes", "br_inf_02": "corumba"}})
    assert refused(game, A, "ship", units=["ar_inf_01"], path=["corrientes", "itapiru"]) == ("card_shuts_water", "12.1")


@pytest.mark.clause("12.1", "4", "6")
def test_a18_a20_a27_p11_p13_in_the_movement_phase() -> None:
    on = {"phase": "allied_movement", "clear": True, "fortresses": {}}
    game = play({**on, "in_use": {A: "A18"}, "units": {"br_inf_01": "bage"}})
    assert refused(game, A, "move", units=["br_inf_01"], path=["bage", "livramento", "alegrete", "uruguaiana"]) == (
        "too_far", "4")  # who begins elsewhere walks two
    for card in ("A20", "A27"):
        game = play({**on, "in_use": {A: card}, "units": {"br_inf_01": "bage", "br_cav_01": "goya"}})
        left = {u["id"]: u["left"] for us in forms(game, A)["move"]["stacks"].values() for u in us}
        assert left == {"br_inf_01": 2, "br_cav_01": 4 if card == "A20" else 3}
    game = play({**on, "in_use": {P: "P11"}, "units": at("goya", "ar_cav_01", "br_cav_01")})
    assert refused(game, A, "move", units=["ar_cav_01"], path=["goya", "san_roque"]) == ("card_holds", "12.1")
    game = play({**on, "in_use": {P: "P13"}, "units": {
        **at("itapiru", "br_inf_01", "br_inf_02"), "py_inf_01": "tuyuti", "py_inf_02": "curupayti"}})
    answer(game, A, "leaders", placed={"caxias": "tuyuti", "osorio": "curupayti"})
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    assert refused(game, A, "move", units=["br_inf_02"], path=["itapiru", "curupayti"]) == ("no_more_battles", "12.1")


@pytest.mark.clause("12.1", "13")
def test_a27_the_capital_goes_no_further_than_three_steps() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "in_use": {A: "A27"},
                 "units": {"br_inf_01": "villeta"}})
    march(game, A, "br_inf_01", "villeta", "asuncion")
    far = max(game.pos.game.distances("asuncion").items(), key=lambda found: (
        game.pos.space(found[0]).country == "paraguay" and game.pos.controller(found[0]) == P, found[1]))[0]
    assert refused(game, P, option=far) == ("capital_too_far", "12.1")
    assert refused(game, P, option="asuncion") == ("no_capital_there", "13")
    assert refused(game, P, option="corrientes") == ("no_capital_there", "13")


# -- battles: where, for whom and when a card gives nothing ---------------------------------------------------


def battle(card: str, attacker: str, target: str, origin: str, attackers: list[str], defenders: list[str],
           leader: str = "", **body: Any) -> Play:
    """A battle up to its first question after the lines, all shots missed, with a card in use."""
    game = play({"phase": f"{attacker}_movement", "clear": True, "fortresses": {}, "in_use": {owner(card): card},
                 "units": {**at(origin, attackers), **at(target, defenders)}, **body}, [MISS] * 2)
    attack(game, attacker, target, {origin: attackers}, leader)
    both_line_up(game)
    return game


def factor(game: Play, unit: str) -> int:
    """What a unit has shot with first."""
    found: int = next(step["data"]["factor"] for step in told(game, "shot") if step["data"]["unit"] == unit)
    return found


@pytest.mark.clause("12.1", "7")
def test_a07_a11_p08_p22_add_nothing_elsewhere() -> None:
    printed = {"br_inf_01": 3, "br_cav_01": 2, "py_inf_01": 3, "py_inf_03": 2}
    other_leader = battle("A07", A, "tuyuti", "itapiru", ["br_inf_01"], ["py_inf_01"], "osorio")
    assert factor(other_leader, "br_inf_01") == printed["br_inf_01"]
    other_region = battle("A11", A, "tuyuti", "itapiru", ["br_cav_01"], ["py_inf_01"])
    assert factor(other_region, "br_cav_01") == printed["br_cav_01"]
    no_fortress = battle("P08", A, "humaita", "tuyuti", ["br_inf_01"], ["py_inf_03"])
    assert factor(no_fortress, "py_inf_03") == printed["py_inf_03"]
    first_round = battle("P22", A, "tuyuti", "itapiru", ["br_inf_01"], ["py_inf_01"])
    assert factor(first_round, "py_inf_01") == printed["py_inf_01"]


@pytest.mark.clause("12.1", "10")
def test_a09_a16_a26_p17_change_no_other_order() -> None:
    by_land = battle("A09", A, "pilar", "san_fernando", ["br_inf_01"], ["py_inf_01"])  # not out of the Chaco
    assert last(by_land, "battle_began")["order"] == "order.defender_first"
    dry = battle("A16", A, "tuyuti", "itapiru", ["br_inf_01"], ["py_inf_01"])  # on no main river
    assert last(dry, "battle_began")["order"] == "order.attacker_first"
    not_one_of_five = battle("A26", A, "villeta", "cerro_leon", ["br_inf_01"], ["py_inf_01"])
    assert last(not_one_of_five, "battle_began")["order"] == "order.defender_first"
    defending = battle("P17", A, "pilar", "san_fernando", ["br_inf_01"], ["py_inf_01"])
    assert last(defending, "battle_began")["order"] == "order.defender_first"


@pytest.mark.clause("12.1", "7")
def test_a10_not_a_second_time_in_a_battle_and_not_for_the_enemy() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "in_use": {A: "A10"},
                 "units": {**at("itapiru", "br_inf_01", "br_inf_02"), "py_inf_01": "tuyuti"}}, [MISS])
    attack(game, A, "tuyuti", {"itapiru": ["br_inf_01", "br_inf_02"]})
    both_line_up(game)
    assert prompt(game, A) == "reroll"
    assert refused(game, A, option="twice") == ("malformed", "12.1")
    game.dice.extend([MISS, MISS, MISS])
    choose(game, A, "again")
    assert prompt(game, A) == "retreat"  # neither the next miss nor the enemy's is asked about


@pytest.mark.clause("12.1", "7")
def test_p20_no_last_shot_for_who_is_only_reduced() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "in_use": {P: "P20"},
                 "units": {"br_inf_01": "itapiru", "py_inf_01": "tuyuti"}}, [1, MISS])
    attack(game, A, "tuyuti", {"itapiru": ["br_inf_01"]})
    both_line_up(game)
    assert game.pos.reduced == ["py_inf_01"]
    assert [step["data"]["unit"] for step in told(game, "shot")] == ["br_inf_01", "py_inf_01"]


# -- none is left out ----------------------------------------------------------------------------------------


def test_each_card_has_its_own_clause_here() -> None:
    """Every card stands in this file by its number, beside the tests that all of them share."""
    text = Path(__file__).read_text()
    assert [card for card in CARDS if card not in text and card.lower() not in text] == []
