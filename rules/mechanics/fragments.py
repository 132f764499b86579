"""Contents of fragments that titles have alike: tables of rows, the order of a turn (docs/protocol.md section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from rules.core.view import Content, Fragment

Piece = dict[str, Any]


class ByKind:
    """A whitelist whose fragments are made by the kind in their key, `KIND` or `KIND:NAME`: `NAMED` has what makes one
    of a position and the name, `ALONE` what makes one without a name. Any other kind is a field of the position that
    lies open as it is: `battle`, `result`."""

    NAMED: ClassVar[Mapping[str, Callable[[Any, str], Content | Fragment]]] = {}
    ALONE: ClassVar[Mapping[str, Callable[[Any], Content]]] = {}

    def fragment(self, pos: Any, key: str) -> Fragment:
        """The fragment of one key."""
        kind, _, name = key.partition(":")
        if (maker := self.NAMED.get(kind)) is not None:
            made = maker(pos, name)
        else:
            made = self.ALONE[kind](pos) if kind in self.ALONE else getattr(pos, kind)
        return made if isinstance(made, Fragment) else Fragment(made)


@lru_cache(4096)
def bare(unit: str) -> Piece:
    """A counter with nothing on it: the same one each time, so that lists of many are soon made and compared. As
    nothing else of a view it is ever changed."""
    return {"id": unit, "badges": []}


def text(key: str, **args: Any) -> Piece:
    """A sentence of the catalogue, named."""
    return {"key": key, "args": args}


def row(key: str, value: Any, clause: str, **args: Any) -> Piece:
    """One line of a table."""
    return {"label": text(key, **args), "value": value, "clause": clause}


def table(name: str, rows: Sequence[Piece], **args: Any) -> Piece:
    """A table with its title, `table.NAME`."""
    return {"title": text(f"table.{name}", **args), "rows": list(rows)}


def turn(pos: Any, order: Sequence[str], now: int | None) -> Piece:
    """Turn, phase and whose it is, with the steps of a turn in their `order`; `now` is the place of the present one,
    None where it is none of them."""
    steps = _steps(tuple(order), -1 if now is None else now)
    return {"turn": pos.turn, "phase": text(f"stage.{pos.stage}"), "side": pos.active, "steps": steps}


@lru_cache(256)
def _steps(order: Sequence[str], here: int) -> list[Piece]:
    """The steps of a turn, the same list each time: not to be changed."""
    states = ["done" if i < here else "now" if i == here else "todo" for i in range(len(order))]
    return [
        {"id": step, "label": text(f"step.{step}"), "state": state} for step, state in zip(order, states, strict=True)
    ]


def cell(label: str, title: Piece, turn: int, now: int, marks: Sequence[str] = ()) -> Piece:
    """One cell of the track of turns, past, present or to come."""
    state = "past" if turn < now else "now" if turn == now else "todo"
    return {"label": label, "title": title, "state": state, "marks": list(marks)}
