"""What a fourth reading found to be otherwise: odd answers, the words of refusals, what the enemy is told."""

import pytest

from rules.titles.chaco import displacement
from rules.titles.chaco.forecast import forecast
from tests.rules.titles.chaco.builders import (
    B,
    P,
    answer,
    bare,
    choose,
    forms,
    last,
    lots,
    options,
    play,
    position,
    preview,
    prompt,
    refused,
    told,
    until,
    view,
)
from tests.rules.titles.chaco.test_combat import SCRUB, battle, strike
from tests.rules.titles.chaco.test_politics import ARMY, politics

# 2628 and its zone: 2527 2528 2627 2629 2727 2728.
GUARD = {"BO-INF-21": "2628"}


# -- movement (6, 10) ----------------------------------------------------------------------------------------


@pytest.mark.clause("10.11", "7.3", "10.10")
def test_who_is_named_aboard_has_to_go_along() -> None:
    """A leader aboard in word alone led a stack into an enemy zone, and stayed where he was."""
    units = {"PY-TRK-1": "2726", "PY-INF-5": "2726", "PY-LDR-Estig": "2726", **GUARD}
    word = {"path": ["2726", "2727"], "aboard": {"PY-LDR-Estig": "PY-TRK-1"}}
    for phase in ("movement", "reaction"):
        game = play(bare(phase=f"{P}_{phase}", units=units))
        assert refused(game, P, "move", units=["PY-INF-5", "PY-TRK-1"], **word) == ("not_along", "10.11")


@pytest.mark.clause("6.3", "7.3")
def test_in_a_truce_too_it_is_said_that_a_leader_is_wanted() -> None:
    """Friends stand there: it is not the truce that forbids it."""
    game = play(bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2727", "PY-INF-5": "2726", **GUARD}, truce=True))
    assert refused(game, P, "move", units=["PY-INF-5"], path=["2726", "2727"]) == ("zone_needs_leader", "7.3")
    empty = play(bare(phase=f"{P}_movement", units={"PY-INF-5": "2726", **GUARD}, truce=True))
    assert refused(empty, P, "move", units=["PY-INF-5"], path=["2726", "2727"]) == ("truce", "6.3")


@pytest.mark.clause("10.2", "10.3")
@pytest.mark.parametrize("truce", [False, True])
def test_a_leader_alone_is_kept_out_by_the_enemy_and_not_for_want_of_a_leader(truce: bool) -> None:
    units = {"PY-LDR-Estig": "2726", "BO-TRK-1": "2727", **GUARD}
    game = play(bare(phase=f"{P}_movement", units=units, truce=truce))
    assert refused(game, P, "move", units=["PY-LDR-Estig"], path=["2726", "2727"]) == ("enemy_hex", "10.2")


@pytest.mark.clause("10.12")
def test_how_a_box_of_a_turn_is_entered_is_said() -> None:
    game = play(bare(phase=f"{B}_movement", units={"BO-INF-14": "3002"}))
    assert refused(game, B, "move", units=["BO-INF-14"], path=["3002", "3001", "3400"]) == ("box_of_a_turn", "10.12")
    units = {"BO-INF-14": "3001", "BO-LDR-Toro": "3001"}
    reacting = play(bare(phase=f"{B}_reaction", units=units))
    assert refused(reacting, B, "move", units=sorted(units), path=["3001", "3400"]) == ("box_of_a_turn", "10.12")


@pytest.mark.clause("10.3", "10.12")
def test_a_displaced_leader_goes_to_no_source_that_the_enemy_stands_on() -> None:
    """No combat unit is left to him."""
    at = "2727"
    sources = position(**bare(units={})).game.sources[P]
    foes = dict(zip(position().game.of(B, "infantry"), sources, strict=False))
    units = {"PY-LDR-Franco": at, "PY-LDR-Estig": at}
    one = position(**bare(units={**units, "BO-TRK-1": sources[0]}))
    assert displacement.nearest(one, P, at) == sorted(sources[1:])
    pos = position(**bare(units={**units, **foes}))
    assert displacement.nearest(pos, P, at) == sorted(pos.game.boxes[P])


# -- supply (8) ----------------------------------------------------------------------------------------------


@pytest.mark.clause("8.11", "8.12")
def test_the_forecast_assigns_no_truck_that_will_be_free() -> None:
    """Its leader has gone: at the next check it stands with a depot alone, and 1840 is too far from that on foot."""
    units = {"PY-GHQ": "2440", "PY-TRK-1": "2741", "PY-INF-5": "1840"}
    body = bare(phase=f"{P}_supply", control={"2440": P}, assigned=["PY-TRK-1"])
    assert not forecast(position(**{**body, "units": {**units, "PY-LDR-Ferna": "2741"}}), P)
    pos = position(**{**body, "units": units})
    assert list(forecast(pos, P)) == ["1840"]
    assert pos.assigned == ["PY-TRK-1"], "the forecast changes nothing"


@pytest.mark.clause("8.12", "8.13")
def test_why_a_stack_is_out_of_supply_is_not_what_was_so_before() -> None:
    units = {"PY-GHQ": "2753", "PY-INF-5": "2727"}
    game = play(bare(phase=f"{P}_supply", units=units), [6, 6])
    game.pos.hungry["2828"] = "layer.isolated"
    choose(game, P, "2753")
    until(game, "supply_points")
    assert game.pos.hungry == {"2727": "layer.far"}


# -- combat (12, 13) -----------------------------------------------------------------------------------------


@pytest.mark.clause("12.8", "7.5")
def test_a_rout_is_told_before_what_holds_it_up() -> None:
    where = position(**bare(units={})).game
    ring = [h for h in where.map.hexes if where.map.distance("2728", h) == 3]
    foot = [u for u in where.of(P, "infantry", "cavalry") if u not in SCRUB]
    game = battle(
        {**SCRUB, "BO-INF-31": "1537", **dict(zip(foot, ring, strict=False))}, [4, 1], supply={P: {"2727": 1}}
    )
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    while prompt(game, B) == "retreat":
        choose(game, B, options(game, B)[0])
    fled = [step["event"] for step in told(game) if step["event"] in ("routed", "rout_held_up")]
    assert fled == ["routed", "rout_held_up"]


@pytest.mark.clause("15.2")
@pytest.mark.parametrize(("politics", "blamed"), [("on", 1), ("off", 0)])
def test_without_political_phases_no_commander_has_to_answer(politics: str, blamed: int) -> None:
    game = battle(
        {**SCRUB, "BO-LDR-Pena": "2728"},
        [6],
        supply={P: {"2727": 1}},
        options={"politics": politics},
        commander={B: "BO-LDR-Pena"},
    )
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    assert len(told(game, "commander_blamed")) == blamed
    assert len(game.pos.shaken) == blamed


@pytest.mark.clause("12.8", "11.1")
def test_the_enemy_is_not_told_which_counter_follows_a_retreat() -> None:
    more = dict.fromkeys(("PY-INF-ITOR", "PY-INF-BOQ", "PY-INF-7"), "2727")
    units = {**SCRUB, **more, "BO-INF-14": "2728", "BO-TRK-1": "2728"}
    game = battle(units, [6, 6, 6], supply={P: {"2727": 1}}, options={"intelligence": "limited"})
    strike(game, P, "2728", "PY-CAV-AC", *more)
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    choose(game, B, "no_supply")
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-14", "BO-INF-21"]})
    asked = []
    while prompt(game, B) in ("retreat", "train"):
        seen = game.request_for(P)
        assert seen is not None
        asked.append(seen["prompt"])
        choose(game, B, options(game, B)[len(asked) % 2])
    assert [p["key"] for p in asked] == ["prompt.retreat", "prompt.retreat", "prompt.train"]
    assert asked[-1]["args"] == {"at": "2728"}
    assert game.pos.at["BO-TRK-1"] in (game.pos.at["BO-INF-21"], game.pos.at["BO-INF-14"])


@pytest.mark.clause("13.2", "11.1")
@pytest.mark.parametrize(("intelligence", "asked"), [("full", "combat"), ("limited", "barrage")])
def test_the_enemy_is_not_told_by_a_question_that_guns_are_near(intelligence: str, asked: str) -> None:
    game = battle(SCRUB, [], options={"barrage": "on", "intelligence": intelligence})
    assert prompt(game, P) == asked
    if asked == "barrage":
        assert list(forms(game, P)) == ["no_barrage"]
        choose(game, P, "no_barrage")
        assert prompt(game, P) == "combat", "nobody of the other side has a leader to fire with"


# -- engineers (14), options ---------------------------------------------------------------------------------


@pytest.mark.clause("14.6")
def test_water_that_is_found_without_a_marker_is_not_called_dry() -> None:
    units = {"PY-ENG-E1": "2726", "PY-ENG-E2": "2728", "PY-ENG-E3": "2730"}
    game = play(bare(phase=f"{P}_movement", units=units), [1, 2, 3])
    for unit in units:
        choose(game, P, f"{unit}:well")
    until(game, "politics")
    assert game.pos.wells == ["2726", "2728"]
    assert last(game, "well_spare")["at"] == "2730"
    assert not told(game, "well_dry")


@pytest.mark.clause("11.1")
def test_the_option_of_intelligence_names_the_clause_of_its_ruling() -> None:
    game = play(bare(phase=f"{P}_movement", units={}))
    rows = view(game, P)["table:options"]["rows"]
    assert [r["clause"] for r in rows if r["label"]["key"] == "option.intelligence"] == ["11.1"]


@pytest.mark.clause("10.11")
def test_a_truck_says_what_of_its_room_each_cargo_takes() -> None:
    """One combat unit or two points, and leaders and headquarters besides: the page took two of anything."""
    units = {"PY-TRK-1": "2741", "PY-INF-5": "2741", "PY-LDR-Estig": "2741", "PY-LDR-Franco": "2741", "PY-GHQ": "2741"}
    game = play(bare(phase=f"{P}_movement", units=units, supply={P: {"2741": 3}}))
    truck = next(m for m in forms(game, P)["move"]["stacks"]["2741"] if m["id"] == "PY-TRK-1")
    chiefs = dict.fromkeys(("PY-LDR-Estig", "PY-LDR-Franco", "PY-GHQ"), 0)
    assert truck["holds"] == 2
    assert truck["weighs"] == {"PY-INF-5": 2, **chiefs}
    points = sorted(u for u in truck["takes"] if u not in truck["weighs"])
    for cargo, n in (
        ([*chiefs, "PY-INF-5"], 2),
        ([*chiefs, *points[:2]], 2),
        (points, 3),
        (["PY-INF-5", points[0]], 3),
    ):
        assert sum(truck["weighs"].get(u, 1) for u in cargo) == n
        aboard = dict.fromkeys(sorted(cargo), "PY-TRK-1")
        body = {"units": sorted(["PY-TRK-1", *cargo]), "path": ["2741", "2742"], "aboard": aboard}
        assert game.pending[P].preview({"form": "move", **body})["ok"] == (n <= truck["holds"])


@pytest.mark.clause("12.12", "12.4")
@pytest.mark.parametrize(
    ("supply", "ratio", "said"),
    [
        ({}, "1:1", ["attack_unsupplied", "defense_unsupplied"]),
        ({P: {"2727": 1}}, "3:1", ["supply_in_reach", "defense_unsupplied"]),
        ({B: {"2728": 1}}, "1:2", ["supply_in_reach", "attack_unsupplied"]),
        ({P: {"2727": 1}, B: {"2728": 1}}, "1:1", ["supply_in_reach"]),
    ],
)
def test_the_odds_before_an_attack_count_the_supply_in_reach_and_no_other(
    supply: dict[str, dict[str, int]], ratio: str, said: list[str]
) -> None:
    """Both sides were shown at full strength, whether there was a point near or none on the whole map."""
    game = battle(SCRUB, [1], supply=supply)
    shown = preview(game, P, "attack", target="2728", units=["PY-CAV-AC"])["effect"]
    assert shown["ratio"] == ratio
    assert [n["key"].removeprefix("note.") for n in shown["notes"]] == said
    strike(game, P, "2728", "PY-CAV-AC")
    while prompt(game, game.asked[0]).endswith("_supply"):
        form = lots(game, game.asked[0])
        answer(game, game.asked[0], lots={hex_: lot["units"][:1] for hex_, lot in form.items()})
    assert last(game, "combat_rolled")["odds"]["ratio"] == ratio


@pytest.mark.clause("12.12", "11.1")
def test_in_limited_intelligence_the_odds_before_do_not_tell_of_the_enemys_supply() -> None:
    seen = []
    for supply in ({}, {B: {"2728": 1}}):
        game = battle(SCRUB, [], supply=supply, options={"intelligence": "limited"})
        seen.append(preview(game, P, "attack", target="2728", units=["PY-CAV-AC"])["effect"]["notes"])
    assert seen[0] == seen[1]


@pytest.mark.clause("11.1", "8.10", "8.11", "9.3")
@pytest.mark.parametrize("intelligence", ["full", "limited"])
def test_in_limited_intelligence_no_event_names_the_stacks_that_are_turned_over(intelligence: str) -> None:
    """Each named the top of every stack in which a counter was turned over: who is hungry, where wheels feed."""
    units = {"PY-GHQ": "2741", "PY-LDR-Estig": "2741", "PY-TRK-1": "2741", "PY-INF-5": "2741", "PY-INF-7": "2727",
             "PY-INF-ITOR": "2741", "PY-ENG-E1": "2727"}  # fmt: skip
    body = bare(phase=f"{P}_supply", units=units, reduced=["PY-INF-5", "PY-INF-ITOR"], replacements={P: 2})
    game = play(body, [6, 6, 3, 0, 0, 0], options={"intelligence": intelligence})
    choose(game, P, next(o["id"] for o in forms(game, P)["line"]["options"] if o["id"] == "2753"))
    until(game, "trucks")
    answer(game, P, "trucks", lots={"2741": ["PY-TRK-1"]})
    until(game, "replacements")
    answer(game, P, "replacements", lots={"replacements": ["PY-INF-5"]})
    for event in ("trucks_assigned", "supply_checked", "replaced"):
        (open_,) = told(game, event, B)
        assert "tops" not in open_["data"] or open_["data"]["tops"] == [], event
        assert ("hexes" in open_["data"]) == (intelligence == "full" and event != "supply_checked"), event
        (own,) = told(game, event, P)
        assert event == "supply_checked" or own["data"]["hexes"] == ["2741"]


@pytest.mark.clause("15.4", "15.6")
def test_a_commander_who_is_replaced_is_not_drawn_for_himself() -> None:
    """No named leader is available: one of those replaced before commands."""
    gone = ["BO-LDR-Kundt", "BO-LDR-Toro", "BO-LDR-Penar", "BO-LDR-Banzer"]
    for place in range(4):
        game = politics([4, place], units={**ARMY, **dict.fromkeys(gone, "replaced")})
        choose(game, B, "commander")
        answer(game, B, "backers", lots={})
        choose(game, B, "0")
        assert game.pos.commander[B] in gone
        assert game.pos.at["BO-LDR-Pena"] == "replaced:bolivia"


@pytest.mark.clause("8.6", "8.5")
def test_a_line_of_no_length_is_told_from_no_line() -> None:
    """Along the railway a line costs nothing."""
    game = play(bare(phase=f"{P}_supply", units={"PY-GHQ": "3447"}), [3])
    shown = []
    for _ in range(2):
        rows = view(game, P)["table:state"]["rows"]
        shown.append(next(r["value"] for r in rows if r["label"]["key"] == "state.line"))
        if game.pos.lines[P] is None:
            choose(game, P, "3447")
    assert shown == [{"key": "state.no_line", "args": {}}, 0]
