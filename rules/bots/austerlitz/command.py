"""Command: which markers lie in the pool, who tries for what, and who acts without a marker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.bots.austerlitz.sight import Sight
from rules.core.forms import Allocate, Answer, Choose, Form
from rules.core.request import Request


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


def no_marker(forms: Mapping[str, Form]) -> Iterator[Answer]:
    """3.0 C Every division that may still act does, then the strays."""
    for form in Choose.among(list(forms.values())):
        for option in form.options:
            if option.id.startswith("division:"):
                yield {"form": form.name, "option": option.id}
        yield {"form": form.name, "option": "pass"}
