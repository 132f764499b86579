"""Melee, charges, morale, retreats (8.2-14, A8-A10): what a fourth reading of the rulebook beside the rules found."""

from typing import Any

import pytest

from rules.core.procedure import Procedure
from rules.titles.austerlitz import charge, odds, pursuit, retreat, storm
from rules.titles.austerlitz.board import Price
from rules.titles.austerlitz.morale import Trouble, lower, settle
from rules.titles.austerlitz.paths import charge_path
from rules.titles.austerlitz.position import Position
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    drive,
    field,
    last,
    mods,
    play,
    position,
    prompt,
    refused,
    request,
    ride,
    told,
)

LN, LN2, HUS, CAC = "F-1-34-Ln", "F-2-34-Ln", "F-10-Hus", "F-16-CaC"
ARKH, ARKH3, GUNS, DGN = "A-2-Arkh", "A-3-Arkh", "A-art-a-B", "A-St-P-Dgn"
DGN3, FOE = "F-15-Dgn", "A-1-7-Jgr"
HIT = "B2908"  # east of the centre
VILLAGE = "B1607"
SHAKEN, UNSTEADY, ROUT = 1, 2, 3


def of(game: Play, event: str) -> list[str]:
    """The units that an event was told of."""
    return [s["data"]["unit"] for s in told(game, event)]


def charging(units: dict[str, str], dice: list[int], **more: Any) -> Play:
    """French hussars charge eastwards from the centre."""
    game = play(
        [],
        "bagration",
        clear=True,
        units={HUS: f"{CENTRE}@E/line", **units},
        active="F-T-CR",
        phase="melee",
        leaders={"F-Treilhard": "B2611", **more.pop("leaders", {})},
        **more,
    )
    game.dice[:] = dice
    return game


def surrounded(dice: list[int], form: str = "column", **more: Any) -> Play:
    """Russians on all sides of a French battalion in a village assault it from the north-east."""
    board = position("bagration", clear=True, units={}).game.board
    others = ("A-G-Arkh", "A-G-Pskv", "A-2-Pskv", "A-3-Pskv", ARKH3)
    around = [h for h in board.touching(VILLAGE) if h != "B1606"]
    ring = {unit: f"{hex_}@N/disorder" for unit, hex_ in zip(others, around, strict=True)}
    game = play(
        [],
        "bagration",
        clear=True,
        units={ARKH: "B1606@SSW/line", LN: f"{VILLAGE}@N/{form}", **ring},
        leaders={"A-Markov": "B1605"},
        active="A-2-B",
        phase="melee",
        **more,
    )
    game.dice[:] = dice
    answer(game, A, "assault", target=VILLAGE, units=[ARKH])
    if prompt(game, A) == "support":
        answer(game, A, "support", lots={})
    choose(game, F, "hold")
    return game


# -- checks before a melee ------------------------------------------------------------------------------------


@pytest.mark.clause("8.2.1", "9.2.3")
def test_whom_anothers_retreat_takes_along_does_not_check_in_the_hex_he_left() -> None:
    game = field({LN: f"{CENTRE}@E/line", ARKH: f"{HIT}@SW/disorder", ARKH3: f"{HIT}@SW/disorder"}, phase="melee")
    game.dice[:] = [0, 7, 9]  # the attacker goes in, the first fails, the second's morale fails by it
    answer(game, F, "bayonet", target=HIT, units=[LN])
    choose(game, A, "hold")
    assert HIT not in (game.pos.at[ARKH], game.pos.at[ARKH3])
    assert of(game, "defender_checked") == [ARKH]
    assert not game.dice


@pytest.mark.clause("8.4.2", "9.2.3")
def test_so_before_a_charge() -> None:
    game = charging({ARKH: "B3008@SW/disorder", ARKH3: "B3008@SW/disorder"}, [9, 9, 0])
    answer(game, F, "charge", target="B3008", units=[HUS])
    ride(game, F)
    choose(game, A, "stand")
    assert of(game, "defender_checked") == [ARKH]


@pytest.mark.clause("8.3.1", "10.1.1")
def test_who_fails_and_cannot_get_away_fights() -> None:
    game = surrounded([0, 7, 9])
    assert last(game, "defender_checked")["over"] == 1
    assert game.pos.at[LN] == VILLAGE
    melee = last(game, "melee")
    assert (melee["loser"], melee["target"]) == ("defender", VILLAGE)


@pytest.mark.clause("8.3.1", "9.2.4", "10.1.1")
def test_who_routs_and_cannot_get_away_is_destroyed_when_it_comes_to_the_melee() -> None:
    game = surrounded([0, 9], "disorder", morale={LN: "unsteady"})
    assert last(game, "defender_checked")["over"] >= 6
    assert not game.pos.on_map(LN)
    assert game.pos.at[ARKH] == VILLAGE
    assert not told(game, "melee")


@pytest.mark.clause("6.2.3", "8.4")
def test_the_check_before_a_reaction_charge_counts_the_side_that_is_struck(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = position(
        "bagration",
        clear=True,
        units={HUS: f"{CENTRE}@E/line", ARKH: "B3008@E/line"},
        active="A-2-B",
        phase="move",
        leaders={"A-Markov": "B3005"},
    )
    seen: list[dict[str, int]] = []

    def tested(_pos: Position, _unit: str, parts: list[tuple[str, str, int]], *_more: str) -> Procedure[int]:
        seen.append({key: value for key, _clause, value in parts})
        yield from ()
        return 9

    monkeypatch.setattr(charge, "tested", tested)
    drive(charge.react(pos, [HUS], [ARKH]))
    assert seen == [{"pre.from_rear": -3, "pre.line": 1}]


# -- charges ---------------------------------------------------------------------------------------------------


def over_water(form: str, dice: list[int]) -> Play:
    """Hussars charge over a stream at a battalion beyond it."""
    horse = {HUS: f"B3104@{'NNE/line' if form == 'line' else 'N/column'}"}
    game = play(
        [],
        "bagration",
        clear=True,
        units={**horse, ARKH: "B3101@N/disorder"},
        active="F-T-CR",
        phase="melee",
        leaders={"F-Treilhard": "B3105", "A-Markov": "B3401"},
    )
    game.dice[:] = dice
    answer(game, F, "charge", target="B3101", units=[HUS])
    ride(game, F)
    return game


@pytest.mark.clause("5.1.1", "8.4.2")
def test_a_line_that_loses_its_order_on_the_way_is_out_of_its_charge() -> None:
    game = over_water("line", [9])
    assert of(game, "order_checked") == [HUS]
    assert (game.pos.form[HUS], game.pos.blown[HUS]) == ("disorder", 2)
    assert not told(game, "melee")
    assert prompt(game, A) != "charged"


@pytest.mark.clause("5.1.1", "8.4.2")
def test_a_line_that_keeps_its_order_charges_on_and_a_column_is_not_asked() -> None:
    assert prompt(over_water("line", [0]), A) == "charged"
    game = over_water("column", [])
    assert not told(game, "order_checked")
    assert prompt(game, A) == "charged"


@pytest.mark.clause("5.1.1", "8.4.2")
def test_the_panel_of_a_charge_tells_of_ground_that_asks_for_a_check_and_of_riders() -> None:
    pos = position(
        "bagration",
        clear=True,
        units={HUS: "B3104@NNE/line", ARKH: "B3101@N/disorder"},
        active="F-T-CR",
        phase="melee",
        leaders={"F-Treilhard": "B3105", "F-Murat": "B3104"},
    )
    before = dict(pos.here)
    panel = odds.of_charge(pos, [HUS], "B3101")
    notes = {n["key"]: n["args"] for n in panel["notes"]}
    assert notes["note.rough_ground"] == {"count": 1, "n": 8}
    assert notes["note.riding_along"] == {"count": 1}
    assert mods(panel)["melee.murat"] == 1
    assert pos.here == before


@pytest.mark.clause("6.2.3", "8.4.2", "11.1.1")
def test_a_broken_regiment_does_not_keep_the_other_of_its_stack_from_a_countercharge() -> None:
    two = {HUS: "B3008@W/line", "F-9-Hus": "B3008@W/line"}
    pos = position(
        "bagration",
        clear=True,
        units={"A-Tver-Dgn": f"{CENTRE}@E/line", **two},
        active="A-3-B",
        phase="melee",
        leaders={"A-Voropaitzki": "B2811"},
        lost={HUS: 3},
    )
    assert charge.eager(pos, "B3008") == ["F-9-Hus"]
    assert charge.may_counter(pos, "B3008", ["A-Tver-Dgn"])
    pos.lost["F-9-Hus"] = 3
    assert not charge.may_counter(pos, "B3008", ["A-Tver-Dgn"])


@pytest.mark.clause("6.5.6", "8.4.1")
def test_cavalry_on_two_hexes_meets_nobody_on_ground_that_it_may_not_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = position(
        "bagration", clear=True, units={CAC: f"{CENTRE}@NNE/line", ARKH: "B2808@S/column", ARKH3: "B2811@N/disorder"}
    )
    front = pos.arcs(CAC).front
    one, other = front[0], front[-1]
    pos.put(ARKH, one)
    pos.put(ARKH3, other)
    assert set(charge.met(pos, CAC, ARKH)) == {one, other}
    chargeable = pos.game.board.chargeable
    monkeypatch.setattr(pos.game.board, "chargeable", lambda a, b: b != other and chargeable(a, b))
    assert charge.met(pos, CAC, ARKH) == [one]


@pytest.mark.clause("8.4.2", "6.5.6")
def test_a_stack_that_a_charge_on_two_hexes_meets_besides_its_target_has_been_charged() -> None:
    pos = position(
        "bagration",
        clear=True,
        units={CAC: f"{CENTRE}@NNE/line", ARKH: "B4012@N/column", ARKH3: "B4010@N/column"},
        active="F-M-CR",
        phase="melee",
        leaders={"F-Milhaud": "B2612"},
    )
    front = pos.arcs(CAC).front
    pos.put(ARKH, front[0])
    pos.put(ARKH3, front[-1])
    assert pos.act is not None
    running = charge._reached(pos, [CAC], ARKH, 3)
    next(running)
    for reply in ({"form": "charged", "option": "stand"}, (0,), {"form": "return_fire", "option": "hold"}):
        running.send(reply)  # the target stands and holds its fire, then the other is asked
    assert pos.act["charged"] == [ARKH, ARKH3]


@pytest.mark.clause("8.4.2", "5.1")
def test_a_pursuit_ends_before_a_wall_or_a_castle() -> None:
    pos = position("goldbach", clear=True, units={})
    board = pos.game.board
    castle = next(h for h in sorted(board.around) if board.terrain[h] == "castle")
    near = next(h for h in board.touching(castle) if board.terrain[h] == "clear")
    assert board.price("infantry_disorder", near, castle, False) is not None
    far = next(h for h in board.touching(castle) if h != near and board.terrain[h] == "clear")
    back = next(h for h in board.touching(near) if board.terrain[h] == "clear" and h not in board.touching(castle))
    pos = position("goldbach", clear=True, units={DGN3: f"{back}@N/column", FOE: f"{far}@N/disorder"})
    pos.act = {
        "ways": {FOE: [near, castle, far]},
        "side": A,
        "pursuing": [],
        "turned": {},
        "reacted": [],
        "sides": {},
        "tried": [],
        "charging": [],
        "stuck": [],
        "leader": None,
        "answering": [],
        "returned": [],
    }
    drive(pursuit._pursue(pos, [DGN3], [(FOE, [near])], 3))
    assert pos.at[DGN3] == near


# -- advances ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.3.1", "7.1")
def test_attackers_advance_as_far_as_the_village_holds_them() -> None:
    pos = position(
        "bagration", clear=True, units={ARKH: "B1606@S/disorder", ARKH3: "B1606@S/disorder"}, lost={ARKH: 1, ARKH3: 1}
    )
    drive(storm.advance(pos, [ARKH, ARKH3], VILLAGE))
    assert (pos.at[ARKH], pos.at[ARKH3]) == (VILLAGE, "B1606")  # five and five points, the village holds eight
    pos.lost.update({ARKH: 2, ARKH3: 2})
    pos.put(ARKH, "B1606", top=True)
    drive(storm.advance(pos, [ARKH, ARKH3], VILLAGE))
    assert pos.at[ARKH3] == VILLAGE  # four and four


@pytest.mark.clause("8.4.2", "A15.2", "A15.5")
def test_no_charge_and_no_advance_goes_where_the_scenario_lets_nobody_go() -> None:
    pos = position("goldbach", clear=True, units={"A-Merv-Uhl": "C2331@N/column", "F-1-27-Leg": "C2329@S/column"})
    assert "C2330" in pos.game.board.regions["west_of_goldbach"]
    assert charge_path(pos, "A-Merv-Uhl", "F-1-27-Leg") is None
    drive(storm.advance(pos, ["A-Merv-Uhl"], "C2330"))
    assert pos.at["A-Merv-Uhl"] == "C2331"
    pos.special["released"] = ["A-AG"]
    assert charge_path(pos, "A-Merv-Uhl", "F-1-27-Leg") == [("C2330", None, 0)]
    drive(storm.advance(pos, ["A-Merv-Uhl"], "C2330"))
    assert pos.at["A-Merv-Uhl"] == "C2330"


@pytest.mark.clause("6.5", "5.1")
def test_the_second_hex_of_an_advance_comes_into_no_forbidden_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@NNE/line"})
    board = pos.game.board
    at, tail = pos.footprint(CAC)
    ahead, aside = board.around[at][0], board.around[tail][0]
    assert ahead is not None
    price = board.price
    monkeypatch.setattr(board, "price", lambda column, a, b, road: None if b == aside else price(column, a, b, road))
    storm.step_into(pos, CAC, at, ahead, 0)
    assert pos.footprint(CAC) == (ahead, at)
    assert pos.form[CAC] == "disorder"


@pytest.mark.clause("6.5.3", "10.1")
def test_a_retreat_whose_second_hex_comes_into_rough_ground_is_disordered(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@NNE/line"})
    board, tail = pos.game.board, pos.tail[CAC]
    away, behind = board.around[CENTRE][3], board.around[tail][3]
    assert away is not None
    price = board.price
    monkeypatch.setattr(
        board, "price", lambda column, a, b, road: Price(6, disorder=True) if b == behind else price(column, a, b, road)
    )
    retreat._shift(pos, [CAC], away, 3)
    assert (pos.at[CAC], pos.form[CAC]) == (away, "disorder")


# -- what is told ------------------------------------------------------------------------------------------------


@pytest.mark.clause("9.2.3", "9.2.4")
@pytest.mark.parametrize(("levels", "clause"), [(2, "9.2.3"), (3, "9.2.4")])
def test_checks_of_a_chain_are_told_with_the_clause_that_asks_for_them(levels: int, clause: str) -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", LN2: "B2808@E/line"})
    trouble = Trouble((HIT,))
    drive(lower(pos, LN, levels, trouble))
    asked = next(settle(pos, trouble))
    assert (getattr(asked, "why", ""), getattr(asked, "clause", "")) == (f"morale of {LN2}", clause)


@pytest.mark.clause("8.2.1", "8.3.1", "8.4.2")
def test_each_kind_of_attack_is_asked_about_with_its_own_clause() -> None:
    two = {ARKH: "B1606@SSW/line", ARKH3: "B1606@SSW/line", LN: f"{VILLAGE}@N/column"}
    game = play(
        [0],
        "bagration",
        clear=True,
        units=two,
        lost={ARKH: 2, ARKH3: 2},
        leaders={"A-Markov": "B1605"},
        active="A-2-B",
        phase="melee",
    )
    assert refused(game, A, "assault", target=VILLAGE, units=[ARKH]) == ("one_stack", "8.3.1")
    answer(game, A, "assault", target=VILLAGE, units=[ARKH, ARKH3])
    assert (prompt(game, F), request(game, F)["clause"]) == ("answer_attack", "8.3.1")
    charge_ = charging({"F-9-Hus": f"{CENTRE}@E/line", ARKH: "B3008@W/line"}, [], lost={HUS: 2, "F-9-Hus": 2})
    assert refused(charge_, F, "charge", target="B3008", units=[HUS]) == ("one_stack", "8.4.2")


@pytest.mark.clause("8.5.1", "11.1")
def test_the_panel_of_a_fire_reckons_with_the_breakpoint_that_it_brings() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line"}, lost={ARKH: 3})
    state = (dict(pos.lost), dict(pos.morale))
    sound = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line"}, lost={ARKH: 2})
    falls = [
        next(n["args"]["n"] for n in odds.of_fire(p, LN, ARKH)["notes"] if n["key"] == "note.falls")
        for p in (pos, sound)
    ]
    assert falls[0] > falls[1]  # who loses the fourth of six is broken and shaken
    assert (pos.lost, pos.morale) == state
