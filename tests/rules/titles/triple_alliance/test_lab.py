"""`mariscal lab`: positions written by hand, and the worked examples of the rulebook as files."""

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cli import main
from app.commands import lab as lab_command
from app.lab.expecting import holds
from rules.core.errors import BadPosition, Refusal
from rules.titles.triple_alliance import TITLE
from rules.titles.triple_alliance.lab import phases
from tests.rules.titles.triple_alliance.builders import data, play, position
from tests.rules.titles.triple_alliance.ground import WATCH

ROOT = Path(__file__).parents[4]
FILES = sorted((ROOT / "scenarios" / "triple_alliance" / "lab").glob("*.json"))
SIX = [f"BR-INF-{n}F" for n in range(1, 7)]
ATTACK: dict[str, Any] = {
    "position": {"turn": 3, "phase": "allied_combat_2", "clear": True,
                 "units": {**dict.fromkeys(SIX, "1436"), "PY-INF-1": "1437", "PY-INF-2": "1437"}},
    "answers": [{"form": "attack", "target": "1437", "units": SIX}], "dice": [4]}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lab(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a lab on a body or a file; exit code, output and complaint."""
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)

    def run(body: Any, *words: str) -> tuple[int, str, str]:
        file = body if isinstance(body, Path) else tmp_path / "question.json"
        if file is not body:
            file.write_text(body if isinstance(body, str) else json.dumps(body))
        code = lab_command.run(parser.parse_args(["triple_alliance", str(file), *words]))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_worked_example_comes_out_as_printed(lab: Run, file: Path) -> None:
    body = json.loads(file.read_text())
    assert body["expect"]
    assert set(body["about"]) == {"en", "es", "it", "pt"}
    code, out, err = lab(file, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["ok"] is True


def test_every_clause_with_a_worked_example_has_its_file() -> None:
    clauses = {file.stem.split("-")[0] for file in FILES}
    assert clauses == {"3.3", "7.2", "7.3", "7.5", "7.10", "11.19", "12.2", "12.5", "13.4", "13.9", "13.10", "13.12",
                       "13.18", "13.26", "13.28"}


def test_an_example_that_comes_out_otherwise_fails(lab: Run) -> None:
    for file in FILES[::5]:
        body = json.loads(file.read_text())
        body["expect"].append({"event": "automatic_victory"})
        code, _, err = lab(body)
        assert code == 1
        assert "It did not come out as expected" in err


def test_it_prints_requests_answers_events_modifiers_clauses_and_the_position(lab: Run) -> None:
    code, out, err = lab(ATTACK)
    assert (code, err) == (0, "")
    for wanted in (r"^Triple Alliance: .*\(13\.6\)$", r"^  may attack \(13\.6\): 1437 ← 1436 BR-INF-1F .*BR-INF-6F$",
                   r"^  answer: .*BR-INF-1F", r"^  \* .*\(6\.4\)$", r"^  roll \(13\.28\): 4$", r"^  \* .*\(13\.28\)$",
                   r"^      18 against 4: 4:1, die \+0$", r"^Position after, 3\.allied_combat_2:$",
                   r"^  space:1436: Triple Alliance, 6: BR-INF-1F \(has attacked\)"):
        assert re.search(wanted, out, re.MULTILINE), wanted
    assert "event." not in out
    assert "prompt." not in out
    spanish = lab(ATTACK, "--lang", "es")[1]
    assert spanish != out


def test_modifiers_are_listed_with_their_clauses(lab: Run) -> None:
    third = {**ATTACK, "position": {**ATTACK["position"], "phase": "allied_combat_3"}}
    out = lab(third)[1]
    assert re.search(r"^      -1 .*\(13\.15\)$", out, re.MULTILINE)


def test_json_holds_the_same(lab: Run) -> None:
    code, out, _ = lab(ATTACK, "--json")
    body = json.loads(out)
    assert code == 0
    assert (body["ok"], body["error"], body["title"]) == (True, None, "triple_alliance")
    assert next(row for row in body["log"] if "request" in row)["request"]["forms"][0]["form"] == "attack"
    entries = [entry for row in body["log"] for entry in row.get("entries", [])]
    assert [entry["answer"]["faces"] for entry in entries if entry["kind"] == "roll"] == [[4]]
    assert body["position"]["at"]["BR-INF-1F"] == "1436"
    assert body["pending"]["mine"] is True
    assert set(body["changed"]) >= {"battle"}


def changed(**more: Any) -> dict[str, Any]:
    return {**ATTACK, "position": {**ATTACK["position"], **more}}


def sacked(*captures: Any) -> dict[str, Any]:
    """A second Paraguayan combat phase, with arms captured in the first."""
    return changed(phase="paraguay_combat_2", captures=list(captures))


@pytest.mark.parametrize(("body", "wanted"), [
    ("{", "is no JSON"),
    ("[]", "holds no object"),
    ({"positions": {}}, "There is no field positions. Did you mean position"),
    ({"scenario": "peace"}, "no scenario peace; there are war"),
    ({"dice": 4}, "“dice” holds a list"),
    ({"answers": [3]}, "“answers” holds objects"),
    ({"options": {"angostura": "none"}}, "There is no value of this option none; there are minus_three, minus_two"),
    ({"position": {"turns": 3}}, "There is no field turns. Did you mean turn"),
    ({"position": {"turn": 10}}, "“turn” is a whole number from 1 to 9, not 10. (5.4)"),
    ({"position": {"turn": True}}, "“turn” is a whole number from 1 to 9, not True"),
    ({"position": {"phase": "teatime"}}, "There is no phase teatime; there are set_up, events"),
    ({"position": {"phase": "events"}}, "The first turn has no events. (5.3)"),
    ({"position": {"phase": "set_up", "turn": 1}}, "has nothing but its phase"),
    (changed(units={"BR-INF-99": "1436"}), "There is no unit BR-INF-99. Did you mean BR-INF-9"),
    (changed(units={"BR-INF-1F": "9999"}), "There is no place 9999"),
    (changed(units={"BR-INF-1F": "1437", "PY-INF-1": "1437"}), "Both sides stand in 1437. (11.4)"),
    (changed(units={"BR-SHP-A": "1436"}), "BR-SHP-A floats on land at 1436. (12.2)"),
    (changed(units={"PY-FOR-H": "1433"}), "The fortress PY-FOR-H cannot leave its hex for 1433. (3.5)"),
    (changed(units={f"PY-CAV-{n}": "1437" for n in range(1, 25)} | {f"PY-INF-{n}": "1437" for n in (1, 2, 3)}),
     "27 units stand in 1437; the limit is 26. (6.1)"),
    (changed(control={"1437": "uruguay"}), "There is no side uruguay. Did you mean paraguay?"),
    (changed(boxes={"allied": {"77": "1436"}}), "There is no box 77"),
    (changed(boxes={"allied": {"1": "1441"}}), "A substitute stands wrongly in 1441"),
    (changed(boxes={"allied": {"1": "nowhere"}}), "There is no hex nowhere"),
    (sacked([["PY-INF-1"], 12]), "“captures” is a whole number from 0 to 9, not 12. (13.27)"),
    (sacked([[], 2]), "“captures” is a list of [units, factors]"),
    (sacked([["PY-INF-9"], 2]), "There is no unit PY-INF-9"),
    (sacked([["PY-INF-1"], 2], [["PY-INF-1"], 2]), "“captures” names PY-INF-1 twice. (13.27)"),
    (changed(captures=[[["PY-INF-1"], 2]]), "“captures” says nothing of a game that begins in allied_combat_2"),
    (changed(matto_grosso="open"), "There is no state of the Matto Grosso open; there are not_launched"),
    (changed(matto_grosso="launched"), "0 units are away in the Matto Grosso, which does not go with “launched”"),
    (changed(matto_grosso="answered"), "“matto_grosso” cannot be answered on turn 3 of this scenario"),
    (changed(turn=6, matto_grosso="launched"), "“matto_grosso” cannot be launched on turn 6"),
    (changed(turn=1, mendoza="lost"), "“mendoza” cannot be lost on turn 1 of this scenario at that time. (8.3)"),
    ({"scenario": "corrientes", "position": {"turn": 2, "mendoza": "lost"}}, "“mendoza” cannot be lost on turn 2"),
    (changed(units={"PY-INF-1": "away:matto_grosso"}), "PY-INF-1 is no unit that can be sent through the Matto Grosso"),
    (changed(units={"BR-INF-MG": "away:matto_grosso"}), "1 units are away in the Matto Grosso, which does not go with"),
    (changed(units={"BR-INF-1F": "available"}), "BR-INF-1F cannot be available: only supply units wait"),
    (changed(units={"PY-INF-1": "turn:6"}), "PY-INF-1 cannot wait for turn 6. (9.1)"),
    (changed(units={"PY-FOR-H": "turn:5"}), "PY-FOR-H cannot wait for turn 5. (9.1)"),
    (changed(units={"BR-INF-1F": "turn:5"}), "BR-INF-1F cannot wait for turn 5. (9.1)"),
    (changed(units={"BR-INF-1F": "turn:²"}), "There is no place turn:²"),
    (changed(units={"BR-INF-1F": "turn:" + "9" * 5000}), "There is no place turn:9"),
    (changed(units={"PY-INF-1": "1437"}, control={"1437": "allied"}), "1437 is held by the units that stand there"),
    (changed(captures=[["PY-INF-1"]]), "“captures” is a list of [units, factors]"),
    (changed(points={"luck": 3}), "There is no source of points luck"),
    (changed(points={"fortresses": 7}), "“fortresses” is a whole number from 0 to 1, not 7. (4.4)"),
    (changed(units={"BR-INF-9C": "dead:paraguay"}), "BR-INF-9C cannot be in dead:paraguay"),
    (changed(rail_entered="no"), "“rail_entered” is true or false, not no"),
    (changed(taken=["1111"]), "There is no hex 1111; there are 1432, 1826, 2026"),
    ({"position": {"phase": "events", "turn": 2, "units": {"BR-INF-1F": "turn:x"}}}, "There is no place turn:x"),
    ({"position": {"units": {"BR-INF-1F": "turn:99"}}}, "“turn” is a whole number from 1 to 9, not 99. (9.1)"),
    (changed(aboard={"BR-INF-1F": "BR-TRA-T-1"}), "“aboard” says nothing of a game that begins in allied_combat_2"),
    ({"position": {"turn": 3, "phase": "allied_movement", "spent": {"BR-INF-1F": 99}}},
     "“spent” is a whole number from 0 to 6, not 99. (11.2)"),
    (changed(mendoza="perhaps"), "There is no state of Mendoza perhaps; there are quiet, crushed, lost"),
    ({**ATTACK, "dice": [10]}, "Roll 1 is 10: it takes 1 of the faces 0 to 9"),
    ({**ATTACK, "dice": [4, 4]}, "One die or draw never fell: 4"),
    ({**ATTACK, "answers": [{"seat": "paraguay", "form": "no_attack", "option": "no_attack"}]}, "Answer 1 is refused"),
    ({**ATTACK, "answers": [{"form": "attack", "target": "1437", "units": []}]}, "Answer 1 is refused"),
    ({**ATTACK, "answers": [{**ATTACK["answers"][0], "refused": "13.2"}]},
     "Answer 1 was to be refused (13.2) and was not"),
    ({**ATTACK, "answers": [{"form": "attack", "target": "1437", "units": [], "refused": "13.2"}]},
     "Answer 1 is refused"),
    ({"position": {"turn": 9, "phase": "end_of_turn"}, "answers": [{"form": "end"}]}, "Answer 1 comes too late"),
    ({**ATTACK, "expect": [{"event": "combat_rolled", "data": {"roll": 5}}]}, "It did not come out as expected"),
])
def test_what_is_wrong_is_said(lab: Run, body: Any, wanted: str) -> None:
    for words in ((), ("--json",)):
        code, out, err = lab(body, *words)
        assert code == 1
        assert wanted in (json.loads(out)["error"] if words else err)


def test_a_file_that_is_not_there_and_a_title_that_is_not(lab: Run, tmp_path: Path,
                                                         capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be read" in lab(tmp_path / "none.json")[2]
    (tmp_path / "q.json").write_text("{}")
    assert main(["lab", "chess", str(tmp_path / "q.json")]) == 1
    assert "There is no title chess; there are triple_alliance" in capsys.readouterr().err


def test_what_happened_before_an_error_is_still_shown(lab: Run) -> None:
    code, out, err = lab({**ATTACK, "answers": [*ATTACK["answers"], {"form": "nonsense"}]})
    assert code == 1
    assert "roll (13.28): 4" in out
    assert "Answer 2 is refused" in err


def test_a_refusal_that_is_expected_by_clause_or_key_lets_play_go_on(lab: Run) -> None:
    bad = {"form": "attack", "target": "1437", "units": ["BR-INF-1F", "PY-INF-1"]}
    for word in ("13.1", "refusal.not_yours"):
        code, out, _ = lab({**ATTACK, "answers": [{**bad, "refused": word}, *ATTACK["answers"]]})
        assert code == 0
        assert "refused: " in out


def test_the_example_of_the_documentation_is_true(lab: Run) -> None:
    text = (ROOT / "docs" / "positions.md").read_text()
    [example] = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert lab(example)[0] == 0
    for phase in phases():
        assert phase.rsplit("_", 1)[0] in text


def test_expectations_are_parts() -> None:
    found = {"a": 1, "b": [{"x": 1, "y": 2}, {"x": 3}], "c": {"d": None}}
    wanted: Any
    for wanted in ({}, {"a": 1}, {"b": [{"x": 3}, {"y": 2}]}, {"c": {"d": None}}, {"b": []}):
        assert holds(wanted, found)
    for wanted in ({"a": 2}, {"z": 1}, {"b": [{"x": 1, "y": 3}]}, {"c": {"d": 0}}, {"a": [1]}, {"b": {"x": 1}}):
        assert not holds(wanted, found)


@pytest.mark.parametrize("phase", phases())
def test_play_can_begin_in_every_phase(phase: str) -> None:
    events = phase in ("events", "end_of_turn")
    game = play({"turn": 3, "phase": phase, "clear": True, "units": WATCH}, dice=[9, 9, 9] if events else [])
    assert game.asked
    assert game.pos.stage == ("paraguay_movement" if events else phase)
    assert game.pos.turn == (4 if phase == "end_of_turn" else 3)


def test_a_game_to_be_set_up_is_one() -> None:
    game = play({"phase": "set_up"})
    assert game.asked == ("allied",)
    assert game.pos.agenda[0] == ["matto_grosso_decision"]


PLACES = st.sampled_from(["1436", "1437", "1432", "1335", "dead", "available", "turn:3", "turn:x", "free", "", "9999"])
UNITS = st.sampled_from(["BR-INF-1F", "BR-SHP-A", "PY-INF-1", "PY-FOR-H", "nobody"])
ODD = st.none() | st.booleans() | st.integers(-2, 12) | PLACES | st.lists(PLACES, max_size=2) | st.dictionaries(
    PLACES, PLACES, max_size=2)
BODIES = st.fixed_dictionaries({}, optional={
    "turn": ODD, "phase": st.sampled_from([*phases(), "set_up"]) | ODD, "clear": st.just(True) | ODD,
    "units": st.dictionaries(UNITS, PLACES | ODD, max_size=4) | ODD, "control": st.dictionaries(
        PLACES, st.sampled_from(["allied", "paraguay"]) | ODD, max_size=3) | ODD,
    "boxes": st.dictionaries(st.sampled_from(["allied", "paraguay"]), st.dictionaries(
        st.sampled_from(["1", "2", "10"]), PLACES | ODD, max_size=2) | ODD, max_size=2) | ODD,
    "matto_grosso": ODD, "mendoza": ODD, "points": ODD, "taken": ODD, "lost_depots": ODD, "captures": ODD})


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(body=BODIES)
def test_a_nonsensical_position_gets_a_reason(body: dict[str, Any]) -> None:
    try:
        pos = TITLE.written(data(), {"position": body})
    except (BadPosition, Refusal):
        return
    TITLE.invariants(pos)
    assert TITLE.decode(pos.game, TITLE.encode(pos), TITLE.schema).state() == pos.state()


def test_control_follows_the_units_and_may_be_given_for_empty_hexes() -> None:
    pos = position(clear=True, units={"PY-INF-1": "1437"}, control={"1541": "paraguay", "1918": "allied"})
    assert [pos.controller(h) for h in ("1437", "1541", "1918", "1436")] == ["paraguay", "paraguay", "allied", "allied"]
    assert pos.lost_depots == ["1541"]


def test_points_and_ends_follow_from_the_position() -> None:
    def position(**body: Any) -> Any:
        return TITLE.written(data(), {"position": {"turn": 3, "phase": "paraguay_movement", **body}})

    assert (position().points, position().result) == ({}, None)
    gone = {u: "dead" for u in data().files["units"]["units"] if u.startswith("PY-FOR-")}
    assert position(units=gone).points == {"fortresses": 1}
    assert position(units=gone, points={"fortresses": 0}).points == {}  # unless the file says otherwise
    assert position(turn=4, mendoza="lost").points == {"mendoza": -1}
    five = dict.fromkeys(data().files["tables"]["victory"]["automatic"], "paraguay")
    won = position(clear=True, units={"PY-INF-1": "1437"}, control=five)
    assert won.result is not None
    assert won.result["winner"] == "paraguay"
