"""13.9-13.12, 13.28, 13.29 Odds, the table and its results."""

import pytest

from rules.titles.triple_alliance.tables import Odds, attrition_loss, combat_result, odds
from tests.rules.titles.triple_alliance.builders import A, P, attack, last, lots, modifiers, refused, told, view
from tests.rules.titles.triple_alliance.builders import odds as seen
from tests.rules.titles.triple_alliance.ground import AROUND, GAME, TARGET, battle, force, fought, kind, settle, take

ALL_ARMS = ("infantry", "cavalry")


@pytest.mark.clause("13.9")
def test_example_26_against_7_is_3_to_1() -> None:
    attackers, defenders = force(26, "attack", side=A, nation="brazil"), force(7, "defense", side=P)
    game = battle(A, {AROUND[0]: attackers, TARGET: defenders}, dice=[4])
    attack(game, A, TARGET, *attackers)
    panel = fought(game)
    assert (panel["attack"], panel["defense"], panel["ratio"], panel["column"]) == (26, 7, "3:1", "3:1")
    assert panel["total"] == 0


@pytest.mark.clause("13.10")
def test_example_5_against_11_is_1_to_3() -> None:
    attackers, defenders = force(5, "attack", side=A, nation="brazil"), force(11, "defense", side=P)
    game = battle(A, {AROUND[0]: attackers, TARGET: defenders}, dice=[4])
    attack(game, A, TARGET, *attackers)
    panel = fought(game)
    assert (panel["attack"], panel["defense"], panel["ratio"], panel["column"]) == (5, 11, "1:3", "1:3")


@pytest.mark.clause("13.12")
def test_example_9_to_1_is_6_to_1_with_three_more() -> None:
    attackers, defenders = force(18, "attack", side=A, nation="brazil"), force(2, "defense", side=P)
    game = battle(A, {AROUND[0]: attackers, TARGET: defenders}, dice=[2])
    attack(game, A, TARGET, *attackers)
    panel = fought(game)
    assert (panel["ratio"], panel["column"], panel["total"]) == ("9:1", "6:1", 3)
    assert modifiers(panel) == {"odds_above_6_1": 3}
    cells = GAME.tables["combat_results"]["cells"]["6:1"]
    assert [last(game, "combat_rolled")[who] for who in ("attacker", "defender")] == cells[2 + 3]


@pytest.mark.clause("13.28", "13.29")
def test_example_an_unmodified_5_at_6_to_1_is_1_and_11() -> None:
    defenders = kind(P, "cavalry", 14)[2:]
    total = sum(GAME.units[u].defense for u in defenders)
    attackers = force(6 * total, "attack", side=A, types=ALL_ARMS, nation="brazil")
    half = len(attackers) // 2
    game = battle(A, {AROUND[0]: attackers[:half], AROUND[3]: attackers[half:], TARGET: defenders}, dice=[5])
    attack(game, A, TARGET, *attackers)
    panel = fought(game)
    assert (panel["ratio"], panel["total"], panel["modifiers"]) == ("6:1", 0, [])
    rolled = last(game, "combat_rolled")
    assert (rolled["roll"], rolled["attacker"], rolled["defender"]) == (5, 1, 11)
    [lot] = lots(game, P, "defender_losses").values()  # the defender first, of his own choice
    assert (lot["min"], lot["max"], len(lot["units"])) == (11, 11, 12)
    take(game, P, "defender_losses", *defenders[1:])
    [lot] = lots(game, A, "attacker_losses").values()
    assert (lot["min"], lot["max"], set(lot["units"])) == (1, 1, set(attackers))
    take(game, A, "attacker_losses", attackers[3])
    assert game.pos.stack(TARGET) == [defenders[0]]
    assert game.pos.at[attackers[3]] == "dead:allied"


@pytest.mark.clause("13.9", "13.10", "13.12")
@pytest.mark.parametrize(("strength", "defense", "wanted"), [
    (7, 7, Odds("1:1", "1:1", 0)), (13, 7, Odds("1:1", "1:1", 0)), (14, 7, Odds("2:1", "2:1", 0)),
    (41, 7, Odds("5:1", "5:1", 0)), (42, 7, Odds("6:1", "6:1", 0)), (48, 7, Odds("6:1", "6:1", 0)),
    (49, 7, Odds("6:1", "7:1", 1)), (99, 1, Odds("6:1", "99:1", 93)),
    (6, 7, Odds("1:2", "1:2", 0)), (1, 2, Odds("1:2", "1:2", 0)), (5, 11, Odds("1:3", "1:3", 0)),
    (3, 9, Odds("1:3", "1:3", 0)), (3, 10, Odds(None, "1:4", 0)), (1, 4, Odds(None, "1:4", 0)),
])
def test_high_odds_round_down_and_low_odds_up(strength: int, defense: int, wanted: Odds) -> None:
    assert odds(strength, defense) == wanted


@pytest.mark.clause("13.12")
def test_under_1_to_3_the_attackers_are_gone_without_a_die() -> None:
    attackers, idle, defenders = force(3, "attack", side=A), kind(A, "supply"), force(10, "defense", side=P)
    game = battle(A, {AROUND[0]: [*attackers, *idle], TARGET: defenders})
    attack(game, A, TARGET, *attackers)
    take(game, A, "attacker_supply")
    assert last(game, "attack_shattered")["odds"]["ratio"] == "1:4"
    assert {game.pos.at[u] for u in attackers} == {"dead:allied"}
    assert game.pos.stack(AROUND[0]) == idle  # who stood by is not touched
    assert len(game.pos.stack(TARGET)) == len(defenders)
    assert not told(game, "combat_rolled")


@pytest.mark.clause("13.12", "13.28")
def test_rolls_beyond_the_rows_use_the_end_rows() -> None:
    cells = GAME.tables["combat_results"]["cells"]
    for column in cells:
        assert combat_result(GAME, column, -5) == tuple(cells[column][0])
        assert combat_result(GAME, column, 40) == tuple(cells[column][14])
    assert attrition_loss(GAME, 17, 5) == 7


@pytest.mark.clause("13.28")
@pytest.mark.parametrize("roll", [0, 5, 9])
def test_the_panel_shows_what_every_face_will_do(roll: int) -> None:
    attackers, defenders = force(12, "attack", side=A, nation="brazil"), kind(P, "infantry")
    game = battle(A, {AROUND[0]: attackers, TARGET: defenders}, dice=[roll])
    before = seen(game, A, TARGET, *attackers)
    assert not before["assumed"]
    attack(game, A, TARGET, *attackers)
    face, rolled = before["faces"][roll], last(game, "combat_rolled")
    assert face["row"] == max(0, min(14, roll + before["total"]))
    assert face["defender"] == min(rolled["defender"], 1)
    assert face["attacker"] == min(rolled["attacker"], len(attackers))
    settle(game)
    assert face["clears"] == (game.pos.holder(TARGET) is None)


@pytest.mark.clause("13.29")
def test_losses_beyond_the_stack_are_not_made_up() -> None:
    attackers, defenders = force(18, "attack", side=A, nation="brazil"), kind(P, "infantry")
    game = battle(A, {AROUND[0]: [*attackers, "BR-CAV-1"], TARGET: defenders}, dice=[9])
    attack(game, A, TARGET, *attackers)
    assert last(game, "combat_rolled")["defender"] > 1
    assert last(game, "combat_lost")["units"] == defenders  # given without asking: everybody can see it
    assert [e.forced for e in game.log if e.seat == P] == [True]
    few = kind(A, "infantry", 2, nation="brazil")
    game = battle(A, {AROUND[0]: [*few, "BR-CAV-1"], TARGET: force(16, "defense", side=P)}, dice=[0])
    attack(game, A, TARGET, *few)
    assert last(game, "combat_rolled")["attacker"] > 2
    settle(game)
    assert {game.pos.at[u] for u in few} == {"dead:allied"}
    assert game.pos.at["BR-CAV-1"] == AROUND[0]


@pytest.mark.clause("13.29")
def test_each_side_picks_its_own_and_only_of_the_battle() -> None:
    attackers, defenders = force(24, "attack", side=A, nation="brazil"), force(22, "defense", side=P)
    game = battle(A, {AROUND[0]: [*attackers, "BR-CAV-1"], TARGET: defenders, AROUND[2]: ["PY-CAV-1"]}, dice=[3])
    attack(game, A, TARGET, *attackers)
    assert game.asked == (P,)
    n = last(game, "combat_rolled")["defender"]
    assert refused(game, P, "defender_losses", lots={"losses": defenders[: n + 1]}) == ("count", "13.29")
    assert refused(game, P, "defender_losses", lots={}) == ("count", "13.29")
    assert refused(game, P, "defender_losses", lots={"losses": [*defenders[1:n], "PY-CAV-1"]}) \
        == ("not_of_the_lot", "13.29")
    take(game, P, "defender_losses", *defenders[-n:])
    assert game.asked == (A,)
    n = last(game, "combat_rolled")["attacker"]
    assert refused(game, A, "attacker_losses", lots={"losses": [*attackers[1:n], "BR-CAV-1"]}) \
        == ("not_of_the_lot", "13.29")
    take(game, A, "attacker_losses", *attackers[:n])
    assert len(view(game, P)["table:losses_allied"]["rows"]) == 3


@pytest.mark.clause("13.3", "13.5")
def test_a_hex_defends_whole_and_units_count_whole() -> None:
    attackers = force(20, "attack", side=A, nation="brazil")
    defenders = [*kind(P, "infantry", 3), *kind(P, "cavalry", 2)]
    game = battle(A, {AROUND[0]: attackers, TARGET: [*defenders, "PY-SUP-Sup-1"]}, dice=[4])
    attack(game, A, TARGET, *attackers)
    take(game, P, "defender_supply")
    panel = fought(game)
    assert panel["defense"] == sum(GAME.units[u].defense for u in [*defenders, "PY-SUP-Sup-1"])
    assert panel["attack"] == sum(GAME.units[u].attack for u in attackers)
