"""People over HTTP: friends, blocks, invitations, messages, reports, as the pages have them."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.community import invitations, limits, reports, repository, service, talk
from app.community.limits import Asking, ThrottleDep
from app.community.schemas import (
    About,
    ChatPage,
    Friends,
    Handled,
    InvitationCard,
    Invite,
    Invited,
    Mute,
    NewMessage,
    NewReport,
    ProfileWishes,
    ReportCard,
    Talk,
    Thread,
)
from app.community.service import Tie
from app.deps import ForReaders, InPerson, Moderator, SessionDep, SignedIn

router = APIRouter(prefix="/api", tags=["people"], dependencies=[ForReaders])

Act = Literal["befriend", "part", "block", "unblock"]


# -- profiles, friends, blocks -----------------------------------------------------------------------


@router.get("/account/profile")
async def wishes(user: SignedIn, session: SessionDep) -> ProfileWishes:
    """What one tells of oneself, and who may do what."""
    return await service.wishes(session, user.id)


@router.put("/account/profile", status_code=204)
async def set_wishes(new: ProfileWishes, user: SignedIn, session: SessionDep) -> None:
    await service.set_wishes(session, user.id, new)


@router.get("/friends")
async def friends(user: SignedIn, session: SessionDep) -> Friends:
    """Friends, and wishes that wait for either side."""
    return await service.friends(session, user.id)


@router.get("/blocks")
async def blocks(user: SignedIn, session: SessionDep) -> list[str]:
    """The names of those one has blocked."""
    return list(await repository.blocked_by(session, user.id))


@router.get("/players/{name}/tie")
async def tie(name: str, user: SignedIn, session: SessionDep) -> Tie:
    """How one stands to a player."""
    return await service.tie(session, user, name)


@router.post("/players/{name}/{act}", status_code=204, dependencies=[Asking])
async def act(name: str, act: Act, user: SignedIn, session: SessionDep) -> None:
    """Asks for friendship or accepts it; ends it, declines or withdraws the wish; blocks; lifts the block."""
    await service.ACTS[act](session, user, name)


# -- invitations -------------------------------------------------------------------------------------


@router.get("/invitations", dependencies=[InPerson])
async def waiting(user: SignedIn, session: SessionDep) -> list[InvitationCard]:
    """What one is invited to and has not answered; to accept is to join with its token."""
    return await invitations.waiting(session, user.id)


@router.post("/games/{game_id}/invitations", status_code=204, dependencies=[Asking])
async def invite(game_id: str, new: Invite, user: SignedIn, session: SessionDep) -> None:
    await invitations.invite(session, user, game_id, new.player.strip())


@router.get("/games/{game_id}/invitations")
async def sent(game_id: str, user: SignedIn, session: SessionDep) -> list[Invited]:
    """Who was invited to a game one sits at."""
    await talk.check_plays(session, user.id, game_id)
    return await invitations.sent(session, game_id)


@router.post("/invitations/{invitation_id}/decline", status_code=204)
async def decline(invitation_id: int, user: SignedIn, session: SessionDep) -> None:
    await invitations.decline(session, user, invitation_id)


@router.post("/invitations/{invitation_id}/agree", status_code=204)
async def agree(invitation_id: int, user: SignedIn, session: SessionDep) -> None:
    """That it was oneself who played the seat of a game that was taken in from a file."""
    await invitations.agree(session, user, invitation_id)


# -- messages ----------------------------------------------------------------------------------------


@router.get("/messages", dependencies=[InPerson])
async def talks(user: SignedIn, session: SessionDep) -> list[Talk]:
    """Conversations, the latest first."""
    return await talk.talks(session, user.id)


@router.get("/messages/{name}", dependencies=[InPerson])
async def thread(name: str, user: SignedIn, session: SessionDep,
                 before: Annotated[int | None, Query(ge=1, le=2**62)] = None) -> Thread:  # fmt: skip
    """A page of a conversation; what it shows is read from then on."""
    return await talk.thread(session, user, name, before)


@router.post("/messages/{name}", status_code=204, dependencies=[InPerson])
async def write(name: str, new: NewMessage, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> None:
    await throttle.count(limits.MESSAGES)
    await talk.write(session, user, name, new.text)


@router.get("/games/{game_id}/talk", dependencies=[InPerson])
async def chat(game_id: str, user: SignedIn, session: SessionDep) -> ChatPage:
    """A game's chat with what is new in it; read from then on, unless it is muted."""
    return await talk.chat(session, user.id, game_id)


@router.put("/games/{game_id}/talk/mute", status_code=204)
async def mute(game_id: str, new: Mute, user: SignedIn, session: SessionDep) -> None:
    await talk.mute(session, user.id, game_id, new.muted)


# -- reports -----------------------------------------------------------------------------------------


@router.post("/reports", status_code=204, dependencies=[InPerson])
async def report(about: Annotated[About, Query()], new: NewReport, user: SignedIn, session: SessionDep,
                 throttle: ThrottleDep) -> None:  # fmt: skip
    """Reports a player, a message one got, or a line of a chat one takes part in."""
    cause = await reports.cause(session, user, about)
    await throttle.count(limits.REPORTS)
    await reports.report(session, user, cause, new.reason)


@router.get("/reports")
async def all_reports(by: Moderator, session: SessionDep) -> list[ReportCard]:
    """For moderators: open ones first."""
    return await reports.cards(session, by)


@router.post("/reports/{report_id}", status_code=204)
async def handle(report_id: int, new: Handled, moderator: Moderator, session: SessionDep) -> None:
    await reports.handle(session, moderator, report_id, new.note)
