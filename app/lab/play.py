"""One lab file, played: docs/positions.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

import rules.titles
from app.games import data as titles
from app.lab import expecting
from app.lab.dice import Dice, LabReferee, OutOfDice
from app.lab.places import places
from app.lab.wrong import Wrong, of_position
from app.texts import site
from app.texts import title as words_of
from rules.core.errors import BadPosition, Refusal
from rules.core.procedure import Roll
from rules.core.record import CHANCE, Entry
from rules.core.referee import Referee
from rules.core.seats import ALL, Seat
from rules.core.title import UNREADABLE
from rules.mechanics.written import Impossible, fold, name, unknown

KINDS: dict[str, tuple[type, ...]] = {
    "about": (str, dict), "scenario": (str,), "seats": (list,), "options": (dict,), "position": (dict,),
    "from": (dict,), "answers": (list,), "dice": (list,), "draws": (list,), "stop": (str,), "expect": (list,)}


class Lab:
    """One file. `log` is what happened, in order: requests, answers with their steps, refusals. `due` is the roll that
    was due when play stopped, after the last answer: None when somebody is asked, or the game is over."""

    def __init__(self, title_id: str, body: Mapping[str, Any]) -> None:
        self.log: list[dict[str, Any]] = []
        self.steps: list[dict[str, Any]] = []
        self.referee: LabReferee | None = None
        self.before: dict[str, Any] = {}
        self.due: Roll | None = None
        self.body = body
        if not plain(body):
            raise Wrong("lab.no_plain")
        self._last: Any = None  # the turn in which the last answer was given, once it is
        try:
            self.title = rules.titles.load(name(title_id, rules.titles.IDS, "title"))
        except Impossible as bad:
            raise of_position(bad) from bad

    def position(self) -> Any:
        """The position that the file lays out. Raises Wrong."""
        self._check_fields()
        try:
            return self.title.written(titles.current(self.title.id), self.named())
        except (BadPosition, Refusal) as bad:
            raise of_position(bad) from bad

    def play(self) -> None:
        """Raises Wrong; what happened until then stays in `log`."""
        try:
            self._play()
        except UNREADABLE as bad:
            if "from" not in self.body:
                raise
            self.referee = None  # what such a position holds can't be shown either
            raise Wrong("lab.no_stored") from bad

    def _play(self) -> None:
        pos = self.position()
        dice = Dice(self.body.get("dice", []), self.body.get("draws", []), self._gate)
        referee = self.referee = LabReferee(self.title, pos, 1, dice)
        self.before = dict(referee.views.contents[ALL])
        self._check_stop()
        answers = self.body.get("answers", [])
        self._run(None, referee.opened, last=not answers)
        for number, answer in enumerate(answers, 1):
            self._answer(number, answer, last=number == len(answers))
        if left := [*dice.rolls, *dice.draws]:
            raise Wrong("lab.dice_left", n=len(left), given=" ".join(map(str, left)))
        after = {**dict.fromkeys(self.before), **referee.views.contents[ALL]}
        self._check_expected(after)
        expecting.check(self.body.get("expect", []), self.steps, self.before, after)

    def _check_stop(self) -> None:
        """`stop` names a phase there is, maybe with its turn. Raises Wrong."""
        if (stop := self.body.get("stop")) is None:
            return
        assert self.referee is not None
        [field] = [field for field in self.title.hand(self.referee.pos) if field["field"] == "phase"]
        known = [str(one["id"]) for one in field["options"]]
        short = fold(stop).lstrip("0123456789")
        if not short or not any(fold(phase).endswith(short) for phase in known):
            raise of_position(unknown(stop, known, "phase"))

    def _check_expected(self, fragments: Mapping[str, Any]) -> None:
        """Raises Wrong for what no event or fragment could ever be."""
        events = {key.removeprefix("event.") for key in {**site("en"), **words_of(self.title.id, "en")}
                  if key.startswith("event.")}
        spaces = {f"space:{place}" for place in places(self.title.id)}
        try:
            expecting.readable(self.body.get("expect", []), events, {*fragments, *spaces, "battle", "result"})
        except Impossible as bad:
            raise of_position(bad) from bad

    def named(self) -> dict[str, Any]:
        """The file with scenario, seats and options as the title spells them. Raises Impossible."""
        scenarios = titles.current(self.title.id).scenarios
        scenario = scenarios[name(self.body.get("scenario", next(iter(scenarios))), scenarios, "scenario")]
        seats = {seat for seating in scenario.seatings.values() for seat in seating.seats}
        options = {}
        for given, value in self.body.get("options", {}).items():
            option = name(given, scenario.options, "option")
            known = scenario.options[option]
            said = {v if isinstance(v, str) else orjson.dumps(v).decode(): v for v in known}
            options[option] = said[name(value if isinstance(value, str) else orjson.dumps(value).decode(), said,
                                        "option_value")]
        sit = [name(seat, seats, "seat") for seat in self.body.get("seats", [])]
        if sit and not any(set(sit) == set(seating.seats) for seating in scenario.seatings.values()):
            raise Impossible("nobody_sits", given=", ".join(sorted(sit)))
        return {**self.body, "scenario": scenario.id, "options": options, "seats": sit}

    def _check_fields(self) -> None:
        for field, value in self.body.items():
            if field not in KINDS:
                raise of_position(unknown(field, sorted(KINDS), "field"))
            if not isinstance(value, KINDS[field]):
                raise Wrong(f"lab.no_{KINDS[field][0].__name__}", field=field)
        for field in ("answers", "expect"):
            if not all(isinstance(item, dict) for item in self.body.get(field, [])):
                raise Wrong("lab.no_objects", field=field)

    def _gate(self, asked: Roll) -> None:
        """After the last answer dice fall for what it set off, in the same player's turn or up to the phase that `stop`
        names; one that would fall for something nobody asked about is left over."""
        assert self.referee is not None
        if self._last is None:
            return
        phase, stop = self.referee.pos.phase(), self.body.get("stop")
        if stop is not None and fold(phase).endswith(fold(stop)):
            raise OutOfDice(asked)
        if stop is None and self._turn() != self._last:
            raise Wrong("lab.stray_die", asked.clause, why=asked.why, phase=phase)

    def _turn(self) -> tuple[Any, Any]:
        """Which turn it is, and whose."""
        pos = self.referee.pos if self.referee is not None else None
        return getattr(pos, "turn", None), getattr(pos, "active", None)

    def _run(self, answer: dict[str, Any] | None, go: Callable[[], list[Entry]], last: bool) -> None:
        """Let the referee go on, and note what came of it. Raises Refusal, which notes nothing."""
        referee = self.referee
        assert referee is not None
        self._last = self._turn() if last and answer is not None else None
        try:
            entries = go()
        except OutOfDice as out:
            self._note(answer, referee.so_far())
            if not last:
                raise Wrong("lab.dice_out", out.asked.clause, n=referee.chance.made + 1, why=out.asked.why) from out
            self.due = out.asked
        except Wrong:
            self._note(answer, referee.so_far())
            raise
        else:
            self._note(answer, entries)

    def _answer(self, number: int, given: Mapping[str, Any], last: bool) -> None:
        referee = self.referee
        assert referee is not None
        if not referee.asked:
            raise Wrong("lab.too_late", n=number)
        try:
            seat, answer = meant(referee, given)
        except Impossible as bad:
            raise of_position(bad) from bad
        self.log.append({"request": referee.request_for(seat)})
        try:
            self._run({"seat": seat, "answer": answer}, lambda: referee.answer(seat, answer), last)
        except Refusal as refusal:
            self.log.append({"seat": seat, "answer": answer, "refused": refusal.as_json()})
            if given.get("refused") not in (refusal.clause, refusal.key):
                raise Wrong("lab.refused", refusal.clause, n=number, why=refusal.as_json()) from refusal
            return
        if "refused" in given:
            raise Wrong("lab.not_refused", n=number, wanted=given["refused"])

    def _note(self, answer: dict[str, Any] | None, entries: Sequence[Entry]) -> None:
        rows = [{"kind": e.kind, "seat": e.seat, "clause": e.clause, "answer": e.answer, "forced": e.forced,
                 "steps": e.told.get(ALL, [])} for e in entries]
        self.steps += [step for row in rows for step in row["steps"]]
        if answer is not None or any(row["steps"] or row["kind"] in CHANCE for row in rows):
            self.log.append({**(answer or {}), "entries": rows})

    def after(self, eye: str = ALL) -> dict[str, Any]:
        """The fragments of the position after, for one eye, where they differ from the ones before."""
        if self.referee is None:
            return {}
        now = self.referee.views.contents[eye]
        return {key: now.get(key) for key in sorted({*now, *self.before}) if now.get(key) != self.before.get(key)}

    def as_json(self, wrong: str | None) -> dict[str, Any]:
        """All of it, for --json."""
        pending, referee = None, self.referee
        if referee is not None and referee.asked and self.due is None:
            pending = referee.request_for(referee.asked[0])
        due = None if self.due is None else {"why": self.due.why, "clause": self.due.clause}
        return {"title": self.title.id, "about": self.body.get("about"), "log": self.log, "pending": pending,
                "due": due, "changed": self.after(), "position": referee.pos.state() if referee else None,
                "ok": wrong is None, "error": wrong}


def plain(body: Any) -> bool:
    """Whether what was read is JSON that can be written again: no NaN, no half of a sign, no number beyond 64 bits."""
    try:
        return bool(orjson.loads(orjson.dumps(body)) == body)
    except TypeError:
        return False


def meant(referee: Referee, given: Mapping[str, Any]) -> tuple[Seat, dict[str, Any]]:
    """An answer as a file gives it: by which seat (the one that is asked unless it is named), and with the form that
    need not be named where there is one. Raises Impossible."""
    seat = name(given["seat"], referee.seating.seats, "seat") if "seat" in given else referee.asked[0]
    answer = {k: v for k, v in given.items() if k not in ("seat", "refused")}
    request = referee.pending.get(seat)
    if request is not None and "form" not in answer and len(request.forms) == 1:
        answer["form"] = request.forms[0].name
    return seat, answer
