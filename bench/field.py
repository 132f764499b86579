"""Austerlitz alone: reach of a battalion with facing and formation, lines of sight from a battery, what a seat is sent
of the whole battle, its map."""

import gzip
import zlib
from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any

import orjson

import rules.bots
import rules.titles
from app.games.data import current
from app.sheet import sheets
from app.sheet.drawing import draw_map
from bench.figures import Figure, quantile
from bench.site import Site
from bench.supply import milliseconds
from rules.bots.playout import chance
from rules.core.referee import Referee
from rules.titles.austerlitz import movement
from rules.titles.austerlitz.position import Position

TITLE = "austerlitz"
REACH, SIGHT, VIEW, STEP, MAP = 10, 20, 30, 2, 400  # ms, ms, kB, kB, kB
FAR = 16  # hexes, the longest range of a gun (8.1.6)
SPACING = 53  # every so many hexes of the map a battery looks about
ANSWERS = 300  # of the whole battle, from the end of the set-up on


def measure(_site: Site) -> Iterator[Figure]:
    yield _reach()
    yield _sight()
    yield from _sent()
    drawn = draw_map(current(TITLE).files["map"], sheets.title_style(TITLE), "en").encode()
    yield Figure("layer of the map, compressed", "kB", len(gzip.compress(drawn, 6, mtime=0)) / 1000, limit=MAP)


def _position(**body: Any) -> Position:
    pos = rules.titles.load(TITLE).written(current(TITLE), body)
    assert isinstance(pos, Position)
    return pos


def _reach() -> Figure:
    """5.0, 6.3 Suchet's battalions at the start of A15.1, all stances that each can come to; as in a game the ways over
    the ground are known from the moves before."""
    pos = _position(scenario="northern_flank", position={"phase": "move", "active": "F-3-V"})
    foot = [u for u in pos.game.members["F-3-V"] if pos.unit(u).foot and pos.on_map(u)]
    pos.agenda.clear()
    spent: list[float] = []
    for _ in range(5):
        spent = [milliseconds(lambda unit=unit: movement.reach_of(pos, [unit])) for unit in foot]  # type: ignore[misc]
    first = _position(scenario="northern_flank", position={"phase": "move", "active": "F-3-V"})
    cold = milliseconds(lambda: movement.reach_of(first, foot[:1]))
    return Figure("reach of a battalion, facing and formation", "ms", median(spent), limit=REACH,
                  note=f"the slowest {max(spent):.2g}, the first of a process {cold:.2g}")


def _sight() -> Figure:
    """8.1.7 From a hex to all within the longest range, the whole battle's troops in the way, nothing known before."""
    pos = _position(scenario="whole_battle", position={})
    board, sight, spent = pos.game.board, pos.game.sight, list[float]()
    for hex_ in sorted(board.around)[::SPACING]:
        hexes = board.within(hex_, FAR)
        sight.forget()
        spent.append(milliseconds(lambda hex_=hex_, hexes=hexes: [  # type: ignore[misc]
            sight.clear(hex_, there, pos.holder) for there in hexes]))
    return Figure("line of sight from a battery to all in range", "ms", median(spent), limit=SIGHT,
                  note=f"{FAR} hexes; the slowest {max(spent):.2g}")


def _sent() -> Iterator[Figure]:
    """What a side is sent of the whole battle: its view, and what each answer of random play tells it."""
    title, data, rng, bot = rules.titles.load(TITLE), current(TITLE), Random(1), rules.bots.make("random")
    referee = Referee.start(title, data, "whole_battle", {}, chance(title, 1), seats=("french", "allied"))
    whole, sizes, changes = 0.0, list[float](), list[float]()
    while referee.pending and len(changes) < ANSWERS:
        seat = rng.choice(referee.asked)
        made = referee.answer(seat, bot.answer(referee, seat, rng))
        if referee.pos.stage == "set_up":
            continue
        plain = orjson.dumps(referee.views.whole(seat, referee.seq))
        whole = max(whole, len(plain) / 1000)
        sizes.append(len(zlib.compress(plain, 1)) / 1000)
        changes += [len(orjson.dumps({"seq": entry.seq, "steps": entry.told.get(seat, [])})) / 1000 for entry in made]
    yield Figure("view of a seat, the whole battle", "kB", max(sizes), limit=VIEW,
                 note=f"deflated as sockets do; the largest; as it is {whole:.3g}")
    yield Figure("changes of a step, the whole battle", "kB", median(changes), limit=STEP,
                 note=f"as they are; p95 {quantile(changes, 0.95):.2g}")
