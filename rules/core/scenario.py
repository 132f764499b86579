"""Scenarios: what a game begins with beside the printed data. One file each, `scenarios/TITLE/scenarios/ID.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from rules.core.errors import BadPosition
from rules.core.seats import NAME, Seat, Seating, seating_of


@dataclass(frozen=True)
class Scenario:
    """`seatings` by id, the usual one first; `options` each with its values, the usual one first; `clock`: whether
    partners usually have a clock each (`seat`) or share one (`side`); `body` is the whole file, with all that the title
    alone understands. Its words are `scenario.ID` and `scenario.ID.briefing` of the title's catalogue."""

    id: str
    seatings: Mapping[str, Seating]
    options: Mapping[str, tuple[Any, ...]]
    clock: Literal["seat", "side"]
    body: Mapping[str, Any]

    @staticmethod
    def of(body: Mapping[str, Any]) -> Scenario:
        """A scenario of its file. Raises BadPosition."""
        name = body.get("id")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise BadPosition(f"{name!r} can name no scenario")
        raw, options = body.get("seatings"), body.get("options", {})
        if not isinstance(raw, Mapping) or not raw:
            raise BadPosition(f"scenario {name} has no seatings")
        seatings = {key: Seating.of(key, seats) for key, seats in raw.items()}
        if len({frozenset(seating.seats) for seating in seatings.values()}) < len(seatings):
            raise BadPosition(f"scenario {name} has two seatings of the same seats")
        for option, values in options.items():
            plain = isinstance(values, list) and values and all(type(v) in (str, int, bool) for v in values)
            if not NAME.fullmatch(option) or not plain or len({repr(v) for v in values}) < len(values):
                raise BadPosition(f"scenario {name}: option {option} is a list of different values")
        frozen = MappingProxyType({option: tuple(values) for option, values in options.items()})
        clock = body.get("clock", "seat")
        if clock not in ("seat", "side"):
            raise BadPosition(f"scenario {name}: clock is seat or side")
        return Scenario(name, MappingProxyType(seatings), frozen, clock, body)

    def __getitem__(self, key: str) -> Any:
        """A part of the file that is the title's own."""
        return self.body[key]

    def seating(self, seats: Iterable[Seat] = ()) -> Seating:
        """The seating with just these seats; the usual one for none. Raises BadPosition."""
        return seating_of(self.seatings.values(), seats)

    def chosen(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of one game: the usual value of each unless another of its values is given. Raises
        BadPosition."""
        for name, value in given.items():
            if not any(value == known and type(value) is type(known) for known in self.options.get(name, ())):
                raise BadPosition(f"option {name} = {value!r}")
        return {name: given.get(name, values[0]) for name, values in self.options.items()}
