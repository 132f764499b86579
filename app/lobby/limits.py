"""How many games one person may make."""

from datetime import timedelta

from fastapi import Depends

from app.accounts import limits
from app.accounts.limits import Limit
from app.deps import DatabaseDep, SettingsDep, SignedIn

GAMES = Limit("games", 100, timedelta(hours=1))


async def _count(user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
    """Raises TooMany."""
    await limits.count(db, settings.secret(), GAMES, str(user.id))


Making = Depends(_count)
