"""What stops a lab, in words of the catalogue."""

from __future__ import annotations

from typing import Any

from app.texts import Texts
from rules.core.errors import BadPosition, NoStored, Refusal
from rules.mechanics.written import Impossible


class Wrong(Exception):
    """What stops a lab: a key of the catalogue and its arguments; the clause of the rule it breaks, or ""."""

    def __init__(self, key: str, clause: str = "", **args: Any) -> None:
        super().__init__(f"{key} {args}")
        self.key, self.clause, self.args_ = key, clause, args

    def said(self, texts: Texts, title_id: str | None = None) -> str:
        """In the reader's language, with its clause."""
        said = texts(self.key, title_id, **self.args_)
        return f"{said} ({self.clause})" if self.clause else said


def of_position(bad: Exception) -> Wrong:
    """A position that cannot be, or cannot be read."""
    if isinstance(bad, Impossible):
        return Wrong(bad.key, bad.clause, **bad.args_)
    if isinstance(bad, Refusal):
        return Wrong(bad.key, bad.clause, **bad.args_)
    if isinstance(bad, NoStored):
        return Wrong("lab.no_stored")
    assert isinstance(bad, BadPosition)
    return Wrong("lab.bad", why=str(bad))
