"""Pictures of positions, drawn once for each eye, language and theme: beside the event loop, one at a time, and to one
address not more than so many new ones."""

import gzip
from collections import OrderedDict
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import anyio
from anyio import to_thread
from fastapi import Depends, Request

from app.accounts import limits
from app.accounts.limits import Limit
from app.deps import DatabaseDep, SettingsDep, address
from app.games import acts
from app.games.acts import Player
from app.games.live import Live
from app.games.titles import data_of
from app.sheet.sheets import Sheets, cache_in, version
from app.sheet.stills import on_sheet

DRAWN = Limit("still", 60, timedelta(minutes=10))
EXPORTED = Limit("export", 30, timedelta(minutes=10))
KEPT = 60  # pictures in memory, of some 250 kB each


class Costly:
    """Counts what costs the server much, by address."""

    def __init__(self, db: DatabaseDep, settings: SettingsDep, request: Request) -> None:
        self._db, self._secret, self._address = db, settings.secret(), address(request)

    async def count(self, limit: Limit) -> None:
        """Raises TooMany."""
        await limits.count(self._db, self._secret, limit, self._address)


CostlyDep = Annotated[Costly, Depends()]

_kept: "OrderedDict[tuple[object, ...], bytes]" = OrderedDict()
_one = anyio.Semaphore(1)


async def still(live: Live, player: Player, seq: int | None, language: str, theme: str, folder: Path,
                costly: Costly) -> tuple[int, bytes]:
    """The number of the entry after which the position stood, and the gzip of its picture. `folder`: where drawn sheets
    are kept. Raises NotFound, NotAllowed, TooMany."""
    row = await live.store.row(player.game_id)
    at = row.seq if seq is None else min(seq, row.seq)
    key = (row.id, at, player.eye(row), language, theme, version(row.title))
    if key not in _kept:
        await costly.count(DRAWN)
        async with _one:
            if key not in _kept:
                row, fragments = await acts.fragments_at(live, player, at)
                data = await data_of(live.store, row.title, row.data_digest)
                sheets = Sheets(row.title, row.data_digest, data, cache_in(folder))

                def draw() -> bytes:
                    drawn = on_sheet(row.title, sheets.map(language), data, fragments, theme, fonts=True)
                    return gzip.compress(drawn.encode(), 4, mtime=0)

                _kept[key] = await to_thread.run_sync(draw)
    _kept.move_to_end(key)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return at, _kept[key]
