"""17 The optional rules."""

import pytest

from rules.core.errors import BadPosition
from rules.titles.ultimo_hombre import TITLE
from tests.rules.harness import options
from tests.rules.titles.ultimo_hombre.builders import (
    MISS,
    A,
    P,
    answer,
    at,
    data,
    end,
    forms,
    groups,
    last,
    lead,
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

WALK = {"leaders": True}
BODY = {"phase": "allied_movement", "clear": True, "fortresses": {}, "decks": {A: ["A04", "A17", "A24"]}}


@pytest.mark.clause("17")
def test_none_is_on_unless_agreed_and_all_are_shown() -> None:
    assert set(options(TITLE)) == {"leaders", "mato_grosso", "chaco", "free_set_up", "treaty"}
    assert rows(new_game(), "options") == {name: f"option.{name}.false" for name in options(TITLE)}
    assert rows(new_game(treaty=True), "options")["treaty"] == "option.treaty.true"
    with pytest.raises(BadPosition):
        TITLE.first(data(), "war", {"treaty": "yes"})
    with pytest.raises(BadPosition):
        TITLE.first(data(), "war", {"fog": True})


# -- 1: realistic leaders ------------------------------------------------------------------------------------


@pytest.mark.clause("17.1")
def test_leaders_come_out_to_their_troops_and_never_go_back() -> None:
    game = play({**BODY, "units": {"br_inf_01": "bage", "py_inf_01": "livramento"}, "leaders": {"osorio": "bage"}},
                options=WALK)
    assert set(groups(game, A, "leaders")) == {"caxias", "flores", "mitre"}
    assert groups(game, A, "leaders")["caxias"]["where"] == ["bage"]
    lead(game, A, caxias="bage")
    assert "caxias" not in groups(game, A, "leaders")


@pytest.mark.clause("17.1")
def test_they_move_six_spaces_and_may_then_join_an_attack() -> None:
    game = play({**BODY, "units": {"br_inf_01": "sao_gabriel", "br_inf_02": "cuiaba", "py_inf_01": "bage"},
                 "leaders": {"osorio": "porto_alegre"}}, [MISS, MISS], WALK)
    assert reach(game, A, "move", "osorio")["cost"]["sao_gabriel"] == 2
    assert max(reach(game, A, "move", "osorio")["cost"].values()) == 6
    march(game, A, "osorio", "porto_alegre", "rio_pardo", "sao_gabriel")
    assert refused(game, A, "move", units=["osorio"], path=["sao_gabriel", "bage"]) == ("leader_alone", "17.1")
    assert refused(game, A, "move", units=["br_inf_01"], path=["sao_gabriel", "bage"]) == ("no_leader", "6")
    march(game, A, ["br_inf_01", "osorio"], "sao_gabriel", "bage")
    end(game, A)
    assert last(game, "battle_began")["attackers"] == ["br_inf_01"]


@pytest.mark.clause("17.1")
def test_a_leader_captured_on_the_way_stays_captured_while_another_walks_on() -> None:
    six, one = 6, 1
    game = play({**BODY, "units": {"br_inf_01": "bage", "br_inf_02": "cuiaba"},
                 "leaders": {"caxias": "bage", "osorio": "bage"},
                 "control": {"melo": P, "durazno": P}}, [six, one, one], WALK)
    march(game, A, ["caxias", "osorio"], "bage", "melo", "durazno")
    assert [(step["data"]["leader"], step["data"]["roll"]) for step in told(game, "leader_risked")] == [
        ("caxias", 6), ("osorio", 1), ("osorio", 1)]
    assert (game.pos.leaders["caxias"], game.pos.leaders["osorio"]) == ("out", "durazno")
    assert game.pos.vp[P] == 5


@pytest.mark.clause("17.1", "4")
def test_units_hemmed_in_by_the_enemy_are_offered_the_way_with_a_leader_only() -> None:
    ring = {"py_inf_01": "aguaray", "py_inf_02": "caraguatay", "py_inf_03": "san_pedro"}
    hemmed = {**BODY, "units": {"br_inf_01": "san_estanislao", **ring}}
    game = play({**hemmed, "leaders": {"osorio": "san_estanislao"}}, options=WALK)
    assert {u["id"] for u in forms(game, A)["move"]["stacks"]["san_estanislao"]} == {"br_inf_01", "osorio"}
    alone = play({**hemmed, "leaders": {"osorio": "box"}}, options=WALK)
    assert "move" not in forms(alone, A)
    march(game, A, ["br_inf_01", "osorio"], "san_estanislao", "caraguatay")


@pytest.mark.clause("17.1")
def test_a_leader_who_has_gone_six_goes_no_further() -> None:
    game = play({**BODY, "units": {"br_inf_01": "cruz_alta"}, "leaders": {"osorio": "cruz_alta"}}, options=WALK)
    march(game, A, "osorio", "cruz_alta", "rio_pardo", "cruz_alta", "rio_pardo", "cruz_alta", "rio_pardo", "cruz_alta")
    assert refused(game, A, "move", units=["osorio"], path=["cruz_alta", "rio_pardo"]) == ("spent", "17.1")


@pytest.mark.clause("17.1")
def test_alone_on_enemy_ground_a_six_takes_him_in_each_space() -> None:
    body = {**BODY, "units": {"br_inf_01": "jaguarao"}, "leaders": {"osorio": "jaguarao"}}
    game = play(body, [5, 5], WALK)
    march(game, A, "osorio", "jaguarao", "melo", "durazno")
    assert [step["data"]["roll"] for step in told(game, "leader_risked")] == [5, 5]
    assert game.pos.leaders["osorio"] == "durazno"
    assert game.pos.controller("melo") == P  # a leader takes nothing
    caught = play(body, [3, 6], WALK)
    march(caught, A, "osorio", "jaguarao", "melo", "durazno", "colonia")
    assert caught.pos.leaders["osorio"] == "out"
    assert caught.pos.vp[P] == 3
    assert last(caught, "leader_captured")["at"] == "durazno"


@pytest.mark.clause("17.1")
def test_with_troops_or_on_own_ground_nobody_rolls() -> None:
    game = play({**BODY, "units": {"br_inf_01": "jaguarao"}, "leaders": {"osorio": "jaguarao", "caxias": "bage"}}, [0],
                WALK)
    march(game, A, ["br_inf_01", "osorio"], "jaguarao", "melo")
    march(game, A, "caxias", "bage", "melo")  # taken by now
    assert not told(game, "leader_risked")


@pytest.mark.clause("17.1", "12.1")
def test_on_the_first_allied_turn_a_leader_alone_enters_argentina_where_units_may_not() -> None:
    board = new_game().pos.game
    here, over = min((s.id, near) for s in board.spaces.values() if s.country == "brazil"
                     for near in board.near[s.id] if board.spaces[near].country == "argentina")
    game = play({**BODY, "turn": 1, "argentina": "not_yet", "units": {"br_inf_01": here},
                 "leaders": {"osorio": here}}, options=WALK)
    assert refused(game, A, "move", units=["br_inf_01", "osorio"], path=[here, over]) == ("not_into_argentina", "12.1")
    march(game, A, "osorio", here, over)
    assert not told(game, "leader_risked")
    assert (game.pos.leaders["osorio"], game.pos.argentina) == (over, "not_yet")


@pytest.mark.clause("17.1", "16")
def test_lopez_alone_may_lose_the_war() -> None:
    game = play({**BODY, "phase": "paraguayan_movement", "units": {"py_inf_01": "itapiru"},
                 "leaders": {"lopez": "itapiru", "diaz": "itapiru"}}, [1, 6], WALK)
    march(game, P, ["lopez", "diaz"], "itapiru", "san_cosme")
    assert game.pos.result is not None
    assert game.pos.result["key"] == "result.lopez"


@pytest.mark.clause("17.1", "14")
def test_mitre_alone_may_take_argentina_out_in_mid_movement() -> None:
    game = play({**BODY, "units": {"ar_inf_01": "goya", "br_inf_01": "corrientes", "py_inf_01": "humaita",
                                   "ar_inf_02": "tuyuti"}, "leaders": {"mitre": "corrientes", "caxias": "tuyuti"}}, [6],
                WALK)
    march(game, A, ["ar_inf_02", "caxias"], "tuyuti", "humaita")
    march(game, A, "mitre", "corrientes", "itapiru")
    assert game.pos.argentina == "out"
    assert game.pos.attacks == {}
    game.dice.append(0)
    end(game, A)
    assert game.pos.leaders["caxias"] == "box"  # the enemy stands there, and his troops are gone
    assert game.pos.units_of(P, "humaita") == ["py_inf_01"]


@pytest.mark.clause("17.1")
def test_a_lone_leader_stays_out_until_the_enemy_comes() -> None:
    body = {**BODY, "units": {"br_inf_01": "bage", "py_inf_01": "livramento"}, "leaders": {"osorio": "alegrete"}}
    game = play(body, [0], WALK)
    end(game, A)
    assert game.pos.leaders["osorio"] == "alegrete"
    later = play({**body, "phase": "paraguayan_movement", "decks": {P: ["P10", "P12", "P16"]}}, [0], WALK)
    march(later, P, "py_inf_01", "livramento", "alegrete")
    end(later, P)
    assert later.pos.leaders["osorio"] == "box"
    assert not told(later, "leader_captured")


@pytest.mark.clause("17.1", "3")
def test_leaders_are_shipped_as_units_are() -> None:
    game = play({**BODY, "phase": "allied_transport", "units": {"ar_inf_01": "rosario"},
                 "leaders": {"mitre": "rosario", "flores": "goya"}}, options=WALK)
    assert {u["id"] for u in forms(game, A)["ship"]["stacks"]["rosario"]} == {"ar_inf_01", "mitre"}
    assert "itapiru" not in reach(game, A, "ship", "mitre")["cost"]
    ship(game, A, ["ar_inf_01", "mitre"], "rosario", "santa_fe", "la_paz", "goya")
    ship(game, A, "flores", "goya", "corrientes")  # a leader alone, too
    assert game.pos.leaders["mitre"] == "goya"
    assert game.pos.stage == "allied_movement"
    assert "move" not in forms(game, A)  # all have been shipped


@pytest.mark.clause("17.1", "3")
def test_without_the_option_leaders_neither_ship_nor_walk() -> None:
    game = play({**BODY, "phase": "allied_transport", "units": {"ar_inf_01": "rosario"},
                 "leaders": {"mitre": "rosario"}})
    assert {u["id"] for u in forms(game, A)["ship"]["stacks"]["rosario"]} == {"ar_inf_01"}
    end(game, A)
    assert refused(game, A, "move", units=["mitre"], path=["rosario", "santa_fe"]) == ("leader_is_placed", "6")


# -- 2: the long road ----------------------------------------------------------------------------------------


@pytest.mark.clause("17.2", "3")
@pytest.mark.parametrize(("origin", "goal"), [("rio_grande", "cuiaba"), ("porto_alegre", "cuiaba"),
                                              ("cuiaba", "rio_grande"), ("cuiaba", "porto_alegre")])
def test_brazilians_reach_mato_grosso_reduced(origin: str, goal: str) -> None:
    body = {**BODY, "phase": "allied_transport", "units": at(origin, "br_inf_01", "br_engenheiros", "uc_florida")}
    game = play(body, options={"mato_grosso": True})
    assert goal in reach(game, A, "ship", "br_inf_01")["cost"]
    assert refused(game, A, "ship", units=["uc_florida"], path=[origin, goal]) == ("no_water", "3")
    ship(game, A, ["br_inf_01", "br_engenheiros"], origin, goal)
    assert game.pos.stack(goal) == ["br_engenheiros", "br_inf_01"]
    assert game.pos.reduced == ["br_inf_01"]  # a unit with one side has no other
    assert told(game, "long_road_taken")
    assert refused(play(body), A, "ship", units=["br_inf_01"], path=[origin, goal]) == ("no_water", "3")


@pytest.mark.clause("17.2", "12.2")
def test_the_road_joins_strategic_spaces_only() -> None:
    game = play({**BODY, "phase": "allied_transport", "units": {"br_inf_01": "rio_grande"},
                 "lost_strategic": ["cuiaba"]}, options={"mato_grosso": True})
    assert "cuiaba" not in reach(game, A, "ship", "br_inf_01")["cost"]


@pytest.mark.clause("17.2")
def test_the_sea_between_the_cities_wears_nobody_out() -> None:
    game = play({**BODY, "phase": "allied_transport", "units": {"br_inf_01": "rio_grande"}},
                options={"mato_grosso": True})
    ship(game, A, "br_inf_01", "rio_grande", "porto_alegre")
    assert game.pos.reduced == []


# -- 3 to 5 --------------------------------------------------------------------------------------------------


@pytest.mark.clause("17.3", "4")
def test_units_that_begin_in_the_chaco_move_one_space() -> None:
    there = {"py_cav_01": "andai", "py_inf_01": "andai", "py_cav_02": "pilar"}
    game = play({**BODY, "phase": "paraguayan_movement", "units": there}, options={"chaco": True})
    assert {u["id"]: u["left"] for us in forms(game, P)["move"]["stacks"].values() for u in us} == {
        "py_cav_01": 1,
        "py_inf_01": 1,
        "py_cav_02": 3,
    }
    assert refused(game, P, "move", units=["py_cav_01"], path=["andai", "pilar", "humaita"]) == ("too_far", "17.3")
    march(game, P, "py_cav_01", "andai", "pilar")
    assert refused(game, P, "move", units=["py_cav_01"], path=["pilar", "humaita"]) == ("spent", "17.3")
    march(game, P, "py_cav_02", "pilar", "andai", "santa_teresa", "villa_occidental")  # it began elsewhere


@pytest.mark.clause("17.3", "12.1")
def test_a_card_does_not_shorten_the_chaco() -> None:
    game = play({**BODY, "in_use": {A: "A18"}, "units": {"br_inf_01": "andai"}}, options={"chaco": True})
    assert forms(game, A)["move"]["stacks"]["andai"] == [{"id": "br_inf_01", "left": 1}]


@pytest.mark.clause("17.4", "5")
def test_paraguay_sets_up_anywhere_at_home() -> None:
    game = new_game(free_set_up=True)
    assert game.asked == (P,)
    army = groups(game, P, "free_set_up")["army"]
    home = {s for s, d in data().files["map"]["spaces"].items() if d["country"] == "paraguay"}
    assert set(army["where"]) == home
    assert set(army["units"]) == {u for u in units("py_") if data().files["units"]["units"][u]["pool"] == "setup"}
    suggested = forms(game, P)["free_set_up"]["suggested"]
    assert refused(game, P, placed={**suggested, "py_inf_01": "salto"}) == ("not_there", "17.4")
    assert refused(game, P, placed=dict.fromkeys(army["units"], "luque")) == ("no_room", "5")
    assert refused(game, P, placed={"py_inf_01": "luque"}) == ("all_must_be_placed", "17.4")
    answer(game, P, "free_set_up", placed={**suggested, "py_inf_19": "luque"})
    assert game.pos.at["py_inf_19"] == "luque"
    assert game.asked == (A,)


@pytest.mark.clause("17.5")
def test_three_more_argentine_cavalry() -> None:
    game = new_game(treaty=True)
    for space in ("san_cosme", "ytati", "apipe"):
        (unit,) = game.pos.stack(space)
        kind = game.pos.unit(unit)
        assert (kind.nation, kind.type, kind.full) == ("argentina", "cavalry", 2)
    assert len(game.pos.stack("reserve:argentina")) == len(new_game().pos.stack("reserve:argentina")) - 3


@pytest.mark.clause("17.1", "9")
def test_a_fortress_alone_does_not_keep_a_leader_out() -> None:
    game = play({**BODY, "fortresses": {"fort_paysandu": "paysandu"}, "units": {"br_inf_01": "salto"},
                 "leaders": {"osorio": "salto"}}, [1], WALK)
    march(game, A, "osorio", "salto", "paysandu")
    assert game.pos.forts == {"fort_paysandu": "paysandu"}
    assert [m["id"] for m in view(game, P)["space:paysandu"]["markers"]] == ["osorio", "fort_paysandu"]
