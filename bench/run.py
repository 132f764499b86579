"""Runs the parts and prints their figures."""

import argparse
import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

import rules.titles
from bench import titled
from bench.figures import HEAD, Figure
from bench.site import Site

PARTS = {
    "play": "rules alone: random play, replay of a record",
    "supply": "the Chaco War alone: supply phase of a full campaign, reach of one unit",
    "field": "Austerlitz alone: reach of a battalion, lines of sight, a seat's view and changes, its map",
    "store": "encode and commit of a large position",
    "live": "answer to the opponent's view over websockets; 50 games at once",
    "boards": "boards that one tries, many at once, beside as many games",
    "sockets": "50, 200 and 500 sockets at one process: answers a second at which it becomes slow",
    "processes": "three server processes against one",
    "campaign": "load of a game; many stored games; memory",
    "routes": "every address that can be read, with 10,000 games, 500 people and an event of 500",
    "page": "size of the page's code and map, requests to the first view, bytes of an answer",
    "frames": "panning over 400 counters",
}
Part = Callable[[Site], Iterator[Figure]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parts = "; ".join(f"{name}: {about}" for name, about in PARTS.items())
    parser.add_argument("part", nargs="*", type=_part, metavar="PART", help=f"default: all. {parts}")
    parser.add_argument("--title", choices=rules.titles.IDS, default=titled.FIRST, help="default: %(default)s")
    parser.add_argument("--scenario", help="default: the title's first that two can play")
    parser.add_argument("--json", action="store_true", help="one JSON object a figure")


def _part(name: str) -> str:
    if name not in PARTS:
        raise argparse.ArgumentTypeError(f"there is no part {name}")
    return name


def run(args: argparse.Namespace) -> int:
    """0 when every limit is kept, 1 when one is missed, 2 when a part could not be measured; the others are."""
    kept, broken = True, list[str]()
    titled.choose(args.title, args.scenario)
    with Site() as site:
        machine = f"{args.title}, {titled.scenario().id}; {site.describe()}"
        print(json.dumps({"machine": machine}) if args.json else f"{machine}\n{HEAD}", flush=True)
        for name in args.part or PARTS:
            try:
                part: Part = import_module(f"bench.{name}").measure
                for figure in part(site):
                    kept = kept and figure.kept is not False
                    print(json.dumps({"part": name, **figure.as_json()}) if args.json else figure.line(), flush=True)
            except Exception as fault:
                broken.append(name)
                traceback.print_exc()
                word = {"part": name, "failed": f"{type(fault).__name__}: {fault}"}
                print(json.dumps(word) if args.json else f"{name}: NOT MEASURED, {word['failed']}", flush=True)
            finally:
                site.stop_servers()
    if broken and not args.json:
        print(f"not measured: {', '.join(broken)}", flush=True)
    return 2 if broken else 0 if kept else 1


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("python -m bench", description="Each figure beside its floor.")
    add_arguments(parser)
    return run(parser.parse_args(words))
