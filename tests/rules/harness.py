"""What tests of whole games share: a title's data, bots, and a game played by them."""

import json
from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any

from rules import bots
from rules.bots.checks import Checker
from rules.bots.playout import Played, play
from rules.core.title import Data, Title
from tests.app import hills_title

SCENARIOS = Path(__file__).parents[2] / "scenarios"
WAR = ("triple_alliance", "war")


@cache
def data(title_id: str) -> Data:
    """A title's data as it is in the repository, without overlays; also the toy's of up to four seats."""
    if title_id == hills_title.TITLE.id:
        return Data.of(hills_title.files())
    folder = SCENARIOS / title_id
    return Data.of({**_read(folder), "scenarios": _read(folder / "scenarios")})


def _read(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def first(title_id: str) -> str:
    """The first scenario of a title."""
    return next(iter(data(title_id).scenarios))


def seats(title: Title, scenario: str | None = None) -> tuple[str, ...]:
    """The seats of a scenario (the first) as it is usually played."""
    return tuple(data(title.id).scenario(scenario or first(title.id)).seating().seats)


def options(title: Title, scenario: str | None = None) -> dict[str, tuple[Any, ...]]:
    """The options of a scenario (the first) with their values."""
    return dict(data(title.id).scenario(scenario or first(title.id)).options)


def played(title: Title, scenario: str, seed: int, names: Mapping[str, str] | str = "random",
           checker: Checker | None = None) -> Played:
    """A whole game between the bots of those names, by seat or one for all."""
    by_seat = dict.fromkeys(seats(title, scenario), names) if isinstance(names, str) else names
    players = {seat: bots.make(name) for seat, name in by_seat.items()}
    return play(title, data(title.id), scenario, seed, players, watcher=checker)


def checked(title: Title, scenario: str, seed: int, every: int) -> Checker:
    """A game of random bots with all checks at every `every`-th answer. Raises what is wrong."""
    checker = Checker(title, seed, every)
    played(title, scenario, seed, "random", checker)
    return checker


def _box(off: str) -> str:
    """By which word a box off the map goes: `turn:3` by `turn`, with the number; `away:matto_grosso` by its own."""
    name, _, of = off.partition(":")
    return of if of and not of.isdigit() else name


def hand_texts(title: Title, known: Set[str]) -> set[str]:
    """The keys of all words of what of a title's positions is put by hand; of the rows of numbers those that are
    `known`, as others are called by their seat, nation or name."""
    keys = set()
    for scenario in data(title.id).scenarios:
        for field in title.hand(title.first(data(title.id), scenario, {})):
            name = field["field"]
            keys |= {f"hand.{name}"} | {f"hand.off.{_box(off)}" for off in field.get("off", ())}
            keys |= {f"hand.{name}.{row['id']}" for row in field.get("rows", ())} & known
            keys |= {option["label"]["key"] for option in field.get("options", ()) if isinstance(option, dict)}
            stands = field["options"] if field["kind"] == "stands" else ()
            keys |= {f"hand.{name}.{word}" for word in (*stands, *field.get("flags", ()))}
    return keys


def order_texts(title: Title) -> set[str]:
    """The keys of all words of a title's standing orders: names, what they do, settings, and values that are words."""
    keys = set()
    for order in title.orders:
        keys |= {f"order.{order.name}", f"order.{order.name}.help"}
        for setting, values in order.settings.items():
            keys.add(f"order.{order.name}.{setting}")
            keys |= {f"order.{order.name}.{setting}.{value}" for value in values if isinstance(value, str)}
    return keys
