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
from rules.titles.triple_alliance import OPTIONS, TITLE, lab, view
from tests.rules.harness import order_texts
from tests.rules.titles.triple_alliance.builders import FOLDER, at, data, position, units

LANGUAGES = ("en", "es", "it", "pt")
ROOT = FOLDER.parents[1]
SOURCES = sorted([*(ROOT / "rules/core").glob("*.py"), *(ROOT / "rules/titles/triple_alliance").glob("*.py")])
PLACEHOLDER = re.compile(r"\{(\w+)\}")
KINDS = ("badge", "event", "form", "group", "lot", "mark", "modifier", "nation", "note", "option", "point", "pool",
         "prompt", "refusal", "result", "scenario", "seat", "slots", "stage", "step", "table", "terrain", "title",
         "turn", "type")  # fmt: skip
KEY = re.compile(rf"({'|'.join(KINDS)})\.[\w.]*[^\W_]")
FORMS = {"Choose": 0, "Place": 0, "Move": 0, "Declare": 0, "Allocate": 0, "Arrange": 0, "_form": 1}
FIGHTERS = {f"{who}_{what}" for who in ("attacker", "defender") for what in ("supply", "losses")}
ARRIVALS = {"reinforcements", "ships", "uruguayans", "matto_grosso"}
BADGES = {"moved", "aboard", "attacked"}

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


def form_names() -> set[str]:
    written = (literal(call.args[FORMS[name_of(call)]]) for call in nodes(ast.Call)
               if name_of(call) in FORMS and len(call.args) > 1)
    return {name for name in written if name is not None} | FIGHTERS


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
        fields |= {"side"} if len(call.args) > 2 and not literal_none(call.args[2]) else set()
        fields |= {"n"} if fields & {"units", "count"} else set()
        for event in told_names(call.args[0]):
            found.setdefault(event, []).append(fields)
    return found


def literal_none(node: ast.AST) -> bool:
    """Whether the side of an event is, or can be, nobody: a draw has no winner."""
    return (isinstance(node, ast.Constant) and node.value is None) or getattr(node, "id", "") == "winner"


def told_names(node: ast.expr) -> list[str]:
    """The names an event argument can have: written out, one of two, or what a choice put into `event`."""
    written = [literal(part) for part in ([node.body, node.orelse] if isinstance(node, ast.IfExp) else [node])]
    if None not in written:
        return [name for name in written if name]
    return [name for assign in nodes(ast.Assign) if isinstance(assign.value, ast.IfExp)
            and isinstance(assign.targets[0], ast.Tuple) and getattr(assign.targets[0].elts[0], "id", "") == "event"
            for branch in (assign.value.body, assign.value.orelse) if isinstance(branch, ast.Tuple)
            for name in [literal(branch.elts[0])] if name]


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


def groups() -> set[str]:
    """What a `place` form can hold: the free groups of the set-up, arrivals by kind, the dead by nation and price."""
    tables, set_up = data().files["tables"]["replacements"], data().files["war"]["groups"]
    prices = {*tables["costs"].values(), *tables["unit_costs"].values()}
    return {*(group["id"] for group in set_up if group["free"]), *ARRIVALS,
            *(f"{nation}_{price}" for nation in replaced() for price in prices)}


def replaced() -> set[str]:
    """The nations that get replacement steps."""
    rates: dict[str, int] = data().files["tables"]["replacements"]["rates"]
    return {"paraguay", *(nation for nation, rate in rates.items() if rate)}


def made(of: str) -> set[str]:
    """The ids that the source gives to what it makes of a class."""
    return {name for call in nodes(ast.Call) if name_of(call) == of and (name := literal(call.args[0]))}


def filled_in() -> dict[str, set[str]]:
    """All that an f-string of the source can become, by its pattern."""
    tables, sides = data().files["tables"], set(TITLE.seats)
    nations = {unit["nation"] for unit in data().files["units"]["units"].values()}
    return {
        "form.*": form_names(), "group.*": groups(),
        "modifier.*": {*made("Modifier"), *tables["modifiers"]["attrition"], *tables["modifiers"]["combat"]},
        "nation.*": nations,
        "option.*": set(OPTIONS), "point.*": made("Point"), "pool.*": {"turn", "dead", "available"},
        "prompt.*": {name for name in FIGHTERS if name.endswith("_supply")},
        "prompt.*_losses": {"attacker", "defender"}, "prompt.set_up_*": sides,
        "stage.*": {"set_up", *lab.phases()}, "step.*": set(view.STEPS),
        "table.*": {"points", "replacements", "losses", "options"},
        "turn.*": {str(row["turn"]) for row in tables["turn_track"]},
    }  # fmt: skip


def asked_by_pages() -> set[str]:
    """What the pages themselves look up in a title's catalogue."""
    files = data().files
    return {
        "title.name", "title.subtitle", "title.blurb", f"scenario.{files['war']['id']}", "mark.winter",
        *(f"seat.{seat}" for seat in TITLE.seats),
        *(f"option.{name}.{value}" for name, values in OPTIONS.items() for value in values),
        *(f"type.{unit['type']}" for unit in files["units"]["units"].values()),
        *(f"terrain.{spot['terrain']}" for spot in files["map"]["hexes"].values()),
        *(f"badge.{badge}" for badge in BADGES), *(f"pool.{nation}" for nation in replaced()),
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
        yield from ((f"mark.{mark}", {}) for mark in value.get("marks", []))
        for part in value.values():
            yield from messages(part)
    elif isinstance(value, list):
        for part in value:
            yield from messages(part)


def attempts(request: Request, rng: Random) -> Iterator[dict[str, Any]]:
    """Answers to a request, in an order that plays on rather than ends a phase."""
    order = sorted(request.forms, key=lambda form: (form.name in ("end", "no_attack"), rng.random()))
    for form in order[-1:] + order[:-1] if rng.random() < 0.15 else order:
        drawn = form.sample(rng)
        if drawn is not None:
            yield drawn


def before_itapiru() -> dict[str, Any]:
    """An Allied army and squadron in front of Itapirú, supply on both sides."""
    army = [*units("AR-INF-", 7), *units("BR-INF-", 7), *units("UY-INF-", 2), *units("AR-ART-"), *units("BR-SGE-"),
            *units("BR-ENG-"), *units("BR-SUP-")]
    squadron = [*units("BR-SHP-", 8), *units("BR-TRA-", 2), *units("AR-CAV-", 4)]
    return {"turn": 4, "units": {**at("1435", army), **at("1334", squadron), "PY-SUP-Sup-1": "1434"}}


def play(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A game at random, every other one from a battle on: every text that anybody is sent in it, events with the
    side they are told of."""
    rng = Random(seed)
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    pos = position(options, **before_itapiru()) if seed % 2 else TITLE.begin(data(), "war", options)
    game = Referee.at(TITLE, data(), pos, Chance(b"texts %d" % seed))
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


# -- the tests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_catalogue_holds_what_is_sent_and_nothing_else(lang: str) -> None:
    keys = catalogue(lang).keys()
    assert sent() - keys == set(), "sent, but in no catalogue"
    assert keys - sent() == set(), "in the catalogue, but never sent"


def test_every_pattern_of_the_source_is_known() -> None:
    """An f-string that makes keys has its fillings listed here."""
    found = {text for node in nodes(ast.JoinedStr) if re.match(rf"({'|'.join(KINDS)})\.", text := pattern(node))}
    assert found == set(filled_in())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_are_well_formed(lang: str) -> None:
    for key, sentence in catalogue(lang).items():
        for text in wordings(sentence):
            assert text.strip() == text != "", key
            assert re.fullmatch(r"[^{}]*", PLACEHOLDER.sub("", text)), key
        if isinstance(sentence, dict):
            assert set(sentence) == {"one", "other"}, key
            assert sentence["one"] != sentence["other"] or lang in ("en", "it"), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_fill_the_same_places(lang: str) -> None:
    english, other = catalogue("en"), catalogue(lang)
    assert list(english) == list(other)
    for key in english:
        assert placeholders(key, "en") == placeholders(key, lang), key
        assert isinstance(english[key], str) == isinstance(other[key], str), key


@pytest.mark.parametrize("told", [{f"event.{name}": fields for name, fields in events().items()}, refusals()],
                         ids=["events", "refusals"])
def test_every_place_that_tells_fills_the_sentence(told: Mapping[str, Iterable[set[str]]]) -> None:
    for key, places in told.items():
        for fields in places:
            assert placeholders(key) <= fields, key


@pytest.mark.parametrize("seed", range(6))
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
