"""The clause ledger and its command."""

import json
from pathlib import Path

import pytest

from app import cli, ledger
from app.config import ROOT

CODE = '''"""1.1 a module names nothing."""

def attack():
    """1.2 An attack, and 1.4-1.6 not one by one."""
    def inner():
        pass  # 1.3 a comment belongs to the innermost
    version = "9.9"
    return inner
'''
TEST = '''import pytest

@pytest.mark.clause("1.2", "1.4")
@pytest.mark.parametrize("n", [1, 2])
def test_attack(n): ...

def test_unmarked(): ...
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree with a title of five clauses."""
    for folder, name, body in (
        ("rules/titles/toy", "combat.py", CODE),
        ("tests/rules/titles/toy", "test_combat.py", TEST),
        ("scenarios/toy", "clauses.json", json.dumps(
            {c: {"title": {"en": f"Clause {c}", "es": ""}} for c in ("1.10", "1.2", "1.3", "1.4", "1.1")})),
        ("scenarios/toy", "excuses.json", json.dumps({"1.1": {"en": "A note.", "es": "Una nota."}})),
    ):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / name).write_text(body)
    return tmp_path


def test_every_clause_has_its_row_in_the_rulebooks_order(tree: Path) -> None:
    book = ledger.read(tree, "toy")
    assert [(r.clause, r.state, r.procedures, r.tests) for r in book.rows] == [
        ("1.1", "excused", (), ()),
        ("1.2", "covered", ("combat.py:attack",), ("test_combat.py:test_attack",)),
        ("1.3", "missing", ("combat.py:attack.inner",), ()),
        ("1.4", "missing", (), ("test_combat.py:test_attack",)),
        ("1.10", "missing", (), ())]
    assert (book.faults, book.complete) == ((), False)


def test_what_contradicts_the_list_is_a_fault(tree: Path) -> None:
    (tree / "scenarios/toy/excuses.json").write_text(json.dumps({c: {"en": "x", "es": "x"} for c in ("1.2", "7.7")}))
    (tree / "rules/titles/toy/extra.py").write_text('def f():\n    """8.8 no such clause"""\n')
    faults = ledger.read(tree, "toy").faults
    assert len(faults) == 3
    assert "extra.py:f names clause 8.8" in faults[0]
    assert "excuse for 7.7" in faults[1]
    assert faults[2].startswith("1.2 has procedure and test")


def test_all_120_clauses_of_the_triple_alliance_war_are_accounted_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["clauses", "triple_alliance"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 121
    assert lines[-1].startswith("120 clauses: ")
    assert lines[-1].endswith(", 0 missing")


def test_clauses_of_a_playbook_bear_its_letter_and_chapters_have_no_row(tree: Path) -> None:
    assert ledger.mentioned("A2.3 Cossacks, errata 8.4; A15.4-A15.6 not one by one, nor B2650 or U1.2") == [
        "A2.3", "8.4", "U1.2"]
    (tree / "scenarios/toy/clauses.json").write_text(json.dumps(
        {c: {"title": {"en": c}, "kind": "chapter" if c == "1.0" else "rule"} for c in ("A1.10", "A1.2", "1.2", "1.0")})
    )
    (tree / "scenarios/toy/excuses.json").write_text("{}")
    (tree / "rules/titles/toy/combat.py").write_text('def f():\n    """1.0, A1.2 A chapter and a clause."""\n')
    (tree / "tests/rules/titles/toy/test_combat.py").write_text("")
    book = ledger.read(tree, "toy")
    assert [row.clause for row in book.rows] == ["1.2", "A1.2", "A1.10"]
    assert (book.rows[1].procedures, book.faults) == (("combat.py:f",), ())


def test_all_162_clauses_of_austerlitz_are_accounted_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["clauses", "austerlitz"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("162 clauses: ")


def test_only_notes_components_and_advice_are_excused() -> None:
    clauses = json.loads((ROOT / "scenarios/triple_alliance/clauses.json").read_text())
    excused = [row.clause for row in ledger.read(ROOT, "triple_alliance").rows if row.state == "excused"]
    assert {clauses[c]["kind"] for c in excused} <= {"note", "component", "advice"}


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["clauses", "triple_alliance", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["totals"]["clauses"] == len(body["clauses"]) == 120
    assert body["totals"]["covered"] + body["totals"]["excused"] == 120
    [guard] = [row for row in body["clauses"] if row["clause"] == "7.14"]
    assert guard["state"] == "covered"
    assert "guard.py:guard_losses" in guard["procedures"]


def test_an_unknown_title(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["clauses", "no_such_title"]) == 1
    assert "no_such_title" in capsys.readouterr().err
