"""The page of a game: at the table, and its replay; and pictures of its positions."""

import gzip
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, Header, Query, Request, Response
from markupsafe import Markup

from app.accounts.guests import KEPT_DAYS
from app.deps import ForReaders, Reader, ReaderDep, SettingsDep, SignedIn
from app.errors import Conflict, NotFound
from app.games import acts, kit
from app.games.acts import Player
from app.games.deps import LiveDep, PlayerDep, SitterDep
from app.games.stills import DRAWN, CostlyDep, still
from app.games.titles import data_of
from app.pages import redirect, render
from app.sheet.raster import picture
from app.sheet.sheets import extra_styles, map_url

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

PAGES = {"play": "js/game/ctrl.js", "replay": "js/game/replay_page.js"}
PICTURE = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:"}


@router.get("/games/{game_id}")
async def table(request: Request, live: LiveDep, player: SitterDep, reader: ReaderDep) -> Response:
    return await _page(request, live, player, reader, "play")


@router.get("/games/{game_id}/replay")
async def replay(request: Request, live: LiveDep, player: SitterDep, reader: ReaderDep) -> Response:
    return await _page(request, live, player, reader, "replay")


@router.get("/games/{game_id}/still.svg")
async def still_svg(
    live: LiveDep,
    player: SitterDep,
    reader: ReaderDep,
    settings: SettingsDep,
    costly: CostlyDep,
    seq: Annotated[int | None, Query(ge=1)] = None,
    theme: Literal["light", "dark", "contrast"] = "light",
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:
    """The position after an entry, or now, as one's eye saw it: a picture that needs nothing else."""
    at, packed = await still(live, player, seq, reader.lang, theme, settings.data / "sheets", costly)
    headers = {**PICTURE, "Content-Disposition": f'inline; filename="mariscal-{player.game_id}-{at}.svg"',
               "Vary": "Accept-Encoding"}  # fmt: skip
    if "gzip" not in accept_encoding:
        return Response(gzip.decompress(packed), media_type="image/svg+xml", headers=headers)
    return Response(packed, media_type="image/svg+xml", headers=headers | {"Content-Encoding": "gzip"})


@router.get("/games/{game_id}/still.png")
async def still_png(
    live: LiveDep, player: PlayerDep, _: SignedIn, reader: ReaderDep, settings: SettingsDep, costly: CostlyDep
) -> Response:
    """Where most stands now, as one's eye sees it, small: for a message on the desktop. Raises NotFound where nothing
    can draw it."""
    row, fragments = await acts.fragments_at(live, player, None)
    await costly.count(DRAWN)
    data = await data_of(live.store, row.title, row.data_digest)
    drawn = await picture(row.title, row.data_digest, data, fragments, reader.lang, (), settings.data / "sheets")
    if drawn is None:
        raise NotFound("games.no_picture")
    return Response(drawn, media_type="image/png", headers={"Cache-Control": "private, max-age=60"})


async def _page(request: Request, live: LiveDep, player: Player, reader: Reader, mode: str) -> Response:
    """A game that has not begun shows who is still missing instead."""
    card = await acts.card(live, player)
    title, digest = card["title"], card["data_digest"]
    query = f"?{urlencode({'t': player.token})}" if player.token else ""
    if card["state"] == "open":
        return redirect(f"/games/{player.game_id}/join{query}")
    try:
        first = await acts.first(live, player) if mode == "play" else {"card": card}
    except Conflict:  # out of step with the rules: its record can still be read, its players have a choice
        return redirect(f"/games/{player.game_id}/{'replay' if card['state'] == 'finished' else 'broken'}{query}")
    data = await data_of(live.store, title, digest)
    return render(
        request,
        reader,
        "game.html",
        mode=mode,
        game_id=player.game_id,
        title_id=title,
        title_name=reader.t("title.name", title),
        digest=digest,
        first=in_page(first),
        kit_url=kit.url(title, digest, reader.lang),
        map_url=map_url(title, digest, reader.lang),
        entries=_entries(mode, first),
        cards=_asks_cards(first, data["cards"]),
        styles=extra_styles(data),
        guess=False,
        guest=player.guest and card["your_seats"] and KEPT_DAYS,
    )


def _entries(mode: str, first: dict[str, Any]) -> list[str]:
    """The modules of the first view: the page, and the tools for what is asked."""
    forms = (first.get("request") or {}).get("forms", ())
    return ["js/game/main.js", PAGES[mode], *sorted({f"js/game/{form['kind']}_tool.js" for form in forms})]


def _asks_cards(first: dict[str, Any], cards: Mapping[str, Any]) -> bool:
    """Whether cards lie in the first view: the one whose effect is asked, or those to choose from."""
    request = first.get("request") or {}
    asked = {option["id"] for form in request.get("forms", ()) for option in form.get("options", ())}
    return bool(request.get("card")) or not asked.isdisjoint(cards)


def in_page(data: Any) -> Markup:
    """JSON that can stand between script tags."""
    return Markup(orjson.dumps(data).decode().replace("<", "\\u003c"))
