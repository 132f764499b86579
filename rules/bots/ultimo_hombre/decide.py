"""Cards, arrivals, losses and capitals: all requests outside marches and battles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.bots.ultimo_hombre.army import set_up
from rules.bots.ultimo_hombre.fight import drop
from rules.bots.ultimo_hombre.sight import Sight
from rules.bots.ultimo_hombre.worth import POINT, Pull, exposure, value
from rules.core.forms import Allocate, Answer, Choose, Form, Place
from rules.core.request import Request

# What a card that shows is worth while it shows, by its kind of effect, in steps and factors.
LASTING = {"forbid_transport": 3.0, "reduce_reinforcement": 5.0, "battle_mod": 4.0, "transport_through_enemy": 2.0,
           "main_river_fire": 5.0, "reroll_miss": 2.5, "move_mod": 2.0, "forbid_replacement": 1.0,
           "reduce_fortress": 3.0, "capital_limit": 1.0, "forbid_reinforcement": 8.0, "forbid_move": 2.0,
           "limit_battles": 5.0, "last_shot": 3.0, "place_fortress": 5.0, "restore_units": 0.0, "vp_if": 0.0}


def ideas(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """Answers, the best first."""
    if "end_restore" in forms:
        yield from _reinforce(sight, forms)
        return
    for form in forms.values():
        if lots := Allocate.of(form):
            yield _take(sight, lots)
        if choice := Choose.of(form):
            yield {"form": form.name, "option": _choose(sight, request, choice)}
        place = Place.of(form)
        if place is not None and place.name == "free_set_up":
            yield set_up(sight, place)
        elif place is not None and place.suggested:
            yield {"form": form.name, "placed": dict(place.suggested)}


def _choose(sight: Sight, request: Request, form: Choose) -> str:
    options = [o.id for o in form.options]
    match request.prompt:
        case "prompt.choose_card":
            return max(options, key=lambda card: (card_worth(sight, card), card))
        case "prompt.place_capital":
            return max(options, key=lambda space: (refuge(sight, space), space))
        case "prompt.losing_space":
            return max(options, key=lambda s: (max(sight.worth(u) for u in sight.foes[s]), value(
                sight, s, sight.side), s))
        case "prompt.bombard":
            return max(options, key=lambda s: (_pressure(sight, s), value(sight, s, sight.side), s))
        case "prompt.leader_goes":
            return max(options, key=lambda s: (len(sight.own.get(s, ())), s))
        case "prompt.excess_to":
            return min(options, key=lambda s: (exposure(sight, s, [*sight.own.get(s, ()), request.args["unit"]]), s))
        case _:
            pull = Pull(sight)
            unit = request.args.get("unit")
            return max(options, key=lambda s: (_arrival(sight, pull, unit, s), s))


def _pressure(sight: Sight, space: str) -> float:
    """Own strength next to a space."""
    return sum(sight.mass(sight.own.get(s, ())) for s, far in sight.far[space].items() if far <= 2)


def _arrival(sight: Sight, pull: Pull, unit: str | None, space: str) -> float:
    """What a unit is worth in a space it arrives at."""
    stack = sight.own.get(space, [])
    after = [*stack, unit] if unit is not None else stack
    fear = (exposure(sight, space, stack) if sight.controller(space) == sight.side else 0.0) - exposure(
        sight, space, after)
    return fear + 0.5 * pull.at(space) + value(sight, space, sight.side)


def refuge(sight: Sight, space: str) -> float:
    """13 How safe a capital would be: far from the enemy, well held, off the rivers."""
    far = min((sight.far[space].get(s, 9) for s in sight.foes), default=9)
    held = sight.mass(sight.own.get(space, ()))
    return 2.0 * min(far, 7) + 0.25 * min(held, 20.0) - sight.game.spaces[space].main_river


# -- cards -------------------------------------------------------------------------------------------------

def card_worth(sight: Sight, card: str) -> float:
    """12.1 What a card does; its points count whether it is chosen or not."""
    return sum(_effect(sight, effect) for effect in sight.game.cards[card]["effects"])


def _effect(sight: Sight, effect: Mapping[str, Any]) -> float:
    hurt = [u for units in sight.own.values() for u in units if u in sight.reduced]
    match effect["op"]:
        case "place_unit":
            there = _some_place(sight, effect["at"])
            return sum(sight.worth(u) + 1.0 for u in effect["units"]) if there else 0.0
        case "extra_reinforcement":
            reserve = sight.fragments.get(f"pool:reserve:{effect['nation']}")
            return 6.0 * effect["count"] if reserve and _some_place(sight, effect["at"]) else 0.0
        case "restore_units":
            return 2.0 * min(int(effect["count"]), len(hurt))
        case "lose_step":
            stacks = [s for s, units in sight.foes.items() if len(units) >= effect["at"].get("stack_min", 1)
                      and sight.game.spaces[s].country in effect["at"].get(
                          "countries", [sight.game.spaces[s].country])]
            return 2.5 * float(effect.get("count") or len(stacks)) if stacks else 0.0
        case "vp_if":
            held = any(sight.controller(s) == sight.side for s in effect["condition"]["controls_any"])
            return POINT * float(effect["vp"]) if held else 0.0
        case "place_fortress":
            return 5.0 if _some_place(sight, effect["at"]) else 0.0
        case op:
            return LASTING.get(op, 0.0)


def _some_place(sight: Sight, at: Mapping[str, Any]) -> bool:
    """Whether some space a card names is held, as far as its plain names tell."""
    for spot in sight.game.spaces.values():
        named = (spot.id in at.get("spaces", ()) or spot.region in at.get("regions", ())
                 or (spot.strategic and spot.country == at.get("strategic")) or (at.get("capital")
                                                                                 and spot.id == sight.capital)
                 or not {"spaces", "regions", "strategic", "capital"} & set(at))
        if named and (not at.get("main_river") or spot.main_river) and spot.id not in sight.foes \
                and (at.get("control") != "own" or sight.controller(spot.id) == sight.side):
            return True
    return False


# -- units -------------------------------------------------------------------------------------------------

def _take(sight: Sight, form: Allocate) -> Answer:
    """Losses and those sent on: the cheapest; who is made full: who gains most; who joins: the best."""
    lots = {}
    for lot in form.lots:
        if form.verb == "lose":
            ranked = sorted(lot.units, key=lambda u: (drop(sight, u), sight.worth(u), u))
        elif form.verb == "restore":
            ranked = sorted(lot.units, key=lambda u: (-_gap(sight, u), u))
        elif form.name == "excess":
            ranked = sight.best(lot.units)[::-1]
        else:
            ranked = sight.best(lot.units)
        lots[lot.id] = ranked[:lot.most if form.verb == "restore" else lot.least]
    return {"form": form.name, "lots": lots}


def _gap(sight: Sight, unit: str) -> float:
    u = sight.unit(unit)
    return u.full - (u.reduced or 0) + 1.0


def _reinforce(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """12.2 The best of the reserve where it counts most; what cannot take a new unit makes an old one full."""
    form = Place.of(forms.get("reinforce"))
    if form is not None:
        pull = Pull(sight)
        placed: dict[str, str] = {}
        for group in form.groups:
            where: Sequence[str] = sorted(group.where, key=lambda s: (-_arrival(sight, pull, None, s) - exposure(
                sight, s, sight.own.get(s, [])), s))
            placed.update(zip(sight.best(group.units), where, strict=False))
        whole = list(placed.items())
        for n in range(len(whole), 0, -1):
            yield {"form": form.name, "placed": dict(whole[:n])}
    replace = Allocate.of(forms.get("replace"))
    if replace is not None:
        lots = _take(sight, replace)["lots"]
        for n in range(len(lots), 0, -1):
            yield {"form": replace.name, "lots": dict(list(lots.items())[:n])}
    yield {"form": "end_restore", "option": "end"}
