"""What a change of a game tells people: queued in its transaction, by one statement, and only when it matters."""

from collections.abc import Collection, Sequence
from typing import Any

from app.games import messages
from app.games.change import Change
from app.games.reactions import Reaction
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


def _begins(change: Change) -> bool:
    """A game begins with its first entry, or when a joining player makes it full."""
    if change.row.status != "active":
        return False
    return change.before == 0 if change.entries else change.store is None


class QueueNotices(Reaction):
    """Letters to the people at a game."""

    name, moves, statement = "notices", False, repository.FOLLOW_ALL

    def concerns(self, change: Change) -> bool:
        """Who plays alone or against a bot needs no letters; otherwise somebody else has to be asked than before, or
        something said that is no answer."""
        row = change.row
        changed = row.waiting_for != change.asked_before or change.card_changed or change.notified or _begins(change)
        return bool(changed) and len(_persons(row)) > 1

    def beside(self, change: Change) -> dict[str, Any] | None:
        if change.notified:
            return None
        wanted = _wanted(change, _persons(change.row))
        return {"game": change.row.id, "wanted": wanted, "delay": notice_settings().delay}

    async def react(self, change: Change) -> None:
        wanted = _wanted(change, _persons(change.row))
        for kind, number in change.notified:
            if kind == "m":
                wanted += await _chat(change, number, _persons(change.row))
        await repository.follow(change.conn, change.row.id, wanted, notice_settings().delay)


def _wanted(change: Change, persons: dict[int, list[str]]) -> list[dict[str, Any]]:
    """The letters that the state of the game asks for."""
    row = change.row
    actor = change.entries[0].seat if change.entries else None
    acting = row.seats[actor]["user"] if actor in row.seats else None

    def of(user: int, kind: str, seat: str, by: int | None = acting, **args: Any) -> dict[str, Any]:
        return {"user_id": user, "kind": kind, "game_id": row.id, "seat": seat, "by_user": by, "args": args}

    wanted: list[dict[str, Any]] = []
    for user, seats in persons.items():
        others = next((other for other in persons if other != user), None)
        if row.status == "active":
            wanted += [of(user, "turn", seat, others) for seat in seats if seat in row.waiting_for]
            if row.undo_request and (asked := _among(seats, row.undo_request["asks"])):
                wanted.append(of(user, "take_back", asked, row.seats[row.undo_request["seat"]]["user"]))
            if row.draw_offer and (asked := _among(seats, row.draw_asks)):
                wanted.append(of(user, "draw", asked, row.seats[row.draw_offer]["user"]))
            if _begins(change):
                wanted.append(of(user, "begun", seats[0], others))
        if row.status == "finished" and change.entries and user != acting:
            wanted.append(of(user, "over", seats[0]))
    return wanted


def _among(seats: Collection[str], asked: Sequence[str]) -> str | None:
    """The first of a person's seats that is asked."""
    return next((seat for seat in asked if seat in seats), None)


async def _chat(change: Change, number: int, persons: dict[int, list[str]]) -> list[dict[str, Any]]:
    author = await repository.author(change.conn, number)
    silent = {author} | await messages.deaf(change.conn, change.row.id)
    said = await messages.message(change.conn, number)
    if said and said["side"] is not None:
        silent |= {user for user, seats in persons.items()
                   if all(change.row.seats[seat]["side"] != said["side"] for seat in seats)}  # fmt: skip
    return [{"user_id": user, "kind": "chat", "game_id": change.row.id, "seat": seats[0], "by_user": author,
             "args": {"line": number}} for user, seats in persons.items() if user not in silent]  # fmt: skip
