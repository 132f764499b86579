"""Small words for requests, dice and losses that all chapters use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rules.core.forms import Allocate, Answer, Choose, Form, Lot, Option, in_points, label
from rules.core.procedure import Procedure, ask, choose, roll, rolls
from rules.core.request import Needs, Request, needs_open
from rules.titles.guerra_a_muerte.board import HALF
from rules.titles.guerra_a_muerte.position import Position

DIE = range(1, 7)  # the faces of `d6`

SECOND = "/2"  # the second step of a counter in a lot of steps


def d6(why: str, clause: str) -> Procedure[int]:
    """1.3.6 A six-sided die."""
    return (yield from roll(why, clause, 1, 6))


def d10(why: str, clause: str, dice: int) -> Procedure[tuple[int, ...]]:
    """1.3.6 Ten-sided dice, each for itself."""
    return (yield from rolls(why, clause, 1, 10, dice))


def want(side: str, prompt: str, clause: str, forms: Iterable[Form], *, open_grounds: bool = False,
         needs: Callable[[Answer], Needs] = needs_open, **args: Any) -> Procedure[Answer]:
    """The answer of a side to a request of several forms."""
    return (yield from ask(Request(side, f"prompt.{prompt}", clause, tuple(forms), args, open_grounds=open_grounds,
                                   needs=needs)))


def pick(side: str, prompt: str, clause: str, options: Sequence[Option], *, open_grounds: bool = False,
         needs: Callable[[Answer], Needs] = needs_open, **args: Any) -> Procedure[str]:
    """One of several options."""
    return (yield from choose(Request(side, f"prompt.{prompt}", clause, (Choose(prompt, clause, tuple(options)),), args,
                                      open_grounds=open_grounds, needs=needs)))


def yes_no(side: str, prompt: str, clause: str, *, needs: Callable[[Answer], Needs] = needs_open,
           **args: Any) -> Procedure[bool]:
    """A decision for or against."""
    return (yield from pick(side, prompt, clause, [
        Option("yes", clause, label(f"option.{prompt}_yes")), Option("no", clause, label(f"option.{prompt}_no"))],
        needs=needs, **args)) == "yes"


def done(name: str, clause: str, *, forecast: bool = False) -> Choose:
    """The form that ends something; with `forecast` attrition comes next, and what it may cost is said before."""
    return Choose(name, clause, (Option("end", clause, label(f"option.{name}"), ends=True, forecast=forecast),))


def step_tokens(pos: Position, units: Iterable[str]) -> tuple[str, ...]:
    """A counter once for each step it has left: ID, and ID/2 for the second."""
    return tuple(token for u in units for token in ((u, u + SECOND) if pos.steps(u) > 1 else (u,)))


def lose(pos: Position, player: str, units: Sequence[str], steps: int, clause: str, at: str,
         needs: Callable[[Answer], Needs] = needs_open) -> Procedure[list[str]]:
    """6.1, 5.3 The owner chooses which counters lose steps; the counters that are gone."""
    tokens = step_tokens(pos, units)
    hidden = any(pos.boxed(u) and pos.hidden(pos.unit(u).side, at) for u in units if at in pos.game.worth)
    if steps <= 0 or not tokens:
        return []
    taken, most = list(tokens), min(steps, len(tokens))
    if hidden or steps < len(tokens):  # of a closed box it is not known whether there is a choice
        answer = yield from want(player, "losses", clause, [Allocate("losses", clause, "lose", (
            Lot("steps", tokens, most, most, at=at),))], open_grounds=not hidden, needs=needs, n=steps, at=at)
        taken = answer["lots"]["steps"]
    for token in taken:
        pos.lose_step(token.removesuffix(SECOND))
    pos.tidy()
    gone = sorted({u for u in units if not pos.on_map(u)})
    side = pos.unit(units[0]).side if units else None
    pos.tell("steps_lost", clause, side, at=at, count=len(taken), lost=gone, gone=len(gone), reveals=hidden,
             private={side: {"units": sorted({t.removesuffix(SECOND) for t in taken})}} if side == player else {})
    return gone


def points(half_points: int) -> str:
    """Points as people write them: whole ones, and a half."""
    return str(in_points(half_points, HALF))
