"""Takes pictures of every kind of page: three sizes of window or the smallest, light and dark, or with all contrast.

Starts a server of its own with a throw-away data folder, plays games and runs events into the states to be shown, and
writes NAME-WIDTHxHEIGHT-THEME.png (or .webp) into a folder. Needs the libraries of `./mariscal test` and a Chromium.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from gallery import run as gallery

    gallery.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from gallery import run as gallery

    return gallery.run(args)
