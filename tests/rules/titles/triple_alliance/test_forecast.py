"""7.2 The forecast of attrition is what the dice then do."""


import pytest

from rules.titles.triple_alliance.forecast import forecast
from tests.rules.titles.triple_alliance.builders import A, P, at, decline_until, ends, play, take_least, told
from tests.rules.titles.triple_alliance.ground import kind

FOOT = kind(A, "infantry", 24, nation="brazil")
SUPPLY = kind(A, "supply", 1)[0]
SHIPS = kind(A, "warship", 3, nation="brazil")
PY = kind(P, "infantry", 12)
# Large and small, in the Chaco, beside a fortress, cut off, on the river, with a supply unit.
WHERE = {**at("1436", FOOT[:17], SUPPLY), **at("1042", FOOT[17:19]), **at("1337", FOOT[19:22]), **at("1238", SHIPS),
         **at("1532", PY[:7]), **at("2026", PY[7:9]), **at("2535", PY[9:10])}




@pytest.mark.clause("7.1", "7.2", "7.3", "7.8")
@pytest.mark.parametrize("die", range(10))
@pytest.mark.parametrize("turn", [3, 4])
def test_each_face_costs_what_was_foretold(die: int, turn: int) -> None:
    before = play({"turn": turn, "phase": "allied_movement", "clear": True, "units": WHERE, "mendoza": "crushed"})
    seen = {**forecast(before.pos, A), **forecast(before.pos, P)}
    before.dice.extend([die] * len(seen))
    ends(before, A)
    while before.asked and not told(before, "attrition_rolled"):
        take_least(before, before.asked[0])
    rolled = {step["data"]["at"]: step["data"] for step in told(before, "attrition_rolled")}
    assert set(rolled) == set(seen)
    for hex_, data in rolled.items():
        (check,) = seen[hex_]["checks"]
        face = check["faces"][die]
        assert data["modifiers"] == check["modifiers"]
        assert data["row"] == face["row"]
        assert min(data["loss"], data["count"]) == face["loss"]
    decline_until(before, "paraguay_movement")
    for hex_, face in {h: s["checks"][0]["faces"][die] for h, s in seen.items()}.items():
        assert len(before.pos.stack(hex_)) == seen[hex_]["count"] - face["loss"]


@pytest.mark.clause("7.4")
def test_a_supply_unit_eases_it_and_the_mean_is_exact() -> None:
    game = play({"turn": 3, "phase": "allied_movement", "clear": True, "units": WHERE})
    big = forecast(game.pos, A)["1436"]
    (check,), (eased,) = big["checks"], big["eased"]["checks"]
    assert eased["total"] == check["total"] + 3
    assert float(big["mean"]) == pytest.approx(sum(f["loss"] for f in check["faces"]) / 10)
    assert big["most"] == max(f["loss"] for f in check["faces"])
    assert "eased" not in forecast(game.pos, A)["1337"]


@pytest.mark.clause("5.3", "5.4")
def test_the_first_turn_looks_at_the_second_and_the_last_at_nothing() -> None:
    game = play({"turn": 9, "phase": "allied_movement", "clear": True, "units": WHERE})
    assert forecast(game.pos, A) == {}
    first = play({"turn": 1, "phase": "allied_movement", "clear": True, "units": WHERE})
    assert "modifier.winter" in [m["label"]["key"] for m in forecast(first.pos, A)["1436"]["checks"][0]["modifiers"]]
