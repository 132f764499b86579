"""5.0 Weather and 6 truces: the check that opens every turn."""

from __future__ import annotations

from collections.abc import Callable

from rules.core.agenda import DONE, Next
from rules.core.forms import Answer, Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import NOBODY, SOME, Needs, Request
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import Position
from rules.titles.chaco.turn import segments
from rules.titles.chaco.units import BOLIVIA, SIDES, enemy


@segments.segment
def weather(pos: Position) -> Procedure[Next]:
    """5.0 Rain in January and February, in December by a die, else dry."""
    rules, (_, month) = pos.game.n["rain"], pos.game.month_of(pos.turn)
    pos.rain = month in rules["months"]
    if month == 12:
        rolled = yield from die("weather", "5.0")
        pos.rain = rolled in rules["december"]
        pos.tell("weather_rolled", "5.0", roll=rolled)
    pos.forget()
    pos.touched |= {"table:state", "track", "turn"}
    pos.tell("rains" if pos.rain else "dry", "5.0")
    return DONE


@segments.segment
def truce(pos: Position) -> Procedure[Next]:
    """6.1 Two dice for a truce; 6.4 a running one goes on by a die. 6.2 Either side may refuse it."""
    rules = pos.game.n["truce"]
    running, pos.truce = pos.truce, False
    rolled = yield from die("truce", "6.4" if running else "6.1")
    pos.touched |= {"table:state", "track"}
    pos.tell("truce_rolled", "6.4" if running else "6.1", roll=rolled)
    if running and rolled not in rules["continues"]:
        pos.tell("truce_ended", "6.4")
        return DONE
    if not running:
        if rolled not in rules["first"]:
            return DONE
        second = yield from die("truce", "6.1")
        pos.tell("truce_rolled", "6.1", roll=second)
        if second not in rules["second"]:
            return DONE
    first = yield from _first_asked(pos)
    return [["truce_words", first]]


def _first_asked(pos: Position) -> Procedure[str]:
    """6.2 Who has more points is asked first; a die decides between equals."""
    one, other = SIDES
    if pos.vp[one] != pos.vp[other]:
        return one if pos.vp[one] > pos.vp[other] else other
    rolled = yield from die("truce_order", "6.2")
    return one if rolled <= 3 else other


def can_refuse(pos: Position, side: str) -> bool:
    """6.2 A refusal costs ten points; who has fewer cannot pay."""
    return pos.vp[side] >= int(pos.game.n["truce"]["refusal"])


def _word_needs(pos: Position, side: str, first: str) -> Callable[[Answer], Needs]:
    """6.2 Who accepts first lets the other speak, if that can refuse; then Paraguay's turn begins (4.2)."""
    def needs(answer: Answer) -> Needs:
        other = answer["option"] == "accept_truce" and side == first and can_refuse(pos, enemy(side))
        return SOME if other or side == BOLIVIA else NOBODY
    return needs


@segments.segment
def truce_words(pos: Position, first: str) -> Procedure[Next]:
    """6.2 Each side accepts the truce or refuses it; then the turn is played normally. 6.3 If nobody does: no combat
    this turn, no new hex next to the enemy, no enemy settlement; zones of control do not touch supply."""
    for side in (first, enemy(first)):
        options = [Option("accept_truce", "6.3", label("option.accept_truce"), ends=True)]
        if can_refuse(pos, side):
            options.append(Option("refuse_truce", "6.2", label("option.refuse_truce"), ends=True))
        said = yield from choose(Request(side, "prompt.truce", "6.2", (Choose("truce", "6.2", tuple(options)),),
                                         open_grounds=True, needs=_word_needs(pos, side, first)))
        if said == "refuse_truce":
            pos.points(side, -pos.game.n["truce"]["refusal"])
            pos.tell("truce_refused", "6.2", side)
            return DONE
    pos.truce = True
    pos.forget()
    pos.touched |= {"table:state", "track", "turn"}
    pos.tell("truce_began", "6.3")
    return DONE
