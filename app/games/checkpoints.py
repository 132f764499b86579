"""Positions as they are stored: whole, or as their difference from another (docs/data.md)."""

from app.games.record import BASE, NEWEST, START, StoredCheckpoint
from app.packing import Base, pack, unpack
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Title

LARGE = 3000  # bytes of a difference, from which on the next get another base


def stored(checkpoint: Checkpoint, phase: str, title: Title, base: Base | None) -> StoredCheckpoint:
    """As its difference from `base`, or whole."""
    state = base.difference(checkpoint.state) if base else pack(checkpoint.state)
    return StoredCheckpoint(phase, checkpoint.seq, title.schema, title.version, state, base.name if base else None)


def points(referee: Referee, base: Base | None) -> list[StoredCheckpoint]:
    """The phases begun since the last call, and the newest position unless a phase began with it."""
    phases = referee.drain_phases()
    newest = [] if phases and phases[-1] is referee.newest else [(referee.newest, NEWEST)]
    return [stored(p, phase, referee.title, base) for p, phase in [*((p, p.phase) for p in phases), *newest]]


def opened(checkpoint: StoredCheckpoint) -> tuple[bytes, Base | None]:
    """The state of a stored checkpoint, and the base for later ones: its own, or itself if it may be one."""
    if checkpoint.base is not None and checkpoint.base_state is not None:
        base = Base(checkpoint.base, unpack(checkpoint.base_state))
        return base.whole(checkpoint.state), base
    state = unpack(checkpoint.state)
    lasting = checkpoint.phase == START or checkpoint.phase.startswith(BASE)
    return state, Base(checkpoint.phase, state) if lasting else None
