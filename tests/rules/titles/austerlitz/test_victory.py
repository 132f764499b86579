"""A15 Every way to victory and every end, each reached by a step of play: a march, a loss, a last turn's end. That of
Napoleon's fall is in test_special.py."""

from collections.abc import Iterable
from typing import Any

import pytest

from rules.titles.austerlitz import TITLE
from rules.titles.austerlitz.breakpoints import corps_broken
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.victory import ruined
from tests.rules import building
from tests.rules.titles.austerlitz.builders import A, F, Play, answer, field, game, march, play, position

DAYS = ("whole_battle", "langeron")
RICH = ("B2650", "B2750", "B2544", "B2545", "B2646", "D1609", "D1708", "B2514", "B1914", "B3214", "blasowitz",
        "kobelnitz", "pratzen")


def hexes(game_: Game, places: Iterable[str]) -> list[str]:
    return [h for p in places for h in game_.board.places.get(p, (p,))]


def broken(game_: Game, corps: Iterable[str], spare: str = "") -> dict[str, int]:
    """Points lost that bring each division of some corps to its breakpoint, but for one unit that is spared."""
    lost: dict[str, int] = {}
    for name in corps:
        for division in game_.commands[name].divisions or (name,):
            level = game_.commands[division].breakpoint
            assert level is not None
            units = [game_.units[u] for u in game_.members[division] if not game_.units[u].guns and game_.units[
                u].battalion is None]
            units.sort(key=lambda u: u.id != spare)
            lost |= {u.id: u.strength if u.elite else u.strength // 2 + 1 for u in units[:level] if u.id != spare}
    return lost


def enter(game_: Play, seat: str, unit: str, hex_: str) -> None:
    """A march of one unit to a hex."""
    reach = game_.pending[seat].forms[0].reach([unit], {})  # type: ignore[attr-defined]
    path = [min(s for s in reach["cost"] if s.startswith(hex_) and s not in reach["blocked"])]
    while path[-1] in reach["via"]:
        path.append(reach["via"][path[-1]])
    march(game_, seat, unit, *path[::-1])


def marching(scenario: str, side: str, places: Iterable[str], last: str, *, unit: str, at: str, command: str,
             leader: str, **more: Any) -> Play:
    """A unit beside the last hex that its side lacks of some places."""
    held = dict.fromkeys(hexes(game(scenario), places), side) | {last: A if side == F else F}
    return play([], scenario, clear=True, units={unit: at}, leaders={leader: at.split("@")[0]}, phase="move",
                active=command, held=held, **more)


def bleeding(scenario: str, unit: str, at: str, lost: dict[str, int], **more: Any) -> Play:
    """A routed unit that loses a point at the end of the turn (12.4)."""
    return building.begin(Play, TITLE, position(scenario, clear=True, units={unit: f"{at}@N/disorder"}, morale={
        unit: "rout"}, lost=lost, phase="rout_losses", **more), [])


def ended(scenario: str, turn: int, *, help_asked: bool = False, **more: Any) -> Play:
    """The last moment of a turn. Help that was called and has not come is rolled for in the next (A15.5)."""
    pos = position(scenario, clear=True, phase="fatigue", turn=turn, pool=[], **more)
    if help_asked:
        pos.special["help_asked"] = 28
    return building.begin(Play, TITLE, pos, [0] if help_asked and turn == 28 else [])


def result(game_: Play) -> tuple[str | None, str]:
    assert game_.pos.result is not None
    return game_.pos.result["winner"], game_.pos.result["key"].removeprefix("result.")


# -- A15.1 ----------------------------------------------------------------------------------------------

RUSSIANS = ("A-2-Arkh", "A-3-Arkh", "A-G-Arkh", "A-2-Pskv", "A-3-Pskv", "A-G-Pskv")
FRENCHMEN = ("F-2-40-Ln", "F-2-34-Ln", "F-2-17-Leg", "F-1-88-Ln", "F-1-34-Ln", "F-2-88-Ln", "F-1-64-Ln", "F-22-CaC",
             "F-13-CaC")


@pytest.mark.clause("A15.1")
@pytest.mark.parametrize(("side", "units", "ruins"), [(F, RUSSIANS, "A-2-O-Ing"), (A, FRENCHMEN, "F-1-40-Ln")])
def test_units_destroyed_routed_or_unsteady_at_one_moment(side: str, units: tuple[str, ...], ruins: str) -> None:
    firer, foe = ("F-10-Hus", A) if side == F else ("A-3-O-Ing", F)
    firer = "F-art-a-V" if side == F else firer
    game_ = field({firer: "B2809@E/unlimbered" if side == F else "B2809@E/line", ruins: "B2908@W/line"}, [9, 9],
                  side=side, phase="shoot", morale={**dict.fromkeys(units, "unsteady"), ruins: "shaken"})
    assert ruined(game_.pos, foe) == len(units)
    answer(game_, side, "fire", target="B2908", units=[firer])
    if game_.pos.result is None:
        answer(game_, foe, option="hold")
    assert result(game_) == (side, f"northern_flank.{side}.1")


@pytest.mark.clause("A15.1")
def test_neither_broken_after_sixteen_turns_is_a_draw() -> None:
    assert result(ended("northern_flank", 16)) == (None, "northern_flank.otherwise")


# -- A15.2, A15.3 ---------------------------------------------------------------------------------------


@pytest.mark.clause("A15.2", "A15.3", "11.3")
@pytest.mark.parametrize("scenario", DAYS)
def test_seven_corps_and_all_places_win_the_day_for_the_french(scenario: str) -> None:
    corps = ("A-AG", "A-1C", "A-2C", "A-3C", "A-R4C", "A-A4C", "A-B")
    for n, wins in ((6, False), (7, True)):
        game_ = marching(scenario, F, RICH, "B1549", unit="F-1-10-Leg", at="B1548@S/column", command="F-1-IV",
                         leader="F-St-Hilaire", lost=broken(game(scenario), corps[:n]))
        enter(game_, F, "F-1-10-Leg", "B1549")
        assert (game_.pos.result is not None) == wins
    assert result(game_) == (F, f"{scenario}.french.1")


@pytest.mark.clause("A15.2", "A15.3", "11.3")
@pytest.mark.parametrize("scenario", DAYS)
def test_five_corps_win_the_day_for_the_allies(scenario: str) -> None:
    """Oudinot's division counts as a corps."""
    here = game(scenario)
    lost = broken(here, ("F-I", "F-III", "F-O", "F-CR", "F-V"), spare="F-1-34-Ln")
    lost["F-1-34-Ln"] = here.units["F-1-34-Ln"].strength // 2
    game_ = bleeding(scenario, "F-1-34-Ln", "B2009", lost)
    assert corps_broken(game_.pos, "F-V")
    assert result(game_) == (A, f"{scenario}.allied.1")


@pytest.mark.clause("A15.2", "A15.3")
@pytest.mark.parametrize("scenario", DAYS)
def test_six_of_nine_places_win_the_day_for_the_allies(scenario: str) -> None:
    places = ("tellnitz", "sokolnitz", "pheasantry", "kobelnitz", "pratzen", "blasowitz")
    for some, wins in ((places[1:], False), (places, True)):
        game_ = marching(scenario, A, some, "B2629", unit="A-G-Arkh", at="B2728@SW/column", command="A-2-B",
                         leader="A-Markov")
        enter(game_, A, "A-G-Arkh", "B2629")
        assert (game_.pos.result is not None) == wins
    assert result(game_) == (A, f"{scenario}.allied.2")


@pytest.mark.clause("A15.2", "A15.3")
@pytest.mark.parametrize("scenario", DAYS)
def test_else_the_day_is_drawn(scenario: str) -> None:
    assert result(ended(scenario, 29)) == (None, f"{scenario}.otherwise")


# -- A15.4 ----------------------------------------------------------------------------------------------


@pytest.mark.clause("A15.4")
@pytest.mark.parametrize(("side", "places", "last", "unit", "at", "command", "leader"), [
    (F, ("bosenitz", "santon_hill", "blasowitz", "krug", "holubitz", "post_house"), "B4612", "F-1-34-Ln",
     "B4512@SE/column", "F-3-V", "F-Suchet"),
    (A, ("blasowitz", "bosenitz", "santon_hill"), "B1612", "A-G-Arkh", "B1712@NW/column", "A-2-B", "A-Markov"),
])
def test_places_of_bagrations_fight(side: str, places: tuple[str, ...], last: str, unit: str, at: str, command: str,
                                    leader: str) -> None:
    game_ = marching("bagration", side, places, last, unit=unit, at=at, command=command, leader=leader)
    assert game_.pos.result is None
    enter(game_, side, unit, last)
    assert result(game_) == (side, f"bagration.{side}.1")


@pytest.mark.clause("A15.4")
def test_else_bagrations_fight_is_drawn() -> None:
    assert result(ended("bagration", 21)) == (None, "bagration.otherwise")


# -- A15.5 ----------------------------------------------------------------------------------------------

GOLDBACH = ("tellnitz", "sokolnitz", "sokolnitz_castle", "pheasantry")


@pytest.mark.clause("A15.5")
def test_all_places_on_the_goldbach_win_for_the_allies_at_once() -> None:
    game_ = marching("goldbach", A, GOLDBACH, "C2433", unit="A-Brdr-Grz", at="C2534@NW/column", command="A-1-AG",
                     leader="A-Carneville")
    enter(game_, A, "A-Brdr-Grz", "C2433")
    assert result(game_) == (A, "goldbach.allied.1")


@pytest.mark.clause("A15.5")
@pytest.mark.parametrize(("kept", "help_asked", "expected"), [
    (3, False, (F, "goldbach.french.1")), (2, False, (None, "goldbach.otherwise")),
    (3, True, (None, "goldbach.otherwise")), (4, True, (F, "goldbach.french.1")),
])
def test_three_places_at_the_end_or_four_after_a_call_for_help(kept: int, help_asked: bool,
                                                               expected: tuple[str | None, str]) -> None:
    taken = dict.fromkeys(hexes(game("goldbach"), GOLDBACH[kept:]), A)
    assert result(ended("goldbach", 29, held=taken, help_asked=help_asked)) == expected
    assert ended("goldbach", 28, held=taken, help_asked=help_asked).pos.result is None   # not before the end


# -- A15.6 ----------------------------------------------------------------------------------------------


@pytest.mark.clause("A15.6", "11.3")
def test_the_fourth_column_kamenski_and_the_guard_broken_win_for_the_french() -> None:
    here = game("pratzen")
    lost = broken(here, ("A-R4C", "A-A4C", "A-2-2C", "A-IG"), spare="A-1-Phan-Gr")
    lost["A-1-Phan-Gr"] = here.units["A-1-Phan-Gr"].strength // 2
    if here.units["A-1-Phan-Gr"].elite:
        lost["A-1-Phan-Gr"] = here.units["A-1-Phan-Gr"].strength - 1
    game_ = bleeding("pratzen", "A-1-Phan-Gr", "D2009", lost)
    assert result(game_) == (F, "pratzen.french.1")


@pytest.mark.clause("A15.6")
@pytest.mark.parametrize(("held", "expected"), [
    (("pratzeberg", "stare_vinohrady"), (F, "pratzen.french.2")), (("pratzeberg",), (A, "pratzen.otherwise")),
    ((), (A, "pratzen.otherwise"))])
def test_both_heights_at_two_o_clock_win_for_the_french(held: tuple[str, ...], expected: tuple[str, str]) -> None:
    turn = game("pratzen").plan["turns"].index("14:00") + 1
    heights = dict.fromkeys(hexes(game("pratzen"), held), F)
    assert result(ended("pratzen", turn, held=heights)) == expected
    assert ended("pratzen", turn - 1, held=heights).pos.result is None
