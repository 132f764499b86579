"""Every text the rules can send is in both catalogues, every sentence is sent by something, and no placeholder of
one is ever left empty. Keys come from the source, read as a tree, and from games played at random."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, cast

import pytest

from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.referee import Referee
from rules.core.request import Request
from rules.core.seats import ALL, PUBLIC
from rules.titles.ultimo_hombre import OPTIONS, TITLE, fire
from rules.titles.ultimo_hombre.board import STRATEGIC_NATIONS
from rules.titles.ultimo_hombre.turn import PHASES
from tests.rules.harness import order_texts
from tests.rules.titles.ultimo_hombre.builders import FOLDER, data

LANGUAGES = ("en", "es", "it", "pt")
ROOT = FOLDER.parents[1]
SOURCES = sorted([*(ROOT / "rules/core").glob("*.py"), *(ROOT / "rules/titles/ultimo_hombre").glob("*.py")])
PLACEHOLDER = re.compile(r"\{(\w+)\}")
KINDS = ("argentina", "badge", "card", "event", "form", "group", "hand", "lot", "nation", "option", "order", "pool",
         "prompt", "refusal", "result", "scenario", "seat", "slots", "stage", "step", "table", "title", "track", "type",
         "unit", "uruguay", "war")  # fmt: skip
KEY = re.compile(rf"({'|'.join(KINDS)})\.[\w.]*[^\W_]")
FORMS = ("Choose", "Place", "Move", "Declare", "Allocate", "Arrange")
BADGES = {"reduced", "moved", "aboard"}
POOLS = {"deck", "discards", "leaders", "dead", "special", "reserve"}
TABLES = {"points", "war", "strategic", "options"}
WINS = {"capital", "no_capital", "lopez", "prize"}

Sentence = str | dict[str, str]


@cache
def catalogue(lang: str) -> dict[str, Sentence]:
    pairs: list[tuple[str, Sentence]] = json.loads((FOLDER / f"texts/{lang}.json").read_text(),
                                                   object_pairs_hook=list)
    assert len(pairs) == len(dict(pairs)), "a key stands twice in the file"
    return {key: dict(cast(Any, value)) if isinstance(value, list) else value for key, value in pairs}


def wordings(sentence: Sentence) -> list[str]:
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


def placeholders(key: str, lang: str = "en") -> set[str]:
    return {name for text in wordings(catalogue(lang)[key]) for name in PLACEHOLDER.findall(text)}


# -- what the source can send --------------------------------------------------------------------------------


@cache
def nodes(kind: type[ast.AST]) -> list[Any]:
    return [node for path in SOURCES for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, kind)]


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def literal(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def pattern(node: ast.JoinedStr) -> str:
    """An f-string with a star for all that is filled in."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


def made(*of: str) -> set[str]:
    """The ids that the source gives to what it makes of some classes."""
    return {name for call in nodes(ast.Call) if name_of(call) in of and call.args and (name := literal(call.args[0]))}


def events() -> dict[str, list[set[str]]]:
    """Every event with the fields of its data for all eyes, once for each place that tells it."""
    found: dict[str, list[set[str]]] = {}
    for call in nodes(ast.Call):
        if name_of(call) != "tell" or not isinstance(call.func, ast.Attribute) or len(call.args) < 2:
            continue
        if getattr(call.func.value, "attr", "") == "teller":
            continue
        fields = {k.arg for k in call.keywords if k.arg} - {"private", "reveals"}
        fields |= {key for k in call.keywords if k.arg is None and isinstance(k.value, ast.Dict)
                   for key in map(literal, k.value.keys) if key}
        if len(call.args) > 2 and not (isinstance(call.args[2], ast.Constant) and call.args[2].value is None):
            fields |= {"side"}
        fields |= {"n"} if fields & {"units", "count"} else set()
        told = call.args[0]
        for name in map(literal, [told.body, told.orelse] if isinstance(told, ast.IfExp) else [told]):
            assert name, ast.unparse(call)
            found.setdefault(name, []).append(fields)
    return found


def refusals() -> dict[str, list[set[str]]]:
    """Every refusal with the arguments that reach its text (`at` does not), once for each place that raises it."""
    found: dict[str, list[set[str]]] = {}
    for call in nodes(ast.Call):
        key = literal(call.args[0]) if call.args else None
        if key and key.startswith("refusal."):
            found.setdefault(key, []).append({k.arg for k in call.keywords if k.arg} - {"at"})
    for node in nodes(ast.Dict):
        body = {name: value for key, value in zip(node.keys, node.values, strict=True) if (name := literal(key))}
        key = literal(body.get("key"))
        if key and key.startswith("refusal."):
            args = cast(ast.Dict, body["args"])
            found.setdefault(key, []).append({name for name in map(literal, args.keys) if name})
    return found


def filled_in() -> dict[str, set[str]]:
    """All that an f-string of the source can become, by its pattern."""
    files = data().files
    nations = {nation for by_side in STRATEGIC_NATIONS.values() for nation in by_side}
    cards = set(files["cards"]["cards"])
    return {
        "argentina.*": {"not_yet", "war", "out"}, "card.*.title": cards, "form.*": made(*FORMS),
        "group.*": made("Group") | {f"reserve_{n}" for n in nations} | set(files["units"]["leaders"]),
        "nation.*": {unit["nation"] for unit in files["units"]["units"].values()},
        "option.*": set(OPTIONS), "order.*": {fire.ATTACKER, fire.DEFENDER, fire.BOTH}, "pool.*": POOLS,
        "result.*": WINS, "seat.*": set(TITLE.seats),
        "stage.*": {"set_up", *(f"{side}_{phase}" for side in TITLE.seats for phase in PHASES)},
        "step.*": set(PHASES), "table.*": TABLES, "uruguay.*": {"blanco", "flipped"},
    }  # fmt: skip


def asked_by_pages() -> set[str]:
    """What the pages themselves look up in a title's catalogue."""
    files = data().files
    pieces = files["units"]
    return {
        "title.name", "title.subtitle", "title.blurb", f"scenario.{files['war']['id']}", "unit.capital", "loc.box",
        *(f"option.{name}.{str(value).lower()}" for name, values in OPTIONS.items() for value in values),
        *(f"type.{unit['type']}" for unit in pieces["units"].values()), *(f"badge.{badge}" for badge in BADGES),
        *(f"unit.{piece}" for kind in ("leaders", "fortresses") for piece in pieces[kind]),
        *(f"card.{card}.{part}" for card in files["cards"]["cards"] for part in ("text", "history")),
    }  # fmt: skip


@cache
def sent() -> frozenset[str]:
    """Every key that can reach a reader."""
    keys = {text for node in nodes(ast.Constant) if (text := literal(node)) and KEY.fullmatch(text)}
    keys |= {f"event.{name}" for name in events()} | set(refusals()) | asked_by_pages()
    keys |= order_texts(TITLE)
    for written, fillings in filled_in().items():
        keys |= {written.replace("*", filling) for filling in fillings}
    return frozenset(keys)


# -- what games send -----------------------------------------------------------------------------------------


def messages(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """All named texts in a piece of JSON, with their arguments."""
    if isinstance(value, Mapping):
        if isinstance(value.get("key"), str):
            yield value["key"], value["args"]
        yield from ((f"badge.{badge}", {}) for badge in value.get("badges", []))
        for part in value.values():
            yield from messages(part)
    elif isinstance(value, list):
        for part in value:
            yield from messages(part)


def attempts(request: Request, rng: Random) -> Iterator[dict[str, Any]]:
    """Answers to a request, in an order that plays on rather than ends a phase."""
    order = sorted(request.forms, key=lambda form: (form.name.startswith("end_"), rng.random()))
    for form in [*(order[-1:] + order[:-1] if rng.random() < 0.15 else order), *order * 20]:
        drawn = form.sample(rng)
        if drawn is not None:
            yield drawn


def play(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A game at random: every text that anybody is sent in it, events with the side they are told of."""
    rng = Random(seed)
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    game = Referee.start(TITLE, data(), "war", options, Chance(b"texts %d" % seed))
    for eye in (*TITLE.seats, PUBLIC, ALL):
        yield from messages(game.views.whole(eye, 1))
    while game.asked:
        seat = game.asked[0]
        request = game.pending[seat]
        yield from messages(game.request_for(seat))
        for tried in attempts(request, rng):
            yield from messages(request.preview(tried))
            try:
                entries = game.answer(seat, tried)
            except Refusal as refusal:
                yield refusal.key, refusal.args_
                continue
            for step in (step for entry in entries for steps in entry.told.values() for step in steps):
                yield f"event.{step['event']}", {"side": step["side"], **step["data"]}
                yield from messages([step["data"], step["fragments"]])
            break
        else:
            raise AssertionError(f"no legal answer to {request.prompt}")


# -- the tests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_catalogue_holds_what_is_sent_and_nothing_else(lang: str) -> None:
    keys = catalogue(lang).keys()
    assert sent() - keys == set(), "sent, but in no catalogue"
    assert keys - sent() == set(), "in the catalogue, but never sent"


def test_every_pattern_of_the_source_is_known() -> None:
    """An f-string that makes keys has its fillings listed here; that of an option's value is asked by the pages."""
    found = {text for node in nodes(ast.JoinedStr) if re.match(rf"({'|'.join(KINDS)})\.", text := pattern(node))}
    assert found - {"option.*.*"} == set(filled_in())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_are_well_formed(lang: str) -> None:
    for key, sentence in catalogue(lang).items():
        for text in wordings(sentence):
            assert text.strip() == text != "", key
            assert re.fullmatch(r"[^{}]*", PLACEHOLDER.sub("", text)), key
        if isinstance(sentence, dict):
            assert set(sentence) == {"one", "other"}, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_fill_the_same_places(lang: str) -> None:
    english, other = catalogue("en"), catalogue(lang)
    assert list(english) == list(other)
    for key in english:
        assert placeholders(key, "en") == placeholders(key, lang), key
        assert isinstance(english[key], str) == isinstance(other[key], str), key


def test_every_card_has_words_of_its_own() -> None:
    for lang in LANGUAGES:
        for part in ("title", "text", "history"):
            texts = [catalogue(lang)[f"card.{card}.{part}"] for card in data().files["cards"]["cards"]]
            assert len(set(map(str, texts))) == 51
    same = [(card, lang) for card in data().files["cards"]["cards"] for lang in LANGUAGES[1:]
            if catalogue("en")[f"card.{card}.text"] == catalogue(lang)[f"card.{card}.text"]]
    assert not same


@pytest.mark.parametrize("told", [{f"event.{name}": fields for name, fields in events().items()}, refusals()],
                         ids=["events", "refusals"])
def test_every_place_that_tells_fills_the_sentence(told: Mapping[str, Iterable[set[str]]]) -> None:
    for key, places in told.items():
        for fields in places:
            assert placeholders(key) <= fields, key


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_find_their_words(seed: int) -> None:
    for key, args in play(seed):
        sentence = catalogue("en").get(key)
        assert sentence is not None, key
        n = len(args["units"]) if "units" in args else args.get("count")
        have = args.keys() | ({"n"} if n is not None else set())
        assert placeholders(key) <= have, (key, args)
        assert not any(args.get(name, "") is None for name in placeholders(key)), (key, args)
        if isinstance(sentence, dict):
            assert "n" in have, (key, args)
            assert n in (None, args.get("count", n)), f"{key} counts two things: {args}"
