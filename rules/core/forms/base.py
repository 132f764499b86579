"""What every form is: the kinds, and the checks of shape that they share."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from random import Random
from typing import Any, ClassVar, Self

from rules.core.errors import Malformed, Refusal, quoted

Answer = dict[str, Any]
Legal = Callable[[Answer], None]
Show = Callable[[Answer], dict[str, Any]]
Say = Callable[[dict[str, Any]], str]  # words for a label
Why = Callable[..., Refusal | None]  # why something is not offered; None: there is no more to say than that

STRINGS = frozenset({str})  # the types of what a list of strings holds

KINDS: dict[str, type[Form]] = {}  # every kind of form by its name: `static/js/game/KIND_tool.js` answers it


class Form(ABC):
    """One kind of answer. A subclass that names its `kind` is one more; nothing else in the house lists them.

    `weight` is how often a bot at random picks this form beside others.
    """

    __slots__ = ()
    kind: ClassVar[str]
    weight: ClassVar[float] = 1.0
    name: str
    clause: str

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            KINDS[cls.kind] = cls

    # -- who knows what a title asks reads its forms so; nobody else needs their kind ------------------------

    @classmethod
    def of(cls, form: Form | None) -> Self | None:
        """The form as one of this kind; None when it is another, or there is none."""
        return form if isinstance(form, cls) else None

    @classmethod
    def among(cls, forms: Iterable[Form]) -> list[Self]:
        """Those of this kind, in their order."""
        return [form for form in forms if isinstance(form, cls)]

    # -- what a kind of form must say ----------------------------------------------------------------------

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """What its offer holds beside name, kind, label and clause (docs/protocol.md section 3)."""

    @abstractmethod
    def check(self, answer: Answer) -> Answer:
        """The answer in its canonical shape. Raises Malformed or Refusal; changes nothing."""

    @abstractmethod
    def sample(self, rng: Random) -> Answer | None:
        """An answer at random, legal as far as the form can tell; None when there is none."""

    @abstractmethod
    def faults(self) -> Sequence[str | None]:
        """What is wrong with its options: none at all, or in no order that stays. None for what is well."""

    # -- what it may say -----------------------------------------------------------------------------------

    def effect(self, answer: Answer) -> dict[str, Any]:  # noqa: ARG002
        """What an answer, finished or not, would do (section 4). Raises Malformed or Refusal."""
        return {}

    def single(self) -> Answer | None:
        """The only legal answer, when there is but one."""
        return None

    def ends(self, answer: Answer) -> bool:  # noqa: ARG002
        """Whether this answer closes a phase or hands over: it cannot be taken back freely."""
        return False

    def reached(self, question: Answer) -> dict[str, Any] | None:  # noqa: ARG002
        """What is asked beside the answer: the reach of some units. None for a form that has none. Raises Refusal."""
        return None

    def common(self, other: Form) -> Answer | None:  # noqa: ARG002
        """An answer that another form of this kind and name takes too, if it is known without trying."""
        return None

    def undone(self) -> Sequence[dict[str, Any]]:
        """What of it stays undone if the phase is ended now, each as `left_open` makes it: the page says so first."""
        return ()

    def outright(self, offer: dict[str, Any]) -> Sequence[tuple[dict[str, Any], Answer]]:  # noqa: ARG002
        """Parts of its offer that are answers without a preview, each with that answer: they say what they need."""
        return ()

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        """An offer of this kind in one line, of names, words of the catalogue and signs."""
        common = ("form", "kind", "label", "clause")
        return "; ".join(f"{key} {value}" for key, value in offer.items() if key not in common)

    # -- what all do alike ---------------------------------------------------------------------------------

    def offer(self) -> dict[str, Any]:
        out = {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
               **self.fields()}
        if open_ := self.undone():
            out["open"] = list(open_)
        return out

    def wrong(self) -> str | None:
        """The first of its faults."""
        return next((fault for fault in self.faults() if fault), None)


def nothing(_answer: Answer) -> None:
    """Every answer is legal."""


def blank(_answer: Answer) -> dict[str, Any]:
    """There is nothing to show."""
    return {}


def unsaid(*_about: Any) -> None:
    """There is no reason to give."""


def strings(value: Any, what: str) -> list[str]:
    """A list of distinct strings, or Malformed."""
    if not isinstance(value, list) or not STRINGS.issuperset(map(type, value)):
        raise Malformed("no_list", field=what)
    if len(set(value)) != len(value):
        raise Malformed("twice", field=what, given=quoted(next(v for v in value if value.count(v) > 1)))
    return value


def table(value: Any, what: str, kinds: type | tuple[type, ...] = str) -> dict[str, Any]:
    """A string-keyed object with values of the given types, or Malformed."""
    if value == {}:
        return {}
    if not isinstance(value, dict) or not STRINGS.issuperset(map(type, value)) \
            or not all(map(isinstance, value.values(), repeat(kinds))):
        raise Malformed("no_table", field=what)
    return value


def steps(value: Any, what: str) -> list[str]:
    """A list of strings that may come again, at least one, or Malformed."""
    if not isinstance(value, list) or not STRINGS.issuperset(map(type, value)) or not value:
        raise Malformed("no_path", field=what)
    return value


def label(key: str, **args: Any) -> dict[str, Any]:
    return {"key": key, "args": args}


def left_open(name: str, clause: str, at: Sequence[str], **args: Any) -> dict[str, Any]:
    """Something that could still be done, and where, one place after the other."""
    return {"what": label(f"open.{name}", **args), "clause": clause, "at": list(at)}


def in_points(n: int, per: int) -> int | str:
    """Points as people write them, out of `n` wholes or halves of which `per` make one."""
    whole, rest = divmod(n, per)
    return f"{whole or ''}½" if rest else whole


def few(names: Sequence[str]) -> str:
    """A list that stays on its line."""
    return " ".join(names[:6]) + (f" (+{len(names) - 6})" if len(names) > 6 else "") if names else "–"


def ordered(what: str, items: Sequence[str]) -> str | None:
    """What is wrong with a list of options."""
    if not items:
        return f"no {what}"
    return None if list(items) == sorted(set(items)) else f"{what} not sorted"


def listed(units: Sequence[str]) -> list[str]:
    """Units as they are given; those that stand in the order of their letters go by the numbers in them: 1, 2, 10."""
    return list(_listed(tuple(units)))


@lru_cache(1024)
def _listed(units: tuple[str, ...]) -> Sequence[str]:
    return sorted(units, key=natural) if list(units) == sorted(units) else units


@lru_cache(4096)
def natural(name: str) -> list[tuple[bool, int, str]]:
    """A key by which 2 comes before 10."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name)]


def distinct(what: str, items: Sequence[str]) -> str | None:
    """What is wrong with a list whose order is the title's."""
    if not items:
        return f"no {what}"
    return None if len(set(items)) == len(items) else f"{what} twice"
