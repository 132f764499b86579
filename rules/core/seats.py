"""Sides, seats and eyes: who fights, who plays, and who looks.

A side fights and knows; a seat answers for a side. In a game for two each side has one seat of the same name; where
partners share a side, each has a seat of his own, and all of them see what their side knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from rules.core.errors import BadPosition

Side = str
Seat = str
Eye = str  # a side, PUBLIC or ALL

PUBLIC: Eye = "public"
ALL: Eye = "all"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def eyes(sides: Sequence[Side]) -> tuple[Eye, ...]:
    """Every audience of a game, sides first."""
    return (*sides, PUBLIC, ALL)


@dataclass(frozen=True)
class Seating:
    """Who sits for which side. `seats`: each seat's side, in the order in which seats and sides are named, asked and
    seal the dice. `details`: what the scenario says of a seat beside its side, such as the corps it commands."""

    id: str
    seats: Mapping[Seat, Side]
    details: Mapping[Seat, Mapping[str, Any]] = field(default_factory=dict)

    @staticmethod
    def of(name: str, body: Mapping[str, Mapping[str, Any]]) -> Seating:
        """A seating as a scenario writes it: {SEAT: {"side": SIDE, ...}}. Raises BadPosition."""
        try:
            seats = {seat: str(of["side"]) for seat, of in body.items()}
        except (KeyError, TypeError, AttributeError):
            raise BadPosition(f"seating {name}: every seat says its side") from None
        for word in (name, *seats, *seats.values()):
            if not NAME.fullmatch(word) or word in (PUBLIC, ALL):
                raise BadPosition(f"seating {name}: {word!r} can name no seat or side")
        if len(set(seats.values())) < 2:
            raise BadPosition(f"seating {name}: there are two sides at least")
        if strange := [seat for seat, side in seats.items() if seat in seats.values() and side != seat]:
            raise BadPosition(f"seating {name}: seat {strange[0]} has the name of another side")
        details = {seat: {key: value for key, value in of.items() if key != "side"} for seat, of in body.items()}
        return Seating(name, MappingProxyType(seats), MappingProxyType(details))

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        return tuple(dict.fromkeys(self.seats.values()))

    def side(self, seat: Seat) -> Side:
        """KeyError for a seat there is not."""
        return self.seats[seat]

    def of_side(self, side: Side) -> tuple[Seat, ...]:
        """The seats of a side."""
        return tuple(seat for seat, of in self.seats.items() if of == side)

    def partners(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats of a seat's side."""
        return tuple(other for other in self.of_side(self.seats[seat]) if other != seat)

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats of all other sides."""
        return tuple(other for other, side in self.seats.items() if side != self.seats[seat])


def seating_of(seatings: Iterable[Seating], seats: Iterable[Seat]) -> Seating:
    """The seating with just these seats; the first one for none. Raises BadPosition."""
    wanted, known = set(seats), list(seatings)
    for seating in known:
        if not wanted or wanted == set(seating.seats):
            return seating
    raise BadPosition(f"nobody sits so: {', '.join(sorted(wanted))}")
