"""The combat strip and the layers of the view (docs/protocol.md section 2)."""

import pytest

from rules.titles.austerlitz.fire import field_of_fire
from rules.titles.austerlitz.layers import covers, layer
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.strip import STEPS
from rules.titles.austerlitz.view import pool, space
from tests.rules.building import view
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    answer,
    choose,
    data,
    field,
    game,
    play,
    position,
    ride,
)

LN, ARKH, HUS, GUN = "F-1-34-Ln", "A-2-Arkh", "F-10-Hus", "F-art-a-V"


def test_a_bayonet_attack_step_by_step() -> None:
    game_ = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [2, 6], phase="melee")
    answer(game_, F, "bayonet", target="B2908", units=[LN])
    strip = view(game_, "public")["combat"]
    assert [(s["id"], s["state"]) for s in strip["steps"]] == [
        ("declared", "done"), ("nerve", "now"), ("answer", "todo"), ("stand", "todo")]
    check = strip["steps"][1]["lines"][0]
    assert (check["text"]["args"]["roll"], [m["value"] for m in check["modifiers"]]) == (2, [1])
    assert (strip["target"], strip["from"]) == ("B2908", CENTRE)
    choose(game_, A, "hold")
    strip = view(game_, F)["combat"]
    assert [line["text"]["key"] for line in strip["steps"][3]["lines"]] == [
        "event.defender_checked", "event.lost_points", "event.retreated", "event.unsteady", "event.retreated"]
    assert all({"key", "args"} == set(s["label"]) and s["clause"] for s in strip["steps"])


def test_the_strip_of_a_fire_and_of_a_charge() -> None:
    shots = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [9, 0, 0], phase="shoot")
    answer(shots, F, "fire", target="B2908", units=[LN])
    choose(shots, A, "fire")
    strip = view(shots, A)["combat"]
    assert [len(s["lines"]) for s in strip["steps"]] == [1, 1, 2]  # both fires, then points and a check
    made = play(
        [0, 0],
        clear=True,
        units={HUS: "B2809@E/line", ARKH: "B3008@SW/column"},
        leaders={"F-Treilhard": "B2709"},
        active="F-T-CR",
        phase="melee",
    )
    answer(made, F, "charge", target="B3008", units=[HUS])
    ride(made, F)
    assert [s["id"] for s in view(made, A)["combat"]["steps"]] == [name for name, _clause in STEPS["charge"]]
    choose(made, A, "square")
    choose(made, A, "hold")
    assert view(made, A)["combat"]["steps"][5]["lines"]


def test_layers_show_the_enemys_zones_and_the_range_of_command() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", ARKH: "B2806@S/column"}, leaders={"F-Suchet": "B2810"})
    seen = view(game_, F)
    tint, hatch = seen["layer:zones"]["parts"][0], seen["layer:zones"]["parts"][-1]
    fronts, zone = set(game_.pos.fronts(A)), set(game_.pos.zones(A))
    assert set(hatch["spaces"]) == fronts
    assert zone - fronts == (set(tint["spaces"]) if tint is not hatch else set())
    assert {CENTRE, "B2806"} & set(seen["layer:command"]["parts"][0]["spaces"]) == {CENTRE}


def test_limits_and_objectives_are_drawn() -> None:
    pos = position("goldbach")
    limits = layer(pos, "limits")
    assert isinstance(limits, dict)
    rows = [p for p in limits["parts"] if p.get("line") == "solid"]
    assert {p["text"]["key"] for p in rows} == {"command.A-AG", "command.A-1C", "command.A-2C", "command.A-3C"}
    assert {h[3:] for h in rows[0]["spaces"]} == {"22"}
    banned = next(p for p in limits["parts"] if p.get("fill") == "hatch")
    assert "C3104" in banned["spaces"]
    pos.special["released"] = ["A-AG"]
    freed = layer(pos, "limits")
    assert isinstance(freed, dict)
    assert len(freed["parts"]) == len(limits["parts"]) - 1
    goals = layer(pos, "objectives")
    assert isinstance(goals, dict)
    assert {h for p in goals["parts"] for h in p["spaces"]} == {
        h for place in ("tellnitz", "sokolnitz", "sokolnitz_castle", "pheasantry") for h in game(
            "goldbach").board.places[place]}
    assert data() is not None


@pytest.mark.clause("6.2", "8.1.5", "8.1.6")
def test_a_battery_covers_its_zone_and_a_field_by_ranges() -> None:
    pos = position(clear=True, units={GUN: f"{CENTRE}@E/unlimbered", ARKH: "B2908@W/line"})
    parts = covers(pos, A, CENTRE)
    assert [(p.get("text", {}).get("key"), p["colour"]) for p in parts] == [
        (None, "violet"), ("fire.grape", "red"), ("fire.medium", "gold"), ("fire.long", "blue")]
    assert parts[0]["spaces"] == sorted(pos.zone(GUN))
    grape, medium, long = (set(part["spaces"]) for part in parts[1:])
    far = {h: pos.game.board.distance(CENTRE, h) for h in grape | medium | long}
    assert max(far[h] for h in grape) < min(far[h] for h in medium) <= max(far[h] for h in medium) < min(
        far[h] for h in long)
    assert set(pos.arcs(GUN).front) <= grape
    assert not set(pos.arcs(GUN).rear) & far.keys()
    alone = position(clear=True, units={GUN: f"{CENTRE}@E/unlimbered"})
    hidden = {h for found in field_of_fire(alone, GUN).values() for h in found} - far.keys()
    assert hidden, "the battalion hides who is behind it"
    assert all(pos.game.board.distance(CENTRE, h) > far["B2908"] for h in hidden)


@pytest.mark.clause("6.3.7", "8.1")
def test_foot_covers_its_zone_alone_and_limbered_guns_no_field() -> None:
    pos = position(clear=True, units={GUN: f"{CENTRE}@SE/limbered", ARKH: "B3208@W/line"})
    assert field_of_fire(pos, GUN) == {}
    assert covers(pos, F, "B3208") == [{"spaces": sorted(pos.zone(ARKH)), "line": "dash", "colour": "violet"}]
    assert covers(pos, F, "B1010") == covers(pos, F, "nowhere") == []


@pytest.mark.parametrize("order", [("A-Dolgoruki", "F-Murat"), ("F-Murat", "A-Dolgoruki")])
@pytest.mark.parametrize("loc", ["C2203", "fallen:allied"])
def test_leaders_are_shown_alike_in_whatever_order_they_have_come(order: tuple[str, str], loc: str) -> None:
    """Leaders of both sides, alone in one hex, are shown in the same order when the position is loaded."""
    pos = position("langeron")
    for leader in order:
        pos.put_leader(leader, loc)
    shown = space if loc == "C2203" else pool
    assert shown(pos, loc) == shown(Position.load(pos.game, pos.state()), loc)


def test_a_counter_on_two_hexes_may_come_to_what_another_of_its_group_still_leaves() -> None:
    """6.5 The second hex of one is where the other's was; who moves last takes nothing from the first."""
    pos = position("bagration", clear=True, units={HUS: "B2809@NNE/line", "F-5-Hus": "B2805@NNE/line"})
    left = pos.tail["F-5-Hus"]
    pos.put(HUS, "B2805", left)
    pos.put("F-5-Hus", "B2811", None)
    assert (pos.stack(left), pos.fault()) == ([HUS], None)
