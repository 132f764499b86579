"""A request: what the game waits for, the one list of what may be answered, and the check of an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.errors import Malformed, Refusal, quoted
from rules.core.forms import Answer, Form
from rules.core.sealed import sealed
from rules.core.seats import Seat


@dataclass(frozen=True, slots=True)
class Needs:
    """How many decisions of the other seat an answer brings before its own seat is asked again, as far as its own seat
    can know: `least` of them if the game does not end, `most` of them before the turn passes; None where the dice or
    the other's turn decide."""

    least: int = 0
    most: int | None = 0

    def as_json(self) -> dict[str, int | None]:
        return {"least": self.least, "most": self.most}


NOBODY, OPEN, SOME = Needs(), Needs(0, None), Needs(1, None)


def needs_nobody(_answer: Answer) -> Needs:
    return NOBODY


def needs_some(_answer: Answer) -> Needs:
    return SOME


def needs_open(_answer: Answer) -> Needs:
    return OPEN


@sealed
class Request:
    """Asks one seat for one decision. With `open_grounds`, a single legal answer is given without asking:
    it must then follow from what everybody knows. `needs` says of a legal answer what the other seat has to decide.
    `card`: the open card whose effect is asked about, to be read meanwhile. `table`: the printed table that the dice of
    the answer are looked up in (`rules/mechanics/lookup.py`), for its own seat."""

    seat: Seat
    prompt: str
    clause: str
    forms: tuple[Form, ...]
    args: dict[str, Any] = field(default_factory=dict)
    open_grounds: bool = False
    needs: Callable[[Answer], Needs] = needs_nobody
    card: str | None = None
    table: Mapping[str, Any] | None = None

    def form(self, name: object) -> Form:
        for form in self.forms:
            if form.name == name:
                return form
        raise Malformed("no_form", given=quoted(name), names=", ".join(form.name for form in self.forms))

    def check(self, answer: Any) -> Answer:
        """The answer in its canonical shape. Raises Malformed or Refusal; changes nothing."""
        if not isinstance(answer, dict):
            raise Malformed("no_answer")
        return self.form(answer.get("form")).check(answer)

    def preview(self, answer: Any) -> dict[str, Any]:
        """What the answer would do, what is wrong with it, by the code that checks answers, and what it needs of the
        other seat."""
        try:
            form = self.form(answer.get("form") if isinstance(answer, dict) else None)
            effect = form.effect(answer)
        except Refusal as refusal:
            return {"ok": False, "problems": [refusal.as_json()], "effect": {}}
        try:
            clean = form.check(answer)
        except Refusal as refusal:
            return {"ok": False, "problems": [refusal.as_json()], "effect": effect}
        return {"ok": True, "problems": [], "effect": effect, "needs": self.needs(clean).as_json()}

    def single(self) -> Answer | None:
        """The only legal answer, when there is but one and everybody can know it."""
        return self.forms[0].single() if self.open_grounds and len(self.forms) == 1 else None

    def outline(self, seq: int) -> dict[str, Any]:
        """What everybody may know of it: who is asked for what."""
        out = {"seq": seq, "seat": self.seat, "prompt": {"key": self.prompt, "args": self.args},
               "clause": self.clause, "mine": False}
        return out if self.card is None else {**out, "card": self.card}

    def offer(self, seq: int) -> dict[str, Any]:
        """The whole request, for the seat it asks."""
        out = {**self.outline(seq), "mine": True, "forms": [self._offered(form) for form in self.forms]}
        return out if self.table is None else {**out, "table": self.table}

    def _offered(self, form: Form) -> dict[str, Any]:
        """What is chosen without a preview says itself what it needs."""
        out = form.offer()
        for part, answer in form.outright(out):
            part["needs"] = self.needs(answer).as_json()
        return out
