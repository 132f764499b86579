"""The house rules that tools can hold: style, types, who imports whom, locks, texts."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

import app.accounts.models
import app.admin.models
import app.archive.models
import app.clocks.models
import app.community.models
import app.games.models  # its tables are compared
import app.leagues.models
import app.mending.models
import app.notifications.models
import app.orders.models  # noqa: F401
from app.config import ROOT
from app.db import Base
from app.sheet.faces import pieces_of
from rules.core.forms import KINDS

BIN = Path(sys.executable).parent
OWN = ("app", "rules", "tests", "migrations", "bench", "gallery")
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r"""'([\w.]+)'|"([\w.]+)"|`([\w.]+)`|[{,]\s*(\w+):""")


def run(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff() -> None:
    run(BIN / "ruff", "check", *OWN)


def test_mypy() -> None:
    run(BIN / "mypy")


def test_imports_keep_to_the_design() -> None:
    run(BIN / "lint-imports")


def test_the_board_knows_no_game() -> None:
    for path in (ROOT / "static/js/board").rglob("*.js"):
        assert not re.search(r"""from\s+["'][^"']*/game/""", path.read_text()), path


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_locks_hold_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    pinned = re.findall(r"^\S+==", text, re.MULTILINE)
    hashed = re.findall(r"^\S+==[^\n]*\\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pinned) == len(hashed) > 20


def _ours(name: str | None, kind: str, _parents: object) -> bool:
    """Not the tables of the job library."""
    return kind != "table" or not str(name).startswith("procrastinate_")


def test_the_tables_are_those_of_the_models(database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.connect() as connection:
        options = {"compare_server_default": True, "include_name": _ours}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_files_stay_short() -> None:
    most = {path: 550 for folder in OWN for path in (ROOT / folder).rglob("*.py")}
    most |= dict.fromkeys(SCRIPTS, 500)
    long = {str(path.relative_to(ROOT)) for path, n in most.items() if len(path.read_text().splitlines()) > n}
    assert not long


def test_tests_say_what_failed() -> None:
    """A story is told in steps that have names."""
    long = {f"{path.relative_to(ROOT)}: {node.name}" for path in (ROOT / "tests").rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and (node.end_lineno or 0) - node.lineno >= 60}  # fmt: skip
    assert not long


def asks_for_class(tree: ast.AST, names: set[str]) -> list[str]:
    """Where a source tells classes of those names apart: `isinstance`, comparisons of `type(...)`, class patterns that
    name one of them, and what compares the kind of a form."""
    def named(node: ast.AST) -> bool:
        return any(getattr(part, "id", getattr(part, "attr", None)) in names for part in ast.walk(node))

    def asks(node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                return named(kinds)
            case ast.Compare(left=ast.Call(func=ast.Name(id="type"))):
                return any(map(named, node.comparators))
            case ast.Compare(left=left):
                return ast.unparse(left).endswith("form.kind")
            case ast.MatchClass(cls=kind):
                return named(kind)
        return False

    return [ast.unparse(node) for node in ast.walk(tree) if asks(node)]


def test_nobody_asks_for_the_class_of_a_form() -> None:
    """A form says by its methods what the house has to know of it; who answers those of a title reads them by `of` and
    `among`."""
    names = {"Form", *(kind.__name__ for kind in KINDS.values())}
    seeded = ("isinstance(form, (Move, Place))", "type(form) is forms.Move", "request.form.kind == 'move'",
              "match form:\n  case Move(): pass")
    assert all(asks_for_class(ast.parse(source), names) for source in seeded)
    assert not asks_for_class(ast.parse("Move.of(form)\nisinstance(form, dict)\ntype(value) is not int"), names)
    found = {f"{path.relative_to(ROOT)}: {what}" for folder in ("rules", "app", "gallery", "bench")
             for path in (ROOT / folder).rglob("*.py") if not path.is_relative_to(ROOT / "rules/core/forms")
             for what in asks_for_class(ast.parse(path.read_text()), names)}
    assert not found


def test_the_page_knows_no_rules() -> None:
    """No word of a title's data stands in the browser's code, and no number of a unit is read there: reach, costs, odds
    and what is printed on a counter come from the server."""
    words: set[str] = set()
    for title in (path.parent for path in (ROOT / "scenarios").glob("*/units.json")):
        board, units = (json.loads((title / f"{name}.json").read_text()) for name in ("map", "units"))
        words |= {hex_.get("terrain", "clear") for hex_ in board.get("hexes", {}).values()} - {"clear"}
        words |= {*board.get("hexes", {}), *board.get("spaces", {})}
        pieces = pieces_of(units)
        words |= {*pieces, *(piece[key] for piece in pieces.values() for key in ("type", "nation") if key in piece)}
        words |= {clause for clause in json.loads((title / "clauses.json").read_text()) if "." in clause}
        words.add(title.name)
    assert {"marsh", "1434", "humaita", "infantry", "brazil", "11.2"} < words
    factors = re.compile(r"\bunits?\b(\[[^\]]*\])?\??\.(attack|defense|movement|full|reduced)\b")
    assert factors.search("ctx.units[id]?.attack")
    assert len(SCRIPTS) > 50
    for path in SCRIPTS:
        source = COMMENT.sub("", path.read_text())
        named = {text for quoted in QUOTED.findall(source) for text in quoted}
        assert words & named <= {"leader"}, path  # a kind of marker
        assert not factors.search(source), path
