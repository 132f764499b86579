"""Every text the rules can send is in all catalogues, every sentence is sent by something, and no placeholder of one is
ever left empty."""

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from rules.core.chance import Chance
from rules.core.referee import Referee
from rules.titles.chaco import TITLE, view
from rules.titles.chaco.units import SIDES
from tests.rules.harness import data
from tests.rules.texts import CatalogueTests, Message, Source, check_message, reaching, sent_in

KINDS = ("badge", "chance", "effect", "event", "fate", "forecast", "form", "group", "hint", "how", "layer", "leader",
         "lot", "mark", "modifier", "month", "note", "option", "pool", "prompt", "refusal", "result",
         "scenario", "seat", "stage", "state", "step", "table", "terrain", "title", "type", "work")  # fmt: skip
FORMS = ("Choose", "Place", "Move", "Declare", "Allocate")
WHO = ("attacker", "defender")
SOURCE = Source(TITLE.id, KINDS)
BUILT = {"entrenchment", "fortification", "trail", "well"}
LEVELS = {"decisive", "substantive", "marginal", "coin"}


def scenarios() -> Mapping[str, Any]:
    return data(TITLE.id).scenarios


def options() -> dict[str, tuple[Any, ...]]:
    """All options of any scenario."""
    return {name: values for scenario in scenarios().values() for name, values in scenario.options.items()}


def filled_in() -> dict[str, set[str]]:
    """All that an f-string of the source can become, by its pattern."""
    files, sides = data(TITLE.id).files, set(SIDES)
    types = {unit["type"] for unit in files["units"]["units"].values()}
    groups = {g["id"] for s in scenarios().values() for g in s["groups"] if "id" in g}
    phases = {f"{side}_{name}" for side in sides for name in (*view.PHASES, "combat_0", "combat_1", "combat_2")
              if name != "combat"}
    return {
        "chance.*": {"commander", "subordinate", "falls", "stays", "equal", "crushed"},
        "effect.*": {"none", "step", "surrender"}, "fate.*": {"falls", "stays", "equal", "crushed"},
        "form.*": SOURCE.made(*FORMS) | SOURCE.made("within_limits", place=1)
        | {f"{who}_{what}" for who in WHO for what in ("supply", "losses")},
        "group.*": SOURCE.made("Group") | groups, "how.*": {"retreat", "rout"}, "layer.*": BUILT,
        "leader.*": {"commander", "subordinate"}, "leader.*_away": {"commander", "subordinate"},
        "modifier.*": SOURCE.made("Modifier") | {f"into_{t}" for t in ("clear", "scrub", "hill", "swamp", "mountain")},
        "month.*": {str(n) for n in range(1, 13)}, "option.*": set(options()),
        "option.*.*": set(),  # those of the options, which the pages ask for too
        "option.build_*": BUILT, "option.replace_*": {"commander", "subordinate"}, "pool.*": set(view.BOXES),
        "prompt.*": {f"{who}_supply" for who in WHO} | {f"{who}_losses" for who in WHO},
        "prompt.*_aircraft": set(WHO), "prompt.set_up_*": sides,
        "note.*": {"defender_safe", "supply_in_reach", "attack_unsupplied", "defense_unsupplied"},
        "result.*": {"sudden_death", "peace_decisive", *(f"points_{level}" for level in LEVELS)},
        "seat.*": sides, "stage.*": {"set_up", "weather", "end", "end_of_turn", *phases},
        "step.*": {"weather", *view.PHASES},
        "table.*": {*view.TABLES, "losses"}, "type.*": types, "work.*": BUILT,
    }  # fmt: skip


def asked_by_pages() -> set[str]:
    """What the pages themselves look up in a title's catalogue."""
    files = data(TITLE.id).files
    return {
        "title.name", "title.subtitle", "title.blurb", "mark.rain", "mark.truce",
        *(f"scenario.{name}" for name in scenarios()), *(f"scenario.{name}.briefing" for name in scenarios()),
        *(f"seat.{seat}" for seat in SIDES),
        *(f"option.{name}.{value}" for name, values in options().items() for value in values),
        *(f"type.{unit['type']}" for unit in files["units"]["units"].values()),
        *(f"nation.{unit['nation']}" for unit in files["units"]["units"].values()),
        *(f"nation.{spot['country']}" for spot in files["map"]["hexes"].values() if spot["country"]),
        *(f"unit.{name}" for name, unit in files["units"]["units"].items() if unit["type"] in ("truck", "ghq")),
        *(f"terrain.{spot['terrain']}" for spot in files["map"]["hexes"].values()),
        *(f"badge.{badge}" for badge in ("reduced", "unsupplied", "assigned", "building", "aboard", "moved", "attacked",
                                         "commander")),
    }  # fmt: skip


@cache
def sent() -> frozenset[str]:
    """Every key that can reach a reader."""
    return reaching(SOURCE, TITLE, asked_by_pages(), filled_in())


def play(seed: int) -> Iterator[Message]:
    """What a game at random sends."""
    rng = Random(seed)
    scenario = rng.choice(sorted(scenarios()))
    chosen = {name: rng.choice(values) for name, values in scenarios()[scenario].options.items()}
    game = Referee.at(TITLE, TITLE.first(data(TITLE.id), scenario, chosen), Chance(b"texts %d" % seed))
    yield from sent_in(game, rng, lambda form: form in ("end", "no_attack", "end_reaction", "politics"))


class TestWords(CatalogueTests):
    title, source = TITLE, SOURCE
    filled_in = staticmethod(filled_in)
    sent = staticmethod(sent)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_find_their_words(seed: int) -> None:
    for key, args in play(seed):
        check_message(TITLE.id, key, args)
