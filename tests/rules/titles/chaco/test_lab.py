"""The supply example of the rulebook (8.5) as lab files."""

import argparse
import json
from pathlib import Path

import pytest

from app.commands import lab as lab_command

FILES = sorted((Path(__file__).parents[4] / "scenarios" / "chaco" / "lab").glob("*.json"))


@pytest.mark.clause("8.5", "8.11", "8.12", "8.14", "9.6")
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_example_comes_out_as_printed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.loads(file.read_text())
    assert body["expect"]
    assert set(body["about"]) == {"en", "es", "it", "pt"}
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)
    code = lab_command.run(parser.parse_args(["chaco", str(file), "--json"]))
    said = capsys.readouterr()
    assert (code, said.err) == (0, "")
    assert json.loads(said.out)["ok"] is True
