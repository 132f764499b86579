"""What can't be in a position written by hand is said in words of the catalogue, with its clause, in every title: a key
that all four languages have, and no Python in it."""

import json
from typing import Any

import pytest

from rules import titles
from rules.mechanics.written import Impossible
from tests.rules.harness import SCENARIOS, data

WORDS = {lang: json.loads((SCENARIOS.parent / f"static/texts/server/lab.{lang}.json").read_text())
         for lang in ("en", "es", "it", "pt")}
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("chaco", {"phase": "noon"}, "unknown_of", ""), ("chaco", {"turn": 99}, "no_number", ""),
    ("chaco", {"turn": "x"}, "no_number", ""), ("chaco", {"phase": "set_up", "turn": 2}, "set_up_alone", ""),
    ("chaco", {"units": {"nobody": "dead"}}, "unknown", ""),
    ("chaco", {"units": {"PY-INF-1": "nowhere"}}, "unknown", ""),
    ("chaco", {"control": {"nowhere": "paraguay"}}, "unknown", ""), ("chaco", {"rain": "yes"}, "no_flag", ""),
    ("chaco", {"wells": "0101"}, "no_names", ""), ("chaco", {"points": {"peru": 1}}, "unknown_of", ""),
    ("chaco", {"replacements": {"bolivia": 500}}, "too_many_of", "9.1"),
    ("chaco", {"units": {"PY-INF-ITOR": "trucks"}}, "not_in_box", "2.13"),
    ("chaco", {"units": {"PY-TRK-1": "waiting"}}, "not_in_box", "2.13"),
    ("chaco", {"units": {"BO-CSP-1": "dead"}}, "not_in_box", "2.13"),
    ("chaco", {"assigned": ["PY-INF-ITOR"]}, "unknown", ""), ("chaco", {"radius": {"paraguay": 100}}, "no_number", ""),
    ("chaco", {"callups": {"paraguay": 3}}, "no_number", ""),
    ("chaco", {"commander": {"bolivia": "nobody"}}, "unknown_of", ""),
    ("guerra_a_muerte", {"units": {"nobody": "cuba"}}, "unknown", ""),
    ("guerra_a_muerte", {"sieges": {"lima_city": {"units": []}}}, "nobody_besieges", "6.2"),
    ("guerra_a_muerte", {"purses": {"gold": 3}}, "unknown", ""),
    ("guerra_a_muerte", {"purses": {"royalist": "x"}}, "no_number", ""),
    ("guerra_a_muerte", {"purses": {"royalist": -5}}, "overdrawn", "4.2"),
    ("guerra_a_muerte", {"armies": {"patriot": {"9": "cuba"}}}, "unknown", ""),
    ("austerlitz", {"turn": 99}, "no_number", ""), ("austerlitz", {"turn": "x"}, "no_number", ""),
    ("austerlitz", {"phase": "move"}, "no_active", "4.5.1"),
    ("austerlitz", {"phase": "move", "active": "F-3-VV"}, "unknown_near", ""),
    ("austerlitz", {"phase": "move", "active": {}}, "unknown", ""),
    ("austerlitz", {"units": {"F-1-34-Lnn": "B2810@N/column"}}, "unknown_near", ""),
    ("austerlitz", {"units": {"F-1-34-Ln": "B2810@X/column"}}, "unknown_of", ""),
    ("austerlitz", {"units": {"F-1-34-Ln": "B2810@N/colum"}}, "unknown_near", ""),
    ("austerlitz", {"units": {"F-1-34-Ln": "B2810@N"}}, "no_stance", "6.3"),
    ("austerlitz", {"units": {"F-1-34-Ln": "Z9999"}}, "unknown", ""),
    ("austerlitz", {"units": {"F-1-34-Ln": 3}}, "unknown", ""),
    ("austerlitz", {"units": {"F-1-34-Ln": "B2810@NNE/column"}}, "wrong_facing", "6.3"),
    ("austerlitz", {"leaders": {"A-Bagrationn": "B2810"}}, "unknown_near", ""),
    ("austerlitz", {"leaders": {"A-Bagration": "X"}}, "unknown", ""),
    ("austerlitz", {"lost": {"F-1-34-Ln": -1}}, "no_number", "8.5.1"),
    ("austerlitz", {"lost": {"F-1-34-Ln": True}}, "no_number", "8.5.1"),
    ("austerlitz", {"lost": {"F-1-34-Ln": 8}, "units": {"F-1-34-Ln": "B2810"}}, "no_points_left", "8.5.1"),
    ("austerlitz", {"morale": {"F-1-34-Ln": "shakn"}}, "unknown_near", ""),
    ("austerlitz", {"morale": {"nobody": "shaken"}}, "unknown", ""),
    ("austerlitz", {"blown": {"F-1-34-Ln": 1}}, "not_mounted", "8.4.4"),
    ("austerlitz", {"capped": ["x"]}, "unknown", ""), ("austerlitz", {"strategic": ["x"]}, "unknown", ""),
    ("austerlitz", {"fatigue": {"F-1-V": 99}}, "no_number", "14.1"),
    ("austerlitz", {"pool": ["LIM-F-V", "LIM-F-3-V"]}, "corps_and_divisions", "4.8"),
    ("austerlitz", {"held": {"B2810": "french"}}, "unknown_near", ""),
    ("austerlitz", {"detached": {"A-Bagration": ["F-1-34-Ln"]}}, "not_his", "A4.4.5"),
    ("austerlitz", {"detached": {"A-Bagration": [[]]}}, "unknown", ""),
    ("guerra_a_muerte", {"turn": 99}, "no_number", ""), ("guerra_a_muerte", {"turn": 0}, "no_number", ""),
    ("guerra_a_muerte", {"units": {"bolivar": "turn:zzz"}}, "unknown", ""),
    ("guerra_a_muerte", {"units": {"bolivar": "turn:99"}}, "no_number", ""),
    ("guerra_a_muerte", {"units": {"bolivar": "recruits"}}, "no_recruit", "4.2"),
    ("guerra_a_muerte", {"units": {"pla_1": "recruits:chile"}}, "unknown_near", ""),
    ("guerra_a_muerte", {"only": "no"}, "no_flag", ""),
    ("guerra_a_muerte", {"halved": ["caribbean_3"]}, "unknown", ""),
    ("guerra_a_muerte", {"purses": {"royalist": 0.3}}, "no_number_of_halves", ""),
    ("guerra_a_muerte", {"purses": {"royalist": 1e9}}, "no_number_of_halves", ""),
    ("guerra_a_muerte", {"sieges": {"lima_city": {"units": ["pla_1"]}}}, "besiegers_elsewhere", "6.2"),
    ("guerra_a_muerte", {"turn": 1.5}, "no_number", ""), ("guerra_a_muerte", {"masses": []}, "no_dict", ""),
]


@pytest.mark.parametrize(("title_id", "position", "key", "clause"), WRONG)
def test_what_cannot_be_is_said(title_id: str, position: dict[str, Any], key: str, clause: str) -> None:
    with pytest.raises(Impossible) as caught:
        titles.load(title_id).written(data(title_id), {"position": position})
    wrong = caught.value
    assert wrong.key.removeprefix("lab.").startswith(key), wrong
    assert wrong.clause == clause
    for words in WORDS.values():
        assert wrong.key in words
        what = wrong.args_.get("what")
        assert what is None or what["key"] in words


def test_names_of_austerlitz_are_read_without_case() -> None:
    pos = titles.load("austerlitz").written(data("austerlitz"), {"position": {
        "units": {"f-1-34-ln": "b2810@nne/Line"}, "morale": {"F134LN": "Shaken"},
        "leaders": {"a-bagration": "c2133"}}})
    assert (pos.at["F-1-34-Ln"], pos.form["F-1-34-Ln"], pos.morale["F-1-34-Ln"]) == ("B2810", "line", 1)
    assert pos.leaders["A-Bagration"] == "C2133"
