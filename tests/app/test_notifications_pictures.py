"""What a message shows and says: a position as a seat may see it, and sentences as the page has them."""

import asyncio
import re
import signal
import struct
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.games import data
from app.games.titles import _drawn
from app.notifications.words import GameTexts, places
from app.sheet import raster
from app.sheet.faces.formation import spelled
from app.sheet.plain import plain
from app.sheet.raster import WIDTH, _part, picture
from app.sheet.stills import style_sheet
from rules.core.chance import Chance
from rules.core.referee import Referee


@pytest.mark.parametrize("title", ["triple_alliance", "ultimo_hombre"])
def test_a_plain_style_has_no_variables_left(title: str) -> None:
    css = plain(style_sheet(title, "light"))
    assert "var(" not in css
    assert "color-mix" not in css
    assert re.search(r"\.map text\{fill:#2B2722\}", css)
    assert ".ctr.paraguay .ground{fill:#AE392E" in css, "a counter has the colour of its nation"


def test_a_plain_style_takes_the_theme_that_was_chosen() -> None:
    assert plain(":root { --a: 1 } :root:root { --a: 2 } .x { opacity: var(--a); fill: var(--b, red) }") == (
        ".x{opacity:2;fill:red}\n")  # fmt: skip


def test_a_plain_style_mixes_colours_and_follows_what_properties_are_made_of() -> None:
    css = plain(".a { --g: #000 } .b { --light: color-mix(in oklab, var(--g), #fff 28%) } .x { fill: var(--light) }")
    assert ".a .x{fill:#474747}" in css
    assert plain(".x { fill: color-mix(in srgb, #f00 14%, transparent) }") == ".x{fill:#f00}\n"


def test_troops_in_a_picture_have_the_colours_of_nation_and_corps() -> None:
    css = plain(style_sheet("austerlitz", "light"))
    assert ".ctr.french .tr-body{fill:#2A52A0}" in css
    assert ".ctr.french .tr-half{fill:#6682BB}" in css
    assert ".corps-f-i .tr-band{stroke:#B79AD6}" in css
    assert ".ctr.troops.troops .tr-name{fill:#2B2722}" in css, "a name is ink on the map, not on its block"
    known = {"1": {"type": "infantry", "face": "formation"}}
    assert spelled('<use href="#f-line-infantry" transform="rotate(30)"/>', known).startswith(
        '<g transform="rotate(30)"><path class="tr-body"')  # fmt: skip


@pytest.mark.parametrize(
    ("points", "part"),
    [([(500.0, 500.0)], (120, 240, 760, 520)), ([(0.0, 0.0)], (0, 0, 760, 520)), ([], (2120, 1740, 760, 520)),
     ([(0.0, 0.0), (5000.0, 4000.0)], (0, 0, 760, 520)),  # too far apart: the first of them,
     ([(0.0, 0.0), (4000.0, 3000.0), (4200.0, 3200.0)], (3720, 2840, 760, 520))],  # or as many as go together
)  # fmt: skip
def test_the_part_shown_holds_points_that_go_together_and_stays_on_the_sheet(points: Any, part: Any) -> None:
    assert _part((0, 0, 5000, 4000), points) == part


@pytest.mark.anyio
async def test_a_position_becomes_a_png(tmp_path: Path) -> None:
    current = data.current("triple_alliance")
    title = data.title("triple_alliance")
    referee = Referee.start(title, current, next(iter(current.scenarios)), {}, Chance(None))
    fragments = referee.views.contents["paraguay"]
    png = await picture(title.id, current.digest, _drawn(current), fragments, "es", ["1632"], tmp_path)
    assert png is not None, "the package resvg-py draws it"
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (WIDTH, 438)
    assert len(png) > 50_000, "a map with its lettering, not an empty sheet"


@pytest.mark.anyio
async def test_a_picture_that_nobody_waits_for_leaves_no_process(tmp_path: Path, monkeypatch: Any) -> None:
    """A server that ends would else close its loop over a child, which fails."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(*args, **more))
        return started[-1]

    monkeypatch.setattr(raster, "subprocess", SimpleNamespace(Popen=start))
    current = data.current("triple_alliance")
    drawing = asyncio.create_task(picture("triple_alliance", current.digest, _drawn(current), {}, "en", [], tmp_path))
    while not started:
        await asyncio.sleep(0.01)
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing
    assert started[0].returncode == -signal.SIGKILL


def test_sentences_are_those_of_the_page() -> None:
    words = GameTexts("en", "triple_alliance", _drawn(data.current("triple_alliance")))
    marched = {"event": "marched", "side": "allied", "data": {"path": ["1633", "1826"], "at": "1826", "count": 2}}
    assert words.step(marched) == "Triple Alliance: 2 units march from 1633 to Asunción (1826)."
    assert "Triple Alliance" in str(words.step({**marched, "event": "movement_began"}))
    assert words.step({"event": "turn", "data": {"turn": 2, "phase": "x"}, "fragments": {"turn": {}}}) is None
    assert places(marched) == ["1826"]
    assert words._word(["allied", "paraguay"]) == "Triple Alliance and Paraguay"
    assert (words._word(-2), words._word(True), words._word(None)) == ("−2", "yes", "–")
    assert (words._word(False, "hit"), words._word(False, "kept")) == ("a miss", "no")


@pytest.mark.anyio
async def test_what_is_not_drawn_in_time_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                       caplog: pytest.LogCaptureFixture) -> None:
    current = data.current("triple_alliance")
    monkeypatch.setattr(raster, "PATIENCE", 0.01)
    assert await picture("triple_alliance", current.digest, _drawn(current), {}, "es", [], tmp_path) is None
    assert "not drawn within" in caplog.text
