"""Faces of counters: each kind drawn from its fields, with its sides; and data from before pieces named their faces."""

import gzip
from typing import Any
from xml.etree import ElementTree

import pytest

from app.games import data
from app.sheet import sheets, stills
from app.sheet.counters import draw_counters
from app.sheet.faces import FACES, face_of, pieces_of
from app.sheet.hexsheet import HexSheet
from app.sheet.pen import num
from tests.app.test_sheet_relief import field

STYLE: dict[str, Any] = {
    "nations": {"france": {"emblem": "bars"}},
    "sides": {"french": {"edge": "corners", "emblem": "bars"}},
}
WHO = {"nation": "france", "side": "french"}
UNITS: dict[str, dict[str, Any]] = {
    "f": {"face": "factors", "type": "infantry", "abbrev": "7", "attack": 6, "defense": 5, "movement": 4, **WHO},
    "fr": {"face": "factors", "type": "field_artillery", "abbrev": "A", "attack": 6, "defense": 2, "movement": 4,
           "bracketed": True, "reduced": {"attack": 3, "defense": 1, "movement": 4}, **WHO},
    "t": {"face": "factors", "type": "truck", "abbrev": "T", "movement": 8, **WHO},
    "s": {"face": "strength", "type": "cavalry", "full": 4, "reduced": 2, "abbrev": "Es", **WHO},
    "l": {"face": "leader", "type": "leader", "name": "Louis Davout", "tactical": 3, "operations": 2, **WHO},
    "lb": {"face": "leader", "type": "leader", "name": "Jean Cervoni", "tactical": 2, "operations": -1, **WHO},
    "st": {"face": "leader", "type": "leader", "name": "Soult", "stars": 3, **WHO},
    "w": {"face": "fort", "type": "fortress", "full": 7, "reduced": 3, **WHO},
    "v": {"face": "ships", "type": "frigate", "full": 3, "reduced": 1, "ships": 4, "ships_reduced": 2, **WHO},
    "b": {"face": "formation", "type": "infantry", "name": "1/36 Ln", "sp": 8, "fire": "C", "morale": 5, "band": "iv",
          "parts": 3, **WHO},
    "g": {"face": "formation", "type": "foot_artillery", "name": "a/I", "sp": 4, "fire": None, "morale": 6, **WHO},
    "m": {"face": "marker", "label": "IV", "name": "Fourth Corps", **WHO},
}  # fmt: skip
FIGURES = {"formation": ["sp", "fire", "morale"], "leader": ["tactical", "operations"]}


@pytest.fixture(scope="module")
def pieces() -> dict[str, dict[str, Any]]:
    return pieces_of({"units": UNITS, "figures": FIGURES})


@pytest.fixture(scope="module")
def groups(pieces: dict[str, dict[str, Any]]) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(draw_counters(pieces, STYLE))
    return {node.get("id", ""): node for node in root.iter() if node.get("id")}


def words(node: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in node.iter("{http://www.w3.org/2000/svg}text")]


def test_every_kind_is_tried() -> None:
    assert {piece["face"] for piece in UNITS.values()} == FACES.keys()


def test_sides(groups: dict[str, ElementTree.Element]) -> None:
    drawn = {key for key in groups if key.startswith("c-")}
    assert drawn == {f"c-{name}" for name in UNITS} | {f"c-{name}-r" for name in ("fr", "s", "w", "v")}
    for name, piece in UNITS.items():
        assert face_of(piece).turns(piece) == (f"c-{name}-r" in drawn)


@pytest.mark.parametrize(
    ("face", "printed"),
    [
        ("c-f", ["7", "6-5-4"]),
        ("c-fr", ["A", "6-(2)-4"]),
        ("c-fr-r", ["A", "3-(1)-4"]),
        ("c-t", ["T", "8"]),
        ("c-s", ["Es", "4"]),
        ("c-s-r", ["Es", "2"]),
        ("c-l", ["3-2", "Davout"]),
        ("c-lb", ["2/−1", "Cervoni"]),
        ("c-st", ["Soult"]),
        ("c-w", ["7"]),
        ("c-w-r", ["3"]),
        ("c-v", ["3"]),
        ("c-v-r", ["1"]),
        ("c-b", ["8", "C", "5"]),
        ("c-g", ["4", "6"]),
        ("c-m", ["IV"]),
    ],
)
def test_what_is_printed(groups: dict[str, ElementTree.Element], face: str, printed: list[str]) -> None:
    assert words(groups[face]) == printed


def test_what_is_told_beside_a_piece(pieces: dict[str, dict[str, Any]]) -> None:
    told = {name: piece["factors"] for name, piece in pieces.items()}
    assert told["fr"] == ["6-(2)-4", "3-(1)-4"]
    assert told["s"] == ["4", "2"]
    assert told["l"] == ["3-2"]
    assert told["lb"] == ["2/−1"]
    assert told["b"] == ["8-C-5"]
    assert told["g"] == ["4-6"]
    assert told["m"] == []
    assert pieces["b"]["worth"] > pieces["g"]["worth"]


def test_a_ship_has_a_pip_for_each_that_is_left(groups: dict[str, ElementTree.Element]) -> None:
    nodes = [[n.get("class") or "" for n in groups[face].iter()] for face in ("c-v", "c-v-r")]
    full, worn = ([c for c in classes if "pip" in c] for classes in nodes)
    assert full == ["pip"] * 4
    assert worn == ["pip", "pip", "pip gone", "pip gone"]


def test_formations_are_drawn_for_the_types_there_are(groups: dict[str, ElementTree.Element]) -> None:
    shapes = {key for key in groups if key.startswith("f-")}
    foot = ("line", "column", "disorder", "routed", "square", "skirmish")
    two = ("line", "column", "disorder", "skirmish")
    assert shapes == {
        *(f"f-{form}-infantry" for form in foot), *(f"f-{form}-infantry-2" for form in two),
        "f-limbered-foot_artillery", "f-unlimbered-foot_artillery", "f-flag",
    }  # fmt: skip
    assert groups["f-square-infantry"].get("data-fixed") == ""
    assert groups["f-column-infantry"].get("data-deep") == ""
    assert groups["f-line-infantry"].get("data-deep") is None
    assert "iv" in (groups["c-b"].get("class") or "").split()


@pytest.mark.parametrize("title", ["triple_alliance", "ultimo_hombre"])
def test_data_pinned_before_pieces_named_their_faces_is_brought_up_and_drawn_as_ever(title: str) -> None:
    kept = (data.SCENARIOS / title / "older").glob("*.json.gz")
    (path,) = [path for path in kept if b'"face"' not in gzip.decompress(path.read_bytes())]
    then, now = data.older(path.name.split(".")[0]), data.current(title).files["units"]
    assert then is not None
    style, groups = sheets.title_style(title), ("units", "leaders", "fortresses")
    pieces = {group: {name: {**piece, "face": then["units"][group][name]["face"]} for name, piece in now[group].items()}
              for group in groups if group in now}  # fmt: skip
    assert draw_counters(pieces_of(pieces), style) == draw_counters(pieces_of({g: now[g] for g in pieces}), style)


def test_an_unknown_face_is_refused() -> None:
    with pytest.raises(ValueError, match="the face 'cube'"):
        draw_counters(pieces_of({"units": {"x": {"face": "cube", **WHO}}}), STYLE)
    with pytest.raises(ValueError, match="the face None"):
        face_of({"type": "infantry", "attack": 3, **WHO})


def test_a_picture_shows_the_side_that_is_up() -> None:
    units = pieces_of({"units": UNITS})
    worn = [{"id": name, "badges": ["reduced"]} for name in ("fr", "f", "s")]
    drawn = stills.stack({"side": "french", "units": worn}, (0, 0), units)
    assert [mark for mark in ("#c-fr-r", "#c-f-r", "#c-s-r") if mark in drawn] == ["#c-fr-r", "#c-s-r"]
    assert '"#c-f"' in drawn
    assert '"#c-s-r"' in stills.stack({"side": "french", "count": 1, "top": worn[2]}, (0, 0), units)


def test_a_picture_shows_troops_as_the_board_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line on two hexes in the middle of both, a column from its foremost; turned to where they face."""
    monkeypatch.setattr(stills, "title_style", lambda _title: STYLE)
    units = pieces_of({"units": UNITS, "figures": FIGURES})
    line: dict[str, Any] = {"id": "b", "facing": "E", "formation": "line", "on": ["N08106", "N08107"]}
    guns = {"id": "g", "facing": "NE"}
    fragments = {
        "space:N08106": {"side": "french", "units": [line]},
        "space:N08107": {"side": "french", "units": [line]},
        "space:N04104": {"side": "french", "units": [guns, {"id": "l"}]},
    }
    svg = stills.pieces("field", {"map": field(), "units": units}, fragments)
    sheet = HexSheet(field(), STYLE)
    (ax, ay), (bx, by) = (sheet.centre(sheet.key(place)) for place in line["on"])
    middle = f"translate({num((ax + bx) / 2)} {num((ay + by) / 2)})"
    assert svg.count('href="#f-line-infantry-2"') == 1
    block = f'iv parts-3" transform="{middle}"><use href="#f-line-infantry-2" transform="rotate(90)"/>'
    assert block in svg
    assert '<use href="#f-limbered-foot_artillery" transform="rotate(60)"/>' in svg
    assert 'class="beside"' in svg
    assert ">1/36 Ln</text>" in svg
