"""Sentences of a game outside its page: as static/js/game/texts.js words them, in a reader's language."""

import re
from collections.abc import Mapping
from typing import Any

from babel.lists import format_list
from babel.numbers import format_decimal

from app import texts
from app.texts import PLACEHOLDER, Texts, signed

FAR_PLACE = re.compile(r"^(track|pool|dead|box|away):(.*)$", re.DOTALL)
HEADINGS = {"phase", "turn"}  # what a step says that only a heading of the log needs


class GameTexts:
    """The catalogues of a title and the site, with the names of its units and places. `data`: `map` and `units`."""

    def __init__(self, lang: str, title: str, data: Mapping[str, Any]) -> None:
        self._t, self._locale = Texts(lang), texts.locale(lang)
        self._words: Mapping[str, Any] = {**texts.site(lang), **texts.title(title, lang)}
        self._units = data["units"]
        kinds = ("spaces", "hexes", "areas", "boxes")
        self._places = {place: about for kind in kinds for place, about in data["map"].get(kind, {}).items()}

    def say(self, named: Any) -> str:
        """A text named by `{"key", "args"}`, or by a bare key."""
        return self(named) if isinstance(named, str) else self(named["key"], named.get("args") or {})

    def step(self, step: Mapping[str, Any]) -> str | None:
        """What a step of the record tells; None for one that says only that a turn or phase came."""
        data = step.get("data") or {}
        only_heading = data.keys() <= HEADINGS and ("phase" in data or (step.get("fragments") or {}).get("turn"))
        key = f"event.{step['event']}"
        return None if only_heading or key not in self._words else self(key, {"side": step.get("side"), **data})

    def __call__(self, key: str, args: Mapping[str, Any] | None = None) -> str:
        filled = _with_derived(args or {})
        pattern = self._words.get(key)
        if pattern is None:
            return key
        if isinstance(pattern, Mapping):
            number = filled.get("n", 0)
            form = self._locale.plural_form(number if isinstance(number, int | float) else 0)
            pattern = pattern.get(form, pattern.get("other", key))
        return PLACEHOLDER.sub(lambda found: self._word(filled[found[1]], found[1]) if found[1] in filled else found[0],
                               pattern)

    def _word(self, value: Any, name: str = "") -> str:
        """One argument: a number, a list, a named text, the id of a unit, a place, a seat, or yes and no, for which
        an argument may have words of its own."""
        if value == [] and name == "modifiers":
            return self("game.modifier.none")
        if value is None or value == []:
            return "–"
        if isinstance(value, bool):
            key = "game.yes" if value else "game.no"
            return self(own if (own := f"{key}.{name}") in self._words else key)
        if isinstance(value, int | float):
            return format_decimal(value, locale=self._locale).replace("-", "−")
        if isinstance(value, list):
            return format_list([self._word(one) for one in value], locale=self._locale)
        if isinstance(value, Mapping) and "label" in value:  # a modifier
            number = value["value"]
            return f"{self.say(value['label'])} {'?' if number is None else signed(number)}"
        if isinstance(value, Mapping):
            return self.say(value) if "key" in value else ""
        return self._name(str(value))

    def _name(self, id_: str) -> str:
        if id_ in self._units:
            return self(f"unit.{id_}") if f"unit.{id_}" in self._words else self._units[id_].get("name", id_)
        if id_ in self._places:
            place = self._places[id_]
            name = place.get("name")
            return id_ if not name else f"{name} ({id_})" if "terrain" in place else name
        if far := FAR_PLACE.match(id_):
            kind, name = far.groups()
            return self(f"loc.{kind}", {"name": name}) if f"loc.{kind}" in self._words else name
        if f"seat.{id_}" in self._words:
            return self(f"seat.{id_}")
        return self(id_)


def _with_derived(args: Mapping[str, Any]) -> dict[str, Any]:
    """What sentences may ask for beside what is given: a path's ends, and a number to count by."""
    out = dict(args)
    if isinstance(path := args.get("path"), list) and path:
        out.setdefault("from", path[0])
        out.setdefault("to", path[-1])
    if "n" not in out:
        if isinstance(units := args.get("units"), list):
            out["n"] = len(units)
        elif isinstance(count := args.get("count"), int):
            out["n"] = count
    return out


def places(step: Mapping[str, Any]) -> list[str]:
    """Where a step happened."""
    data = step.get("data") or {}
    at = data.get("target") or (data.get("path") or [None])[-1] or data.get("at") or data.get("from")
    return [at] if isinstance(at, str) else []
