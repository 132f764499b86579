"""Pictures of worked examples: the part of the map that one speaks of, drawn once and kept in a folder."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.games import data
from app.lab.places import KINDS
from app.lab.play import Lab
from app.lab.wrong import Wrong
from app.sheet.cache import content_hash
from app.sheet.faces import pieces_of
from app.sheet.raster import drawable, picture
from app.sheet.sheets import version

FRAMED = 2  # another number when the part that a picture shows is found otherwise
PLAYED = ("answers", "dice", "draws", "expect")  # fields of what happens in a lab file


class Pictures:
    """PNGs in a folder, by title, data, drawing, example and language."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @staticmethod
    def can_draw(title_id: str) -> bool:
        """Whether this server can draw a title."""
        return drawable(title_id)

    def kept(
        self, title_id: str, name: str, body: Mapping[str, Any], lang: str, about: Sequence[str] = ()
    ) -> bytes | None:
        path = self._path(title_id, name, body, lang, about)
        return path.read_bytes() if path.is_file() else None

    async def draw(
        self, title_id: str, name: str, body: Mapping[str, Any], lang: str, about: Sequence[str] = ()
    ) -> bytes | None:
        """None when nothing can draw it here. `body`: the lab file; `about`: the places to be shown, all that it names
        unless given."""
        current = data.current(title_id)
        known = {"map": current.files["map"], "units": pieces_of(current.files["units"])}
        drawn = await picture(title_id, current.digest, known, before(title_id, body), lang,
                              about or around(body, places_of(current.files["map"])), self._folder)  # fmt: skip
        if drawn is not None:
            path = self._path(title_id, name, body, lang, about)
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_bytes(drawn)
            part.replace(path)
        return drawn

    def _path(self, title_id: str, name: str, body: Mapping[str, Any], lang: str, about: Sequence[str]) -> Path:
        key = content_hash(title_id, data.current(title_id).digest, version(title_id), name, body, lang, FRAMED, about)
        return self._folder / f"{key}.png"


def before(title_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The fragments of an example's position before its first answer, for the eye that sees all."""
    lab = Lab(title_id, {key: value for key, value in body.items() if key not in PLAYED})
    try:
        lab.play()
    except Wrong:  # it begins with a roll
        assert lab.referee is not None
    return lab.before


def around(body: Any, places: set[str]) -> list[str]:
    """The places that a file names anywhere: in its position, its answers or what it expects."""
    if isinstance(body, str):
        return [body] if body in places else []
    named = [key for key in body if key in places] if isinstance(body, Mapping) else []
    within = body.values() if isinstance(body, Mapping) else body if isinstance(body, list) else ()
    return list(dict.fromkeys([*named, *(place for one in within for place in around(one, places))]))


def places_of(board: Mapping[str, Any]) -> set[str]:
    return {place for kind in KINDS if kind != "boxes" for place in board.get(kind, {})}
