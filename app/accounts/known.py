"""Browsers that somebody has signed in with before: for them guesses of strangers at the same name don't count, so that
nobody can lock the owner out of an account. A cookie says so, by a keyed hash for each account."""

import hashlib
import hmac
import secrets

MOST = 5  # accounts of one browser
BETWEEN = "~"


def stamped(secret: bytes, cookie: str, user_id: int) -> str:
    """The cookie of a browser that has signed in with this account too."""
    mark = secrets.token_urlsafe(9)
    others = [one for one in cookie.split(BETWEEN) if one and not _is(secret, one, user_id)]
    return BETWEEN.join([f"{mark}.{_seal(secret, mark, user_id)}", *others[: MOST - 1]])


def mark_of(secret: bytes, cookie: str, user_id: int) -> str | None:
    """What tells this browser from others that the account knows; None when it does not know it."""
    return next((one.partition(".")[0] for one in cookie.split(BETWEEN)[:MOST] if _is(secret, one, user_id)), None)


def _is(secret: bytes, one: str, user_id: int) -> bool:
    mark, _, seal = one.partition(".")
    return hmac.compare_digest(seal.encode(), _seal(secret, mark, user_id).encode())


def _seal(secret: bytes, mark: str, user_id: int) -> str:
    return hmac.new(secret, f"known\0{mark}\0{user_id}".encode(), hashlib.sha256).hexdigest()[:40]
