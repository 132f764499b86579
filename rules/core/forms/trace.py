"""`trace`: a way drawn over the map."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Refusal
from rules.core.forms.base import Answer, Form, Legal, Say, Show, blank, few, nothing, ordered, steps
from rules.core.sealed import sealed


@sealed
class Trace(Form):
    """A way from one of `starts` to one of `goals` that no space comes into twice: a line of supply, a retreat, a road
    built. `ways`: from each space, where the next step may lead. `most` spaces at the most, when it is given."""

    kind: ClassVar[str] = "trace"
    name: str
    clause: str
    starts: tuple[str, ...]
    goals: tuple[str, ...]
    ways: Mapping[str, Sequence[str]]
    most: int | None = None
    suggested: tuple[str, ...] = ()
    legal: Legal = nothing
    show: Show = blank

    def fields(self) -> dict[str, Any]:
        return {"starts": list(self.starts), "goals": list(self.goals), "suggested": list(self.suggested),
                "ways": {loc: list(there) for loc, there in self.ways.items()}, "max": self.most}

    def _read(self, answer: Answer) -> Answer:
        path = steps(answer.get("path"), "path")
        if path[0] not in self.starts:
            raise Refusal("refusal.not_from_there", self.clause, at=path[0])
        for here, there in pairwise(path):
            if there not in self.ways.get(here, ()):
                raise Refusal("refusal.no_way", self.clause, at=there)
        if len(set(path)) < len(path):
            raise Refusal("refusal.way_crosses", self.clause, at=next(p for p in path if path.count(p) > 1))
        return {"form": self.name, "path": path}

    def check(self, answer: Answer) -> Answer:
        clean = self._read(answer)
        path = clean["path"]
        if path[-1] not in self.goals:
            raise Refusal("refusal.not_to_there", self.clause, at=path[-1])
        if self.most is not None and len(path) > self.most:
            raise Refusal("refusal.too_long", self.clause, at=path[-1], n=len(path), limit=self.most)
        self.legal(clean)
        return clean

    def effect(self, answer: Answer) -> dict[str, Any]:
        clean = self._read(answer)
        return {"length": len(clean["path"]), **self.show(clean)}

    def shortest(self, rng: Random | None = None) -> tuple[str, ...]:
        """A way with the fewest steps; among equals the first, or any when `rng` is given. () when there is none."""
        starts = list(self.starts)
        if rng is not None:
            rng.shuffle(starts)
        back: dict[str, str | None] = dict.fromkeys(starts)
        queue = deque(starts)
        while queue:
            here = queue.popleft()
            if here in self.goals:
                path = [here]
                while (before := back[path[-1]]) is not None:
                    path.append(before)
                return tuple(path[::-1])
            ways = list(self.ways.get(here, ()))
            if rng is not None:
                rng.shuffle(ways)
            for there in ways:
                if there not in back:
                    back[there] = here
                    queue.append(there)
        return ()

    def sample(self, rng: Random) -> Answer | None:
        path = self.shortest(rng)
        return {"form": self.name, "path": list(path)} if path and len(path) <= (self.most or len(path)) else None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return f"{few(offer['starts'])} → {few(offer['goals'])}"

    def faults(self) -> Sequence[str | None]:
        return [ordered("start", self.starts), ordered("goal", self.goals),
                *(ordered(f"way from {loc}", there) for loc, there in self.ways.items())]
