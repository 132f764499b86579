"""Plays lessons by themselves: whether each right answer counts, and each tempting one is turned back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.boards.table import Told
from app.games import data
from app.lab.dice import LabReferee
from app.lab.play import Lab, meant
from app.lab.wrong import Wrong
from app.lessons.judging import ON, RIGHT, WRONG, Mark, Seen, judge, plain, refused_as
from app.lessons.lesson import Answer, Lesson, Step, Tempting
from app.lessons.lesson import lesson as lesson_of
from app.texts import Texts
from rules.core.errors import Refusal
from rules.core.record import Entry
from rules.core.seats import ALL
from rules.mechanics.written import Impossible


class Fault(Exception):
    """What is wrong with a lesson when it is played."""


@dataclass
class Run:
    """A lesson as far as it is played. `phases`: in which the learner was asked; `chance`: the rolls that no step lays
    out."""

    title: str
    lesson: Lesson
    referee: LabReferee
    phases: list[str] = field(default_factory=list)
    chance: list[str] = field(default_factory=list)

    @classmethod
    def begun(cls, title: str, lesson: Lesson) -> "Run":
        """Raises Fault for a position that cannot be."""
        lab = Lab(title, lesson.body)
        try:
            pos = lab.position()
        except Wrong as wrong:
            raise Fault(f"the position: {wrong.said(Texts('en'), title)}") from wrong
        run = cls(title, lesson, LabReferee(lab.title, pos, 1, Told([], [])))
        run._lay(lesson.dice, lesson.draws, "before the first step")
        run.referee.opened()
        run._all_fell("before the first step")
        return run

    def give(self, said: Answer, dice: Sequence[Any], draws: Sequence[Any], where: str) -> tuple[dict[str, Any], Seen]:
        """Gives an answer as a lab file writes it: the whole answer, and what it brought. Raises Fault, Refusal."""
        referee = self.referee
        try:
            seat, answer = meant(referee, said)
        except (Impossible, IndexError) as bad:
            raise Fault(f"{where}: {bad or 'nobody is asked'}") from bad
        seen = Seen(before=dict(referee.views.contents[ALL]))
        self._lay(dice, draws, where)
        try:
            made: list[Entry] = referee.answer(seat, answer)
        except Wrong as wrong:
            raise Fault(f"{where}: {wrong.said(Texts('en'), self.title)}") from wrong
        seen.after = {**dict.fromkeys(seen.before), **referee.views.contents[ALL]}
        seen.steps = [step for entry in made for step in entry.told.get(ALL, [])]
        seen.asked = list(referee.asked) if referee.pos.result is None else []
        return answer, seen

    def solve(self, number: int, step: Step) -> None:
        """Plays a step as its solution does. Raises Fault."""
        where = f"step {number}"
        if step.given is not None:
            try:
                self.give(step.given, step.dice, step.draws, where)
            except Refusal as refusal:
                raise Fault(f"{where} gives what is refused: {refused(refusal, self.title)}") from refusal
            return self._all_fell(where)
        mark, dice, draws = Mark(), step.dice, step.draws
        for count, said in enumerate(step.solution, 1):
            seat = said.get("seat") or next(iter(self.referee.asked), "")
            self.phases.append(self.referee.pos.phase().partition(".")[2])
            try:
                answer, seen = self.give(said, dice, draws, f"{where}, solution {count}")
            except Refusal as refusal:
                raise Fault(f"{where}, solution {count} is refused: {refused(refusal, self.title)}") from refusal
            dice, draws = self._left()
            mark = judge(step, mark, seat, answer, seen)
            wanted = RIGHT if count == len(step.solution) else ON
            if mark.verdict != wanted:
                fell = [told["event"] for told in seen.steps]
                raise Fault(f"{where}, solution {count} is {mark.verdict}, not {wanted}: {answer}, {fell}")
        if step.within == 1:  # with several answers others may need more
            self._all_fell(where)
        return None

    def _lay(self, dice: Sequence[Any], draws: Sequence[Any], where: str) -> None:
        self.referee.chance = _Noted(dice, draws, self.chance, where)

    def _left(self) -> tuple[list[Any], list[Any]]:
        return self.referee.chance.rolls, self.referee.chance.draws

    def _all_fell(self, where: str) -> None:
        dice, draws = self._left()
        if dice or draws:
            raise Fault(f"{where}: left over: {' '.join(map(str, [*dice, *draws]))}")


class _Noted(Told):
    """Notes what falls by chance."""

    def __init__(self, rolls: Sequence[Any], draws: Sequence[Any], noted: list[str], where: str) -> None:
        super().__init__(rolls, draws)
        self.noted, self.where = noted, where

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        assert self.asked is not None
        if not (self.draws if self.asked.kind == "draw" else self.rolls):
            self.noted.append(f"{self.where}: {self.asked.why} ({self.asked.clause}) falls by chance")
        return super().next(low, high, dice)


def play(title: str, lesson: Lesson, steps: int | None = None) -> Run:
    """A lesson played through, or its first steps. Raises Fault."""
    run = Run.begun(title, lesson)
    for number, step in enumerate(lesson.steps[:steps], 1):
        if not run.referee.asked:
            raise Fault(f"step {number}: nobody is asked")
        run.solve(number, step)
    return run


def faults(title: str, name: str) -> Iterator[str]:
    """All that is wrong with a lesson of a title."""
    lesson = lesson_of(title, name)
    known: Mapping[str, Any] = data.files(title)["clauses"]
    named = [*lesson.clauses, *(wrong.clause for step in lesson.steps for wrong in step.wrong)]
    yield from (f"there is no clause {clause}" for clause in named if clause not in known)
    try:
        run = play(title, lesson)
        last = f"step {len(lesson.steps)}"
        yield from (said for said in run.chance if not said.startswith(last))
        for number, step in enumerate(lesson.steps, 1):
            for wrong in step.wrong:
                for said in wrong.tries:
                    yield from _turned(title, lesson, number, step, wrong, said)
    except Fault as fault:
        yield str(fault)


def _turned(title: str, lesson: Lesson, number: int, step: Step, wrong: Tempting, said: Answer) -> Iterator[str]:
    """Whether a tempting answer is turned back as the lesson says."""
    run, where = play(title, lesson, number - 1), f"step {number}, wrong {plain(said)}"
    seat = said.get("seat") or run.referee.asked[0]
    try:
        answer, seen = run.give(said, step.dice, step.draws, where)
    except Refusal as refusal:
        if wrong.refused not in (refusal.clause, refusal.key):
            yield f"{where} is refused: {refused(refusal, title)}"
        elif refused_as(step, meant(run.referee, said)[1]) is not wrong:
            yield f"{where} is taken for another"
        return
    if wrong.refused:
        yield f"{where} is not refused"
        return
    mark = judge(step, Mark(), seat, answer, seen)
    if mark.verdict != WRONG or mark.why is None or step.wrong[mark.why] is not wrong:
        yield f"{where} is {mark.verdict} ({mark.why}): {[told['event'] for told in seen.steps]}"


def refused(refusal: Refusal, title: str) -> str:
    return f"{Texts('en')(refusal.key, title, **refusal.args_)} ({refusal.clause})"


