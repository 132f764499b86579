"""The bench: it looks at every address that can be read, and a part that fails is named while the others run."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from bench import routes, run
from bench.figures import Figure


def test_every_address_can_be_asked_for() -> None:
    assert "/boards/{board_id}" in set(routes.routes())
    assert routes.unknown() == set()


def measured(_site: object) -> Iterator[Figure]:
    yield Figure("one", "ms", 1.0)


def broken(_site: object) -> Iterator[Figure]:
    yield Figure("two", "ms", 2.0)
    raise RuntimeError("the games are over")


@pytest.mark.parametrize(("fails", "code"), [(True, 2), (False, 0)])
def test_a_part_that_fails_is_named_and_the_others_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: bool, code: int
) -> None:
    stopped: list[str] = []
    site = SimpleNamespace(describe=lambda: "a machine", stop_servers=lambda: stopped.append("all"))
    monkeypatch.setattr(run, "Site", lambda: nullcontext(site))
    monkeypatch.setattr(run, "PARTS", {"bad": "it fails", "good": "it does not"})
    parts = {"bench.bad": broken if fails else measured, "bench.good": measured}
    monkeypatch.setattr(run, "import_module", lambda name: SimpleNamespace(measure=parts[name]))
    assert run.main(["--json"]) == code
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()][1:]
    assert [(one["part"], one.get("failed")) for one in said] == [
        ("bad", None), *([("bad", "RuntimeError: the games are over")] if fails else []), ("good", None)]  # fmt: skip
    assert stopped == ["all", "all"]
