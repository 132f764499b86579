"""`arrange`: which spaces stand in which boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Malformed, Refusal
from rules.core.forms.base import Answer, Form, Say, ordered, table
from rules.core.sealed import sealed


@sealed
class Arrange(Form):
    """Which spaces stand in which boxes. It can be done again and again, so bots do it seldom."""

    kind: ClassVar[str] = "arrange"
    weight: ClassVar[float] = 0.15
    name: str
    clause: str
    boxes: Mapping[str, str | None]
    where: tuple[str, ...]

    def fields(self) -> dict[str, Any]:
        return {"boxes": dict(self.boxes), "where": list(self.where)}

    def check(self, answer: Answer) -> Answer:
        boxes = table(answer.get("boxes"), "boxes", (str, type(None)))
        if set(boxes) != set(self.boxes):
            raise Malformed("every_box", names=", ".join(self.boxes))
        taken = [loc for loc in boxes.values() if loc is not None]
        for loc in taken:
            if loc not in self.where:
                raise Refusal("refusal.not_to_box", self.clause, at=loc)
            if taken.count(loc) > 1:
                raise Refusal("refusal.one_box_a_space", self.clause, at=loc)
        if all(boxes[b] == self.boxes[b] for b in boxes):
            raise Refusal("refusal.nothing_changed", self.clause)
        return {"form": self.name, "boxes": {b: boxes[b] for b in sorted(boxes)}}

    def sample(self, rng: Random) -> Answer | None:
        box = rng.choice(list(self.boxes))
        free = [loc for loc in self.where if loc not in self.boxes.values()]
        if self.boxes[box] is None and not free:
            return None
        new = rng.choice(free) if self.boxes[box] is None else None
        return {"form": self.name, "boxes": {**self.boxes, box: new}}

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return " ".join(f"{box}: {at or '–'}" for box, at in offer["boxes"].items())

    def faults(self) -> Sequence[str | None]:
        return [ordered("space to box", self.where)]
