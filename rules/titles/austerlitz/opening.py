"""3.0, A5.1, A15 What the start of a turn brings: fog, releases, calls for help, markers of scenarios."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose, roll
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import duty
from rules.titles.austerlitz.leaders import NAPOLEON
from rules.titles.austerlitz.position import DUE, Position
from rules.titles.austerlitz.turn import segments, stage
from rules.titles.austerlitz.units import ALLIED, FRENCH
from rules.titles.austerlitz.victory import holds


@segments.segment
def turn_begins(pos: Position) -> Procedure[Next]:
    """3.0 A turn begins. A15.2, A15.5 dice for releases and help are rolled now."""
    stage(pos, "command_change")
    pos.special["again"] = []
    pos.special.pop("spared", None)
    pos.fight = None
    pos.touched.add("combat")
    pos.special["chain"] = {}
    _fog(pos)
    duty.free_garrison(pos)
    if "limits" in pos.plan:
        yield from _release(pos)
        yield from _heights(pos)
    if "help" in pos.plan:
        yield from _help(pos)
    if pos.scenario == "pratzen":
        _pratzen(pos)
    pos.tell("turn_began", "3.0", None, hour=pos.hour)
    return DONE


def _fog(pos: Position) -> None:
    """A5.1 The highest level in fog by the hour; gone at 9:00."""
    fog = pos.game.tables["fog"].get(pos.hour) if pos.plan["fog"] else None
    if pos.special.get("fog") != fog:
        pos.special["fog"] = fog
        pos.touched.add("table:fog")


def _bound(pos: Position) -> list[str]:
    """The corps still under Buxhowden's rule."""
    return [c for r in pos.plan["limits"] for c in r["corps"] if c not in pos.special.get("released", ())]


def _release(pos: Position) -> Procedure[None]:
    """A15.2, A15.5 With two objectives held a die a turn, from the second on at +1 each: 9 frees a corps. With fewer
    the dice stop, and begin anew."""
    plan, bound = pos.plan["release"], _bound(pos)
    held = sum(holds(pos, ALLIED, p) for p in plan["objectives"])
    if held < plan["needed"] or not bound:
        pos.special["release_turns"] = 0
        return
    more = int(pos.special.get("release_turns", 0))
    pos.special["release_turns"] = more + 1
    die = yield from roll("release", pos.plan["clause"], 0, 9)
    pos.tell("release_rolled", pos.plan["clause"], ALLIED, roll=die, plus=more)
    if die + more >= plan["success"]:
        said = yield from _which(pos, bound, "prompt.release")
        for corps in _with_it(pos, said, bound):
            pos.special.setdefault("released", []).append(corps)
            pos.tell("released", pos.plan["clause"], ALLIED, command=f"command.{corps}")
        pos.touched.add("layer:limits")


def _heights(pos: Position) -> Procedure[None]:
    """A15.2, A5.2 While a French unit is on the Pratzen heights a 9 frees a corps from its northern row."""
    if not pos.plan["release"].get("heights"):
        return
    heights = pos.game.board.regions["pratzen_heights"]
    rows = [c for r in pos.plan["limits"] if "north" in r for c in r["corps"]]
    able = [c for c in _bound(pos) if c in rows and c not in pos.special.get("northern", ())]
    if not able or heights.isdisjoint(pos.hexes_of(FRENCH)):
        return
    die = yield from roll("release by the heights", "A15.2", 0, 9)
    pos.tell("heights_rolled", "A15.2", ALLIED, roll=die)
    if die >= pos.plan["release"]["success"]:
        said = yield from _which(pos, able, "prompt.release_north")
        for corps in _with_it(pos, said, able):
            pos.special.setdefault("northern", []).append(corps)
            pos.tell("released_north", "A15.2", ALLIED, command=f"command.{corps}")
        pos.touched.add("layer:limits")


def _with_it(pos: Position, corps: str, bound: list[str]) -> list[str]:
    """A15.2 The corps that are free with one: both of the 4th Column are one to the rules that name it."""
    rule = next(r for r in pos.plan["limits"] if corps in r["corps"])
    return [c for c in rule["corps"] if c in bound]


def _which(pos: Position, corps: list[str], prompt: str) -> Procedure[str]:
    options = tuple(Option(c, pos.plan["clause"], label("option.division", command=f"command.{c}")) for c in corps)
    return (yield from choose(Request(pos.commander(ALLIED), prompt, pos.plan["clause"], (
        Choose("corps", pos.plan["clause"], options),), needs=needs_open)))


def _help(pos: Position) -> Procedure[None]:
    """A15.5 Au secours: from the call on a die a turn, +1 for each later one; 9 brings Oudinot's division."""
    if pos.special.get("help_came"):
        return
    if not pos.special.get("help_asked"):
        options = (Option("wait", "A15.5", label("option.no_help")), Option("call", "A15.5", label("option.call_help")))
        said = yield from choose(Request(pos.commander(FRENCH), "prompt.help", "A15.5", (
            Choose("help", "A15.5", options),), needs=needs_open))
        if said == "wait":
            return
        pos.special["help_asked"] = pos.turn
        pos.tell("help_asked", "A15.5", FRENCH)
    more = pos.turn - int(pos.special["help_asked"])
    die = yield from roll("help", "A15.5", 0, 9)
    pos.tell("help_rolled", "A15.5", FRENCH, roll=die, plus=more)
    if die + more >= pos.plan["help"]["success"]:
        pos.special["help_came"] = True
        units = [u for u in pos.plan["help"]["units"] if u in pos.game.units or u in pos.game.leaders]
        for counter in units:
            if counter in pos.game.leaders:
                pos.put_leader(counter, DUE[FRENCH])
            else:
                pos.put(counter, DUE[FRENCH])
        pos.due.append([pos.turn, FRENCH, units, pos.plan["help"]["entry"], None])
        pos.touched.add("table:breakpoints_french")
        pos.tell("help_comes", "A15.5", FRENCH)


def _pratzen(pos: Position) -> None:
    """A15.6 Napoleon commands from the turn after his coming; Kamenski's marker comes by itself at 10:40."""
    if ":" not in pos.leaders.get(NAPOLEON, ":"):
        pos.special["napoleon_commands"] = True
    if any(pos.game.board.level[h] == 5 for h in pos.hexes_of(FRENCH)):
        pos.special.setdefault("level5", pos.turn - 1)  # however they came there: at the latest in the turn before
    if pos.hour == "10:40" and "LIM-A-2-2C" not in pos.pool:
        pos.pool.append("LIM-A-2-2C")
        pos.touched.add("pool:markers_allied")
