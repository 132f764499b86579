"""8.4.2 no. 2, 3 The way of a charge, which its player chooses: by which hexes, and how it faces at the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Option, Trace, label
from rules.core.procedure import Procedure, ask, choose
from rules.core.request import Request, needs_open
from rules.core.sealed import sealed
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.duty import marchers_near
from rules.titles.austerlitz.fire import aspect
from rules.titles.austerlitz.paths import Courses, Ride, Spot, charge_ways, most_steps, ruffled
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import enemy

WORST = ("rear", "flank", "front")  # how the target is best struck


@sealed
class Course(Trace):
    """A way of a charge; `able` are all."""

    able: tuple[tuple[str, ...], ...] = ()

    def sample(self, rng: Random) -> Answer | None:
        return {"form": self.name, "path": list(rng.choice(self.able))}


def usual(pos: Position, unit: str, target: str, ways: Courses) -> tuple[str, ...]:
    """The way that is proposed: where the fewest enemies can answer it, then with the fewest checks of order, then to
    the rear or flank of the target, then the shortest."""
    zones = pos.zones(enemy(pos.unit(unit).side))
    return min(
        ways,
        key=lambda way: (
            len({u for h in way[1:] for u in zones.get(h, ())}),
            rough_steps(pos, unit, way),
            WORST.index(aspect(pos, target, way[-1])),
            len(way),
        ),
    )


def rough_steps(pos: Position, unit: str, way: Sequence[str]) -> int:
    """5.1.1 The steps of a charge over ground that asks for a check of order."""
    return sum(ruffled(pos, unit, start, there) for start, there in pairwise(way))


def proposed(pos: Position, unit: str, target: str) -> tuple[Ride, bool] | None:
    """The ride that is proposed for a charge, and whether its player will be asked for another; None if there is
    none."""
    ways = charge_ways(pos, unit, target, most_steps(pos))
    return (ways[usual(pos, unit, target, ways)][0], _differ(pos, unit, ways)) if ways else None


def chosen(pos: Position, units: Sequence[str], target: str, clause: str, most: int) -> Procedure[Ride]:
    """8.4.2 no. 2 The way that the player of a charge takes, of so many steps at most; he is asked where it matters.
    Empty if there is none."""
    unit = units[0]
    ways = charge_ways(pos, unit, target, most)
    if not ways:
        return []
    way, args = usual(pos, unit, target, ways), {"unit": unit, "at": pos.at[unit], "target": pos.at[target]}
    if _differ(pos, unit, ways):
        answer = yield from ask(
            Request(pos.seat_of(unit), "prompt.charge_way", clause, (_form(ways, way, clause),), args, needs=needs_open)
        )
        way = tuple(answer["path"])
    rides = {FACINGS[ride[-1][2]]: ride for ride in ways[way]}
    facing = FACINGS[ways[way][0][-1][2]]
    if len({_stands(pos, unit, target, ride[-1]) for ride in rides.values()}) > 1:
        options = tuple(Option(f, clause, label("option.charge_facing", facing=f)) for f in rides)
        facing = yield from choose(
            Request(
                pos.seat_of(unit),
                "prompt.charge_facing",
                clause,
                (Choose("charge_facing", clause, options),),
                {**args, "at": way[-1]},
                needs=needs_open,
            )
        )
    return rides[facing]


def _form(ways: Courses, way: tuple[str, ...], clause: str) -> Course:
    """The ways, to be drawn over the map."""
    able = tuple(ways)
    legs = {leg for one in able for leg in pairwise(one)}
    steps = {here: sorted(there for start, there in legs if start == here) for here in sorted(a for a, _b in legs)}

    def legal(answer: Answer) -> None:
        if tuple(answer["path"]) not in ways:
            raise Refusal("refusal.no_charge_so", clause, at=answer["path"][-1])

    goals = tuple(sorted({one[-1] for one in able}))
    return Course("charge_way", clause, able[0][:1], goals, steps, suggested=way, legal=legal, able=able)


def _differ(pos: Position, unit: str, ways: Courses) -> bool:
    """Whether it matters which way is taken."""
    return len({_brings(pos, unit, way) for way in ways}) > 1


def _brings(pos: Position, unit: str, way: tuple[str, ...]) -> tuple[Any, ...]:
    """What a way may bring about: where it ends, and hex by hex ground that asks for a check of order (5.1.1), whose
    zones it comes into, lone leaders whom it rides down, ground that counts (A15.2, A15.6), strategic movers whom it
    comes near (5.2.1); the garrison sees all ways (A15.2)."""
    side, zones, found = pos.unit(unit).side, pos.zones(enemy(pos.unit(unit).side)), []
    for start, hex_ in pairwise(way):
        met = (
            ruffled(pos, unit, start, hex_),
            frozenset(zones.get(hex_, ())),
            frozenset(x for x in pos.here.get(hex_, ()) if pos.game.side[x] != side),
            hex_ in pos.game.goals,
            pos.game.board.level[hex_] if "level_markers" in pos.plan else 0,
            frozenset(marchers_near(pos, side, (hex_,))),
            hex_ if pos.special.get("garrison") else None,
        )
        if any(met):
            found.append(met)
    return way[-1], *found


def _stands(pos: Position, unit: str, target: str, spot: Spot) -> tuple[Any, ...]:
    """What a facing may bring about at the end of a charge: the hexes it stands in, the enemies it meets (6.5.6), and
    from where others than its target may come at which of its sides."""
    foe, front = enemy(pos.unit(unit).side), pos.footprint(target)
    zones, arcs = pos.zones(foe), pos.game.ground.arcs(spot[0], spot[1], pos.form[unit], spot[2])
    own, beside = pos.stack(pos.at[target]), []
    for n, hexes in enumerate(arcs):
        beside += [
            (n, h)
            for h in hexes
            if h not in front and (pos.holder(h) == foe or any(u not in own for u in zones.get(h, ())))
        ]
    return spot[1], *sorted(beside)
