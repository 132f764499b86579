"""The proof of a whole export: its dice follow from what was sealed, and all that was told from answers and dice.

Every roll and draw is made again from the key of its sealing, and the record is run again by the rules from its first
entry to its last, along every take-back. What does not fit is said; nothing is taken on trust because it is not there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from app.games import data as sets
from app.games import dice
from rules.core.chance import Chance
from rules.core.errors import OutOfStep
from rules.core.record import PATCH, RERUN, Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Data
from rules.core.view import Views

MOST = 30  # faults that are told
SAME = ("kind", "seat", "clause", "forced", "roll_no", "reveals")


@dataclass
class Proof:
    """`rolls`: rolls and draws that were made again; `entries`: entries that the rules made again."""

    rolls: int = 0
    entries: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.faults

    def said(self) -> dict[str, Any]:
        return {"rolls": self.rolls, "entries": self.entries, "faults": self.faults[:MOST]}


def prove(file: Mapping[str, Any], body: Data | None, seen: Sequence[str] = ()) -> Proof:
    """`body`: the data that the game was played with, None where they are not known; `seen`: hashes of seeds that a
    player was shown while it ran. Raises KeyError, TypeError, ValueError for what is no export."""
    proof = Proof()
    proof.rolls, faults = dice.checked(file, seen)
    proof.faults += faults + _order(file["entries"])
    if body is None:
        proof.faults.append(f"the data {file['data_digest']} are not here: the record can't be run again")
    elif not proof.faults:
        try:
            _Again(file, body, proof).run()
        except OutOfStep as fault:
            proof.faults.append(f"the rules do not go along: {fault}")
        here = sets.title(file["title"]).version
        if proof.faults and (others := {entry["rules_version"] for entry in file["entries"]} - {here}):
            proof.faults.insert(0, f"recorded under the rules {', '.join(sorted(others))}, run again by {here}")
    return proof


def _order(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Whether entries are missing."""
    if [entry["seq"] for entry in entries] != list(range(1, len(entries) + 1)):
        return ["entries are missing or out of order"]
    return [] if entries and entries[0]["kind"] == "start" else ["the record has no beginning"]


class _Again:
    """One run of a record. `line`: the entries that stand; `shown`: what each eye has been told so far."""

    def __init__(self, file: Mapping[str, Any], body: Data, proof: Proof) -> None:
        self.file, self.proof = file, proof
        self.title = sets.title(file["title"])
        self.game = self.title.game(body, file["scenario"], file["seats"])
        begun = self.title.first(body, file["scenario"], file["options"], file["seats"])
        self.points = [Checkpoint(1, "", self.title.encode(begun))]
        self.raw = {entry["seq"]: entry for entry in file["entries"]}
        self.line: list[Entry] = []
        self.done = 1  # the entry up to which what was told is compared
        self.shown: dict[str, dict[str, Any]] = {}

    def run(self) -> None:
        gone: set[int] = set()  # retracted, as the record itself says
        for raw in self.file["entries"]:
            if raw["seq"] == 2:
                self._begun()
            if raw["kind"] in ("take_back", "withdraw", PATCH):
                self._advance()
                to = raw["answer"]["to"]
                gone |= {e.seq for e in self.line if (e.seq == to if raw["kind"] == "withdraw" else e.seq >= to)}
                self.line = [e for e in self.line if e.seq not in gone]
                self.points = [point for point in self.points if point.seq < to]
            if raw["kind"] in RERUN:
                self.line.append(_entry(raw))
            self._fold(raw)
        referee = self._advance()
        retracted = {seq for seq, raw in self.raw.items() if raw["retracted"] and raw["kind"] in RERUN}
        if retracted != gone:
            self._fault("other entries are marked as taken back than were")
        self._result(referee)

    def _begun(self) -> None:
        """Whether the first entry tells every eye all that it could see, and what the rules told before they asked."""
        referee = Referee.resume(self.title, self.game, self.points[0], self.title.schema, (), Chance(None), keep=True)
        first = self.title.decode(self.game, self.points[0].state, self.title.schema)
        for eye, contents in Views(self.title.view, first, referee.seating.sides).contents.items():
            steps = self.raw[1]["told"].get(eye) or [{"fragments": None}]
            if _plain(contents) != steps[0]["fragments"]:
                self._fault(f"what {eye} was told at the beginning is not what it could see")

    def _advance(self) -> Referee:
        """Runs what stands from the newest position before it, and compares what that tells with the record."""
        point = self.points[-1]
        since = [e for e in self.line if e.seq > point.seq]
        referee = Referee.resume(self.title, self.game, point, self.title.schema, since, Chance(None), keep=True)
        for made in referee.drain():
            if made.seq > self.done and made.kind != PATCH:
                self._compare(made)
        self.done = max(self.done, self.line[-1].seq if self.line else 1)
        self.points += referee.drain_phases()
        for eye, contents in referee.views.contents.items():
            told = {key: value for key, value in self.shown.get(eye, {}).items() if value is not None}
            if self.shown and _plain(contents) != told:
                self._fault(f"what {eye} was told is not what it could see after entry {self.done}")
        return referee

    def _compare(self, made: Entry) -> None:
        raw = self.raw[made.seq]
        self.proof.entries += 1
        for name in SAME:
            if getattr(made, name) != raw[name]:
                self._fault(f"entry {made.seq}: {name} is {raw[name]!r}, the rules make it {getattr(made, name)!r}")
        if _plain(made.answer) != raw["answer"]:
            self._fault(f"entry {made.seq}: the answer is not as the rules read it")
        if _plain(made.told) != raw["told"]:
            self._fault(f"entry {made.seq}: what was told does not follow from it")

    def _fold(self, raw: Mapping[str, Any]) -> None:
        for eye, steps in raw["told"].items():
            for step in steps:
                self.shown.setdefault(eye, {}).update(step["fragments"])

    def _result(self, referee: Referee) -> None:
        """Whether the end follows from the record."""
        said, reached = self.file["result"], _plain(referee.pos.result)
        if self.file["state"] != "finished":
            return
        if reached is not None:
            if {name: (said or {}).get(name) for name in reached} != reached:
                self._fault("the result is not that which the rules give")
            return
        sides = {seat: who.get("side", seat) for seat, who in self.file["seats"].items()}
        ends = [raw for raw in self.file["entries"] if raw["kind"] not in (*RERUN, "start")]
        if said is None or not ends:
            self._fault("the game is said to be over, and nothing has ended it")
            return
        losers = {sides.get(raw["seat"]) for raw in ends if raw["kind"] == "resign"}
        losers |= {sides.get((said.get("args") or {}).get("seat"))} if said["key"] == "result.time_out" else set()
        if said["winner"] is not None and said["winner"] in losers - {None}:
            self._fault("who gave up or ran out of time is said to have won")
        if said["winner"] is not None and said["key"] == "result.draw_agreed":
            self._fault("a draw has no winner")

    def _fault(self, words: str) -> None:
        if len(self.proof.faults) <= MOST:
            self.proof.faults.append(words)


def _entry(raw: Mapping[str, Any]) -> Entry:
    return Entry(raw["seq"], raw["kind"], raw["seat"], raw["clause"], raw["answer"], raw["forced"], raw["roll_no"],
                 raw["reveals"], raw["commits"], raw["told"], raw["rules_version"])  # fmt: skip


def _plain(value: Any) -> Any:
    """As it comes out of a file."""
    return orjson.loads(orjson.dumps(value))


