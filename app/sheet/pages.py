"""`/titles/TITLE/counters`: all counters of a title in their printed size, for a table of one's own."""

import gzip
import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from app.deps import ForReaders, ReaderDep, SettingsDep
from app.games import data
from app.games.deps import LiveDep
from app.pages import render
from app.sheet.routes import sheets_of
from app.sheet.sheets import extra_styles

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

FACE = re.compile(r'<g id="((?:c|back|box|marker)-[^"]+)"')


@router.get("/titles/{title_id}/counters")
async def counters(
    request: Request, title_id: str, live: LiveDep, reader: ReaderDep, settings: SettingsDep
) -> Response:
    """Every face by nation, a reduced side after its full one; backs, boxes and markers last. Raises NotFound."""
    digest = data.current(title_id).digest
    sheets = await sheets_of(title_id, digest, live, settings)
    drawn = gzip.decompress(await run_in_threadpool(sheets.counters)).decode()

    def named(piece: str) -> str:
        said = reader.t(key := f"unit.{piece}", title_id)
        return said if said != key else str(sheets.pieces[piece]["name"])

    return render(
        request,
        reader,
        "counters.html",
        title_id=title_id,
        title_name=reader.t("title.name", title_id),
        symbols=Markup(drawn),
        styles=extra_styles({"map": data.current(title_id).files["map"], "units": sheets.pieces}),
        sets=faces(drawn, sheets.pieces),
        nation=lambda name: reader.t(f"nation.{name}", title_id),
        named=named,
    )


def faces(drawn: str, pieces: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """Nation -> the id of each of its faces on the drawn sheet, and the piece's; "" is no nation and no piece."""
    sets: dict[str, list[tuple[str, str]]] = {}
    for face in FACE.findall(drawn):
        full = face.removeprefix("c-")
        piece = next((name for name in (full, full.removesuffix("-r")) if name in pieces), "")
        sets.setdefault(pieces[piece]["nation"] if piece else "", []).append((face, piece))
    beyond = sets.pop("", [])
    return sets | {"": beyond}
