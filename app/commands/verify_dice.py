"""Checks every roll of an exported game against the seed and nonces it was sealed with.

FILE is what a finished game's export gives. Exit code 1 when anything is not as committed.
"""

import argparse
import json
from pathlib import Path

from app.games import dice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="an exported game")
    parser.add_argument("--json", action="store_true", help='print {"rolls": N, "faults": [...]}')


def run(args: argparse.Namespace) -> int:
    export = json.loads(args.file.read_bytes())
    faults = dice.verify(export)
    rolls = sum(entry.get("roll_no") is not None for entry in export["entries"])
    if args.json:
        print(json.dumps({"rolls": rolls, "faults": faults}))
    else:
        print("\n".join(faults) or f"{rolls} rolls, all as sealed")
    return 1 if faults else 0
