"""The player of Guerra a Muerte answers legally, the same to the same view, and knows its trade."""

from random import Random

import pytest

from rules import bots
from rules.bots.guerra_a_muerte import ideas
from rules.bots.guerra_a_muerte.campaign import errand
from rules.bots.guerra_a_muerte.odds import forecast
from rules.bots.guerra_a_muerte.sight import Sight
from rules.bots.playout import chance
from rules.core.forms import Answer
from rules.core.referee import Referee
from rules.titles.guerra_a_muerte import TITLE
from tests.rules.titles.guerra_a_muerte.builders import P, Play, R, activate, data, operating, play, position


def first(game: Play, seat: str) -> Answer:
    """The bot's first idea that is legal."""
    return bots.make("heuristic").answer(game, seat, Random(1))


def test_it_proposes_the_same_to_the_same_view_and_nearly_every_first_idea_is_legal() -> None:
    referee = Referee.start(TITLE, data(), "first_battles", {}, chance(TITLE, 3))
    bot, met = bots.make("heuristic"), 0
    for _ in range(150):
        seat = referee.asked[0]
        answer = bot.answer(referee, seat, Random(1))
        assert bot.answer(referee, seat, Random(1)) == answer
        idea = next(iter(ideas(referee.game, referee.views.contents[seat], seat, referee.pending[seat])), None)
        met += idea == answer
        referee.answer(seat, answer)
    assert met > 120


@pytest.mark.parametrize(("attack", "steps", "lost", "killed", "clears"), [
    (4.0, (2, 2), 5 / 6, 4 / 6, 0.0),  # at 1:1 A2, A1, EX, BB twice, D1: a step each
    (16.0, (8, 2), 1 / 6, 8 / 6, 2 / 6),  # at 4:1 EX, D1, D2 and DZ twice
    (0.5, (1, 4), 1.0, 0.0, 0.0)])
def test_a_fight_is_reckoned_by_the_printed_table(attack: float, steps: tuple[int, int], lost: float, killed: float,
                                                 clears: float) -> None:
    fight = forecast(position().game, "battle", attack, 4.0, steps)
    assert (fight.lost, fight.killed, fight.clears) == pytest.approx((lost, killed, clears))


def test_it_attacks_where_that_pays_and_only_there() -> None:
    army = dict.fromkeys(["pla_7", "pla_8", "pla_1", "san_martin"], "salta")
    game = operating(P, {**army, "ame_rl-1": "salta"}, [6], turn=7)
    activate(game, P, *army)
    assert first(game, P)["form"] == "attack"
    game = operating(P, {"pla_4": "salta", "ame_rl-1": "salta"}, [6], turn=7)
    activate(game, P, "pla_4")
    assert first(game, P)["form"] != "attack"


def test_nobody_walks_alone_into_hostile_country_or_past_a_stronger_enemy() -> None:
    game = operating(P, {"mil_gran_colombia_inf-1": "santa_fe", "mil_gran_colombia_inf-2": "santa_fe"}, [6], slot=1)
    sight = Sight(game.game, game.views.contents[P], P)
    safe = sight.routes("santa_fe", 1.0, gentle=True)
    assert "los_llanos" not in safe
    assert "pasto" in safe
    game = operating(P, {"pla_4": "salta", "ame_rl-1": "charcas", "ame_cu-1": "charcas"}, [6])
    sight = Sight(game.game, game.views.contents[P], P)
    assert "charcas" in sight.routes("salta", 2.0, gentle=True)
    assert "charcas" not in sight.routes("salta", 2.0, gentle=True).get("cuzco", [])


def test_militia_that_a_stronger_enemy_could_reach_take_to_the_hills() -> None:
    units = {"mil_plata_inf-1": "salta", "ame_rl-1": "charcas", "ame_cu-1": "charcas", "pezuela": "charcas",
             "mil_peru_inf-1": "mojos"}
    game = play({"phase": "reorganisation", "turn": 4, "units": {"hidalgo": "out", **units},
                 "purses": dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0)},
                [1] * 8)
    while game.pending and P not in game.pending:
        game.answer(R, first(game, R))
    told: list[Answer] = []
    while P in game.pending and len(told) < 12:
        told.append(first(game, P))
        game.answer(P, told[-1])
    hidden = [u for answer in told if answer["form"] == "modes" for u in answer["lots"].get("to_guerrilla", ())]
    assert "salta" in {game.pos.at[u] for u in hidden}


def test_ships_hunt_a_weaker_fleet() -> None:
    game = operating(R, {"roy_line-1": "caribbean_1", "roy_frigate-1": "caribbean_1", "mex_frigate-1": "caribbean_2",
                         "ame_cp": "campeche"}, [6])
    assert first(game, R) == {"form": "activate_fleet", "lots": {"caribbean_1": ["roy_frigate-1", "roy_line-1"]}}
    game.answer(R, first(game, R))
    for form in ("sail", "attack_fleet"):
        answer = first(game, R)
        assert answer["form"] == form
        game.answer(R, answer)


def test_who_stands_in_a_city_comes_out_to_besiege_a_fortress() -> None:
    army = dict.fromkeys(["pla_7", "pla_8", "san_martin"], "lima_city")
    game = operating(P, {**army, "mil_royalist_inf-5": "callao"}, [6], turn=11)
    activate(game, P, *army)
    assert first(game, P) == {"form": "march", "units": sorted(army), "path": ["lima_city", "lima"]}
    game.answer(P, first(game, P))
    assert first(game, P) == {"form": "blockade", "option": "callao"}


def test_an_army_leaves_no_rich_land_to_an_enemy_who_waits_in_a_town_nearby() -> None:
    army = ["gra_bp", "gra_ll-1", "gra_ll-2", "gra_ll-3"]
    enemies = dict.fromkeys(["spa_ge", "spa_om", "spa_zg", "spa_bg"], "maracaibo_city")
    for there, goes in ((enemies, False), ({}, True)):
        game = operating(P, {**dict.fromkeys(army, "santa_fe"), "gra_vc": "pasto", **there}, [6], slot=1, turn=7)
        sight = Sight(game.game, game.views.contents[P], P)
        assert bool(errand(sight, "santa_fe", army[:3], 4)[1]) is goes


def test_in_its_last_operations_the_crown_goes_for_the_areas_that_are_counted() -> None:
    units = {"ame_rl-1": "lima", "ame_rl-2": "lima", "pla_7": "arequipa_city"}
    for scenario, turn, goal in (("empire_strikes_back", 9, "arequipa"), ("end_of_empire", 15, "cuzco")):
        game = operating(R, units, [6], scenario=scenario, turn=turn)
        game.answer(R, first(game, R))
        assert first(game, R)["path"][-1] == goal


def test_the_crown_buys_sure_operations_for_an_army_with_what_it_cannot_spend() -> None:
    army = dict.fromkeys(["ame_rl-1", "ame_rl-2", "ame_cu-1"], "lima")
    purses = dict.fromkeys(("plata", "gran_colombia", "chile", "mexico", "peru"), 0)
    for points, bought in ((3, "0"), (12, "1"), (30, "2")):
        game = operating(R, {**army, "pla_4": "cuzco"}, [6], purses={**purses, "royalist": points})
        activate(game, R, *army)
        assert first(game, R) == {"form": "boost", "option": bought}
