"""`mariscal lab` on this title: positions written by hand, dice by their faces, draws by card."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.commands import lab as lab_command
from rules.core.errors import BadPosition
from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.lab import PHASE_NAMES
from tests.rules.titles.ultimo_hombre.builders import A, P, data, play

ROOT = Path(__file__).parents[4]
FILES = sorted((ROOT / "scenarios" / "ultimo_hombre" / "lab").glob("*.json"))
Run = Callable[..., tuple[int, str, str]]
DUEL: dict[str, Any] = {"position": {
    "phase": "allied_combat", "turn": 5, "clear": True, "fortresses": {}, "leaders": {"Caxias": "Humaitá"},
    "control": {"San Fernando": "ALLIED"}, "units": {"br_inf_01": "humaita", "py_inf_01": "humaita"},
    "attacks": {"humaita": {"br_inf_01": "san_fernando"}}}, "dice": [6, 6]}


@pytest.fixture
def lab(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a lab on a body or a file; exit code, output and complaint."""
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)

    def run(body: Any, *words: str) -> tuple[int, str, str]:
        file = body if isinstance(body, Path) else tmp_path / "question.json"
        if file is not body:
            file.write_text(json.dumps(body))
        code = lab_command.run(parser.parse_args(["ultimo_hombre", str(file), *words]))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
@pytest.mark.parametrize("lang", ["en", "es", "it", "pt"])
def test_an_example_comes_out_as_it_says_in_every_language_without_raw_keys(lab: Run, file: Path, lang: str) -> None:
    body = json.loads(file.read_text())
    assert body["expect"]
    assert set(body["about"]) == {"en", "es", "it", "pt"}
    code, out, err = lab(file, "--lang", lang)
    assert (code, err) == (0, "")
    assert body["about"][lang] in out
    for raw in ("event.", "prompt.", "lab.", "badge.", "seat.", "order.", "card.", "modifier."):
        assert f" {raw}" not in out, raw


def test_names_are_read_without_case_and_accents_and_dice_by_their_faces(lab: Run) -> None:
    code, out, err = lab(DUEL)
    assert (code, err) == (0, "")
    assert "roll (7): 6" in out
    assert lab({**DUEL, "dice": [0, 6]})[2].startswith("mariscal lab: Roll 1 is 0: it takes 1 of the faces 1 to 6")


def test_a_die_left_over_and_one_for_the_next_turn_are_errors(lab: Run) -> None:
    assert "never fell: 3" in lab({**DUEL, "dice": [6, 6, 3]})[2]
    body = {"position": {"phase": "allied_restore", "turn": 2}, "answers": [], "draws": ["A17"]}
    assert lab(body)[0] == 0
    last = {"position": {"phase": "paraguayan_restore", "turn": 2, "decks": {P: ["P10", "P12"], A: ["A17", "A04"]}},
            "answers": [{"option": "P10"}, {"form": "end_restore", "option": "end"}], "draws": ["P10"]}
    assert "There is no" not in lab(last)[2]


def test_draws_are_said_by_card_and_unknown_ones_refused(lab: Run) -> None:
    body: dict[str, Any] = {"position": {"phase": "allied_restore", "turn": 2, "decks": {A: ["A17", "A04", "A22"]}},
                            "draws": ["a22"]}
    code, out, err = lab(body, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["position"]["hands"][A] == ["A22"]
    assert "There is no card or marker that can be drawn A23. Did you mean A22" in lab({**body, "draws": ["A23"]})[2]


def test_expectations_say_what_did_not_happen_what_stayed_and_what_came_instead(lab: Run) -> None:
    assert lab({**DUEL, "expect": [{"not": {"event": "leader_captured"}}, {"unchanged": ["space:pilar"]}]})[0] == 0
    err = lab({**DUEL, "expect": [{"event": "shot", "data": {"roll": 1}}]})[2]
    assert 'Instead: {"event":"shot","data":{"roll":6}}' in err
    assert "was not to happen" in lab({**DUEL, "expect": [{"not": {"event": "shot"}}]})[2]
    moved = {"position": {"phase": "allied_movement", "turn": 3, "clear": True,
                          "units": {"br_inf_01": "bage", "py_inf_01": "humaita"}},
             "answers": [{"form": "move", "units": ["br_inf_01"], "path": ["bage", "jaguarao"]}],
             "expect": [{"unchanged": ["space:bage"]}]}
    assert "space:bage was to stay as it was" in lab(moved)[2]


@pytest.mark.parametrize(("position", "wanted"), [
    ({"units": {"br_inf_99": "bage"}}, "There is no unit br_inf_99. Did you mean"),
    ({"units": {"br_inf_01": "nowhere"}}, "There is no place nowhere"),
    ({"leaders": {"napoleon": "bage"}}, "There is no leader napoleon; there are mitre"),
    ({"capital": "bage"}, "There is no space bage"),
    ({"capital": "luque", "capitals_used": 0}, "A capital at luque does not go with 0 markers put down. (13)"),
    ({"turn": 2, "argentina": "not_yet"}, "By then Argentina is at war. (12.1)"),
    ({"turn": "two"}, "“turn” is a whole number from 1 to 99, not two"),
    ({"control": {"montevideo": "allied"}, "uruguay": "blanco", "clear": True}, "Uruguay has changed sides. (15)"),
    ({"control": {"humaita": "allied"}}, "humaita is held by the units that stand there. (11)"),
    ({"hands": {"allied": ["A17"]}, "in_use": {"allied": "A17"}}, "The card A17 lies in two places. (12.1)"),
    ({"hands": {"allied": ["A17"]}, "late": {"allied": ["A17"]}}, "The card A17 lies in two places. (12.1)"),
    ({"phase": "allied_combat", "attacks": {"humaita": {"br_inf_01": "san_fernando"}}},
     "br_inf_01 does not attack in humaita. (7)"),
    ({"moved": {"br_inf_01": 1}}, "“moved” says nothing of a game that begins in allied_transport"),
    ({"units": {"br_inf_01": "special"}}, "br_inf_01 is no special unit: no card brings it. (12.2)"),
    ({"leaders": {"lopez": "buenos_aires"}}, "lopez cannot be alone in buenos_aires. (6)"),
    ({"leaders": {"mitre": "out"}, "turn": 3}, "That place of mitre does not go with Argentina being “war”. (14)"),
    ({"leaders": {"mitre": "box"}, "argentina": "out", "turn": 3}, "does not go with Argentina being “out”. (14)"),
    ({"units": {"ar_inf_01": "santa_fe"}, "argentina": "out", "turn": 3}, "ar_inf_01 is gone with Argentina. (14)"),
    ({"fortresses": {"fort_humaita": "pilar"}}, "The fortress fort_humaita cannot stand in pilar. (9)"),
    ({"decks": {"allied": []}}, "is empty: its last card has ended the war. (16)"),
    ({"control": {"asuncion": "allied"}, "clear": True}, "The capital at asuncion is in Allied hands"),
    ({"capital": "luque", "control": {"luque": "allied"}, "clear": True}, "The capital at luque is in Allied hands"),
    ({"shipped": ["br_inf_01"], "units": {"br_inf_01": "bage"}}, "br_inf_01 cannot have been shipped to bage. (3)"),
    ({"turn": 3, "phase": "allied_movement", "moved": {"br_inf_01": 3}}, "is a whole number from 0 to 2, not 3"),
    ({"turn": 3, "phase": "allied_movement", "units": {"br_inf_01": "rio_grande"}, "moved": {"br_inf_01": 1},
      "shipped": ["br_inf_01"]}, "br_inf_01 was shipped, so it has not moved. (3)"),
    ({"turn": 3, "phase": "allied_combat", "fled": {"humaita": []}}, "No battle is to come in humaita. (8)"),
    ({**DUEL["position"], "fled": {"humaita": ["br_inf_01"]}}, "There is no unit br_inf_01. Did you mean py_inf_01"),
    ({**DUEL["position"], "attacks": {"humaita": {}}}, "br_inf_01 does not attack in humaita. (7)"),
    ({**DUEL["position"], "units": {**DUEL["position"]["units"], "br_inf_02": "humaita"}},
     "br_inf_02 does not attack in humaita. (7)"),
    ({"units": {"py_inf_01": "dead"}, "reduced": ["py_inf_01"]}, "py_inf_01 is reduced and not on the map. (5)"),
    ({"worn": ["fort_humaita"], "fortresses": {}}, "The fortress fort_humaita is not on the board. (9)"),
    ({"reduced": ["br_inf_01", "br_inf_01"]}, "“reduced” names br_inf_01 twice"),
    ({"sides": {}}, "There is no field sides"),
])
def test_what_cannot_be_is_said_with_its_clause(lab: Run, position: dict[str, Any], wanted: str) -> None:
    code, _, err = lab({"position": position})
    assert code == 1
    assert wanted in err


def test_a_part_of_the_map_without_cards_says_so(lab: Run) -> None:
    for position, wanted in (({"hands": {"allied": ["A10"]}}, "This scenario has no cards"),
                             ({"leaders": {"lopez": "bage"}}, "bage lies outside the part of the map"),
                             ({"control": {"bage": "paraguayan"}}, "bage lies outside the part of the map"),
                             ({"fortresses": {"fort_martin_garcia": "buenos_aires"}}, "lies outside the part")):
        assert wanted in lab({"scenario": "crossing", "position": position})[2]


def test_leaders_move_and_are_shipped_under_the_option_that_lets_them(lab: Run) -> None:
    position = {"turn": 3, "phase": "allied_movement", "units": {"br_inf_01": "rio_grande"},
                "leaders": {"caxias": "rio_grande"}, "moved": {"caxias": 6}}
    assert "There is no unit caxias" in lab({"position": position})[2]
    answer = {"form": "move", "units": ["caxias"], "path": ["rio_grande", "jaguarao"], "refused": "17.1"}
    assert lab({"options": {"leaders": True}, "position": position, "answers": [answer]})[0] == 0
    shipped = {**position, "moved": {}, "shipped": ["caxias"]}
    assert lab({"options": {"leaders": True}, "position": shipped, "answers": [{**answer, "refused": "3"}]})[0] == 0


def test_argentina_and_uruguay_follow_turn_and_control() -> None:
    later = TITLE.written(data(), {"position": {"turn": 5}})
    assert later.argentina == "war"
    assert TITLE.written(data(), {"position": {}}).argentina == "not_yet"
    taken = TITLE.written(data(), {"position": {"turn": 3, "clear": True, "units": {"br_inf_01": "montevideo"}}})
    assert (taken.uruguay, taken.controller("colonia"), taken.owner("colonia")) == ("flipped", A, A)


def test_points_and_ends_follow_from_the_position() -> None:
    pos = TITLE.written(data(), {"position": {"turn": 3, "clear": True, "leaders": {"caxias": "out"},
                                              "units": {"py_inf_01": "bage"}}})
    assert pos.vp[P] == 5 + data().files["map"]["spaces"]["bage"].get("vp", 0)
    over = TITLE.written(data(), {"position": {"turn": 3, "control": {"rio_grande": P}, "clear": True}})
    assert over.result["key"] == "result.prize"
    lost = TITLE.written(data(), {"position": {"turn": 3, "leaders": {"lopez": "out"}}})
    assert lost.result["key"] == "result.lopez"


@pytest.mark.parametrize("phase", PHASE_NAMES)
def test_play_begins_in_every_phase(phase: str) -> None:
    dice = [0] if phase.endswith(("restore", "combat")) else []
    game = play({"turn": 3, "phase": phase, "units": {"br_inf_01": "bage"}}, dice)
    assert game.asked


def test_worn_and_besieged_fortresses_and_late_cards_can_be_written() -> None:
    pos = TITLE.written(data(), {"position": {"besieged": {"fort_humaita": 1}, "late": {A: ["A22"]}, "worn": []}})
    assert (pos.besieged, pos.worn, pos.late[A]) == ({"fort_humaita": 1}, ["fort_humaita"], ["A22"])
    with pytest.raises(BadPosition):
        TITLE.written(data(), {"position": {"besieged": {"fort_humaita": 9}}})


def test_lists_and_eyes(lab: Run, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)
    assert lab_command.run(parser.parse_args(["ultimo_hombre", "--units", "--lang", "es"])) == 0
    out = capsys.readouterr().out
    assert "py_inf_01: Paraguay, infantería" in out
    assert "A24: Deserciones" in out
    assert lab_command.run(parser.parse_args(["ultimo_hombre", "--space", "Humaita"])) == 0
    out = capsys.readouterr().out
    assert "→ pilar Pilar main river" in out
    assert "py_inf_14" in out
    assert lab_command.run(parser.parse_args(["ultimo_hombre", "--space", "Humata"])) == 1
    assert "Did you mean humaita" in capsys.readouterr().err
    body = {"position": {"hands": {A: ["A17"]}}}
    assert "Fusiles" in lab(body, "--eye", A)[1]
    assert "Fusiles" not in lab(body, "--eye", P)[1]
    assert "There is no eye brazil" in lab(body, "--eye", "brazil")[2]
