"""`amounts`: numbers, such as points spent on this and that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Malformed, Refusal, unknown
from rules.core.forms.base import Answer, Form, Legal, Say, Show, blank, distinct, nothing, table
from rules.core.sealed import sealed


@sealed
class Amount:
    """A number from `least` to `most`; each one costs `cost` of a `pool`."""

    id: str
    label: dict[str, Any]
    least: int
    most: int
    at: str | None = None
    pool: str | None = None
    cost: int = 1

    def offer(self) -> dict[str, Any]:
        out = {"id": self.id, "label": self.label, "at": self.at, "min": self.least, "max": self.most}
        return out if self.pool is None else {**out, "pool": self.pool, "cost": self.cost}


@sealed
class Amounts(Form):
    """Numbers within their bounds: points to spend, losses or supply by place, strength points detached. `pools` are
    budgets, of which several amounts may draw; all together come to `least` at the least and `most` at the most, when
    these are given. An amount that an answer does not name is 0. `verb` is that of `allocate`."""

    kind: ClassVar[str] = "amounts"
    name: str
    clause: str
    verb: str
    amounts: tuple[Amount, ...]
    pools: Mapping[str, int] = field(default_factory=dict)
    least: int = 0
    most: int | None = None
    suggested: Mapping[str, int] = field(default_factory=dict)
    legal: Legal = nothing
    show: Show = blank

    def fields(self) -> dict[str, Any]:
        return {"verb": self.verb, "amounts": [a.offer() for a in self.amounts], "pools": dict(self.pools),
                "min": self.least, "max": self.most, "suggested": dict(self.suggested)}

    def _read(self, answer: Answer) -> dict[str, int]:
        given = table(answer.get("amounts"), "amounts", int)
        known = {amount.id for amount in self.amounts}
        for name, n in given.items():
            if name not in known:
                raise unknown(name)
            if isinstance(n, bool):
                raise Malformed("no_number", field=name)
        return {amount.id: given.get(amount.id, 0) for amount in self.amounts}

    def _spent(self, given: Mapping[str, int]) -> dict[str, int]:
        spent = dict.fromkeys(self.pools, 0)
        for amount in self.amounts:
            if amount.pool is not None:
                spent[amount.pool] += amount.cost * given[amount.id]
        return spent

    def check(self, answer: Answer) -> Answer:
        given = self._read(answer)
        for a in self.amounts:
            if not a.least <= given[a.id] <= a.most:
                raise Refusal("refusal.count", self.clause, at=a.at, n=given[a.id], least=a.least, most=a.most)
        for pool, n in self._spent(given).items():
            if n > self.pools[pool]:
                raise Refusal("refusal.too_dear", self.clause, pool=f"pool.{pool}", n=n, limit=self.pools[pool])
        total, top = sum(given.values()), self._top
        if not self.least <= total <= top:
            raise Refusal("refusal.count", self.clause, n=total, least=self.least, most=top)
        clean = {"form": self.name, "amounts": {name: n for name, n in given.items() if n}}
        self.legal(clean)
        return clean

    @property
    def _top(self) -> int:
        return sum(a.most for a in self.amounts) if self.most is None else self.most

    def effect(self, answer: Answer) -> dict[str, Any]:
        given = self._read(answer)
        shown = self.show({"form": self.name, "amounts": {name: n for name, n in given.items() if n}})
        return {"spent": self._spent(given), "total": sum(given.values()), **shown}

    def sample(self, rng: Random) -> Answer | None:
        """One more here and there, from the least on, up to a total drawn before."""
        given = {a.id: a.least for a in self.amounts}
        goal = rng.randint(max(self.least, sum(given.values())), max(self._top, self.least))
        while sum(given.values()) < goal:
            spent = self._spent(given)
            able = [a for a in self.amounts if given[a.id] < a.most
                    and (a.pool is None or spent[a.pool] + a.cost <= self.pools[a.pool])]
            if not able:
                break
            given[rng.choice(able).id] += 1
        return {"form": self.name, "amounts": {name: n for name, n in given.items() if n}}

    def single(self) -> Answer | None:
        fixed = [a for a in self.amounts if a.least == a.most]
        if len(fixed) == len(self.amounts):
            return {"form": self.name, "amounts": {a.id: a.least for a in fixed if a.least}}
        return None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:
        return "; ".join(f"{say(a['label'])} {a['min']}–{a['max']}" for a in offer["amounts"])

    def faults(self) -> Sequence[str | None]:
        floor = sum(a.least for a in self.amounts)
        dear = self._spent({a.id: a.least for a in self.amounts})
        return [distinct("amount", [a.id for a in self.amounts]),
                *(f"amount {a.id} from {a.least} to {a.most}" for a in self.amounts if not a.least <= a.most),
                None if floor <= self._top and self.least <= sum(a.most for a in self.amounts) else "no total fits",
                *(f"pool {pool} is too small" for pool, n in dear.items() if n > self.pools[pool])]
