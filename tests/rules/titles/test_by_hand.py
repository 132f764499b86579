"""What of a position can be put by hand beside counters: works, cards, sieges (docs/protocol.md section 11)."""

from importlib import import_module
from typing import Any

import orjson
import pytest

from rules import titles
from rules.core.errors import BadPosition
from tests.rules import harness


def laid(title: str, position: dict[str, Any], scenario: str = "") -> Any:
    """A position of a title's first scenario, or of another."""
    named = {"scenario": scenario} if scenario else {}
    return titles.load(title).written(harness.data(title), {**named, "position": position})


def field(title: str, pos: Any, name: str) -> dict[str, Any]:
    (found,) = (one for one in titles.load(title).hand(pos) if one["field"] == name)
    return found


def test_works_are_put_and_taken_away() -> None:
    dug = laid("chaco", {"works": {"2727": "entrenchment", "2728": "fortification"}})
    shown = field("chaco", dug, "works")
    assert (shown["kind"], shown["options"]) == ("stands", ["entrenchment", "fortification"])
    assert shown["now"] == dict(dug.works)
    assert shown["now"]["2728"] == "fortification"
    bare = laid("chaco", {"works": {"2727": None, **dict.fromkeys(dug.works)}})
    assert field("chaco", bare, "works")["now"] == {}
    with pytest.raises(BadPosition, match="moat"):
        laid("chaco", {"works": {"2727": "moat"}})


def test_cards_go_to_hands_to_the_next_turn_and_into_use() -> None:
    first = laid("ultimo_hombre", {})
    assert [row["now"] for row in field("ultimo_hombre", first, "hands")["rows"]] == [[], []]
    held = laid("ultimo_hombre", {"hands": {"allied": ["A04", "A17"]}, "late": {"allied": ["A05"]},
                                  "in_use": {"paraguayan": "P08"}})  # fmt: skip
    hands, late, use = (field("ultimo_hombre", held, name) for name in ("hands", "late", "in_use"))
    assert {row["id"]: row["now"] for row in hands["rows"]}["allied"] == ["A04", "A17"]
    assert {row["id"]: row["now"] for row in late["rows"]}["allied"] == ["A05"]
    assert {row["id"]: row["now"] for row in use["rows"]}["paraguayan"] == "P08"
    assert not {"A04", "A05", "A17"} & set(held.decks["allied"])
    assert all(card in row["options"] for row in (*hands["rows"], *late["rows"]) for card in row["now"])
    with pytest.raises(BadPosition):
        laid("ultimo_hombre", {"hands": {"allied": ["A04"]}, "late": {"allied": ["A04"]}})
    without = laid("ultimo_hombre", {}, "crossing")
    assert "hands" not in {one["field"] for one in titles.load("ultimo_hombre").hand(without)}


def test_a_siege_is_begun_given_works_and_ended() -> None:
    units = {"gra_cr": "costa_firme", "mil_royalist_inf-1": "caracas"}
    title = "guerra_a_muerte"
    before = laid(title, {"clear": True, "units": units})
    rows = {row["id"]: row for row in field(title, before, "sieges")["rows"]}
    assert (rows["caracas"]["now"], rows["caracas"]["options"]) == (None, ["gra_cr"])
    siege = {"units": ["gra_cr"], "works": True, "blockade": False}
    begun = laid(title, {"clear": True, "units": units, "sieges": {"caracas": siege}})
    rows = {row["id"]: row for row in field(title, begun, "sieges")["rows"]}
    assert rows["caracas"]["now"] == siege
    ended = laid(title, {"clear": True, "units": units, "sieges": {"caracas": None}})
    assert not ended.sieges
    with pytest.raises(BadPosition) as nobody:
        laid(title, {"clear": True, "units": units, "sieges": {"caracas": {**siege, "units": []}}})
    assert getattr(nobody.value, "clause", "") == "6.2"


REST = {
    "triple_alliance": {"captures", "spent", "settled", "aboard", "towed", "fought", "attacked"},
    "ultimo_hombre": {"shipped", "moved", "attacks", "fled"},
    "chaco": set(),
    "guerra_a_muerte": {"only"},
    "austerlitz": {"detached"},
}


@pytest.mark.parametrize("title", titles.IDS)
def test_whatever_a_file_can_say_can_be_put_by_hand(title: str) -> None:
    """But for what is under way within a phase, which one plays on the board, and where a file is to stop; `clear` has
    a button of its own."""
    shown = {one["field"] for one in titles.load(title).hand(laid(title, {}))}
    said = import_module(f"rules.titles.{title}.lab").FIELDS
    assert said - shown - {"clear"} == REST[title]
    assert shown <= said


def test_supply_points_are_laid_counted_and_taken_away() -> None:
    first = laid("chaco", {})
    lie = {row["id"]: row["now"] for row in field("chaco", first, "supply")["rows"]}
    assert lie["paraguay"]["2741"] == 6
    more = laid("chaco", {"supply": {"paraguay": {"2741": 2, "2727": 3}, "bolivia": {}}})
    lie = {row["id"]: row["now"] for row in field("chaco", more, "supply")["rows"]}
    assert (lie["paraguay"]["2741"], lie["paraguay"]["2727"]) == (2, 3)
    less = laid("chaco", {"supply": {"paraguay": {"2741": 0}}})
    assert "2741" not in field("chaco", less, "supply")["rows"][0]["now"]
    chiefs = {row["id"]: row["options"] for row in field("chaco", first, "commander")["rows"]}
    other = chiefs["paraguay"][1]
    put = laid("chaco", {"commander": {"paraguay": other}, "shaken": ["bolivia"], "callups": {"bolivia": 1},
                         "units": {other: "2741"}})  # fmt: skip
    assert (put.commander["paraguay"], put.shaken, put.callups["bolivia"]) == (other, ["bolivia"], 1)


def test_units_of_austerlitz_lose_waver_tire_and_stand_as_told() -> None:
    title, unit = "austerlitz", "F-1-40-Ln"
    first = laid(title, {})
    now = {one["field"]: one["now"] for one in titles.load(title).hand(first) if one["kind"] in ("levels", "stances")}
    assert now["units"][unit] == "B3410@E/line"
    assert (now["lost"], now["morale"]) == ({}, {})
    body = {"lost": {unit: 2}, "morale": {unit: "shaken"}, "fatigue": {"F-3-V": 4},
            "units": {unit: "B3410@SE/column"}}  # fmt: skip
    put = laid(title, body)
    now = {one["field"]: one["now"] for one in titles.load(title).hand(put) if one["kind"] in ("levels", "stances")}
    assert (now["units"][unit], now["lost"], now["morale"]) == ("B3410@SE/column", {unit: 2}, {unit: "shaken"})
    assert {row["id"]: row["now"] for row in field(title, put, "fatigue")["rows"]}["F-3-V"] == 4
    assert put.strength(unit) == first.strength(unit) - 2
    ways = next(one for one in titles.load(title).hand(first) if one["kind"] == "stances")["formations"]
    assert "routed" not in ways
    for form in ("column", "line", "square"):
        for way in ways[form]:
            laid(title, {"units": {unit: f"B3410@{way}/{form}"}})
    for wrong in ({"lost": {unit: 99}}, {"lost": {"F-9-X": 1}}, {"fatigue": {"F-9-X": 1}}, {"fog": 99},
                  {"held": {"B3410": "french"}}, {"morale": {unit: "merry"}}, {"phase": "move"}):  # fmt: skip
        with pytest.raises(BadPosition):
            laid(title, wrong)
    move = laid(title, {"phase": "move", "active": "F-3-V", "mode": "limited", "initiative": "allied", "fog": 2})
    assert [field(title, move, name)["now"] for name in ("mode", "initiative", "fog")] == ["limited", "allied", 2]
    assert field(title, move, "active")["rows"][0]["now"] == "F-3-V"
    clear = laid(title, {"fog": None, "capped": [unit]})
    assert (field(title, clear, "fog")["now"], clear.capped) == (-1, [unit])


def test_a_hand_amid_a_game_changes_nothing_else() -> None:
    """What isn't named stays as it was where the hand began."""
    title = titles.load("austerlitz")
    pos = laid("austerlitz", {"turn": 4, "phase": "rally", "initiative": "allied"})
    stored = {"schema": title.schema, "state": orjson.loads(title.encode(pos))}
    later = title.written(harness.data("austerlitz"), {"from": stored, "position": {"turn": 5}})
    assert (later.turn, later.stage, later.initiative) == (5, "rally", "allied")
    other = title.written(harness.data("austerlitz"), {"from": stored, "position": {"initiative": "french"}})
    assert (other.turn, other.stage, other.initiative) == (4, "rally", "french")
    title = titles.load("guerra_a_muerte")
    pos = laid("guerra_a_muerte", {"raided": {"costa_firme": 1}, "halved": ["costa_firme"]})
    stored = {"schema": title.schema, "state": orjson.loads(title.encode(pos))}
    later = title.written(harness.data("guerra_a_muerte"), {"from": stored, "position": {"legion": "free"}})
    assert (later.raided, later.halved) == ({"costa_firme": 1}, ["costa_firme"])
    gone = title.written(harness.data("guerra_a_muerte"), {"from": stored, "position": {
        "raided": {"costa_firme": 0}, "guerrillas": [], "coup": 1,
        "masses": {"patriot": ["costa_firme"]}}})  # fmt: skip
    assert (gone.raided, gone.guerrillas, gone.masses["patriot"], gone.coup) == ({}, [], ["costa_firme"], 1)
    with pytest.raises(BadPosition):
        title.written(harness.data("guerra_a_muerte"), {"from": stored, "position": {"coup": "soon"}})


def test_boxes_of_armies_and_stacks_are_put_and_put_away() -> None:
    side = {"armies": {"royalist": {"1": "charcas"}}}
    put = laid("guerra_a_muerte", side)
    assert {row["id"]: row["now"] for row in field("guerra_a_muerte", put, "armies")["rows"]}["royalist:1"] == "charcas"
    away = laid("guerra_a_muerte", {"armies": {"royalist": {"1": None}}})
    assert away.armies["royalist"]["1"] is None
    rows = {row["id"]: row for row in field("triple_alliance", laid("triple_alliance", {}), "boxes")["rows"]}
    stack = rows["paraguay:1"]["options"][1]
    boxed = laid("triple_alliance", {"boxes": {"paraguay": {"1": stack}}, "taken": ["1826"], "lost_depots": ["1335"]})
    assert {row["id"]: row["now"] for row in field("triple_alliance", boxed, "boxes")["rows"]}["paraguay:1"] == stack
    assert [field("triple_alliance", boxed, name)["now"] for name in ("taken", "lost_depots")] == [["1826"], ["1335"]]


def test_fortresses_are_hit_and_recover_and_the_capital_moves() -> None:
    title = "ultimo_hombre"
    hit = laid(title, {"worn": ["fort_humaita"], "besieged": {"fort_humaita": 2}})
    assert field(title, hit, "worn")["now"] == ["fort_humaita"]
    assert {row["id"]: row["now"] for row in field(title, hit, "besieged")["rows"]}["fort_humaita"] == 2
    stored = {"schema": titles.load(title).schema, "state": orjson.loads(titles.load(title).encode(hit))}
    well = titles.load(title).written(harness.data(title), {
        "from": stored, "position": {"worn": [], "besieged": {"fort_humaita": 0}}})  # fmt: skip
    assert (well.worn, well.besieged) == ([], {})
    moved = laid(title, {"capital": "cerro_leon", "capitals_used": 1, "earned": ["corrientes"]})
    assert (moved.capital, field(title, moved, "capitals_used")["now"], moved.earned) == (
        "cerro_leon", 1, ["corrientes"])  # fmt: skip
    with pytest.raises(BadPosition):
        laid(title, {"capital": "cerro_leon", "capitals_used": 0})
