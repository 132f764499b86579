"""What if: a board made of a game. While it runs, of what one's own side knows, the rest guessed and nobody else to see
it; when it is over, of any moment, as it was."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import orjson
from anyio import to_thread

from app.boards import repository, service
from app.boards.repository import BoardRow
from app.boards.service import Hand
from app.boards.table import Fallen, opened
from app.boards.tree import Node, Root
from app.errors import Conflict, NotAllowed, NotSignedIn, Refused
from app.games import data, play
from app.games.acts import Player
from app.games.checkpoints import opened as unpacked
from app.games.live import Live
from app.games.record import newest_checkpoint, standing
from app.games.repository import Conn, GameRow
from app.games.store import Store
from app.lab.dice import LabReferee
from rules.bots.leaks import words
from rules.core.errors import OutOfStep
from rules.core.record import Entry
from rules.core.referee import Checkpoint
from rules.core.seats import ALL, Seating, Side
from rules.core.title import Title


@dataclass(frozen=True, slots=True)
class Moment:
    """A game at a moment: its last position at rest, and what was answered and rolled since, with what was told."""

    state: bytes
    since: tuple[Entry, ...]


async def ask(live: Live, player: Player, hand: Hand, seq: int | None = None) -> str:
    """A board of a game that one plays, or that is over (after entry `seq`, or its end); its id. Raises NotFound,
    NotAllowed, Conflict; Refused where the game forbids it."""
    row = await live.store.row(player.game_id)
    over = row.status == "finished"
    if over:
        player.eye(row)
    else:
        player.plays(row)
        play.going_on(row)
        if player.guest:
            raise NotSignedIn
        if not row.what_if:
            raise NotAllowed("boards.closed")
    async with live.store.pool.connection() as conn:
        title = data.title(row.title)
        game = await data.played_with(conn, row)
        moment = await _moment(conn, row, title, game, seq if over else None)
        eye = ALL if over else player.eye(row)
        side = None if eye == ALL else eye
        keep = None if side is None else known(moment, row.seating, side)
        root, first = await to_thread.run_sync(imagined, title, game, moment, side, keep, _chance())
        body = {"scenario": row.scenario, "seats": list(row.seats), "options": row.options,
                "from": {"schema": title.schema, "state": orjson.loads(root)}}  # fmt: skip
        made = BoardRow(service.new_id(), row.title, row.data_digest, title.schema, body, root, [first.as_json()],
                        hand.maker, None, row.id, side, None if over else player.user)  # fmt: skip
        await repository.add(conn, made)
    return made.id


async def deal(store: Store, hand: Hand, board_id: str) -> dict[str, Any]:
    """Deals what is guessed anew, from the first guess alone: another first position. Raises NotFound, Refused."""
    async with service.locked(board_id), store.pool.connection() as conn:
        row = await service.own(conn, hand, board_id)
        if row.side is None:
            raise Refused("boards.no_guess")
        nodes = [Node.of(one) for one in row.nodes]
        title = data.title(row.title)
        if row.schema != title.schema:
            raise Conflict("games.out_of_step")
        pinned = await data.pinned(conn, row.data_digest, row.title)
        game = title.game(pinned, row.body["scenario"], row.body["seats"])
        moment = Moment(row.root, nodes[0].entries)
        root, first = await to_thread.run_sync(imagined, title, game, moment, row.side, nodes[0].keep, _chance())
        node = replace(first, id=len(nodes), root=Root(title.schema, root))
        await service.grown(conn, row, node)
        table = await service.table_at(conn, row, [*nodes, node], node.id)
        return service.whole_view(row, [*nodes, node], table, hand)


def _chance() -> Random:
    return Random(secrets.randbits(128))


async def _moment(conn: Conn, row: GameRow, title: Title, game: Any, seq: int | None) -> Moment:
    """Raises Conflict when the rules no longer fit the game."""
    before = None if seq is None else seq + 1
    point = await newest_checkpoint(conn, row.id, before)
    if point is None:
        raise Conflict("games.out_of_step")
    made = await standing(conn, row.id, point.seq, before)
    state, _ = unpacked(point)
    try:
        referee = await to_thread.run_sync(
            _rerun, title, game, Checkpoint(point.seq, point.phase, state), point.schema, made
        )
    except Exception as fault:  # whatever a title's rules raise
        raise Conflict("games.out_of_step") from fault
    return Moment(referee.gap, tuple(e for e in referee.drain() if e.seq > referee.gap_seq))


def _rerun(title: Title, game: Any, point: Checkpoint, schema: int, made: Sequence[Entry]) -> LabReferee:
    anew = [replace(one, told={}) for one in made]
    referee = LabReferee.resume(title, game, point, schema, anew, Fallen(), keep=True)
    assert isinstance(referee, LabReferee)
    return referee


def known(moment: Moment, seating: Seating, side: Side) -> tuple[str, ...] | None:
    """The words by which a side knows what was done since the position last was at rest: told, or its own. None when
    others did what it was not told of: then its board begins before that."""
    told = {word for one in moment.since for step in one.told.get(side, []) for word in words(step["data"])}
    own, others = set[str](), set[str]()
    for one in moment.since:
        if one.kind == "draw":
            return None
        if one.kind == "answer":
            said = {word for name, value in one.answer.items() if name != "form" for word in words(value)}
            (own if one.seat is not None and seating.side(one.seat) == side else others).update(said)
    return tuple(sorted(told | own)) if others <= told | own else None


def imagined(
    title: Title, game: Any, moment: Moment, side: Side | None, keep: tuple[str, ...] | None, rng: Random
) -> tuple[bytes, Node]:
    """The first position of a board and its first node: for a side with what it can't know dealt by `rng`, except what
    it does know (`keep`), for None as it is. Without `keep`, and where a guess does not bear what was done since, the
    board begins where the position was at rest."""
    pos = title.decode(game, moment.state, title.schema)
    if side is not None:
        (title.guess or title.scramble)(pos, side, rng, set(keep or ()))
    guessed = None if side is None else keep or ()
    if not moment.since or (side is not None and keep is None):
        point, first = opened(title, pos, Fallen())
        return point.state, replace(first, keep=guessed)
    state = title.encode(pos)
    try:
        referee = _rerun(title, game, Checkpoint(1, "", state), title.schema, moment.since)
    except OutOfStep:
        return imagined(title, game, Moment(moment.state, ()), side, None, rng)
    return state, Node(0, None, tuple(referee.drain()), rests=referee.rests, keep=guessed)
