"""The branches of a board: each node is one answer with what it set off, and what was written about it.

Node 0 is the first position with the rolls that come before anybody is asked. A node is JSON: {"id", "parent",
"entries": what a re-run reads, "note"}.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.errors import NotFound
from rules.core.record import Entry

MOST = 400  # nodes of a board
LONGEST_NOTE = 500
KEPT = ("seq", "kind", "seat", "clause", "answer", "forced", "roll_no")  # of an entry; the rest is told anew


@dataclass(frozen=True, slots=True)
class Node:
    id: int
    parent: int | None
    entries: tuple[Entry, ...]
    note: str = ""

    @staticmethod
    def of(body: Any) -> "Node":
        return Node(body["id"], body["parent"], tuple(Entry(**entry) for entry in body["entries"]), body["note"])

    def as_json(self) -> dict[str, Any]:
        kept = [{key: value for key, value in asdict(entry).items() if key in KEPT} for entry in self.entries]
        return {"id": self.id, "parent": self.parent, "entries": kept, "note": self.note}

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


def entries(nodes: Sequence[Node]) -> list[Entry]:
    return [entry for node in nodes for entry in node.entries]
