"""Four people in A15.3, the whole day at Austerlitz: two a side, each with his corps, through one turn over HTTP and
their sockets."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from rules.core import chance
from rules.core.scenario import Scenario
from tests.app.conftest import Person
from tests.app.test_games_socket import Talk, talk
from tests.app.toy_table import Side, new_key
from tests.rules.harness import data

SIDES = {"lannes": "french", "soult": "french", "alexander": "allied", "buxhowden": "allied"}
NAMES = {"lannes": "Ana", "soult": "Bea", "alexander": "Cid", "buxhowden": "Dora"}
MARKERS = {"lannes": ["LIM-F-IV", "LIM-F-V"], "alexander": ["LIM-A-1C", "LIM-A-B"]}
SHORT = ("pass", "none", "limited", "done", "end_move", "end_fire", "end_melee", "normal")  # the least one can do
Four = dict[str, Side]


def scenario() -> Scenario:
    return data("austerlitz").scenario("langeron")


@pytest.fixture
def four(person: Person, monkeypatch: pytest.MonkeyPatch) -> Four:
    """Four people at a new game, each with a seat of his own; the dice are sealed, and fall in every game alike."""
    value = chance.value
    monkeypatch.setattr(chance, "value", lambda _key, *which: value(b"four people", *which))
    people = {seat: person(name) for seat, name in NAMES.items()}
    body = {"title": "austerlitz", "scenario": "langeron", "seating": "four", "seat": "lannes"}
    made = people["lannes"].post("/api/games", json=body)
    assert made.status_code == 201, made.text
    sides = {seat: Side(browser, made.json()["id"], seat) for seat, browser in people.items()}
    for seat in ("soult", "alexander", "buxhowden"):
        sides[seat].post("/join", {"seat": seat})
    nonces = {seat: f"{n:02x}" * 32 for n, seat in enumerate(sides, 17)}
    for seat, one in sides.items():
        one.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(nonces[seat])).hexdigest()})
    for seat, one in sides.items():
        one.post("/dice", {"nonce": nonces[seat]})
    return sides


def least(seat: str, request: dict[str, Any]) -> dict[str, Any]:
    """What does least: set-ups as suggested, the markers of both partners' corps, limited activations, no move."""
    forms = {form["form"]: form for form in request["forms"]}
    for form in forms.values():
        if form["kind"] == "place":
            return {"form": form["form"], "placed": form["suggested"]}
    if request["prompt"]["key"] == "prompt.starting_markers":
        return {"form": "corps", "lots": {"add": MARKERS[seat]}}
    for form in forms.values():
        ids = [option["id"] for option in form.get("options", ())]
        if short := next((s for s in SHORT if s in ids), None):
            return {"form": form["form"], "option": short}
    for form in forms.values():
        if form["kind"] == "allocate":
            return {"form": form["form"], "lots": {lot["id"]: lot["units"][:lot["min"]] for lot in form["lots"]}}
    choice = next(form for form in forms.values() if form.get("options"))
    return {"form": choice["form"], "option": choice["options"][0]["id"]}


def step(side: Side, seen: dict[str, Any]) -> dict[str, Any]:
    """A move of one unit of the active division to a stance beside its own, at no more than its points."""
    move = next(form for form in seen["request"]["forms"] if form["form"] == "move")
    for stack in move["stacks"].values():
        for unit in stack:
            reach = side.post("/reach", {"form": "move", "units": [unit["id"]]})
            ends = [s for s, back in reach["via"].items() if back == reach["from"] and s not in reach["blocked"]]
            if unit["id"] in data("austerlitz").files["units"]["units"] and ends:
                return {"form": "move", "units": [unit["id"]], "path": [reach["from"], min(ends)]}
    raise AssertionError("nobody can move")


def asked(four: Four) -> tuple[str, dict[str, Any]]:
    """A seat that is waited for, and what it sees."""
    card = four["lannes"].get("")
    seat = card["waiting_for"][0]
    return seat, four[seat].view()


def answer(side: Side, seen: dict[str, Any], said: dict[str, Any]) -> None:
    side.answer(said, seq=seen["view"]["seq"])


def play_until(four: Four, prompt: str) -> dict[str, Any]:
    """Everybody does the least until somebody is asked that; what he sees."""
    while True:
        seat, seen = asked(four)
        if seen["request"]["prompt"]["key"] == f"prompt.{prompt}":
            return seen
        answer(four[seat], seen, least(seat, seen["request"]))


@pytest.fixture
def lines(four: Four) -> Iterator[dict[str, Talk]]:
    """A socket for each, opened when the markers are to be chosen."""
    play_until(four, "starting_markers")
    with ExitStack() as open_:
        yield {seat: open_.enter_context(talk(side.browser, side.game, seat=seat)) for seat, side in four.items()}


def fragments(side: Side) -> dict[str, Any]:
    found: dict[str, Any] = side.view()["view"]["fragments"]
    return found


def test_four_people_play_a_turn_of_the_whole_day(four: Four, lines: dict[str, Talk]) -> None:
    views = {seat: line.hear("view") for seat, line in lines.items()}
    assert {seat: view["view"]["eye"] for seat, view in views.items()} == SIDES
    assert four["lannes"].get("")["waiting_for"] == ["lannes", "alexander"]     # who leads a side chooses for it
    _markers_in_secret(four, lines, views)
    moved = _a_turn(four)
    assert moved == dict.fromkeys(SIDES, 1)
    _what_partners_share(four)


def _markers_in_secret(four: Four, lines: dict[str, Talk], views: dict[str, dict[str, Any]]) -> None:
    """A15.3 Both sides choose at once; a partner is told what, the other side that it is done."""
    for seat, others in (("lannes", ("alexander", "buxhowden")), ("alexander", ("lannes", "soult"))):
        lines[seat].say("answer", seq=four[seat].seq, key=new_key(), answer=least(seat, views[seat]["request"]))
        told = {each: json.dumps(line.hear("told")) for each, line in lines.items()}
        if seat == "alexander":
            assert '"LIM-A-1C"' in told["buxhowden"]
            assert '"LIM-F-IV"' in told["soult"]
        assert not [other for other in others for mark in MARKERS[seat] if f'"{mark}"' in told[other]]


def _a_turn(four: Four) -> dict[str, int]:
    """4.5, A15.2 Each decides for the corps that are his, and moves a battalion once; how often each moved."""
    units, seats = data("austerlitz").files["units"], scenario().seatings["four"].details
    moved = dict.fromkeys(SIDES, 0)
    while True:
        seat, seen = asked(four)
        if seen["view"]["fragments"]["turn"]["turn"] > 1:
            return moved
        request = seen["request"]
        assert request["mine"]
        if request["prompt"]["key"] == "prompt.movement":
            active = request["prompt"]["args"]["command"].removeprefix("command.")
            command = units["units"].get(active, {}).get("command", active)  # that of a brigade's leader
            corps = units["commands"][command].get("corps") or command
            assert corps in seats[seat]["corps"], f"{seat} leads {active}"
            if not moved[seat]:
                answer(four[seat], seen, step(four[seat], seen))
                moved[seat] += 1
                continue
        answer(four[seat], seen, least(seat, request))


def _what_partners_share(four: Four) -> None:
    """4.2 Partners see the same to the last marker; of the other side's pool they see what was drawn."""
    seen = {seat: fragments(side) for seat, side in four.items()}
    assert seen["lannes"] == seen["soult"]
    assert seen["alexander"] == seen["buxhowden"]
    own = {u["id"] for u in seen["soult"]["pool:markers_french"]["units"]}
    assert set(MARKERS["lannes"]) <= own
    foreign = seen["alexander"]["pool:markers_french"]
    assert not foreign["units"], "a turn begins with nothing drawn"
    four["lannes"].post("/chat", {"text": "Legrand holds", "to": "side"})
    assert "Legrand holds" in json.dumps(four["soult"].get("/chat"))
    assert "Legrand holds" not in json.dumps(four["buxhowden"].get("/chat"))
