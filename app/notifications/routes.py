"""Notices over HTTP: what waits, news, wishes, ways to a person."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from app.accounts import limits as counting
from app.deps import DatabaseDep, ForReaders, ReaderDep, SessionDep, SettingsDep, SignedIn, Viewer, address
from app.notifications import limits, service
from app.notifications.repository import Channel
from app.notifications.schemas import (
    Badge,
    ChannelCard,
    ChannelRole,
    Delivery,
    Notices,
    Service,
    Subscription,
    Visit,
    Wishes,
)

router = APIRouter(prefix="/api", tags=["notices"], dependencies=[ForReaders])


class Throttle:
    """Counts attempts for the rate limits."""

    def __init__(self, db: DatabaseDep, settings: SettingsDep, request: Request) -> None:
        self._db, self._secret, self._address = db, settings.secret(), address(request)

    async def test(self, user_id: int) -> None:
        await counting.count(self._db, self._secret, limits.TESTS, str(user_id))

    async def channel(self, user_id: int) -> None:
        await counting.count(self._db, self._secret, limits.CHANNELS, str(user_id))

    async def forgot(self, login: str) -> None:
        await counting.count(self._db, self._secret, limits.FORGOT_ADDRESS, self._address)
        await counting.count(self._db, self._secret, limits.FORGOT, login.strip().casefold())


ThrottleDep = Annotated[Throttle, Depends()]


def card(channel: Channel) -> ChannelCard:
    return ChannelCard.model_validate(channel, from_attributes=True)


@router.get("/notices")
async def notices(user: SignedIn, session: SessionDep, reader: ReaderDep) -> Notices:
    """What waits for one, and the news."""
    return await service.notices(session, user.id, reader.lang, reader.zone, not reader.support)


@router.post("/notices/seen", status_code=204)
async def see_all(user: SignedIn, session: SessionDep) -> None:
    """One has seen all news."""
    await service.see_all(session, user.id)


@router.get("/notices/badge")
async def badge(user: SignedIn, session: SessionDep) -> Badge:
    """How much there is."""
    return await service.badge(session, user.id)


@router.post("/notices/visit")
async def visit(new: Visit, viewer: Viewer, session: SessionDep, response: Response) -> Badge:
    """Every page says that its reader is there; without an account there is nothing to count."""
    response.headers["Cache-Control"] = "no-store"
    return await service.visit(session, viewer.id, new.game) if viewer else Badge(waiting=0, news=0)


@router.get("/account/notifications")
async def wishes(user: SignedIn, session: SessionDep) -> Wishes:
    """How one wants to be told."""
    return service.shown(await service.wishes(session, user.id))


@router.put("/account/notifications")
async def set_wishes(new: Wishes, user: SignedIn, session: SessionDep) -> Wishes:
    await service.set_wishes(session, user.id, new)
    return service.shown(await service.wishes(session, user.id))


@router.get("/account/channels")
async def channels(user: SignedIn, session: SessionDep) -> list[ChannelCard]:
    """The ways to one, in the order they are tried."""
    return [card(one) for one in await service.channels(session, user.id)]


@router.post("/account/channels", status_code=201)
async def add_service(new: Service, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> ChannelCard:
    """Adds a service by its Apprise address."""
    await throttle.channel(user.id)
    return card(await service.add_service(session, user.id, new.address))


@router.post("/account/push", status_code=201)
async def add_push(new: Subscription, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> ChannelCard:
    """Adds a browser."""
    await throttle.channel(user.id)
    return card(await service.add_push(session, user.id, new))


@router.put("/account/channels/{channel_id}", status_code=204)
async def set_role(channel_id: int, new: ChannelRole, user: SignedIn, session: SessionDep) -> None:
    await service.set_role(session, user.id, channel_id, new.role)


@router.delete("/account/channels/{channel_id}", status_code=204)
async def drop_channel(channel_id: int, user: SignedIn, session: SessionDep) -> None:
    """The mail channel stays; it can be switched off."""
    await service.drop_channel(session, user.id, channel_id)


@router.post("/account/channels/{channel_id}/test", status_code=202)
async def try_channel(channel_id: int, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> None:
    """Queues a test message; `deliveries` tells what became of it."""
    await throttle.test(user.id)
    await service.try_channel(session, user.id, channel_id)


@router.get("/account/deliveries")
async def deliveries(user: SignedIn, session: SessionDep) -> list[Delivery]:
    """The newest attempts to reach one."""
    return [Delivery(**one) for one in await service.deliveries(session, user.id)]
