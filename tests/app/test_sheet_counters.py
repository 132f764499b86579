"""The page of all counters, to be printed."""

import re

import pytest
from starlette.testclient import TestClient

from app.games import data
from app.games.titles import texts as words_of
from app.sheet.faces import pieces_of
from app.texts import LANGUAGES
from rules.titles import IDS


@pytest.mark.parametrize("title", ["triple_alliance", "ultimo_hombre"])
def test_every_face_of_every_piece_is_on_the_page_once(client: TestClient, title: str) -> None:
    page = client.get(f"/titles/{title}/counters", headers={"Accept-Language": "es"}).text
    shown = re.findall(r'<use href="#([^"]+)"/></svg></li>', page)
    pieces = pieces_of(data.current(title).files["units"])
    turned = {f"c-{name}-r" for name in pieces if f'id="c-{name}-r"' in page}
    assert len(shown) == len(set(shown))
    assert {face for face in shown if face.startswith("c-")} == {f"c-{name}" for name in pieces} | turned
    assert bool(turned) == (title == "ultimo_hombre")
    assert all(f'id="{face}"' in page for face in shown)
    heads = re.findall(r"<h2>(.+?) <span", page)
    assert "Paraguay" in heads
    assert heads[-1] == "Reversos y marcadores"
    assert 'aria-label=""' not in page


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("title", IDS)
def test_whose_counters_they_are_is_said_in_words(title: str, lang: str) -> None:
    said = words_of(title, lang)
    owners = {piece["nation"] for piece in pieces_of(data.current(title).files["units"]).values()}
    assert {owner for owner in owners if not said.get(f"nation.{owner}")} == set()


@pytest.mark.parametrize("title", IDS)
def test_whose_land_a_space_is_can_be_said(title: str) -> None:
    spaces = [space for group in data.current(title).files["map"].values() if isinstance(group, dict)
              for space in group.values() if isinstance(space, dict)]  # fmt: skip
    lands = {space["country"] for space in spaces if space.get("country")}
    assert {land for land in lands if f"nation.{land}" not in words_of(title, "en")} == set()


def test_a_title_that_is_not_there_has_none(client: TestClient) -> None:
    assert client.get("/titles/no_such_title/counters").status_code == 404
