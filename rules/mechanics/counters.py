"""A position of counters at places: what titles have alike of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from rules.core import events
from rules.core.errors import BadPosition
from rules.core.events import Teller
from rules.mechanics.stacks import Stacks, stacked
from rules.mechanics.stored import check_state, state_of

U = TypeVar("U")


class Counters(Generic[U]):
    """The base of a title's position: a dataclass whose fields are what is stored, all but `game`.

    `at` maps counters to places; `here`, worked out from it, has the stack of each place, in the order of `rank`.
    `PARTS` make again the fields that hold a dataclass or None. With `EVERY` each counter of the game is somewhere.
    """

    PARTS: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    EVERY: ClassVar[bool] = False
    game: Any
    turn: int
    stage: str
    at: dict[str, str]
    here: Stacks
    tell: ClassVar[Callable[..., None]] = events.tell

    def __post_init__(self) -> None:
        self.touched: set[str] = set()
        self.teller = Teller()
        self.here = stacked(self.at, sorted(self.at, key=self.rank))

    def rank(self, unit: str) -> Any:
        """Where a counter belongs in a stack, from the top."""
        return unit

    # -- storing -----------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as JSON."""
        return state_of(self)

    @classmethod
    def load(cls, game: Any, state: dict[str, Any]) -> Self:
        """A position from its state. Raises BadPosition for one that names unknown units or fields, or lacks units."""
        check_state(cls, state, game.units)
        if cls.EVERY and len(state["at"]) != len(game.units):
            raise BadPosition("the units are not those of the game")
        made = {name: None if state[name] is None else part(*state[name]) for name, part in cls.PARTS.items()}
        build: Callable[..., Self] = cls
        return build(game, **{**state, **made})

    def phase(self) -> str:
        return f"{self.turn}.{self.stage}"

    # -- looking -----------------------------------------------------------------------------------------

    def unit(self, unit: str) -> U:
        return self.game.units[unit]  # type: ignore[no-any-return]

    def stack(self, loc: str) -> list[str]:
        """The counters at a place, in the order of stacks."""
        return self.here.get(loc, [])

    def holder(self, loc: str) -> str | None:
        """The side of the counter on top at a place."""
        stack = self.here.get(loc)
        side: str | None = self.game.units[stack[0]].side if stack else None
        return side
