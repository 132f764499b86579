"""The look of every title that has one: its map and counters are drawn whole, small, with words and colours for all."""

import gzip
import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from app.config import ROOT
from app.sheet import sheets
from app.sheet.counters import draw_counters
from app.sheet.drawing import draw_map
from app.sheet.faces import FACES, pieces_of
from app.texts import LANGUAGES

TITLES = sorted(path.parent.name for path in (ROOT / "static/titles").glob("*/style.json")
                if (ROOT / "scenarios" / path.parent.name / "map.json").exists())  # fmt: skip
HEXES, LIMIT, LARGEST = 2000, 150_000, 400_000  # bytes of a map of so many hexes, compressed; of the largest


@cache
def read(title: str, name: str) -> Any:
    path = ROOT / "scenarios" / title / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


@cache
def the_map(title: str) -> str:
    return draw_map(read(title, "map"), sheets.title_style(title), "en")


@cache
def the_counters(title: str) -> str:
    return draw_counters(pieces_of(read(title, "units")), sheets.title_style(title), read(title, "cards").get("cards"))


@pytest.mark.parametrize("title", TITLES)
def test_ids_are_unique_and_known(title: str) -> None:
    drawn, counters = the_map(title), the_counters(title)
    ids = Counter(re.findall(r' id="([^"]+)"', drawn + counters))
    assert [name for name, times in ids.items() if times > 1] == []
    wanted = re.findall(r'href="#([^"]+)"', drawn + counters) + re.findall(r"url\(#([^)]+)\)", drawn + counters)
    assert set(wanted) <= set(ids)


@pytest.mark.parametrize("title", TITLES)
def test_every_step_of_a_path_says_where(title: str) -> None:
    """A browser draws a path no further than to a step without numbers."""
    drawn = the_map(title) + the_counters(title)
    assert re.findall(r' d="[^"]*[a-yA-Y](?![-.\d ])[^"]*"', drawn) == []


@pytest.mark.parametrize("title", TITLES)
def test_the_layer_is_small(title: str) -> None:
    packed, hexes = len(gzip.compress(the_map(title).encode(), 9)), len(read(title, "map").get("hexes", ()))
    assert packed < LARGEST
    assert packed < LIMIT * max(1, hexes / HEXES)


@pytest.mark.parametrize("title", TITLES)
def test_words_of_the_map_exist_in_every_language(title: str) -> None:
    style = sheets.title_style(title)
    words = style["words"]
    assert set(words) == set(LANGUAGES)
    for language in LANGUAGES:
        assert set(style["legend"]) <= set(words[language]["legend"])
        assert words[language].get("areas", {}).keys() == words["en"].get("areas", {}).keys()
        assert all(words[language][part] for part in ("title", "subtitle"))
    for kind in style["legend"]:
        assert f'id="k-{kind}"' in the_map(title), kind


@pytest.mark.parametrize("title", TITLES)
def test_every_piece_names_its_face_and_has_colours(title: str) -> None:
    pieces, style = pieces_of(read(title, "units")), sheets.title_style(title)
    assert {piece.get("face") for piece in pieces.values()} <= FACES.keys()
    counters = the_counters(title)
    assert all(f'id="c-{name}"' in counters for name in pieces)
    theme = (sheets.STATIC / "titles" / title / "theme.css").read_text()
    owners = {piece["nation"] for piece in pieces.values()} | {piece["side"] for piece in pieces.values()}
    for owner in owners:
        assert re.search(rf"\.ctr\.{owner}\b", theme), owner
        assert f'id="back-{owner}"' in counters
    for side in style["sides"]:
        assert re.search(rf"\.side-{side}\b", theme), side
    bands = {piece["band"] for piece in pieces.values() if piece.get("band")}
    assert {band for band in bands if not re.search(rf"\.{band}\b", theme)} == set()
