"""What a title gives the house: its segments, its view, what it makes of its data, and a way to begin."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from threading import Lock
from typing import Any, Protocol

import orjson

from rules.core.agenda import Segments, Step
from rules.core.errors import BadPosition, NoStored, Refusal
from rules.core.events import Teller
from rules.core.orders import Order
from rules.core.scenario import Scenario
from rules.core.seats import Seat, Seating, Side
from rules.core.tally import Tally
from rules.core.view import Whitelist

LAST = 1000  # the place of a scenario that names none
GAMES_KEPT = 24  # sets of terms that a title keeps compiled

UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError)  # of a stored position that is none


@dataclass(frozen=True)
class Data:
    """A title's data as a game pinned it: the bodies of its files, and their digest. `files["scenarios"]` holds the
    scenarios by id."""

    files: Mapping[str, Any]
    digest: str

    @staticmethod
    def of(files: Mapping[str, Any]) -> Data:
        """Data with the digest of its JSON as it stands: the order of units is that of stacks, and pinned too
        (SHA-256, 16 hex digits)."""
        body = orjson.dumps({name: files[name] for name in sorted(files)})
        return Data(files, hashlib.sha256(body).hexdigest()[:16])

    @cached_property
    def scenarios(self) -> dict[str, Scenario]:
        """By id, in the order of their `place`, else by name. Raises BadPosition for a file that is none."""
        found = [Scenario.of(body) for body in self.files.get("scenarios", {}).values()]
        return {one.id: one for one in sorted(found, key=lambda one: (one.body.get("place", LAST), one.id))}

    def scenario(self, name: str) -> Scenario:
        """Raises BadPosition."""
        if name not in self.scenarios:
            raise BadPosition(f"no scenario {name}; there are {', '.join(self.scenarios)}")
        return self.scenarios[name]


@dataclass(frozen=True)
class Terms:
    """What a game is played on from its first entry to its last: printed data, scenario, and who sits for whom."""

    data: Data
    scenario: Scenario
    seating: Seating


class Game(Protocol):
    """What a title makes of `terms`, once for all games that share them: graph, units, tables, constants."""

    terms: Terms


class Position(Protocol):
    """A position of a title. `state` is all of it, as JSON; `game`, `touched` and `teller` are not part of it."""

    game: Any
    agenda: list[Step]
    result: dict[str, Any] | None
    touched: set[str]
    teller: Teller

    def state(self) -> dict[str, Any]: ...
    def phase(self) -> str: ...


Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


def _as_it_is(files: dict[str, Any]) -> dict[str, Any]:
    return files


def _nothing(_: Any) -> list[dict[str, Any]]:
    return []


@dataclass(frozen=True)
class Title:
    """One game. `compile` makes of the terms what positions are played with; `begin(game, options)` the first position,
    `load(game, state)` a stored one, `lab(game, options, position, base)` one that somebody wrote down, as what differs
    from `base` (None: the suggested set-up), all raising BadPosition. `hand(pos)` says what of it can be put by hand
    (`rules.mechanics.hand`). `scramble(pos, side, rng, keep)` re-deals in place what `side` may not know, except the
    units of `keep`, by `rng` and what `side` knows alone: how it lay before has no part in it; `guess` (None: the same)
    does it for a board that only imagines the game, where marks on hidden units may go, too. `orders` are the
    decisions that can be left with the server; `upgrades` bring up stored positions by schema, `upgrade_data` the files
    that older games pinned. `forecast(pos, side)` is what the next check of its own rules may cost the side's stacks
    (docs/protocol.md section 4), by place, from what the side may know; `covers(pos, side, loc)` what the counters of a
    space cover (zones, fields of fire) as parts of a layer (section 2), from the same. `lost` is how the keys of pools
    of the eliminated begin; `tally` what counts when a game is over."""

    id: str
    version: str
    schema: int
    segments: Segments
    view: Whitelist
    compile: Callable[[Terms], Any]
    begin: Callable[[Any, dict[str, Any]], Any]
    load: Callable[[Any, dict[str, Any]], Any]
    scramble: Callable[[Any, Side, Random, set[str]], None]
    invariants: Callable[[Any], None]
    lab: Callable[[Any, dict[str, Any], Mapping[str, Any], Any], Any]
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    upgrade_data: Upgrade = _as_it_is
    orders: tuple[Order, ...] = ()
    lost: str = "pool:dead"
    tally: Tally = field(default_factory=Tally)
    forecast: Callable[[Any, Side], Mapping[str, Any]] | None = None
    covers: Callable[[Any, Side, str], list[dict[str, Any]]] | None = None
    hand: Callable[[Any], list[dict[str, Any]]] = _nothing
    guess: Callable[[Any, Side, Random, set[str]], None] | None = None
    _games: OrderedDict[tuple[str, str, str], Any] = field(default_factory=OrderedDict, init=False, repr=False)
    _lock: Any = field(default_factory=Lock, init=False, repr=False)

    def game(self, data: Data, scenario: str, seats: Iterable[Seat] = ()) -> Any:
        """What games of a scenario with these seats (none: the usual ones) are played with. The last ones asked for are
        kept. Raises BadPosition."""
        found = data.scenario(scenario)
        terms = Terms(data, found, found.seating(seats))
        key = (data.digest, scenario, terms.seating.id)
        with self._lock:
            if key in self._games:
                self._games.move_to_end(key)
                return self._games[key]
            game = self._games[key] = self.compile(terms)
            while len(self._games) > GAMES_KEPT:
                self._games.popitem(last=False)
            return game

    def first(self, data: Data, scenario: str, options: Mapping[str, Any], seats: Iterable[Seat] = ()) -> Any:
        """The first position of a game. Raises BadPosition."""
        game = self.game(data, scenario, seats)
        return self.begin(game, game.terms.scenario.chosen(options))

    def written(self, data: Data, body: Mapping[str, Any]) -> Any:
        """The position of a lab file (docs/positions.md): `scenario` (the first unless given), `seats`, `options`,
        `position`, and `from`, the stored position from which it differs. Nothing of the file becomes part of the
        position: it may be read again. Raises BadPosition."""
        body = deepcopy(dict(body))
        game = self.game(data, body.get("scenario", next(iter(data.scenarios), "")), body.get("seats", ()))
        options, position = game.terms.scenario.chosen(body.get("options", {})), body.get("position", {})
        if "from" not in body:
            return self.lab(game, options, position, None)
        base = self._base(game, body["from"])
        try:
            return self.lab(game, options, position, base)
        except (BadPosition, Refusal):
            raise
        except UNREADABLE as bad:
            raise NoStored(repr(bad)) from bad

    def _base(self, game: Any, stored: Any) -> Any:
        """A stored position as a file holds it: {"schema", "state"}. Raises BadPosition."""
        try:
            return self.decode(game, orjson.dumps(stored["state"]), int(stored["schema"]))
        except UNREADABLE as bad:
            raise NoStored(repr(bad)) from bad

    def encode(self, pos: Any) -> bytes:
        """A position as the bytes of a checkpoint."""
        return orjson.dumps(pos.state())

    def decode(self, game: Any, state: bytes, schema: int) -> Any:
        """A stored position, brought up to this schema. Raises BadPosition."""
        body = orjson.loads(state)
        while schema < self.schema:
            if schema not in self.upgrades:
                raise BadPosition(f"no upgrade of {self.id} from schema {schema}")
            body, schema = self.upgrades[schema](body), schema + 1
        if schema != self.schema:
            raise BadPosition(f"schema {schema} of {self.id} is newer than {self.schema}")
        return self.load(game, body)
