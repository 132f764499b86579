"""Rate limits in PostgreSQL: shared by all processes, and a restart forgets nothing."""

import hashlib
import hmac
import math
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, or_, select

from app.accounts.models import RateHit
from app.db import Database
from app.errors import TooMany


@dataclass(frozen=True)
class Limit:
    """At most `hits` within `window` for one bucket."""

    name: str
    hits: int
    window: timedelta


SIGN_UP = Limit("sign_up", 10, timedelta(hours=1))
GUEST = Limit("guest", 20, timedelta(hours=1))  # games without an account, by address
SIGN_IN = Limit("sign_in", 10, timedelta(minutes=15))
SIGN_IN_ADDRESS = Limit("sign_in_address", 60, timedelta(minutes=15))
SIGN_IN_NAME = Limit("sign_in_name", 30, timedelta(minutes=15))
PASSWORD = Limit("password", 10, timedelta(minutes=15))
PROVE = Limit("prove", 6, timedelta(hours=1))  # mails to prove an address, by account,
PROVE_MAIL = Limit("prove_mail", 3, timedelta(days=1))  # and by the address they go to
RESET = Limit("reset", 10, timedelta(hours=1))


async def count(db: Database, secret: bytes, limit: Limit, *who: str) -> None:
    """Notes an attempt, in its own transaction so that it counts even if the attempt fails.
    Raises TooMany, saying how many minutes to wait."""
    bucket = _bucket(secret, limit, who)
    async with db.begin() as session:
        await session.execute(select(func.pg_advisory_xact_lock(int.from_bytes(bucket[:8], signed=True))))
        since = func.now() - limit.window
        old = or_(RateHit.at < since, RateHit.at > func.now())  # what is to come was noted by a clock that went wrong
        await session.execute(delete(RateHit).where(RateHit.bucket == bucket, old))
        hits, left = (
            await session.execute(
                select(func.count(), func.extract("epoch", func.min(RateHit.at) - since)).where(
                    RateHit.bucket == bucket
                )
            )
        ).one()
        if hits < limit.hits:
            session.add(RateHit(bucket=bucket))
            return
    raise TooMany(max(1, math.ceil(left / 60)))


async def forgive(db: Database, secret: bytes, limit: Limit, *who: str) -> None:
    """Takes the last attempt back: it was the right person."""
    bucket = _bucket(secret, limit, who)
    async with db.begin() as session:
        newest = select(func.max(RateHit.id)).where(RateHit.bucket == bucket).scalar_subquery()
        await session.execute(delete(RateHit).where(RateHit.id == newest))


def _bucket(secret: bytes, limit: Limit, who: tuple[str, ...]) -> bytes:
    return hmac.digest(secret, "\0".join((limit.name, *who)).encode(), hashlib.sha256)
