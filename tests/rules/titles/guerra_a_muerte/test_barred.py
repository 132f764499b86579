"""Refusals name the clause and the figures of the position; the attack that a planned march would allow."""

from typing import Any

import pytest

from rules.core.errors import Refusal
from rules.core.forms import in_points
from rules.titles.guerra_a_muerte.board import HALF
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    done,
    forms,
    march,
    operating,
    play,
    preview,
)  # fmt: skip


def said(game: Play, seat: str, form: str, **body: Any) -> tuple[str, str, dict[str, Any]]:
    """The refusal of an answer: key, clause and what fills the sentence."""
    with pytest.raises(Refusal) as caught:
        game.pending[seat].check({"form": form, **body})
    refusal = caught.value
    return refusal.key.removeprefix("refusal."), refusal.clause, refusal.args_


def beyond(game: Play, seat: str, units: list[str], to: str, form: str = "march") -> tuple[str, str, dict[str, Any]]:
    """What is said of a space out of reach."""
    of: Any = game.pending[seat].form(form)
    why = of.reached({"units": units, "aboard": {}, "to": to})["blocked"][to]
    return why["key"].removeprefix("refusal."), why["clause"], why["args"]


@pytest.mark.clause("5.2", "6.2", "7.6", "10.6")
def test_why_a_force_cannot_go_there() -> None:
    units = {"ame_rl-1": "lima", "pla_1": "lima_city", "pla_2": "lima_city", "ame_vdc": "chiloe"}
    game = operating(R, units, [1])
    activate(game, R, "ame_rl-1")
    left = game.pos.force["op"]
    assert beyond(game, R, ["ame_rl-1"], "lima_city") == ("city_held", "6.2", {"place": "lima_city", "n": 2})
    assert said(game, R, "march", units=["ame_rl-1"], path=["lima", "lima_city"]) == (
        "city_held", "6.2", {"place": "lima_city", "n": 2})
    assert beyond(game, R, ["ame_rl-1"], "spain") == ("by_sea", "7.6", {"place": "spain"})
    assert beyond(game, R, ["ame_rl-1"], "brazil") == ("brazil_closed", "10.6", {"place": "brazil"})
    key, clause, figures = beyond(game, R, ["ame_rl-1"], "guadalajara")
    assert (key, clause, figures["left"]) == ("too_far", "5.2", left)
    assert figures["n"] > left
    assert said(game, R, "march", units=["ame_vdc"], path=["chiloe", "valdivia"]) == (
        "not_of_the_force", "3.3", {"unit": "ame_vdc", "force": "lima"})


@pytest.mark.clause("3.2", "3.3", "10.1", "7.1")
def test_why_a_counter_does_not_act_with_the_force() -> None:
    units = {"pla_1": "salta", "pla_2": "salta", "mex_frigate-1": "caribbean_1", "mil_peru_inf-1": "cuzco",
             "gra_cr": "caracas", "ame_rl-1": "lima"}
    game = operating(P, units, [1, 1], guerrillas=["mil_peru_inf-1"])
    activate(game, P, "pla_2")
    done(game, P)
    activate(game, P, "pla_1")
    for unit, why in {"pla_2": ("has_operated", "3.3"), "mil_peru_inf-1": ("guerrilla_stays", "10.1"),
                      "gra_cr": ("other_group", "3.2"), "ame_rl-1": ("not_yours", "3.3")}.items():
        assert said(game, P, "march", units=[unit], path=[game.pos.at[unit], "tucuman"])[:2] == why
    assert said(game, P, "march", units=["gra_cr"], path=["caracas", "x"])[2] == {
        "unit": "gra_cr", "group": "group_of.patriot_0"}
    still = forms(game, P)["march"]["still"]
    assert still["caracas"]["key"] == "refusal.other_group"
    assert "salta" not in still, "where the force itself stands"


@pytest.mark.clause("6.1", "3.3")
def test_an_attack_says_how_many_of_the_force_were_chosen_and_who_does_not_fight() -> None:
    game = operating(R, {"ame_rl-1": "lima", "ame_cu-1": "lima", "ame_vdc": "lima", "pla_1": "lima"}, [3])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    assert said(game, R, "attack", target="lima", units=["ame_rl-1"]) == ("whole_force", "6.1", {"n": 1, "of": 2})
    barred = forms(game, R)["attack"]["targets"]["lima"]["barred"]
    assert barred == {"ame_vdc": {"key": "refusal.not_of_the_force", "args": {"unit": "ame_vdc", "force": "lima"},
                                  "clause": "3.3"}}
    assert said(game, R, "attack", target="cuzco", units=["ame_rl-1"]) == ("no_enemy_force", "6.1", {"place": "cuzco"})


@pytest.mark.clause("4.4", "4.6", "4.2")
def test_what_is_built_says_its_price_and_where_it_may_not() -> None:
    game = play({"phase": "reorganisation", "turn": 14, "units": {"hidalgo": "out", "ame_rl-1": "lima",
                 "pla_1": "lima_city"}, "purses": {"royalist": 0}}, [1])
    while R not in game.asked:
        done(game, P)
    offered = forms(game, R)["build"]["groups"]
    group = next(g for g in offered if "lima" in g["where"])
    assert group["barred"]["lima_city"] == {"key": "refusal.city_held", "args": {"place": "lima_city", "n": 1},
                                            "clause": "6.2"}
    unit = group["units"][0]
    assert said(game, R, "build", placed={unit: "lima_city"})[:2] == ("city_held", "6.2")
    assert said(game, R, "build", placed={unit: "cuzco"}) == ("not_held", "4.6", {"side": R, "place": "cuzco"})
    limit = game.pos.spendable(R)
    dear = max(game.pos.stack("recruits:american") + game.pos.stack("recruits:royalist"), key=game.pos.game.cost)
    assert game.pos.game.cost(dear) > limit
    figures = {"unit": dear, "n": in_points(game.pos.game.cost(dear), HALF), "nation": "nation.royalist",
               "limit": in_points(limit, HALF)}
    assert said(game, R, "build", placed={dear: "lima"}) == ("unit_too_dear", "4.4", figures)


# -- the attack that a march would allow ---------------------------------------------------------------------


@pytest.mark.clause("6.1", "6.2", "3.3")
def test_a_march_shows_the_odds_that_it_brings_and_they_are_those_of_the_attack() -> None:
    units = {"ame_rl-1": "cuzco", "ame_cu-1": "cuzco", "pla_1": "lima", "pla_2": "lima_city"}
    game = operating(R, units, [3])
    force = ["ame_cu-1", "ame_rl-1"]
    activate(game, R, *force)
    effect = preview(game, R, "march", units=force, path=["cuzco", "lima"])["effect"]
    shown = {one["target"]: one for one in effect["attacks"]}
    assert sorted(shown) == ["lima", "lima_city"]
    assert game.pos.at["ame_rl-1"] == "cuzco", "nothing has moved"
    assert shown["lima"]["from"] == "lima"
    march(game, R, "cuzco", "lima")
    for name, target in (("attack", "lima"), ("assault", "lima_city")):
        now = preview(game, R, name, target=target, units=force)["effect"]
        assert {k: v for k, v in shown[target].items() if k != "from"} == now


@pytest.mark.clause("3.3", "5.1.3")
def test_without_points_left_none_is_shown_and_of_a_closed_box_nothing_but_that_it_is_there() -> None:
    path = ["salta", "charcas", "cuzco", "lima"]
    for start in (1, 0):
        game = operating(R, {"ame_rl-1": path[start], "pla_1": "lima"}, [1], armies={P: {"1": "lima"}})
        activate(game, R, "ame_rl-1")
        assert game.pos.force["op"] == 4
        effect = preview(game, R, "march", units=["ame_rl-1"], path=path[start:])["effect"]
        assert effect["left"]["ame_rl-1"] == 1 + start, "a battle takes two"
        known = [(one["defense"], one["assumed"], one["faces"]) for one in effect["attacks"]]
        assert known == ([(None, True, [])] if start else [])


@pytest.mark.clause("5.3", "3.2")
def test_the_end_of_the_operations_tells_what_attrition_may_cost() -> None:
    game = operating(R, {"ame_rl-1": "chaco", "ame_cu-1": "lima"}, [3])
    (end,) = forms(game, R)["end_operations"]["options"]
    assert end["forecast"] is True
    activate(game, R, "ame_cu-1")
    (end,) = forms(game, R)["end_force"]["options"]
    assert not end.get("forecast"), "it has not marched through hostile country"
    two = operating(P, {"pla_1": "salta", "gra_cr": "caracas"}, [])
    (end,) = forms(two, P)["end_operations"]["options"]
    assert not end.get("forecast"), "another group operates before"
    answer(two, P, "end_operations", option="end")
    (end,) = forms(two, P)["end_operations"]["options"]
    assert end["forecast"] is True
