"""The house with the toy title of two hills in it, its data, look and words, listed in the lobby."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import app.main
import rules.titles
from app import assets, texts
from app.config import ROOT
from app.games import config, data, titles
from app.lobby import titles as lobby
from app.sheet import raster, sheets, stills
from tests.app import hills_title

KEPT = (config.game_settings, data.files, data.current, titles.info, lobby.titles, assets.build, assets.modules)
STYLE = {
    "marks": {}, "icons": {}, "regions": [], "countries": [], "rivers": {}, "legend": ["clear"],
    "sides": {"north": {"edge": "corners", "emblem": "star"}, "south": {"edge": "keyline", "emblem": "rings"}},
    "nations": {"north": {"emblem": "star"}, "south": {"emblem": "sun"}},
    "words": {lang: {"title": "Two Hills", "subtitle": "", "legend": {"clear": "clear"}} for lang in texts.LANGUAGES},
}  # fmt: skip
THEME = """.north { --nation: #2E5E8C } .south { --nation: #A23B3B }
.side-north { --side: #2E5E8C } .side-south { --side: #A23B3B }
"""


def furnish_hills(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """`folder`: for the title's data, and for a copy of the static files with its look among them."""
    static, look = folder / "static", folder / "static" / "titles" / hills_title.TITLE.id
    shutil.copytree(ROOT / "static", static)
    look.mkdir()
    shutil.copy(static / "titles" / "triple_alliance" / "vignette.svg", look)
    (look / "style.json").write_text(json.dumps(STYLE))
    (look / "theme.css").write_text(THEME)
    hills_title.write(folder / "overlays")
    for module in (assets, app.main, sheets, stills, raster):
        patch.setattr(module, "STATIC", static)
    patch.setenv("MARISCAL_OVERLAYS", str(folder / "overlays"))
    patch.setenv("MARISCAL_BOT_PAUSE", "0")
    patch.setattr(rules.titles, "load", rules.titles.load)
    patch.setattr(rules.titles, "IDS", (*rules.titles.IDS, hills_title.TITLE.id))
    hills_title.install()
    real = texts.title

    def words(name: str, lang: str) -> Mapping[str, Any]:
        return hills_title.WORDS if name == hills_title.TITLE.id else real(name, lang)

    patch.setattr(texts, "title", words)
    patch.setattr("app.games.titles.catalogue", words)
    forget()


def forget() -> None:
    """What was read before, or in between, is read anew."""
    for cached in KEPT:
        cached.cache_clear()
