"""The data of titles: read from `scenarios/`, overlays laid over it, and pinned to games by digest."""

import gzip
import zlib
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from psycopg import AsyncConnection

import rules.titles
from app.config import ROOT
from app.errors import NotFound
from app.games import datasets
from app.games.config import game_settings
from app.games.repository import GameRow
from rules.core.title import Data, Title

SCENARIOS = ROOT / "scenarios"
WORDS = {"clauses", "rulings", "excuses", "rulebook"}  # files that only people read: no game pins them


def title(title_id: str) -> Title:
    """Raises NotFound."""
    try:
        return rules.titles.load(title_id)
    except KeyError:
        raise NotFound("games.no_title", title=title_id) from None


@cache
def files(title_id: str) -> dict[str, Any]:
    """The files of a title by name, its scenarios by id in "scenarios"; an overlay's top-level keys replace theirs."""
    overlays = game_settings().overlays
    folders = [folder / title_id for folder in (SCENARIOS, overlays) if folder]
    return {**_read(folders), "scenarios": _read([folder / "scenarios" for folder in folders])}


def _read(folders: list[Path]) -> dict[str, Any]:
    """The JSON files of the first folder by name, with what the others lay over them."""
    found: dict[str, Any] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            body = orjson.loads(path.read_bytes())
            below = found.get(path.stem)
            found[path.stem] = {**below, **body} if isinstance(below, dict) and isinstance(body, dict) else body
    return dict(sorted(found.items()))


@cache
def current(title_id: str) -> Data:
    """What new games of a title begin with."""
    return Data.of({name: body for name, body in files(title_id).items() if name not in WORDS})


MOST_KNOWN = 24  # data sets that a process keeps ready
_known: OrderedDict[str, tuple[str, Data]] = OrderedDict()  # with the title whose they are


async def pin(conn: AsyncConnection[Any], title_id: str) -> Data:
    """Keeps the current data of a title for the games that begin with it."""
    data = current(title_id)
    if await datasets.has_data(conn, data.digest):
        return data
    body = zlib.compress(orjson.dumps(dict(data.files)))  # the order of units is that of stacks
    await datasets.keep_data(conn, data.digest, title_id, body)
    return data


async def pinned(conn: AsyncConnection[Any], digest: str, title_id: str) -> Data:
    """The data a game of a title began with. Raises NotFound, also for another title's."""
    if digest not in _known:
        found = _older(digest)
        if found is None:
            kept = await datasets.kept(conn, digest)
            if kept is None:
                raise NotFound("games.no_data", digest=digest)
            found = kept.title, title(kept.title).upgrade_data(orjson.loads(zlib.decompress(kept.body)))
        _known[digest] = found[0], Data(found[1], digest)
        if len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    _known.move_to_end(digest)
    whose, data = _known[digest]
    if whose != title_id:
        raise NotFound("games.no_data", digest=digest)
    return data


def older(digest: str) -> dict[str, Any] | None:
    """The files of a digest as an older edition of the site had them, brought up to date."""
    found = _older(digest)
    return found and found[1]


def _older(digest: str) -> tuple[str, dict[str, Any]] | None:
    """The title and the files of a digest as an older edition of the site had them, brought up to date: games of other
    sites name them, and what was pinned first had its keys sorted."""
    for path in SCENARIOS.glob(f"*/older/{digest}.json.gz") if digest.isalnum() else ():
        name = path.parents[1].name
        return name, title(name).upgrade_data(orjson.loads(gzip.decompress(path.read_bytes())))
    return None


async def played_with(conn: AsyncConnection[Any], row: GameRow) -> Any:
    """What a game is played with: its pinned data, scenario and seats, compiled by its title. Raises NotFound."""
    return title(row.title).game(await pinned(conn, row.data_digest, row.title), row.scenario, row.seats)
