"""`declare`: an attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Malformed, Refusal
from rules.core.forms.base import Answer, Form, Legal, Say, Show, blank, few, left_open, ordered, strings


@dataclass(frozen=True, slots=True)
class Declare(Form):
    """An attack: one target and all its attackers in one answer."""

    kind: ClassVar[str] = "declare"
    name: str
    clause: str
    targets: Mapping[str, Mapping[str, Sequence[str]]]
    legal: Legal
    show: Show = blank
    barred: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        return {"targets": {t: {"from": {loc: list(us) for loc, us in sources.items()}}
                            for t, sources in self.targets.items()}, "barred": dict(self.barred)}

    def undone(self) -> Sequence[dict[str, Any]]:
        return [left_open("attacks", self.clause, list(self.targets), n=len(self.targets))] if self.targets else ()

    def read(self, answer: Answer) -> Answer:
        target, units = answer.get("target"), strings(answer.get("units"), "units")
        if not isinstance(target, str):
            raise Malformed("target is a space")
        if target not in self.targets:
            raise Refusal("refusal.no_target", self.clause, at=target)
        able = {u for sources in self.targets[target].values() for u in sources}
        for unit in units:
            if unit not in able:
                raise Refusal("refusal.cannot_attack", self.clause, at=target, unit=unit)
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
        able = sorted(u for sources in self.targets[target].values() for u in sources)
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
