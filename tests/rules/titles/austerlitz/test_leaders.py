"""8.5.5 Leaders in combat: who is left alone, and who goes along."""

from typing import Any

import pytest

from rules.core.errors import Malformed
from rules.core.procedure import Procedure
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.leaders import unaccompanied
from rules.titles.austerlitz.orders import lone_leaders, riders
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    last,
    lots,
    march,
    mods,
    options,
    play,
    position,
    prompt,
    ride,
    told,
)

LN, LN2, ARKH, HUS = "F-1-34-Ln", "F-2-34-Ln", "A-2-Arkh", "F-10-Hus"


def overrun(more: dict[str, str]) -> Play:
    """Markov's battalion walks into the hex where Suchet stands alone, two hexes from his own."""
    game = field({ARKH: "B2808@S/column", LN: "B2610@N/column", **more}, side=A,
                 leaders={"A-Markov": "B2805", "F-Suchet": CENTRE})
    march(game, A, ARKH, "B2808@S/column", "B2809@S/column")
    if prompt(game, F) == "reaction":
        choose(game, F, "none")
    return game


@pytest.mark.clause("8.5.5", "6.2.7")
def test_of_several_nearest_troops_a_leader_joins_those_his_player_names() -> None:
    game = overrun({LN2: "B3010@N/column", "A-2-Pskv": "B3308@S/column"})
    assert prompt(game, F) == "leader_alone"
    assert options(game, F) == ["B2610", "B3010"]              # farthest from enemies first
    assert game.pos.leaders["F-Suchet"] == CENTRE               # nothing is decided yet
    with pytest.raises(Malformed):
        choose(game, F, "B2810")
    choose(game, F, "B3010")
    assert game.pos.leaders["F-Suchet"] == "B3010"
    assert last(game, "leader_joined")["at"] == "B3010"


@pytest.mark.clause("8.5.5")
def test_nobody_is_asked_where_one_hex_is_nearest() -> None:
    assert overrun({LN2: "B2610@N/column"}).pos.leaders["F-Suchet"] == "B2610"       # two battalions of one hex
    assert overrun({LN2: "B3011@N/column"}).pos.leaders["F-Suchet"] == "B2610"       # one of them is farther
    assert not told(overrun({LN2: "B3011@N/column"}), "leader_alone")


def asked(running: Procedure[Any]) -> Any:
    """The first question of a procedure; None if it asks nothing."""
    return next(running, None)


@pytest.mark.clause("8.5.5", "6.5")
def test_either_hex_of_a_counter_on_two_holds_it() -> None:
    pos = position(clear=True, units={"F-16-CaC": "B2609@N/column"}, leaders={"F-Milhaud": "B2612"})
    assert pos.footprint("F-16-CaC") == ("B2609", "B2610")
    assert asked(unaccompanied(pos, ["B2612"])) is None
    assert pos.leaders["F-Milhaud"] == "B2610"


@pytest.mark.clause("8.5.5")
def test_standing_orders_for_leaders() -> None:
    """Left alone he joins the troops that are offered first; with a charge they go or stay."""
    pos = position(clear=True, units={LN: "B2810@N/column", LN2: "B2808@N/column", ARKH: "B2805@S/column"},
                   leaders={"F-Suchet": CENTRE})
    request = asked(unaccompanied(pos, [CENTRE]))
    assert lone_leaders(None, {}, request, {}) == {"form": "leader_alone", "option": "B2810"}
    game = charging({"F-Murat": CENTRE})
    request = game.pending[F]
    assert riders(None, {}, request, {"ride": "go"}) == {"form": "ride_along", "lots": {"ride_along": ["F-Murat"]}}
    assert riders(None, {}, request, {"ride": "stay"}) == {"form": "ride_along", "lots": {}}


def charging(leaders: dict[str, str], form: str = "column") -> Play:
    """Hussars charge a battalion two hexes off."""
    game = play([], clear=True, units={HUS: f"{CENTRE}@E/line", ARKH: f"B3008@SW/{form}"},
                leaders={"F-Treilhard": "B2709", **leaders}, active="F-T-CR", phase="melee")
    answer(game, F, "charge", target="B3008", units=[HUS])
    return game


@pytest.mark.clause("8.5.5", "A4.4.2", "8.4.2")
def test_murat_rides_along_and_makes_the_charge_heavier() -> None:
    game = charging({"F-Murat": CENTRE}, "disorder")
    assert prompt(game, F) == "ride_along"
    assert list(lots(game, F)["ride_along"]["units"]) == ["F-Murat"]
    answer(game, F, "ride_along", lots={"ride_along": ["F-Murat"]})
    ride(game, F, CENTRE, "B2908")
    assert game.pos.leaders["F-Murat"] == game.pos.at[HUS] != CENTRE
    game.dice[:] = [9, 0]
    choose(game, A, "stand")                                    # it runs before the melee
    assert game.pos.leaders["F-Murat"] == game.pos.at[HUS]
    assert "pursuit.stacked_with_murat" in mods(last(game, "pursuit_tried"))


@pytest.mark.clause("8.5.5")
def test_who_does_not_ride_along_joins_the_nearest_when_the_charge_is_over() -> None:
    game = charging({"F-Murat": CENTRE})
    answer(game, F, "ride_along", lots={})
    ride(game, F, CENTRE, "B2908")
    assert game.pos.leaders["F-Murat"] == CENTRE
    game.dice[:] = [0, 0]
    choose(game, A, "square")
    choose(game, A, "hold")
    assert last(game, "melee")
    assert "melee.murat" not in mods(last(game, "melee"))
    assert last(game, "leader_joined")["leader"] == "F-Murat"


@pytest.mark.clause("8.5.5", "8.3.1")
def test_a_leader_whose_troops_advance_after_an_assault_joins_them() -> None:
    """The routed battalion in a village is destroyed, the attackers go in."""
    pos = position(clear=True)
    village = next(h for h, t in pos.game.board.terrain.items() if t == "village" and h in pos.game.area)
    board = pos.game.board
    start = next(h for h in board.touching(village) if board.terrain[h] == "clear" and board.defensive(h, village))
    facing = FACINGS[2 * board.side_to(start, village)]
    game = play([], clear=True, units={LN: f"{start}@{facing}/column", ARKH: f"{village}@N/disorder"},
                morale={ARKH: "rout"}, leaders={"F-Suchet": start}, active="F-3-V", phase="melee")
    answer(game, F, "assault", target=village, units=[LN])
    assert game.pos.at[LN] == village
    assert game.pos.leaders["F-Suchet"] == village
