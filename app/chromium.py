"""Where the browser is that takes pictures, runs the tests of pages and measures them."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(own: str) -> str | None:
    """The path of `MARISCAL_CHROMIUM`, of the system's, or of `own`, Playwright's; None when there is none of them."""
    names = (os.environ.get("MARISCAL_CHROMIUM", ""), *NAMES)
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    return found or (own if Path(own).exists() else None)
