"""What if: a board of a game one plays, made of what one's own side knows; who may have one, and of what it is made."""

from random import Random
from typing import Any

import orjson
import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

import rules.bots
import rules.titles
from app.boards import service, whatif
from app.games import data
from app.games.models import Game
from app.leagues.forms import EventForm, filled
from rules.bots.leaks import known as not_redealt
from rules.bots.playout import play
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Title
from tests.app.club import Club
from tests.app.conftest import MakePair, Person, Sql
from tests.app.toy_table import ROLL, STAY, Pair

FOG: dict[str, Any] = {"chaco": {"intelligence": "limited"}, "guerra_a_muerte": {"limited_intelligence": True}}
SEED = {"chaco": 3}  # of a game that lasts; else 4


@pytest.fixture(autouse=True)
def forgotten() -> None:
    service._tables.clear()


def ask(browser: TestClient, game: str, **query: Any) -> Any:
    return browser.post(f"/api/games/{game}/what-if", params=query)


def board_of(browser: TestClient, game: str, **query: Any) -> str:
    made = ask(browser, game, **query)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def look(browser: TestClient, board: str, node: int = 0) -> Any:
    return browser.get(f"/api/boards/{board}/view", params={"node": node})


# -- who may -----------------------------------------------------------------------------------------


def test_a_player_alone_has_a_board_of_his_game(pair: Pair, person: Person, client: TestClient) -> None:
    board = board_of(pair.red.browser, pair.red.game)
    seen = look(pair.red.browser, board).json()
    assert (seen["mine"], seen["guess"], seen["private"]) == (True, "red", True)
    assert seen["request"]["seat"] == "red"
    del pair.red.browser.cookies["boards"]
    assert look(pair.red.browser, board).json()["mine"] is True  # at another browser of his
    for other in (pair.blue.browser, person("Cid"), client):
        for path in ("view", "file", "hand", "forecast"):
            assert other.get(f"/api/boards/{board}/{path}").status_code == 404
        assert other.get(f"/boards/{board}").status_code == 404
        for path, body in (("copy", {}), ("deal", {}), ("put", {"node": 0, "position": {}}), ("step", {"node": 0}),
                           ("answers", {"node": 0, "answer": ROLL}), ("preview", {"node": 0, "answer": ROLL}),
                           ("reach", {"node": 0, "form": "move", "units": []})):  # fmt: skip
            assert other.post(f"/api/boards/{board}/{path}", json=body).status_code == 404, path


def test_spectator_and_stranger_have_none(make_pair: MakePair, person: Person, client: TestClient) -> None:
    hidden = make_pair(visibility="private")
    hidden.seal()
    assert ask(person("Cid"), hidden.red.game).status_code == 404
    assert ask(client, hidden.red.game).status_code == 404
    open_ = make_pair(visibility="open")
    open_.seal()
    assert ask(person("Dan"), open_.red.game).status_code == 403
    assert ask(client, open_.red.game).status_code == 403
    assert ask(open_.red.browser, open_.red.game, seat="blue").status_code == 403


def test_a_game_that_forbids_it_says_so(make_pair: MakePair) -> None:
    pair = make_pair(what_if=False)
    pair.seal()
    pair.hide()
    assert pair.red.get("")["what_if"] is False
    refused = ask(pair.red.browser, pair.red.game)
    assert (refused.status_code, refused.json()["error"]["key"]) == (403, "boards.closed")
    pair.red.post("/resign")
    board_of(pair.red.browser, pair.red.game)


def test_nothing_of_it_touches_the_game(pair: Pair, sql: Sql) -> None:
    before = sql("select g::text from games g"), sql("select count(*) from entries")
    board = board_of(pair.red.browser, pair.red.game)
    body = {"node": 0, "answer": ROLL}
    assert pair.red.browser.post(f"/api/boards/{board}/answers", json=body).status_code == 200
    assert (sql("select g::text from games g"), sql("select count(*) from entries")) == before


# -- of what -----------------------------------------------------------------------------------------


def test_what_is_hidden_has_no_part_in_it(make_pair: MakePair, monkeypatch: pytest.MonkeyPatch, sql: Sql) -> None:
    """The same game with the other's coin elsewhere: the same boards."""
    monkeypatch.setattr(whatif, "_chance", lambda: Random(11))
    made = []
    for cup in ("left", "right"):
        pair = make_pair()
        pair.seal()
        pair.red.answer({"form": "hide", "placed": {"coin": "left"}})
        pair.blue.answer({"form": "hide", "placed": {"coin": cup}})
        board = board_of(pair.red.browser, pair.red.game)
        seen = look(pair.red.browser, board).json()
        dealt = pair.red.browser.post(f"/api/boards/{board}/deal").raise_for_status().json()
        made.append((seen["view"], seen["entries"], dealt["view"]))
        root, nodes = sql(f"select root, nodes from boards where id = '{board}'")[0]
        assert board not in repr((root, nodes))
    assert made[0] == made[1]


def test_a_guess_is_dealt_again(pair: Pair) -> None:
    board = board_of(pair.red.browser, pair.red.game)
    cups = set()
    for _ in range(12):
        dealt = pair.red.browser.post(f"/api/boards/{board}/deal").raise_for_status().json()
        cups.add(dealt["view"]["fragments"]["hand:blue"]["held"])
    assert cups == {"left", "right"}
    assert [node["parent"] for node in dealt["nodes"]] == [None] * 13


def test_a_finished_game_is_tried_from_any_moment(pair: Pair, person: Person) -> None:
    moments = {}
    for answer in (ROLL, None):
        if answer:
            pair.red.answer(answer)
        else:
            pair.blue.answer(STAY)
        shown = pair.red.view()
        moments[shown["seq"]] = shown["view"]["fragments"]["turn"]
    pair.red.post("/resign")
    cid = person("Cid")
    for seq, turn in moments.items():
        seen = look(cid, board_of(cid, pair.red.game, seq=seq)).json()
        assert seen["view"]["fragments"]["turn"] == turn
        assert (seen["private"], seen["guess"]) == (False, None)
        assert {k: seen["view"]["fragments"][k]["held"] for k in ("hand:red", "hand:blue")} == {
            "hand:red": "left", "hand:blue": "left"}  # fmt: skip
    shared = board_of(cid, pair.red.game)
    assert look(pair.blue.browser, shared).status_code == 200
    assert cid.post(f"/api/boards/{shared}/deal").json()["error"]["key"] == "boards.no_guess"



# -- the titles --------------------------------------------------------------------------------------


class Watch:
    """Asks at some answers of a game what each side would make of it, as it is and with all that is hidden re-dealt."""

    def __init__(self, title: Title, at: set[int]) -> None:
        self.title, self.at, self.count = title, at, 0
        self.line: list[Entry] = []
        self.boards = self.whole = 0

    def begin(self, referee: Referee, made: list[Entry]) -> None:  # noqa: ARG002
        self.line += made

    def after(self, referee: Referee, made: list[Entry]) -> Referee:
        self.line += made
        self.count += 1
        if self.count in self.at and referee.pending:
            for side in referee.seating.sides:
                self.compare(referee, side)
        if self.count > max(self.at):
            raise StopIteration
        return referee

    def compare(self, referee: Referee, side: str) -> None:
        title, game, point = self.title, referee.game, referee.newest
        opened = [e for e in self.line if e.seq > point.seq]
        other = title.decode(game, point.state, title.schema)
        title.scramble(other, side, Random(5), not_redealt(opened, side))
        made = []
        for state in (point.state, title.encode(other)):
            as_it_is = whatif._rerun(title, game, Checkpoint(point.seq, point.phase, state), title.schema, opened)
            since = tuple(e for e in as_it_is.drain() if e.seq > as_it_is.gap_seq)
            moment = whatif.Moment(as_it_is.gap, since)
            keep = whatif.known(moment, referee.seating, side)
            root, first = whatif.imagined(title, game, moment, side, keep, Random(3))
            made.append((orjson.loads(root), [e.answer for e in first.entries], first.keep))
            title.invariants(title.decode(game, root, title.schema))
        assert made[0] == made[1]
        self.boards += 1
        self.whole += bool(made[0][1]) or not since


@pytest.mark.parametrize("title_id", rules.titles.IDS)
def test_a_board_is_the_same_whatever_is_hidden(title_id: str) -> None:
    title = rules.titles.load(title_id)
    current = data.current(title_id)
    scenario = next(iter(current.scenarios))
    watch = Watch(title, {9, 33, 60, 95, 140})
    bots = {seat: rules.bots.make("random") for seat in current.scenarios[scenario].seating().seats}
    with pytest.raises((RuntimeError, StopIteration)):
        play(title, current, scenario, SEED.get(title_id, 4), bots, options=FOG.get(title_id), watcher=watch)
    assert watch.boards >= 8
    assert watch.whole


# -- events ------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_an_event_closes_it_for_its_games(club: Club, toy: None) -> None:  # noqa: ARG001
    await club.make("round_robin", people=4, what_if=False)
    await club.start()
    found = await club.open()
    async with club.db.begin() as session:
        closed = (await session.scalars(select(Game.what_if).where(Game.id.in_([p.game_id for *_, p in found])))).all()
    assert found
    assert closed == [False] * len(found)


def test_the_form_of_an_event_says_so() -> None:
    fields = {"name": "Cup", "format": "round_robin", "board.triple_alliance.war": "on", "pace": "none"}
    for ticked in ({}, {"no_what_if": "true"}):
        settings = EventForm.model_validate(fields | ticked).settings()
        assert settings.what_if is not bool(ticked)
        assert filled("Cup", "", "round_robin", settings)["no_what_if"] is bool(ticked)
