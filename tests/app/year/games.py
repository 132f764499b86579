"""What people do at their games, visit by visit: seal dice, answer, take back, pause, grow late, claim, give time."""

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any, Protocol

from tests.app.year.lives import Lost, Server, deadline
from tests.app.year.people import Person

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SOON = timedelta(minutes=25)
TIRED = 18  # answers of one seat after which a long game is resigned


@dataclass
class Game:
    """`gone`: seats that nobody answers for; `planned`: seats that will visit; `nonces`: their parts of the dice;
    `hashed`, `shown`: who has given its; `asked`: the request that everybody knows of, None when one has to look."""

    id: str
    seats: dict[str, Person]
    event: str | None = None
    gone: set[str] = field(default_factory=set)
    planned: set[str] = field(default_factory=set)
    nonces: dict[str, str] = field(default_factory=dict)
    hashed: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    asked: dict[str, Any] | None = None
    answers: int = 0
    over: bool = False

    def other(self, seat: str) -> str:
        return next(one for one in self.seats if one != seat)


@dataclass
class Sent:
    """An answer as its sender knows it. `status`: what the server said in the end."""

    user: int
    game: str
    seat: str
    answer: dict[str, Any]
    status: int = 0
    tries: int = 0


class Hurry(Protocol):
    @property
    def haste(self) -> float: ...


class Diary(Protocol):
    """When something is to be done."""

    rng: Random
    server: Server

    @property
    def scale(self) -> Hurry: ...

    def later(self, delay: timedelta, what: Any, *args: Any, who: Person | None = None) -> None: ...


class Players:
    """`sent`: every answer that anybody gave, by its key. `did`: how often people did what."""

    def __init__(self, diary: Diary) -> None:
        self.diary, self.rng, self.server, self.haste = diary, diary.rng, diary.server, diary.scale.haste
        self.sent: dict[str, Sent] = {}
        self.did: dict[str, int] = {}

    def chance(self, percent: float) -> bool:
        return self.rng.random() * 100 < percent

    def note(self, what: str) -> None:
        self.did[what] = self.did.get(what, 0) + 1

    # -- when ----------------------------------------------------------------------------------------

    def plan(self, game: Game, seat: str, delay: timedelta | None = None) -> None:
        """A seat will look at its game; unless nobody is there any more, then the other will after a while."""
        if seat in game.planned or game.over:
            return
        if seat not in game.gone and delay is None and self.chance(0.7):
            game.gone.add(seat)
            self.note("vanished")
        if seat in game.gone:
            if len(game.gone) == 1:
                self.plan(game, game.other(seat), timedelta(days=self.rng.uniform(2, 9)))
            return
        game.planned.add(seat)
        who = game.seats[seat]
        if delay is None and self.chance(15):  # both are there
            self.diary.later(timedelta(seconds=10), self.visit, game, seat)
            return
        delay = timedelta(days=self.rng.expovariate(self.haste / who.pace)) if delay is None else delay
        self.diary.later(delay, self.visit, game, seat, who=who)

    def plan_asked(self, game: Game, request: dict[str, Any] | None) -> None:
        if request is None:
            game.over = True
        else:
            for seat in sorted(request["asked"]):
                self.plan(game, seat)

    # -- a visit -------------------------------------------------------------------------------------

    async def visit(self, game: Game, seat: str) -> None:
        game.planned.discard(seat)
        try:
            await self._look(game, seat)
        except Lost:
            self.plan(game, seat, SOON)

    async def _look(self, game: Game, seat: str) -> None:
        who = game.seats[seat]
        if len(game.shown) < 2:
            await self._seal(game, seat)
            return
        if game.asked is not None and self.chance(90) and seat in game.asked["asked"]:
            await self._answer(game, seat, game.asked, self._by_heart(game.asked))
            return
        if who.timing == "visit":
            await self.server.call(who, "POST", "/api/notices/visit", {"game": game.id})
        shown = await self.server.call(who, "GET", f"/api/games/{game.id}/view?seat={seat}")
        if shown.status in (403, 404) or game.over:  # given to a substitute, or ended meanwhile
            return
        view = shown.checked().json()
        card, request = view["card"], view["request"]
        if card["state"] == "finished":
            game.over = True
        elif not await self._talk(game, seat, card):
            if request["mine"]:
                await self._answer(game, seat, request, self._choose(request))
            else:
                await self._wait(game, seat, card)

    async def post(self, game: Game, seat: str, path: str, body: Any = None) -> int:
        """The status; what is refused has happened already, or can no more."""
        answer = await self.server.call(game.seats[seat], "POST", f"/api/games/{game.id}{path}?seat={seat}", body or {})
        if answer.status < 300:
            self.note(path.strip("/"))
        game.asked = None
        return answer.status

    async def _seal(self, game: Game, seat: str) -> None:
        """As the page does by itself: first the hash, and when both are there, what was hashed. Said again after a
        kill it changes nothing."""
        nonce = game.nonces.setdefault(seat, secrets.token_hex(32))
        if seat not in game.hashed:
            await self.post(game, seat, "/dice", {"hash": hashlib.sha256(bytes.fromhex(nonce)).hexdigest()})
            game.hashed.add(seat)
        elif len(game.hashed) == 2 and seat not in game.shown:
            await self.post(game, seat, "/dice", {"nonce": nonce})
            game.shown.add(seat)
        for one in game.seats:
            if len(game.shown) < 2 or one != "blue":  # who knows that red begins
                self.plan(game, one)

    async def _talk(self, game: Game, seat: str, card: dict[str, Any]) -> bool:
        """Whether there was something else to be said first; then the game is looked at again."""
        other = game.other(seat)
        if card["take_back"] and card["take_back"]["seat"] == other:
            await self.post(game, seat, "/take-back/reply", {"yes": self.chance(60)})
        elif card["draw"] == other:
            await self.post(game, seat, "/draw", {"accept" if self.chance(50) else "decline": True})
        elif card["clock_offer"] and card["clock_offer"]["seat"] == other:
            await self.post(game, seat, "/clock/reply", {"yes": self.chance(80)})
        elif card["clock"] and card["clock"]["paused"] and self.chance(60):
            await self.post(game, seat, "/clock/resume")
        else:
            return False
        for one in (seat, other):
            self.plan(game, one)
        return True

    async def _wait(self, game: Game, seat: str, card: dict[str, Any]) -> None:
        """The other side is to move: has it still time?"""
        other = game.other(seat)
        until = deadline(card, other) if other in card["waiting_for"] else None
        if other not in game.gone:
            return
        if until is None and card["clock"] is None and self.chance(30):
            await self.post(game, seat, "/resign")  # even of that people grow tired
            game.over = True
        elif until is None or until > self.server.clock.now:
            wait = until - self.server.clock.now if until else 10 * DAY
            self.plan(game, seat, min(wait, 40 * DAY) + timedelta(days=self.rng.uniform(0, 3)))
        elif self.chance(60):
            game.over = await self.post(game, seat, "/clock/claim") == 204
            self.plan(game, seat, 2 * DAY)
        else:
            if self.chance(50):
                await self.post(game, seat, "/clock/grant", {"hours": self.rng.choice([12, 24, 48, 96])})
            else:
                await self.post(game, seat, "/clock/substitute")
            if self.chance(60):  # it was only a long week
                game.gone.discard(other)
                self.plan(game, other, 2 * DAY)
            self.plan(game, seat, 4 * DAY)

    # -- answers -------------------------------------------------------------------------------------

    async def _answer(self, game: Game, seat: str, request: dict[str, Any], chosen: dict[str, Any]) -> None:
        if await self._something_else(game, seat):
            return
        who, key = game.seats[seat], secrets.token_hex(12)
        sent = self.sent[key] = Sent(who.user, game.id, seat, chosen)
        body = {"seq": request["seq"], "key": key, "answer": sent.answer}
        while not sent.status:
            sent.tries += 1
            try:
                said = await self.server.call(who, "POST", f"/api/games/{game.id}/answers?seat={seat}", body)
                sent.status = said.status
            except Lost:
                continue  # the same again, as the page does
        if sent.status not in (200, 409):
            assert said.json()["error"]["key"] in ("games.finished", "games.not_your_seat", "games.players_only"), (
                said.text
            )
            return
        game.answers += 1
        after = await self._asked_now(game, seat)
        game.asked = after if after is not None and after["prompt"]["key"] in self.BY_HEART else None
        self.plan_asked(game, after)
        if after is not None and sent.status == 200:
            await self._regret(game, seat, after)

    async def _asked_now(self, game: Game, seat: str) -> dict[str, Any] | None:
        while True:
            with suppress(Lost):
                said = await self.server.call(game.seats[seat], "GET", f"/api/games/{game.id}/view?seat={seat}")
                request: dict[str, Any] | None = said.json()["request"]
                return request

    async def _something_else(self, game: Game, seat: str) -> bool:
        if self.chance(4):
            await self.post(game, seat, "/resign")
            game.over = True
        elif self.chance(1):
            await self.post(game, seat, "/draw", {"offer": True})
        elif self.chance(1.5):
            await self.post(game, seat, "/clock/propose", {"what": "pause"})
        elif self.chance(1) and game.event is None:
            pace = self.rng.choice([{"kind": "days", "days": 4, "bank": 2, "increment": 6}, None])
            await self.post(game, seat, "/clock/propose", {"what": "pace", "pace": pace})
        elif self.chance(2):
            await self.post(game, seat, "/chat", {"text": f"good luck {self.rng.random()}"})
        elif game.answers > 2 * TIRED:
            await self.post(game, seat, "/resign")
            game.over = True
        else:
            return False
        for one in (seat, game.other(seat)):
            self.plan(game, one)
        return True

    async def _regret(self, game: Game, seat: str, after: dict[str, Any]) -> None:
        """Answers are taken back, freely or by consent, or withdrawn while the other's is to come."""
        if after["together"] and seat in after["has_answered"] and self.chance(5):
            await self.post(game, seat, "/withdraw")
            self.plan(game, seat)
        elif self.chance(2.5):
            path = f"/api/games/{game.id}/take-back?seat={seat}"
            can = (await self.server.call(game.seats[seat], "GET", path)).json()
            to = can.get("free") or (can.get("consent") or [None])[-1]
            if to is not None:
                await self.post(game, seat, "/take-back", {"to": to})
                for one in game.seats:
                    self.plan(game, one)

    BY_HEART = ("prompt.hide", "prompt.red", "prompt.blue", "prompt.bid")

    def _by_heart(self, asked: dict[str, Any]) -> dict[str, Any]:
        """An answer of one who knows the little game, or has read in a mail what is asked."""
        match asked["prompt"]["key"]:
            case "prompt.hide":
                return {"form": "hide", "placed": {"coin": self.rng.choice(["left", "right"])}}
            case "prompt.red":
                return {"form": "end", "option": self.rng.choice(["roll", "pass"])}
            case "prompt.blue":
                return {"form": "blue", "option": "pass"}
            case _:
                return {"form": "bid", "option": str(self.rng.randrange(1, 4))}

    def _choose(self, request: dict[str, Any]) -> dict[str, Any]:
        """Some answer to what either title asks: what is suggested, the least, or any option."""
        forms = {form["kind"]: form for form in request["forms"]}
        if move := forms.get("move"):
            at = next(iter(move["stacks"]), None)
            if request["forms"][0]["form"] == "move" and at in ("a", "b", "c") and self.chance(15):
                to = self.rng.choice([one for one in "abc" if one != at])
                return {"form": "move", "units": ["red"], "path": [at, to]}
        if place := forms.get("place"):
            placed = place.get("suggested") or {}
            free = {
                unit: self.rng.choice(group["where"]) if len(group["where"]) == 2 else group["where"][0]
                for group in place["groups"]
                if group["must"]
                for unit in group["units"]
                if unit not in placed
            }
            if placed or free:
                boxes = {"boxes": place["suggested_boxes"]} if "suggested_boxes" in place else {}
                return {"form": place["form"], "placed": {**free, **placed}, **boxes}
        if choose := forms.get("choose"):
            few = len(choose["options"]) <= 3
            option = self.rng.choice(choose["options"]) if few else choose["options"][-1]
            return {"form": choose["form"], "option": option["id"]}
        lots = {lot["id"]: sorted(lot["units"], key=lot["last"].__contains__)[: lot["min"]]
                for lot in forms["allocate"]["lots"]}  # fmt: skip
        return {"form": forms["allocate"]["form"], "lots": lots}
