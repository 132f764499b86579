"""Every fact that the rulebook pins holds in the title's data. `facts.json`: clause, kind of check, value."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rules.titles.chaco.constants import CONSTANTS
from tests.rules.titles.chaco.fact_checks import CHECKS, Files

FACTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "facts.json").read_text())


@pytest.fixture(scope="module")
def files() -> Files:
    return Files()


@pytest.mark.parametrize("fact", FACTS, ids=lambda f: f"{f['id']}-{f['clause']}-{f['kind']}")
def test_fact(files: Files, fact: dict[str, Any]) -> None:
    assert CHECKS[fact["kind"]](files, fact["value"], fact["clause"]), fact["says"]


def test_every_check_is_used() -> None:
    assert {fact["kind"] for fact in FACTS} == set(CHECKS)
    assert {fact["value"]["name"] for fact in FACTS if fact["kind"] == "constant"} == set(CONSTANTS)
