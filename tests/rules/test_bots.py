"""Bots answer legally, see no more than their seat, and the heuristic one knows its trade."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules import bots, titles
from rules.bots.leaks import Pair
from rules.bots.playout import chance
from rules.bots.random_bot import DeadEnd, pick
from rules.bots.reruns import Copies
from rules.bots.triple_alliance.sight import Sight
from rules.bots.triple_alliance.worth import cheapest, forces, forecast
from rules.core.forms import Choose, Place
from rules.core.referee import Referee
from rules.core.request import Request
from tests.rules.harness import WAR, data, played, seats

TITLE = titles.load(WAR[0])
HEURISTIC = bots.make("heuristic")


def begun(seed: int = 1) -> Referee:
    referee = Referee.start(TITLE, data(WAR[0]), WAR[1], {}, chance(TITLE, seed), spare=0)
    referee.drain()
    return referee


def at(position: Mapping[str, Any]) -> Referee:
    """A game that begins in a lab position (docs/positions.md) with nobody on the map but who is named."""
    pos = TITLE.written(data(WAR[0]), {"position": {"clear": True, **position}})
    referee = Referee.at(TITLE, pos, chance(TITLE, 1))
    referee.drain()
    return referee


def seen(referee: Referee, seat: str) -> Sight:
    return Sight(referee.pos.game, referee.views.contents[seat], seat)


def test_there_is_no_other_bot() -> None:
    with pytest.raises(KeyError):
        bots.make("genius")


@pytest.mark.parametrize("name", bots.NAMES)
def test_answers_are_legal_and_follow_from_the_dice_of_the_bot(name: str) -> None:
    referee, rng = begun(), Random(3)
    for n in range(120):
        seat = referee.asked[0]
        again = Random()
        again.setstate(rng.getstate())
        answer = bots.make(name).answer(referee, seat, rng)
        assert answer == referee.pending[seat].check(answer)
        assert answer == bots.make(name).answer(referee, seat, again), n
        referee.answer(seat, answer)


@pytest.mark.parametrize("name", bots.NAMES)
def test_a_bot_does_not_see_through_the_fog(name: str) -> None:
    referee, rng, deal = begun(), Random(5), Random(6)
    compared = 0
    for n in range(160):
        seat = referee.asked[0]
        if n > 3 and n % 4 == 0 and referee.seq == referee.newest.seq:
            one, other = Pair(Copies(referee, []), seat, deal).games
            answers = [bots.make(name).answer(game, seat, Random(n)) for game in (one, other)]
            assert answers[0] == answers[1]
            compared += TITLE.encode(one.pos) != TITLE.encode(other.pos)
        referee.answer(seat, bots.make(name).answer(referee, seat, rng))
    assert compared > 10


def test_a_request_nobody_can_answer_is_a_dead_end() -> None:
    with pytest.raises(DeadEnd, match=r"prompt\.nothing"):
        pick(Request("allied", "prompt.nothing", "1.1", (Place("none", "1.1", (), 26, "6.1"),)), Random(1))


def test_the_random_bot_closes_a_phase_sooner_or_later() -> None:
    request = begun().pending["allied"]
    picked = {pick(request, Random(n))["form"] for n in range(60)}
    assert picked == {form.name for form in request.forms}
    assert any(isinstance(form, Choose) for form in request.forms)


def test_a_title_without_a_player_is_played_at_random() -> None:
    referee = begun()
    referee.title = replace(TITLE, id="unheard_of")
    answer = HEURISTIC.answer(referee, "allied", Random(4))
    assert answer == bots.make("random").answer(referee, "allied", Random(4))


@pytest.mark.parametrize("side", seats(TITLE))
def test_the_heuristic_bot_beats_the_random_one(side: str) -> None:
    names = {seat: "heuristic" if seat == side else "random" for seat in seats(TITLE)}
    won = [played(TITLE, WAR[1], seed, names).result for seed in (1, 2, 3)]
    assert [r and r["winner"] for r in won] == [side] * 3


@pytest.mark.long
@pytest.mark.parametrize("side", seats(TITLE))
def test_the_heuristic_bot_beats_the_random_one_in_95_of_100(side: str) -> None:
    names = {seat: "heuristic" if seat == side else "random" for seat in seats(TITLE)}
    results = [played(TITLE, WAR[1], seed, names).result for seed in range(500, 600)]
    assert sum(r is not None and r["winner"] == side for r in results) >= 95


def test_it_sets_up_as_suggested_and_spares_the_invasion() -> None:
    referee = begun()
    first = HEURISTIC.answer(referee, "allied", Random(1))
    assert first == {"form": "no_invasion", "option": "no_invasion"}
    referee.answer("allied", first)
    place = HEURISTIC.answer(referee, "allied", Random(1))
    assert place["placed"]["BR-INF-1F"] == data(WAR[0]).files["scenarios"]["war"]["suggested"]["BR-INF-1F"]


def test_it_storms_a_weak_city_and_moves_in() -> None:
    many = {f"PY-INF-{n}": "1435" for n in range(1, 13)}
    referee = at({"phase": "paraguay_combat_1", "units": {**many, "AR-CAV-1GN": "1335", "AR-CAV-2GN": "1335"}})
    answer = HEURISTIC.answer(referee, "paraguay", Random(1))
    assert (answer["form"], answer["target"]) == ("attack", "1335")
    assert len(answer["units"]) >= 6
    referee.answer("paraguay", answer)
    while referee.pending and "advance" not in {f.name for f in referee.pending[referee.asked[0]].forms}:
        referee.answer(referee.asked[0], HEURISTIC.answer(referee, referee.asked[0], Random(1)))
    advance = HEURISTIC.answer(referee, "paraguay", Random(1))
    assert 1 <= len(advance["lots"]["advance"]) <= 10


def test_it_does_not_run_a_single_battalion_against_a_fortress() -> None:
    referee = at({"turn": 3, "phase": "allied_combat_1",
                  "units": {"BR-INF-1F": "1533", "PY-FOR-C": "1433", "PY-INF-1": "1433", "PY-INF-2": "1433"}})
    assert HEURISTIC.answer(referee, "allied", Random(1))["form"] == "no_attack"


def test_it_attacks_a_fortress_in_strength() -> None:
    many = {f"BR-INF-{n}{kind}": "1533" for n in range(1, 9) for kind in "FC"}
    referee = at({"turn": 3, "phase": "allied_combat_1",
                  "units": {**many, "BR-SGE-Sg1": "1533", "BR-ENG-E1": "1533", "PY-FOR-C": "1433", "PY-INF-1": "1433"}})
    answer = HEURISTIC.answer(referee, "allied", Random(1))
    assert answer["form"] == "attack"
    assert {"BR-SGE-Sg1", "BR-ENG-E1"} <= set(answer["units"])


def test_it_sends_reinforcements_in_as_the_phase_begins() -> None:
    referee = at({"turn": 2, "phase": "allied_movement", "units": {"AR-CAV-1GN": "1241", "PY-INF-1": "1432"}})
    answer = HEURISTIC.answer(referee, "allied", Random(1))
    assert answer["form"] == "enter"
    assert len(answer["placed"]) > 40
    assert len(set(answer["placed"].values())) > 1


def test_the_cheapest_go_first_and_a_fortress_last() -> None:
    sight = seen(at({"units": {"PY-FOR-H": "1432", "PY-INF-1": "1432", "PY-CAV-1": "1432"}}), "paraguay")
    assert cheapest(sight, ["PY-FOR-H", "PY-INF-1", "PY-CAV-1"], 2) == ["PY-CAV-1", "PY-INF-1"]
    assert cheapest(sight, ["PY-CAV-1", "PY-INF-1"], 1, last=["PY-CAV-1"]) == ["PY-INF-1"]


def test_a_small_force_cannot_take_what_it_shatters_on() -> None:
    game = begun().pos.game
    assert forecast(game, 3, 1, 3, 1, 0).clears == 0
    assert forecast(game, 40, 16, 6, 3, 0).clears > 0.9


def test_a_joint_force_is_weighed_against_one_nation_alone() -> None:
    sight = seen(at({"phase": "allied_movement", "units": {"BR-INF-1F": "1533", "AR-INF-1": "1533", "BR-SHP-A": "1533",
                                                           "PY-FOR-C": "1433"}}), "allied")
    assert ["BR-INF-1F"] in forces(sight, ["BR-INF-1F", "AR-INF-1", "BR-SHP-A"])
    assert ["BR-INF-1F", "AR-INF-1"] in forces(sight, ["BR-INF-1F", "AR-INF-1", "BR-SHP-A"])


def test_sight_guesses_a_hidden_stack_by_its_count() -> None:
    hidden = {f"PY-INF-{n}": "1433" for n in range(1, 6)}
    sight = seen(at({"units": {**hidden, "AR-INF-1": "1335"}}), "allied")
    assert sight.foes["1433"].count == 5
    assert 8 <= sight.foe_defense("1433") <= 12
    assert sight.at == {"AR-INF-1": "1335"}
