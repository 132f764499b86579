"""Invitations by name to a game that has not begun; and, for one that was taken in from a file, the question whether it
was oneself who played a seat. Until an account says so its players are names."""

from collections.abc import Collection

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import repository as accounts
from app.accounts.models import User
from app.community import repository, service
from app.community.models import Invitation
from app.community.schemas import InvitationCard, Invited
from app.db import driver
from app.errors import Conflict, NotFound
from app.games.access import seats_of
from app.games.models import Game
from app.games.repository import Conn, lock, name_seat, set_seat
from app.notifications.service import tell

MOST = 20  # to one game


def join_link(game: Game) -> str:
    return f"/games/{game.id}/join?t={game.join_token}"


async def invite(session: AsyncSession, me: User, game_id: str, name: str) -> None:
    """Asks somebody to a game one sits at. Once more when it was declined changes nothing. Raises NotFound, NotAllowed,
    Conflict, Refused."""
    game = await repository.game(session, game_id)
    if game is None or not any(seat.user_id == me.id for seat in game.seats):
        raise NotFound("lobby.no_game")
    if game.status != "open":
        raise Conflict("games.begun")
    found = await service.other(session, me, name)
    await service.check_reach(session, me.id, found.id, "invited_by")
    if await repository.invitation(session, game_id, found.id):
        raise Conflict("community.invited_already", name=found.name)
    if len(await repository.invited(session, game_id)) >= MOST:
        raise Conflict("community.too_many_invited", n=MOST)
    session.add(Invitation(game_id=game_id, by_user=me.id, user_id=found.id))
    await session.flush()
    await tell(await driver(session), [found.id], "invitation", by=me.id, game=game_id, link=join_link(game))


async def decline(session: AsyncSession, me: User, invitation_id: int) -> None:
    """The inviter is told. Raises NotFound."""
    found = await session.get(Invitation, invitation_id)
    if found is None or found.user_id != me.id:
        raise NotFound
    if found.seat is not None:
        found.declined_at = found.declined_at or await accounts.now(session)
    elif found.declined_at is None:
        found.declined_at = await accounts.now(session)
        await repository.see(session, me.id, found.by_user, "invitation", found.game_id)
        await tell(await driver(session), [found.by_user], "invitation", by=me.id, game=found.game_id,
                   key="community.told_declines", link=f"/games/{found.game_id}/join")  # fmt: skip


async def ask_player(conn: Conn, me: int, game_id: str, seat: str, user: int) -> None:
    """Asks an account whether it played a seat of a finished game that was taken in."""
    await conn.execute(
        "insert into invitations (game_id, by_user, user_id, seat) values (%s, %s, %s, %s)", (game_id, me, user, seat)
    )
    await tell(conn, [user], "invitation", by=me, game=game_id, key="community.told_asked_seat", link="/")


async def agree(session: AsyncSession, me: User, invitation_id: int) -> str:
    """It was oneself: the seat is the account's from now on; the game's id. Raises NotFound; Conflict when somebody
    else has said so, or the account sits there already."""
    found = await session.get(Invitation, invitation_id, with_for_update=True)
    if found is None or found.user_id != me.id or found.seat is None or found.declined_at is not None:
        raise NotFound
    conn = await driver(session)
    row = await lock(conn, found.game_id)
    assert row is not None, "its invitations go with a game"
    if row.seats[found.seat]["user"] is not None or seats_of(row, me.id):
        raise Conflict("games.seat_taken")
    await set_seat(conn, row.id, found.seat, me.id)
    await name_seat(conn, row.id, found.seat, None)
    return row.id


async def sent(session: AsyncSession, game_id: str) -> list[Invited]:
    """Who was invited to a game."""
    return [Invited(name=name, declined=row.declined_at is not None)
            for row, name in await repository.invited(session, game_id)]  # fmt: skip


async def waiting(session: AsyncSession, user_id: int) -> list[InvitationCard]:
    """What a user is invited to and has not answered."""
    return [
        InvitationCard(
            id=row.id, game=game.id, title=game.title, scenario=game.scenario, by=by, link=join_link(game),
            free=[seat.seat for seat in game.seats if seat.user_id is None and seat.bot is None],
            token=game.join_token, created_at=row.created_at, seat=row.seat,
            called=next((seat.name for seat in game.seats if seat.seat == row.seat), None))
        for row, game, by in await repository.invitations(session, user_id)
    ]  # fmt: skip


def keeps_apart(game: Game, apart: Collection[int]) -> bool:
    """Whether somebody sits at a game or has made it from whom a user is kept apart."""
    return game.created_by in apart or any(seat.user_id in apart for seat in game.seats)


async def check_table(session: AsyncSession, user_id: int, game_id: str) -> None:
    """Whether a user may sit down with those who sit at a game. Raises NotFound, as if it were not there."""
    game = await repository.game(session, game_id)
    if game is not None and keeps_apart(game, await repository.apart_from(session, user_id)):
        raise NotFound("lobby.no_game")
