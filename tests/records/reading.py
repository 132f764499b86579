"""Playthroughs: a few of the kept games in words, one for every ending of a title, for people to read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.notifications.words import GameTexts
from rules import titles
from rules.core.record import CHANCE, Entry
from tests.records import kept
from tests.records.kept import Body


def ending(body: Body) -> str:
    """How a game ended: why, and for whom."""
    result = body["result"]
    return f"{result['key'].removeprefix('result.')}-{result['winner'] or 'draw'}"


def chosen() -> dict[str, str]:
    """The shortest kept game of every ending of every title: TITLE-ENDING -> its name."""
    shortest: dict[str, tuple[int, str]] = {}
    for name in kept.records():
        body = kept.record(name)
        key = f"{body['title']}-{ending(body)}"
        shortest[key] = min(shortest.get(key, (1 << 30, "")), (len(body["entries"]), name))
    return {key: name for key, (_, name) in sorted(shortest.items())}


def path(key: str) -> Path:
    return kept.PLAYTHROUGHS / f"{key}.txt"


def words(name: str) -> str:
    """A game in English: who is asked what and answers how, each die, and every sentence told when all is open."""
    body = kept.record(name)
    files = kept.data(body["data"]).files
    say = GameTexts("en", body["title"], {"map": files["map"], "units": files["units"]["units"]})
    _entries, made, referee = kept.replayed(body)
    by = ", ".join(f"{say.say(f'seat.{seat}')} ({who})" for seat, who in body["by"].items())
    options = ", ".join(f"{name} {value}" for name, value in body["options"].items()) or "as usual"
    lines = [f"{name}: {by}; options: {options}", ""]
    for entry in made:
        lines += _entry(entry, say)
    result = referee.pos.result
    return "\n".join([*lines, "", f"{say.say(result)} [{result['clause']}]", ""])


def _entry(entry: Entry, say: GameTexts) -> list[str]:
    if entry.kind in CHANCE:
        faces = " ".join(map(str, entry.answer["faces"]))
        out = [f"{entry.seq} {entry.kind} {entry.roll_no}: {faces} [{entry.clause}]"]
    elif entry.kind == "answer":
        told = " ".join(f"{key}={_short(value)}" for key, value in entry.answer.items() if key != "form")
        forced = " (the only answer)" if entry.forced else ""
        out = [f"{entry.seq} {entry.seat}: {entry.answer['form']} {told}{forced} [{entry.clause}]"]
    else:
        out = [f"{entry.seq} {entry.kind}"]
    return out + [f"    {line}" for step in entry.told.get("all", []) for line in _step(step, say)]


def _step(step: dict[str, Any], say: GameTexts) -> list[str]:
    turn = step["fragments"].get("turn")
    heading = [f"== {turn['turn']}, {say.say(turn['phase'])}"] if turn else []
    sentence = say.step(step)
    return heading + ([f"{sentence} [{step['clause']}]"] if sentence else [])


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write_all() -> int:
    """Writes every playthrough that is another now; how many."""
    wanted = {path(key): words(name) for key, name in chosen().items()}
    changed = 0
    for old in set(kept.PLAYTHROUGHS.glob("*.txt")) - wanted.keys():
        old.unlink()
    for file, text in wanted.items():
        if not file.exists() or file.read_text() != text:
            kept.PLAYTHROUGHS.mkdir(exist_ok=True)
            file.write_text(text)
            changed += 1
    return changed


def all_titles() -> set[str]:
    return set(titles.IDS)
