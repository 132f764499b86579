"""Plays from any position: for a rules question, or an example of a rulebook.

  mariscal lab triple_alliance FILE          what is asked, what happens, and the position after
  mariscal lab triple_alliance FILE --json   the same as one JSON object

FILE is JSON, described in docs/positions.md: a position (what differs from the start of a scenario), answers, and
the dice that fall. Exits 1 when the position cannot be, an answer is refused, the dice run out, or something does
not come out as the file expects.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

import rules.titles
from app.games import data as titles
from app.texts import LANGUAGES, Texts
from rules.core.chance import Chance
from rules.core.errors import BadPosition, Refusal
from rules.core.record import Entry
from rules.core.referee import Referee
from rules.core.seats import ALL

FIELDS = ("about", "scenario", "seats", "options", "position", "answers", "dice", "expect")


class Wrong(Exception):
    """What stops a lab: said to the user in these words."""


class Dice(Chance):
    """The rolls a file lays out, in order."""

    def __init__(self, rolls: Sequence[Any]) -> None:
        super().__init__(b"")
        self.rolls = list(rolls)

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        """Raises Wrong when there is no roll left, or one that this die has not."""
        if len(self.rolls) < dice:
            raise Wrong(f'the dice ran out: roll {self.made + 1} is not in "dice"')
        faces, self.rolls = self.rolls[:dice], self.rolls[dice:]
        for face in faces:
            if type(face) is not int or not low <= face <= high:
                raise Wrong(f"roll {self.made + 1} is {face!r}, not {low} to {high}")
        self.made += 1
        return self.made - 1, tuple(faces)


class Lab:
    """One file played. `log` is what happened, in order: requests, answers with their steps, refusals."""

    def __init__(self, title_id: str, body: Mapping[str, Any]) -> None:
        self.log: list[dict[str, Any]] = []
        self.steps: list[dict[str, Any]] = []
        self.referee: Referee | None = None
        self.before: dict[str, Any] = {}
        self.body = body
        try:
            self.title = rules.titles.load(title_id)
        except KeyError:
            raise Wrong(f"there is no title {title_id}; there are {', '.join(rules.titles.IDS)}") from None

    def play(self) -> None:
        """Raises Wrong; what happened until then stays in `log`."""
        self._check_fields()
        try:
            pos = self.title.written(titles.current(self.title.id), self.body)
        except (BadPosition, Refusal) as bad:
            raise Wrong(f"this position cannot be: {bad}") from bad
        dice = Dice(self.body.get("dice", []))
        self.before = dict(Referee(self.title, pos, 1, Chance(None)).views.contents[ALL])
        self.referee = Referee.at(self.title, pos, dice)
        self._note(None, self.referee.drain())
        for number, answer in enumerate(self.body.get("answers", []), 1):
            self._answer(number, answer)
        if dice.rolls:
            raise Wrong(f"{len(dice.rolls)} of the dice were never rolled: {dice.rolls}")
        for wanted in self.body.get("expect", []):
            if not any(holds(wanted, step) for step in self._facts()):
                raise Wrong(f"it did not come out as expected: {json.dumps(wanted)}")

    def _check_fields(self) -> None:
        unknown = sorted(set(self.body) - set(FIELDS))
        if unknown:
            raise Wrong(f"unknown fields: {', '.join(unknown)}; there are {', '.join(FIELDS)}")
        for name, kind in (("options", dict), ("position", dict), ("answers", list), ("dice", list), ("expect", list)):
            if not isinstance(self.body.get(name, kind()), kind):
                raise Wrong(f'"{name}" is {"an object" if kind is dict else "a list"}')
        for name in ("answers", "expect"):
            if not all(isinstance(item, dict) for item in self.body.get(name, [])):
                raise Wrong(f'"{name}" holds objects')

    def _answer(self, number: int, given: Mapping[str, Any]) -> None:
        assert self.referee is not None
        if not self.referee.asked:
            raise Wrong(f"answer {number} comes too late: nobody is asked any more")
        seat = given.get("seat", self.referee.asked[0])
        answer = {k: v for k, v in given.items() if k not in ("seat", "refused")}
        request = self.referee.pending.get(seat)
        if request is not None and "form" not in answer and len(request.forms) == 1:
            answer["form"] = request.forms[0].name
        self.log.append({"request": self.referee.request_for(seat)})
        try:
            entries = self.referee.answer(seat, answer)
        except Refusal as refusal:
            self.log.append({"seat": seat, "answer": answer, "refused": refusal.as_json()})
            if given.get("refused") not in (refusal.clause, refusal.key):
                raise Wrong(f"answer {number} is refused: {refusal}") from refusal
            return
        self._note({"seat": seat, "answer": answer}, entries)
        if "refused" in given:
            raise Wrong(f"answer {number} was to be refused ({given['refused']}) and was not")

    def _note(self, answer: dict[str, Any] | None, entries: Sequence[Entry]) -> None:
        rows = [
            {
                "kind": e.kind,
                "seat": e.seat,
                "clause": e.clause,
                "answer": e.answer,
                "forced": e.forced,
                "steps": e.told.get(ALL, []),
            }
            for e in entries
        ]
        self.steps += [step for row in rows for step in row["steps"]]
        if answer is not None or any(row["steps"] for row in rows):
            self.log.append({**(answer or {}), "entries": rows})

    def _facts(self) -> Iterator[Any]:
        """What an expectation can be about: the events told, and the fragments of the position after."""
        yield from self.steps
        yield self.after()

    def after(self) -> dict[str, Any]:
        """The fragments of the position after, all eyes open, where they differ from the one before."""
        if self.referee is None:
            return {}
        now = self.referee.views.contents[ALL]
        return {key: now.get(key) for key in sorted({*now, *self.before}) if now.get(key) != self.before.get(key)}

    def as_json(self, wrong: str | None) -> dict[str, Any]:
        """All of it, for --json."""
        pending = None
        if self.referee is not None and self.referee.asked:
            pending = self.referee.request_for(self.referee.asked[0])
        return {
            "title": self.title.id,
            "about": self.body.get("about"),
            "log": self.log,
            "pending": pending,
            "changed": self.after(),
            "position": self.referee.pos.state() if self.referee else None,
            "ok": wrong is None,
            "error": wrong,
        }


def holds(wanted: Any, found: Any) -> bool:
    """Whether all that is wanted is found: objects may hold more, a list must have each wanted item somewhere."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(k in found and holds(v, found[k]) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list) and all(any(holds(w, f) for f in found) for w in wanted)
    return bool(wanted == found)


class Report:
    """A lab in words, by the catalogues of one language."""

    def __init__(self, lab: Lab, lang: str) -> None:
        self.lab, self.texts = lab, Texts(lang)

    def lines(self) -> Iterator[str]:
        """The whole report."""
        about = self.lab.body.get("about", "")
        if isinstance(about, dict):
            about = about.get(self.texts.lang, about.get("en", ""))
        if about:
            yield from (str(about), "")
        for row in self.lab.log:
            if "request" in row:
                yield from self._request(row["request"])
                continue
            if "answer" in row:
                yield f"  answer: {_compact(row['answer'])}"
            if "refused" in row:
                yield f"  refused: {self._say(row['refused'])} ({row['refused']['clause']})"
            for entry in row.get("entries", []):
                yield from self._entry(entry)
        referee = self.lab.referee
        if referee is None:
            return
        for seat in referee.asked:
            yield from self._request(referee.request_for(seat))
        yield from ("", f"Position after, {referee.pos.phase()}:")
        yield from (f"  {key}: {self._fragment(key, content)}" for key, content in self.lab.after().items()
                    if key not in ("turn", "track", "battle"))

    def _fragment(self, key: str, content: Mapping[str, Any] | None) -> str:
        """A fragment of the view in a line."""
        match key.partition(":")[0], content:
            case _, None:
                return "nothing"
            case "space", {"units": units, "side": side}:
                box = f" in box {content['box']}" if "box" in content else ""
                return f"{side}, {content['count']}{box}: " + ", ".join(_unit(unit) for unit in units)
            case "space", _:
                return f"empty, held by {content['control']}"
            case "pool", {"units": units}:
                return " ".join(unit["id"] for unit in units)
            case "table", {"rows": rows}:
                return ", ".join(f"{self._say(row['label'])} {row['value']}" for row in rows)
            case "slots", {"slots": slots}:
                used = [slot for slot in slots if slot["at"]]
                return ", ".join(f"{slot['id']} in {slot['at']} ({slot['count']})" for slot in used) or "none"
            case "result", _:
                return self._say(content)
        return _compact(content)

    def _say(self, text: Mapping[str, Any]) -> str:
        """A sentence with its arguments in words; its key and arguments where no catalogue has it."""
        args = dict(text.get("args") or {})
        if isinstance(args.get("path"), list) and args["path"]:
            args = {"from": args["path"][0], "to": args["path"][-1], **args}
        if "n" not in args and ("units" in args or "count" in args):
            args["n"] = len(args["units"]) if isinstance(args.get("units"), list) else args["count"]
        said = self.texts(str(text["key"]), self.lab.title.id,
                          **{k: self._words(v, k) for k, v in args.items() if k not in ("key", "title_id")})
        return f"{said} {_compact(text['args'])}" if said == text["key"] and text.get("args") else said

    def _words(self, value: Any, name: str = "") -> Any:
        """An argument as the catalogue wants it; yes and no in words of its own where it has some."""
        if isinstance(value, list):
            return " ".join(str(self._words(v)) for v in value) or "–"
        if isinstance(value, dict):
            return self._say(value) if "key" in value else _compact(value)
        if isinstance(value, bool):
            key = "game.yes" if value else "game.no"
            own = self.texts(f"{key}.{name}")
            return self.texts(key) if own == f"{key}.{name}" else own
        if self.lab.referee is not None and value in (*self.lab.referee.seating.seats, *self.lab.referee.seating.sides):
            return self.texts(f"seat.{value}", self.lab.title.id)
        return "–" if value is None else value

    def _request(self, asked: Mapping[str, Any] | None) -> Iterator[str]:
        if asked is None:
            return
        yield f"{asked['seat']}: {self._say(asked['prompt'])} ({asked['clause']})"
        for form in asked.get("forms", []):
            yield f"  may {form['form']} ({form['clause']}): {self._form(form)}"

    def _form(self, form: Mapping[str, Any]) -> str:
        match form["kind"]:
            case "choose":
                return " | ".join(self._say(option["label"]) for option in form["options"])
            case "place":
                return "; ".join(f"{_few(g['units'])} to {_few(g['where'])}" for g in form["groups"])
            case "move":
                return "; ".join(f"from {loc} {_few([u['id'] for u in us])}" for loc, us in form["stacks"].items())
            case "declare":
                return "; ".join(
                    f"{target} from " + ", ".join(f"{loc} {_few(us)}" for loc, us in t["from"].items())
                    for target, t in form["targets"].items()
                )
            case "allocate":
                return "; ".join(f"{lot['min']} to {lot['max']} of {_few(lot['units'])}" for lot in form["lots"])
            case _:
                return _compact(form.get("boxes"))

    def _entry(self, entry: Mapping[str, Any]) -> Iterator[str]:
        if entry["kind"] in ("roll", "draw"):
            yield f"  {entry['kind']} ({entry['clause']}): {_faces(entry['answer'])}"
        elif entry["forced"]:
            yield f"  {entry['seat']} has one answer: {_compact(entry['answer'])}"
        for step in entry["steps"]:
            data = step["data"]
            yield f"  * {self._event(step)} ({step['clause']})"
            odds = data.get("odds") or {}
            if odds:
                yield f"      {odds['attack']} against {odds['defense']}: {odds['ratio']}, die {odds['total']:+d}"
            for modifier in [*(data.get("modifiers") or []), *(odds.get("modifiers") or [])]:
                yield f"      {modifier['value']:+d} {self._say(modifier['label'])} ({modifier['clause']})"

    def _event(self, step: Mapping[str, Any]) -> str:
        data = {k: v for k, v in step["data"].items() if k not in ("odds", "modifiers")}
        return self._say({"key": f"event.{step['event']}", "args": {"side": step["side"], **data}})


def _faces(thrown: Mapping[str, Any]) -> str:
    return " ".join(map(str, thrown["faces"]))


def _few(names: Sequence[str]) -> str:
    """A list that stays on its line."""
    return " ".join(names[:6]) + (f" (+{len(names) - 6})" if len(names) > 6 else "") if names else "none"


def _unit(unit: Mapping[str, Any]) -> str:
    marks = [*unit["badges"], *([f"{unit['left']} points left"] if "left" in unit else [])]
    return str(unit["id"]) + (f" ({', '.join(marks)})" if marks else "")


def _compact(value: Any) -> str:
    return orjson.dumps(value).decode()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", help=f"one of {', '.join(rules.titles.IDS)}")
    parser.add_argument("file", type=Path, help="a lab file; the rulebooks' examples lie in scenarios/TITLE/lab")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")
    parser.add_argument("--lang", choices=list(LANGUAGES), default="en", help="language of the words")


def read(file: Path) -> dict[str, Any]:
    """The content of a lab file. Raises Wrong."""
    try:
        body = json.loads(file.read_text())
    except OSError as problem:
        raise Wrong(f"{file} cannot be read: {problem.strerror}") from problem
    except ValueError as problem:
        raise Wrong(f"{file.name} is no JSON: {problem}") from problem
    if not isinstance(body, dict):
        raise Wrong(f"{file.name} holds no object")
    return body


def run(args: argparse.Namespace) -> int:
    """Plays the file; 1 when something is wrong with it."""
    wrong, lab = None, None
    try:
        lab = Lab(args.title, read(args.file))
        lab.play()
    except Wrong as problem:
        wrong = str(problem)
    if args.json:
        out = lab.as_json(wrong) if lab else {"ok": False, "error": wrong}
        print(json.dumps(out, ensure_ascii=False, indent=1))
    else:
        for line in Report(lab, args.lang).lines() if lab else ():
            print(line)
        if wrong:
            print(f"mariscal lab: {wrong}", file=sys.stderr)
        elif lab and lab.body.get("expect"):
            print("\nAs expected.")
    return 1 if wrong else 0


__all__ = ["Dice", "Lab", "Report", "Wrong", "add_arguments", "holds", "read", "run"]
