"""Combat: attacks at good odds, losses that cost least, advances that hold what was won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.bots.chaco.assault import FACTOR, mean, prize
from rules.bots.chaco.sight import Sight, gone
from rules.core.forms import Allocate, Answer, Choose, Declare, Place
from rules.core.request import Request
from rules.titles.chaco.dice import FACES
from rules.titles.chaco.strength import odds

PASS: Answer = {"form": "no_attack", "option": "no_attack"}
LEAST = 0.3  # expected points that are worth an attack
BOLD = 0.6  # by how much less who is far behind asks of an attack
DESPERATE = -0.3  # what those risk who starve where they stand
JOINT = 2.5  # times the defence of two hexes together that is worth an attack on both
GUNS = 0.15  # points that a supply point has to gain by a barrage
SPARE = 3  # supply points that are kept for attacks while guns fire


def attacks(sight: Sight, request: Request) -> Iterator[Answer]:
    """The attack with the best expectation, if it is worth it."""
    found: list[tuple[float, Answer]] = []
    for target, sources in (aim for form in Declare.among(request.forms) for aim in form.targets.items()):
        units = sorted(u for us in sources.values() for u in us if sight.units[u].type != "engineer")
        if units:
            answer: Answer = {"form": "attack", "target": target, "units": units}
            seen = request.preview(answer)
            if seen["ok"]:
                starving = all(sight.hungry(h) for h in sources)
                found.append(
                    (
                        _worth(sight, target, sources, units, seen["effect"])
                        - _forsaken(sight, sources, units, seen["effect"])
                        - (DESPERATE if starving else 0.0),
                        answer,
                    )
                )
    best = max((gain for gain, _ in found), default=0.0)
    yield from _joint(sight, request, best)
    for gain, answer in sorted(found, key=lambda f: (-f[0], f[1]["target"])):
        if gain > LEAST - BOLD * sight.daring:
            yield answer
    yield PASS


def _forsaken(sight: Sight, sources: Mapping[str, Sequence[str]], units: Sequence[str], panel: dict[str, Any]) -> float:
    """12.9, 16.2 What the leaders may cost who would stand alone if all attackers were gone."""
    frail = len(units) == 1 and (units[0] in sight.reduced or sight.units[units[0]].steps == 1)
    lost: float = sum(f["result"].startswith("E/") or (frail and f["attacker"] > 0) for f in panel["faces"]) / FACES
    alone = [h for h in sources if set(sight.fighters(h)) <= set(units)]
    after = sum(_weakened(sight, h, f["result"]) for h in sources for f in panel["faces"]) / FACES
    return lost * sum(sight.stake("", sight.leaders(h)) for h in alone) + after


def _weakened(sight: Sight, hex_: str, result: str) -> float:
    """By how much the leaders of a hex are in more danger once a result has weakened their men."""
    share, _, theirs = result.partition("/")
    lost = int(share.rstrip("R")) / 100 if share.rstrip("R").isdigit() else 0.0
    stake = sight.stake("", sight.leaders(hex_))
    if not lost or not stake or theirs == "E":
        return 0.0
    men = sight.fighters(hex_)
    odds = sight.odds(hex_, men)
    return stake * (gone(odds / (1.0 - lost), max(1, round(len(men) * (1.0 - lost)))) - gone(odds, len(men)))


def _joint(sight: Sight, request: Request, best: float) -> Iterator[Answer]:
    """12.3 Two hexes at once, where those beside both are more than twice what stands there and no single fight is as
    good; and back to single ones when such a plan has nothing in it."""
    aims = {t: sources for form in Declare.among(request.forms) for t, sources in form.targets.items()}
    for form in (f for f in Choose.among(request.forms) if f.name == "join"):
        ids = [option.id for option in form.options]
        if "part" in ids:
            if best <= LEAST - BOLD * sight.daring:
                yield {"form": "join", "option": "part"}
            continue
        for pair in ids:
            one, other = pair.split("+")
            near = aims.get(one, {}).keys() & aims.get(other, {}).keys()
            both = {u for h in near for u in aims[one][h] if u in aims[other][h]}
            force, guard = sum(sight.attack(u) for u in both), sight.strength(one) + sight.strength(other)
            if guard and force >= JOINT * guard and 0.25 * FACTOR * guard > best:
                yield {"form": "join", "option": pair}


def _worth(sight: Sight, target: str, sources: Mapping[str, Sequence[str]], units: Sequence[str],
           panel: dict[str, Any]) -> float:
    """Mean gain in points over the faces of the die: their losses less ours, their leaders, and what the hex is worth
    if it is emptied. The panel counts supply for both (12.12): here it counts where there is some."""
    fed = sum(sight.attack(u) for h, us in sources.items() for u in us if sight.stocked(sight.side, h))
    mine = sum(sight.attack(u) for u in units)
    attack = panel["attack"] * (0.5 + 0.5 * fed / max(1, mine))
    defense = panel["defense"] * (1.0 if sight.stocked(sight.foe, target) else 0.5)
    theirs = max(1, sight.guard(target))
    ratio = odds(int(attack), max(1, int(defense + 0.5)))
    return mean(sight, ratio, panel["total"], mine, theirs, prize(sight, target))


def barrage(sight: Sight, request: Request) -> Iterator[Answer]:
    """13.2 Guns fire where as many as there are may cost a step, and supply is left for the attacks: at whom most of
    the die does it."""
    table = sight.game.tables["barrage"]
    low, high = table["rows"]
    stock = sum(sight.units[u].type == "supply" for us in sight.mine.values() for u in us)
    best: tuple[float, Answer] | None = None
    for target, sources in (aim for form in Declare.among(request.forms) for aim in form.targets.items()):
        units = sorted(u for us in sources.values() for u in us)
        halves = sum(1 if u in sight.reduced else 2 for u in units)
        terrain = int(sight.game.tables["terrain"][sight.game.map.hexes[target].terrain]["attack"])
        works = int(table["works"].get({2: "entrenchment", 3: "fortification"}.get(sight.works.get(target, 1), ""), 0))
        rows = [max(low, min(high, face + terrain + works)) - low for face in range(1, FACES + 1)]
        column = min(halves // 2, len(table["columns"])) - 1
        steps = sum(table["cells"][row][column] for row in rows) / FACES if column >= 0 else 0.0
        gain = steps * 2 * FACTOR * sight.guard(target) / max(1, len(sight.theirs[target])) / max(1, len(units))
        if stock >= SPARE + len(units) and gain > GUNS and (best is None or gain > best[0]):
            best = gain, {"form": "barrage", "target": target, "units": units}
    if best is not None:
        yield best[1]
    yield {"form": "no_barrage", "option": "no_barrage"}


def losses(sight: Sight, request: Request) -> Iterator[Answer]:
    """Turn over as few factors as will do; give units up only when that is not enough."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return
    lots = {lot.id: sorted(lot.units, key=lambda u: (sight.attack(u) + sight.defense(u), u)) for lot in form.lots}
    flips, kills = lots.get("flip", []), lots.get("kill", [])
    for unit in flips:
        yield {"form": form.name, "lots": {"flip": [unit]}}
    for n in range(2, len(flips) + 1):
        yield {"form": form.name, "lots": {"flip": flips[:n]}}
    for unit in kills:
        yield {"form": form.name, "lots": {"kill": [unit]}}
    for n in range(1, len(kills) + 1):
        yield {"form": form.name, "lots": {"flip": [u for u in flips if u not in kills[:n]], "kill": kills[:n]}}


def advance(sight: Sight, request: Request) -> Iterator[Answer]:
    """Into a settlement, or any hex that does not leave one's own in danger, with a leader and what fits."""
    for form in Place.among(request.forms):
        goal = max(form.groups[0].where, key=lambda h: (h in sight.game.settlements, h))
        units = form.groups[0].units
        men = [u for u in units if sight.units[u].exerts]
        chiefs = [u for u in units if sight.units[u].type == "leader"]
        stay = 1 if any(h in sight.game.settlements for h in sight.mine if set(men) & set(sight.mine[h])) else 0
        going = men[: max(1, len(men) - stay)]
        if goal in sight.game.settlements or len(men) > 1:
            rest = [u for h in sight.mine for u in sight.fighters(h) if u in units and u not in going]
            for party in ([*going, *(chiefs if not rest else chiefs[:1])], going, going[:1]):
                yield {"form": form.name, "placed": dict.fromkeys(party, goal)}
    yield {"form": "no_advance", "option": "no_advance"}
