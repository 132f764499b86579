"""The branches of a board: each node is one answer with what it set off, and what was written about it.

Node 0 is the first position with the rolls that come before anybody is asked. A node is JSON: {"id", "parent",
"entries": what a re-run reads, "note", "plans": what is drawn on its map, "rests": whether it stands between two
segments}; of a position that was put by hand or dealt anew also "root": [schema, position], and "hand" or "keep".
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from app.errors import NotFound
from app.packing import pack, unpack
from rules.core.record import Entry

MOST = 400  # nodes of a board
LONGEST_NOTE = 500
KEPT = ("seq", "kind", "seat", "clause", "answer", "forced", "roll_no")  # of an entry; the rest is told anew


@dataclass(frozen=True, slots=True)
class Root:
    """A position from which a board goes on: as stored, by which schema."""

    schema: int
    state: bytes


@dataclass(frozen=True, slots=True)
class Hand:
    """What was put by hand: the `position` of a lab file, as what differs from the board's first position or, if it is
    not None, from the one at node `base`."""

    base: int | None
    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Node:
    """`keep`, of a position that is guessed: what of it is known, and not dealt anew."""

    id: int
    parent: int | None
    entries: tuple[Entry, ...]
    note: str = ""
    plans: dict[str, Any] = field(default_factory=dict)
    rests: bool = True
    root: Root | None = None
    hand: Hand | None = None
    keep: tuple[str, ...] | None = None

    @staticmethod
    def of(body: Any) -> "Node":
        root, hand, keep = body.get("root"), body.get("hand"), body.get("keep")
        return Node(body["id"], body["parent"], tuple(Entry(**entry) for entry in body["entries"]), body["note"],
                    body.get("plans") or {}, body.get("rests", True),
                    Root(root[0], unpack(b64decode(root[1]))) if root else None,
                    Hand(hand["base"], hand["position"]) if hand else None,
                    tuple(keep) if keep is not None else None)  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        kept = [{key: value for key, value in asdict(entry).items() if key in KEPT} for entry in self.entries]
        made: dict[str, Any] = {"id": self.id, "parent": self.parent, "entries": kept, "note": self.note,
                                "plans": self.plans, "rests": self.rests}  # fmt: skip
        if self.root is not None:
            made["root"] = [self.root.schema, b64encode(pack(self.root.state)).decode()]
        if self.hand is not None:
            made["hand"] = asdict(self.hand)
        if self.keep is not None:
            made["keep"] = list(self.keep)
        return made

    @property
    def answer(self) -> Entry | None:
        """What somebody chose; None for the first position."""
        return next((entry for entry in self.entries if entry.kind == "answer" and not entry.forced), None)


def line(nodes: Sequence[Node], last: int) -> list[Node]:
    """The nodes from the first position to one. Raises NotFound for one there is not."""
    if not 0 <= last < len(nodes):
        raise NotFound("boards.no_node", n=last)
    found, at = [], nodes[last]
    while True:
        found.append(at)
        if at.parent is None:
            return found[::-1]
        at = nodes[at.parent]


def since_root(nodes: Sequence[Node]) -> Sequence[Node]:
    """Of a line the nodes from the last position on that was put by hand or dealt, else all."""
    first = next((n for n in range(len(nodes) - 1, -1, -1) if nodes[n].root is not None), 0)
    return nodes[first:]


def entries(nodes: Sequence[Node]) -> list[Entry]:
    return [entry for node in nodes for entry in node.entries]
