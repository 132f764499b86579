"""Whole games kept as files, and how they are run again.

A record is JSON in `games/TITLE/NAME.json.xz`: title, scenario, options, the data it began with (in `data/`), who
played, and its entries as they were made. Each entry has the checksum of what it told every eye; the last one of each
answer has the checksum of every eye's whole view after it. `make.py` makes them.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson

from rules import titles
from rules.core.chance import Chance
from rules.core.errors import Refusal
from rules.core.procedure import Roll
from rules.core.record import CHANCE, Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Data, Title
from rules.core.view import Views
from tests.app.hills_title import TITLE as TOY

HERE = Path(__file__).parent
GAMES, TOYS, DATA, CHECKPOINTS, EXPORTS, PLAYTHROUGHS, BY_HAND = (
    HERE / name for name in ("games", "toys", "data", "checkpoints", "exports", "playthroughs", "by_hand"))
WORDS = {"clauses", "rulings"}  # files that only people read: no game keeps them
Body = dict[str, Any]


class Unlike(AssertionError):
    """A game that does not go as it went. Says at which answer."""


# -- files ---------------------------------------------------------------------------------------------------


def read(path: Path) -> Any:
    """A compressed JSON file."""
    return json.loads(lzma.decompress(path.read_bytes()))


def write(path: Path, body: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(), preset=9))


def records(folder: Path = GAMES) -> list[str]:
    """The kept games: TITLE/NAME."""
    return [f"{path.parent.name}/{path.name.removesuffix('.json.xz')}" for path in sorted(folder.glob("*/*.json.xz"))]


def file_of(name: str) -> Path:
    """Where the game TITLE/NAME is kept."""
    return (TOYS if name.startswith(f"{TOY.id}/") else GAMES) / f"{name}.json.xz"


def record(name: str) -> Body:
    body: Body = read(file_of(name))
    return body


def title_of(title_id: str) -> Title:
    """A title of the house, or the toy of up to four seats."""
    return TOY if title_id == TOY.id else titles.load(title_id)


@cache
def data(name: str) -> Data:
    """The data of a day, with its keys in the order they had, as its title brings it up."""
    return Data.of(title_of(name.rpartition("-")[0]).upgrade_data(files(name)))


def files(name: str) -> Body:
    """The data of a day as it was."""
    body: Body = read(DATA / f"{name}.json.xz")
    return body


def keep_data(title_id: str, files: Mapping[str, Any]) -> str:
    """Keeps the data of today unless it is there; the name of its file."""
    files = {name: body for name, body in files.items() if name not in WORDS}
    name = f"{title_id}-{hashlib.sha256(orjson.dumps(files)).hexdigest()[:8]}"
    if not (DATA / f"{name}.json.xz").exists():
        write(DATA / f"{name}.json.xz", files)
    return name


# -- running again -------------------------------------------------------------------------------------------


class Given(Chance):
    """The rolls of a record, in its order."""

    def __init__(self, entries: Sequence[Body]) -> None:
        super().__init__(None)
        self.rolls = deque(e for e in entries if e["kind"] in CHANCE)
        self.first = {e["roll_no"]: e["sides"] for e in self.rolls if "sides" in e}  # told as the first records do

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        if not self.rolls:
            raise Unlike("the rules roll after the last roll of the record")
        roll = self.rolls.popleft()
        was = roll.get("sides", 0)  # of the first records: they did not say what the faces were
        if was not in (0, high - low + 1):
            raise Unlike(f"roll {roll['roll_no']} is of {high - low + 1}, it was of {was}")
        try:
            return roll["roll_no"], Roll("", "", low, high, dice).faces(roll["answer"])
        except ValueError as wrong:
            raise Unlike(f"roll {roll['roll_no']}: {wrong}") from wrong


def checksum(value: Any) -> str:
    return f"{crc32(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)) & 0xffff:04x}"


def described(entry: Entry) -> Body:
    """An entry as a record keeps it: what is as usual is left out."""
    out: Body = {"seq": entry.seq, "kind": entry.kind}
    usual = {"seat": None, "clause": "", "answer": None, "forced": False, "roll_no": None, "reveals": False,
             "commits": False}
    out |= {name: value for name, no in usual.items() if (value := getattr(entry, name)) != no}
    if entry.told:
        out["events"] = [step["event"] for step in entry.told["all"]]
        out["told"] = {eye: checksum(steps) for eye, steps in entry.told.items()}
    return out


def views(referee: Referee) -> dict[str, str]:
    """The checksum of every eye's view."""
    return {eye: f"{number & 0xffff:04x}" for eye, number in referee.views.digest.items()}


def start(body: Body, chance: Chance) -> Referee:
    title = title_of(body["title"])
    return Referee.start(title, data(body["data"]), body["scenario"], body["options"], chance, seats=body["by"])


def answers(body: Body) -> Iterator[tuple[int, Body]]:
    """The answers that seats gave, numbered from 1."""
    return enumerate((e for e in body["entries"] if e["kind"] == "answer" and not e.get("forced")), 1)


def replayed(body: Body, compare: bool = True) -> tuple[list[Body], list[Entry], Referee]:
    """The game answered again by today's rules: its entries as a record keeps them, the entries themselves, and the
    game at its end. Raises Unlike at the first answer where it goes another way; without `compare` only where an
    answer is refused."""
    was = body["entries"]
    referee = start(body, Given(was))
    out: list[Body] = []
    made = _look(body, referee, referee.drain(), out, "the start", compare)
    for number, answer in answers(body):
        where = f"answer {number} (entry {answer['seq']}, {answer['seat']}: {json.dumps(answer['answer'])})"
        try:
            new = referee.answer(answer["seat"], answer["answer"])
        except (Refusal, Unlike) as wrong:
            raise Unlike(f"{where}: {wrong}; it was asked {list(referee.asked)}") from wrong
        made += _look(body, referee, new, out, where, compare)
    if compare and referee.pos.result != body["result"]:
        raise Unlike(f"it ends with {referee.pos.result}, it ended with {body['result']}")
    return out, made, referee


def _look(body: Body, referee: Referee, made: list[Entry], out: list[Body], where: str, compare: bool) -> list[Entry]:
    """Adds the entries one answer made, and compares them with those it made then."""
    new = [described(entry) for entry in made]
    assert isinstance(referee.chance, Given)
    for line in new:
        if (sides := referee.chance.first.get(line.get("roll_no", -1))) is not None:
            line["sides"], line["answer"] = sides, line["answer"]["faces"][0] - line["answer"]["low"]
    new[-1]["views"] = views(referee)
    was = body["entries"][len(out):len(out) + len(new)]
    out += new
    if compare:
        for entry, then, now in zip(made, was, new, strict=False):
            if then != now:
                raise Unlike(f"{where}: {difference(then, now)}; now told to all: {_told(entry)}")
        if len(was) < len(new):
            raise Unlike(f"{where}: entries come after the last of the record")
    return made


def difference(then: Body, now: Body) -> str:
    """What is another at one entry, in words."""
    said = []
    for key in sorted(then.keys() | now.keys()):
        one, other = then.get(key), now.get(key)
        if one != other and key in ("told", "views"):
            before, after = one or {}, other or {}
            eyes = sorted(eye for eye in {**before, **after} if before.get(eye) != after.get(eye))
            said.append(f"{'the view' if key == 'views' else 'what is told'} differs for {', '.join(eyes)}")
        elif one != other:
            said.append(f"{key} was {one!r}, is {other!r}")
    return f"entry {then.get('seq')}: " + "; ".join(said)


def _told(entry: Entry) -> str:
    steps = [{k: v for k, v in step.items() if k != "fragments"} for step in entry.told.get("all", [])]
    return json.dumps(steps)[:1500]


def entries(body: Body) -> list[Entry]:
    """The record as the store would bring it back, with nothing told."""
    names = ("seat", "clause", "answer", "forced", "roll_no")
    return [Entry(e["seq"], e["kind"], **{name: e[name] for name in names if name in e}) for e in body["entries"]]


def resumed(body: Body) -> Referee:
    """The game run from its first position by its entries alone, as the server brings back a stored one. Raises
    OutOfStep."""
    title = title_of(body["title"])
    game = title.game(data(body["data"]), body["scenario"], body["by"])
    first = Checkpoint(1, "", title.encode(title.begin(game, game.terms.scenario.chosen(body["options"]))))
    return Referee.resume(title, game, first, title.schema, entries(body)[1:], Chance(None))


def fresh_views(title: Title, pos: Any) -> dict[str, str]:
    """The checksums of the views of a position."""
    shown = Views(title.view, pos, pos.game.terms.seating.sides)
    return {eye: f"{number & 0xffff:04x}" for eye, number in shown.digest.items()}
