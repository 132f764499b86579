"""What a lab file can name, and what one space is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.games import data as titles
from app.lab.places import places
from app.lab.play import Lab
from app.lab.wrong import of_position
from app.sheet.faces import pieces_of
from app.texts import Texts
from rules.core.seats import ALL
from rules.maps.areas import AreaMap
from rules.maps.hexmap import HexMap
from rules.mechanics.written import Impossible, name


def natural(text: str) -> list[tuple[int, str]]:
    """Sorts 2 before 10."""
    return [(int(digits or -1), letters) for digits, letters in re.findall(r"(\d*)(\D*)", text)]


def unit_lines(lab: Lab, texts: Texts) -> Iterator[str]:
    """Every unit with its side, kind and numbers, then whatever else has a name."""
    files = titles.current(lab.title.id).files
    pieces = pieces_of(files["units"])
    for unit in sorted(pieces, key=natural):
        body = pieces[unit]
        facts = ", ".join(f"{key} {value}" for key, value in facts_of(body, texts, lab.title.id))
        kind = texts(f"type.{body.get('type')}", lab.title.id) if body.get("type") else ""
        side = texts(f"seat.{body['side']}", lab.title.id) if body.get("side") else "–"
        yield f"{unit}: {side}, {kind or '–'}, {body.get('name') or unit}; {facts}"
    for card in sorted(files.get("cards", {}).get("cards", {}), key=natural):
        yield f"{card}: {texts(f'card.{card}.title', lab.title.id)}"


def space_lines(lab: Lab, texts: Texts, given: str) -> Iterator[str]:
    """One space: what the map says of it, its neighbours with what lies between, and who stands there now."""
    assert lab.referee is not None
    spaces = places(lab.title.id)
    try:
        space = name(given, spaces, "space")
    except Impossible as bad:
        raise of_position(bad) from bad
    body = spaces[space]
    yield " ".join(filter(None, (space, body.get("name"))))
    yield from (f"  {key}: {value}" for key, value in facts_of(body, texts, lab.title.id))
    for near, how in sorted(neighbours(lab, space).items(), key=lambda pair: natural(pair[0])):
        what = ", ".join(worded(texts, lab.title.id, kind, "lab.edge") for kind in how)
        yield " ".join(filter(None, ("  →", near, spaces.get(near, {}).get("name"), what)))
    content = lab.referee.views.contents[ALL].get(f"space:{space}")
    units = [unit["id"] for unit in (content or {}).get("units", [])]
    yield f"  {texts('lab.word.here')}: {' '.join(units) or texts('lab.word.nobody')}"


def facts_of(body: Mapping[str, Any], texts: Texts, title_id: str) -> Iterator[tuple[str, str]]:
    """What the data says of a piece or a place, as far as there are words for it."""
    for key, value in body.items():
        said = texts(f"lab.fact.{key}")
        weight = key == "worth" and isinstance(value, int | float)  # of a piece, for counts of losses: not printed
        if said == f"lab.fact.{key}" or value in (None, "", [], {}) or weight:
            continue
        if isinstance(value, bool):
            yield said, texts("game.yes" if value else "game.no")
            continue
        among = {"country": "nation", "control": "seat"}.get(key, key)
        marks = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else [value]
        names = [mark["type"] if isinstance(mark, dict) else str(mark) for mark in marks]
        words = [worded(texts, title_id, name, among, f"lab.{key}") for name in names]
        if shown := [word for word, name in zip(words, names, strict=True) if key != "features" or word != name]:
            yield said, ", ".join(shown)


def worded(texts: Texts, title_id: str, name: str, *among: str) -> str:
    """The word for a name that one of these groups of the catalogue has, else the name."""
    keys = (f"{group}.{name}" for group in among)
    return next((said for key in keys if (said := texts(key, title_id)) != key), name)


def neighbours(lab: Lab, space: str) -> dict[str, list[str]]:
    """The spaces next to one, each with what lies between: a kind of line, or the features of the side of a hex."""
    assert lab.referee is not None
    game = lab.referee.pos.game
    links = getattr(game, "links", {})
    if isinstance(links.get(space), dict):
        return {near: [str(kind)] for near, kind in links[space].items()}
    board = getattr(game, "map", None) or game.board.map
    if isinstance(board, AreaMap):
        return {near: sorted(board.ways(space, near)) for near in board.neighbours[space]}
    assert isinstance(board, HexMap)
    return {near: [kind for kind in board.kinds if board.edge(kind, space, near)] for near in board.neighbours[space]}
