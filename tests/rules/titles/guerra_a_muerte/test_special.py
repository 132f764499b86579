"""10 Guerrillas, repression, the liberals, the Legion."""

import pytest

from rules.titles.guerra_a_muerte.guerrillas import halved
from rules.titles.guerra_a_muerte.income import share
from rules.titles.guerra_a_muerte.odds import strength
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    lots,
    march,
    only,
    operating,
    play,
    position,
    prompt,
    refused,
    told,
)  # fmt: skip


@pytest.mark.clause("10.1")
def test_halving_by_area_and_rounding() -> None:
    def half(area: str, side: str, band: str) -> bool:
        return halved(position(units={band: area}, guerrillas=[band]), side, area)

    assert half("salta", R, "mil_plata_inf-1")
    assert half("tierra_caliente", R, "mil_mexico_inf-1")
    assert not half("santa_fe", R, "mil_gran_colombia_inf-1")  # in 9.2's list, not in 10.1's
    assert half("pasto", P, "mil_royalist_inf-1")
    assert not half("quito", P, "mil_royalist_inf-1")
    assert not halved(position(units={"mil_plata_inf-1": "salta"}), R, "salta")
    pos = position(units={"ame_rl-1": "salta", "mil_royalist_inf-1": "salta"})
    assert strength(pos, ["ame_rl-1", "mil_royalist_inf-1"], (), half=True) == 3  # half of 5


@pytest.mark.clause("10.1")
@pytest.mark.parametrize(("die", "partisans", "gone", "lost"), [
    (1, False, 0, 1), (4, False, 0, 0), (5, False, 1, 0), (6, False, 2, 0), (4, True, 1, 0), (5, True, 2, 0)])
def test_the_counter_guerrilla_table(die: int, partisans: bool, gone: int, lost: int) -> None:
    unit = "ame_pt-1" if partisans else "ame_fp"
    bands = ["mil_peru_inf-1", "mil_peru_inf-2"]
    game = operating(R, {unit: "charcas", **dict.fromkeys(bands, "charcas")}, [3, die], guerrillas=bands, turn=8)
    activate(game, R, unit)
    answer(game, R, "hunt", lots={"guerrillas": bands})
    assert sum(game.pos.at[u] == "recruits:peru" for u in bands) == gone
    assert (game.pos.at[unit] == "recruits:american") == bool(lost)


@pytest.mark.clause("10.1")
def test_guerrillas_neither_move_nor_fight_nor_are_attacked_in_the_field() -> None:
    game = operating(P, {"mil_plata_inf-1": "salta", "pla_1": "cordoba", "ame_rl-1": "salta"},
                     guerrillas=["mil_plata_inf-1"])
    assert set(lots(game, P, "activate")) == {"cordoba"}
    game = operating(R, {"mil_plata_inf-1": "salta", "ame_rl-1": "salta"}, [3], guerrillas=["mil_plata_inf-1"])
    activate(game, R, "ame_rl-1")
    assert "attack" not in forms(game, R)
    assert "hunt" in forms(game, R)


@pytest.mark.clause("10.4")
@pytest.mark.parametrize(("die", "marked"), [(1, True), (2, False)])
def test_repression_where_an_area_is_cleared(die: int, marked: bool) -> None:
    game = operating(R, {"ame_rl-1": "chile_norte", "ame_cu-1": "chile_norte", "mil_chile_inf-1": "chile_norte"},
                     [3, 6, 1, 1, 1, 1, 6, die])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    answer(game, R, "attack", target="chile_norte", units=["ame_cu-1", "ame_rl-1"])
    choose(game, P, "stand")
    assert game.pos.repression == (["chile_norte"] if marked else [])
    choose(game, R, "stay")


@pytest.mark.clause("10.4")
def test_no_repression_where_the_people_have_chosen() -> None:
    game = operating(R, {"ame_rl-1": "salta", "ame_cu-1": "salta", "mil_plata_inf-1": "salta"}, [3, 6, 1, 1, 1, 1, 6])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    answer(game, R, "attack", target="salta", units=["ame_cu-1", "ame_rl-1"])
    choose(game, P, "stand")
    assert not told(game, "no_repression")
    choose(game, R, "stay")


@pytest.mark.clause("10.4", "9.5")
def test_no_repression_where_only_rebels_were_driven_out() -> None:
    units = dict.fromkeys(["ame_rl-1", "ame_cu-1", "reb_inf-1"], "misiones")
    game = operating(R, units, [3, 6, 1, 1, 1, 1, 6])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    answer(game, R, "attack_rebels", target="misiones", units=["ame_cu-1", "ame_rl-1"])
    choose(game, P, "stand")
    assert not told(game, "no_repression")
    assert not told(game, "repression")


# -- the liberals ------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.2")
@pytest.mark.parametrize(("turn", "die", "comes"), [(9, 4, False), (9, 5, True), (10, 3, False), (10, 4, True),
                                                    (11, 3, True), (12, 1, False)])
def test_the_coup_by_turn_and_die(turn: int, die: int, comes: bool) -> None:
    game = play({"phase": "events", "turn": turn, "units": {}}, [die])
    assert bool(told(game, "liberals")) is comes
    assert (game.pos.coup == turn) is comes


@pytest.mark.clause("10.2")
def test_before_turn_9_and_a_second_time_nothing_happens() -> None:
    assert not told(play({"phase": "events", "turn": 8, "units": {}}), "coup_rolled")
    assert not told(play({"phase": "events", "turn": 12, "coup": 10, "units": {}}), "coup_rolled")


@pytest.mark.clause("10.2.1")
def test_what_the_coup_does() -> None:
    game = play({"phase": "events", "turn": 9, "units": {}, "masses": {P: ["central_mexico"], R: ["cuzco"]}}, [6])
    for unit in ("spa_cb", "spa_idc", "spa_bcn", "roy_line-2"):
        assert game.pos.at[unit] == "out"
    assert game.pos.masses == {P: [], R: []}


@pytest.mark.clause("10.2.1", "10.2.2")
def test_the_subversion_of_the_concordia() -> None:
    """The example of 10.2.2: San Martín wins over the Voluntarios de la Concordia on a 2; the substitute has two steps,
    or one if they were reduced."""
    units = {"san_martin": "lima", "pla_1": "lima", "ame_vdc": "lima", "ame_rl-1": "lima"}
    game = play({"phase": "events", "turn": 11, "units": units}, [6, 2])
    assert prompt(game, P) == "subversion"
    choose(game, P, "ame_vdc")
    data = only(game, "subverted")
    assert game.pos.at["ame_vdc"] == "recruits:american"
    new = game.pos.unit(data["by"])
    assert (new.type, new.steps, new.nation, game.pos.at[new.id]) == ("infantry", 2, "plata", "lima")
    game = play({"phase": "events", "turn": 11, "units": units, "reduced": ["ame_vdc"]}, [6, 3])
    choose(game, P, "ame_vdc")
    assert game.pos.steps(only(game, "subverted")["by"]) == 1


@pytest.mark.clause("10.2.2")
def test_subversion_fails_on_four_and_each_leader_tries_once() -> None:
    units = {"san_martin": "lima", "bolivar": "lima", "ame_vdc": "lima", "spa_ct": "lima", "mil_royalist_inf-1": "lima"}
    game = play({"phase": "events", "turn": 11, "units": units}, [6, 4])
    assert set(forms(game, P)) == {"subvert_bolivar", "subvert_san_martin", "end_subversion"}
    assert [o["id"] for o in forms(game, P)["subvert_bolivar"]["options"]] == ["ame_vdc", "mil_royalist_inf-1"]
    answer(game, P, "subvert_bolivar", option="ame_vdc")
    assert not told(game, "subverted")
    assert set(forms(game, P)) == {"subvert_san_martin", "end_subversion"}
    done(game, P)


@pytest.mark.clause("10.2.2", "8.1", "6.2")
def test_who_was_stacked_with_the_last_unit_won_over_is_without_men() -> None:
    """A leader in the box from which the only unit goes over is checked, and marker and siege have nobody left."""
    units = {"san_martin": "lima", "ame_vdc": "lima", "pezuela": "lima", "ame_cu-1": "cuzco"}
    game = play({"phase": "events", "turn": 11, "units": units, "armies": {R: {"1": "lima"}}}, [6, 2, 4])
    choose(game, P, "ame_vdc")
    assert told(game, "leader_saved")
    assert game.pos.at["pezuela"] == "cuzco"
    assert game.pos.armies[R]["1"] is None
    game = play({"phase": "events", "turn": 11, "units": {"san_martin": "lima", "pla_1": "lima", "ame_vdc": "callao"},
                 "sieges": {"callao": {"units": ["pla_1"]}}}, [6, 2])
    choose(game, P, "ame_vdc")
    assert game.pos.sieges == {}


@pytest.mark.clause("10.2.2", "7.9")
def test_ships_in_a_port_whose_last_defender_goes_over_are_taken() -> None:
    units = {"san_martin": "lima", "pla_1": "lima", "ame_vdc": "callao", "roy_frigate-1": "callao"}
    game = play({"phase": "events", "turn": 11, "units": units}, [6, 2, 3])
    choose(game, P, "ame_vdc")
    assert only(game, "ship_taken_in_port")["fate"] == "capture.destroyed"


@pytest.mark.clause("10.2.2", "5.1.3")
def test_boxes_are_opened_for_the_agitators() -> None:
    game = play({"phase": "events", "turn": 11, "units": {"san_martin": "lima", "ame_vdc": "lima"},
                 "armies": {R: {"1": "lima"}}}, [6])
    assert told(game, "shown", P)
    assert game.pos.seen == ["royalist:lima"]
    done(game, P)
    assert game.pos.seen == []


# -- the Legion --------------------------------------------------------------------------------------------------


@pytest.mark.clause("10.6")
def test_the_legion_waits_for_men_of_el_plata() -> None:
    game = operating(R, {"ame_rl-1": "lima"})
    assert set(lots(game, R, "activate")) == {"lima"}
    game = operating(P, {"pla_1": "misiones"}, [3])
    activate(game, P, "pla_1")
    march(game, P, "misiones", "banda_oriental")
    assert game.pos.legion == "free"


@pytest.mark.clause("10.6")
def test_the_legion_serves_in_banda_oriental_alone_and_goes_home_for_good() -> None:
    legion = ["por_spl-1", "por_spl-2", "por_spl-3"]
    game = operating(R, {"ame_dba": "banda_oriental"}, [3], legion="free")
    activate(game, R, *legion)
    march(game, R, "brazil", "banda_oriental")
    assert refused(game, R, "march", units=legion, path=["banda_oriental", "misiones"]) == ("legion_bound", "10.6")
    assert refused(game, R, "march", units=legion, path=["banda_oriental", "montevideo"]) == ("legion_bound", "10.6")
    assert "pick_up" not in forms(game, R)
    march(game, R, "banda_oriental", "brazil")
    assert game.pos.legion == "gone"
    assert {game.pos.at[u] for u in legion} == {"out"}


@pytest.mark.clause("10.6")
def test_the_legion_stacks_with_nobody_and_never_returns() -> None:
    game = operating(R, {"ame_dba": "banda_oriental", "por_spl-1": "banda_oriental"}, legion="free")
    assert refused(game, R, "activate", lots={"banda_oriental": ["ame_dba", "por_spl-1"]}) == ("legion_alone", "10.6")
    pos = position(units={"por_spl-1": "banda_oriental"})
    pos.bury("por_spl-1")
    assert pos.at["por_spl-1"] == "out"


@pytest.mark.clause("10.6")
def test_points_of_banda_oriental_with_the_legion() -> None:
    def shares(*units: str) -> tuple[int, int]:
        pos = position(units=dict.fromkeys(units, "banda_oriental"))
        return share(pos, "banda_oriental", R), share(pos, "banda_oriental", P)

    assert shares("por_spl-1") == (2, 0)
    assert shares("por_spl-1", "pla_1") == (0, 1)
    assert shares("por_spl-1", "reb_inf-1") == (0, 0)
    assert shares("por_spl-1", "ame_dba", "pla_1") == (1, 1)


@pytest.mark.clause("10.6", "6.1")
def test_the_legion_is_attacked_for_itself() -> None:
    game = operating(P, {"pla_1": "banda_oriental", "pla_2": "banda_oriental", "por_spl-1": "banda_oriental",
                         "ame_dba": "banda_oriental"}, [3, 6, 1, 1, 1, 1, 6], legion="free")
    activate(game, P, "pla_1", "pla_2")
    answer(game, P, "attack_legion", target="banda_oriental", units=["pla_1", "pla_2"])
    choose(game, R, "stand")
    assert game.pos.at["por_spl-1"] == "out"
    assert game.pos.at["ame_dba"] == "banda_oriental"
    choose(game, P, "stay")
