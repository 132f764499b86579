"""9 Reinforcements and 10 replacements."""

from __future__ import annotations

from rules.core.errors import Refusal, unknown
from rules.core.forms import Answer, Group, Place, Why
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


def entries(pos: Position, side: str) -> tuple[str, ...]:
    """9.2, 10.7 The hexes by which units of a side come in, open or not."""
    return pos.game.entries[side]


def shut(pos: Position, side: str, hex_: str, clause: str = "9.2") -> Refusal | None:
    """9.2, 10.6 No Ally enters where the enemy stands; 10.7 no Paraguayan by a town that was ever lost, nor by Humaitá
    without a supply line to Asunción. None for an entry that is open."""
    if side == ALLIED:
        return Refusal("refusal.entry_held", clause, at=hex_) if pos.holder(hex_) == enemy(side) else None
    humaita, asuncion = pos.game.tables["sources"][PARAGUAY][0], pos.game.tables["sources"][PARAGUAY][1]
    if hex_ in pos.taken or pos.holder(hex_) == enemy(side):
        return Refusal("refusal.entry_lost", "10.7", at=hex_)
    if hex_ == humaita and (asuncion in pos.taken or not joined(pos, side, humaita, asuncion)):
        return Refusal("refusal.entry_cut", "10.7", at=hex_)
    return None


def open_entries(pos: Position, side: str) -> tuple[str, ...]:
    """9.2, 10.6, 10.7 Where units of a side can come in now."""
    return tuple(h for h in entries(pos, side) if shut(pos, side, h) is None)


def ways_in(pos: Position, unit: str) -> tuple[str, ...]:
    """9.2 Ships only down the Paraná, Uruguayans only at their hex, all others by any entry of their side."""
    u, table = pos.unit(unit), pos.game.tables["entry"]
    return tuple(table["allied_river"]) if u.river else tuple(table["uruguay"]) if u.nation == "uruguay" \
        else entries(pos, u.side)


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
    """9.2 Any of the units due, each at one of its entry hexes; the rest wait. Who finds all of them shut is named with
    the reason."""
    if not before_movement(pos):
        return None
    clause = "9.2" if side == ALLIED else "8.2"  # 9.1: of Paraguay only those who come back from the Matto Grosso
    by_kind: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for unit in due(pos, side):
        u = pos.unit(unit)
        kind = "ships" if u.river else "uruguayans" if u.nation == "uruguay" else "reinforcements"
        by_kind.setdefault((kind, ways_in(pos, unit)), []).append(unit)
    if side == ALLIED and invading(pos):
        by_kind[("matto_grosso", tuple(pos.game.matto_grosso_entry))] = list(pos.stack(EXPEDITION))
    groups = []
    for (kind, ways), units in sorted(by_kind.items()):
        closed = tuple(h for h in ways if shut(pos, side, h) is not None)
        where = tuple(h for h in ways if h not in closed)
        if units:
            groups.append(Group(kind, "8.2" if kind == "matto_grosso" else clause, tuple(units), where, shut=closed))
    return _form(pos, "enter", clause, tuple(groups), {}, lambda unit, loc: why_not_enter(pos, side, unit, loc))


def why_not_enter(pos: Position, side: str, unit: str, loc: str | None) -> Refusal | None:
    """8.2, 9.1, 9.2, 10.7 Why a unit doesn't come in there, or not at all."""
    if (strange := _strange(pos, side, unit, loc, "9.1")) is not None:
        return strange
    if loc is None:
        turn = pos.at[unit].removeprefix("turn:") if pos.at[unit].startswith("turn:") else None
        return (
            Refusal("refusal.not_due", "9.2" if side == ALLIED else "8.2", unit=unit, turn=int(turn))
            if turn
            else Refusal("refusal.no_reinforcement", "9.1", unit=unit)
        )
    invader = unit in pos.stack(EXPEDITION)
    ways, clause = (
        (pos.game.matto_grosso_entry, "8.2") if invader else (ways_in(pos, unit), "9.2" if side == ALLIED else "10.7")
    )
    if loc not in ways:
        return Refusal("refusal.not_entry", clause, at=loc, unit=unit)
    return shut(pos, side, loc, clause)


def _strange(pos: Position, side: str, unit: str, loc: str | None, clause: str) -> Refusal | None:
    """What an arrival can't name: units and hexes that there are not, and units of the other side."""
    if unit not in pos.game.units:
        return unknown(unit)
    if loc is not None and loc not in pos.game.map.neighbours:
        return unknown(loc)
    if loc is not None and (off := pos.game.off_part(loc)) is not None:
        return off
    return None if pos.unit(unit).side == side else Refusal("refusal.not_yours", clause, at=loc)


def why_not_replace(pos: Position, side: str, unit: str, loc: str | None) -> Refusal | None:
    """10 Why a unit is not brought back there, or not at all."""
    if (strange := _strange(pos, side, unit, loc, "10.1")) is not None:
        return strange
    u = pos.unit(unit)
    if loc is not None and loc not in entries(pos, side):
        return Refusal("refusal.not_entry", "10.6" if side == ALLIED else "10.7", at=loc, unit=unit)
    if loc is not None:
        return shut(pos, side, loc, "10.6")
    if unit not in pos.game.prices:
        return Refusal("refusal.never_back", "10.2", unit=unit)
    if unit not in pos.stack(DEAD[side]) and unit not in pos.stack(AVAILABLE[side]):
        return Refusal("refusal.not_lost", "10.1", unit=unit)
    return Refusal("refusal.no_steps", "10.4", unit=unit, n=pos.game.prices[unit], left=pos.steps.get(u.nation, 0))


def replace_form(pos: Position, side: str) -> Place | None:
    """10.4, 10.6, 10.7 Eliminated units, and supply units never yet used (10.5), for the steps that are left."""
    if not pos.steps or not before_movement(pos):
        return None
    where = open_entries(pos, side)
    closed = tuple(h for h in entries(pos, side) if h not in where)
    by_cost: dict[tuple[str, int], list[str]] = {}
    prices, units = pos.game.prices, pos.game.units
    for unit in [*pos.stack(DEAD[side]), *pos.stack(AVAILABLE[side])]:
        cost = prices.get(unit)
        if cost is not None and cost <= pos.steps.get(nation := units[unit].nation, 0):
            by_cost.setdefault((nation, cost), []).append(unit)
    groups = tuple(Group(f"{nation}_{cost}", "10.4", tuple(units), where, pool=nation, cost=cost, shut=closed)
                   for (nation, cost), units in sorted(by_cost.items()))
    return _form(pos, "replace", "10.1", groups, {n: pos.steps[n] for n in sorted({g.pool or "" for g in groups})},
                 lambda unit, loc: why_not_replace(pos, side, unit, loc))


def _form(pos: Position, name: str, clause: str, groups: tuple[Group, ...], pools: dict[str, int],
          why: Why) -> Place | None:
    if not groups:
        return None
    where = {h for g in groups for h in g.where}
    standing = {h: len(pos.stack(h)) for h in sorted(where) if pos.stack(h)}
    return Place(name, clause, groups, pos.game.limit, "6.2", standing, pools, due=True, why=why)


def come_in(pos: Position, side: str, answer: Answer) -> None:
    """9.1, 10.2 Units enter with all their points, ready to move and fight."""
    placed: dict[str, str] = answer["placed"]
    for unit, loc in placed.items():
        if answer["form"] == "replace":
            pos.steps[pos.unit(unit).nation] -= pos.game.prices[unit]
        pos.put(unit, loc)
        pos.entered.append(unit)
    counts = {loc: list(placed.values()).count(loc) for loc in sorted(set(placed.values()))}
    pos.touched |= {"table:replacements", f"table:losses_{side}"}
    event, clause = (
        ("replaced", "10.1") if answer["form"] == "replace" else ("entered", "9.2" if side == ALLIED else "8.2")
    )
    pos.tell(
        event,
        clause,
        side,
        counts=[[h, n] for h, n in counts.items()],
        hexes=list(counts),
        count=len(placed),
        private={side: {"units": sorted(placed)}},
    )
    for loc in counts:
        enter(pos, loc, side)
