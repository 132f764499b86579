"""Every fact that the rulebook pins holds in the title's data. `facts.json`: clause, check, value."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rules.titles.ultimo_hombre.builders import FOLDER, data
from tests.rules.titles.ultimo_hombre.fact_checks import CHECKS

FACTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "facts.json").read_text())
LANGUAGES = ("en", "es", "it", "pt")


@pytest.mark.parametrize("fact", FACTS, ids=lambda f: f"{f['id']}-{f['clause']}-{f['check']}")
def test_fact(fact: dict[str, Any]) -> None:
    assert CHECKS[fact["check"]](fact["value"]), fact["says"]


def test_every_check_is_used_and_every_clause_known() -> None:
    assert {fact["check"] for fact in FACTS} == set(CHECKS)
    assert {fact["clause"] for fact in FACTS} <= set(data().files["clauses"])


def test_every_ruling_and_clause_speaks_every_language() -> None:
    clauses, rulings = (data().files[name] for name in ("clauses", "rulings"))
    assert len(clauses) == 25
    for clause in clauses.values():
        assert all(clause[part][lang] for part in ("title", "text") for lang in LANGUAGES)
    assert all(ruling["clause"] in clauses and all(map(ruling.get, LANGUAGES)) for ruling in rulings)
    assert len({ruling["id"] for ruling in rulings}) == len(rulings)
    assert json.loads((FOLDER / "excuses.json").read_text()) == {}
