"""Whom to fire at, whom to attack, and what to do when attacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.bots.austerlitz.foes import Troop
from rules.bots.austerlitz.sight import Sight
from rules.core.forms import Allocate, Answer, Choose, Declare, Form
from rules.core.request import Request
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.course import Course
from rules.titles.austerlitz.formations import COLUMN, DISORDER, LINE, SKIRMISH, SPREAD, SQUARE, tail_of


def fire(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """Every unit fires, at the target that is easiest to hurt."""
    form = Declare.of(forms["fire"])
    if form is None:
        return
    found = [(softness(sight, t) + sight.power(sight.own[u]), t, u) for t, sources in form.targets.items()
             for units in sources.values() for u in units if u in sight.own]
    for _worth, target, unit in sorted(found, reverse=True):
        yield {"form": "fire", "target": target, "units": [unit]}


def softness(sight: Sight, hex_: str) -> float:
    """How much a hit on a hex promises."""
    foe = _top(sight, hex_)
    if foe is None:
        return 0.0
    worth = {SQUARE: 2.0, COLUMN: 1.0, SKIRMISH: -1.0}.get(foe.form, 0.5) + foe.level
    return worth - foe.unit.morale * 0.2


def _top(sight: Sight, hex_: str) -> Troop | None:
    return next((sight.foes[u] for u in sight.stacks.get(hex_, ()) if u in sight.foes), None)


def melee(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """The attacks that promise more than they cost, the best first; then no more."""
    found = []
    for name in ("bayonet", "assault", "charge"):
        form = Declare.of(forms.get(name))
        if form is None:
            continue
        for target, sources in form.targets.items():
            for units in sources.values():
                mine = [sight.own[u] for u in units if u in sight.own]
                if mine:
                    found.append((promise(sight, name, mine, target), name, target, list(units)))
    for worth, name, target, units in sorted(found, reverse=True):
        if worth > 0 or "end" not in forms:
            yield {"form": name, "target": target, "units": units}
    yield {"form": "end", "option": "end_melee"}


def promise(sight: Sight, kind: str, mine: list[Troop], target: str) -> float:
    """What an attack is worth: how shaky the defender is, how firm the attacker, where it strikes."""
    foe = _top(sight, target)
    if foe is None:
        return 0.0
    if foe.level == 3:
        return 9.0
    lead, arcs = mine[0], sight.arcs(foe)
    side = 1.5 if any(h in arcs.rear for h in lead.hexes) else 1.0 if any(h in arcs.flank for h in lead.hexes) else 0.0
    firm = lead.unit.morale - lead.level - (lead.form == LINE) + side
    shaky = 9 - foe.unit.morale + foe.level + (foe.form == LINE) + (foe.form == DISORDER) + side
    if kind == "bayonet":
        return bayonet(sight, lead, foe)
    ratio = sum(t.strength for t in mine) / max(1, foe.strength)
    if kind == "assault":
        return 0.2 * (firm - 4) + 0.2 * (shaky - 5) + ratio - 1.6
    if foe.unit.guns:
        return 4.0
    return 0.3 * (shaky - 5) + 0.6 * (ratio - 1) + side + (foe.form == DISORDER) - 2.0 * (foe.form == SQUARE) - (
        0.8 if foe.unit.foot and foe.form != DISORDER and foe.unit.morale >= 5 else 0.0)


def bayonet(sight: Sight, lead: Troop, foe: Troop) -> float:
    """8.2 What the tables promise: levels of morale that the defender loses, less those of an attacker who recoils and
    of the friends beside him."""
    table, arcs = sight.game.tables["pre_melee"], sight.arcs(foe)
    view = "from_rear" if any(h in arcs.rear for h in lead.hexes) else "from_flank" if any(
        h in arcs.flank for h in lead.hexes) else ""
    mine = [view, "defenders_skirmish" if foe.form in (SKIRMISH, SPREAD) else "", *_own(lead)]
    theirs = [view, {SKIRMISH: "skirmish", SPREAD: "skirmish", SQUARE: "square"}.get(foe.form, ""), *_own(foe),
              "unsteady" if foe.level == 2 else ""]
    push, recoil = (_over(table["attacker"]["modifiers"], mine, lead, n) for n in (1, 4))
    rows = [(row[0], row[3]) for row in table["defender"]["results"]]
    gain = sum((_over(table["defender"]["modifiers"], theirs, foe, low) - _over(table["defender"]["modifiers"], theirs,
                foe, high)) * _fall(foe, 3 if levels == "rout" else int(levels))
               for (low, levels), high in zip(rows, [*(r[0] for r in rows[1:]), 99], strict=True))
    friends = sum(h in sight.friends for h in sight.game.board.touching(lead.at))
    return (1 - push) * gain - recoil * _fall(lead, 1) * (1 + 0.3 * friends) - 0.05


def _own(troop: Troop) -> list[str]:
    return ["elite" if troop.unit.elite else "", "line" if troop.form == LINE else "",
            "shaken" if troop.level == 1 else "", "disordered" if troop.form == DISORDER else ""]


def _over(table: Mapping[str, int], parts: Iterable[str], troop: Troop, over: int) -> float:
    """How likely a die from 0 to 9 with these modifiers is so far above morale."""
    least = troop.unit.morale + over - sum(table.get(part, 0) for part in parts)
    return min(10, max(0, 10 - least)) / 10


def _fall(troop: Troop, levels: int) -> float:
    """What the loss of levels of morale is worth: most when it makes a unit unsteady or worse."""
    return (1.0 if troop.level < 2 else 0.4) if troop.level + levels >= 2 else 0.35


def charge_way(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """8.4.2 The ways of a charge: those to the flank or rear, over the better ground and past the fewest enemies
    first."""
    board, foe = sight.game.board, _top(sight, str(request.args["target"]))
    for form in Course.among(forms.values()):
        worth = {}
        for way in form.able:
            here, side, ground = way[-1], 0.0, 0
            if foe is not None:
                side = 1.5 * (here in sight.arcs(foe).rear) + (here in sight.arcs(foe).flank)
                ground = min((board.melee(here, h) for h in foe.hexes if h in board.touching(here)), default=0)
            answers = sum(sight.fired_on.get(h, 0) for h in way[1:])
            worth[way] = side + 0.3 * ground - 0.4 * answers - 0.05 * len(way)
        for way in sorted(worth, key=lambda w: (-worth[w], w)):
            yield {"form": form.name, "path": list(way)}


def charge_facing(sight: Sight, request: Request) -> Iterator[Answer]:
    """8.4.2 How to face at the end of a charge: with the fewest enemies to flank and rear."""
    troop, at = sight.own[str(request.args["unit"])], str(request.args["at"])
    for form in Choose.among(request.forms):
        beside = {}
        for option in form.options:
            facing = FACINGS.index(option.id)
            tail = None if troop.tail is None else tail_of(sight.game.board, at, troop.form, facing)
            arcs = sight.game.ground.arcs(at, tail, troop.form, facing)
            beside[option.id] = len(sight.marks((*arcs.flank, *arcs.rear)))
        for wanted in sorted(beside, key=lambda f: (beside[f], FACINGS.index(f))):
            yield {"form": form.name, "option": wanted}


def answer(sight: Sight, forms: Mapping[str, Form], request: Request) -> Iterator[Answer]:
    """What the attacked do: fire always, charge the foot that comes near, form square, fight on while not
    outnumbered."""
    name, form = next(iter(forms.items()))
    if support := Allocate.of(form):
        yield {"form": name, "lots": {lot.id: list(lot.units[:lot.most]) for lot in support.lots}}
        return
    ids = [o.id for choice in Choose.among([form]) for o in choice.options]
    order: tuple[str, ...] = (
        "fire",
        "counter:",
        "charge:",
        "back:",
        "leader:",
        "turn:",
        "square",
        "fight",
        "hold",
        "none",
    )
    if request.prompt == "prompt.charged":
        troop = sight.own.get(str(request.args["unit"]))
        firm = troop is not None and troop.form in (LINE, COLUMN) and troop.unit.morale >= 4
        order = ("square", "stand") if firm else ("stand",)
    for wanted in order:
        for option in ids:
            if option.startswith(wanted) and _sound(sight, option):
                yield {"form": name, "option": option}


def _sound(sight: Sight, option: str) -> bool:
    """Not every reaction is wise: cavalry in good order charges, else it falls back."""
    kind, _, rest = option.partition(":")
    troop = sight.own.get(rest.split(":")[0]) if rest else None
    if kind == "charge":
        return troop is not None and troop.level == 0 and troop.unit.morale >= 5
    return kind != "turn"
