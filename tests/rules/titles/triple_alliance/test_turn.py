"""5 The sequence of play."""

import pytest

from rules.core.errors import NotAsked
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    answer,
    at,
    attack,
    bear_losses,
    choose,
    ends,
    forms,
    modifiers,
    move,
    new_game,
    odds,
    play,
    preview,
    refused,
    request,
    rows,
    told,
    units,
    view,
)

QUIET = {"clear": True, "mendoza": "crushed", "units": {"PY-INF-1": "1826", "AR-INF-1": "1337"}}


@pytest.mark.clause("5.1", "5.2")
def test_a_turn_from_events_to_the_next() -> None:
    game = play({"turn": 3, "phase": "events", **QUIET}, [5, 5, 6, 6])
    assert request(game, P)["prompt"]["key"] == "prompt.movement"
    ends(game, P)
    ends(game, A)
    assert (game.pos.turn, game.asked) == (4, (P,))
    names = [(s["event"], s["side"], s["data"].get("phase")) for s in told(game)]
    assert names == [
        ("attrition_began", None, None), ("attrition_rolled", A, None), ("attrition_rolled", P, None),
        ("movement_began", P, None), ("movement_ended", P, None),
        *[(e, P, n) for n in (1, 2, 3) for e in ("combat_began", "combat_ended")],
        ("movement_began", A, None), ("movement_ended", A, None),
        *[(e, A, n) for n in (1, 2, 3) for e in ("combat_began", "combat_ended")],
        ("turn_began", None, None),
        ("attrition_began", None, None), ("attrition_rolled", A, None), ("attrition_rolled", P, None),
        ("movement_began", P, None)]


@pytest.mark.clause("5.1")
def test_only_the_player_whose_phase_it_is_acts() -> None:
    game = play({"turn": 3, **QUIET})
    with pytest.raises(NotAsked):
        move(game, A, "AR-INF-1", "1337", "1338")
    assert "forms" not in (game.request_for(A) or {})
    ends(game, P)
    with pytest.raises(NotAsked):
        move(game, P, "PY-INF-1", "1826", "1926")


@pytest.mark.clause("5.1")
def test_closing_a_phase_is_a_commitment() -> None:
    game = play({"turn": 3, **QUIET})
    [option] = forms(game, P)["end"]["options"]
    assert option["ends"]
    [entry] = [e for e in choose(game, P, "end") if e.seat == P and not e.forced]
    assert entry.commits


@pytest.mark.clause("5.2", "13.15")
def test_three_combat_phases_of_plus_one_zero_minus_one() -> None:
    body = {"turn": 3, "clear": True, "units": {"PY-INF-1": "1435", "AR-INF-1": "1335"}}
    for n, expected in ((1, {"first_combat_phase": 1}), (2, {}), (3, {"third_combat_phase": -1})):
        game = play({**body, "phase": f"paraguay_combat_{n}"})
        shown = modifiers(odds(game, P, "1335", "PY-INF-1"))
        assert {k: v for k, v in shown.items() if "phase" in k} == expected


@pytest.mark.clause("5.2")
def test_the_view_tells_the_phase() -> None:
    game = play({"turn": 3, "phase": "allied_combat_2", "clear": True,
                 "units": {"PY-INF-1": "1434", "AR-INF-1": "1335", "AR-INF-2": "1435"}})
    turn = view(game, "public")["turn"]
    assert (turn["turn"], turn["side"], turn["phase"]["key"]) == (3, A, "stage.allied_combat_2")
    assert [s["state"] for s in turn["steps"]] == ["done"] * 4 + ["now"]


@pytest.mark.clause("5.3")
@pytest.mark.parametrize(("unit", "printed", "halved"), [
    ("PY-INF-1", 6, 3), ("PY-CAV-1", 9, 5), ("PY-ART-1", 5, 3), ("PY-SGE-Sg", 3, 2)])
def test_turn_one_halves_movement_rounded_up(unit: str, printed: int, halved: int) -> None:
    for turn, points in ((1, halved), (2, printed), (3, printed)):
        game = play({"turn": turn, "clear": True, "units": {unit: "1826"}})
        [offered] = forms(game, P)["move"]["stacks"]["1826"]
        assert offered["left"] == points


@pytest.mark.clause("5.3")
def test_ships_are_halved_too() -> None:
    game = play({"turn": 1, "phase": "allied_movement", "clear": True, "units": {"AR-WAR-P": "1042"}})
    assert forms(game, A)["move"]["stacks"]["1042"][0]["left"] == 8  # of 15
    there = ["1042", "1141", "1241", "1240", "1239", "1238", "1237", "1236", "1335", "1334"]
    assert refused(game, A, "move", units=["AR-WAR-P"], path=there) == ("too_far", "11.7")
    move(game, A, "AR-WAR-P", *there[:-1])


@pytest.mark.clause("5.3")
def test_turn_one_spends_the_halved_points() -> None:
    game = play({"turn": 1, "clear": True, "units": {"PY-INF-1": "1435"}})
    assert refused(game, P, "move", units=["PY-INF-1"], path=["1435", "1436", "1437", "1438", "1439"]) == (
        "too_far", "11.7")
    assert preview(game, P, "move", units=["PY-INF-1"], path=["1435", "1436", "1437", "1438"])["effect"]["cost"] == 3


@pytest.mark.clause("5.3", "7.1", "10.1")
def test_turn_one_knows_no_attrition_no_events_and_no_replacements() -> None:
    game = new_game()
    choose(game, A, "no_invasion")
    for seat in (A, P):
        answer(game, seat, placed=forms(game, seat)["set_up"]["suggested"])
    assert (game.pos.turn, game.asked) == (1, (P,))
    assert not [e for e in game.log if e.kind == "roll"]
    assert rows(game, P, "replacements") == {}


@pytest.mark.clause("5.3", "10.1")
def test_no_replacements_in_turn_one_even_for_the_eliminated() -> None:
    for turn, offered in ((1, False), (2, True)):
        game = play({"turn": turn, "clear": True, "units": {"PY-INF-1": "1826"}})
        assert ("replace" in forms(game, P)) == offered


@pytest.mark.clause("5.3")
def test_turn_one_fights_three_combat_phases() -> None:
    """One battalion a phase against six, then five, then four squadrons: 1:2 each time."""
    squadrons = [f"BR-CAV-{n}" for n in range(1, 7)]
    game = play({"turn": 1, "phase": "paraguay_combat_1", "clear": True,
                 "units": {**at("1435", units("PY-INF-", 3)), **at("1335", squadrons)}}, [0, 0, 0])
    for n in (1, 2, 3):
        assert game.pos.stage == f"paraguay_combat_{n}"
        attack(game, P, "1335", game.pos.stack("1435")[0])
        bear_losses(game)
        if n < 3:
            ends(game, P)
    assert game.pos.stage == "allied_movement"  # nobody is left to attack
    assert [s["data"]["phase"] for s in told(game, "combat_began") if s["side"] == P] == [1, 2, 3]


@pytest.mark.clause("5.4")
def test_the_track_shows_nine_turns_and_their_winters() -> None:
    cells = view(play({"turn": 3, **QUIET}), "public")["track"]["cells"]
    assert [c["label"] for c in cells] == ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    assert [c["marks"] for c in cells] == [[], ["winter"]] * 4 + [[]]
    assert [c["state"] for c in cells] == ["past", "past", "now", *["todo"] * 6]
