"""`./mariscal`: finds the subcommands in `app.commands` and runs one; the others are not even imported."""

import argparse
import ast
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import app.commands


def parser(chosen: str) -> argparse.ArgumentParser:
    """The command line: every subcommand by name and first line, and all of the chosen one."""
    top = argparse.ArgumentParser("mariscal", description="Remote play of historical board wargames.")
    subparsers = top.add_subparsers(metavar="COMMAND", required=True)
    for path in sorted(Path(app.commands.__path__[0]).glob("[!_]*.py")):
        name = path.stem.replace("_", "-")
        about = ast.get_docstring(ast.parse(path.read_text())) or ""
        sub = subparsers.add_parser(
            name,
            help=about.partition("\n")[0],
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen:
            module = import_module(f"app.commands.{path.stem}")
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return top


def main(words: Sequence[str]) -> int:
    """Runs a subcommand; its exit code. `test` hands what it doesn't know to pytest."""
    top = parser(words[0] if words else "")
    args, rest = top.parse_known_args(words)
    if hasattr(args, "pytest"):
        args.pytest += rest
    elif rest:
        top.error(f"unknown: {' '.join(rest)}")
    code: int = args.run(args)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:  # its reader (`head`) has seen enough; what is still in the buffer goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
