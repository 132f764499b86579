"""`allocate`: units out of lots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Refusal, unknown
from rules.core.forms.base import Answer, Form, Legal, Say, few, left_open, listed, nothing, strings, table
from rules.core.sealed import sealed


@sealed
class Lot:
    """Units of which `least` to `most` are to be taken; those of `last` only when no other is left."""

    id: str
    units: tuple[str, ...]
    least: int
    most: int
    at: str | None = None
    last: frozenset[str] = frozenset()
    label: dict[str, Any] | None = None

    def offer(self) -> dict[str, Any]:
        return {"id": self.id, "at": self.at, "label": self.label, "units": listed(self.units), "min": self.least,
                "max": self.most, "last": sorted(self.last)}


@sealed
class Allocate(Form):
    """Units taken from lots: losses, supply to spend, an advance, a force sent away. `verb` says which; with `one` they
    are all of one lot, which `legal` sees to. `due`: lots of which nothing was taken are said before the phase ends.
    `looked_up(units)`: where the die that they bring is looked up (`rules/mechanics/lookup.py`)."""

    kind: ClassVar[str] = "allocate"
    name: str
    clause: str
    verb: str
    lots: tuple[Lot, ...]
    legal: Legal = nothing
    last_clause: str = ""
    due: bool = False
    one: bool = False
    looked_up: Callable[[Sequence[str]], Mapping[str, Any] | None] = lambda _units: None

    def fields(self) -> dict[str, Any]:
        more: dict[str, Any] = {"one": True} if self.one else {}
        if any(lot.last for lot in self.lots):
            more["others_first"] = self._others_first().reason()
        if refused := self._nothing_refused():
            more["nothing"] = refused.reason()
        return {"verb": self.verb, "lots": [lot.offer() for lot in self.lots], **more}

    def _nothing_refused(self) -> Refusal | None:
        """Why it won't do to take nothing, where no lot by itself asks for anything."""
        if any(lot.least for lot in self.lots):
            return None
        try:
            self.legal({"form": self.name, "lots": {}})
        except Refusal as refused:
            return refused
        return None

    def _others_first(self, at: str | None = None) -> Refusal:
        return Refusal("refusal.others_first", self.last_clause or self.clause, at=at)

    def undone(self) -> Sequence[dict[str, Any]]:
        at = [lot.at for lot in self.lots if lot.at is not None] if self.due else []
        return [left_open(self.verb, self.clause, at, n=len(at))] if at else ()

    def _read(self, answer: Answer) -> dict[str, list[str]]:
        given = table(answer.get("lots", {}), "lots", list)
        known = {lot.id: lot for lot in self.lots}
        for lot_id, units in given.items():
            if lot_id not in known:
                raise unknown(lot_id)
            for unit in strings(units, f"lot {lot_id}"):
                if unit not in known[lot_id].units:
                    raise Refusal("refusal.not_of_the_lot", self.clause, at=known[lot_id].at, unit=unit)
        return given

    def check(self, answer: Answer) -> Answer:
        given, clean = self._read(answer), {}
        for lot in self.lots:
            taken = given.get(lot.id, [])
            if not lot.least <= len(taken) <= lot.most:
                raise Refusal("refusal.count", self.clause, at=lot.at, n=len(taken), least=lot.least, most=lot.most)
            if lot.last & set(taken) and not set(lot.units) - lot.last <= set(taken):
                raise self._others_first(lot.at)
            if taken:
                clean[lot.id] = sorted(taken)
        out = {"form": self.name, "lots": clean}
        self.legal(out)
        return out

    def effect(self, answer: Answer) -> dict[str, Any]:
        given = self._read(answer)
        found = self.looked_up([unit for units in given.values() for unit in units])
        counts = {"counts": {lot.id: len(given.get(lot.id, [])) for lot in self.lots}}
        return counts if found is None else {**counts, "table": found}

    def sample(self, rng: Random) -> Answer | None:
        lots: dict[str, list[str]] = {}
        for lot in [rng.choice(self.lots)] if self.one else self.lots:
            n = rng.randint(lot.least, min(lot.most, len(lot.units)))
            first = [u for u in lot.units if u not in lot.last]
            rng.shuffle(first)
            lots[lot.id] = (first + sorted(lot.last))[:n]
        return {"form": self.name, "lots": lots}

    def single(self) -> Answer | None:
        if all(lot.least == lot.most in (0, len(lot.units)) for lot in self.lots):
            return {"form": self.name, "lots": {lot.id: sorted(lot.units) for lot in self.lots if lot.least}}
        return None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return "; ".join(f"{lot['min']}–{lot['max']} / {few(lot['units'])}" for lot in offer["lots"])

    def faults(self) -> Sequence[str | None]:
        return [None if self.lots else "no lot", *(
            f"lot {lot.id} wants {lot.least} to {lot.most} of {len(lot.units)}" for lot in self.lots
            if not 0 <= lot.least <= lot.most <= len(lot.units))]
