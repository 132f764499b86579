"""Operations: which force goes where, what it attacks, and whom it leaves behind to hold the land."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.guerra_a_muerte import fleet
from rules.bots.guerra_a_muerte.odds import forecast
from rules.bots.guerra_a_muerte.sight import Sight
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Declare, Form, Move
from rules.core.request import Request
from rules.titles.guerra_a_muerte.board import PATRIOT, ROYALIST

ORDERLY, RABBLE = 4, 3  # points to plan with: a force led or of regulars, and half militia without a leader
LEAST = 0.15  # what an errand has to promise
GATHER, MAIN = 0.5, 1.6  # what it promises to join the army of the group, that is so many times as strong
CAUGHT = 0.35  # how likely who leaves a stronger enemy behind is caught
HUNGER = 1.4  # steps that a stack loses in hostile country, on the mean (5.3)
YEARS = {ROYALIST: 1, PATRIOT: 2}  # how many years of it are reckoned: it took a third of what the patriots lost
HOME, BARE = 3, 0.6  # points of an area that the patriots' regulars don't leave to militia, and how much of its worth
# they lose if they do
ESCORT = 4  # steps without which no leader goes where enemies are
HUNT = 0.08  # of the worth of an area: what an operation against its bands is good for
STARVE, YIELDS = 4, 0.6  # points of a blockade (6.6), and how likely it ends one
HALVED = 6  # units of a force that may be divided
EFFORT = 0.004  # what it takes off an errand to send a step there that could do something else
SAFE = 0.5  # of the danger, where there are walls to go behind
CAUTION = {ROYALIST: 0.3, PATRIOT: 0.6}  # how likely a force in reach of a stronger one is to be hit by it


def operations(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """The party with the best errand is activated; nobody leaves what he alone holds for less than it is worth."""
    form = Allocate.of(forms.get("activate"))
    found = []
    if form is not None:
        for lot in form.lots:
            for units in _parties(sight, list(lot.units)):
                score = errand(sight, lot.id, units, _points(sight, units))[0]
                if score > LEAST:
                    found.append((score, lot.id, units))
    agitate = Choose.of(forms.get("agitate"))
    if agitate is not None:
        yield {"form": "agitate", "option": agitate.options[0].id}
    yield from fleet.launch(sight, forms)
    for _, loc, units in sorted(found, key=lambda f: (-f[0], f[1], f[2]))[:3]:
        yield {"form": "activate", "lots": {loc: sorted(units)}}
    yield {"form": "end_operations", "option": "end"}


def _points(sight: Sight, units: list[str]) -> int:
    """3.3 Points that a party may count on."""
    led = max((sight.game.units[u].operations for u in units if sight.game.units[u].leader), default=None)
    militia = sum(sight.game.units[u].militia for u in units)
    if led is None and 2 * militia >= len(units):
        return RABBLE
    return ORDERLY + (led or 0)


def _parties(sight: Sight, units: list[str]) -> list[list[str]]:
    """Of those in a place: all, all but the weakest, the regulars with their leaders, the stronger half with them, and
    the weakest alone."""
    legion = [u for u in units if sight.game.units[u].nation == "portuguese"]
    if legion:
        return [legion] if len(legion) == len(units) else [[u for u in units if u not in legion]]
    troops = sorted(sight.troops(units), key=lambda u: (sight.factor(u), u))
    if not troops:
        return []
    army = [u for u in units if not sight.game.units[u].militia]
    found = [units]
    if len(troops) > 1:
        found.append([u for u in units if u != troops[0]])
        found.append([troops[0]])
    if len(troops) >= HALVED:
        found.append([u for u in units if u not in troops[:len(troops) // 2]])
    if sight.troops(army) and len(army) < len(units) - 1:
        found.append(army)
    return found


def _left(sight: Sight, area: str, units: list[str]) -> float:
    """What is lost if a party leaves an area: all of it where it is alone, else what those who stay hold less well."""
    if _holds_alone(sight, area, units):
        return 0.9 * sight.worth(area)
    if sight.side == PATRIOT and not sight.final and sight.game.worth.get(area, 0) >= HOME and not any(
            sight.game.units[u].regular for u in sight.everyone(area, sight.side) if u not in units):
        return BARE * sight.worth(area)
    men = [u for u in sight.everyone(area, sight.side) if "guerrilla" not in sight.badges[u]]
    before, after = sight.strength(men), sight.strength(u for u in men if u not in units)
    return sight.worth(area) * (sight.risk(area, after) - sight.risk(area, before))


def _holds_alone(sight: Sight, loc: str, units: list[str]) -> bool:
    """Whether nobody of the side would be left in the area."""
    area = sight.game.area(loc)
    return area is not None and set(sight.everyone(area, sight.side)) <= set(units)


def _bound(sight: Sight, loc: str, goal: str, units: list[str]) -> bool:
    """Whether a force must not leave: the garrisons that victory asks of the crown."""
    if sight.side != ROYALIST:
        return False
    lists = sight.game.lists
    area = sight.game.area(loc)
    if area in lists["islands"]:
        return True
    return (area in lists["garrison_mexico"] and sight.game.area(goal) not in lists["garrison_mexico"]
            and sight.spare("mexico") < sight.regular_steps(units))


def errand(sight: Sight, loc: str, units: list[str], op: int) -> tuple[float, list[str]]:
    """The best an area within reach promises a force, and the way there; no way where it is best to act on the spot."""
    power, steps = sight.strength(units), sight.steps(units)
    here = sight.game.area(loc)
    spot = [loc, here] if here and loc != here else []  # out of the walls
    best: tuple[float, list[str]] = (_on_the_spot(sight, here, units, op), spot) if here else (0.0, [])
    stay = hazard(sight, here, loc, units) if here else 0.0
    leave = _left(sight, here, units) if here else 0.0
    if here and sight.threat(here, sight.foe) > power:
        leave += CAUGHT * steps * sight.step
    regular = any(sight.game.units[u].regular for u in units)
    alone = steps < ESCORT and any(sight.game.units[u].leader for u in units)
    body = _main_body(sight, units)
    gentle = sight.routes(here or loc, power, gentle=True)
    for area, path in sorted({**sight.routes(here or loc, power, gentle=False), **gentle}.items()):
        harsh = area not in gentle or len(gentle[area]) - 1 > op
        far = len(path) - 1
        if not 0 < far <= op or _bound(sight, loc, area, units) or (harsh and steps <= HUNGER):
            continue
        if alone and area != body and sight.danger(area, sight.foe):
            continue
        promise = _promise(sight, area, power, steps, op - far, regular)
        if area == body and here != body:
            promise = max(promise, GATHER)
        promise += stay - hazard(sight, area, area, units)
        promise -= leave + 0.05 * far + EFFORT * steps
        if harsh or sight.hostile(area):
            promise -= YEARS[sight.side] * HUNGER * sight.step
        if promise > best[0]:
            best = (promise, path)
    return best


def _main_body(sight: Sight, units: list[str]) -> str | None:
    """Where the regulars of a group gather: the strongest army of theirs, if this party is much weaker."""
    men = [u for u in units if not sight.game.units[u].militia]
    if not men:
        return None
    armies: dict[str, list[str]] = {}
    for unit, loc in sight.at.items():
        u, area = sight.game.units[unit], sight.game.area(loc)
        if u.side == sight.side and (u.regular or u.leader) and not u.naval and area is not None \
                and sight.slot(unit) == sight.slot(men[0]):
            armies.setdefault(area, []).append(unit)
    area, army = max(armies.items(), key=lambda item: (sight.strength(item[1]), item[0]), default=("", []))
    return area if sight.strength(army) > MAIN * sight.strength(men) else None


def _promise(sight: Sight, area: str, power: float, steps: int, op: int, regular: bool) -> float:
    """What a force can make of an area when it gets there with so many points: its share of the land, the battle, the
    bands, and what it would lose to a stronger enemy afterwards."""
    value = sight.gain(area, regular)
    threat = sight.threat(area, sight.foe)
    fought = sight.value(sight.fight(power, area, steps), sight.prize(area)) if threat and op >= 2 else 0.0
    if threat and fought <= 0 and steps * sight.step > 0.5 * value:
        return -1.0
    value += max(fought, 0.0)
    if not threat and op >= 3:
        value += siege(sight, area, power, steps, op)
    return value


def hazard(sight: Sight, area: str, loc: str, units: list[str]) -> float:
    """What a force in a place has to lose to a stronger enemy who could come; less behind walls."""
    there = sight.field(area, sight.side)
    power = sight.strength({*there, *units})
    if sight.danger(area, sight.foe) <= 1.5 * power:
        return 0.0
    walls = loc != area or any(not sight.inside(p, sight.foe) for p in sight.game.within(area))
    return CAUTION[sight.side] * sight.steps(units) * sight.step * (SAFE if walls else 1.0)


def _on_the_spot(sight: Sight, area: str, units: list[str], op: int) -> float:
    """What can be done where the force stands."""
    power, steps = sight.strength(units), sight.steps(units)
    if sight.threat(area, sight.foe) and op >= 2:
        return max(0.0, sight.value(sight.fight(power, area, steps), sight.prize(area)))
    rebels = sight.strength(sight.field(area, "rebels"))
    if rebels and power >= 2 * rebels and sight.side != ROYALIST:
        return 0.4 * sight.worth(area)
    if op >= 3:
        taken = siege(sight, area, power, steps, op)
        if taken > 0:
            return taken
    if sight.bands(area, sight.foe) and op >= 2:
        return HUNT * op * sight.worth(area)
    return 0.0


def siege(sight: Sight, area: str, power: float, steps: int, op: int) -> float:
    """6.2, 6.6 What the best siege of a place in an area is worth, by hunger or by storm."""
    best = 0.0
    for place in sight.game.within(area):
        if sight.inside(place, sight.foe):
            best = max(best, _storm(sight, place, power, steps), _hunger(sight, place) if op >= STARVE else 0.0)
    return best


def _hunger(sight: Sight, place: str) -> float:
    """6.6 What the blockade of a fortress is worth, if no enemy ship is on its sea."""
    sea, area = sight.game.sea_of(place), str(sight.game.area(place))
    if not sight.game.fortified(place) or sight.field(area, sight.foe) or sight.bands(area, sight.foe) or any(
            sight.game.units[u].side == sight.foe for u in sight.here.get(sea or "", ())):
        return 0.0
    return YIELDS * (0.5 * sight.worth(area) + sight.step * sight.steps(sight.inside(place, sight.foe)))


def _storm(sight: Sight, place: str, power: float, steps: int) -> float:
    """6.3 What an attack on a place is worth."""
    men, area = sight.inside(place, sight.foe), str(sight.game.area(place))
    fight = forecast(sight.game, "siege", power, sight.strength(men) + sight.walls(place),
                     (steps, max(1, sight.steps(men))))
    return sight.value(fight, sight.prize(area, place))


def operate(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """One deed of the active force: fight where it pays, starve or storm, hunt, march on, or have done."""
    at, op = str(request.args["at"]), int(request.args["n"])
    move = Move.of(forms.get("march"))
    units = [u["id"] for u in move.stacks[at]] if move is not None else [
        u for u in sight.here.get(at, ()) if "active" in sight.badges[u]]
    area = sight.game.area(at)
    if area is not None:
        yield from _fight(sight, forms, area, units)
    if forms.keys() & {"sail", "embark", "land", "attack_fleet"}:
        yield from fleet.operate(sight, forms, at)
    if move is not None:
        yield from _march(sight, at, units, op)
    hunt = Allocate.of(forms.get("hunt"))
    if hunt is not None and op >= 2:
        yield {"form": "hunt", "lots": {lot.id: list(lot.units) for lot in hunt.lots}}
    if move is not None and area == at:
        yield from _refuge(sight, move, area, units)
    yield {"form": "end_force", "option": "end"}


def _fight(sight: Sight, forms: Mapping[str, Form], area: str, units: list[str]) -> Iterator[Answer]:
    """Whatever pays: battle first, then a siege, by storm or by hunger."""
    power, troops = sight.strength(units), sorted(sight.troops(units))
    steps = sight.steps(troops)
    for name in ("attack", "attack_legion", "relieve", "attack_rebels"):
        form = Declare.of(forms.get(name))
        if form is None:
            continue
        rebels = sight.strength(sight.field(area, "rebels"))
        pays = sight.side != ROYALIST and power >= 2 * rebels if name == "attack_rebels" else \
            sight.value(sight.fight(power, area, steps), sight.prize(area)) > 0
        if pays:
            yield from ({"form": name, "target": target, "units": troops} for target in form.targets)
    if sight.threat(area, sight.foe) > 0.6 * power:
        return
    blockade, assault = Choose.of(forms.get("blockade")), Declare.of(forms.get("assault"))
    if blockade is not None and not sight.field(area, sight.foe):
        yield {"form": "blockade", "option": blockade.options[0].id}
    if assault is not None:
        for target in assault.targets:
            if _storm(sight, target, power, steps) > 0:
                yield {"form": "assault", "target": target, "units": troops}


def _march(sight: Sight, at: str, units: list[str], op: int) -> Iterator[Answer]:
    """On to the best area; if the land behind would be empty the weakest stays."""
    path = errand(sight, at, units, op)[1]
    if not path:
        return
    troops = sight.troops(units)
    going = list(units)
    area = sight.game.area(at)
    if area is not None and sight.game.worth.get(area) and _holds_alone(sight, at, units) and len(troops) > 1 \
            and not sight.threat(area, sight.foe) and path[-1] != area:
        going.remove(min(troops, key=lambda u: (sight.factor(u), u)))
    for party in (going, units):
        yield {"form": "march", "units": sorted(party), "path": path if at == path[0] else [at, *path]}


def _refuge(sight: Sight, move: Move, area: str, units: list[str]) -> Iterator[Answer]:
    """6.2 Behind walls, where a stronger enemy could come."""
    last = sight.final and sight.side == PATRIOT and sight.danger(area, sight.foe)
    if not last and sight.danger(area, sight.foe) <= sight.threat(area, sight.side):
        return
    try:
        reach: dict[str, Any] = move.reach(units, {})
    except Refusal:
        return
    walls = [p for p in sight.game.within(area) if p in reach["cost"]]
    if walls:
        yield {"form": "march", "units": sorted(units), "path": [area, max(walls, key=lambda p: (sight.walls(p), p))]}
