"""The tables in a game: the cell that is lit is the one by which the rules then resolve, in every title."""

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from app.games import data
from app.rulebook.tables import Table, tables, tables_of
from rules import titles
from rules.core.title import Data
from tests.app.conftest import Sql
from tests.rules.building import begin
from tests.rules.titles.austerlitz import builders as austerlitz
from tests.rules.titles.chaco import builders as chaco
from tests.rules.titles.guerra_a_muerte import builders as guerra
from tests.rules.titles.triple_alliance import builders as alliance
from tests.rules.titles.triple_alliance.ground import AROUND, TARGET, kind
from tests.rules.titles.ultimo_hombre import builders as hombre


def cells(title: str, look: Mapping[str, Any], key: object = None, printed: tuple[Table, ...] = ()) -> tuple[str, ...]:
    """What stands in the lit cells of a row: of all its columns where the lookup names none. `printed`: the tables of
    another edition than today's."""
    (table,) = (one for one in printed or tables(title, "en") if one.id == look["id"])
    (found,) = (
        (grid.columns, row[1])
        for grid in table.grids
        for name, row in zip(grid.keys, grid.rows, strict=True)
        if name == str(key) and look.get("column") in (None, *grid.columns)
    )
    columns, row = found
    return row if look.get("column") is None else (row[columns.index(look["column"])],)


def rolled(title: str, shown: Mapping[str, Any], die: int, printed: tuple[Table, ...] = ()) -> tuple[str, ...]:
    """The lit cells that a face of the die reads."""
    look = shown["table"]
    rows = look["rows"] if "rows" in look else {str(face["roll"]): face["row"] for face in shown["faces"]}
    return cells(title, look, rows[str(die)], printed) if str(die) in rows else ()


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
    for one in told:
        assert rolled("chaco", seen[one["unit"]], die) == (found[one["effect"]],)


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


def options_of(game: Any, seat: str) -> dict[str, Any]:
    return {one["id"]: one for one in next(iter(guerra.forms(game, seat).values()))["options"]}


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize(("units", "worth"), [(["chi_1"], 0), (["mil_chile_inf-1"], 0), (["chi_1", "san_martin"], 3)])
def test_activation_in_guerra_a_muerte(die: int, units: list[str], worth: int) -> None:
    """3.3 Militia rolls in lower rows, each point that is bought in higher ones; a leader's factor is not printed."""
    for bought in ("none", "0", "1", "2"):
        game = guerra.operating("patriot", dict.fromkeys(units, "chile_norte"), [die],
                                purses={"chile": 0 if bought == "none" else 2, "plata": 0})  # fmt: skip
        shown = guerra.preview(game, "patriot", "activate", lots={"chile_norte": units})["effect"]
        guerra.activate(game, "patriot", *units)
        if bought != "none":
            shown = options_of(game, "patriot")[bought]
            guerra.choose(game, "patriot", bought)
        (points,) = rolled("guerra_a_muerte", shown, die)
        assert guerra.last(game, "activated")["points"] == int(points) + worth


@pytest.mark.parametrize("die", range(1, 7))
def test_evasion_in_guerra_a_muerte(die: int) -> None:
    """6.1 The faces that lead to the lit cell are those with which one gets away."""
    for horse in (["pla_gdr"], []):
        there = {**dict.fromkeys(["ame_rl-1", "ame_es"], "jujuy"), **dict.fromkeys(["pla_1", *horse], "salta")}
        there |= dict.fromkeys(["ame_rl-1", "ame_es"], "salta")
        game = guerra.operating("royalist", there, [3, die, *[6, 1] * 8])
        guerra.activate(game, "royalist", "ame_rl-1", "ame_es")
        guerra.answer(game, "royalist", "attack", target="salta", units=["ame_es", "ame_rl-1"])
        evade = options_of(game, "patriot")["evade"]
        guerra.choose(game, "patriot", "evade")
        away = bool(guerra.told(game, "evaded"))
        total = guerra.last(game, "evaded" if away else "evasion_failed")["total"]
        assert rolled("guerra_a_muerte", evade, die) == (("3",) if away else ())
        assert away == (total <= 3)


@pytest.mark.parametrize("die", range(1, 7))
def test_evasion_at_sea(die: int) -> None:
    """7.5 Cochrane takes one from the die of his fleet."""
    for admiral in ([], ["cochrane"]):
        fleet = dict.fromkeys(["chile_frigate-1", *admiral, "roy_frigate-1"], "pacific_8")
        game = guerra.operating("royalist", fleet, [3, die, *[6, 1] * 8])
        guerra.activate(game, "royalist", "roy_frigate-1", sea=True)
        guerra.answer(game, "royalist", "attack_fleet", target="pacific_8", units=["roy_frigate-1"])
        evade = options_of(game, "patriot")["evade"]
        guerra.choose(game, "patriot", "evade")
        assert rolled("guerra_a_muerte", evade, die) == (("3",) if guerra.told(game, "evaded") else ())


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("closed", [False, True])
def test_interception_in_guerra_a_muerte(die: int, closed: bool) -> None:
    """3.4 The faces that lead to the lit cell catch who passes; out of a closed box (5.1.3) nobody knows which."""
    horse = ["ame_dlf-1", "ame_es"]
    there = {**dict.fromkeys(["ame_rl-1", *horse], "charcas"), **dict.fromkeys(["pla_1", "belgrano"], "salta")}
    game = guerra.operating("royalist", there, [3, die, *[6, 1] * 8],
                            armies={"royalist": {"1": "charcas"}} if closed else {})  # fmt: skip
    guerra.activate(game, "royalist", "ame_rl-1", *horse)
    guerra.march(game, "royalist", "charcas", "salta", "rio_de_la_plata")
    field = options_of(game, "patriot")["field"]
    guerra.choose(game, "patriot", "field")
    caught = bool(guerra.told(game, "intercepted"))
    if closed:
        assert field["table"] == {"id": "interception", "rows": ["success"]}
    else:
        assert rolled("guerra_a_muerte", field, die) == (("5",) if caught else ())


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


def earlier() -> Data:
    """The Triple Alliance as an edition had it in whose table of combat results each defender lost one more."""
    files = {name: body for name, body in data.files("triple_alliance").items() if name not in data.WORDS}
    table = files["tables"]["combat_results"]
    then = {ratio: [[lost, killed + 1] for lost, killed in column] for ratio, column in table["cells"].items()}
    return Data.of({**files, "tables": {**files["tables"], "combat_results": {**table, "cells": then}}})


def test_a_game_is_shown_the_tables_of_the_edition_by_which_it_is_played(client: TestClient, sql: Sql) -> None:
    edition = earlier()
    body = zlib.compress(orjson.dumps(dict(edition.files))).hex()
    sql(f"insert into data_sets (digest, title, body) values ('{edition.digest}', 'triple_alliance', '\\x{body}')")
    at = "/api/titles/triple_alliance/tables/en"
    today, then = client.get(at).json(), client.get(at, params={"digest": edition.digest}).json()
    current = data.current("triple_alliance").digest
    assert client.get(at, params={"digest": current}).json() == today
    assert [one["id"] for one in today] == [one["id"] for one in then]
    assert [one["id"] for one in then if one not in today] == ["combat_results"]
    printed, game_of = tables_of("triple_alliance", "en", edition), titles.load("triple_alliance")
    br, py = kind("allied", "infantry", 12, nation="brazil"), kind("paraguay", "infantry", 6)
    where = {"turn": 3, "phase": "allied_combat_1", "clear": True,
             "units": {**alliance.at(AROUND[0], br), **alliance.at(TARGET, py[:4])}}  # fmt: skip
    for die in range(10):
        game = begin(alliance.Play, game_of, game_of.written(edition, {"position": where}), [die])
        alliance.attack(game, "allied", TARGET, *br)
        told = alliance.last(game, "combat_rolled")
        (row,) = [face["row"] for face in told["odds"]["faces"] if face["roll"] == die]
        (lit,) = rolled("triple_alliance", told["odds"], die, printed)
        assert lit != rolled("triple_alliance", told["odds"], die)[0]
        ratio = told["odds"]["table"]["column"]
        lost, killed = edition.files["tables"]["combat_results"]["cells"][ratio][row]
        assert lit == f"{lost} / {killed}"
        assert (told["attacker"], told["defender"]) == (lost, killed)
    fewer = {name: body for name, body in edition.files["tables"].items() if name != "captured_arms"}
    listed = tables_of("triple_alliance", "en", Data.of({**edition.files, "tables": fewer}))
    assert {one["id"] for one in today} - {one.id for one in listed} == {"captured_arms"}
    assert client.get(at, params={"digest": "0" * 16}).status_code == 404
    assert client.get("/api/titles/chaco/tables/en", params={"digest": edition.digest}).status_code == 404


def test_each_edition_that_the_site_keeps_has_its_tables(client: TestClient) -> None:
    kept = [(path.parents[1].name, path.name.partition(".")[0]) for path in data.SCENARIOS.glob("*/older/*.json.gz")]
    assert kept
    for title, digest in kept:
        found = client.get(f"/api/titles/{title}/tables/en", params={"digest": digest}).json()
        listed = {entry["id"]: entry for entry in data.files(title)["rulebook"]["tables"]}
        files = data.older(digest)
        assert files is not None
        assert {one["id"] for one in found} == {
            name for name, entry in listed.items() if "of" not in entry or entry["of"].split("/")[0] in files["tables"]}


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
