"""Standing orders: left, cancelled, and followed in the transaction of the answer that asked."""

from typing import Any

from app.errors import NotFound, Refused, TooMany
from app.games import play
from app.games.change import Change
from app.games.reactions import Reaction
from app.games.told import LoadedGame, to_all
from app.orders import repository
from app.orders.schemas import NewOrder, OrderCard, OrderKind, Orders
from rules.core.events import Told
from rules.core.forms import Answer
from rules.core.orders import place
from rules.core.record import PLAYED
from rules.core.title import Title

MOST = 40  # orders of one seat
LONGEST = 200  # answers that orders may give to one another before a person is asked


def kinds(title: Title) -> list[OrderKind]:
    return [OrderKind(name=order.name, clause=order.clause,
                      settings={name: list(values) for name, values in order.settings.items()})
            for order in title.orders]  # fmt: skip


async def listed(change: Change, seat: str) -> Orders:
    loaded = await change.loaded()
    return Orders(seat=seat, orders=await repository.of_seat(change.conn, change.row.id, seat),
                  kinds=kinds(loaded.referee.title))  # fmt: skip


async def leave(change: Change, seat: str, new: NewOrder) -> None:
    """Leaves an order; it answers from the next question on. Raises Refused."""
    play.going_on(change.row)
    title = (await change.loaded()).referee.title
    settings = _settings(title, new)
    if len(await repository.of_seat(change.conn, change.row.id, seat)) >= MOST:
        raise TooMany(0)
    await repository.add(change.conn, change.row.id, seat, new, settings)
    if not change.row.orders:
        change.row.orders, change.row.version = True, None  # quietly: that there are orders is for nobody else to know
        await repository.mark(change.conn, change.row.id)


def _settings(title: Title, new: NewOrder) -> dict[str, Any]:
    """All settings of the kind, the suggested ones where none is given. Raises Refused."""
    order = next((o for o in title.orders if o.name == new.name), None)
    if order is None:
        raise Refused("orders.no_kind", name=new.name)
    for name, value in new.settings.items():
        if value not in order.settings.get(name, ()):
            raise Refused("orders.no_setting", name=name)
    return {name: new.settings.get(name, values[0]) for name, values in order.settings.items()}


async def cancel(change: Change, seat: str, number: int) -> None:
    """Raises NotFound."""
    if not await repository.drop(change.conn, change.row.id, seat, number):
        raise NotFound("orders.none")


class FollowOrders(Reaction):
    """Answers for players who left orders, as long as the game asks for what they named."""

    name, moves = "orders", True

    def concerns(self, change: Change) -> bool:
        """Orders wait while nobody answers anything, so a decision that was taken back is the player's own."""
        row = change.row
        return row.orders and row.status == "active" and bool(change.entries) and change.entries[-1].kind in PLAYED

    async def react(self, change: Change) -> None:
        for _ in range(LONGEST):
            if change.row.status != "active" or not await _answer_once(change):
                return


async def _answer_once(change: Change) -> bool:
    row, loaded = change.row, await change.loaded()
    for seat in row.waiting_for:
        if row.seats[seat]["user"] is None:
            continue
        for order in await repository.of_seat(change.conn, row.id, seat):
            said = _answer(loaded, seat, order)
            if said is None:
                continue
            try:
                await play.answer(change, seat, row.seq, None, said, None, preface=_named(loaded, seat, order))
            except Refused:  # dice that nobody has sealed yet: the player is asked
                return False
            await repository.mark_used(change.conn, order.id)
            return True
    return False


def _answer(loaded: LoadedGame, seat: str, left: OrderCard) -> Answer | None:
    """What an order says to what its seat is asked, by what its seat sees."""
    referee = loaded.referee
    order = next((o for o in referee.title.orders if o.name == left.name), None)
    view = referee.views.contents[referee.seating.side(seat)]
    request = referee.pending[seat]
    if order is None or (left.places and place(view, request) not in left.places):
        return None
    return order.answer(referee.game, view, request, left.settings)


def _named(loaded: LoadedGame, seat: str, order: OrderCard) -> Told:
    """The line of the log that says so."""
    return to_all(loaded.referee.seating, "order_followed", seat,
                  {"seat": seat, "order": {"key": f"order.{order.name}", "args": {}}})  # fmt: skip
