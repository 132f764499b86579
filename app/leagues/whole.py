"""An event with all that belongs to it, in hand: who is in, what was decided, how it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import repository as accounts
from app.accounts.models import User
from app.errors import NotAllowed, NotFound
from app.leagues import repository
from app.leagues.blocks import blocked
from app.leagues.models import Act, Entrant, Event, League, Pairing, Round
from app.leagues.pairing import Apart, apart
from app.leagues.pairing.swiss import Player
from app.leagues.settings import EventSettings
from app.leagues.sides import seats_of
from app.leagues.standings import withdrawals
from app.leagues.standings.results import Meeting, without
from app.leagues.standings.table import Row, table

LEFT = ("withdrawn", "removed")


@dataclass
class Whole:
    """An event, read once; `reload` after games were changed under it."""

    session: AsyncSession
    event: Event
    settings: EventSettings
    league: League | None
    directors: dict[int, User]
    entrants: Sequence[Entrant]
    rounds: Sequence[Round]
    pairings: Sequence[Pairing]
    now: datetime
    _known: Sequence[Entrant] | None = None  # those of `_by_id`
    _by_id: dict[int, Entrant] = field(default_factory=dict)

    async def reload(self) -> None:
        await self.session.flush()
        self.entrants = await repository.entrants(self.session, self.event.id)
        self.rounds = await repository.rounds(self.session, self.event.id)
        self.pairings = await repository.pairings(self.session, self.event.id)

    # -- who ---------------------------------------------------------------------------------------------

    def entrant(self, entrant_id: int) -> Entrant:
        """Raises NotFound."""
        if self._known is not self.entrants:
            self._known, self._by_id = self.entrants, {one.id: one for one in self.entrants}
        found = self._by_id.get(entrant_id)
        if found is None:
            raise NotFound("leagues.no_entrant")
        return found

    def of_user(self, user_id: int | None) -> Entrant | None:
        return next((one for one in self.entrants if user_id is not None and one.user_id == user_id), None)

    def in_state(self, *states: str) -> list[Entrant]:
        return [one for one in self.entrants if one.state in states]

    @property
    def playing(self) -> list[Entrant]:
        """Who is in now, in the order of the draw (before it: of entering)."""
        return self.in_state("in")

    @property
    def field(self) -> list[Entrant]:
        """Who is or was in, in the order of the draw."""
        return self.in_state("in", *LEFT)

    def may_direct(self, user: User | None) -> bool:
        return user is not None and (user.is_admin or user.id in self.directors)

    def direct(self, user: User, pairing: Pairing | None = None) -> None:
        """Raises NotAllowed for one who is no director, or who would rule on a game of their own."""
        if not self.may_direct(user):
            raise NotAllowed("leagues.directors_only")
        mine = self.of_user(user.id)
        if pairing is not None and mine is not None and mine.id in (pairing.first_id, pairing.second_id):
            raise NotAllowed("leagues.own_board")

    # -- what was decided --------------------------------------------------------------------------------

    def pairing(self, pairing_id: int) -> Pairing:
        """Raises NotFound."""
        found = next((one for one in self.pairings if one.id == pairing_id), None)
        if found is None:
            raise NotFound("leagues.no_pairing")
        return found

    def in_round(self, number: int) -> list[Pairing]:
        return [one for one in self.pairings if one.round == number]

    def open_of(self, entrant: Entrant) -> list[Pairing]:
        """What an entrant has still to play in open rounds."""
        open_rounds = {one.number for one in self.rounds if one.closed_at is None}
        return [one for one in self.pairings if one.state != "done" and one.round in open_rounds
                and entrant.id in (one.first_id, one.second_id)]  # fmt: skip

    def annulled(self) -> frozenset[int]:
        """Whose results count for nobody: in a round robin, of those who left, by the event's rule."""
        if self.event.format != "round_robin":
            return frozenset()
        played: dict[int, int] = {}
        for one in self.pairings:
            if one.state == "done" and one.game_id is not None and one.how != "withdrawn":
                for who in (one.first_id, one.second_id):
                    if who is not None:
                        played[who] = played.get(who, 0) + 1
        due = (len(self.field) - 1) * (2 if self.settings.double else 1)
        left = [one.id for one in self.in_state(*LEFT)]
        return withdrawals.annulled(left, played, due, self.settings.withdrawals)

    def meetings(self) -> list[Meeting]:
        """What counts in the table."""
        decided = [meeting(one) for one in self.pairings if one.state == "done" and not self._free_day(one)]
        return without(decided, self.annulled())

    def _free_day(self, pairing: Pairing) -> bool:
        """The bye of a round robin with an odd number, which everybody has: no points."""
        return pairing.outcome == "bye" and self.event.format == "round_robin"

    def table(self) -> list[Row]:
        """How it stands, the best first. A ladder goes by rungs, a knock-out by how far somebody came."""
        order = [one.id for one in self.field]
        rows = table(order, self.meetings(), self.settings.breaks(self.event.format), self.settings.scoring)
        if self.event.format == "ladder":
            rung = {one.id: one.rung if one.rung is not None else len(order) for one in self.field}
            rows.sort(key=lambda row: rung[row.entrant])
            ranks = [rung[row.entrant] for row in rows]
        elif self.event.format == "knock_out":
            came = self.progress()
            rows.sort(key=lambda row: -came[row.entrant])
            ranks = [-came[row.entrant] for row in rows]
        else:
            return rows
        for row, value in zip(rows, ranks, strict=True):
            row.rank = ranks.index(value) + 1
        return rows

    def progress(self) -> dict[int, int]:
        """How far each came in a knock-out: twice the last round of its main branch, one more for a winner; the winner
        of the match for third place stands before its loser."""
        came = dict.fromkeys((one.id for one in self.field), 0)
        for one in self.pairings:
            for who in (one.first_id, one.second_id):
                if who is not None and one.branch == "main":
                    came[who] = max(came[who], 2 * one.round)
        for one in self.pairings:
            winner = self.through(one) if one.state == "done" else None
            if winner is not None and one.branch == "third":
                came[winner] = 2 * (one.round - 1) + 1
            elif winner is not None and came[winner] == 2 * one.round:
                came[winner] += 1
        return came

    def through(self, pairing: Pairing) -> int | None:
        """Who goes on from a board of a knock-out: the winner; after a draw or an annulled game the better seed,
        unless it has left; nobody when both lost."""
        if pairing.outcome == "none":
            return None
        if pairing.outcome in ("first", "bye"):
            return pairing.first_id
        if pairing.outcome == "second":
            return pairing.second_id
        pair = [self.entrant(one) for one in (pairing.first_id, pairing.second_id) if one is not None]
        pair.sort(key=lambda one: (one.state in LEFT, one.seed or 0))
        return pair[0].id

    def players(self, entrants: Iterable[Entrant]) -> list[Player]:
        """Entrants as the pairing systems see them, in the order of the standings."""
        rank = {row.entrant: place for place, row in enumerate(self.table())}
        points = {row.entrant: row.points for row in self.table()}
        return [self._player(one.id, points[one.id]) for one in sorted(entrants, key=lambda one: rank[one.id])]

    def _player(self, entrant: int, points: int) -> Player:
        mine = [one for one in self.pairings if entrant in (one.first_id, one.second_id)]
        met = frozenset(who for one in mine for who in (one.first_id, one.second_id)
                        if who is not None and who != entrant and one.how != "apart")  # fmt: skip
        sides = tuple(self._side(one, entrant) for one in mine if one.game_id is not None)
        return Player(entrant, points, met, sides, sum(one.outcome == "bye" for one in mine))

    def _side(self, pairing: Pairing, entrant: int) -> int:
        """+1 when an entrant had the title's first seat: pairings name it for their first."""
        has_first_seat = pairing.first_seat == seats_of(pairing)[0]
        return 1 if has_first_seat == (entrant == pairing.first_id) else -1

    async def apart(self) -> Apart:
        """Who is not to meet, since one has blocked the other."""
        by_user = {one.user_id: one.id for one in self.entrants if one.user_id is not None}
        pairs = await blocked(self.session, list(by_user))
        return apart([(by_user[one], by_user[two]) for one, two in pairs])

    # -- the public record of directing --------------------------------------------------------------------

    def tell(self, kind: str, by: int | None = None, pairing: Pairing | None = None, reason: str = "",
             **args: object) -> None:
        """Notes an act for all to read."""
        self.session.add(Act(event_id=self.event.id, pairing_id=pairing.id if pairing else None, by_user=by, kind=kind,
                             args=args, reason=reason))  # fmt: skip


def meeting(pairing: Pairing) -> Meeting:
    """A decided pairing as the standings see it."""
    return Meeting(pairing.first_id, pairing.second_id, pairing.outcome, pairing.round,  # type: ignore[arg-type]
                   pairing.game_id is not None, pairing.lead)  # fmt: skip


async def load(session: AsyncSession, event_id: str, lock: bool = False) -> Whole:
    """Raises NotFound."""
    event = await repository.event(session, event_id, lock)
    if event is None:
        raise NotFound("leagues.no_event")
    return await of(session, event)


async def of(session: AsyncSession, event: Event) -> Whole:
    league = await repository.league_of(session, event)
    directors = await repository.directors(session, league.id if league else None, event.id)
    return Whole(
        session, event, EventSettings.model_validate(event.settings), league,
        {one.user_id: one.user for one in directors}, await repository.entrants(session, event.id),
        await repository.rounds(session, event.id), await repository.pairings(session, event.id),
        await accounts.now(session),
    )  # fmt: skip
