"""The tables in a game: the cell that is lit is the one by which the rules then resolve, in every title."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.rulebook.tables import tables
from rules import titles
from tests.rules.titles.austerlitz import builders as austerlitz
from tests.rules.titles.chaco import builders as chaco
from tests.rules.titles.guerra_a_muerte import builders as guerra
from tests.rules.titles.triple_alliance import builders as alliance
from tests.rules.titles.triple_alliance.ground import AROUND, TARGET, kind
from tests.rules.titles.ultimo_hombre import builders as hombre


def cells(title: str, look: Mapping[str, Any], key: object = None) -> tuple[str, ...]:
    """What stands in the lit cells of a row: of all its columns where the lookup names none."""
    (table,) = (one for one in tables(title, "en") if one.id == look["id"])
    (found,) = (
        (grid.columns, row[1])
        for grid in table.grids
        for name, row in zip(grid.keys, grid.rows, strict=True)
        if name == str(key) and look.get("column") in (None, *grid.columns)
    )
    columns, row = found
    return row if look.get("column") is None else (row[columns.index(look["column"])],)


def rolled(title: str, shown: Mapping[str, Any], die: int) -> tuple[str, ...]:
    """The lit cells that a face of the die reads."""
    look = shown["table"]
    rows = look.get("rows") or {str(face["roll"]): face["row"] for face in shown["faces"]}
    return cells(title, look, rows[str(die)]) if str(die) in rows else ()


@pytest.mark.parametrize("die", range(10))
def test_triple_alliance(die: int) -> None:
    br, py = kind("allied", "infantry", 12, nation="brazil"), kind("paraguay", "infantry", 6)
    game = alliance.play({"turn": 3, "phase": "allied_combat_1", "clear": True,
                          "units": {**alliance.at(AROUND[0], br), **alliance.at(TARGET, py[:4])}}, [die])  # fmt: skip
    before = alliance.odds(game, "allied", TARGET, *br)
    assert before["table"]["id"] == "combat_results"
    alliance.attack(game, "allied", TARGET, *br)
    told = alliance.last(game, "combat_rolled")
    assert rolled("triple_alliance", told["odds"], die) == (f"{told['attacker']} / {told['defender']}",)
    stack = alliance.play({"turn": 3, "phase": "allied_movement", "clear": True, "units": alliance.at("1436", br),
                           "mendoza": "crushed"}, [die])  # fmt: skip
    assert stack.title.forecast is not None
    (check,) = stack.title.forecast(stack.pos, "allied")["1436"]["checks"]
    alliance.ends(stack, "allied")
    while not alliance.told(stack, "attrition_rolled"):
        alliance.take_least(stack, stack.asked[0])
    assert rolled("triple_alliance", check, die) == (str(alliance.last(stack, "attrition_rolled")["loss"]),)


@pytest.mark.parametrize("die", range(1, 7))
def test_chaco(die: int) -> None:
    units = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}
    game = chaco.play(chaco.bare(phase="paraguay_combat_1", units=units, air={"paraguay": 0, "bolivia": 0}), [die])
    chaco.answer(game, "paraguay", "attack", target="2728", units=["PY-CAV-AC"])
    while not chaco.told(game, "combat_rolled"):
        chaco.pass_on(game)
    told = chaco.last(game, "combat_rolled")
    assert told["odds"]["table"]["id"] == "combat"
    assert rolled("chaco", told["odds"], die) == (f"{told['attacker']}/{told['defender']}",)


@pytest.mark.parametrize("die", range(1, 7))
def test_attrition_in_the_chaco(die: int) -> None:
    units = {"PY-CAV-AC": "2727", "PY-INF-ITOR": "2324"}
    game = chaco.play(chaco.bare(phase="paraguay_supply", units=units), [die] * 12)
    assert game.title.forecast is not None
    foreseen = game.title.forecast(game.pos, "paraguay").values()
    seen = {check["unit"]: check for one in foreseen for check in one["checks"]}
    while game.pos.stage == "paraguay_supply":
        chaco.pass_on(game)
    found = {"effect.surrender": "≤ −1", "effect.step": "0, 1", "effect.none": "≥ 2"}
    told = [step["data"] for step in chaco.told(game, "attrition_rolled") if step["data"]["unit"] in seen]
    assert told
    for data in told:
        assert rolled("chaco", seen[data["unit"]], die) == (found[data["effect"]],)


@pytest.mark.parametrize("die", range(1, 7))
def test_guerra_a_muerte(die: int) -> None:
    game = guerra.operating("patriot", {"gra_cr": "costa_firme", "mil_royalist_inf-1": "caracas"}, [3, die], slot=1)
    guerra.activate(game, "patriot", "gra_cr")
    guerra.answer(game, "patriot", "assault", target="caracas", units=["gra_cr"])
    told = guerra.last(game, "siege_rolled")
    assert told["odds"]["table"]["id"] == "siege"
    assert rolled("guerra_a_muerte", told["odds"], die) == (told["result"].removeprefix("siege."),)
    there = {"ame_rl-1": "lima", "ame_cu-1": "lima", "pla_1": "lima"}
    field = guerra.operating("royalist", there, [3, 5, 1, 1, 1, 1, die])
    guerra.activate(field, "royalist", "ame_rl-1", "ame_cu-1")
    guerra.answer(field, "royalist", "attack", target="lima", units=["ame_cu-1", "ame_rl-1"])
    guerra.choose(field, "patriot", "stand")
    told = guerra.last(field, "battle_rolled")
    assert told["odds"]["table"]["id"] == "battle"
    assert rolled("guerra_a_muerte", told["odds"], told["roll"]) == (told["result"].removeprefix("result."),)


@pytest.mark.parametrize("die", range(10))
def test_austerlitz(die: int) -> None:
    line, target, place = "F-1-34-Ln", "A-2-Arkh", "B2908"
    facing = {line: f"{austerlitz.CENTRE}@E/line", target: f"{place}@W/line"}
    game = austerlitz.field(facing, [die, *[0] * 20], phase="shoot")
    shown = austerlitz.preview(game, "french", "fire", target=place, units=[line])["effect"]
    austerlitz.answer(game, "french", "fire", target=place, units=[line])
    austerlitz.choose(game, "allied", "hold")
    assert rolled("austerlitz", shown, die) == (austerlitz.last(game, "fired")["result"],)
    storm = austerlitz.field(facing, [0, die, *[0] * 20], phase="melee")
    shown = austerlitz.preview(storm, "french", "bayonet", target=place, units=[line])["effect"]
    austerlitz.answer(storm, "french", "bayonet", target=place, units=[line])
    austerlitz.choose(storm, "allied", "hold")
    row = rolled("austerlitz", shown, die)
    assert (row[1] if row else "0") == str(storm.pos.lost.get(target, 0))


@pytest.mark.parametrize("die", range(1, 7))
def test_ultimo_hombre(die: int) -> None:
    three, foes = hombre.units("br_inf_", 3), ["py_inf_01", "py_inf_02"]
    game = hombre.play({"phase": "allied_movement", "clear": True, "decks": {"allied": ["A04", "A17"]},
                        "units": {**hombre.at("itapiru", three), **hombre.at("tuyuti", foes)}},
                       [6, 6, die, 6, 6])  # fmt: skip
    hombre.attack(game, "allied", "tuyuti", {"itapiru": three})
    hombre.both_line_up(game)
    look = hombre.request(game, "allied")["table"]
    hombre.choose(game, "allied", "py_inf_02")
    shot = hombre.told(game, "shot")[2]["data"]
    (row,) = look["rows"]
    assert row == str(shot["factor"])
    assert cells("ultimo_hombre", {**look, "column": str(die)}, row) == ("✓" if shot["hit"] else "–",)


@pytest.mark.parametrize("title", titles.IDS)
def test_the_tables_of_the_page_are_those_of_the_rules_with_their_keys(client: TestClient, title: str) -> None:
    found = client.get(f"/api/titles/{title}/tables/es").json()
    assert [one["id"] for one in found] == [table.id for table in tables(title, "en")]
    for one in found:
        for grid in one["grids"]:
            assert not grid["head"] or all(len(row["cells"]) == len(grid["head"]) for row in grid["rows"])
            assert not grid["columns"] or len(grid["columns"]) == len(grid["head"])
    assert client.get(f"/api/titles/{title}/tables/xx").status_code == 404


@pytest.mark.parametrize("title", ["triple_alliance", "chaco", "guerra_a_muerte", "austerlitz"])
def test_a_panel_of_odds_has_what_the_page_draws(title: str) -> None:
    """docs/protocol.md section 5: each face says what both lose, the panel what they lose on average."""
    chaco_units = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}
    br, py = kind("allied", "infantry", 2, nation="brazil"), kind("paraguay", "infantry", 1)
    facing = {"F-1-34-Ln": f"{austerlitz.CENTRE}@E/line", "A-2-Arkh": "B2908@W/line"}
    panels: dict[str, Callable[[], Any]] = {
        "triple_alliance": lambda: alliance.odds(
            alliance.play({"turn": 3, "phase": "allied_combat_1", "clear": True,
                           "units": {**alliance.at(AROUND[0], br), **alliance.at(TARGET, py)}}),
            "allied", TARGET, *br),
        "chaco": lambda: chaco.preview(
            chaco.play(chaco.bare(phase="paraguay_combat_1", units=chaco_units, air={"paraguay": 0, "bolivia": 0})),
            "paraguay", "attack", target="2728", units=["PY-CAV-AC"])["effect"],
        "guerra_a_muerte": lambda: guerra.preview(
            guerra_force(), "patriot", "assault", target="caracas", units=["gra_cr"])["effect"],
        "austerlitz": lambda: austerlitz.preview(
            austerlitz.field(facing, [], phase="shoot"),
            "french", "fire", target="B2908", units=["F-1-34-Ln"])["effect"],
    }  # fmt: skip
    shown = panels[title]()
    for who in ("attacker", "defender"):
        lost = [face[who] for face in shown["faces"]]
        assert float(shown["mean"][who]) == pytest.approx(sum(lost) / len(lost), abs=0.06)
    assert shown["clears"]["n"] == sum(face["clears"] for face in shown["faces"])


def guerra_force() -> Any:
    game = guerra.operating("patriot", {"gra_cr": "costa_firme", "mil_royalist_inf-1": "caracas"}, [3], slot=1)
    guerra.activate(game, "patriot", "gra_cr")
    return game
