"""The year itself: a diary of what people will do, gone through in order while the clock is moved on and the server is
killed every week."""

import asyncio
import heapq
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from tests.app.year.games import HOUR, SOON, Game, Players
from tests.app.year.lives import Lost, Server
from tests.app.year.people import Person
from tests.app.year.sinks import Post
from tests.conftest import PASSWORD

log = logging.getLogger(__name__)

START = datetime(2031, 1, 1, tzinfo=UTC)
STEP = timedelta(hours=3)  # people who come within this time come at once
TICK = timedelta(hours=8)  # after which what passes by itself passes
NIGHT = timedelta(hours=4, minutes=18)  # when the housekeeping of the night is due
AT_ONCE = 16  # requests
PACES = (
    None, None, None,
    {"kind": "days", "days": 1, "bank": 5, "increment": 6}, {"kind": "days", "days": 2, "bank": 3, "increment": 0},
    {"kind": "days", "days": 3, "bank": 7, "increment": 12}, {"kind": "days", "days": 3}, {"kind": "days", "days": 5},
    {"kind": "live", "minutes": 6000, "increment": 3600},
)  # fmt: skip
DUEL = {"title": "toy", "scenario": "duel", "seat": "red"}
WAR = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay"}
EVENT = {"board.toy.duel": "on", "rated": "true", "hosts_play": "true", "pace": "days", "pace.days": "2",
         "pace.bank": "4", "pace.hours": "6", "about": "All year."}  # fmt: skip


@dataclass(order=True)
class Note:
    at: datetime
    number: int
    what: Callable[..., Awaitable[None]] = field(compare=False)
    args: tuple[Any, ...] = field(compare=False)


@dataclass(frozen=True)
class Scale:
    """`wars`: games of a large title among them; `haste`: by how much quicker people are than in life."""

    people: int
    games: int
    wars: int
    days: int
    haste: float = 1.0


class Year:
    def __init__(
        self, server: Server, scale: Scale, folk: Sequence[Person], mail: Post, web: Post, rng: Random
    ) -> None:
        self.server, self.scale, self.folk, self.mail, self.web, self.rng = server, scale, folk, mail, web, rng
        self.players = Players(self)
        self.games: dict[str, Game] = {}
        self.events: dict[str, str] = {}
        self.steps = 0
        self._diary: list[Note] = []
        self._numbers = itertools.count()
        self._few = asyncio.Semaphore(AT_ONCE)

    @property
    def end(self) -> datetime:
        return START + timedelta(days=self.scale.days)

    def later(self, delay: timedelta, what: Any, *args: Any, who: Person | None = None) -> None:
        """Something to be done; with `who`, when that person is up."""
        at = self.server.clock.now + delay
        if who is not None and self.rng.random() < 0.9:
            at = who.wakes(at)
        heapq.heappush(self._diary, Note(at, next(self._numbers), what, args))

    # -- going through it ----------------------------------------------------------------------------

    async def run(self) -> None:
        await self.server.start()
        self._fill()
        tick, night = START + TICK, START + NIGHT
        kills = [START + timedelta(days=7 * week, hours=self.rng.uniform(-60, 0))
                 for week in range(1, self.scale.days // 7 + 1)]  # fmt: skip
        while self._diary and self._diary[0].at < self.end:
            upto = self._diary[0].at + STEP
            if min(tick, night) <= upto:
                word, at = ("cron", night) if night <= tick else ("hour", tick)
                tick, night = (tick, night + timedelta(days=1)) if word == "cron" else (tick + TICK, night)
                await self._advance(at)
                await self.server.pass_on(word)
                await self.server.settled()
                if word == "cron":
                    await self._new_games_of_events()
                continue
            now = [heapq.heappop(self._diary)]
            while self._diary and self._diary[0].at <= upto:
                now.append(heapq.heappop(self._diary))
            await self.server.advance(now[-1].at)
            doing = asyncio.gather(*(self._do(note) for note in now))
            if kills and now[-1].at >= kills[0] and len(now) > 2:
                kills.pop(0)
                await self._kill()
            await doing
            await self.server.settled()
            self.steps += 1
        await self._advance(self.end)
        await self.server.pass_on("cron")
        await self.server.settled()
        await self.server.kill()

    async def _advance(self, at: datetime) -> None:
        await self.server.advance(at)
        await self.server.settled()

    async def _do(self, note: Note) -> None:
        async with self._few:
            await note.what(*note.args)

    async def _kill(self) -> None:
        """While people are at it and jobs are being done. A minute later what the dead left is taken up."""
        await asyncio.sleep(self.rng.uniform(0.005, 0.05))
        await self.server.kill()
        await self.server.start()
        await self.server.settled()
        await self.server.advance(self.server.clock.now + timedelta(seconds=65))
        await self.server.pass_on("cron")
        self.server.rescued()
        await self.server.settled()

    # -- what is in it from the start ----------------------------------------------------------------

    def _fill(self) -> None:
        days, rng = self.scale.days, self.rng
        for who in self.folk:
            self.later(timedelta(minutes=rng.uniform(0, 300)), self._arrive, who)
            if rng.random() < 0.3:
                self.later(timedelta(days=rng.uniform(0.3, 0.7) * days), self._move, who, who=who)
        for n in range(self.scale.games):
            war = n < self.scale.wars
            at = rng.uniform(0.3, days * 0.6 if war else days * 0.93)
            self.later(timedelta(days=at), self._offer, WAR if war else DUEL)
        for n in range(days // 40 or 1):
            self.later(timedelta(days=40 * n + rng.uniform(3, 30)), self._mail_down, rng.choice([self.mail, self.web]))
        self.later(timedelta(hours=8), self._found, "ladder")
        self.later(timedelta(hours=8), self._found, "round_robin")
        self.later(timedelta(days=days * 0.4), self._substitute)

    async def _arrive(self, who: Person) -> None:
        """Signs up and says how and when."""
        try:
            new = {"name": who.name, "mail": who.mail, "password": PASSWORD}
            made = await self.server.call(who, "POST", "/api/account", new)
            assert made.status in (201, 409), made.text
            if made.status == 409:
                await self.server.call(who, "POST", "/api/session", {"name": who.name, "password": PASSWORD})
            call = self.server.call
            (await call(who, "PUT", "/api/account/calendar", who.calendar)).checked()
            wishes = (await call(who, "GET", "/api/account/notifications")).json()
            wishes |= {"timing": who.timing, "zone": who.zone, "hour": self.rng.randrange(24)}
            (await call(who, "PUT", "/api/account/notifications", wishes)).checked()
            if who.service:
                address = {"address": f"json://127.0.0.1:{self.web.port}/{who.number}"}
                made = (await call(who, "POST", "/api/account/channels", address)).checked()
                role = {"role": who.service}
                await call(who, "PUT", f"/api/account/channels/{made.json()['id']}", role)
            found = await self.server.rows(
                "update users set mail = coalesce(mail_wish, mail), mail_wish = null where name = %s returning id",
                (who.name,))  # fmt: skip
            who.user = found[0]["id"]
        except Lost:
            self.later(SOON, self._arrive, who)
            return
        for first, last in who.away:
            eve = datetime.combine(first, datetime.min.time(), UTC) - timedelta(days=self.rng.uniform(0.5, 9))
            self.later(max(eve - self.server.clock.now, HOUR), self._go_away, who, first, last)

    async def _go_away(self, who: Person, first: date, last: date) -> None:
        try:
            days = {"first_day": first.isoformat(), "last_day": last.isoformat()}
            gone = await self.server.call(who, "POST", "/api/account/vacations", days)
            assert gone.status in (201, 409), gone.text  # it had been noted before the server died
            if self.rng.random() < 0.15:  # back early
                back = datetime.combine(last, datetime.min.time(), UTC) - self.server.clock.now
                self.later(back, self._come_back, who)
        except Lost:
            self.later(SOON, self._go_away, who, first, last)

    async def _come_back(self, who: Person) -> None:
        try:
            calendar = (await self.server.call(who, "GET", "/api/account/calendar")).json()
            for one in calendar["away"][:1]:
                await self.server.call(who, "DELETE", f"/api/account/vacations/{one['id']}")
        except Lost:
            self.later(SOON, self._come_back, who)

    async def _move(self, who: Person) -> None:
        """To another zone and other hours."""
        try:
            hours = self.rng.choice(self.folk).calendar
            (await self.server.call(who, "PUT", "/api/account/calendar", hours)).checked()
        except Lost:
            self.later(SOON, self._move, who)

    async def _mail_down(self, post: Post) -> None:
        async def mended() -> None:
            post.away = False

        post.away = True
        self.later(timedelta(hours=self.rng.uniform(3, 30)), mended)

    # -- games ---------------------------------------------------------------------------------------

    async def _offer(self, wish: dict[str, Any]) -> None:
        maker, other = self.rng.sample(list(self.folk), 2)
        try:
            made = await self.server.call(maker, "POST", "/api/games", {**wish, "pace": self.rng.choice(PACES)})
        except Lost:
            self.later(SOON, self._offer, wish)
            return
        card = made.checked().json()
        (free,) = (seat for seat, who in card["seats"].items() if who["name"] is None)
        game = self.games[card["id"]] = Game(card["id"], {wish["seat"]: maker, free: other})
        self.later(timedelta(days=self.rng.expovariate(2)), self._join, game, free, who=other)

    async def _join(self, game: Game, seat: str) -> None:
        try:
            joined = await self.server.call(game.seats[seat], "POST", f"/api/games/{game.id}/join", {"seat": seat})
            assert joined.status in (200, 409), joined.text
        except Lost:
            self.later(SOON, self._join, game, seat)
            return
        for one in game.seats:
            self.players.plan(game, one, timedelta(hours=self.rng.uniform(0, 30)))

    # -- events --------------------------------------------------------------------------------------

    async def _found(self, kind: str) -> None:
        """An event over the whole year, directed by the first."""
        director, field_ = self.folk[0], self.rng.sample(list(self.folk[1:]), min(12, len(self.folk) // 2))
        form = {**EVENT, "name": f"The {kind} {len(self.events)}", "format": kind, "reach": "4",
                "event_days": str(self.scale.days - 4), "round_days": "30"}  # fmt: skip
        try:
            made = await self.server.call(director, "POST", "/events", form=form)
            event = made.headers["location"].rsplit("/", 1)[-1]
            for who in field_ if kind == "ladder" else field_[:8]:
                await self.server.call(who, "POST", f"/api/events/{event}/enter", {})
            await self.server.call(director, "POST", f"/events/{event}/start", form={})
        except Lost:
            self.later(SOON, self._found, kind)
            return
        self.events[kind] = event
        if kind == "ladder":
            for day in range(2, self.scale.days - 14, 4):
                self.later(timedelta(days=day), self._challenge, event)

    async def _challenge(self, event: str) -> None:
        ladder = await self.server.rows(
            "select id, user_id from entrants where event_id = %s and state = 'in' order by rung", (event,)
        )
        by = self.rng.randrange(1, len(ladder))
        who = next(one for one in self.folk if one.user == ladder[by]["user_id"])
        above = ladder[self.rng.randrange(max(0, by - 4), by)]["id"]
        try:
            await self.server.call(who, "POST", f"/events/{event}/challenge", form={"entrant": str(above)})
        except Lost:
            self.later(SOON, self._challenge, event)

    async def _substitute(self) -> None:
        """In the round robin somebody else takes a place, with its running games."""
        event = self.events["round_robin"]
        places = await self.server.rows(
            "select id, user_id from entrants where event_id = %s and state = 'in'", (event,)
        )
        place = self.rng.choice(places)
        taken = {one["user_id"] for one in places}
        new = next(who for who in self.folk[1:] if who.user and who.user not in taken)
        form = {"entrant": str(place["id"]), "name": new.name, "reason": "moved house"}
        try:
            await self.server.call(self.folk[0], "POST", f"/events/{event}/substitute", form=form)
        except Lost:
            self.later(SOON, self._substitute)
            return
        for game in self.games.values():
            for seat, who in game.seats.items():
                if game.event == event and not game.over and who.user == place["user_id"]:
                    game.seats[seat] = new
                    game.gone.discard(seat)
                    self.players.plan(game, seat, timedelta(days=1))

    async def _new_games_of_events(self) -> None:
        rows = await self.server.rows("""select p.event_id, p.game_id, s.seat, s.user_id from pairings p
            join seats s on s.game_id = p.game_id where p.state = 'playing' order by p.id, s.seat""")  # fmt: skip
        by_user = {who.user: who for who in self.folk}
        for game_id, seats in itertools.groupby(rows, lambda row: row["game_id"]):
            if game_id not in self.games:
                held = list(seats)
                game = Game(game_id, {row["seat"]: by_user[row["user_id"]] for row in held}, held[0]["event_id"])
                self.games[game_id] = game
                for seat in game.seats:
                    self.players.plan(game, seat, timedelta(hours=self.rng.uniform(1, 30)))
