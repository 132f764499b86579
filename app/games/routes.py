"""Games over HTTP (docs/protocol.md section 7) and the websocket."""

import gzip
from datetime import timedelta
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query, Response
from starlette.concurrency import run_in_threadpool

from app.accounts.limits import Limit
from app.assets import FOR_EVER
from app.deps import InPerson, ReaderDep, SettingsDep
from app.games import acts, export, kit, socket, titles
from app.games.deps import LiveDep, PlayerDep, SitterDep
from app.games.play import Stale
from app.games.schemas import (
    Answered,
    Answering,
    ChatMessage,
    ChatMessages,
    Draft,
    Drawing,
    Notes,
    Plans,
    Previewing,
    Reaching,
    Record,
    Replying,
    Saying,
    Sealing,
    TableCard,
    TakingBack,
    TitleInfo,
    View,
)
from app.games.schemas import Stale as StaleBody
from app.games.stills import EXPORTED, CostlyDep

router = APIRouter(prefix="/api", tags=["games"])
router.include_router(socket.router)

HINTS = Limit("hint", 300, timedelta(hours=1))
A_WHILE = {"Cache-Control": "no-cache"}


AT = "/games/{game_id}"
Space = Annotated[str, Query(max_length=60)]


def _json(body: Any, headers: dict[str, str] | None = None, status: int = 200) -> Response:
    """Bodies that are JSON already and need no second look."""
    return Response(orjson.dumps(body), status, headers, "application/json")


@router.get(AT, response_model=TableCard)
async def card(live: LiveDep, player: SitterDep) -> Response:
    """The game's card: who plays, what it waits for, dice, offers, result."""
    return _json(await acts.card(live, player))


@router.get(AT + "/view", response_model=View)
async def view(live: LiveDep, player: SitterDep) -> Response:
    """The whole view of one eye, what is asked, and the card."""
    return _json(await acts.view(live, player))


@router.get(AT + "/record", response_model=Record)
async def record(live: LiveDep, player: SitterDep, since: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Entries after `since` as this eye was told them, oldest first, a page at a time."""
    return _json(await acts.record(live, player, since))


@router.post(AT + "/answers", response_model=Answered, responses={409: {"model": StaleBody}})
async def answer(live: LiveDep, player: SitterDep, reader: ReaderDep, new: Answering) -> Response:
    """Gives an answer. Sent again with its key it has the same outcome and is not given twice; to a request that is
    no more it is refused (409) with the fresh view."""
    try:
        return _json({"seq": await acts.answer(live, player, new)})
    except Stale as stale:
        error: dict[str, Any] = {"key": stale.key, "args": {}, "clause": None, "text": reader.t(stale.key)}
        return _json({"error": error, **await acts.view(live, player)}, status=stale.status)


@router.post(AT + "/withdraw", status_code=204)
async def withdraw(live: LiveDep, player: SitterDep) -> None:
    """Takes an answer back while both were asked at once and the other's is still to come."""
    await acts.withdraw(live, player)


@router.post(AT + "/preview")
async def preview(live: LiveDep, player: SitterDep, new: Previewing) -> dict[str, Any]:
    """What an answer would do and what is wrong with it; it is kept as the seat's draft."""
    return await acts.preview(live, player, new)


@router.post(AT + "/reach")
async def reach(live: LiveDep, player: SitterDep, new: Reaching) -> dict[str, Any]:
    """Where a stack can go, and at what cost."""
    return await acts.reach(live, player, new)


@router.get(AT + "/forecast")
async def forecast(live: LiveDep, player: SitterDep) -> dict[str, Any]:
    """What the next check of the rules (attrition, say) may cost each own stack, as things stand; nothing where a title
    has no such check."""
    return await acts.forecast(live, player)


@router.get(AT + "/covers")
async def covers(live: LiveDep, player: SitterDep, space: Space) -> list[dict[str, Any]]:
    """What the counters of a space cover: zones, fields of fire; nothing where a title has none."""
    return await acts.covers(live, player, space)


@router.get(AT + "/hints")
async def hints(live: LiveDep, player: SitterDep, costly: CostlyDep) -> dict[str, Any]:
    """What the computer would consider in one's place: only where nobody but the computer plays against one."""
    await costly.count(HINTS)
    return {"hints": await acts.hints(live, player)}


@router.get(AT + "/draft")
async def draft(live: LiveDep, player: SitterDep) -> Draft:
    """The unfinished answer that was kept."""
    return Draft(draft=await acts.draft(live, player))


@router.delete(AT + "/draft", status_code=204)
async def drop_draft(live: LiveDep, player: SitterDep) -> None:
    await acts.drop_draft(live, player)


@router.get(AT + "/take-back")
async def take_back_offer(live: LiveDep, player: SitterDep) -> dict[str, Any] | None:
    """What can be taken back, freely or by consent."""
    return await acts.take_back_offer(live, player)


@router.post(AT + "/take-back")
async def take_back(live: LiveDep, player: SitterDep, new: TakingBack) -> dict[str, bool]:
    """Takes back from entry `to` on: `done` at once where that is free, else the opponent is asked."""
    return {"done": await acts.take_back(live, player, new)}


@router.post(AT + "/take-back/reply", status_code=204)
async def reply(live: LiveDep, player: PlayerDep, new: Replying) -> None:
    await acts.reply(live, player, new)


@router.post(AT + "/resign", status_code=204)
async def resign(live: LiveDep, player: SitterDep) -> None:
    await acts.resign(live, player)


@router.post(AT + "/draw", status_code=204)
async def draw(live: LiveDep, player: PlayerDep, new: Drawing) -> None:
    await acts.draw(live, player, new)


@router.post(AT + "/dice")
async def seal_dice(live: LiveDep, player: SitterDep, new: Sealing) -> dict[str, Any]:
    """A seat's part of the dice key: its hash, and when all hashes are in, its nonce. What is sealed so far."""
    return await acts.seal_dice(live, player, new)


@router.get(AT + "/chat", dependencies=[InPerson])
async def chat_messages(live: LiveDep, player: SitterDep, since: Annotated[int, Query(ge=0)] = 0) -> ChatMessages:
    return ChatMessages(messages=[ChatMessage(**one) for one in await acts.chat_messages(live, player, since)])


@router.post(AT + "/chat", status_code=201)
async def chat(live: LiveDep, player: PlayerDep, new: Saying) -> ChatMessage:
    return ChatMessage(**await acts.chat(live, player, new))


@router.put(AT + "/chat/read", status_code=204)
async def read_chat(live: LiveDep, player: PlayerDep) -> None:
    """The player has read all messages there are."""
    await acts.read_chat(live, player)


@router.get(AT + "/notes", dependencies=[InPerson])
async def notes(live: LiveDep, player: SitterDep) -> Notes:
    """The private notes of a seat."""
    return Notes(text=await acts.notes(live, player))


@router.put(AT + "/notes", status_code=204)
async def set_notes(live: LiveDep, player: SitterDep, new: Notes) -> None:
    await acts.set_notes(live, player, new.text)


@router.get(AT + "/plans", dependencies=[InPerson])
async def plans(live: LiveDep, player: SitterDep) -> Plans:
    """What a seat drew on its map for itself."""
    return Plans(**await acts.plans(live, player))


@router.put(AT + "/plans", status_code=204)
async def set_plans(live: LiveDep, player: SitterDep, new: Plans) -> None:
    await acts.set_plans(live, player, new.model_dump())


@router.get(AT + "/export")
async def export_game(live: LiveDep, player: SitterDep, costly: CostlyDep) -> Response:
    """The record as a file: what one's eye knows while the game runs, everything when it is finished."""
    await costly.count(EXPORTED)
    body = await export.for_player(live, player)
    name = f'attachment; filename="mariscal-{player.game_id}.json"'
    return _json(body, {"Content-Disposition": name})


@router.get("/titles/{title_id}")
async def title(title_id: str) -> TitleInfo:
    """A title: its seats, scenarios, options, rulings, and where its data comes from."""
    return TitleInfo(**titles.info(title_id))


@router.get("/titles/{title_id}/data")
async def title_data(live: LiveDep, title_id: str, digest: str | None = None) -> Response:
    """Map, units and tables; with a digest, as the games that began with it have them, for ever."""
    return _json(await titles.data_of(live.store, title_id, digest), FOR_EVER if digest else A_WHILE)


@router.get("/titles/{title_id}/kit/{lang}")
async def title_kit(
    live: LiveDep, settings: SettingsDep, title_id: str, lang: str, digest: str,
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:  # fmt: skip
    """What a game's page needs of a title beside the drawn map, in one: what it says of itself, texts, map, units,
    and the counters as SVG. For ever under the address that the page names."""
    data = await titles.data_of(live.store, title_id, digest)
    packed = await run_in_threadpool(kit.packed, title_id, digest, lang, data, settings.data / "sheets")
    headers = {**FOR_EVER, "Vary": "Accept-Encoding"}
    if "gzip" in accept_encoding:
        return Response(packed, headers={**headers, "Content-Encoding": "gzip"}, media_type="application/json")
    return Response(gzip.decompress(packed), headers=headers, media_type="application/json")


@router.get("/titles/{title_id}/texts/{lang}")
async def title_texts(title_id: str, lang: str) -> Response:
    """A title's catalogue with its clauses."""
    return _json(titles.texts(title_id, lang), A_WHILE)
