"""Whole games keep what must hold, and the checks find what does not."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest

from app.cli import main
from rules import titles
from rules.bots.checks import Broken, Checker
from rules.bots.leaks import Leak, mutated
from rules.core.errors import BadPosition, OutOfStep, Refusal
from rules.core.referee import Checkpoint, Referee
from rules.core.view import Fragment
from rules.titles.triple_alliance import movement, position
from rules.titles.triple_alliance.view import View
from tests.rules.harness import WAR, checked, data, played, seats

TITLE = titles.load(WAR[0])


@pytest.mark.parametrize("seed", range(1, 13))
def test_a_random_game_passes_all_checks(seed: int) -> None:
    done = checked(TITLE, WAR[1], seed, every=12).done
    assert done["loads"] > 10
    assert done["scrambles"] > 20
    assert done["take_backs"] > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1001, 1201))
def test_two_hundred_random_games_pass_all_checks(seed: int) -> None:
    checked(TITLE, WAR[1], seed, every=10)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2001, 2011))
def test_games_of_heuristic_bots_pass_all_checks(seed: int) -> None:
    checker = Checker(TITLE, seed, every=25)
    played(TITLE, WAR[1], seed, "heuristic", checker)


@pytest.mark.long
def test_all_ends_of_the_war_are_reached() -> None:
    sides = [("heuristic", "random"), ("random", "heuristic"), ("heuristic", "heuristic"), ("random", "random")]
    ends = set()
    for seed in range(1, 81):
        result = played(TITLE, WAR[1], seed, dict(zip(seats(TITLE), sides[seed % 4], strict=True))).result
        assert result is not None
        ends.add((result["winner"], result["args"].get("n", "all five cities")))
    assert {("paraguay", "all five cities"), ("paraguay", -1), ("paraguay", 0), ("paraguay", 1), (None, 2),
            ("allied", 3), ("allied", 4)} <= ends


def test_a_view_that_shows_hidden_units_is_caught() -> None:
    class Leaky(View):
        def fragment(self, pos: Any, key: str) -> Fragment:
            found = super().fragment(pos, key)
            if key.startswith("space:") and found.open and "units" not in found.open and found.open["count"]:
                strength = sum(pos.unit(u).attack for u in pos.stack(key.removeprefix("space:")))
                found.open = {**found.open, "strength": strength}
            return found

    with pytest.raises(Leak, match="its view"):
        checked(replace(TITLE, view=Leaky()), WAR[1], 1, every=5)


def test_a_refusal_that_depends_on_hidden_units_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = movement.plan

    def leaky(pos: Any, side: str, answer: Any) -> Any:
        try:
            return honest(pos, side, answer)
        except Refusal as refusal:
            named = answer["units"] if refusal.key.endswith("yours") else []
            foes = [u for u in named if u in pos.at and pos.unit(u).side != side]  # a word may be no unit at all
            raise Refusal(refusal.key, refusal.clause, at=pos.at[foes[0]] if foes else refusal.at) from None

    monkeypatch.setattr(movement, "plan", leaky)

    def eight_games() -> None:
        for seed in range(1, 9):
            checked(TITLE, WAR[1], seed, every=3)

    with pytest.raises(Leak, match="preview"):
        eight_games()


def test_a_change_nobody_is_told_of_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position.Position, "touch", lambda self, loc: self.able.pop(loc, None))
    with pytest.raises(Broken, match="changed as told and fresh"):
        checked(TITLE, WAR[1], 1, every=5)


@pytest.mark.parametrize(("kept", "wrong"), [("able", "nothing said so"), ("held", "held has not been kept up")])
def test_what_is_kept_beyond_its_time_is_caught(monkeypatch: pytest.MonkeyPatch, kept: str, wrong: str) -> None:
    put = position.Position.put

    def forgetful(self: position.Position, unit: str, loc: str) -> None:
        before = {"able": dict(self.able), "held": {side: set(hexes) for side, hexes in self.held.items()}}
        put(self, unit, loc)
        setattr(self, kept, before[kept])

    monkeypatch.setattr(position.Position, "put", forgetful)
    with pytest.raises(BadPosition, match=wrong):
        checked(TITLE, WAR[1], 1, every=500)


def test_what_a_checkpoint_forgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = position.Position.state
    monkeypatch.setattr(position.Position, "state", lambda self: {**whole(self), "steps": {}})
    with pytest.raises(Broken):
        checked(TITLE, WAR[1], 1, every=5)


def test_a_phase_that_was_stored_wrongly_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a re-run from there finds it: the newest checkpoint is well."""
    drained = Referee.drain_phases

    def wrong(self: Referee) -> list[Checkpoint]:
        found = drained(self)
        for n, point in enumerate(found):
            state = orjson.loads(point.state)
            found[n] = replace(point, state=orjson.dumps({**state, "steps": {}, "lost_depots": ["1"]}))
        return found

    monkeypatch.setattr(Referee, "drain_phases", wrong)
    with pytest.raises((Broken, OutOfStep), match=r"taken back to .*(lost_depots|digest)|entry"):
        checked(TITLE, WAR[1], 1, every=5)


def test_what_comes_out_otherwise_in_a_long_re_run_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that a loaded game has in mind beside its position, and that is right for a while."""
    put = position.Position.put

    def loaded(game: Any, state: Any) -> Any:
        pos = TITLE.load(game, state)
        vars(pos)["puts"] = 0
        return pos

    def tired(self: position.Position, unit: str, loc: str) -> None:
        put(self, unit, loc)
        if "puts" in vars(self):
            vars(self)["puts"] += 1
            if vars(self)["puts"] == 20:
                self.lost_depots.append("1")

    monkeypatch.setattr(position.Position, "put", tired)
    with pytest.raises(Broken, match="taken back to 4,"):  # the second unit, by a re-run of the whole set-up
        checked(replace(TITLE, load=loaded), WAR[1], 1, every=5)


def test_a_preview_that_changes_the_game_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    show = movement._show

    def meddling(pos: Any, *rest: Any) -> dict[str, Any]:
        pos.lost_depots.append("1")
        return show(pos, *rest)

    monkeypatch.setattr(movement, "_show", meddling)
    with pytest.raises((Broken, Leak)):
        checked(TITLE, WAR[1], 1, every=5)


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = (played(TITLE, WAR[1], 7) for _ in range(2))
    assert TITLE.encode(one.referee.pos) == TITLE.encode(other.referee.pos)
    assert one.answers == other.answers


def test_the_checks_do_not_hide_a_broken_invariant() -> None:
    def never(_pos: Any) -> None:
        raise ValueError("impossible")

    with pytest.raises(ValueError, match="impossible"):
        played(TITLE, WAR[1], 1, checker=Checker(replace(TITLE, invariants=never), 1))


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda: capsys.readouterr().out.splitlines()


def test_the_command_says_how_each_game_ended(lines: Any) -> None:
    assert main(["playout", WAR[0], "--games", "2", "--seed", "5", "--json"]) == 0
    first, second, whole = map(json.loads, lines())
    assert (first["seed"], second["seed"]) == (5, 6)
    assert whole["passed"] == 2
    assert sum(whole["winners"].values()) == 2


def test_the_command_fails_with_a_failed_game(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position.Position, "touch", lambda self, loc: self.able.pop(loc, None))
    assert main(["playout", WAR[0], "--check", "--every", "5"]) == 1
    out = lines()
    assert "FAILED Broken" in out[0]
    assert out[-1] == "0 passed, 1 failed"


def test_the_command_refuses_an_unknown_bot(lines: Any) -> None:
    assert main(["playout", WAR[0], "--bot", "genius"]) == 2
    assert "bots: random, heuristic" in lines()[0]


def test_the_command_plays_under_the_options_it_is_given(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    monkeypatch.setattr("app.commands.playout.play", lambda *_args, options, **_more: given.append(options))
    main(["playout", "ultimo_hombre", "--option", "leaders", "--option", "chaco=false"])
    assert given == [{"leaders": True, "chaco": False}]
    lines()
    for wrong in ("fog", "leaders=maybe"):
        assert main(["playout", "ultimo_hombre", "--option", wrong]) == 2
        assert lines()[0].startswith("options: leaders: false, true; ")


def test_a_mutated_answer_keeps_its_form() -> None:
    answer = {"form": "move", "units": ["A"], "path": ["1", "2"], "aboard": {"A": "B"}}
    many = [mutated(answer, ["X", "Y"], Random(n)) for n in range(50)]
    assert all(m["form"] == "move" for m in many)
    assert any(m != answer for m in many)
    assert answer == {"form": "move", "units": ["A"], "path": ["1", "2"], "aboard": {"A": "B"}}


@pytest.mark.parametrize("title_id", titles.IDS)
def test_the_eliminated_lie_where_the_title_says(title_id: str) -> None:
    title = titles.load(title_id)
    scenario = next(iter(data(title_id).scenarios))
    games = (played(title, scenario, seed).referee.pos for seed in range(3, 20))
    dead = ("dead", "out")
    pos = next(pos for pos in games if any(loc.startswith(dead) for loc in pos.at.values()))
    graves = [title.view.fragment(pos, key).open for key in title.view.keys(pos) if key.startswith(title.lost)]
    places = {**pos.at, **getattr(pos, "leaders", {})}  # a captured leader is out of the game too
    gone = {unit for unit, loc in places.items() if loc.startswith(dead)}
    assert gone
    assert {unit["id"] for grave in graves if grave for unit in grave["units"]} == gone
