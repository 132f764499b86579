"""What the tests of a title's words share: its catalogues, all that its source can send, and what games do send.

Keys come from the source, read as a tree, and from games played at random.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar, cast

import pytest

from rules.core.errors import Refusal
from rules.core.referee import Referee
from rules.core.request import Request
from rules.core.seats import ALL, PUBLIC
from rules.core.title import Title
from tests.rules.harness import SCENARIOS, hand_texts, order_texts

LANGUAGES = ("en", "es", "it", "pt")
RULES = SCENARIOS.parent / "rules"
PLACEHOLDER = re.compile(r"\{(\w+)\}")
Sentence = str | dict[str, str]
Message = tuple[str, dict[str, Any]]
# What forms say of all titles: what is still open before a phase ends.
OPEN: dict[str, Sentence] = {key: words for key, words in json.loads(
    (SCENARIOS.parent / "static/texts/parts/turn.en.json").read_text()).items() if key.startswith("open.")}


@cache
def catalogue(title_id: str, lang: str) -> dict[str, Sentence]:
    """The title's own sentences in one language, by key."""
    pairs: list[tuple[str, Sentence]] = json.loads((SCENARIOS / title_id / f"texts/{lang}.json").read_text(),
                                                   object_pairs_hook=list)
    assert len(pairs) == len(dict(pairs)), "a key stands twice in the file"
    return {key: dict(cast(Any, value)) if isinstance(value, list) else value for key, value in pairs}


@cache
def site(lang: str) -> frozenset[str]:
    """The keys that the site has words for, whatever the title."""
    parts = (SCENARIOS.parent / "static/texts/parts").glob(f"*.{lang}.json")
    return frozenset(key for path in parts for key in json.loads(path.read_text()))


def wordings(sentence: Sentence) -> list[str]:
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


def placeholders(sentence: Sentence) -> set[str]:
    return {name for text in wordings(sentence) for name in PLACEHOLDER.findall(text)}


# -- reading source ------------------------------------------------------------------------------------------


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def literal(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def pattern(node: ast.JoinedStr) -> str:
    """An f-string with a star for all that is filled in."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


def _trees(folder: Path) -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in sorted(folder.glob("*.py"))]


def _classes(tree: ast.AST) -> set[str]:
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


class Source:
    """The source a title runs: its package, what titles share, and the core with those of its forms that it uses.
    `kinds`: with what its keys begin."""

    def __init__(self, title_id: str, kinds: Sequence[str]) -> None:
        self.kinds = "|".join(kinds)
        own = _trees(RULES / "titles" / title_id)
        made = {name_of(call) for tree in own for call in ast.walk(tree) if isinstance(call, ast.Call)}
        base = _classes(ast.parse((RULES / "core" / "forms" / "base.py").read_text()))
        forms = [tree for tree in _trees(RULES / "core" / "forms") if _classes(tree) <= base or _classes(tree) & made]
        self.trees = [*_trees(RULES / "core"), *forms, *_trees(RULES / "mechanics"), *own]

    @cache  # noqa: B019 (two of them live as long as the tests)
    def nodes(self, kind: type[ast.AST]) -> list[Any]:
        return [node for tree in self.trees for node in ast.walk(tree) if isinstance(node, kind)]

    def made(self, *of: str, place: int = 0) -> set[str]:
        """The ids that the source gives, as the argument in that place, to what it makes of some classes."""
        return {name for call in self.nodes(ast.Call) if name_of(call) in of and len(call.args) > place
                and (name := literal(call.args[place]))}

    def keys(self) -> set[str]:
        """The keys that are written out."""
        whole = re.compile(rf"({self.kinds})\.[\w.]*[^\W_]")
        return {text for node in self.nodes(ast.Constant) if (text := literal(node)) and whole.fullmatch(text)}

    def patterns(self) -> set[str]:
        """The f-strings that make keys."""
        return {text for node in self.nodes(ast.JoinedStr) if re.match(rf"({self.kinds})\.", text := pattern(node))}

    def events(self) -> dict[str, list[set[str]]]:
        """Every event with the fields of its data for all eyes, once for each place that tells it."""
        found: dict[str, list[set[str]]] = {}
        for call in self.nodes(ast.Call):
            if name_of(call) != "tell" or not isinstance(call.func, ast.Attribute) or len(call.args) < 2:
                continue
            if getattr(call.func.value, "attr", "") == "teller":
                continue
            fields = {k.arg for k in call.keywords if k.arg} - {"private", "reveals"}
            fields |= {key for k in call.keywords if k.arg is None and isinstance(k.value, ast.Dict)
                       for key in map(literal, k.value.keys) if key}
            fields |= {"side"} if len(call.args) > 2 and not nobody(call.args[2]) else set()
            fields |= {"n"} if fields & {"units", "count"} else set()
            for event in self._told_names(call.args[0]):
                found.setdefault(event, []).append(fields)
        return found

    def _told_names(self, node: ast.expr) -> list[str]:
        """The names an event argument can have: written out, one of two, or what a choice put into `event`."""
        written = [literal(part) for part in ([node.body, node.orelse] if isinstance(node, ast.IfExp) else [node])]
        if None not in written:
            return [name for name in written if name]
        return [name for assign in self.nodes(ast.Assign) if isinstance(assign.value, ast.IfExp)
                and isinstance(assign.targets[0], ast.Tuple)
                and getattr(assign.targets[0].elts[0], "id", "") == "event"
                for branch in (assign.value.body, assign.value.orelse) if isinstance(branch, ast.Tuple)
                for name in [literal(branch.elts[0])] if name]

    def refusals(self) -> dict[str, list[set[str]]]:
        """Every refusal with the arguments that reach its text (`at` does not), once for each place that raises it."""
        found: dict[str, list[set[str]]] = {}
        for call in self.nodes(ast.Call):
            key = literal(call.args[0]) if call.args else None
            if key and key.startswith("refusal."):
                found.setdefault(key, []).append({k.arg for k in call.keywords if k.arg} - {"at"})
        for node in self.nodes(ast.Dict):
            body = {name: value for key, value in zip(node.keys, node.values, strict=True) if (name := literal(key))}
            key = literal(body.get("key"))
            if key and key.startswith("refusal."):
                args = cast(ast.Dict, body["args"])
                found.setdefault(key, []).append({name for name in map(literal, args.keys) if name})
        return found


def nobody(node: ast.AST) -> bool:
    """Whether the side of an event is, or can be, nobody: a draw has no winner."""
    return (isinstance(node, ast.Constant) and node.value is None) or getattr(node, "id", "") == "winner"


# -- what games send -----------------------------------------------------------------------------------------


def messages(value: Any) -> Iterator[Message]:
    """All named texts in a piece of JSON, with their arguments."""
    if isinstance(value, Mapping):
        if isinstance(value.get("key"), str):
            yield value["key"], value["args"]
        for kind in ("badge", "mark"):
            yield from ((f"{kind}.{name}", {}) for name in value.get(f"{kind}s", []) if isinstance(name, str))
        for part in value.values():
            yield from messages(part)
    elif isinstance(value, list):
        for part in value:
            yield from messages(part)


def attempts(request: Request, rng: Random, ends: Callable[[str], bool]) -> Iterator[dict[str, Any]]:
    """Answers to a request, in an order that plays on rather than ends a phase; `ends` knows the forms that do."""
    order = sorted(request.forms, key=lambda form: (ends(form.name), rng.random()))
    for form in [*(order[-1:] + order[:-1] if rng.random() < 0.15 else order), *order * 20]:
        drawn = form.sample(rng)
        if drawn is not None:
            yield drawn


def sent_in(game: Referee, rng: Random, ends: Callable[[str], bool]) -> Iterator[Message]:
    """A game at random: every text that anybody is sent in it, events with the side they are told of."""
    for eye in (*game.seating.sides, PUBLIC, ALL):
        yield from messages(game.views.whole(eye, 1))
    while game.asked:
        seat = game.asked[0]
        request = game.pending[seat]
        yield from messages(game.request_for(seat))
        for tried in attempts(request, rng, ends):
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


# -- what must hold of any catalogue ------------------------------------------------------------------------


def reaching(source: Source, title: Title, asked: Set[str], filled: Mapping[str, Set[str]]) -> frozenset[str]:
    """Every key that can reach a reader: written out in the source, `asked` by the pages, or an f-string of the source
    with what fills it."""
    keys = source.keys() | {f"event.{name}" for name in source.events()} | set(source.refusals()) | asked
    keys |= order_texts(title) | hand_texts(title, catalogue(title.id, "en").keys())
    return frozenset(keys.union(pattern.replace("*", name) for pattern, names in filled.items() for name in names))


class CatalogueTests:
    """The tests of a title's catalogue. Its own class gives the source, what its f-strings are filled with, and every
    key that can reach a reader."""

    title: ClassVar[Title]
    source: ClassVar[Source]
    filled_in: Callable[[], Mapping[str, Set[str]]]
    sent: Callable[[], Set[str]]

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_it_holds_what_is_sent_and_nothing_else(self, lang: str) -> None:
        keys, sent = catalogue(self.title.id, lang).keys(), self.sent()
        assert sent - keys - site(lang) == set(), "sent, but in no catalogue"
        assert keys - sent == set(), "in the catalogue, but never sent"

    def test_every_pattern_of_the_source_is_known(self) -> None:
        """An f-string that makes keys has its fillings listed."""
        assert self.source.patterns() == set(self.filled_in())

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_sentences_are_well_formed_and_fill_the_same_places(self, lang: str) -> None:
        check_sentences(self.title.id, lang)

    def test_every_place_that_tells_gives_all_that_the_sentence_needs(self) -> None:
        english = catalogue(self.title.id, "en")
        told = {f"event.{name}": places for name, places in self.source.events().items()} | self.source.refusals()
        assert told
        for key, places in told.items():
            for fields in places:
                assert placeholders(english.get(key, "")) <= fields, key


def check_sentences(title_id: str, lang: str) -> None:
    """Well formed, in the order of the English ones, with the same places to fill."""
    english, own = catalogue(title_id, "en"), catalogue(title_id, lang)
    assert list(english) == list(own)
    for key, sentence in own.items():
        for text in wordings(sentence):
            assert text.strip() == text != "", key
            assert re.fullmatch(r"[^{}]*", PLACEHOLDER.sub("", text)), key
        assert placeholders(english[key]) == placeholders(sentence), key
        assert isinstance(english[key], str) == isinstance(sentence, str), key
        if isinstance(sentence, dict):
            assert set(sentence) == {"one", "other"}, key


def check_message(title_id: str, key: str, args: Mapping[str, Any]) -> None:
    """A text that was sent has a sentence, and the sentence all that it wants filled in."""
    sentence = catalogue(title_id, "en").get(key, OPEN.get(key)) or ("" if key in site("en") else None)
    assert sentence is not None, key
    n = len(args["units"]) if "units" in args else args.get("count")
    have = args.keys() | ({"n"} if n is not None else set())
    assert placeholders(sentence) <= have, (key, args)
    assert not any(args.get(name, "") is None for name in placeholders(sentence)), (key, args)
    if isinstance(sentence, dict):
        assert "n" in have, (key, args)
        assert n in (None, args.get("count", n)), f"{key} counts two things: {args}"
