"""What the computer would consider: for who plays it alone, and for nobody else."""

from random import Random

import pytest
from starlette.testclient import TestClient

import rules.bots
from app.games import data, hints
from app.games.told import LoadedGame
from rules.bots.random_bot import pick
from rules.core.chance import Chance
from rules.core.referee import Referee
from rules.titles import IDS
from tests.app.conftest import MakePair, Person
from tests.app.test_games_bots import against_a_bot, until_asked
from tests.app.toy_table import HIDE, Side, new_game


def ask(side: Side, **query: str) -> int:
    return side.browser.get(side.at + "/hints", params=query).status_code


def test_against_the_computer_they_are_given(toy: None, person: Person) -> None:  # noqa: ARG001
    red = against_a_bot(person("Ana"))
    assert red.get("/hints") == {"hints": []}  # nobody plays the toy but at random
    red.answer(HIDE)
    until_asked(red)
    assert ask(red) == 200


def test_never_against_people(make_pair: MakePair, person: Person, client: TestClient) -> None:
    pair = make_pair(visibility="open")
    pair.seal()
    assert ask(pair.red) == ask(pair.blue) == 403
    assert ask(Side(person("Cid"), pair.red.game, "red")) == 403
    assert ask(Side(client, pair.red.game, "red")) == 403
    alone = new_game(person("Dora"), opponent="both")["id"]
    assert ask(Side(person("Eva"), alone, "red")) == 403


def test_of_a_game_against_the_computer_strangers_get_none(
    toy: None,  # noqa: ARG001
    person: Person,
    client: TestClient,
) -> None:
    red = against_a_bot(person("Ana"))
    for other in (person("Cid"), client):
        assert ask(Side(other, red.game, "red")) == 403
    assert ask(red, seat="blue") == 403


@pytest.mark.parametrize("title", IDS)
def test_up_to_three_different_answers_that_are_legal(title: str) -> None:
    current = data.current(title)
    scenario = next(iter(current.scenarios))
    referee = Referee.start(data.title(title), current, scenario, {}, Chance(bytes(32)))
    rng, found = Random(3), 0
    for _ in range(12):
        seat = next(iter(referee.asked))
        request = referee.pending[seat]
        ideas = rules.bots.considered(referee, seat, 3)
        assert len(ideas) <= 3
        assert [request.check(idea) for idea in ideas] == ideas
        assert all(one not in ideas[:i] for i, one in enumerate(ideas))
        told = hints.hints(LoadedGame(referee, [], referee.seq, referee.seq, None, None), seat)
        assert [one["answer"] for one in told] == ideas
        assert all(one["clause"] and one["label"]["key"] for one in told)
        found += len(ideas)
        referee.answer(seat, ideas[0] if ideas else pick(request, rng))
    assert found
