"""What goes wrong for a reason that a person can read. No HTTP library here: services raise these."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


class Refused(Exception):
    """Bad input: nothing changed. `key` and `args` name a text of the catalogue (of title `of`, if it is one of its
    rules that refuses), `clause` a rule."""

    status = 400

    def __init__(self, key: str, *, clause: str | None = None, status: int | None = None, of: str | None = None,
                 **args: Any) -> None:
        super().__init__(key)
        self.key = key
        self.words: Mapping[str, Any] = args
        self.clause = clause
        self.of = of
        if status is not None:
            self.status = status


class NotSignedIn(Refused):
    status = 401

    def __init__(self) -> None:
        super().__init__("error.not_signed_in")


class NotAllowed(Refused):
    status = 403

    def __init__(self, key: str = "error.not_allowed", **args: Any) -> None:
        super().__init__(key, **args)


class NotFound(Refused):
    status = 404

    def __init__(self, key: str = "error.not_found", **args: Any) -> None:
        super().__init__(key, **args)


class Conflict(Refused):
    status = 409


class TooMany(Refused):
    status = 429

    def __init__(self, minutes: int) -> None:
        super().__init__("error.too_many", n=minutes)


@contextmanager
def as_sent() -> Iterator[None]:
    """Around the reading of what no form of ours sends: what it can't be read as is refused, not our fault."""
    try:
        yield
    except (LookupError, ValueError) as error:
        raise Refused("error.invalid", status=422) from error
