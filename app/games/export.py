"""A game as a file: what one eye knows while it runs, everything when it is over; and games made of such files."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from anyio import to_thread

from app.errors import Refused
from app.games import acts, data, dice, making, record, repository, told
from app.games.channel import note
from app.games.checkpoints import points, stored
from app.games.live import Live
from app.games.proof import Proof, prove
from app.games.record import START
from app.games.repository import Conn, GameRow
from app.games.statement import NewEntry, Written, append
from app.packing import Base
from rules.core.chance import Chance
from rules.core.errors import BadPosition, OutOfStep
from rules.core.record import RERUN, Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.seats import ALL, Eye
from rules.core.title import Title

FORMAT = 1


async def for_player(live: Live, player: acts.Player) -> dict[str, Any]:
    """Raises NotFound, NotAllowed."""
    row = await live.store.row(player.game_id)
    async with live.store.pool.connection() as conn:
        return await export(conn, row, player.eye(row))


async def export(conn: Conn, row: GameRow, eye: Eye, everything: bool = False) -> dict[str, Any]:
    """The record as one eye was told it, with its own answers; with `everything` (or when the game is over) all
    answers, all that was told to anybody, and the seed of the dice."""
    whole = everything or row.status == "finished"
    seats = list(row.seats)
    out = {
        "format": FORMAT, "id": row.id, "title": row.title, "scenario": row.scenario, "data_digest": row.data_digest,
        "rules_version": row.rules_version, "options": row.options, "policy": row.policy, "state": row.status,
        "seats": {seat: {name: who[name] for name in ("side", "name", "bot")} for seat, who in row.seats.items()},
        "created_at": row.created_at, "finished_at": row.finished_at, "result": row.result,
        "rolls": row.rolls, "imported": row.imported, "what_if": row.what_if,
        "eye": ALL if whole else eye, "dice": dice.shown(row.dice, seats, row.dice_seed, whole),
    }  # fmt: skip
    entries = await record.whole_record(conn, row.id)
    names = await repository.names(conn, {user for entry in entries for user in _users(entry)})
    unpacked = await to_thread.run_sync(lambda: [_entry(_named(entry, names), eye, whole) for entry in entries])
    return {**out, "entries": unpacked}


def _users(entry: Mapping[str, Any]) -> list[int]:
    """The accounts whose calendars a clock went by, as entries of clocks keep them."""
    said = entry["answer"]
    by_seat = entry["kind"] in ("pace", "stand_down")
    found = said["seats"].values() if by_seat else [said["user"]] if entry["kind"] == "fresh" else ()
    return [user for user in found if user is not None]


def _named(entry: Mapping[str, Any], names: Mapping[int, str]) -> Mapping[str, Any]:
    """An entry with names in place of accounts' numbers."""
    said = entry["answer"]
    if entry["kind"] in ("pace", "stand_down"):
        return {**entry, "answer": {**said, "seats": {seat: names.get(user) for seat, user in said["seats"].items()}}}
    if entry["kind"] == "fresh":
        return {**entry, "answer": {**said, "user": names.get(said["user"])}}
    return entry


def _entry(entry: Mapping[str, Any], eye: Eye, whole: bool) -> dict[str, Any]:
    by_eye = told.unpack(entry["told"])
    out = {"seq": entry["seq"], "at": entry["at"], "seat": entry["seat"], "kind": entry["kind"],
           "clause": entry["clause"], "retracted": entry["retracted_at"] is not None}  # fmt: skip
    if not whole:
        own = {"answer": entry["answer"]} if eye in (entry["seat"], ALL) else {}
        return {**out, **own, "steps": by_eye.get(eye, [])}
    more = ("answer", "forced", "roll_no", "sides", "reveals", "commits", "rules_version")
    return {**out, **{name: entry[name] for name in more}, "told": by_eye}


@dataclass(frozen=True)
class TakenIn:
    """A new game made of a file, and what of the file could be proved."""

    id: str
    proof: Proof


async def take_in(conn: Conn, file: Any, owner: int) -> TakenIn:
    """Makes a new game of a whole export. A finished game is there to be looked at, its players by name; one that runs
    gets new dice, and `owner` plays both sides. What does not fit is said, and the game marked. Raises Refused, also
    when the rules do not fit a game that runs, or a finished one of today's rules."""
    try:
        if not isinstance(file, Mapping) or "format" not in file:
            raise Refused("games.import_malformed", why="this is no export of a game")
        if file["format"] != FORMAT:
            raise Refused("games.import_format", format=str(file["format"])[:20], known=FORMAT)
        if file.get("eye") != ALL:
            raise Refused("games.import_not_whole")
        return await _take_in(conn, file, owner)
    except (LookupError, TypeError, ValueError, AttributeError, BadPosition) as fault:
        raise Refused("games.import_malformed", why=f"{type(fault).__name__}: {fault}"[:300]) from fault
    except psycopg.DataError as fault:
        raise Refused("games.import_malformed", why=str(fault).strip().splitlines()[0][:300]) from fault
    except psycopg.IntegrityError as fault:
        raise Refused("games.import_malformed", why=str(fault.diag.message_primary)[:300]) from fault


def _shape(file: Mapping[str, Any]) -> None:
    """Raises ValueError for what the database or the rules would stumble over later."""
    numbers = [entry["seq"] for entry in file["entries"]]
    if len(set(numbers)) != len(numbers):
        raise ValueError("an entry is there twice")
    if file["policy"] not in ("run_and_consent", "run", "none"):
        raise ValueError(f"there is no policy {str(file['policy'])[:20]!r}")
    if not isinstance(file.get("what_if", True), bool):
        raise ValueError("what_if is true or false")
    if file["state"] not in ("active", "finished"):
        raise ValueError(f"there is no state {str(file['state'])[:20]!r}")
    if file["state"] == "finished" and not isinstance(file["result"], Mapping):
        raise ValueError("a finished game has a result")


async def _take_in(conn: Conn, file: Mapping[str, Any], owner: int) -> TakenIn:
    _shape(file)
    title = data.title(file["title"])
    current = data.current(title.id)
    if current.digest == file["data_digest"]:
        await data.pin(conn, title.id)
    body = await data.pinned(conn, file["data_digest"], title.id)
    game = title.game(body, file["scenario"], file["seats"])
    seating = game.terms.seating
    made = [_read(entry) for entry in file["entries"]]
    standing = [e for e, raw in zip(made, file["entries"], strict=True) if e.kind in RERUN and not raw["retracted"]]
    rolls = sum(e.roll_no is not None for e in made)
    over = file["state"] == "finished"
    begin = Checkpoint(1, "", title.encode(title.first(body, file["scenario"], file["options"], file["seats"])))
    sealing = file["dice"]
    seed = bytes.fromhex(sealing["seed"]) if over else secrets.token_bytes(32)
    referee = _rerun(title, game, begin, standing, rolls, made[-1].seq, over)
    game_id, proof = making.slug(), prove(file, body)
    waiting = [] if over or referee is None else list(referee.asked)
    await repository.add_game(conn, {
        "id": game_id, "title": title.id, "scenario": file["scenario"], "data_digest": body.digest,
        "rules_version": title.version, "schema": title.schema, "status": "finished" if over else "active",
        "visibility": "open", "join_token": secrets.token_urlsafe(16), "policy": file["policy"],
        "options": file["options"], "seq": made[-1].seq, "waiting_for": waiting, "result": file["result"],
        "dice": dice.kept_as_sealed(sealing) if over else dice.taken_on(sealing, rolls), "dice_seed": seed,
        "rolls": rolls, "imported": proof.said(), "what_if": file.get("what_if", True),
        "created_by": owner})  # fmt: skip
    await repository.add_seats(conn, game_id, seating, {
        seat: (None if over else owner, None, who["name"] or who["bot"]) for seat, who in file["seats"].items()})
    new = [NewEntry(e, raw["at"], None, None, raw["sides"], told.pack(e.told))
           for e, raw in zip(made, file["entries"], strict=True)]  # fmt: skip
    kept = [stored(begin, START, title, None), *(points(referee, Base(START, begin.state)) if referee else ())]
    await append(conn, Written(
        game_id, None, new, list({point.phase: point for point in kept}.values()), made[-1].seq, waiting, rolls,
        "finished" if over else "active", file["result"], None, None, note(game_id, "e", made[-1].seq)))  # fmt: skip
    for entry, raw in zip(made, file["entries"], strict=True):
        if raw["retracted"]:
            await record.retract(conn, game_id, entry.seq, entry.seq)
    return TakenIn(game_id, proof)


def _rerun(title: Title, game: Any, begin: Checkpoint, standing: list[Entry], rolls: int, seq: int,
           over: bool) -> Referee | None:  # fmt: skip
    """The game as today's rules have it; None for a finished one of other rules that today's don't fit. Raises
    Refused."""
    try:
        return Referee.resume(title, game, begin, title.schema, standing, Chance(None, rolls), seq)
    except OutOfStep as fault:
        if not over or all(entry.rules_version == title.version for entry in standing):
            raise Refused("games.import_out_of_step", why=str(fault)) from fault
        return None


def _read(raw: Mapping[str, Any]) -> Entry:
    return Entry(raw["seq"], raw["kind"], raw["seat"], raw["clause"], raw["answer"], raw["forced"], raw["roll_no"],
                 raw["reveals"], raw["commits"], raw["told"], raw["rules_version"])  # fmt: skip


