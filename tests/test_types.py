"""The types of the scripts: TypeScript, strict, finds nothing in `static/js`. The shapes of the protocol stand in
`static/js/game/protocol.d.ts` alone.

The compiler is locked in `tests/types/package-lock.json` and fetched by npm the first time; `.ci/run` brings npm. Where
there is none the check is left out, and the end of the run says so.
"""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from app.config import ROOT

TYPES = ROOT / "tests/types"
LOCK, FETCHED = TYPES / "package-lock.json", TYPES / "node_modules/fetched-lock.json"
NO_NPM = "THE TYPES OF static/js WERE NOT CHECKED: npm is not installed (Debian: apt-get install npm)"


@cache
def compiler() -> Path:
    """The compiler of the lock. Skips where npm is missing."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip(NO_NPM)
    if not FETCHED.exists() or FETCHED.read_bytes() != LOCK.read_bytes():
        done = subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=TYPES,
                              capture_output=True, text=True)  # fmt: skip
        assert done.returncode == 0, f"npm could not fetch the compiler: {done.stdout}{done.stderr}"
        FETCHED.write_bytes(LOCK.read_bytes())
    return TYPES / "node_modules/.bin/tsc"


def check(folder: Path) -> list[str]:
    """What the compiler finds in the scripts of a folder's `tsconfig.json`, a line for each error."""
    done = subprocess.run([compiler(), "-p", folder], capture_output=True, text=True)
    assert done.returncode in (0, 1, 2), done.stderr
    return [line for line in done.stdout.splitlines() if "error TS" in line]


def test_the_scripts_have_no_type_errors() -> None:
    assert check(TYPES) == []


def test_a_script_that_reads_what_a_form_has_not_is_found(tmp_path: Path) -> None:
    """The check looks: a seeded error, of a shape of the protocol, comes out."""
    config = (TYPES / "tsconfig.json").read_text().replace('"../../static/js"', '"seeded.js"')
    (tmp_path / "tsconfig.json").write_text(config)
    protocol = ROOT / "static/js/game/protocol.js"
    (tmp_path / "seeded.js").write_text(
        f"/** @param {{import('{protocol}').MoveForm}} form */\nexport const wrong = (form) => form.targets\n")
    (error,) = check(tmp_path)
    assert "Property 'targets' does not exist on type 'MoveForm'" in error


def test_the_protocol_names_every_kind_of_form() -> None:
    from rules.core.forms import KINDS

    told = set(re.findall(r"extends Kind<'(\w+)'>", (ROOT / "static/js/game/protocol.d.ts").read_text()))
    assert told == {kind for kind, form in KINDS.items() if form.__module__.startswith("rules.core.forms.")}


def test_the_lock_names_no_registry() -> None:
    assert "://" not in LOCK.read_text()
    assert '"integrity": "sha512-' in LOCK.read_text()
