"""What the rulebook prints of map, counters and tables (`facts.json`) holds in the title's data."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.titles.guerra_a_muerte import TITLE
from rules.titles.guerra_a_muerte.board import Game
from tests.rules.titles.guerra_a_muerte.builders import FOLDER, data

FACTS: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text())
LANGUAGES = ("en", "es", "it", "pt")


def game() -> Game:
    found: Game = TITLE.game(data(), "campaign")
    return found


def codes(*nations: str, troops: bool = True) -> set[str]:
    units = data().files["units"]["units"].values()
    return {u["abbrev"].split("-")[0] for u in units if u["nation"] in nations and not u.get("militia")
            and (u["type"] in ("infantry", "cavalry")) is troops and not u["abbrev"].isdigit()}


@pytest.mark.clause("1.1", "5.3", "9.1", "9.2", "10.1", "4.9")
@pytest.mark.parametrize("name", ["hostile", "pro_royalist", "pro_patriot", "guerrilla_patriot", "masses", "mexico",
                                  "no_patriot_uprising", "rebels"])
def test_lists_of_areas(name: str) -> None:
    assert sorted(game().lists[name]) == sorted(FACTS["areas"][name])


@pytest.mark.clause("1.1", "11.1")
def test_the_map_has_the_areas_the_rules_name() -> None:
    board = game()
    assert set(board.land) == set(FACTS["areas"]["all"])
    assert len(board.land) == 43
    assert board.worth["pampas"] == board.worth["chaco"] == 0
    named = {"atlantic_1", "atlantic_3", "caribbean_3", "caribbean_5", "caribbean_6", "caribbean_10", "pacific_10"}
    assert named <= set(board.seas)
    for a, b in FACTS["adjacent"]:
        assert b in board.near[a]
    assert {p: board.places[p].area for p in ("cartagena", "santiago")} == {
        "cartagena": "santa_fe", "santiago": "chile_norte"}
    for place in ("cartagena", "puerto_cabello", "callao", "san_juan", "santo_domingo_city"):
        assert board.fortified(place)
    assert board.places["montevideo"].sea == "atlantic_1"
    assert board.places["cartagena"].sea == "caribbean_3"
    assert board.near["united_states"] == ("nueva_california", "nuevo_mexico", "tejas")


@pytest.mark.clause("4.2.1", "4.2.2", "4.2.3", "4.2.4", "4.6")
@pytest.mark.parametrize("nation", ["plata", "gran_colombia", "mexico", "peru"])
def test_income_and_recruiting_areas(nation: str) -> None:
    assert sorted(game().lists["income"][nation]) == sorted(FACTS["income"][nation])
    wanted = [a for a in FACTS["income"][nation] if (nation, a) != ("mexico", "guatemala")]
    assert sorted(game().lists["recruit"][nation]) == sorted(wanted)


@pytest.mark.clause("1.2", "1.3", "1.3.1")
def test_kinds_and_families() -> None:
    units = game().units.values()
    assert {u.type for u in units} == {"infantry", "cavalry", "artillery", "frigate", "ship_of_line", "leader"}
    assert {u.nation for u in units if u.side == "royalist"} == {"american", "spanish", "portuguese", "royalist"}
    assert all(u.full == 1 and u.steps == 1 for u in units if u.militia)
    assert all(u.reduced is None or u.reduced <= u.full for u in units)


@pytest.mark.clause("1.3.2", "1.3.3", "1.3.4", "1.3.6")
@pytest.mark.parametrize(("nations", "name"), [(("american",), "american"), (("spanish",), "spanish"),
                                               (("gran_colombia",), "gran_colombia"), (("mexico",), "mexico"),
                                               (("peru",), "peru")])
def test_abbreviations(nations: tuple[str, ...], name: str) -> None:
    printed = {code.lower() for code in FACTS["abbreviations"][name]}
    assert printed == {code.lower() for code in codes(*nations)}


@pytest.mark.clause("1.3.3", "1.3.4", "1.3.5", "10.6")
def test_nations_legion_and_rebels() -> None:
    units = game().units
    assert {u.nation for u in units.values() if u.side == "patriot"} == {
        "plata", "chile", "gran_colombia", "mexico", "peru"}
    assert sum(u.nation == "portuguese" for u in units.values()) == 3
    assert {u.type for u in units.values() if u.side == "rebels"} == {"infantry", "cavalry"}
    assert set(FACTS["abbreviations"]["plata"]) <= codes("plata")


@pytest.mark.clause("3.4", "6.6", "8.1", "8.3", "10.2.2")
def test_leaders_and_named_counters() -> None:
    units = game().units
    assert {u.id for u in units.values() if u.leader} == set(FACTS["leaders"])
    assert [units[x].operations for x in ("pezuela", "belgrano", "morillo")] == [3, 1, 1]
    assert (units["ame_vdc"].steps, units["ame_vdc"].type) == (2, "infantry")
    assert units["chile_frigate-1"].full == 3
    assert all(units[u].type == "cavalry" for u in ("ame_df", "ame_dba", "ame_bfm", "ame_dr", "ame_dlf-1"))


@pytest.mark.clause("4.8", "4.9.1")
def test_the_reinforcement_of_1815() -> None:
    coming = [u for u in game().units.values() if u.entry == 6 and str(u.enters).endswith("any_port")]
    kinds = ("leader", "infantry", "cavalry", "artillery")
    assert [sum(u.type == kind for u in coming) for kind in kinds] == [1, 7, 2, 2]


@pytest.mark.clause("4.10")
def test_new_granada_mina_and_the_frigates() -> None:
    units = game().units
    assert {u.id for u in units.values() if u.new_granada} == {
        "gra_cn", *(f"gra_ng-{n}" for n in range(1, 6)), "gra_gc-1", "gra_gc-2"}
    assert units["mex_m"].entry == 8
    assert {u.nation for u in units.values() if u.enters == "reinforcement:navy" and u.entry == 2} == {
        "plata", "chile", "gran_colombia"}


@pytest.mark.clause("4.4", "4.5", "4.8", "6.6", "7.1", "7.2", "7.5", "7.7", "7.8", "7.9", "7.10", "8.1", "9.3", "10.3")
def test_tables() -> None:
    tables = game().tables
    for path, value in FACTS["tables"].items():
        found: Any = tables
        for step in path.split("."):
            found = found[step]
        assert found == value, path


def test_results_named_in_the_rules_are_on_the_tables() -> None:
    cells = {cell for row in game().tables["battle"]["rows"] for cell in row}
    assert {"BB", "DZ"} <= cells


def test_every_ruling_and_clause_speaks_every_language() -> None:
    clauses, rulings = (data().files[name] for name in ("clauses", "rulings"))
    assert len(clauses) == 95
    for clause in clauses.values():
        assert all(clause[part][lang] for part in ("title", "text") for lang in LANGUAGES)
    assert all(ruling["clause"] in clauses and all(map(ruling.get, LANGUAGES)) for ruling in rulings)
    assert len({ruling["id"] for ruling in rulings}) == len(rulings)
    assert json.loads((FOLDER / "excuses.json").read_text()) == {}
