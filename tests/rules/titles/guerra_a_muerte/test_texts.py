"""Every text the rules can send is in all catalogues, every sentence is sent by something, and no placeholder of one is
ever left empty."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from rules.core.chance import Chance
from rules.core.referee import Referee
from rules.titles.guerra_a_muerte import TITLE
from rules.titles.guerra_a_muerte.board import NATIONS, PURSES
from rules.titles.guerra_a_muerte.turn import PHASES
from rules.titles.guerra_a_muerte.view import POOLS
from tests.rules.texts import CatalogueTests, Message, Source, check_message, reaching, sent_in
from tests.rules.titles.guerra_a_muerte.builders import SCENARIOS, data

KINDS = ("badge", "capture", "convoy", "coup", "event", "forecast", "force", "form", "group", "group_of", "hunt",
         "layer", "legion", "lot", "mark", "mod", "nation", "note", "option", "order", "pool", "prompt", "refusal",
         "result", "scenario", "seat", "seized", "siege", "slots", "stage", "step", "table", "tactic", "title", "track",
         "type", "war")  # fmt: skip
BADGES = {"reduced", "guerrilla", "aboard", "siege", "active", "spent"}
MARKS = {"siege", "works", "blockade", "repression", "raided", "halved", "masses_royalist", "masses_patriot"}
PICKS = ("pick", "yes_no")
SOURCE = Source(TITLE.id, KINDS)


def asked_in_source() -> set[str]:
    """The names of choices and decisions: the second argument of `pick` and `yes_no`, the second of `want`."""
    return SOURCE.made(*PICKS, place=1)


def filled_in() -> dict[str, set[str]]:
    """All that an f-string of the source can become, by its pattern."""
    files = data().files
    tables = files["tables"]
    arrivals = SOURCE.made("arrival_form")
    forms = (SOURCE.made("Choose", "Place", "Move", "Declare", "Allocate", "Arrange", "done") | asked_in_source()
             | SOURCE.made("attack_form", place=1) | arrivals | {f"no_{name}" for name in arrivals}
             | {"activate", "activate_fleet"}
             | {f"subvert_{x}" for x, body in files["units"]["leaders"].items()
                if body["side"] == "patriot" and not body["naval"]})
    cells = {kind: {cell for row in tables[kind]["rows"] for cell in row} for kind in ("battle", "siege")}
    return {
        "capture.*": {"escapes", "destroyed", "captured"}, "convoy.*": set(tables["convoy"]), "coup.*": {"yes", "no"},
        "form.*": forms, "group.*": {*(f"build_{kind}" for kind in tables["cost"]), "uprising", "arrive", "free_ship",
                                     "regroup", "exile", "fleet"},
        "group_of.*_*": {"patriot_0", "patriot_1", "patriot_2", "royalist_0"}, "group_of.patriot_*": {"0", "1", "2"},
        "hunt.*": {name for _, name in tables["hunt"]["rows"]}, "legion.*": {"off_map", "free", "gone"},
        "layer.*": {"control", "sieges", "marks"},
        "type.*": {unit["type"] for unit in files["units"]["units"].values()},
        "mark.*": MARKS, "mod.*": SOURCE.made("mod") | {"besieger_leader", "garrison_leader", "reserve"},
        "nation.*": {unit["nation"] for unit in files["units"]["units"].values()} | set(PURSES),
        "note.*": {"works", "ships"}, "note.halved_*": {"attacker", "defender"},
        "note.tactics_*": {"attacker", "defender"},
        "option.*": SOURCE.made("done") | {"capture", "sink"}, "option.*_yes": SOURCE.made("yes_no", place=1),
        "option.*_no": SOURCE.made("yes_no", place=1), "option.no_*": arrivals,
        "option.intercept_*": {"field", "legion", "siege"}, "pool.*": {"recruits", "turn", "out", *PURSES},
        "prompt.*": SOURCE.made("want", place=1) | asked_in_source(),
        "result.*": SOURCE.made("finish", place=2) | cells["battle"], "seat.*": {"royalist", "patriot"},
        "seized.*": {"capture", "sink"}, "siege.*": cells["siege"], "stage.*": {"set_up", *PHASES},
        "step.*": set(PHASES), "table.*": {"purses", "control", "war", "force", "set_up"},
        "tactic.*": {row["id"] for row in tables["tactics"].values()},
    }  # fmt: skip


def filled(pattern: str, name: str) -> str:
    return pattern.replace("*_*", name) if "*_*" in pattern else pattern.replace("*", name)


def asked_by_pages() -> set[str]:
    """What the pages themselves look up in a title's catalogue."""
    units = data().files["units"]
    return {
        "title.name", "title.subtitle", "title.blurb", "option.limited_intelligence",
        "option.limited_intelligence.true", "option.limited_intelligence.false", "type.leader",
        *(f"scenario.{name}{part}" for name in SCENARIOS for part in ("", ".briefing")),
        *(f"type.{unit['type']}" for unit in units["units"].values()), *(f"badge.{badge}" for badge in BADGES),
        "seat.shared", "seat.rebels",
    }  # fmt: skip


@cache
def sent() -> frozenset[str]:
    """Every key that can reach a reader."""
    found = {filled(pattern, name) for pattern, names in filled_in().items() for name in names}
    return reaching(SOURCE, TITLE, asked_by_pages(), {}) | found


def play(seed: int, scenario: str) -> Iterator[Message]:
    """What a game at random sends."""
    rng = Random(seed)
    game = Referee.start(TITLE, data(), scenario, {}, Chance(b"texts %d" % seed))
    yield from sent_in(game, rng, lambda form: form.startswith("end_"))


class TestWords(CatalogueTests):
    title, source = TITLE, SOURCE
    filled_in = staticmethod(filled_in)
    sent = staticmethod(sent)


@pytest.mark.parametrize("scenario", ["first_battles", "empire_strikes_back", "end_of_empire"])
def test_whole_games_find_their_words(scenario: str) -> None:
    for key, args in play(7, scenario):
        check_message(TITLE.id, key, args)


def test_pools_have_nations() -> None:
    assert set(NATIONS) < set(POOLS)
