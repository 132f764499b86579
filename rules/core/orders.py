"""Standing orders: small decisions that a title lets a player leave with the server while he is away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Answer
from rules.core.request import Request

View = Mapping[str, Any]
Settings = Mapping[str, Any]
Follow = Callable[[Any, View, Request, Settings], "Answer | None"]


@dataclass(frozen=True, slots=True)
class Order:
    """One kind of order. `name` is a catalogue key (order.NAME); `prompts` are the requests it answers; `settings`
    are the values to choose from, the first being suggested. `follow(game, view, request, settings)` sees the
    view of the seat's side, its request and what the game is played with, nothing else; None leaves the decision to
    the player."""

    name: str
    clause: str
    prompts: tuple[str, ...]
    follow: Follow
    settings: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def answer(self, game: Any, view: View, request: Request, settings: Settings) -> Answer | None:
        """A legal answer, or None: also when what was ordered is not allowed now."""
        if request.prompt not in self.prompts:
            return None
        said = self.follow(game, view, request, settings)
        if said is None:
            return None
        try:
            return request.check(said)
        except Refusal:
            return None


def place(view: View, request: Request) -> str | None:
    """Where the decision is about: the space of the request, or of the battle that is fought."""
    at = request.args.get("at")
    if at is None and view.get("battle"):
        at = view["battle"]["target"]
    return None if at is None else str(at)
