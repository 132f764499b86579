"""9 Uprisings and rebels."""

from typing import Any

import pytest

from rules.titles.guerra_a_muerte.uprisings import modifiers, open_areas, risers
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    forms,
    last,
    operating,
    play,
    position,
    prompt,
    refused,
    told,
)  # fmt: skip


def rising(units: dict[str, str], *dice: int, **body: Any) -> Play:
    """The uprisings of a turn; the next phase begins with Spain's die, which is a 1."""
    return play({"phase": "uprisings", "units": units, "turn": 3, **body}, [*dice])


@pytest.mark.clause("9.1", "9.3")
def test_areas_that_are_open() -> None:
    pos = position(turn=3, units={"ame_rl-1": "lima", "ame_cu-1": "cuzco", "per_lp": "cuzco",
                                  "ame_dba": "banda_oriental", "pla_1": "salta", "pla_2": "misiones"},
                                  masses={P: ["lima"], R: []})
    assert open_areas(pos, P) == []  # Lima barred by the levy, Cuzco shared, Banda Oriental closed to patriots
    assert open_areas(pos, R) == ["misiones", "salta"]
    assert open_areas(position(turn=2, units={"pla_1": "salta", "pla_2": "misiones"}), R) == ["salta"]


@pytest.mark.clause("9.4", "9.1", "9.2", "8.2", "10.4", "9.5")
def test_modifiers() -> None:
    pos = position(turn=3, units={"ame_rl-1": "charcas", "mil_royalist_inf-1": "santa_fe", "ame_mx": "chile_norte",
                                  "gra_ar": "los_llanos", "boves": "cumana", "pla_1": "rio_de_la_plata",
                                  "mil_chile_inf-1": "chiloe"}, repression=["chile_norte"])
    assert dict(modifiers(pos, P, "charcas")) == {"regulars": -1, "favourable": 2}
    assert dict(modifiers(pos, P, "santa_fe")) == {"favourable": 2}
    assert dict(modifiers(pos, P, "chile_norte")) == {"regulars": -1, "repression": 1}
    assert dict(modifiers(pos, R, "los_llanos")) == {"regulars": -1, "boves": 1}
    assert dict(modifiers(pos, R, "rio_de_la_plata")) == {"regulars": -1, "favourable": 2}
    assert dict(modifiers(pos, R, "chiloe")) == {"favourable": 2}


@pytest.mark.clause("9.3")
@pytest.mark.parametrize(("die", "rises"), [(3, True), (2, False)])
def test_five_or_more_raises_militia_in_the_field(die: int, rises: bool) -> None:
    game = rising({"mil_royalist_inf-1": "santa_fe"}, die)
    assert prompt(game, P) == "uprisings"
    answer(game, P, "uprisings", placed={"mil_gran_colombia_cav-1": "santa_fe"})
    assert game.pos.at["mil_gran_colombia_cav-1"] == ("santa_fe" if rises else "recruits:gran_colombia")
    assert last(game, "uprising" if rises else "uprising_failed")["total"] == die + 2


@pytest.mark.clause("9.3")
def test_two_attempts_a_side_named_at_once_patriot_dice_first() -> None:
    units = {"mil_royalist_inf-1": "santa_fe", "ame_mx": "durango", "ame_pb": "tejas", "pla_1": "salta"}
    game = rising(units, 3, 5, 5)
    assert prompt(game, R) == "uprisings"
    answer(game, R, "uprisings", placed={"mil_royalist_cav-1": "salta"})
    assert not told(game, "uprising")
    assert refused(game, P, "uprisings", placed={
        "mil_mexico_inf-1": "durango", "mil_mexico_inf-2": "tejas", "mil_gran_colombia_inf-1": "santa_fe"}) == (
        "too_many_uprisings", "9.3")
    answer(game, P, "uprisings", placed={"mil_mexico_inf-1": "durango", "mil_gran_colombia_inf-1": "santa_fe"})
    assert [step["side"] for step in told(game) if step["event"].startswith("uprising") and step["side"]] == [P, P, R]


@pytest.mark.clause("9.3")
def test_without_a_counter_nobody_rises() -> None:
    everybody = {f"mil_chile_{arm}-{n}": "chiloe" for arm, most in (("inf", 3), ("cav", 2)) for n in range(1, most + 1)}
    game = rising({"ame_cl": "chile_norte", **everybody})
    assert not any("chile_norte" in g["where"] for seat in game.asked if seat == P
                   for g in forms(game, P)["uprisings"]["groups"])
    choose(game, R, "none")


@pytest.mark.clause("9.5")
def test_rebels_rise_in_four_areas_from_turn_3() -> None:
    pos = position(turn=3, units={"pla_1": "misiones"})
    assert risers(pos, R, "misiones") == ["rebels"]
    game = rising({"pla_1": "misiones"}, 5)
    answer(game, R, "uprisings", placed={"reb_inf-1": "misiones"})
    assert last(game, "uprising")["total"] == 5 + 2 - 1
    assert game.pos.at["reb_inf-1"] == "misiones"


@pytest.mark.clause("9.5", "1.3.5")
def test_rebels_are_played_by_whoever_does_not_attack_them() -> None:
    units = {"reb_inf-1": "paraguay", "reb_cav-1": "paraguay"}
    game = operating(P, {"pla_1": "paraguay", **units}, [3, 1])
    activate(game, P, "pla_1")
    answer(game, P, "attack_rebels", target="paraguay", units=["pla_1"])
    choose(game, R, "evade")
    assert told(game, "evaded")
    game = operating(R, {"ame_rl-1": "paraguay", **units}, [3, 1])
    activate(game, R, "ame_rl-1")
    answer(game, R, "attack_rebels", target="paraguay", units=["ame_rl-1"])
    choose(game, P, "evade")


@pytest.mark.clause("9.5")
def test_rebels_operate_with_nobody() -> None:
    game = operating(R, {"ame_rl-1": "paraguay", "reb_inf-1": "paraguay"})
    assert all("reb" not in u for lot in forms(game, R)["activate"]["lots"] for u in lot["units"])


@pytest.mark.clause("4.9.1", "10.2.1")
def test_after_the_coup_a_levy_bars_no_uprising() -> None:
    units = {"ame_rl-1": "cuzco", "per_hn": "santa_fe"}
    masses = {P: ["cuzco"], R: ["santa_fe"]}
    before, after = (position(turn=12, units=units, masses=masses, coup=coup) for coup in (None, 11))
    assert (open_areas(before, P), open_areas(before, R)) == ([], [])
    assert (open_areas(after, P), open_areas(after, R)) == (["cuzco"], ["santa_fe"])
