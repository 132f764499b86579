"""A server whose clock is set, forward or back, as when a machine corrects it: nobody is locked out, nothing stands
still, nobody gains or loses time at a game but what the clock itself said."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app import timing
from app.accounts import limits
from app.config import Settings
from app.games.live import conninfo
from app.jobs import worker
from app.main import furnish
from tests.app.toy_table import PASS, STAY, Pair, Side, new_game
from tests.app.year import clock as virtual
from tests.conftest import PASSWORD, another, link_of, signed_up

pytestmark = pytest.mark.usefixtures("toy")
DAY = timedelta(days=1)
LIVE = {"pace": {"kind": "live", "minutes": 60, "increment": 0, "policy": "claim"}}


class Clock:
    """What time it is for Python, the job library and the database at once."""

    def __init__(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead, real = timedelta(0), time.time
        self.conn = psycopg.connect(conninfo(settings.database_url), autocommit=True)
        for statements in (virtual._NOW, virtual._DEFAULTS):
            self.conn.execute(statements.encode())
        path = f"alter database {self.conn.info.dbname} set search_path = virtual, public, pg_catalog"
        self.conn.execute(path.encode())
        self.conn.execute("set search_path = virtual, public, pg_catalog")
        monkeypatch.setattr(time, "time", lambda: real() + self.ahead.total_seconds())
        monkeypatch.setattr(timing, "now", lambda: datetime.now(UTC) + self.ahead)
        monkeypatch.setattr(worker, "POLL", 0.2)

    def set(self, ahead: timedelta) -> None:
        self.ahead = ahead
        self.conn.execute("update virtual.clock set ahead = %s", (ahead,))

    def found(self, query: str) -> Any:
        return self.conn.execute(query.encode()).fetchall()[0][0]

    def until(self, query: str) -> None:
        end = time.monotonic() + 120  # a regular job comes every minute
        while not self.found(query):
            assert time.monotonic() < end, query
            time.sleep(0.1)


@pytest.fixture
def clock(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Before the application runs, whose connections then ask this one."""
    one = Clock(settings, monkeypatch)
    yield one
    one.conn.close()


@contextmanager
def running(application: FastAPI, settings: Settings) -> Iterator[TestClient]:
    furnish(application, settings.model_copy(update={"worker": True}))
    with TestClient(application, follow_redirects=False) as client:
        yield client


def test_jobs_go_on_whichever_way_the_clock_is_set(application: FastAPI, settings: Settings, clock: Clock) -> None:
    """Ahead by a day, regular jobs are not made up for every minute of it; set right again they don't wait for
    tomorrow, and neither do the jobs of a worker that died meanwhile."""
    turns = "select count(*) from procrastinate_periodic_defers where task_name = 'notices.sweep'"
    now = "extract(epoch from now())"
    with running(application, settings):
        clock.until(f"{turns} and defer_timestamp > {now} - 120 and defer_timestamp <= {now}")
        clock.set(DAY)
        clock.until(f"{turns} and defer_timestamp > {now} - 120 and defer_timestamp <= {now}")
        assert clock.found("select count(*) from procrastinate_periodic_defers") < 50
        clock.conn.execute("""insert into procrastinate_workers (last_heartbeat) values (now() + interval '1 hour')""")
        clock.set(timedelta(0))
        clock.until(f"select not exists ({turns.replace('count(*)', '')} and defer_timestamp > {now} + 60)")
        clock.until("select not exists (select from procrastinate_workers where last_heartbeat > now())")
        clock.conn.execute("delete from procrastinate_periodic_defers")
        clock.set(-DAY)
        clock.until(f"{turns} and defer_timestamp > {now} - 120 and defer_timestamp <= {now}")


def test_sessions_proofs_and_limits_outlive_a_wrong_hour(
    client_at: Callable[[], TestClient], api: FastAPI, clock: Clock
) -> None:
    client = client_at()
    ana = signed_up(client, api, "Ana")
    assert ana.put("/api/account/mail", json={"mail": "ana@example.org", "password": PASSWORD}).status_code == 200
    link = f"/account/mail/{link_of(ana, 'Ana')}"
    clock.set(3 * DAY)
    assert ana.post(link).status_code == 404, "good for two days"
    assert ana.get("/api/account").status_code == 200
    bea = signed_up(client, api, "Bea")
    stranger = another(client, api)
    wrong = [stranger.post("/api/session", json={"name": "Ana", "password": "x" * 12}).status_code
             for _ in range(limits.SIGN_IN.hits + 1)]  # fmt: skip
    assert wrong[-1] == 429
    clock.set(timedelta(0))
    assert stranger.post("/api/session", json={"name": "Ana", "password": PASSWORD}).status_code == 200, (
        "hits of a time that has not come lock nobody out"
    )
    assert [one.get("/api/account").status_code for one in (ana, bea)] == [200, 200]
    assert ana.post(link).status_code == 303, "it is good again"


def test_a_game_clock_never_goes_back(client_at: Callable[[], TestClient], api: FastAPI, clock: Clock) -> None:
    """Half an hour ahead costs whose time it was half an hour; set back it gives nobody any, and stops nothing."""
    client = client_at()
    ana, bea = signed_up(client, api, "Ana"), signed_up(client, api, "Bea")
    game = new_game(ana, **LIVE)
    assert bea.post(f"/api/games/{game['id']}/join", json={"seat": "blue"}).status_code == 200
    pair = Pair(Side(ana, game["id"], "red"), Side(bea, game["id"], "blue"))
    pair.seal()
    pair.hide()

    def left() -> dict[str, float]:
        seats = pair.red.get("")["clock"]["seats"]
        return {seat: (one["turn"] + one["bank"]) / 60e6 for seat, one in seats.items()}

    before = left()
    clock.set(timedelta(minutes=30))
    pair.red.answer(PASS)
    ahead = left()
    assert before["red"] - 30.5 < ahead["red"] < before["red"] - 29.9
    clock.set(timedelta(0))
    pair.blue.answer(STAY)
    back = left()
    assert back["blue"] <= ahead["blue"], "nobody is given time"
    assert back["red"] <= ahead["red"]
    for seat, one in pair.red.get("")["clock"]["seats"].items():
        if one["deadline"]:
            assert datetime.fromisoformat(one["deadline"]) > timing.now(), seat
    claimed = ana.post(f"/api/games/{game['id']}/clock/claim", params={"seat": "red"})
    assert claimed.status_code in (400, 409), "nobody is late"


@pytest.fixture
def client_at(clock: Clock, api: FastAPI) -> Iterator[Callable[[], TestClient]]:  # noqa: ARG001
    """A browser on an application that was started under that clock."""
    with TestClient(api, follow_redirects=False) as client:
        yield lambda: client
