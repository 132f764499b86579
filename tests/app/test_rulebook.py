"""Rules to read: each clause, ruling, example and figure of a title's data is on its page, in every language."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import combinations
from math import dist
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.games import data
from app.rulebook.book import chapters, clause_of, examples_of
from app.rulebook.drawn import counters, legend
from app.rulebook.pictures import before
from app.rulebook.primer import primer
from app.rulebook.tables import Words, grids, tables
from app.sheet.faces import pieces_of
from app.sheet.faces.formation import USED, spelled
from app.sheet.stills import pieces
from app.texts import LANGUAGES
from app.texts import title as catalogue
from rules.titles import IDS

each = pytest.mark.parametrize(("title", "lang"), [(title, lang) for title in IDS for lang in LANGUAGES])


def read(client: TestClient, path: str, lang: str) -> str:
    client.cookies.set("lang", lang)
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.text


def plain(html: str) -> str:
    """The letters of a page, without blanks: a link may begin within a bracket."""
    return "".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and not set(value) & set(LANGUAGES):
        for key, one in value.items():
            yield from leaves(one, f"{path}/{key}" if path else key)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one, path)
    else:
        yield path, value


@pytest.mark.parametrize("title", IDS)
def test_each_page_says_all_and_its_links_lead_somewhere(client: TestClient, title: str) -> None:
    for lang in LANGUAGES:
        says_all(client, title, lang)
        leads_somewhere(client, title, lang)


def says_all(client: TestClient, title: str, lang: str) -> None:
    page = read(client, f"/titles/{title}/rules", lang)
    files = data.files(title)
    text = plain(page)
    ids = re.findall(r'id="c([^"]+)"', page)
    assert ids == [clause.id for chapter in chapters(title, lang) for clause in chapter.clauses]
    assert sorted(ids) == sorted(files["clauses"])
    for clause in files["clauses"].values():
        assert plain(clause["title"][lang]) in text
    for card in files.get("cards", {}).get("cards", {}):
        assert plain(str(catalogue(title, lang)[f"card.{card}.text"])) in text
    for ruling in files["rulings"]:
        assert plain(ruling[lang]) in text
    assert {clause_of(name) for name in examples_of(title)} <= set(ids)
    assert re.findall(r'src="[^"?]*/examples/([^?"/]+)\.png', page) == list(examples_of(title))


def leads_somewhere(client: TestClient, title: str, lang: str) -> None:
    page = read(client, f"/titles/{title}/rules", lang)
    there = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) - {"main"} <= there
    first = read(client, f"/titles/{title}", lang)
    led = set(re.findall(rf'href="/titles/{title}/rules#([^"]+)"', first))
    assert led
    assert led <= there
    assert not re.search(r"\(\d+\.\d+", plain(re.sub(r"<a [^>]*>[^<]*</a>", "", first)))


@each
def test_every_figure_of_the_tables_is_drawn(title: str, lang: str) -> None:
    files = data.files(title)
    drawn = {table.id: plain(repr(table.grids)) for table in tables(title, lang)}
    paths = {entry["of"]: entry["id"] for entry in files["rulebook"]["tables"] if "of" in entry}
    words = Words(title, lang, data.current(title))
    for path, value in leaves({key: one for key, one in files.get("tables", {}).items() if key != "provenance"}):
        table = next((paths[of] for of in paths if path == of or path.startswith(f"{of}/")), None)
        assert table is not None, f"{path} is in no table"
        if path.split("/")[-1] not in ("rows", "min", "max"):
            assert plain(words.value(value)) in drawn[table], f"{path}: {value}"


@each
def test_every_key_has_a_word(title: str, lang: str) -> None:
    words = Words(title, lang, data.current(title))
    for entry in data.files(title)["rulebook"]["tables"]:
        list(grids(entry, data.files(title).get("tables", {}), words))
    assert not {key for key in words.unnamed if re.search(r"[a-z]{2}|_", key)}


@each
def test_a_primer_says_how_one_wins_the_turn_and_what_goes_wrong(title: str, lang: str) -> None:
    told = primer(title, lang)
    assert told.win
    assert 4 <= len(told.turn) <= 8
    assert len(told.mistakes) == 5
    assert told.counters
    assert len(told.counters[0].parts) >= 3
    for reading in told.counters:
        for one, other in combinations(reading.parts, 2):
            assert dist(one.pin, other.pin) > 8, "a number lies on another"
    pieces = pieces_of(data.current(title).files["units"])
    assert {reading.unit for reading in told.counters} <= pieces.keys()
    if lang != "en":
        assert not set(map(str, told.turn)) & set(map(str, primer(title, "en").turn))


@pytest.mark.parametrize("title", IDS)
def test_every_sign_of_a_legend_and_every_counter_is_drawn(title: str) -> None:
    shown, units = legend(title, "en"), tuple(reading.unit for reading in primer(title, "en").counters)
    for sign, words in shown.signs:
        assert f'id="k-{sign}"' in shown.shapes, (sign, words)
    for unit in units:
        assert f'id="c-{unit}"' in counters(title, units)


@pytest.mark.parametrize("title", IDS)
def test_an_example_shows_who_stands_there(title: str) -> None:
    """Its own places hold counters; troops are drawn with what gives them their colours, leaders alone too."""
    current = data.current(title)
    known = {"map": current.files["map"], "units": pieces_of(current.files["units"])}
    for name, body in [*examples_of(title).items()][-2:]:
        drawn = pieces(title, known, before(title, body)).partition("</defs>")[2]
        assert 'class="counter' in drawn, name
        assert set(USED.findall(spelled(drawn, known["units"]))) <= {("flag", "")}, name
        for leader in body["position"].get("leaders", {}):
            assert f'href="#c-{leader}"' in drawn, (name, leader)


def test_an_example_is_drawn_and_kept(client: TestClient) -> None:
    at = "/titles/triple_alliance/examples/13.9-26-against-7.png"
    drawn = client.get(at)
    assert drawn.status_code == 200
    assert drawn.content.startswith(b"\x89PNG")
    assert client.get(at).content == drawn.content
    assert client.get("/titles/triple_alliance/examples/none.png").status_code == 404
    assert client.get(f"{at}?lang=xx").status_code == 404
    assert client.get("/titles/nothing/rules").status_code == 404
