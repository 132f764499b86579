"""What an answer needs of the other side, and how often a turn goes to and fro between two who are away."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from rules import bots
from rules.bots.playout import chance
from rules.core.forms import Answer, Choose, Form
from rules.core.referee import Referee
from rules.titles.chaco import TITLE
from tests.rules.harness import data
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    play,
    preview,
    prompt,
)

FRONT = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728", "BO-LDR-Toro": "2728", "BO-INF-4": "1537"}


def needs(game: Play, form: str, **fields: Any) -> tuple[int, int | None]:
    """What an answer of the seat that is asked needs of the other one."""
    found = preview(game, game.asked[0], form, **fields)["needs"]
    return found["least"], found["most"]


def option(game: Play, form: str, name: str) -> tuple[int, int | None]:
    return needs(game, form, option=name)


def fight(air: int = 0, **more: Any) -> Play:
    """A combat phase of Paraguay on an empty map."""
    return play(bare(phase=f"{P}_combat_1", units=FRONT, air={P: air, B: air}, **more))


@pytest.mark.clause("12.4", "12.12", "13.3")
def test_an_attack_asks_the_defender_for_supply_and_aircraft() -> None:
    attack = {"target": "2728", "units": ["PY-CAV-AC"]}
    assert needs(fight(), "attack", **attack) == (0, None), "nobody has anything: dice and losses"
    assert needs(fight(supply={P: {"2727": 1}}), "attack", **attack) == (0, 0), "the attacker's own supply comes first"
    stocked = fight(supply={B: {"2728": 1}})
    assert needs(stocked, "attack", **attack) == (1, None)
    both = fight(air=1, supply={B: {"2728": 1}})
    assert needs(both, "attack", **attack) == (1, 1), "supply, then the attacker is asked for his aircraft"
    answer(both, P, "attack", **attack)
    assert prompt(both, B) == "defender_supply"
    assert needs(both, "defender_supply", lots={}) == (1, 1), "his word on aircraft, then the defender's own"
    answer(both, B, "defender_supply", lots={})
    assert option(both, "aircraft", "no_aircraft") == (1, None)
    choose(both, P, "no_aircraft")
    assert option(both, "aircraft", "no_aircraft") == (0, None)


@pytest.mark.clause("13.2")
def test_who_pays_for_a_barrage_may_ask_its_target_for_steps() -> None:
    units = {**FRONT, "PY-ART-A1": "2727", "PY-LDR-Garay": "2726"}
    body = bare(phase=f"{P}_combat_1", units=units, supply={P: {"2727": 1, "2726": 1}}, radius={P: 2})
    game = play(body, options={"barrage": "on"})
    assert needs(game, "barrage", target="2728", units=["PY-ART-A1"]) == (0, None)
    answer(game, P, "barrage", target="2728", units=["PY-ART-A1"])
    point = next(u for u, at in game.pos.at.items() if at == "2726" and u.startswith("PY-CSP"))
    assert needs(game, "barrage_supply", lots={"2726": [point]}) == (0, None)


@pytest.mark.clause("12.1", "10.10", "4.2")
def test_the_end_of_a_phase_hands_over_to_whoever_everybody_sees_is_next() -> None:
    game = fight()
    assert option(game, "no_attack", "no_attack") == (1, None), "Bolivia can fight back"
    choose(game, P, "no_attack")
    assert game.asked == (B,)
    assert option(game, "no_attack", "no_attack") == (1, None), "the second phase is Paraguay's"
    choose(game, B, "no_attack")
    assert option(game, "no_attack", "no_attack") == (0, 0), "its own politics come next"
    choose(game, P, "no_attack")
    assert option(game, "politics", "no_change") == (1, None), "the turn of Bolivia"
    last = play(bare(phase=f"{B}_politics", units=FRONT))
    assert option(last, "politics", "no_change") == (0, None), "victory, weather and truce come first"


@pytest.mark.clause("10.3", "10.10")
def test_a_move_asks_where_the_leaders_go_that_it_runs_over() -> None:
    units = {"PY-INF-ITOR": "2726", "BO-LDR-Toro": "2727", "BO-INF-21": "2729", "BO-LDR-A": "2729", "BO-INF-4": "1537"}
    game = play(bare(phase=f"{P}_movement", units=units))
    march = {"units": ["PY-INF-ITOR"], "path": ["2726", "2727"]}
    assert needs(game, "move", **march) == (0, 0), "one place is nearest"
    assert option(game, "end", "end") == (1, None), "the stack of 2729 may react"
    tie = play(bare(phase=f"{P}_movement", units={**units, "BO-INF-4": "2729", "BO-INF-21": "2927"}))
    assert needs(tie, "move", **march) == (1, 1), "its owner picks the place"
    alone = play(bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2726", "BO-INF-21": "2735"}))
    assert option(alone, "end", "end") == (0, 0), "nothing reacts, nobody is in contact: politics"


@pytest.mark.clause("6.2")
def test_a_word_on_a_truce_is_followed_by_the_other_word_or_by_the_turn_of_paraguay() -> None:
    first = play({"phase": "weather", "points": {P: 15, B: 20}}, [1, 2])
    assert option(first, "truce", "accept_truce") == (1, None)
    choose(first, B, "accept_truce")
    assert option(first, "truce", "accept_truce") == (0, 0)
    poor = play({"phase": "weather", "points": {P: 20, B: 5}}, [1, 2])
    assert option(poor, "truce", "accept_truce") == (0, 0), "Bolivia cannot refuse, so it is not asked"


@pytest.mark.parametrize("scenario", sorted(data(TITLE.id).scenarios))
def test_a_quiet_turn_takes_no_more_than_four_round_trips(scenario: str) -> None:
    """Both do what the turn asks of them, and nobody attacks. In contact both are asked for it, and that makes five."""
    game = Referee.start(TITLE, data(TITLE.id), scenario, {}, chance(TITLE, 1))
    turns, contact, asked, bot = Counter[int](), set[int](), "", bots.make("heuristic")
    while game.pos.turn < 5 and game.asked:
        seat = game.asked[0]
        turns[game.pos.turn] += seat != asked
        asked = seat
        if game.pending[seat].prompt == "prompt.combat":
            contact.add(game.pos.turn)
        game.answer(seat, quiet(game.pending[seat].forms) or bot.answer(game, seat, Random(1)))
    assert {1, 2, 3, 4} <= turns.keys()
    assert all(n <= (10 if turn in contact else 8) for turn, n in turns.items()), turns


def quiet(offered: Sequence[Form]) -> Answer | None:
    """To decline or to close the phase, where that is offered."""
    for form in (f for f in map(Choose.of, offered) if f is not None):
        for option in form.options:
            if option.id.startswith(("no_", "end", "accept", "stay")):
                return {"form": form.name, "option": option.id}
    return None
