"""8.4.2 no. 2, 3 The way of a charge is its player's, and how it faces at the end."""

import pytest

from rules.bots.austerlitz.fight import charge_facing, charge_way
from rules.bots.austerlitz.sight import Sight
from rules.core.errors import Refusal
from rules.titles.austerlitz import course
from rules.titles.austerlitz.fire import aspect
from rules.titles.austerlitz.paths import charge_path, charge_ways, most_steps
from tests.rules.building import view
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    forms,
    last,
    march,
    mods,
    options,
    play,
    position,
    preview,
    prompt,
    refused,
    ride,
    told,
)

HUS, ARKH, ARKH3, LN, LN2, LEG = "F-10-Hus", "A-2-Arkh", "A-3-Arkh", "F-1-34-Ln", "F-2-34-Ln", "F-2-17-Leg"
GUNS, NASSAU = "A-art-a-B", "A-Nssau-Cu"
STRAIGHT, ROUND = [CENTRE, "B2908"], [CENTRE, "B2909", "B3009"]


def charging(units: dict[str, str], dice: list[int] | None = None, at: str = "E/line") -> Play:
    """French hussars are to charge B3008 from the centre."""
    game = play(
        [],
        "bagration",
        clear=True,
        units={HUS: f"{CENTRE}@{at}", **units},
        active="F-T-CR",
        phase="melee",
        leaders={"F-Treilhard": "B2611"},
    )
    game.dice[:] = dice or []
    answer(game, F, "charge", target="B3008", units=[HUS])
    return game


@pytest.mark.clause("8.4.2", "8.4.1", "A8.1.1")
def test_the_player_of_a_charge_says_by_which_hexes_it_goes() -> None:
    game = charging({ARKH: "B3008@SW/column"}, [0, 9, 9])
    asked = forms(game, F)["charge_way"]
    assert (prompt(game, F), prompt(game, A)) == ("charge_way", "")
    assert (asked["starts"], asked["goals"], asked["suggested"]) == ([CENTRE], ["B2908", "B3009"], ROUND)
    assert not told(game, "charged_on")
    answer(game, F, "charge_way", path=ROUND)
    assert [step["data"]["at"] for step in told(game, "charged_on")] == ROUND[1:]
    choose(game, A, "stand")
    assert mods(last(game, "defender_checked"))["pre.from_flank"] == 1
    choose(game, A, "hold")
    assert mods(last(game, "melee"))["melee.flank"] > 0


@pytest.mark.clause("8.4.2")
def test_a_way_stops_where_the_target_can_be_struck_and_turns_by_one_side_a_hex() -> None:
    game = charging({ARKH: "B3008@SW/column"})
    assert refused(game, F, "charge_way", path=[CENTRE, "B2909"]) == ("not_to_there", "8.4.2")
    assert refused(game, F, "charge_way", path=[CENTRE, "B2908", "B3009"]) == ("no_way", "8.4.2")
    assert preview(game, F, "charge_way", path=STRAIGHT)["ok"]
    pos = position("bagration", clear=True, units={HUS: "B2810@NNE/line", ARKH: "B2807@S/square"})
    ways = charge_ways(pos, HUS, ARKH, 3)
    for way, rides in ways.items():
        assert len(way) <= 1 + most_steps(pos) == 4
        assert not any(way != other and way == other[: len(way)] for other in ways)
        for one in rides:
            turns = [(b[2] - a[2]) % 12 for a, b in zip([(None, None, 1), *one], one, strict=False)]
            assert set(turns) <= {0, 2, 10}
    assert next(iter(ways))[1:] == tuple(spot[0] for spot in charge_path(pos, HUS, ARKH) or ())


@pytest.mark.clause("8.4.2")
def test_hexes_that_fit_no_one_way_are_refused_with_the_reason() -> None:
    """Each step is a part of some way, but the whole is longer than a charge."""
    pos = position("bagration", clear=True, units={HUS: "B2810@NNE/line", ARKH: "B2807@S/square"})
    ways = charge_ways(pos, HUS, ARKH, 3)
    form = course._form(ways, next(iter(ways)), "8.4.2")
    with pytest.raises(Refusal) as caught:
        form.check({"path": ["B2810", "B2909", "B2809", "B2708", "B2707"]})
    assert caught.value.key == "refusal.no_charge_so"


@pytest.mark.clause("8.4.2")
def test_nothing_is_asked_where_all_ways_are_alike() -> None:
    column = charging({ARKH: "B3008@SW/column"}, at="NE/column")
    assert prompt(column, A) == "charged"
    ends = {LN: "B3009@N/column", LN2: "B2808@N/column", ARKH3: "B3008@SW/disorder"}
    pos = position("bagration", clear=True, units={HUS: "B2810@NNE/line", **ends})
    ways = charge_ways(pos, HUS, ARKH3, 3)
    assert len(ways) == 4
    assert not course._differ(pos, HUS, ways)  # all to B2908, past nobody
    pos = position("bagration", clear=True, units={HUS: "B2810@NNE/line", **ends, GUNS: "B3011@NNW/unlimbered"})
    assert {u for h in ("B2909",) for u in pos.zones(A).get(h, ())} == {GUNS}
    assert course._differ(pos, HUS, charge_ways(pos, HUS, ARKH3, 3))
    assert course.usual(pos, HUS, ARKH3, ways) == ("B2810", "B2809", "B2908")  # out of the guns' zone


@pytest.mark.clause("8.4.2", "6.2.4", "8.1.3")
def test_who_is_ridden_past_fires() -> None:
    for path, fires in ((STRAIGHT, False), (ROUND, True)):
        game = charging({ARKH: "B3008@SW/column", GUNS: "B3011@NNW/unlimbered"})
        ride(game, F, *path)
        assert (prompt(game, A) == "reaction") is fires, path


@pytest.mark.clause("8.4.2", "6.1")
def test_the_facing_at_the_end_is_asked_where_another_enemy_is_near() -> None:
    alone = charging({ARKH: "B3008@SW/column"})
    answer(alone, F, "charge_way", path=STRAIGHT)
    assert prompt(alone, A) == "charged"
    game = charging({ARKH: "B3008@SW/column", ARKH3: "B2906@S/column"})
    answer(game, F, "charge_way", path=STRAIGHT)
    assert prompt(game, F) == "charge_facing"
    assert options(game, F) == ["E", "NNE"]
    choose(game, F, "NNE")
    assert game.pos.at[HUS] == "B2908"
    assert told(game, "charged_on")[-1]["data"]["at"] == "B2908"


@pytest.mark.clause("6.2.3", "8.4.2")
def test_cavalry_that_charges_in_reaction_chooses_its_hex() -> None:
    for there, view_ in (("B2808", "flank"), ("B2908", "front")):
        game = field({ARKH: "B2906@S/column", HUS: f"{CENTRE}@NNE/line"}, [0], side=A, leaders={"A-Markov": "B3005"})
        march(game, A, ARKH, "B2906@S/column", "B2907@S/column")
        choose(game, F, f"charge:{HUS}")
        assert forms(game, F)["charge_way"]["goals"] == ["B2808", "B2908"]
        answer(game, F, "charge_way", path=[CENTRE, there])
        assert last(game, "reaction_charge")["at"] == game.pos.at[HUS] == there
        assert aspect(game.pos, ARKH, there) == view_


@pytest.mark.clause("6.2.3", "8.4.2")
def test_a_countercharge_chooses_its_hex() -> None:
    game = play(
        [],
        "langeron",
        clear=True,
        units={HUS: f"{CENTRE}@NNE/line", NASSAU: "B2907@SSW/line"},
        active="F-T-CR",
        phase="melee",
        leaders={"F-Treilhard": "B2611", "A-Hohenlohe": "B3404"},
    )
    game.dice[:] = [0, 9, 9]
    answer(game, F, "charge", target="B2907", units=[HUS])
    choose(game, A, "counter:B2907")
    assert forms(game, A)["charge_way"]["goals"] == ["B2808", "B2908"]
    answer(game, A, "charge_way", path=["B2907", "B2908"])
    assert last(game, "countercharged")["at"] == "B2908"


@pytest.mark.clause("8.4.2", "6.2.2")
def test_who_steps_back_into_the_way_of_a_charge_has_it_chosen_anew() -> None:
    game = play(
        [],
        "langeron",
        clear=True,
        active="A-1-CR",
        phase="melee",
        leaders={"A-Hohenlohe": "B2811"},
        units={NASSAU: f"{CENTRE}@NNE/line", LN: "B2905@S/column", LEG: "B2908@N/skirmish"},
    )
    answer(game, A, "charge", target="B2905", units=[NASSAU])
    answer(game, A, "charge_way", path=[CENTRE, "B2808", "B2907", "B2906"])
    choose(game, F, f"move:{LEG}:B2907")
    choose(game, F, "none")
    assert game.pos.at[NASSAU] == "B2808"
    assert prompt(game, A) == "charge_way"  # two steps are left
    assert forms(game, A)["charge_way"]["starts"] == ["B2808"]
    ride(game, A, "B2808", "B2807", "B2806")
    choose(game, F, "none")
    assert game.pos.at[NASSAU] == "B2807"


@pytest.mark.clause("8.4.2", "6.2.2", "A8.1.1")
def test_a_charge_goes_on_after_a_target_that_steps_back_as_far_as_charges_go() -> None:
    """From two hexes away it has three steps; the skirmishers step back once and are ridden after, then they stand."""
    game = play(
        [],
        "langeron",
        clear=True,
        active="A-1-CR",
        phase="melee",
        leaders={"A-Hohenlohe": "B2811"},
        units={NASSAU: f"{CENTRE}@N/column", LEG: "B2807@N/skirmish"},
    )
    answer(game, A, "charge", target="B2807", units=[NASSAU])
    assert prompt(game, F) == "reaction"  # it has come beside them
    choose(game, F, f"move:{LEG}:B2806")
    assert game.pos.at[NASSAU] == "B2807"
    choose(game, F, "none")
    assert prompt(game, F) == "charged"


@pytest.mark.clause("8.4.2")
def test_the_computer_strikes_from_the_flank_and_shows_nobody_its_own() -> None:
    game = charging({ARKH: "B3008@SW/column", ARKH3: "B2906@S/column"})
    sight = Sight(game.game, view(game, F), F)
    request = game.pending[F]
    given = list(charge_way(sight, {f.name: f for f in request.forms}, request))
    assert given[0]["path"] == ROUND
    assert {tuple(a["path"]) for a in given} == set(request.forms[0].able)  # type: ignore[attr-defined]
    answer(game, F, "charge_way", path=STRAIGHT)
    assert next(charge_facing(sight, game.pending[F]))["option"] == "NNE"
