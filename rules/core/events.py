"""Events: told once, as they happen, to each audience in its own version with the fragments that changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.seats import ALL, Eye, Side
from rules.core.view import Views

Step = dict[str, Any]  # docs/protocol.md section 6
Told = dict[Eye, list[Step]]


class Teller:
    """Collects what is told between one entry of the record and the next."""

    def __init__(self) -> None:
        self.views: Views | None = None
        self.told: Told = {}
        self.reveals = False

    def tell(self, pos: Any, event: str, clause: str, side: Side | None, data: Mapping[str, Any],
             private: Mapping[Side, Mapping[str, Any]], reveals: bool) -> None:
        self.reveals |= reveals
        if self.views is None:
            pos.touched.clear()
            return
        told = self.told
        if not told:
            told.update({eye: [] for eye in self.views.eyes})
        changed = self.views.refresh(pos, pos.touched) if pos.touched else {}
        pos.touched.clear()
        for eye, steps in told.items():
            version = data
            if private:
                for owner, more in private.items():
                    if eye in (owner, ALL):
                        version = {**version, **more}
            steps.append({"event": event, "clause": clause, "side": side, "data": version,
                          "fragments": changed.get(eye, {})})

    def drain(self, pos: Any) -> tuple[Told, bool]:
        """What was told since the last call, and whether anything hidden was shown. What changed after the last
        event (a board cleared away) goes with that event."""
        if self.views is not None and pos.touched and self.told:
            for eye, changed in self.views.refresh(pos, pos.touched).items():
                self.told[eye][-1]["fragments"].update(changed)
            pos.touched.clear()
        told, reveals = self.told, self.reveals
        self.told, self.reveals = {}, False
        return told, reveals


def tell(pos: Any, event: str, clause: str, side: Side | None = None, *, reveals: bool = False,
         private: Mapping[Side, Mapping[str, Any]] | None = None, **data: Any) -> None:
    """Tell an event: `data` to everybody, `private[side]` to that side alone, each with its changed fragments.

    `reveals` marks that something hidden was shown, which ends a free take-back.
    """
    pos.teller.tell(pos, event, clause, side, data, private or {}, reveals)
