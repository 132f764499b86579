"""The house with the areas title in it, its map, look and words, for tests and pictures of area maps."""

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
from app.sheet import raster, sheets, stills
from tests.app import areas_title

KEPT = (config.game_settings, data.files, data.current, titles.info, assets.build, assets.modules)


def furnish_areas(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """`folder`: for a copy of the static files with the look of the title among them."""
    static = folder / "static"
    shutil.copytree(ROOT / "static", static)
    shutil.copytree(areas_title.LOOKS, static / "titles" / areas_title.TITLE.id)
    for module in (assets, app.main, sheets, stills, raster):
        patch.setattr(module, "STATIC", static)
    patch.setenv("MARISCAL_OVERLAYS", str(areas_title.OVERLAYS))
    patch.setattr(rules.titles, "load", rules.titles.load)
    areas_title.install()

    def words(name: str, lang: str) -> Mapping[str, Any]:
        return areas_title.WORDS if name == areas_title.TITLE.id else texts.title(name, lang)

    patch.setattr("app.games.titles.catalogue", words)
    forget()


def forget() -> None:
    """What was read before, or in between, is read anew."""
    for cached in KEPT:
        cached.cache_clear()
