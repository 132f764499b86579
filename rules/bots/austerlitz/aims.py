"""What a scenario's victory asks for besides ruined units: the places to take and to hold, and which division goes
where. Read from the victory data of any scenario; where only ruined units count (A15.1) nobody has an aim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.bots.austerlitz.foes import FAR, Troop, away
from rules.titles.austerlitz.units import enemy

if TYPE_CHECKING:
    from rules.bots.austerlitz.sight import Sight

PACE = 4          # hexes that foot goes in a turn, when it goes
NEAR, WIDE = 7, 12   # hexes within which enemies count as holding a place, and as threatening it
PULL = 4.0        # hexes of way that one more degree of urgency is worth


@dataclass(frozen=True)
class Aim:
    """Where a division is to go: the hexes of a place, and whether they are to be taken (not just held)."""

    hexes: tuple[str, ...]
    take: bool


@dataclass
class Want:
    """A place that counts: how urgent it is, and what strength is asked for there."""

    aim: Aim
    place: str
    urgency: float
    strength: float
    far: Mapping[str, int]


def places(plan: Mapping[str, Any], side: str) -> list[str]:
    """The places of a side's ways to victory."""
    found = [p for way in plan["victory"][side] for p in (*way.get("control", ()), *way.get("of", ()))]
    return list(dict.fromkeys(found))


def aims(sight: Sight) -> dict[str, Aim]:
    """Command -> where it goes. The nearest divisions go where most is at stake until there is enough of them; those
    over go where they are needed soonest."""
    wants = list(_wants(sight))
    if not wants:
        return {}
    bands = _bands(sight)
    found = {command: aim for command in bands if (aim := _ordered(sight, command, bands[command])) is not None}
    pairs = sorted((_mean(want.far, troops) - PULL * want.urgency, command, want.place)
                   for command, troops in bands.items() if command not in found
                   for want in _open(sight, command, wants))
    by_place = {want.place: want for want in wants}
    for _cost, command, place in pairs:
        want = by_place[place]
        if command not in found and want.strength > 0:
            found[command] = want.aim
            want.strength -= sum(t.strength for t in bands[command])
    for _cost, command, place in pairs:
        found.setdefault(command, by_place[place].aim)
    return found


def _wants(sight: Sight) -> Iterator[Want]:
    plan, side, board = sight.game.plan, sight.side, sight.game.board
    mine, theirs = places(plan, side), places(plan, enemy(side))
    for place in dict.fromkeys((*mine, *theirs)):
        hexes = board.places.get(place, (place,))
        far = away(board, frozenset(hexes))
        foes = [(far.get(t.at, FAR), t.strength) for t in sight.foes.values() if t.level < 3 and not t.unit.guns]
        if all(sight.held.get(h) == side for h in hexes):
            threat = sum(n for gap, n in foes if gap <= WIDE)
            urgency = (2.5 if place in theirs else 2.0) if threat else 0.0
            yield Want(Aim(hexes, False), place, urgency, 0.9 * threat + 8 * (threat > 0), far)
        else:
            guard = sum(n for gap, n in foes if gap <= NEAR)
            urgency = (3.0 if place in mine else 2.0) + (place in mine and sight.left < 6)
            yield Want(Aim(hexes, True), place, urgency, 1.4 * guard + 8, far)


def _bands(sight: Sight) -> dict[str, list[Troop]]:
    """The units of each division that have not run, without guns."""
    found: dict[str, list[Troop]] = {}
    for troop in sight.own.values():
        if troop.unit.command is not None and troop.level < 3 and not troop.unit.guns:
            found.setdefault(troop.unit.command, []).append(troop)
    return found


def _mean(far: Mapping[str, int], troops: Sequence[Troop]) -> float:
    return sum(far.get(t.at, FAR) for t in troops) / len(troops)


def _open(sight: Sight, command: str, wants: Sequence[Want]) -> list[Want]:
    """A15.2, A15.5 The places for which a division may march: a corps that is bound has objectives of its own."""
    corps = sight.game.corps_of(command)
    rule = next((r for r in sight.game.plan.get("limits", ()) if corps in r["corps"]), None)
    if rule is not None and ("north" not in rule or sight.limits.intersection(rule["corps"])):
        return [w for w in wants if w.place in rule["objectives"]] or list(wants)
    return list(wants)


def _ordered(sight: Sight, command: str, troops: Sequence[Troop]) -> Aim | None:
    """14.1.3 The objective of reinforcements on the march, until they are there."""
    if command not in sight.marching:
        return None
    ids = {t.id for t in troops}
    for row in sight.game.plan.get("reinforcements", {}).get(sight.side, ()):
        if row["objective"] is not None and ids.intersection(row["units"]):
            hexes = sight.game.board.places.get(row["objective"], (row["objective"],))
            if not any(h in hexes for t in troops for h in t.hexes):
                return Aim(tuple(hexes), False)
    return None
