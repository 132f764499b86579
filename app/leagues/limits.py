"""How often one person may act on leagues and events."""

from datetime import timedelta

from fastapi import Depends

from app.accounts import limits
from app.accounts.limits import Limit
from app.deps import DatabaseDep, SettingsDep, SignedIn
from app.games.stills import Costly
from app.leagues.whole import Whole

ACTS = Limit("leagues_act", 300, timedelta(hours=1))
MAKING = Limit("leagues_make", 30, timedelta(hours=1))
READING = Limit("leagues_large", 120, timedelta(minutes=10))  # by address: all games of an event that has so many
LARGE = 500  # pairings


async def count_large(whole: Whole, costly: Costly) -> None:
    """Raises TooMany."""
    if len(whole.pairings) > LARGE:
        await costly.count(READING)


async def _act(user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
    await limits.count(db, settings.secret(), ACTS, str(user.id))


async def _make(user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
    await limits.count(db, settings.secret(), MAKING, str(user.id))


Acting = Depends(_act)
Making = Depends(_make)
