"""The page on which a player leaves standing orders."""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BeforeValidator, ConfigDict, Field

from app.deps import ForReaders, ReaderDep
from app.errors import as_sent
from app.games.change import Change
from app.games.deps import LiveDep, PlayerDep
from app.orders import service
from app.orders.schemas import NewOrder
from app.pages import read_form, redirect, render
from app.walltime import OptionalWallTime, Zoned

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

TEMPLATE = "orders/orders.html"


def _blank(value: Any) -> Any:
    return None if value == "" else value


def _names(value: Any) -> Any:
    """Spaces as they are typed: with commas between."""
    return [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else value


class OrderForm(Zoned):
    """One kind's form: its settings by position in their lists, as `setting.NAME`."""

    model_config = ConfigDict(extra="allow")

    name: str
    places: Annotated[list[Annotated[str, Field(max_length=60)]], BeforeValidator(_names)] = Field(
        default_factory=list, max_length=40
    )
    until: OptionalWallTime = None
    uses: Annotated[Annotated[int, Field(ge=1, le=999)] | None, BeforeValidator(_blank)] = None

    def order(self, choices: dict[str, list[str | int]]) -> NewOrder:
        """Raises KeyError, ValueError, IndexError for what no form of ours sends."""
        given = self.model_extra or {}
        settings = {name: values[int(given[f"setting.{name}"])] for name, values in choices.items()}
        until = self.until and self.instant(self.until)
        return NewOrder(name=self.name, settings=settings, places=self.places, until=until, uses=self.uses)


async def _shown(change: Change, seat: str) -> dict[str, Any]:
    row = change.row
    return {"game": row.id, "title_id": row.title, "seat": seat, "both": len(set(_people(change))) == 1,
            "seats": list(row.seats), "going_on": row.status == "active",
            "orders": await service.listed(change, seat)}  # fmt: skip


def _people(change: Change) -> list[int | None]:
    return [who["user"] for who in change.row.seats.values()]


@router.get("/games/{game_id}/orders")
async def orders(request: Request, live: LiveDep, player: PlayerDep, reader: ReaderDep) -> Response:
    async with live.store.locked(player.game_id) as change:
        shown = await _shown(change, player.plays(change.row))
    return render(request, reader, TEMPLATE, **shown)


@router.post("/games/{game_id}/orders")
async def leave(request: Request, live: LiveDep, player: PlayerDep) -> Response:
    async with live.store.locked(player.game_id) as change:
        seat = player.plays(change.row)
        shown = await _shown(change, seat)
        form = await read_form(request, OrderForm, TEMPLATE, **shown)
        choices = {kind.name: kind.settings for kind in shown["orders"].kinds}
        with as_sent():
            order = form.order(choices.get(form.name, {}))
        await service.leave(change, seat, order)
    return redirect(f"/games/{player.game_id}/orders?seat={seat}")


@router.post("/games/{game_id}/orders/{number}/cancel")
async def cancel(live: LiveDep, player: PlayerDep, number: int) -> Response:
    async with live.store.locked(player.game_id) as change:
        seat = player.plays(change.row)
        await service.cancel(change, seat, number)
    return redirect(f"/games/{player.game_id}/orders?seat={seat}")
