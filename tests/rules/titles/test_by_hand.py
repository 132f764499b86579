"""What of a position can be put by hand beside counters: works, cards, sieges (docs/protocol.md section 11)."""

from typing import Any

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
