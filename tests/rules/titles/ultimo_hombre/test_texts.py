"""Every text the rules can send is in all catalogues, every sentence is sent by something, and no placeholder of one is
ever left empty."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from rules.core.chance import Chance
from rules.core.referee import Referee
from rules.titles.ultimo_hombre import TITLE, fire
from rules.titles.ultimo_hombre.board import STRATEGIC_NATIONS
from rules.titles.ultimo_hombre.turn import PHASES
from tests.rules.harness import options as options_of
from tests.rules.harness import seats
from tests.rules.texts import LANGUAGES, CatalogueTests, Message, Source, catalogue, check_message, reaching, sent_in
from tests.rules.titles.ultimo_hombre.builders import data

KINDS = ("argentina", "badge", "card", "event", "form", "group", "hand", "layer", "lot", "nation", "note",
         "option", "order", "pool", "prompt", "refusal", "result", "scenario", "seat", "slots", "stage",
         "step", "table", "title", "track", "type", "unit", "uruguay", "war")  # fmt: skip
FORMS = ("Choose", "Place", "Move", "Line", "Allocate", "Arrange")
BADGES = {"reduced", "moved", "aboard"}
POOLS = {"deck", "discards", "leaders", "dead", "special", "reserve"}
TABLES = {"points", "war", "strategic", "options"}
WINS = {"capital", "no_capital", "lopez", "prize"}
SOURCE = Source(TITLE.id, KINDS)


def filled_in() -> dict[str, set[str]]:
    """All that an f-string of the source can become, by its pattern."""
    files = data().files
    nations = {nation for by_side in STRATEGIC_NATIONS.values() for nation in by_side}
    cards = set(files["cards"]["cards"])
    return {
        "argentina.*": {"not_yet", "war", "out"}, "card.*.title": cards, "form.*": SOURCE.made(*FORMS),
        "hand.*.*": set(),  # of what is put by hand, which the house asks for
        "group.*": SOURCE.made("Group") | {f"reserve_{n}" for n in nations} | set(files["units"]["leaders"]),
        "nation.*": {unit["nation"] for unit in files["units"]["units"].values()},
        "option.*": set(options_of(TITLE)), "option.*.*": set(),  # those of the options, which the pages ask for too
        "order.*": {fire.ATTACKER, fire.DEFENDER, fire.BOTH}, "pool.*": POOLS,
        "result.*": WINS | SOURCE.made("finish", place=2), "seat.*": set(seats(TITLE)),
        "stage.*": {"set_up", *(f"{side}_{phase}" for side in seats(TITLE) for phase in PHASES)},
        "step.*": set(PHASES), "table.*": TABLES, "uruguay.*": {"blanco", "flipped"},
    }  # fmt: skip


def asked_by_pages() -> set[str]:
    """What the pages themselves look up in a title's catalogue."""
    files = data().files
    pieces = files["units"]
    return {
        "title.name", "title.subtitle", "title.blurb",
        *(f"scenario.{name}{more}" for name in files["scenarios"] for more in ("", ".briefing")),
        "unit.capital",
        "loc.box",
        *(f"option.{name}.{str(value).lower()}" for name, values in options_of(TITLE).items() for value in values),
        *(f"type.{unit['type']}" for unit in pieces["units"].values()), *(f"badge.{badge}" for badge in BADGES),
        *(f"nation.{space['country']}" for space in files["map"]["spaces"].values() if space.get("country")),
        *(f"unit.{piece}" for kind in ("leaders", "fortresses") for piece in pieces[kind]),
        *(f"card.{card}.{part}" for card in files["cards"]["cards"] for part in ("text", "history")),
    }  # fmt: skip


@cache
def sent() -> frozenset[str]:
    """Every key that can reach a reader."""
    return reaching(SOURCE, TITLE, asked_by_pages(), filled_in())


def play(seed: int) -> Iterator[Message]:
    """What a game at random sends."""
    rng = Random(seed)
    options = {name: rng.choice(values) for name, values in options_of(TITLE).items()}
    game = Referee.start(TITLE, data(), "war", options, Chance(b"texts %d" % seed))
    yield from sent_in(game, rng, lambda form: form.startswith("end_"))


class TestWords(CatalogueTests):
    title, source = TITLE, SOURCE
    filled_in = staticmethod(filled_in)
    sent = staticmethod(sent)


def test_every_card_has_words_of_its_own() -> None:
    for lang in LANGUAGES:
        for part in ("title", "text", "history"):
            texts = [catalogue(TITLE.id, lang)[f"card.{card}.{part}"] for card in data().files["cards"]["cards"]]
            assert len(set(map(str, texts))) == 51
    same = [(card, lang) for card in data().files["cards"]["cards"] for lang in LANGUAGES[1:]
            if catalogue(TITLE.id, "en")[f"card.{card}.text"] == catalogue(TITLE.id, lang)[f"card.{card}.text"]]
    assert not same


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_find_their_words(seed: int) -> None:
    for key, args in play(seed):
        check_message(TITLE.id, key, args)
