"""The data of titles: read from `scenarios/`, overlays laid over it, and pinned to games by digest."""

import zlib
from functools import cache
from typing import Any

import orjson
from psycopg import AsyncConnection

import rules.titles
from app.config import ROOT
from app.errors import NotFound
from app.games import datasets
from app.games.config import game_settings
from rules.core.title import Data, Title

SCENARIOS = ROOT / "scenarios"
WORDS = {"clauses", "rulings"}  # files that only people read: no game pins them


def title(title_id: str) -> Title:
    """Raises NotFound."""
    try:
        return rules.titles.load(title_id)
    except KeyError:
        raise NotFound("games.no_title", title=title_id) from None


@cache
def files(title_id: str) -> dict[str, Any]:
    """The files of a title by name, an overlay's top-level keys replacing theirs."""
    found: dict[str, Any] = {}
    overlays = game_settings().overlays
    for folder in (SCENARIOS, overlays) if overlays else (SCENARIOS,):
        for path in sorted((folder / title_id).glob("*.json")):
            body = orjson.loads(path.read_bytes())
            below = found.get(path.stem)
            found[path.stem] = {**below, **body} if isinstance(below, dict) and isinstance(body, dict) else body
    return found


@cache
def current(title_id: str) -> Data:
    """What new games of a title begin with."""
    return Data.of({name: body for name, body in files(title_id).items() if name not in WORDS})


def scenarios(data: Data) -> list[str]:
    """The scenarios of a data set: the files that set a game up."""
    return [name for name, body in data.files.items() if isinstance(body, dict) and body.get("id") == name]


_known: dict[str, Data] = {}


async def pin(conn: AsyncConnection[Any], title_id: str) -> Data:
    """Keeps the current data of a title for the games that begin with it."""
    data = current(title_id)
    if await datasets.has_data(conn, data.digest):
        return data
    body = zlib.compress(orjson.dumps(dict(data.files)))  # the order of units is that of stacks
    await datasets.keep_data(conn, data.digest, title_id, body)
    return data


async def pinned(conn: AsyncConnection[Any], digest: str) -> Data:
    """The data a game began with. Raises NotFound."""
    if digest not in _known:
        body = await datasets.data_body(conn, digest)
        if body is None:
            raise NotFound("games.no_data", digest=digest)
        kept = Data(orjson.loads(zlib.decompress(body)), digest)
        # what was kept before has its keys sorted; the files of the same digest have them in order
        _known[digest] = next((now for now in map(current, rules.titles.IDS) if now.digest == digest), kept)
    return _known[digest]
