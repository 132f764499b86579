"""4.2 Who is asked next: what the answer that closes a phase needs of the other side (rules/core/request.py)."""

from __future__ import annotations

from rules.core.request import NOBODY, OPEN, SOME, Needs
from rules.titles.chaco import engineers, march
from rules.titles.chaco.contact import in_contact
from rules.titles.chaco.position import Position
from rules.titles.chaco.units import BOLIVIA, enemy

# What may ask anybody in a player turn once its mover has moved, in order.
STEPS = ("movement", "reaction", "combat_1", "combat_0", "combat_2", "construction", "politics")
DICE = "?"  # instead of a side: dice, or what is not decided yet, tell who is asked


def after(pos: Position, seat: str, mover: str, step: str) -> Needs:
    """4.2 What an answer of `seat` needs that closes a step of a turn of `mover`, by what lies open: NOBODY where the
    same seat is asked next, SOME where the other is, OPEN where that is not known."""
    for later in STEPS[STEPS.index(step) + 1:]:
        who = _asked(pos, mover, later)
        if who is not None:
            return OPEN if who == DICE else NOBODY if who == seat else SOME
    if mover == BOLIVIA:  # 16.1, 5.0, 6 the check of victory, weather and truce come first
        return OPEN
    return NOBODY if seat == BOLIVIA else SOME


def _asked(pos: Position, mover: str, step: str) -> str | None:
    foe = enemy(mover)
    match step:
        case "reaction":
            return foe if march.reactors(pos, foe) else None
        case "construction":  # 14.5 upkeep may want the other side's leave; what needs none may be let go
            if engineers.begged(pos, mover) or "trail" in pos.building.values():
                return DICE
            return mover if engineers.upkeep(pos, mover) else None
        case "politics":  # 15.2 a challenge may be settled by a die alone
            return None if pos.options.get("politics", "on") == "off" else DICE if mover in pos.shaken else mover
        case _:
            side, other = (foe, mover) if step == "combat_0" else (mover, foe)
            if pos.options["barrage"] == "on" and in_contact(pos, other):  # 13.2 either may fire first
                return DICE
            return side if in_contact(pos, side) else None


def after_turn(side: str) -> Needs:
    """4.2 After the Paraguayan turn comes the Bolivian one; after that weather and truce, in which either is asked."""
    return OPEN if side == BOLIVIA else SOME
