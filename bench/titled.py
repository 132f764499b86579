"""The title that is measured, as it is and with ballast: ours stores 7 to 10 kB, the limits speak of 25 and 60 kB."""

from dataclasses import fields
from functools import cache
from random import Random
from typing import Any

import orjson

import rules.titles
from app.games.data import current
from rules.core.title import Data, Title
from rules.titles.triple_alliance.turn import PHASES

TITLE_ID, SCENARIO = "triple_alliance", "war"
LONGEST_GAME = 100  # phases
STAGES = ("events", *(f"{side}_{phase}" for side in ("paraguay", "allied") for phase in PHASES[1:]))  # of a turn


class Heavy(Title):
    """A title whose positions carry log lines, so that one takes `size` bytes or more to store and is encoded as
    slowly as if it were that large. With each phase one line in 32 becomes another."""

    def __init__(self, light: Title, size: int) -> None:
        super().__init__(**{field.name: getattr(light, field.name) for field in fields(Title)})
        object.__setattr__(self, "lines", [_lines(size, phase) for phase in range(LONGEST_GAME)])

    def encode(self, pos: Any) -> bytes:
        phase = len(STAGES) * pos.turn + (STAGES.index(pos.stage) if pos.stage in STAGES else 0)
        return orjson.dumps({**pos.state(), "ballast": self.lines[phase]})  # type: ignore[attr-defined]

    def decode(self, data: Data, state: bytes, schema: int) -> Any:
        body = orjson.loads(state)
        del body["ballast"]
        return super().decode(data, orjson.dumps(body), schema)


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


@cache
def title(ballast: int = 0) -> Title:
    light = rules.titles.load(TITLE_ID)
    return Heavy(light, ballast) if ballast else light


def install(ballast: int) -> None:
    """From now on the server of this process plays the title with ballast."""
    heavy = title(ballast)
    rules.titles.load = lambda title_id: heavy  # noqa: ARG005


def data() -> Data:
    return current(TITLE_ID)


def encode(message: Any) -> bytes:
    return orjson.dumps(message)
