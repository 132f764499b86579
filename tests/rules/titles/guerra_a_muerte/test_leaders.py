"""8 Leaders, 10.3 havens."""

import pytest

from rules.core.forms import Place
from rules.titles.guerra_a_muerte.leaders import tactical
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    only,
    operating,
    options,
    play,
    position,
    prompt,
    refused,
    told,
)  # fmt: skip


def wiped_out(die: int, leader: str, unit: str, at: str = "lima", **units: str) -> Play:
    """A leader whose only men are hunted down by a bigger force."""
    foe = ["ame_rl-1", "ame_cu-1", "ame_vdc"]
    game = operating(R, {**dict.fromkeys(foe, at), unit: at, leader: at, **units}, [3, 6, 1, 1, 1, 1, 6, die])
    activate(game, R, *foe)
    answer(game, R, "attack", target=at, units=foe)
    choose(game, P, "stand")
    return game


@pytest.mark.clause("8.1")
@pytest.mark.parametrize(("die", "lost"), [(2, True), (3, False), (4, False)])
def test_a_leader_without_men_is_lost_on_two(die: int, lost: bool) -> None:
    game = wiped_out(die, "belgrano", "mil_plata_inf-1", pla_1="salta", pla_2="cordoba")
    assert bool(told(game, "leader_lost")) is lost
    assert game.pos.at["belgrano"] == ("out" if lost else "salta")
    choose(game, R, "stay")


@pytest.mark.clause("8.1", "10.3")
def test_a_saved_patriot_may_go_to_his_haven() -> None:
    game = wiped_out(6, "bolivar", "mil_gran_colombia_inf-1", gra_cr="quito")
    assert prompt(game, P) == "escape"
    assert options(game, P) == ["quito", "haiti"]
    choose(game, P, "haiti")
    assert game.pos.at["bolivar"] == "haiti"
    choose(game, R, "stay")


@pytest.mark.clause("8.2")
@pytest.mark.parametrize(("die", "lost"), [(3, True), (4, False)])
def test_boves_is_lost_on_three(die: int, lost: bool) -> None:
    game = operating(
        P, {**dict.fromkeys(["pla_1", "pla_2", "pla_3"], "lima"), "mil_royalist_inf-1": "lima", "boves": "lima",
            "ame_rl-1": "cuzco"}, [3, 6, 6, 1, 1, 1, 6, die])
    activate(game, P, "pla_1", "pla_2", "pla_3")
    answer(game, P, "attack", target="lima", units=["pla_1", "pla_2", "pla_3"])
    choose(game, R, "stand")
    assert (game.pos.at["boves"] == "out") is lost
    choose(game, P, "stay")


@pytest.mark.clause("8.3")
def test_cochrane_commands_no_land() -> None:
    assert tactical(position(), ["cochrane"]) == 0
    assert tactical(position(), ["cochrane", "san_martin"]) == 3


@pytest.mark.clause("8.3", "7.5.1")
def test_cochrane_seizes_a_frigate_and_his_fleet_fires_better() -> None:
    units = {"cochrane": "pacific_8", "chile_frigate-1": "pacific_8", "roy_frigate-1": "pacific_8",
             "roy_frigate-2": "pacific_8"}
    game = operating(P, units, [3, 6, 2, 4, 5, 9, 9], turn=10)
    activate(game, P, "cochrane", "chile_frigate-1", sea=True)
    answer(game, P, "attack_fleet", target="pacific_8", units=["chile_frigate-1"])
    choose(game, R, "evade")
    assert prompt(game, P) == "seize"
    choose(game, P, "capture:roy_frigate-2")
    assert game.pos.at["roy_frigate-2"] == "recruits:royalist"
    assert game.pos.at["chile_frigate-2"] == "pacific_8"
    hits = {step["data"]["unit"]: step["data"]["hits"] for step in told(game, "broadside")}
    assert hits == {"chile_frigate-1": 1, "roy_frigate-1": 0}  # the 4 hits with factor 3, the 5 does not


@pytest.mark.clause("8.3", "7.5")
def test_cochrane_evades_better() -> None:
    game = operating(R, {"cochrane": "pacific_8", "chile_frigate-1": "pacific_8", "roy_line-1": "pacific_8"}, [3, 4])
    activate(game, R, "roy_line-1", sea=True)
    answer(game, R, "attack_fleet", target="pacific_8", units=["roy_line-1"])
    choose(game, P, "evade")
    assert only(game, "evaded") == {"at": "pacific_8", "roll": 4, "total": 3}


@pytest.mark.clause("8.3", "7.8")
def test_cochrane_raids_better() -> None:
    game = operating(P, {"cochrane": "pacific_8", "chile_frigate-1": "pacific_8", "ame_rl-1": "lima"}, [3, 3])
    activate(game, P, "cochrane", "chile_frigate-1", sea=True)
    choose(game, P, "lima")
    assert game.pos.raided == {"lima": 1}


@pytest.mark.clause("8.3", "6.6")
def test_cochrane_before_a_blockaded_port() -> None:
    game = play({"phase": "end", "units": {"chi_4": "lima", "ame_rl-1": "callao", "cochrane": "pacific_8",
                                           "chile_frigate-1": "pacific_8"},
                 "sieges": {"callao": {"units": ["chi_4"], "blockade": True}}}, [5])
    assert told(game, "surrender")
    answer(game, P, "stay_at_sea", option="stay")


@pytest.mark.clause("8.3", "4.10")
def test_a_ship_comes_free_with_cochrane() -> None:
    game = play({"phase": "reorganisation", "turn": 10, "units": {"chi_4": "valparaiso"},
                 "purses": dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0)}, [1])
    answer(game, R, "no_arrivals", option="none")
    answer(game, P, "reinforcements", placed={"cochrane": "valparaiso"})
    form = game.pending[P].form("free_ship")
    assert isinstance(form, Place)
    assert refused(game, P, "free_ship", placed={"chile_line-1": "valparaiso", "chile_frigate-1": "valparaiso"}) == (
        "one_free_ship", "8.3")
    answer(game, P, "free_ship", placed={"chile_line-1": "valparaiso"})
    assert game.pos.purses["chile"] == 8
    assert "free_ship" not in forms(game, P)


@pytest.mark.clause("10.3", "4.4")
def test_recruits_in_haiti() -> None:
    """The example of 10.3: a frigate, a battalion and a squadron for 7 points."""
    purses = {**dict.fromkeys(("royalist", "plata", "chile", "mexico", "peru"), 0), "gran_colombia": 7}
    game = play({"phase": "reorganisation", "turn": 7, "units": {"bolivar": "haiti"}, "purses": purses}, [1])
    answer(game, P, "no_reinforcements", option="none")
    placed = {"gc_frigate-1": "haiti", "gra_ar": "haiti", "gra_sd": "haiti"}
    assert refused(game, P, "build", placed=dict.fromkeys(["gra_lc-1", "gra_sd"], "haiti")) == ("haven_full", "10.3")
    answer(game, P, "build", placed=placed)
    assert game.pos.purses["gran_colombia"] == 0
    assert {game.pos.at[u] for u in placed} == {"haiti"}


@pytest.mark.clause("10.3")
def test_leaders_go_into_exile_at_any_moment_for_nothing() -> None:
    game = operating(P, {"bolivar": "santa_fe", "gra_cr": "santa_fe", "morelos": "durango"}, [3], slot=1)
    assert [g["units"] for g in forms(game, P)["haven"]["groups"]] == [["bolivar"]]
    activate(game, P, "bolivar", "gra_cr")
    answer(game, P, "haven", placed={"bolivar": "haiti"})
    assert game.pos.at["bolivar"] == "haiti"
    assert game.pos.force["units"] == ["gra_cr"]
    assert game.pos.force["op"] == 9
    done(game, P)


@pytest.mark.clause("10.3")
def test_from_the_states_mexicans_walk_in() -> None:
    game = operating(P, {"morelos": "united_states", "mex_uv": "united_states"}, [3], slot=2)
    activate(game, P, "morelos", "mex_uv")
    answer(game, P, "march", units=["mex_uv", "morelos"], path=["united_states", "tejas"])
    assert game.pos.at["morelos"] == "tejas"


@pytest.mark.clause("8.1")
def test_the_nearest_stack_may_stand_in_a_city_of_the_same_area() -> None:
    game = wiped_out(4, "belgrano", "mil_plata_inf-1", pla_1="salta", pla_2="lima_city")
    assert game.pos.at["belgrano"] == "lima_city"
    choose(game, R, "stay")


@pytest.mark.clause("8.1")
def test_a_leader_stands_with_the_stack_he_reaches() -> None:
    game = wiped_out(4, "belgrano", "mil_plata_inf-1", pla_1="buenos_aires")
    assert game.pos.at["belgrano"] == "buenos_aires"
    choose(game, R, "stay")
