"""One lesson file, checked: docs/lessons.md."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Self

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from app.errors import NotFound
from app.games import data
from app.texts import LANGUAGES
from rules.bots.leaks import words

MOST_MINUTES = 10
LANGUAGE_NAMES = {"en": "English", "es": "Spanish", "it": "Italian", "pt": "Portuguese"}

Answer = dict[str, Any]


def in_all_languages(words: dict[str, str]) -> dict[str, str]:
    missing = [LANGUAGE_NAMES[lang] for lang in LANGUAGES if not words.get(lang, "").strip()]
    if missing:
        raise ValueError(f"says nothing in {', '.join(missing)}")
    if stray := words.keys() - LANGUAGES.keys():
        raise ValueError(f"speaks a language that the site does not: {', '.join(sorted(stray))}")
    return words


Words = Annotated[dict[str, str], AfterValidator(in_all_languages)]
Clause = Annotated[str, StringConstraints(pattern=r"^[A-Z]?\d*(\.\d+)*$", min_length=1)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Way(Strict):
    """Answers that are meant: those of which `answer` is a part, and after which all of `after` holds (as `expect` of a
    lab file). At least one of the two is given."""

    answer: Answer | None = None
    after: list[dict[str, Any]] = []

    @model_validator(mode="after")
    def says_something(self) -> Self:
        if self.answer is None and not self.after:
            raise ValueError("fits every answer: give `answer`, `after` or both")
        return self


class Tempting(Way):
    """A wrong answer that many would give: why it is wrong, by which clause. `tried`: whole answers by which the tests
    try it, unless `answer` is whole. `refused`: the clause by which the rules refuse it; else it is allowed."""

    why: Words
    clause: Clause
    tried: list[Answer] = []
    refused: Clause | None = None

    @property
    def tries(self) -> list[Answer]:
        return self.tried or [self.answer or {}]


class Step(Strict):
    """What is asked of the learner (`say`), or the answer that is given by itself (`given`) with what is said of it.

    `solution`: answers that do it, as a lab file gives them; `right`: what else counts, where it is not just the last
    of them. `within`: how many answers it may take. `dice`, `draws`: what falls for the answers of the step. `done`:
    said when it is done.
    """

    say: Words | None = None
    given: Answer | None = None
    solution: list[Answer] = []
    right: list[Way] = []
    wrong: list[Tempting] = []
    hints: list[Words] = []
    within: Annotated[int, Field(ge=1, le=12)] = 1
    dice: list[Any] = []
    draws: list[Any] = []
    done: Words | None = None

    @model_validator(mode="after")
    def asks_or_gives(self) -> Self:
        if self.given is not None:
            if self.solution or self.right or self.wrong or self.hints or self.done or self.within != 1:
                raise ValueError("gives an answer by itself (`given`), and asks for one too")
            return self
        for field in ("say", "solution", "hints", "done"):
            if not getattr(self, field):
                raise ValueError(f"asks without `{field}`")
        if len(self.solution) > self.within:
            raise ValueError(f"has a solution of {len(self.solution)} answers, but `within` is {self.within}")
        return self


class Lesson(Strict):
    """`position`, `scenario`, `seats`, `options`, and `dice` and `draws` before anybody is asked: those of a lab
    file. `clauses`: what it teaches.
    """

    title: Words
    goal: Words
    success: Words
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)]
    clauses: Annotated[list[Clause], Field(min_length=1)]
    scenario: str | None = None
    seats: list[str] | None = None
    options: dict[str, Any] = {}
    position: dict[str, Any]
    dice: list[Any] = []
    draws: list[Any] = []
    steps: Annotated[list[Step], Field(min_length=1)]

    @model_validator(mode="after")
    def asks(self) -> Self:
        if all(step.given is not None for step in self.steps):
            raise ValueError("asks nothing: every step is given")
        return self

    @property
    def body(self) -> dict[str, Any]:
        """The lab file that lays its position out."""
        chosen = {"scenario": self.scenario, "seats": self.seats, "dice": self.dice, "draws": self.draws}
        laid = {name: value for name, value in chosen.items() if value}
        return {"about": self.title, "options": self.options, "position": self.position, **laid}


class BadLesson(ValueError):
    """A file that is no lesson: which, and what is wrong where."""


def read(name: str, body: Any) -> Lesson:
    """A lesson of the content of a file. Raises BadLesson in words."""
    try:
        return Lesson.model_validate(body)
    except ValidationError as error:
        raise BadLesson("\n".join(f"{name}: {fault}" for fault in _faults(error))) from error


def _faults(error: ValidationError) -> Iterator[str]:
    for fault in error.errors():
        where = ".".join(str(part) for part in fault["loc"]) or "the lesson"
        match fault["type"]:
            case "missing":
                said = "is missing"
            case "extra_forbidden":
                said = "is no field of a lesson"
            case _:
                said = fault["msg"].removeprefix("Value error, ")
        yield f"{where} {said}" if said.startswith(("is ", "has ", "says", "asks", "gives", "fits", "speaks")) else (
            f"{where}: {said}")


@cache
def lessons_of(title_id: str) -> Mapping[str, Lesson]:
    """The lessons of a title by name, in their order: that of their files. Raises BadLesson."""
    folder = data.SCENARIOS / title_id / "lessons"
    found: dict[str, Lesson] = {}
    for path in sorted(folder.glob("*.json")):
        where = f"{title_id}/lessons/{path.name}"
        try:
            body = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError as error:
            raise BadLesson(f"{where}: is no JSON: {error}") from error
        found[path.stem] = read(where, body)
    return found


def subject(one: Lesson, places: set[str]) -> list[str]:
    """The places that a lesson is about, in the order in which it comes to them: those that its solutions name, and
    where the units stand that they name."""
    stand = one.body.get("position", {}).get("units", {})
    named = [word.partition("@")[0] for step in one.steps for answer in step.solution for word in words(answer)]
    found = [str(stand.get(word, word)).partition("@")[0] for word in named]
    return [place for place in dict.fromkeys(found) if place in places]


def lesson(title_id: str, name: str) -> Lesson:
    """Raises NotFound."""
    data.title(title_id)
    found = lessons_of(title_id).get(name)
    if found is None:
        raise NotFound("lessons.none")
    return found
