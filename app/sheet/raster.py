"""PNG pictures of positions, for mails and other programs' windows. `python -m app.sheet.raster` draws one, in a
process of its own: it takes a second or two during which nothing else would run.
"""

from __future__ import annotations

import asyncio
import gzip
import importlib
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, TimeoutExpired
from typing import Any
from weakref import WeakKeyDictionary

from app.sheet.areasheet import AreaSheet
from app.sheet.faces.formation import spelled
from app.sheet.hexsheet import HexSheet
from app.sheet.lettering import escape
from app.sheet.pen import Point
from app.sheet.plain import plain
from app.sheet.pointsheet import PointSheet
from app.sheet.sheets import STATIC, Sheets, cache_in, title_style
from app.sheet.stills import EMPTY, SPACE, pieces, style_sheet

log = logging.getLogger(__name__)

DRAWER = "resvg_py"
FONTS = Path(__file__).with_name("fonts")
PATIENCE = 60.0  # seconds
WIDTH = 640  # pixels
SMALLEST, LARGEST = (760.0, 520.0), (1240.0, 980.0)  # of the part that is shown, in units of the sheet
MARGIN = 150.0
FRAME = re.compile(r'viewBox="([-\d. ]+)" width="[\d.]+" height="[\d.]+"')
ROUND_THE_SHEET = ' clip-path="url(#sheet)"'  # costs the drawer a third of its time, and a part lies on the sheet

_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def picture(title: str, digest: str, data: Mapping[str, Any], fragments: Mapping[str, Any], language: str,
                  around: Sequence[str], folder: Path) -> bytes | None:
    """A PNG of the part of a view that holds the places `around`, or of where most stands when none is named.

    `data`: `map` and `units` of the title, under `digest`; `fragments`: of the view; `folder`: where drawn sheets are
    kept. None when nothing can draw it here, or not in time.
    """
    if not drawable(title):
        return None
    spaces = {key: space for key, space in fragments.items() if key.startswith(SPACE)}
    asked = {"title": title, "digest": digest, "data": {"map": data["map"], "units": data["units"]},
             "fragments": spaces, "language": language, "around": list(around), "folder": str(folder)}  # fmt: skip
    async with _turn():
        process = subprocess.Popen([sys.executable, "-m", "app.sheet.raster"], cwd=Path(__file__).parents[2],
                                   stdin=PIPE, stdout=PIPE, stderr=PIPE)  # fmt: skip
        try:
            drawn, said = await asyncio.to_thread(process.communicate, json.dumps(asked).encode(), PATIENCE)
        except TimeoutExpired:
            with suppress(BrokenPipeError), process:  # closes its pipes
                process.kill()
            log.error("a position was not drawn within %.0f s", PATIENCE)
            return None
        except BaseException:  # whoever asked is gone, or the server ends: the thread ends with the process
            process.kill()
            process.wait()
            raise
    if process.returncode:
        log.error("a position was not drawn: %s", said.decode(errors="replace")[-2000:])
        return None
    return drawn


def _turn() -> asyncio.Semaphore:
    """One picture at a time; a semaphore belongs to the loop it has waited in."""
    return _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(1))


def drawable(title: str) -> bool:
    """Whether there is something that draws, and how the title's map looks."""
    return find_spec(DRAWER) is not None and (STATIC / "titles" / title / "style.json").is_file()


def draw(asked: Mapping[str, Any]) -> bytes:
    """What the child process does."""
    title, data, fragments = asked["title"], asked["data"], asked["fragments"]
    sheets = Sheets(title, asked["digest"], data, cache_in(Path(asked["folder"])))
    svg = gzip.decompress(sheets.map(asked["language"])).decode()
    style = f"<style>{escape(plain(style_sheet(title, 'light')))}</style>"
    defined, ends, stacks_drawn = pieces(title, data, fragments).partition("</defs>")
    counters = f"<g>{defined}{ends}{spelled(stacks_drawn, data['units'])}</g>"
    svg = svg.replace("<defs>", f"{style}<defs>", 1).replace(EMPTY, counters, 1)
    svg = svg.replace(ROUND_THE_SHEET, "", 1)
    at = _places(title, data)
    shown = [at[place] for place in asked["around"] if place in at]
    stacks = [at[key.removeprefix(SPACE)] for key, space in fragments.items() if space and space.get("count")
              and key.removeprefix(SPACE) in at]  # fmt: skip
    frame = FRAME.search(svg)
    assert frame is not None, "every sheet says how large it is"
    x, y, w, h = _part([float(number) for number in frame[1].split()], shown or stacks)
    svg = svg.replace(frame[0], f'viewBox="{x:.0f} {y:.0f} {w:.0f} {h:.0f}" width="{w:.0f}" height="{h:.0f}"', 1)
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    drawer = importlib.import_module(DRAWER)
    return bytes(drawer.svg_to_bytes(svg_string=svg, width=WIDTH, font_files=fonts, skip_system_fonts=True))


def _places(title: str, data: Mapping[str, Any]) -> Mapping[str, Point]:
    """Where each place of a map lies on its sheet."""
    style = title_style(title)
    if data["map"].get("kind") == "areas":
        return AreaSheet(data["map"], style).at
    if data["map"].get("kind") == "points":
        return PointSheet(data["map"], style).at
    sheet = HexSheet(data["map"], style)
    return {place: sheet.centre(sheet.key(place)) for place in data["map"]["hexes"]}


def _part(sheet: Sequence[float], points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the part to show: the points with a margin, neither too small nor too large,
    and on the sheet. Where they lie too far apart, as many as go together, the first before later ones."""
    left, top, wide, high = sheet
    points = _together(points or [(left + wide / 2, top + high / 2)])
    spans = []
    for axis, (start, length) in enumerate(((left, wide), (top, high))):
        values = [point[axis] for point in points]
        middle = (min(values) + max(values)) / 2
        size = min(max(max(values) - min(values) + 2 * MARGIN, SMALLEST[axis]), LARGEST[axis], length)
        spans.append((min(max(middle - size / 2, start), start + length - size), size))
    (x, w), (y, h) = spans
    return x, y, w, h


def _together(points: Sequence[Point]) -> Sequence[Point]:
    """The most points that one part can show with their margin: those to the right of one and below another."""
    room = [length - 2 * MARGIN for length in LARGEST]
    if all(max(p[axis] for p in points) - min(p[axis] for p in points) <= room[axis] for axis in (0, 1)):
        return points
    found: Sequence[Point] = ()
    for x in dict.fromkeys(p[0] for p in points):
        for y in dict.fromkeys(p[1] for p in points):
            here = [p for p in points if 0 <= p[0] - x <= room[0] and 0 <= p[1] - y <= room[1]]
            if len(here) > len(found):
                found = here
    return found


if __name__ == "__main__":
    os.nice(10)
    sys.stdout.buffer.write(draw(json.load(sys.stdin)))
