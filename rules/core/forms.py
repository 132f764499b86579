"""The six kinds of answer a request can accept. Each offers, checks, previews and samples itself.

Shapes are those of docs/protocol.md section 3. What only a title can judge comes in as callables: `legal` raises
Refusal, `show` says what an answer would do. `sample` draws a random legal answer, for bots and fuzzing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Protocol

from rules.core.errors import Malformed, Refusal

Answer = dict[str, Any]
Legal = Callable[[Answer], None]
Show = Callable[[Answer], dict[str, Any]]


class Form(Protocol):
    """One kind of answer."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    def offer(self) -> dict[str, Any]: ...
    def check(self, answer: Answer) -> Answer: ...
    def effect(self, answer: Answer) -> dict[str, Any]: ...
    def sample(self, rng: Random) -> Answer | None: ...
    def single(self) -> Answer | None: ...


def _nothing(_answer: Answer) -> None:
    return None


def _blank(_answer: Answer) -> dict[str, Any]:
    return {}


def strings(value: Any, what: str) -> list[str]:
    """A list of distinct strings, or Malformed."""
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise Malformed(f"{what} is a list of names")
    if len(set(value)) != len(value):
        raise Malformed(f"{what} names something twice")
    return value


def table(value: Any, what: str, kinds: type | tuple[type, ...] = str) -> dict[str, Any]:
    """A string-keyed object with values of the given types, or Malformed."""
    if not isinstance(value, dict) or not all(isinstance(k, str) and isinstance(v, kinds) for k, v in value.items()):
        raise Malformed(f"{what} is an object")
    return value


def label(key: str, **args: Any) -> dict[str, Any]:
    return {"key": key, "args": args}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. `ends` closes a phase or hands over: it cannot be taken back freely."""

    id: str
    clause: str
    label: dict[str, Any]
    ends: bool = False
    at: str | None = None

    def offer(self) -> dict[str, Any]:
        out = {"id": self.id, "label": self.label, "clause": self.clause, "ends": self.ends}
        return out if self.at is None else {**out, "at": self.at}


@dataclass(frozen=True, slots=True)
class Choose:
    """One of a few named options."""

    kind: ClassVar[str] = "choose"
    name: str
    clause: str
    options: tuple[Option, ...]

    def offer(self) -> dict[str, Any]:
        return {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
                "options": [o.offer() for o in self.options]}

    def check(self, answer: Answer) -> Answer:
        if answer.get("option") not in [o.id for o in self.options]:
            raise Malformed(f"no option {answer.get('option')!r}")
        return {"form": self.name, "option": answer["option"]}

    def ends(self, answer: Answer) -> bool:
        return any(o.ends for o in self.options if o.id == answer["option"])

    def effect(self, answer: Answer) -> dict[str, Any]:  # noqa: ARG002 (nothing to show)
        return {}

    def sample(self, rng: Random) -> Answer | None:
        return {"form": self.name, "option": rng.choice(self.options).id}

    def single(self) -> Answer | None:
        return {"form": self.name, "option": self.options[0].id} if len(self.options) == 1 else None


@dataclass(frozen=True, slots=True)
class Group:
    """Units that may be placed in the same spaces; `must` when all of them have to be. Its label is that of its id, or
    of the `name` that it shares with others of its kind."""

    id: str
    clause: str
    units: tuple[str, ...]
    where: tuple[str, ...]
    must: bool = False
    pool: str | None = None
    cost: int = 0
    name: str | None = None

    def offer(self) -> dict[str, Any]:
        out = {"id": self.id, "label": label(f"group.{self.name or self.id}"), "units": list(self.units),
               "where": list(self.where), "must": self.must, "clause": self.clause}
        return out if self.pool is None else {**out, "pool": self.pool, "cost": self.cost}


@dataclass(frozen=True, slots=True)
class Place:
    """Units onto spaces, in bulk: a set-up, arrivals, purchases. `limit` units a space (`limits` where spaces differ),
    `free` units that do not count for it, `pools` are budgets, `chances` what a unit hits with in the next fire: n of
    so many faces."""

    kind: ClassVar[str] = "place"
    name: str
    clause: str
    groups: tuple[Group, ...]
    limit: int
    limit_clause: str
    standing: Mapping[str, int] = field(default_factory=dict)
    pools: Mapping[str, int] = field(default_factory=dict)
    boxes: tuple[str, ...] = ()
    suggested: Mapping[str, str] = field(default_factory=dict)
    suggested_boxes: Mapping[str, str] = field(default_factory=dict)
    legal: Legal = _nothing
    chances: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    free: frozenset[str] = frozenset()

    def offer(self) -> dict[str, Any]:
        chances = {unit: {"n": n, "of": of} for unit, (n, of) in self.chances.items()}
        out = {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
               "groups": [g.offer() for g in self.groups], "limit": self.limit, "standing": dict(self.standing),
               "pools": dict(self.pools), "boxes": list(self.boxes), "suggested": dict(self.suggested),
               "suggested_boxes": dict(self.suggested_boxes)}
        more = {"chances": chances, "limits": dict(self.limits), "free": sorted(self.free)}
        return {**out, **{key: value for key, value in more.items() if value}}

    def _most(self, loc: str) -> int:
        return self.limits.get(loc, self.limit)

    def _group(self, unit: str) -> Group:
        for group in self.groups:
            if unit in group.units:
                return group
        raise Refusal("refusal.not_to_place", self.clause, unit=unit)

    def _read(self, answer: Answer) -> tuple[dict[str, str], dict[str, int], dict[str, int]]:
        placed = table(answer.get("placed", {}), "placed")
        spent = dict.fromkeys(self.pools, 0)
        count = dict(self.standing)
        for unit, loc in placed.items():
            group = self._group(unit)
            if loc not in group.where:
                raise Refusal("refusal.not_there", group.clause, at=loc, unit=unit)
            count[loc] = count.get(loc, 0) + (unit not in self.free)
            if group.pool is not None:
                spent[group.pool] += group.cost
        return placed, count, spent

    def check(self, answer: Answer) -> Answer:
        placed, count, spent = self._read(answer)
        for group in self.groups:
            missing = [u for u in group.units if u not in placed]
            if group.must and missing:
                raise Refusal("refusal.all_must_be_placed", group.clause, n=len(missing), unit=missing[0])
        for loc in set(placed.values()):
            if count[loc] > self._most(loc):
                raise Refusal("refusal.too_many", self.limit_clause, at=loc, n=count[loc], limit=self._most(loc))
        for pool, sum_ in spent.items():
            if sum_ > self.pools[pool]:
                raise Refusal("refusal.too_dear", self.clause, pool=f"pool.{pool}", n=sum_, limit=self.pools[pool])
        boxes = table(answer.get("boxes", {}), "boxes")
        for box, loc in boxes.items():
            if box not in self.boxes:
                raise Malformed(f"no box {box}")
            if list(boxes.values()).count(loc) > 1:
                raise Refusal("refusal.one_box_a_space", self.clause, at=loc)
        if not placed and not any(g.must for g in self.groups):
            raise Refusal("refusal.nothing_placed", self.clause)
        clean: Answer = {"form": self.name, "placed": {u: placed[u] for u in sorted(placed)}}
        if boxes:
            clean["boxes"] = {b: boxes[b] for b in sorted(boxes)}
        self.legal(clean)
        return clean

    def effect(self, answer: Answer) -> dict[str, Any]:
        placed, count, spent = self._read(answer)
        return {"spent": spent, "count": {loc: count[loc] for loc in sorted(set(placed.values()))}}

    def sample(self, rng: Random) -> Answer | None:
        placed: dict[str, str] = {}
        count = dict(self.standing)
        left = dict(self.pools)
        for group in self.groups:
            for unit in group.units:
                room = [loc for loc in group.where if unit in self.free or count.get(loc, 0) < self._most(loc)]
                if not room or not (group.must or rng.random() < 0.6):
                    continue
                if group.pool is not None:
                    if left[group.pool] < group.cost:
                        continue
                    left[group.pool] -= group.cost
                placed[unit] = loc = rng.choice(room)
                count[loc] = count.get(loc, 0) + (unit not in self.free)
        return {"form": self.name, "placed": placed} if placed else None

    def single(self) -> Answer | None:
        if all(g.must and len(g.where) == 1 for g in self.groups) and not self.boxes:
            return {"form": self.name, "placed": {u: g.where[0] for g in self.groups for u in g.units}}
        return None


Reach = Callable[[Sequence[str], Mapping[str, str]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Move:
    """A stack along a whole path. `stacks`: by space, what can still move: {"id", "left", "takes": [cargo]}."""

    kind: ClassVar[str] = "move"
    name: str
    clause: str
    stacks: Mapping[str, Sequence[dict[str, Any]]]
    reach: Reach
    legal: Legal
    show: Show = _blank
    still: Mapping[str, str] = field(default_factory=dict)

    def offer(self) -> dict[str, Any]:
        return {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
                "stacks": {loc: list(units) for loc, units in self.stacks.items()}, "still": dict(self.still)}

    def read(self, answer: Answer) -> Answer:
        units, path = strings(answer.get("units"), "units"), answer.get("path")
        if not isinstance(path, list) or not all(isinstance(p, str) for p in path) or not path:
            raise Malformed("path is a list of spaces")
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

    def sample(self, rng: Random) -> Answer | None:
        if not self.stacks:
            return None
        loc = rng.choice(list(self.stacks))
        here = self.stacks[loc]
        picked = [u for u in here if rng.random() < 0.5] or [rng.choice(here)]
        if rng.random() < 0.3:
            picked = [rng.choice(here)]
        picked = [u for u in picked if ("holds" in u) == ("holds" in picked[0])]  # ships and marchers go apart
        carriers = [u for u in picked if u.get("takes")]
        aboard: dict[str, str] = {}
        if carriers:
            picked = carriers[:1]
            ship = carriers[0]
            cargo = rng.sample(ship["takes"], min(ship["holds"], len(ship["takes"])))
            aboard = dict.fromkeys(cargo, ship["id"]) if rng.random() < 0.8 else {}
        units = sorted({u["id"] for u in picked} | set(aboard))
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
        answer: Answer = {"form": self.name, "units": units, "path": path[::-1]}
        return {**answer, "aboard": aboard} if aboard else answer

    def single(self) -> Answer | None:
        return None


@dataclass(frozen=True, slots=True)
class Declare:
    """An attack: one target and all its attackers in one answer."""

    kind: ClassVar[str] = "declare"
    name: str
    clause: str
    targets: Mapping[str, Mapping[str, Sequence[str]]]
    legal: Legal
    show: Show = _blank
    barred: Mapping[str, dict[str, Any]] = field(default_factory=dict)

    def offer(self) -> dict[str, Any]:
        return {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
                "targets": {t: {"from": {loc: list(us) for loc, us in sources.items()}}
                            for t, sources in self.targets.items()}, "barred": dict(self.barred)}

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

    def single(self) -> Answer | None:
        return None


@dataclass(frozen=True, slots=True)
class Lot:
    """Units of which `least` to `most` are to be taken; those of `last` only when no other is left."""

    id: str
    units: tuple[str, ...]
    least: int
    most: int
    at: str | None = None
    last: frozenset[str] = frozenset()
    label: dict[str, Any] | None = None

    def offer(self) -> dict[str, Any]:
        return {"id": self.id, "at": self.at, "label": self.label, "units": list(self.units), "min": self.least,
                "max": self.most, "last": sorted(self.last)}


@dataclass(frozen=True, slots=True)
class Allocate:
    """Units taken from lots: losses, supply to spend, an advance, a force sent away. `verb` says which."""

    kind: ClassVar[str] = "allocate"
    name: str
    clause: str
    verb: str
    lots: tuple[Lot, ...]
    legal: Legal = _nothing
    last_clause: str = ""

    def offer(self) -> dict[str, Any]:
        return {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
                "verb": self.verb, "lots": [lot.offer() for lot in self.lots]}

    def _read(self, answer: Answer) -> dict[str, list[str]]:
        given = table(answer.get("lots", {}), "lots", list)
        known = {lot.id: lot for lot in self.lots}
        for lot_id, units in given.items():
            if lot_id not in known:
                raise Malformed(f"no lot {lot_id}")
            for unit in strings(units, f"lot {lot_id}"):
                if unit not in known[lot_id].units:
                    raise Refusal("refusal.not_of_the_lot", self.clause, at=known[lot_id].at, unit=unit)
        return given

    def check(self, answer: Answer) -> Answer:
        given, clean = self._read(answer), {}
        for lot in self.lots:
            taken = given.get(lot.id, [])
            if not lot.least <= len(taken) <= lot.most:
                raise Refusal("refusal.count", self.clause, at=lot.at, n=len(taken), least=lot.least, most=lot.most)
            if lot.last & set(taken) and not set(lot.units) - lot.last <= set(taken):
                raise Refusal("refusal.others_first", self.last_clause or self.clause, at=lot.at)
            if taken:
                clean[lot.id] = sorted(taken)
        out = {"form": self.name, "lots": clean}
        self.legal(out)
        return out

    def effect(self, answer: Answer) -> dict[str, Any]:
        given = self._read(answer)
        return {"counts": {lot.id: len(given.get(lot.id, [])) for lot in self.lots}}

    def sample(self, rng: Random) -> Answer | None:
        lots: dict[str, list[str]] = {}
        for lot in self.lots:
            n = rng.randint(lot.least, min(lot.most, len(lot.units)))
            first = [u for u in lot.units if u not in lot.last]
            rng.shuffle(first)
            lots[lot.id] = (first + sorted(lot.last))[:n]
        return {"form": self.name, "lots": lots}

    def single(self) -> Answer | None:
        if all(lot.least == lot.most in (0, len(lot.units)) for lot in self.lots):
            return {"form": self.name, "lots": {lot.id: sorted(lot.units) for lot in self.lots if lot.least}}
        return None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Which spaces stand in which boxes."""

    kind: ClassVar[str] = "arrange"
    name: str
    clause: str
    boxes: Mapping[str, str | None]
    where: tuple[str, ...]

    def offer(self) -> dict[str, Any]:
        return {"form": self.name, "kind": self.kind, "label": label(f"form.{self.name}"), "clause": self.clause,
                "boxes": dict(self.boxes), "where": list(self.where)}

    def check(self, answer: Answer) -> Answer:
        boxes = table(answer.get("boxes"), "boxes", (str, type(None)))
        if set(boxes) != set(self.boxes):
            raise Malformed("boxes names every box")
        taken = [loc for loc in boxes.values() if loc is not None]
        for loc in taken:
            if loc not in self.where:
                raise Refusal("refusal.not_to_box", self.clause, at=loc)
            if taken.count(loc) > 1:
                raise Refusal("refusal.one_box_a_space", self.clause, at=loc)
        if all(boxes[b] == self.boxes[b] for b in boxes):
            raise Refusal("refusal.nothing_changed", self.clause)
        return {"form": self.name, "boxes": {b: boxes[b] for b in sorted(boxes)}}

    def effect(self, answer: Answer) -> dict[str, Any]:  # noqa: ARG002 (nothing to show)
        return {}

    def sample(self, rng: Random) -> Answer | None:
        box = rng.choice(list(self.boxes))
        free = [loc for loc in self.where if loc not in self.boxes.values()]
        if self.boxes[box] is None and not free:
            return None
        new = rng.choice(free) if self.boxes[box] is None else None
        return {"form": self.name, "boxes": {**self.boxes, box: new}}

    def single(self) -> Answer | None:
        return None
