"""Lists of games for one reader, and what strangers may know of a player."""

from collections.abc import Sequence
from datetime import UTC, datetime
from secrets import compare_digest
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import repository as accounts
from app.accounts.models import User
from app.addresses import absolute
from app.clocks.substitutes import hand_over, in_event
from app.community import invitations
from app.community import repository as people
from app.community.service import seen
from app.community.talk import unread_messages
from app.config import Settings
from app.db import driver
from app.errors import Conflict, NotFound
from app.games import making
from app.games.models import Game
from app.games.pace import in_words
from app.games.repository import lock
from app.games.schemas import Conditions, EventName, GameCard, Policy, SeatCard, Status, Visibility
from app.games.titles import opening
from app.leagues.ratings import reliability
from app.lobby import repository
from app.lobby.schemas import Lobby, Profile
from app.lobby.titles import titles
from app.notifications.service import tell

FAR = datetime.max.replace(tzinfo=UTC)


async def lobby(session: AsyncSession, user_id: int, in_person: bool = True) -> Lobby:
    """The user's games, those that wait for the user first, by deadline, and finished ones last; then other people's
    open ones, friends' first, without those of people that are kept apart; and what the user is invited to. Without
    `in_person` (an admin who looks on) there are no links to private games."""
    mine = [card(made, user_id) for made in await repository.games_of(session, user_id)]
    mine.sort(key=lambda one: (one.state == "finished", not one.your_turn, one.deadline or FAR))
    unread = await unread_messages(session, user_id, [one.id for one in mine])
    for one in mine:
        one.unread = unread.get(one.id, 0)
    await _placed(session, mine)
    apart, friends = await people.apart_from(session, user_id), await people.friend_ids(session, user_id)
    offered = [made for made in await repository.open_games(session, user_id)
               if not invitations.keeps_apart(made[0], apart)]  # fmt: skip
    offered.sort(key=lambda made: made[0].created_by not in friends)
    vacant = [made for made in await repository.wanting(session, user_id)
              if not invitations.keeps_apart(made[0], apart)]  # fmt: skip
    if not in_person:
        mine = [one.model_copy(update={"join_token": None}) for one in mine]
    return Lobby(mine=mine, open=[card(made, user_id) for made in offered],
                 substitutes=[card(made, user_id) for made in vacant],
                 invitations=await invitations.waiting(session, user_id) if in_person else [])  # fmt: skip


async def _placed(session: AsyncSession, cards: Sequence[GameCard]) -> None:
    """Says of running games in which turn and phase they are, and of all of which event."""
    stages = await repository.stages(session, [one.id for one in cards if one.state == "active"])
    events = await repository.events_of(session, [one.id for one in cards])
    for one in cards:
        if one.state == "active" and (phase := stages.get(one.id) or opening(one.title, one.scenario)):
            turn, _, one.stage = phase.partition(".")
            one.turn = int(turn)
        if (event := events.get(one.id)) is not None:
            one.event = EventName(id=event[0], name=event[1])


async def join(session: AsyncSession, user: User, game_id: str, seat: str, token: str | None) -> None:
    """Takes a free seat at a table where nobody sits whom a block keeps apart, and where one is as reliable as is asked
    or was invited by name. Raises NotFound, NotAllowed, Conflict, Refused."""
    await invitations.check_table(session, user.id, game_id)
    game = await session.get(Game, game_id)
    if game is not None and game.conditions and await people.invitation(session, game_id, user.id) is None:
        await reliability.check_seat(session, user.id, game.conditions)
    await making.join_game(session, user, game_id, seat, token)


async def vacancy(session: AsyncSession, user_id: int | None, game_id: str, token: str | None) -> GameCard | None:
    """The card of a running game that looks for a substitute; None for one that doesn't, or whose event has a director
    for that. Raises NotFound."""
    found = await one_game(session, user_id, game_id, token)
    if user_id is not None and not found.your_seats:
        await invitations.check_table(session, user_id, game_id)
    wanted = found.state == "active" and found.wants_substitute is not None
    return found if wanted and not await in_event(await driver(session), game_id) else None


def stands_by(card: GameCard) -> bool:
    """Whether a reader may take over the seat that looks for a substitute: not against himself."""
    wanted = card.wants_substitute
    return wanted is not None and wanted not in card.your_seats and all(
        card.seats[own].side == card.seats[wanted].side for own in card.your_seats)  # fmt: skip


async def step_in(session: AsyncSession, user: User, game_id: str, token: str | None) -> None:
    """Takes over the seat of somebody whose time is up, on the same conditions as a free one; a partner may. Who sat
    there is told. Raises NotFound, NotAllowed, Conflict."""
    conn = await driver(session)
    row = await lock(conn, game_id)
    found = await vacancy(session, user.id, game_id, token)
    if row is None or found is None or row.wants_substitute is None:
        raise Conflict("lobby.no_vacancy")
    if not stands_by(found):
        raise Conflict("games.sits_already")
    if (asked := (await session.get_one(Game, game_id)).conditions) is not None:
        await reliability.check_seat(session, user.id, asked)
    await hand_over(session, game_id, row.wants_substitute, user.id)
    for seat, who in row.seats.items():
        if who["user"] is not None:
            what = "replaced" if seat == row.wants_substitute else "stepped_in"
            await tell(conn, [who["user"]], "care", by=user.id, game=game_id, key=f"lobby.told_{what}",
                       link=f"/games/{game_id}")  # fmt: skip


async def one_game(session: AsyncSession, user_id: int | None, game_id: str, token: str | None) -> GameCard:
    """A game's card for someone who may join it. Raises NotFound, also for a private game without its link and for an
    open one of somebody who is kept apart."""
    made = await repository.game(session, game_id)
    if made is None:
        raise NotFound("lobby.no_game")
    found = card(made, user_id)
    invited = token is not None and compare_digest(token.encode(), made[0].join_token.encode())
    if found.visibility == "private" and not found.your_seats and not invited:
        raise NotFound("lobby.no_game")
    if found.state == "open" and user_id is not None:
        await invitations.check_table(session, user_id, game_id)
    return found


async def waiting_room(session: AsyncSession, user_id: int | None, game_id: str, token: str | None,
                       settings: Settings) -> dict[str, Any]:
    """What the page of a game shows that waits for players: its card and the free seats that the reader may take (who
    sits already, beside his own); for those at it the link to send and who was invited. Raises NotFound."""
    shown = await one_game(session, user_id, game_id, token)
    link = absolute(settings, f"/games/{game_id}/join")
    if shown.join_token and shown.visibility == "private":
        link += f"?t={shown.join_token}"
    sides = {shown.seats[own].side for own in shown.your_seats}
    free = [seat for seat, who in shown.seats.items()
            if who.name is None and who.bot is None and (not sides or who.side in sides)]  # fmt: skip
    invited = await invitations.sent(session, game_id) if shown.your_seats else []
    return {"card": shown, "free": free, "link": link, "token": token, "titles": titles(), "invited": invited}


def card(made: repository.Made, user_id: int | None) -> GameCard:
    """A game as a reader may see it in a list."""
    game, creator = made
    yours = [seat.seat for seat in game.seats if user_id is not None and seat.user_id == user_id]
    return GameCard(
        id=game.id,
        title=game.title,
        scenario=game.scenario,
        state=cast(Status, game.status),
        visibility=cast(Visibility, game.visibility),
        policy=cast(Policy, game.policy),
        options=game.options,
        seats={seat.seat: SeatCard(side=seat.side, name=seat.user.name if seat.user else None, bot=seat.bot)
               for seat in game.seats},
        your_seats=yours,
        waiting_for=game.waiting_for,
        your_turn=game.status == "active" and not set(yours).isdisjoint(game.waiting_for),
        result=game.result,
        created_by=creator,
        created_at=game.created_at,
        updated_at=game.updated_at,
        pace=game.pace,
        pace_words=in_words(game.pace),
        deadline=_deadline(game, yours),
        paused=bool(game.clock and game.clock["paused"]),
        wants_substitute=game.wants_substitute if game.status == "active" else None,
        conditions=Conditions.model_validate(game.conditions) if game.conditions and game.status == "open" else None,
        join_token=game.join_token if yours and game.status == "open" else None,
    )


def _deadline(game: Game, yours: list[str]) -> datetime | None:
    clocks = game.clock["seats"] if game.clock else {}
    mine = [clocks[seat]["deadline"] for seat in yours if seat in clocks and clocks[seat]["deadline"]]
    return datetime.fromisoformat(min(mine)) if mine else game.deadline


async def profile(session: AsyncSession, name: str, viewer: int | None) -> Profile:
    """What a viewer may know of a player. Raises NotFound."""
    user = await accounts.user_by_name(session, name)
    if user is None:
        raise NotFound("lobby.no_player")
    counts, told = await repository.count_games(session, user.id), await people.profile(session, user.id)
    return Profile(
        name=user.name,
        since=user.created_at.date(),
        playing=counts.get("active", 0),
        finished=counts.get("finished", 0),
        won=await people.won(session, user.id),
        about=told.about,
        languages=told.languages,
        zone=told.zone,
        seen_at=(await seen(session, viewer, [user.id])).get(user.id),
    )
