"""Every language has every text: the parts of the site, the titles' own catalogues, and what stands in their data."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pytest
from babel.dates import format_datetime
from starlette.testclient import TestClient

from app import texts
from app.config import ROOT
from app.games.titles import texts as words_of
from app.texts import LANGUAGES
from rules.titles import IDS

PARTS = sorted({f"{path.parent.name}/{path.name.split('.')[0]}" for path in (ROOT / "static/texts").glob("*/*.json")})
TITLES = sorted(path.name for path in (ROOT / "scenarios").iterdir() if path.is_dir())
DATA = sorted(str(path.relative_to(ROOT)) for folder in ("scenarios", "static/titles")
              for path in (ROOT / folder).rglob("*.json") if path.parent.name != "texts")  # fmt: skip
OTHERS = [lang for lang in LANGUAGES if lang != texts.DEFAULT]


@cache
def catalogue(path: Path) -> dict[str, texts.Sentence]:
    read: dict[str, texts.Sentence] = json.loads(path.read_text())
    return read


def forms(sentence: texts.Sentence) -> list[str]:
    return [sentence] if isinstance(sentence, str) else list(sentence.values())


def places(sentence: texts.Sentence) -> set[str]:
    """The placeholders of all forms; "one" may leave the number out."""
    return {name for form in forms(sentence) for name in texts.PLACEHOLDER.findall(form)}


def compare(folder: Path, name: str, lang: str) -> None:
    english, other = (catalogue(folder / name.format(code)) for code in (texts.DEFAULT, lang))
    assert english.keys() - other.keys() == set(), "missing"
    assert other.keys() - english.keys() == set(), "not in English"
    for key, sentence in english.items():
        assert all(form.strip() == form != "" for form in forms(other[key])), key
        assert places(other[key]) == places(sentence), key
        assert isinstance(other[key], str) == isinstance(sentence, str), key
        if not isinstance(other[key], str):
            assert set(other[key]) == {"one", "other"}, key


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("part", PARTS)
def test_every_part_says_the_same_in_every_language(part: str, lang: str) -> None:
    compare(ROOT / "static/texts", part + ".{}.json", lang)


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("title", TITLES)
def test_every_title_says_the_same_in_every_language(title: str, lang: str) -> None:
    compare(ROOT / "scenarios" / title / "texts", "{}.json", lang)


def spoken(value: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """What a file says by language, and where."""
    if isinstance(value, dict) and texts.DEFAULT in value:
        yield where, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, below in items:
        yield from spoken(below, f"{where}/{name}")


@pytest.mark.parametrize("title", TITLES)
def test_a_question_speaks_of_nobody_as_you(title: str) -> None:
    """The other side and the public read it too, after the name of who is asked."""
    asked = {key: said for key, said in catalogue(ROOT / f"scenarios/{title}/texts/en.json").items()
             if key.startswith("prompt.")}  # fmt: skip
    assert asked
    for key, said in asked.items():
        assert not any(re.search(r"\byours?\b", form, re.IGNORECASE) for form in forms(said)), (key, said)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("title", TITLES)
def test_what_is_told_is_told_in_sentences(title: str, lang: str) -> None:
    told = {key: said for key, said in catalogue(ROOT / f"scenarios/{title}/texts/{lang}.json").items()
            if key.startswith("event.")}  # fmt: skip
    open_ = {key for key, said in told.items() if not all(form.endswith((".", "!", "?")) for form in forms(said))}
    assert open_ == set()


@pytest.mark.parametrize("path", DATA)
def test_data_that_speaks_does_so_in_every_language(path: str) -> None:
    for where, said in spoken(json.loads((ROOT / path).read_text())):
        assert LANGUAGES.keys() <= said.keys(), where
        for lang in LANGUAGES:
            assert said[lang], where
            if isinstance(said[lang], dict):
                assert said[lang].keys() == said[texts.DEFAULT].keys(), where
                assert all(said[lang][name].keys() == of.keys() for name, of in said[texts.DEFAULT].items()
                           if isinstance(of, dict)), where  # fmt: skip


@pytest.mark.parametrize("title", [title for title in TITLES if title in IDS])
def test_clauses_are_words_of_every_language(title: str) -> None:
    english = words_of(title, texts.DEFAULT)
    for lang in OTHERS:
        other = words_of(title, lang)
        assert other.keys() == english.keys()
        clauses = [key for key in english if key.startswith("clause.") and not key.endswith(".title")]
        assert not [key for key in clauses if other[key] == english[key]]


@pytest.mark.parametrize(("lang", "none"), [("en", "units"), ("es", "unidades"), ("it", "unità"), ("pt", "unidades")])
def test_numbers_choose_the_form_and_millions_have_one(lang: str, none: str) -> None:
    t = texts.Texts(lang)
    one, two = t("game.units", n=1), t("game.units", n=2)
    assert one.startswith("1 ")
    assert two.startswith("2 ")
    assert t("game.units", n=0) == f"0 {none}"
    assert t("game.units", n=1_000_000) == f"1000000 {none}"


def test_dates_are_written_as_the_language_does() -> None:
    at = datetime(2025, 11, 28, 14, 3, tzinfo=UTC)
    written = {lang: format_datetime(at, "d MMMM", locale=texts.locale(lang)) for lang in LANGUAGES}
    assert written == {"en": "28 November", "es": "28 noviembre", "it": "28 novembre", "pt": "28 novembro"}


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [("it-CH,it;q=0.9,en;q=0.8", "it"), ("pt-BR,en;q=0.5", "pt"), ("fr,pt;q=0.2,it;q=0.7", "it"), ("PT-pt", "pt")],
)
def test_italian_and_portuguese_are_asked_for(accepted: str, lang: str) -> None:
    assert texts.negotiate(accepted) == lang


def test_an_account_and_a_guest_read_in_every_language(person: Callable[[str], TestClient], client: TestClient) -> None:
    ana = person("Ana")
    for lang in LANGUAGES:
        assert ana.patch("/api/account", json={"lang": lang}).json()["lang"] == lang
        guest = client.get("/sign-in", headers={"accept-language": f"{lang}-XX"}).text
        for page, key in ((ana.get("/account").text, "account.sessions_title"), (guest, "sign_in.new")):
            assert f'<html lang="{lang}"' in page
            assert escape(texts.Texts(lang)(key)) in page
    assert ana.patch("/api/account", json={"lang": "de"}).status_code == 422


def test_what_is_nothing_has_no_sign() -> None:
    assert [texts.signed(n) for n in (12, 0, -3)] == ["+12", "0", "−3"]
