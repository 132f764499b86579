"""6 Stacking, and 3.5 substitute counters and their boxes."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.errors import Refusal
from rules.core.forms import Answer, Arrange
from rules.titles.triple_alliance.position import Position


def may_box(pos: Position, hex_: str, side: str) -> bool:
    """3.5 A stack may stand in a box, but no fortress can, and a substitute never stands with open units."""
    return pos.holder(hex_) == side and pos.fortress(hex_) is None


def box_form(pos: Position, side: str) -> Arrange | None:
    """3.5 Units go into and out of the own boxes at any time of the own turn."""
    fortified = {h for h, fortress in pos.game.forts.items() if pos.at.get(fortress) == h}
    where = tuple([h for h in pos.hexes_of(side) if h not in fortified])
    return Arrange("boxes", "3.5", dict(pos.boxes[side]), where) if where else None


def arrange(pos: Position, side: str, answer: Answer) -> None:
    """3.5 Apply a new arrangement of the boxes."""
    new: dict[str, str | None] = answer["boxes"]
    changed = sorted(b for b in new if pos.boxes[side][b] != new[b])
    for box in changed:
        pos.set_box(side, box, None)
    for box in changed:
        pos.set_box(side, box, new[box])
    pos.tell("boxes_arranged", "3.5", side, boxes=[[b, new[b]] for b in changed])


def open_boxes(boxes: dict[str, str | None], side: str, pos: Position) -> None:
    """3.5 Put the boxes of a set-up on the map."""
    for box, loc in sorted(boxes.items()):
        if loc is not None:
            pos.set_box(side, box, loc)


def room(pos: Position, hex_: str) -> int:
    """6.1 How many more units a hex can take. 6.3 Markers are no units of a position, so they weigh nothing."""
    return pos.game.limit - len(pos.stack(hex_))


def overfull(pos: Position, hex_: str, units: Sequence[str]) -> Refusal | None:
    """6.1, 6.2 Why no more units may end a move in a hex."""
    n, limit = len(pos.here.get(hex_, ())) + len(units), pos.game.limit
    return Refusal("refusal.too_many", "6.2", at=hex_, n=n, limit=limit) if n > limit else None


def shift(pos: Position, side: str, units: Sequence[str], goal: str, keep_box: bool) -> None:
    """3.5 Move counters from their hex to another, with the substitute when the whole stack goes or it is kept.
    A stack that joins a box goes into it."""
    start = pos.at[units[0]]
    box = pos.box_at(start, side)
    goes_along = box is not None and (keep_box or len(units) == len(pos.stack(start)))
    if box is not None and goes_along:
        pos.set_box(side, box, None)
    for unit in units:
        pos.put(unit, goal)
    pos.touch(start)
    if box is not None and goes_along and pos.box_at(goal, side) is None and may_box(pos, goal, side):
        pos.set_box(side, box, goal)
