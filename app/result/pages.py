"""`/games/GAME/result`: the result card; `/games/GAME/rematch`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from babel.numbers import format_decimal
from fastapi import APIRouter, Request, Response

from app.accounts import limits
from app.accounts.limits import Limit
from app.deps import Address, DatabaseDep, ForReaders, Guest, Reader, ReaderDep, SessionDep, SettingsDep, Sitter
from app.errors import Conflict
from app.games.deps import LiveDep, SitterDep
from app.games.stills import CostlyDep
from app.lobby.limits import GAMES
from app.notifications.words import GameTexts
from app.pages import redirect, render
from app.result import service
from app.result.chart import lines
from app.result.service import Result
from app.result.summary import Fight
from app.texts import locale

router = APIRouter(include_in_schema=False, prefix="/games/{game_id}", dependencies=[ForReaders])

READ = Limit("result", 120, timedelta(hours=1))


@router.get("/result")
async def result(
    request: Request, live: LiveDep, player: SitterDep, session: SessionDep, reader: ReaderDep, costly: CostlyDep
) -> Response:
    """A game that runs is shown itself. Raises NotFound, NotAllowed, TooMany."""
    try:
        found = await service.result_of(live, session, player, lambda: costly.count(READ))
    except Conflict:
        return redirect(f"/games/{player.game_id}")
    return render(request, reader, "result/result.html", guest=player.guest, **_shown(found, player.user, reader))


@router.post("/rematch")
async def rematch(
    live: LiveDep, player: SitterDep, user: Sitter, guest: Guest, session: SessionDep, db: DatabaseDep,
    settings: SettingsDep, address: Address,
) -> Response:  # fmt: skip
    """Raises NotFound, NotAllowed, Conflict, TooMany."""
    row = await live.store.row(player.game_id)
    player.plays(row)
    limit, who = (limits.GUEST, address) if guest else (GAMES, str(user.id))
    await limits.count(db, settings.secret(), limit, who)
    game = await service.rematch(session, row, user)
    return redirect(f"/games/{game.id}" if game.status == "active" else f"/games/{game.id}/join")


def _shown(found: Result, user: int | None, reader: Reader) -> dict[str, Any]:
    """What the page says, in words."""
    row, summary = found.row, found.summary
    files = found.data.files
    named = {"map": files.get("map", {}), "units": files.get("units", {}).get("units", {})}
    words = GameTexts(reader.lang, row.title, named)
    labels = [sample.label for sample in summary.samples]
    kinds = (("score", [one.score for one in summary.samples]), ("strength", [one.strength for one in summary.samples]),
             ("lost", [one.lost for one in summary.samples]))  # fmt: skip
    graphs = [_graph(reader, kind, labels, samples, row.title) for kind, samples in kinds if any(map(_any, samples))]
    last = summary.samples[-1] if summary.samples else None
    end = row.result or {}
    return {
        "game_id": row.id, "title_id": row.title, "row": row, "winner": end.get("winner"),
        "why": words.say(end) if end.get("key") else None, "clause": end.get("clause"), "last": last,
        "mine": [seat for seat, who in row.seats.items() if user is not None and who["user"] == user],
        "graphs": graphs, "sides": summary.sides, "luck": {s: signed(n, reader) for s, n in summary.luck.items()},
        "fights": [_fight(one, words, reader) for one in summary.fights],
        "decisive": [_fight(one, words, reader) for one in summary.decisive],
        "used": {seat: span(summary.used[seat], reader) for seat in row.seats if seat in summary.used},
        "ratings": found.ratings, "number": lambda value: plain(value, reader),
        "signed": lambda value: signed(value, reader),
    }  # fmt: skip


def _any(values: Mapping[str, float]) -> bool:
    return any(values.values())


def _graph(reader: Reader, kind: str, labels: Sequence[str], samples: Sequence[Mapping[str, float]],
           title_id: str) -> dict[str, Any]:  # fmt: skip
    """A graph with its figures as a table."""
    sides = list(dict.fromkeys(side for sample in samples for side in sample))
    series = {side: [sample.get(side, 0) for sample in samples] for side in sides}
    name = reader.t(f"after.{kind}")
    return {"kind": kind, "name": name, "svg": lines(labels, series, name), "labels": labels,
            "rows": {side: [plain(value, reader) for value in line] for side, line in series.items()},
            "seats": {side: reader.t(f"seat.{side}", title_id) for side in sides}}  # fmt: skip


def _fight(one: Fight, words: GameTexts, reader: Reader) -> dict[str, Any]:
    return {"seq": one.seq, "turn": one.turn, "side": one.throw.side, "said": words.step(one.step) or "",
            "clause": one.step.get("clause"), "roll": one.step["data"].get("roll"),
            "got": plain(one.throw.got, reader), "expected": plain(one.throw.expected, reader),
            "luck": signed(one.throw.luck, reader)}  # fmt: skip


def plain(value: float, reader: Reader) -> str:
    return format_decimal(round(value, 1), format="#,##0.#", locale=locale(reader.lang)).replace("-", "−")


def signed(value: float, reader: Reader) -> str:
    found = plain(value, reader)
    return f"+{found}" if round(value, 1) > 0 else found


def span(time: timedelta, reader: Reader) -> str:
    """Days, hours and minutes, as far as they say something."""
    return ", ".join(_parts(time, reader)) or reader.t("after.seconds")


def _parts(time: timedelta, reader: Reader) -> Iterator[str]:
    minutes = int(time.total_seconds()) // 60
    for unit, length in (("days", 1440), ("hours", 60), ("minutes", 1)):
        n, minutes = divmod(minutes, length)
        if n:
            yield reader.t(f"after.{unit}", n=n)
