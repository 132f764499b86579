"""Command: which markers lie in the pool, who tries for what, and who acts without a marker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.bots.austerlitz.sight import Sight
from rules.core.forms import Allocate, Answer, Choose, Form
from rules.core.request import Request

NEAR = 5            # hexes to the enemy, or to the goal, within which a stray stays where it is
CLEAR, MARCH = 8, 9   # hexes to the enemy and to the goal from which on a division marches


def markers(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """13.1 The markers of all who are fresh lie in the pool, those of the weary do not."""
    for form in Allocate.among(list(forms.values())):
        lots: dict[str, list[str]] = {}
        for lot in form.lots:
            if lot.id == "add":
                lots["add"] = [m for m in lot.units if not weary(sight, m)][:lot.most]
            elif lot.id == "remove":
                lots["remove"] = [m for m in lot.units if weary(sight, m)]
        yield {"form": form.name, "lots": lots}
        yield {"form": form.name, "lots": {}}


def weary(sight: Sight, marker: str) -> bool:
    """Whether a marker's command, or a division of it, had better rest."""
    game, name = sight.game, sight.game.markers[marker].command
    if name not in game.commands:
        return False
    return any(sight.weary(c) for c in (name, *game.commands[name].divisions))


def activation(sight: Sight, request: Request) -> Iterator[Answer]:
    """4.5.1 Everybody tries for a full activation but the weary."""
    leader = sight.game.leaders.get(str(request.args.get("leader")))
    tired = leader is not None and sight.weary(leader.command)
    for option in ("limited", "full") if tired else ("full", "limited"):
        yield {"form": "activation", "option": option}


def no_marker(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """3.0 C Every division that may still act does, then the strays that have somewhere to go or to shoot at."""
    for form in Choose.among(list(forms.values())):
        for option in form.options:
            if option.id.startswith("division:") or _strays(sight, option.id.removeprefix("unit:")):
                yield {"form": form.name, "option": option.id}
        yield {"form": form.name, "option": "pass"}


def _strays(sight: Sight, unit: str) -> bool:
    """4.6.2 Whether it is worth while to act with a unit that nobody commands: a gun near the enemy, or somebody who is
    not where he is to go."""
    troop = sight.own.get(unit)
    aim = sight.aim(troop) if troop is not None else None
    if troop is None or aim is None:
        return False
    far = min(sight.gap(troop.at, h) for h in aim.hexes)
    near = sight.nearest(troop.at) <= NEAR
    return troop.unit.guns if near else far > NEAR


def way_of_moving(sight: Sight, request: Request) -> Iterator[Answer]:
    """5.2 A division marches that has far to go and no enemy about."""
    command = sight.game.leaders[str(request.args["leader"])].command
    troops = [t for t in sight.own.values() if t.unit.command == command]
    aim = sight.aims.get(str(command))
    far = aim is not None and bool(troops) and min(sight.nearest(t.at) for t in troops) >= CLEAR and sum(
        min(sight.gap(t.at, h) for h in aim.hexes) for t in troops) >= MARCH * len(troops)
    for option in ("strategic", "normal") if far else ("normal",):
        yield {"form": "way_of_moving", "option": option}


def change(sight: Sight) -> Iterator[Answer]:
    """4.2 Every chance is taken; where two commanders could, now the one and now the other (A15.2)."""
    order = ("try", "buxhowden") if sight.turn % 2 else ("buxhowden", "try")
    for option in (*order, "pass"):
        yield {"form": "command_change", "option": option}


def added(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """4.2 Markers of those who have most to fight with, and are not weary; at the start, too (A15.3)."""
    for form in Allocate.among(list(forms.values())):
        lots = {}
        for lot in form.lots:
            able = sorted((m for m in lot.units if not weary(sight, m)), key=lambda m: (-_weight(sight, m), m))
            lots[lot.id] = able[:lot.most]
        yield {"form": form.name, "lots": lots}
    for none in Choose.among(list(forms.values())):
        yield {"form": none.name, "option": none.options[0].id}


def _weight(sight: Sight, marker: str) -> float:
    """The strength that a marker sets in motion, more where the enemy is nearer."""
    game, name = sight.game, sight.game.markers[marker].command
    commands = (name, *game.commands[name].divisions) if name in game.commands else ()
    return sum(t.strength / (6 + sight.nearest(t.at)) for t in sight.own.values() if t.unit.command in commands
               and t.level < 3)


def first(sight: Sight, request: Request) -> Iterator[Answer]:
    """4.4 Who is to begin: the marker that sets most in motion where the enemy is nearest."""
    for form in Choose.among(request.forms):
        for marker in sorted((o.id for o in form.options), key=lambda m: (-_weight(sight, m), m)):
            yield {"form": form.name, "option": marker}


def call_for_help(sight: Sight) -> Iterator[Answer]:
    """A15.5 Help is called, at its price, once fewer places are held than victory needs without it."""
    for way in sight.game.plan["victory"][sight.side]:
        if "with_help" in way:
            held = sum(all(sight.held.get(h) == sight.side for h in sight.game.board.places[p]) for p in way["of"])
            yield {"form": "help", "option": "call" if held < way["control_any"] else "wait"}
