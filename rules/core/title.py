"""What a title gives the house: its segments, its view, its data and a way to begin."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from rules.core.agenda import Segments, Step
from rules.core.errors import BadPosition
from rules.core.events import Teller
from rules.core.seats import Seat
from rules.core.view import Whitelist

if TYPE_CHECKING:
    from rules.core.orders import Order


class Position(Protocol):
    """A position of a title. `state` is all of it, as JSON; `touched` and `teller` are not part of it."""

    agenda: list[Step]
    result: dict[str, Any] | None
    touched: set[str]
    teller: Teller

    def state(self) -> dict[str, Any]: ...
    def phase(self) -> str: ...


@dataclass(frozen=True)
class Data:
    """A title's data as a game pinned it: the bodies of its files, and their digest."""

    files: Mapping[str, Any]
    digest: str

    @staticmethod
    def of(files: Mapping[str, Any]) -> Data:
        """Data with the digest of its canonical JSON (SHA-256, 16 hex digits)."""
        body = orjson.dumps(dict(files), option=orjson.OPT_SORT_KEYS)
        return Data(files, hashlib.sha256(body).hexdigest()[:16])


def chosen(options: Mapping[str, tuple[Any, ...]], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of one game: the first value of each unless another of its values is given. Raises BadPosition."""
    for name, value in given.items():
        if value not in options.get(name, ()):
            raise BadPosition(f"option {name} = {value!r}")
    return {name: given.get(name, values[0]) for name, values in options.items()}


Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Title:
    """One game. `begin(data, scenario, options)` makes its first position; `load(data, state)` a stored one;
    `scramble(pos, seat, rng, keep)` re-deals in place what `seat` may not know, except the units of `keep`;
    `orders` are the decisions that can be left with the server; `lost` is how the keys of the pools begin in which
    eliminated units lie."""

    id: str
    seats: tuple[Seat, ...]
    version: str
    schema: int
    segments: Segments
    view: Whitelist
    begin: Callable[[Data, str, Mapping[str, Any]], Any]
    load: Callable[[Data, dict[str, Any]], Any]
    scramble: Callable[[Any, Seat, Random, set[str]], None]
    invariants: Callable[[Any], None]
    lab: Callable[[Data, Mapping[str, Any]], Any]
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    orders: tuple[Order, ...] = ()
    lost: str = "pool:dead"

    def encode(self, pos: Any) -> bytes:
        """A position as the bytes of a checkpoint."""
        return orjson.dumps(pos.state())

    def decode(self, data: Data, state: bytes, schema: int) -> Any:
        """A stored position, brought up to this schema. Raises BadPosition."""
        body = orjson.loads(state)
        while schema < self.schema:
            if schema not in self.upgrades:
                raise BadPosition(f"no upgrade of {self.id} from schema {schema}")
            body, schema = self.upgrades[schema](body), schema + 1
        if schema != self.schema:
            raise BadPosition(f"schema {schema} of {self.id} is newer than {self.schema}")
        return self.load(data, body)
