"""`declare`: an attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Malformed, Refusal
from rules.core.forms.base import (
    Answer,
    Form,
    Legal,
    Say,
    Show,
    Why,
    blank,
    few,
    left_open,
    ordered,
    strings,
    unsaid,
)
from rules.core.sealed import sealed


@sealed
class Declare(Form):
    """An attack: one target and all its attackers in one answer.

    `why(target, unit)` is why a unit can't attack there, `why(target, None)` why nobody can. `near`: the spaces of
    which the offer says so itself, each with the units that stand by, whether they can attack or not.
    """

    kind: ClassVar[str] = "declare"
    name: str
    clause: str
    targets: Mapping[str, Mapping[str, Sequence[str]]]
    legal: Legal
    show: Show = blank
    why: Why = unsaid
    near: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        return {"targets": {t: {"from": {loc: list(us) for loc, us in sources.items()}, **self._idle(t)}
                            for t, sources in self.targets.items()},
                "barred": {t: self._refusal(t).reason() for t in self.near if t not in self.targets}}

    def _idle(self, target: str) -> dict[str, Any]:
        """Who stands by and can't attack, and why."""
        able = self._able(target)
        idle = {unit: self._refusal(target, unit).reason() for unit in self.near.get(target, ()) if unit not in able}
        return {"barred": idle} if idle else {}

    def _able(self, target: str) -> set[str]:
        return {unit for sources in self.targets[target].values() for unit in sources}

    def _refusal(self, target: str, unit: str | None = None) -> Refusal:
        """Why nobody, or why this unit, can attack there."""
        said: Refusal | None = self.why(target, unit)
        if said is not None:
            return said
        if unit is None:
            return Refusal("refusal.no_target", self.clause, at=target)
        return Refusal("refusal.cannot_attack", self.clause, at=target, unit=unit)

    def undone(self) -> Sequence[dict[str, Any]]:
        return [left_open("attacks", self.clause, list(self.targets), n=len(self.targets))] if self.targets else ()

    def read(self, answer: Answer) -> Answer:
        target, units = answer.get("target"), strings(answer.get("units"), "units")
        if not isinstance(target, str):
            raise Malformed("no_name", field="target")
        if target not in self.targets:
            raise self._refusal(target)
        able = self._able(target)
        for unit in units:
            if unit not in able:
                raise self._refusal(target, unit)
        return {"form": self.name, "target": target, "units": sorted(units)}

    def check(self, answer: Answer) -> Answer:
        clean = self.read(answer)
        if not clean["units"]:
            raise Refusal("refusal.no_attackers", self.clause, at=clean["target"])
        self.legal(clean)
        return clean

    def effect(self, answer: Answer) -> dict[str, Any]:
        return self.show(self.read(answer))

    def sample(self, rng: Random) -> Answer | None:
        if not self.targets:
            return None
        target = rng.choice(list(self.targets))
        able = sorted(self._able(target))
        some = [u for u in able if rng.random() < 0.7] or able
        for units in (some, able):
            answer = {"form": self.name, "target": target, "units": units}
            try:
                return self.check(answer)
            except Refusal:
                continue
        return None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return "; ".join(f"{target} ← " + ", ".join(f"{loc} {few(us)}" for loc, us in t["from"].items())
                         for target, t in offer["targets"].items())

    def faults(self) -> Sequence[str | None]:
        return [ordered("target", list(self.targets)),
                *(ordered(f"source of {t}", list(sources)) for t, sources in self.targets.items())]
