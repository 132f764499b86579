"""A finished game in numbers, from what was told: points turn by turn, strength, losses, time, and what the dice were
worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from app.games.told import ToldEntry
from rules.core.seats import ALL, Seating
from rules.core.tally import Throw
from rules.core.title import Title

MOST = 3  # rolls that are said to have mattered most


@dataclass(frozen=True)
class Fight:
    """A roll that decided a fight: the entry and step that told it, and in which turn."""

    seq: int
    turn: Any
    step: Mapping[str, Any]
    throw: Throw


@dataclass
class Sample:
    """The end of a turn. By side: points, where it has some; strength on the map in the title's measure; units lost."""

    turn: Any
    label: str
    score: dict[str, float]
    strength: dict[str, float]
    lost: dict[str, int]


@dataclass
class Summary:
    """`used`: by seat, how long it took to answer; `luck`: by side, what its dice brought beyond what was to be
    expected."""

    sides: Sequence[str]
    samples: list[Sample] = field(default_factory=list)
    fights: list[Fight] = field(default_factory=list)
    used: dict[str, timedelta] = field(default_factory=dict)

    @property
    def luck(self) -> dict[str, float]:
        return {side: sum(one.throw.luck for one in self.fights if one.throw.side == side) for side in self.sides}

    @property
    def decisive(self) -> list[Fight]:
        """The rolls that were farthest from what was to be expected, in the order in which they fell."""
        found = sorted(self.fights, key=lambda one: -abs(one.throw.luck))[:MOST]
        return sorted((one for one in found if one.throw.luck), key=lambda one: one.seq)


def summed_up(title: Title, game: Any, seating: Seating, entries: Iterable[ToldEntry]) -> Summary:
    """`entries`: the whole record in its order."""
    out = Summary(seating.sides)
    shown: dict[str, Any] = {}
    lost = dict.fromkeys(seating.sides, 0)
    before: datetime | None = None
    for entry in entries:
        if entry.kind == "answer" and entry.seat and not entry.forced and before is not None:
            out.used[entry.seat] = out.used.get(entry.seat, timedelta()) + (entry.at - before)
        before = entry.at
        if entry.retracted:
            continue
        for step in entry.told.get(ALL, ()):
            if _turns(shown, step["fragments"]):
                out.samples.append(_sample(title, game, shown, lost))
            _count(title.lost, shown, step["fragments"], lost)
            shown.update(step["fragments"])
            if (thrown := title.tally.throw(game, step)) is not None:
                out.fights.append(Fight(entry.seq, (shown.get("turn") or {}).get("turn"), step, thrown))
    if shown.get("turn"):
        out.samples.append(_sample(title, game, shown, lost))
    return out


def _turns(shown: Mapping[str, Any], fragments: Mapping[str, Any]) -> bool:
    """Whether another turn begins."""
    now, new = shown.get("turn"), fragments.get("turn")
    return bool(now and new and now["turn"] != new["turn"])


def _count(prefix: str, shown: Mapping[str, Any], fragments: Mapping[str, Any], lost: dict[str, int]) -> None:
    """Units that come into the pools of those that are lost, once there is a turn."""
    for key, pool in fragments.items():
        if key.startswith(prefix) and pool and shown.get("turn") and pool.get("side") in lost:
            old = {unit["id"] for unit in (shown.get(key) or {}).get("units", ())}
            lost[pool["side"]] += sum(unit["id"] not in old for unit in pool["units"])


def _sample(title: Title, game: Any, shown: Mapping[str, Any], lost: Mapping[str, int]) -> Sample:
    strength = dict.fromkeys(lost, 0.0)
    for key, space in shown.items():
        if key.startswith("space:") and space:
            for side, units in _standing(space):
                if side in strength:
                    strength[side] += sum(title.tally.worth(game, unit) for unit in units)
    cells = (shown.get("track") or {}).get("cells", ())
    label = next((str(cell["label"]) for cell in cells if cell["state"] == "now"), "")
    turn = shown["turn"]["turn"]
    score = {side: value for side, value in title.tally.score(shown).items() if side in lost}
    return Sample(turn, label or str(turn), score, strength, dict(lost))


def _standing(space: Mapping[str, Any]) -> Iterable[tuple[str | None, Sequence[Mapping[str, Any]]]]:
    yield space.get("side"), space.get("units") or ()
    for other in space.get("others") or ():
        yield other["side"], other.get("units") or ()
