"""The clauses of a title in reading order, by chapter, with what belongs beside each."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import orjson
from markupsafe import Markup, escape

from app.errors import NotFound
from app.games import data
from app.games.titles import said
from app.lab.listing import natural
from app.texts import LANGUAGES

NUMBER = re.compile(r"§(\d+)\b|\b([A-Z]?\d+(?:\.\d+)+)\b")  # a whole number only with its sign


@dataclass(frozen=True)
class Example:
    """A worked example of a clause: the name of its file in `scenarios/TITLE/lab`, without ending."""

    name: str
    about: str


@dataclass(frozen=True)
class Clause:
    """`text` names other clauses by links. `kind`: rule, note, advice or component (what lies in the box)."""

    id: str
    title: str
    text: Markup
    kind: str
    rulings: tuple[Markup, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Chapter:
    id: str
    title: str
    clauses: list[Clause] = field(default_factory=list)


@cache
def chapters(title_id: str, lang: str) -> tuple[Chapter, ...]:
    """A title's rules in one language. Raises NotFound."""
    if lang not in LANGUAGES:
        raise NotFound()
    files = rulebook_of(title_id)
    heads = {name: Chapter(name, said(title, lang)) for name, title in files["rulebook"]["chapters"].items()}
    for clause in _clauses(title_id, files, lang):
        heads[chapter_of(clause.id, heads)].clauses.append(clause)
    return tuple(heads.values())


def rulebook_of(title_id: str) -> dict[str, Any]:
    """The files of a title that has a rulebook to read. Raises NotFound."""
    data.title(title_id)
    files = data.files(title_id)
    if "rulebook" not in files:
        raise NotFound("rulebook.none")
    return files


def chapter_of(clause: str, heads: Mapping[str, Any]) -> str:
    """The chapter with the longest number that the clause's begins with. Raises KeyError, which names the clause."""
    parts = clause.split(".")
    for length in range(len(parts), 0, -1):
        if (name := ".".join(parts[:length])) in heads:
            return name
    if clause[:1].isalpha() and clause[:1] in heads:
        return clause[:1]
    raise KeyError(f"clause {clause} begins with the number of no chapter of rulebook.json")


def options_explained(title_id: str, lang: str) -> dict[str, tuple[str, str]]:
    """What a title's options are about: each one's clause, and the ruling of its name or else the clause, in words."""
    files = data.files(title_id)
    rulings = {one["id"]: one for one in files.get("rulings", [])}
    return {option: (clause, said(rulings.get(option) or files["clauses"][clause]["text"], lang))
            for option, clause in files.get("rulebook", {}).get("options", {}).items()}  # fmt: skip


def examples_of(title_id: str) -> dict[str, Mapping[str, Any]]:
    """The lab files of a title by name, in the order of their clauses: numbers first, then lettered chapters."""
    folder = data.SCENARIOS / title_id / "lab"
    names = sorted((path.stem for path in folder.glob("*.json")), key=lambda name: (name[:1].isalpha(), natural(name)))
    return {name: orjson.loads((folder / f"{name}.json").read_bytes()) for name in names}


def clause_of(example: str) -> str:
    """The clause that an example stands by: its file's name up to the first hyphen."""
    return example.partition("-")[0]


def linked(text: str, known: Mapping[str, Any], page: str = "") -> Markup:
    """A text whose numbers of clauses lead to them, on this page or another."""
    done, at = Markup(), 0
    for found in NUMBER.finditer(text):
        number = found[1] or found[2]
        if number in known:
            link = Markup('<a href="{}#c{}">{}</a>').format(page, number, found[0])
            done += escape(text[at : found.start()]) + link
            at = found.end()
    return done + escape(text[at:])


def _clauses(title_id: str, files: Mapping[str, Any], lang: str) -> Iterator[Clause]:
    known = files["clauses"]
    examples = [(name, Example(name, said(body["about"], lang))) for name, body in examples_of(title_id).items()]
    for number, body in known.items():
        yield Clause(
            number,
            said(body["title"], lang),
            linked(said(body["text"], lang), known),
            body.get("kind", "rule"),
            tuple(linked(said(one, lang), known) for one in files.get("rulings", []) if one["clause"] == number),
            tuple(one for name, one in examples if clause_of(name) == number),
        )
