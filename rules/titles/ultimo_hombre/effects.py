"""12.1 What the event cards do at once, each kind of effect by its name. What lasts is read from the cards that show
(`Position.effects`). What cannot be done is lost; what can be done must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Allocate, Choose, Lot, Option, label
from rules.core.procedure import Procedure, allocate, choose
from rules.core.request import NOBODY, Needs, Request, needs_open
from rules.titles.ultimo_hombre.board import LIMIT, NEUTRAL, enemy
from rules.titles.ultimo_hombre.capitals import fall_needs
from rules.titles.ultimo_hombre.control import take
from rules.titles.ultimo_hombre.leaders import escape, leave_alone
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.retreat import near_room
from rules.titles.ultimo_hombre.transport import may_stand

Effect = dict[str, Any]


def allowed(pos: Position, side: str, at: Effect) -> list[str]:
    """12.1 The spaces of an effect: its spaces, regions, countries, strategic ones and capital together; main rivers
    alone or as a further condition; of the own side unless said otherwise, never neutral, never under the enemy."""
    named = {"spaces", "regions", "countries", "strategic", "capital"} & set(at)
    out = []
    for spot in pos.game.spaces.values():
        hit = (spot.id in at.get("spaces", ()) or spot.region in at.get("regions", ())
               or spot.country in at.get("countries", ())
               or ("strategic" in at and spot.id in pos.strategic(at["strategic"]))
               or (bool(at.get("capital")) and spot.id == pos.capital) or not named)
        if not hit or (at.get("main_river") and not spot.main_river):
            continue
        holder = pos.controller(spot.id)
        if holder == NEUTRAL or (at.get("control") == "own" and holder != side):
            continue
        if not pos.units_of(enemy(side), spot.id):
            out.append(spot.id)
    return sorted(out)


def nothing_done(pos: Position, side: str) -> None:
    """12.1 What a card says cannot be done, or no more of it: it is lost (ruling)."""
    pos.tell("effect_lost", "12.1", side, title=f"card.{pos.in_use[side]}.title")


def _pick(
    pos: Position,
    side: str,
    prompt: str,
    spaces: list[str],
    needs: Callable[[str], Needs],
    at: Effect | None = None,
    **args: Any,
) -> Procedure[str]:
    def elsewhere(given: Any) -> Refusal | None:
        if given not in list(pos.game.spaces):
            return None
        n = len(pos.units_of(side, given))
        if at is not None and n >= LIMIT and given in allowed(pos, side, at):
            return Refusal("refusal.too_many", "5", at=given, n=n + 1, limit=LIMIT)
        return Refusal("refusal.card_not_there", "12.1", at=given)

    chosen = yield from choose(Request(side, prompt, "12.1", (
        Choose("card_space", "12.1", tuple(Option(s, "12.1", label("option.at", at=s), at=s) for s in spaces),
               why=elsewhere),), args, open_grounds=True, needs=lambda answer: needs(answer["option"]),
        card=pos.in_use[side]))
    return chosen


def _arrive(pos: Position, side: str, unit: str, space: str, reduced: bool) -> Procedure[None]:
    pos.put(unit, space)
    if reduced and pos.unit(unit).reduced is not None:
        pos.reduced.append(unit)
    pos.tell("unit_placed", "12.1", side, unit=unit, at=space)
    escape(pos, side, space)
    yield from take(pos, space, side, late=True)


def _where(pos: Position, side: str, unit: str, at: Effect, done: Sequence[str] = ()) -> list[str]:
    """5, 12.1 Where one unit of a card may go: an allowed space with room, else the own one with room nearest to a full
    one; never to those that are `done`, with as many units as the card gives a space."""
    spaces = [s for s in allowed(pos, side, at) if may_stand(pos, unit, s)]
    still = [s for s in spaces if s not in done]
    free = [s for s in still if len(pos.units_of(side, s)) < LIMIT]
    if free:
        return free
    return sorted({s for start in still for s in near_room(pos, side, unit, [*spaces, *done], start)})


def place_unit(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """Special units of the card come on the board (12.2)."""
    chosen = ""
    together = len(effect["units"]) if effect.get("same_space") else 1
    for unit in effect["units"]:
        gone = pos.unit(unit).nation == "argentina" and pos.argentina == "out"
        if pos.result is not None or not (gone or pos.at[unit].startswith("special")):
            continue
        where = [] if gone else _where(pos, side, unit, effect["at"])
        if chosen and together > 1:
            full = len(pos.units_of(side, chosen)) >= LIMIT
            where = near_room(pos, side, unit, [chosen], chosen) if full else [chosen]
        elif together > 1:
            where = [s for s in where if len(pos.units_of(side, s)) + together <= LIMIT] or where
        if not where:
            pos.tell("unit_not_placed", "12.1", side, unit=unit)
            continue
        chosen = yield from _pick(
            pos, side, "prompt.card_unit", where, lambda s: fall_needs(pos, side, [s]), effect["at"], unit=unit
        )
        yield from _arrive(pos, side, unit, chosen, effect.get("arrive") == "reduced")


def place_fortress(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """A fortress is built, where it may stand and none is."""
    yield from ()
    for space in allowed(pos, side, effect["at"]):
        if pos.fort_at(space) is None and effect["marker"] not in pos.forts:
            pos.fortify(effect["marker"], space)
            pos.tell("fort_built", "12.1", side, at=space, fort=effect["marker"])
            return
    nothing_done(pos, side)


def extra_reinforcement(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """Units of the reserve beyond the normal ones."""
    nation = effect["nation"]
    if nation == "argentina" and (
        pos.argentina == "out" or (effect.get("requires") == "argentina_at_war" and pos.argentina != "war")
    ):
        return nothing_done(pos, side)
    used: list[str] = []
    most = effect.get("max_per_space", LIMIT)
    falls = fall_needs(pos, side, allowed(pos, side, effect["at"]))
    for _ in range(effect["count"]):
        done = [s for s in used if used.count(s) >= most]
        goals = {
            u: _where(pos, side, u, effect["at"], done)
            for u in pos.stack(f"reserve:{nation}")
            if pos.unit(u).type == effect.get("unit_type", pos.unit(u).type)
        }
        units = [u for u, where in goals.items() if where]
        if pos.result is not None:
            return
        if not units:
            return nothing_done(pos, side)
        taken = yield from allocate(
            Request(
                side,
                "prompt.extra_reinforcement",
                "12.1",
                (Allocate("extra_reinforcement", "12.1", "send", (Lot("reserve", tuple(units), 1, 1),)),),
                open_grounds=True,
                needs=lambda _: falls,
                card=pos.in_use[side],
            )
        )
        unit = taken["reserve"][0]
        space = yield from _pick(
            pos, side, "prompt.card_unit", goals[unit], lambda s: fall_needs(pos, side, [s]), effect["at"], unit=unit
        )
        used.append(space)
        yield from _arrive(pos, side, unit, space, effect.get("arrive") == "reduced")


def restore_units(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """Reduced units are made full."""
    where = set(allowed(pos, side, effect["at"])) if "at" in effect else set(pos.game.spaces)
    units = [u for u in sorted(pos.reduced) if pos.unit(u).side == side and pos.at[u] in where]
    n = min(effect["count"], len(units))
    if not n:
        return nothing_done(pos, side)
    taken = yield from allocate(
        Request(
            side,
            "prompt.restore_units",
            "12.1",
            (Allocate("restore_units", "12.1", "restore", (Lot("units", tuple(units), n, n),)),),
            {"n": n},
            open_grounds=True,
            card=pos.in_use[side],
        )
    )
    for unit in taken["units"]:
        pos.reduced.remove(unit)
        pos.touch(pos.at[unit])
    pos.tell("units_restored", "12.1", side, units=taken["units"], count=n)


def _exposed(pos: Position, effect: Effect) -> list[str]:
    """Spaces where an effect can cost the named side steps."""
    side, at = effect["side"], effect.get("at", {})
    out = []
    for space in pos.spaces_of(side):
        spot, units = pos.space(space), _victims(pos, effect, space)
        if at.get("countries") and spot.country not in at["countries"]:
            continue
        if at.get("regions") and spot.region not in at["regions"]:
            continue
        if len(pos.units_of(side, space)) < at.get("stack_min", 1) or not units:
            continue
        if at.get("leader_protects") and pos.leaders_at(side, space):
            continue
        out.append(space)
    return out


def _victims(pos: Position, effect: Effect, space: str) -> list[str]:
    return [u for u in pos.units_of(effect["side"], space)
            if pos.unit(u).type == effect.get("unit_type", pos.unit(u).type)
            and (not effect.get("only_reduced") or u in pos.reduced)]


def lose_step(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """Sickness, desertion, surrender: steps are lost without a battle, so no leader is captured. Where every space
    loses one, all are named in one answer; where one space loses several, one after another, since the same unit may
    lose twice."""
    spaces, by = _exposed(pos, effect), effect["units_chosen_by"]
    if not spaces:
        return nothing_done(pos, side)
    if "count_per_space" in effect:
        lots = tuple(Lot(s, tuple(_victims(pos, effect, s)), 1, 1, at=s) for s in spaces)
        lost = yield from allocate(
            Request(
                by,
                "prompt.lose_steps",
                "12.1",
                (Allocate("lose_step", "12.1", "lose", lots),),
                {"n": len(lots)},
                open_grounds=True,
                needs=needs_open,
                card=pos.in_use[side],
            )
        )
        for space in spaces:
            _lose(pos, lost[space][0], space)
    else:
        space = yield from _pick(
            pos, effect["space_chosen_by"], "prompt.losing_space", spaces, lambda s: _owner_needs(pos, effect, s)
        )
        for _ in range(effect["count"]):
            units = tuple(_victims(pos, effect, space))
            if units:
                lost = yield from allocate(Request(by, "prompt.lose_step", "12.1", (
                    Allocate("lose_step", "12.1", "lose", (Lot("units", units, 1, 1, at=space),)),), {"at": space},
                    open_grounds=True, needs=needs_open, card=pos.in_use[side]))
                _lose(pos, lost["units"][0], space)
    leave_alone(pos, effect["side"])


def _owner_needs(pos: Position, effect: Effect, space: str) -> Needs:
    """The decisions of the owner of a space that loses steps: none about a unit that is alone."""
    n, count = len(_victims(pos, effect, space)), effect["count"]
    return Needs(min(count, n - 1), count) if n > 1 else NOBODY


def card_needs(pos: Position, side: str, card: str) -> Needs:
    """12.1 What the other side has to decide when a card takes effect, up to its player's next decision."""
    for effect in pos.game.cards[card]["effects"]:
        if effect["op"] == "lose_step":
            spaces = _exposed(pos, effect)
            if "count_per_space" in effect:
                asked = any(len(_victims(pos, effect, s)) > 1 for s in spaces)
                return Needs(int(asked), int(asked))
            return _owner_needs(pos, effect, spaces[0]) if len(spaces) == 1 else NOBODY
        if effect["op"] in ("place_unit", "extra_reinforcement"):
            return fall_needs(pos, side, allowed(pos, side, effect["at"]))
    return NOBODY


def _lose(pos: Position, unit: str, space: str) -> None:
    gone = pos.step_loss(unit)
    pos.tell("unit_lost" if gone else "unit_reduced", "12.1", pos.unit(unit).side, at=space, unit=unit)


def reduce_fortress(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """A fortress is bombarded: on its reduced side until the card's player has had his next combat phase (A21)."""
    spaces = [s for f, s in sorted(pos.forts.items())
              if pos.game.fortresses[f]["side"] == effect["side"] and f not in pos.worn
              and (not effect["at"].get("main_river") or pos.space(s).main_river)]
    if not spaces:
        return nothing_done(pos, side)
    space = yield from _pick(pos, side, "prompt.bombard", sorted(spaces), lambda _: NOBODY)
    fort = pos.fort_at(space)
    assert fort is not None
    pos.worn.append(fort)
    pos.besieged[fort] = 1
    pos.touched.add(f"space:{space}")
    pos.tell("fort_bombarded", "12.1", side, at=space, fort=fort)


def vp_if(pos: Position, side: str, effect: Effect) -> Procedure[None]:
    """Points for holding one of some spaces now."""
    yield from ()
    held = [s for s in effect["condition"]["controls_any"] if pos.controller(s) == effect["side"]]
    if not held:
        return nothing_done(pos, side)
    pos.score(effect["side"], effect["vp"])
    pos.tell("points_scored", "12.1", side, value=effect["vp"], at=held[0])


OPS: dict[str, Callable[[Position, str, Effect], Procedure[None]]] = {
    "place_unit": place_unit, "place_fortress": place_fortress, "extra_reinforcement": extra_reinforcement,
    "restore_units": restore_units, "lose_step": lose_step, "reduce_fortress": reduce_fortress, "vp_if": vp_if}
