"""The worked examples of the rulebook as lab files."""

import argparse
import json
from pathlib import Path

import pytest

from app.commands import lab as lab_command

ROOT = Path(__file__).parents[4]
FILES = sorted((ROOT / "scenarios" / "guerra_a_muerte" / "lab").glob("*.json"))


def run(file: Path) -> int:
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)
    return lab_command.run(parser.parse_args(["guerra_a_muerte", str(file), "--json"]))


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_worked_example_comes_out_as_printed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(file.read_text())
    assert body["expect"]
    assert set(body["about"]) == {"en", "es", "it", "pt"}
    code = run(file)
    said = capsys.readouterr()
    assert (code, said.err) == (0, "")
    assert json.loads(said.out)["ok"] is True


def test_what_comes_out_otherwise_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(FILES[0].read_text())
    body["expect"].append({"event": "game_over"})
    file = tmp_path / "question.json"
    file.write_text(json.dumps(body))
    assert run(file) == 1
    assert "It did not come out as expected" in capsys.readouterr().out


def test_every_clause_with_a_worked_example_has_its_file() -> None:
    assert {file.stem.split("-")[0] for file in FILES} == {
        "3.4", "4.8", "4.9.1", "5.1", "5.1.1", "6.2", "6.3.1", "6.6", "7.5", "10.1", "10.2.2", "10.3"}
