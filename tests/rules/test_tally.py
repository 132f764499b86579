"""What counts when a game is over, of each title: kept games summed up, and rolls weighed by hand."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.games import data as titles
from app.games.told import ToldEntry
from app.result.chart import lines
from app.result.summary import Summary, summed_up
from rules.core.tally import by_faces, by_rows
from rules.core.view import Views
from rules.titles import IDS
from tests.records import kept

GAMES = {"triple_alliance": "usual-5-heuristic-random", "chaco": "boqueron-usual-random-random",
         "guerra_a_muerte": "by-hand-the-junta-marches", "austerlitz": "by-hand-hussars-ride",
         "ultimo_hombre": "options-20-random-random"}  # fmt: skip


def game_of(title: str) -> Any:
    body = kept.record(f"{title}/{GAMES[title]}")
    return titles.title(title).game(kept.data(body["data"]), body["scenario"], body["by"])


def summary(title: str) -> tuple[Summary, Any]:
    """A kept game summed up, and what everybody sees at its end."""
    body = kept.record(f"{title}/{GAMES[title]}")
    _, made, referee = kept.replayed(body)
    title_ = referee.title
    first = title_.first(kept.data(body["data"]), body["scenario"], body["options"], list(body["by"]))
    begun = Views(title_.view, first, referee.seating.sides).contents["all"]
    made[0].told = {"all": [step("game_begins", "") | {"fragments": begun}, *made[0].told.get("all", ())]}
    told = [ToldEntry(e.seq, datetime(2026, 1, 1, 0, e.seq % 60, tzinfo=UTC), e.seat, e.kind, e.clause, False, e.forced,
                      e.dice, e.told) for e in made]  # fmt: skip
    found = summed_up(referee.title, referee.game, referee.seating, told)
    return found, referee.views.contents["all"]


@pytest.mark.parametrize("title", IDS)
def test_a_kept_game_sums_up_to_what_is_seen_at_its_end(title: str) -> None:
    found, shown = summary(title)
    last = found.samples[-1]
    assert last.turn == shown["turn"]["turn"]
    assert len({one.turn for one in found.samples}) == len(found.samples)
    assert last.score, "a title has points"
    assert all(strength > 0 for strength in last.strength.values()), last.strength
    prefix = titles.title(title).lost
    dead = {side: sum(len(pool["units"]) for key, pool in shown.items()
                      if key.startswith(prefix) and pool and pool["side"] == side) for side in found.sides}  # fmt: skip
    assert all(last.lost[side] >= n for side, n in dead.items())


def test_the_war_ends_with_its_figures() -> None:
    found, shown = summary("triple_alliance")
    last = found.samples[-1]
    total = shown["table:points"]["rows"][-1]
    assert (total["label"]["key"], last.score) == ("point.total", {"allied": total["value"]})
    units = game_of("triple_alliance").units
    spaces = [space for key, space in shown.items() if key.startswith("space:") and space]
    allied = [unit["id"] for space in spaces if space.get("side") == "allied" for unit in space["units"]]
    assert last.strength["allied"] == sum(units[unit].attack for unit in allied)
    [*fights] = found.fights
    assert fights
    assert found.decisive
    assert sum(found.luck.values()) == pytest.approx(sum(one.throw.luck for one in fights))
    assert [one.seq for one in found.decisive] == sorted(one.seq for one in found.decisive)
    weakest = min(abs(one.throw.luck) for one in found.decisive)
    assert all(abs(one.throw.luck) <= weakest for one in fights if one not in found.decisive)


def step(event: str, side: str, **data: Any) -> dict[str, Any]:
    return {"event": event, "side": side, "clause": "", "data": data, "fragments": {}}


def test_faces_weigh_a_roll() -> None:
    faces = [{"roll": n, "attacker": 1 if n < 3 else 0, "defender": 2 if n > 4 else 0} for n in range(1, 7)]
    thrown = by_faces(None, step("battle", "red", roll=6, odds={"faces": faces}))
    assert thrown is not None
    assert (thrown.side, thrown.got) == ("red", 2)
    assert thrown.expected == pytest.approx(2 / 6)  # the defender loses 4, the attacker 2, over six faces
    assert by_faces(None, step("battle", "red", odds={"faces": faces})) is None  # nothing has been rolled
    assert by_faces(None, step("weather", "red", roll=3)) is None


@pytest.mark.parametrize(
    ("title", "told", "got", "expected"),
    [
        ("ultimo_hombre", step("shot", "allied", roll=2, factor=3, hit=True), 1, 0.5),
        ("ultimo_hombre", step("shot", "allied", roll=5, factor=2, hit=False), 0, 1 / 3),
        # 8.5: 0 to 3 cost the attacker 2, 2, 1, 1, 6 to 9 the defender 1, 1, 2, 3: 1 in all
        ("austerlitz", step("melee", "french", roll=9, total=9), 3, 0.1),
        ("austerlitz", step("melee", "french", roll=5, total=9), 3, 1.9),  # +4: 0, 0, 1, 1, 2, then 3 five times
        ("chaco", step("combat_rolled", "bolivia", roll=6, odds={"sides": {"defense": [{"units": [
            {"id": "PY-INF-ITOR"}]}]}, "faces": [{"roll": n, "result": "1/-" if n < 6 else "-/E"}
                                                 for n in range(1, 7)]}), 2, -0.5),
    ],
)  # fmt: skip
def test_a_roll_is_weighed_by_its_title(title: str, told: dict[str, Any], got: float, expected: float) -> None:
    thrown = titles.title(title).tally.throw(game_of(title), told)
    assert thrown is not None
    assert thrown.got == got
    assert thrown.expected == pytest.approx(expected)


def test_halves_of_a_table_count() -> None:
    rows = [{"label": {"key": "seat.red", "args": {}}, "value": "13½"}, {"label": {"key": "seat.blue"}, "value": "½"},
            {"label": {"key": "war.coup", "args": {}}, "value": "coup.no"}]  # fmt: skip
    assert by_rows("table:x")({"table:x": {"rows": rows}}) == {"red": 13.5, "blue": 0.5}
    assert by_rows("table:x")({}) == {}


def test_a_graph_has_a_line_a_side_and_its_words_are_safe() -> None:
    drawn = str(lines(["I", "II<"], {"red": [0, 4.5], "blue": [2, -3]}, 'what "is"'))
    assert drawn.count('class="series') == 2
    assert 'aria-label="what &#34;is&#34;"' in drawn
    assert "II&lt;" in drawn
    assert "−" in drawn
