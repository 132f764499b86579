"""A toy title of two hills, two sides and up to four seats: the proof that nothing of the house counts on two.

Three scenarios on a hex map of 120 rows with levels. Every corps is a counter on two hexes that faces somewhere, every
side has a battery whose counter turns over, and an ambush that only its own side knows of. `write` makes its data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import orjson

import rules.titles
from rules.core.agenda import AGAIN, DONE, Next, Segments, Step
from rules.core.errors import Refusal
from rules.core.events import Teller, tell
from rules.core.forms import Choose, Move, Option, label
from rules.core.procedure import Procedure, ask, choose, roll, together
from rules.core.request import OPEN, Request
from rules.core.seats import Seat, Side
from rules.core.title import Terms, Title
from rules.core.view import Fragment
from rules.maps.hexes import TO_SIDE, stance
from rules.maps.hexmap import HexMap
from rules.mechanics.ending import finish
from rules.mechanics.stored import check_state, state_of

NORTH, SOUTH = "north", "south"
COLUMNS, ROWS = range(1, 8), range(1, 121)
FACING = {NORTH: "S", SOUTH: "N"}
BEHIND = {"S": 0, "N": 3}  # over which hexside the second hex of a counter lies
PLACES = ("wood", "village")
segments = Segments()


# -- data ----------------------------------------------------------------------------------------------------


def _map() -> dict[str, Any]:
    hexes: dict[str, Any] = {f"{c:02}{r:03}": {} for c in COLUMNS for r in ROWS}
    for top in ("04056", "04066"):
        hexes[top] = {"level": 2, "name": {"04056": "North Hill", "04066": "South Hill"}[top]}
    grid = HexMap({"grid": GRID, "hexes": hexes, "edges": {}})
    for top in ("04056", "04066"):
        for foot in grid.neighbours[top]:
            hexes[foot] = {"level": 1}
    return {"grid": GRID, "hexes": hexes, "edges": {}}


GRID = {"lower_columns": "even", "labels": [{"digits": [2, 3]}]}
TWO = {NORTH: {"side": NORTH}, SOUTH: {"side": SOUTH}}
FOUR = {"colborne": {"side": NORTH, "units": ["n1"]}, "picton": {"side": NORTH, "units": ["n2", "ng"]},
        "ney": {"side": SOUTH, "units": ["s1", "sg"]}, "reille": {"side": SOUTH, "units": ["s2"]}}  # fmt: skip
AT = {"n1": "03055", "n2": "05055", "ng": "04054", "s1": "03067", "s2": "05067", "sg": "04068"}
SCENARIOS = {
    "ridge": {"seatings": {"two": TWO, "four": FOUR}, "options": {"wind": [False, True]}, "rounds": 2, "at": AT},
    "duel": {"seatings": {"two": TWO}, "rounds": 1, "at": {name: AT[name] for name in ("n1", "s1", "ng", "sg")}},
    "pursuit": {"seatings": {"four": FOUR}, "clock": "side", "rounds": 2,
                "at": {**AT, "n1": "03118", "n2": "05118", "s1": "03001", "s2": "05001"}},
}  # fmt: skip
NAMES = {"n1": "Foot Guards", "n2": "Rifles", "s1": "Grenadiers", "s2": "Voltigeurs"}


def _units() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, at in NAMES.items():
        side = NORTH if name.startswith("n") else SOUTH
        found[name] = {"face": "formation", "nation": side, "side": side, "type": "infantry", "name": at, "strength": 4}
    for name, side in (("ng", NORTH), ("sg", SOUTH)):
        found[name] = {"face": "strength", "nation": side, "side": side, "type": "artillery", "name": "Battery",
                       "full": 3, "reduced": 1}  # fmt: skip
    return {"units": found, "figures": {"formation": ["strength"]}}


CLAUSES = {number: {"title": {"en": text}, "text": {"en": text}, "kind": "rule"} for number, text in
           {"1": "Ambush", "2": "March", "3": "Fire", "4": "Victory"}.items()}  # fmt: skip


def files() -> dict[str, Any]:
    """What the files of the title hold, by name; `scenarios` is the folder."""
    scenarios = {name: {"id": name, **body} for name, body in SCENARIOS.items()}
    return {"map": _map(), "units": _units(), "clauses": CLAUSES, "scenarios": scenarios}


def write(overlays: Path) -> None:
    """Writes the files of the title into a folder of overlays."""
    folder = overlays / TITLE.id
    (folder / "scenarios").mkdir(parents=True)
    bodies = files()
    for name, body in bodies.pop("scenarios").items():
        (folder / "scenarios" / f"{name}.json").write_bytes(orjson.dumps(body))
    for name, body in bodies.items():
        (folder / f"{name}.json").write_bytes(orjson.dumps(body))


# -- rules ---------------------------------------------------------------------------------------------------


class Game:
    """The map, the counters, and which seat commands each."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.scenario, self.seating = terms, terms.scenario, terms.seating
        self.map = HexMap(terms.data.files["map"])
        self.units: dict[str, dict[str, Any]] = terms.data.files["units"]["units"]
        self.leads = {unit: seat for seat in self.seating.seats for unit in self._led(seat)}

    def _led(self, seat: Seat) -> list[str]:
        own = [unit for unit in self.scenario["at"] if self.units[unit]["side"] == self.seating.side(seat)]
        return [unit for unit in own if unit in self.seating.details[seat].get("units", own)]


@dataclass
class Position:
    """Where each counter is (the foremost of its hexes) and faces, who turned over, and each side's ambush."""

    game: Game
    options: dict[str, Any]
    round: int = 0
    stage: str = "ambush"
    at: dict[str, str] = field(default_factory=dict)
    facing: dict[str, str] = field(default_factory=dict)
    marched: list[str] = field(default_factory=list)
    worn: list[str] = field(default_factory=list)
    ambush: dict[Side, str] = field(default_factory=dict)
    points: dict[Side, int] = field(default_factory=dict)
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.touched: set[str] = set()
        self.teller = Teller()

    def state(self) -> dict[str, Any]:
        return state_of(self)

    @classmethod
    def load(cls, game: Game, state: dict[str, Any]) -> Position:
        check_state(cls, state, game.units)
        return cls(game, **state)

    def phase(self) -> str:
        return f"{self.round}.{self.stage}"

    def on(self, unit: str) -> list[str]:
        """The hexes of a counter: a corps has its second one behind it, unless that is off the map."""
        at = self.at[unit]
        behind = self.game.map.step(at, BEHIND[self.facing[unit]]) if unit in NAMES else None
        return [at] if behind is None else [at, behind]

    def touch(self, unit: str) -> None:
        self.touched |= {f"space:{at}" for at in self.on(unit)}


class View:
    """Counters and points are open; an ambush is its side's."""

    def keys(self, pos: Position) -> Iterable[str]:
        spaces = {f"space:{at}" for unit in pos.at for at in pos.on(unit)}
        return [*spaces, "turn", "table:points", *(f"table:ambush_{side}" for side in pos.game.seating.sides)]

    def fragment(self, pos: Position, key: str) -> Fragment:
        kind, _, of = key.partition(":")
        if kind == "turn":
            return Fragment({"turn": pos.round, "phase": label(f"phase.{pos.stage}"), "steps": []})
        if of == "points":
            return Fragment({"title": label("table.points"), "rows": [
                {"label": label(f"seat.{side}"), "value": n, "clause": "4"} for side, n in pos.points.items()]})
        if kind == "table":
            return Fragment(None, of.removeprefix("ambush_"), _ambush(pos, of.removeprefix("ambush_")))
        units = [{"id": unit, "facing": pos.facing[unit], "formation": "line", "on": pos.on(unit),
                  "badges": [name for name, on in (("moved", pos.marched), ("reduced", pos.worn)) if unit in on]}
                 for unit in sorted(pos.at) if pos.at[unit] == of]  # fmt: skip
        if not units:
            return Fragment(None)
        side = pos.game.units[str(units[0]["id"])]["side"]
        return Fragment({"side": side, "count": len(units), "units": units})


def _ambush(pos: Position, side: Side) -> dict[str, Any] | None:
    """1 What a side alone sees of its ambush."""
    if side not in pos.ambush:
        return None
    return {"title": label("table.ambush"), "rows": [
        {"label": label(f"option.{pos.ambush[side]}"), "value": 1, "clause": "1"}]}  # fmt: skip


def _choice(name: str, clause: str, *options: str, ends: bool = False) -> Choose:
    return Choose(name, clause, tuple(Option(one, clause, label(f"option.{one}"), ends) for one in options))


@segments.segment
def ambush(pos: Position) -> Procedure[Next]:
    """1 All seats at once, in secret: the first of a side that has a choice to make lays its ambush, the others say
    that they stand ready."""
    firsts = {pos.game.seating.of_side(side)[0] for side in pos.game.seating.sides}
    answers = yield from together({
        seat: Request(seat, f"prompt.{'ambush' if seat in firsts else 'ready'}", "1",
                      (_choice("ambush", "1", *(PLACES if seat in firsts else ("ready",))),), needs=lambda _: OPEN)
        for seat in pos.game.seating.seats})  # fmt: skip
    for seat in sorted(firsts):
        side = pos.game.seating.side(seat)
        pos.ambush[side] = answers[seat]["option"]
        pos.touched.add(f"table:ambush_{side}")
        tell(pos, "laid", "1", side, private={side: {"where": label(f"option.{pos.ambush[side]}")}})
    return DONE


@segments.segment
def begin_round(pos: Position, number: int) -> Procedure[Next]:
    """2 A round begins: nobody has marched."""
    yield from ()
    for unit in pos.marched:
        pos.touch(unit)
    pos.round, pos.stage, pos.marched = number, "march", []
    pos.touched.add("turn")
    tell(pos, "round", "2", n=number)
    return DONE


def _reach(pos: Position, unit: str) -> dict[str, str]:
    """2 One hex over the front or a flank, one level up at the most, where nobody stands, facing either way; each step
    with the one before."""
    here, taken = pos.at[unit], {at for other in pos.at for at in pos.on(other) if other != unit}
    front, flank, _ = pos.game.map.arcs([here], pos.facing[unit], TO_SIDE)
    free = [at for at in sorted((*front, *flank)) if at not in taken and pos.game.map.rise(here, at) < 2]
    return {f"{at}@{facing}": here for at in free for facing in BEHIND}


@segments.segment
def march(pos: Position, seat: Seat) -> Procedure[Next]:
    """2 A seat marches with what it commands, a counter at a time, then hands over; a path may end with a facing."""
    mine = [unit for unit, by in pos.game.leads.items() if by == seat and unit not in pos.marched and unit in pos.at]
    side = pos.game.seating.side(seat)

    def reach(units: Any, aboard: Any) -> dict[str, Any]:  # noqa: ARG001
        if len(units) != 1 or units[0] not in mine:
            raise Refusal("refusal.not_yours", "2")
        via = _reach(pos, units[0])
        return {"from": pos.at[units[0]], "cost": dict.fromkeys(via, 1), "via": via, "left": 1, "blocked": {}}

    def legal(answer: Mapping[str, Any]) -> None:
        goals, path = reach(answer["units"], {})["cost"], answer["path"]
        if len(path) != 2 or path[0] != pos.at[answer["units"][0]] or path[1] not in goals:
            raise Refusal("refusal.too_far", "2", at=path[-1])

    stacks: dict[str, list[dict[str, Any]]] = {}
    for unit in mine:
        stacks.setdefault(pos.at[unit], []).append({"id": unit, "left": 1})
    forms = (*((Move("march", "2", dict(sorted(stacks.items())), reach, legal, stances=True),) if mine else ()),
             _choice("end", "2", "pass", ends=True))  # fmt: skip
    answer = yield from ask(Request(seat, "prompt.march", "2", forms, needs=lambda _: OPEN))
    if answer["form"] == "end":
        tell(pos, "handed_over", "2", side, by=seat)
        return DONE
    unit, goal = answer["units"][0], stance(answer["path"][-1])
    pos.touch(unit)
    pos.at[unit], pos.facing[unit] = goal.at, str(goal.facing)
    pos.marched.append(unit)
    pos.touch(unit)
    tell(pos, "marched", "2", side, units=[unit], path=[answer["path"][0], goal.at])
    return AGAIN


@segments.segment
def fire(pos: Position, side: Side) -> Procedure[Next]:
    """3 The battery of a side fires if its commander will: a hit turns the enemy's battery over, another removes it."""
    gun, foe = ("ng", "sg") if side == NORTH else ("sg", "ng")
    if gun not in pos.at or foe not in pos.at:
        return DONE
    seat = pos.game.leads[gun]
    form = _choice("fire", "3", "fire", "hold", ends=True)
    if (yield from choose(Request(seat, "prompt.fire", "3", (form,), needs=lambda _: OPEN))) == "hold":
        return DONE
    if (yield from roll("fire", "3", 1, 6)) >= (4 if pos.options.get("wind") else 3):
        pos.touch(foe)
        if foe in pos.worn:
            del pos.at[foe]
        pos.worn.append(foe)
        pos.points[side] += 1
        pos.touched.add("table:points")
        tell(pos, "hit", "3", side, units=[foe])
    else:
        tell(pos, "missed", "3", side)
    return DONE


@segments.segment
def judge(pos: Position) -> Procedure[Next]:
    """4 A point for a corps on the other hill; who has more has won."""
    yield from ()
    hills = {NORTH: "04066", SOUTH: "04056"}
    for side, hill in hills.items():
        pos.points[side] += sum(pos.at.get(unit) == hill and pos.game.units[unit]["side"] == side for unit in NAMES)
    north, south = pos.points[NORTH], pos.points[SOUTH]
    finish(pos, None if north == south else NORTH if north > south else SOUTH, "points", "4", north=north, south=south)
    pos.touched.add("table:points")
    north_at, south_at = (label(f"option.{pos.ambush[side]}") for side in (NORTH, SOUTH))
    tell(pos, "over", "4", reveals=True, north=north_at, south=south_at)
    return DONE


def begin(game: Game, options: dict[str, Any]) -> Position:
    at = dict(game.scenario["at"])
    pos = Position(game, options, at=at, facing={unit: FACING[game.units[unit]["side"]] for unit in at},
                   points=dict.fromkeys(game.seating.sides, 0))  # fmt: skip
    turn: list[Step] = [*(["march", seat] for seat in game.seating.seats), ["fire", NORTH], ["fire", SOUTH]]
    pos.agenda = [["ambush"]]
    for n in range(1, game.scenario["rounds"] + 1):
        pos.agenda += [["begin_round", n], *turn]
    pos.agenda.append(["judge"])
    return pos


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:  # noqa: ARG001
    for other in pos.game.seating.sides:
        if other != side and other in pos.ambush:
            pos.ambush[other] = rng.choice(PLACES)
    pos.touched.clear()


def check(pos: Position) -> None:
    """Nobody stands on anybody else."""
    taken = [at for unit in pos.at for at in pos.on(unit)[:1]]
    assert len(set(taken)) == len(taken)


def lab(game: Game, options: dict[str, Any], body: Mapping[str, Any], base: Position | None = None) -> Position:
    pos = base or begin(game, options)
    pos.at.update(body.get("units", {}))
    return pos


TITLE = Title(id="hills", version="1", schema=1, segments=segments, view=View(), compile=Game, begin=begin,
              load=Position.load, scramble=scramble, invariants=check, lab=lab)  # fmt: skip
WORDS = {
    "title.name": "Two Hills", "title.subtitle": "A toy", "title.blurb": "A toy.",
    "scenario.ridge": "The ridge", "scenario.ridge.briefing": "Two hills, four corps.",
    "scenario.duel": "A duel", "scenario.duel.briefing": "A corps each.",
    "scenario.pursuit": "The pursuit", "scenario.pursuit.briefing": "From one end of the map to the other.",
    "seat.north": "North", "seat.south": "South", "seat.colborne": "Colborne", "seat.picton": "Picton",
    "seat.ney": "Ney", "seat.reille": "Reille", "option.wind": "Wind", "option.wind.false": "Still",
    "option.wind.true": "Windy", "option.wood": "In the wood", "option.village": "In the village",
    "option.ready": "Ready", "option.pass": "Hand over", "option.fire": "Fire", "option.hold": "Hold fire",
    "prompt.ambush": "Lay your ambush", "prompt.ready": "Stand ready", "prompt.march": "March", "prompt.fire": "Fire?",
    "form.ambush": "Ambush", "form.march": "March", "form.end": "End", "form.fire": "Fire",
    "phase.ambush": "Ambushes", "phase.march": "March", "table.points": "Points", "table.ambush": "Our ambush",
    "event.laid": "{side} lays an ambush", "event.round": "Round {n}", "event.handed_over": "{by} hands over",
    "event.marched": "{units} to {path}", "event.hit": "{units} is hit", "event.missed": "A miss",
    "event.over": "The end",
    "result.points": "North {north}, South {south}", "refusal.not_yours": "not yours", "refusal.too_far": "too far",
}  # fmt: skip


def install() -> None:
    """Makes it one of the house's titles, for this process."""
    real = rules.titles.load
    rules.titles.load = lambda title_id: TITLE if title_id == TITLE.id else real(title_id)
