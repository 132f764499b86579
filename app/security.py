"""What every request passes: its origin, its size, and the headers of every answer."""

import asyncio
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.texts import LANGUAGES, Texts, negotiate

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
LARGEST_BODY = 1_000_000  # bytes
BODY_WITHIN = 60.0  # seconds

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
INLINE_HANDLERS = ("applyColumnVisibility()", "window.location = this.value")  # of the admin library's pages
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def same_origin(headers: Headers) -> bool:
    """Whether a browser sent this from one of our own pages. Browsers always say where a request comes
    from; what says nothing is no browser, and carries no cookie against its owner's will."""
    origin = headers.get("origin")
    if site := headers.get("sec-fetch-site"):
        return site in {"same-origin", "none"}
    return origin is None or urlsplit(origin).netloc == headers.get("host")


class SameOrigin:
    """Refuses unsafe requests and websockets that another site's page started."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unsafe = scope["type"] == "websocket" or (scope["type"] == "http" and scope["method"] not in SAFE_METHODS)
        if not unsafe or same_origin(Headers(scope=scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, 403, "error.cross_site")(scope, receive, send)


class NoNul:
    """Refuses addresses with a NUL, which PostgreSQL's texts can't hold."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"} or not ("\0" in scope["path"] or b"%00" in scope["query_string"]):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, 400, "error.not_found")(scope, receive, send)


class SmallBody:
    """Refuses bodies over `LARGEST_BODY`, announced or not, and waits no longer than `BODY_WITHIN` for one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            await refusal(scope, 413, "error.too_large")(scope, receive, send)
            return
        taken, whole, until = 0, False, asyncio.get_running_loop().time() + BODY_WITHIN
        late = False

        async def measured() -> Message:
            nonlocal taken, whole, late
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                late = True
                return {"type": "http.disconnect"}
            taken += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            return message if taken <= LARGEST_BODY else {"type": "http.disconnect"}

        async def answer(message: Message) -> None:
            if late and message["type"] == "http.response.start":  # the rest is not waited for
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        await self.app(scope, measured, answer)


class Heads:
    """Answers HEAD as GET is answered, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def bare(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, bare)


class SecurityHeaders:
    """Adds `HEADERS` to every answer, and HSTS where it came over https."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _headers(scope):
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)


def _headers(scope: Scope) -> Iterable[tuple[str, str]]:
    yield from HEADERS.items()
    if scope.get("scheme") == "https":
        yield "Strict-Transport-Security", "max-age=31536000"


def tables_policy(nonce: str) -> str:
    """The policy of the admin library's pages. Their own scripts and style sheets bear the nonce, their two handlers
    are known by hash; styles in attributes are let be, since they run nothing and load nothing."""
    hashes = " ".join(f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in INLINE_HANDLERS)
    scripts = f"script-src 'self' 'nonce-{nonce}'; script-src-attr 'unsafe-hashes' {hashes}"
    styles = f"style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'"
    return POLICY.replace("script-src 'self'", scripts).replace("style-src 'self'", styles)


def language(connection: HTTPConnection) -> str:
    """Of a reader without an account: by the cookie, then what the browser asks for."""
    lang = connection.cookies.get("lang", "")
    return lang if lang in LANGUAGES else negotiate(connection.headers.get("accept-language", ""))


def refusal(scope: Scope, status: int, key: str) -> Response:
    """A refusal before any page is known, in words: JSON for the API, plain text else."""
    text = Texts(language(HTTPConnection(scope)))(key)
    if not scope["path"].startswith("/api/"):
        return PlainTextResponse(text, status)
    return JSONResponse({"error": {"key": key, "args": {}, "clause": None, "text": text}}, status)
