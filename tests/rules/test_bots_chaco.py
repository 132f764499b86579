"""The heuristic player of The Chaco War: legal, repeatable, honest about what it sees, and better than chance."""

from random import Random
from typing import Any

import pytest

from rules import bots
from rules.bots.chaco import ideas
from rules.bots.playout import chance, play
from rules.core.referee import Referee
from rules.titles.chaco import TITLE
from tests.rules.harness import data
from tests.rules.titles.chaco import builders
from tests.rules.titles.chaco.builders import B, P, Play, bare

KNOWN = data(TITLE.id)


@pytest.mark.parametrize("seed", [0, 1])
def test_it_beats_random_play_on_boqueron_from_either_side(seed: int) -> None:
    mine, other = ("paraguay", "bolivia") if seed % 2 == 0 else ("bolivia", "paraguay")
    players = {mine: bots.make("heuristic"), other: bots.make("random")}
    done = play(TITLE, KNOWN, "boqueron", seed, players, options={})
    assert done.result is not None
    assert done.result["winner"] == mine


def test_it_proposes_the_same_to_the_same_view_and_what_it_proposes_is_legal() -> None:
    referee = Referee.start(TITLE, KNOWN, "villa_montes", {"intelligence": "limited"}, chance(TITLE, 3))
    bot = bots.make("heuristic")
    for _ in range(120):
        if not referee.asked:
            break
        seat = referee.asked[0]
        answer = bot.answer(referee, seat, Random(1))
        assert bot.answer(referee, seat, Random(1)) == answer
        referee.answer(seat, answer)


def first(game: Play, side: str) -> dict[str, Any]:
    """Its first idea in a position."""
    return next(iter(thoughts(game, side)))


def thoughts(game: Play, side: str) -> list[dict[str, Any]]:
    """All its ideas in a position, the best first."""
    game.chance.rolls.clear()
    return list(ideas(game.game, game.views.contents[side], side, game.pending[side]))


@pytest.mark.parametrize(("points", "option"), [(40, "commander"), (12, "no_change")])
def test_it_challenges_a_bad_commander_with_all_backers_unless_a_failure_could_end_the_war(
        points: int, option: str) -> None:
    units = {"BO-LDR-Pena": "2807", "BO-LDR-Bilbao": "2807", "BO-LDR-Penar": "2807", "BO-INF-21": "2807",
             "BO-GHQ": "2807", "PY-INF-ITOR": "2811", "BO-LDR-Banzer": "waiting"}
    body = bare(phase=f"{B}_politics", units=units, commander={B: "BO-LDR-Pena"}, points={P: 20, B: points})
    game = builders.play(body, [4, 0])
    assert first(game, B) == {"form": "politics", "option": option}
    if option == "commander":
        builders.choose(game, B, "commander")
        assert first(game, B)["lots"] == {"backers": ["BO-LDR-Bilbao", "BO-LDR-Penar"]}
        builders.answer(game, B, "backers", lots={"backers": ["BO-LDR-Bilbao", "BO-LDR-Penar"]})
        assert first(game, B) == {"form": "spend", "option": "0"}, "a point is worth more than what it buys"


@pytest.mark.parametrize(("points", "fires"), [(6, True), (3, False)])
def test_its_guns_fire_while_there_is_supply_to_spare(points: int, fires: bool) -> None:
    units = {"PY-ART-A1": "2727", "PY-ART-A2": "2727", "PY-INF-ITOR": "2727", "PY-LDR-Estig": "2727",
             "BO-INF-21": "2728", "BO-INF-14": "2728"}
    body = bare(phase=f"{P}_combat_1", units=units, supply={P: {"2727": points}}, trails=["2728"])
    game = builders.play(body, [], options={"barrage": "on"})
    wanted = {"form": "barrage", "target": "2728", "units": ["PY-ART-A1", "PY-ART-A2"]}
    assert first(game, P) == (wanted if fires else {"form": "no_barrage", "option": "no_barrage"})


@pytest.mark.parametrize(("turn", "leaves"), [(6, True), (5, False)])
def test_in_the_last_turn_its_men_leave_by_the_enemys_edge(turn: int, leaves: bool) -> None:
    body = bare(phase=f"{B}_movement", turn=turn, units={"BO-INF-21": "2753", "BO-INF-14": "2753", "BO-GHQ": "2807"})
    game = builders.play(body, [])
    assert (first(game, B) == {"form": "leave_map", "lots": {"2753": ["BO-INF-21", "BO-INF-14"]}}) is leaves


def test_of_six_in_the_clear_a_leader_takes_the_four_strongest_where_no_more_can_stand() -> None:
    six = dict.fromkeys(("BO-INF-21", "BO-INF-14", "BO-INF-16", "BO-INF-20", "BO-INF-CAMPE", "BO-INF-4"), "2241")
    units = {
        **six,
        "BO-LDR-Bilbao": "2241",
        "BO-LDR-Pena": "waiting",
        "BO-GHQ": "1537",
        "BO-INF-47": "1537",
        "PY-INF-18": "2544",
        "PY-LDR-A": "2544",
        "PY-INF-ITOR": "2741",
    }
    body = bare(phase=f"{B}_movement", units=units, commander={B: "BO-LDR-Bilbao"}, supply={B: {"2241": 4}})
    game = builders.play(body, [])
    answer = next(a for a in thoughts(game, B) if "BO-LDR-Bilbao" in a.get("units", []))
    assert len(answer["units"]) == 5, "11.2 four who count, and their leader"
    assert {"BO-INF-21", "BO-INF-14", "BO-INF-16"} < {*answer["units"]}


@pytest.mark.parametrize(
    ("men", "leaves"),
    [
        (("PY-INF-ITOR", "PY-INF-16", "PY-INF-17", "PY-INF-5"), False),
        (("PY-INF-ITOR",), True),
    ],
)
def test_a_leader_leaves_who_may_be_gone_not_who_may_be_driven_off(men: tuple[str, ...], leaves: bool) -> None:
    strong = dict.fromkeys(("BO-INF-21", "BO-INF-14", "BO-INF-16", "BO-INF-20"), "2239")
    units = {
        **strong,
        "BO-LDR-Bilbao": "2239",
        "BO-GHQ": "1537",
        **dict.fromkeys((*men, "PY-LDR-Estig"), "2241"),
        "PY-GHQ": "2741",
        "PY-INF-YAC": "2741",
        "PY-INF-15": "2741",
        "PY-INF-14": "2741",
    }
    game = builders.play(bare(phase=f"{P}_movement", units=units), [])
    assert any(a.get("units") == ["PY-LDR-Estig"] for a in thoughts(game, P)) is leaves


NANAWA = {**dict.fromkeys(("PY-INF-ITOR", "PY-INF-16", "PY-INF-17", "PY-INF-5", "PY-LDR-Franco"), "1845"),
          "PY-GHQ": "2741", "PY-INF-15": "2741"}


@pytest.mark.parametrize(("chiefs", "leaves"), [(("BO-LDR-Bilbao", "BO-LDR-Penar"), True), (("BO-LDR-Bilbao",), False)])
def test_a_spare_leader_does_not_stay_beside_a_stronger_enemy(chiefs: tuple[str, ...], leaves: bool) -> None:
    units = {**NANAWA, **dict.fromkeys(("BO-INF-21", "BO-INF-14", "BO-INF-COLOR", "BO-INF-CAMPE", *chiefs), "1844"),
             "BO-GHQ": "1537", **dict.fromkeys(("BO-INF-16", "BO-INF-20"), "1537")}
    game = builders.play(bare(phase=f"{B}_movement", units=units), [])
    alone = [a for a in thoughts(game, B) if len(a.get("units", [])) == 1 and a["units"][0] in chiefs]
    assert bool(alone) is leaves
    assert all(a["path"][-1] != "1844" for a in alone)


def test_a_leader_of_idle_men_goes_to_those_at_the_front_who_have_none() -> None:
    units = {**NANAWA, **dict.fromkeys(("BO-INF-21", "BO-INF-14", "BO-INF-COLOR"), "1742"), "BO-GHQ": "1537",
             **dict.fromkeys(("BO-INF-16", "BO-INF-CAMPE", "BO-INF-20", "BO-INF-4", "BO-LDR-Bilbao"), "1537")}
    game = builders.play(bare(phase=f"{B}_movement", units=units), [])
    assert first(game, B)["units"] == ["BO-LDR-Bilbao"]
    assert first(game, B)["path"][-1] == "1742"


def test_supply_leaves_a_camp_that_has_more_than_enough_though_the_other_is_farther_from_the_enemy() -> None:
    units = {**NANAWA, **dict.fromkeys(("BO-INF-21", "BO-INF-14", "BO-LDR-Penar"), "1843"), "BO-GHQ": "1537",
             **dict.fromkeys(("BO-INF-16", "BO-INF-20", "BO-LDR-Bilbao"), "1741")}
    game = builders.play(bare(phase=f"{B}_movement", units=units, supply={B: {"1843": 8}}), [])
    carts = [a for a in thoughts(game, B) if a.get("units", [""])[0].startswith("BO-CSP")]
    assert carts
    assert carts[0]["path"][-1] == "1741"


def test_a_truck_takes_a_man_to_an_empty_settlement_before_the_enemy_is_near() -> None:
    units = {"BO-TRK-1": "2807", "BO-INF-21": "2807", "BO-INF-14": "2807", "BO-INF-16": "2807", "BO-GHQ": "2807",
             **dict.fromkeys(("PY-INF-ITOR", "PY-INF-16", "PY-LDR-Estig"), "2236"), "PY-GHQ": "2741",
             "PY-INF-15": "2741"}
    game = builders.play(bare(phase=f"{B}_movement", units=units), [])
    rides = [a for a in thoughts(game, B) if a.get("aboard")]
    assert rides
    assert len(rides[0]["units"]) == 2
