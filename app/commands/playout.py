"""Plays whole games between bots and says how they ended.

  mariscal playout triple_alliance --games 200 --bot heuristic
  mariscal playout triple_alliance --games 12 --check
  mariscal playout ultimo_hombre --games 50 --check --option leaders --option chaco

With --check it asserts at every answer that options are there and sorted, that the position is possible and that
every eye's changes add up to its view; at every Nth (--every) that a loaded, re-run or taken-back game is the same
game, and that no seat can tell by anything what it may not know. Ends with `N passed, M failed`; exits 1 on a failure.
"""

import argparse
import gc
import json
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from app.games.data import current
from rules import bots, titles
from rules.bots.checks import Checker
from rules.bots.playout import play
from rules.core.scenario import Scenario

EVERY = 12
COLLECTED = (20_000, 20, 20)  # thresholds of the garbage collector while a game is played


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", choices=titles.IDS)
    parser.add_argument("--scenario", help="default: the first one")
    parser.add_argument("--seating", help="default: the scenario's first one")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME[=VALUE]", help="of the game; may be repeated"
    )
    parser.add_argument("--games", type=int, default=1, help="how many (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow (default: 1)")
    parser.add_argument(
        "--bot",
        default="random",
        help="random or heuristic, or one for each seat in order: heuristic,random (default: random)",
    )
    parser.add_argument("--check", action="store_true", help="assert what must hold of any game")
    parser.add_argument("--every", type=int, default=EVERY, help=f"all checks at every Nth answer (default: {EVERY})")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object a game, and one for the whole")


def options_of(scenario: Scenario, given: list[str]) -> dict[str, Any] | None:
    """The values that `NAME=VALUE` or `NAME` (its last value) choose; None when one is not of the scenario."""
    out = {}
    for name, _, word in (text.partition("=") for text in given):
        values = scenario.options.get(name, ())
        chosen = [v for v in values if str(v).lower() == word.lower()] if word else list(values[-1:])
        if not chosen:
            return None
        out[name] = chosen[0]
    return out


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Nearly all that a game makes goes by itself; the data and the record stay, and are not gone through each time."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def game(
    title_id: str, scenario: str, options: dict[str, Any], seed: int, names: dict[str, str], every: int
) -> dict[str, Any]:
    """One game between these bots, by seat: seed, answers, result or error, seconds. `every` 0 checks nothing."""
    title, data = titles.load(title_id), current(title_id)
    checker = Checker(title, seed, every) if every else None
    players = {seat: bots.make(name) for seat, name in names.items()}
    began = time.monotonic()
    out: dict[str, Any] = {"seed": seed, "answers": None, "result": None, "error": None}
    try:
        with _seldom_collected():
            played = play(title, data, scenario, seed, players, options=options, watcher=checker)
        out |= {"answers": played.answers, "result": played.result}
    except Exception as wrong:
        where = traceback.extract_tb(wrong.__traceback__)[-1]
        out["error"] = f"{type(wrong).__name__}: {wrong} ({where.name}, line {where.lineno})"
    if checker is not None:
        out["checked"] = checker.done
    return out | {"seconds": round(time.monotonic() - began, 2)}


def _ending(result: dict[str, Any] | None) -> str:
    if result is None:
        return "no result"
    args = "".join(f" {k}={v}" for k, v in result["args"].items())
    return f"{result['winner'] or 'draw'} ({result['key'].removeprefix('result.')}{args})"


def _line(out: dict[str, Any]) -> str:
    if out["error"]:
        return f"seed {out['seed']}: FAILED {out['error']}"
    return f"seed {out['seed']}: {out['answers']} answers, {_ending(out['result'])}, {out['seconds']} s"


def run(args: argparse.Namespace) -> int:
    known = current(args.title).scenarios
    scenario = known.get(args.scenario or next(iter(known)))
    if scenario is None:
        print(f"scenarios: {', '.join(known)}")
        return 2
    seating = scenario.seatings.get(args.seating or next(iter(scenario.seatings)))
    if seating is None:
        print(f"seatings: {', '.join(scenario.seatings)}")
        return 2
    names = args.bot.split(",") if "," in args.bot else [args.bot] * len(seating.seats)
    if len(names) != len(seating.seats) or not set(names) <= set(bots.NAMES):
        print(f"bots: {', '.join(bots.NAMES)}, one or {len(seating.seats)} of them")
        return 2
    options = options_of(scenario, args.option)
    if options is None:
        shown = [f"{name}: {', '.join(str(v).lower() for v in values)}" for name, values in scenario.options.items()]
        print("options: " + "; ".join(shown))
        return 2
    every = args.every if args.check else 0
    players = dict(zip(seating.seats, names, strict=True))
    tasks = [(args.title, scenario.id, options, args.seed + n, players, every) for n in range(args.games)]
    played = []
    for out in _results(tasks, args.jobs):
        played.append(out)
        print(json.dumps(out) if args.json else _line(out), flush=True)
    return _sum_up(played, args.json)


def _results(tasks: list[tuple[Any, ...]], jobs: int) -> Iterator[dict[str, Any]]:
    """The games in order, as they are done."""
    if jobs == 1:
        yield from (game(*task) for task in tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for future in [pool.submit(game, *task) for task in tasks]:
            yield future.result()


def _sum_up(played: list[dict[str, Any]], as_json: bool) -> int:
    failed = sum(out["error"] is not None for out in played)
    ends = Counter(_ending(out["result"]) for out in played if not out["error"])
    winners = Counter(out["result"]["winner"] or "draw" for out in played if out["result"])
    if as_json:
        print(json.dumps({"passed": len(played) - failed, "failed": failed, "winners": winners, "ends": ends}))
        return 1 if failed else 0
    for end, n in sorted(ends.items(), key=lambda item: (-item[1], item[0])):
        print(f"{n:5} {end}")
    if winners:
        print("; ".join(f"{name} {n} ({100 * n / sum(winners.values()):.0f}%)" for name, n in sorted(winners.items())))
    print(f"{len(played) - failed} passed, {failed} failed")
    return 1 if failed else 0
