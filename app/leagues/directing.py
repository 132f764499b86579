"""What players and directors send from an event's pages: each a form, then back to the page."""

from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.deps import ForReaders, SessionDep, SignedIn
from app.errors import Refused
from app.leagues import rulings, service
from app.leagues.forms import OptionalNumber, without_nul
from app.leagues.limits import Acting
from app.pages import redirect
from app.walltime import WallTime, Zoned

router = APIRouter(include_in_schema=False, dependencies=[ForReaders, Acting])

Reason = Annotated[str, Field(default="", max_length=2000)]


class _Form(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    _plain = model_validator(mode="before")(without_nul)


class ReasonForm(_Form):
    reason: Reason


class LeaveForm(_Form):
    gives_notes: bool = False


class NameForm(_Form):
    name: str = Field(min_length=1, max_length=80)


class EntrantForm(_Form):
    entrant: int


class RemoveForm(ReasonForm):
    entrant: int


class SubstituteForm(RemoveForm):
    name: str = Field(min_length=1, max_length=80)


class PairForm(ReasonForm):
    first: int
    second: int


class RuleForm(ReasonForm):
    ruling: rulings.Ruling


class PostponeForm(ReasonForm, Zoned):
    to: WallTime


class BidForm(_Form):
    seat: str
    points: int = Field(ge=0, le=service.HIGHEST_BID)


class ClaimForm(_Form):
    wish: rulings.Wish
    points: OptionalNumber = Field(default=None, ge=-1000, le=1000)
    seq: OptionalNumber = Field(default=None, ge=1, le=1_000_000)
    text: str = Field(min_length=3, max_length=2000)


class ReadyForm(_Form):
    ready: bool


class BotForm(_Form):
    bot: str


class EntryForm(_Form):
    as_: Literal["player", "reserve"] = Field(default="player", alias="as")


AT = "/events/{event_id}"
BOARD = AT + "/pairings/{pairing_id}"
Model = TypeVar("Model", bound=BaseModel)


async def _read(request: Request, model: type[Model]) -> Model:
    """A form whose refusal is a page of its own, which sends back. Raises Refused."""
    try:
        return model.model_validate(dict(await request.form()))
    except ValidationError as error:
        fields = ", ".join(str(part["loc"][0]) for part in error.errors() if part["loc"])
        raise Refused("error.invalid_fields", status=422, fields=fields) from error


def _back(event_id: str, tab: str = "") -> Response:
    return redirect(f"/events/{event_id}/{tab}".rstrip("/"))


# -- players -----------------------------------------------------------------------------------------------


@router.post(AT + "/enter")
async def enter(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, EntryForm)
    await service.enter(session, user, event_id, form.as_ == "reserve")
    return _back(event_id)


@router.post(AT + "/leave")
async def leave(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, LeaveForm)
    await service.leave(session, user, event_id, form.gives_notes)
    return _back(event_id)


@router.post(AT + "/ready")
async def ready(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, ReadyForm)
    await service.be_ready(session, user, event_id, form.ready)
    return _back(event_id)


@router.post(AT + "/challenge")
async def challenge(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, EntrantForm)
    await service.challenge(session, user, event_id, form.entrant)
    return _back(event_id)


@router.post(BOARD + "/bid")
async def bid(event_id: str, pairing_id: int, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, BidForm)
    await service.bid(session, user, event_id, pairing_id, form.seat, form.points)
    return _back(event_id, f"pairings/{pairing_id}")


@router.post(BOARD + "/claim")
async def claim(event_id: str, pairing_id: int, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, ClaimForm)
    await rulings.claim(session, user, event_id, pairing_id, form.wish, form.points, form.seq, form.text)
    return _back(event_id, f"pairings/{pairing_id}")


# -- directors -----------------------------------------------------------------------------------------------


@router.post(AT + "/start")
async def start(event_id: str, user: SignedIn, session: SessionDep) -> Response:
    await service.start(session, user, event_id)
    return _back(event_id, "schedule")


@router.post(AT + "/end")
async def end(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, ReasonForm)
    await service.end(session, user, event_id, form.reason)
    return _back(event_id)


@router.post(AT + "/bots")
async def bots(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, BotForm)
    await service.enter_bot(session, user, event_id, form.bot)
    return _back(event_id, "direct")


@router.post(AT + "/directors")
async def directors(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, NameForm)
    await service.add_director(session, user, event_id, form.name)
    return _back(event_id, "direct")


@router.post(AT + "/remove")
async def remove(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, RemoveForm)
    await service.remove(session, user, event_id, form.entrant, form.reason)
    return _back(event_id, "direct")


@router.post(AT + "/substitute")
async def substitute(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, SubstituteForm)
    await rulings.substitute(session, user, event_id, form.entrant, form.name, form.reason)
    return _back(event_id, "direct")


@router.post(AT + "/pair")
async def pair(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, PairForm)
    await rulings.pair_by_hand(session, user, event_id, form.first, form.second, form.reason)
    return _back(event_id, "schedule")


@router.post(BOARD + "/rule")
async def rule(event_id: str, pairing_id: int, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, RuleForm)
    await rulings.rule(session, user, event_id, pairing_id, form.ruling, form.reason)
    return _back(event_id, f"pairings/{pairing_id}")


@router.post(BOARD + "/postpone")
async def postpone(event_id: str, pairing_id: int, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, PostponeForm)
    await rulings.postpone(session, user, event_id, pairing_id, form.instant(form.to), form.reason)
    return _back(event_id, f"pairings/{pairing_id}")


@router.post(AT + "/claims/{claim_id}/dismiss")
async def dismiss(event_id: str, claim_id: int, request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await _read(request, ReasonForm)
    await rulings.dismiss(session, user, event_id, claim_id, form.reason)
    return _back(event_id, "direct")
