"""Measures what the server does, each figure beside its floor (docs/bench.md); takes some minutes.

Needs the libraries of the tests. Exits 1 when a limit is missed.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from bench import run as bench

    bench.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from bench import run as bench

    return bench.run(args)
