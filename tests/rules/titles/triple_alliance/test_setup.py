"""1-3.5 Who sets up what, where and in which order."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    choose,
    data,
    forms,
    groups,
    last,
    lots,
    new_game,
    odds,
    play,
    position,
    refused,
    told,
    units,
    view,
)


def suggested(game: Play, seat: str) -> dict[str, str]:
    """The suggested set-up of the form that is asked now."""
    return dict(forms(game, seat)["set_up"]["suggested"])


def at_allied_set_up() -> Play:
    game = new_game()
    choose(game, A, "no_invasion")
    return game


def at_paraguayan_set_up() -> Play:
    game = at_allied_set_up()
    answer(game, A, placed=suggested(game, A))
    return game


@pytest.mark.clause("3.1")
def test_the_allied_player_finishes_before_the_paraguayan_begins() -> None:
    game = new_game()
    assert game.asked == (A,)
    assert "forms" not in (game.request_for(P) or {})
    choose(game, A, "no_invasion")
    assert game.asked == (A,)
    answer(game, A, placed=suggested(game, A))
    assert game.asked == (P,)
    answer(game, P, placed=suggested(game, P))
    assert (game.pos.turn, game.pos.stage, game.asked) == (1, "paraguay_movement", (P,))


@pytest.mark.clause("3.1", "3.3")
def test_a_set_up_is_whole_or_refused() -> None:
    game = at_allied_set_up()
    placed = suggested(game, A)
    del placed["BR-INF-1F"]
    assert refused(game, A, placed=placed) == ("all_must_be_placed", "3.3")
    assert refused(game, A, placed={**suggested(game, A), "AR-INF-2": "1335"}) == ("not_to_place", "3.3")


@pytest.mark.clause("1.3", "3.2")
def test_reinforcements_of_all_three_nations_wait_on_the_track_open_to_all() -> None:
    game = new_game()
    due = {unit: game.pos.unit(unit).entry_turn for unit in units("")}
    waiting = {unit for unit, turn in due.items() if turn is not None}
    assert {game.pos.unit(unit).nation for unit in waiting} == {"argentina", "brazil", "uruguay"}
    for eye in (P, A, "public", "all"):
        shown = {unit["id"]: key for key, pool in view(game, eye).items() if key.startswith("pool:turn:")
                 for unit in pool["units"]}
        assert shown == {unit: f"pool:turn:{due[unit]}" for unit in waiting}
    assert {due[unit] for unit in units("UY-")} == {2}
    assert not any(game.pos.unit(unit).side == P for unit in waiting)


@pytest.mark.clause("3.2", "8.2")
def test_the_matto_grosso_comes_first_of_all_and_for_good() -> None:
    game = new_game()
    assert set(forms(game, A)) == {"no_invasion", "invasion"}
    [never] = forms(game, A)["no_invasion"]["options"]
    assert never["warn"]["key"] == "warn.no_invasion"  # it gives up a point, so the page asks once more
    choose(game, A, "no_invasion")
    assert set(forms(game, A)) == {"set_up"}
    assert told(game, "matto_grosso_not_launched", P)


@pytest.mark.clause("3.3")
@pytest.mark.parametrize("hex_", ["1541", "1328", "2037", "1335"])
def test_argentine_guards_within_seven_hexes_of_corrientes(hex_: str) -> None:
    """The rulebook's own examples are the outermost hexes; the centre is no step, but may be used."""
    game = at_allied_set_up()
    assert hex_ in groups(game, A, "set_up")["argentine_guard"]["where"]
    placed = {**suggested(game, A), **dict.fromkeys(units("AR-CAV-1GN"), hex_)}
    answer(game, A, placed=placed)
    assert game.pos.at["AR-CAV-1GN"] == hex_


@pytest.mark.clause("3.3")
def test_argentine_guards_stay_in_argentina_and_within_the_radius() -> None:
    game = at_allied_set_up()
    where = groups(game, A, "set_up")["argentine_guard"]["where"]
    hexes = game.pos.game.map
    assert {hexes.hexes[h].country for h in where} == {"argentina"}
    assert max(hexes.distance("1335", h) for h in where) == 7
    for outside in ("1542", "1327", "2138", "1434", "2044"):  # eight away, or abroad
        assert refused(game, A, placed={**suggested(game, A), "AR-CAV-1GN": outside}) == ("not_there", "3.3")


@pytest.mark.clause("3.3")
def test_the_brazilian_corps_within_three_hexes_in_brazil() -> None:
    game = at_allied_set_up()
    group = groups(game, A, "set_up")["brazilian_corps"]
    hexes = game.pos.game.map
    assert len(group["units"]) == 7
    assert set(group["where"]) == {h for h in hexes.within("2440", 3) if hexes.hexes[h].country == "brazil"}
    assert "2439" not in group["where"]  # Santo Tomé, next door in Argentina


@pytest.mark.clause("3.3")
def test_thirteen_units_on_the_parana_from_1237_down_to_1042() -> None:
    game = at_allied_set_up()
    group = groups(game, A, "set_up")["river_squadron"]
    assert len(group["units"]) == 13
    assert {game.pos.unit(u).nation for u in group["units"]} == {"argentina", "brazil"}
    assert {game.pos.unit(u).river for u in group["units"]} == {True, False}
    assert set(group["where"]) == {"1237", "1238", "1239", "1240", "1241", "1141", "1042"}
    assert refused(game, A, placed={**suggested(game, A), "BR-SHP-A": "1236"}) == ("not_there", "3.3")


@pytest.mark.clause("3.3")
def test_brazilian_guards_south_of_the_uruguay_only() -> None:
    game = at_allied_set_up()
    group = groups(game, A, "set_up")["brazilian_guard"]
    assert len(group["units"]) == 4
    assert {game.pos.game.map.hexes[h].region for h in group["where"]} == {"rio_grande"}
    for enclave in ("2819", "3226", "2213"):
        assert refused(game, A, placed={**suggested(game, A), "BR-CAV-1GN": enclave}) == ("not_there", "3.3")


@pytest.mark.clause("3.3")
def test_allied_groups_share_hexes_and_the_supply_waits() -> None:
    game = at_allied_set_up()
    mixed = {**suggested(game, A), "BR-CAV-1GN": "2440", "BR-INF-1F": "2440", "AR-CAV-1GN": "1241"}
    answer(game, A, placed=mixed)
    assert {game.pos.unit(u).nation for u in game.pos.stack("1241")} == {"argentina", "brazil"}
    pool = view(game, P)["pool:available:allied"]["units"]
    assert sorted(u["id"] for u in pool) == ["BR-SUP-Sup-1", "BR-SUP-Sup-2"]
    assert len(game.pos.boxes[A]) == 9


@pytest.mark.clause("3.4")
def test_fortresses_fleet_and_supply_of_paraguay_are_fixed() -> None:
    game = at_paraguayan_set_up()
    fixed = {"PY-FOR-H": "1432", "PY-FOR-C": "1433", "PY-FOR-Ipr": "1434", "PY-FOR-A": "1827", "PY-FOR-Ipu": "2534"}
    assert {u: game.pos.at[u] for u in fixed} == fixed
    fleet = [u for u in units("PY-") if game.pos.unit(u).river]
    assert len(fleet) == 11
    assert {game.pos.at[u] for u in fleet} == {"1432"}
    assert [u["id"] for u in view(game, A)["pool:available:paraguay"]["units"]] == units("PY-SUP")
    assert not {*fixed, *fleet, *units("PY-SUP")} & set(groups(game, P, "set_up")["paraguayan_army"]["units"])


@pytest.mark.clause("3.4", "6.1")
def test_the_paraguayan_army_goes_anywhere_in_paraguay_within_stacking() -> None:
    game = at_paraguayan_set_up()
    where = groups(game, P, "set_up")["paraguayan_army"]["where"]
    hexes = game.pos.game.map.hexes
    assert set(where) == {h for h, spot in hexes.items() if spot.country == P}
    assert {"1432", "2534", "1621"} <= set(where)  # fortress hexes and the Chaco (a ruling) too
    army = list(suggested(game, P))
    assert refused(game, P, placed={**suggested(game, P), army[0]: "1335"}) == ("not_there", "3.4")
    full = {**dict.fromkeys(army, "2228"), **{u: f"{1914 + i // 20}" for i, u in enumerate(army[14:])}}
    assert list(full.values()).count("2228") == 14
    humaita = {**full, **dict.fromkeys(army[:14], "1432")}  # with a fortress and eleven ships: 26
    assert refused(game, P, placed={**humaita, army[14]: "1432"}) == ("no_room", "6.1")
    answer(game, P, placed=humaita)
    assert len(game.pos.stack("1432")) == 26


@pytest.mark.clause("3.5")
def test_boxes_in_the_set_up() -> None:
    game = at_allied_set_up()
    placed = suggested(game, A)
    assert forms(game, A)["set_up"]["boxes"] == [str(n) for n in range(1, 10)]
    assert refused(game, A, placed=placed, boxes={"1": "1337"}) == ("not_to_box", "3.5")  # nobody there
    assert refused(game, A, placed=placed, boxes={"1": "1241", "2": "1241"}) == ("one_box_a_space", "3.3")
    answer(game, A, placed=placed, boxes={"4": "1241"})
    seen = view(game, P)["space:1241"]
    assert (seen["box"], seen["count"], "top" in seen, "units" in seen) == (4, 13, False, False)
    assert view(game, P)["slots:boxes_allied"]["slots"][3] == {"id": "4", "at": "1241", "count": 13}


@pytest.mark.clause("3.5")
def test_a_fortress_is_never_boxed() -> None:
    game = at_paraguayan_set_up()
    placed = suggested(game, P)
    for hex_ in ("1432", "1433", "1434", "1827", "2534"):
        assert refused(game, P, placed=placed, boxes={"1": hex_}) == ("not_to_box", "3.5")
    answer(game, P, placed=placed, boxes={"1": "2026"})
    assert view(game, A)["space:2026"].get("units") is None


@pytest.mark.clause("3.1", "6.4")
def test_while_one_sets_up_the_other_learns_nothing_but_the_end() -> None:
    game = at_allied_set_up()
    before = {key: content for key, content in view(game, P).items() if key.startswith("space:")}
    assert before == {h: c for h, c in before.items() if c["side"] == P}
    answer(game, A, placed=suggested(game, A))
    step = told(game, "set_up", P)[0]
    assert step["data"] == {"count": 28}
    assert all("units" not in (content or {}) for key, content in step["fragments"].items() if key.startswith("space"))


@pytest.mark.clause("1.4")
@pytest.mark.parametrize("face", range(10))
def test_the_die_has_ten_faces_and_zero_is_the_lowest(face: int) -> None:
    """Mendoza's die: 0 stands below 1, not above 9."""
    after = [] if face in (0, 1, 2) else [9]  # one attrition check follows at once
    game = play({"turn": 2, "phase": "events", "clear": True, "units": {"AR-INF-1": "1337"}}, [face, *after])
    assert last(game, "mendoza_rolled") == {"roll": face, "rises": face in (0, 1, 2)}
    assert data().files["tables"]["die"] == {"lowest": 0, "highest": 9, "clause": "1.4"}


@pytest.mark.clause("3.2", "8.2")
def test_the_expedition_leaves_the_track_and_the_pool() -> None:
    game = new_game()
    offered = lots(game, A, "invasion")
    assert set(offered["infantry"]["units"]) == {
        u for u in units("BR-INF") if game.pos.unit(u).entry_turn is not None}
    assert (offered["infantry"]["min"], offered["infantry"]["max"]) == (2, 2)
    assert set(offered["supply"]["units"]) == {"BR-SUP-Sup-1", "BR-SUP-Sup-2"}
    force: dict[str, Any] = {"infantry": ["BR-INF-MG", "BR-INF-Go"], "supply": ["BR-SUP-Sup-2"]}
    assert refused(game, A, "invasion", lots={**force, "infantry": ["BR-INF-MG"]}) == ("count", "8.2")
    assert refused(game, A, "invasion", lots={**force, "supply": []}) == ("count", "8.2")
    assert refused(game, A, "invasion", lots={**force, "infantry": ["BR-INF-MG", "BR-INF-1F"]}) == (
        "not_of_the_lot", "8.2")  # 1F is on the map at the start
    answer(game, A, "invasion", lots=force)
    assert {u["id"] for u in view(game, P)["pool:away:matto_grosso"]["units"]} == {
        "BR-INF-MG", "BR-INF-Go", "BR-SUP-Sup-2"}
    assert [u["id"] for u in view(game, P)["pool:available:allied"]["units"]] == ["BR-SUP-Sup-1"]


@pytest.mark.clause("3.4", "6.1")
def test_no_suggested_set_up_breaks_a_rule() -> None:
    pos = position()
    assert max(len(pos.stack(h)) for h in (*pos.hexes_of(A), *pos.hexes_of(P))) <= 26


@pytest.mark.clause("2.10", "13.9")
def test_a_unit_attacks_with_its_first_number_and_defends_with_its_second() -> None:
    """A field battery is 3-1 for Paraguay, 4-1 for Brazil."""
    game = play({"turn": 3, "phase": "paraguay_combat_2", "clear": True,
                 "units": {"PY-ART-1": "1435", "PY-INF-1": "1435", "BR-ART-1": "1335"}})
    shown = odds(game, P, "1335", "PY-ART-1", "PY-INF-1")
    assert (shown["attack"], shown["defense"]) == (3 + 3, 1)
    other = play({"turn": 3, "phase": "allied_combat_2", "clear": True,
                  "units": {"PY-ART-1": "1435", "BR-ART-1": "1335", "BR-INF-1F": "1335", "BR-INF-2F": "1335"}})
    assert odds(other, A, "1435", "BR-ART-1", "BR-INF-1F", "BR-INF-2F")["attack"] == 4 + 3 + 3
    assert odds(other, A, "1435", "BR-INF-1F")["defense"] == 1


@pytest.mark.clause("2.11")
def test_a_unit_is_one_step_and_moves_by_its_third_number() -> None:
    """Every unit that is hit is gone whole; whoever is not has all it had."""
    pos = position()
    assert {pos.factor(u) for u in ("PY-INF-1", "PY-CAV-1", "PY-ART-1")} == {3, 5}  # turn I, half of 6, 9 and 5
    game = play({"turn": 3, "phase": "events", "clear": True, "mendoza": "crushed",
                 "units": dict.fromkeys(units("PY-INF-", 4), "2026")}, [0])
    answer(game, P, lots={"2026": [units("PY-INF-")[0], units("PY-INF-")[3]]})
    assert game.pos.stack("2026") == units("PY-INF-")[1:3]
    assert forms(game, P)["move"]["stacks"]["2026"] == [{"id": u, "left": 6} for u in units("PY-INF-")[1:3]]
