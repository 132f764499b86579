"""What a third reading of the rulebook beside the code mended, clause by clause."""

from json import dumps, loads
from random import Random

import pytest

from rules.core.forms import Place
from rules.titles.triple_alliance.forecast import forecast
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.scramble import guess
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    attack,
    choose,
    forms,
    groups,
    last,
    move,
    odds,
    play,
    reach,
    refused,
    told,
    view,
)
from tests.rules.titles.triple_alliance.ground import AROUND, GAME, MAP, TARGET, battle, kind, settle, side, take

BR = kind(A, "infantry", 24, nation="brazil")
PY = kind(P, "infantry", 40)
SIEGE = kind(A, "siege_artillery")[0]


def order(game: Play, *events: str) -> list[str]:
    """These events as they were told."""
    return [step["event"] for step in told(game) if step["event"] in events]


# -- 3.5 boxes ------------------------------------------------------------------------------------------------


@pytest.mark.clause("3.5")
def test_boxes_are_rearranged_in_the_own_combat_phases_too() -> None:
    game = battle(P, {AROUND[0]: PY[:3], TARGET: BR[:2]})
    answer(game, P, "boxes", boxes={**game.pos.boxes[P], "4": AROUND[0]})
    assert view(game, A)[f"space:{AROUND[0]}"] == {"side": P, "control": P, "count": 3, "box": 4}
    assert game.pos.stage == "paraguay_combat_2"
    assert set(forms(game, P)) == {"attack", "boxes", "no_attack"}
    assert refused(game, P, "boxes", boxes={**game.pos.boxes[P], "5": TARGET}) == ("not_to_box", "3.5")


# -- the log tells the deed before what follows from it --------------------------------------------------------


@pytest.mark.clause("11.1", "3.6", "7.9")
def test_a_march_is_told_before_the_depot_it_takes() -> None:
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {PY[0]: "1435"}})
    move(game, P, PY[0], "1435", "1335")
    assert order(game, "marched", "depot_lost") == ["marched", "depot_lost"]


@pytest.mark.clause("13.30", "7.13", "11.18")
def test_an_advance_is_told_before_what_falls_with_the_hex() -> None:
    near = next(n for n in MAP.neighbours["2026"] if n not in GAME.rail)
    game = battle(A, {near: BR, "2026": PY[:1]}, dice=[9])
    attack(game, A, "2026", *BR)
    while "advance" not in forms(game, A):
        [form] = forms(game, game.asked[0]).values()
        take(game, game.asked[0], form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
    take(game, A, "advance", BR[0])
    assert order(game, "advanced", "rail_entered", "supply_hex_lost") == ["advanced", "rail_entered", "supply_hex_lost"]


# -- losses are told where they fell ---------------------------------------------------------------------------


@pytest.mark.clause("13.29")
def test_losses_of_an_attack_from_several_hexes_are_told_by_hex() -> None:
    game = battle(A, {AROUND[0]: BR[:4], AROUND[2]: BR[4:8], TARGET: PY[:4]}, dice=[4])
    attack(game, A, TARGET, *BR[:8])
    while "attacker_losses" not in forms(game, game.asked[0]):
        [form] = forms(game, game.asked[0]).values()
        take(game, game.asked[0], form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
    n = forms(game, A)["attacker_losses"]["lots"][0]["min"]
    assert 2 <= n <= 5
    take(game, A, "attacker_losses", BR[0], *BR[4 : 3 + n])
    said = [s["data"] for s in told(game, "combat_lost") if s["data"]["who"] == "attacker"]
    assert [(s["at"], s["units"], s["count"]) for s in said] == [
        (AROUND[0], [BR[0]], 1),
        (AROUND[2], BR[4 : 3 + n], n - 1),
    ]


@pytest.mark.clause("7.14")
def test_the_guards_dice_are_told_by_hex() -> None:
    one, two = kind(A, "cavalry", 2, guard=True, nation="argentina")
    game = play({"turn": 3, "phase": "allied_movement", "clear": True, "units": {one: "1437", two: "1437"}}, [0, 9])
    move(game, A, [one, two], "1437", "1438")
    move(game, A, two, "1438", "1439")
    choose(game, A, "end_move")
    said = [s["data"] for s in told(game, "guard_attrition", P)]
    assert [(s["at"], s["rolls"], s["lost"]) for s in said] == [
        ("1438", [[0, True]], [one]),
        ("1439", [[9, False]], []),
    ]
    assert last(game, "guard_attrition", A)["units"] == [two]


# -- 11.3 the one hex of every unit ----------------------------------------------------------------------------


@pytest.mark.clause("11.3", "11.7")
def test_guns_that_stand_still_go_their_hex_beside_troops_that_pay_for_it() -> None:
    a, b = side("rough", minor=True)
    before = next(n for n in MAP.neighbours[a] if n != b and GAME.march_costs(True, False)[n, a] <= 2)
    units = {SIEGE: a, BR[0]: before, BR[1]: a}
    game = play({"turn": 2, "phase": "allied_movement", "clear": True, "units": units})
    cost = GAME.march_costs(True, False)[before, a]
    move(game, A, BR[0], before, a)
    assert game.pos.left(BR[0]) == 6 - cost >= 4 == GAME.march_costs(True, False)[a, b] > game.pos.left(SIEGE)
    assert b in reach(game, A, [SIEGE, BR[0]])["cost"]
    move(game, A, [SIEGE, BR[0]], a, b)
    assert (game.pos.left(SIEGE), game.pos.left(BR[0])) == (0, 2 - cost)


# -- 8.2, 10.7 those who come back from the Matto Grosso --------------------------------------------------------


@pytest.mark.clause("8.2", "10.7")
def test_paraguayans_who_come_back_are_told_and_refused_by_their_own_clauses() -> None:
    game = play(
        {
            "turn": 6,
            "phase": "paraguay_movement",
            "clear": True,
            "matto_grosso": "answered",
            "units": {PY[0]: "turn:6", PY[2]: "1430"},
        }
    )
    assert forms(game, P)["enter"]["clause"] == "8.2"
    assert [g["clause"] for g in groups(game, P, "enter").values()] == ["8.2"]
    assert refused(game, P, "enter", placed={PY[0]: "1433"}) == ("not_entry", "10.7")
    game.pos.put(PY[1], "turn:7")  # no file can say so
    assert refused(game, P, "enter", placed={PY[1]: "1826"}) == ("not_due", "8.2")
    game.pos.put(PY[1], "dead:paraguay")
    answer(game, P, "enter", placed={PY[0]: "1826"})
    assert told(game, "entered")[0]["clause"] == "8.2"


@pytest.mark.clause("8.2")
@pytest.mark.parametrize(("force", "offered"), [(PY[:3], False), ([PY[0], "PY-CAV-1"], True)])
def test_under_the_option_the_invasion_is_met_only_with_one_of_each(force: list[str], offered: bool) -> None:
    game = play(
        {
            "turn": 5,
            "phase": "events",
            "mendoza": "crushed",
            "matto_grosso": "launched",
            "clear": True,
            "units": {**dict.fromkeys(force, "1826"),
                      **dict.fromkeys(("BR-INF-8C", "BR-INF-MG", "BR-SUP-Sup-1"), "away:matto_grosso")},
        },
        options={"matto_grosso_force": "infantry_and_cavalry"},
    )
    assert ("meet_invasion" in forms(game, P)) == offered


# -- 2.12 markers ------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.12", "7.9", "7.13", "11.18")
def test_what_is_lost_for_good_is_marked_on_the_map() -> None:
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {PY[0]: "1435", BR[0]: "3041"}})
    assert "layer:lost" not in view(game, A)
    move(game, P, PY[0], "1435", "1335")
    for eye in (A, P, "public"):
        assert view(game, eye)["layer:lost"]["parts"] == [
            {"at": "1335", "colour": "grey", "text": {"key": "layer.no_depot", "args": {}}}
        ]
    taken = play(
        {
            "turn": 3,
            "phase": "allied_movement",
            "clear": True,
            "units": {BR[0]: next(n for n in MAP.neighbours["2026"] if n not in GAME.rail), PY[0]: "3041"},
        }
    )
    move(taken, A, BR[0], taken.pos.at[BR[0]], "2026")
    parts = view(taken, P)["layer:lost"]["parts"]
    assert [(p.get("at"), p["text"]["key"]) for p in parts] == [("2026", "layer.no_source"), (None, "layer.no_rail")]
    assert parts[1]["spaces"] == sorted(GAME.rail)
    settle(taken)


# -- 13.27 captured arms --------------------------------------------------------------------------------------------


@pytest.mark.clause("13.27")
def test_paraguay_alone_reads_what_each_force_has_captured_and_for_when() -> None:
    riders = [*kind(A, "cavalry", 3, guard=True, nation="brazil"), *kind(A, "cavalry", nation="brazil")]
    game = battle(P, {AROUND[0]: PY[:20], TARGET: riders, "1438": BR[:6]}, phase=1, dice=[9, 7, 4])
    attack(game, P, TARGET, *PY[:20])
    while "advance" not in forms(game, P):
        [form] = forms(game, game.asked[0]).values()
        take(game, game.asked[0], form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
    assert "table:captures" not in view(game, P)
    two = [u for u in PY[:20] if game.pos.at[u] == AROUND[0]][:2]
    take(game, P, "advance", *two)
    assert captured(game) == [("capture.next", [TARGET], 7)]
    assert "table:captures" not in view(game, A)
    choose(game, P, "no_attack")
    assert captured(game) == [("capture.now", [TARGET], 7)]
    attack(game, P, "1438", two[0])
    left = 7 - GAME.units[two[0]].attack
    settle(game)
    assert captured(game) == [("capture.now", [TARGET], left)]
    choose(game, P, "no_attack")
    assert "table:captures" not in view(game, P)


@pytest.mark.clause("13.27")
def test_arms_of_the_second_phase_are_not_kept_for_another_turn() -> None:
    game = battle(P, {AROUND[0]: PY[:20], TARGET: BR[:2]}, phase=3, captures=[[PY[:2], 5]])
    assert captured(game) == [("capture.now", [AROUND[0]], 5)]
    choose(game, P, "no_attack")
    assert game.pos.stage == "allied_movement"
    assert (game.pos.captures, game.pos.booty) == ([], [])
    assert "table:captures" not in view(game, P)


def captured(game: Play) -> list[tuple[str, list[str], int]]:
    """The rows of the table of captured arms as Paraguay reads it."""
    rows = view(game, P)["table:captures"]["rows"]
    return [(row["label"]["key"], row["label"]["args"]["hexes"], row["value"]) for row in rows]


# -- what is said beforehand ------------------------------------------------------------------------------------------


@pytest.mark.clause("13.18")
def test_odds_against_a_fortress_say_that_its_guns_fire_first() -> None:
    ships = kind(A, "warship", 2, nation="brazil")
    game = battle(A, {"1727": [*ships, *BR[:4]], "1827": ["PY-FOR-A"]})
    for force, n in (([*ships, BR[0]], 2), (BR[:4], 0)):
        notes = [note for note in odds(game, A, "1827", *force)["notes"] if note["key"] == "note.guns_first"]
        assert notes == ([{"key": "note.guns_first", "args": {"n": n}, "clause": "13.18"}] if n else [])


@pytest.mark.clause("7.4")
def test_a_lone_supply_unit_that_is_spent_has_nothing_left_to_lose() -> None:
    supply = kind(P, "supply")[0]
    marsh = next(h for h, spot in MAP.hexes.items() if (spot.region, spot.terrain) == ("chaco", "marsh"))
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {supply: marsh}})
    seen = forecast(game.pos, P)[marsh]
    assert seen["checks"][0]["faces"][0]["loss"] == 1
    assert [face["loss"] for face in seen["eased"]["checks"][0]["faces"]] == [0] * 10


@pytest.mark.clause("13.27", "6.4")
def test_a_guessed_board_does_not_tell_which_hidden_units_have_captured_arms() -> None:
    where = {AROUND[0]: PY[:6], "2026": PY[6:20], TARGET: BR[:2]}
    played = battle(P, where, phase=3, captures=[[PY[:3], 5], [[PY[4]], 2]]).pos
    pos = Position.load(played.game, loads(dumps(played.state())))
    top = pos.stack(AROUND[0])[0]
    assert top == PY[0]
    guess(pos, A, Random(1), set())
    assert (pos.captures, pos.booty) == ([[[top], 5]], [])


# -- 9.2, 10.6 entries that are shut ----------------------------------------------------------------------------------


@pytest.mark.clause("9.2")
def test_whose_every_entry_is_held_is_named_with_the_reason() -> None:
    body = {"turn": 5, "phase": "allied_movement", "clear": True, "matto_grosso": "not_launched"}
    game = play({**body, "units": {PY[0]: "1042", PY[1]: "2044", "BR-SHP-I": "turn:2", "UY-INF-FL": "turn:2"}})
    offered = groups(game, A, "enter")
    assert {kind: offered[kind]["where"] for kind in ("ships", "uruguayans")} == {"ships": [], "uruguayans": []}
    assert offered["ships"]["barred"]["1042"] == {"key": "refusal.entry_held", "args": {}, "clause": "9.2"}
    for unit, hex_ in (("BR-SHP-I", "1042"), ("UY-INF-FL", "2044")):
        assert refused(game, A, "enter", placed={unit: hex_}) == ("entry_held", "9.2")
    assert refused(game, A, "enter", placed={"BR-SHP-I": "1943"}) == ("not_entry", "9.2")


@pytest.mark.clause("9.2", "10.6")
def test_an_offer_of_arrivals_with_every_entry_held_can_be_left_alone() -> None:
    held = dict(zip(PY[:4], ("1042", "1943", "3244", "2044"), strict=True))
    game = play({"turn": 5, "phase": "allied_movement", "clear": True, "matto_grosso": "not_launched", "units": held})
    assert "end" in forms(game, A)
    for form, unit, clause in (("enter", "AR-INF-2", "9.2"), ("replace", "AR-INF-1", "10.6")):
        assert all(group["where"] == [] for group in groups(game, A, form).values())
        assert refused(game, A, form, placed={unit: "1042"}) == ("entry_held", clause)
        made = Place.of(game.pending[A].form(form))
        assert made is not None
        assert made.sample(Random(1)) is None
        assert made.undone() == []
