"""12 Movement on the rivers."""

from collections.abc import Mapping

import pytest

from rules.core.errors import Refusal
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    at,
    attack,
    bear_losses,
    ends,
    forms,
    last,
    move,
    odds,
    play,
    preview,
    reach,
    refused,
    view,
)
from tests.rules.titles.triple_alliance.ground import GAME, MAP, WATCH, kind, trail

FOOT = kind(A, "infantry", 4, nation="brazil")
SHIP = kind(A, "warship", 2, nation="brazil")
TRANSPORT = kind(A, "transport", 2, nation="brazil")
HORSE = kind(A, "cavalry", 2, nation="brazil")
RAFT = kind(P, "chata", 3)
STEAMER = kind(P, "warship", 3)
BARGE = kind(P, "transport", 2)
DOWN = ["1335", "1236", "1237", "1238", "1239", "1240", "1241"]  # the Paraná below Corrientes, in Argentina


def game_of(where: Mapping[str, list[str]], side: str = A, turn: int = 3,
            options: Mapping[str, str] | None = None) -> Play:
    """A movement phase with these units on the map, and those that watch."""
    return play({"turn": turn, "phase": f"{side}_movement", "clear": True,
                 "units": {**WATCH, **{u: h for h, us in where.items() for u in us}}}, options=options)


@pytest.mark.clause("12.2")
def test_example_no_ship_passes_between_1433_and_1533() -> None:
    assert "1533" in MAP.neighbours["1433"]
    assert MAP.hexes["1433"].terrain == MAP.hexes["1533"].terrain == "river"
    for a, b in (("1433", "1533"), ("1533", "1433")):
        game = game_of({a: [SHIP[0]]})
        assert refused(game, A, "move", units=[SHIP[0]], path=[a, b]) == ("no_river", "12.2")
        assert reach(game, A, SHIP[0])["cost"].get(b, 0) != GAME.tables["terrain"]["ship"]["mp"]
        move(game, A, SHIP[0], a, "1434", b)  # round by the confluence
    land = game_of({"1433": [FOOT[0]]})
    move(land, A, FOOT[0], "1433", "1533")  # on foot it can be done


@pytest.mark.clause("12.2")
def test_ships_keep_to_the_navigable_river() -> None:
    game = game_of({"1335": [SHIP[0]]})
    assert refused(game, A, "move", units=[SHIP[0]], path=["1335", "1336"]) == ("no_river", "12.2")
    assert refused(game, A, "move", units=[SHIP[0]], path=["1335", "1237"]) == ("no_river", "12.2")
    assert refused(game, A, "move", units=[SHIP[0]], path=["1335"]) == ("path_start", "12.2")
    assert {MAP.hexes[h].terrain for h in reach(game, A, SHIP[0])["cost"]} == {"river"}


@pytest.mark.clause("12.2", "11.15")
def test_a_minor_river_beside_the_way_costs_a_ship_nothing() -> None:
    river = [(a, b) for a, b in MAP.edges("navigable_river") if MAP.hexes[b].country != P]
    for a, b in sorted(river)[:6]:
        game = game_of({a: [SHIP[0]]}, turn=2)
        assert preview(game, A, "move", units=[SHIP[0]], path=[a, b])["effect"]["cost"] == 1


@pytest.mark.clause("12.3")
def test_a_river_hex_costs_one_and_two_in_paraguay() -> None:
    up = ["1335", "1334", "1434", "1433", "1432"]
    game = game_of({"1335": [SHIP[0]]})
    made = preview(game, A, "move", units=[SHIP[0]], path=up)["effect"]
    assert [step["cost"] for step in made["steps"]] == [0, 1, 3, 5, 7]
    own = game_of({"1432": [STEAMER[0]]}, side=P)
    assert preview(own, P, "move", units=[STEAMER[0]], path=up[::-1])["effect"]["cost"] == 2 + 2 + 1 + 1


@pytest.mark.clause("12.3")
def test_option_the_dear_river_is_dear_for_the_allies_alone() -> None:
    option = {"river_cost": "allied"}
    own = game_of({"1432": [STEAMER[0]]}, side=P, options=option)
    assert preview(own, P, "move", units=[STEAMER[0]], path=["1432", "1433", "1434"])["effect"]["cost"] == 2
    game = game_of({"1334": [SHIP[0]]}, options=option)
    assert preview(game, A, "move", units=[SHIP[0]], path=["1334", "1434"])["effect"]["cost"] == 2


@pytest.mark.clause("12.1", "11.3", "11.4", "11.7", "5.3")
def test_ships_obey_the_rules_of_the_land_too() -> None:
    fast, slow = SHIP[1], next(u for u in GAME.units.values() if u.type == "warship" and u.movement == 10).id
    game = game_of({"1241": [fast, slow], "1239": [kind(P, "infantry")[0]]})
    assert reach(game, A, [fast, slow])["left"] == 10
    assert refused(game, A, "move", units=[fast], path=["1241", "1240", "1239"]) == ("enemy_hex", "11.4")
    assert set(reach(game, A, fast)["cost"]) == {"1240", "1141", "1042"}
    move(game, A, [fast, slow], "1241", "1240")
    assert game.pos.left(slow) == 9
    first = game_of({"1241": [fast]}, turn=1)
    assert reach(first, A, fast)["left"] == (GAME.units[fast].movement + 1) // 2


@pytest.mark.clause("12.4", "12.5")
def test_example_nine_points_two_to_enter_and_three_to_board_leave_four() -> None:
    horse = next(h for h in HORSE if GAME.units[h].movement == 9)
    game = game_of({"1336": [horse], "1335": [TRANSPORT[0]]})
    assert preview(game, A, "move", units=[horse], path=["1336", "1237"])["effect"]["cost"] == 2
    game = game_of({"1336": [horse], "1237": [TRANSPORT[0]]})
    move(game, A, horse, "1336", "1237")
    assert game.pos.left(horse) == 7
    move(game, A, [TRANSPORT[0], horse], "1237", "1238", "1239", "1240", aboard={horse: TRANSPORT[0]})
    assert game.pos.left(horse) == 4
    assert "aboard" in next(u for u in view(game, A)["space:1240"]["units"] if u["id"] == horse)["badges"]
    move(game, A, horse, "1240", *trail("1340", 3)[:4])  # it lands and marches on
    assert game.pos.left(horse) == 0
    assert horse not in game.pos.aboard


@pytest.mark.clause("12.5", "12.4")
def test_a_landed_unit_may_board_another_ship_for_three_more() -> None:
    horse = HORSE[0]
    game = game_of({"1237": [horse, TRANSPORT[0]], "1239": [TRANSPORT[1]]})
    move(game, A, [TRANSPORT[0], horse], "1237", "1238", "1239", aboard={horse: TRANSPORT[0]})
    move(game, A, [TRANSPORT[1], horse], "1239", "1240", "1241", aboard={horse: TRANSPORT[1]})
    assert game.pos.left(horse) == GAME.units[horse].movement - 6
    assert game.pos.aboard == {horse: TRANSPORT[1]}
    assert game.pos.at[TRANSPORT[0]] == "1239"


@pytest.mark.clause("12.4")
def test_a_ship_carries_drops_and_comes_back_for_more() -> None:
    ship, (a, b, c, d) = TRANSPORT[0], FOOT
    game = game_of({"1237": [ship, a, b, c], "1239": [d]})
    move(game, A, [ship, a, b], "1237", "1238", aboard={a: ship, b: ship})
    move(game, A, [ship, b], "1238", "1239", aboard={b: ship})  # a is dropped at 1238 at no cost
    assert (game.pos.at[a], game.pos.at[b]) == ("1238", "1239")
    assert game.pos.left(b) == GAME.units[b].movement - 3  # it stayed aboard
    move(game, A, ship, "1239", "1238", "1237")
    assert game.pos.aboard == {}
    move(game, A, [ship, c], "1237", "1238", aboard={c: ship})
    move(game, A, [ship, a, c], "1238", "1239", aboard={a: ship, c: ship})  # a boards again: three more
    assert game.pos.left(a) == GAME.units[a].movement - 6
    move(game, A, [ship, d, c], "1239", "1240", aboard={c: ship, d: ship})
    assert [game.pos.at[u] for u in (a, b, c, d)] == ["1239", "1239", "1240", "1240"]
    assert game.pos.left(ship) == GAME.units[ship].movement - 7
    assert refused(game, A, "move", units=[ship, a], path=["1240", "1241"], aboard={a: ship})[0] == "not_together"


@pytest.mark.clause("12.4")
def test_what_a_ship_holds() -> None:
    gun, supply, guard = kind(A, "field_artillery")[0], "BR-SUP-Sup-1", kind(A, "infantry", guard=True)[0]
    engineer, horse, ship, transport = kind(A, "engineer")[0], HORSE[0], SHIP[0], TRANSPORT[0]
    here = [gun, supply, guard, engineer, horse, ship, transport, *FOOT]
    game = game_of({"1237": here})
    offer = {u["id"]: u for u in forms(game, A)["move"]["stacks"]["1237"]}
    assert (offer[transport]["holds"], offer[ship]["holds"]) == (2, 1)
    assert set(offer[transport]["takes"]) == set(here) - {ship, transport}
    assert set(offer[ship]["takes"]) == {guard, *FOOT}
    for cargo in (gun, supply, engineer, horse):
        assert refused(game, A, "move", units=[ship, cargo], path=["1237", "1238"], aboard={cargo: ship}) \
            == ("cannot_carry", "12.4")
    assert refused(game, A, "move", units=[ship, *FOOT[:2]], path=["1237", "1238"],
                   aboard=dict.fromkeys(FOOT[:2], ship)) == ("too_full", "12.4")
    assert refused(game, A, "move", units=[transport, *FOOT[:3]], path=["1237", "1238"],
                   aboard=dict.fromkeys(FOOT[:3], transport)) == ("too_full", "12.4")
    assert refused(game, A, "move", units=[transport, ship], path=["1237", "1238"], aboard={ship: transport})[0] \
        in ("cannot_carry", "not_aboard")
    move(game, A, [transport, ship, gun, supply, FOOT[0]], "1237", "1238",
         aboard={gun: transport, supply: transport, FOOT[0]: ship})
    assert game.pos.at[supply] == "1238"


@pytest.mark.clause("12.4")
def test_boarding_is_refused_to_those_who_cannot_pay_are_elsewhere_or_not_put_on_a_moving_ship() -> None:
    ship, foot = TRANSPORT[0], FOOT[0]
    far = trail("1337", 4)
    game = game_of({far[-1]: [foot], "1237": [ship], "1238": [FOOT[1]]})
    path = [*far[::-1], "1237"]
    assert "1237" in MAP.neighbours["1337"]
    move(game, A, foot, *path)
    assert game.pos.left(foot) < 3
    assert refused(game, A, "move", units=[ship, foot], path=["1237", "1238"], aboard={foot: ship}) \
        == ("cannot_board", "12.4")
    assert foot not in {u["id"]: u for u in forms(game, A)["move"]["stacks"]["1237"]}[ship]["takes"]
    assert refused(game, A, "move", units=[ship, FOOT[1]], path=["1237", "1238"], aboard={FOOT[1]: ship}) \
        == ("not_together", "12.4")
    assert refused(game, A, "move", units=[ship, foot], path=["1237", "1238"]) == ("not_aboard", "12.4")
    assert refused(game, A, "move", units=[ship], path=["1237", "1238"], aboard={foot: ship}) \
        == ("ship_not_moving", "12.4")
    assert refused(game, A, "move", units=[foot], path=["1237", "1238"], aboard={foot: ship}) \
        in (("ship_not_moving", "12.4"), ("nobody_moves", "11.1"))


@pytest.mark.clause("12.4", "5.3")
def test_in_turn_one_half_the_points_must_do_for_boarding() -> None:
    ship, foot, gun = TRANSPORT[0], FOOT[0], "BR-SUP-Sup-1"
    game = game_of({"1237": [ship, foot, gun]}, turn=1)
    move(game, A, [ship, foot], "1237", "1238", aboard={foot: ship})  # 6 halved is 3
    assert game.pos.left(foot) == 0
    move(game, A, ship, "1238", "1237")
    assert refused(game, A, "move", units=[ship, gun], path=["1237", "1238"], aboard={gun: ship}) \
        == ("cannot_board", "12.4")


@pytest.mark.clause("12.4", "6.1", "6.2")
def test_ship_and_cargo_count_for_stacking() -> None:
    crowd, ship = [u for u in GAME.units if u.startswith("BR-INF")][-25:], TRANSPORT[0]
    cargo = [u for u in FOOT[:2] if u not in crowd]
    game = game_of({"1238": crowd, "1237": [ship, *cargo]})
    assert refused(game, A, "move", units=[ship, cargo[0]], path=["1237", "1238"], aboard={cargo[0]: ship}) \
        == ("too_many", "6.2")
    assert "1238" in reach(game, A, [ship, cargo[0]], {cargo[0]: ship})["blocked"]
    move(game, A, [ship, cargo[0]], "1237", "1238", "1239", aboard={cargo[0]: ship})
    move(game, A, ship, "1239", "1238")


@pytest.mark.clause("12.4", "5.2")
def test_whoever_is_aboard_lands_when_the_phase_ends() -> None:
    ship, foot = TRANSPORT[0], FOOT[0]
    game = game_of({"1237": [ship, foot]})
    move(game, A, [ship, foot], "1237", "1238", aboard={foot: ship})
    ends(game, A)
    assert game.pos.aboard == {}
    assert game.pos.at[foot] == "1238"
    assert not any(u["badges"] for u in view(game, A)["space:1238"]["units"])


@pytest.mark.clause("12.5", "11.6")
def test_ships_and_boarders_join_the_open_operation_and_ships_sail_on_in_later_ones() -> None:
    ship, (a, b, c, _) = TRANSPORT[0], FOOT
    game = game_of({"1336": [a, HORSE[0]], "1237": [ship, b], "1535": [c]})
    move(game, A, HORSE[0], "1336", "1436")
    move(game, A, [ship, b], "1237", "1238", aboard={b: ship})  # joins
    move(game, A, HORSE[0], "1436", "1535")  # so the first stack still goes on
    move(game, A, b, "1238", "1338")  # and so does who was carried
    move(game, A, c, "1535", "1635")  # a stack of its own: the operation is over
    assert refused(game, A, "move", units=[HORSE[0]], path=["1535", "1534"]) == ("settled", "11.6")
    assert refused(game, A, "move", units=[b], path=["1338", "1438"]) == ("settled", "11.6")
    move(game, A, ship, "1238", "1237", "1236")  # ruling: a ship with points sails on


@pytest.mark.clause("12.5", "11.6")
def test_a_settled_unit_is_not_taken_aboard_and_one_aboard_lands_when_settled() -> None:
    ship, (a, b, _, _) = TRANSPORT[0], FOOT
    game = game_of({"1237": [ship, a], "1535": [b]})
    move(game, A, [ship, a], "1237", "1238", aboard={a: ship})
    move(game, A, b, "1535", "1635")
    assert refused(game, A, "move", units=[ship, a], path=["1238", "1239"], aboard={a: ship}) == ("settled", "11.6")
    move(game, A, ship, "1238", "1239")
    assert game.pos.at[a] == "1238"


@pytest.mark.clause("12.6")
def test_a_raft_moves_in_tow_alone_and_its_tow_has_one_a_phase() -> None:
    game = game_of({"1432": [*RAFT, *STEAMER[:2], BARGE[0]]}, side=P)
    assert refused(game, P, "move", units=RAFT[:1], path=["1432", "1433"]) == ("no_tow", "12.6")
    assert refused(game, P, "move", units=[*RAFT[:2], STEAMER[0]], path=["1432", "1433"]) == ("no_tow", "12.6")
    with pytest.raises(Refusal):
        reach(game, P, RAFT[0])
    move(game, P, [RAFT[0], STEAMER[0]], "1432", "1433")
    assert last(game, "sailed", P)["cost"] == 2
    assert game.pos.left(STEAMER[0]) == GAME.units[STEAMER[0]].movement - 2
    move(game, P, STEAMER[0], "1433", "1432")  # lets it go
    assert refused(game, P, "move", units=[RAFT[1], STEAMER[0]], path=["1432", "1433"]) == ("no_tow", "12.6")
    move(game, P, STEAMER[0], "1432", "1433")
    move(game, P, [RAFT[0], STEAMER[0]], "1433", "1434")  # its own raft again
    move(game, P, [RAFT[1], BARGE[0]], "1432", "1433")  # transports tow too
    move(game, P, [RAFT[2], STEAMER[1]], "1432", "1433")
    assert [game.pos.at[r] for r in RAFT] == ["1434", "1433", "1433"]


@pytest.mark.clause("12.6")
def test_a_tow_carries_besides_and_a_raft_never_carries() -> None:
    foot = kind(P, "infantry", 2)
    game = game_of({"1432": [RAFT[0], STEAMER[0], *foot]}, side=P)
    assert refused(game, P, "move", units=[RAFT[0], STEAMER[0], foot[0]], path=["1432", "1433"],
                   aboard={foot[0]: RAFT[0]}) == ("cannot_carry", "12.6")
    move(game, P, [RAFT[0], STEAMER[0], foot[0]], "1432", "1433", aboard={foot[0]: STEAMER[0]})
    assert game.pos.at[foot[0]] == game.pos.at[RAFT[0]] == "1433"


@pytest.mark.clause("12.6", "12.2")
def test_rafts_are_two_one_zero_and_three() -> None:
    assert [(u.attack, u.defense, u.movement) for u in GAME.units.values() if u.chata] == [(2, 1, 0)] * 3


@pytest.mark.clause("12.6", "13.30")
def test_a_raft_attacks_and_advances_only_beside_a_tow_of_its_own_hex() -> None:
    foe, foot = kind(A, "transport")[0], kind(P, "infantry", 6)
    body = {"turn": 3, "phase": "paraguay_combat_1", "clear": True,
            "units": {**WATCH, foe: "1334", **at("1434", RAFT[:2], STEAMER[:1], foot), **at("1335", STEAMER[1:3])}}
    game = play(body, dice=[9])
    assert refused(game, P, "attack", target="1334", units=RAFT[:2]) == ("raft_without_tow", "12.6")
    assert refused(game, P, "attack", target="1334", units=[*RAFT[:2], *STEAMER[:3]]) == ("raft_without_tow", "12.6")
    attack(game, P, "1334", RAFT[0], *STEAMER[:3], *foot)
    lots = {"advance": [RAFT[0], STEAMER[1]]}
    assert refused(game, P, "advance", lots=lots) == ("raft_without_tow", "12.6")  # a ship from elsewhere is no tow
    assert refused(game, P, "advance", lots={"advance": [RAFT[0]]}) == ("raft_without_tow", "12.6")
    game.log += game.answer(P, {"form": "advance", "lots": {"advance": [RAFT[0], STEAMER[0]]}})
    assert game.pos.at[RAFT[0]] == "1334"


@pytest.mark.clause("12.6")
def test_a_raft_attacks_in_tow_of_a_transport_or_of_a_ship_that_then_attacks_no_more() -> None:
    foe, other = kind(A, "infantry", 2)
    body = {"turn": 3, "phase": "paraguay_combat_1", "clear": True,
            "units": {**WATCH, foe: "1334", other: "1435", **at("1434", RAFT[:3], BARGE[:1], STEAMER[:1])}}
    game = play(body, dice=[0])
    [note] = [n for n in odds(game, P, "1334", RAFT[0])["notes"] if n["key"] == "note.tows"]
    assert note == {"key": "note.tows", "args": {"n": 1}, "clause": "12.6"}
    assert refused(game, P, "attack", target="1334", units=RAFT) == ("raft_without_tow", "12.6")
    attack(game, P, "1334", *RAFT[:2])
    assert set(game.pos.fought) == {*RAFT[:2], BARGE[0], STEAMER[0]}
    bear_losses(game)
    left = forms(game, P).get("attack", {"targets": {}})["targets"]
    assert not any(unit in here for by in left.values() for here in by["from"].values() for unit in (*RAFT, *STEAMER))
    lone = play({**body, "units": {**WATCH, foe: "1334", **at("1434", RAFT[:1])}})
    assert "1334" not in forms(lone, P)["attack"]["targets"]


@pytest.mark.clause("12.2", "13.4")
def test_ships_attack_only_along_the_river() -> None:
    foe = kind(A, "infantry")[0]
    body = {"turn": 3, "phase": "paraguay_combat_1", "clear": True,
            "units": {foe: "1533", STEAMER[0]: "1433", STEAMER[1]: "1434"}}
    game = play(body)
    why = {"key": "refusal.no_river", "args": {}, "clause": "12.2"}
    assert forms(game, P)["attack"]["targets"] == {
        "1533": {"from": {"1434": [STEAMER[1]]}, "barred": {STEAMER[0]: why}}}
    assert refused(game, P, "attack", target="1533", units=[STEAMER[0]]) == ("no_river", "12.2")
    land = play({**body, "units": {**body["units"], foe: "1435"}})  # type: ignore[dict-item]
    assert "attack" not in forms(land, P)
