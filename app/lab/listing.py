"""What a lab file can name, and what one space is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.games import data as titles
from app.lab.expecting import compact
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
        facts = ", ".join(f"{key} {value}" for key, value in body.items()
                          if isinstance(value, (int, str)) and key not in ("side", "name", "type", "face"))
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
    skipped = {"name", "x", "y", "points", "outline", "label", "at"}
    for key, value in body.items():
        if key not in skipped and value not in (None, "", [], {}):
            yield f"  {key}: {_plain(value)}"
    for near, how in sorted(neighbours(lab, space).items(), key=lambda pair: natural(pair[0])):
        yield " ".join(filter(None, ("  →", near, spaces.get(near, {}).get("name"), how)))
    content = lab.referee.views.contents[ALL].get(f"space:{space}")
    units = [unit["id"] for unit in (content or {}).get("units", [])]
    yield f"  {texts('lab.word.here')}: {' '.join(units) or texts('lab.word.nobody')}"


def _plain(value: object) -> str:
    """A field of the map in a line; of marks only their kinds."""
    if isinstance(value, list) and all(isinstance(item, dict) and "type" in item for item in value):
        return ", ".join(item["type"] for item in value)
    return value if isinstance(value, str) else compact(value)


def neighbours(lab: Lab, space: str) -> dict[str, str]:
    """The spaces next to one, each with what lies between: a kind of line, or the features of the side of a hex."""
    assert lab.referee is not None
    game = lab.referee.pos.game
    links = getattr(game, "links", {})
    if isinstance(links.get(space), dict):
        return {near: str(kind) for near, kind in links[space].items()}
    board = getattr(game, "map", None) or game.board.map
    if isinstance(board, AreaMap):
        return {near: " ".join(sorted(board.ways(space, near))) for near in board.neighbours[space]}
    assert isinstance(board, HexMap)
    return {near: " ".join(kind for kind in board.kinds if board.edge(kind, space, near))
            for near in board.neighbours[space]}
