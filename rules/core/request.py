"""A request: what the game waits for, the one list of what may be answered, and the check of an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.core.errors import Malformed, Refusal
from rules.core.forms import Answer, Form
from rules.core.seats import Seat


@dataclass(frozen=True, slots=True)
class Request:
    """Asks one seat for one decision. With `open_grounds`, a single legal answer is given without asking:
    it must then follow from what everybody knows."""

    seat: Seat
    prompt: str
    clause: str
    forms: tuple[Form, ...]
    args: dict[str, Any] = field(default_factory=dict)
    open_grounds: bool = False

    def form(self, name: object) -> Form:
        for form in self.forms:
            if form.name == name:
                return form
        raise Malformed(f"no form {name!r}")

    def check(self, answer: Any) -> Answer:
        """The answer in its canonical shape. Raises Malformed or Refusal; changes nothing."""
        if not isinstance(answer, dict):
            raise Malformed("an answer is an object")
        return self.form(answer.get("form")).check(answer)

    def preview(self, answer: Any) -> dict[str, Any]:
        """What the answer would do and what is wrong with it, by the code that checks answers."""
        try:
            form = self.form(answer.get("form") if isinstance(answer, dict) else None)
            effect = form.effect(answer)
        except Refusal as refusal:
            return {"ok": False, "problems": [refusal.as_json()], "effect": {}}
        try:
            form.check(answer)
        except Refusal as refusal:
            return {"ok": False, "problems": [refusal.as_json()], "effect": effect}
        return {"ok": True, "problems": [], "effect": effect}

    def single(self) -> Answer | None:
        """The only legal answer, when there is but one and everybody can know it."""
        return self.forms[0].single() if self.open_grounds and len(self.forms) == 1 else None

    def outline(self, seq: int) -> dict[str, Any]:
        """What everybody may know of it: who is asked for what."""
        return {"seq": seq, "seat": self.seat, "prompt": {"key": self.prompt, "args": self.args},
                "clause": self.clause, "mine": False}

    def offer(self, seq: int) -> dict[str, Any]:
        """The whole request, for the seat it asks."""
        return {**self.outline(seq), "mine": True, "forms": [form.offer() for form in self.forms]}
