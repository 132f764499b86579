"""`/sheet/TITLE/DIGEST/...`: the drawn map and the counters of a title's data, for ever under their address."""

import gzip
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Response
from starlette.concurrency import run_in_threadpool

from app.assets import FOR_EVER
from app.deps import SettingsDep
from app.games.deps import LiveDep
from app.games.titles import data_of
from app.sheet.cache import SheetCache
from app.sheet.sheets import Sheets, cache_in

router = APIRouter(prefix="/sheet/{title_id}/{digest}", tags=["sheet"])
AcceptEncoding = Annotated[str, Header()]


async def sheets_of(title_id: str, digest: str, live: LiveDep, settings: SettingsDep) -> Sheets:
    """Raises NotFound."""
    cache: SheetCache = cache_in(settings.data / "sheets")
    return Sheets(title_id, digest, await data_of(live.store, title_id, digest), cache)


SheetsDep = Annotated[Sheets, Depends(sheets_of)]


@router.get("/map.svg")
async def map_svg(
    sheets: SheetsDep, lang: Annotated[str, Query(max_length=8)] = "en", accept_encoding: AcceptEncoding = ""
) -> Response:
    """The map as one layered SVG without colours of its own; title and legend in `lang`."""
    return await _answer(lambda: sheets.map(lang), accept_encoding)


@router.get("/counters.svg")
async def counters_svg(sheets: SheetsDep, accept_encoding: AcceptEncoding = "") -> Response:
    """The counters as a sheet of shapes to refer to."""
    return await _answer(sheets.counters, accept_encoding)


async def _answer(draw: Callable[[], bytes], accepted: str) -> Response:
    packed = await run_in_threadpool(draw)
    headers = {**FOR_EVER, "Vary": "Accept-Encoding"}
    if "gzip" in accepted:
        return Response(packed, media_type="image/svg+xml", headers={**headers, "Content-Encoding": "gzip"})
    return Response(gzip.decompress(packed), media_type="image/svg+xml", headers=headers)
