"""Re-deals what a side may not know and keeps what it may: the test that nothing hidden leaks (6.4, 3.5)."""

from __future__ import annotations

from itertools import takewhile
from random import Random

from rules.core.seats import Side
from rules.mechanics.dealing import Slot, dealt, without_marks
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import enemy

TRIES = 20  # dead ends before ships keep to ships' places


def hidden(pos: Position, side: Side, keep: set[str]) -> list[str]:
    """The units of the other side that `side` knows to be on the map, but not where."""
    out = []
    for hex_ in pos.hexes_of(enemy(side)):
        stack = pos.stack(hex_)
        shown = 0 if pos.box_at(hex_, enemy(side)) is not None else 1
        out += [u for u in stack[shown:] if not pos.unit(u).fortress and u not in keep]
    return out


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """Deal the hidden units of the other side anew, ships among ships' places, so that every view of `side` stays what
    it was."""
    slots = _slots(pos, side, keep)
    dealt_to: dict[str, str] = {}
    for river in (False, True):
        those = {u: slot for u, slot in slots.items() if pos.unit(u).river == river}
        dealt_to |= dealt(those.values(), {u: pos.unit(u).place for u in those}, rng)
    _put(pos, dealt_to)


def guess(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """The same for a board that is only a guess (never told to a game): who is a ship is dealt too, and what the
    hidden units have done in this phase is taken for nothing, as that would tell which they are."""
    slots = _slots(pos, side, keep)
    without_marks(pos, ("spent", "settled", "aboard", "towed", "entered", "fought", "assailed"), slots)
    pos.captures, pos.booty = (  # 13.27: who advanced, and so has the arms, is for the Paraguayan player to know
        [[known, n] for force, n in held if (known := [u for u in force if u not in slots])]
        for held in (pos.captures, pos.booty)
    )
    if pos.operation is not None and {*pos.operation.units} & slots.keys():
        pos.operation = None
    for _ in range(TRIES):
        try:
            _put(pos, _mixed(pos, slots, rng))
        except IndexError:
            continue
        return
    scramble(pos, side, rng, keep)


def _mixed(pos: Position, slots: dict[str, Slot], rng: Random) -> dict[str, str]:
    """Ships first, on rivers; the rest where room is left. Raises IndexError for a dead end."""
    left, out = sorted(slots.values()), {}
    for ship in sorted(u for u in slots if pos.unit(u).river):
        slot = rng.choice([one for one in left if one.least <= pos.unit(ship).place
                           and pos.game.map.hexes[one.at].terrain == "river"])
        left.remove(slot)
        out[ship] = slot.at
    return out | dealt(left, {u: pos.unit(u).place for u in slots if u not in out}, rng)


def _slots(pos: Position, side: Side, keep: set[str]) -> dict[str, Slot]:
    """Hidden unit -> its place in a stack; below a top that is seen nothing may lie that would come to the top, nor
    above those under it that are known as well: they may have come up since."""
    foe = enemy(side)

    def least(hex_: str) -> int:
        if pos.box_at(hex_, foe) is not None:
            return -1
        top, *below = pos.stack(hex_)
        return max(pos.unit(u).place for u in [top, *takewhile(keep.__contains__, below)])

    return {unit: Slot(pos.at[unit], least(pos.at[unit])) for unit in hidden(pos, side, keep)}


def _put(pos: Position, dealt_to: dict[str, str]) -> None:
    boxed = {who: dict(by_hex) for who, by_hex in pos.boxed.items()}
    for unit, hex_ in dealt_to.items():
        if pos.at[unit] != hex_:
            pos.put(unit, hex_)
    for who, by_hex in boxed.items():
        for loc, box in by_hex.items():
            if pos.box_at(loc, who) is None:  # the box of a hex that was empty for a moment
                pos.set_box(who, box, loc)
    pos.forget()
    pos.touched.clear()
