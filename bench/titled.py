"""The title that is measured, as it is and with ballast: a position stores 7 to 10 kB, the limits speak of 25 and
60 kB. Which title it is stands in the environment, so that server processes play the same one."""

import os
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any

import orjson

import rules.titles
from app.games.data import current
from rules.core.scenario import Scenario
from rules.core.title import Data, Title

CHOSEN, CHOSEN_SCENARIO = "MARISCAL_BENCH_TITLE", "MARISCAL_BENCH_SCENARIO"
FIRST = rules.titles.IDS[0]
LONGEST_GAME = 100  # phases whose ballast differs; it comes round again
STAGES = 10  # a turn has at the most


class Heavy(Title):
    """A title whose positions carry log lines, so that one takes `size` bytes or more to store and is encoded as
    slowly as if it were that large. With each phase one line in 32 becomes another."""

    def __init__(self, light: Title, size: int) -> None:
        super().__init__(**{field.name: getattr(light, field.name) for field in fields(Title) if field.init})
        object.__setattr__(self, "lines", [_lines(size, phase) for phase in range(LONGEST_GAME)])
        object.__setattr__(self, "stages", {})

    def encode(self, pos: Any) -> bytes:
        stages: dict[str, int] = self.stages  # type: ignore[attr-defined]
        phase = STAGES * pos.turn + stages.setdefault(pos.stage, len(stages))
        lines = self.lines[phase % LONGEST_GAME]  # type: ignore[attr-defined]
        return orjson.dumps({**pos.state(), "ballast": lines})

    def decode(self, game: Any, state: bytes, schema: int) -> Any:
        body = orjson.loads(state)
        del body["ballast"]
        return super().decode(game, orjson.dumps(body), schema)


def _lines(size: int, phase: int) -> list[str]:
    lines, made = list[str](), 0
    while made < size:
        lines.append(_line(len(lines), (phase + len(lines)) // 32))
        made += len(lines[-1]) + 3
    return lines


@cache
def _line(number: int, version: int) -> str:
    rng = Random(f"{number} {version}")
    return (f"unit-{rng.randrange(260)} goes from {rng.randrange(9999):04} to {rng.randrange(9999):04}, "
            f"rolls {rng.randrange(10)}")  # fmt: skip


def choose(title_id: str, scenario_id: str | None = None) -> None:
    """From now on this process, and those it starts, measure that title, in that scenario. ValueError for one that it
    has not, or that two can't play."""
    os.environ[CHOSEN] = title_id
    if scenario_id is not None:
        os.environ[CHOSEN_SCENARIO] = scenario_id
        if scenario_id not in playable():
            raise ValueError(f"{title_id} has for two: {', '.join(playable())}")


def chosen() -> str:
    return os.environ.get(CHOSEN, FIRST)


@cache
def title(ballast: int = 0) -> Title:
    light = rules.titles.load(chosen())
    return Heavy(light, ballast) if ballast else light


def install(ballast: int) -> None:
    """From now on the server of this process plays the title with ballast."""
    heavy = title(ballast)
    rules.titles.load = lambda title_id: heavy  # noqa: ARG005


def data() -> Data:
    return current(chosen())


def playable() -> list[str]:
    """The scenarios that two can play."""
    return [name for name, one in data().scenarios.items() if any(len(s.seats) == 2 for s in one.seatings.values())]


def scenario() -> Scenario:
    """The one that is measured: the first that two can play, unless another was chosen."""
    return data().scenario(os.environ.get(CHOSEN_SCENARIO) or playable()[0])


def seats() -> tuple[str, ...]:
    return next(tuple(s.seats) for s in scenario().seatings.values() if len(s.seats) == 2)


def encode(message: Any) -> bytes:
    return orjson.dumps(message)
