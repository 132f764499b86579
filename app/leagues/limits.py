"""How often one person may act on leagues and events."""

from datetime import timedelta

from fastapi import Depends

from app.accounts import limits
from app.accounts.limits import Limit
from app.deps import DatabaseDep, SettingsDep, SignedIn

ACTS = Limit("leagues_act", 300, timedelta(hours=1))
MAKING = Limit("leagues_make", 30, timedelta(hours=1))


async def _act(user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
    await limits.count(db, settings.secret(), ACTS, str(user.id))


async def _make(user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
    await limits.count(db, settings.secret(), MAKING, str(user.id))


Acting = Depends(_act)
Making = Depends(_make)
