"""6.2-6.7 Sieges, works, blockades and the fall of places."""

from typing import Any

import pytest

from rules.titles.guerra_a_muerte.control import holder_of
from rules.titles.guerra_a_muerte.siege import cut_off, siege_sum
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    last,
    lose,
    march,
    only,
    operating,
    play,
    position,
    preview,
    told,
)  # fmt: skip


def besieging(dice: list[int], units: dict[str, str], *force: str, **body: Any) -> Play:
    """Patriots of Gran Colombia before a place."""
    game = operating(P, units, dice, slot=1, **body)
    activate(game, P, *force)
    return game


@pytest.mark.clause("6.2")
def test_puerto_cabello() -> None:
    """The example of 6.2: a militia of 1 defends the fortress with 1 and 8."""
    game = besieging([3], {"gra_cr": "costa_firme", "mil_royalist_inf-1": "puerto_cabello"}, "gra_cr")
    panel = preview(game, P, "assault", target="puerto_cabello", units=["gra_cr"])["effect"]
    assert (panel["attack"], panel["defense"], panel["ratio"]) == (6, 9, "1:2")


@pytest.mark.clause("6.2", "6.3")
def test_a_city_adds_two_and_an_attack_costs_three() -> None:
    game = besieging([3, 4], {"gra_cr": "costa_firme", "mil_royalist_inf-1": "caracas"}, "gra_cr")
    assert preview(game, P, "assault", target="caracas", units=["gra_cr"])["effect"]["defense"] == 3
    answer(game, P, "assault", target="caracas", units=["gra_cr"])
    assert only(game, "siege_rolled")["result"] == "siege.D1"
    assert told(game, "place_fell")
    assert game.pos.force["op"] == 3
    assert holder_of(game.pos, "caracas") == P


@pytest.mark.clause("6.3", "6.4", "6.5", "3.3")
def test_what_shifts_and_modifies_a_siege() -> None:
    pos = position(units={"gra_cr": "costa_firme", "gra_art-1": "costa_firme", "bolivar": "costa_firme",
                          "ame_nu": "puerto_cabello", "ame_art-4": "puerto_cabello", "boves": "puerto_cabello",
                          "gc_frigate-1": "caribbean_5"})
    units = ["gra_cr", "gra_art-1", "bolivar"]
    found = siege_sum(pos, units, "puerto_cabello", friction=False)
    assert (found.attack, found.defense) == (6 + 2 * 3, 2 + 2 * 3 + 8)
    assert (found.column, found.die) == (1 + 1, 3 - 2)  # 12:16 is 1:2, ships alone one more
    pos.sieges["puerto_cabello"] = {"side": P, "units": units, "works": True, "blockade": False}
    assert siege_sum(pos, units, "puerto_cabello", friction=True).column == 4
    assert siege_sum(pos, units, "puerto_cabello", friction=True).die == 0
    pos.put("roy_frigate-1", "caribbean_5")
    assert siege_sum(pos, units, "puerto_cabello", friction=False).column == 3


@pytest.mark.clause("6.4")
def test_works_cost_two_and_stay() -> None:
    game = besieging([5, 3], {"gra_cr": "costa_firme", "gra_ar": "costa_firme", "mil_royalist_inf-1": "puerto_cabello"},
                     "gra_cr", "gra_ar")
    choose(game, P, "puerto_cabello")
    assert game.pos.sieges["puerto_cabello"] == {
        "side": P, "units": ["gra_ar", "gra_cr"], "works": True, "blockade": False}
    assert game.pos.force["op"] == 6
    assert "works" not in forms(game, P)
    answer(game, P, "assault", target="puerto_cabello", units=["gra_ar", "gra_cr"])
    assert only(game, "siege_rolled")["result"] == "siege.NE"  # 10:9 is 1:1, 2:1 with works
    assert game.pos.sieges["puerto_cabello"]["works"]


@pytest.mark.clause("6.2", "6.4")
def test_a_siege_ends_with_its_besiegers_departure_and_works_are_lost() -> None:
    game = besieging([5], {"gra_cr": "santa_fe", "mil_royalist_inf-1": "cartagena"}, "gra_cr",
                     sieges={"cartagena": {"units": ["gra_cr"], "works": True}})
    march(game, P, "santa_fe", "pasto")
    assert game.pos.sieges == {}
    assert told(game, "siege_lifted")


@pytest.mark.clause("6.1", "6.2")
def test_besiegers_who_evade_lift_the_siege_and_those_who_stand_keep_it() -> None:
    units = {"ame_rl-1": "lima", "pla_1": "lima", "mil_royalist_inf-1": "callao"}
    siege = {"callao": {"units": ["pla_1"], "works": True}}
    game = operating(R, units, [3, 1], sieges=siege)
    activate(game, R, "ame_rl-1")
    answer(game, R, "relieve", target="callao", units=["ame_rl-1"])
    choose(game, P, "evade")
    assert game.pos.sieges == {}
    game = operating(R, units, [3, 6, 1, 1, 1, 1, 3], sieges=siege)
    activate(game, R, "ame_rl-1")
    answer(game, R, "relieve", target="callao", units=["ame_rl-1"])
    choose(game, P, "stand")
    lose(game, R, "ame_rl-1")
    lose(game, P, "pla_1")
    assert game.pos.sieges["callao"]["works"]


@pytest.mark.clause("6.2")
def test_a_garrison_may_sally() -> None:
    game = operating(R, {"ame_rl-1": "callao", "pla_1": "lima"}, [3], sieges={"callao": {"units": ["pla_1"]}})
    activate(game, R, "ame_rl-1")
    march(game, R, "callao", "lima")
    assert "attack" in forms(game, R)
    assert game.pos.sieges == {}  # nobody is besieged any more


CARTAGENA = {
    **dict.fromkeys(["morillo", "spa_le", "spa_vi", "spa_ex", "spa_br", "spa_vy", "spa_ab", "spa_lc", "spa_gr",
                     "spa_du", "spa_hf", "ame_ll-1", "ame_ll-2", "ame_es", "ame_dr", "spa_art-6",
                     "spa_art-7"], "maracaibo"),
    **dict.fromkeys(["gra_ng-2", "gra_ng-3", "gra_lc-1", "gra_sd"], "santa_fe"),
    **dict.fromkeys(["gra_cn", "gra_ng-1", "mil_gran_colombia_inf-1", "mil_gran_colombia_inf-2"], "cartagena"),
    "roy_line-1": "caribbean_5", "roy_frigate-1": "caribbean_5", "gc_frigate-1": "caribbean_3",
}


@pytest.mark.clause("6.6", "7.1", "3.3")
def test_the_siege_of_cartagena() -> None:
    """The example of 6.6: one point into the area, two for the battle that clears the field, four for the blockade; the
    fleet sinks the frigate, and on a 4 the fortress gives up."""
    army = [u for u, loc in CARTAGENA.items() if loc == "maracaibo"]
    dice = [4, 6, 1, 1, 1, 1, 6, 3, 1, 1, 6, 6, 6, 6, 4]
    game = play({"phase": "royalist_operations", "turn": 6, "only": False, "units": {"hidalgo": "out", **CARTAGENA},
                 "purses": dict.fromkeys(("royalist", "gran_colombia", "plata", "mexico", "chile", "peru"), 0)}, dice)
    activate(game, R, *army)
    assert game.pos.force["op"] == 7
    march(game, R, "maracaibo", "santa_fe")
    answer(game, R, "attack", target="santa_fe", units=game.pos.troops(game.pos.force["units"]))
    choose(game, P, "stand")
    assert last(game, "battle_rolled")["result"] == "result.DZ"
    choose(game, R, "stay")
    answer(game, R, "blockade", option="cartagena")
    assert game.pos.sieges["cartagena"]["blockade"]
    assert not game.pos.forces  # all seven points are spent
    activate(game, R, "roy_line-1", "roy_frigate-1", sea=True)
    answer(game, R, "sail", units=["roy_frigate-1", "roy_line-1"], path=["caribbean_5", "caribbean_4", "caribbean_3"])
    answer(game, R, "attack_fleet", target="caribbean_3", units=["roy_frigate-1", "roy_line-1"])
    choose(game, P, "stand")
    answer(game, P, "broadsides", lots={"gc_frigate-1": ["roy_line-1"]})
    assert game.pos.at["gc_frigate-1"] == "recruits:gran_colombia"
    done(game, R)
    assert only(game, "surrender") == {"at": "cartagena", "roll": 4, "total": 4}
    for unit in ("gra_cn", "gra_ng-1", "mil_gran_colombia_inf-1", "mil_gran_colombia_inf-2"):
        assert game.pos.at[unit] == "recruits:gran_colombia"


@pytest.mark.clause("6.6")
def test_the_three_conditions_of_a_blockade() -> None:
    def cut(more: dict[str, str], blockade: bool = True) -> bool:
        pos = position(units={"gra_cr": "costa_firme", "ame_nu": "puerto_cabello", **more}, sieges={
            "puerto_cabello": {"units": ["gra_cr"], "blockade": blockade}})
        return cut_off(pos, "puerto_cabello")

    assert cut({})
    assert not cut({}, blockade=False)
    assert not cut({"roy_frigate-1": "caribbean_5"})
    assert cut({"roy_frigate-1": "puerto_cabello"})
    assert not cut({"ame_co": "costa_firme"})
    assert not cut({"ame_co": "caracas"})


@pytest.mark.clause("6.6")
@pytest.mark.parametrize(("die", "falls"), [(4, True), (5, False)])
def test_a_starved_fortress_gives_up_on_four(die: int, falls: bool) -> None:
    game = play({"phase": "end", "units": {"gra_cr": "costa_firme", "ame_nu": "puerto_cabello"},
                 "sieges": {"puerto_cabello": {"units": ["gra_cr"], "blockade": True}}}, [die])
    assert bool(told(game, "surrender")) is falls
    assert (game.pos.at["ame_nu"] == "recruits:american") is falls


@pytest.mark.clause("6.6")
def test_who_blockades_does_nothing_but_attack_the_place() -> None:
    game = besieging([5], {"gra_cr": "costa_firme", "ame_nu": "puerto_cabello"}, "gra_cr")
    answer(game, P, "blockade", option="puerto_cabello")
    assert game.pos.force["op"] == 4
    assert set(forms(game, P)) == {"assault", "end_force"}


@pytest.mark.clause("6.6", "6.2")
def test_who_has_stormed_what_he_blockaded_is_free_again() -> None:
    men = ["gra_cr", "gra_ll-1", "gra_ll-2", "gra_ar"]
    game = besieging([5, 6], {**dict.fromkeys(men, "costa_firme"), "mil_royalist_inf-1": "puerto_cabello"}, *men)
    answer(game, P, "blockade", option="puerto_cabello")
    answer(game, P, "assault", target="puerto_cabello", units=sorted(men))
    assert told(game, "place_fell")
    assert game.pos.force["op"] == 1
    assert "march" in forms(game, P)


@pytest.mark.clause("6.7")
def test_an_empty_city_falls_with_its_area() -> None:
    pos = position(units={"gra_cr": "costa_firme"})
    assert holder_of(pos, "puerto_cabello") == holder_of(pos, "caracas") == P
    pos.put("ame_nu", "costa_firme")
    assert holder_of(pos, "caracas") is None


@pytest.mark.clause("6.7", "10.1")
def test_in_a_city_nobody_turns_guerrilla() -> None:
    game = play({"phase": "reorganisation", "turn": 14, "units": {
        "mil_royalist_inf-1": "caracas", "mil_royalist_inf-2": "costa_firme"}, "purses": {R: 0}}, [1])
    done(game, P)
    (lot,) = forms(game, R)["modes"]["lots"]
    assert lot["units"] == ["mil_royalist_inf-2"]
    answer(game, R, "modes", lots={"to_guerrilla": ["mil_royalist_inf-2"]})
    assert game.pos.guerrillas == ["mil_royalist_inf-2"]
    assert "mil_royalist_inf-2" not in str(forms(game, R).get("regroup", ""))
