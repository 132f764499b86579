"""13.11-13.25 The modifiers of a combat die."""

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    answer,
    attack,
    clauses,
    last,
    lots,
    modifiers,
    odds,
    refused,
    told,
)
from tests.rules.titles.triple_alliance.ground import (
    AROUND,
    GAME,
    MAP,
    TARGET,
    battle,
    force,
    fought,
    kind,
    settle,
    side,
    take,
)

STRONG = force(18, "attack", side=A, nation="brazil")
FOE = kind(P, "infantry")
PY = kind(P, "infantry", 8)
FORTS = {"1432": ("PY-FOR-H", -4), "1433": ("PY-FOR-C", -2), "1434": ("PY-FOR-Ipr", -2), "1827": ("PY-FOR-A", -3),
         "2534": ("PY-FOR-Ipu", -2)}


@pytest.mark.clause("13.13", "13.14", "13.22")
@pytest.mark.parametrize(("terrain", "drm", "clause"), [
    ("clear", None, None), ("rough", -1, "13.14"), ("forest", -1, "13.14"), ("marsh", -1, "13.14"),
    ("river", -1, "13.22")])
@pytest.mark.parametrize("attacker", [A, P])
def test_the_ground_helps_who_defends_it(attacker: str, terrain: str, drm: int | None, clause: str | None) -> None:
    start, goal = side(terrain, start="clear")
    mine, theirs = (STRONG[:1], FOE) if attacker == A else (FOE, STRONG[:1])
    game = battle(attacker, {start: mine, goal: theirs})
    panel = odds(game, attacker, goal, *mine)
    assert modifiers(panel).get(terrain) == drm
    assert clauses(panel).get(terrain) == clause
    assert set(modifiers(panel)) & {"clear", "rough", "forest", "marsh", "river"} <= {terrain}


@pytest.mark.clause("13.15", "5.2")
@pytest.mark.parametrize(("phase", "mods"), [(1, {"first_combat_phase": 1}), (2, {}), (3, {"third_combat_phase": -1})])
@pytest.mark.parametrize("attacker", [A, P])
def test_the_phases_are_plus_one_nothing_and_minus_one(attacker: str, phase: int, mods: dict[str, int]) -> None:
    mine, theirs = (STRONG[:1], FOE) if attacker == A else (FOE, STRONG[:1])
    game = battle(attacker, {AROUND[0]: mine, TARGET: theirs}, phase=phase)
    assert modifiers(odds(game, attacker, TARGET, *mine)) == mods


def fort_attack(fort: str, *extra: str, options: dict[str, str] | None = None) -> dict[str, int | None]:
    """The modifiers of a Brazilian attack over land on a fortress that stands alone."""
    near = next(n for n in MAP.neighbours[fort] if MAP.hexes[n].terrain not in ("river",)
                and not MAP.edge("minor_river", n, fort))
    where = {near: [*STRONG, *extra], fort: [FORTS[fort][0]]}
    game = battle(A, where, options=options)
    return modifiers(odds(game, A, fort, *STRONG, *extra))


@pytest.mark.clause("13.16", "13.22")
@pytest.mark.parametrize("fort", FORTS)
def test_a_fortress_takes_off_its_own_number_instead_of_the_rivers(fort: str) -> None:
    mods = fort_attack(fort)
    assert MAP.hexes[fort].terrain == "river"
    assert mods["fortress"] == FORTS[fort][1]
    assert "river" not in mods


@pytest.mark.clause("13.16")
def test_option_angostura_takes_off_two() -> None:
    assert fort_attack("1827", options={"angostura": "minus_two"})["fortress"] == -2
    assert fort_attack("1432", options={"angostura": "minus_two"})["fortress"] == -4


@pytest.mark.clause("13.16", "13.22")
def test_where_the_fortress_has_fallen_the_river_counts_and_paraguay_always_meets_the_river() -> None:
    near = "1435"
    game = battle(A, {near: STRONG, "1434": FOE})
    assert modifiers(odds(game, A, "1434", *STRONG))["river"] == -1
    game = battle(P, {"1435": FOE, "1434": STRONG[:1]})
    mods = modifiers(odds(game, P, "1434", *FOE))
    assert mods["river"] == -1
    assert "fortress" not in mods


@pytest.mark.clause("13.17")
def test_siege_guns_and_engineers_help_once_each_against_a_fortress_only() -> None:
    guns, sappers = kind(A, "siege_artillery", 2), kind(A, "engineer", 2, nation="brazil")
    assert "siege_artillery" not in fort_attack("1434")
    assert fort_attack("1434", *guns)["siege_artillery"] == 1
    assert fort_attack("1434", *sappers)["engineers"] == 1
    both = fort_attack("1434", *guns, *sappers)
    assert (both["siege_artillery"], both["engineers"]) == (1, 1)
    assert fort_attack("1434", *kind(A, "field_artillery", nation="brazil")).keys() == fort_attack("1434").keys()
    game = battle(A, {AROUND[0]: [*STRONG, *guns, *sappers], TARGET: FOE})
    assert modifiers(odds(game, A, TARGET, *STRONG, *guns, *sappers)).keys() <= {"odds_above_6_1"}


@pytest.mark.clause("13.17", "13.18")
def test_paraguayan_siege_guns_and_sappers_have_no_such_help() -> None:
    mine = [*PY[:4], "PY-SGE-Sg", "PY-ENG-S"]
    game = battle(P, {"1435": mine, "1434": STRONG[:1]})
    assert not {"siege_artillery", "engineers"} & set(modifiers(odds(game, P, "1434", *mine)))


BR, AR, UY = kind(A, "infantry", 4, nation="brazil"), kind(A, "infantry", 4, nation="argentina"), \
    kind(A, "infantry", 4, nation="uruguay")


@pytest.mark.clause("13.19")
@pytest.mark.parametrize(("nations", "mods"), [
    ([BR], {}), ([BR, AR], {"allied_attack_two_nations": -1}), ([AR, UY], {"allied_attack_two_nations": -1}),
    ([BR, AR, UY], {"allied_attack_three_nations": -2})])
def test_allied_nations_attack_ill_together(nations: list[list[str]], mods: dict[str, int]) -> None:
    units = [us[0] for us in nations]
    for spread in (AROUND[:1] * 3, AROUND[:3]):  # from one hex or from several
        where: dict[str, list[str]] = {TARGET: FOE}
        for unit, hex_ in zip(units, spread, strict=False):
            where.setdefault(hex_, []).append(unit)
        assert modifiers(odds(battle(A, where), A, TARGET, *units)) == mods
    # those who stand by do not count
    game = battle(A, {AROUND[0]: [BR[0], AR[0], UY[0]], TARGET: FOE})
    assert modifiers(odds(game, A, TARGET, BR[0])) == {}


@pytest.mark.clause("13.19")
@pytest.mark.parametrize(("defenders", "mods"), [
    (BR[:3], {}), ([BR[0], UY[0]], {"allied_defense_two_nations": 1}),
    ([BR[0], AR[0], UY[0]], {"allied_defense_three_nations": 2}), ([BR[0], AR[0], AR[1]],
                                                                  {"allied_defense_two_nations": 1})])
def test_allied_nations_defend_ill_together(defenders: list[str], mods: dict[str, int]) -> None:
    game = battle(P, {AROUND[0]: PY, TARGET: defenders}, dice=[4])
    attack(game, P, TARGET, *PY)
    assert modifiers(fought(game)) == mods


@pytest.mark.clause("13.20")
def test_guards_alone_fight_worse_and_a_ship_is_company() -> None:
    guards = kind(A, "cavalry", 2, guard=True, nation="argentina")
    game = battle(A, {AROUND[0]: [*guards, AR[0]], TARGET: FOE})
    assert modifiers(odds(game, A, TARGET, *guards)) == {"guard_attack": -1}
    assert modifiers(odds(game, A, TARGET, *guards, AR[0])) == {}
    for defenders, mods in ((guards, {"guard_defense": 1}), ([*guards, AR[0]], {})):
        game = battle(P, {AROUND[0]: PY, TARGET: defenders}, dice=[4])
        attack(game, P, TARGET, *PY)
        assert modifiers(fought(game)) == mods
    ship = kind(A, "warship", nation="argentina")  # in 1335, defended by Guards and a ship
    assert not GAME.units["AR-SHP-GN"].guard  # the steamer of that name is none
    for defenders, guard in ((guards, 1), ([*guards, *ship], None)):
        game = battle(P, {"1336": PY, "1335": defenders}, dice=[4])
        attack(game, P, "1335", *PY)
        assert modifiers(fought(game)).get("guard_defense") == guard


@pytest.mark.clause("13.21")
def test_a_minor_river_counts_when_all_attackers_cross_it() -> None:
    goal = next(h for h in MAP.hexes if MAP.hexes[h].terrain == "clear" and MAP.hexes[h].country == "argentina"
                and 0 < sum(MAP.edge("minor_river", n, h) for n in MAP.neighbours[h]) < len(MAP.neighbours[h]))
    over = [n for n in MAP.neighbours[goal] if MAP.edge("minor_river", n, goal)]
    dry = next(n for n in MAP.neighbours[goal] if n not in over and MAP.hexes[n].terrain != "river")
    game = battle(A, {over[0]: BR[:2], dry: BR[2:3], goal: FOE})
    panel = odds(game, A, goal, *BR[:2])
    assert modifiers(panel)["minor_river"] == -1
    assert clauses(panel)["minor_river"] == "13.21"
    assert "minor_river" not in modifiers(odds(game, A, goal, *BR[:3]))
    if len(over) > 1:
        game = battle(A, {over[0]: BR[:1], over[1]: BR[1:2], goal: FOE})
        assert modifiers(odds(game, A, goal, *BR[:2]))["minor_river"] == -1


@pytest.mark.clause("13.21", "11.17")
def test_a_road_bridge_does_not_help_an_attack() -> None:
    start, goal = side(minor=True, road=True)
    game = battle(A, {start: BR[:1], goal: FOE})
    assert modifiers(odds(game, A, goal, BR[0]))["minor_river"] == -1


@pytest.mark.clause("13.23")
@pytest.mark.parametrize(("terrain", "helps"), [("clear", True), ("river", True), ("rough", False), ("forest", False),
                                                ("marsh", False)])
def test_rockets_help_in_the_open_and_on_the_river(terrain: str, helps: bool) -> None:
    start, goal = side(terrain, start="clear")
    game = battle(P, {start: [*PY, "PY-RKT-Con"], goal: BR[:1]})
    assert modifiers(odds(game, P, goal, *PY, "PY-RKT-Con")).get("congreve") == (1 if helps else None)
    assert "congreve" not in modifiers(odds(game, P, goal, *PY))


@pytest.mark.clause("13.23")
def test_rockets_help_against_a_town_on_open_ground() -> None:
    game = battle(P, {"1336": [*PY, "PY-RKT-Con"], "1337": BR[:1]})
    assert MAP.hexes["1337"].name == "Empedrado"
    assert modifiers(odds(game, P, "1337", *PY, "PY-RKT-Con"))["congreve"] == 1


@pytest.mark.clause("13.24", "7.11")
def test_supply_is_spent_by_the_attacker_first_then_by_the_defender() -> None:
    supply, theirs = kind(A, "supply", 2), kind(P, "supply", 2)
    game = battle(A, {AROUND[0]: STRONG, AROUND[1]: [BR[0], *supply], TARGET: [*FOE, *theirs]}, dice=[4])
    attackers = [*STRONG, *(u for u in BR[:1] if u not in STRONG)]
    attack(game, A, TARGET, *attackers)
    assert game.asked == (A,)
    [lot] = lots(game, A, "attacker_supply").values()
    assert (lot["min"], lot["max"], set(lot["units"])) == (0, 1, set(supply))
    assert refused(game, A, "attacker_supply", lots={"supply": supply}) == ("count", "13.24")  # more adds nothing
    take(game, A, "attacker_supply", supply[0])
    assert game.pos.at[supply[0]] == "dead:allied"
    assert game.asked == (P,)
    take(game, P, "defender_supply", theirs[1])
    panel = fought(game)
    assert (modifiers(panel)["attacker_supply"], modifiers(panel)["defender_supply"]) == (3, -3)
    assert clauses(panel)["attacker_supply"] == "13.24"
    assert panel["defense"] == sum(GAME.units[u].defense for u in [*FOE, theirs[0]])  # the spent one is off the map
    assert game.pos.at[theirs[1]] == "dead:paraguay"


@pytest.mark.clause("13.24")
def test_supply_may_be_kept_and_spends_for_the_side_alone_that_does() -> None:
    for mine, theirs, total in ((True, False, 3), (False, True, -3), (False, False, 0), (True, True, 0)):
        one, other = kind(A, "supply"), kind(P, "supply")
        six = force(6, "attack", side=A, nation="brazil")
        game = battle(A, {AROUND[0]: [*six, *one], TARGET: [*FOE, *other]}, dice=[4])
        attack(game, A, TARGET, *six)
        take(game, A, "attacker_supply", *(one if mine else []))
        take(game, P, "defender_supply", *(other if theirs else []))
        assert fought(game)["total"] == total


@pytest.mark.clause("13.24")
def test_only_supply_of_an_attacking_hex_may_be_spent_and_nobody_else_is_asked() -> None:
    supply = kind(A, "supply")
    game = battle(A, {AROUND[0]: STRONG, AROUND[1]: supply, TARGET: FOE}, dice=[4])
    attack(game, A, TARGET, *STRONG)  # all of the hex attack, so it holds no supply: everybody can see that
    assert told(game, "combat_rolled")
    game = battle(A, {AROUND[0]: STRONG, AROUND[1]: supply, TARGET: FOE}, dice=[4])
    attack(game, A, TARGET, *STRONG[1:])  # one stood by: it might be supply, so the question comes
    assert lots(game, A, "attacker_supply")["supply"]["units"] == []
    answer(game, A, "attacker_supply", lots={})
    assert told(game, "combat_rolled")


@pytest.mark.clause("13.24", "13.30")
def test_the_only_defender_spends_itself_and_leaves_the_hex_empty() -> None:
    theirs = kind(P, "supply")
    game = battle(A, {AROUND[0]: STRONG, TARGET: theirs})
    attack(game, A, TARGET, *STRONG)
    take(game, P, "defender_supply", *theirs)
    assert not told(game, "combat_rolled")  # nobody is left to fight
    take(game, A, "advance", STRONG[0])
    assert game.pos.at[STRONG[0]] == TARGET


@pytest.mark.clause("13.24", "13.19", "13.20")
def test_a_spent_supply_unit_counts_no_more_for_nations_guards_and_defence() -> None:
    guards = kind(A, "cavalry", 2, guard=True, nation="brazil")
    supply = kind(A, "supply", nation="brazil")
    for company, kept, spent in (
        (AR[:1], {"allied_defense_two_nations": 1}, {"defender_supply": -3}),
        (guards, {}, {"guard_defense": 1, "defender_supply": -3}),
    ):
        for gone, mods in (([], kept), (supply, spent)):
            game = battle(P, {AROUND[0]: PY[:2], TARGET: [*company, *supply]}, dice=[4])
            attack(game, P, TARGET, *PY[:2])
            take(game, A, "defender_supply", *gone)
            assert modifiers(fought(game)) == mods
            left = [*company, *(u for u in supply if u not in gone)]
            assert fought(game)["defense"] == sum(GAME.units[u].defense for u in left)


@pytest.mark.clause("13.25", "7.11")
def test_supply_lines_count_at_that_moment() -> None:
    far = next(h for h in MAP.hexes if MAP.hexes[h].terrain == "clear" and MAP.hexes[h].region == "chaco"
               and not any(n in GAME.links and GAME.links[n] for n in (h, *MAP.neighbours[h])))
    near = next(n for n in MAP.neighbours[far] if not any(GAME.links[m] for m in (n, *MAP.neighbours[n])))
    panel = odds(battle(A, {near: BR[:1], far: FOE}), A, far, BR[0])
    assert {k: v for k, v in modifiers(panel).items() if "line" in k} == {"attacker_no_line": -3, "defender_no_line": 3}
    assert clauses(panel)["defender_no_line"] == "13.25"


@pytest.mark.clause("13.25", "7.11")
def test_one_attacking_hex_without_a_line_is_enough() -> None:
    [linked] = [AROUND[0]]
    game = battle(A, {linked: BR[:1], TARGET: FOE})
    assert modifiers(odds(game, A, TARGET, BR[0])) == {}
    sources = GAME.tables["sources"][A]
    guards = dict(zip(sources, ([u] for u in PY[1:4]), strict=True))  # the enemy in all three supply hexes
    game = battle(A, {linked: BR[:1], TARGET: FOE, **guards})
    assert modifiers(odds(game, A, TARGET, BR[0])) == {"attacker_no_line": -3}
    goal = next(h for h, s in MAP.hexes.items() if s.terrain == "clear" and s.country == "argentina" and any(
        not any(GAME.links[m] for m in (n, *MAP.neighbours[n])) for n in MAP.neighbours[h]) and any(
        GAME.links[n] for n in MAP.neighbours[h]))
    dry = next(n for n in MAP.neighbours[goal] if not any(GAME.links[m] for m in (n, *MAP.neighbours[n])))
    wet = next(n for n in MAP.neighbours[goal] if GAME.links[n])
    game = battle(A, {dry: BR[:1], wet: BR[1:2], goal: FOE})
    assert "attacker_no_line" not in modifiers(odds(game, A, goal, BR[1]))
    assert modifiers(odds(game, A, goal, *BR[:2]))["attacker_no_line"] == -3


@pytest.mark.clause("13.11")
def test_all_that_apply_add_up() -> None:
    """Humaitá in the third phase by all three nations, over land, with siege guns, engineers and supply."""
    near = next(n for n in MAP.neighbours["1432"] if MAP.hexes[n].terrain != "river"
                and not MAP.edge("minor_river", n, "1432"))
    mine = [*BR, *AR, *UY, *kind(A, "siege_artillery"), *kind(A, "engineer", nation="brazil")]
    game = battle(A, {near: [*mine, *kind(A, "supply")], "1432": ["PY-FOR-H"]}, phase=3, dice=[4])
    attack(game, A, "1432", *mine)
    take(game, A, "attacker_supply", *kind(A, "supply"))
    panel = fought(game)
    found = {k: v for k, v in modifiers(panel).items() if "line" not in k}
    assert found == {"third_combat_phase": -1, "fortress": -4, "siege_artillery": 1, "engineers": 1,
                     "allied_attack_three_nations": -2, "attacker_supply": 3}
    assert panel["total"] == sum(v or 0 for v in modifiers(panel).values())
    cells = GAME.tables["combat_results"]["cells"][panel["column"]]
    rolled = last(game, "combat_rolled")
    assert [rolled["attacker"], rolled["defender"]] == cells[max(0, 4 + panel["total"])]
    settle(game)
