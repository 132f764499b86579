"""What a notice says to its reader: the words, the position as that seat may see it, and where to go."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from app import texts, timing
from app.errors import Refused
from app.games import record
from app.games.store import Store
from app.games.titles import data_of
from app.games.told import ToldEntry
from app.jobs.registry import Work
from app.notifications.kinds import TASKS
from app.notifications.repository import Told, Wishes
from app.notifications.words import GameTexts, places
from app.sheet.raster import picture
from app.texts import Texts

log = logging.getLogger(__name__)

LINES = 8  # of what happened in one game
LOOK_BACK = 60  # entries
PICTURES = 3  # in one message


@dataclass
class Item:
    """One notice in words. `lines`: what happened, oldest first, `more` of them left out; `asked`: what the game asks;
    `path`: where to go; `picture`: a PNG."""

    notice: int
    kind: str
    heading: str
    button: str
    path: str
    lines: list[str] = field(default_factory=list)
    more: int = 0
    asked: str = ""
    picture: bytes | None = None


def heading(t: Texts, notice: Told, zone: str) -> str:
    """One sentence; plain values only, so that a list needs nothing but this."""
    words: dict[str, Any] = {"who": _name(t, notice.by), "line": notice.line or "", "when": ""}
    words["title"] = t("title.name", notice.title) if notice.title else ""
    if deadline := notice.args.get("deadline"):
        words["when"] = moment(t.lang, deadline, zone)
    if "key" in notice.args:
        return t(notice.args["key"], notice.title, **words | notice.args.get("args", {}))
    if notice.kind == "over":
        key = "drawn" if not (notice.result or {}).get("winner") else "won" if _won(notice) else "lost"
        return t(f"notice.over_{key}", **words)
    return t(f"notice.{notice.kind}", **words)


def moment(lang: str, iso: str, zone: str) -> str:
    """A moment with its zone."""
    return timing.moment(datetime.fromisoformat(iso), ZoneInfo(zone), texts.locale(lang))


def path(notice: Told) -> str:
    return str(notice.args.get("link") or (f"/games/{notice.game_id}" if notice.game_id else "/notices"))


def _won(notice: Told) -> bool:
    return (notice.result or {}).get("winner") == notice.side


def _name(t: Texts, name: str | None) -> str:
    """Who caused it: a bot or nobody has no name."""
    return t("notice.nobody") if name is None else t.player(name)


async def items(work: Work, wishes: Wishes, notices: Sequence[Told]) -> list[Item]:
    """The notices of one message: of a game's turn also what happened and, of the first few, the position."""
    t, made, drawn = Texts(wishes.lang), [], 0
    for notice in notices:
        kind = notice.kind if f"notice.{notice.kind}_go" in texts.site(wishes.lang) else "game"
        item = Item(notice.id, notice.kind, heading(t, notice, wishes.zone), t(f"notice.{kind}_go"), path(notice))
        made.append(item)
        if notice.game_id and notice.seat and notice.kind in (*TASKS, "reminder", "over"):
            try:
                await _position(work, wishes.lang, notice, item, drawn < PICTURES)
            except Refused as refused:  # a game that no longer fits the rules: the notice goes out without it
                log.warning("game %s is told without its position: %s", notice.game_id, refused)
            drawn += item.picture is not None
    return made


async def _position(work: Work, lang: str, notice: Told, item: Item, with_picture: bool) -> None:
    game_id, seat = str(notice.game_id), str(notice.seat)
    row, loaded = await work.store.look(game_id)
    side = row.seating.side(seat)
    fragments = dict(loaded.referee.views.contents[side])
    request = loaded.referee.request_for(seat) if row.status == "active" else None
    data = await data_of(work.store, row.title, row.data_digest)
    words = GameTexts(lang, row.title, data)
    steps = await _since(work.store, game_id, row.seq, seat, side)
    said = [line for line in map(words.step, steps) if line]
    item.lines, item.more = said[-LINES:], max(0, len(said) - LINES)
    if request and request["mine"]:
        item.asked = words.say(request["prompt"])
    if row.status == "finished" and row.result:
        item.asked = words.say(row.result)
    if with_picture:
        around = [place for step in steps for place in places(step)]
        item.picture = await picture(row.title, row.data_digest, data, fragments, lang, around,
                                     work.settings.data / "sheets")  # fmt: skip


async def _since(store: Store, game_id: str, seq: int, seat: str, side: str) -> list[dict[str, Any]]:
    """What a side was told since one of its seats last answered itself, as far back as makes sense in a message."""
    async with store.quick.connection() as conn:
        told = await record.told_since(conn, game_id, max(0, seq - LOOK_BACK), LOOK_BACK)
    own = max((entry.seq for entry in told if entry.seat == seat and entry.by_someone), default=0)
    return [step for entry in told if entry.seq > own and not entry.retracted
            for step in ToldEntry.stored(entry).seen_by(side)["steps"]]  # fmt: skip
