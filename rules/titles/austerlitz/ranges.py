"""4.3 Command ranges, traced in hexes round enemy units (errata)."""

from __future__ import annotations

from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import Leader, enemy


def traced(pos: Position, start: str, radius: int, side: str) -> frozenset[str]:
    """The hexes at most so many steps from one, over hexes without enemy combat units; their zones do not matter."""
    foes = pos.taken_by(enemy(side))
    everywhere = pos.game.board.steps_from(start, radius)
    return everywhere if foes.isdisjoint(everywhere) else pos.as_they_stand(
        (start, radius, side), lambda: pos.game.board.traced(start, radius, foes))


def commands(pos: Position, leader: str, hexes: tuple[str, ...] | str, radius: int | None = None) -> bool:
    """4.3.1 Whether a leader on the map reaches one of these hexes: the most that may lie between him and who is under
    him."""
    loc = pos.leaders.get(leader, ":")
    if ":" in loc:
        return False
    rated: Leader = pos.game.leaders[leader]
    reach = rated.range if radius is None else radius
    wanted = (hexes,) if isinstance(hexes, str) else hexes
    if min(pos.game.board.distance(loc, h) for h in wanted) > reach:
        return False
    return not traced(pos, loc, reach, rated.side).isdisjoint(wanted)


def leader_reaches(pos: Position, leader: str, other: str) -> bool:
    """4.3.2 Whether a leader is within the range of the one above him; both on the map."""
    loc = pos.leaders.get(other, ":")
    return ":" not in loc and commands(pos, leader, loc)


def in_command(pos: Position, unit: str, leader: str) -> bool:
    """4.3.3 Whether a unit on the map is within range of a leader; A4.5.1 C Napoleon leads guns at the range of the
    Grand Battery."""
    return pos.on_map(unit) and commands(pos, leader, pos.footprint(unit), radius_of(pos, leader))


def radius_of(pos: Position, leader: str) -> int:
    """4.3.3, A4.5.1 C How far off units may be from the leader whose activation it is."""
    rated = pos.game.leaders[leader]
    return rated.range if rated.grand_battery is None else rated.grand_battery[1]


def corps_in_range(pos: Position, corps: str, overall: str | None = None) -> bool:
    """4.2.1 Whether the leader of a corps is within range of his overall commander, or needs none; a certain one, if
    `overall` is given."""
    command, plan = pos.game.commands[corps], pos.plan["command"]
    leader = command.leader
    if leader is None or ":" in pos.leaders.get(leader, ":"):
        return False
    over = plan.get("overall", {}).get(command.side, [])
    if overall == "A-Buxhowden" and corps not in plan.get("wing", (corps,)):
        return False
    if not over or corps in plan.get("exempt", ()):
        return True
    able = [o for o in over if overall in (None, o) and (o != "A-Buxhowden" or corps in plan.get("wing", (corps,)))]
    return any(leader_reaches(pos, o, leader) for o in able)


def division_in_range(pos: Position, division: str) -> bool:
    """4.2.2 Whether the leader of a division is within range of his corps leader; without one in play, of an overall
    commander (A15.6, errata on Oudinot, Hulin and Bessières), and in range while there is none."""
    command, plan = pos.game.commands[division], pos.plan["command"]
    leader = command.leader
    if leader is None or ":" in pos.leaders.get(leader, ":"):
        return False
    above = pos.game.commands[command.corps].leader if command.corps is not None else None
    if above is not None and ":" not in pos.leaders.get(above, ":"):
        return leader_reaches(pos, above, leader)
    over = [o for o in plan.get("overall", {}).get(command.side, []) if ":" not in pos.leaders.get(o, ":")]
    return not over or any(leader_reaches(pos, o, leader) for o in over)
