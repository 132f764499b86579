"""Static files: addresses that change with the build, compressed copies, and which modules a module needs."""

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.config import ROOT

STATIC = ROOT / "static"
TEXTUAL = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
IMPORTED = re.compile(r"""^(?:import|export)\b[^'"();]*?["'](\.[^"']+)["']""", re.MULTILINE)
REMARK = re.compile(r"^[ \t]*(?://.*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/[ \t]*$)", re.MULTILINE)
CAST = re.compile(r"/\*\* @type [^\n]*?\*/ ?")  # a type said within a line


@cache
def build() -> str:
    """A hash of all static files: a new build has new addresses, so browsers may keep the old for ever."""
    digest = hashlib.sha256()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(STATIC)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def static(path: str) -> str:
    """The address of a static file."""
    return f"/static/{build()}/{path}"


@cache
def modules(*entries: str) -> tuple[str, ...]:
    """These modules and all they import at once, for a page to preload; what they `import()` later is left out."""
    found: dict[Path, None] = {}
    waiting = [STATIC / entry for entry in entries]
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found[path] = None
            waiting += [(path.parent / name).resolve() for name in IMPORTED.findall(path.read_text())]
    return tuple(str(path.relative_to(STATIC)) for path in found)


def bare(script: str) -> str:
    """A script without the comments that have lines to themselves and the types said within lines: they are more
    than a quarter of what would go over the line. The other lines keep their numbers."""
    return CAST.sub("", REMARK.sub(lambda remark: "\n" * remark[0].count("\n"), script))


@cache
def _packed(path: Path) -> bytes:
    content = bare(path.read_text()).encode() if path.suffix == ".js" else path.read_bytes()
    return gzip.compress(content, 9, mtime=0)


class ImmutableFiles(StaticFiles):
    """Static files under the build's hash; text goes out compressed, packed once, scripts without their comments."""

    def file_response(
        self, full_path: Any, stat_result: Any, scope: Scope, status_code: int = 200
    ) -> Response:
        kind = TEXTUAL.get(Path(full_path).suffix)
        if kind and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            headers = {**FOR_EVER, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return Response(_packed(Path(full_path)), status_code, headers, kind)
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.update(FOR_EVER)
        return response

    def get_path(self, scope: Scope) -> str:
        found, _, path = super().get_path(scope).partition("/")
        return path if found == build() else ""
