"""`move`: a stack along a whole path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
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
    steps,
    strings,
    table,
    unsaid,
)
from rules.core.sealed import sealed

Reach = Callable[[Sequence[str], Mapping[str, str]], dict[str, Any]]


@sealed
class Move(Form):
    """A stack along a whole path. `stacks`: by space, what can still move: {"id", "left", "takes": [cargo]}; of a
    carrier also how much it `holds`, of which each cargo takes 1 or what `weighs` says.

    With `stances` the steps of a path, and the places of the reach, may say how the units stand there: facing and
    formation, `LOC@FACING/FORMATION` (docs/protocol.md section 3). A step may then stay in its space, and turn.
    `still`: spaces of own units where nothing can move, with the first that would have to: `why(units, aboard, None)`
    is why units can't move at all, `why(units, aboard, to)` why they can't go there. `reasons`: the former for those
    of these spaces for which the title has it at hand.

    `moved` are the units that have moved in this phase: before it ends the page says which stacks have not. None where
    nobody is expected to move. `says`: what to do with it, a label, where no stack is meant to go anywhere; `warn`:
    what a move gives up, a label. `goals`: where these ways may end at all, each with one way there, if that is found
    sooner than the reach: for `sample`.
    """

    kind: ClassVar[str] = "move"
    name: str
    clause: str
    stacks: Mapping[str, Sequence[dict[str, Any]]]
    reach: Reach
    legal: Legal
    show: Show = blank
    still: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    stances: bool = False
    moved: Collection[str] | None = None
    why: Why = unsaid
    says: Mapping[str, Any] | None = None
    warn: Mapping[str, Any] | None = None
    goals: Callable[[], Mapping[str, Sequence[str]]] | None = None

    def fields(self) -> dict[str, Any]:
        still = {loc: self.reasons.get(loc) or self._stays(unit).reason() for loc, unit in self.still.items()}
        out: dict[str, Any] = {"stacks": dict(self.stacks), "still": still}
        if self.says is not None:
            out["says"] = dict(self.says)
        if self.warn is not None:
            out["warn"] = dict(self.warn)
        if self.stances:
            out["stances"] = True
        return out

    def _stays(self, unit: str) -> Refusal:
        said: Refusal | None = self.why([unit], {}, None)
        return said or Refusal("refusal.stays", self.clause, unit=unit)

    def undone(self) -> Sequence[dict[str, Any]]:
        if self.moved is None:
            return ()
        moved = self.moved
        still = [loc for loc, units in self.stacks.items()
                 if units[0]["id"] not in moved or any(u["id"] not in moved for u in units)]
        return [left_open("moves", self.clause, still, n=len(still))] if still else ()

    def read(self, answer: Answer) -> Answer:
        units, path = strings(answer.get("units"), "units"), steps(answer.get("path"), "path")
        if not self.stances and "@" in "".join(path):
            raise Malformed("no_stances")
        aboard = table(answer.get("aboard", {}), "aboard")
        clean: Answer = {"form": self.name, "units": sorted(units), "path": path}
        if aboard:
            clean["aboard"] = {c: aboard[c] for c in sorted(aboard)}
        if answer.get("keep_box"):
            clean["keep_box"] = True
        return clean

    def check(self, answer: Answer) -> Answer:
        clean = self.read(answer)
        self.legal(clean)
        return clean

    def effect(self, answer: Answer) -> dict[str, Any]:
        return self.show(self.read(answer))

    def reached(self, question: Answer) -> dict[str, Any] | None:
        """The reach of some units; of a space out of it that is named as `to` also why they can't go there."""
        units, aboard = strings(question.get("units"), "units"), table(question.get("aboard", {}), "aboard")
        found, to = self.reach(units, aboard), question.get("to")
        if not isinstance(to, str) or to in found["cost"] or to in found["blocked"]:
            return found
        said: Refusal | None = self.why(units, aboard, to)
        beyond = said or Refusal("refusal.beyond", self.clause, left=found.get("left", 0))
        return {**found, "blocked": {**found["blocked"], to: beyond.reason()}}

    def sample(self, rng: Random) -> Answer | None:
        if not self.stacks:
            return None
        units, aboard = self._company(rng)
        path = self._way(units, aboard, rng) if self.goals is None else self._goal(self.goals(), rng)
        if path is None:
            return None
        answer: Answer = {"form": self.name, "units": units, "path": path}
        return {**answer, "aboard": aboard} if aboard else answer

    def _way(self, units: Sequence[str], aboard: Mapping[str, str], rng: Random) -> list[str] | None:
        """A way to any place of the reach."""
        try:
            reach = self.reach(units, aboard)
        except Refusal:  # a raft without a tow, say
            return None
        goals = sorted(reach["cost"].keys() - reach["blocked"].keys())
        if not goals:
            return None
        path = [rng.choice(goals)]
        while path[-1] in reach["via"]:
            path.append(reach["via"][path[-1]])
        return path[::-1]

    @staticmethod
    def _goal(goals: Mapping[str, Sequence[str]], rng: Random) -> list[str] | None:
        return list(goals[rng.choice(sorted(goals))]) if goals else None

    def _company(self, rng: Random) -> tuple[list[str], dict[str, str]]:
        """Some units of a stack, or a carrier with its cargo."""
        here = self.stacks[rng.choice(list(self.stacks))]
        picked = [u for u in here if rng.random() < 0.5] or [rng.choice(here)]
        if rng.random() < 0.3:
            picked = [rng.choice(here)]
        picked = [u for u in picked if ("holds" in u) == ("holds" in picked[0])]  # ships and marchers go apart
        carriers = [u for u in picked if u.get("takes")]
        aboard: dict[str, str] = {}
        if carriers:
            picked = carriers[:1]
            ship = carriers[0]
            cargo = self._fitting(ship, rng.sample(ship["takes"], min(ship["holds"], len(ship["takes"]))))
            aboard = dict.fromkeys(cargo, ship["id"]) if rng.random() < 0.8 else {}
        return sorted({u["id"] for u in picked} | set(aboard)), aboard

    @staticmethod
    def _fitting(ship: Mapping[str, Any], cargo: Sequence[str]) -> list[str]:
        """Those that there is room for, one after another."""
        left, found = ship["holds"], []
        for unit in cargo:
            weight = ship.get("weighs", {}).get(unit, 1)
            if weight <= left:
                left -= weight
                found.append(unit)
        return found

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return "; ".join(f"{loc} {few([u['id'] for u in us])}" for loc, us in offer["stacks"].items())

    def faults(self) -> Sequence[str | None]:
        return [ordered("stack", list(self.stacks)),
                *(f"empty stack {loc}" for loc, units in self.stacks.items() if not units)]
