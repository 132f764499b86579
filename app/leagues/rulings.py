"""What directors decide about games, and what players ask them to decide. Reasons are for all to read."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import repository as accounts
from app.accounts.models import User
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.leagues import boards, course, notices, repository
from app.leagues.models import Claim, Pairing
from app.leagues.settings import ROUNDLESS
from app.leagues.sides import other_seat
from app.leagues.whole import LEFT, Whole, load

Ruling = Literal["first", "second", "draw", "none", "void", "late_first", "late_second"]
RULINGS: tuple[Ruling, ...] = get_args(Ruling)
Wish = Literal["win", "draw", "loss", "other"]


async def _directed(session: AsyncSession, user: User, event_id: str, pairing_id: int,
                    reason: str) -> tuple[Whole, Pairing]:
    whole = await load(session, event_id, lock=True)
    pairing = whole.pairing(pairing_id)
    whole.direct(user, pairing)
    if whole.event.state != "running":
        raise Conflict("leagues.not_running")
    if not reason:
        raise Refused("leagues.no_reason")
    return whole, pairing


async def rule(session: AsyncSession, user: User, event_id: str, pairing_id: int, ruling: Ruling,
               reason: str) -> None:
    """Ends a game by a director's word, or decides anew over one that is finished, as long as nothing has been paired
    on its result. `late_first`, `late_second`: lost on time. Claims on it are answered with it. Raises Refused."""
    whole, pairing = await _directed(session, user, event_id, pairing_id, reason)
    if pairing.second_id is None:
        raise Refused("leagues.nobody_there")
    if _settled(whole, pairing):
        raise Conflict("leagues.paired_since")
    first, second = pairing.first_seat, other_seat(pairing, pairing.first_seat)
    late = {"late_first": first, "late_second": second}.get(ruling)
    if late is not None:
        if pairing.state != "playing" or pairing.game_id is None:
            raise Conflict("games.finished")
        await boards.lose_on_time(session, pairing.game_id, late, user.id)
    elif pairing.state == "playing" and pairing.game_id is not None:
        key = {"none": "result.both_lost", "void": "result.annulled"}.get(ruling, "result.director_ruled")
        winner = {"first": first, "second": second}.get(ruling)
        await boards.end_game(session, pairing.game_id, winner, key)
    else:
        boards.decide(whole, pairing, ruling, "adjudicated" if ruling != "void" else "annulled")
    for claim in await repository.claims(session, event_id):
        if claim.pairing_id == pairing_id and claim.answered_at is None:
            claim.answered_at = whole.now
    whole.tell("ruled", user.id, pairing, reason, ruling=ruling)
    await notices.answered(whole, pairing, user.id, "ruled")
    await whole.reload()
    await course.advance(whole)


def _settled(whole: Whole, pairing: Pairing) -> bool:
    """Whether later rounds were paired on a result."""
    later = any(one.number > pairing.round for one in whole.rounds)
    return later and whole.event.format in ("swiss", "knock_out", "ladder") and pairing.state == "done"


async def postpone(session: AsyncSession, user: User, event_id: str, pairing_id: int, to: datetime,
                   reason: str) -> None:
    """A later date by which a game should be over; its round stays open for it. Raises Refused."""
    whole, pairing = await _directed(session, user, event_id, pairing_id, reason)
    if pairing.state == "done":
        raise Conflict("games.finished")
    if to <= whole.now:
        raise Refused("leagues.past")
    pairing.postponed_to = to
    whole.tell("postponed", user.id, pairing, reason, to=to.isoformat())
    await notices.answered(whole, pairing, user.id, "postponed")


async def pair_by_hand(session: AsyncSession, user: User, event_id: str, first_id: int, second_id: int,
                       reason: str) -> None:
    """A director puts two together, in the newest open round (ladder, arena: in a new one); both have to be free there.
    Raises Refused."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    first, second = whole.entrant(first_id), whole.entrant(second_id)
    if first is second or {first.state, second.state} != {"in"}:
        raise Refused("leagues.bad_pair")
    if not reason:
        raise Refused("leagues.no_reason")
    if frozenset((first.id, second.id)) in await whole.apart():
        raise Refused("leagues.kept_apart")
    open_rounds = [one.number for one in whole.rounds if one.closed_at is None]
    if whole.event.state != "running" or (not open_rounds and whole.event.format not in ROUNDLESS):
        raise Conflict("leagues.not_running")
    if whole.event.format in ROUNDLESS:
        number = max((one.number for one in whole.rounds), default=0) + 1
    else:
        number = max(open_rounds)
    busy = {who for one in whole.in_round(number) if one.outcome not in ("void", "bye")
            for who in (one.first_id, one.second_id)}  # fmt: skip
    if first.id in busy or second.id in busy or whole.open_of(first) or whole.open_of(second):
        raise Refused("leagues.busy")
    for one in whole.in_round(number):
        if one.outcome == "bye" and one.first_id in (first.id, second.id):
            one.outcome = "void"
    pairing = await course.add_board(whole, number, (first.id, second.id))
    whole.tell("paired", user.id, pairing, reason)
    await course.advance(whole)


# -- claims --------------------------------------------------------------------------------------------------


async def claim(session: AsyncSession, user: User, event_id: str, pairing_id: int, wish: Wish, points: int | None,
                seq: int | None, text: str) -> None:
    """A player asks for a ruling; `seq` is the entry of the record whose position shows it. Raises Refused."""
    whole = await load(session, event_id)
    pairing, entrant = whole.pairing(pairing_id), whole.of_user(user.id)
    if entrant is None or entrant.id not in (pairing.first_id, pairing.second_id):
        raise NotAllowed("games.players_only")
    if pairing.state == "done" and _settled(whole, pairing):
        raise Conflict("leagues.paired_since")
    if any(one.pairing_id == pairing_id and one.entrant_id == entrant.id and one.answered_at is None
           for one in await repository.claims(session, event_id)):  # fmt: skip
        raise Conflict("leagues.claimed_already")
    session.add(Claim(pairing_id=pairing_id, entrant_id=entrant.id, wish=wish, points=points, seq=seq, text=text))
    whole.tell("claimed", user.id, pairing, text, wish=wish)
    await notices.claimed(whole, pairing, user.id, course.draw_name(entrant))


async def dismiss(session: AsyncSession, user: User, event_id: str, claim_id: int, reason: str) -> None:
    """The game goes on. Raises Refused, NotFound."""
    found = next((one for one in await repository.claims(session, event_id) if one.id == claim_id), None)
    if found is None or found.answered_at is not None:
        raise NotFound("leagues.no_claim")
    whole, pairing = await _directed(session, user, event_id, found.pairing_id, reason)
    found.answered_at = whole.now
    whole.tell("dismissed", user.id, pairing, reason)
    await notices.answered(whole, pairing, user.id, "dismissed")


# -- substitutes -----------------------------------------------------------------------------------------------


async def substitute(session: AsyncSession, user: User, event_id: str, entrant_id: int, name: str,
                     reason: str) -> None:
    """Somebody else takes a place in the event with its results, its running games and all that are to come. One who
    waits or stands by is taken off that list. Raises Refused, NotAllowed."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    place, new = whole.entrant(entrant_id), await accounts.user_by_name(session, name)
    if whole.event.state != "running":
        raise Conflict("leagues.not_running")
    if not reason:
        raise Refused("leagues.no_reason")
    if new is None:
        raise Refused("leagues.no_user", name=name)
    if new.is_admin and not whole.settings.hosts_play:
        raise NotAllowed("leagues.no_hosts")
    if place.state not in ("in", *LEFT):
        raise Refused("leagues.not_in")
    known = whole.of_user(new.id)
    if known is not None and known.state not in ("waiting", "reserve"):
        raise Refused("leagues.in_already")
    old_name, games = course.draw_name(place), whole.open_of(place)
    keeps_notes = place.gives_notes
    if known is not None:
        await session.delete(known)
        await session.flush()
    for pairing in games:
        if pairing.state == "playing":
            await boards.hand_over(whole, pairing, place, new.id, keeps_notes)
    place.user_id, place.bot, place.state = new.id, None, "in"
    place.left_at, place.gives_notes = None, False
    if whole.event.format == "ladder" and place.rung is None:
        place.rung = len(course.rungs(whole)) + 1
    whole.tell("substituted", user.id, None, reason, old=old_name, new=new.name, place=place.id, notes=keeps_notes)
    await whole.reload()
    await notices.seated(whole, place, old_name, new.name, user.id)
    await course.advance(whole)
