"""What the game page needs of a title and a language beside the drawn map, in one file, for ever under its address."""

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from app.errors import NotFound
from app.games import titles
from app.sheet import sheets
from app.texts import LANGUAGES, site


@cache
def _words(title_id: str, lang: str) -> tuple[dict[str, Any], str]:
    """`title` and `texts` of a kit, and their hash. Raises NotFound."""
    if lang not in LANGUAGES:
        raise NotFound()
    words = {"title": titles.info(title_id), "texts": {**site(lang), **titles.texts(title_id, lang)}}
    return words, hashlib.sha256(orjson.dumps(words)).hexdigest()[:10]


def url(title_id: str, digest: str, lang: str) -> str:
    """Where the page fetches a kit; new whenever data, words or the drawing of counters are."""
    version = f"{_words(title_id, lang)[1]}-{sheets.version(title_id)}"
    return f"/api/titles/{title_id}/kit/{lang}?digest={digest}&v={version}"


_packed: dict[str, bytes] = {}


def packed(title_id: str, digest: str, lang: str, data: dict[str, Any], folder: Path) -> bytes:
    """A kit as the gzip of JSON: {"title", "texts", "map", "units", "cards", "symbols"}. `data`: `titles.data_of` under
    `digest`; `folder`: where drawn sheets are kept. Raises NotFound."""
    address = url(title_id, digest, lang)
    if address not in _packed:
        drawn = sheets.Sheets(title_id, digest, data, sheets.cache_in(folder)).counters()
        shown = {name: part for name, part in data.items() if name != "tables"}
        kit = {**_words(title_id, lang)[0], **shown, "symbols": gzip.decompress(drawn).decode()}
        _packed[address] = gzip.compress(orjson.dumps(kit), 9, mtime=0)
    return _packed[address]
