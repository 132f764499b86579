"""A2.4 The Tirailleurs du Po and Corses split into companies and gather again, by a change of formation."""

from __future__ import annotations

from rules.core.forms import Option, label
from rules.titles.austerlitz.allowance import left
from rules.titles.austerlitz.formations import SKIRMISH, column_of
from rules.titles.austerlitz.position import SPLIT, Position


def options(pos: Position) -> tuple[Option, ...]:
    """What active tirailleurs may do: a whole battalion splits, companies together in a hex form it again."""
    act = pos.act
    assert act is not None
    found = []
    for unit in act["units"]:
        if not pos.on_map(unit):
            continue
        u = pos.unit(unit)
        if u.companies and not pos.routed(unit) and _pays(pos, unit):
            found.append(Option(f"split:{unit}", "A2.4", label("option.split", unit=unit), at=pos.at[unit]))
        if u.battalion is not None and _gathered(pos, u.battalion) and pos.stack(pos.at[unit])[0] == unit:
            found.append(Option(f"join:{u.battalion}", "A2.4", label("option.join", unit=u.battalion), at=pos.at[unit]))
    return tuple(found)


def price(pos: Position, unit: str) -> int:
    """What the change costs, in half points: as any change of formation."""
    return 2 * int(pos.game.tables["actions"]["change_formation"][column_of(pos.unit(unit), pos.form[unit])])


def _pays(pos: Position, unit: str) -> bool:
    return price(pos, unit) <= left(pos, unit)


def _gathered(pos: Position, battalion: str) -> bool:
    """Whether all companies that are left stand in one hex, in order and with points to pay."""
    there = [c for c in pos.unit(battalion).companies if pos.on_map(c)]
    return bool(there) and len({pos.at[c] for c in there}) == 1 and all(
        not pos.routed(c) and pos.act is not None and c in pos.act["units"] and _pays(pos, c) for c in there)


def carry_out(pos: Position, option: str) -> None:
    """A2.4 Split into as many companies as the battalion has points, or form it again with the companies left."""
    act = pos.act
    assert act is not None
    kind, battalion = option.split(":")
    companies = pos.unit(battalion).companies
    if kind == "split":
        hex_, spent = pos.at[battalion], act["spent"].get(battalion, 0) + price(pos, battalion)
        out = companies[:pos.strength(battalion)]
        began = act["began"].get(battalion, [])
        act["units"] = [u for u in act["units"] if u != battalion] + list(out)
        level, capped = pos.morale.pop(battalion, 0), battalion in pos.capped
        pos.put(battalion, SPLIT)
        for company in out:
            pos.form[company], pos.facing[company], pos.lost[company] = SKIRMISH, 0, 0
            act["spent"][company], act["began"][company], act["from"][company] = spent, began, hex_
            if level:
                pos.morale[company] = level
            if capped and company not in pos.capped:
                pos.capped.append(company)
            pos.put(company, hex_)
        pos.touched.add("table:losses_french")
        pos.touched.add("layer:zones")
        pos.tell("split", "A2.4", act["side"], unit=battalion, units=list(out), at=hex_)
        return
    there = [c for c in companies if pos.on_map(c)]
    hex_ = pos.at[there[0]]
    spent = max(act["spent"].get(c, 0) for c in there) + price(pos, there[0])
    level = max(pos.morale.get(c, 0) for c in there)
    act["units"] = [u for u in act["units"] if u not in there] + [battalion]
    for company in there:
        pos.morale.pop(company, None)
        pos.put(company, SPLIT)
    pos.lost[battalion] = pos.unit(battalion).strength - len(there)
    pos.touched.add("table:losses_french")
    pos.form[battalion], pos.facing[battalion] = SKIRMISH, 0
    act["began"][battalion] = sorted({e for c in there for e in act["began"].get(c, ()) if act["from"].get(c) == hex_})
    act["spent"][battalion], act["from"][battalion] = spent, hex_
    if level:
        pos.morale[battalion] = level
    pos.put(battalion, hex_)
    pos.touched.add("layer:zones")
    pos.tell("joined", "A2.4", act["side"], unit=battalion, units=there, at=hex_)
