"""12 The recovery phase: a card, its points, one event, reinforcements and replacements."""

from __future__ import annotations

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal, unknown
from rules.core.forms import Allocate, Answer, Choose, Form, Group, Lot, Option, Place, label
from rules.core.procedure import Procedure, ask, choose
from rules.core.request import NOBODY, SOME, Needs, Request
from rules.titles.ultimo_hombre.board import LIMIT, SIDES, STRATEGIC_NATIONS, enemy
from rules.titles.ultimo_hombre.decks import draw_cards
from rules.titles.ultimo_hombre.effects import OPS, card_needs
from rules.titles.ultimo_hombre.leaders import escape, leave_alone
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.turn import enter_stage, segments


@segments.segment
def begin_restore(pos: Position, side: str) -> Procedure[Next]:
    """12, 12.1 The phase begins with a card."""
    enter_stage(pos, "restore", side)
    pos.tell("restore_began", "2", side)
    yield from draw_cards(pos, side, 1)
    return DONE


@segments.segment
def choose_card(pos: Position, side: str) -> Procedure[Next]:
    """12.1 All cards received this turn count their points; exactly one goes into the in-use box and takes effect at
    once, the others are discarded. None in a scenario without cards."""
    if not pos.game.with_cards:
        return DONE
    hand = list(pos.hands[side])
    total = sum(pos.game.cards[c]["vp"] for c in hand)
    card = yield from choose(Request(side, "prompt.choose_card", "12.1", (
        Choose("choose_card", "12.1", tuple(
            Option(c, "12.1", label("option.card", card=f"card.{c}.title")) for c in hand)),),
        {"n": len(hand)}, needs=lambda answer: card_needs(pos, side, answer["option"])))
    if pos.in_use[side] not in pos.game.initial.values():
        pos.discards[side].append(pos.in_use[side])
    pos.show(side, card)
    others = sorted(c for c in hand if c != card)  # in which order they came is nobody else's business
    pos.discards[side] += others
    pos.hands[side] = []
    pos.touched |= {f"hand:{side}", f"pool:discards:{side}"}
    if total:
        pos.score(side, total)
    pos.tell("card_used", "12.1", side, card=card, title=f"card.{card}.title", discarded=others,
             titles=[f"card.{c}.title" for c in others], value=total, reveals=True)
    for effect in pos.game.cards[card]["effects"]:
        operation = OPS.get(effect["op"])
        if operation is not None and pos.result is None:
            yield from operation(pos, side, effect)
    if pos.result is None:
        for who in SIDES:
            leave_alone(pos, who)
    return DONE


# -- reinforcements ----------------------------------------------------------------------------------------

def strategic_of(pos: Position, side: str) -> list[str]:
    """12.2 The strategic spaces of the nations of a side, lost or not, as far as they are in play."""
    return sorted(s.id for s in pos.game.spaces.values()
                  if s.strategic and s.country in STRATEGIC_NATIONS[side] and s.id in pos.game.part)


def closed(pos: Position, side: str, space: str) -> Refusal | None:
    """12.2 Why a strategic space serves no more this phase: lost for good, used, its nation barred by 12.1 the first
    Allied turn or a card, or as many of its nation used as a card leaves."""
    nation = pos.space(space).country
    if nation == "argentina" and pos.argentina != "war":
        key = "refusal.argentina_out" if pos.argentina == "out" else "refusal.argentina_not_yet"
        return Refusal(key, "14" if pos.argentina == "out" else "12.1", at=space)
    if any(effect["nation"] == nation for _, effect in pos.effects("forbid_reinforcement")):
        return Refusal("refusal.card_bars_nation", "12.1", at=space)
    if space not in pos.strategic(nation) or pos.units_of(enemy(side), space):
        return Refusal("refusal.strategic_lost", "12.2", at=space)
    if space in pos.served:
        return Refusal("refusal.has_served", "12.2", at=space)
    if not _quota(pos, nation):
        return _spaces_shut(pos, nation, 1)
    return None


def open_spaces(pos: Position, side: str) -> list[str]:
    """12.2 Strategic spaces that can still serve this phase."""
    return [s for s in strategic_of(pos, side) if closed(pos, side, s) is None]


def _spaces_shut(pos: Position, nation: str, n: int) -> Refusal:
    """12.1 A card leaves a nation fewer spaces than are asked."""
    return Refusal("refusal.spaces_shut", "12.1", n=n, limit=_quota(pos, nation))


def reinforcement_form(pos: Position, side: str, spaces: list[str]) -> Place | None:
    """12.2 One unit of the reserve of its nation on each strategic space; never a special unit."""
    groups = []
    for nation in STRATEGIC_NATIONS[side]:
        where = tuple(s for s in spaces if pos.space(s).country == nation and len(pos.units_of(side, s)) < LIMIT)
        reserve = tuple(pos.stack(f"reserve:{nation}"))
        if where and reserve:
            shut = tuple(s for s in strategic_of(pos, side) if pos.space(s).country == nation and s not in where)
            groups.append(Group(f"reserve_{nation}", "12.2", reserve, where, shut=shut, most=_quota(pos, nation)))

    def enough(answer: Answer) -> None:
        placed = list(answer["placed"].values())
        for nation in STRATEGIC_NATIONS[side]:
            room = _quota(pos, nation)
            n = sum(pos.space(s).country == nation for s in placed)
            if n > room:
                raise _spaces_shut(pos, nation, n)

    return Place("reinforce", "12.2", tuple(groups), 1, "12.2", legal=enough, due=True,
                 why=lambda unit, space: not_reinforced(pos, side, unit, space)) if groups else None


def not_reinforced(pos: Position, side: str, unit: str, space: str | None) -> Refusal | None:
    """12.2, 5 Why a unit is no reinforcement, or not in that space."""
    if unit not in pos.game.units:
        return unknown(unit)
    if space is None:
        if pos.unit(unit).side != side:
            return Refusal("refusal.not_yours", "12.2")
        if pos.at[unit].startswith("special"):
            return Refusal("refusal.by_card_alone", "12.2", unit=unit)
        if not pos.at[unit].startswith("reserve"):
            return Refusal("refusal.not_in_reserve", "12.2", unit=unit)
        own = [s for s in strategic_of(pos, side) if pos.space(s).country == pos.unit(unit).nation]
        return next((why for s in own if (why := closed(pos, side, s))),
                    Refusal("refusal.no_space_for_it", "12.2", unit=unit))
    if space not in pos.game.spaces:
        return unknown(space)
    if space not in strategic_of(pos, side):
        return Refusal("refusal.not_strategic", "12.2", at=space)
    if pos.space(space).country != pos.unit(unit).nation:
        return Refusal("refusal.other_nation", "12.2", at=space, unit=unit)
    return closed(pos, side, space) or Refusal("refusal.too_many", "5", at=space, limit=LIMIT,
                                               n=len(pos.units_of(side, space)) + 1)


def _quota(pos: Position, nation: str) -> int:
    """12.2 How many strategic spaces of a nation may still be used; some cards shut some (A06, P18)."""
    shut: int = sum(effect["count"] for _, effect in pos.effects("reduce_reinforcement")
                    if effect["nation"] == nation)
    spaces = pos.strategic(nation)
    return max(0, len(spaces) - shut - sum(s in pos.served for s in spaces))


def replacement_form(pos: Position, side: str, spaces: list[str]) -> Allocate | None:
    """12.2 Instead, a reduced unit of the nation on its strategic space is made full."""
    if any(effect["side"] == side for _, effect in pos.effects("forbid_replacement")):
        return None
    lots = tuple(Lot(s, units, 0, 1, at=s) for s in spaces
                 if (units := tuple(u for u in pos.units_of(side, s)
                                    if u in pos.reduced and pos.unit(u).nation == pos.space(s).country)))

    def enough(answer: Answer) -> None:
        if not answer["lots"]:
            raise Refusal("refusal.nothing_taken", "12.2")
        for nation in STRATEGIC_NATIONS[side]:
            n = sum(pos.space(s).country == nation for s in answer["lots"])
            if n > _quota(pos, nation):
                raise _spaces_shut(pos, nation, n)

    return Allocate("replace", "12.2", "restore", lots, legal=enough, due=True) if lots else None


def _end_needs(answer: Answer) -> Needs:
    return SOME if answer["form"] == "end_restore" else NOBODY


@segments.segment
def reinforce(pos: Position, side: str) -> Procedure[Next]:
    """12.2 For each strategic space a reinforcement or a replacement; the board and the reserves lie open. The phase
    ends by itself when there is nothing to do, but not behind a placement: that can be taken back until the end."""
    spaces = open_spaces(pos, side)
    offered = (reinforcement_form(pos, side, spaces), replacement_form(pos, side, spaces))
    forms: list[Form] = [form for form in offered if form is not None]
    forms.append(Choose("end_restore", "2", (Option("end", "2", label("option.end_restore"), ends=True),)))
    answer = yield from ask(Request(side, "prompt.reinforce", "12.2", tuple(forms), open_grounds=not pos.served,
                                    needs=_end_needs))
    match answer["form"]:
        case "reinforce":
            for unit, space in answer["placed"].items():
                pos.put(unit, space)
                pos.served.append(space)
                escape(pos, side, space)
            pos.tell(
                "reinforced",
                "12.2",
                side,
                placed=[[u, s] for u, s in answer["placed"].items()],
                hexes=sorted(set(answer["placed"].values())),
                count=len(answer["placed"]),
            )
        case "replace":
            units = [u for taken in answer["lots"].values() for u in taken]
            for unit in units:
                pos.reduced.remove(unit)
                pos.touch(pos.at[unit])
            pos.served += sorted(answer["lots"])
            pos.tell("replaced", "12.2", side, units=units, hexes=sorted(answer["lots"]), count=len(units))
        case _:
            pos.served = []
            pos.tell("restore_ended", "2", side)
            return DONE
    return AGAIN
