"""Plays from any position: for a rules question, or an example of a rulebook.

  mariscal lab triple_alliance FILE          what is asked, what happens, and the position after
  mariscal lab triple_alliance FILE --json   the same as one JSON object
  mariscal lab triple_alliance --units       the units, leaders and cards that a file can name
  mariscal lab triple_alliance --space ID    a space: ground, neighbours, who stands there (in FILE, if one is given)

FILE is JSON, described in docs/positions.md: a position (what differs from the start of a scenario), answers, and
the dice that fall. Exits 1 when the position cannot be, an answer is refused, a die is missing or left over, or
something does not come out as the file expects.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import rules.titles
from app.lab.listing import space_lines, unit_lines
from app.lab.play import Lab
from app.lab.report import Report
from app.lab.wrong import Wrong, of_position
from app.texts import LANGUAGES, Texts
from rules.core.seats import ALL, PUBLIC
from rules.core.title import UNREADABLE
from rules.mechanics.written import Impossible, name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", help=f"one of {', '.join(rules.titles.IDS)}")
    parser.add_argument("file", type=Path, nargs="?",
                        help="a lab file; the rulebooks' examples lie in scenarios/TITLE/lab")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")
    parser.add_argument("--lang", choices=list(LANGUAGES), default="en", help="language of the words")
    parser.add_argument("--eye", default=ALL, help="whose view of the position after is shown: a side, public or all")
    parser.add_argument("--units", action="store_true", help="lists the units, leaders and cards there are")
    parser.add_argument("--space", metavar="ID", help="shows one space of the map")


def read(file: Path) -> dict[str, Any]:
    """The content of a lab file. Raises Wrong."""
    try:
        body = json.loads(file.read_text())
    except OSError as problem:
        raise Wrong("lab.unreadable", file=file.name, why=str(problem.strerror)) from problem
    except (ValueError, RecursionError) as problem:
        raise Wrong("lab.no_json", file=file.name, why=str(problem)) from problem
    if not isinstance(body, dict):
        raise Wrong("lab.no_object_file", file=file.name)
    return body


def run(args: argparse.Namespace) -> int:
    """Plays the file, or lists; 1 when something is wrong."""
    texts = Texts(args.lang)
    wrong, lab = None, None
    try:
        body = read(args.file) if args.file else {}
        lab = Lab(args.title, body)
        if args.units:
            print(*unit_lines(lab, texts), sep="\n")
            return 0
        if not args.file and not args.space:
            raise Wrong("lab.no_file")
        lab.play()
        if args.space:
            print(*space_lines(lab, texts, args.space), sep="\n")
            return 0
        eye = _eye(lab, args.eye)
    except Wrong as problem:
        wrong, eye = problem.said(texts, args.title), ALL
    if args.json:
        out = lab.as_json(wrong) if lab else {"ok": False, "error": wrong}
        print(json.dumps(out, ensure_ascii=False, indent=1))
    else:
        lines = []
        try:
            lines = list(Report(lab, args.lang, eye).lines()) if lab and not args.space else []
        except UNREADABLE:
            if lab is None or "from" not in lab.body:
                raise
            wrong = wrong or Wrong("lab.no_stored").said(texts)
        print(*lines, sep="\n", end="\n" if lines else "")
        if wrong:
            print(f"mariscal lab: {wrong}", file=sys.stderr)
        elif lab and lab.body.get("expect"):
            print(f"\n{texts('lab.word.as_expected')}")
    return 1 if wrong else 0


def _eye(lab: Lab, given: str) -> str:
    """A side, the public or all. Raises Wrong."""
    assert lab.referee is not None
    try:
        return name(given, [*lab.referee.seating.sides, PUBLIC, ALL], "eye")
    except Impossible as bad:
        raise of_position(bad) from bad
