"""Subcommands of `./mariscal`: one module each, with `add_arguments(parser)` and `run(args) -> int`.

The first line of a module's docstring is its line in `./mariscal --help`; its name, with dashes, the command.
"""
