"""2.2, 2.3, A2, A4.1 Counters, leaders, commands and markers as printed."""

from __future__ import annotations

from dataclasses import dataclass

FRENCH, ALLIED = "french", "allied"
SIDES = (FRENCH, ALLIED)
INFANTRY, CAVALRY, ARTILLERY, LEADER, MARKER = "infantry", "cavalry", "artillery", "leader", "marker"
GOOD, SHAKEN, UNSTEADY, ROUT = 0, 1, 2, 3          # 9.1.1, counted downwards
HEAVY = frozenset({"heavy", "cuirassier"})
LETTERS = "ABCDEF"


def enemy(side: str) -> str:
    """The other side."""
    return ALLIED if side == FRENCH else FRENCH


@dataclass(frozen=True, slots=True)
class Unit:
    """2.3 One battalion, regiment or battery. `strength` in points (2.2), `fire` its letter, `command` its division
    (None: guns of a corps, A4.6), `hexes` 1 or 2 (6.5), `cavalry` its class (A8.1), `gun` its row of the range
    table."""

    id: str
    side: str
    nation: str
    corps: str
    command: str | None
    arm: str
    strength: int
    fire: str | None
    morale: int
    movement: int
    skirmish: bool
    elite: bool
    hexes: int
    cavalry: str | None
    gun: str | None
    horse: bool
    companies: tuple[str, ...]
    battalion: str | None

    @property
    def cossack(self) -> bool:
        return self.cavalry == "cossack"

    @property
    def foot(self) -> bool:
        return self.arm == INFANTRY

    @property
    def mounted(self) -> bool:
        return self.arm == CAVALRY

    @property
    def guns(self) -> bool:
        return self.arm == ARTILLERY


@dataclass(frozen=True, slots=True)
class Leader:
    """4.1.2 A leader: `rank` overall, corps, division, brigade, staff or replacement; `range` in hexes (A4.2)."""

    id: str
    side: str
    rank: str
    command: str | None
    range: int
    activation: int
    personality: str
    modifier: int
    span: int
    duty: str | None
    independent: bool
    grand_battery: tuple[int, int, int] | None   # span, range, activation (A4.5.1)


@dataclass(frozen=True, slots=True)
class Command:
    """A4.1 A division (Allied brigades are divisions, A4.1.2) or a corps; `breakpoint` is its level (11.2), None for
    those that have none."""

    id: str
    side: str
    kind: str
    leader: str | None
    corps: str | None
    divisions: tuple[str, ...]
    breakpoint: int | None
    independent: bool


@dataclass(frozen=True, slots=True)
class Marker:
    """4.0 A leader initiative marker (LIM)."""

    id: str
    side: str
    kind: str
    command: str | None
