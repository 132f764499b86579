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
    ("chaco", {"commander": {"bolivia": "nobody"}}, "unknown_of", ""),
    ("guerra_a_muerte", {"units": {"nobody": "cuba"}}, "unknown", ""),
    ("guerra_a_muerte", {"sieges": {"lima_city": {"units": []}}}, "nobody_besieges", "6.2"),
    ("guerra_a_muerte", {"purses": {"gold": 3}}, "unknown", ""),
    ("guerra_a_muerte", {"purses": {"royalist": "x"}}, "no_number", ""),
    ("guerra_a_muerte", {"purses": {"royalist": -5}}, "overdrawn", "4.2"),
    ("guerra_a_muerte", {"armies": {"patriot": {"9": "cuba"}}}, "unknown", ""),
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
