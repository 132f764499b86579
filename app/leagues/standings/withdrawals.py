"""What becomes of the results of somebody who withdrew (FIDE Handbook C.05, for the rule `half`)."""

from collections.abc import Iterable, Mapping
from typing import Literal

WithdrawalRule = Literal["forfeit", "annul", "half"]


def annulled(left: Iterable[int], played: Mapping[int, int], due: int, rule: WithdrawalRule) -> frozenset[int]:
    """Of those who left, whose results count for nobody. `forfeit`: nobody's; `annul`: everybody's; `half`: of those
    who had played fewer than half of the `due` games."""
    if rule == "forfeit":
        return frozenset()
    return frozenset(one for one in left if rule == "annul" or played.get(one, 0) * 2 < due)
