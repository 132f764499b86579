"""5.2.1, 14.1.3 What strategic movement owes, and A15 the limits of scenarios on who may go where."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from rules.core.errors import Refusal
from rules.titles.austerlitz.formations import column_of, marching
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import ALLIED, enemy

GARRISON = "garrison"
FAR = 10_000


def may_march(pos: Position, command: str) -> bool:
    """A15.2 V Corps and the Cavalry Reserve use no strategic movement while there is fog."""
    corps = pos.game.corps_of(command)
    return not (pos.special.get("fog") is not None and corps in pos.plan.get("no_strategic_in_fog", ()))


def lose_strategic(pos: Position, command: str, clause: str) -> None:
    """5.2 The marker is taken off; it comes back only with a full activation. 14.4 Reinforcements that have lost it
    once march no more with their own marker."""
    if command in pos.special.get("reinforced", ()):
        pos.special["reinforced"].remove(command)
    if command in pos.strategic:
        pos.set_strategic(command, False)
        pos.tell("strategic_lost", clause, pos.game.side_of(command), command=f"command.{command}")


def end_of_activation(pos: Position, act: dict[str, Any]) -> None:
    """5.2.1 Who was attacked under strategic movement loses it, as does who has had an enemy move to within three
    hexes of it, now that his activation is over, and who did not go as far as it could."""
    for command in act["surprised"]:
        lose_strategic(pos, command, "5.2.1")
    moved = [h for u in act["units"] if pos.on_map(u) and act["from"].get(u) != pos.at[u] for h in pos.footprint(u)]
    for command in list(pos.strategic) if moved else ():
        if pos.game.side_of(command) == act["side"]:
            continue
        if any(pos.game.board.distance(a, b) <= 3 for a in moved for b in _hexes(pos, command)):
            lose_strategic(pos, command, "5.2.1")
    for command in act.get("near", ()):
        lose_strategic(pos, command, "5.2.1")
    command = act["command"]
    if act["mode"] == "strategic" and command in pos.strategic:
        _owed(pos, act, command)


def _owed(pos: Position, act: dict[str, Any], command: str) -> None:
    """5.2.1, 14.1.3 All units must go as far as they can, or come to the objective, or the marker goes and so does the
    division's own from the pool."""
    goal = pos.special.get("goals", {}).get(command)
    hexes = pos.game.board.places.get(goal, (goal,)) if goal is not None else ()
    if any(h in hexes for u in act["units"] if pos.on_map(u) for h in pos.footprint(u)):
        lose_strategic(pos, command, "14.1.3")
        pos.special["goals"].pop(command, None)
        return
    if any(act["left"].get(u, 0) > 0 for u in act["units"] if pos.on_map(u)):
        lose_strategic(pos, command, "5.2.1")
        marker = pos.game.marker_of.get(command, "")
        if marker in pos.pool:
            for place in (pos.pool, pos.drawn):
                if marker in place:
                    place.remove(marker)
            pos.touched.add(f"pool:markers_{act['side']}")
            pos.tell("marker_withdrawn", "5.2.1", act["side"], marker=f"marker.{marker}", reveals=True)


def shunned(pos: Position, unit: str) -> frozenset[str]:
    """A15 The hexes that the scenario closes to a unit."""
    group = _group(pos, unit)
    found = pos.game.closed.get(group)
    if found is None:
        found = pos.game.closed[group] = frozenset(h for h in pos.game.board.around if not _open(pos, unit, group, h))
    return found


def held(pos: Position, unit: str) -> bool:
    """A15.2, A15.5 Whether the scenario closes all hexes to a unit: the garrison of the Goldbach, while it is bound."""
    return shunned(pos, unit) >= pos.game.everywhere


def may_enter(pos: Position, unit: str, hex_: str) -> bool:
    """A15 Whether the scenario lets a unit go into a hex, in whatever way but a retreat: by a charge, an advance, a
    pursuit or a step in reaction too (ruling)."""
    return hex_ not in shunned(pos, unit) or hex_ in pos.footprint(unit)


def _group(pos: Position, unit: str) -> str:
    """Units that the same limits bind now share a name."""
    u, special = pos.unit(unit), pos.special
    limits = next((r for r in pos.plan.get("limits", ()) if u.corps in r["corps"]), None)
    parts = [u.side, ""]
    if limits is not None and u.corps not in special.get("released", ()):
        parts[1] = u.corps + ("/north" if u.corps in special.get("northern", ()) else "")
    if unit in pos.plan.get("garrison", ()) and special.get("garrison"):
        parts.append(GARRISON)
    elif "french_south" in pos.plan and special.get("garrison") and unit not in pos.plan["french_south"]["free"]:
        parts.append("south")
    return ":".join(parts)


def _open(pos: Position, unit: str, group: str, hex_: str) -> bool:
    u = pos.unit(unit)
    sheet, row = hex_[0], int(hex_[3:])
    return (in_area(pos, hex_) and not _banned(pos, u.side, hex_) and not _limited(pos, group, hex_, sheet, row)
            and not group.endswith(GARRISON) and not (group.endswith("south") and _south(pos, u.side, sheet, row)))


def in_area(pos: Position, hex_: str) -> bool:
    """A15.1, A15.4-A15.6 Whether a hex belongs to the ground of the scenario; what lies beyond is off the map."""
    return hex_ in pos.game.area


def _banned(pos: Position, side: str, hex_: str) -> bool:
    """A15.5 No Allied unit within three hexes of C3104."""
    ban = pos.plan.get("banned")
    return ban is not None and side == ban["side"] and pos.game.board.distance(hex_, ban["hex"]) <= int(ban["within"])


def _limited(pos: Position, group: str, hex_: str, sheet: str, row: int) -> bool:
    """A15.2, A15.5 Buxhowden's rule: rows that a corps may not pass, and how it may cross the Goldbach. A row binds
    on the sheet that it names (ruling)."""
    corps, _slash, freed = group.split(":")[1].partition("/")
    if not corps:
        return False
    rule = next(r for r in pos.plan["limits"] if corps in r["corps"])
    if "north" in rule and not freed and sheet == rule["north"][0] and row < rule["north"][1]:
        return True
    if "west" in rule and hex_ in pos.game.board.regions["west_of_goldbach"]:
        if rule["west"] is None:
            return True
        most, places = rule["west"]
        board = pos.game.board
        return min(board.distance(hex_, h) for p in places for h in board.places[p]) > int(most)
    return False


def closed_to(pos: Position, leader: str) -> frozenset[str]:
    """A15.2 While the garrison is bound, of French leaders only Legrand and its own ride south of the row that is
    closed; who is there already may stay there."""
    rule, rated = pos.plan.get("french_south"), pos.game.leaders[leader]
    if rule is None or rated.side == ALLIED or not pos.special.get("garrison") or leader in rule["free"]:
        return frozenset()
    own = pos.detached.get(leader) or pos.game.members.get(rated.command or "", ())
    found = pos.game.closed.get("leaders")
    if found is None:
        found = pos.game.closed["leaders"] = frozenset(
            h for h in pos.game.board.around if _south(pos, rated.side, h[0], int(h[3:])))
    if pos.leaders[leader] in found or any(u in pos.plan["garrison"] for u in own):
        return frozenset()
    return found


def _south(pos: Position, side: str, sheet: str, row: int) -> bool:
    """A15.2 Only the garrison, 26 Leg and Legrand go south of a row while the garrison is bound."""
    limit = pos.plan["french_south"]["row"]
    return side != ALLIED and sheet == limit[0] and row > limit[1]


def farther(pos: Position, unit: str, hex_: str) -> Refusal | None:
    """A15.2, A15.5 A corps bound to an objective may not end a move farther, in points, from it than it began (ruling
    on "as fast as possible"); 14.1.3 no more may reinforcements on the march."""
    act = pos.act
    goals = _objectives(pos, unit) if act is not None and act["mode"] != "retreat" else ()
    if act is None or not goals:
        return None
    ways = ways_to(pos, unit, goals)
    began = act["from"].get(unit, hex_)
    if ways.get(hex_, FAR) <= ways.get(began, FAR):
        return None
    clause = pos.plan["clause"] if bound(pos, unit) is not None else "14.1.3"
    return Refusal("refusal.away_from_objective", clause, at=hex_, unit=unit)


def bound(pos: Position, unit: str) -> dict[str, Any] | None:
    """A15.2, A15.5 Buxhowden's rule for a unit's corps, if it binds it still; the Cavalry Reserve no more once it has
    been near Blasowitz or the French."""
    u = pos.unit(unit)
    rule: dict[str, Any] | None = next((r for r in pos.plan.get("limits", ()) if u.corps in r["corps"]), None)
    if rule is None or u.corps in pos.special.get("released", ()):
        return None
    return None if "near" in rule and u.command in pos.special.get("near", ()) else rule


def _objectives(pos: Position, unit: str) -> tuple[str, ...]:
    """The hexes that a unit must march for: of objectives its side has not taken, or of a reinforcement's."""
    board, side, rule = pos.game.board, pos.unit(unit).side, bound(pos, unit)
    if rule is not None:
        places = [board.places[p] for p in rule["objectives"]]
        return tuple(h for hexes in places if any(pos.held.get(h) != side for h in hexes) for h in hexes)
    command, goals = pos.division_of(unit), pos.special.get("goals", {})
    if unit in goals and pos.act is not None and pos.act["leader"] is None and pos.act["mode"] == "strategic":
        return board.places.get(goals[unit], (goals[unit],))  # guns of a corps, as they come in
    goal = goals.get(command)
    if goal is None or command not in pos.strategic:
        return ()
    return board.places.get(goal, (goal,))


def ways_to(pos: Position, unit: str, goals: tuple[str, ...]) -> dict[str, int]:
    """Hex -> half points from it to the nearest of some hexes, for a unit on the march."""
    return march_costs(pos.game, column_of(pos.unit(unit), marching(pos.unit(unit))), goals)


def march_costs(game: Game, column: str, goals: tuple[str, ...]) -> dict[str, int]:
    """The same for a column of the chart, worked out once. Over the scenario's ground alone."""
    board = game.board
    found = game.marches.get((column, goals))
    if found is not None:
        return found
    found = game.marches[column, goals] = dict.fromkeys(goals, 0)
    plain, road = board.prices(column, False), board.prices(column, True)
    edge = [(0, h) for h in goals]
    while edge:
        total, here = heappop(edge)
        if total > found[here]:
            continue
        for side, there in enumerate(board.around[here]):
            if there is None or there not in game.area:
                continue
            back = (side + 3) % 6
            costs = [p.cost for p in (plain[there][back], road[there][back]) if p is not None]
            if costs and total + min(costs) < found.get(there, FAR):
                found[there] = total + min(costs)
                heappush(edge, (found[there], there))
    return found


def arrived(pos: Position, unit: str) -> None:
    """5.2.1 A step into a hex within three of strategic movers costs them their marker. A15.2, A15.5 It may be seen by
    the garrison of the Goldbach; a brigade of the Allied Cavalry Reserve near Blasowitz is free. A15.6 The French on
    level 5, or on level 7."""
    u = pos.unit(unit)
    _comes_near(pos, unit)
    if u.side == ALLIED and pos.special.get("garrison"):
        free_garrison(pos, pos.footprint(unit))
    for rule in pos.plan.get("limits", ()):
        if "near" in rule and u.corps in rule["corps"] and u.command not in pos.special.setdefault("near", []):
            board = pos.game.board
            goals = [h for p in rule["objectives"] for h in board.places[p]]
            if min(board.distance(own, h) for own in pos.footprint(unit) for h in goals) <= rule["near"][0]:
                pos.special["near"].append(u.command)
    if "level_markers" in pos.plan and u.side != ALLIED:
        levels = {pos.game.board.level[h] for h in pos.footprint(unit)}
        if pos.plan["level_markers"]["level"] in levels:
            pos.special.setdefault("level5", pos.turn)
        if 7 in levels:
            pos.special["level7"] = True


def _comes_near(pos: Position, unit: str) -> None:
    """5.2.1 Note the strategic movers to within three hexes of which an enemy has come, though he go on."""
    act = pos.act
    if act is None or not pos.strategic or pos.unit(unit).side != act["side"]:
        return
    for command in marchers_near(pos, act["side"], pos.footprint(unit)):
        if command not in act.get("near", ()):
            act.setdefault("near", []).append(command)


def marchers_near(pos: Position, side: str, hexes: Sequence[str]) -> list[str]:
    """5.2.1 The commands under strategic movement to within three hexes of which a unit of the other side comes."""
    return [
        c
        for c in pos.strategic
        if pos.game.side_of(c) != side
        and any(pos.game.board.distance(a, b) <= 3 for a in hexes for b in _hexes(pos, c))
    ]


def _hexes(pos: Position, command: str) -> list[str]:
    """The hexes of a command under strategic movement; who is detached from it is not of it (A4.4.5)."""
    own: Sequence[str] = pos.game.members.get(command) or pos.detached.get(command, [])
    return [h for u in own if pos.on_map(u) and pos.division_of(u) == command for h in pos.footprint(u)]


def near_french(pos: Position, units: Sequence[str]) -> None:
    """A15.2 A brigade of the Allied Cavalry Reserve that begins an activation within four hexes of a French combat unit
    is free from now on."""
    for rule in pos.plan.get("limits", ()):
        for unit in units if "near" in rule else ():
            u, near = pos.unit(unit), pos.special.setdefault("near", [])
            if u.corps in rule["corps"] and u.command not in near and any(
                    pos.near_enemy(h, ALLIED, rule["near"][1]) for h in pos.footprint(unit)):
                near.append(u.command)


def free_garrison(pos: Position, hexes: Sequence[str] | None = None) -> None:
    """A15.2, A15.5 The garrison of the Goldbach is bound until one of it sees an Allied unit (one that has come into
    these hexes, if they are given) or is attacked."""
    if not pos.special.get("garrison"):
        return
    units = [u for u in pos.plan["garrison"] if pos.on_map(u)]
    attacked = set(pos.special.get("attacked", {}).get("any", ()))
    if attacked.isdisjoint(units) and not any(_sees(pos, u, hexes) for u in units):
        return
    pos.special["garrison"] = False
    pos.touched.add("layer:limits")
    pos.tell("garrison_freed", pos.plan["clause"], enemy(ALLIED))


def _sees(pos: Position, unit: str, hexes: Sequence[str] | None) -> bool:
    sight, fog = pos.game.sight, pos.special.get("fog")
    there = pos.hexes_of(ALLIED) if hexes is None else hexes
    return any(sight.clear_to_any(a, there, pos.holder, fog) for a in pos.footprint(unit))
