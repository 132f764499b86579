"""Positions put by hand: pick up and put down. Each is a node like any answer, with what differs from where the hand
began."""

from typing import Any

import orjson
from anyio import to_thread

from app.boards import service
from app.boards.repository import BoardRow
from app.boards.service import LARGEST_FILE, PLAYED, Hand
from app.boards.table import Fallen
from app.boards.tree import Hand as Put
from app.boards.tree import Node, Root, line
from app.errors import Refused
from app.games import data
from app.games.repository import Conn
from app.games.store import Store
from app.lab.wrong import Wrong, of_position
from rules.core.errors import BadPosition, Refusal
from rules.core.title import Title


async def fields(store: Store, hand: Hand, board_id: str, at: int) -> dict[str, Any]:
    """What of the position at a node can be put by hand, and what was put so far. Raises NotFound."""
    async with service.locked(board_id), store.pool.connection() as conn:
        row = await service.found(conn, hand, board_id)
        nodes = [Node.of(one) for one in row.nodes]
        table = await service.table_at(conn, row, nodes, at)
        base, position = _begun(row, nodes, at)
        return {"base": base, "position": position, "fields": data.title(row.title).hand(table.referee.pos)}


async def put(store: Store, hand: Hand, board_id: str, at: int, position: dict[str, Any]) -> dict[str, Any]:
    """Puts a position by hand, seen from a node: the whole of what differs from where the hand began. The new node, as
    a view. Raises Refused for what can't be, and amid something that is under way."""
    if len(orjson.dumps(position)) > LARGEST_FILE:
        raise Refused("boards.file_large", n=LARGEST_FILE // 1000)
    async with service.locked(board_id), store.pool.connection() as conn:
        row = await service.own(conn, hand, board_id)
        nodes = [Node.of(one) for one in row.nodes]
        line(nodes, at)
        base, _ = _begun(row, nodes, at)
        title = data.title(row.title)
        pos = await _laid(conn, row, nodes, base, position, title)
        root, first = await service.begun(title, pos, Fallen())
        node = Node(len(nodes), at, first.entries, rests=first.rests, root=Root(title.schema, root.state),
                    hand=Put(base, position))  # fmt: skip
        await service.grown(conn, row, node)
        table = await service.table_at(conn, row, [*nodes, node], node.id)
        return service.whole_view(row, [*nodes, node], table, hand)


def _begun(row: BoardRow, nodes: list[Node], at: int) -> tuple[int | None, dict[str, Any]]:
    """Where the hand began of which a node is part, and what was put since: from the first position (None), else from
    the node itself."""
    node = nodes[at]
    if node.hand is not None:
        return node.hand.base, node.hand.position
    if node.id == 0:
        return None, row.body.get("position", {})
    return at, {}


async def _laid(
    conn: Conn, row: BoardRow, nodes: list[Node], base: int | None, position: dict[str, Any], title: Title
) -> Any:
    """The position that is put. Raises Refused."""
    body = {key: value for key, value in row.body.items() if key not in PLAYED}
    if base is not None:
        table = await service.table_at(conn, row, nodes, base)
        if not table.referee.rests:
            raise Refused("boards.under_way", status=409)
        body["from"] = {"schema": title.schema, "state": orjson.loads(table.referee.gap)}
    pinned = await data.pinned(conn, row.data_digest, row.title)
    try:
        return await to_thread.run_sync(title.written, pinned, {**body, "position": position})
    except (BadPosition, Refusal) as bad:
        raise service.refused(title.id, of_position(bad)) from bad
    except (LookupError, ValueError, AssertionError, AttributeError, TypeError) as fault:
        raise service.refused(title.id, Wrong("boards.no_play")) from fault
