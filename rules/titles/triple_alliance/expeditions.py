"""8 Events off the map: the Matto Grosso invasion and the Mendoza rebellion."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Form, Lot, Option, label
from rules.core.procedure import Procedure, ask, roll
from rules.core.request import OPEN, SOME, Request, needs_open
from rules.titles.triple_alliance import arrivals
from rules.titles.triple_alliance.position import DEAD, EXPEDITION, Position
from rules.titles.triple_alliance.turn import segments
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY
from rules.titles.triple_alliance.victory import score


@segments.segment
def mendoza_roll(pos: Position) -> Procedure[Next]:
    """8.3 Each turn from II until it happens a die: on 0, 1 or 2 Mendoza rises."""
    terms = pos.game.tables["events"]["mendoza"]
    if pos.mendoza != "quiet" or pos.turn < terms["from_turn"]:
        return DONE
    drawn = yield from roll("mendoza", "8.3", 0, 9)
    rises = drawn in terms["breaks_out"]
    pos.tell("mendoza_rolled", "8.3", ALLIED, roll=drawn, rises=rises)
    return [["mendoza_answer"]] if rises else DONE


@segments.segment
def mendoza_answer(pos: Position) -> Procedure[Next]:
    """8.3 The Allied player crushes the rising now, with six infantry and four cavalry or artillery, no Guards
    among them, that are not next to the enemy or are due this turn; or he loses a point."""
    terms = pos.game.tables["events"]["mendoza"]
    away = [u for h in pos.hexes_of(ALLIED) if not pos.borders_enemy(h, ALLIED) for u in pos.stack(h)]
    fit = [u for u in [*away, *arrivals.due(pos, ALLIED)] if not pos.unit(u).guard]
    lots = (Lot("infantry", tuple(u for u in fit if pos.unit(u).type == "infantry"),
                terms["infantry"], terms["infantry"], label=label("lot.infantry")),
            Lot("mounted", tuple(u for u in fit if pos.unit(u).type == "cavalry" or pos.unit(u).artillery),
                terms["cavalry_or_artillery"], terms["cavalry_or_artillery"], label=label("lot.mounted")))
    forms: list[Form] = [Choose("leave_mendoza", "8.3", (
        Option("leave_mendoza", "8.3", label("option.leave_mendoza")),))]
    if all(len(lot.units) >= lot.least for lot in lots):
        forms.append(Allocate("crush_mendoza", "8.3", "send", lots))
    answer = yield from ask(Request(ALLIED, "prompt.mendoza", "8.3", tuple(forms),
                                    needs=lambda _: SOME if invaded(pos) else OPEN))
    if answer["form"] == "leave_mendoza":
        pos.mendoza = "lost"
        pos.tell("mendoza_left", "8.3", ALLIED, reveals=True)
        score(pos, "mendoza", "8.3")
        return DONE
    force = sorted(u for units in answer["lots"].values() for u in units)
    for unit in force:
        pos.put(unit, f"turn:{pos.turn + 1}")
    pos.mendoza = "crushed"
    pos.touched.add("table:points")
    pos.tell("mendoza_crushed", "8.3", ALLIED, units=force, reveals=True)
    return DONE


def invaded(pos: Position) -> bool:
    """8.2 Whether Paraguay is asked this turn about the Matto Grosso; where the expedition went everybody knows."""
    return pos.matto_grosso == "launched" and pos.turn == pos.game.tables["events"]["matto_grosso"]["turn"]


def fit_to_meet(pos: Position) -> list[str]:
    """8.2 Paraguayan infantry in Paraguay with no Allied unit next to it (with cavalry under the option)."""
    hexes = [h for h in pos.hexes_of(PARAGUAY)
             if pos.game.map.hexes[h].country == PARAGUAY and not pos.borders_enemy(h, PARAGUAY)]
    mounted = pos.options["matto_grosso_force"] == "infantry_and_cavalry"
    return [u for h in hexes for u in pos.stack(h)
            if pos.unit(u).foot or (mounted and pos.unit(u).type == "cavalry")]


@segments.segment
def matto_grosso_answer(pos: Position) -> Procedure[Next]:
    """8.2 In turn V Paraguay says whether it meets the invasion; the question comes even to one who cannot."""
    terms = pos.game.tables["events"]["matto_grosso"]
    if not invaded(pos):
        return DONE
    fit, mixed_only = fit_to_meet(pos), pos.options["matto_grosso_force"] == "infantry_and_cavalry"
    forms: list[Form] = [
        Choose("let_them_come", "8.2", (Option("let_them_come", "8.2", label("option.let_them_come")),))
    ]

    def mixed(answer: Answer) -> None:
        kinds = [pos.unit(u).foot for u in answer["lots"].get("force", [])]
        if mixed_only and kinds.count(True) != 1:
            raise Refusal("refusal.one_of_each", "8.2")

    if len(fit) >= terms["answer_infantry"] and (not mixed_only or len({pos.unit(u).foot for u in fit}) > 1):
        forms.append(
            Allocate(
                "meet_invasion",
                "8.2",
                "send",
                (
                    Lot(
                        "force",
                        tuple(fit),
                        terms["answer_infantry"],
                        terms["answer_infantry"],
                        label=label("lot.answer_force"),
                    ),
                ),
                legal=mixed,
            )
        )
    answer = yield from ask(Request(PARAGUAY, "prompt.matto_grosso_answer", "8.2", tuple(forms), needs=needs_open))
    if answer["form"] == "let_them_come":
        pos.matto_grosso = "unopposed"
        pos.tell("matto_grosso_unopposed", "8.2", PARAGUAY, reveals=True)
        return DONE
    force = answer["lots"]["force"]
    for unit in force:
        pos.put(unit, f"turn:{terms['answer_returns']}")
    beaten = list(pos.stack(EXPEDITION))
    for unit in beaten:
        pos.put(unit, DEAD[ALLIED])
    pos.matto_grosso = "answered"
    pos.touched |= {"table:points", "table:losses_allied"}
    pos.tell("matto_grosso_beaten", "8.2", PARAGUAY, units=force, lost=beaten, reveals=True)
    return DONE
