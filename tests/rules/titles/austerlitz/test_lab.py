"""The worked examples of the rulebook as lab files."""

import argparse
import json
from pathlib import Path

import pytest

import rules.titles
from app.commands import lab as lab_command

ROOT = Path(__file__).parents[4]
FILES = sorted((ROOT / "scenarios" / "austerlitz" / "lab").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_worked_example_comes_out_as_printed(file: Path, capsys: pytest.CaptureFixture[str],
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    if "austerlitz" not in rules.titles.IDS:
        monkeypatch.setattr(rules.titles, "IDS", (*rules.titles.IDS, "austerlitz"))
    body = json.loads(file.read_text())
    assert body["expect"]
    assert set(body["about"]) == {"en", "es", "it", "pt"}
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)
    code = lab_command.run(parser.parse_args(["austerlitz", str(file), "--json"]))
    said = capsys.readouterr()
    assert (code, said.err) == (0, ""), said.out
    assert json.loads(said.out)["ok"] is True


def test_every_clause_with_a_worked_example_of_dice_has_its_file() -> None:
    assert {file.stem.split("-")[0] for file in FILES} == {"6.2.3", "8.1.6", "8.5", "9.3", "A4.5.1", "A4.5.2"}
