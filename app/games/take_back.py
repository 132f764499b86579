"""Taking back: asked, agreed or refused, and done."""

import secrets
from collections.abc import Mapping
from typing import Any

from app.errors import Refused
from app.games import checkpoints, consent, dice, loading, play, record, undo
from app.games.change import Change
from app.games.told import to_all
from rules.core.events import Told
from rules.core.record import Entry
from rules.core.seats import Eye

Contents = dict[str, Any]  # of the fragments of a view


async def ask(change: Change, seat: str, to: int, by: int | None, message: int | None = None) -> bool:
    """Takes back to entry `to` if that is free or there is nobody to ask, as when one person plays both sides; else
    asks all of the other side, with a `message` of the chat if there is one. Whether it was done at once.
    Raises Refused."""
    row, loaded = change.row, await change.loaded()
    play.room_left(row)
    if to in undo.free_steps(row, loaded.tail, seat, loaded.referee.asked):
        await execute(change, seat, to, False, by)
        return True
    if to not in undo.by_consent(row, loaded.tail, seat, loaded.referee.asked):
        raise Refused("games.no_take_back")
    asks = consent.for_take_back(row, loaded.tail, seat, to)
    if not asks:
        await execute(change, seat, to, True, by)
        return True
    if row.undo_request is not None:
        raise Refused("games.take_back_asked")
    gone = undo.undone(loaded.tail, to)
    await change.update(undo_request={
        "seat": seat, "asks": asks, "to": to, "undoes": gone, "dice": sum(e["dice"] for e in gone),
        "reveals": any(e["reveals"] for e in gone), **({} if message is None else {"message": message})})  # fmt: skip
    return False


async def reply(change: Change, seat: str, yes: bool, by: int | None) -> None:
    """The word of one who is asked: done when the last has agreed. A no of the seat that asks withdraws what it asked,
    which may be asked again. Raises Refused for who is not asked."""
    row = change.row
    asked = row.undo_request
    if asked is not None and seat == asked["seat"] and not yes:
        await change.update(undo_request=None)
        return
    if asked is None or seat not in asked["asks"]:
        raise Refused("games.no_take_back_asked")
    left = consent.still_asked(row, asked["asks"], seat)
    if not yes:
        await change.update(undo_request=None, undo_refused=[*row.undo_refused, asked["to"]])
    elif left:
        await change.update(undo_request={**asked, "asks": left})
    else:
        await execute(change, asked["seat"], asked["to"], True, by)


async def execute(change: Change, seat: str, to: int, consent: bool, by: int | None, ruling: str | None = None) -> None:
    """Marks the entries from `to` on and goes on from the position before them; dice never rewind. `ruling`: why
    somebody who doesn't play has decided so.
    Raises Conflict, and changes nothing, when the rules no longer fit what stands."""
    before = (await change.loaded()).referee.views.contents
    why = None if ruling is None else to_all(change.row.seating, "rewound", None, {"to": to, "reason": ruling})
    await go_back(change, seat, to, consent, by, before, why)


async def go_back(change: Change, seat: str, to: int, consent: bool, by: int | None, before: Mapping[Eye, Contents],
                  why: Told | None) -> None:
    """The same from what each eye has seen `before`, so that it needs no game that could be loaded; `why` is told
    first."""
    row = change.row
    checkpoint = await record.newest_checkpoint(change.conn, row.id, to)
    assert checkpoint is not None, "the start is before every answer"
    await record.retract(change.conn, row.id, to)
    loaded = await loading.resume(change.conn, row, checkpoint, to)
    referee = loaded.referee
    await record.drop_checkpoints(change.conn, row.id, to)
    now = referee.views.contents
    changed = {eye: undo.changes(before[eye], contents) for eye, contents in now.items()}
    told = to_all(row.seating, "taken_back", seat, {"to": to, "seat": seat, "consent": consent}, changed)
    if why:
        told = {eye: [*why[eye], *steps] for eye, steps in told.items()}
    said = {"to": to, "consent": consent}
    entry = Entry(row.seq + 1, "take_back", seat, answer=said, told=told, rules_version=referee.title.version)
    referee.drain_phases()
    loaded.opened = entry.seq
    change.put(loaded)
    newest = checkpoints.stored(referee.newest, record.NEWEST, referee.title, loaded.base)
    loaded.saved = newest.seq
    await change.write(seat, [entry], by=by, points=[newest])


async def reseal(change: Change, why: str) -> dict[str, Any]:
    """Another seed, and both players commit themselves anew: who has seen old rolls can tell nothing of new ones. The
    old sealing, with its seed."""
    row = change.row
    old = dice.shown(row.dice, list(row.seats), row.dice_seed, finished=True)
    bots = [seat for seat, who in row.seats.items() if who["bot"]]
    new = dice.anew(row.dice, bots, row.rolls, None, why, old)
    await change.update(dice=new, dice_seed=secrets.token_bytes(32))
    return old
