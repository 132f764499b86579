"""The clause ledger: every clause of a title with its procedures and tests, or why it has none.

Exits 1 when a clause has neither procedure and test nor an excuse, or when something names a clause that there is
not. Columns: clause, what it is about, procedures, tests.
"""

import argparse
import json
import sys

from app import ledger
from app.config import ROOT

_SHOWN = 3  # names in a cell of the table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", help="id of a title, as triple_alliance")
    parser.add_argument("--json", action="store_true", help="all names, for programs")


def run(args: argparse.Namespace) -> int:
    try:
        book = ledger.read(ROOT, args.title)
    except FileNotFoundError:
        print(f"mariscal: there is no clause list of {args.title!r}", file=sys.stderr)
        return 1
    print(_as_json(book) if args.json else _as_table(book))
    return 0 if book.complete else 1


def _as_json(book: ledger.Ledger) -> str:
    body = {
        "title": book.title,
        "clauses": [{"clause": row.clause, "title": row.title, "state": row.state, "procedures": row.procedures,
                     "tests": row.tests, "excuse": row.excuse} for row in book.rows],
        "faults": book.faults,
        "totals": {"clauses": len(book.rows), "covered": book.count("covered"), "excused": book.count("excused"),
                   "missing": book.count("missing")},
    }
    return json.dumps(body, indent=1, ensure_ascii=False)


def _as_table(book: ledger.Ledger) -> str:
    lines = []
    for row in book.rows:
        head = f"{row.clause:>6}  {row.title[:28]:28}  "
        if row.state == "excused":
            lines.append(f"{head}- {row.excuse}")
        else:
            mark = "" if row.state == "covered" else "MISSING  "
            lines.append(f"{head}{mark}{_cell(row.procedures, 'no procedure')} | {_cell(row.tests, 'no test')}")
    lines += [f"fault: {fault}" for fault in book.faults]
    lines.append(f"{len(book.rows)} clauses: {book.count('covered')} with procedure and test, "
                 f"{book.count('excused')} excused, {book.count('missing')} missing")
    return "\n".join(lines)


def _cell(names: tuple[str, ...], nothing: str) -> str:
    if not names:
        return nothing
    short = [name.removesuffix(".py") for name in names[:_SHOWN]]
    return ", ".join(short) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
