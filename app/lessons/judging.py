"""What is said to an answer: right, one of the wrong ones that has a reason, or allowed but not what was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from app.lab import expecting
from app.lab.wrong import Wrong
from app.lessons.lesson import Lesson, Step, Tempting, Way

ON, RIGHT, WRONG, ALLOWED = "on", "right", "wrong", "allowed"  # verdicts; "" where nothing was answered yet


@dataclass(frozen=True)
class Mark:
    """Where a lesson stands at a node of its board. `step`: how many steps are done; `made`: answers to the present
    one; `faces`, `draws`: what fell for them; `verdict` on the last answer, `why` it is wrong (which of the step's)."""

    step: int = 0
    made: int = 0
    faces: int = 0
    draws: int = 0
    verdict: str = ""
    why: int | None = None

    @staticmethod
    def of(body: Mapping[str, Any]) -> "Mark":
        return Mark(**body)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def astray(self) -> bool:
        return self.verdict in (WRONG, ALLOWED)


@dataclass
class Seen:
    """What an answer brought: steps told, fragments before and after, who is asked now, what fell."""

    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    steps: Sequence[Mapping[str, Any]] = ()
    asked: Sequence[str] = ()
    faces: int = 0
    draws: int = 0


def judge(step: Step, mark: Mark, seat: str, said: Mapping[str, Any], seen: Seen) -> Mark:
    """Where the lesson stands after an answer of `seat` that the rules allow."""
    fallen = replace(mark, made=mark.made + 1, faces=mark.faces + seen.faces, draws=mark.draws + seen.draws, why=None)
    for number, wrong in enumerate(step.wrong):
        if not wrong.refused and fits(wrong, said) and holds(wrong.after, seen):
            return replace(fallen, verdict=WRONG, why=number)
    if is_right(step, said, seen):
        return Mark(mark.step + 1, verdict=RIGHT)
    if fallen.made < step.within and seat in seen.asked:
        return replace(fallen, verdict=ON)
    return replace(fallen, verdict=ALLOWED)


def is_right(step: Step, said: Mapping[str, Any], seen: Seen) -> bool:
    if not step.right:
        return same(step.solution[-1], said)
    return any(fits(way, said) and holds(way.after, seen) for way in step.right)


def refused_as(step: Step, said: Mapping[str, Any]) -> Tempting | None:
    """The wrong answer that the rules refused, if it is one with a reason."""
    return next((wrong for wrong in step.wrong if wrong.refused and fits(wrong, said)), None)


def fits(way: Way, said: Mapping[str, Any]) -> bool:
    return way.answer is None or expecting.holds(plain(way.answer), plain(said))


def plain(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without its seat, and without the empty lists that may as well be left out."""
    return {key: _filled(value) for key, value in answer.items() if key != "seat"}


def _filled(value: Any) -> Any:
    return {key: _filled(one) for key, one in value.items() if one != []} if isinstance(value, Mapping) else value


def same(wanted: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """Whether an answer is the one that is wanted: lists hold as much and no more, in any order."""
    given = plain(said)
    return all(_same(value, given.get(key)) for key, value in plain(wanted).items())


def _same(wanted: Any, said: Any) -> bool:
    if isinstance(wanted, list):
        return (isinstance(said, list) and len(said) == len(wanted)
                and all(any(_same(one, other) for other in said) for one in wanted))
    if isinstance(wanted, dict):
        return (isinstance(said, dict) and said.keys() == wanted.keys()
                and all(_same(value, said[key]) for key, value in wanted.items()))
    return bool(wanted == said)


def holds(wanted: Sequence[Mapping[str, Any]], seen: Seen) -> bool:
    try:
        expecting.check(wanted, seen.steps, seen.before, seen.after)
    except Wrong:
        return False
    return True


def told(lesson: Lesson, mark: Mark | None, lang: str) -> dict[str, Any]:
    """What the page says at a node (docs/protocol.md section 13); None: the node is off the lesson's way."""
    said: dict[str, Any] = {"title": lesson.title[lang], "goal": lesson.goal[lang], "of": asked_of(lesson),
                            "verdict": "free" if mark is None else mark.verdict}  # fmt: skip
    if mark is None:
        return said | {"step": 0, "over": False}
    done = lesson.steps[: mark.step]
    said |= {"step": sum(step.given is None for step in done), "over": mark.step == len(lesson.steps)}
    if done and mark.verdict in (RIGHT, "") and (praise := done[-1].done or done[-1].say):
        said["done"] = praise[lang]
    if said["over"]:
        return said | {"success": lesson.success[lang]}
    step = lesson.steps[mark.step]
    said["at"] = begins_at(step)
    if step.given is not None:
        return said | {"given": True}
    assert step.say is not None
    said |= {"say": step.say[lang], "hints": [hint[lang] for hint in step.hints], "left": step.within - mark.made}
    if mark.why is not None:
        wrong = step.wrong[mark.why]
        said |= {"why": wrong.why[lang], "clause": wrong.clause}
    return said


def begins_at(step: Step) -> str | None:
    """Where the answer to a step begins, if it begins in a place: the start of a path (of a stance its hex), or where
    what it takes lies. No target is named by it."""
    first = step.given or step.solution[0]
    at = next(iter([*first.get("path", ()), *first.get("lots", ())]), None)
    return at and str(at).partition("@")[0]


def asked_of(lesson: Lesson) -> int:
    """How many steps a lesson asks."""
    return sum(step.given is None for step in lesson.steps)
