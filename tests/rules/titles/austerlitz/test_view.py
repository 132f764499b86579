"""The combat strip and the layers of the view (docs/protocol.md section 2)."""

from rules.titles.austerlitz.layers import layer
from rules.titles.austerlitz.strip import STEPS
from tests.rules.building import view
from tests.rules.titles.austerlitz.builders import CENTRE, A, F, answer, choose, data, field, game, play, position

LN, ARKH, HUS = "F-1-34-Ln", "A-2-Arkh", "F-10-Hus"


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
    assert [len(s["lines"]) for s in strip["steps"]] == [1, 1, 2]      # both fires, then points and a check
    ride = play([0, 0], clear=True, units={HUS: "B2809@E/line", ARKH: "B3008@SW/column"},
                leaders={"F-Treilhard": "B2709"}, active="F-T-CR", phase="melee")
    answer(ride, F, "charge", target="B3008", units=[HUS])
    assert [s["id"] for s in view(ride, A)["combat"]["steps"]] == [name for name, _clause in STEPS["charge"]]
    choose(ride, A, "square")
    choose(ride, A, "hold")
    assert view(ride, A)["combat"]["steps"][5]["lines"]


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
