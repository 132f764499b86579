"""1.1.1, 10.1 Who holds an area."""

from random import Random
from typing import Any

import pytest

from rules.titles.guerra_a_muerte import victory
from rules.titles.guerra_a_muerte.control import holds, looks_by_area, looks_held, looks_of
from rules.titles.guerra_a_muerte.scramble import scramble
from tests.rules.titles.guerra_a_muerte.builders import P, R, position

REGULAR, MILITIA, OTHER = "ame_mx", "mil_royalist_inf-2", "mil_royalist_inf-3"
BAND, PATRIOT = "mil_mexico_inf-1", "mil_mexico_inf-2"


def held(units: dict[str, str], **body: Any) -> tuple[int, int]:
    """Halves of Durango that the crown and the patriots hold."""
    pos = position(units=units, **body)
    found = holds(pos, "durango")
    return found[R], found[P]


@pytest.mark.clause("1.1.1")
def test_who_is_alone_holds_an_area_and_both_share_it() -> None:
    assert held({}) == (0, 0)
    assert held({REGULAR: "durango"}) == (2, 0)
    assert held({"morelos": "durango"}) == (0, 2)
    assert held({REGULAR: "durango", PATRIOT: "durango"}) == (1, 1)


@pytest.mark.clause("1.1.1", "6.7")
def test_a_garrison_shares_the_area_around_its_walls() -> None:
    pos = position(units={"spa_bcn": "cartagena", "gra_cr": "santa_fe"})
    assert holds(pos, "santa_fe") == {R: 1, P: 1}


@pytest.mark.clause("1.1.1", "7.10")
def test_ships_in_port_hold_no_land() -> None:
    pos = position(units={"roy_frigate-1": "veracruz"})
    assert holds(pos, "tierra_caliente") == {R: 0, P: 0}


@pytest.mark.clause("10.1")
def test_guerrillas_hold_against_all_but_regulars() -> None:
    assert held({REGULAR: "durango", BAND: "durango"}, guerrillas=[BAND]) == (1, 1)
    assert held({MILITIA: "durango", BAND: "durango"}, guerrillas=[BAND]) == (0, 2)
    assert held({"pezuela": "durango", BAND: "durango"}, guerrillas=[BAND]) == (0, 2)
    assert held({MILITIA: "durango", BAND: "durango"}, guerrillas=[BAND, MILITIA]) == (1, 1)
    assert held({MILITIA: "durango", "mex_tp": "durango"}, guerrillas=[MILITIA]) == (1, 1)


@pytest.mark.clause("4.2.1", "9.5")
def test_rebels_share_with_whoever_is_there() -> None:
    pos = position(units={"reb_inf-1": "misiones", "pla_1": "misiones"})
    assert holds(pos, "misiones") == {R: 0, P: 1}


@pytest.mark.clause("5.1.3", "10.1")
def test_a_closed_box_is_taken_for_regulars() -> None:
    pos = position(units={MILITIA: "durango", BAND: "durango"}, guerrillas=[BAND], armies={R: {"1": "durango"}})
    assert holds(pos, "durango") == {R: 0, P: 2}
    assert looks_held(pos, "durango") == {R: 1, P: 1}


@pytest.mark.clause("5.1.3", "11.1")
def test_boxes_are_open_as_the_areas_are_counted() -> None:
    """Who holds an area may hang on what is in a box: the last count shows it."""
    pos = position(units={MILITIA: "durango", BAND: "durango"}, guerrillas=[BAND], armies={R: {"1": "durango"}})
    victory.decide(pos)
    assert looks_held(pos, "durango") == holds(pos, "durango") == {R: 0, P: 2}


@pytest.mark.clause("5.1.3", "10.6")
@pytest.mark.parametrize("legion", ["off_map", "free"])
def test_no_guess_puts_el_plata_into_the_box_that_leaves_the_legion_at_home(legion: str) -> None:
    pos = position(units={"gra_cn": "banda_oriental", "pla_1": "salta", "pla_2": "salta"}, legion=legion,
                   armies={P: {"1": "banda_oriental", "2": "salta"}})
    found = set()
    for seed in range(20):
        scramble(pos, R, Random(seed), set())
        found |= set(pos.units_in("banda_oriental", P))
    assert ({"pla_1", "pla_2"} & found == set()) == (legion == "off_map")


def test_what_was_seen_once_is_seen_anew_when_anything_changes_it() -> None:
    """Who holds the areas is kept: a counter that comes or goes, changes its mode or takes ship, and a box that is
    formed or opened all tell."""
    pos = position(units={MILITIA: "durango", BAND: "durango", OTHER: "tierra_caliente"})
    seen = []

    def look() -> None:
        assert looks_by_area(pos) == {area: looks_of(pos, area) for area in pos.game.land}
        seen.append((dict(looks_held(pos, "durango")), dict(looks_held(pos, "tierra_caliente"))))

    look()
    pos.guerrillas.append(BAND)
    look()
    pos.move_army(R, "1", "durango")
    look()
    pos.seen = [f"{R}:durango"]
    look()
    pos.aboard[OTHER] = "roy_frigate-1"
    look()
    pos.put(BAND, "tierra_caliente")
    look()
    assert seen == [({R: 1, P: 1}, {R: 2, P: 0}), ({R: 0, P: 2}, {R: 2, P: 0}), ({R: 1, P: 1}, {R: 2, P: 0}),
                    ({R: 0, P: 2}, {R: 2, P: 0}), ({R: 0, P: 2}, {R: 0, P: 0}), ({R: 2, P: 0}, {R: 0, P: 2})]
