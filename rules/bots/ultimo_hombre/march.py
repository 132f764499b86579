"""Transport, leaders and movement: strikes that pay, then every stack where it does most good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.bots.ultimo_hombre.fight import drop
from rules.bots.ultimo_hombre.odds import Forecast, forecast
from rules.bots.ultimo_hombre.sight import Sight
from rules.bots.ultimo_hombre.worth import VICTORY, Pull, exposure, leader, value
from rules.core.errors import Refusal
from rules.core.forms import Answer, Form, Move
from rules.titles.ultimo_hombre.board import LIMIT
from rules.titles.ultimo_hombre.control import PRIZES

PAYS = 1.0      # what a strike must promise
STIRS = 0.35    # what a march must promise
SHIPS = 1.0     # what a shipment must promise beyond a march


@dataclass(frozen=True, slots=True)
class Strike:
    """Units that go into a space where the enemy stands, each with its way, and the leader who goes with them."""

    space: str
    paths: Mapping[str, tuple[str, ...]]
    chief: str
    gain: float


def transport(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """3 The shipment that gains most over walking; else the end of the phase."""
    form = Move.of(forms.get("ship"))
    if form is not None:
        yield from relief(sight, form)
        pull = Pull(sight)
        yield from _top(_marches(sight, form, pull, ships=True), SHIPS)
    yield {"form": "end_transport", "option": "end"}


def movement(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """4-6 Strikes one after the other, each with its leader first; then marches; then leaders go home."""
    form = Move.of(forms.get("move"))
    if form is not None:
        yield from relief(sight, form)
        strike = best_strike(sight, form)
        if strike is not None:
            yield from _carry_out(sight, strike)
        if strike is None or sight.leaders.get(strike.chief) != strike.space:
            yield from _top(_marches(sight, form, Pull(sight), ships=False), STIRS)
    if not sight.walking and not any(at in sight.foes and at not in sight.own for at in _mine(sight).values()):
        home = {name: "box" for name, at in _mine(sight).items() if at != "box" and at not in sight.contested}
        if home:
            yield {"form": "leaders", "placed": home}
    yield {"form": "end_movement", "option": "end"}


def _carry_out(sight: Sight, strike: Strike) -> Iterator[Answer]:
    """6 The leader first, then each stack by its way; 17.1 under the option he joins the biggest and walks with it."""
    at = sight.leaders.get(strike.chief)
    parties: dict[tuple[str, ...], list[str]] = {}
    for unit, path in strike.paths.items():
        parties.setdefault(path, []).append(unit)
    ways = sorted(parties, key=lambda path: (-len(parties[path]), path))
    if at == strike.space:
        for path in ways:
            yield {"form": "move", "units": parties[path], "path": list(path)}
    elif not sight.walking:
        yield {"form": "leaders", "placed": {strike.chief: strike.space}}
    elif at == "box":
        yield {"form": "leaders", "placed": {strike.chief: ways[0][0]}}
    else:
        for path in ways:
            if path[0] == at:
                yield {"form": "move", "units": [strike.chief, *parties[path]], "path": list(path)}


def _mine(sight: Sight) -> dict[str, str]:
    return {x: at for x, at in sorted(sight.leaders.items()) if sight.game.leaders[x]["side"] == sight.side}


def _top(moves: list[tuple[float, Answer]], least: float) -> Iterator[Answer]:
    moves.sort(key=lambda m: (-m[0], m[1]["units"], m[1]["path"]))
    for gain, answer in moves[:4]:
        if gain >= least:
            yield answer


# -- the guard of a prize ------------------------------------------------------------------------------------

def relief(sight: Sight, form: Move) -> Iterator[Answer]:
    """16 A full stack in a space that must not fall sends off its weakest unit when a better one can come in its
    place; the better one then comes as any march that pays."""
    for space in PRIZES:
        guard = [u for u in sight.own.get(space, ()) if sight.controller(space) == sight.side]
        worst = min(guard, key=lambda u: (sight.worth(u), u), default="")
        if len(guard) < LIMIT or value(sight, space, sight.foe) < VICTORY or worst not in _able(form, space):
            continue
        fresh = [u for start, stack in form.stacks.items() if start not in PRIZES for u in stack_ids(stack)
                 if u in sight.game.units and sight.worth(u) > sight.worth(worst)
                 and form.reach([u], {})["via"].get(space) in sight.game.near[space]]  # not by the long road (17.2)
        ways = form.reach([worst], {})
        room = [s for s in sight.game.near[space] if ways["cost"].get(s) == 1 and s not in ways["blocked"]
                and s not in sight.foes and sight.controller(s) == sight.side]
        if fresh and room:
            goal = min(room, key=lambda s: (exposure(sight, s, [*sight.own.get(s, ()), worst]), s))
            yield {"form": form.name, "units": [worst], "path": [space, goal]}


def stack_ids(stack: Sequence[Mapping[str, Any]]) -> list[str]:
    """The units of a stack that can move."""
    return [entry["id"] for entry in stack]


def _able(form: Move, space: str) -> list[str]:
    return stack_ids(form.stacks.get(space, ()))


# -- strikes -----------------------------------------------------------------------------------------------

def best_strike(sight: Sight, form: Move) -> Strike | None:
    """7 The attack, or the reinforcing of one under way, that promises most."""
    ways = _ways(sight, form)
    free = [x for x, at in _mine(sight).items() if at not in sight.contested]
    limits = [e["max"] for e in sight.effects("limit_battles") if e["side"] == sight.side]
    open_ = min(limits, default=99) > len([s for s in sight.contested if s in sight.foes])
    found = []
    for space in sorted(ways):
        committed = sight.own.get(space, [])
        here = [x for x, at in _mine(sight).items() if at == space]
        if not here and (not free or not open_):
            continue
        chief = min(here or free, key=lambda x: (leader(sight, x), x))
        if sight.walking and not here:
            near = [x for x in free if sight.leaders[x] in {path[0] for path in ways[space].values()}]
            boxed = [x for x in free if sight.leaders[x] == "box"]
            if not near and not boxed:
                continue
            chief = min(near or boxed, key=lambda x: (leader(sight, x), x))
        strike = _weigh(sight, space, ways[space], committed, chief)
        if strike is not None and strike.gain >= (0.2 if committed else PAYS):
            found.append(strike)
    # One that is under way first: its leader is there.
    return max(found, key=lambda s: (sight.leaders.get(s.chief) == s.space, s.gain, s.space), default=None)


def _ways(sight: Sight, form: Move) -> dict[str, dict[str, tuple[str, ...]]]:
    """By attackable space: who can get there, and how; over land rather than over a river."""
    out: dict[str, dict[str, tuple[str, ...]]] = {}
    for start, stack in form.stacks.items():
        for entry in stack:
            unit = entry["id"]
            if unit not in sight.game.units:
                continue
            via = sight.walk(unit, start, entry["left"], sight.foes)
            for space in via:
                if space in sight.foes:
                    out.setdefault(space, {})[unit] = _path(via, space)
    return out


def _path(via: Mapping[str, str], goal: str) -> tuple[str, ...]:
    path = [goal]
    while via[path[-1]]:
        path.append(via[path[-1]])
    return tuple(reversed(path))


def _weigh(sight: Sight, space: str, ways: Mapping[str, tuple[str, ...]], committed: Sequence[str],
           chief: str) -> Strike | None:
    room = LIMIT - len(committed)
    able = sight.best(ways)
    blue = all(sight.game.links[path[-2]][space] == "blue" for path in ways.values())
    prize, risk = value(sight, space, sight.side), leader(sight, chief)
    base = _gain(assess(sight, space, committed, blue), prize, risk) if committed else 0.0
    best: Strike | None = None
    for n in range(1, min(room, len(able)) + 1):
        taken = able[:n]
        odds = assess(sight, space, [*committed, *taken], blue)
        gain = _gain(odds, prize, risk) - base - _bared(sight, taken, ways)
        if best is None or gain > best.gain:
            best = Strike(space, {u: ways[u] for u in taken}, chief, gain)
    return best


def _bared(sight: Sight, taken: Sequence[str], ways: Mapping[str, tuple[str, ...]]) -> float:
    """What the spaces the units leave have to fear more."""
    out = 0.0
    for start in sorted({ways[u][0] for u in taken}):
        stack = sight.own[start]
        out += exposure(sight, start, [u for u in stack if u not in taken]) - exposure(sight, start, stack)
    return max(out, -2.0)


def assess(sight: Sight, space: str, attackers: Sequence[str], blue: bool) -> Forecast:
    """How an attack on the units in a space is likely to end."""
    return forecast(tuple(sight.steps(u) for u in sight.best(attackers)),
                    tuple(sight.steps(u) for u in sight.best(sight.foes[space])),
                    sight.forts.get(space, 0), sight.fire(space, blue))


def _gain(odds: Forecast, prize: float, risk: float) -> float:
    return odds.wins * (prize + 1.0) + 1.1 * odds.killed - odds.lost - odds.wiped * risk


# -- marches and shipments ---------------------------------------------------------------------------------

def _marches(sight: Sight, form: Move, pull: Pull, ships: bool) -> list[tuple[float, Answer]]:
    out: list[tuple[float, Answer]] = []
    for start, stack in form.stacks.items():
        able = [e["id"] for e in stack if e["id"] in sight.game.units]
        for party in _parties(sight, able):
            try:
                found = form.reach(party, {})
            except Refusal:
                continue
            stay = _best_walk(sight, pull, start, party) if ships else 0.0
            for goal in found["cost"]:
                if goal in found["blocked"] or goal in sight.foes:
                    continue
                path = [goal]
                while path[-1] in found["via"]:
                    path.append(found["via"][path[-1]])
                if path[-1] != start or len(path) < 2:
                    continue
                path.reverse()
                gain = _march_gain(sight, pull, party, path, ships) - stay
                if path[1] not in sight.game.near[start]:  # 17.2: the long road, while no enemy comes near
                    if sight.approaching(start):
                        continue
                    gain -= sum(drop(sight, u) for u in party if len(sight.steps(u)) > 1)
                out.append((gain, {"form": form.name, "units": party, "path": path}))
    return out


def _parties(sight: Sight, able: Sequence[str]) -> list[list[str]]:
    """The whole stack, each arm, all but the weakest one, and the weakest and best alone."""
    ranked = sight.best(able)
    parties = [ranked, ranked[:-1], ranked[:1], ranked[-1:]]
    parties += [[u for u in ranked if sight.unit(u).type == arm] for arm in ("infantry", "cavalry")]
    seen: list[list[str]] = []
    for party in parties:
        if party and sorted(party) not in seen:
            seen.append(sorted(party))
    return seen


def _march_gain(sight: Sight, pull: Pull, party: Sequence[str], path: Sequence[str], ships: bool) -> float:
    """What it promises to march, or to ship, a party along a path, in steps and factors of units."""
    start, goal = path[0], path[-1]
    weight = sight.mass(party) / 5
    gain = weight * (pull.at(goal) - pull.at(start)) * 0.5
    if not ships:
        gain += sum(value(sight, s, sight.side) for s in path[1:])
    for space, after in ((start, [u for u in sight.own[start] if u not in party]),
                         (goal, [*sight.own.get(goal, []), *party])):
        before = sight.own.get(space, [])
        if before or sight.controller(space) == sight.side:
            gain += exposure(sight, space, before)
        gain -= exposure(sight, space, after)
    return gain


def _best_walk(sight: Sight, pull: Pull, start: str, party: Sequence[str]) -> float:
    """What walking instead of sailing would gain: who has been shipped marches no more."""
    weight = sight.mass(party) / 5
    slow = min(party, key=lambda u: (sight.unit(u).type != "infantry", u))
    via = sight.walk(slow, start, 2 if sight.unit(slow).type == "infantry" else 3, sight.foes)
    best = max((weight * (pull.at(s) - pull.at(start)) * 0.5 for s in via if s not in sight.foes), default=0.0)
    takes = max((sum(value(sight, s, sight.side) for s in _path(via, goal)[1:] if s not in sight.foes)
                 for goal in via), default=0.0)
    fights = 2.0 * weight if any(s in sight.foes for s in via) else 0.0
    return max(best + takes, fights, 0.0)


__all__ = ["Strike", "assess", "best_strike", "movement", "transport"]
