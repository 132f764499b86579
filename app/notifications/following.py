"""What a change of a game tells people: queued in its transaction, by one statement, and only when it matters."""

from typing import Any

from app.games import messages
from app.games.change import Table
from app.games.following import Turn, follows
from app.games.repository import GameRow
from app.notifications import repository
from app.notifications.config import notice_settings


def _persons(row: GameRow) -> dict[int, list[str]]:
    """The people at a game, with their seats."""
    found: dict[int, list[str]] = {}
    for seat, who in row.seats.items():
        if who["user"] is not None:
            found.setdefault(who["user"], []).append(seat)
    return found


def _begins(table: Table) -> bool:
    """A game begins with its first entry, or when a joining player makes it full."""
    if table.row.status != "active":
        return False
    return table.before == 0 if table.lines else table.store is None


def concerns(table: Table) -> bool:
    """Who plays alone or against a bot needs no letters; otherwise somebody else has to be asked than before, or
    something said that is no answer."""
    row = table.row
    changed = row.waiting_for != table.asked_before or table.card_changed or table.notified or _begins(table)
    return bool(changed) and len(_persons(row)) > 1


@follows(Turn.NOTICES, concerns)
async def follow(table: Table) -> None:
    row, persons = table.row, _persons(table.row)
    actor = table.lines[0].seat if table.lines else None
    acting = row.seats[actor]["user"] if actor in row.seats else None

    def of(user: int, kind: str, seat: str, by: int | None = acting, **args: Any) -> dict[str, Any]:
        return {"user_id": user, "kind": kind, "game_id": row.id, "seat": seat, "by_user": by, "args": args}

    wanted = []
    for user, seats in persons.items():
        others = next((other for other in persons if other != user), None)
        if row.status == "active":
            wanted += [of(user, "turn", seat, others) for seat in seats if seat in row.waiting_for]
            if row.undo_request and row.undo_request["seat"] not in seats:
                wanted.append(of(user, "take_back", seats[0], others))
            if row.draw_offer and row.draw_offer not in seats:
                wanted.append(of(user, "draw", seats[0], others))
            if _begins(table):
                wanted.append(of(user, "begun", seats[0], others))
        if row.status == "finished" and table.lines and user != acting:
            wanted.append(of(user, "over", seats[0]))
    for kind, number in table.notified:
        if kind == "m":
            wanted += await _chat(table, number, persons)
    await repository.follow(table.conn, row.id, wanted, notice_settings().delay)


async def _chat(table: Table, number: int, persons: dict[int, list[str]]) -> list[dict[str, Any]]:
    author = await repository.author(table.conn, number)
    silent = {author} | await messages.deaf(table.conn, table.row.id)
    return [{"user_id": user, "kind": "chat", "game_id": table.row.id, "seat": seats[0], "by_user": author,
             "args": {"line": number}} for user, seats in persons.items() if user not in silent]  # fmt: skip
