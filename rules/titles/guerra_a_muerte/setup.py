"""2 Set-up, 12 the scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Group, Option, Place, label
from rules.core.procedure import Procedure
from rules.core.request import needs_open, needs_some
from rules.titles.guerra_a_muerte.asking import want
from rules.titles.guerra_a_muerte.board import BRAZIL, HALF, LEADER, PURSES, SIDES, Game
from rules.titles.guerra_a_muerte.control import enterable
from rules.titles.guerra_a_muerte.events import from_spain, subverter
from rules.titles.guerra_a_muerte.position import HELD, OUT, Position
from rules.titles.guerra_a_muerte.turn import segments, whole_turn

MANY = 99
FEW = 3  # so many places are named one by one


def begin(game: Game, options: dict[str, Any]) -> Position:
    """2.3, 12.1, 12.1.1, 12.1.2, 12.1.3, 12.2, 12.2.1, 12.3, 12.3.1 Counters wait in pools and on the track; all set
    up, the royalist first; then the turn begins with the scenario's phase."""
    scenario = game.scenario
    pos = Position(game, options, turn=scenario["first_turn"],
                   armies={side: {str(n): None for n in range(1, game.tables["armies"][side] + 1)} for side in SIDES},
                   purses={p: scenario["rp"].get(p, 0) * HALF for p in PURSES},
                   masses={side: sorted(scenario["markers"]["masses"].get(side, [])) for side in SIDES},
                   repression=sorted(scenario["markers"]["repression"]), coup=scenario["coup"])
    for unit in game.units:
        pos.put(unit, shelf(pos, unit))
    for unit, area in scenario["rebels"].items():
        pos.put(unit, area)
    for unit in scenario["legion"]:
        pos.put(unit, BRAZIL)
    first = whole_turn(game, scenario["first_phase"])
    if pos.coup is not None:  # 12.3 (ruling 24): the coup came in the events of this turn
        first = [first[0], ["leaders_subvert"], *first[1:]]
    pos.agenda = [["set_up", n] for n in range(len(scenario["setup"]))] + first
    pos.touched.clear()
    return pos


def shelf(pos: Position, unit: str) -> str:
    """2.3, 12.2.3 Where a counter waits: on the turn track if it comes later, in its recruit pool if it was to come
    before the scenario opens or is bought; leaders of earlier years are gone, and after the coup nobody comes from
    Spain (ruling 44)."""
    u, first = pos.unit(unit), pos.game.scenario["first_turn"]
    opens_late = pos.game.scenario["first_phase"] == "patriot_operations"
    if u.type == LEADER and u.entry < first:
        return OUT
    if pos.coup is not None and from_spain(pos, unit) and u.entry >= first:
        return OUT
    if u.entry > first or (u.entry == first and not opens_late and first > 1 and u.enters != "recruit_pool"):
        return f"turn:{u.entry}"
    return OUT if u.nation == "portuguese" or u.type == LEADER else f"recruits:{u.nation}"


@segments.segment
def leaders_subvert(pos: Position) -> Procedure[Next]:
    """12.3, 10.2.1 Scenario 3 opens after the coup: the leaders may still subvert, once the armies stand."""
    yield from ()
    return [["subversion", sorted(u for u in pos.game.units if subverter(pos, u))]]


# -- demands: so many steps of a kind ----------------------------------------------------------------------------


def fits(pos: Position, unit: str, demand: Mapping[str, Any]) -> bool:
    """12.2.2, 12.3.2 Whether a counter is of the kind a demand asks for."""
    u = pos.unit(unit)
    return (u.nation in demand["nations"] and u.type == demand["type"] and not u.militia
            and demand.get("new_granada", u.new_granada) == u.new_granada
            and demand.get("english", u.english) == u.english)


def candidates(pos: Position, demand: Mapping[str, Any]) -> list[str]:
    """12.2.2, 12.3.2 The counters that may serve: those that entered before the scenario opens."""
    return [u for u in pos.game.units if fits(pos, u, demand) and pos.unit(u).entry < pos.game.scenario["first_turn"]]


def served(pos: Position, demands: Iterable[Mapping[str, Any]],
           placed: Mapping[str, str]) -> tuple[list[str], dict[str, int], list[str]]:
    """12.2.2, 12.3.3 Which counters start reduced so that each demand gets its exact steps, the steps that demands
    still want, and the counters that none wants. A counter that only one demand can use serves that one; the others
    fill up what is missing, the larger first."""
    demands = list(demands)
    missing = {d["id"]: d["steps"] for d in demands}
    last: dict[str, list[str]] = {d["id"]: [] for d in demands}
    wrong: list[str] = []
    able = {u: [d["id"] for d in demands if place in d["where"] and fits(pos, u, d)] for u, place in placed.items()}
    for unit in sorted(placed, key=lambda u: (len(able[u]), -pos.unit(u).steps, u)):
        goal = next((d for d in able[unit] if missing[d] > 0), None)
        if goal is None:
            wrong.append(unit)
            continue
        missing[goal] -= pos.unit(unit).steps
        last[goal].append(unit)
    reduced = [max(u for u in last[d] if pos.unit(u).steps > 1) for d, n in missing.items() if n == -1]
    return reduced, {d: n for d, n in missing.items() if n > 0}, wrong


def open_to(pos: Position, side: str, where: Iterable[str]) -> tuple[str, ...]:
    """6.7 The places of a set-up that are not already a city of the enemy."""
    return tuple(sorted(p for p in where if p not in pos.game.places or enterable(pos, p, side)))


def demand_groups(pos: Position, side: str, demands: Iterable[Mapping[str, Any]], clause: str) -> list[Group]:
    """12.2.2, 12.3.2 One group for each kind of counter, onto all areas that ask for it."""
    kinds: dict[str, tuple[set[str], set[str]]] = {}
    for demand in demands:
        for unit in candidates(pos, demand):
            u = pos.unit(unit)
            units, where = kinds.setdefault(f"steps_{u.nation}_{u.type}", (set(), set()))
            units.add(unit)
            where |= set(demand["where"])
    return [Group(name, clause, tuple(sorted(units)), open_to(pos, side, where),
                  says=label("group.set_up_kind", **kind_of(pos, min(units))))
            for name, (units, where) in sorted(kinds.items())]


def kind_of(pos: Position, unit: str) -> dict[str, str]:
    """Nation and arm of a counter, in words."""
    return {"nation": f"nation.{pos.unit(unit).nation}", "type": f"type.{pos.unit(unit).type}"}


def in_words(game: Game, where: Iterable[str]) -> list[str]:
    """A few places as they are, more of them as their areas, still more as regions of the map."""
    places = sorted(where)
    areas = sorted({game.area(p) or p for p in places})
    if len(areas) > FEW:
        regions: Mapping[str, str] = game.terms.data.files["map"]["regions"]
        return list(dict.fromkeys(regions[game.map.areas[a].region or ""] for a in areas))
    return areas if set(areas) & set(places) else places


def wanted(game: Game, number: int) -> list[dict[str, Any]]:
    """12.2.2, 12.2.3, 12.3.2, 12.3.3 The steps that a set-up asks for: how many, of what, and where."""
    return [{"n": demand["steps"], "where": in_words(game, demand["where"]), "type": f"type.{demand['type']}",
             "nation": [f"nation.{n}" for n in demand["nations"]]}
            for demand in game.scenario["setup"][number].get("demands", [])]


@segments.segment
def set_up(pos: Position, number: int) -> Procedure[Next]:
    """2.1, 2.2, 12.2.2, 12.2.3, 12.3.2, 12.3.3 One side sets up: what stands where it must, the rest as its player
    likes, or as suggested."""
    body = pos.game.scenario["setup"][number]
    side, clause, demands = body["side"], body["clause"], body.get("demands", [])
    groups = [Group(g["id"], clause, tuple(g["units"]), open_to(pos, side, g["where"]), must=True,
                    says=label("group.set_up", where=in_words(pos.game, g["where"])))
              for g in body["groups"]]
    groups += demand_groups(pos, side, demands, clause)

    def exact(answer: Answer) -> None:
        free = {u: p for u, p in answer["placed"].items() if any(u in g.units for g in groups[len(body["groups"]):])}
        _, missing, wrong = served(pos, demands, free)
        if wrong:
            raise Refusal("refusal.not_wanted", clause, unit=wrong[0], at=free[wrong[0]])
        for demand, row in zip(demands, wanted(pos.game, number), strict=True):
            if n := missing.get(demand["id"]):
                raise Refusal("refusal.steps_differ", clause, n=n, where=row["where"], type=row["type"],
                              nation=row["nation"])

    pos.touched.add("table:set_up")
    pos.tell("sets_up", clause, side)
    answer = yield from want(side, "set_up", clause, [
        Place("set_up", clause, tuple(groups), MANY, clause, suggested=body["suggested"], legal=exact),
        Choose("suggested", clause, (Option("suggested", clause, label("option.suggested")),))],
        needs=needs_some if ["set_up", number + 1] in pos.agenda else needs_open)
    placed: dict[str, str] = answer.get("placed", body["suggested"])
    free = {u: p for u, p in placed.items() if not any(u in g["units"] for g in body["groups"])}
    reduced, *_ = served(pos, demands, free)
    for unit, place in {**body["fixed"], **placed}.items():
        pos.put(unit, place)
    pos.reduced = sorted({*pos.reduced, *body["reduced"], *reduced})
    pos.guerrillas = sorted({*pos.guerrillas, *body["guerrillas"]})
    for area, number_ in body.get("armies", {}).items():
        pos.move_army(side, str(number_), area)
    pos.tidy()
    pos.touched |= {*(f"space:{place}" for place in pos.game.spaces), "table:set_up", *HELD}
    pos.tell("set_up", clause, side, count=len(placed) + len(body["fixed"]))
    return DONE
