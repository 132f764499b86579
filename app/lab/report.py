"""A lab in words, in one language, as one eye sees it or all eyes do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.lab.expecting import compact
from app.lab.play import Lab
from app.texts import Texts
from rules.core.forms import KINDS
from rules.core.seats import ALL

QUIET = ("turn", "track", "battle")  # fragments that say in data what the events have said in words


class Report:
    """The lines of a lab."""

    def __init__(self, lab: Lab, lang: str, eye: str = ALL) -> None:
        self.lab, self.texts, self.eye = lab, Texts(lang), eye

    def lines(self) -> Iterator[str]:
        """The whole report."""
        about = self.lab.body.get("about", "")
        if isinstance(about, dict):
            about = about.get(self.texts.lang, about.get("en", ""))
        if about:
            yield from (str(about), "")
        for row in self.lab.log:
            yield from self._row(row)
        referee = self.lab.referee
        if referee is None:
            return
        if self.lab.due is not None:
            yield self._word("due", why=self._why(self.lab.due.why), clause=self.lab.due.clause)
        else:
            for seat in referee.asked:
                yield from self._request(referee.request_for(seat))
        yield from ("", self._word("after", phase=referee.pos.phase()))
        shown = self.lab.after() if self.eye == ALL else referee.views.contents[self.eye]
        yield from (f"  {key}: {self._fragment(key, content)}" for key, content in sorted(shown.items())
                    if key not in QUIET)

    def _word(self, key: str, **args: Any) -> str:
        return self.texts(f"lab.word.{key}", self.lab.title.id, **args)

    def _why(self, why: str) -> str:
        """What a roll is for: its clause says the rest where no catalogue has a word for it."""
        said = self.texts(f"chance.{why}", self.lab.title.id)
        return why.replace("_", " ") if said == f"chance.{why}" else said

    def _row(self, row: Mapping[str, Any]) -> Iterator[str]:
        if "request" in row:
            yield from self._request(row["request"])
            return
        if "answer" in row:
            yield f"  {self._word('answer')}: {compact(row['answer'])}"
        if "refused" in row:
            yield f"  {self._word('refused')}: {self._say(row['refused'])} ({row['refused']['clause']})"
        for entry in row.get("entries", []):
            yield from self._entry(entry)

    def _fragment(self, key: str, content: Mapping[str, Any] | None) -> str:
        """A fragment of the view in a line."""
        match key.partition(":")[0], content:
            case _, None:
                return self._word("nothing")
            case "space", {"units": units, "side": side}:
                box = f", {self._word('box', box=content['box'])}" if "box" in content else ""
                return f"{self._name(side)}, {content['count']}{box}: " + ", ".join(self._unit(unit) for unit in units)
            case "space", {"count": count, "side": side} if side is not None:
                top = f": {self._unit(content['top'])} ..." if content.get("top") else ""
                return f"{self._name(side)}, {count}{top}"
            case "space", {"control": side}:
                return self._word("empty", side=self._name(side))
            case "pool" | "hand", _:
                units = [unit["id"] for unit in content.get("units", [])]
                cards = [self.texts(f"card.{card['id']}.title", self.lab.title.id) for card in content.get("cards", [])]
                return " ".join(units) + ", ".join(cards) or str(content.get("count", "–"))
            case "table", {"rows": rows}:
                return ", ".join(f"{self._say(row['label'])} {self._words(row['value'])}" for row in rows)
            case "slots", {"slots": slots}:
                used = [slot for slot in slots if slot.get("at") or slot.get("card")]
                return ", ".join(self._slot(slot) for slot in used) or self._word("none")
            case "result", _:
                return self._say(content)
        return compact(content)

    def _slot(self, slot: Mapping[str, Any]) -> str:
        if slot.get("card"):
            return self.texts(f"card.{slot['card']['id']}.title", self.lab.title.id)
        return f"{slot['id']}: {slot['at']} ({slot['count']})"

    def _name(self, side: str | None) -> str:
        return "–" if side is None else self.texts(f"seat.{side}", self.lab.title.id)

    def _say(self, text: Mapping[str, Any]) -> str:
        """A sentence with its arguments in words; its key and arguments where no catalogue has it."""
        args = dict(text.get("args") or {})
        if isinstance(args.get("path"), list) and args["path"]:
            args = {"from": args["path"][0], "to": args["path"][-1], **args}
        if "n" not in args and ("units" in args or "count" in args):
            args["n"] = len(args["units"]) if isinstance(args.get("units"), list) else args["count"]
        said = self.texts(str(text["key"]), self.lab.title.id,
                          **{k: self._words(v, k) for k, v in args.items() if k not in ("key", "title_id")})
        return f"{said} {compact(text['args'])}" if said == text["key"] and text.get("args") else said

    def _words(self, value: Any, name: str = "") -> Any:
        """An argument as the catalogue wants it; yes and no in words of its own where it has some."""
        if isinstance(value, list):
            signs = ", " if any(isinstance(v, dict) for v in value) else " "
            return signs.join(str(self._words(v)) for v in value) or ("0" if name == "modifiers" else "–")
        if isinstance(value, dict):
            if "label" in value and isinstance(value.get("value"), int):  # a modifier
                return f"{self._say(value['label'])} {value['value']:+d}"
            return self._say(value) if "key" in value else compact(value)
        if isinstance(value, bool):
            key = "game.yes" if value else "game.no"
            own = self.texts(f"{key}.{name}")
            return self.texts(key) if own == f"{key}.{name}" else own
        if value is None:
            return "–"
        if isinstance(value, str):
            for key in (f"seat.{value}", value):
                said = self.texts(key, self.lab.title.id)
                if said != key:
                    return said
        return value

    def _request(self, asked: Mapping[str, Any] | None) -> Iterator[str]:
        if asked is None:
            return
        yield f"{self._name(asked['seat'])}: {self._say(asked['prompt'])} ({asked['clause']})"
        for form in asked.get("forms", []):
            said = KINDS[form["kind"]].summary(form, self._say)
            yield f"  {self._word('may')} {form['form']} ({form['clause']}): {said}"

    def _entry(self, entry: Mapping[str, Any]) -> Iterator[str]:
        if entry["kind"] in ("roll", "draw"):
            if entry["kind"] == "roll" or self.eye == ALL:
                yield f"  {self._word(entry['kind'])} ({entry['clause']}): {self._faces(entry['answer'])}"
        elif entry["forced"]:
            yield f"  {self._word('forced', side=self._name(entry['seat']))}: {compact(entry['answer'])}"
        for step in entry["steps"]:
            data = step["data"]
            yield f"  * {self._event(step)} ({step['clause']})"
            odds = data.get("odds") or {}
            if odds:
                yield "      " + self._word("odds", attack=odds["attack"], defense=odds["defense"],
                                            ratio=odds["ratio"], total=f"{odds['total']:+d}")
            for modifier in [*(data.get("modifiers") or []), *(odds.get("modifiers") or [])]:
                yield f"      {modifier['value']:+d} {self._say(modifier['label'])} ({modifier['clause']})"

    def _faces(self, answer: Any) -> str:
        return " ".join(map(str, answer["faces"])) if isinstance(answer, dict) else str(answer)

    def _event(self, step: Mapping[str, Any]) -> str:
        data = {k: v for k, v in step["data"].items() if k != "odds"}
        return self._say({"key": f"event.{step['event']}", "args": {"side": step["side"], **data}})

    def _unit(self, unit: Mapping[str, Any]) -> str:
        marks = [self._badge(badge) for badge in unit["badges"]]
        marks += [self._word("left", n=unit["left"])] if "left" in unit else []
        return str(unit["id"]) + (f" ({', '.join(marks)})" if marks else "")

    def _badge(self, badge: str) -> str:
        said = self.texts(f"badge.{badge}", self.lab.title.id)
        return badge if said == f"badge.{badge}" else said
