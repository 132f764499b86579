"""6 Leaders, 14 their capture."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    attack,
    choose,
    data,
    end,
    forms,
    groups,
    last,
    lead,
    march,
    play,
    refused,
    rows,
    told,
    view,
)

DUEL = {"phase": "allied_movement", "clear": True, "units": {"br_inf_01": "itapiru", "py_inf_03": "tuyuti"}}


@pytest.mark.clause("6")
def test_no_attack_without_a_leader() -> None:
    game = play(DUEL)
    assert refused(game, A, "move", units=["br_inf_01"], path=["itapiru", "tuyuti"]) == ("no_leader", "6")
    assert game.pending[A].form("move").reach(["br_inf_01"], {})["blocked"]["tuyuti"]["clause"] == "6"  # type: ignore[attr-defined]
    lead(game, A, caxias="tuyuti")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")


@pytest.mark.clause("6")
def test_without_any_leader_left_there_is_no_battle() -> None:
    game = play({**DUEL, "argentina": "out",
                 "leaders": dict.fromkeys(["mitre", "caxias", "osorio", "flores"], "out")})
    assert "leaders" not in forms(game, A)
    assert refused(game, A, "move", units=["br_inf_01"], path=["itapiru", "tuyuti"]) == ("no_leader", "6")


@pytest.mark.clause("6")
def test_a_leader_comes_from_his_box_or_from_the_map_and_leads_any_nation() -> None:
    game = play({**DUEL, "leaders": {"mitre": "itapiru"}})
    lead(game, A, mitre="tuyuti")  # an Argentine leads Brazilians
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    assert [m["id"] for m in view(game, P)["space:tuyuti"]["markers"]] == ["mitre"]


@pytest.mark.clause("6")
def test_one_leader_leads_several_stacks_into_one_battle_but_no_second_battle() -> None:
    game = play({**DUEL, "units": {"br_inf_01": "itapiru", "ar_inf_01": "curupayti", "br_inf_02": "curupayti",
                                   "py_inf_03": "tuyuti", "py_inf_04": "humaita"}})
    lead(game, A, caxias="tuyuti")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    march(game, A, "ar_inf_01", "curupayti", "tuyuti")
    assert "caxias" not in groups(game, A, "leaders")
    assert refused(game, A, "move", units=["br_inf_02"], path=["curupayti", "humaita"]) == ("no_leader", "6")
    lead(game, A, osorio="humaita")
    march(game, A, "br_inf_02", "curupayti", "humaita")
    assert set(game.pos.attacks) == {"tuyuti", "humaita"}


@pytest.mark.clause("6")
def test_one_of_two_leaders_may_leave_a_battle_but_not_both() -> None:
    game = play(DUEL)
    lead(game, A, caxias="tuyuti", osorio="tuyuti")
    march(game, A, "br_inf_01", "itapiru", "tuyuti")
    assert refused(game, A, "leaders", placed={"caxias": "box", "osorio": "box"}) == ("battle_needs_leader", "6")
    lead(game, A, caxias="box")
    assert "osorio" not in groups(game, A, "leaders")


@pytest.mark.clause("6")
def test_leaders_move_freely_in_their_own_movement_phase_only() -> None:
    game = play({"phase": "allied_movement", "clear": True, "units": {"br_inf_01": "bage", "ar_inf_01": "goya"},
                 "leaders": {"caxias": "bage"}, "decks": {A: ["A04", "A17"]}, "hands": {A: ["A24"]}}, [0])
    assert {"goya", "box"} <= set(groups(game, A, "leaders")["caxias"]["where"])
    lead(game, A, caxias="goya", flores="bage")
    lead(game, A, flores="box")
    end(game, A)
    assert game.pos.leaders["caxias"] == "goya"
    choose(game, A, "A04")
    end(game, A)
    assert game.pos.stage == "paraguayan_movement"
    assert game.pos.leaders["caxias"] == "goya"


@pytest.mark.clause("6")
def test_a_leader_left_without_units_returns_to_his_box_uncaptured() -> None:
    game = play({**DUEL, "leaders": {"caxias": "itapiru"}, "decks": {A: ["A04", "A17"]}}, [0])
    lead(game, A, osorio="tuyuti")  # to attack, but then nobody comes
    march(game, A, "br_inf_01", "itapiru", "corrientes")
    end(game, A)
    assert game.pos.leaders["caxias"] == game.pos.leaders["osorio"] == "box"
    assert len(told(game, "leader_returned")) == 2
    assert not told(game, "leader_captured")


# -- capture (14) --------------------------------------------------------------------------------------------


@pytest.mark.clause("6", "12.3", "14")
def test_a_leader_whose_units_are_all_eliminated_in_battle_is_captured() -> None:
    game = play({**DUEL, "leaders": {"diaz": "tuyuti"}, "reduced": ["py_inf_03"], "decks": {A: ["A04", "A17"]}},
                [HIT, 0])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    assert last(game, "leader_captured") == {"leader": "diaz", "at": "tuyuti"}
    assert game.pos.leaders == {**game.pos.leaders, "diaz": "out", "caxias": "tuyuti"}
    assert rows(game, "points") == {A: 5, P: 0}
    assert "diaz" not in str(view(game, P)["pool:leaders:paraguayan"])


@pytest.mark.clause("14")
@pytest.mark.parametrize(("leader", "vp"), [("caxias", 5), ("osorio", 3), ("flores", 2)])
def test_allied_leaders_are_worth_what_their_backs_say(leader: str, vp: int) -> None:
    game = play({**DUEL, "reduced": ["br_inf_01"], "decks": {A: ["A04", "A17"]}}, [MISS, HIT, 0])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"}, leader)
    assert game.pos.leaders[leader] == "out"
    assert game.pos.vp == {A: 0, P: vp}


@pytest.mark.clause("14")
def test_all_leaders_of_the_lost_stack_are_captured() -> None:
    game = play({**DUEL, "leaders": {"diaz": "tuyuti", "resquin": "tuyuti"}, "reduced": ["py_inf_03"],
                 "decks": {A: ["A04", "A17"]}}, [HIT, 0])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    assert game.pos.vp[A] == 5 + 3


@pytest.mark.clause("14", "16")
def test_lopez_captured_wins_the_war_at_once() -> None:
    game = play({**DUEL, "leaders": {"lopez": "tuyuti"}, "reduced": ["py_inf_03"]}, [HIT])
    attack(game, A, "tuyuti", {"itapiru": "br_inf_01"})
    assert game.pos.result == {"winner": A, "key": "result.lopez", "args": {"at": "tuyuti"}, "clause": "14"}
    assert game.asked == ()


# -- Argentina leaves the war (14) ---------------------------------------------------------------------------


def mitre_falls(**body: object) -> dict[str, object]:
    """Mitre at Corrientes with one reduced battalion, about to be attacked from San Roque."""
    return {"phase": "paraguayan_movement", "clear": True, "leaders": {"mitre": "corrientes"},
            "reduced": ["ar_inf_01"], "decks": {P: ["P10", "P16"]}, **body}


@pytest.mark.clause("14")
def test_with_mitre_argentina_leaves_the_war() -> None:
    game = play(mitre_falls(units={"ar_inf_01": "corrientes", "py_inf_01": "san_roque", "ar_inf_02": "goya",
                                   "br_inf_01": "rosario"}, vp={A: 7, P: 4}), [MISS, HIT, 0])
    attack(game, P, "corrientes", {"san_roque": "py_inf_01"})  # a main river: the defender fires first, and misses
    assert told(game, "argentina_out")
    assert game.pos.at["ar_inf_02"] == "dead:allied"
    assert not game.pos.stack("reserve:argentina")
    assert not [u for u, where in game.pos.at.items() if u.startswith("ar_") and where != "dead:allied"]
    assert game.pos.leaders["mitre"] == "out"
    assert {game.pos.controller(s) for s in data_spaces("argentina")} == {"neutral"}
    assert "fort_martin_garcia" not in game.pos.forts
    assert game.pos.vp == {A: 7, P: 4}  # neither the capture nor Corrientes is worth a point now
    assert game.pos.at["br_inf_01"] == "rosario"  # who is there may stay
    assert rows(game, "war")["argentina"] == "argentina.out"
    assert rows(game, "strategic")["argentina"] == 0


def data_spaces(country: str) -> list[str]:
    return [s for s, d in data().files["map"]["spaces"].items() if d["country"] == country]


@pytest.mark.clause("14", "7")
def test_defenders_of_battles_to_come_may_vanish_with_argentina() -> None:
    """The second stack attacked is Argentine, with a Colorado leader: nobody fights, nobody is captured."""
    game = play(mitre_falls(units={"ar_inf_01": "corrientes", "py_inf_01": "san_roque", "ar_inf_02": "tuyuti",
                                   "py_inf_02": "humaita"},
                            leaders={"mitre": "corrientes", "flores": "tuyuti"}, control={"tuyuti": A}),
                [MISS, HIT, 0])
    lead(game, P, diaz="corrientes", resquin="tuyuti")
    march(game, P, "py_inf_01", "san_roque", "corrientes")
    march(game, P, "py_inf_02", "humaita", "tuyuti")
    end(game, P)
    choose(game, P, "corrientes")
    assert game.pos.leaders["flores"] == "box"
    assert game.pos.controller("tuyuti") == P
    assert [step["data"]["leader"] for step in told(game, "leader_captured")] == ["mitre"]


@pytest.mark.clause("14", "7")
def test_attackers_of_battles_to_come_may_vanish_with_argentina() -> None:
    """Two Allied attacks; Mitre's fails first, and the other was Argentine too."""
    game = play({"phase": "allied_movement", "clear": True, "reduced": ["ar_inf_01"], "decks": {A: ["A04", "A17"]},
                 "units": {"ar_inf_01": "itapiru", "ar_inf_02": "pilar", "py_inf_01": "tuyuti",
                           "py_inf_02": "san_fernando"}}, [MISS, HIT, 0])
    lead(game, A, mitre="tuyuti", caxias="san_fernando")
    march(game, A, "ar_inf_01", "itapiru", "tuyuti")
    march(game, A, "ar_inf_02", "pilar", "san_fernando")
    end(game, A)
    choose(game, A, "tuyuti")
    assert game.pos.argentina == "out"
    assert game.pos.leaders["caxias"] == "box"
    assert game.pos.units_of(P, "san_fernando") == ["py_inf_02"]
    assert len(told(game, "battle_began")) == 1


@pytest.mark.clause("14")
def test_other_nations_fight_on_beside_the_vanished() -> None:
    game = play({"phase": "allied_movement", "clear": True, "reduced": ["ar_inf_01", "br_inf_01"],
                 "decks": {A: ["A04", "A17"]},
                 "units": {"ar_inf_01": "itapiru", "ar_inf_02": "pilar", "br_inf_01": "pilar", "py_inf_01": "tuyuti",
                           "py_inf_03": "san_fernando"}}, [MISS, HIT, HIT, HIT, 0])
    lead(game, A, mitre="tuyuti", caxias="san_fernando")
    march(game, A, "ar_inf_01", "itapiru", "tuyuti")
    march(game, A, ["ar_inf_02", "br_inf_01"], "pilar", "san_fernando")
    end(game, A)
    choose(game, A, "tuyuti")
    assert last(game, "battle_began")["attackers"] == ["br_inf_01"]
    assert game.pos.at["br_inf_01"] == "dead:allied"
    assert game.pos.leaders["caxias"] == "out"
