"""The sheets of one title's data, drawn once, and where they are found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache as once
from pathlib import Path
from typing import Any

from app.sheet.cache import SheetCache, content_hash
from app.sheet.counters import draw_counters
from app.sheet.drawing import draw_map

STATIC = Path(__file__).resolve().parents[2] / "static"


@once
def title_style(title: str) -> dict[str, Any]:
    """static/titles/TITLE/style.json."""
    style: dict[str, Any] = json.loads((STATIC / "titles" / title / "style.json").read_text())
    return style


@once
def version(title: str) -> str:
    """A hash of how things are drawn: this package and the title's style. Part of every address and cache key."""
    sources = sorted(p for p in Path(__file__).parent.rglob("*") if p.suffix in (".py", ".svg"))
    return content_hash([p.read_text() for p in sources], title_style(title))[:8]


EXTRA = ("areas", "relief", "troops")  # style sheets that only some maps and counters need


PLAIN = {"navigable_river", "minor_river", "border", "road", "trail", "rail"}  # edges that map.css draws


def extra_styles(data: Mapping[str, Any]) -> list[str]:
    """Those of `EXTRA` that a title's data needs. `data`: `map` and `units` by id."""
    board = data["map"]
    levels = any(spot.get("level") for spot in board.get("hexes", {}).values())
    relief = levels or not board.get("edges", {}).keys() <= PLAIN
    troops = any(piece.get("face") == "formation" for piece in data["units"].values())
    needed = {"areas": board.get("kind") == "areas", "relief": relief, "troops": troops}
    return [name for name in EXTRA if needed[name]]


_drawn: dict[str, bytes] = {}


@once
def cache_in(folder: Path) -> SheetCache:
    """The one cache of this process over a folder; all share their memory."""
    return SheetCache(folder, _drawn)


def map_url(title: str, digest: str, language: str) -> str:
    """Where the page fetches a map; new whenever data, drawing or language are."""
    return f"/sheet/{title}/{digest}/map.svg?lang={language}&v={version(title)}"


class Sheets:
    """Map and counters of one title's pinned data, as gzip bytes out of a cache."""

    def __init__(self, title: str, digest: str, data: Mapping[str, Any], cache: SheetCache) -> None:
        """`data`: `map`, the body of map.json, `units`, all pieces by id, and perhaps `cards`, of the data whose digest
        is `digest`."""
        self._title, self._digest, self._data, self._cache = title, digest, data, cache

    @property
    def pieces(self) -> Mapping[str, Any]:
        return self._data["units"]  # type: ignore[no-any-return]

    def map(self, language: str) -> bytes:
        style = title_style(self._title)
        language = language if language in style["words"] else "en"
        key = content_hash("map", self._title, self._digest, version(self._title), language)
        return self._cache.get(key, lambda: draw_map(self._data["map"], style, language))

    def counters(self) -> bytes:
        key = content_hash("counters", self._title, self._digest, version(self._title))
        return self._cache.get(key, lambda: self._faces())

    def _faces(self) -> str:
        return draw_counters(self._data["units"], title_style(self._title), self._data.get("cards"))
