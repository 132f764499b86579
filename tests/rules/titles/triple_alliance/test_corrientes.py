"""Corrientes 1865, a scenario of ours on a part of the map: set-up, what is closed, goal and end (4.3, 5.4, 11.20)."""

from collections.abc import Sequence
from typing import Any

import pytest

from rules.core.errors import BadPosition, Refusal
from rules.core.seats import ALL
from rules.titles.triple_alliance import TITLE
from rules.titles.triple_alliance.position import OUT
from tests.rules import building
from tests.rules.titles.triple_alliance.builders import A, P, Play, answer, data, prompt, reach, refused

GOAL = {"1335": 2, "1337": 1, "1339": 1, "1241": 1, "1541": 1}


def corrientes(dice: Sequence[int] = (), **position: Any) -> Play:
    """A game in a position of the scenario."""
    pos = TITLE.written(data(), {"scenario": "corrientes", "position": position})
    return building.begin(Play, TITLE, pos, dice)


def result(game: Play) -> tuple[str | None, str, int]:
    ended = game.pos.result
    assert ended is not None
    return ended["winner"], ended["key"], ended["args"]["n"]


@pytest.mark.clause("3.1", "3.2", "3.3", "3.4")
def test_the_set_up_is_the_printed_one_on_its_part_of_the_map() -> None:
    game = corrientes(phase="set_up")
    assert prompt(game, A) == "set_up_allied"  # 8.2: nobody is asked about the Matto Grosso
    form = game.pending[A].forms[0]
    assert {group.id for group in form.groups} == {"argentine_guard", "river_squadron"}  # type: ignore[attr-defined]
    assert all(h in game.pos.game.part for group in form.groups for h in group.where)  # type: ignore[attr-defined]
    answer(game, A, "set_up", placed=dict(form.suggested), boxes={})  # type: ignore[attr-defined]
    form = game.pending[P].forms[0]
    (army,) = form.groups  # type: ignore[attr-defined]
    assert {"1434", "1432", "1630"} <= set(army.where)
    assert not {"1826", "2534"} & set(army.where)
    answer(game, P, "set_up", placed=dict(form.suggested), boxes={})  # type: ignore[attr-defined]
    assert game.pos.phase() == "1.paraguay_movement"
    assert game.pos.at["PY-FOR-H"] == "1432"
    assert {game.pos.at[u] for u in ("PY-FOR-A", "PY-FOR-Ipu", "BR-INF-1F", "UY-INF-Li")} == {OUT}
    assert game.pos.at["AR-INF-2"] == "turn:2"


@pytest.mark.clause("11.20")
def test_nobody_leaves_the_part_of_the_map() -> None:
    game = corrientes(phase="allied_movement", turn=2, clear=True,
                      units={"AR-INF-2": "1941", "BR-SHP-A": "1042", "AR-CAV-1": "1541"})
    assert {*reach(game, A, "AR-INF-2")["cost"]} <= game.pos.game.part
    for path in (["1941", "2041"], ["1941", "2042"]):
        assert refused(game, A, "move", units=["AR-INF-2"], path=path)[:2] == ("off_the_part", "11.20")
    form = next(f for f in game.pending[A].forms if f.name == "move")
    far = form.why(["AR-INF-2"], {}, "2044")  # type: ignore[attr-defined]
    assert isinstance(far, Refusal)
    assert (far.key, far.clause, far.args_.get("at", far.at)) == ("refusal.off_the_part", "11.20", "2044")
    at_sea = form.why(["BR-SHP-A"], {}, "1827")  # type: ignore[attr-defined]
    assert at_sea.key == "refusal.off_the_part"


@pytest.mark.clause("11.20", "12.2")
def test_ships_turn_back_at_the_edge() -> None:
    game = corrientes(phase="paraguay_movement", turn=2, clear=True, units={"PY-WAR-Te": "1530", "PY-INF-1": "1434"})
    river = game.pos.game.map.along("navigable_river")["1530"]
    beyond = next(h for h in river if h not in game.pos.game.part)
    assert refused(game, P, "move", units=["PY-WAR-Te"], path=["1530", beyond])[:2] == ("off_the_part", "11.20")


@pytest.mark.clause("9.2", "10.7")
def test_entries_are_those_of_the_part() -> None:
    game = corrientes(phase="allied_movement", turn=2, units={"AR-INF-2": "turn:2"})
    enter = next(f for f in game.pending[A].forms if f.name == "enter")
    assert {h for group in enter.groups for h in group.where} == {"1042", "1943"}  # type: ignore[attr-defined]
    said = enter.why("AR-INF-2", "3244")  # type: ignore[attr-defined]
    assert (said.key, said.clause) == ("refusal.off_the_part", "11.20")


def test_a_position_keeps_to_the_part() -> None:
    with pytest.raises(BadPosition, match="off_the_part"):
        corrientes(phase="allied_movement", units={"AR-INF-2": "2044"})
    with pytest.raises(BadPosition):
        corrientes(turn=4)


@pytest.mark.clause("8.1", "8.3", "5.2")
def test_a_later_turn_begins_with_attrition_and_no_event_off_the_map() -> None:
    game = corrientes(phase="allied_combat_3", turn=1, clear=True, units={"PY-INF-1": "1434", "AR-INF-1": "1241"},
                      dice=[9, 9])  # one for each stack, none for Mendoza
    assert (game.pos.phase(), game.dice) == ("2.paraguay_movement", [])


@pytest.mark.clause("4.3", "5.4")
@pytest.mark.parametrize(("lost", "winner", "n"), [
    ((), A, 6), (("1335",), A, 4), (("1335", "1337"), P, 3), (("1337", "1339"), A, 4), (("1337", "1339", "1241"), P, 3),
    (tuple(GOAL), P, 0),
])
def test_four_of_six_points_at_the_end_of_the_third_turn(lost: tuple[str, ...], winner: str, n: int) -> None:
    game = corrientes(phase="end_of_turn", turn=3, clear=True, control=dict.fromkeys(lost, P))
    assert result(game) == (winner, "result.scenario_points", n)


@pytest.mark.clause("4.2", "4.4")
def test_what_wins_the_war_does_not_count_here() -> None:
    game = corrientes(phase="allied_movement", turn=2, clear=True, units={"AR-INF-1": "1943"},
                      control=dict.fromkeys(("1241", "1335", "1541", "2044"), P))
    assert game.pos.result is None  # 4.2 with Asunción all five
    assert game.pos.points == {}    # 4.4 no fortress stands, and it is no point
    table: Any = game.views.contents[ALL]["table:points"]
    assert [row["value"] for row in table["rows"]] == [0, 1, 1, 0, 0, 2]
