"""The tables of a title, drawn from its data: every figure that its rules look up, with words for its keys.

`scenarios/TITLE/rulebook.json` lists them under "tables": {"id", "title", "clause", "of": path in `tables.json`, or
"body": the table itself, of what a clause says in a sentence}, and its "words" name the keys that no catalogue names;
`Shape` says what else an entry may tell. What a body looks like decides how it is drawn, so that a table needs no code:
a grid by odds and die, a list by die, records, or pairs.

Rows and columns keep their keys beside their names: a LOOKUP (docs/protocol.md section 5) names a cell by them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.games import data
from app.games.titles import said
from app.lab.places import KINDS
from app.rulebook.book import linked
from app.texts import LANGUAGES
from app.texts import title as catalogue
from rules.core.title import Data

# how keys of a catalogue begin that name what tables speak of
NAMES = ("terrain", "type", "nation", "seat", "modifier", "tactic", "point", "stage", "leader", "pool", "unit", "space")
FIELDS = ("columns", "rows", "cells")
BEYOND = 99  # a bound that nothing reaches


@dataclass(frozen=True)
class Grid:
    """`head`: the columns' names, none for a list of pairs; each row has its name first. `title` is "" but for a part
    of a table. `columns` and `keys`: the keys of columns and rows in the data, "" for one that has none."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    columns: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """`codes`: what the results in its cells mean. `reconstructed`: why its figures are ours and not the rulebook's, if
    they are."""

    id: str
    title: str
    clause: str
    grids: tuple[Grid, ...]
    codes: tuple[tuple[str, str], ...]
    reconstructed: str | None


@cache
def tables(title_id: str, lang: str) -> tuple[Table, ...]:
    """All tables of a title in one language, in the order of its rulebook, as new games are played by them."""
    return tables_of(title_id, lang, data.current(title_id))


def tables_of(title_id: str, lang: str, edition: Data) -> tuple[Table, ...]:
    """The tables by which the games of an `edition` of the data are played, listed and named as the rulebook is today;
    one that the edition does not have yet is not among them."""
    assert lang in LANGUAGES
    words, source = Words(title_id, lang, edition), edition.files.get("tables", {})
    found = []
    for entry in data.files(title_id)["rulebook"]["tables"]:
        if not _has(source, entry):
            continue
        drawn = tuple(grids(entry, source, words))
        named = entry.get("provenance", entry.get("of", "").split("/")[0])
        why = _ours(source.get("provenance", {}).get(named))
        found.append(
            Table(
                entry["id"],
                said(entry["title"], lang),
                entry["clause"],
                drawn,
                tuple(words.codes(drawn)),
                said(why, lang) if why else None,
            )
        )
    return tuple(found)


def _has(files: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    try:
        return "body" in entry or body(files, entry["of"]) is not None
    except KeyError:
        return False


def _ours(origin: Any) -> Mapping[str, str] | None:
    """Why figures are not the rulebook's; None for what is."""
    reconstructed = isinstance(origin, Mapping) and origin.get("source") == "reconstructed"
    return origin.get("why") if reconstructed else None


def grids(entry: Mapping[str, Any], files: Mapping[str, Any], words: "Words") -> Iterator[Grid]:
    """The grids of an entry of the list. `files`: the body of `tables.json`."""
    named = entry.get("columns", ())
    names = tuple(said(name, words.lang) for name in named)
    shape = Shape(entry.get("first"), names, tuple(name["en"] for name in named))
    return _grids("", entry["body"] if "body" in entry else body(files, entry["of"]), words, shape)


def body(files: Mapping[str, Any], path: str) -> Any:
    """What stands at a path of keys ("modifiers/combat"). Raises KeyError."""
    for key in path.split("/"):
        files = files[key]
    return files


class Words:
    """What keys and values are called in one language."""

    def __init__(self, title_id: str, lang: str, edition: Data) -> None:
        files = data.files(title_id)
        self._own = {key: said(text, lang) for key, text in files["rulebook"].get("words", {}).items()}
        self._texts = catalogue(title_id, lang)
        board = edition.files.get("map", {})
        kinds = (board.get(kind, {}) for kind in KINDS)
        self._places = {key: place.get("name") for kind in kinds for key, place in kind.items()
                        if isinstance(place, dict)}  # fmt: skip
        self._clauses = files["clauses"]
        self.lang = lang
        self.unnamed: set[str] = set()

    def of(self, key: str) -> str:
        """The word for a key; the key itself, noted in `unnamed`, for what nobody has named."""
        if key in self._own:
            return self._own[key]
        for kind in NAMES:
            if isinstance(found := self._texts.get(f"{kind}.{key}"), str):
                return found
        if key in self._places:
            name = self._places[key]
            return key if not name else name if not key[:1].isdigit() else f"{key} {name}"
        self.unnamed.add(key)
        return key

    def codes(self, drawn: Iterable[Grid]) -> Iterator[tuple[str, str]]:
        """What the catalogue says of the results (`result.CODE`) in some grids, in the order of their cells."""
        cells = dict.fromkeys(cell for grid in drawn for _, row in grid.rows for cell in row)
        for cell in cells:
            if isinstance(said_of := self._texts.get(f"result.{cell}"), str):
                yield cell, said_of

    def field(self, key: str, value: Any) -> str:
        """The cell of a record; a clause is a link to it."""
        if key == "clause":
            return linked(value, self._clauses)
        return self.value(value)

    def value(self, value: Any) -> str:
        """A cell: several values are set apart by a stroke, nothing is a dash."""
        if value is None or value is False or value == []:
            return "–"
        if value is True:
            return "✓"
        if value == BEYOND:
            return "∞"
        if isinstance(value, Mapping):
            if value.keys() <= set(LANGUAGES):
                return said(value, self.lang)
            return "; ".join(f"{self.of(key)}: {self.value(one)}" for key, one in value.items())
        if isinstance(value, Sequence) and not isinstance(value, str):
            stroke = ", " if all(isinstance(one, str) for one in value) else " / "
            return stroke.join(map(self.value, value))
        return self.of(value) if isinstance(value, str) else str(value).replace("-", "−")


@dataclass(frozen=True)
class Shape:
    """What `rulebook.json` says of a table beyond its data: the `first` value of the die where its rows do not say it,
    and the names of the `columns` of lists (in English their `keys`), beside those of the rows: their keys, their first
    fields, or the die."""

    first: int | None = None
    columns: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


def _grids(title: str, found: Any, words: Words, shape: Shape) -> Iterator[Grid]:
    if isinstance(found, Mapping):
        yield from _of_mapping(title, found, words, shape)
    elif _several(found):
        yield _of_list(title, found, words, shape)
    else:
        yield Grid(title, (), (("", (words.value(found),)),))


def _of_mapping(title: str, found: Mapping[str, Any], words: Words, shape: Shape) -> Iterator[Grid]:
    if "cells" in found or ("columns" in found and _table(found.get("rows"))):
        yield _by_columns(title, found, words, shape)
        rest = {key: value for key, value in found.items() if key not in FIELDS}
    elif shape.first is not None and any(map(_several, found.values())) and not any(map(_deep, found.values())):
        lines = {key: line for key, line in found.items() if _several(line)}
        yield _by_die(title, list(lines.items()), shape.first, words)
        rest = {key: value for key, value in found.items() if key not in lines}
    elif shape.columns and found and all(_several(line) and not _deep(line) for line in found.values()):
        yield Grid(title, shape.columns,
                   tuple((words.of(key), tuple(map(words.value, line))) for key, line in found.items()),
                   shape.keys, tuple(found))  # fmt: skip
        return
    elif flat := _flat_records(list(found.values())):
        yield _of_records(title, list(zip(found, flat, strict=True)), words)
        return
    else:
        rest = dict(found)
    deep = {key: value for key, value in rest.items() if _deep(value)}
    if plain := {key: value for key, value in rest.items() if key not in deep}:
        pairs = tuple((words.of(key), (words.value(value),)) for key, value in plain.items())
        yield Grid(title, (), pairs, (), tuple(plain))
    for key, value in deep.items():
        yield from _grids(f"{title} · {words.of(key)}" if title else words.of(key), value, words, shape)


def _by_columns(title: str, found: Mapping[str, Any], words: Words, shape: Shape) -> Grid:
    """Cells by column and row, or a row of cells for each value of the die. `rows`: all of them, or the first and last;
    a table without `cells` has its cells there."""
    rows, cells = found.get("rows", []), found.get("cells")
    columns = [one["label"] if isinstance(one, Mapping) else one for one in found.get("columns", [])]
    lines: Sequence[Any] = rows if cells is None else cells
    if isinstance(cells, Mapping):
        columns = columns or list(cells)
        lines = list(zip(*(cells[str(column)] for column in columns), strict=True))
    if cells is None:
        first = 1 if shape.first is None else shape.first
        rows = range(first, first + len(lines))
    elif len(rows) != len(lines):
        rows = range(rows[0], rows[0] + len(lines))
    drawn = [(words.value(name), tuple(map(words.value, line if columns else [line])))
             for name, line in zip(rows, lines, strict=True)]  # fmt: skip
    return Grid(title, tuple(map(words.value, columns)), tuple(drawn), tuple(map(str, columns)), tuple(map(str, rows)))


def _by_die(title: str, lines: Sequence[tuple[str, Sequence[Any]]], first: int, words: Words) -> Grid:
    """What each value of the die brings, side by side; a line for each key, "" for the only one. A line that ends
    before others has nothing more."""
    faces = range(first, first + max(len(line) for _, line in lines))
    drawn = tuple((words.of(key) if key else "", (*map(words.value, line), *[""] * (len(faces) - len(line))))
                  for key, line in lines)  # fmt: skip
    return Grid(title, tuple(map(words.value, faces)), drawn, tuple(map(str, faces)), tuple(key for key, _ in lines))


def _of_list(title: str, found: Sequence[Any], words: Words, shape: Shape) -> Grid:
    if all(isinstance(one, Mapping) and {"label", "cells"} <= one.keys() for one in found):
        return _labelled(title, found, shape.first or 0, words)
    if flat := _flat_records(found):
        return _of_records(title, [("", record) for record in flat], words)
    if _table(found):
        if shape.first is not None:
            found = [[n, *line] for n, line in enumerate(found, shape.first)]
        return Grid(title, shape.columns,
                    tuple((words.value(row[0]), tuple(map(words.value, row[1:]))) for row in found),
                    shape.keys, tuple(str(row[0]) for row in found))  # fmt: skip
    if shape.first is not None:
        return _by_die(title, [("", found)], shape.first, words)
    return Grid(title, (), (("", (words.value(found),)),))


def _labelled(title: str, found: Sequence[Mapping[str, Any]], first: int, words: Words) -> Grid:
    """Columns that say themselves what they hold: their other fields stand above their cells."""
    fields = [key for key in found[0] if key not in ("label", "cells")]
    rows, keys = [(words.of(key), tuple(words.value(one[key]) for one in found)) for key in fields], fields[:]
    for n, line in enumerate(zip(*(one["cells"] for one in found), strict=True), first):
        rows.append((words.value(n), tuple(map(words.value, line))))
        keys.append(str(n))
    labels = [one["label"] for one in found]
    return Grid(title, tuple(map(words.value, labels)), tuple(rows), tuple(map(str, labels)), tuple(keys))


def _of_records(title: str, found: Sequence[tuple[str, Mapping[str, Any]]], words: Words) -> Grid:
    """A row for each, a column for each field that any of them has."""
    fields = tuple(dict.fromkeys(key for _, record in found for key in record))
    rows = tuple(
        (name and words.of(name), tuple(words.field(key, record[key]) if key in record else "" for key in fields))
        for name, record in found
    )
    return Grid(title, tuple(map(words.of, fields)), rows, fields, tuple(name for name, _ in found))


def _flat_records(found: Sequence[Any]) -> list[dict[str, Any]]:
    """Objects of plain fields, those of an object within them among their own; none when that is not what they are."""
    flat = []
    for one in found:
        if not isinstance(one, Mapping) or one.keys() <= set(LANGUAGES):
            return []
        record: dict[str, Any] = {}
        for key, value in one.items():
            record |= value if _deep(value) and isinstance(value, Mapping) else {key: value}
        if any(map(_deep, record.values())):
            return []
        flat.append(record)
    return flat


def _deep(value: Any) -> bool:
    """Whether a value needs a grid of its own: it holds objects, or lists of lists."""
    if isinstance(value, Mapping):
        return not value.keys() <= set(LANGUAGES)
    return _several(value) and any(isinstance(one, Mapping) or _several(one) for one in value)


def _table(found: Any) -> bool:
    return _several(found) and bool(found) and all(map(_several, found))


def _several(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
