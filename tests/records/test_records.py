"""Whole games of earlier days go by today's rules as they went: every answer is taken, every eye is told the same and
sees the same. When a change of the rules is meant, the games it changes are made anew (docs/records.md)."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from math import prod
from pathlib import Path
from typing import Any

import pytest

from rules import titles
from rules.core.errors import OutOfStep
from tests.app.hills_title import TITLE as TOY
from tests.records import kept, reading
from tests.records.make import FIRST_GAMES, WHOLE_DAYS
from tests.rules import harness

NAMES = kept.records()
TITLES = sorted({name.split("/")[0] for name in NAMES})
HELP = "If this is meant: .venv/bin/python -m tests.records.make --reason ..., see docs/records.md."


def but_long(names: Iterable[str], folder: Path, ending: str, most: int) -> list[Any]:
    """The names, those of later titles whose files are large as tests that run with --long: whole campaigns."""
    first = ("triple_alliance", "ultimo_hombre")
    long = (n for n in names if not n.startswith(first) and (folder / f"{n}{ending}").stat().st_size > most)
    marked = {name: pytest.param(name, marks=pytest.mark.long) for name in long}
    return [marked.get(name, name) for name in names]


@pytest.mark.parametrize("name", but_long(NAMES, kept.GAMES, ".json.xz", 30_000))
def test_a_kept_game_goes_as_it_went(name: str) -> None:
    body = kept.record(name)
    try:
        _entries, _made, referee = kept.replayed(body)
        again = referee if "options-" in name or "-usual-" in name else kept.resumed(body)
    except (kept.Unlike, OutOfStep) as wrong:
        pytest.fail(f"{name}, of rules {body['rules_version']}: {wrong}\n{HELP}", pytrace=False)
    assert kept.views(again) == kept.views(referee)
    assert again.title.encode(again.pos) == referee.title.encode(referee.pos)


@pytest.mark.parametrize("name", kept.records(kept.TOYS))
def test_a_kept_game_of_the_toy_goes_as_it_went(name: str) -> None:
    """Two and four seats on two sides, three scenarios."""
    _entries, _made, referee = kept.replayed(kept.record(name))
    assert kept.views(kept.resumed(kept.record(name))) == kept.views(referee)


def test_the_toy_is_kept_by_two_and_by_four_in_every_scenario() -> None:
    bodies = [kept.record(name) for name in kept.records(kept.TOYS)]
    scenarios = harness.data(TOY.id).scenarios
    seated = {(name, tuple(seating.seats)) for name, one in scenarios.items() for seating in one.seatings.values()}
    assert {(body["scenario"], tuple(body["by"])) for body in bodies} == seated


def test_every_option_of_every_title_is_played_and_every_kind_of_player() -> None:
    """Of a title with one scenario every set of them, of one with several every scenario and in it every value."""
    assert set(TITLES) == set(titles.IDS)
    for title_id in TITLES:
        bodies = [kept.record(name) for name in NAMES if name.startswith(f"{title_id}/")]
        title = titles.load(title_id)
        scenarios = set(harness.data(title_id).scenarios) - set(WHOLE_DAYS.get(title_id, ()))
        assert {body["scenario"] for body in bodies} == scenarios
        for scenario in scenarios:
            chosen = [body["options"] for body in bodies if body["scenario"] == scenario]
            options = harness.options(title, scenario)
            for name, values in options.items():
                assert {one.get(name, values[0]) for one in chosen} == set(values), (scenario, name)
            sets = {json.dumps(one, sort_keys=True) for one in chosen if one}
            printed = scenarios - set(FIRST_GAMES.get(title_id, ()))
            assert scenario not in printed or len(printed) > 1 or len(sets) >= prod(map(len, options.values()))
        assert {who for body in bodies for who in body["by"].values()} == {"random", "heuristic", "hand"}


@pytest.mark.parametrize("title_id", TITLES)
def test_a_position_of_every_schema_comes_up_to_the_present_one(title_id: str) -> None:
    title = titles.load(title_id)
    for schema in range(1, title.schema + 1):
        path = kept.CHECKPOINTS / f"{title_id}-{schema}.json.xz"
        assert path.exists(), f"keep a position of schema {schema}: .venv/bin/python -m tests.records.make --reason ..."
        body = kept.read(path)
        game = title.game(kept.data(body["data"]), body.get("scenario", "war"))
        pos = title.decode(game, json.dumps(body["state"]).encode(), schema)
        title.invariants(pos)
        assert pos.phase() == body["phase"]
        assert kept.fresh_views(title, pos) == body["views"]
        stored = json.loads(title.encode(pos))
        assert stored == body["state"] or schema < title.schema
        again = title.decode(game, title.encode(pos), title.schema)
        assert json.loads(title.encode(again)) == stored


READ = sorted(path.stem for path in kept.PLAYTHROUGHS.glob("*.txt"))


@pytest.mark.parametrize("key", but_long(READ, kept.PLAYTHROUGHS, ".txt", 100_000))
def test_a_playthrough_reads_as_it_was_written(key: str) -> None:
    now, then = reading.words(reading.chosen()[key]).splitlines(), reading.path(key).read_text().splitlines()
    for number, (new, old) in enumerate(zip(now, then, strict=False), 1):
        assert new == old, f"{key}.txt, line {number}. {HELP}"
    assert len(now) == len(then)


def test_every_ending_has_a_playthrough() -> None:
    assert set(reading.chosen()) == {path.stem for path in kept.PLAYTHROUGHS.glob("*.txt")}


# -- what the records catch ----------------------------------------------------------------------------------


def short() -> dict[str, Any]:
    return copy.deepcopy(kept.record("triple_alliance/usual-1-random-random"))


def spoilt(body: dict[str, Any]) -> str:
    with pytest.raises(kept.Unlike) as caught:
        kept.replayed(body)
    return str(caught.value)


def test_a_changed_rule_is_caught_at_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from rules.titles.triple_alliance import position

    monkeypatch.setattr(position.Position, "factor", lambda self, unit: self.game.units[unit].movement - 1)
    said = spoilt(short())
    assert said.startswith("answer ")
    assert "differs for" in said or "refused" in said or "refusal." in said


def test_another_telling_view_roll_and_ending_are_each_named() -> None:
    body = short()
    told = next(e for e in body["entries"] if "told" in e and e["seq"] > 5)
    told["told"]["public"] = "none"
    assert f"entry {told['seq']}: what is told differs for public" in spoilt(body)
    body = short()
    seen = next(e for e in body["entries"] if "views" in e and e["seq"] > 5)
    seen["views"]["allied"] = "none"
    assert f"entry {seen['seq']}: the view differs for allied" in spoilt(body)
    body = short()
    die = next(e for e in body["entries"] if e["kind"] == "roll")
    die["answer"] = (die["answer"] + 5) % 10
    assert f"entry {die['seq']}" in spoilt(body) or "answer" in spoilt(body)
    body = short()
    body["result"] = None
    assert "it ended with None" in spoilt(body)


def test_an_answer_that_is_refused_now_is_named() -> None:
    body = short()
    answer = next(e for e in body["entries"] if e["kind"] == "answer" and e["answer"]["form"] == "move")
    answer["answer"]["path"] = ["0000"]
    assert f"(entry {answer['seq']}, {answer['seat']}: " in spoilt(body)
