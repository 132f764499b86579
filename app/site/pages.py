"""`/manifest.webmanifest`, `/sw.js` and `/offline`."""

import orjson
from fastapi import APIRouter, Request, Response

from app.assets import STATIC, build, static
from app.deps import ForReaders, ReaderDep
from app.pages import render

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

SHOWN_OFFLINE = (
    "css/fonts.css", "css/site.css", "css/pages.css", "js/site/theme.js", "js/site/app.js", "img/icon.svg",
)  # fmt: skip
UNKEPT = {"Cache-Control": "no-cache"}


@router.get("/manifest.webmanifest")
async def manifest(reader: ReaderDep) -> Response:
    icons = [{"src": static("img/icon.svg"), "sizes": "any", "type": "image/svg+xml"}]
    icons += [{"src": static(f"img/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
              for size in (192, 512)]  # fmt: skip
    icons.append({"src": static("img/icon-maskable.png"), "sizes": "512x512", "type": "image/png",
                  "purpose": "maskable"})  # fmt: skip
    body = {"name": reader.t("app.name"), "short_name": reader.t("app.name"), "description": reader.t("app.what"),
            "lang": reader.lang, "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
            "background_color": "#e4dbc5", "theme_color": "#ae392e", "icons": icons}  # fmt: skip
    return Response(orjson.dumps(body), media_type="application/manifest+json", headers=UNKEPT)


@router.get("/sw.js")
async def service_worker() -> Response:
    """The worker with the files of this build: a new build makes a new worker."""
    fonts = [f"fonts/{path.name}" for path in sorted((STATIC / "fonts").glob("*.woff2"))]
    files = ["/offline", *map(static, [*SHOWN_OFFLINE, *fonts])]
    code = (STATIC / "js/site/worker.js").read_text()
    known = orjson.dumps({"build": build(), "files": files, "icon": static("img/icon-192.png")}).decode()
    return Response(f"self.KEPT = {known}\n{code}", media_type="text/javascript", headers=UNKEPT)


@router.get("/offline")
async def offline(request: Request, reader: ReaderDep) -> Response:
    return render(request, reader, "offline.html")
