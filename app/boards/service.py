"""What one does with a board: make it, look at it, play on, go to another branch, write beside it, keep it."""

import asyncio
import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson
from anyio import to_thread

from app.boards import repository
from app.boards.repository import BoardRow as BoardRow
from app.boards.table import Due, Fallen, Laid, Table, Told, opened, shown
from app.boards.tree import LONGEST_NOTE, MOST, Node, line, since_root
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.games import data, play
from app.games import hints as hinting
from app.games.repository import Conn
from app.games.store import Store
from app.lab.dice import Dice
from app.lab.play import Lab, meant
from app.lab.wrong import Wrong
from app.rulebook.book import examples_of
from rules.core.errors import BadPosition, OutOfStep, Refusal
from rules.core.record import Entry
from rules.core.referee import Checkpoint
from rules.core.title import Title
from rules.mechanics.written import Impossible

log = logging.getLogger(__name__)

IN_MEMORY = 40  # boards that a process keeps ready
LARGEST_FILE = 60_000  # bytes of a lab file
LARGEST = 2_000_000  # bytes of all branches
MOST_KEPT = 100  # boards of one account
KEPT_DAYS = 14  # that a board stays which nobody keeps and nobody looks at
PLAYED = ("answers", "dice", "draws", "stop", "expect")  # fields of a lab file that come after its position

Given = tuple[str | None, Any, Dice]  # seat, answer, the dice it is given with

_tables: OrderedDict[str, Table] = OrderedDict()
_locks: dict[str, asyncio.Lock] = {}


@dataclass(frozen=True, slots=True)
class Hand:
    """Who acts: the key that a browser holds for the boards it made, and an account."""

    key: str
    user: int | None

    @property
    def maker(self) -> bytes:
        return hashlib.sha256(self.key.encode()).digest()

    def may_look(self, row: BoardRow) -> bool:
        """Not at what somebody else imagines of a game that runs."""
        return row.private_to is None or row.private_to == self.user

    def may_change(self, row: BoardRow) -> bool:
        own = self.user is not None and self.user in (row.owner, row.private_to)
        return own or (bool(self.key) and secrets.compare_digest(self.maker, row.maker))


async def make(store: Store, hand: Hand, title_id: str, body: Mapping[str, Any]) -> str:
    """A new board from a lab file; its id. Raises Refused with what is wrong in the file, NotFound."""
    title = data.title(title_id)
    if len(orjson.dumps(body)) > LARGEST_FILE:
        raise Refused("boards.file_large", n=LARGEST_FILE // 1000)
    async with store.pool.connection() as conn:
        current = await data.pin(conn, title_id)
        pos, named = position(title, body)
        dice = Told(body.get("dice", []), body.get("draws", []))
        root, first = await begun(title, pos, dice)
        row = BoardRow(new_id(), title_id, current.digest, title.schema, named, root.state, [first.as_json()],
                       hand.maker, None)  # fmt: skip
        await repository.add(conn, row)
    return row.id


def new_id() -> str:
    return secrets.token_urlsafe(12)


async def begun(title: Title, pos: Any, dice: Dice) -> tuple[Checkpoint, Node]:
    """A laid-out position run to its first question. Raises Refused for one that can't be played on."""
    try:
        return await to_thread.run_sync(opened, title, pos, dice)
    except Wrong as wrong:
        raise refused(title.id, wrong) from wrong
    except (Refusal, BadPosition, LookupError, ValueError, AssertionError, AttributeError, TypeError) as fault:
        log.warning("a position of %s that can't be played on: %r", title.id, fault)
        raise Refused("boards.no_play") from fault


def example(title_id: str, name: str) -> Mapping[str, Any]:
    """A worked example by its name. Raises NotFound."""
    data.title(title_id)
    found = examples_of(title_id).get(name)
    if found is None:
        raise NotFound()
    return found


def position(title: Title, body: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The position that a lab file lays out, and the file with its names as the title spells them. Raises Refused."""
    lab = Lab(title.id, body)
    try:
        return lab.position(), lab.named()
    except Wrong as wrong:
        raise refused(title.id, wrong) from wrong


def refused(title_id: str, wrong: Wrong) -> Refused:
    """What stops a lab, as a refusal of the server."""
    return Refused(wrong.key, clause=wrong.clause or None, of=title_id, **wrong.args_)


async def view(store: Store, hand: Hand, board_id: str, at: int) -> dict[str, Any]:
    """The whole of a board at a node: view and request, all that was told on the way, its branches."""
    async with store.pool.connection() as conn:
        row = await found(conn, hand, board_id)
        nodes = [Node.of(one) for one in row.nodes]
        async with locked(board_id):
            table = await table_at(conn, row, nodes, at)
            return whole_view(row, nodes, table, hand)


def whole_view(row: BoardRow, nodes: Sequence[Node], table: Table, hand: Hand) -> dict[str, Any]:
    """A board as a table shows it, with what goes around it."""
    return {**table.view(), "entries": shown(table.told), **_around(row, nodes, hand)}


async def whole(store: Store, hand: Hand, board_id: str) -> tuple[BoardRow, dict[str, Any]]:
    """A board's row and its first view, with who sits where."""
    body = await view(store, hand, board_id, 0)
    async with store.pool.connection() as conn:
        row = await found(conn, hand, board_id)
        pinned = await data.pinned(conn, row.data_digest, row.title)
    seating = pinned.scenarios[row.body["scenario"]].seating(row.body.get("seats", ()))
    return row, {**body, "seats": dict(seating.seats)}


async def answer(
    store: Store, hand: Hand, board_id: str, at: int, seat: str | None, said: Any, laid: Sequence[Any] | None
) -> dict[str, Any]:
    """Gives an answer at a node: what was told, or the roll that is due (`laid`: the faces by hand so far; None: dice
    fall). An answer that was given there already, with dice that fall or none, is a new branch all the same. Raises
    Refused, NotAllowed."""
    dice = Fallen() if laid is None else Laid(laid)
    return await play_on(store, hand, board_id, at, lambda *_: (seat, said, dice))


async def step(store: Store, hand: Hand, board_id: str, at: int) -> dict[str, Any]:
    """The next answer of the example that a board was made from, with its dice. Raises Refused at its end."""
    return await play_on(store, hand, board_id, at, _next_of_example)


def _next_of_example(row: BoardRow, way: Sequence[Node], table: Table) -> Given:
    script, done = row.body.get("answers", []), len(way) - 1
    if done >= len(script) or any(node.root for node in way):
        raise Refused("boards.example_over")
    fallen = [len(entry.answer["faces"]) for node in way for entry in node.entries if entry.kind == "roll"]
    drawn = sum(entry.kind == "draw" for node in way for entry in node.entries)
    dice = Told(after_faces(row.body.get("dice", []), sum(fallen)), row.body.get("draws", [])[drawn:])
    try:
        return *meant(table.referee, script[done]), dice
    except Impossible as bad:
        raise Refused(bad.key, clause=bad.clause or None, **bad.args_) from bad


def after_faces(rolls: Sequence[Any], faces: int) -> list[Any]:
    """What is left of laid dice when so many faces have fallen."""
    left = list(rolls)
    while left and faces > 0:
        first = left.pop(0)
        faces -= len(first) if isinstance(first, list) else 1
    return left


async def play_on(
    store: Store, hand: Hand, board_id: str, at: int, give: Callable[[BoardRow, Sequence[Node], Table], Given],
    heed: Callable[[Table, Sequence[Entry]], None] = lambda _table, _made: None,
) -> dict[str, Any]:
    """Gives at a node what `give` says of the board, the way to the node and the table there; `heed` sees what it
    brought while the board stands there."""
    async with locked(board_id), store.pool.connection() as conn:
        row = await own(conn, hand, board_id)
        if len(row.nodes) >= MOST:
            raise Refused("boards.full", n=MOST)
        nodes = [Node.of(one) for one in row.nodes]
        table = await table_at(conn, row, nodes, at)
        seat, said, dice = give(row, line(nodes, at), table)
        try:
            made = table.answer(seat, said, dice)
        finally:
            if table.broken:
                _tables.pop(board_id, None)
        if isinstance(made, Due):
            return {"due": made.as_json(), "node": at}
        heed(table, made)
        node = Node(len(nodes), at, tuple(made), rests=table.referee.rests)
        table.at = node.id
        await grown(conn, row, node)
        _keep(board_id, table)
        return {"entries": shown(made), **table.state(), **_around(row, [*nodes, node], hand)}


async def grown(conn: Conn, row: BoardRow, node: Node) -> None:
    """Adds a node to a board. Raises Refused for one too many, or too much."""
    row.nodes.append(node.as_json())
    if len(row.nodes) > MOST or len(orjson.dumps(row.nodes)) > LARGEST:
        _tables.pop(row.id, None)
        raise Refused("boards.full", n=MOST)
    await repository.set_nodes(conn, row.id, row.nodes)


async def preview(store: Store, hand: Hand, board_id: str, at: int, seat: str | None, said: Any) -> dict[str, Any]:
    """What an answer would do. Raises Refused."""
    async with _looking(store, hand, board_id, at) as table:
        return play.preview(table.loaded, table.seat(seat), said)


async def reach(
    store: Store, hand: Hand, board_id: str, at: int, form: str, question: dict[str, Any]
) -> dict[str, Any]:
    """Where a stack can go. Raises Refused."""
    async with _looking(store, hand, board_id, at) as table:
        return play.reach(table.loaded, table.seat(None), form, question)


async def forecast(store: Store, hand: Hand, board_id: str, at: int) -> dict[str, Any]:
    """What the next check may cost the side that is asked."""
    async with _looking(store, hand, board_id, at) as table:
        seat = table.seat(None)
        return play.forecast(table.loaded, table.referee.seating.side(seat)) if seat else {}


async def covers(store: Store, hand: Hand, board_id: str, at: int, space: str) -> list[dict[str, Any]]:
    """What the counters of a space cover, for the side that is asked."""
    async with _looking(store, hand, board_id, at) as table:
        seat = table.seat(None)
        return play.covers(table.loaded, table.referee.seating.side(seat), space) if seat else []


async def hints(store: Store, hand: Hand, board_id: str, at: int) -> list[dict[str, Any]]:
    """What the computer would consider in the place of who is asked. Raises Refused where nobody is."""
    async with _looking(store, hand, board_id, at) as table:
        return await to_thread.run_sync(hinting.hints, table.loaded, table.seat(None))


async def note(
    store: Store, hand: Hand, board_id: str, at: int, text: str, plans: dict[str, Any] | None = None
) -> None:
    """What one writes beside a node, and draws on its map (None: as it was)."""
    if len(text) > LONGEST_NOTE:
        raise Refused("boards.note_long", n=LONGEST_NOTE)
    async with store.pool.connection() as conn:
        row = await own(conn, hand, board_id)
        line([Node.of(one) for one in row.nodes], at)
        row.nodes[at]["note"] = text
        if plans is not None:
            row.nodes[at]["plans"] = plans
        if len(orjson.dumps(row.nodes)) > LARGEST:
            raise Refused("boards.full", n=MOST)
        await repository.set_nodes(conn, board_id, row.nodes)


async def keep(store: Store, hand: Hand, board_id: str, kept: bool) -> None:
    """An account keeps a board that it made, or lets it go. Raises NotAllowed, Refused for more than it may keep."""
    async with store.pool.connection() as conn:
        row = await own(conn, hand, board_id)
        if hand.user is None:
            raise NotAllowed()
        if kept and row.owner is None and len(await repository.owned(conn, hand.user)) >= MOST_KEPT:
            raise Refused("boards.many", n=MOST_KEPT)
        await repository.set_owner(conn, board_id, hand.user if kept else None)


async def copy(store: Store, hand: Hand, board_id: str) -> str:
    """A board of one's own with all branches of another; its id."""
    async with store.pool.connection() as conn:
        row = await found(conn, hand, board_id)
        row.id, row.maker, row.owner = new_id(), hand.maker, None
        await repository.add(conn, row)
    return row.id


async def kept_by(store: Store, user: int) -> list[dict[str, Any]]:
    """What an account keeps: id, title, what it is about, when it was last looked at."""
    async with store.pool.connection() as conn:
        return [{"id": one["id"], "title": one["title"], "about": one["body"].get("about"), "seen_at": one["seen_at"]}
                for one in await repository.owned(conn, user)]  # fmt: skip


async def file(store: Store, hand: Hand, board_id: str, at: int) -> dict[str, Any]:
    """The lab file that plays a board up to a node, without what it expects (docs/positions.md). What was put by hand
    onto the first position is written as it differs from the set-up, any other as it is stored."""
    async with store.pool.connection() as conn:
        row = await found(conn, hand, board_id)
    way = since_root(line([Node.of(one) for one in row.nodes], at))
    body = {key: value for key, value in row.body.items() if key not in PLAYED}
    begun = way[0]
    if begun.hand is not None and begun.hand.base is None:
        body["position"] = begun.hand.position
    elif begun.root is not None:
        body.pop("position", None)
        body["from"] = {"schema": begun.root.schema, "state": orjson.loads(begun.root.state)}
    made = [entry for node in way for entry in node.entries]
    body["answers"] = [{"seat": one.seat, **one.answer} for one in made if one.kind == "answer" and not one.forced]
    for kind, name in (("roll", "dice"), ("draw", "draws")):
        fallen = [one.answer["faces"] for one in made if one.kind == kind]
        if fallen:
            body[name] = [faces[0] if len(faces) == 1 else faces for faces in fallen]
    return body


async def sweep(store: Store) -> int:
    """Drops the boards that nobody came back to; how many."""
    async with store.pool.connection() as conn:
        return await repository.sweep(conn, KEPT_DAYS)


# -- boards in memory --------------------------------------------------------------------------------


def locked(board_id: str) -> asyncio.Lock:
    """One deed at a time on a board."""
    if len(_locks) > 20 * IN_MEMORY:
        for name in [name for name, lock in _locks.items() if not lock.locked()]:
            del _locks[name]
    return _locks.setdefault(board_id, asyncio.Lock())


@asynccontextmanager
async def _looking(store: Store, hand: Hand, board_id: str, at: int) -> AsyncIterator[Table]:
    """The board at a node, to be asked and not changed."""
    async with locked(board_id):
        async with store.pool.connection() as conn:
            row = await found(conn, hand, board_id)
            table = await table_at(conn, row, [Node.of(one) for one in row.nodes], at)
        yield table


async def found(conn: Conn, hand: Hand, board_id: str) -> BoardRow:
    """A board that one may look at. Raises NotFound."""
    row = await repository.find(conn, board_id)
    if row is None or not hand.may_look(row):
        raise NotFound("boards.none")
    return row


async def own(conn: Conn, hand: Hand, board_id: str) -> BoardRow:
    """A board that one may change, locked. Raises NotFound, NotAllowed."""
    row = await repository.find(conn, board_id, lock=True)
    if row is None or not hand.may_look(row):
        raise NotFound("boards.none")
    if not hand.may_change(row):
        raise NotAllowed("boards.not_yours")
    return row


async def table_at(conn: Conn, row: BoardRow, nodes: Sequence[Node], at: int) -> Table:
    """The board at a node, kept ready. Raises Conflict when the rules no longer fit it."""
    known = _tables.get(row.id)
    if known is not None and known.at == at:
        _tables.move_to_end(row.id)
        return known
    title = data.title(row.title)
    pinned = await data.pinned(conn, row.data_digest, row.title)
    game = title.game(pinned, row.body["scenario"], row.body.get("seats", ()))
    try:
        table = await to_thread.run_sync(Table.set_up, title, game, row.root, row.schema, nodes, at)
    except OutOfStep as out:
        raise Conflict("games.out_of_step") from out
    _keep(row.id, table)
    return table


def _keep(board_id: str, table: Table) -> None:
    _tables[board_id] = table
    _tables.move_to_end(board_id)
    while len(_tables) > IN_MEMORY:
        _tables.popitem(last=False)


def _around(row: BoardRow, nodes: Sequence[Node], hand: Hand) -> dict[str, Any]:
    """What goes with a view of a board: its branches, and whose it is."""
    branches = [{"id": node.id, "parent": node.parent, "note": node.note, "plans": node.plans, "rests": node.rests,
                 "put": node.hand is not None, "dealt": node.keep is not None, **_gist(node)}
                for node in nodes]  # fmt: skip
    return {"nodes": branches, "mine": hand.may_change(row), "kept": row.owner is not None,
            "script": len(row.body.get("answers", [])), "guess": row.side, "game": row.game_id,
            "private": row.private_to is not None, "account": hand.user is not None}  # fmt: skip


def _gist(node: Node) -> dict[str, Any]:
    """By which a branch is known: who answered what, and what fell."""
    said = node.answer
    return {"seat": said and said.seat, "clause": said.clause if said else "",
            "form": said.answer.get("form") if said else None, "seq": said.seq if said else 0,
            "dice": [face for one in node.entries if one.kind == "roll" for face in one.answer["faces"]]}  # fmt: skip
