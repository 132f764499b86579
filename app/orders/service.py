"""Standing orders: left, cancelled, and followed in the transaction of the answer that asked."""

from typing import Any

from app.errors import NotFound, Refused, TooMany
from app.games import play
from app.games.change import Table
from app.games.following import Turn, follows
from app.games.told import Held, to_all
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


async def listed(table: Table, seat: str) -> Orders:
    held = await table.held()
    return Orders(seat=seat, orders=await repository.of_seat(table.conn, table.row.id, seat),
                  kinds=kinds(held.referee.title))  # fmt: skip


async def leave(table: Table, seat: str, new: NewOrder) -> None:
    """Leaves an order; it answers from the next question on. Raises Refused."""
    play.going_on(table.row)
    title = (await table.held()).referee.title
    settings = _settings(title, new)
    if len(await repository.of_seat(table.conn, table.row.id, seat)) >= MOST:
        raise TooMany(0)
    await repository.add(table.conn, table.row.id, seat, new, settings)
    if not table.row.orders:
        await table.update(orders=True)


def _settings(title: Title, new: NewOrder) -> dict[str, Any]:
    """All settings of the kind, the suggested ones where none is given. Raises Refused."""
    order = next((o for o in title.orders if o.name == new.name), None)
    if order is None:
        raise Refused("orders.no_kind", name=new.name)
    for name, value in new.settings.items():
        if value not in order.settings.get(name, ()):
            raise Refused("orders.no_setting", name=name)
    return {name: new.settings.get(name, values[0]) for name, values in order.settings.items()}


async def cancel(table: Table, seat: str, number: int) -> None:
    """Raises NotFound."""
    if not await repository.drop(table.conn, table.row.id, seat, number):
        raise NotFound("orders.none")


def _somebody_answered(table: Table) -> bool:
    """Orders wait while nobody answers anything, so a decision that was taken back is the player's own."""
    row = table.row
    return row.orders and row.status == "active" and bool(table.lines) and table.lines[-1].kind in PLAYED


@follows(Turn.ORDERS, when=_somebody_answered)
async def follow(table: Table) -> None:
    """Answers for players who left orders, as long as the game asks for what they named."""
    for _ in range(LONGEST):
        if table.row.status != "active" or not await _answer_once(table):
            return


async def _answer_once(table: Table) -> bool:
    row, held = table.row, await table.held()
    for seat in row.waiting_for:
        if row.seats[seat]["user"] is None:
            continue
        for order in await repository.of_seat(table.conn, row.id, seat):
            said = _answer(held, seat, order)
            if said is None:
                continue
            try:
                await play.answer(table, seat, row.seq, None, said, None, preface=_named(held, seat, order))
            except Refused:  # dice that nobody has sealed yet: the player is asked
                return False
            await repository.mark_used(table.conn, order.id)
            return True
    return False


def _answer(held: Held, seat: str, left: OrderCard) -> Answer | None:
    """What an order says to what its seat is asked, by what its seat sees."""
    referee = held.referee
    order = next((o for o in referee.title.orders if o.name == left.name), None)
    view, request = referee.views.contents[seat], referee.pending[seat]
    if order is None or (left.places and place(view, request) not in left.places):
        return None
    return order.answer(referee.data, view, request, left.settings)


def _named(held: Held, seat: str, order: OrderCard) -> Told:
    """The line of the log that says so."""
    return to_all(held.referee.title.seats, "order_followed", seat,
                  {"seat": seat, "order": {"key": f"order.{order.name}", "args": {}}})  # fmt: skip
