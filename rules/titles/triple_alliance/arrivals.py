"""9 Reinforcements and 10 replacements."""

from __future__ import annotations

from rules.core.forms import Answer, Group, Place
from rules.titles.triple_alliance.control import enter
from rules.titles.triple_alliance.position import AVAILABLE, DEAD, EXPEDITION, Position
from rules.titles.triple_alliance.supply import joined
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, enemy


def rates(pos: Position) -> dict[str, int]:
    """10.1, 10.3 Replacement steps of a turn by nation: none before turn II (5.3); the Paraguayan rate drops for
    good with each of two towns that falls."""
    table = pos.game.tables["replacements"]
    if pos.turn < table["from_turn"]:
        return {}
    fallen = sum(town in pos.taken for town in table["paraguay_towns"])
    return {**{n: r for n, r in table["rates"].items() if r},
            PARAGUAY: table["paraguay_rate_by_towns_lost"][fallen]}


def open_entries(pos: Position, side: str) -> tuple[str, ...]:
    """9.2, 10.6 The Allied supply hexes free of the enemy; 10.7 the Paraguayan towns never lost, Humaitá only with
    a supply line to Asunción."""
    if side == ALLIED:
        return tuple(h for h in pos.game.tables["entry"]["allied"] if pos.holder(h) != enemy(side))
    humaita, asuncion = pos.game.tables["sources"][PARAGUAY][0], pos.game.tables["sources"][PARAGUAY][1]
    out = []
    for hex_ in pos.game.tables["entry"]["paraguay_replacements"]:
        if hex_ in pos.taken or pos.holder(hex_) == enemy(side):
            continue
        if hex_ == humaita and (asuncion in pos.taken or not joined(pos, side, humaita, asuncion)):
            continue
        out.append(hex_)
    return tuple(out)


def _entries_of(pos: Position, unit: str, free: tuple[str, ...]) -> tuple[str, ...]:
    """9.2 Ships only down the Paraná, Uruguayans only at their hex, all others where entry is free."""
    u = pos.unit(unit)
    if u.side == PARAGUAY:
        return free
    if u.river:
        return tuple(h for h in free if h in pos.game.tables["entry"]["allied_river"])
    if u.nation == "uruguay":
        return tuple(h for h in pos.game.tables["entry"]["uruguay"] if pos.holder(h) != PARAGUAY)
    return free


def due(pos: Position, side: str) -> list[str]:
    """9.2 Reinforcements whose turn has come, the delayed ones too, in the order of the track."""
    return [u for turn in range(1, pos.turn + 1) for u in pos.stack(f"turn:{turn}") if pos.unit(u).side == side]


def before_movement(pos: Position) -> bool:
    """9.2 Units come in as the phase begins: not once anything has moved in it."""
    return pos.operation is None and not pos.spent and not pos.settled


def invading(pos: Position) -> bool:
    """8.2 Whether the Matto Grosso force may enter: in the turn in which nobody met it, and in no other."""
    return pos.matto_grosso == "unopposed" and pos.turn == pos.game.tables["events"]["matto_grosso"]["turn"]


def enter_form(pos: Position, side: str) -> Place | None:
    """9.2 Any of the units due, each at one of its entry hexes; the rest wait."""
    if not before_movement(pos):
        return None
    by_kind: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    units = due(pos, side)
    free = open_entries(pos, side) if units else ()
    for unit in units:
        u = pos.unit(unit)
        kind = "ships" if u.river else "uruguayans" if u.nation == "uruguay" else "reinforcements"
        by_kind.setdefault((kind, _entries_of(pos, unit, free)), []).append(unit)
    if side == ALLIED and invading(pos):
        where = tuple(h for h in pos.game.matto_grosso_entry if pos.holder(h) != PARAGUAY)
        by_kind[("matto_grosso", where)] = list(pos.stack(EXPEDITION))
    groups = tuple(Group(kind, "8.2" if kind == "matto_grosso" else "9.2", tuple(units), where)
                   for (kind, where), units in sorted(by_kind.items()) if where and units)
    return _form(pos, "enter", "9.2", groups, {})


def replace_form(pos: Position, side: str) -> Place | None:
    """10.4, 10.6, 10.7 Eliminated units, and supply units never yet used (10.5), for the steps that are left."""
    where = open_entries(pos, side) if pos.steps and before_movement(pos) else ()
    if not where:
        return None
    table = pos.game.tables["replacements"]
    by_cost: dict[tuple[str, int], list[str]] = {}
    for unit in [*pos.stack(DEAD[side]), *pos.stack(AVAILABLE[side])]:
        u = pos.unit(unit)
        # 10.2: no fortress, no Guard, no ship, no Uruguayan ever comes back.
        if u.fortress or u.guard or u.river or not pos.steps.get(u.nation):
            continue
        cost = table["unit_costs"].get(unit, table["costs"].get(u.type))
        if cost <= pos.steps[u.nation]:
            by_cost.setdefault((u.nation, cost), []).append(unit)
    groups = tuple(Group(f"{nation}_{cost}", "10.4", tuple(units), where, pool=nation, cost=cost)
                   for (nation, cost), units in sorted(by_cost.items()))
    return _form(pos, "replace", "10.1", groups, {n: pos.steps[n] for n in sorted({g.pool or "" for g in groups})})


def _form(pos: Position, name: str, clause: str, groups: tuple[Group, ...], pools: dict[str, int]) -> Place | None:
    if not groups:
        return None
    where = {h for g in groups for h in g.where}
    standing = {h: len(pos.stack(h)) for h in sorted(where) if pos.stack(h)}
    return Place(name, clause, groups, pos.game.limit, "6.2", standing, pools, due=True)


def come_in(pos: Position, side: str, answer: Answer) -> None:
    """9.1, 10.2 Units enter with all their points, ready to move and fight."""
    placed: dict[str, str] = answer["placed"]
    table = pos.game.tables["replacements"]
    for unit, loc in placed.items():
        if answer["form"] == "replace":
            u = pos.unit(unit)
            pos.steps[u.nation] -= table["unit_costs"].get(unit, table["costs"].get(u.type))
        pos.put(unit, loc)
        pos.entered.append(unit)
    counts = {loc: list(placed.values()).count(loc) for loc in sorted(set(placed.values()))}
    for loc in counts:
        enter(pos, loc, side)
    pos.touched |= {"table:replacements", f"table:losses_{side}"}
    event, clause = ("replaced", "10.1") if answer["form"] == "replace" else ("entered", "9.2")
    pos.tell(event, clause, side, counts=[[h, n] for h, n in counts.items()], hexes=list(counts), count=len(placed),
             private={side: {"units": sorted(placed)}})
