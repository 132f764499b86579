"""A game whose record the rules that are here no longer fit: where it can go on, and what its players choose.

Nothing happens to such a game by itself. Its players may agree to go on from before the first answer that does not fit,
with a new dice key, or to end it unrated; one who looks after the site may decide so for them, with a reason. Or they
wait: a host who brings back the release it was played with can let them finish.
"""

from collections.abc import Sequence
from typing import Any

from app import audit
from app.accounts.models import User
from app.errors import Conflict, NotAllowed, Refused
from app.games import access, consent, data, loading, record, take_back
from app.games.change import Change
from app.games.record import StoredCheckpoint
from app.games.repository import Conn, GameRow
from app.games.store import Store
from app.games.take_back import Contents
from app.games.told import LONGEST_PAGE, ToldEntry, to_all
from app.mending import repository as own
from app.mending.schemas import MendingCard, Proposal, WayBack, What
from app.notifications import service as notices
from app.packing import Base, unpack
from rules.core.chance import Chance
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.seats import eyes

LONGEST_FAULT = 200


# -- what is wrong, and where a game can go on ---------------------------------------------------------


async def fault(conn: Conn, row: GameRow) -> str | None:
    """Why the rules that are here don't fit a game; None if they do."""
    try:
        await loading.load(conn, row)
    except Exception as why:  # whatever a title's rules raise
        return repr(why.__cause__ or why)[:LONGEST_FAULT]
    return None


async def way_back(conn: Conn, row: GameRow) -> int | None:
    """The first answer that does not fit: before it the game can go on. From the newest checkpoint that the rules can
    read on; None where there is none."""
    game = await data.played_with(conn, row)
    before: int | None = None
    while (checkpoint := await record.newest_checkpoint(conn, row.id, before)) is not None:
        entries = await record.standing(conn, row.id, checkpoint.seq)
        runs = _runs(entries)
        if before is not None:  # what lies after a checkpoint that can't be read goes with it
            runs = [run for run in runs if not _answers(run) or run[0].seq <= before]
        found = _misfit(row, game, checkpoint, runs)
        if found is not None:
            return found
        before = checkpoint.seq
    return None


def _answers(run: Sequence[Entry]) -> bool:
    return bool(run) and run[0].kind == "answer" and not run[0].forced


def _runs(entries: Sequence[Entry]) -> list[list[Entry]]:
    """What came by itself, then every answer with what it set off."""
    runs: list[list[Entry]] = [[]]
    for entry in entries:
        if entry.kind == "answer" and not entry.forced:
            runs.append([])
        runs[-1].append(entry)
    return runs


def _misfit(row: GameRow, game: Any, checkpoint: StoredCheckpoint, runs: Sequence[list[Entry]]) -> int | None:
    """The first answer after a checkpoint that does not fit, else the last; None when what came by itself does not."""
    title = data.title(row.title)
    answers = [run for run in runs if _answers(run)]
    point = Checkpoint(checkpoint.seq, checkpoint.phase, _state(checkpoint))
    try:
        referee = Referee.resume(title, game, point, checkpoint.schema, runs[0], Chance(None))
    except Exception:  # whatever a title's rules raise
        return None
    for run in answers:
        try:
            referee.follow(run)
        except Exception:  # as above
            return run[0].seq
    return answers[-1][0].seq if answers else None


def _state(checkpoint: StoredCheckpoint) -> bytes:
    if checkpoint.base is None or checkpoint.base_state is None:
        return unpack(checkpoint.state)
    return Base(checkpoint.base, unpack(checkpoint.base_state)).whole(checkpoint.state)


# -- the choice ----------------------------------------------------------------------------------------


async def look(live: Store, game_id: str, user: User | None, token: str | None = None) -> MendingCard:
    """What one may know who may see the game. Raises NotFound."""
    row = await live.row(game_id)
    mine = access.seats_of(row, user.id if user else None)
    staff = user is not None and (user.is_admin or bool(user.roles))
    if not staff:
        access.eye_of(row, user.id if user else None, None, token)
    present = data.title(row.title).version
    async with live.pool.connection() as conn:
        played = await own.played_with(conn, game_id)
        if row.status != "active" or await fault(conn, row) is None:
            return MendingCard(fits=True, played=played, present=present)
        await tell(conn, row)
        to, said = await way_back(conn, row), await own.found(conn, game_id)
        back = WayBack(**await own.undone(conn, game_id, to)) if to else None
    proposal = None
    if said and said.seat and said.what:
        proposal = Proposal(seat=said.seat, what="end" if said.what == "end" else "resume", to=said.to)
    return MendingCard(fits=False, played=played, present=present, back=back, proposal=proposal, your_seats=mine,
                       may_rule=staff and not mine)  # fmt: skip


async def tell(conn: Conn, row: GameRow) -> None:
    """Tells the players of a broken game, once for each version of the rules."""
    if await own.note(conn, row.id, data.title(row.title).version):
        people = {who["user"] for who in row.seats.values() if who["user"] is not None}
        await notices.tell(conn, people, "care", game=row.id, key="mending.notice", link=f"/games/{row.id}/broken")


async def propose(live: Store, game_id: str, user: User, what: What) -> bool:
    """Proposes what is to become of the game, or agrees to the same proposal of the other side; at once where there is
    nobody to ask. Whether it was done. Raises NotAllowed, Refused, Conflict."""
    async with live.locked(game_id) as change:
        seat = access.playing(change.row, user.id, None)
        to = await _broken(change, what)
        said = await own.found(change.conn, game_id)
        theirs = consent.to_ask(change.row, seat, change.row.seating.opponents(seat))
        same = said is not None and (said.what, said.to) == (what, to) and said.seat in theirs
        if same or not theirs:
            await _do(change, what, to, user.id)
            return True
        await own.propose(change.conn, game_id, seat, what, to)
        return False


async def reply(live: Store, game_id: str, user: User, yes: bool) -> None:
    """The word on a proposal: the other side's yes or no; a no to one's own takes it back. Raises NotAllowed, Refused;
    Conflict when the rules have changed again since."""
    async with live.locked(game_id) as change:
        seat = access.playing(change.row, user.id, None)
        said = await own.found(change.conn, game_id)
        if said is None or said.what is None or (yes and not _foes(change.row, said.seat, seat)):
            raise Refused("mending.no_proposal")
        if not yes:
            await own.propose(change.conn, game_id, None, None, None)
            return
        what: What = "end" if said.what == "end" else "resume"
        to = await _broken(change, what)
        if to != said.to:
            raise Conflict("mending.changed")
        await _do(change, what, to, user.id)


def _foes(row: GameRow, one: str | None, other: str) -> bool:
    return one is not None and row.seating.side(one) != row.seating.side(other)


async def rule(live: Store, game_id: str, by: User, what: What, reason: str) -> None:
    """One who looks after the site, and does not play the game, decides. Raises NotAllowed, Refused."""
    async with live.locked(game_id) as change:
        if access.seats_of(change.row, by.id):
            raise NotAllowed("admin.own_game")
        await _do(change, what, await _broken(change, what), by.id, reason)


async def _broken(change: Change, what: What) -> int | None:
    """Before which entry the game can be resumed. Raises Refused for a game that goes on, or has nowhere to go."""
    row = change.row
    if row.status != "active" or await fault(change.conn, row) is None:
        raise Refused("mending.fits")
    await tell(change.conn, row)
    to = await way_back(change.conn, row) if what == "resume" else None
    if what == "resume" and to is None:
        raise Refused("mending.nowhere")
    return to


async def _do(change: Change, what: What, to: int | None, by: int, reason: str | None = None) -> None:
    conn, row = change.conn, change.row
    agreed = "" if reason else "_agreed"
    if what == "resume":
        assert to is not None, "_broken has found it"
        seat = str((await own.undone(conn, row.id, to))["seat"])
        before = await _seen(conn, row)
        why = to_all(row.seating, f"mended{agreed}", None, {"to": to, "reason": reason or ""})
        sealed = await take_back.reseal(change, "mended")
        await take_back.go_back(change, seat, to, True, by, before, why)
        await audit.note(conn, by, f"mend_resume{agreed}", game=row.id, reason=reason or "", to=to, dice=sealed)
    else:
        why = to_all(row.seating, f"annulled{agreed}", None, {"reason": reason or ""})
        entry = Entry(row.seq + 1, "ruling", None, told=why, rules_version=data.title(row.title).version)
        result: dict[str, Any] = {"winner": None, "key": "result.annulled", "args": {}, "clause": ""}
        await change.write(None, [entry], by=by, result=result)
        await audit.note(conn, by, f"mend_end{agreed}", game=row.id, reason=reason or "")
    await own.forget(conn, row.id)
    change.card_changed = True


async def _seen(conn: Conn, row: GameRow) -> dict[str, Contents]:
    """What every eye has been told so far: of a game that can't be loaded, all that is known of it."""
    shown: dict[str, Contents] = {eye: {} for eye in eyes(row.seating.sides)}
    since = 0
    while page := await record.told_since(conn, row.id, since, LONGEST_PAGE):
        for line in map(ToldEntry.stored, page):
            for eye, contents in shown.items():
                for step in line.told.get(eye, []):
                    contents.update(step["fragments"])
        since = page[-1].seq
    return {eye: {key: content for key, content in contents.items() if content is not None}
            for eye, contents in shown.items()}  # fmt: skip
