"""Every text the rules can send is in all catalogues, every sentence is sent by something, and no placeholder of one is
ever left empty."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from rules.core.chance import Chance
from rules.core.referee import Referee
from rules.titles.triple_alliance import TITLE, lab, view
from tests.rules.harness import options as options_of
from tests.rules.harness import seats
from tests.rules.texts import CatalogueTests, Message, Source, check_message, reaching, sent_in
from tests.rules.titles.triple_alliance.builders import at, data, position, units

KINDS = ("badge", "capture", "event", "forecast", "form", "group", "layer", "lot", "mark", "modifier", "nation", "note",
         "option", "point", "pool", "prompt", "refusal", "result", "scenario", "seat", "slots", "stage",
         "step", "table", "terrain", "title", "turn", "type", "warn")  # fmt: skip
FORMS = ("Choose", "Pick", "Place", "Move", "Declare", "Allocate", "Amounts", "Arrange", "Line", "Trace")
FIGHTERS = {f"{who}_{what}" for who in ("attacker", "defender") for what in ("supply", "losses")}
ARRIVALS = {"reinforcements", "ships", "uruguayans", "matto_grosso"}
BADGES = {"moved", "aboard", "attacked"}
SOURCE = Source(TITLE.id, KINDS)


def groups() -> set[str]:
    """What a `place` form can hold: the free groups of the set-up, arrivals by kind, the dead by nation and price."""
    tables, set_up = data().files["tables"]["replacements"], data().files["scenarios"]["war"]["groups"]
    prices = {*tables["costs"].values(), *tables["unit_costs"].values()}
    return {*(group["id"] for group in set_up if group["free"]), *ARRIVALS,
            *(f"{nation}_{price}" for nation in replaced() for price in prices)}


def replaced() -> set[str]:
    """The nations that get replacement steps."""
    rates: dict[str, int] = data().files["tables"]["replacements"]["rates"]
    return {"paraguay", *(nation for nation, rate in rates.items() if rate)}


def filled_in() -> dict[str, set[str]]:
    """All that an f-string of the source can become, by its pattern."""
    tables, sides = data().files["tables"], set(seats(TITLE))
    nations = {unit["nation"] for unit in data().files["units"]["units"].values()}
    return {
        "layer.*": {"no_depot", "no_source"},
        "capture.*": {"now", "next"},
        "form.*": SOURCE.made(*FORMS) | SOURCE.made("_form", place=1) | FIGHTERS, "group.*": groups(),
        "modifier.*": {*SOURCE.made("Modifier"), *tables["modifiers"]["attrition"], *tables["modifiers"]["combat"]},
        "nation.*": nations,
        "option.*": set(options_of(TITLE)), "point.*": SOURCE.made("Point"), "pool.*": {"turn", "dead", "available"},
        "prompt.*": {name for name in FIGHTERS if name.endswith("_supply")},
        "prompt.*_losses": {"attacker", "defender"}, "prompt.set_up_*": sides,
        "result.*": SOURCE.made("finish", place=2),
        "stage.*": {"set_up", *lab.phases()}, "step.*": set(view.STEPS),
        "table.*": {"points", "replacements", "losses", "options", "captures"},
        "turn.*": {str(row["turn"]) for row in tables["turn_track"]},
    }  # fmt: skip


def asked_by_pages() -> set[str]:
    """What the pages themselves look up in a title's catalogue."""
    files = data().files
    return {
        "title.name", "title.subtitle", "title.blurb", "mark.winter",
        *(f"scenario.{name}{more}" for name in files["scenarios"] for more in ("", ".briefing")),
        *(f"seat.{seat}" for seat in seats(TITLE)),
        *(f"option.{name}.{value}" for name, values in options_of(TITLE).items() for value in values),
        *(f"type.{unit['type']}" for unit in files["units"]["units"].values()),
        *(f"terrain.{spot['terrain']}" for spot in files["map"]["hexes"].values()),
        *(f"badge.{badge}" for badge in BADGES), *(f"pool.{nation}" for nation in replaced()),
    }  # fmt: skip


@cache
def sent() -> frozenset[str]:
    """Every key that can reach a reader."""
    return reaching(SOURCE, TITLE, asked_by_pages(), filled_in())


def before_itapiru() -> dict[str, Any]:
    """An Allied army and squadron in front of Itapirú, supply on both sides."""
    army = [*units("AR-INF-", 7), *units("BR-INF-", 7), *units("UY-INF-", 2), *units("AR-ART-"), *units("BR-SGE-"),
            *units("BR-ENG-"), *units("BR-SUP-")]
    squadron = [*units("BR-SHP-", 8), *units("BR-TRA-", 2), *units("AR-CAV-", 4)]
    return {"turn": 4, "units": {**at("1435", army), **at("1334", squadron), "PY-SUP-Sup-1": "1434"}}


def play(seed: int) -> Iterator[Message]:
    """What a game at random sends, every other one from a battle on."""
    rng = Random(seed)
    options = {name: rng.choice(values) for name, values in options_of(TITLE).items()}
    pos = position(options, **before_itapiru()) if seed % 2 else TITLE.first(data(), "war", options)
    game = Referee.at(TITLE, pos, Chance(b"texts %d" % seed))
    yield from sent_in(game, rng, lambda form: form in ("end", "no_attack"))


class TestWords(CatalogueTests):
    title, source = TITLE, SOURCE
    filled_in = staticmethod(filled_in)
    sent = staticmethod(sent)


@pytest.mark.parametrize("seed", range(6))
def test_whole_games_find_their_words(seed: int) -> None:
    for key, args in play(seed):
        check_message(TITLE.id, key, args)
