"""Every text the rules name stands in all four catalogues, with the same blanks to fill."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import bots
from rules.bots.playout import chance
from rules.core.referee import Referee
from rules.titles.austerlitz import TITLE
from rules.titles.austerlitz.formations import ARCS
from tests.rules.harness import order_texts, seats
from tests.rules.texts import Source, site
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


def test_what_the_core_and_its_forms_refuse_has_words() -> None:
    """Not only what the title itself refuses: whom nobody can choose, attack or place is refused by the forms."""
    assert Source("austerlitz", ["refusal"]).keys() - site("en") - set(TEXTS["en"]) == set()


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


def keys(said: Any) -> set[tuple[str, frozenset[str]]]:
    """All keys with the blanks that are filled, of a request or a step."""
    if isinstance(said, list):
        return {found for part in said for found in keys(part)}
    if not isinstance(said, dict):
        return set()
    own = {(said["key"], frozenset(said["args"]))} if isinstance(said.get("key"), str) and "args" in said else set()
    return own.union(*(keys(part) for part in said.values())) if said else own


def test_all_that_a_game_says_has_words_and_no_blank_stays_empty() -> None:
    scenario = "northern_flank"
    rng, players = Random(4), {seat: bots.make("random") for seat in seats(TITLE, scenario)}
    game = Referee.start(TITLE, data(), scenario, {}, chance(TITLE, 4), spare=0, seats=players)
    said, made = set(), game.drain()
    for _ in range(160):
        for entry in made:
            for step in entry.told.get("all", []):
                said |= {(f"event.{step['event']}", frozenset(step["data"])), *keys(step)}
        if not game.pending:
            break
        seat = rng.choice(game.asked)
        said |= keys(game.request_for(seat))
        made = game.answer(seat, players[seat].answer(game, seat, rng))
    known = {*TEXTS["en"], *site("en")}
    assert {key for key, _filled in said} - known == set()
    assert {(key, blank) for key, filled in said for blank in BLANK.findall(TEXTS["en"].get(key, ""))
            if blank not in filled} == set()


def test_orders_formations_and_layers_have_words() -> None:
    wanted = order_texts(TITLE) | {f"formation.{form}" for form in ARCS if form != "spread"}
    assert wanted - {*TEXTS["en"], *site("en")} == set()


def test_a_piece_whose_name_is_a_word_is_named_in_every_language() -> None:
    named = {name for name, piece in data().files["units"]["units"].items() if " leader " in piece.get("name", "")}
    named |= {name for name, piece in data().files["units"].get("leaders", {}).items() if " leader " in piece["name"]}
    assert named
    assert {f"unit.{name}" for name in named} <= set(TEXTS["en"])
    assert all(TEXTS["es"][f"unit.{name}"] != TEXTS["en"][f"unit.{name}"] for name in named)
