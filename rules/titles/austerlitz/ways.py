"""5.1-5.4, 6.3-6.5 What a counter can do from where it stands, as far as terrain and formation say: worked out once for
each kind of counter, hex, formation and facing. Costs are in half points, since roads cost a half."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.titles.austerlitz.board import Board, Price
from rules.titles.austerlitz.formations import (
    COLUMN,
    DISORDER,
    LIMBERED,
    LINE,
    SKIRMISH,
    SPREAD,
    SQUARE,
    UNLIMBERED,
    tail_of,
)
from rules.titles.austerlitz.units import ARTILLERY, INFANTRY, LEADER

STEP, ROAD, SLIDE, REVERSE, TURN, ABOUT, CHANGE = "step", "road", "slide", "reverse", "turn", "about", "change"
ALL_SIDES = (0, 2, 4, 6, 8, 10)
ALL_VERTICES = (1, 3, 5, 7, 9, 11)
FRONTS = {LINE: (0, 1), COLUMN: (0,), LIMBERED: (0,), DISORDER: (0, 1, 5), SKIRMISH: (0, 1, 2, 3, 4, 5)}
REARS = {LINE: (3, 4), COLUMN: (3,), LIMBERED: (), DISORDER: (2, 3, 4), SKIRMISH: ()}


class Kind(NamedTuple):
    """What of a counter its ways depend on: `full` is its printed allowance in points, `stiff` may not change formation
    (8.4.4, A2.3), `two` stands on two hexes (6.5), `spreads` may take a second one (6.3.3)."""

    arm: str
    horse: bool
    cossack: bool
    skirmish: bool
    stiff: bool
    two: bool
    spreads: bool
    full: int
    strategic: bool

    def column(self, form: str) -> str:
        """5.0 The column of the terrain chart. Cossacks pay as disordered (A2.3)."""
        if self.arm == ARTILLERY:
            return "artillery_horse" if self.horse else "artillery_foot"
        if self.arm == LEADER:
            return LEADER
        if form in (SKIRMISH, SPREAD):
            return "skirmisher"
        return f"{self.arm}_{DISORDER if self.cossack else COLUMN if form == SQUARE else form}"


class Way(NamedTuple):
    """One action and where it leads. `slope` is added to `cost` from the second minor slope on; `check` asks for a
    disorder check (5.1.1); `needs` are the hexes that must be free for a counter on two; `fresh` those that it comes
    into (6.5, 6.3.3), of a square as if it stood on its first alone."""

    there: str
    form: str
    facing: int
    cost: int
    kind: str
    slope: int = 0
    check: bool = False
    needs: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()


class Ways:
    """The ways of one kind of counter."""

    SIZE = 60_000

    def __init__(self, board: Board, tables: dict[str, Any], kind: Kind) -> None:
        self.board, self.kind = board, kind
        self.actions: dict[str, dict[str, str]] = tables["actions"]
        self.limits: dict[str, list[int | None]] = tables["stacking"].get(kind.arm, {})
        self._known: dict[tuple[str, str, int], tuple[Way, ...]] = {}

    def of(self, here: str, form: str, facing: int) -> tuple[Way, ...]:
        """All ways from a stance, the cheapest first."""
        key = here, form, facing
        found = self._known.get(key)
        if found is None:
            if len(self._known) > self.SIZE:
                self._known.clear()
            all_ = [way._replace(fresh=self._fresh(way, here, form, facing)) for way in self._all(here, form, facing)]
            found = self._known[key] = tuple(sorted(all_, key=lambda way: way.cost))
        return found

    def _fresh(self, way: Way, here: str, form: str, facing: int) -> tuple[str, ...]:
        """6.5 The hexes in which a counter did not stand before an action; 6.3.3 the second of skirmishers."""
        if not self.kind.two:
            return way.needs or ((way.there,) if way.there != here else ())
        two = (LINE, COLUMN, DISORDER)
        behind = tail_of(self.board, here, form, facing) if form in two else None
        second = tail_of(self.board, way.there, way.form, way.facing) if way.form in two else None
        return tuple(h for h in (way.there, second) if h is not None and h not in (here, behind))

    def _all(self, here: str, form: str, facing: int) -> Iterator[Way]:
        if self.kind.arm == LEADER:
            yield from self._rides(here, form, facing)
            return
        if form not in (SQUARE, SPREAD, UNLIMBERED):
            yield from self._steps(here, form, facing)
            yield from self._roads(here, form, facing)
        if form not in (SQUARE, SPREAD, SKIRMISH):
            yield from self._turns(here, form, facing)
        if not self.kind.stiff:
            yield from self._changes(here, form, facing)

    def _rides(self, here: str, form: str, facing: int) -> Iterator[Way]:
        """5.4 Leaders have no facing."""
        for side in range(6):
            yield from self._step(here, form, facing, side, 1, STEP)
        yield from self._roads(here, form, facing)

    # -- steps -------------------------------------------------------------------------------------------

    def _steps(self, here: str, form: str, facing: int) -> Iterator[Way]:
        """5.0 Forward over the front; 6.3.1, 6.3.5 lines slide over the flank at double price and step back at the
        whole allowance, 6.3.2, 6.3.6, 6.4.1 columns and disorder at double price, and do not slide."""
        k = facing // 2
        for turn in FRONTS[form]:
            yield from self._step(here, form, facing, (k + turn) % 6, 1, STEP)
        if form == LINE:
            for turn in (2, 5):
                yield from self._step(here, form, facing, (k + turn) % 6, 2, SLIDE)
        if self.kind.arm != ARTILLERY:
            for turn in REARS[form]:
                yield from self._step(here, form, facing, (k + turn) % 6, 0 if form == LINE else 2, REVERSE)

    def _step(self, here: str, form: str, facing: int, side: int, times: int, kind: str) -> Iterator[Way]:
        """5.1 One step over a side, at so many times its price; 0 stands for the whole allowance."""
        there = self.board.around[here][side]
        price = self._price(here, form, facing, side)
        if there is None or price is None or (self.kind.strategic and self.board.by_road_only(here, there)):
            return
        cost = price.cost * times if times else 2 * self.kind.full
        check = price.check and form != DISORDER
        if price.disorder and form in (LINE, COLUMN):
            form, facing, check = DISORDER, 2 * side, False
        needs = self._astride(there, form, facing)
        if needs is not None:
            yield Way(there, form, facing, cost, kind, price.slope if times else 0, check, needs)

    def _price(self, here: str, form: str, facing: int, side: int) -> Price | None:
        """6.5.3 The price of a step; a counter on two hexes that goes into two others pays the dearer, and is
        disordered by either."""
        prices = self.board.prices(self.kind.column(form), False)
        price = prices[here][side]
        tail = tail_of(self.board, here, form, facing) if self.kind.two else None
        if price is None or tail is None or here == self.board.around[tail][side] or tail == (
                self.board.around[here][side]):
            return price
        other = prices[tail][side]
        return None if other is None else Price(max(price.cost, other.cost), max(price.slope, other.slope),
                                                price.disorder or other.disorder, price.check or other.check)

    def _roads(self, here: str, form: str, facing: int) -> Iterator[Way]:
        """5.3 Road movement turns with the road, free of charge (errata)."""
        if form == LINE:
            return
        for there in self.board.roads(here):
            side = self.board.side_to(here, there)
            price = self.board.prices(self.kind.column(form), True)[here][side]
            if price is None:
                continue
            turned = facing if form in (SKIRMISH, "") else 2 * side
            needs = (here,) if self.kind.two else ()  # 6.5.4: its tail follows along the road
            yield Way(there, form, turned, price.cost, ROAD, 0, False, needs)

    def _astride(self, at: str, form: str, facing: int) -> tuple[str, ...] | None:
        """6.5 The second hex that must be free, if the terrain lets the counter stand there; None if it doesn't."""
        if not self.kind.two:
            return ()
        tail = tail_of(self.board, at, form, facing)
        if tail is None or self.limit(tail, form) is None:
            return None
        side = self.board.side_to(at, tail)
        barred = self.board.prices(self.kind.column(DISORDER), False)[at][side] is None
        return None if barred else (tail,)

    def limit(self, hex_: str, form: str) -> int | None:
        """7.1 The most points of this arm in a formation in a hex; None where it can't be."""
        return self.limits[SKIRMISH if form == SPREAD else form][self.board.stacking[hex_]]

    # -- turns -------------------------------------------------------------------------------------------

    def _turns(self, here: str, form: str, facing: int) -> Iterator[Way]:
        """6.1 One side or vertex at a time; about-face in one go."""
        column = self.kind.column(form)
        token = 2 * int(self.actions["change_facing"][column])
        for twelfths in (2, 10):
            new = (facing + twelfths) % 12
            if not self.kind.two:
                yield Way(here, form, new, token, TURN)
                continue
            at, swung = self.wheel(here, form, facing, right=twelfths == 2)
            if at is not None and swung is not None and self.stands(swung):
                yield Way(at, form, new, token, TURN, needs=(swung,))
        about = self.actions["about_face"][column]
        if form == UNLIMBERED or about in ("NA", "na"):
            return
        cost = 2 * ((self.kind.full + 1) // 2) if about == "m" else 2 * int(about)
        at = tail_of(self.board, here, form, facing) if self.kind.two else here
        if at is not None:
            yield Way(at, form, (facing + 6) % 12, cost, ABOUT)

    def wheel(self, at: str, form: str, facing: int, right: bool) -> tuple[str | None, str | None]:
        """6.5.2 A counter on two hexes turns on one of them and swings the other: the hex that is first afterwards, and
        the hex swung into. A line swings its outer hex forward; a column stays where its head is."""
        around, k = self.board.around, facing // 2
        if form != LINE:
            return at, around[at][(k + (4 if right else 2)) % 6]
        if not right:
            return at, around[at][(k + 1) % 6]
        tail = tail_of(self.board, at, form, facing)
        new = None if tail is None else around[tail][k]
        return new, new

    def stands(self, hex_: str) -> bool:
        """6.5.2 Whether a counter on two hexes may swing into a hex, as far as the ground goes."""
        return self.limit(hex_, DISORDER) is not None and self.board.terrain[hex_] not in ("pond", "castle")

    # -- formations --------------------------------------------------------------------------------------

    def _changes(self, here: str, form: str, facing: int) -> Iterator[Way]:
        """6.3 A change of formation is paid by the formation it leaves; the square pays two (6.3.4)."""
        cost = 4 if form == SQUARE else 2 * int(self.actions["change_formation"][self.kind.column(form)])
        if form in (LIMBERED, UNLIMBERED):
            for twelfths in (1, 11):
                new = UNLIMBERED if form == LIMBERED else LIMBERED
                yield Way(here, new, (facing + twelfths) % 12, cost, CHANGE)
            return
        for new, facings in self._formations(form, facing):
            if self.limit(here, new) is None or (self.kind.strategic and new == LINE):
                continue
            for turned in facings:
                yield from self._changed(here, form, facing, new, turned, 0 if form == SPREAD else cost)

    def _formations(self, form: str, facing: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """6.3, A6.1 The formations that may follow, with their facings: from all round any, else the nearest. Skirmish
        order is for those that have the sign."""
        loose, even = form in (SQUARE, SKIRMISH), facing % 2 == 0
        beside = (facing + 1) % 12, (facing - 1) % 12
        if form == SPREAD:
            yield SKIRMISH, (0,)
            return
        if form != LINE:
            yield LINE, ALL_VERTICES if loose else beside if even else (facing,)
        if form != COLUMN:
            yield COLUMN, ALL_SIDES if loose else (facing,) if even else beside
        if self.kind.arm == INFANTRY:
            if form != SQUARE:
                yield SQUARE, (facing,)
            if self.kind.skirmish and form != SKIRMISH:
                yield SKIRMISH, (0,)
            if form == SKIRMISH and self.kind.spreads:
                yield SPREAD, ALL_SIDES
        if form not in (DISORDER, SKIRMISH):
            yield DISORDER, (facing if even else (facing - 1) % 12,)

    def _changed(self, here: str, form: str, was: int, new: str, facing: int, cost: int) -> Iterator[Way]:
        """6.5.1 The owner picks which of two hexes is first in the new shape; 6.3.3 the second hex of skirmishers costs
        what entering it costs."""
        if new == SPREAD:
            there = self.board.around[here][facing // 2]
            price = self.board.prices("skirmisher", False)[here][facing // 2]
            if there is not None and price is not None:
                yield Way(here, SPREAD, facing, price.cost, CHANGE, needs=(there,))
            return
        if not self.kind.two or new == SQUARE:
            yield Way(here, new, facing, cost, CHANGE)
            return
        for first in (here, tail_of(self.board, here, form, was) if form != SQUARE else None):
            needs = None if first is None else self._astride(first, new, facing)
            if first is not None and needs is not None:
                yield Way(first, new, facing, cost, CHANGE, needs=needs)
