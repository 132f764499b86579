"""How often one person may turn to others."""

from datetime import timedelta
from typing import Annotated

from fastapi import Depends

from app.accounts import limits
from app.accounts.limits import Limit
from app.deps import DatabaseDep, SettingsDep, SignedIn

MESSAGES = Limit("direct_message", 30, timedelta(minutes=10))
ASKING = Limit("community_ask", 30, timedelta(hours=1))  # friends, invitations
REPORTS = Limit("report", 20, timedelta(hours=1))
EXPORTS = Limit("account_export", 5, timedelta(hours=1))


class Throttle:
    """Counts attempts of whoever is signed in."""

    def __init__(self, user: SignedIn, db: DatabaseDep, settings: SettingsDep) -> None:
        self._user, self._db, self._secret = user.id, db, settings.secret()

    async def count(self, limit: Limit) -> None:
        """Raises TooMany."""
        await limits.count(self._db, self._secret, limit, str(self._user))


ThrottleDep = Annotated[Throttle, Depends()]


async def _ask(throttle: ThrottleDep) -> None:
    await throttle.count(ASKING)


Asking = Depends(_ask)
