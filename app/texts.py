"""Texts: catalogues of the site and of each title, rendered late in the reader's language.

A catalogue is a flat object, key to sentence; `{name}` is a placeholder. Where a number changes the
words the value is `{"one": ..., "other": ...}` and the argument `n` chooses by the language's plural rules; a form that
is not there (the "many" of millions) is said as "other". A text is named by
`{"key", "args"}`, and an argument may itself be such a name.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson
from babel import Locale
from babel.core import negotiate_locale

from app.config import ROOT

LANGUAGES = {"en": "English", "es": "Español", "it": "Italiano", "pt": "Português"}
LOCALES = {"pt": "pt_PT"}  # where the plain language is one country's: its Portuguese counts 0 as one
DEFAULT = "en"
PLACEHOLDER = re.compile(r"\{(\w+)\}")

Sentence = str | Mapping[str, str]
Catalogue = Mapping[str, Sentence]


@cache
def site(lang: str, folders: tuple[str, ...] = ("parts", "server")) -> Catalogue:
    """All parts of the site's catalogue; those of `server` are for words that no page's script says. Raises ValueError
    if two parts define one key."""
    merged: dict[str, Sentence] = {}
    for path in sorted(path for folder in folders for path in (ROOT / "static/texts" / folder).glob(f"*.{lang}.json")):
        part = orjson.loads(path.read_bytes())
        if twice := merged.keys() & part.keys():
            raise ValueError(f"{path.name} defines again: {', '.join(sorted(twice))}")
        merged |= part
    return merged


@cache
def title(name: str, lang: str) -> Catalogue:
    """A title's own catalogue; empty when it has none in this language."""
    path = ROOT / "scenarios" / name / "texts" / f"{lang}.json"
    found: Catalogue = orjson.loads(path.read_bytes()) if path.is_file() else {}
    return found


@cache
def published(lang: str) -> tuple[bytes, str]:
    """The site's catalogue as the browser gets it, and its entity tag."""
    body = orjson.dumps(site(lang, ("parts",)), option=orjson.OPT_SORT_KEYS)
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def negotiate(accepted: str) -> str:
    """The best language for an Accept-Language header."""
    wishes = []
    for part in accepted.split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            wishes.append((float(quality or 1), name))
        except ValueError:
            continue
    wishes.sort(key=lambda wish: -wish[0])
    return negotiate_locale([name.lower() for _, name in wishes if name], list(LANGUAGES), sep="-") or DEFAULT


def locale(lang: str) -> Locale:
    """How a language counts and writes dates."""
    return Locale.parse(LOCALES.get(lang, lang))


def signed(number: int) -> str:
    """"+1", "−2"; what is nothing has no sign."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def said(text: str) -> str:
    """A text without blanks around it, for a model's field. Raises ValueError for one that shows nothing: blanks, and
    signs that take no room."""
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in text):
        raise ValueError("blank")
    return text.strip()


class Texts:
    """Renders texts in one language, a title's catalogue (if one is named) before the site's."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._plural = locale(lang).plural_form

    def __call__(self, key: str, title_id: str | None = None, **args: Any) -> str:
        """The sentence, or the key itself when no catalogue has it."""
        sentence = title(title_id, self.lang).get(key) if title_id else None
        if sentence is None:
            sentence = site(self.lang).get(key, key)
        if isinstance(sentence, Mapping):
            number = args.get("n", 1)  # "½" and "1½" are words
            form = self._plural(number) if isinstance(number, int | float) else "one" if number == "½" else "other"
            sentence = sentence.get(form, sentence["other"])

        def fill(match: re.Match[str]) -> str:
            value = args.get(match[1], match[0])
            if isinstance(value, Mapping):
                return self(value["key"], title_id, **value.get("args", {}))
            return str(value)

        return PLACEHOLDER.sub(fill, sentence)

    def has(self, key: str, title_id: str) -> bool:
        """Whether a title has words for a key."""
        return key in title(title_id, self.lang)

    def player(self, name: str) -> str:
        """A player's name, which goes with the account."""
        kinds = {"deleted:": "lobby.deleted", "guest:": "game.guest"}
        return next((self(key) for sign, key in kinds.items() if name.startswith(sign)), name)
