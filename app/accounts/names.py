"""Which names may be taken: none that the server itself says, none that only looks like another."""

import re
import unicodedata
from functools import cache

from app import texts
from app.errors import Refused

DELETED = "deleted:"  # how the names of deleted accounts begin, by a sign that no name can hold,
GUEST = "guest:"  # and those of people who have none yet

# The kinds of writing that go together in one name, by the first word of their letters' Unicode names.
_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
# Letters of other alphabets that are drawn like Latin ones, small or large.
LOOK = ("асԁеһіјӏорԛѕухѵԝɡѐёїαονρυικτχγϲϳօսհցզոաвкмнтβεημζ",
        "acdehijlopqsyxvwgèëïaovpuiktxycjouhgqnwbkmhtbenmz")  # fmt: skip
_ROLES = ("admin", "administrator", "administrador", "administradora", "amministratore", "moderator", "moderador",
          "moderatore", "director", "diretor", "direttore", "staff", "support", "system", "sistema", "server",
          "mariscal", "bot", "computer", "nobody", "public", "all", "none", "null", "undefined", "anonymous", "guest",
          "deleted", "host")  # fmt: skip
_SAID = ("lobby.deleted", "game.guest", "notice.nobody", "bot.random", "bot.heuristic", "role.admin", "role.director",
         "role.moderator")  # fmt: skip


def look(name: str) -> str:
    """Names that look alike have one look."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return plain.translate(_LATIN)


_LATIN = {ord(letter): latin for letter, latin in zip(*LOOK, strict=True)}


def check(name: str) -> None:
    """Raises Refused for a name that nobody may take."""
    if _mixed(unicodedata.normalize("NFKC", name)):
        raise Refused("account.name_mixed", status=422)
    if _words(name) in _reserved() or re.match(r"(deleted|guest)[\W_]*\d*$", look(name)):
        raise Refused("account.name_reserved", name=name, status=409)


def _mixed(name: str) -> bool:
    """Whether letters of several alphabets meet in it."""
    kinds = {unicodedata.name(sign, "?").split()[0] for sign in name if sign.isalpha()}
    return len(kinds) > 1 and not any(kinds <= {*together, "LATIN"} for together in _TOGETHER)


def _words(name: str) -> str:
    return re.sub(r"[\W_]+", "", look(name))


@cache
def _reserved() -> frozenset[str]:
    """What the server says where a player's name could stand, in all its languages."""
    said = (texts.site(lang)[key] for lang in texts.LANGUAGES for key in _SAID)
    return frozenset(_words(str(one)) for one in (*_ROLES, *said))
