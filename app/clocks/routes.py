"""Clocks and calendars over HTTP (docs/protocol.md section 10)."""

from datetime import timedelta

from fastapi import APIRouter, Depends

from app.accounts import limits
from app.clocks import acts, calendars
from app.clocks.calendar import Hours as Week
from app.clocks.schemas import Answering, Away, Calendar, Coming, Granting, Holding, Hours, Leaving, Wishing
from app.db import driver
from app.deps import DatabaseDep, ForReaders, SessionDep, SettingsDep, SignedIn
from app.games.deps import LiveDep, PlayerDep

ACTS = limits.Limit("clocks", 60, timedelta(hours=1))


async def count(user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
    """Raises TooMany for one who does nothing else."""
    await limits.count(db, settings.secret(), ACTS, str(user.id))


router = APIRouter(prefix="/api", tags=["clocks"], dependencies=[ForReaders])
AT = "/games/{game_id}/clock"
Counted = Depends(count)


@router.post(AT + "/claim", status_code=204, dependencies=[Counted])
async def claim(live: LiveDep, player: PlayerDep) -> None:
    """Ends the game: the other side's time is up."""
    await acts.claim(live, player)


@router.post(AT + "/grant", status_code=204, dependencies=[Counted])
async def grant(live: LiveDep, player: PlayerDep, new: Granting) -> None:
    """Gives the other side time."""
    await acts.grant(live, player, new.hours)


@router.post(AT + "/substitute", status_code=204, dependencies=[Counted])
async def ask_substitute(live: LiveDep, player: PlayerDep) -> None:
    """Looks for another player in the place of one whose time is up."""
    await acts.ask_substitute(live, player)


@router.post(AT + "/propose", dependencies=[Counted])
async def propose(live: LiveDep, player: PlayerDep, new: Wishing) -> dict[str, bool]:
    """Proposes a pause or another pace: `done` at once where there is nobody to ask."""
    return {"done": await acts.propose(live, player, new.what, new.pace)}


@router.post(AT + "/reply", status_code=204, dependencies=[Counted])
async def reply(live: LiveDep, player: PlayerDep, new: Answering) -> None:
    """Agrees to a proposal or declines it; a no to one's own takes it back."""
    await acts.reply(live, player, new.yes)


@router.post(AT + "/resume", status_code=204, dependencies=[Counted])
async def resume(live: LiveDep, player: PlayerDep) -> None:
    """Ends a pause."""
    await acts.resume(live, player)


# -- calendars ---------------------------------------------------------------------------------------


def _said(week: Week) -> Hours:
    begin, end = week.quiet or (None, None)
    return Hours(zone=week.zone, quiet_from=begin, quiet_to=end, rest=sorted(week.rest))


@router.get("/account/calendar")
async def calendar(user: SignedIn, session: SessionDep) -> Calendar:
    """One's own calendar."""
    mine = await calendars.mine(await driver(session), user.id)
    coming = Coming(holds_from=mine.coming[0], hours=_said(mine.coming[1])) if mine.coming else None
    away = [Away.model_validate(one, from_attributes=True) for one in mine.away]
    return Calendar(
        hours=_said(mine.hours), coming=coming, away=away, spent=mine.spent, budget=calendars.VACATION_DAYS
    )


@router.put("/account/calendar", dependencies=[Counted])
async def set_hours(user: SignedIn, session: SessionDep, new: Hours) -> Holding:
    """Changes the week."""
    hours = calendars.hours_of(new.zone, new.quiet_from, new.quiet_to, new.rest)
    return Holding(holds_from=await calendars.set_hours(await driver(session), user.id, hours))


@router.post("/account/vacations", status_code=201, dependencies=[Counted])
async def go_away(user: SignedIn, session: SessionDep, new: Leaving) -> None:
    """A vacation: no clock of one's games runs by days meanwhile."""
    await calendars.go_away(await driver(session), user.id, new.first_day, new.last_day)


@router.delete("/account/vacations/{vacation}", status_code=204, dependencies=[Counted])
async def come_back(vacation: int, user: SignedIn, session: SessionDep) -> None:
    """Ends a vacation, or gives up one that has not begun."""
    await calendars.come_back(await driver(session), user.id, vacation)
