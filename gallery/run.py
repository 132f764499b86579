"""One picture for each scene, size of window and theme (`./mariscal gallery`)."""

import argparse
import base64
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rules.titles
from app.chromium import find_chromium
from app.texts import LANGUAGES
from gallery.scenes import ANY, GROUPS, REST, SCENES, World
from gallery.server import served
from gallery.table import TITLE

if TYPE_CHECKING:  # not there on a machine that only serves
    from playwright.sync_api import Page

SIZES = {"1440x900": (1440, 900), "834x1112": (834, 1112), "390x844": (390, 844), "360x740": (360, 740),
         "1280x800": (1280, 800), "720x900": (720, 900)}  # fmt: skip
THEMES = ("light", "dark", "contrast")
USUAL_SIZES, USUAL_THEMES = tuple(SIZES)[:3], THEMES[:2]
PATIENCE = 120_000  # ms: the machine may be slow and loaded
LONGEST = 4000  # pixels of a page that are shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("gallery"), help="folder for the pictures (default: gallery)")
    parser.add_argument("--format", choices=("png", "webp"), default="png")
    wanted = (("scene", tuple(SCENES)), ("group", tuple(GROUPS)), ("size", tuple(SIZES)), ("theme", THEMES))
    for name, choices in wanted:
        parser.add_argument(f"--{name}", action="append", choices=choices, help="only this one; may be repeated")
    parser.add_argument("--lang", choices=tuple(LANGUAGES), default="en")
    parser.add_argument("--title", choices=rules.titles.IDS, help="whose game the scenes any-* show; alone: only those")
    parser.add_argument("--scenario", help="of the same: default is the title's first")
    parser.add_argument("--answers", type=int, default=60, help="after which bots stop in the same (default: 60)")


def run(args: argparse.Namespace) -> int:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("mariscal: libraries are missing; `./mariscal test --version` installs them.", file=sys.stderr)
        return 1
    args.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, served() as server:
        chromium = find_chromium(playwright.chromium.executable_path)
        if chromium is None:
            print("mariscal: no Chromium; install one or set MARISCAL_CHROMIUM to its path.", file=sys.stderr)
            return 1
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        world = World(browser, server, args.lang, (args.title or TITLE, args.scenario, args.answers))
        for name, size, theme in product(chosen(args), args.size or USUAL_SIZES, args.theme or USUAL_THEMES):
            shoot(world, name, size, theme, args)
        browser.close()
    return 0


def chosen(args: argparse.Namespace) -> list[str]:
    """The scenes that were named, by themselves or by their group; if none was those of the title that was, else all of
    the two titles."""
    named = [*(args.scene or []), *(name for group in args.group or [] for name in GROUPS[group])]
    return list(dict.fromkeys(named)) or (list(ANY) if args.title else [name for name in SCENES if name not in ANY])


def shoot(world: World, name: str, size: str, theme: str, args: argparse.Namespace) -> None:
    scene = SCENES[name]
    with opened(world, scene.who, size, theme) as page:
        scene.show(world, page)
        if theme == "contrast":
            page.evaluate("document.documentElement.dataset.theme = 'contrast'")
        page.wait_for_timeout(REST)
        how: dict[str, Any] = {"format": "webp", "quality": 82} if args.format == "webp" else {"format": "png"}
        width, height = SIZES[size]
        if scene.whole:
            tall = min(LONGEST, max(height, page.evaluate("document.documentElement.scrollHeight")))
            how |= {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": tall, "scale": 1}}
        picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", how)
        file: Path = args.out / f"{name}-{size}-{theme}.{args.format}"
        file.write_bytes(base64.b64decode(picture["data"]))
        over = page.evaluate("document.documentElement.scrollWidth") - width
        print(file, f"is {over} pixels too wide" if over > 0 else "", flush=True)


@contextmanager
def opened(world: World, who: str, size: str, theme: str) -> Iterator["Page"]:
    """An empty page in somebody's browser."""
    width, height = SIZES[size]
    context = world.browser.new_context(
        viewport={"width": width, "height": height}, has_touch=width < 900, is_mobile=width < 900,
        locale=world.people.lang, color_scheme="dark" if theme == "dark" else "light",
        storage_state=world.people.named(who).storage_state(),
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()
