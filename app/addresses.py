"""The one place where addresses of this site are made that begin with its name: as the site is set up (MARISCAL_URL),
never as a request's Host header says, which whoever sends the request writes."""

from app.config import Settings


def absolute(settings: Settings, path: str) -> str:
    """The whole address of a page; `path` begins with a slash."""
    return (settings.url or settings.reached).rstrip("/") + path
