"""6.1, 6.3.1 Field battle and advance."""

from typing import Any

import pytest

from rules.titles.guerra_a_muerte import odds
from rules.titles.guerra_a_muerte.battle import evasion_modifier
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    last,
    lose,
    only,
    operating,
    options,
    position,
    preview,
    prompt,
    refused,
    told,
    view,
)  # fmt: skip


def attack(game: Play, side: str, at: str, form: str = "attack") -> None:
    """The whole active force attacks."""
    answer(game, side, form, target=at, units=game.pos.troops(game.pos.force["units"]))


def two(dice: list[int], attackers: list[str], defenders: list[str], at: str = "lima", **body: Any) -> Play:
    """Royalists attack patriots who may evade."""
    game = operating(R, {**dict.fromkeys(attackers, at), **dict.fromkeys(defenders, at)}, [3, *dice], **body)
    activate(game, R, *attackers)
    attack(game, R, at)
    return game


@pytest.mark.clause("6.1")
def test_combat_is_never_compulsory() -> None:
    game = operating(R, {"ame_rl-1": "lima", "pla_1": "lima"}, [3])
    activate(game, R, "ame_rl-1")
    done(game, R)
    assert not told(game, "battle_began")


@pytest.mark.clause("6.1")
@pytest.mark.parametrize(("die", "away"), [(1, True), (3, True), (4, False)])
def test_evasion_on_one_to_three_moves_nobody(die: int, away: bool) -> None:
    dice = [die] if away else [die, 6, 1, 1, 1, 1, 1]
    game = two(dice, ["ame_rl-1"], ["pla_1"])
    assert options(game, P) == ["evade", "stand"]
    choose(game, P, "evade")
    assert bool(told(game, "evaded")) is away
    assert game.pos.at["pla_1"] == "lima"
    assert game.pos.force["op"] == 4
    if not away:
        lose(game, R, "ame_rl-1")


@pytest.mark.clause("6.1")
def test_evasion_modifiers() -> None:
    pos = position(units={"ame_es": "lima", "ame_rl-1": "lima", "pla_dp-1": "lima", "pla_1": "lima"})
    assert evasion_modifier(pos, ["ame_es"], ["pla_1"]) == 2
    assert evasion_modifier(pos, ["ame_rl-1"], ["pla_dp-1"]) == -2
    assert evasion_modifier(pos, ["ame_rl-1", "pezuela"], ["pla_1", "belgrano"]) == 3 - 1


@pytest.mark.clause("6.1")
def test_initiative_is_rolled_again_when_equal_and_leaders_add() -> None:
    game = two([2, 1, 5, 3, 1, 1, 1, 4], ["ame_rl-1", "ame_cu-1"], ["pla_1", "belgrano"])
    choose(game, P, "stand")
    # 2 against 1 and Belgrano's 1: equal; then 5 against 4: the attacker rolls two dice, the defender one
    assert only(game, "initiative") == {"attacker": 5, "defender": 4}
    assert [step["data"]["tactics"] for step in told(game, "tactics")] == [["tactic.confusion"], ["tactic.confusion"]]
    assert only(game, "battle_rolled")["result"] == "result.D1"
    assert prompt(game, P) == "losses"
    lose(game, P, "pla_1")


@pytest.mark.clause("6.1")
def test_tactics_of_the_three_arms() -> None:
    pos = position(units=dict.fromkeys(["ame_rl-1", "ame_es", "ame_art-1", "pla_1", "pla_dp-1", "pla_art-1"], "lima"))
    mine, theirs = ["ame_rl-1", "ame_es", "ame_art-1"], ["pla_1", "pla_dp-1", "pla_art-1"]

    def totals(own: list[str], other: list[str], a: list[str] = mine, d: list[str] = theirs) -> tuple[int, int]:
        found = odds.battle_sum(pos, a, d, "lima", (R, P), (own, other))
        return found.attack, found.defense

    assert totals([], []) == (11, 11)
    assert totals([odds.STANDS], []) == (13, 11)
    assert totals([odds.CHARGE], []) == (15, 11)
    assert totals([odds.BREAKS], []) == (14, 11)
    assert totals([odds.CHARGE], [odds.STANDS]) == (11, 13)
    assert totals([odds.CHARGE, odds.BREAKS], [odds.STANDS]) == (18, 11)
    assert totals([odds.CHARGE], [], ["ame_rl-1"], ["pla_1"]) == (4, 4)
    assert totals([odds.BREAKS], [odds.STANDS], ["ame_rl-1"], ["pla_1"]) == (4, 6)
    found = odds.battle_sum(pos, mine, theirs, "lima", (R, P), ([odds.CHARGE], [odds.CONFUSION, odds.STANDS]),
                            initiative=(3, 8))
    assert [(note["key"], note["args"]["tactics"]) for note in found.notes] == [
        ("note.tactics_attacker", ["tactic.cavalry_charge"]),
        ("note.tactics_defender", ["tactic.confusion", "tactic.infantry_stands"]),
        ("note.idle", ["tactic.cavalry_charge"])]
    drawn = odds.panel(pos, found, "battle", mine, theirs, "lima")["drawn"]
    assert [(who["side"], who["says"]["args"]["n"]) for who in drawn] == [(R, 3), (P, 8)]
    assert [[(card["label"]["key"], card["face"], card["works"]) for card in who["cards"]] for who in drawn] == [
        [("tactic.cavalry_charge", 5, False)], [("tactic.confusion", 1, False), ("tactic.infantry_stands", 2, True)]]
    shifted = odds.battle_sum(pos, mine, theirs, "lima", (R, P), ([odds.FLANK, odds.RESERVE], []))
    assert (shifted.column, shifted.die) == (3, 1)
    against = odds.battle_sum(pos, mine, theirs, "lima", (R, P), ([], [odds.FLANK, odds.RESERVE]), friction=True)
    assert (against.column, against.die) == (1, -2)


@pytest.mark.clause("6.1")
def test_odds_are_rounded_for_the_defender() -> None:
    columns = position().game.tables["battle"]["columns"]
    assert [odds.column_of(a, d, columns) for a, d in ((1, 4), (1, 3), (2, 3), (3, 2), (7, 4), (9, 5), (30, 5))] == [
        -1, 0, 1, 3, 3, 3, 7]


@pytest.mark.clause("6.1")
@pytest.mark.parametrize(("result", "lost"), [("AZ", (7, 0)), ("A2", (4, 0)), ("A1", (2, 0)), ("EX", (1, 1)),
                                              ("BB", (4, 3)), ("D1", (0, 2)), ("D2", (0, 3)), ("DZ", (0, 5))])
def test_results(result: str, lost: tuple[int, int]) -> None:
    assert odds.losses(result, 7, 5) == lost


@pytest.mark.clause("6.1")
def test_below_the_table_the_attacker_is_lost() -> None:
    game = operating(R, {"mil_royalist_inf-1": "lima", "pla_1": "lima"}, [5, 6, 1, 1, 1, 1])
    activate(game, R, "mil_royalist_inf-1")
    attack(game, R, "lima")
    choose(game, P, "stand")
    assert told(game, "battle_hopeless")
    assert game.pos.at["mil_royalist_inf-1"] == "recruits:royalist"


@pytest.mark.clause("6.1", "3.3")
def test_a_force_attacks_whole_and_sees_its_odds() -> None:
    game = operating(R, {"ame_rl-1": "lima", "ame_cu-1": "lima", "pla_1": "lima"}, [3])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    assert refused(game, R, "attack", target="lima", units=["ame_rl-1"]) == ("whole_force", "6.1")
    panel = preview(game, R, "attack", target="lima", units=["ame_cu-1", "ame_rl-1"])["effect"]
    assert (panel["attack"], panel["defense"], panel["ratio"]) == (8, 4, "2:1")
    assert panel["clears"] == {"n": 0, "of": 6}


@pytest.mark.clause("6.1", "5.1.3")
def test_a_closed_box_is_attacked_unseen() -> None:
    game = operating(R, {"ame_rl-1": "lima", "pla_1": "lima"}, [3], armies={P: {"1": "lima"}})
    activate(game, R, "ame_rl-1")
    panel = preview(game, R, "attack", target="lima", units=["ame_rl-1"])["effect"]
    assert (panel["defense"], panel["assumed"], panel["faces"]) == (None, True, [])


@pytest.mark.clause("6.1", "6.7")
def test_units_in_cities_are_no_target_of_a_field_battle() -> None:
    game = operating(R, {"ame_rl-1": "lima", "pla_1": "lima_city"}, [3])
    activate(game, R, "ame_rl-1")
    assert "attack" not in forms(game, R)
    assert "assault" in forms(game, R)


@pytest.mark.clause("6.1", "8.1")
def test_leaders_alone_are_caught_or_get_away() -> None:
    game = two([6, 1], ["ame_rl-1"], ["belgrano"])
    choose(game, P, "evade")
    assert only(game, "leader_lost")["leader"] == "belgrano"
    assert game.pos.at["belgrano"] == "out"
    choose(game, R, "stay")


@pytest.mark.clause("6.3.1", "5.1.3")
def test_the_victors_box_is_closed_again_when_he_stays_outside() -> None:
    game = two([6, 1, 1, 1, 1, 6, 2], ["ame_rl-1", "ame_cu-1"], ["mil_gran_colombia_inf-1"], "quito",
               armies={R: {"1": "quito"}})
    choose(game, P, "stand")
    opened = last(game, "battle_ended", P)
    assert len(told(game, "battle_began", P)[-1]["fragments"]["space:quito"]["units"]) == 3
    choose(game, R, "stay")
    assert opened["result"] == "result.DZ"
    (stayed,) = told(game, "stayed", P)
    assert stayed["data"] == {"at": "quito"}
    assert "units" not in stayed["fragments"]["space:quito"]
    assert "units" not in view(game, P)["space:quito"]


@pytest.mark.clause("6.3.1", "10.4")
def test_the_victor_walks_into_quito() -> None:
    """The example of 6.3.1: the militia outside the city is destroyed, area and city are royalist."""
    game = two([6, 1, 1, 1, 1, 6, 2], ["ame_rl-1", "ame_cu-1"], ["mil_gran_colombia_inf-1"], "quito")
    choose(game, P, "stand")
    assert only(game, "battle_rolled")["result"] == "result.DZ"
    assert only(game, "no_repression")["roll"] == 2
    assert options(game, R) == ["stay", "quito_city"]
    choose(game, R, "quito_city")
    assert game.pos.force["at"] == "quito_city"
    assert game.pos.units_at("quito_city", R) == ["ame_cu-1", "ame_rl-1"]


@pytest.mark.clause("10.1")
def test_the_example_of_salta() -> None:
    """The example of 10.1: with a guerrilla in Salta the royalists fight at half strength, and hunting it first gives
    them their whole strength back."""
    foot, horse, guns = ["ame_rl-1", "ame_cu-1", "ame_vdc", "ame_rl-2", "ame_cu-2", "ame_ce", "ame_f", "ame_fp"], [
        "ame_dlf-1", "ame_dlf-2", "ame_es", "ame_df"], ["ame_art-3"]
    patriots = ["pla_1", "pla_2", "pla_3", "pla_dp-1", "pla_gdr", "belgrano"]
    royalists = [*foot, *horse, *guns, "pezuela"]
    game = operating(R, {**dict.fromkeys([*royalists, *patriots], "salta"),
                         "mil_plata_inf-1": "salta"}, [3, 6], guerrillas=["mil_plata_inf-1"], turn=7)
    activate(game, R, "pezuela", *foot, *horse, *guns)
    mine = game.pos.troops(game.pos.force["units"])
    full = sum(game.pos.factor(u) for u in mine)
    panel = preview(game, R, "attack", target="salta", units=mine)["effect"]
    assert panel["attack"] == (full + 1) // 2
    assert [note["key"] for note in panel["notes"]] == ["note.halved_attacker"]
    answer(game, R, "hunt", lots={"guerrillas": ["mil_plata_inf-1"]})
    assert only(game, "hunted")["result"] == "hunt.eliminated"
    assert preview(game, R, "attack", target="salta", units=mine)["effect"]["attack"] == full
    assert last(game, "activated")["points"] == 6 + 3
