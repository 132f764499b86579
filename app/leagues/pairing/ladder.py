"""The ladder: who beats somebody further up takes that rung, and all between step down one."""

from collections.abc import Sequence


def in_reach(order: Sequence[int], challenger: int, reach: int) -> list[int]:
    """Whom an entrant may challenge: up to `reach` rungs above it, the highest first."""
    rung = order.index(challenger)
    return list(order[max(0, rung - reach) : rung])


def after(order: Sequence[int], challenger: int, challenged: int) -> list[int]:
    """The ladder once the challenger has won; as it was when the challenged stands lower by now."""
    rungs = list(order)
    if rungs.index(challenger) < rungs.index(challenged):
        return rungs
    rungs.remove(challenger)
    rungs.insert(rungs.index(challenged), challenger)
    return rungs


def without(order: Sequence[int], gone: int) -> list[int]:
    """The ladder without somebody: all below step up."""
    return [one for one in order if one != gone]
