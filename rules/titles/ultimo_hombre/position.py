"""The position: units, leaders, fortresses, control, cards and points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.core.agenda import Step
from rules.core.errors import BadPosition
from rules.core.events import Teller, tell
from rules.mechanics.stacks import shift, stacked
from rules.mechanics.stored import check_state, state_of
from rules.titles.ultimo_hombre.board import SIDES, Game, Space, Unit

SCHEMA = 1
BOX = "box"        # 6 a leader in his box
OUT = "out"        # captured, eliminated, or gone with Argentina


@dataclass
class Position:
    """All that is on the table.

    `at`       unit -> space, `reserve:NATION`, `special:SIDE` or `dead:SIDE`     `reduced`  units on that side
    `leaders`  leader -> space, `box` or `out`     `forts`  marker -> space (absent: not on the board)
    `worn`     fortress markers on their reduced side; `besieged` -> when they recover (A21)
    `earned`   spaces whose bonus was given (11)   `lost_strategic`  strategic spaces once taken (12.2)
    `decks`, `hands`, `late`, `in_use`, `discards` by side; `late` cards wait for the next own turn (12.1)
    `shipped`  units transported this turn (3)     `steps`  spaces each unit moved (4), `starts` the region it began in
    `attacks`  space -> {"at", "units", "from": {unit: space}, "blue": [units over a blue line]}
    `fled`     units and leaders that retreated into a battle to come, by space (8)
    `served`   strategic spaces used this phase (12.2)
    """

    game: Game
    options: dict[str, Any]
    turn: int = 1
    stage: str = "set_up"
    active: str | None = None
    at: dict[str, str] = field(default_factory=dict)
    reduced: list[str] = field(default_factory=list)
    leaders: dict[str, str] = field(default_factory=dict)
    forts: dict[str, str] = field(default_factory=dict)
    worn: list[str] = field(default_factory=list)
    besieged: dict[str, int] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    earned: list[str] = field(default_factory=list)
    lost_strategic: list[str] = field(default_factory=list)
    vp: dict[str, int] = field(default_factory=dict)
    decks: dict[str, list[str]] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=dict)
    late: dict[str, list[str]] = field(default_factory=dict)
    in_use: dict[str, str] = field(default_factory=dict)
    discards: dict[str, list[str]] = field(default_factory=dict)
    argentina: str = "not_yet"       # not_yet, war, out
    uruguay: str = "blanco"          # blanco, flipped
    capital: str = ""
    capitals_used: int = 0
    shipped: list[str] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    starts: dict[str, str | None] = field(default_factory=dict)
    attacks: dict[str, dict[str, Any]] = field(default_factory=dict)
    fled: dict[str, list[str]] = field(default_factory=dict)
    served: list[str] = field(default_factory=list)
    battle: dict[str, Any] | None = None
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.touched: set[str] = set()
        self.teller = Teller()
        self.here = stacked(self.at, sorted(self.at))
        self.showing: list[str] = []  # the cards whose effects are `shown`, by kind
        self.shown: dict[str, list[tuple[str, dict[str, Any]]]] = {}

    # -- storing -----------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as JSON."""
        return state_of(self)

    @classmethod
    def load(cls, game: Game, state: dict[str, Any]) -> Position:
        """A position from its state. Raises BadPosition for unknown fields or units."""
        check_state(cls, state, game.units)
        if len(state["at"]) != len(game.units):
            raise BadPosition("the units are not those of the game")
        return cls(game, **state)

    def phase(self) -> str:
        return f"{self.turn}.{self.stage}"

    # -- looking -----------------------------------------------------------------------------------------

    def unit(self, unit: str) -> Unit:
        return self.game.units[unit]

    def space(self, space: str) -> Space:
        return self.game.spaces[space]

    def stack(self, loc: str) -> list[str]:
        return self.here.get(loc, [])

    def units_of(self, side: str, space: str) -> list[str]:
        """The units of a side in a space."""
        return [u for u in self.here.get(space, ()) if self.game.units[u].side == side]

    def spaces_of(self, side: str) -> list[str]:
        """The spaces that hold units of a side, sorted."""
        units, spaces = self.game.units, self.game.spaces
        return sorted(loc for loc, stack in self.here.items()
                      if loc in spaces and any(units[u].side == side for u in stack))

    def controller(self, space: str) -> str:
        """11 Who controls a space: a side, or nobody once Argentina is out (14)."""
        return self.control.get(space) or self.game.spaces[space].control

    def owner(self, space: str) -> str:
        """The side of a space's colour, Uruguay's with the side it is on (15)."""
        country = self.game.spaces[space].country
        if country == "uruguay":
            return "allied" if self.uruguay == "flipped" else "paraguayan"
        return "paraguayan" if country == "paraguay" else "allied"

    def factor(self, unit: str) -> int:
        """5 The to-hit factor of the side that is up."""
        u = self.game.units[unit]
        return u.reduced or 0 if unit in self.reduced else u.full

    def fort_at(self, space: str) -> str | None:
        """9 The fortress marker in a space."""
        return next((f for f, s in sorted(self.forts.items()) if s == space), None)

    def leaders_at(self, side: str, loc: str) -> list[str]:
        """6 The leaders of a side at a place."""
        return sorted(x for x, s in self.leaders.items() if s == loc and self.game.leaders[x]["side"] == side)

    def effects(self, op: str) -> list[tuple[str, dict[str, Any]]]:
        """12.1 The effects of that kind on the cards that show, with the side of each card."""
        showing = [self.in_use[side] for side in SIDES]
        if showing != self.showing:
            self.showing, self.shown = showing, {}
            for side, card in zip(SIDES, showing, strict=True):
                for effect in self.game.cards[card]["effects"]:
                    self.shown.setdefault(effect["op"], []).append((side, effect))
        return self.shown.get(op, [])

    def strategic(self, nation: str) -> list[str]:
        """12.2 The spaces that are still strategic for a nation."""
        if nation == "argentina" and self.argentina == "out":
            return []
        return sorted(s.id for s in self.game.spaces.values()
                      if s.strategic and s.country == nation and s.id not in self.lost_strategic)

    # -- changing ----------------------------------------------------------------------------------------

    def touch(self, loc: str) -> None:
        self.touched.add(f"space:{loc}" if loc in self.game.spaces else f"pool:{loc}")

    def put(self, unit: str, loc: str) -> None:
        """Move a unit to a place, without rules."""
        old = shift(self.at, self.here, unit, loc)
        if old is not None:
            self.touch(old)
        self.touch(loc)

    def place_leader(self, leader: str, loc: str) -> None:
        self.touch_leader(self.leaders.get(leader))
        self.leaders[leader] = loc
        self.touch_leader(loc)

    def touch_leader(self, loc: str | None) -> None:
        if loc in self.game.spaces:
            self.touched.add(f"space:{loc}")
        else:
            self.touched |= {f"pool:leaders:{side}" for side in SIDES}

    def step_loss(self, unit: str) -> bool:
        """7 One hit: a full unit turns to its reduced side, any other is gone. True when it is gone."""
        if unit not in self.reduced and self.game.units[unit].reduced is not None:
            self.reduced.append(unit)
            self.touch(self.at[unit])
            return False
        if unit in self.reduced:
            self.reduced.remove(unit)
        self.put(unit, f"dead:{self.game.units[unit].side}")
        return True

    def rest(self) -> None:
        """A new turn: nothing has moved or been shipped."""
        for unit in {*self.steps, *self.shipped}:
            self.touch_leader(self.leaders[unit]) if unit in self.leaders else self.touch(self.at[unit])
        self.shipped, self.steps, self.starts = [], {}, {}

    def score(self, side: str, vp: int) -> None:
        """12.3 Points are marked at once."""
        self.vp[side] += vp
        self.touched.add("table:points")

    def tell(self, event: str, clause: str, side: str | None = None, **data: Any) -> None:
        """Tell an event; see rules.core.events.tell."""
        tell(self, event, clause, side, **data)
