"""10.5, 11, 12.1.4, 12.2.4, 12.3.4 Who has won."""

from random import Random

import pytest

from rules.bots.playout import chance
from rules.core.referee import Referee
from rules.titles.guerra_a_muerte import TITLE, victory
from rules.titles.guerra_a_muerte.position import Position
from tests.rules.titles.guerra_a_muerte.builders import P, Play, R, play, position

REGULARS = ["ame_crna", "ame_ne", "ame_mx", "ame_pb", "ame_gm", "spa_ct", "spa_om", "spa_zg"]  # two steps each
ISLANDS = ["ame_lh-1", "ame_lh-2", "ame_cb-1", "spa_ge", "spa_bg", "spa_cb"]
HELD = {**dict.fromkeys(REGULARS, "guatemala"), **dict.fromkeys(ISLANDS, "cuba")}


def counted(scenario: str, units: dict[str, str]) -> dict[str, object]:
    """The result of a position."""
    pos = position(scenario, units=units)
    victory.decide(pos)
    assert pos.result is not None
    return pos.result


def patriots(n: int) -> dict[str, str]:
    """That many areas wholly patriot."""
    areas = ["salta", "cordoba", "misiones", "quito", "pasto", "panama", "cumana", "guayana", "margarita",
             "chile_norte", "chile_sur", "durango", "tejas", "mojos", "chiquitos"]
    return dict(zip(
        ["pla_1", "pla_2", "pla_3", "gra_cr", "gra_cn", "gra_ll-1", "gra_ll-2", "gra_ll-3", "gra_ar", "chi_1", "chi_2",
         "mex_tp", "mex_ec", "per_lp", "per_cp"][:n], areas[:n], strict=True))


@pytest.mark.clause("12.1.4", "11.1")
@pytest.mark.parametrize(("areas", "more", "winner"), [(12, {}, P), (11, {}, None), (9, {}, None), (8, {}, R)])
def test_areas_of_the_first_battles(areas: int, more: dict[str, str], winner: str | None) -> None:
    found = counted("first_battles", {**HELD, **patriots(areas), **more})
    assert (found["winner"], found["args"]) == (winner, {"areas": str(areas)})


@pytest.mark.clause("12.1.4", "11.1")
def test_halves_rebels_and_worthless_areas() -> None:
    shared = {**patriots(8), "ame_rl-1": "lima", "per_hn": "lima"}
    assert counted("first_battles", {**HELD, **shared})["args"] == {"areas": "8.5"}
    assert counted("first_battles", {**HELD, **shared})["winner"] == R
    assert counted("first_battles", {**HELD, **patriots(8), "reb_inf-1": "paraguay"})["args"] == {"areas": "8.5"}
    assert counted("first_battles", {**HELD, **patriots(8), "chi_4": "pampas"})["args"] == {"areas": "8"}


@pytest.mark.clause("12.1.4", "12.2.4", "10.5")
def test_missing_garrisons_give_two_areas() -> None:
    three = dict.fromkeys(REGULARS[:3], "guatemala") | dict.fromkeys(ISLANDS[:3], "cuba")
    assert counted("first_battles", {**three, **patriots(10)})["winner"] is None
    assert counted("first_battles", {**three, "ame_mx": "quijos", **patriots(10)})["winner"] == P
    assert counted("empire_strikes_back", {**three, **patriots(12)})["winner"] == P
    five = dict.fromkeys(REGULARS[:5], "guatemala") | dict.fromkeys(ISLANDS[:5], "cuba")
    assert counted("empire_strikes_back", {**five, **patriots(12)})["winner"] is None


@pytest.mark.clause("12.2.4")
@pytest.mark.parametrize(("areas", "winner"), [(14, P), (13, None), (11, None), (10, R)])
def test_areas_of_the_empire(areas: int, winner: str | None) -> None:
    assert counted("empire_strikes_back", {**HELD, **patriots(areas)})["winner"] == winner


FIFTEEN = ["tejas", "durango", "san_luis_potosi", "guadalajara", "central_mexico", "tierra_caliente", "guatemala",
           "panama", "santa_fe", "pasto", "quito", "guayaquil", "maracaibo", "lima", "cuzco"]
CROWN = [*REGULARS, "ame_rl-1", "ame_cu-1", "ame_vdc", "ame_rl-2", "ame_cu-2", "ame_ce", "ame_f"]


def crown(areas: list[str]) -> dict[str, str]:
    """The crown in some areas, the first of them with all New Spain's garrison when it lies there."""
    out = dict(zip(CROWN, areas, strict=False))
    for unit in REGULARS:
        out.setdefault(unit, areas[0])
    return {**out, **dict.fromkeys(ISLANDS, "cuba")}


@pytest.mark.clause("11.1.3", "12.3.4")
@pytest.mark.parametrize("scenario", ["campaign", "end_of_empire"])
def test_fifteen_areas_keep_the_empire(scenario: str) -> None:
    units = {**crown(FIFTEEN), **{f"ame_pr-{n}": "yucatan" for n in (1, 2, 3)}, "ame_es": "yucatan"}
    pos = position(scenario, units=units)
    assert len(victory.royalist_continent(pos)) == 15
    short = victory.short_of_garrison(pos)
    result = counted(scenario, units)
    assert result["winner"] == (None if short else R)


@pytest.mark.clause("11.1.1")
def test_two_poor_areas_free_america() -> None:
    units = {**dict.fromkeys(REGULARS, "tierra_caliente"), **dict.fromkeys(ISLANDS, "cuba"), "ame_cl": "chiloe"}
    assert counted("campaign", units)["winner"] == P
    assert counted("campaign", units)["args"] == {"areas": "2", "points": 3}


@pytest.mark.clause("11.1.2")
def test_what_lies_between_is_a_draw() -> None:
    five = ["central_mexico", "santa_fe", "rio_de_la_plata", "chile_norte", "lima"]
    units = {**crown(five), **dict.fromkeys(REGULARS, "central_mexico"), **dict(zip(CROWN[8:], five[1:], strict=False))}
    assert counted("campaign", units)["key"] == "result.continent_draw"
    two_rich = {**dict.fromkeys(REGULARS, "central_mexico"), **dict.fromkeys(ISLANDS, "cuba")}
    assert counted("campaign", two_rich)["key"] == "result.continent_between"


@pytest.mark.clause("10.5", "12.3.4")
def test_the_penalty_takes_the_richest_areas_of_the_crown() -> None:
    pos: Position = position(units={"ame_mx": "central_mexico", "ame_rl-1": "lima", "ame_cl": "chiloe"})
    assert victory.short_of_garrison(pos)
    assert victory.after_penalty(pos, victory.royalist_continent(pos)) == {"chiloe": 2}
    victory.decide(pos)
    assert pos.result is not None
    assert pos.result["winner"] == P


@pytest.mark.clause("3.1", "11.1")
def test_the_last_turn_ends_the_game() -> None:
    game: Play = play({"phase": "end", "only": False, "turn": 15, "units": {**HELD, "ame_cl": "chiloe"}})
    assert game.pos.result is not None
    assert game.request_for(P) is None


def last_year(scenario: str, turn: int, units: dict[str, str]) -> dict[str, object]:
    """The result of a last year in which both sides do as little as they may, from its events to the count."""
    purses = dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0)
    pos = position(scenario, turn=turn, phase="events", only=False, units={"hidalgo": "out", **units}, purses=purses,
                   coup=11 if turn > 9 else None)
    game = Referee.at(TITLE, pos, chance(TITLE, 7))
    while game.pending:
        seat = game.asked[0]
        forms = {form.name: form for form in game.pending[seat].forms}
        idle = next((name for name in forms if name.startswith(("no_", "end_", "stay_"))), next(iter(forms)))
        answer = forms[idle].sample(Random(1))
        game.answer(seat, game.pending[seat].check(answer))
    assert game.pos.result is not None
    found: dict[str, object] = game.pos.result
    return found


SPARE = ["spa_le", "spa_vi", "spa_ex", "spa_br", "spa_vy", "spa_ab"]  # what attrition may take in Veracruz
GARRISON = {**dict.fromkeys([*REGULARS, *SPARE], "veracruz"), **dict.fromkeys(ISLANDS, "la_habana")}
HEALTHY = ["salta", "cordoba", "misiones", "quito", "pasto", "panama", "arequipa", "cuzco", "mojos", "chile_norte",
           "chile_sur", "durango", "tejas", "chiquitos"]
FIVE = dict(zip(["ame_rl-1", "ame_cu-1", "ame_vdc", "ame_f"], ["lima_city", "cuzco_city", "bogota", "santiago"],
                strict=True))
MORE = dict(zip(
    ["ame_rl-2", "ame_cu-2", "ame_ce", "ame_fp", "ame_gr", "ame_cz", "ame_co", "ame_ca", "ame_nu", "ame_br"],
    ["quito", "pasto", "guayaquil", "charcas", "salta", "cordoba", "maracaibo", "arequipa", "durango",
     "san_luis_potosi"], strict=True))


@pytest.mark.clause("11.1", "11.1.1", "11.1.2", "11.1.3", "12.3.4")
@pytest.mark.parametrize("scenario", ["campaign", "end_of_empire"])
@pytest.mark.parametrize(("units", "winner", "key"), [
    ({**GARRISON, "ame_cl": "ancud"}, P, "continent_patriot"),
    ({**GARRISON, **FIVE, "ame_crna": "mexico_city"}, None, "continent_draw"),
    ({**GARRISON, "ame_crna": "mexico_city"}, None, "continent_between"),
    ({**GARRISON, **FIVE, **MORE, "ame_crna": "mexico_city"}, R, "continent_royalist")])
def test_a_last_year_ends_at_every_level_of_the_campaign(scenario: str, units: dict[str, str], winner: str | None,
                                                         key: str) -> None:
    result = last_year(scenario, 15, units)
    assert (result["winner"], result["key"]) == (winner, f"result.{key}"), result


@pytest.mark.clause("12.1.4", "12.2.4")
@pytest.mark.parametrize(("scenario", "turn", "areas", "winner"), [
    ("first_battles", 5, 12, P), ("first_battles", 5, 9, None), ("first_battles", 5, 8, R),
    ("empire_strikes_back", 9, 14, P), ("empire_strikes_back", 9, 11, None), ("empire_strikes_back", 9, 10, R)])
def test_a_last_year_ends_at_every_level_of_the_short_scenarios(scenario: str, turn: int, areas: int,
                                                                winner: str | None) -> None:
    held = dict(zip(patriots(areas), HEALTHY, strict=False))
    assert last_year(scenario, turn, {**GARRISON, **held})["winner"] == winner
