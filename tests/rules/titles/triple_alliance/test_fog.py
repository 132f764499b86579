"""6.4 and 3.5 What a player may not know, in views, options, previews, refusals and messages."""

from random import Random
from typing import Any

import orjson
import pytest

from rules.core.seats import ALL
from rules.titles.triple_alliance import TITLE
from rules.titles.triple_alliance.position import Position
from tests.rules.building import begin
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    attack,
    bear_losses,
    choose,
    decline_until,
    forms,
    move,
    odds,
    play,
    position,
    refused,
    told,
    units,
    view,
)

FOOT = units("PY-INF-")


@pytest.mark.clause("6.4")
def test_of_an_enemy_stack_one_sees_the_top_unit_and_how_many() -> None:
    game = play({"turn": 3, "clear": True, "units": {**at("1335", [FOOT[0], "PY-CAV-1", "PY-ART-1"])}})
    whole = view(game, P)["space:1335"]
    assert [u["id"] for u in whole["units"]] == ["PY-ART-1", FOOT[0], "PY-CAV-1"]  # movement 5, 6, 9
    for eye in (A, "public"):
        assert view(game, eye)["space:1335"] == {"side": P, "control": P, "count": 3,
                                                 "top": {"id": "PY-ART-1", "badges": []}}
    assert view(game, ALL)["space:1335"] == whole


@pytest.mark.clause("3.5", "6.4")
@pytest.mark.parametrize(("stack", "top"), [
    ([FOOT[5], FOOT[2]], FOOT[2]),                      # equals lie in the order of the counter sheet
    (["PY-CAV-9", "PY-INF-1", "PY-SGE-Sg"], "PY-SGE-Sg"),
    (["PY-SUP-Sup-1", "PY-SGE-Sg"], "PY-SGE-Sg"),       # 3 before 4
    (["PY-INF-1", "PY-FOR-H", "PY-WAR-Te"], "PY-FOR-H"),
])
def test_the_slowest_lies_on_top(stack: list[str], top: str) -> None:
    pos = position(clear=True, units=at("1432", stack))
    assert pos.stack("1432")[0] == top
    assert len(pos.stack("1432")) == len(stack)


@pytest.mark.clause("3.5")
def test_of_a_box_one_sees_only_the_number_of_units() -> None:
    game = play({"turn": 3, "clear": True, "units": at("1335", FOOT[:7]), "boxes": {P: {"8": "1335"}}})
    for eye in (A, "public"):
        assert view(game, eye)["space:1335"] == {"side": P, "control": P, "count": 7, "box": 8}
        assert view(game, eye)["slots:boxes_paraguay"]["slots"][7] == {"id": "8", "at": "1335", "count": 7}
    assert len(view(game, P)["space:1335"]["units"]) == 7


@pytest.mark.clause("6.4", "2.12")
def test_counters_off_the_map_lie_open() -> None:
    game = play({"turn": 3, "clear": True, "units": {"PY-INF-1": "1826"}})
    for eye in (P, A, "public"):
        seen = view(game, eye)
        assert {u["id"] for u in seen["pool:dead:paraguay"]["units"]} >= {"PY-INF-2", "PY-CAV-1"}
        assert [u["id"] for u in seen["pool:available:allied"]["units"]] == ["BR-SUP-Sup-1", "BR-SUP-Sup-2"]
        assert "AR-INF-2" in {u["id"] for u in seen["pool:turn:2"]["units"]}
        assert seen["table:losses_paraguay"]["rows"][0]["value"] > 80


@pytest.mark.clause("6.4", "11.1")
def test_a_move_is_told_without_the_hidden() -> None:
    game = play({"turn": 3, "clear": True, "units": at("1335", [*FOOT[:3], "PY-CAV-1", "PY-ART-1"])})
    move(game, P, [FOOT[0], "PY-CAV-1"], "1335", "1336")
    mine, theirs = told(game, "marched", P)[0], told(game, "marched", A)[0]
    assert mine["data"]["units"] == ["PY-CAV-1", FOOT[0]]
    assert theirs["data"] == {"path": ["1335", "1336"], "count": 2, "from": "1335", "at": "1336"}
    assert theirs["fragments"]["space:1335"] == {"side": P, "control": P, "count": 3,
                                                 "top": {"id": "PY-ART-1", "badges": []}}
    assert "left" not in orjson.dumps(theirs).decode()


@pytest.mark.clause("6.4")
def test_an_announced_attack_shows_all_and_cannot_be_withdrawn() -> None:
    game = play({"turn": 3, "phase": "allied_combat_1", "clear": True,
                 "units": {**at("1336", FOOT[:6]), **at("1337", units("AR-INF-", 6)), "BR-SUP-Sup-1": "1337"},
                 "boxes": {P: {"1": "1336"}}}, [0])
    made = attack(game, A, "1336", *units("AR-INF-", 6))
    assert made[0].reveals
    assert made[0].settles
    shown = told(game, "attack_announced", A)[0]["data"]
    assert shown["defenders"] == FOOT[:6]
    assert told(game, "attack_announced", P)[0]["data"]["units"] == sorted(units("AR-INF-", 6))
    assert "no_attack" not in forms(game, A)  # only the supply question is left: it will be fought
    assert list(forms(game, A)) == ["attacker_supply"]
    bear_losses(game)
    assert view(game, A).get("battle") is None
    seen = view(game, A)["space:1336"]
    assert seen.get("units") is None  # hidden again


@pytest.mark.clause("6.4")
def test_the_odds_before_the_announcement_are_a_guess_and_say_so() -> None:
    body = {"turn": 3, "phase": "allied_combat_1", "clear": True}
    mine = at("1337", units("AR-INF-", 6))
    one = odds(play({**body, "units": {**mine, FOOT[0]: "1336"}}), A, "1336", *units("AR-INF-", 6))
    assert (one["assumed"], one["defense"]) == (False, 2)
    many = odds(play({**body, "units": {**mine, **at("1336", FOOT[:3])}}), A, "1336", *units("AR-INF-", 6))
    assert many["assumed"]
    assert [u["id"] for u in many["sides"]["defense"][0]["units"]] == [FOOT[0]]
    assert many["sides"]["defense"][0]["unknown"] == 2


@pytest.mark.clause("6.4", "7.1")
def test_attrition_losses_are_told_by_hex_and_number_and_the_dead_lie_open() -> None:
    game = play({"turn": 3, "phase": "events", "mendoza": "crushed", "clear": True,
                 "units": {**at("1826", FOOT[:3]), "PY-CAV-1": "1826"}}, [3])
    assert game.asked == (P,)
    assert "forms" not in (game.request_for(A) or {})
    answer(game, P, lots={"1826": ["PY-CAV-1"]})
    assert told(game, "attrition_lost", A)[0]["data"]["counts"] == [["1826", 1]]
    assert "PY-CAV-1" in {u["id"] for u in view(game, A)["pool:dead:paraguay"]["units"]}


# -- nothing leaks -------------------------------------------------------------------------------------------


def everything(game: Play, seat: str) -> bytes:
    """All that a seat can get out of a game: view, request, reach, previews, refusals."""
    out: dict[str, Any] = {"view": view(game, seat), "request": game.request_for(seat)}
    if seat in game.pending:
        offered = forms(game, seat)
        for loc, targets in offered.get("attack", {}).get("targets", {}).items():
            for here, able in targets["from"].items():
                out[f"odds {loc} {here}"] = odds(game, seat, loc, *able)
        for loc, stack in offered.get("move", {}).get("stacks", {}).items():
            form: Any = game.pending[seat].form("move")
            able = next(u["id"] for u in stack if u["left"])
            out[f"reach {loc}"] = form.reach([able], {})
    return orjson.dumps(out, option=orjson.OPT_SORT_KEYS)


def again(pos: Position) -> Position:
    copy: Position = TITLE.decode(pos.game, TITLE.encode(pos), TITLE.schema)
    return copy


def redealt(pos: Position, seat: str, rng: Random) -> Play:
    """The same position with what `seat` may not know dealt anew."""
    copy = again(pos)
    TITLE.scramble(copy, seat, rng, set())
    return begin(Play, TITLE, copy)


BOXED = {P: {"1": "2026", "2": "1335"}, A: {"1": "1241", "2": "2440"}}
FRONT: dict[str, Any] = {
    "turn": 3, "boxes": BOXED,
    "units": {**at("1335", FOOT[:9], "PY-CAV-1", "PY-ART-1"), "AR-CAV-2GN": "1337",
              **at("1336", "AR-CAV-1GN", "AR-INF-2", "AR-INF-3", "AR-CAV-1", "AR-ART-1")}}


@pytest.mark.clause("6.4", "3.5")
@pytest.mark.parametrize("seat", [P, A])
@pytest.mark.parametrize("phase", ["paraguay_movement", "allied_movement", "paraguay_combat_2", "allied_combat_2"])
def test_views_options_and_previews_hang_on_nothing_hidden(seat: str, phase: str) -> None:
    pos = position(**FRONT, phase=phase)
    before = everything(begin(Play, TITLE, again(pos)), seat)
    other = P if seat == A else A
    hidden = 0
    for seed in range(4):
        game = redealt(pos, seat, Random(seed))
        hidden += sum(game.pos.at[u] != pos.at[u] for u in pos.on_map(other))
        assert everything(game, seat) == before
    assert hidden > 20  # the deal did change what can't be seen


@pytest.mark.clause("6.4")
def test_a_leak_would_be_caught() -> None:
    """The owner's own view does change with the deal: so the comparison above means something."""
    pos = position(**FRONT)
    deals = {everything(redealt(pos, A, Random(seed)), P) for seed in range(3)}
    assert len(deals) == 3


@pytest.mark.clause("6.4")
def test_a_refusal_names_no_hidden_unit() -> None:
    game = play({"turn": 3, "phase": "allied_movement", "clear": True,
                 "units": {**at("1336", FOOT[:3]), "AR-INF-1": "1337"}})
    assert refused(game, A, "move", units=["AR-INF-1"], path=["1337", "1336"]) == ("enemy_hex", "11.4")
    assert refused(game, A, "move", units=[FOOT[1]], path=["1336", "1335"])[1] == "11.1"


@pytest.mark.clause("6.4", "5.1")
def test_passing_tells_nothing_but_that() -> None:
    game = play({"turn": 3, "phase": "paraguay_combat_1", "clear": True,
                 "units": {**at("1336", FOOT[:3]), "AR-INF-1": "1337"}})
    choose(game, P, "no_attack")
    assert told(game, "combat_ended", A)[0]["data"] == {"phase": 1}
    decline_until(game, "allied_movement")
    assert all(not step["fragments"].get("space:1336") for step in told(game, None, A))
