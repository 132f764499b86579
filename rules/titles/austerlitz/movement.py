"""5.0 Movement, step by step: each action is paid, the ground may disorder, and the other side may react to it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Form, Move, Option, label
from rules.core.procedure import Procedure, ask
from rules.core.request import Request, needs_open
from rules.core.sealed import sealed
from rules.maps.hexes import FACINGS, Stance, stance
from rules.titles.austerlitz import duty, must, reaction, riding, special, tirailleurs
from rules.titles.austerlitz.activation import CHARGE, LIMITED, OUT, STRATEGIC, acted, lent
from rules.titles.austerlitz.allowance import in_fog, left, points
from rules.titles.austerlitz.fire import strategic
from rules.titles.austerlitz.formations import DISORDER, LIMBERED, LINE, SQUARE, UNLIMBERED, tail_of
from rules.titles.austerlitz.leaders import end_brigade, ridden_down
from rules.titles.austerlitz.losses import disorder
from rules.titles.austerlitz.morale import disorder_check
from rules.titles.austerlitz.movers import checked_group, movers, stays, still
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.retreat import withdraw
from rules.titles.austerlitz.runaway import let_rout, runaways
from rules.titles.austerlitz.stacking import fault, level_out
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import enemy
from rules.titles.austerlitz.victory import judge
from rules.titles.austerlitz.walk import FOGGED, Node, Walker, reach
from rules.titles.austerlitz.walk import Move as Step
from rules.titles.austerlitz.ways import TURN


def node_of(pos: Position, unit: str) -> Node:
    """Where and how a unit stands, for the graph of moves."""
    act = pos.act
    assert act is not None
    flags = act["flags"].get(unit, FOGGED if in_fog(pos, unit) and act["mode"] != STRATEGIC else 0)
    return pos.at[unit], pos.form[unit], pos.facing.get(unit, 0), int(flags)


def written(node: Node) -> str:
    """A node as a step of a path (docs/data.md)."""
    return str(Stance(node[0], FACINGS[node[2]], node[1]))


def read(step: str) -> tuple[str, str, int]:
    """Hex, formation and facing of a step of a path. Raises Refusal."""
    try:
        told = stance(step)
    except ValueError:
        raise Refusal("refusal.no_such_step", "5.0", at=step.partition("@")[0]) from None
    if told.facing is None or told.formation is None:
        raise Refusal("refusal.no_such_step", "5.0", at=told.at)
    return told.at, told.formation, FACINGS.index(told.facing)


def walker(pos: Position, units: Sequence[str]) -> Walker:
    """The ground as it is for these units now."""
    act = pos.act
    assert act is not None
    return Walker(
        pos,
        units,
        min(int(act["spent"].get(u, 0)) + left(pos, u) for u in units),
        limited=act["mode"] in (LIMITED, OUT),
        strategic=act["mode"] == STRATEGIC,
        shunned=duty.shunned(pos, units[0]),
        began=[e for e in act["began"].get(units[0], ()) if pos.on_map(e)],
    )


def ends_well(pos: Position, made: Walker, node: Node) -> Refusal | None:
    """7.1, 5.2.1 What is wrong with ending a move there."""
    hex_, form = node[0], node[1]
    if made.strategic and form == LINE:
        return Refusal("refusal.no_line_on_the_march", "5.2.1", at=hex_)
    if not made.fault_at(hex_, form):
        return None
    others = [u for u in pos.stack(hex_) if u not in made.units]
    was = {u: pos.form[u] for u in made.units}
    pos.form.update(dict.fromkeys(made.units, form))
    wrong = fault(pos, hex_, [*others, *made.units], made.strategic)
    pos.form.update(was)
    return wrong or Refusal("refusal.with_routed", "9.2.4", at=hex_)


def _further(made: Walker, ways: dict[Node, tuple[int, list[Step]]], wanted: tuple[str, str, int]) -> dict[
        Node, tuple[int, list[Step]]]:
    """5.1, 5.3 The ways so far, one action on, of those to one node the cheapest: over a road or beside it a unit may
    come to the same stance with a slope taken or not, which counts for what follows. Raises Refusal."""
    found: dict[Node, tuple[int, list[Step]]] = {}
    for node, (spent, steps) in ways.items():
        if steps and steps[-1].halts:
            continue
        for move in made.moves(node, spent):
            if move.node[:3] == wanted and (move.node not in found or move.spent < found[move.node][0]):
                found[move.node] = move.spent, [*steps, move]
    if found:
        return found
    if all(steps and steps[-1].halts for _spent, steps in ways.values()):
        raise Refusal("refusal.halted", "5.1.3", at=next(iter(ways))[0])
    raise Refusal("refusal.no_such_move", "5.1", at=wanted[0])


def planned(pos: Position, units: Sequence[str], path: Sequence[str]) -> list[Step]:
    """5.1 The actions of a path, each paid and allowed. Raises Refusal."""
    checked_group(pos, units)
    made, node = walker(pos, units), node_of(pos, units[0])
    spent = int(pos.act["spent"].get(units[0], 0)) if pos.act else 0
    if read(path[0]) != node[:3]:
        raise Refusal("refusal.not_from_there", "5.0", at=pos.at[units[0]])
    if len(path) < 2:
        raise Refusal("refusal.nobody_moves", "5.0", at=pos.at[units[0]])
    ways: dict[Node, tuple[int, list[Step]]] = {node: (spent, [])}
    for step in path[1:]:
        ways = _further(made, ways, read(step))
    node, (spent, steps) = min(ways.items(), key=lambda way: way[1][0])
    wrong = ends_well(pos, made, node) or duty.farther(pos, units[0], node[0])
    if wrong is not None:
        raise wrong
    if pos.act is not None and pos.act["mode"] == CHARGE:
        taken = pos.act.get("lost", {}).get(units[0], 0) + sum(step.lost for step in steps)
        if must.falls_short(pos, units[0], node, spent - taken):
            raise Refusal("refusal.must_close", "4.7", at=node[0], unit=units[0])
    return steps


def reach_of(pos: Position, units: Sequence[str]) -> dict[str, Any]:
    """Where these units can go, in the shape of docs/protocol.md section 4; spaces are stances, costs in points."""
    if len(units) == 1 and units[0] in pos.game.leaders:
        return riding.reach_of(pos, units[0])
    if not units:
        raise Refusal("refusal.nobody_moves", "5.0")
    checked_group(pos, units)
    made, start = walker(pos, units), node_of(pos, units[0])
    spent = int(pos.act["spent"].get(units[0], 0)) if pos.act else 0
    found = reach(made, start, spent)
    bound = must.bound(pos, units[0], made, found)
    cost: dict[str, Any] = {}
    via: dict[str, str] = {}
    blocked: dict[str, Any] = {}
    for node, price in sorted(found.cost.items(), key=lambda item: item[1]):
        name = written(node)
        if name in cost:
            continue
        cost[name] = points(price - spent)
        if node != start:
            via[name] = written(found.via[node])
            wrong = ends_well(pos, made, node) or duty.farther(pos, units[0], node[0])
            if wrong is None and bound is not None and node not in bound:
                wrong = Refusal("refusal.must_close", "4.7", at=node[0], unit=units[0])
            if wrong is not None:
                blocked[name] = {"key": wrong.key, "clause": wrong.clause, "args": wrong.args_}
    blocked[written(start)] = {"key": "refusal.nobody_moves", "clause": "5.0", "args": {}}
    return {"from": written(start), "cost": cost, "via": via, "left": points(made.allowance - spent),
            "blocked": blocked}


@sealed
class March(Move):
    """A move along stances; a random one walks on as long as it likes."""

    pos: Position | None = None

    def sample(self, rng: Random) -> Answer | None:
        pos = self.pos
        if pos is None or not self.stacks:
            return None
        for _ in range(4):
            here = self.stacks[rng.choice(list(self.stacks))]
            unit = str(rng.choice(here)["id"])
            path = riding.wander(pos, unit, rng) if unit in pos.game.leaders else wander(pos, [unit], rng)
            if pos.act is not None and unit in pos.game.units and (way := must.way_to_strike(pos, unit)) is not None:
                path = [written(node) for node in way] if len(way) > 1 else None  # 4.7
            if path is not None:
                return {"form": self.name, "units": [unit], "path": path}
        return None


def wander(pos: Position, units: Sequence[str], rng: Random) -> list[str] | None:
    """A random lawful path of these units, mostly forward."""
    made, node = walker(pos, units), node_of(pos, units[0])
    spent = int(pos.act["spent"].get(units[0], 0)) if pos.act else 0
    path, ends = [written(node)], []
    foes, keen = pos.hexes_of(enemy(made.unit.side)), rng.choice((0, 1, 3, 8))
    for _ in range(rng.randint(1, 12)):
        moves = list(made.moves(node, spent))
        if not moves:
            break
        step = rng.choice(moves)
        for _try in range(keen):
            other = rng.choice(moves)
            if foes and nearest_of(pos, other.node[0], foes) < nearest_of(pos, step.node[0], foes):
                step = other
        node, spent = step.node, step.spent
        path.append(written(node))
        if ends_well(pos, made, node) is None and duty.farther(pos, units[0], node[0]) is None:
            ends.append(len(path))
        if step.halts:
            break
    return path[:ends[-1]] if ends and ends[-1] > 1 else None


def nearest_of(pos: Position, hex_: str, foes: Sequence[str]) -> int:
    return min(pos.game.board.distance(hex_, foe) for foe in foes)


# -- the segment -----------------------------------------------------------------------------------------


@segments.segment
def move(pos: Position) -> Procedure[Next]:
    """4.6.1 no. 1 One answer of the movement of an activation; repeated until its end."""
    act = pos.act
    assert act is not None
    answer = yield from ask(move_request(pos))
    match answer["form"]:
        case "move":
            if answer["units"][0] in pos.game.leaders:
                riding.ride(pos, answer["units"][0], answer["path"])
            else:
                yield from carry_out(pos, answer["units"], planned(pos, answer["units"], answer["path"]))
        case "top":
            pos.restack(pos.at[answer["option"]], answer["option"])
            act.setdefault("topped", []).append(answer["option"])
            pos.tell("restacked", "7.2", act["side"], unit=answer["option"], at=pos.at[answer["option"]])
        case "companies":
            yield from _regroup(pos, answer["option"])
        case "recall":
            end_brigade(pos, answer["option"])
        case "rout":
            yield from let_rout(pos, answer["lots"].get("rout", []))
        case _:
            if answer["option"] == "drop_march":
                duty.lose_strategic(pos, act["command"], "5.2")
            end_move(pos)
            return DONE
    judge(pos)
    return AGAIN


def end_move(pos: Position) -> None:
    """5.1.2, 5.2.1 Movement is over: who has moved at most half may charge; what strategic movers have left is owed."""
    act = pos.act
    assert act is not None
    act["left"] = (
        {u: left(pos, u) if _could_go(pos, u) else 0 for u in act["units"]} if act["mode"] == STRATEGIC else {}
    )
    for unit in act["units"]:
        moved = act["spent"].get(unit, 0) - act.get("lost", {}).get(unit, 0)  # A5.1.1 what the fog took was not moved
        if pos.on_map(unit) and pos.unit(unit).mounted and moved <= 2 * (pos.unit(unit).movement // 2):
            act["may_charge"].append(unit)
    pos.show(act["units"])
    pos.tell("movement_ended", "4.6.1", act["side"], may_charge=list(act["may_charge"]))


def _could_go(pos: Position, unit: str) -> bool:
    """5.2.1 Whether a unit under strategic movement has somewhere to go with what it has left, by turns and another
    formation too, or stays in line. A4.6 Guns of the corps need not act with this division."""
    act = pos.act
    assert act is not None
    if left(pos, unit) <= 0 or (lent(pos, unit) and not acted(act, unit)):
        return False
    made, node = walker(pos, [unit]), node_of(pos, unit)
    spent = int(act["spent"].get(unit, 0))
    if node[1] == LINE or any(m.node[0] != node[0] and ends_well(pos, made, m.node) is None
                              for m in made.moves(node, spent)):
        return True
    return any(n[0] != node[0] and ends_well(pos, made, n) is None for n in reach(made, node, spent).cost)


def move_request(pos: Position) -> Request:
    """All that may be done now in the movement of an activation."""
    act = pos.act
    assert act is not None
    stacks: dict[str, list[dict[str, Any]]] = {}
    for unit in movers(pos):
        stacks.setdefault(pos.at[unit], []).append({"id": unit, "left": points(left(pos, unit))})
    for leader in riding.riders(pos):
        stacks.setdefault(pos.leaders[leader], []).append({"id": leader, "left": points(riding.left(pos, leader))})
    forms: list[Form] = []
    if stacks:
        forms.append(
            March(
                "move",
                "5.0",
                dict(sorted(stacks.items())),
                reach=lambda units, _aboard: reach_of(pos, units),
                legal=lambda answer: _legal(pos, answer),
                show=lambda answer: _show(pos, answer),
                stances=True,
                still=still(pos, stacks),
                why=lambda units, _aboard, _to: stays(pos, units[0]),
                pos=pos,
            )
        )
    under = tuple(Option(u, "7.2", label("option.on_top", unit=u), at=pos.at[u]) for u in act["units"]
                  if pos.on_map(u) and len(pos.stacks.get(pos.at[u], ())) > 1 and pos.stacks[pos.at[u]][0] != u
                  and not pos.unit(u).guns and u not in act.get("topped", ()))
    if under:
        forms.append(Choose("top", "7.2", under))
    split = tirailleurs.options(pos)
    if split:
        forms.append(Choose("companies", "A2.4", split))
    forms += [*special.recalls(pos, act["side"]), *runaways(pos, act["side"])]
    if must.owing(pos) is None:
        forms.append(Choose("end_move", "4.6.1", tuple(_ends(pos))))
    who = act["leader"] or act["units"][0]
    return Request(pos.seat_of(who), "prompt.movement", "5.0", tuple(forms),
                   {"mode": f"mode.{act['mode']}", "command": f"command.{act['command']}"}, needs=needs_open)


def _ends(pos: Position) -> list[Option]:
    """4.6.1, 5.2 The end of movement; a strategic marker may be given up, which ends the activation too."""
    act = pos.act
    assert act is not None
    found = [Option("end_move", "4.6.1", label("option.end_move"), ends=True)]
    if act["mode"] == STRATEGIC and act["command"] in pos.strategic:
        found.append(Option("drop_march", "5.2", label("option.drop_march"), ends=True))
    return found


def _legal(pos: Position, answer: Answer) -> None:
    units = answer["units"]
    if not units:
        raise Refusal("refusal.nobody_moves", "5.0")
    if any(u in pos.game.leaders for u in units):
        riding.check(pos, units, answer["path"])
        return
    planned(pos, units, answer["path"])


def _show(pos: Position, answer: Answer) -> dict[str, Any]:
    units = answer["units"]
    if any(u in pos.game.leaders for u in units):
        spent = riding.check(pos, units, answer["path"])
        return {"cost": points(spent), "steps": [], "left": {units[0]: points(riding.left(pos, units[0]) - spent)}}
    steps = planned(pos, units, answer["path"])
    spent = int(pos.act["spent"].get(units[0], 0)) if pos.act else 0
    last = steps[-1].spent - spent
    return {"cost": points(last), "steps": [{"at": written(s.node), "cost": points(s.spent - spent)} for s in steps],
            "left": {u: points(left(pos, u) - last) for u in units}}


def carry_out(pos: Position, units: Sequence[str], steps: Sequence[Step]) -> Procedure[None]:
    """5.1 Walk a checked path; a reaction or a failed disorder check may end it early."""
    act = pos.act
    assert act is not None
    going = list(units)
    _instead(pos, going)
    act["plan"] = None
    for step in steps:
        stands = node_of(pos, going[0])[:3]
        if act["plan"] is not None and stands != act["plan"]:
            break  # it no longer stands as was planned
        stopped = yield from reaction.before(pos, going)
        going = [u for u in going if pos.on_map(u)]
        if stopped or not going or node_of(pos, going[0])[:3] != stands:
            if stopped:
                _halt(pos, going)
            break
        if _barred(pos, going[0], step):
            break  # somebody has come into the way meanwhile
        before = pos.footprint(going[0])
        changed = yield from _take(pos, going, step)
        act["plan"] = step.node[:3]
        entered = [h for h in pos.footprint(going[0]) if h not in before]
        stopped = yield from reaction.after(pos, going, entered)
        going = [u for u in going if pos.on_map(u)]
        if not going:
            break
        yield from ridden_down(pos, pos.footprint(going[0]))
        if _contact(pos, going, entered):
            _halt(pos, going)
            break
        if stopped:
            _halt(pos, going)
            break
        if changed:
            break
    for hex_ in sorted({pos.at[u] for u in going}):
        level_out(pos, hex_)
    yield from _untangle(pos, going)


def _instead(pos: Position, units: list[str]) -> None:
    """4.6.1 no. 1 These move now: who moved before them has finished."""
    act = pos.act
    assert act is not None
    stopped_now = [u for u in act["mover"] if u not in units and u not in act["finished"]]
    act["finished"] += stopped_now
    pos.show(stopped_now)
    act["mover"] = units


def _regroup(pos: Position, option: str) -> Procedure[None]:
    """A2.4, 6.2 Tirailleurs split, or companies form their battalion again: a change of formation like any other, to
    which the other side may react."""
    act, (kind, battalion) = pos.act, option.split(":")
    assert act is not None
    going = _shapes(pos, battalion)
    _instead(pos, going)
    if (yield from reaction.before(pos, going)) or option not in [o.id for o in tirailleurs.options(pos)]:
        _halt(pos, _shapes(pos, battalion))
        return
    tirailleurs.carry_out(pos, option)
    now = _shapes(pos, battalion)
    act["mover"] = now if kind == "join" else []  # each company moves by itself
    if (yield from reaction.after(pos, now, ())):
        _halt(pos, _shapes(pos, battalion))


def _shapes(pos: Position, battalion: str) -> list[str]:
    """A2.4 A battalion of tirailleurs as it stands on the map: whole, or its companies."""
    return [u for u in (battalion, *pos.unit(battalion).companies) if pos.on_map(u)]


def _barred(pos: Position, unit: str, step: Step) -> bool:
    """Whether an enemy, or for a counter on two hexes anybody, is where a step would lead."""
    there, form, facing, _flags = step.node
    if pos.holder(there) == enemy(pos.unit(unit).side):
        return True
    if form == SQUARE or (pos.unit(unit).hexes == 1 and form != "spread"):
        return False
    tail = tail_of(pos.game.board, there, form, facing)
    return tail is None or (tail not in pos.footprint(unit) and pos.holder(tail) is not None)


def _take(pos: Position, units: Sequence[str], step: Step) -> Procedure[bool]:
    """One action: paid, made, told; whether the ground disordered anybody (5.1.1)."""
    act = pos.act
    assert act is not None
    there, form, facing, flags = step.node
    start, before = pos.at[units[0]], pos.form[units[0]]
    passed = [u for u in pos.stack(there) if u not in units] if there != start else []
    for unit in units:
        act["spent"][unit], act["flags"][unit] = step.spent, flags
        if step.lost:
            act.setdefault("lost", {})[unit] = step.lost
        pos.form[unit], pos.facing[unit] = form, facing
        two = pos.unit(unit).hexes == 2 or form == "spread"
        behind = pos.tail.get(unit) if form == SQUARE else tail_of(pos.game.board, there, form, facing)
        pos.put(unit, there, behind if two else None)  # errata 6.5.5: a square stands on the hexes it has
        if step.kind == TURN and form == LINE:
            act["turned"][unit] = act["turned"].get(unit, 0) + 1
        if form == UNLIMBERED and before == LIMBERED:
            act["unlimbered"].append(unit)
    for other in passed if step.crowds else ():
        disorder(pos, other)  # 5.1.4, 7.1
    pos.tell("moved", "5.1", act["side"], units=list(units), path=[start, there], at=there, how=f"move.{step.kind}",
             form=f"form.{form}", facing=FACINGS[facing], **{"from": start})
    duty.arrived(pos, units[0])
    failed = False
    checks = int(step.check) + int(step.kind == TURN and form == LINE and act["turned"].get(units[0], 0) > 1)
    for _ in range(checks):
        for unit in units:
            if pos.form[unit] != DISORDER:
                clause = "5.1.1" if step.check else "6.3.1"
                failed |= not (yield from disorder_check(pos, unit, clause))
    for unit in units if failed else ():
        disorder(pos, unit)  # 7.1 a stack has one formation: with one all of it lose their order
    return failed


def _contact(pos: Position, units: Sequence[str], entered: Sequence[str]) -> bool:
    """5.1.3 Whether the units have come into the front of an enemy."""
    fronts = pos.fronts(enemy(pos.unit(units[0]).side))
    return any(h in fronts for h in pos.footprint(units[0]) if h in entered)


def _halt(pos: Position, units: Sequence[str]) -> None:
    act = pos.act
    assert act is not None
    act["finished"] += [u for u in units if u not in act["finished"]]
    pos.show(units)


def _untangle(pos: Position, units: Sequence[str]) -> Procedure[None]:
    """7.1 Who was stopped where it may not stand goes on as if retreating until it can."""
    for unit in units:
        if pos.on_map(unit) and len(pos.stack(pos.at[unit])) > 1 and fault(
                pos, pos.at[unit], pos.stack(pos.at[unit]), strategic(pos, unit)) is not None:
            yield from withdraw(pos, [unit], 0, (), routed=False)
