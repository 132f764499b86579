"""Every text the rules name stands in all four catalogues, with the same blanks to fill."""

import json
import re
from pathlib import Path

import pytest

from tests.rules.titles.austerlitz.builders import data

ROOT = Path(__file__).parents[4]
TEXTS = {
    lang: json.loads((ROOT / f"scenarios/austerlitz/texts/{lang}.json").read_text())
    for lang in ("en", "es", "it", "pt")
}
KINDS = "option|prompt|refusal|pool|row|table|turn|stage|fire|morale|melee|pre|square|pursuit"
BLANK = re.compile(r"\{([a-z_]+)\}")


def sent() -> set[str]:
    """The keys that the source names."""
    found: set[str] = set()
    for path in (ROOT / "rules/titles/austerlitz").glob("*.py"):
        source = path.read_text()
        found |= set(re.findall(rf'"((?:{KINDS})\.[a-z_]+)"', source))
        found |= {f"event.{name}" for name in re.findall(r'tell\(\s*"([a-z_]+)"', source)}
        found |= {f"form.{name}" for name in re.findall(
            r'(?:Choose|Declare|Allocate|March|Stand|Deploy|Runaways|Steadfast)\(\s*"([a-z_]+)"', source)}
        found |= {f"lot.{name}" for name in re.findall(r'Lot\("([a-z_]+)"', source)}
    return found


def test_all_that_is_named_has_words() -> None:
    assert sent() - set(TEXTS["en"]) == set()


@pytest.mark.parametrize("lang", ["es", "it", "pt"])
def test_the_catalogues_say_the_same(lang: str) -> None:
    assert set(TEXTS[lang]) == set(TEXTS["en"])
    for key, text in TEXTS["en"].items():
        assert set(BLANK.findall(text)) == set(BLANK.findall(TEXTS[lang][key])), key
        assert TEXTS[lang][key].strip(), key


def test_every_command_marker_place_and_scenario_has_a_name() -> None:
    files = data().files
    wanted = {f"command.{c}" for c in files["units"]["commands"]} | {f"place.{p}" for p in files["map"]["places"]}
    wanted |= {f"marker.{u}" for u, d in files["units"]["units"].items() if d["arm"] == "marker"}
    wanted |= {f"scenario.{s}{more}" for s in files["scenarios"] for more in ("", ".briefing")}
    assert wanted - set(TEXTS["en"]) == set()


def test_clauses_rulings_and_excuses_are_in_four_languages() -> None:
    files = data().files
    wanted = (ROOT / "tests/rules/titles/austerlitz/clauses.txt").read_text().split()
    assert set(wanted) <= set(files["clauses"])
    for clause in files["clauses"].values():
        assert {*clause["title"]} == {*clause["text"]} == {"en", "es", "it", "pt"}
    for ruling in files["rulings"]:
        assert ruling["clause"] in files["clauses"]
        assert {"en", "es", "it", "pt"} <= set(ruling)
    kinds = {c: body["kind"] for c, body in files["clauses"].items()}
    assert {kinds[c] for c in files["excuses"]} <= {"note", "component"}
    assert set(kinds) - set(wanted) == {c for c, kind in kinds.items() if kind == "chapter"}
