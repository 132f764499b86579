"""`mariscal lab` on files that cannot be, for every title: each gets its reason in words, none a traceback; and what
there is can be listed of every map."""

import argparse
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.commands import lab as lab_command
from app.lab.places import places
from rules import titles
from tests.rules.harness import SCENARIOS

FILES = sorted(SCENARIOS.glob("*/lab/*.json"))
Run = Callable[..., tuple[int, str, str]]
ODD: list[Any] = [None, True, 0, -1, 3, 99, 10**30, 1.5, float("nan"), float("inf"), "", "x", "turn:x", "turn:²",
                  "\ud800", "dead", "Allied", [], {}, [[]], [{}], {"": ""}, ["a"], {"a": 1}, [1, 2], "a" * 3000]
ROUNDS = 25  # mutated files of a title


@pytest.fixture
def lab(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a lab of a title on a body, or the text of one; exit code, output and complaint."""
    parser = argparse.ArgumentParser()
    lab_command.add_arguments(parser)

    def run(title: str, body: Any, *words: str) -> tuple[int, str, str]:
        file = tmp_path / "question.json"
        file.write_text(body if isinstance(body, str) else json.dumps(body))
        code = lab_command.run(parser.parse_args([title, str(file), *words]))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(spot for key, part in inner for spot in spots(part, (*path, key)))]


def mutated(body: dict[str, Any], fields: list[str], rng: Random) -> dict[str, Any]:
    """A file in which something is replaced, missing, or said that nobody would."""
    new = deepcopy(body)
    words = sorted({str(spot[-1]) for spot in spots(body) if spot})
    for _ in range(rng.randint(1, 3)):
        value = rng.choice(ODD) if rng.random() < 0.5 else {rng.choice(words): rng.choice([*ODD, *words])}
        if rng.random() < 0.4 and isinstance(new.get("position"), dict):
            new["position"][rng.choice(fields)] = value
            continue
        *way, last = rng.choice([spot for spot in spots(new) if spot] or [("dice",)])
        inside = new
        for key in way:
            inside = inside[key]
        if rng.random() < 0.8:
            inside[last] = value
        else:
            inside.pop(last, None) if isinstance(inside, dict) else inside.pop(last)
    return new


@pytest.mark.parametrize("title", titles.IDS)
def test_no_mutated_file_ends_in_a_traceback(lab: Run, title: str) -> None:
    fields = [field["field"] for field in titles.load(title).hand(_set_up(title))]
    files = [json.loads(file.read_text()) for file in FILES if file.parents[1].name == title]
    rng = Random(f"{title}:5")
    for _ in range(ROUNDS):
        code, out, err = lab(title, mutated(rng.choice(files), fields, rng), *rng.choice([(), ("--json",)]))
        (out + err).encode()
        assert code in (0, 1)
        assert code == 0 or err or '"ok": false' in out


@pytest.mark.parametrize("title", titles.IDS)
def test_a_broken_stored_position_is_none(lab: Run, title: str) -> None:
    kind = titles.load(title)
    stored = {"schema": kind.schema, "state": json.loads(kind.encode(_set_up(title)))}
    assert lab(title, {"from": stored})[0] == 0
    rng = Random(f"{title}:2")
    for _ in range(ROUNDS):
        broken = deepcopy(stored)
        broken["state"][rng.choice(sorted(broken["state"]))] = rng.choice(ODD)
        code, _, err = lab(title, {"from": broken})
        assert code in (0, 1)
        assert code == 0 or err
    over = {**stored, "state": {**stored["state"], "agenda": [], "result": {"key": "result.draw", "args": "none"}}}
    assert lab(title, {"from": over})[0] in (0, 1)


def _set_up(title: str) -> Any:
    from app.lab.play import Lab

    return Lab(title, {}).position()


@pytest.mark.parametrize(("body", "wanted"), [
    ({"dice": [10**30]}, "beyond 64 bits"),
    ({"about": "\ud800"}, "beyond 64 bits"),
    ({"position": {"turn": float("nan")}}, "beyond 64 bits"),
    ({"from": {}}, "no stored position of this title"),
    ({"from": {"schema": "x", "state": {}}}, "no stored position of this title"),
    ({"from": {"schema": 1, "state": {"at": {}}}}, "no stored position of this title"),
    ({"stop": "teatime"}, "There is no phase teatime"),
    ({"stop": ""}, "There is no phase"),
    ({"expect": [{}]}, "expects nothing that could be found: {}"),
    ({"expect": [{"unchanged": "turn"}]}, "expects nothing"),
    ({"expect": [{"unchanged": []}]}, "expects nothing"),
    ({"expect": [{"not": 3}]}, "expects nothing"),
    ({"expect": [{"not": {"event": "turn_began"}, "unchanged": ["turn"]}]}, "expects nothing"),
    ({"expect": [{"not": {"event": "turn_begun"}}]}, "There is no event turn_begun. Did you mean turn_began"),
    ({"expect": [{"not": {"label": {"key": "modifier.x"}}}]}, "There is no part of the view label"),
    ({"expect": [{"unchanged": ["space:nowhere"]}]}, "There is no part of the view space:nowhere"),
    ({"expect": [{"unchanged": [["turn"]]}]}, "There is no part of the view"),
])
@pytest.mark.parametrize("title", titles.IDS)
def test_what_no_file_can_say_is_refused_in_words(lab: Run, title: str, body: dict[str, Any], wanted: str) -> None:
    code, _, err = lab(title, body)
    assert code == 1
    assert wanted in err


@pytest.mark.parametrize("title", titles.IDS)
def test_what_stays_and_what_never_came_can_be_expected(lab: Run, title: str) -> None:
    spaces = [f"space:{place}" for place in (min(places(title)), max(places(title)))]
    assert lab(title, {"expect": [{"unchanged": spaces}, {"not": {spaces[0]: {"side": "nobody"}}}]})[0] == 0


def test_seats_and_options_say_what_there_is(lab: Run) -> None:
    assert "Nobody sits so: allied" in lab("ultimo_hombre", {"seats": ["Allied"]})[2]
    assert "there are false, true" in lab("ultimo_hombre", {"options": {"leaders": "yes"}})[2]
    assert "there are false, true" in lab("ultimo_hombre", {"options": {"leaders": 1}})[2]
    assert lab("ultimo_hombre", {"options": {"Leaders": "True"}, "stop": "1.Allied Movement"})[0] == 0
    assert "There is no value of this option 2; there are" in lab("triple_alliance", {"options": {"angostura": 2}})[2]


@pytest.mark.parametrize("title", titles.IDS)
def test_pieces_are_listed_in_the_readers_language(lab: Run, title: str) -> None:
    spanish, english = (lab(title, {}, "--units", "--lang", lang)[1].splitlines() for lang in ("es", "en"))
    assert len(spanish) == len(english)
    for here, there in zip(spanish, english, strict=True):
        assert not any(raw in here for raw in ("nation ", "movement ", "True", "False", "lab.")), here
        assert here.split(":")[0] == there.split(":")[0]


@pytest.mark.parametrize("title", titles.IDS)
def test_every_kind_of_place_can_be_looked_at(lab: Run, title: str) -> None:
    kinds: dict[str, str] = {}
    for place, body in places(title).items():
        kinds.setdefault(str(body.get("kind")), place)
    for place in kinds.values():
        code, out, err = lab(title, {}, "--space", place.upper())
        assert (code, err) == (0, "")
        assert out.startswith(place)
        assert "  → " in out or "off_map" in out
    spoken = {lang: lab(title, {}, "--space", place, "--lang", lang)[1] for lang in ("en", "es", "it", "pt")}
    assert len(set(spoken.values())) > 1
    assert not any(f" {raw}" in out for out in spoken.values() for raw in ("lab.", "true", "false", "main_river", "{"))
    code, out, err = lab(title, {}, "--space", "nowhere at all")
    assert (code, out) == (1, "")
    assert "nowhere at all" in err
