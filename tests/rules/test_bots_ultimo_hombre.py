"""The player of Hasta el último hombre answers legally, sees no hand but its own, and knows its trade."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rules import bots, titles
from rules.bots.leaks import Pair
from rules.bots.playout import chance, play
from rules.bots.reruns import Copies
from rules.bots.ultimo_hombre import ideas
from rules.bots.ultimo_hombre.army import PLAN
from rules.bots.ultimo_hombre.decide import refuge
from rules.bots.ultimo_hombre.fight import line_up
from rules.bots.ultimo_hombre.odds import forecast
from rules.bots.ultimo_hombre.sight import Sight
from rules.bots.ultimo_hombre.worth import Pull, exposure, value
from rules.core.forms import Answer, Line, Move
from rules.core.referee import Referee
from tests.rules.harness import data, played, seats

TITLE = titles.load("ultimo_hombre")
DATA = data("ultimo_hombre")
HEURISTIC = bots.make("heuristic")
A, P = "allied", "paraguayan"


def begun(seed: int = 1) -> Referee:
    referee = Referee.start(TITLE, DATA, "war", {}, chance(TITLE, seed))
    referee.drain()
    return referee


def at(position: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Referee:
    """A game that begins in a lab position with nobody on the map but who is named, Argentina at war."""
    pos = TITLE.written(DATA, {"options": options or {}, "position": {"clear": True, "argentina": "war", **position}})
    referee = Referee.at(TITLE, pos, chance(TITLE, 1))
    referee.drain()
    return referee


def seen(referee: Referee, seat: str) -> Sight:
    return Sight(referee.pos.game, referee.views.contents[seat], seat)


def first(referee: Referee, seat: str) -> Answer:
    """The bot's first idea, which must be legal."""
    idea = next(iter(ideas(referee.game, referee.views.contents[seat], seat, referee.pending[seat])))
    referee.pending[seat].check(idea)
    return idea


def strong(space: str, count: int = 6) -> dict[str, str]:
    return {f"br_inf_{n:02}": space for n in range(1, count + 1)}


@pytest.mark.parametrize("options", [{}, dict.fromkeys(DATA.scenario("war").options, True)])
def test_nearly_every_first_idea_is_legal(options: dict[str, Any]) -> None:
    referee, rng = Referee.start(TITLE, DATA, "war", options, chance(TITLE, 8)), Random(8)
    referee.drain()
    asked = good = 0
    while referee.pending and asked < 150:
        seat = referee.asked[0]
        request = referee.pending[seat]
        asked += 1
        idea = next(iter(ideas(referee.game, referee.views.contents[seat], seat, request)))
        good += request.preview(idea)["ok"]
        answer = HEURISTIC.answer(referee, seat, rng)
        assert answer == request.check(answer)
        referee.answer(seat, answer)
    assert good > 0.97 * asked > 20


@pytest.mark.parametrize("options", [
    dict.fromkeys(DATA.scenario("war").options, True),
    *(pytest.param({name: True}, marks=pytest.mark.long) for name in DATA.scenario("war").options)], ids="-".join)
def test_it_plays_to_the_end_under_every_option(options: dict[str, Any]) -> None:
    game = play(TITLE, DATA, "war", 4, {A: HEURISTIC, P: HEURISTIC}, options=options)
    assert game.result is not None


@pytest.mark.parametrize("phase", ["transport", "movement", "restore"])
def test_it_does_not_look_into_the_other_hand(phase: str) -> None:
    referee = at({"phase": f"allied_{phase}", "units": {**strong("corrientes"), "py_inf_03": "san_cosme"},
                  "hands": {A: ["A02", "A14"], P: ["P01", "P09"]}})
    deal, compared = Random(6), 0
    for n in range(6):
        one, other = Pair(Copies(referee, []), A, deal).games
        assert HEURISTIC.answer(one, A, Random(n)) == HEURISTIC.answer(other, A, Random(n))
        compared += TITLE.encode(one.pos) != TITLE.encode(other.pos)
    assert compared > 3


@pytest.mark.parametrize("side", seats(TITLE))
def test_it_beats_the_random_bot(side: str) -> None:
    names = {seat: "heuristic" if seat == side else "random" for seat in seats(TITLE)}
    won = [played(TITLE, "war", seed, names).result for seed in (1, 2)]
    assert [r and r["winner"] for r in won] == [side] * 2


@pytest.mark.long
@pytest.mark.parametrize("side", seats(TITLE))
def test_it_beats_the_random_bot_in_90_of_100(side: str) -> None:
    names = {seat: "heuristic" if seat == side else "random" for seat in seats(TITLE)}
    results = [played(TITLE, "war", seed, names).result for seed in range(500, 550)]
    assert sum(r is not None and r["winner"] == side for r in results) >= 45


def test_it_places_a_leader_and_then_falls_on_a_weaker_stack() -> None:
    referee = at({"phase": "allied_movement", "units": {**strong("corrientes"), "py_inf_03": "san_cosme"}})
    answer = first(referee, A)
    assert answer["form"] == "leaders"
    assert list(answer["placed"].values()) == ["san_cosme"]
    assert "mitre" not in answer["placed"]
    referee.answer(A, answer)
    answer = first(referee, A)
    assert (answer["form"], answer["path"][-1]) == ("move", "san_cosme")


def test_under_the_option_the_leader_walks_with_the_attackers() -> None:
    referee = at({"phase": "allied_movement", "units": {**strong("corrientes"), "py_inf_03": "san_cosme"}},
                 {"leaders": True})
    answer = first(referee, A)
    assert list(answer["placed"].values()) == ["corrientes"]
    referee.answer(A, answer)
    walk = first(referee, A)
    assert set(answer["placed"]) <= set(walk["units"])
    assert walk["path"][-1] == "san_cosme"


def test_it_does_not_run_one_battalion_against_a_fortress() -> None:
    guard = {f"py_inf_{n:02}": "humaita" for n in range(1, 7)}
    referee = at({"phase": "allied_movement", "units": {**guard, "br_inf_12": "tuyuti", "br_inf_13": "tuyuti"}})
    rng = Random(1)
    while A in referee.pending and referee.pending[A].prompt == "prompt.movement":
        answer = HEURISTIC.answer(referee, A, rng)
        assert answer.get("path", [""])[-1] != "humaita"
        referee.answer(A, answer)


def by_the_long_road(*enemies: str) -> bool:
    """Whether one of three whole battalions in Porto Alegre leaves for an empty Cuiabá."""
    units = {**strong("porto_alegre", 3), **{f"py_inf_{n:02}": at for n, at in enumerate(enemies, 1)}}
    referee = at({"phase": "allied_transport", "units": units}, {"mato_grosso": True})
    form = referee.pending[A].form("ship")
    assert isinstance(form, Move)
    assert "cuiaba" in form.reach(["br_inf_01"], {})["cost"]
    return "cuiaba" in first(referee, A).get("path", [])[1:]


def test_the_long_road_is_taken_when_it_pays_and_the_south_is_quiet() -> None:
    assert by_the_long_road("coxim")
    assert not by_the_long_road("coxim", "rio_pardo")  # an enemy before Porto Alegre
    assert not by_the_long_road()  # nobody threatens Cuiabá


def test_its_free_set_up_is_a_plan_of_its_own() -> None:
    referee = Referee.start(TITLE, DATA, "war", {"free_set_up": True}, chance(TITLE, 1))
    referee.drain()
    placed, suggested = first(referee, P)["placed"], referee.pending[P].forms[0].offer()["suggested"]
    assert placed.keys() == suggested.keys()
    assert Counter(placed.values()) == {
        space: sum(counts) for space, counts in PLAN.items()} != Counter(suggested.values())
    assert {u for u, space in placed.items() if space == "tuyuti"} <= {f"py_inf_{n:02}" for n in range(3, 20)}


def test_lopez_stays_at_home_while_others_can_lead() -> None:
    guard = {f"py_inf_{n:02}": "itapiru" for n in range(1, 7)}
    answer = first(at({"phase": "paraguayan_movement", "units": {**guard, "br_inf_12": "corrientes"}}), P)
    assert answer["form"] == "leaders"
    assert "lopez" not in answer["placed"]


def test_it_walks_into_an_open_prize() -> None:
    referee = at({"phase": "paraguayan_movement",
                  "units": {"py_cav_01": "rosario", "br_inf_12": "rio_grande"}, "fortresses": {}})
    assert "buenos_aires" in first(referee, P)["path"]


HOST = {f"py_inf_{n:02}": "melo" for n in range(1, 7)}
GUARD = {"br_gn_1": "rio_grande", **{f"br_inf_{n:02}": "rio_grande" for n in range(1, 6)}}


def test_a_full_guard_of_a_prize_lets_its_weakest_go_for_a_better_one() -> None:
    referee = at({"phase": "allied_movement", "units": {**GUARD, "br_inf_12": "bage", **HOST}})
    answer = first(referee, A)
    assert (answer["units"], answer["path"][0]) == (["br_gn_1"], "rio_grande")
    rng = Random(1)
    while A in referee.pending and referee.pending[A].prompt == "prompt.movement":
        referee.answer(A, HEURISTIC.answer(referee, A, rng))
    assert set(referee.pos.here["rio_grande"]) == {*strong("", 5), "br_inf_12"}


@pytest.mark.parametrize("other", ["br_gn_2", "br_cav_01"])
def test_nobody_leaves_a_prize_for_one_who_is_no_better(other: str) -> None:
    referee = at({"phase": "allied_movement", "units": {**GUARD, other: "bage", **HOST}})
    assert first(referee, A).get("path", [""])[0] != "rio_grande"


def test_a_prize_is_worth_more_than_a_village_and_bare_it_is_in_danger() -> None:
    referee = at({"phase": "allied_movement", "units": {"py_cav_01": "bage", "br_inf_12": "rio_grande"}})
    sight = seen(referee, A)
    assert value(sight, "rio_grande", P) > 100 > value(sight, "la_paz", P) > 0 == value(sight, "la_paz", A)
    assert exposure(sight, "rio_grande", []) > exposure(sight, "rio_grande", ["br_inf_12"]) > 0
    assert exposure(sight, "santa_fe", []) == 0


def test_the_war_pulls_towards_what_pays() -> None:
    pull = Pull(seen(at({"phase": "allied_movement", "units": {**strong("corrientes"), "py_inf_03": "asuncion"}}), A))
    assert pull.at("itapiru") > pull.at("santa_fe")


def test_odds_follow_numbers_walls_and_who_fires_first() -> None:
    six, one = ((3, 2),) * 6, ((2, 1),)
    assert forecast(six, one, 0, "attacker_first").wins > 0.95 > 0.2 > forecast(one, six, 0, "attacker_first").wins
    even = ((3, 2),) * 4
    assert forecast(even, even, 0, "attacker_first").wins > forecast(even, even, 2, "defender_first").wins


def test_the_attacker_keeps_his_worn_units_away_from_strong_fire() -> None:
    referee = at({"phase": "allied_movement", "units": {"br_inf_01": "corrientes", "br_inf_12": "corrientes"}})
    sight = seen(referee, A)
    lines = [{"side": A, "slots": []}, {"side": P, "slots": [
        {"id": "1", "unit": "py_inf_03", "factor": 2, "reduced": False},
        {"id": "2", "unit": "py_inf_04", "factor": 1, "reduced": True}]}]
    sight.reduced |= {"py_inf_04", "br_inf_12"}
    sight.fragments = {"battle": {"attacker": A, "fort": None, "lines": lines}}
    form = Line("line_up", "7", ("br_inf_01", "br_inf_12"), ("slot:1", "slot:2"))
    assert line_up(sight, form)["placed"] == {"br_inf_01": "slot:1", "br_inf_12": "slot:2"}


def test_it_takes_the_card_that_brings_units_over_one_that_does_nothing() -> None:
    referee = at({"phase": "allied_restore", "hands": {A: ["A02", "A19"]}, "decks": {A: ["A22", "A23"]},
                  "units": {"br_inf_12": "rio_grande", "py_inf_01": "asuncion"}})
    assert first(referee, A)["option"] in ("A02", "A22")


def test_the_new_capital_is_far_from_the_enemy() -> None:
    units = {**strong("asuncion"), "py_inf_03": "panadero"}
    sight = seen(at({"phase": "allied_movement", "units": units, "capital": "panadero"}), P)
    assert refuge(sight, "panadero") > refuge(sight, "luque")
