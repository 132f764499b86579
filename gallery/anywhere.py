"""A game of any title and scenario, played by bots to whatever moment is to be seen."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from random import Random

import rules.bots
from app.games import play
from app.games.live import conninfo
from app.games.store import Store
from app.reactions import REACTIONS
from gallery.people import People
from gallery.server import Server
from gallery.table import Table


class Anywhere:
    """The game that a run's --title, --scenario and --answers name. Solano has the first seat; he is the one asked at
    the moment that is shown, if the game is not over before."""

    def __init__(self, people: People, server: Server, title: str, scenario: str | None, answers: int) -> None:
        self.table, self.server, self.title, self.answers = Table(people), server, title, answers
        self.table.people.clear()  # where the first titles' stories have them
        self.scenario, self.seats = self.table.known(title, scenario)

    @cached_property
    def begun(self) -> str:
        """The game at its first question to him."""
        return self._played(0)

    @cached_property
    def played(self) -> str:
        """After so many answers."""
        return self._played(self.answers)

    def _played(self, answers: int) -> str:
        game = self.table.game(self.title, self.seats[0], self.scenario)
        with ThreadPoolExecutor(1) as aside:  # the pictures' own loop runs in this thread
            aside.submit(asyncio.run, self._answer(game, answers)).result()
        return game

    async def _answer(self, game: str, answers: int) -> None:
        store, bot, rng = Store(conninfo(self.server.database), 1, REACTIONS), rules.bots.make("heuristic"), Random(1)
        await store.open()
        try:
            async with store.locked(game) as change:
                while change.row.status == "active" and (answers > 0 or self.seats[0] not in change.row.waiting_for):
                    loaded = await change.loaded()
                    seat = change.row.waiting_for[0]
                    await play.answer(change, seat, change.row.seq, None, bot.answer(loaded.referee, seat, rng), None)
                    answers -= 1
        finally:
            await store.close()
