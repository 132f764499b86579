"""Bots at the table: they answer for their seats as a person would, seeing only their own view and request."""

import asyncio
import contextlib
import logging
from random import SystemRandom

import rules.bots
from app.errors import Refused
from app.games import play, repository
from app.games.change import Change
from app.games.reactions import Reaction
from app.games.store import Store
from rules.core.forms import Answer
from rules.core.referee import Referee

log = logging.getLogger(__name__)

FALLBACK = "random"


class WakeBots(Reaction):
    """The processes that have bots hear of it when it is committed."""

    name, moves = "bots", False

    def concerns(self, change: Change) -> bool:
        """A bot has to answer, and this process has none: a worker, say, has changed the game."""
        row, served = change.row, change.store is not None and change.store.has_bots
        return not served and row.status == "active" and any(row.seats[seat]["bot"] for seat in row.waiting_for)

    async def react(self, change: Change) -> None:
        await change.notify("b")


class Bots:
    """Answers for bot seats, one task a game, with `pause` seconds before each answer so that a person can follow."""

    def __init__(self, store: Store, pause: float) -> None:
        self.store, self.pause = store, pause
        store.has_bots = True
        self._games: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    async def wake_all(self) -> None:
        """For games that waited for a bot when the last process ended."""
        async with self.store.pool.connection() as conn:
            for game_id in await repository.games_waiting_on_bots(conn):
                self.wake(game_id)

    def wake(self, game_id: str) -> None:
        """A bot may have to answer in this game."""
        if game_id in self._games:
            self._again.add(game_id)
        else:
            self._games[game_id] = asyncio.create_task(self._play(game_id))

    async def close(self) -> None:
        tasks = list(self._games.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, game_id: str) -> None:
        try:
            while await self._answer_once(game_id) or game_id in self._again:
                self._again.discard(game_id)
        except Refused as refused:
            log.warning("a bot cannot go on in game %s: %s", game_id, refused)
        except Exception:
            log.exception("a bot failed in game %s", game_id)
        finally:
            del self._games[game_id]
            self._again.discard(game_id)

    async def _answer_once(self, game_id: str) -> bool:
        """Gives one answer of one bot; False when none is asked. While it thinks nothing else changes the game in
        this process; what changes elsewhere makes its answer stale, and it thinks again."""
        await asyncio.sleep(self.pause)
        async with self.store.lock(game_id):
            row, loaded = await self.store.look_locked(game_id)
            seat = next((s for s in row.waiting_for if row.seats[s]["bot"]), None)
            if seat is None or row.status != "active":
                return False
            answer = await asyncio.to_thread(self._think, row.seats[seat]["bot"], loaded.referee, seat)
        with contextlib.suppress(play.Stale):
            await self.store.perform(game_id, lambda change: play.answer(change, seat, row.seq, None, answer, None))
        return True

    @staticmethod
    def _think(name: str, referee: Referee, seat: str) -> Answer:
        """A legal answer; of another bot when this one has none, so that nobody is kept waiting by a faulty one."""
        try:
            return referee.pending[seat].check(rules.bots.make(name).answer(referee, seat, SystemRandom()))
        except Exception:
            log.exception("bot %s has no answer to %s", name, referee.pending[seat].prompt)
            return rules.bots.make(FALLBACK).answer(referee, seat, SystemRandom())
