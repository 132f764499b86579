"""Two people at games of a served house: made over HTTP, played over websockets from a script."""

import asyncio
import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import httpx
import psycopg
from websockets.asyncio.client import ClientConnection, connect

from bench import titled
from bench.scripts import Line, script
from bench.site import Served
from rules.core.chance import Chance, seal

NONCES = ("11" * 32, "22" * 32)
PATIENCE = 30.0  # seconds
TOLD, REPLY = '{"type":"told"', '{"type":"answer"'
_numbers = itertools.count()


class People:
    """Two accounts and their browsers' sessions, at an address of their own: one may not make many accounts."""

    def __init__(self, served: Served) -> None:
        self.served = served
        number = next(_numbers)
        home = f"127.0.{number // 250}.{2 + number % 250}"
        self.browsers = [
            httpx.Client(base_url=served.http, timeout=300, transport=httpx.HTTPTransport(local_address=home))
            for _ in NONCES
        ]
        for browser, name in zip(self.browsers, ("Ana", "Bea"), strict=True):
            body = {"name": f"{name}{number}", "password": "correct horse battery"}
            browser.post("/api/account", json=body).raise_for_status()

    @property
    def seats(self) -> tuple[str, ...]:
        return titled.seats()

    def new_game(self, seed: int, answers: int) -> "Game":
        """A game with sealed dice, and its first answers to come."""
        ana, bea = self.browsers
        wish = {"title": titled.chosen(), "scenario": titled.scenario().id, "seat": self.seats[0]}
        made = ana.post("/api/games", json=wish).raise_for_status().json()
        at = f"/api/games/{made['id']}"
        bea.post(f"{at}/join", json={"seat": self.seats[1]}).raise_for_status()
        for browser, nonce in zip(self.browsers, NONCES, strict=True):
            digest = hashlib.sha256(bytes.fromhex(nonce)).hexdigest()
            browser.post(f"{at}/dice", json={"hash": digest}).raise_for_status()
        for browser, nonce in zip(self.browsers, NONCES, strict=True):
            browser.post(f"{at}/dice", json={"nonce": nonce}).raise_for_status()
        with psycopg.connect(self.served.database) as conn:
            seed_row = conn.execute("select dice_seed from games where id = %s", (made["id"],)).fetchone()
        assert seed_row is not None
        dice = Chance(seal(seed_row[0], [bytes.fromhex(nonce) for nonce in NONCES]))
        return Game(self, made["id"], script(dice, seed, answers))

    def cookie(self, number: int) -> str:
        return f"session={self.browsers[number].cookies['session']}"


@dataclass
class Game:
    """A game, its answers to come, and the open lines of its seats."""

    people: People
    id: str
    lines: list[Line]

    def __post_init__(self) -> None:
        self.sockets: dict[str, ClientConnection] = {}
        self.given = 0

    async def connect(self, at: Sequence[Served] = ()) -> "Game":
        """Opens both seats' lines, in turn at the servers of `at` when the house has several."""
        for number, seat in enumerate(self.people.seats):
            served = at[number % len(at)] if at else self.people.served
            self.sockets[seat] = await connect(
                f"{served.ws}/api/games/{self.id}/socket?seat={seat}",
                additional_headers={"Cookie": self.people.cookie(number)},
            )
            await self.sockets[seat].recv()  # its view: from now on it gets all news
        return self

    async def close(self) -> None:
        for socket in self.sockets.values():
            await socket.close()

    @property
    def over(self) -> bool:
        return self.given >= len(self.lines)

    async def answer(self) -> tuple[float, int]:
        """Gives the next answer, as a page does: seconds until the opponent has the news, and their length. The game
        goes on when the own side has the reply, which comes after its news."""
        line = self.lines[self.given]
        self.given += 1
        own = self.sockets[line.seat]
        other = next(socket for seat, socket in self.sockets.items() if seat != line.seat)
        said = {"seq": line.seq, "key": f"{self.id}-{self.given}", "answer": line.answer}
        body = {"type": "answer", "n": self.given, **said}
        text = titled.encode(body)
        clock = asyncio.get_running_loop().time
        began = clock()
        await own.send(text, text=True)
        try:
            async with asyncio.timeout(PATIENCE):
                news = await _news(other)
        except TimeoutError:
            await _news(own)  # says why, if the answer was refused
            raise
        spent = clock() - began
        await _news(own, REPLY)
        return spent, len(news)


async def _news(socket: ClientConnection, kind: str = TOLD) -> str:
    """The next message about the record, or of another kind; others are passed over."""
    while True:
        message = await socket.recv(decode=True)
        if message.startswith(kind):
            return message
        assert not message.startswith('{"type":"refused"'), message


class Relayed:
    """Two sockets at the relay."""

    def __init__(self, served: Served, game: int, size: int) -> None:
        self.served, self.game, self.message = served, game, "x" * size
        self.sockets: list[ClientConnection] = []

    async def connect(self) -> "Relayed":
        self.sockets = [await connect(f"{self.served.ws}/relay/{self.game}/{seat}") for seat in (0, 1)]
        return self

    async def close(self) -> None:
        for socket in self.sockets:
            await socket.close()

    async def pass_on(self) -> float:
        """Seconds for one message to get through."""
        clock = asyncio.get_running_loop().time
        began = clock()
        await self.sockets[0].send(self.message)
        await self.sockets[1].recv(decode=True)
        return clock() - began
