"""8.1-8.4 The panel of odds of every combat: its numbers by hand, and the dice that follow under the same modifiers."""

from typing import Any

import pytest

from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    last,
    play,
    preview,
    prompt,
    ride,
)

LN, ARKH, HUS = "F-1-34-Ln", "A-2-Arkh", "F-10-Hus"


def panel(game: Play, form: str, target: str, *units: str, seat: str = F) -> dict[str, Any]:
    """The odds of an attack; asking changes nothing."""
    before = game.title.encode(game.pos)
    found: dict[str, Any] = preview(game, seat, form, target=target, units=list(units))["effect"]
    assert game.title.encode(game.pos) == before
    return found


def note(odds: dict[str, Any], key: str) -> dict[str, Any] | None:
    return next((n["args"] for n in odds["notes"] if n["key"] == f"note.{key}"), None)


def mods(odds: dict[str, Any]) -> dict[str, int]:
    return {m["label"]["key"]: m["value"] for m in odds["modifiers"]}


@pytest.mark.clause("8.1.8")
def test_odds_of_a_fire() -> None:
    game = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [9, 9, 9, 3], phase="shoot")
    odds = panel(game, "fire", "B2908", LN)
    assert note(odds, "fire_value") == {"letter": "B", "column": 4}  # C, in line B; against an Allied line
    assert [f["defender"] for f in odds["faces"]] == [0, 0, 0, 0, 0, 0, 1, 1, 1, 2]
    assert odds["mean"] == {"attacker": "0.0", "defender": "0.5"}
    assert odds["clears"] == {"n": 0, "of": 10}
    # M-1 twice, M twice, M+1 twice, 1 three times (like M), 2 (like M+1); a Russian in line fails from 4 on
    assert note(odds, "falls") == {"n": 2 * 5 + 2 * 6 + 2 * 7 + 3 * 6 + 7}
    assert note(odds, "breaks") == {"n": 2 * 2 + 2 * 3 + 2 * 4 + 3 * 3 + 4}
    assert note(odds, "return_fire") == {}
    assert odds["total"] is None
    answer(game, F, "fire", target="B2908", units=[LN])
    choose(game, A, "fire")
    assert last(game, "fired")["column"] == 4
    assert last(game, "fired")["modifiers"] == odds["modifiers"]
    assert game.pos.lost[ARKH] == odds["faces"][9]["defender"]


@pytest.mark.clause("8.2.1")
def test_odds_of_a_bayonet_attack() -> None:
    game = field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [2, 6], phase="melee")
    odds = panel(game, "bayonet", "B2908", LN)
    assert note(odds, "nerve") == {"n": 5}  # 5 or less with +1
    assert mods(odds) == {"pre.line": 1}
    assert [f["clears"] for f in odds["faces"]] == [False] * 4 + [True] * 6
    assert [f.get("back", False) for f in odds["faces"]] == [False] * 4 + [True] * 6   # driven off, not destroyed
    assert [f["defender"] for f in odds["faces"]] == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2]
    answer(game, F, "bayonet", target="B2908", units=[LN])
    choose(game, A, "hold")
    assert last(game, "defender_checked")["modifiers"] == odds["modifiers"]
    assert game.pos.lost[ARKH] == odds["faces"][6]["defender"]


@pytest.mark.clause("8.4.2", "A8.1.2")
def test_odds_of_a_charge() -> None:
    """The melee where the ride that is proposed ends; how foot may take it."""
    game = charging({ARKH: "B3008@W/line"}, [1, 9, 0])
    odds = panel(game, "charge", "B3008", HUS)
    assert (odds["attack"], odds["defense"], odds["ratio"]) == (5, 6, "5:6")
    assert mods(odds) == {"melee.ratio": -1, "melee.charge": 1, "melee.flank": 1}
    assert note(odds, "square") == {"n": 3}  # 4 or less with +1 in line, +1 from two hexes
    assert note(odds, "stands") == {"n": 3}  # 4 or less with +1 in line, +1 from the flank
    assert [f["clears"] for f in odds["faces"]] == [False] * 5 + [True] * 5
    assert note(odds, "charge_way") == {"at": "B3009"}  # reckoned for the way that is proposed
    answer(game, F, "charge", target="B3008", units=[HUS])
    ride(game, F)
    while prompt(game, A):
        choose(
            game, A, "stand" if prompt(game, A) == "charged" else "hold" if prompt(game, A) == "return_fire" else "none"
        )
    assert last(game, "melee")["modifiers"] == odds["modifiers"]
    assert game.pos.lost[ARKH] == odds["faces"][9]["defender"]


def charging(foes: dict[str, str], dice: list[int], stance: str = "E/line", **more: Any) -> Play:
    """Hussars two hexes before their target."""
    return play(
        dice,
        clear=True,
        units={HUS: f"{CENTRE}@{stance}", **foes},
        leaders={"F-Treilhard": "B2708"},
        active="F-T-CR",
        mode="full",
        phase="melee",
        **more,
    )


@pytest.mark.clause("8.4.2", "6.2.3", "9.2.4")
def test_what_meets_a_charge_is_noted() -> None:
    square = panel(charging({ARKH: "B3008@N/square"}, []), "charge", "B3008", HUS)
    assert note(square, "square") is None
    assert mods(square) == {"melee.ratio": -1, "melee.square": -3, "melee.charge": 1}  # a bonus of 1 halved, up
    routed = panel(charging({ARKH: "B3008@N/disorder"}, [], morale={ARKH: "rout"}), "charge", "B3008", HUS)
    assert note(routed, "crushed") == {}
    assert routed["faces"] == []
    guns = panel(charging({"A-art-a-B": "B3008@W/unlimbered"}, [], "NE/column"), "charge", "B3008", HUS)
    assert note(guns, "guns_taken") == {}
    assert note(guns, "under_fire") == {"count": 1}
    horse = play(
        [],
        "bagration",
        clear=True,
        units={"A-Leib-Cu": "B2809@N/column", HUS: "B2805@SSE/line"},
        active="A-3-B",
        leaders={"A-Voropaitzki": "B2811"},
        phase="melee",
    )
    assert note(panel(horse, "charge", "B2805", "A-Leib-Cu", seat=A), "countercharge") == {"count": 1}


@pytest.mark.clause("8.3.1")
def test_odds_of_an_assault() -> None:
    game = field({LN: "B1306@NE/column", ARKH: "B1406@N/disorder"}, [], phase="melee", leaders={"F-Suchet": "B1305"})
    odds = panel(game, "assault", "B1406", LN)
    assert odds["ratio"] == "8:6"
    assert note(odds, "nerve") is not None
    assert note(odds, "stands") is not None
    assert len(odds["faces"]) == 10
