"""Web push: to browsers that asked for it, by the push service each of them names."""

import asyncio
import base64
import json
from typing import Any
from urllib.parse import urlsplit

import orjson

from app.config import Settings
from app.errors import Refused
from app.games.repository import Conn
from app.notifications import abroad, repository
from app.notifications.config import mail_settings, notice_settings
from app.notifications.sending import Message, NotSent

LIFE = 24 * 3600  # seconds that a push service keeps a message for a browser that is off
PATIENCE = 20.0
GONE = (404, 410)
LONGEST = 900  # characters of a message: push services take 4 kB, encrypted


async def subscription(endpoint: str, p256dh: str, auth: str) -> str:
    """A browser's subscription as it is kept. Raises Refused."""
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname, parts.port  # raises ValueError for a port that is none
        known = parts.scheme == "https" or (parts.scheme == "http" and notice_settings().private)
        odd = not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint or "@" in parts.netloc
        if not known or not host or odd or len(_bytes(auth)) != 16:
            raise Refused("notice.bad_push")
        _point(_bytes(p256dh))
    except ValueError:
        raise Refused("notice.bad_push") from None
    if await abroad.leads_inside(host):
        raise Refused("notice.private_service")
    return orjson.dumps({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}}).decode()


def _point(key: bytes) -> None:
    """Raises ValueError for what is no point of the curve: nothing could be encrypted for it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    if len(key) != 65:
        raise ValueError
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


async def keys(conn: Conn) -> tuple[str, str]:
    """Private and public key of this site, made at the first call and kept in the database."""
    found = await repository.push_keys(conn)
    if found is None:
        await repository.keep_push_keys(conn, *await asyncio.to_thread(_new_keys))
        found = await repository.push_keys(conn)
    assert found is not None, "just written"
    return found


def _new_keys() -> tuple[str, str]:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_numbers().private_value.to_bytes(32, "big")
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return tuple(base64.urlsafe_b64encode(one).rstrip(b"=").decode() for one in (private, public))  # type: ignore[return-value]


async def send(private: str, address: str, message: Message, settings: Settings) -> None:
    """`private`: the site's key. Raises NotSent."""
    lines = [line for item in message.items for line in (item.asked, *item.lines[-1:]) if line]
    shown = {"title": message.subject[:200], "body": "\n".join(lines)[:LONGEST], "path": message.path,
             "tag": message.path}  # fmt: skip
    if any(item.picture for item in message.items) and message.path.startswith("/games/"):
        shown["image"] = f"{message.path}/still.png"
    sender = mail_settings().sender
    claims = {"sub": settings.url if settings.url.startswith("https:") else f"mailto:{sender or 'admin@localhost'}"}
    to, body = json.loads(address), orjson.dumps(shown).decode()
    await abroad.call(lambda: _post(to, body, private, claims, message.id))


def _post(to: dict[str, Any], body: str, private: str, claims: dict[str, Any], id_: str) -> None:
    import requests
    from pywebpush import WebPushException, webpush  # type: ignore[import-untyped]

    try:
        with requests.Session() as session:
            session.max_redirects = 0
            webpush(to, body, vapid_private_key=private, vapid_claims=claims, ttl=LIFE, timeout=PATIENCE,
                    headers={"Topic": id_, "Urgency": "normal"}, requests_session=session)  # fmt: skip
    except WebPushException as failed:
        status = failed.response.status_code if failed.response is not None else 0
        raise NotSent(f"HTTP {status}", for_good=400 <= status < 500 and status != 429,
                      gone=status in GONE) from failed  # fmt: skip
    except requests.RequestException as fault:
        raise NotSent(type(fault).__name__) from fault
