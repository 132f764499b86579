"""3.4, 3.4.1 Interception."""

import pytest

from rules.titles.guerra_a_muerte.march import interception_modifier
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    choose,
    done,
    last,
    lose,
    march,
    only,
    operating,
    options,
    position,
    prompt,
    told,
    view,
)  # fmt: skip

FOOT, HORSE, GUNS = ["ame_rl-1", "ame_cu-1", "ame_vdc", "ame_rl-2"], ["ame_dlf-1", "ame_dlf-2", "ame_es"], ["ame_art-3"]
BELGRANO = ["pla_1", "pla_2", "pla_dp-1", "pla_gdr"]


def example(dice: list[int]) -> Play:
    """The example of 3.4: Pezuela comes from Charcas into Salta, where Belgrano stands, and goes on."""
    units = {**dict.fromkeys([*FOOT, *HORSE, *GUNS, "pezuela"], "charcas"),
             **dict.fromkeys([*BELGRANO, "belgrano"], "salta")}
    game = operating(R, units, dice)
    activate(game, R, "pezuela", *FOOT, *HORSE, *GUNS)
    march(game, R, "charcas", "salta", "rio_de_la_plata")
    return game


@pytest.mark.clause("3.4", "3.4.1")
def test_the_worked_example() -> None:
    """Belgrano +1, half his units ride +1, Pezuela -3: a 6 becomes 5, and the battle is a bloodbath."""
    game = example([1, 6, 1, 6, 1, 1, 1, 6])
    assert game.pos.force["op"] == 7 - 2  # 4 and Pezuela's 3 (the example has 5 and 3 left)
    assert prompt(game, P) == "intercept"
    assert options(game, P) == ["none", "field"]
    choose(game, P, "field")
    assert only(game, "intercepted") == {"at": "salta", "roll": 6, "total": 5}
    assert only(game, "battle_rolled")["result"] == "result.BB"
    lose(game, P, *(u + tail for u in BELGRANO[:2] for tail in ("", "/2")))
    lose(game, R, *[u + tail for u in FOOT for tail in ("", "/2")][:7])
    assert prompt(game, R) == "go_on"
    choose(game, R, "yes")
    assert game.pos.force["at"] == "rio_de_la_plata"
    assert game.pos.force["op"] == 5


@pytest.mark.clause("3.4")
def test_a_failed_interception_stops_nobody_and_costs_nothing() -> None:
    game = example([1, 5])
    choose(game, P, "field")
    assert only(game, "interception_failed")["total"] == 4
    assert game.pos.force["at"] == "rio_de_la_plata"


@pytest.mark.clause("3.4", "5.1.3")
def test_boxes_are_opened_for_an_interception_and_closed_again() -> None:
    units = {**dict.fromkeys([*HORSE, "pezuela"], "salta"), **dict.fromkeys([*BELGRANO, "belgrano"], "salta")}
    game = operating(R, units, [1, 2], armies={R: {"1": "salta"}, P: {"2": "salta"}})
    activate(game, R, "pezuela", *HORSE)
    march(game, R, "salta", "rio_de_la_plata")
    assert not told(game, "boxes_opened")
    choose(game, P, "field")
    for side, theirs in ((P, HORSE), (R, BELGRANO)):
        (opened,) = told(game, "boxes_opened", side)
        assert set(theirs) <= set(opened["data"]["units"])
        assert set(theirs) <= {u["id"] for u in opened["fragments"]["space:salta"]["units"]}
    assert last(game, "interception_failed")["total"] == 2 + (1 - 1) + (1 - 3)
    assert [u["id"] for u in view(game, R)["space:salta"].get("units", [])] == []
    assert "units" not in view(game, P)["space:rio_de_la_plata"]


@pytest.mark.clause("3.4")
def test_the_intercepted_may_stop_after_the_fight() -> None:
    game = example([1, 6, 1, 6, 1, 1, 1, 6])
    choose(game, P, "field")
    lose(game, P, *(u + tail for u in BELGRANO[:2] for tail in ("", "/2")))
    lose(game, R, *[u + tail for u in FOOT for tail in ("", "/2")][:7])
    choose(game, R, "no")
    assert game.pos.force["at"] == "salta"
    done(game, R)


@pytest.mark.clause("3.4.1")
def test_modifiers() -> None:
    pos = position(units={"ame_es": "salta", "ame_pr-1": "salta", "ame_rl-1": "salta", "pla_1": "salta",
                          "pla_dp-1": "salta"})
    assert interception_modifier(pos, ["pla_1", "pla_dp-1", "belgrano"], ["ame_rl-1", "pezuela"]) == 1 + 1 - 3
    assert interception_modifier(pos, ["pla_1"], ["ame_es"]) == -1
    assert interception_modifier(pos, ["pla_dp-1"], ["ame_es"]) == 0
    assert interception_modifier(pos, ["pla_1"], ["ame_rl-1", "ame_es", "ame_pr-1"]) == -1
    assert interception_modifier(pos, ["san_martin", "pla_1"], ["ame_rl-1"]) == 3


@pytest.mark.clause("3.4", "6.7", "10.1", "9.5")
def test_no_interception_from_cities_by_guerrillas_or_by_rebels() -> None:
    game = operating(R, {"ame_rl-1": "salta", "pla_1": "salta_city", "mil_plata_inf-1": "salta", "reb_inf-1": "salta",
                         "belgrano": "salta_city"}, [1], guerrillas=["mil_plata_inf-1"])
    activate(game, R, "ame_rl-1")
    march(game, R, "salta", "charcas")
    assert game.pos.force["at"] == "charcas"
    assert not told(game, "sets_out")


@pytest.mark.clause("3.4", "6.2")
def test_besiegers_who_intercept_besiege_no_more() -> None:
    game = operating(R, {"ame_rl-1": "lima", "pla_1": "lima", "mil_royalist_inf-1": "callao"}, [1, 1],
                     sieges={"callao": {"units": ["pla_1"]}})
    activate(game, R, "ame_rl-1")
    march(game, R, "lima", "cuzco")
    assert options(game, P) == ["none", "callao"]
    choose(game, P, "callao")
    assert game.pos.sieges == {}
    assert last(game, "interception_failed")["roll"] == 1
