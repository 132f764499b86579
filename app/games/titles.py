"""What a browser asks of a title: who plays, what can be chosen, where its data comes from, its texts."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from app.errors import NotFound
from app.games import data
from app.games.store import Store
from app.sheet.faces import pieces_of
from app.texts import LANGUAGES
from app.texts import title as catalogue
from rules.core.seats import Seating
from rules.core.title import Data


@cache
def info(title_id: str) -> dict[str, Any]:
    """Raises NotFound."""
    title, current = data.title(title_id), data.current(title_id)
    return {
        "id": title.id, "digest": current.digest, "lost": title.lost, "forecast": title.forecast is not None,
        "covers": title.covers is not None,
        "scenarios": [{"id": name,
                       "seatings": {key: dict(seating.seats) for key, seating in scenario.seatings.items()},
                       "options": {option: list(values) for option, values in scenario.options.items()}}
                      for name, scenario in current.scenarios.items()],
        "rulings": data.files(title_id).get("rulings", []),
        "provenance": [source for name, body in (*current.files.items(), *current.files["scenarios"].items())
                       for source in _sources(name, body)],
    }  # fmt: skip


def _sources(name: str, body: Any) -> list[dict[str, Any]]:
    """Where the parts of a file come from: {"id", "source", "clauses", "note"}."""
    listed = body.get("provenance", {}) if isinstance(body, dict) else {}
    return [{"id": f"provenance.{name}.{part}", "source": of["source"], "clauses": of.get("clauses", []),
             "note": of.get("note") or of.get("why")} for part, of in listed.items()]  # fmt: skip


@cache
def opening(title_id: str, scenario: str) -> str:
    """The phase (`TURN.STAGE`) in which games of a scenario begin; "" for one there is no more. Raises NotFound."""
    title, current = data.title(title_id), data.current(title_id)
    if scenario not in current.scenarios:
        return ""
    phase: str = title.first(current, scenario, {}).phase()
    return phase


def for_two(title_id: str, scenario: str) -> Seating | None:
    """How a scenario is played by two; None for one there is not, or that two cannot play. Raises NotFound."""
    data.title(title_id)
    found = data.current(title_id).scenarios.get(scenario)
    return next((one for one in found.seatings.values() if len(one.seats) == 2), None) if found else None


async def data_of(store: Store, title_id: str, digest: str | None) -> dict[str, Any]:
    """Map, pieces by id, cards and tables, as pinned under a digest or as new games get them. Raises NotFound."""
    data.title(title_id)
    found = data.current(title_id)
    if digest is not None and digest != found.digest:
        async with store.pool.connection() as conn:
            found = await data.pinned(conn, digest, title_id)
    return _drawn(found)


def _drawn(found: Data) -> dict[str, Any]:
    files = found.files
    return {"map": files.get("map", {}), "units": pieces_of(files.get("units", {})),
            "cards": files.get("cards", {}).get("cards", {}), "tables": files.get("tables", {})}  # fmt: skip


def texts(title_id: str, lang: str) -> dict[str, Any]:
    """The title's catalogue and its clauses: `clause.N` the words, `clause.N.title` the heading. Raises NotFound."""
    data.title(title_id)
    if lang not in LANGUAGES:
        raise NotFound()
    clauses = data.files(title_id).get("clauses", {})
    words = {f"clause.{number}": said(clause["text"], lang) for number, clause in clauses.items()}
    heads = {f"clause.{number}.title": said(clause["title"], lang) for number, clause in clauses.items()}
    return {**catalogue(title_id, lang), **words, **heads}


def said(text: str | Mapping[str, str], lang: str) -> str:
    """A text by language; English where an overlay has no other."""
    return text if isinstance(text, str) else text.get(lang, text["en"])
