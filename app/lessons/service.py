"""What one does with a lesson: begin it, answer, see what comes next, have done it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.boards import service as boards
from app.boards.service import BoardRow, Given, Hand
from app.boards.table import Table, Told
from app.boards.tree import Node
from app.errors import NotFound, Refused
from app.games.repository import Conn
from app.games.store import Store
from app.lab.play import meant
from app.lessons import repository
from app.lessons.judging import Mark, Seen, judge, refused_as, told
from app.lessons.lesson import Lesson, Step, Tempting, lesson, lessons_of
from app.lessons.repository import RunRow
from rules.core.record import Entry
from rules.core.seats import ALL
from rules.mechanics.written import Impossible

KEPT_DAYS = 365  # that a browser without an account is known


class Turned(Exception):
    """The rules refuse a wrong answer that has a reason."""

    def __init__(self, refused: Refused, wrong: Tempting) -> None:
        super().__init__(refused.key)
        self.refused, self.wrong = refused, wrong


@dataclass
class Watching:
    """Sees what an answer brings, from before it to after."""

    seen: Seen
    seat: str = ""

    def begin(self, table: Table, seat: str | None) -> None:
        self.seen.before = dict(table.referee.views.contents[ALL])
        self.seat = table.seat(seat)

    def end(self, table: Table, made: Sequence[Entry]) -> None:
        seen, referee = self.seen, table.referee
        seen.after = {**dict.fromkeys(seen.before), **referee.views.contents[ALL]}
        seen.steps = [step for entry in made for step in entry.told.get(ALL, [])]
        seen.asked = list(referee.asked) if referee.pos.result is None else []
        seen.faces = sum(len(entry.answer["faces"]) for entry in made if entry.kind == "roll")
        seen.draws = sum(entry.kind == "draw" for entry in made)


async def begin(store: Store, hand: Hand, title_id: str, name: str) -> str:
    """A board of a lesson; its id. Raises NotFound."""
    board = await boards.make(store, hand, title_id, lesson(title_id, name).body)
    async with store.pool.connection() as conn:
        await repository.add_run(conn, board, name, Mark().as_json())
    return board


async def whole(store: Store, hand: Hand, board_id: str, lang: str) -> tuple[BoardRow, RunRow, dict[str, Any]]:
    """A lesson's board with its first view. Raises NotFound."""
    run, of = await _run(store, board_id)
    row, body = await boards.whole(store, hand, board_id)
    return row, run, {**body, "lesson": told(of, _mark(run, 0), lang)}


async def view(store: Store, hand: Hand, board_id: str, at: int, lang: str) -> dict[str, Any]:
    run, of = await _run(store, board_id)
    return {**await boards.view(store, hand, board_id, at), "lesson": told(of, _mark(run, at), lang)}


async def answer(
    store: Store, hand: Hand, board_id: str, at: int, seat: str | None, said: Mapping[str, Any], lang: str
) -> dict[str, Any]:
    """An answer of the learner, and what is said to it. Raises Refused; Turned where that has a reason of its own."""
    run, of = await _run(store, board_id)
    mark, step = _asking(run, of, at)
    if step.given is not None:
        raise Refused("lessons.not_asked")
    watching = Watching(Seen())

    def give(_: BoardRow, __: Sequence[Node], table: Table) -> Given:
        watching.begin(table, seat)
        return seat, said, _dice(step, mark)

    try:
        made = await boards.play_on(store, hand, board_id, at, give, watching.end)
    except Refused as refused:
        if wrong := refused_as(step, said):
            raise Turned(refused, wrong) from refused
        raise
    now = judge(step, mark, watching.seat, said, watching.seen)
    return {**made, "lesson": await _mark_at(store, hand, run, of, made["node"], now, lang)}


async def go(store: Store, hand: Hand, board_id: str, at: int, lang: str) -> dict[str, Any]:
    """The answer that the lesson itself gives next."""
    run, of = await _run(store, board_id)
    mark, step = _asking(run, of, at)
    if step.given is None:
        raise Refused("lessons.yours")
    given = step.given

    def give(_: BoardRow, __: Sequence[Node], table: Table) -> Given:
        try:
            return *meant(table.referee, given), _dice(step, mark)
        except Impossible as bad:
            raise Refused(bad.key, clause=bad.clause or None, **bad.args_) from bad

    made = await boards.play_on(store, hand, board_id, at, give)
    return {**made, "lesson": await _mark_at(store, hand, run, of, made["node"], Mark(mark.step + 1), lang)}


async def hints(store: Store, hand: Hand, board_id: str, at: int) -> list[dict[str, Any]]:
    """What the computer would consider where the learner is asked; of no other board, as it may be one of a game
    against people. Raises NotFound, Refused."""
    await _run(store, board_id)
    return await boards.hints(store, hand, board_id, at)


async def done_by(store: Store, hand: Hand, looks_on: bool = False) -> set[tuple[str, str]]:
    """Title and name of the lessons that somebody has done. What was done before there was an account becomes its
    own, unless an admin only looks on."""
    maker = hand.maker if hand.key else None
    async with store.pool.connection() as conn:
        if hand.user is not None and maker is not None and not looks_on:
            await repository.hand_over(conn, maker, hand.user)
        return await repository.done(conn, hand.user, None if looks_on else maker)


def next_of(title_id: str, done: set[tuple[str, str]], after: str | None = None) -> str | None:
    """The lesson to go on with: the next one not done after `after`, else the first not done; None: all are."""
    names = list(lessons_of(title_id))
    at = names.index(after) + 1 if after in names else 0
    return next((name for name in (*names[at:], *names[:at]) if (title_id, name) not in done), None)


async def sweep(store: Store) -> int:
    """Forgets what nobody can ask for any more; how many."""
    async with store.pool.connection() as conn:
        return await repository.sweep(conn, KEPT_DAYS)


async def _run(store: Store, board_id: str) -> tuple[RunRow, Lesson]:
    async with store.pool.connection() as conn:
        run = await repository.run(conn, board_id)
    if run is None:
        raise NotFound("lessons.none")
    return run, lesson(run.title, run.lesson)


def _mark(run: RunRow, at: int) -> Mark | None:
    body = run.marks.get(str(at))
    return Mark.of(body) if body else None


def _asking(run: RunRow, of: Lesson, at: int) -> tuple[Mark, Step]:
    """Where a lesson stands, and what comes next. Raises Refused where nothing does."""
    mark = _mark(run, at)
    if mark is None or mark.astray:
        raise Refused("lessons.go_back")
    if mark.step >= len(of.steps):
        raise Refused("lessons.over")
    return mark, of.steps[mark.step]


def _dice(step: Step, mark: Mark) -> Told:
    """What is left of the dice of a step."""
    return Told(boards.after_faces(step.dice, mark.faces), step.draws[mark.draws :])


async def _mark_at(
    store: Store, hand: Hand, run: RunRow, of: Lesson, node: int, mark: Mark, lang: str
) -> dict[str, Any]:
    """Keeps where a lesson stands at a node, and that it is done if it is; what is said of it."""
    async with store.pool.connection() as conn:
        await repository.set_mark(conn, run.board_id, node, mark.as_json())
        if mark.step == len(of.steps):
            await _note_done(conn, hand, run)
    return told(of, mark, lang)


async def _note_done(conn: Conn, hand: Hand, run: RunRow) -> None:
    maker = hand.maker if hand.user is None else None
    await repository.note_done(conn, hand.user, maker, run.title, run.lesson)
