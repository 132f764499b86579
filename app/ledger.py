"""The clause ledger of a title: for every clause of its rulebook the code and the tests that name it, or an excuse.

Code names a clause in a docstring or comment of a function or class in `rules/titles/TITLE` or `rules/mechanics`.
A range ("13.14-13.23") names none: each clause wants to be named where it is obeyed. A test in
`tests/rules/titles/TITLE` names it by `@pytest.mark.clause("7.14", ...)`.
What can have neither stands in `scenarios/TITLE/excuses.json`: clause -> {"en", "es"}.
A clause of kind `chapter` ("8.0") only heads others: it may be named, and has no row.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

State = Literal["covered", "excused", "missing"]
Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

_NUMBER = r"[A-Z]?\d+(?:\.\d+)*"
_POINTED = r"[A-Z]?\d+(?:\.\d+)+"
_CLAUSE = re.compile(rf"(?<![\w.]){_POINTED}(?:\s*[-–]\s*{_POINTED})?(?![\d.]*\d)")
_OPENING = re.compile(rf"{_NUMBER}(?:, {_NUMBER})*(?= [A-ZÁÉÍÓÚ])")
_BRACKETS = re.compile(rf"\({_NUMBER}(?:, {_NUMBER})*\)")
_WHOLE = re.compile(r"(?<![\w.])[A-Z]?\d+(?![\d.])")
_PARTS = re.compile(r"([A-Z]?)(\d+)")


@dataclass(frozen=True, slots=True)
class Row:
    """One clause. `procedures` and `tests` are names within a file, as "file.py:name"."""

    clause: str
    title: str
    procedures: tuple[str, ...]
    tests: tuple[str, ...]
    excuse: str | None

    @property
    def state(self) -> State:
        if self.procedures and self.tests:
            return "covered"
        return "missing" if self.excuse is None else "excused"


@dataclass(frozen=True, slots=True)
class Ledger:
    """All clauses of a title in the rulebook's order, and what contradicts them (`faults`, for a person to read)."""

    title: str
    rows: tuple[Row, ...]
    faults: tuple[str, ...]

    def count(self, state: State) -> int:
        return sum(row.state == state for row in self.rows)

    @property
    def complete(self) -> bool:
        return not self.count("missing") and not self.faults


def read(root: Path, title: str) -> Ledger:
    """The ledger of a title in the source tree at `root`. FileNotFoundError when it has no clauses.json."""
    folder = root / "scenarios" / title
    clauses: dict[str, Any] = json.loads((folder / "clauses.json").read_text("utf-8"))
    excuses_file = folder / "excuses.json"
    excuses: dict[str, Any] = json.loads(excuses_file.read_text("utf-8")) if excuses_file.exists() else {}
    order = sorted((c for c in clauses if clauses[c].get("kind") != "chapter"), key=_key)
    code = _by_clause([root / "rules" / "titles" / title, root / "rules" / "mechanics"], _named_in_code)
    # Where the rulebook numbers paragraphs, a whole number is the name of a chapter and no clause.
    code = {clause: names for clause, names in code.items() if "." in clause or clause in clauses}
    tests = _by_clause([root / "tests" / "rules" / "titles" / title], _named_in_tests)
    rows = tuple(Row(clause, clauses[clause]["title"]["en"], tuple(code.get(clause, ())),
                     tuple(tests.get(clause, ())), excuses[clause]["en"] if clause in excuses else None)
                 for clause in order)
    faults = [f"{name} names clause {clause}, which there is not"
              for found in (code, tests) for clause, names in found.items() if clause not in clauses for name in names]
    faults += [f"there is an excuse for {clause}, which there is not" for clause in excuses if clause not in clauses]
    faults += [f"{row.clause} has procedure and test and needs no excuse"
               for row in rows if row.excuse is not None and row.state == "covered"]
    return Ledger(title, rows, tuple(faults))


def _key(clause: str) -> tuple[tuple[str, int], ...]:
    """The rulebook's order; a playbook's "A2.1" comes after all of the rulebook's own."""
    return tuple((letter, int(number)) for letter, number in _PARTS.findall(clause))


def _by_clause(folders: Sequence[Path],
               find: Callable[[str], Iterator[tuple[str, str]]]) -> dict[str, list[str]]:
    """Clause -> "file.py:name" of everything that `find` sees in the Python files of some folders."""
    found: dict[str, list[str]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            for clause, name in find(path.read_text("utf-8")):
                names = found.setdefault(clause, [])
                label = f"{path.relative_to(folder)}:{name}"
                if label not in names:
                    names.append(label)
    return found


def mentioned(text: str) -> list[str]:
    """The clauses a text names one by one. A section number without a point counts where the text opens with it
    ("7, 9 A hit ...") or stands in brackets ("(11)"), so that no other figure is taken for one."""
    heads = [found for part in (_OPENING.match(text), *_BRACKETS.finditer(text)) if part
             for found in _WHOLE.findall(part.group())]
    return [*heads, *(found for found in _CLAUSE.findall(text) if re.fullmatch(_POINTED, found))]


def _named_in_code(source: str) -> Iterator[tuple[str, str]]:
    """Clause and name of every function and class that names one in its docstring or in a comment inside it."""
    nodes = list(_definitions(ast.parse(source)))
    comments = [(token.start[0], token.string) for token in tokenize.generate_tokens(io.StringIO(source).readline)
                if token.type == tokenize.COMMENT]
    for node, name in nodes:
        for clause in mentioned(ast.get_docstring(node) or ""):
            yield clause, name
    for line, text in comments:
        around = [(node, name) for node, name in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)]
        if around:
            _, name = max(around, key=lambda found: found[0].lineno)
            for clause in mentioned(text):
                yield clause, name


def _named_in_tests(source: str) -> Iterator[tuple[str, str]]:
    """Clause and name of every test function with a clause mark."""
    for node, name in _definitions(ast.parse(source)):
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause" \
                    and node.name.startswith("test"):
                for argument in mark.args:
                    yield str(ast.literal_eval(argument)), name


def _definitions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[Named, str]]:
    """Functions and classes with their dotted names, outer before inner."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Named):
            yield node, prefix + node.name
            yield from _definitions(node, f"{prefix}{node.name}.")
        else:
            yield from _definitions(node, prefix)
