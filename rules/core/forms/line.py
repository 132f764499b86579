"""`line`: units into numbered slots, one in each, such as an order of battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Refusal
from rules.core.forms.base import Answer, Form, Legal, Say, distinct, few, nothing, table
from rules.core.sealed import sealed


@sealed
class Line(Form):
    """Every unit, or as many as have room, into the slots, the first of them first and none left out. `chances`: what a
    unit hits with in the next fire, n of so many faces."""

    kind: ClassVar[str] = "line"
    name: str
    clause: str
    units: tuple[str, ...]
    slots: tuple[str, ...]
    suggested: Mapping[str, str] = field(default_factory=dict)
    chances: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    legal: Legal = nothing

    def fields(self) -> dict[str, Any]:
        chances = {unit: {"n": n, "of": of} for unit, (n, of) in self.chances.items()}
        out = {"units": list(self.units), "slots": list(self.slots), "suggested": dict(self.suggested)}
        return {**out, "chances": chances} if chances else out

    @property
    def _filled(self) -> tuple[str, ...]:
        """The slots that have to be full."""
        return self.slots[:len(self.units)]

    def _read(self, answer: Answer) -> dict[str, str]:
        placed = table(answer.get("placed", {}), "placed")
        for unit, slot in placed.items():
            if unit not in self.units:
                raise Refusal("refusal.not_to_place", self.clause, unit=unit)
            if slot not in self.slots:
                raise Refusal("refusal.not_there", self.clause, at=slot, unit=unit)
        return placed

    def check(self, answer: Answer) -> Answer:
        placed = self._read(answer)
        missing = [unit for unit in self.units if unit not in placed]
        if missing and len(placed) < len(self._filled):
            raise Refusal("refusal.all_must_be_placed", self.clause, n=len(missing), unit=missing[0])
        taken = sorted(placed.values())
        twice = next((slot for slot in taken if taken.count(slot) > 1), None)
        if twice is not None:
            raise Refusal("refusal.too_many", self.clause, at=twice, n=taken.count(twice), limit=1)
        if set(taken) != set(self._filled):
            raise Refusal("refusal.no_gaps", self.clause)
        clean: Answer = {"form": self.name, "placed": {u: placed[u] for u in sorted(placed)}}
        self.legal(clean)
        return clean

    def effect(self, answer: Answer) -> dict[str, Any]:
        placed = self._read(answer)
        return {"count": {slot: list(placed.values()).count(slot) for slot in sorted(set(placed.values()))}}

    def sample(self, rng: Random) -> Answer | None:
        room, placed = list(self._filled), {}
        for unit in self.units if len(self.units) <= len(room) else rng.sample(self.units, len(room)):
            placed[unit] = slot = rng.choice(room)
            room.remove(slot)
        return {"form": self.name, "placed": placed}

    def single(self) -> Answer | None:
        if len(self.units) == 1:
            return {"form": self.name, "placed": {self.units[0]: self.slots[0]}}
        return None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return f"{few(offer['units'])} → {few(offer['slots'])}"

    def faults(self) -> Sequence[str | None]:
        return [distinct("unit", self.units), distinct("slot", self.slots)]
