"""The drawn sheet: whole, small, the same every time, without colours of its own; and how it is kept and served."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from app.config import ROOT
from app.games import data as titles
from app.sheet import sheets
from app.sheet.cache import SheetCache, content_hash
from app.sheet.counters import draw_counters
from app.sheet.drawing import BOARD_LAYERS, ORDER, draw_map
from app.sheet.hexsheet import HexSheet
from app.sheet.lettering import width
from app.sheet.pen import Line, chains, inside, noise, num, pen, ribbon, wander
from app.sheet.stills import still

TITLE = "triple_alliance"
FOLDER = ROOT / "scenarios" / TITLE
SVG = "{http://www.w3.org/2000/svg}"
LIMIT = 150_000 / 2000  # bytes a hex


@pytest.fixture(scope="module")
def files() -> dict[str, Any]:
    return {
        "map": json.loads((FOLDER / "map.json").read_text()),
        "units": json.loads((FOLDER / "units.json").read_text())["units"],
    }


@pytest.fixture(scope="module")
def drawn(files: dict[str, Any]) -> str:
    return draw_map(files["map"], sheets.title_style(TITLE), "en")


def layer(svg: str, name: str) -> ElementTree.Element:
    return next(g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == name)


def texts(svg: str, name: str) -> list[str]:
    return ["".join(text.itertext()) for text in layer(svg, name).iter(f"{SVG}text")]


def test_map_holds_every_hex_and_town(files: dict[str, Any], drawn: str) -> None:
    hexes = files["map"]["hexes"]
    assert sorted(texts(drawn, "l-numbers")) == sorted(hexes)
    assert sorted(texts(drawn, "l-towns")) == sorted(h["name"] for h in hexes.values() if h["name"])


def test_no_number_lies_under_the_name_of_a_town(files: dict[str, Any], drawn: str) -> None:
    numbers = {}
    for group in layer(drawn, "l-numbers"):
        column = float((group.get("transform") or "")[10:].split()[0].rstrip(")"))
        for text in group:
            numbers[text.text] = column + float(text.get("x") or 0), float(text.get("y") or 0)
    sheet, under = HexSheet(files["map"], sheets.title_style(TITLE)), []
    for hex_, (x, y) in numbers.items():
        assert sheet.at((x, y - 3)) == sheet.key(hex_ or "")
    for text in layer(drawn, "l-towns"):
        size, x, y = (float(text.get(name) or 0) for name in ("font-size", "x", "y"))
        wide = width(text.text or "", size)
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor") or ""]
        under += [
            (hex_, text.text)
            for hex_, (a, b) in numbers.items()
            if left - 9 < a < left + wide + 9 and y - size * 0.7 < b < y + 6 + size * 0.1
        ]
    assert under == []


def test_map_is_small_and_layered(files: dict[str, Any], drawn: str) -> None:
    assert len(gzip.compress(drawn.encode(), 9)) < LIMIT * len(files["map"]["hexes"])
    assert re.findall(r'<g class="l-([a-z]+)"', drawn) == [*ORDER, "frame"]
    for layer in BOARD_LAYERS:
        assert f'<g class="l-{layer}"></g>' in drawn


@pytest.mark.parametrize("kind", ["map", "counters"])
def test_sheets_leave_colour_to_style_sheets(files: dict[str, Any], drawn: str, kind: str) -> None:
    svg = drawn if kind == "map" else draw_counters(files["units"], sheets.title_style(TITLE))
    for node in ElementTree.fromstring(svg).iter():
        assert not {"style", "fill", "stroke", "onload"} & set(node.attrib)
        assert node.tag not in {f"{SVG}style", f"{SVG}script"}


def test_drawing_is_the_same_in_another_process(drawn: str) -> None:
    code = (
        "import json, hashlib\nfrom app.sheet.drawing import draw_map\nfrom app.sheet.sheets import title_style\n"
        f"data = json.loads(open({str(FOLDER / 'map.json')!r}).read())\n"
        f"print(hashlib.sha256(draw_map(data, title_style({TITLE!r}), 'en').encode()).hexdigest())"
    )
    env = {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == hashlib.sha256(drawn.encode()).hexdigest()


def test_words_of_the_map_exist_in_both_languages(drawn: str) -> None:
    style = sheets.title_style(TITLE)
    english, spanish = style["words"]["en"], style["words"]["es"]
    for part in ("areas", "legend"):
        assert english[part].keys() == spanish[part].keys()
    assert set(style["legend"]) == set(english["legend"])
    for kind in style["legend"]:
        assert f'id="k-{kind}"' in drawn
    assert {a["name"] for a in (*style["regions"], *style["countries"])} == set(english["areas"])


def test_every_unit_has_a_face_with_its_factors(files: dict[str, Any]) -> None:
    svg = draw_counters(files["units"], sheets.title_style(TITLE))
    groups = {g.get("id"): g for g in ElementTree.fromstring(svg).iter(f"{SVG}g")}
    for name, unit in files["units"].items():
        face = groups[f"c-{name}"]
        shown = [text.text for text in face.iter(f"{SVG}text")]
        assert shown == [unit["abbrev"], f"{unit['attack']}-{unit['defense']}-{unit['movement']}"]
        classes = (face.get("class") or "").split()
        assert unit["nation"] in classes
        assert ("guards" in classes) == unit["guard"]
        assert ("river" in classes) == (unit["mobility"] == "river")
    owners = {u["nation"] for u in files["units"].values()} | {u["side"] for u in files["units"].values()}
    assert {f"back-{owner}" for owner in owners} <= groups.keys()
    assert {f"box-{u['side']}" for u in files["units"].values()} <= groups.keys()


def test_still_shows_what_a_view_shows_and_no_more(files: dict[str, Any]) -> None:
    fragments = {
        "turn": {"turn": 1},
        "space:1335": {"side": "allied", "count": 5, "units": [{"id": u} for u in list(files["units"])[-5:]]},
        "space:1434": {"side": "paraguay", "count": 3, "top": {"id": "PY-FOR-Ipr"}},
        "space:1537": {"side": "allied", "count": 9, "box": 3},
        "space:1735": {"control": "paraguay", "count": 0},
    }
    svg = still(TITLE, files, fragments, "es", "dark")
    layer = next(g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "l-counters")
    used = Counter(use.get("href") for use in layer.findall(f"{SVG}use"))
    top_four = list(files["units"])[-5:][:4]
    assert used == Counter(
        {**{f"#c-{u}": 1 for u in top_four}, "#c-PY-FOR-Ipr": 1, "#back-paraguay": 2, "#box-allied": 1}
    )
    counts = [text.text for g in layer.findall(f"{SVG}g") for text in g.iter(f"{SVG}text")]
    assert counts == ["3", "5", "9"]
    assert "La guerra de la Triple Alianza" in svg
    assert "data-theme=dark" not in svg


def test_geometry_of_the_hexes(files: dict[str, Any]) -> None:
    sheet = HexSheet(files["map"], {})
    for k in sheet.hexes:
        assert sheet.at(sheet.centre(k)) == k
        for n in sheet.around(k):
            assert k in sheet.around(n)
    ring = sheet.outline({(13, 35)})
    assert [len(r) for r in ring] == [6]
    hole = set(sheet.around((13, 35)))
    assert sorted(len(r) for r in sheet.outline(hole)) == [6, 18]


def test_numbers_are_spelled_short() -> None:
    assert [num(v) for v in (0, -0.04, 0.5, -0.5, 12.0, -3.14, 100)] == ["0", "0", ".5", "-.5", "12", "-3.1", "100"]


def walk(path: str) -> Line:
    """The points that relative `l` steps of path text lead through."""
    start, steps = re.fullmatch(r"M(\S+? ?-?\S+?)l(.*?)z?", path).groups()  # type: ignore[union-attr]
    number = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
    values = [float(v) for v in number.findall(start) + number.findall(steps)]
    x, y = values[:2]
    out = [(x, y)]
    for dx, dy in zip(values[2::2], values[3::2], strict=True):
        x, y = round(x + dx, 1), round(y + dy, 1)
        out.append((x, y))
    return out


def test_relative_steps_do_not_drift() -> None:
    line = [(i * 7.04, (i % 5) * 3.06) for i in range(200)]
    for (x, y), (a, b) in zip(line, walk(pen(line, curve=False)), strict=True):
        assert abs(x - a) < 0.11
        assert abs(y - b) < 0.11


def joints(path: str) -> Line:
    """The control points and joints, in turn, of a path of one `q` step and `t` steps."""
    start, first, onward = re.fullmatch(r"M(.*?)q(.*?)t(.*?)z?", path).groups()  # type: ignore[union-attr]
    number = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
    x, y, cx, cy, dx, dy, *rest = (float(v) for part in (start, first, onward) for v in number.findall(part))
    out = [(x + cx, y + cy), (x + dx, y + dy)]
    for dx, dy in zip(rest[::2], rest[1::2], strict=True):
        (cx, cy), (x, y) = out[-2:]
        out += [(2 * x - cx, 2 * y - cy), (x + dx, y + dy)]
    return out


@pytest.mark.parametrize("closed", [False, True])
def test_mirrored_control_points_do_not_drift(closed: bool) -> None:
    line = [(i * 7.04, (i * i % 7) * 3.06) for i in range(200)]
    drawn = joints(pen(line, closed))[::2]
    wanted = [*line[1:], line[0]] if closed else line[1:-1]
    for (x, y), (a, b) in zip(wanted, drawn, strict=True):
        assert abs(x - a) < 0.16
        assert abs(y - b) < 0.16


def test_shared_edges_wander_together() -> None:
    edge = [(i * 10.0, 40.0) for i in range(12)]
    there, back = wander(edge, 8, 75, False), wander(edge[::-1], 8, 75, False)
    assert there == back[::-1]
    assert there != edge
    assert all(-1 <= noise(x, y, 19) <= 1 for x, y in edge)


def test_chains_keep_the_straightest_arms_together() -> None:
    cross = [((0.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (2.0, 0.0)), ((1.0, 0.0), (1.0, 1.0))]
    assert sorted(map(len, chains(cross))) == [2, 3]
    assert [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)] in [sorted(path) for path in chains(cross)]


def test_ribbon_and_inside_agree() -> None:
    shape = ribbon([(0, 0), (50, 0), (100, 0)], [10, 20, 10])
    within = inside([shape])
    assert within(50, 8)
    assert not within(50, 12)
    assert not within(3, 8)


def test_accents_take_no_room() -> None:
    assert width("Humaitá", 12.5) == width("Humaita", 12.5)
    assert width("Itapirú", 20) == 2 * width("Itapirú", 10)


def test_cache_draws_once_and_keeps_over_a_restart(tmp_path: Path) -> None:
    drawn = []

    def draw() -> str:
        drawn.append(1)
        return "<svg/>"

    first = SheetCache(tmp_path / "sheets")
    assert gzip.decompress(first.get("k", draw)) == b"<svg/>"
    first.get("k", draw)
    assert SheetCache(tmp_path / "sheets").get("k", draw) == first.get("k", draw)
    assert len(drawn) == 1
    assert [p.name for p in (tmp_path / "sheets").iterdir()] == ["k.svg.gz"]


def test_hash_follows_content_not_order() -> None:
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
    assert content_hash("map", "x") != content_hash("map", "y")


def test_served_for_ever_under_its_address(client: TestClient) -> None:
    digest = titles.current(TITLE).digest
    for url in (sheets.map_url(TITLE, digest, "es"), f"/sheet/{TITLE}/{digest}/counters.svg"):
        packed = client.get(url, headers={"Accept-Encoding": "gzip"})
        assert packed.status_code == 200
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "immutable" in packed.headers["Cache-Control"]
        assert packed.headers["Content-Type"].startswith("image/svg+xml")
        plain = client.get(url, headers={"Accept-Encoding": "identity"})
        assert plain.text == packed.text
    assert "La guerra de la Triple Alianza" in client.get(sheets.map_url(TITLE, digest, "es")).text
    assert client.get(sheets.map_url(TITLE, "0" * 16, "en")).status_code == 404
    assert client.get(f"/sheet/no_such_title/{digest}/map.svg").status_code == 404
