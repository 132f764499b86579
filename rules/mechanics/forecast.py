"""What a check of a title's own rules may cost a stack: one die or several, each face with its loss (docs/protocol.md
section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Check = dict[str, Any]  # "unit" (if it is one unit's die), "modifiers", "total", "faces"


def outlook(checks: Sequence[Check]) -> dict[str, Any]:
    """All dice of a stack: their faces, what they cost together on average (one decimal, halves up) and at most."""
    mean = sum((Fraction(sum(face["loss"] for face in check["faces"]), len(check["faces"])) for check in checks),
               Fraction(0))
    tenths = int(mean * 10 + Fraction(1, 2))
    return {"checks": list(checks), "mean": f"{tenths // 10}.{tenths % 10}",
            "most": sum(max(face["loss"] for face in check["faces"]) for check in checks)}
