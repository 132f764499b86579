"""Set-up, uprisings, recruiting, and every small decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.guerra_a_muerte.sight import Sight
from rules.core.forms import Allocate, Answer, Choose, Form, Place
from rules.core.request import Request
from rules.titles.guerra_a_muerte.asking import SECOND
from rules.titles.guerra_a_muerte.board import HAITI, PATRIOT, ROYALIST

RICH = 8.0  # points from which one is spent to be sure of a good activation, or to save men
ARMY = 8.0  # factors of a force on which points are spent
BOUGHT = 2  # points that make sure of the best row for regulars (3.3)
SHIPYARD = 12.0  # points from which ships are built
TO_THE_HILLS = 15.0  # how much a patriot area needs a band in the last year: it is still there when it is counted
BANDS = 2  # guerrillas that are enough for an area: one throw may end them all
CAMP = 3  # steps that can live in hostile country
ODDS = 1.3  # so many times the strength of a force make it evade
HAVEN = 8.0  # how much a leader in exile needs men
CHIEF = 3.0  # how much the camp of a leader needs men, and as much again for each tactical point of his
TOO_MANY = 20.0  # factors of an enemy: more make no place more urgent


def ideas(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """Answers, the best first."""
    match request.prompt:
        case "prompt.set_up":
            yield {"form": "suggested", "option": "suggested"}
        case "prompt.uprisings":
            yield from _uprisings(sight, forms)
        case "prompt.build":
            yield from _build(sight, forms)
        case "prompt.arrivals" | "prompt.reinforcements" | "prompt.mina":
            yield from _arrive(sight, forms)
        case "prompt.promote":
            yield from _promote(forms)
        case "prompt.boost":
            yield from _boost(sight, str(request.args["at"]))
        case "prompt.intercept":
            yield {"form": "intercept", "option": _intercept(sight, request)}
        case "prompt.evade":
            at = str(request.args["at"])
            weak = ODDS * sight.threat(at, sight.side) < sight.threat(at, sight.foe)
            yield {"form": "evade", "option": "evade" if weak else "stand"}
        case "prompt.losses":
            yield from _losses(sight, forms)
        case "prompt.advance":
            yield {"form": "advance", "option": "stay"}
        case "prompt.go_on":
            yield {"form": "go_on", "option": "yes"}
        case "prompt.provisions":
            yield from _feed(sight, forms)
        case "prompt.return_to_port":
            yield from _into_port(sight, forms)
        case "prompt.subversion":
            for choice in Choose.among(forms.values()):
                if choice.name.startswith("subvert_"):
                    yield {"form": choice.name, "option": max(
                        (o.id for o in choice.options), key=lambda u: (sight.factor(u), u))}


def _boost(sight: Sight, at: str) -> Iterator[Answer]:
    """3.3 Points make an army sure of its operations: the more the fuller the purse is."""
    men = [u for u in sight.here.get(at, ()) if "active" in sight.badges[u]]
    army = sight.strength(men) >= ARMY or any(sight.game.units[u].ship for u in men)
    best = min(BOUGHT, int(_points(sight) // RICH)) if army else 0
    yield from ({"form": "boost", "option": str(n)} for n in range(best, -1, -1))


def _points(sight: Sight) -> float:
    return sum(sight.points().get(p, 0.0) for p in _purses(sight.side))


def _rich(sight: Sight) -> bool:
    return _points(sight) >= RICH


def _feed(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """Who has points to spare saves a step or two of each stack of regulars."""
    form = Allocate.of(forms.get("provisions"))
    if form is not None and _rich(sight):
        each = min(2, int(_points(sight) // RICH))
        lots = {lot.id: men[:each] for lot in form.lots
                if (men := [u for u in lot.units if sight.game.units[u].regular])}
        if lots:
            yield {"form": "provisions", "lots": lots}
    yield {"form": "no_provisions", "option": "none"}


def _purses(side: str) -> tuple[str, ...]:
    return ("royalist",) if side == ROYALIST else ("plata", "gran_colombia", "chile", "mexico", "peru")


def _uprisings(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """The two areas with the best chance for their worth."""
    form = Place.of(forms.get("uprisings"))
    if form is None:
        yield {"form": "no_uprising", "option": "none"}
        return
    lists = sight.game.lists

    def chance(area: str) -> float:
        own = lists["pro_patriot"] if sight.side == PATRIOT else [*lists["pro_royalist"], *lists["rebels"]]
        regular = any(sight.game.units[u].regular for u in sight.everyone(area, sight.foe))
        hidden = sight.foe in sight.closed.get(area, ())
        return 2.0 + 2 * (area in own) - (regular or hidden)

    wishes = sorted(((chance(a) * sight.worth(a), a, g.units) for g in form.groups for a in g.where),
                    key=lambda wish: (-wish[0], wish[1]))
    placed: dict[str, str] = {}
    for _, area, units in wishes:
        free = [u for u in units if u not in placed]
        if free and area not in placed.values() and len(placed) < sight.game.tables["uprising"]["attempts"]:
            placed[free[0]] = area
    yield {"form": "uprisings", "placed": placed}


def front(sight: Sight, area: str) -> float:
    """How much an area needs men: enemies in it and around it, and open land to be taken."""
    need = min(sight.threat(area, sight.foe), TOO_MANY) * 1.5
    for near in sight.game.near[area]:
        need += 0.5 * min(sight.threat(near, sight.foe), TOO_MANY) + 2.0 * sight.gain(near)
    chiefs = [u for u in sight.everyone(area, sight.side) if sight.game.units[u].leader]
    if chiefs:
        need += CHIEF * (1 + sight.skill(chiefs))
    return need - 0.6 * sight.threat(area, sight.side) + sight.worth(area)


def _build(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """Free militia, lost steps, then the strongest men for the money where they are needed; militia in danger go to the
    hills."""
    levy = Choose.of(forms.get("levy"))
    if levy is not None:
        yield {"form": "levy", "option": min((o.id for o in levy.options), key=lambda a: (sight.game.worth[a], a))}
    free = Place.of(forms.get("free_ship"))
    if free is not None:
        group = free.groups[0]
        yield {"form": "free_ship", "placed": {group.units[-1]: group.where[0]}}
    refill = Allocate.of(forms.get("refill"))
    if refill is not None:
        for lot in refill.lots:
            yield {"form": "refill", "lots": {lot.id: [lot.units[0]]}}
    build = Place.of(forms.get("build"))
    if build is not None:
        yield from _buy(sight, build)
    modes = Allocate.of(forms.get("modes"))
    if modes is not None:
        yield from _hide(sight, modes)
    regroup = Place.of(forms.get("regroup"))
    if regroup is not None:
        yield from _shelter(sight, regroup)
    yield {"form": "end_build", "option": "end"}


def short_of_islands(sight: Sight) -> bool:
    """Whether the garrison of Cuba and Puerto Rico is still too small at the end."""
    wanted = sight.game.scenario["garrison"]["caribbean"]
    steps = sum(1 if "reduced" in sight.badges[u] else sight.game.units[u].steps
                for a in sight.game.lists["garrison_caribbean"] for u in sight.everyone(a, ROYALIST)
                if sight.game.units[u].regular and sight.game.units[u].type != "artillery")
    return bool(steps < wanted)


def _buy(sight: Sight, form: Place) -> Iterator[Answer]:
    islands = sight.side == ROYALIST and short_of_islands(sight)
    offers = []
    for group in form.groups:
        unit = group.units[0]
        u = sight.game.units[unit]
        carried = any(sight.game.units[s].ship for s in sight.here.get(HAITI, ()))
        if u.ship and HAITI in group.where and not carried:
            offers.append((3.0, unit, HAITI))  # nobody leaves the island otherwise
        if not u.troops:
            if u.ship and sight.points().get(u.nation if u.side == PATRIOT else ROYALIST, 0.0) >= SHIPYARD:
                offers.append((0.0, unit, group.where[0]))
            continue
        for place in group.where:
            area = sight.game.area(place)
            if area is None:
                if place != HAITI or carried:
                    offers.append((HAVEN * u.full / group.cost, unit, place))
                continue
            need = front(sight, area) + (100.0 if islands and u.regular and u.type != "artillery"
                                         and area in sight.game.lists["garrison_caribbean"] else 0.0)
            if place != area:
                need -= 3.0  # in the field all are one stack
            if area in sight.game.lists["islands"] and not islands:
                need -= 50.0
            bands = sum(sight.game.units[m].militia for m in sight.everyone(area, sight.side))
            if u.militia and bands >= BANDS:
                need *= 0.4
            elif u.militia and not bands and sight.final and sight.side == PATRIOT:
                need += TO_THE_HILLS
            if sight.hostile(area) and sight.steps(sight.field(area, sight.side)) < CAMP:
                need *= 0.3
            value = (u.full + (0.4 if u.militia else 0.0)) / group.cost * max(need, 0.1)
            offers.append((value, unit, place))
    for _, unit, place in sorted(offers, key=lambda o: (-o[0], o[1], o[2]))[:4]:
        yield {"form": "build", "placed": {unit: place}}


def _hide(sight: Sight, form: Allocate) -> Iterator[Answer]:
    """10.1 Militia that stronger enemies could reach become guerrillas, whom no battle destroys; where none are they
    come down again, to go where land lies open."""
    lots = {lot.id: lot.units for lot in form.lots}
    most = len(sight.at) if sight.final and sight.side == PATRIOT else BANDS
    room = {a: most - len(sight.bands(a, sight.side)) for a in sight.game.worth}
    go = []
    for unit in lots.get("to_guerrilla", ()):
        if room[sight.at[unit]] > 0 and _hunted(sight, sight.at[unit]):
            room[sight.at[unit]] -= 1
            go.append(unit)
    back = [u for u in lots.get("to_militia", ()) if not sight.danger(sight.at[u], sight.foe)]
    answer = {name: sorted(units) for name, units in (("to_guerrilla", go), ("to_militia", back)) if units}
    if answer:
        yield {"form": "modes", "lots": answer}


def _hunted(sight: Sight, area: str) -> bool:
    army = sum(sight.factor(u) for u in sight.field(area, sight.side) if sight.game.units[u].regular)
    return sight.danger(area, sight.foe) > army


def _shelter(sight: Sight, form: Place) -> Iterator[Answer]:
    """6.2 Where a stronger enemy could come one of those in the field holds the strongest walls of the area; all do
    where the war is going badly. On their own operations they march out again for nothing."""
    placed: dict[str, str] = {}
    for group in form.groups:
        area = next((p for p in group.where if p in sight.game.worth), None)
        forts = [p for p in group.where if p != area]
        if area is None or not forts or sight.hostile(area) or not _hunted(sight, area):
            continue
        men = [u for u in group.units if sight.at[u] == area and "guerrilla" not in sight.badges[u]]
        troops = sorted(sight.troops(men), key=lambda u: (sight.factor(u), u))
        if not sight.outmatched and any(sight.inside(p, sight.side) for p in forts):
            continue
        if troops:
            who = men if sight.outmatched else troops[:1]
            placed |= dict.fromkeys(who, max(forts, key=lambda p: (sight.walls(p), p)))
    if placed:
        yield {"form": "regroup", "placed": placed}


def _arrive(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """Everybody where the need is greatest; ships anywhere."""
    for form in Place.among(forms.values()):
        placed = {}
        for group in form.groups:
            best = max(group.where, key=lambda p: (_need(sight, p), p))
            for unit in group.units:
                placed[unit] = best
        yield {"form": form.name, "placed": placed}


def _need(sight: Sight, place: str) -> float:
    area = sight.game.area(place)
    if area is None:
        return -5.0
    sea = sight.game.sea_of(place)
    ships = [u for u in sight.here.get(sea or "", ()) if sight.game.units[u].side == sight.foe]
    return front(sight, area) - (20.0 if ships else 0.0)


def _promote(forms: Mapping[str, Form]) -> Iterator[Answer]:
    form = Allocate.of(forms.get("promote"))
    if form is not None:
        used: set[str] = set()
        lots: dict[str, list[str]] = {}
        for lot in form.lots:
            free = [u for u in lot.units if u not in used]
            if free:
                lots[lot.id] = free[:1]
                used.add(free[0])
        yield {"form": "promote", "lots": lots}
    yield {"form": "no_promotion", "option": "none"}


def _intercept(sight: Sight, request: Request) -> str:
    """3.4 Whoever comes by is attacked where that pays."""
    at = str(request.args["at"])
    men = sight.field(at, sight.side)
    able = any(o.id == "field" for form in Choose.among(request.forms[:1]) for o in form.options)
    pays = able and sight.value(sight.fight(sight.strength(men), at, sight.steps(men)), 0.3 * sight.worth(at)) > 0
    return "field" if pays else "none"


def _losses(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """Militia first, then second steps, then the weak."""
    form = Allocate.of(forms.get("losses"))
    if form is None:
        return
    lot = form.lots[0]

    def price(token: str) -> tuple[Any, ...]:
        u = sight.game.units[token.removesuffix(SECOND)]
        both = token + SECOND in lot.units or token.endswith(SECOND)
        return (0 if u.militia else 1 if token.endswith(SECOND) else 3 if both else 2, u.full, token)

    yield {"form": "losses", "lots": {lot.id: sorted(lot.units, key=price)[:lot.least]}}


def _into_port(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    form = Place.of(forms.get("return_to_port"))
    if form is not None:
        homes = {u: able[0] for g in form.groups for u in g.units
                 if (able := [p for p in g.where if p not in sight.game.seas])}
        if homes:
            yield {"form": form.name, "placed": homes}
    yield {"form": "stay_at_sea", "option": "stay"}
