"""A refusal names the clause that forbids: each is played (13.1, 13.2, 12.2, 12.6, 13.31 of attacks; 9.1, 9.2, 10.1 to
10.7 of arrivals; 11 and 12 of moves), and what can't be read says what is wrong with it."""

from typing import Any

import pytest

from rules.core.errors import Refusal
from tests.rules.titles.triple_alliance.builders import A, P, forms, groups, play, refused

COMBAT = {"turn": 3, "phase": "paraguay_combat_2", "clear": True, "units": {
    "PY-INF-1": "1328", "PY-INF-2": "1328", "PY-SUP-Sup-1": "1328", "PY-INF-3": "1826", "AR-CAV-1": "1428",
    "AR-CAV-2": "1241"}}  # fmt: skip
ENTRY = {"turn": 4, "phase": "allied_movement", "clear": True, "units": {
    "PY-INF-1": "1943", "AR-INF-1": "dead", "AR-CAV-1GN": "dead", "AR-INF-2": "turn:3", "BR-INF-5F": "1337"}}


@pytest.mark.clause("13.1", "13.31")
@pytest.mark.parametrize(("target", "unit", "key", "clause"), [
    ("1428", "PY-SUP-Sup-1", "no_attack_factor", "13.31"), ("1428", "PY-INF-3", "not_beside", "13.1"),
    ("1428", "AR-CAV-2", "not_yours", "13.1"), ("1241", "PY-INF-1", "nobody_beside", "13.1"),
    ("1429", "PY-INF-1", "no_enemy", "13.1"), ("1826", "PY-INF-1", "no_enemy", "13.1"),
    ("9999", "PY-INF-1", "malformed", ""), ("1428", "PY-INF-999", "malformed", "")])
def test_who_attacks_whom(target: str, unit: str, key: str, clause: str) -> None:
    assert refused(play(COMBAT), P, "attack", target=target, units=[unit]) == (key, clause)


@pytest.mark.clause("13.31")
def test_the_offer_says_of_who_stands_by_why_it_cannot() -> None:
    targets = forms(play(COMBAT), P)["attack"]["targets"]
    assert targets["1428"]["barred"] == {
        "PY-SUP-Sup-1": {"key": "refusal.no_attack_factor", "args": {"unit": "PY-SUP-Sup-1"}, "clause": "13.31"}}
    alone = play({**COMBAT, "units": {**COMBAT["units"], "PY-SUP-Sup-2": "1135", "BR-CAV-1": "1235"}})  # type: ignore[dict-item]
    assert forms(alone, P)["attack"]["barred"]["1235"]["clause"] == "13.31"  # nobody else stands beside


@pytest.mark.clause("9.2", "10.2", "10.6")
def test_allied_arrivals() -> None:
    game = play(ENTRY)
    held = {"key": "refusal.entry_held", "args": {}, "clause": "9.2"}
    assert groups(game, A, "enter")["reinforcements"]["barred"] == {"1943": held}
    assert refused(game, A, "enter", placed={"AR-INF-2": "1943"}) == ("entry_held", "9.2")
    assert refused(game, A, "enter", placed={"AR-INF-2": "1337"}) == ("not_entry", "9.2")
    assert refused(game, A, "enter", placed={"BR-INF-5F": "1042"}) == ("no_reinforcement", "9.1")
    later = next(u for u, loc in game.pos.at.items() if loc == "turn:7" and game.pos.unit(u).side == A)
    assert refused(game, A, "enter", placed={later: "1042"}) == ("not_due", "9.2")
    assert refused(game, A, "replace", placed={"AR-INF-1": "1943"}) == ("entry_held", "10.6")
    assert refused(game, A, "replace", placed={"AR-INF-1": "1337"}) == ("not_entry", "10.6")
    assert refused(game, A, "replace", placed={"AR-CAV-1GN": "1042"}) == ("never_back", "10.2")
    assert refused(game, A, "replace", placed={"BR-INF-5F": "1042"}) == ("not_lost", "10.1")
    assert refused(game, A, "replace", placed={"PY-INF-1": "1042"}) == ("not_yours", "10.1")


@pytest.mark.clause("10.4", "10.7")
def test_paraguayan_arrivals() -> None:
    body = {"turn": 4, "phase": "paraguay_movement", "clear": True,
            "units": {"PY-INF-1": "dead", "PY-SUP-Sup-1": "dead"}}
    cut = play({**body, "units": {**body["units"], **ring("1432")}})  # type: ignore[dict-item]
    assert refused(cut, P, "replace", placed={"PY-INF-1": "1432"}) == ("entry_cut", "10.7")
    assert groups(cut, P, "replace")["paraguay_1"]["barred"]["1432"]["clause"] == "10.7"
    lost = play({**body, "taken": ["2026"]})
    assert refused(lost, P, "replace", placed={"PY-INF-1": "2026"}) == ("entry_lost", "10.7")
    assert refused(lost, P, "replace", placed={"PY-SUP-Sup-1": "1826"}) == ("no_steps", "10.4")  # it has one, of two


def ring(hex_: str) -> dict[str, str]:
    """Allied units on all hexes around one."""
    pos = play({"turn": 4, "phase": "paraguay_movement", "clear": True}).pos
    return dict(zip((f"BR-INF-{n}C" for n in range(1, 10)), pos.game.map.neighbours[hex_], strict=False))


@pytest.mark.clause("11.2", "11.3", "11.4", "11.7", "12.2")
def test_moves_that_do_not_get_there() -> None:
    game = play({"turn": 3, "phase": "allied_movement", "clear": True,
                 "units": {"BR-SHP-A": "1241", "BR-INF-1F": "1337", "PY-INF-1": "1137"}})
    river = game.pos.game.map.along("navigable_river")
    dry = next(h for h in game.pos.game.map.neighbours["1337"] if not river[h])
    move = next(form for form in game.pending[A].forms if form.name == "move")
    why = {to: (move.reached({"units": [unit], "to": to}) or {})["blocked"][to]
           for unit, to in (("BR-SHP-A", dry), ("BR-INF-1F", "2622"))}
    assert (why[dry]["key"], why[dry]["clause"]) == ("refusal.no_river", "12.2")
    far = why["2622"]
    assert (far["key"], far["clause"]) == ("refusal.too_far", "11.7")
    assert far["args"]["n"] > far["args"]["left"] == game.pos.left("BR-INF-1F")


@pytest.mark.parametrize(
    ("answer", "cause", "args"),
    [
        ([], "no_answer", {}),
        ({"form": "atack"}, "no_form", {"given": "atack", "names": "attack, boxes, no_attack"}),
        ({"form": "attack", "target": ["1428"], "units": []}, "no_name", {"field": "target"}),
        ({"form": "attack", "target": "1428", "units": "PY-INF-1"}, "no_list", {"field": "units"}),
        (
            {"form": "attack", "target": "1428", "units": ["PY-INF-1"] * 2},
            "twice",
            {"field": "units", "given": "PY-INF-1"},
        ),
        ({"form": "attack", "target": "x" * 60, "units": []}, "unknown", {"given": "x" * 39 + "…"}),
        ({"form": "no_attack", "option": "yes"}, "no_option", {"given": "yes", "names": "no_attack, no_more"}),
    ],
)
def test_what_cannot_be_read_says_why(answer: Any, cause: str, args: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        play(COMBAT).pending[P].check(answer)
    assert caught.value.key == "refusal.malformed"
    assert caught.value.args_ == {"why": {"key": f"malformed.{cause}", "args": args}}
