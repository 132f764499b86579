"""5.1-5.4 The moves of certain units on the ground as it is for them now: what is closed to them, where they would
crowd, where an enemy's front halts them. A node is (hex, formation, facing, flags)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rules.titles.austerlitz.allowance import in_fog
from rules.titles.austerlitz.formations import DISORDER, SKIRMISH, SQUARE, UNLIMBERED
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.stacking import crowded, fault
from rules.titles.austerlitz.units import ARTILLERY, enemy
from rules.titles.austerlitz.ways import REVERSE, ROAD, SLIDE, TURN, Kind

CLIMBED, FOGGED, SWUNG = 1, 2, 4    # of a node: a minor slope taken (5.1), fog entered (A5.1.1), guns turned (6.3.8)
Node = tuple[str, str, int, int]
NOWHERE: Mapping[Node, int] = MappingProxyType({})


class Move(NamedTuple):
    """One action: where it leads, what will have been spent, whether it asks for a disorder check (5.1.1), whether the
    move must end there (5.1.3), whether it crowds friends (5.1.4), and what of the points the fog took (A5.1.1)."""

    node: Node
    spent: int
    kind: str
    check: bool
    halts: bool
    crowds: bool = False
    lost: int = 0


class Walker:
    """Units that move together. `allowance` in half points; `limited` may not come beside enemies (4.6.2), `strategic`
    is 5.2; `shunned` are hexes that the scenario closes, `began` the enemies in whose front they began (5.1.3)."""

    def __init__(self, pos: Position, units: Sequence[str], allowance: int, *, limited: bool = False,
                 strategic: bool = False, shunned: frozenset[str] = frozenset(), began: Sequence[str] = ()) -> None:
        first = pos.unit(units[0])
        self.pos, self.units, self.allowance, self.limited, self.strategic = pos, units, allowance, limited, strategic
        self.unit, self.board = first, pos.game.board
        self.own = frozenset(h for u in units if pos.on_map(u) for h in pos.footprint(u))
        self.friends = pos.taken_by(first.side) - (
            set() if any(len(pos.stack(h)) > len(units) for h in self.own) else self.own)
        self.fronts = pos.fronts(enemy(first.side))
        self.closed = self._closed(first.side) | {
            n for one in began for h in pos.footprint(one) for n in self.board.touching(h)}
        self.shunned = shunned  # thousands, so kept apart
        self.fog: int | None = pos.special.get("fog")
        self.veiled = strategic and in_fog(pos, units[0])
        self.ways = pos.game.ways(self._kind(pos))
        self._crowds: dict[tuple[str, str], bool] = {}
        self._faults: dict[tuple[str, str], bool] = {}

    def _closed(self, side: str) -> set[str]:
        """Enemy hexes; 4.6.2, 5.2.1, 6.3.7 what lies too near to them."""
        pos, touching = self.pos, self.board.map.neighbours
        foe = pos.hexes_of(enemy(side))
        closed = set(foe)
        if self.limited:
            closed |= pos.as_they_stand(("beside", side), lambda: {n for h in foe for n in touching[h]})
        if self.strategic:
            closed |= pos.as_they_stand(("near", side), lambda: {n for h in foe for n in self.board.within(h, 3)})
        if self.unit.guns:
            closed.update(n for h in foe for n in touching[h]
                          if any(pos.unit(u).arm != ARTILLERY and not pos.routed(u) for u in pos.stack(h)))
        return closed

    def _kind(self, pos: Position) -> Kind:
        """What the units can do as one: what all of them can (8.4.4, A2.3, 6.3.3), at the price of the slowest."""
        unit, name, all_ = self.unit, self.units[0], [pos.unit(u) for u in self.units]
        stiff = any(pos.blown.get(u.id) == 2 or u.cossack or u.battalion is not None for u in all_)
        spreads = unit.skirmish and len(self.units) == 1 and pos.strength(name) > 5
        return Kind(unit.arm, all(u.horse for u in all_), any(u.cossack for u in all_), all(u.skirmish for u in all_),
                    stiff, unit.hexes == 2, spreads, max(u.movement for u in all_), self.strategic)

    # -- actions -----------------------------------------------------------------------------------------

    def moves(self, node: Node, spent: int, known: Mapping[Node, int] = NOWHERE) -> Iterator[Move]:
        """All that can be done next and paid for; not what is `known` to be come to as cheaply."""
        here, form, facing, flags = node
        allowance, closed, shunned, friends = self.allowance, self.closed, self.shunned, self.friends
        for there, new, turned, cost, kind, slope, check, needs, fresh in self.ways.of(here, form, facing):
            total = spent + cost
            if total > allowance:
                return
            if form == SQUARE and fresh:
                fresh = tuple(h for h in fresh if h not in self.own)
            after, full, lost = flags, False, 0
            if slope:
                if flags & CLIMBED:
                    total += slope
                    if total > allowance:
                        continue
                after |= CLIMBED
            if there != here:
                if (there in closed or there in shunned) and there not in self.own:
                    continue
                if there in friends and there not in self.own:
                    if kind in (SLIDE, REVERSE) or needs:
                        continue  # a counter on two hexes goes round its friends (ruling on 6.5)
                    full = not self.unit.guns and new != SKIRMISH and self.crowds(there, new)
                    if full and new != DISORDER:
                        new, turned, check = DISORDER, turned if turned % 2 == 0 else turned - 1, False
            if needs and not all(self._free(h) for h in needs):
                continue
            if spent and kind == REVERSE and new == form == "line":
                continue
            if form == UNLIMBERED and kind == TURN:  # 6.3.8 by one vertex in an activation
                if flags & SWUNG:
                    continue
                after |= SWUNG
            if self.fog is not None and fresh and (self.veiled or any(map(self._misty, fresh))):
                plain = total
                total, after = self._fogged(total, after, there, kind, total - spent if self._misty(here) else 0)
                if total > allowance:
                    continue
                lost = total - plain
            to = there, new, turned, after
            if total < known.get(to, total + 1):
                yield Move(to, total, kind, check, any(h in self.fronts for h in fresh), full, lost)

    def _free(self, hex_: str) -> bool:
        return hex_ in self.own or not (hex_ in self.closed or hex_ in self.shunned or hex_ in self.friends)

    def _misty(self, here: str) -> bool:
        return self.fog is not None and self.board.level[here] <= self.fog

    def _fogged(self, total: int, flags: int, there: str, kind: str, paid: int) -> tuple[int, int]:
        """A5.1.1 Entering the fog halves what is left, once, rounding up: not in limited activations, and not by road
        or through villages for strategic movers. Of these, who begins in it has half of all, what was spent by road
        included, once he leaves the road. `paid` is the step just made."""
        by_road = self.strategic and (kind == ROAD or self.board.terrain[there] == "village")
        if flags & FOGGED or self.limited or by_road:
            return total, flags
        if self.veiled:
            return total + self.allowance - 2 * -(-self.allowance // 4), flags | FOGGED
        return self.allowance - 2 * -(-(self.allowance - total + paid) // 4) + paid, flags | FOGGED

    def crowds(self, hex_: str, form: str) -> bool:
        """5.1.4, 7.1 Whether these units have too many points to pass the friends in a hex."""
        known = self._crowds.get((hex_, form))
        if known is None:
            known = self._crowds[hex_, form] = crowded(self.pos, hex_, self.units, form)
        return known

    def fault_at(self, hex_: str, form: str) -> bool:
        """7.1 Whether something would be wrong if these units ended here in this formation; 9.2.4 nobody stacks with
        routed units."""
        known = self._faults.get((hex_, form))
        if known is None:
            known = self._faults[hex_, form] = self._fault(hex_, form)
        return known

    def _fault(self, hex_: str, form: str) -> bool:
        pos = self.pos
        others = [u for u in pos.stack(hex_) if u not in self.units]
        if any(pos.routed(u) for u in others):
            return True
        was = {u: pos.form[u] for u in self.units}
        for unit in self.units:
            pos.form[unit] = form
        found = fault(pos, hex_, [*others, *self.units], self.strategic)
        pos.form.update(was)
        return found is not None


class Reached(NamedTuple):
    """Every node within the allowance: what was spent to be there, and the node before it on the cheapest way."""

    cost: dict[Node, int]
    via: dict[Node, Node]


def reach(walker: Walker, start: Node, spent: int) -> Reached:
    """5.1 Where a move can lead that has spent so much. Of two ways of equal cost the first found is kept; a node
    without a slope climbed stands for the same one with."""
    most = walker.allowance
    over = most + 1
    cost: dict[Node, int] = {start: spent}
    via: dict[Node, Node] = {}
    halts: set[Node] = set()
    found: list[list[Node]] = [[] for _ in range(over)]
    if spent <= most:
        found[spent].append(start)
    known = cost.get
    for total in range(spent, most):
        for node in found[total]:
            if cost[node] < total or node in halts:
                continue
            for there, price, _kind, _check, halt, _crowds, _lost in walker.moves(node, total, cost):
                if there[3] & CLIMBED and known((there[0], there[1], there[2], there[3] & ~CLIMBED), over) <= price:
                    continue
                cost[there] = price
                via[there] = node
                found[price].append(there)
                if halt:
                    halts.add(there)
    return Reached(cost, via)
