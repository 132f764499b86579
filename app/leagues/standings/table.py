"""The table of an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.leagues.standings import tie_breaks
from app.leagues.standings.results import WORTH, Meeting, Scoring


@dataclass
class Row:
    """An entrant in the table. `rank` is shared by those whom no tie-break parts; `points` in halves; `breaks` the
    value of each tie-break."""

    entrant: int
    rank: int = 0
    points: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    breaks: dict[str, int] = field(default_factory=dict)


def table(entrants: Sequence[int], meetings: Sequence[Meeting], names: Sequence[str],
          scoring: Scoring = "one") -> list[Row]:
    """All entrants, the best first. Where every tie-break is equal they share a rank and stand in the order in which
    they were given: that of the draw."""
    worth = WORTH[scoring]
    own = tie_breaks.by_entrant(meetings)
    rows = {entrant: _count(entrant, own[entrant], worth) for entrant in entrants}
    points = {entrant: row.points for entrant, row in rows.items()}
    points |= {one: 0 for meeting in meetings for one in (meeting.first, meeting.second)
               if one is not None and one not in points}  # fmt: skip
    for name in names:
        if name in tie_breaks.ALONE:
            for entrant, row in rows.items():
                row.breaks[name] = tie_breaks.ALONE[name](entrant, own[entrant], points)
    groups = _split(list(rows), points)
    for name in names:
        parts: list[list[int]] = []
        for group in groups:
            if name == "direct":
                values = tie_breaks.direct(group, meetings, worth)
                for entrant, value in values.items():
                    rows[entrant].breaks["direct"] = value
            else:
                values = {entrant: rows[entrant].breaks[name] for entrant in group}
            parts += _split(group, values)
        groups = parts
    ordered: list[Row] = []
    for group in groups:
        for entrant in group:
            rows[entrant].rank = len(ordered) + 1 - group.index(entrant)
            ordered.append(rows[entrant])
    return ordered


def _count(entrant: int, meetings: Sequence[Meeting], worth: Mapping[str, int]) -> Row:
    row = Row(entrant)
    for one in tie_breaks.of(entrant, meetings):
        how = one.of(entrant)
        row.points += worth[how]
        if how != "bye":
            row.played += 1
            row.won += how == "win"
            row.drawn += how == "draw"
            row.lost += how == "loss"
    return row


def _split(group: Sequence[int], values: Mapping[int, int]) -> list[list[int]]:
    """A group parted by a value, the highest first; the order within stays."""
    return [[one for one in group if values[one] == value]
            for value in sorted({values[one] for one in group}, reverse=True)]  # fmt: skip
