"""7 The battle board: lines, fire, targets, hits, rounds."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    Play,
    at,
    attack,
    both_line_up,
    choose,
    end,
    forms,
    last,
    lead,
    line_up,
    march,
    options,
    play,
    preview,
    prompt,
    refused,
    shots,
    told,
    units,
    view,
)

THREE = units("br_inf_", 3)
FOES = ["py_inf_01", "py_inf_02"]


def tuyuti(dice: list[int], attackers: list[str] = THREE, defenders: list[str] = FOES, **body: object) -> Play:
    """Brown line, no main river: the attacker fires first. From Itapirú, which Paraguay controlled until now."""
    game = play({"phase": "allied_movement", "clear": True, "decks": {A: ["A04", "A17"]},
                 "units": {**at("itapiru", attackers), **at("tuyuti", defenders)}, **body}, dice)
    attack(game, A, "tuyuti", {"itapiru": attackers})
    return game


@pytest.mark.clause("7")
def test_the_defender_lines_up_first_then_the_attacker_without_gaps() -> None:
    game = tuyuti([MISS, MISS])
    assert prompt(game, P) == "line_up"
    assert prompt(game, A) == ""
    assert refused(game, P, placed={"py_inf_01": "slot:1"}) == ("all_must_be_placed", "7")
    assert refused(game, P, placed={"py_inf_01": "slot:1", "py_inf_02": "slot:1"}) == ("too_many", "7")
    assert refused(game, P, placed={"py_inf_01": "slot:2", "py_inf_02": "slot:3"}) == ("not_there", "7")
    line_up(game, P, "py_inf_02", "py_inf_01")
    line_up(game, A, *THREE[::-1])
    board = view(game, "public")["battle"]
    assert [[slot["unit"] for slot in line["slots"]] for line in board["lines"]] == [
        THREE[::-1], ["py_inf_02", "py_inf_01"]]
    assert (board["target"], board["attacker"], board["order"]["key"]) == ("tuyuti", A, "order.attacker_first")


@pytest.mark.clause("7", "12.1")
def test_who_lines_up_is_told_what_hits_in_the_next_fire() -> None:
    there = {**at("tuyuti", THREE), **at("humaita", ["py_inf_03", "py_inf_04", "py_cav_01"])}
    game = play({"phase": "allied_movement", "clear": True, "in_use": {P: "P08"}, "reduced": ["py_inf_04"],
                 "units": there}, [MISS] * 6)
    attack(game, A, "humaita", {"tuyuti": THREE})
    hits = {unit: (chance["n"], chance["of"]) for unit, chance in forms(game, P)["line_up"]["chances"].items()}
    assert hits == {"py_inf_03": (3, 6), "py_inf_04": (2, 6), "py_cav_01": (3, 6)}  # P08 helps infantry at a fortress
    both_line_up(game)
    assert {shot["data"]["unit"]: shot["data"]["factor"] for shot in told(game, "shot") if shot["side"] == P} == {
        unit: n for unit, (n, _) in hits.items()}


@pytest.mark.clause("7")
def test_shots_go_straight_across_and_where_nobody_stands_at_any_enemy() -> None:
    game = tuyuti([MISS, MISS, MISS, MISS, MISS])
    both_line_up(game)
    assert prompt(game, A) == "target"  # slot 3 faces nobody; the target is named before the roll
    assert options(game, A) == FOES
    assert shots(game) == list(zip(THREE[:2], FOES, strict=True))
    choose(game, A, "py_inf_02")
    assert shots(game) == [("br_inf_01", "py_inf_01"), ("br_inf_02", "py_inf_02"), ("br_inf_03", "py_inf_02"),
                           ("py_inf_01", "br_inf_01"), ("py_inf_02", "br_inf_02")]


@pytest.mark.clause("7")
@pytest.mark.parametrize(("face", "struck"), [(1, True), (2, True), (3, True), (4, False), (6, False)])
def test_a_die_at_or_below_the_factor_hits(face: int, struck: bool) -> None:
    game = tuyuti([face, MISS], ["br_inf_01"], ["py_inf_01"])
    assert told(game, "shot")[0]["data"] == {"at": "tuyuti", "unit": "br_inf_01", "target": "py_inf_01", "roll": face,
                                             "factor": 3, "hit": struck}
    assert ("py_inf_01" in game.pos.reduced) is struck


@pytest.mark.clause("7", "5")
def test_a_hit_turns_a_full_unit_and_removes_any_other() -> None:
    game = tuyuti([HIT, MISS], ["br_inf_01"], ["py_inf_01"])
    assert game.pos.reduced == ["py_inf_01"]
    assert game.pos.factor("py_inf_01") == 2
    game.dice.extend([HIT, 0])
    choose(game, A, "stay")
    assert game.pos.at["py_inf_01"] == "dead:paraguayan"
    assert game.pos.reduced == []
    one_sided = tuyuti([HIT, 0], ["br_inf_01"], ["py_bogavantes"])
    assert one_sided.pos.at["py_bogavantes"] == "dead:paraguayan"


@pytest.mark.clause("7")
def test_a_reduced_unit_shoots_with_its_reduced_factor_already_in_the_reply() -> None:
    game = tuyuti([HIT, 3], ["br_inf_01"], ["py_inf_01"])  # a three, against 2
    assert told(game, "shot")[1]["data"]["factor"] == 2
    assert last(game, "shot")["hit"] is False


@pytest.mark.clause("7")
def test_hits_count_at_once_so_the_dead_do_not_answer_and_slots_stay() -> None:
    """Slot 1 falls to the first shot; slot 2's attacker still faces slot 2, and the one in slot 1 then chooses."""
    game = tuyuti([HIT, MISS, MISS], ["br_inf_01", "br_inf_02"], ["py_ninos", "py_inf_01"])
    line_up(game, P, "py_ninos", "py_inf_01")
    line_up(game, A, "br_inf_01", "br_inf_02")
    assert shots(game) == [("br_inf_01", "py_ninos"), ("br_inf_02", "py_inf_01"), ("py_inf_01", "br_inf_02")]
    assert view(game, P)["battle"]["lines"][1]["slots"] == [
        {"id": "2", "unit": "py_inf_01", "factor": 3, "reduced": False}]
    game.dice.extend([MISS, MISS])
    choose(game, A, "stay")
    assert shots(game)[3:5] == [("br_inf_01", "py_inf_01"), ("br_inf_02", "py_inf_01")]


@pytest.mark.clause("7")
def test_rounds_go_on_until_one_side_is_gone() -> None:
    game = tuyuti([MISS, MISS], ["br_inf_01"], ["py_inf_03"])
    game.dice.extend([HIT, MISS])
    choose(game, A, "stay")
    choose(game, P, "stay")
    game.dice.extend([HIT, 0])
    choose(game, A, "stay")
    assert [step["data"]["round"] for step in told(game, "round_began")] == [1, 2, 3]
    assert told(game, "battle_ended")[0]["side"] == A
    assert game.pos.controller("tuyuti") == A
    assert "battle" not in view(game, A)


@pytest.mark.clause("7")
def test_battles_are_fought_one_at_a_time_in_the_attackers_order() -> None:
    game = play({"phase": "allied_movement", "clear": True, "units": {
        "br_inf_01": "itapiru", "br_inf_02": "itapiru", "br_inf_03": "itapiru", "py_inf_03": "tuyuti",
        "py_inf_04": "curupayti", "py_inf_05": "corrientes"}}, [])
    lead(game, A, caxias="tuyuti", osorio="curupayti", flores="corrientes")
    for unit, space in zip(THREE, ("tuyuti", "curupayti", "corrientes"), strict=True):
        march(game, A, unit, "itapiru", space)
    end(game, A)
    assert options(game, A) == ["corrientes", "curupayti", "tuyuti"]
    game.dice.extend([MISS, MISS])
    choose(game, A, "tuyuti")
    choose(game, A, "retreat")
    assert options(game, A) == ["corrientes", "curupayti"]


@pytest.mark.clause("7", "11")
def test_the_winner_of_a_battle_has_the_space() -> None:
    game = tuyuti([HIT, 0], ["br_inf_01"], ["py_ninos"])
    assert game.pos.controller("tuyuti") == A
    assert game.pos.units_of(A, "tuyuti") == ["br_inf_01"]
    lost = tuyuti([MISS, HIT, 0], ["br_engenheiros"], ["py_inf_01"])
    assert lost.pos.controller("tuyuti") == P
    assert lost.pos.at["br_engenheiros"] == "dead:allied"


@pytest.mark.clause("7")
def test_all_units_of_the_space_defend() -> None:
    game = tuyuti([], ["br_inf_01"], ["py_inf_01", "py_cav_01", "ub_inf_1"], uruguay="flipped")
    assert last(game, "battle_began")["defenders"] == ["py_cav_01", "py_inf_01", "ub_inf_1"]
    assert set(forms(game, P)["line_up"]["suggested"]) == {"py_cav_01", "py_inf_01", "ub_inf_1"}


@pytest.mark.clause("7", "10")
def test_a_planned_march_shows_the_first_round_that_it_would_bring() -> None:
    column = ["br_inf_01", "br_inf_02", "br_inf_03"]
    body = {"phase": f"{A}_movement", "clear": True,
            "units": {**at("jaguarao", column), **at("melo", ["ub_inf_1", "ub_inf_3"])},
            "leaders": {"caxias": "melo"}}
    game = play(body)
    (shown,) = preview(game, A, "move", units=column, path=["jaguarao", "melo"])["effect"]["attacks"]
    assert {u["id"] for u in shown["sides"]["attack"][0]["units"]} == set(column)
    mine, theirs = (sum(game.pos.factor(u) for u in units) for units in (column, ["ub_inf_1", "ub_inf_3"]))
    assert (shown["attack"], shown["defense"]) == (mine, theirs)
    assert [float(shown["mean"][who]) for who in ("defender", "attacker")] == pytest.approx(
        [mine / 6, theirs / 6], abs=0.051)
    march(game, A, column, "jaguarao", "melo")
    end(game, A)
    assert shown["notes"][0]["args"]["order"] == last(game, "battle_began")["order"]
    peaceful = [preview(play(body), A, "move", units=column, path=["jaguarao", near])
                for near in sorted(game.pos.game.near["jaguarao"]) if near != "melo"]
    assert [said["effect"]["attacks"] for said in peaceful if said["ok"]] == [[], []]
