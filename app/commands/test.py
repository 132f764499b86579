"""Runs all tests, on a real PostgreSQL and in a real Chromium.

What this command does not know goes to pytest: `./mariscal test tests/rules -k supply`. The whole runs in three
processes: browsers in one, which waits much of its time, the server in the others, rules in whichever is free
(`tests/conftest.py`).
"""

import argparse
import subprocess
import sys

from app.config import ROOT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--long", action="store_true", help="also the tests that take minutes")
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, seen from the project's folder")


def run(args: argparse.Namespace) -> int:
    """In a process of its own: pytest wants to be there before the libraries it watches."""
    apart = ["--numprocesses=3", "--dist=loadfile", "--no-loadscope-reorder"]
    how = ["--long"] if args.long else [] if args.pytest else apart
    return subprocess.call([sys.executable, "-m", "pytest", *how, *args.pytest], cwd=ROOT)
