"""13.18, 12.7 Run the Guns: ships that attack a fortress."""

import pytest

from rules.titles.triple_alliance.tables import guns
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    attack,
    ends,
    forms,
    last,
    lots,
    modifiers,
    refused,
    told,
)
from tests.rules.titles.triple_alliance.ground import GAME, MAP, battle, force, fought, kind, settle, take

SHIPS = kind(A, "warship", 5, nation="brazil")
LAND = kind(A, "infantry", 4, nation="brazil")
BANK = next(n for n in MAP.neighbours["1827"] if MAP.hexes[n].terrain != "river" and MAP.hexes[n].country != "argentina"
            and not MAP.edge("minor_river", n, "1827"))


@pytest.mark.clause("13.18", "12.7")
def test_example_three_ships_and_four_land_units_at_angostura() -> None:
    game = battle(A, {"1727": SHIPS[:3], BANK: LAND, "1827": ["PY-FOR-A"]}, dice=[4, 4])
    attack(game, A, "1827", *SHIPS[:3], *LAND)
    fired = last(game, "guns_fired")
    assert (fired["roll"], fired["loss"], fired["count"]) == (4, 1, 3)
    assert not told(game, "combat_rolled")  # the odds come after the loss
    [lot] = lots(game, A, "guns_losses").values()
    assert (lot["min"], lot["max"], set(lot["units"])) == (1, 1, set(SHIPS[:3]))
    assert refused(game, A, "guns_losses", lots={"ships": LAND[:1]}) == ("not_of_the_lot", "13.18")
    take(game, A, "guns_losses", SHIPS[1])
    panel = fought(game)
    left = [SHIPS[0], SHIPS[2], *LAND]
    assert {u["id"] for row in panel["sides"]["attack"] for u in row["units"]} == set(left)
    assert panel["attack"] == sum(GAME.units[u].attack for u in left)
    assert modifiers(panel)["fortress"] == -3
    assert game.pos.at[SHIPS[1]] == "dead:allied"


@pytest.mark.clause("13.18")
def test_the_table_sinks_what_it_says_and_land_never_makes_up_for_missing_ships() -> None:
    assert guns(GAME, 4) == 1
    worst = max(range(10), key=lambda n: guns(GAME, n))
    assert guns(GAME, worst) > 2
    game = battle(A, {"1727": SHIPS[:2], BANK: LAND, "1827": ["PY-FOR-A"]}, dice=[worst, 4])
    attack(game, A, "1827", *SHIPS[:2], *LAND)
    assert last(game, "ships_sunk")["count"] == 2  # all: nobody need be asked
    assert fought(game)["attack"] == sum(GAME.units[u].attack for u in LAND)
    calm = next(n for n in range(10) if guns(GAME, n) == 0)
    game = battle(A, {"1727": SHIPS[:2], "1827": ["PY-FOR-A"]}, dice=[calm, 4])
    attack(game, A, "1827", *SHIPS[:2])
    assert not told(game, "ships_sunk")
    assert fought(game)["attack"] == sum(GAME.units[u].attack for u in SHIPS[:2])


@pytest.mark.clause("13.18", "13.26")
def test_with_no_ship_left_the_rest_fights_or_there_is_no_attack() -> None:
    worst = max(range(10), key=lambda n: guns(GAME, n))
    gun, supply = kind(A, "field_artillery", nation="brazil"), kind(A, "supply", nation="brazil")
    for others in ([], gun):  # guns have nobody to go with any more
        game = battle(A, {"1727": SHIPS[:1], BANK: [*others, *supply], "1827": ["PY-FOR-A"]}, dice=[worst])
        attack(game, A, "1827", *SHIPS[:1], *others)
        assert last(game, "attack_called_off")["at"] == "1827"
        assert all(game.pos.at[u] == BANK for u in [*others, *supply])  # nothing is spent
        assert set(others) <= set(game.pos.fought)  # it was their attack of this phase
        assert "1827" not in forms(game, A).get("attack", {"targets": {}})["targets"]  # it was attacked


@pytest.mark.clause("13.18", "13.26")
def test_the_artillery_cap_counts_the_ships_that_are_left() -> None:
    game = battle(A, {"1727": SHIPS[:2], BANK: [*LAND[:1], *force(9, "attack", side=A, nation="brazil",
                  types=("field_artillery", "siege_artillery"))], "1827": ["PY-FOR-A"]}, dice=[4, 4])
    artillery = [u for u in game.pos.stack(BANK) if GAME.units[u].artillery]
    attack(game, A, "1827", *SHIPS[:2], LAND[0], *artillery)
    take(game, A, "guns_losses", SHIPS[0])
    others = GAME.units[SHIPS[1]].attack + GAME.units[LAND[0]].attack
    assert fought(game)["attack"] == others + min(9, others)


@pytest.mark.clause("13.18", "13.16")
def test_ships_beside_a_fortress_share_its_defence_and_its_losses() -> None:
    """Ships that attack are lost to the guns; those that defend are combat losses, as their owner says."""
    calm = next(n for n in range(10) if guns(GAME, n) == 0)
    theirs = kind(P, "warship", 2)
    game = battle(A, {"1727": SHIPS[:2], BANK: LAND, "1827": ["PY-FOR-A", *theirs]}, dice=[calm, 4])
    attack(game, A, "1827", *SHIPS[:2], *LAND)
    assert modifiers(fought(game))["fortress"] == -3
    assert fought(game)["defense"] == sum(GAME.units[u].defense for u in ["PY-FOR-A", *theirs])
    [lot] = lots(game, P, "defender_losses").values()
    assert set(lot["units"]) == {"PY-FOR-A", *theirs}


@pytest.mark.clause("13.18", "13.19")
def test_a_nation_whose_ships_are_all_sunk_does_not_count() -> None:
    mixed = [*SHIPS[:1], *kind(A, "warship", nation="argentina")]
    game = battle(A, {"1727": mixed, BANK: LAND, "1827": ["PY-FOR-A"]}, dice=[4, 4])
    attack(game, A, "1827", *mixed, *LAND)
    take(game, A, "guns_losses", mixed[1])
    assert "allied_attack_two_nations" not in modifiers(fought(game))


@pytest.mark.clause("13.18")
def test_every_attack_with_ships_rolls_anew_and_only_those() -> None:
    game = battle(A, {"1727": SHIPS[:4], BANK: LAND, "1827": ["PY-FOR-A", *kind(P, "infantry", 5)]}, phase=1,
                  dice=[0, 9, 0])
    attack(game, A, "1827", *SHIPS[:3], *LAND)
    n = last(game, "combat_rolled")["defender"]
    take(game, P, "defender_losses", *kind(P, "infantry", n))  # the fortress stands
    settle(game)
    ends(game, A)
    attack(game, A, "1827", SHIPS[3])
    settle(game)
    assert [step["data"]["count"] for step in told(game, "guns_fired")] == [3, 1]
    game = battle(A, {"1727": SHIPS[:3], BANK: LAND, "1827": ["PY-FOR-A"]}, dice=[4])
    attack(game, A, "1827", *LAND)
    assert not told(game, "guns_fired")
    game = battle(A, {"1236": SHIPS[:3], "1335": kind(P, "infantry")}, dice=[4])  # no fortress there
    attack(game, A, "1335", *SHIPS[:3])
    assert not told(game, "guns_fired")


@pytest.mark.clause("13.18")
def test_where_the_fortress_has_fallen_the_guns_are_silent() -> None:
    game = battle(A, {"1334": SHIPS[:3], "1434": kind(P, "infantry", 2)}, dice=[4])
    attack(game, A, "1434", *SHIPS[:3])
    assert not told(game, "guns_fired")
    assert modifiers(fought(game))["river"] == -1
