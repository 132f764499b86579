"""8.0 The combat of an activation: all offensive fire, then melees in any order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Declare, Form, Option, label
from rules.core.procedure import Procedure, ask
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import charge, odds, storm
from rules.titles.austerlitz.activation import CHARGE, COMBAT, RETREAT, STRATEGIC
from rules.titles.austerlitz.fire import targets, top
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.runaway import let_rout, runaways
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.victory import judge
from rules.titles.austerlitz.volley import exchange

Targets = dict[str, dict[str, list[str]]]


def shooters(pos: Position) -> list[str]:
    """8.1.1, 6.3.8 Units that may still fire offensively: once a turn; foot guns not where they unlimbered."""
    act = pos.act
    assert act is not None
    return [u for u in act["units"] if pos.on_map(u) and u not in pos.fired
            and not (u in act["unlimbered"] and not pos.unit(u).horse)]


def fire_targets(pos: Position) -> Targets:
    """Target hex -> hexes from which active units may fire at it."""
    found: Targets = {}
    for unit in shooters(pos):
        for target in targets(pos, unit):
            found.setdefault(pos.at[target], {}).setdefault(pos.at[unit], []).append(unit)
    return found


def ordered(found: Targets) -> Targets:
    """Targets and sources in the order of their hexes."""
    return {target: dict(sorted(sources.items())) for target, sources in sorted(found.items())}


@segments.segment
def shoot(pos: Position) -> Procedure[Next]:
    """4.6.1 no. 2, 8.1.1 One offensive fire; repeated until nobody can or wants to fire."""
    act = pos.act
    assert act is not None
    able = fire_targets(pos) if act["mode"] not in (STRATEGIC, RETREAT) else {}  # 5.2.1, 4.7
    if not able:
        return DONE
    answer = yield from ask(
        _request(
            pos,
            "prompt.fire",
            "8.1.1",
            [Declare("fire", "8.1.1", ordered(able), legal=lambda a: _one(a, "8.1.1"), show=lambda a: _shown(pos, a))],
            "end_fire",
        )
    )
    if answer["form"] == "end":
        return DONE
    if answer["form"] == "rout":
        yield from let_rout(pos, answer["lots"].get("rout", []))
        judge(pos)
        return AGAIN
    firer, target = answer["units"][0], top(pos, answer["target"])
    assert target is not None
    act["shot"].append(firer)
    act["fired_at"][firer] = list(pos.stack(answer["target"]))
    yield from exchange(pos, firer, target)
    judge(pos)
    return AGAIN


def _one(answer: Answer, clause: str) -> None:
    """8.1.1 Each unit fires by itself."""
    if len(answer["units"]) != 1:
        raise Refusal("refusal.one_fires", clause, at=answer["target"])


def _shown(pos: Position, answer: Answer) -> dict[str, Any]:
    """8.1.8 The odds of one fire."""
    target = top(pos, answer["target"])
    if len(answer["units"]) != 1 or target is None:
        return {}
    return odds.of_fire(pos, answer["units"][0], target)


def _promised(pos: Position, name: str, found: Targets, answer: Answer) -> dict[str, Any]:
    """8.2-8.4 The odds of an attack by one whole stack."""
    units = next((stack for stack in found[answer["target"]].values() if sorted(stack) == answer["units"]), None)
    if units is None:
        return {}
    if name == "charge":
        return odds.of_charge(pos, units, answer["target"])
    return odds.of_attack(pos, name, units, answer["target"])


@segments.segment
def melee(pos: Position) -> Procedure[Next]:
    """4.6.1 no. 2, 8.2-8.4 One bayonet attack, assault or charge; repeated until nobody can or wants to attack."""
    act = pos.act
    assert act is not None
    if act["mode"] not in COMBAT:
        return DONE
    ways: dict[str, Targets] = {"bayonet": storm.choices(pos, storm.BAYONET), "assault": storm.choices(
        pos, storm.ASSAULT), "charge": charge.choices(pos)}
    forms: list[Form] = [Declare(name, clause, ordered(ways[name]), legal=lambda answer: _whole(ways, answer),
                                 show=lambda answer, name=name: _promised(pos, name, ways[name], answer))  # type: ignore[misc]
                         for name, clause in (("bayonet", "8.2.1"), ("assault", "8.3.1"), ("charge", "8.4.2"))
                         if ways[name]]
    if not forms:
        return DONE
    # 4.7 CHARGE: who can attack must.
    end = None if act["mode"] == CHARGE else "end_melee"
    answer = yield from ask(_request(pos, "prompt.melee", "8.0", forms, end))
    if answer["form"] == "end":
        return DONE
    if answer["form"] == "rout":
        yield from let_rout(pos, answer["lots"].get("rout", []))
        judge(pos)
        return AGAIN
    units = [u for stack in ways[answer["form"]][answer["target"]].values() for u in stack if u in answer["units"]]
    if answer["form"] == "charge":
        yield from charge.charge(pos, units, answer["target"])
    else:
        yield from storm.attack(pos, answer["form"], units, answer["target"])
    judge(pos)
    return AGAIN


def _whole(ways: Mapping[str, Targets], answer: Answer) -> None:
    """8.2.1, 8.3.1, 8.4.2 One stack attacks, all of it."""
    if sorted(answer["units"]) not in [sorted(stack) for stack in ways[answer["form"]][answer["target"]].values()]:
        raise Refusal("refusal.one_stack", storm.CLAUSES[answer["form"]], at=answer["target"])


def _request(pos: Position, prompt: str, clause: str, forms: list[Form], end: str | None) -> Request:
    act = pos.act
    assert act is not None
    forms = [*forms, *runaways(pos, act["side"])]
    if end is not None:
        forms = [*forms, Choose("end", clause, (Option(end, clause, label(f"option.{end}"), ends=True),))]
    who = act["leader"] or act["units"][0]
    return Request(pos.seat_of(who), prompt, clause, tuple(forms), {"command": f"command.{act['command']}"},
                   needs=needs_open)
