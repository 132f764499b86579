"""13.1-13.8, 13.26, 13.31, 6.4 Who may attack what, from where, how often; fog until an attack is announced."""

import pytest

from rules.core.record import free_from
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    attack,
    choose,
    ends,
    forms,
    last,
    odds,
    play,
    preview,
    refused,
    resumed,
    told,
    view,
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
    take,
)

BR = kind(A, "infantry", 24, nation="brazil")
PY = kind(P, "infantry", 12)


@pytest.mark.clause("13.1")
def test_attacks_are_voluntary_and_against_neighbours_in_the_own_phases() -> None:
    game = battle(A, {AROUND[0]: BR[:3], TARGET: PY[:1], "1439": PY[1:2]})
    assert forms(game, A)["attack"]["targets"][TARGET] == {"from": {AROUND[0]: BR[:3]}}
    assert "1439" not in forms(game, A)["attack"]["targets"]
    assert refused(game, A, "attack", target="1439", units=BR[:1]) == ("nobody_beside", "13.1")
    assert refused(game, A, "attack", target=AROUND[1], units=BR[:1]) == ("no_enemy", "13.1")
    assert "forms" not in (game.request_for(P) or {})
    ends(game, A)
    assert game.pos.stage == "allied_combat_3"
    assert not told(game, "attack_announced")


@pytest.mark.clause("13.1")
def test_with_no_enemy_next_to_any_unit_the_phases_pass_by_themselves() -> None:
    apart = play({"turn": 3, "phase": "paraguay_combat_1", "clear": True, "units": {PY[0]: "1437", BR[0]: "1440"}})
    assert apart.pos.stage == "allied_movement"
    assert [e.forced for e in apart.log if e.kind == "answer"] == [True] * 3


@pytest.mark.clause("13.2", "13.5", "13.6")
def test_in_each_phase_a_unit_attacks_once_and_a_hex_is_attacked_once() -> None:
    other = next(n for n in MAP.neighbours[AROUND[0]] if n in AROUND)
    far = next(n for n in MAP.neighbours[AROUND[0]] if n != TARGET and n not in AROUND)
    where = {AROUND[0]: BR[:12], other: BR[12:20], TARGET: PY[:12], far: kind(P, "cavalry")}
    game = battle(A, where, phase=1, dice=[9, 4, 5])
    attack(game, A, TARGET, *BR[:8])
    settle(game)
    assert game.pos.holder(TARGET) == P
    assert TARGET not in forms(game, A)["attack"]["targets"]
    assert forms(game, A)["attack"]["barred"][TARGET]["clause"] == "13.2"
    assert refused(game, A, "attack", target=TARGET, units=BR[12:13]) == ("attacked_already", "13.2")
    able = forms(game, A)["attack"]["targets"][far]["from"][AROUND[0]]
    assert set(able) == set(BR[8:12])
    tired = next(u for u in BR[:8] if game.pos.at[u] == AROUND[0])
    assert refused(game, A, "attack", target=far, units=[tired]) == ("has_attacked", "13.2")
    attack(game, A, far, *BR[8:12])  # the rest of the stack may attack another hex (13.7)
    settle(game)
    ends(game, A)
    assert game.pos.stage == "allied_combat_2"
    assert tired in forms(game, A)["attack"]["targets"][TARGET]["from"][AROUND[0]]
    attack(game, A, TARGET, tired, *BR[12:20])  # and all once more in the next phase
    settle(game)


@pytest.mark.clause("13.4")
def test_example_a_unit_in_1328_never_attacks_1428_and_1429_at_once() -> None:
    assert {"1428", "1429"} <= set(MAP.neighbours["1328"])
    game = battle(P, {"1328": PY[:2], "1428": BR[:1], "1429": BR[1:2]}, dice=[9])
    assert set(forms(game, P)["attack"]["targets"]) >= {"1428", "1429"}
    assert refused(game, P, "attack", target=["1428", "1429"], units=PY[:1])[0] == "malformed"
    attack(game, P, "1428", PY[0])
    settle(game)
    assert forms(game, P)["attack"]["targets"]["1429"]["from"] == {"1328": [PY[1]]}


@pytest.mark.clause("13.4", "13.9")
def test_a_hex_is_attacked_from_all_six_around_it_at_once() -> None:
    six = force(18, "attack", side=A, nation="brazil")[:6]
    game = battle(A, {**{h: [u] for h, u in zip(AROUND, six, strict=True)}, TARGET: PY[:6]}, dice=[4])
    attack(game, A, TARGET, *six)
    panel = fought(game)
    assert panel["attack"] == sum(GAME.units[u].attack for u in six)
    assert [side["at"] for side in panel["sides"]["attack"]] == sorted(AROUND)
    assert last(game, "attack_announced")["from"] == sorted(AROUND)


@pytest.mark.clause("13.3", "13.8")
def test_defenders_are_one_and_stay() -> None:
    game = battle(A, {AROUND[0]: BR[:6], TARGET: PY[:8]}, dice=[4])
    attack(game, A, TARGET, *BR[:6])
    assert set(last(game, "attack_announced")["defenders"]) == set(PY[:8])
    assert game.asked == (P,)
    assert list(forms(game, P)) == ["defender_losses"]  # nothing but its losses is asked of him


@pytest.mark.clause("13.6")
def test_an_attack_is_finished_before_the_next_begins() -> None:
    far = next(n for n in MAP.neighbours[AROUND[0]] if n != TARGET and n not in AROUND)
    game = battle(A, {AROUND[0]: BR[:9], TARGET: PY[:8], far: PY[8:9]}, dice=[4])
    attack(game, A, TARGET, *BR[:6])
    assert "attack" not in forms(game, A)
    settle(game)
    assert far in forms(game, A)["attack"]["targets"]


@pytest.mark.clause("13.7")
def test_part_of_a_stack_or_box_attacks() -> None:
    game = battle(A, {AROUND[0]: BR[:6], TARGET: PY[:3]}, dice=[4], boxes={A: {"1": AROUND[0]}})
    attack(game, A, TARGET, *BR[:2])
    assert fought(game)["attack"] == sum(GAME.units[u].attack for u in BR[:2])
    settle(game)
    assert set(BR[2:6]) <= set(game.pos.stack(AROUND[0]))


@pytest.mark.clause("13.31")
def test_units_of_attack_zero_neither_attack_nor_die_for_others() -> None:
    zero = [*kind(A, "supply"), *kind(A, "transport", nation="brazil")]
    game = battle(A, {"1336": [*BR[:3], zero[0]], "1236": [zero[1], *kind(A, "warship", nation="brazil")],
                      "1335": PY[:2]}, dice=[0])
    able = {u for us in forms(game, A)["attack"]["targets"]["1335"]["from"].values() for u in us}
    assert not able & set(zero)
    for unit in zero:
        assert refused(game, A, "attack", target="1335", units=[*BR[:3], unit]) == ("no_attack_factor", "13.31")
    attack(game, A, "1335", *BR[:3])
    take(game, A, "attacker_supply")
    settle(game)
    assert zero[0] in game.pos.stack("1336")
    alone = battle(A, {"1336": zero[:1], "1335": PY[:2]})
    assert "1335" not in forms(alone, A)["attack"]["targets"]


@pytest.mark.clause("13.6")
def test_an_attack_names_units_that_can() -> None:
    game = battle(A, {AROUND[0]: BR[:3], TARGET: PY[:3]})
    assert refused(game, A, "attack", target=TARGET, units=[]) == ("no_attackers", "13.6")
    assert refused(game, A, "attack", target=TARGET, units=PY[:1]) == ("not_yours", "13.1")
    assert refused(game, A, "attack", target=TARGET, units=["nobody"]) == ("malformed", "")
    assert refused(game, A, "attack", target=TARGET, units=[BR[0], BR[0]])[0] == "malformed"


@pytest.mark.clause("13.26")
def test_example_5_and_8_of_artillery_make_10() -> None:
    foot, guns = force(5, "attack", side=A, nation="brazil"), force(8, "attack", side=A, nation="brazil",
                                                                    types=("field_artillery", "siege_artillery"))
    game = battle(A, {AROUND[0]: [*foot, *guns], TARGET: PY[:3]}, dice=[4])
    panel = odds(game, A, TARGET, *foot, *guns)
    assert panel["attack"] == 10
    assert {"key": "note.artillery_cap", "args": {"n": 3}, "clause": "13.26"} in panel["notes"]
    attack(game, A, TARGET, *foot, *guns)
    assert fought(game)["attack"] == 10


@pytest.mark.clause("13.26")
def test_the_cap_counts_the_whole_attack_and_ships_are_no_artillery() -> None:
    gun = force(8, "attack", side=A, types=("field_artillery", "siege_artillery"), nation="brazil")
    ship = kind(A, "warship", nation="brazil")[0]
    foot = force(5, "attack", side=A, nation="brazil")
    own = GAME.units[ship].attack
    game = battle(A, {"1336": gun, "1436": foot, "1236": [ship], "1335": PY[:1]})
    assert odds(game, A, "1335", *gun, *foot)["attack"] == 10
    assert odds(game, A, "1335", *gun, *foot, ship)["attack"] == 5 + own + min(8, 5 + own)
    assert odds(game, A, "1335", *gun, ship)["attack"] == 2 * min(own, 8)
    assert refused(game, A, "attack", target="1335", units=gun) == ("artillery_alone", "13.26")


@pytest.mark.clause("13.26")
def test_rockets_are_artillery_and_engineers_are_not() -> None:
    game = battle(P, {AROUND[0]: ["PY-RKT-Con", "PY-ENG-S", "PY-ART-1", "PY-SGE-Sg"], TARGET: BR[:1]})
    sappers = GAME.units["PY-ENG-S"].attack
    assert odds(game, P, TARGET, "PY-RKT-Con", "PY-ENG-S", "PY-ART-1", "PY-SGE-Sg")["attack"] == 2 * sappers
    assert refused(game, P, "attack", target=TARGET, units=["PY-RKT-Con", "PY-ART-1"]) == ("artillery_alone", "13.26")


@pytest.mark.clause("6.4", "3.5")
def test_before_the_announcement_only_top_and_number_are_known_then_all_then_hidden_again() -> None:
    game = battle(A, {AROUND[0]: BR[:8], TARGET: [*PY[:3], "PY-CAV-1"]}, dice=[2])
    top = game.pos.stack(TARGET)[0]
    assert view(game, A)[f"space:{TARGET}"] == {"side": P, "control": P, "count": 4, "top": {"id": top, "badges": []}}
    shown = odds(game, A, TARGET, *BR[:8])
    assert shown["assumed"]
    assert shown["sides"]["defense"][0]["unknown"] == 3
    assert [u["id"] for u in shown["sides"]["defense"][0]["units"]] == [top]
    attack(game, A, TARGET, *BR[:8])
    for eye in (A, P, "public", "all"):
        assert set(last(game, "attack_announced", eye)["defenders"]) == set(game.pos.assailed)
    assert view(game, A)["battle"]["sides"]["defense"][0]["unknown"] == 0
    settle(game)
    assert "battle" not in view(game, A)
    if game.pos.holder(TARGET) == P:
        assert "units" not in view(game, A)[f"space:{TARGET}"]


@pytest.mark.clause("3.5", "6.4")
def test_of_a_box_only_the_number_is_known() -> None:
    game = battle(A, {AROUND[0]: BR[:8], TARGET: PY[:3]}, boxes={P: {"4": TARGET}})
    assert view(game, A)[f"space:{TARGET}"] == {"side": P, "control": P, "count": 3, "box": 4}
    assert odds(game, A, TARGET, *BR[:8])["sides"]["defense"] == [{"at": TARGET, "unknown": 3, "units": []}]


@pytest.mark.clause("6.4")
def test_an_announced_attack_is_not_taken_back() -> None:
    game = battle(A, {AROUND[0]: [*BR[:8], *kind(A, "supply")], TARGET: [*PY[:3], *kind(P, "supply")]}, dice=[4])
    attack(game, A, TARGET, *BR[:8])
    assert free_from(game.log, A, game.asked) is None
    take(game, A, "attacker_supply")
    assert free_from(game.log, A, game.asked) is None  # and he has handed over
    assert free_from(game.log, P, game.asked) is None
    take(game, P, "defender_supply")
    assert free_from(game.log, P, game.asked) is None  # the die fell
    settle(game)
    die = next(e.seq for e in game.log if e.kind == "roll")
    mine = [e.seq for e in game.log if e.seat == A and not e.forced and e.seq > die]
    assert free_from(game.log, A, game.asked) == (mine[0] if mine else None)  # his choices since the die at most
    assert free_from(game.log, P, game.asked) is None


@pytest.mark.clause("13.6", "5.1")
def test_an_attack_goes_on_after_a_reload_at_any_question() -> None:
    game = battle(A, {AROUND[0]: [*BR[:8], *kind(A, "supply")], TARGET: [*PY[:3], *kind(P, "supply")]}, dice=[3])
    attack(game, A, TARGET, *BR[:8])
    while "attack" not in forms(game, game.asked[0]) and "no_attack" not in forms(game, game.asked[0]):
        again = resumed(game)
        assert again.asked == game.asked
        assert again.request_for(game.asked[0]) == game.request_for(game.asked[0])
        assert again.views.contents == game.views.contents
        assert again.seq == game.seq
        seat = game.asked[0]
        [form] = forms(game, seat).values()
        take(game, seat, form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
    assert resumed(game).pos.state() == game.pos.state()


@pytest.mark.clause("13.6")
def test_an_unfinished_declaration_previews_nothing() -> None:
    game = battle(A, {AROUND[0]: BR[:8], TARGET: PY[:3]})
    made = preview(game, A, "attack", target=TARGET, units=[])
    assert (made["ok"], made["effect"]) == (False, {})
    choose(game, A, "no_attack")
