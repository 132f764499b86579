"""`choose`: one of a few named options; `pick`: several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Malformed, Refusal, quoted
from rules.core.forms.base import Answer, Form, Legal, Say, Why, distinct, nothing, strings, unsaid
from rules.core.sealed import sealed


@sealed
class Option:
    """One choice. `ends` closes a phase or hands over: it cannot be taken back freely. `warn` says what it gives up for
    good, and the page asks before it is chosen. With `forecast` the page says before, too, what the next check of the
    title's rules may cost (`Title.forecast`): what is done until now decides it. `table`: where the dice that it brings
    are looked up (`rules/mechanics/lookup.py`)."""

    id: str
    clause: str
    label: dict[str, Any]
    ends: bool = False
    at: str | None = None
    warn: dict[str, Any] | None = None
    forecast: bool = False
    table: Mapping[str, Any] | None = None

    def offer(self) -> dict[str, Any]:
        out = {"id": self.id, "label": self.label, "clause": self.clause, "ends": self.ends}
        if self.at is not None:
            out["at"] = self.at
        if self.warn is not None:
            out["warn"] = self.warn
        if self.forecast:
            out["forecast"] = True
        if self.table is not None:
            out["table"] = self.table
        return out


def no_option(given: object, options: Sequence[Option], clause: str) -> Malformed:
    """The answer names an option that is not one of these."""
    return Malformed("no_option", clause, given=quoted(given), names=", ".join(option.id for option in options))


@sealed
class Choose(Form):
    """One of a few named options. Where there is more to do, bots seldom choose: it often closes something.
    `why(given)` is why something else is no option."""

    kind: ClassVar[str] = "choose"
    weight: ClassVar[float] = 0.1
    name: str
    clause: str
    options: tuple[Option, ...]
    why: Why = unsaid

    def fields(self) -> dict[str, Any]:
        return {"options": [o.offer() for o in self.options]}

    def check(self, answer: Answer) -> Answer:
        if answer.get("option") not in [o.id for o in self.options]:
            raise self.why(answer.get("option")) or no_option(answer.get("option"), self.options, self.clause)
        return self._answer(answer["option"])

    def _answer(self, option: str) -> Answer:
        return {"form": self.name, "option": option}

    def ends(self, answer: Answer) -> bool:
        return any(o.ends for o in self.options if o.id == answer["option"])

    def sample(self, rng: Random) -> Answer | None:
        return self._answer(rng.choice(self.options).id)

    def single(self) -> Answer | None:
        return self._answer(self.options[0].id) if len(self.options) == 1 else None

    def common(self, other: Form) -> Answer | None:
        """The cards of a hand are options that only their owner has."""
        theirs = {option.id for option in other.options} if isinstance(other, Choose) else set()
        return next((self._answer(option.id) for option in self.options if option.id in theirs), None)

    def outright(self, offer: dict[str, Any]) -> Sequence[tuple[dict[str, Any], Answer]]:
        return [(option, self._answer(option["id"])) for option in offer["options"]]

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:
        return " | ".join(say(option["label"]) for option in offer["options"])

    def faults(self) -> Sequence[str | None]:
        return [distinct("option", [o.id for o in self.options])]


@sealed
class Pick(Form):
    """`least` to `most` of some named options: areas that rise, markers for a cup."""

    kind: ClassVar[str] = "pick"
    name: str
    clause: str
    options: tuple[Option, ...]
    least: int
    most: int
    legal: Legal = nothing

    def fields(self) -> dict[str, Any]:
        return {"options": [o.offer() for o in self.options], "min": self.least, "max": self.most}

    def check(self, answer: Answer) -> Answer:
        given = strings(answer.get("options"), "options")
        known = [o.id for o in self.options]
        for option in given:
            if option not in known:
                raise no_option(option, self.options, self.clause)
        if not self.least <= len(given) <= self.most:
            raise Refusal("refusal.count", self.clause, n=len(given), least=self.least, most=self.most)
        clean: Answer = {"form": self.name, "options": [o for o in known if o in given]}
        self.legal(clean)
        return clean

    def ends(self, answer: Answer) -> bool:
        return any(o.ends for o in self.options if o.id in answer["options"])

    def sample(self, rng: Random) -> Answer | None:
        known = [o.id for o in self.options]
        picked = rng.sample(known, rng.randint(self.least, min(self.most, len(known))))
        return {"form": self.name, "options": [o for o in known if o in picked]}

    def single(self) -> Answer | None:
        if self.least == self.most in (0, len(self.options)):
            return {"form": self.name, "options": [o.id for o in self.options] if self.least else []}
        return None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:
        return f"{offer['min']}–{offer['max']} / " + " | ".join(say(o["label"]) for o in offer["options"])

    def faults(self) -> Sequence[str | None]:
        fits = 0 <= self.least <= self.most and self.least <= len(self.options)
        return [distinct("option", [o.id for o in self.options]),
                None if fits else f"{self.least} to {self.most} of {len(self.options)} options"]
