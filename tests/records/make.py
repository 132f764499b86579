"""Makes the kept games anew: `.venv/bin/python -m tests.records.make --reason "14: losses by hexside"`.

A game that still goes as it went is left alone. One that does not keeps its answers, and is told again; when an answer
is refused now, it is played anew with the data of today. The reason goes into `reasons.md`, and into the commit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, product
from random import Random
from typing import Any

from rules import bots, titles
from rules.bots.playout import chance
from rules.bots.random_bot import pick
from rules.core.errors import OutOfStep
from rules.core.forms import Answer, Move
from rules.core.record import Entry
from rules.core.referee import Referee
from rules.core.request import Request
from rules.core.seats import Seat
from rules.core.title import Title
from tests.app.hills_title import TITLE as TOY
from tests.records import kept, reading
from tests.records.kept import Body, Unlike
from tests.rules import harness

PAIRS = [("random", "random"), ("heuristic", "random"), ("random", "heuristic"), ("heuristic", "heuristic")]
# Games that end in a way the others don't: title -> (bots, seed).
MORE = {"triple_alliance": [(PAIRS[2], 8), (PAIRS[2], 12), (PAIRS[1], 5), (PAIRS[3], 4)],
        "ultimo_hombre": [(PAIRS[1], 5), (PAIRS[1], 9), (PAIRS[3], 3)]}
HAND = "hand"  # without a script: hands over, declines, takes what is suggested
# The same of titles with several scenarios: title -> (scenario, bots, seed). 11.1.1 of Guerra a Muerte: the crown is
# driven from all but a few areas of the continent.
FURTHER = {"guerra_a_muerte": [("end_of_empire", (HAND, "heuristic"), 1)],
           "austerlitz": [("northern_flank", PAIRS[2], 853)]}
# Scenarios of ten thousand answers a game, which would fill megabytes: playouts play them.
WHOLE_DAYS = {"austerlitz": ("langeron", "whole_battle")}
# Scenarios of ours beside the whole war, kept like those of a title with several.
FIRST_GAMES = {"triple_alliance": ("corrientes",), "ultimo_hombre": ("crossing",)}


@dataclass(frozen=True)
class Plan:
    """A game to be kept: by whom it is played, under which options."""

    title: Title
    scenario: str
    name: str
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    script: Mapping[str, Any] | None = None
    seats: Sequence[Seat] = ()  # of another seating than the usual one


def plans(only: str) -> Iterator[Plan]:
    """Of the toy, and of every title that has kept games, or that `only` names: its games by bots, and what is by
    hand."""
    yield from _of_the_toy()
    for title in map(titles.load, titles.IDS):
        if not (kept.GAMES / title.id).exists() and not only.startswith(title.id):
            continue
        first = FIRST_GAMES.get(title.id, ())
        scenarios = sorted(set(harness.data(title.id).scenarios) - {*WHOLE_DAYS.get(title.id, ()), *first})
        yield from _of_one(title, scenarios[0]) if len(scenarios) == 1 else _of_several(title, scenarios)
        yield from _of_several(title, first)
        for path in sorted(kept.BY_HAND.glob(f"{title.id}-*.json")):
            script = json.loads(path.read_text())
            name = f"by-hand-{path.stem.removeprefix(title.id + '-')}"
            scenario = script.get("scenario", scenarios[0])
            yield Plan(title, scenario, name, (), script["dice"], script["options"], script)


def _of_one(title: Title, scenario: str) -> Iterator[Plan]:
    """Of a title with one scenario: every option set, bots of all kinds in turn; the usual game by each pair."""
    options = harness.options(title, scenario)
    for n, values in enumerate(product(*options.values())):
        pair, chosen = PAIRS[n % len(PAIRS)], dict(zip(options, values, strict=True))
        yield Plan(title, scenario, f"options-{n:02}-{'-'.join(pair)}", pair, 100 + n, chosen)
    for pair, seed in [*((pair, 1) for pair in PAIRS), *MORE.get(title.id, [])]:
        yield Plan(title, scenario, f"usual-{seed}-{'-'.join(pair)}", pair, seed)


def _of_several(title: Title, scenarios: Sequence[str]) -> Iterator[Plan]:
    """Of a title with several: each as usual, and with further values of its options until each value was played; bots
    of all kinds in turn."""
    pairs = cycle(PAIRS)
    for scenario in scenarios:
        options = harness.options(title, scenario)
        for n in range(max((len(values) for values in options.values()), default=1)):
            pair = next(pairs)
            chosen = {name: values[min(n, len(values) - 1)] for name, values in options.items()} if n else {}
            what = f"options-{n}" if n else "usual"
            yield Plan(title, scenario, f"{scenario}-{what}-{'-'.join(pair)}", pair, 100 + n, chosen)
    for scenario, pair, seed in FURTHER.get(title.id, []) if scenarios else ():
        yield Plan(title, scenario, f"{scenario}-usual-{seed}-{'-'.join(pair)}", pair, seed)


def _of_the_toy() -> Iterator[Plan]:
    """Of the toy every scenario, by two and by four; bots of all kinds in turn."""
    pairs = cycle(PAIRS)
    for name, scenario in harness.data(TOY.id).scenarios.items():
        for seating, seated in scenario.seatings.items():
            pair = next(pairs)
            yield Plan(TOY, name, f"{name}-{seating}-{'-'.join(pair)}", pair, 1, seats=tuple(seated.seats))


class Hand:
    """Plays what is written, seat by seat; where the next line is about another question, it does as little as it
    may."""

    def __init__(self, lines: list[Any]) -> None:
        self.lines = list(lines)

    def answer(self, referee: Referee, seat: Seat, rng: Random) -> Answer:
        request = referee.pending[seat]
        if self.lines and self.lines[0][0] == request.prompt.removeprefix("prompt."):
            return request.check(_walked(request, self.lines.pop(0)[1]))
        return idle(request, rng)


def _walked(request: Request, line: Mapping[str, Any]) -> Answer:
    """A move that names only where `to` goes by the way that the page would take."""
    if "to" not in line:
        return dict(line)
    form = request.form(line["form"])
    assert isinstance(form, Move)
    path, via = [line["to"]], form.reach(line["units"], {})["via"]
    while path[-1] in via:
        path.append(via[path[-1]])
    return {"form": form.name, "units": line["units"], "path": path[::-1]}


def idle(request: Request, rng: Random) -> Answer:
    """An answer that hands over, declines, or takes the suggested set-up; else any."""
    offered = [form.offer() for form in request.forms]
    for form in offered:
        for option in form["options"] if form["kind"] == "choose" else ():
            if option["ends"] or len(offered) > 1:
                return request.check({"form": form["form"], "option": option["id"]})
        if form.get("suggested"):
            boxes = {"boxes": form["suggested_boxes"]} if form.get("suggested_boxes") else {}
            return request.check({"form": form["form"], "placed": form["suggested"], **boxes})
    return pick(request, rng)


def play(plan: Plan) -> Body:
    """A new game by today's rules and data."""
    title, files = plan.title, harness.data(plan.title.id).files
    body: Body = {"title": title.id, "scenario": plan.scenario, "options": dict(plan.options), "by": players(plan),
                  "seed": plan.seed, "rules_version": title.version, "schema": title.schema,
                  "data": kept.keep_data(title.id, files)}
    rng = Random(plan.seed)
    referee = kept.start(body, chance(title, plan.seed))
    made = _noted(referee, referee.drain())
    sides = {seat: Hand(plan.script["answers"][seat]) if plan.script else Hand([]) if name == HAND else bots.make(name)
             for seat, name in body["by"].items()}
    while referee.pending:
        seat = rng.choice(referee.asked)
        made += _noted(referee, referee.answer(seat, sides[seat].answer(referee, seat, rng)))
    for seat, side in sides.items():
        if isinstance(side, Hand) and side.lines:
            sys.exit(f"{plan.name}: {seat} was never asked {side.lines[0][0]}")
    return {**body, "result": referee.pos.result, "entries": made}


def players(plan: Plan) -> dict[str, str]:
    seats = plan.seats or harness.seats(plan.title, plan.scenario)
    return dict(zip(seats, cycle(plan.bots or ["hand"]), strict=False))


def _noted(referee: Referee, made: list[Entry]) -> list[Body]:
    out = [kept.described(entry) for entry in made]
    out[-1]["views"] = kept.views(referee)
    return out


def renewed(body: Body, plan: Plan) -> tuple[Body, str]:
    """A kept game as it is to be kept now, and what became of it."""
    try:
        kept.replayed(body)
        kept.resumed(body)
        return body, ""
    except (Unlike, OutOfStep, AssertionError) as wrong:
        why = str(wrong)
    try:
        entries, _made, referee = kept.replayed(body, compare=False)
        if referee.pos.result is None:
            raise Unlike("it does not end any more")
        return {**body, "entries": entries, "result": referee.pos.result}, f"told again: {why}"
    except Unlike as wrong:
        return play(plan), f"played anew: {wrong}"


def checkpoint(title: Title) -> Body:
    """A position of the present schema, from the middle of a kept game."""
    name = next(name for name in kept.records() if name.startswith(f"{title.id}/") and "heuristic-" in name)
    body = kept.record(name)
    given = list(kept.answers(body))
    referee = kept.start(body, kept.Given(body["entries"]))
    for _number, answer in given[:len(given) // 2]:
        referee.answer(answer["seat"], answer["answer"])
    point = referee.newest
    pos = title.decode(referee.game, point.state, title.schema)
    return {"data": body["data"], "scenario": body["scenario"], "phase": point.phase, "state": json.loads(point.state),
            "views": kept.fresh_views(title, pos)}


def shown_again(title: Title) -> Iterator[str]:
    """The kept positions of a title that show something else now: their state stays, what they show is kept anew."""
    for path in sorted(kept.CHECKPOINTS.glob(f"{title.id}-*.json.xz")):
        body, schema = kept.read(path), int(path.name.removesuffix(".json.xz").rpartition("-")[2])
        game = title.game(kept.data(body["data"]), body.get("scenario", "war"))
        views = kept.fresh_views(title, title.decode(game, json.dumps(body["state"]).encode(), schema))
        if views != body["views"]:
            kept.write(path, {**body, "views": views})
            yield path.name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reason", required=True, help="why a game changes: an issue and a clause, say")
    parser.add_argument("--only", default="", help="names that begin so")
    args = parser.parse_args()
    changed = 0
    for plan in plans(args.only):
        name = f"{plan.title.id}/{plan.name}"
        path = kept.file_of(name)
        if not name.startswith(args.only):
            continue
        body, what = renewed(kept.read(path), plan) if path.exists() else (play(plan), "played")
        if what:
            changed += 1
            kept.write(path, body)
            print(f"{name}: {what}", flush=True)
    for title in map(titles.load, sorted({name.split("/")[0] for name in kept.records()})):
        path = kept.CHECKPOINTS / f"{title.id}-{title.schema}.json.xz"
        if not path.exists():
            kept.write(path, checkpoint(title))
            changed += 1
        for shown in shown_again(title) if title.id.startswith(args.only.split("/")[0]) else ():
            changed += 1
            print(f"{shown}: shown again", flush=True)
    changed += reading.write_all()
    if changed:
        with (kept.HERE / "reasons.md").open("a") as file:
            file.write(f"- {args.reason} ({changed} files)\n")
    print(f"{changed} files changed")


if __name__ == "__main__":
    main()
