"""Clocks at the table: they start, follow every change, and end games only when somebody claims it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

from app import timing
from app.clocks import service
from app.clocks.clock import Moment, reckon
from app.clocks.repository import moments
from app.games import repository
from app.games.change import Change
from app.games.pace import pace_of
from tests.app.conftest import MakePair
from tests.app.toy_table import PASS, ROLL, STAY, Pair, Side, bid, move, new_game

DAYS = {"kind": "days", "days": 3, "bank": 7, "increment": 0}
LIVE = {"kind": "live", "minutes": 10, "increment": 30}
DAY = 86_400_000_000  # microseconds
Travel = Callable[[timedelta], None]


@pytest.fixture
def travel(monkeypatch: pytest.MonkeyPatch) -> Travel:
    """Moves the server's clock on."""
    ahead = timedelta()

    def go(by: timedelta) -> None:
        nonlocal ahead
        ahead += by

    monkeypatch.setattr(timing, "now", lambda: datetime.now(UTC) + ahead)
    return go


@pytest.fixture
def timed(make_pair: MakePair, travel: Travel) -> Iterator[Pair]:  # noqa: ARG001
    """A game by days whose dice are sealed and coins hidden: red is asked. At the end the clock is what the record
    says."""
    pair = make_pair(pace=DAYS)
    pair.seal()
    pair.hide()
    yield pair
    adds_up(pair)


def clock(side: Side) -> dict[str, Any]:
    found: dict[str, Any] = side.get("")["clock"]
    return found


def left(side: Side, seat: str) -> tuple[int, int]:
    """Days of turn and bank, rounded."""
    hand = clock(side)["seats"][seat]
    return round(hand["turn"] / DAY), round(hand["bank"] / DAY)


def due(side: Side, seat: str) -> timedelta | None:
    """From the time the clock was reckoned to the deadline."""
    now = clock(side)
    at = now["seats"][seat]["deadline"]
    return datetime.fromisoformat(at) - datetime.fromisoformat(now["at"]) if at else None


def refused(answer: Any) -> str:
    key: str = answer["error"]["key"]
    return key


def connection(side: Side) -> psycopg.Connection[Any]:
    return psycopg.connect(side.browser.app.state.games.store.pool.conninfo, autocommit=True)  # type: ignore[attr-defined]


def one(cursor: psycopg.Cursor[Any]) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = cursor.fetchone()
    assert row is not None
    return row


def adds_up(pair: Pair) -> None:
    """The stored clock is the function of the record."""
    with connection(pair.red) as conn:
        stored, pace = one(conn.execute("select clock, pace from games where id = %s", (pair.red.game,)))
        rows = conn.execute(
            "select seq, at, seat, kind, asks, answer from entries where game_id = %s order by seq", (pair.red.game,)
        ).fetchall()
    kinds = ("pace", "dice", "grant", "fresh", "take_back")
    record = [Moment(n, at, seat, kind, None if asks is None else tuple(asks), answer if kind in kinds else None)
              for n, at, seat, kind, asks, answer in rows]  # fmt: skip
    clocks = reckon(record, {})
    assert (clocks is None) == (pace is None)
    if clocks:
        assert clocks.pace == pace_of(pace)
        for seat, hand in clocks.hands.items():
            micros = timedelta(microseconds=1)
            assert stored["seats"][seat]["turn"] == hand.turn // micros
            assert stored["seats"][seat]["bank"] == hand.bank // micros
            deadline = clocks.deadline(seat, {})
            assert stored["seats"][seat]["deadline"] == (deadline.isoformat() if deadline else None)


# -- starting ----------------------------------------------------------------------------------------


def test_clocks_start_when_all_sides_are_taken_and_run_first_for_those_who_owe_dice(
    person: Callable[[str], TestClient], toy: None, travel: Travel  # noqa: ARG001
) -> None:
    ana, bea = person("Ana"), person("Bea")
    game = new_game(ana, pace=DAYS)
    assert game["pace"] == {**DAYS, "policy": "claim"}
    assert game["deadline"] is None
    red, blue = Side(ana, game["id"], "red"), Side(bea, game["id"], "blue")
    travel(timedelta(days=20))
    bea.post(f"/api/games/{game['id']}/join", json={"seat": "blue", "token": game["join_token"]})
    assert clock(red)["owes"] == ["blue", "red"]
    assert due(red, "red") == due(red, "blue") == timedelta(days=10)
    pair = Pair(red, blue)
    pair.seal()
    assert clock(red)["owes"] == []
    assert clock(red)["asked"] == ["red"]
    pair.hide()
    assert due(red, "red") == timedelta(days=10)
    assert due(red, "blue") is None
    adds_up(pair)


def test_who_never_opens_the_game_loses_on_time_and_not_who_waits_for_dice(make_pair: MakePair, travel: Travel) -> None:
    pair = make_pair(pace=LIVE)
    pair.red.post("/dice", {"hash": "ab" * 32})
    assert clock(pair.red)["owes"] == ["blue"]
    travel(timedelta(minutes=11))
    assert refused(pair.blue.post("/clock/claim", expect=400)) == "clocks.late_yourself"
    pair.red.post("/clock/claim")
    assert pair.red.get("")["result"]["winner"] == "red"


def test_a_game_without_a_pace_has_no_clock(pair: Pair) -> None:
    card = pair.red.get("")
    assert (card["pace"], card["clock"]) == (None, None)
    assert refused(pair.blue.post("/clock/claim", expect=400)) == "clocks.no_clock"
    assert [e["kind"] for e in pair.red.record()].count("pace") == 0


def test_one_who_plays_alone_has_no_clock(person: Callable[[str], TestClient], toy: None) -> None:  # noqa: ARG001
    assert new_game(person("Ana"), opponent="both", pace=DAYS)["pace"] is None


@pytest.mark.parametrize("pace", [{"kind": "days", "days": 0}, {"kind": "days", "days": 3, "minutes": 5},
                                  {"kind": "live", "minutes": 5, "increment": -1}, {"kind": "eternal"}])  # fmt: skip
def test_impossible_paces(person: Callable[[str], TestClient], toy: None, pace: dict[str, Any]) -> None:  # noqa: ARG001
    body = {"title": "toy", "scenario": "duel", "seat": "red", "pace": pace}
    assert person("Ana").post("/api/games", json=body).status_code == 422


def test_only_a_tournament_leaves_time_to_its_director(person: Callable[[str], TestClient], toy: None) -> None:  # noqa: ARG001
    body = {"title": "toy", "scenario": "duel", "seat": "red", "pace": {**DAYS, "policy": "director"}}
    assert person("Ana").post("/api/games", json=body).json()["error"]["key"] == "games.no_director"


# -- running -----------------------------------------------------------------------------------------


def test_the_turn_is_new_at_each_hand_over_and_the_bank_is_not(timed: Pair, travel: Travel) -> None:
    travel(timedelta(days=2))
    timed.red.answer(move("a", "b"))
    assert left(timed.red, "red") == (1, 7)
    travel(timedelta(days=3))
    timed.red.answer(PASS)
    assert left(timed.red, "red") == (0, 5)
    assert due(timed.red, "red") is None
    assert due(timed.red, "blue") == timedelta(days=10)
    travel(timedelta(days=1))
    timed.blue.answer(STAY)
    assert left(timed.blue, "blue") == (2, 7) or clock(timed.blue)["asked"] == ["red", "blue"]
    timed.red.answer(bid(1))
    timed.blue.answer(bid(2))
    assert left(timed.red, "red") == (3, 5)


def test_live_clocks_gain_an_increment_with_each_hand_over(make_pair: MakePair, travel: Travel) -> None:
    pair = make_pair(pace=LIVE)
    pair.seal()
    pair.hide()
    before = clock(pair.red)["seats"]["red"]["bank"]
    travel(timedelta(minutes=2))
    pair.red.answer(PASS)
    spent = before - clock(pair.red)["seats"]["red"]["bank"]
    assert 120_000_000 <= spent < 125_000_000
    pair.blue.answer(STAY)
    gained = clock(pair.red)["seats"]["red"]["bank"] - (before - spent)
    assert 29_000_000 < gained <= 30_000_000
    adds_up(pair)


def test_a_live_clock_is_written_beside_its_answer(
    make_pair: MakePair, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No transaction of several round trips, and what is kept is what the record says."""
    pair = make_pair(pace=LIVE)
    pair.seal()
    pair.hide()

    async def asked(*_args: object) -> None:
        raise AssertionError("the database was asked for moments")

    with monkeypatch.context() as patch:
        patch.setattr("app.clocks.repository.moments", asked)
        travel(timedelta(minutes=1))
        pair.red.answer(PASS)
        travel(timedelta(minutes=2))
        pair.blue.answer(STAY)
    assert clock(pair.red)["seq"] == pair.red.view()["seq"]
    adds_up(pair)


def test_a_late_answer_counts_until_a_claim_is_in(timed: Pair, travel: Travel) -> None:
    travel(timedelta(days=11))
    timed.red.answer(PASS)
    assert left(timed.red, "red") == (0, 0)
    assert refused(timed.blue.post("/clock/claim", expect=400)) == "clocks.not_late"
    timed.blue.answer(STAY)
    assert left(timed.red, "red") == (3, 0)


def test_a_claimed_time_out_is_an_entry_and_a_rated_loss(timed: Pair, travel: Travel, client: TestClient) -> None:
    assert refused(timed.blue.post("/clock/claim", expect=400)) == "clocks.not_late"
    travel(timedelta(days=10, minutes=1))
    assert refused(timed.red.post("/clock/claim", expect=400)) == "clocks.late_yourself"
    timed.blue.post("/clock/claim")
    card = timed.red.get("")
    assert card["state"] == "finished"
    assert card["result"] == {"winner": "blue", "key": "result.time_out", "args": {"seat": "red"}, "clause": "",
                              "time_out": "red", "rated": True}  # fmt: skip
    assert due(timed.red, "red") is None
    last = timed.red.record()[-1]
    assert (last["kind"], last["steps"][0]["event"]) == ("time_out", "timed_out")
    timed.red.answer(PASS, expect=400)
    client.app.state.games.store.drop(timed.red.game)  # type: ignore[attr-defined]
    assert timed.red.view()["request"] is None  # a re-run passes over it
    assert timed.blue.post("/clock/claim", expect=400)["error"]["key"] == "games.finished"


def test_strangers_touch_no_clock(timed: Pair, person: Callable[[str], TestClient], travel: Travel) -> None:
    travel(timedelta(days=11))
    cid = person("Cid")
    for path, body in (("claim", {}), ("grant", {"hours": 5}), ("resume", {}), ("reply", {"yes": True}),
                       ("substitute", {}), ("propose", {"what": "pause"})):  # fmt: skip
        assert cid.post(f"{timed.red.at}/clock/{path}", json=body).status_code == 403, path
    assert timed.red.get("")["state"] == "active"


def test_granted_time_counts_from_now_when_time_is_up(timed: Pair, travel: Travel) -> None:
    travel(timedelta(days=12))
    timed.blue.post("/clock/grant", {"hours": 48})
    assert due(timed.red, "red") == timedelta(days=2)
    assert refused(timed.blue.post("/clock/claim", expect=400)) == "clocks.not_late"
    assert timed.red.record()[-1]["steps"][0]["data"] == {"seat": "red", "n": 2}
    timed.blue.post("/clock/grant", {"hours": 721}, expect=422)
    timed.blue.post("/clock/grant", {"hours": 720})
    timed.blue.post("/clock/grant", {"hours": 720})
    assert left(timed.red, "red") == (0, 60)
    assert refused(timed.blue.post("/clock/grant", {"hours": 1}, expect=400)) == "clocks.bank_full"


def test_a_substitute_is_looked_for_until_an_answer(timed: Pair, travel: Travel) -> None:
    assert refused(timed.blue.post("/clock/substitute", expect=400)) == "clocks.not_late"
    travel(timedelta(days=11))
    timed.blue.post("/clock/substitute")
    assert timed.red.get("")["wants_substitute"] == "red"
    timed.red.answer(PASS)
    assert timed.red.get("")["wants_substitute"] is None


# -- by consent --------------------------------------------------------------------------------------


def test_a_pause_takes_two_and_its_end_one(timed: Pair, travel: Travel) -> None:
    assert timed.red.post("/clock/propose", {"what": "pause"}) == {"done": False}
    assert timed.blue.get("")["clock_offer"]["seat"] == "red"
    assert refused(timed.red.post("/clock/reply", {"yes": True}, expect=400)) == "clocks.no_offer"
    assert refused(timed.red.post("/clock/propose", {"what": "pause"}, expect=400)) == "clocks.offer_open"
    timed.blue.post("/clock/reply", {"yes": True})
    assert clock(timed.red)["paused"]
    assert due(timed.red, "red") is None
    travel(timedelta(days=100))
    assert refused(timed.blue.post("/clock/claim", expect=400)) == "clocks.not_late"
    timed.blue.post("/clock/resume")
    assert refused(timed.red.post("/clock/resume", expect=400)) == "clocks.not_paused"
    assert due(timed.red, "red") is not None
    assert left(timed.red, "red") == (3, 7)


def test_a_proposal_is_declined_or_taken_back(timed: Pair) -> None:
    timed.red.post("/clock/propose", {"what": "pause"})
    timed.blue.post("/clock/reply", {"yes": False})
    assert timed.red.get("")["clock_offer"] is None
    timed.red.post("/clock/propose", {"what": "pause"})
    timed.red.post("/clock/reply", {"yes": False})
    assert refused(timed.blue.post("/clock/reply", {"yes": True}, expect=400)) == "clocks.no_offer"
    assert not clock(timed.red)["paused"]


def test_two_who_propose_the_same_agree(timed: Pair) -> None:
    timed.red.post("/clock/propose", {"what": "pause"})
    assert timed.blue.post("/clock/propose", {"what": "pause"}) == {"done": True}


def test_the_pace_changes_by_consent_and_may_go_and_come(timed: Pair, travel: Travel) -> None:
    travel(timedelta(days=5))
    timed.red.post("/clock/propose", {"what": "pace", "pace": LIVE})
    timed.blue.post("/clock/reply", {"yes": True})
    assert timed.red.get("")["pace"] == {**LIVE, "policy": "claim"}
    assert due(timed.red, "red") == timedelta(minutes=10, seconds=30)
    adds_up(timed)
    timed.red.post("/clock/propose", {"what": "pace", "pace": None})
    timed.blue.post("/clock/reply", {"yes": True})
    card = timed.red.get("")
    assert (card["pace"], card["clock"]) == (None, None)
    travel(timedelta(days=500))
    timed.red.answer(PASS)
    timed.blue.post("/clock/propose", {"what": "pace", "pace": DAYS})
    timed.red.post("/clock/reply", {"yes": True})
    assert due(timed.red, "blue") == timedelta(days=10)
    assert [e["kind"] for e in timed.red.record()].count("pace") == 4


# -- take-backs --------------------------------------------------------------------------------------


def test_a_take_back_along_the_own_run_gives_no_time_back(timed: Pair, travel: Travel) -> None:
    travel(timedelta(days=2))
    timed.red.answer(move("a", "b"))
    travel(timedelta(days=2))
    timed.red.post("/take-back", {"to": timed.red.get("/take-back")["free"]})
    assert left(timed.red, "red") == (0, 6)


def test_an_agreed_take_back_gives_the_time_of_both_back(timed: Pair, travel: Travel) -> None:
    travel(timedelta(days=1))
    rolled = timed.red.seq + 1
    timed.red.answer(ROLL)
    travel(timedelta(days=5))
    timed.blue.post("/clock/grant", {"hours": 24})
    timed.red.post("/take-back", {"to": rolled})
    travel(timedelta(days=1))
    timed.blue.post("/take-back/reply", {"yes": True})
    assert left(timed.red, "red") == (3, 8)
    assert due(timed.red, "red") == timedelta(days=11)
    assert left(timed.red, "blue")[1] == 7
    travel(timedelta(days=1))
    timed.red.answer(ROLL)
    assert left(timed.red, "red")[1] == 8


def test_a_withdrawn_answer_renews_nothing(timed: Pair, travel: Travel) -> None:
    timed.red.answer(PASS)
    timed.blue.answer(STAY)
    assert clock(timed.red)["asked"] == ["red", "blue"]
    travel(timedelta(days=2))
    timed.red.answer(bid(1))
    travel(timedelta(days=4))
    timed.red.post("/withdraw")
    assert left(timed.red, "red") == (1, 7)
    assert left(timed.red, "blue") == (0, 4)


# -- substitutes, reminders, lists -------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_substitute_begins_with_a_full_clock(
    timed: Pair, travel: Travel, person: Callable[[str], TestClient]
) -> None:
    travel(timedelta(days=11))
    timed.blue.post("/clock/substitute")
    person("Cid")
    conn = await psycopg.AsyncConnection.connect(timed.red.browser.app.state.games.store.pool.conninfo)  # type: ignore[attr-defined]
    async with conn:
        (user,) = (await (await conn.execute("select id from users where name = 'Cid'")).fetchone()) or ()
        await repository.set_seat(conn, timed.red.game, "red", user)
        row = await repository.lock(conn, timed.red.game)
        assert row is not None
        change = Change(conn, row)
        await service.fresh_clock(change, "red")
        await service.MoveClocks().react(change)
        assert [m.kind for m in await moments(conn, row.id)][-1] == "fresh"
    assert left(timed.blue, "red") == (3, 7)
    assert timed.blue.get("")["wants_substitute"] is None


def test_reminders_come_at_half_and_before_the_end(timed: Pair) -> None:
    now = clock(timed.red)
    deadline = datetime.fromisoformat(now["seats"]["red"]["deadline"])
    found = service.reminders(now, "red")
    assert [one.kind for one in found] == ["half", "left:86400", "left:21600"]
    since = datetime.fromisoformat(now["seats"]["red"]["since"])
    assert [one.at - since for one in found] == [timedelta(days=5), timedelta(days=9), timedelta(days=9, hours=18)]
    assert deadline - since == timedelta(days=10)
    assert service.reminders(now, "blue") == []
    assert service.reminders(None, "red") == []
    assert [one.kind for one in service.reminders(now, "red", [timedelta(days=30)], half=False)] == []


def test_the_lobby_lists_the_deadline(timed: Pair) -> None:
    (card,) = timed.red.browser.get("/api/lobby").json()["mine"]
    assert card["deadline"] == clock(timed.red)["seats"]["red"]["deadline"].replace("+00:00", "Z")
    with connection(timed.red) as conn:
        (stored,) = one(conn.execute("select deadline from games where id = %s", (timed.red.game,)))
    assert stored == datetime.fromisoformat(card["deadline"])
    page = timed.red.browser.get("/").text
    assert 'data-left="' in page


def reminders_of(pair: Pair) -> list[tuple[str, list[datetime]]]:
    """Who is to be reminded, and when: at the first moment, and then one after the other."""
    with connection(pair.red) as conn:
        rows = conn.execute(
            "select args, scheduled_at from procrastinate_jobs where task_name = 'notices.remind'"
            " and status = 'todo' order by id").fetchall()  # fmt: skip
    return [(args["seat"], [at, *map(datetime.fromisoformat, args["then"])]) for args, at in rows]


def test_who_is_asked_is_reminded_of_the_deadline_and_again_of_a_new_one(timed: Pair) -> None:
    half, *last = [moments for seat, moments in reminders_of(timed) if seat == "red"][-1]
    deadline = datetime.fromisoformat(clock(timed.red)["seats"]["red"]["deadline"])
    assert last == [deadline - timedelta(days=1), deadline - timedelta(hours=6)]
    assert half < last[0]
    before = len(reminders_of(timed))
    timed.red.answer(PASS)
    assert [seat for seat, _ in reminders_of(timed)[before:]] == ["blue"]


def test_a_live_game_reminds_nobody(make_pair: MakePair) -> None:
    pair = make_pair(pace=LIVE)
    pair.seal()
    pair.hide()
    assert reminders_of(pair) == []
