"""`place`: units onto spaces, in bulk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from random import Random
from typing import Any, ClassVar

from rules.core.errors import Refusal, unknown
from rules.core.forms.base import (
    Answer,
    Form,
    Legal,
    Say,
    Why,
    distinct,
    few,
    in_points,
    label,
    left_open,
    listed,
    nothing,
    ordered,
    table,
    unsaid,
)
from rules.core.sealed import sealed


@sealed
class Group:
    """Units that may be placed in the same spaces; `must` when all of them have to be. Its label is that of its id, or
    of the `name` that it shares with others of its kind, or `says` it all by itself. `shut`: spaces that look as open
    as those, of which the offer says why they aren't. `most`: of the group at once, if `legal` takes fewer than there
    is room for."""

    id: str
    clause: str
    units: tuple[str, ...]
    where: tuple[str, ...]
    must: bool = False
    pool: str | None = None
    cost: int = 0
    name: str | None = None
    says: Mapping[str, Any] | None = None
    shut: tuple[str, ...] = ()
    most: int | None = None

    def offer(self) -> dict[str, Any]:
        said = dict(self.says) if self.says is not None else label(f"group.{self.name or self.id}")
        out = {"id": self.id, "label": said, "units": listed(self.units), "where": list(self.where), "must": self.must,
               "clause": self.clause}
        if self.most is not None:
            out["most"] = self.most
        if self.pool is not None:
            out |= {"pool": self.pool, "cost": self.cost}
        return out


@sealed
class Place(Form):
    """Units onto spaces, in bulk: a set-up, arrivals, purchases. `limit` units a space (`limits` where spaces differ),
    `free` units that do not count for it, `pools` are budgets, as costs are, in wholes or halves of which `per` make a
    point, `chances` what a unit hits with in the next fire: n of so many faces. `due`: what is not placed is said
    before the phase ends. `why(unit, loc)` is why a unit can't be placed there, `why(unit, None)` why it can't be
    anywhere."""

    kind: ClassVar[str] = "place"
    name: str
    clause: str
    groups: tuple[Group, ...]
    limit: int
    limit_clause: str
    standing: Mapping[str, int] = field(default_factory=dict)
    pools: Mapping[str, int] = field(default_factory=dict)
    per: int = 1
    boxes: tuple[str, ...] = ()
    suggested: Mapping[str, str] = field(default_factory=dict)
    suggested_boxes: Mapping[str, str] = field(default_factory=dict)
    legal: Legal = nothing
    chances: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    due: bool = False
    why: Why = unsaid

    def fields(self) -> dict[str, Any]:
        out = {"groups": [self._offered(g) for g in self.groups], "limit": self.limit,
               "limit_clause": self.limit_clause, "standing": dict(self.standing),
               "pools": dict(self.pools), "boxes": list(self.boxes), "suggested": dict(self.suggested),
               "suggested_boxes": dict(self.suggested_boxes)}
        if self.chances:
            out["chances"] = {unit: {"n": n, "of": of} for unit, (n, of) in self.chances.items()}
        if self.limits:
            out["limits"] = dict(self.limits)
        if self.free:
            out["free"] = sorted(self.free)
        if self.per > 1:
            out["per"] = self.per
        return out

    def undone(self) -> Sequence[dict[str, Any]]:
        if not self.due:
            return ()
        room = {loc: max(0, self._most(loc) - self.standing.get(loc, 0)) for g in self.groups for loc in g.where}
        at = sorted(loc for loc, n in room.items() if n)
        free = [g for g in self.groups if g.pool is None]
        units = min(sum(min(len(g.units), sum(room[loc] for loc in g.where)) for g in free), sum(room.values()))
        said = [left_open("units", self.clause, at, n=units)] if units else []
        return said + [left_open("points", self.clause, at, n=in_points(n, self.per), pool=f"pool.{pool}")
                       for pool, n in self.pools.items()
                       if at and any(g.pool == pool and g.cost <= n for g in self.groups)]

    def _most(self, loc: str) -> int:
        return self.limits.get(loc, self.limit)

    def _group(self, unit: str) -> Group:
        for group in self.groups:
            if unit in group.units:
                return group
        raise self.why(unit, None) or Refusal("refusal.not_to_place", self.clause, unit=unit)

    def _offered(self, group: Group) -> dict[str, Any]:
        """A group with the spaces that are shut to it, and why."""
        out = group.offer()
        if group.shut and group.units:
            out["barred"] = {loc: self._not_there(group, group.units[0], loc).reason() for loc in group.shut}
        return out

    def _not_there(self, group: Group, unit: str, loc: str) -> Refusal:
        said: Refusal | None = self.why(unit, loc)
        return said or Refusal("refusal.not_there", group.clause, at=loc, unit=unit)

    def _read(self, answer: Answer) -> tuple[dict[str, str], dict[str, int], dict[str, int]]:
        placed = table(answer.get("placed", {}), "placed")
        spent = dict.fromkeys(self.pools, 0)
        count = dict(self.standing)
        for unit, loc in placed.items():
            group = self._group(unit)
            if loc not in group.where:
                raise self._not_there(group, unit, loc)
            count[loc] = count.get(loc, 0) + (unit not in self.free)
            if group.pool is not None:
                spent[group.pool] += group.cost
        return placed, count, spent

    def check(self, answer: Answer) -> Answer:
        placed, count, spent = self._read(answer)
        for group in self.groups:
            if group.must and (missing := [u for u in group.units if u not in placed]):
                raise Refusal("refusal.all_must_be_placed", group.clause, n=len(missing), unit=missing[0])
        for loc in set(placed.values()):
            if count[loc] > self._most(loc):
                room = max(0, self._most(loc) - self.standing.get(loc, 0))
                raise Refusal("refusal.no_room", self.limit_clause, at=loc, n=room)
        for pool, sum_ in spent.items():
            if sum_ > self.pools[pool]:
                raise Refusal("refusal.too_dear", self.clause, pool=f"pool.{pool}", n=in_points(sum_, self.per),
                              limit=in_points(self.pools[pool], self.per))
        boxes = self._boxed(answer)
        if not placed and not any(g.must for g in self.groups):
            raise Refusal("refusal.nothing_placed", self.clause)
        clean: Answer = {"form": self.name, "placed": {u: placed[u] for u in sorted(placed)}}
        if boxes:
            clean["boxes"] = {b: boxes[b] for b in sorted(boxes)}
        self.legal(clean)
        return clean

    def _boxed(self, answer: Answer) -> dict[str, str]:
        boxes = table(answer.get("boxes", {}), "boxes")
        for box, loc in boxes.items():
            if box not in self.boxes:
                raise unknown(box)
            if list(boxes.values()).count(loc) > 1:
                raise Refusal("refusal.one_box_a_space", self.clause, at=loc)
        return boxes

    def effect(self, answer: Answer) -> dict[str, Any]:
        placed, count, spent = self._read(answer)
        return {"spent": spent, "count": {loc: count[loc] for loc in sorted(set(placed.values()))}}

    def sample(self, rng: Random) -> Answer | None:
        placed: dict[str, str] = {}
        count = dict(self.standing)
        left = dict(self.pools)
        full = {loc for loc in (*count, *self.limits) if count.get(loc, 0) >= self._most(loc)}
        for group in self.groups:
            open_ = [loc for loc in group.where if loc not in full] if full else list(group.where)
            for unit in group.units:
                room = group.where if unit in self.free else open_
                if not room or not (group.must or rng.random() < 0.6):
                    continue
                if group.pool is not None:
                    if left[group.pool] < group.cost:
                        continue
                    left[group.pool] -= group.cost
                placed[unit] = loc = rng.choice(room)
                if unit not in self.free:
                    count[loc] = count.get(loc, 0) + 1
                    if count[loc] >= self._most(loc):
                        full.add(loc)
                        open_.remove(loc)
        return {"form": self.name, "placed": placed} if placed else None

    def single(self) -> Answer | None:
        if all(g.must and len(g.where) == 1 for g in self.groups) and not self.boxes:
            return {"form": self.name, "placed": {u: g.where[0] for g in self.groups for u in g.units}}
        return None

    @classmethod
    def summary(cls, offer: dict[str, Any], say: Say) -> str:  # noqa: ARG003
        return "; ".join(f"{few(g['units'])} → {few(g['where'])}" for g in offer["groups"])

    def faults(self) -> Sequence[str | None]:
        return [distinct("unit to place", [u for g in self.groups for u in g.units]),
                *(ordered(f"space of group {g.id}", g.where) for g in self.groups)]
