"""3.3, 6.1 What the active force does: one deed an answer, until its points are gone or its player has done."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.forms import Answer, Form
from rules.core.procedure import Procedure
from rules.core.request import needs_nobody
from rules.titles.guerra_a_muerte import fleets, siege
from rules.titles.guerra_a_muerte.asking import done, want
from rules.titles.guerra_a_muerte.attacks import attack_forms, target_of
from rules.titles.guerra_a_muerte.attrition import exposed, weather
from rules.titles.guerra_a_muerte.battle import fight
from rules.titles.guerra_a_muerte.board import PATRIOT
from rules.titles.guerra_a_muerte.events import agitate, agitate_form
from rules.titles.guerra_a_muerte.guerrillas import hunt, hunt_form
from rules.titles.guerra_a_muerte.leaders import haven_form, into_haven
from rules.titles.guerra_a_muerte.march import march, march_form, muster, pick_up, pick_up_form
from rules.titles.guerra_a_muerte.needs import of_deed
from rules.titles.guerra_a_muerte.operations import cost, friction, spend
from rules.titles.guerra_a_muerte.ports import fallen_ports
from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.turn import segments


@segments.segment
def operate(pos: Position) -> Procedure[Next]:
    """3.3, 5.1.3 One deed of the active force. It is done when its player says so, or when everybody can see that
    nothing is left to do: nobody knows who could still join it out of a closed box."""
    units = muster(pos)
    forms = fleets.fleet_forms(pos, units) if pos.force["kind"] == "sea" else land_forms(pos, units)
    closed = pos.force["at"] in pos.game.worth and pos.hidden(pos.force["side"], pos.force["at"])
    if not units or not (forms or closed):
        yield from finish(pos)
        return DONE
    answer = yield from want(pos.force["side"], "operate", "3.3", [
        *forms, done("end_force", "3.3", forecast=pos.force["harsh"])],
                             needs=lambda answer: of_deed(pos, answer), at=pos.force["at"], n=pos.force["op"])
    if answer["form"] == "end_force":
        yield from finish(pos)
        return DONE
    if answer["form"] == "agitate":
        return [agitate(pos, answer["option"]), ["operate"]]
    if pos.force["kind"] == "sea":
        return (yield from fleets.deed(pos, answer))
    yield from deed(pos, units, answer)
    yield from fallen_ports(pos)
    return AGAIN


def finish(pos: Position) -> Procedure[None]:
    """3.3, 5.3 The force is done: who came through hostile country or over the Andes rolls for attrition."""
    force = pos.force
    muster(pos)
    if force["harsh"]:
        troops = exposed(pos, force["units"])
        if troops:
            yield from weather(pos, force["side"], troops, needs_nobody)
    pos.forces.pop()
    pos.tidy()
    pos.touched |= {"table:force", *(f"space:{f['at']}" for f in (force, *pos.forces))}
    pos.tell("force_done", "3.3", force["side"], at=force["at"])
    if not pos.forces:  # a fleet in a port that its last defenders have left may still sail
        yield from fallen_ports(pos)


# -- on land -----------------------------------------------------------------------------------------------------


def land_forms(pos: Position, units: Sequence[str]) -> list[Form]:
    """3.3, 5.2, 6.1, 6.6, 10.1 What a land force can do with the points it has; one that blockades only attacks the
    place."""
    if not units:
        return []
    force, troops = pos.force, pos.troops(units)
    at, op, side = force["at"], force["op"], force["side"]
    in_field = at in pos.game.worth
    offered: list[Form | None] = []
    if in_field and troops and op >= cost(pos, "assault"):
        offered.append(siege.assault_form(pos, units, at, friction(pos)))
    if pos.besieged(force["blockade"]):  # once the place has fallen they are free again
        return [form for form in offered if form is not None]
    offered.insert(0, march_form(pos, units))
    offered.append(pick_up_form(pos))
    if in_field and troops:
        if op >= cost(pos, "battle"):
            offered += attack_forms(pos, units, at)
        if op >= cost(pos, "works"):
            offered.append(siege.works_form(pos, units, at))
        if op >= cost(pos, "blockade"):
            offered.append(siege.blockade_form(pos, units, at))
        if op >= cost(pos, "hunt"):
            offered.append(hunt_form(pos, side, at))
    if side == PATRIOT:
        offered += [haven_form(pos, pos.game.tables["slots"][force["slot"]]), agitate_form(pos)]
    return [form for form in offered if form is not None]


def deed(pos: Position, units: Sequence[str], answer: Answer) -> Procedure[None]:
    """3.3, 6.1 Carry out what was answered."""
    at, tired = pos.force["at"], friction(pos)
    match answer["form"]:
        case "march":
            yield from march(pos, answer)
        case "pick_up":
            pick_up(pos, answer["lots"]["join"])
        case "haven":
            into_haven(pos, answer["placed"])
        case "assault":
            spend(pos, cost(pos, "assault"))
            yield from siege.assault(pos, units, answer["target"], tired)
        case "works":
            spend(pos, cost(pos, "works"))
            siege.dig(pos, units, answer["option"])
        case "blockade":
            spend(pos, cost(pos, "blockade"))
            siege.starve(pos, units, answer["option"])
        case "hunt":
            spend(pos, cost(pos, "hunt"))
            yield from hunt(pos, units, answer, at)
        case name:
            spend(pos, cost(pos, "battle"))
            defenders = target_of(pos, name, at, answer["target"])
            yield from fight(pos, list(units), defenders, at, may_evade=True, friction=tired)
