"""Calendars: what counts of a day, and that nobody can stop a clock by setting hours at the last minute."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from starlette.testclient import TestClient

from app import timing
from app.clocks.calendar import DAY, Calendar, Hours
from app.clocks.words import Words
from app.texts import Texts
from tests.app.conftest import MakePair
from tests.app.test_clocks import DAYS, Travel, adds_up, clock, due, left, travel
from tests.app.toy_table import PASS, STAY

__all__ = ["travel"]
MADRID = ZoneInfo("Europe/Madrid")
HOUR = timedelta(hours=1)
NIGHT = (time(22), time(8))
QUIET = {"zone": "Europe/Madrid", "quiet_from": "22:00", "quiet_to": "08:00", "rest": [6, 7]}
Person = Callable[[str], TestClient]


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=MADRID).astimezone(UTC)


def since(hours: Hours) -> Calendar:
    return Calendar([(at(2020, 1, 1), hours)])


# -- what counts -------------------------------------------------------------------------------------


def test_quiet_hours_over_midnight() -> None:
    calendar = since(Hours("Europe/Madrid", NIGHT))
    assert calendar.counted(at(2025, 1, 10, 20), at(2025, 1, 11, 9)) == 3 * HOUR
    assert calendar.after(at(2025, 1, 10, 23), 14 * HOUR) == at(2025, 1, 11, 22)
    assert calendar.after(at(2025, 1, 10, 23), 15 * HOUR) == at(2025, 1, 12, 9)


def test_quiet_hours_within_a_day() -> None:
    calendar = since(Hours("Europe/Madrid", (time(9), time(17))))
    assert calendar.counted(at(2025, 1, 10), at(2025, 1, 11)) == 16 * HOUR


def test_the_day_on_which_an_hour_is_skipped_has_23() -> None:
    spring, autumn = at(2025, 3, 30), at(2025, 10, 26)
    plain = since(Hours("Europe/Madrid", None, frozenset({1})))
    assert plain.counted(spring, at(2025, 3, 31)) == 23 * HOUR
    assert plain.counted(autumn, at(2025, 10, 27)) == 25 * HOUR
    night = since(Hours("Europe/Madrid", NIGHT))
    assert night.counted(at(2025, 3, 29, 12), at(2025, 3, 30, 12)) == 14 * HOUR  # what is skipped is quiet
    morning = since(Hours("Europe/Madrid", (time(2, 30), time(3))))  # within the skipped hour
    assert morning.counted(spring, at(2025, 3, 31)) == 23 * HOUR
    assert morning.counted(at(2025, 3, 31), at(2025, 4, 1)) == 23.5 * HOUR


def test_days_of_rest_are_those_of_the_wall_calendar() -> None:
    calendar = since(Hours("Europe/Madrid", None, frozenset({6, 7})))
    assert calendar.after(at(2025, 1, 10, 12), DAY) == at(2025, 1, 13, 12)  # Friday to Monday


def test_a_vacation_stops_the_clock_and_hours_change_from_an_instant() -> None:
    away = (at(2025, 1, 12), at(2025, 1, 20))
    calendar = Calendar([(at(2025, 1, 11), Hours("Europe/Madrid", NIGHT))], [away])
    assert calendar.counted(at(2025, 1, 10), at(2025, 1, 11)) == DAY
    assert calendar.counted(at(2025, 1, 11), at(2025, 1, 21)) == 28 * HOUR
    assert calendar.after(at(2025, 1, 11, 21), 2 * HOUR) == at(2025, 1, 20, 9)


@pytest.mark.parametrize(("zone", "said"), [("Europe/Madrid", "Fri, Dec 5, 18:00 (Madrid)"),
                                            ("America/Santiago", "Fri, Dec 5, 14:00 (Santiago)"),
                                            (None, "Fri, Dec 5, 17:00 (UTC)")])  # fmt: skip
def test_a_deadline_is_said_in_the_readers_zone(monkeypatch: pytest.MonkeyPatch, zone: str | None, said: str) -> None:
    monkeypatch.setattr("app.timing.now", lambda: datetime(2025, 12, 1, tzinfo=UTC))
    assert Words(Texts("en"), zone).at(datetime(2025, 12, 5, 17, tzinfo=UTC)) == said


@pytest.mark.parametrize(("time", "said"), [(timedelta(days=2, hours=4, minutes=3), "2 days 4 hr"),
                                            (timedelta(days=1, minutes=3), "1 day"), (timedelta(hours=1), "1 hr"),
                                            (timedelta(minutes=61), "1 hr 1 min"),
                                            (timedelta(0), "0 sec")])  # fmt: skip
def test_a_time_is_said_by_its_two_largest_parts(time: timedelta, said: str) -> None:
    assert Words(Texts("en"), None).span(time) == said


# -- setting them ------------------------------------------------------------------------------------


def test_hours_hold_at_once_while_no_clock_runs_by_them(person: Person) -> None:
    ana = person("Ana")
    assert ana.get("/api/account/calendar").json()["hours"] == {
        "zone": "UTC", "quiet_from": None, "quiet_to": None, "rest": []}  # fmt: skip
    assert ana.put("/api/account/calendar", json=QUIET).status_code == 200
    said = ana.get("/api/account/calendar").json()
    assert said["coming"] is None
    assert said["hours"] == {**QUIET, "quiet_from": "22:00:00", "quiet_to": "08:00:00"}


@pytest.mark.parametrize(("change", "key"), [({"zone": "Europe/Nowhere"}, "clocks.no_zone"),
                                             ({"quiet_to": "12:01"}, "clocks.much_quiet"),
                                             ({"quiet_to": "22:00"}, "clocks.much_quiet"),
                                             ({"rest": [1, 2, 3, 4]}, "clocks.much_rest")])  # fmt: skip
def test_too_much_is_refused(person: Person, change: dict[str, object], key: str) -> None:
    said = person("Ana").put("/api/account/calendar", json=QUIET | change)
    assert (said.status_code, said.json()["error"]["key"]) == (400, key)


def test_a_running_clock_is_not_stopped_by_setting_hours(make_pair: MakePair, travel: Travel) -> None:
    pair = make_pair(pace=DAYS)
    pair.seal()
    before = clock(pair.red)["seats"]["red"]["deadline"]
    ana = pair.red.browser
    now = datetime.now(UTC)
    holds = datetime.fromisoformat(ana.put("/api/account/calendar", json=QUIET).json()["holds_from"])
    assert timedelta(0) <= holds - now - DAY < timedelta(minutes=2)
    after = clock(pair.red)["seats"]["red"]["deadline"]
    assert datetime.fromisoformat(after) > datetime.fromisoformat(before)  # but it counts from then on
    travel(timedelta(days=2))
    again = datetime.fromisoformat(ana.put("/api/account/calendar", json={"zone": "UTC"}).json()["holds_from"])
    assert again == holds + timedelta(days=7)
    assert ana.get("/api/account/calendar").json()["coming"]["hours"]["zone"] == "UTC"
    ana.put("/api/account/calendar", json=QUIET)  # the change is given up
    assert ana.get("/api/account/calendar").json()["coming"] is None


def test_a_vacation_moves_the_deadline_and_its_end_moves_it_back(make_pair: MakePair, travel: Travel) -> None:
    began = datetime.now(UTC)
    travel(datetime.combine(began.date() + DAY, time(12), UTC) - began)  # days are counted as they are begun
    pair = make_pair(pace=DAYS)
    pair.seal()
    pair.hide()
    ana = pair.red.browser
    today = timing.now().date()
    body = {"first_day": str(today), "last_day": str(today + 4 * DAY)}
    assert ana.post("/api/account/vacations", json=body).status_code == 201
    away = ana.get("/api/account/calendar").json()["away"]
    moved = due(pair.red, "red")
    assert moved is not None
    assert timedelta(days=14) < moved <= timedelta(days=15)
    assert due(pair.blue, "blue") is None
    travel(timedelta(days=2))
    pair.red.answer(PASS)
    assert left(pair.red, "red") == (3, 7)
    pair.blue.answer(STAY)
    travel(timedelta(hours=1))
    assert ana.delete(f"/api/account/vacations/{away[0]['id']}").status_code == 204
    travel(timedelta(days=1))
    said = ana.get("/api/account/calendar").json()
    assert said["away"] == []
    assert sum(said["spent"].values()) == 3
    assert said["budget"] == 30
    assert due(pair.red, "red") is not None


def test_vacations_have_a_budget_and_do_not_overlap(person: Person) -> None:
    ana = person("Ana")
    year = datetime.now(UTC).year + 1

    def ask(first: date, last: date) -> str:
        said = ana.post("/api/account/vacations", json={"first_day": str(first), "last_day": str(last)})
        return "" if said.status_code == 201 else str(said.json()["error"]["key"])

    assert ask(date(year - 2, 1, 1), date(year - 2, 1, 5)) == "clocks.vacation_dates"
    assert ask(date(year, 2, 5), date(year, 2, 4)) == "clocks.vacation_dates"
    assert ask(date(year, 1, 20), date(year, 2, 8)) == ""  # 20 days
    assert ask(date(year, 2, 8), date(year, 2, 9)) == "clocks.vacation_twice"
    assert ask(date(year, 3, 1), date(year, 3, 11)) == "clocks.vacation_spent"
    assert ask(date(year, 3, 1), date(year, 3, 10)) == ""
    assert ask(date(year, 5, 1), date(year, 5, 1)) == "clocks.vacation_spent"
    away = ana.get("/api/account/calendar").json()["away"]
    assert ana.delete(f"/api/account/vacations/{away[0]['id']}").status_code == 204
    assert ask(date(year, 5, 1), date(year, 5, 1)) == ""
    assert ana.delete("/api/account/vacations/99999").status_code == 404


def test_nobody_ends_anothers_vacation(person: Person) -> None:
    ana, bea = person("Ana"), person("Bea")
    first = str(datetime.now(UTC).date() + DAY)
    ana.post("/api/account/vacations", json={"first_day": first, "last_day": first})
    (away,) = ana.get("/api/account/calendar").json()["away"]
    assert bea.delete(f"/api/account/vacations/{away['id']}").status_code == 404
    assert bea.get("/api/account/calendar").json()["away"] == []


# -- pages -------------------------------------------------------------------------------------------


def test_the_calendars_page_works_without_scripts(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    assert client.get("/account/calendar").status_code == 303
    assert "/account/calendar" in ana.get("/account").text
    week = {"zone": "America/Santiago", "quiet_from": "23:00", "quiet_to": "07:00", "rest.7": "on"}
    assert ana.post("/account/calendar", data=week).headers["location"] == "/account/calendar?done=hours"
    page = ana.get("/account/calendar?done=hours").text
    assert "<option selected>America/Santiago</option>" in page
    assert 'value="23:00"' in page
    assert page.count(" checked") == 1
    wrong = ana.post("/account/calendar", data=week | {"quiet_to": "22:00"})
    assert wrong.status_code == 400
    assert "At most 14 quiet hours" in wrong.text
    first = str(datetime.now(UTC).date() + 3 * DAY)
    assert ana.post("/account/vacations", data={"first_day": first, "last_day": first}).status_code == 303
    page = ana.get("/account/calendar").text
    end = page.partition('action="/account/vacations/')[2].partition("/end")[0]
    assert ana.post(f"/account/vacations/{end}/end").status_code == 303
    assert "/end" not in ana.get("/account/calendar").text


def test_the_clocks_page_works_without_scripts(make_pair: MakePair, travel: Travel, client: TestClient) -> None:
    pair = make_pair(pace=DAYS)
    pair.seal()
    pair.hide()
    at = f"/games/{pair.red.game}/clock"
    ana, bea = pair.red.browser, pair.blue.browser
    page = ana.get(at).text
    assert "3 days a turn, 7 days in the bank" in page
    assert "(UTC)" in page
    assert "Give time" in page
    assert "Give time" not in client.get(at).text
    assert ana.post(at, data={"act": "pause"}).status_code == 303
    assert "proposes to pause" in bea.get(at).text
    assert bea.post(at, data={"act": "yes"}).status_code == 303
    assert "The clocks are paused" in client.get(at).text
    bea.post(at, data={"act": "resume"})
    bea.post(at, data={"act": "grant", "amount": "2", "unit": "days"})
    assert left(pair.red, "red") == (3, 9)
    wrong = bea.post(at, data={"act": "grant", "amount": "9999", "unit": "days"})
    assert (wrong.status_code, "From 1 to 720." in wrong.text) == (422, True)
    bea.post(at, data={"act": "pace", "pace": "live", "pace.minutes": "45", "pace.seconds": "10"})
    assert "another pace: 45 minutes each, 10 s more each time" in ana.get(at).text
    ana.post(at, data={"act": "no"})
    assert "Claim the win" not in bea.get(at).text
    travel(timedelta(days=13))
    assert "Claim the win" in bea.get(at).text
    assert "Claim the win" not in ana.get(at).text
    assert client.post(at, data={"act": "claim"}).status_code == 303  # to the sign-in
    assert bea.post(at, data={"act": "claim"}).status_code == 303
    assert pair.red.get("")["result"]["time_out"] == "red"
    adds_up(pair)


def test_a_pace_is_chosen_with_the_new_game(person: Person) -> None:
    ana = person("Ana")
    form = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": "person",
            "visibility": "private", "policy": "run"}  # fmt: skip
    assert 'name="pace.days"' in ana.get("/games/new").text
    made = ana.post("/games?title=triple_alliance", data=form | {"pace": "days", "pace.days": "2", "pace.bank": "5"})
    assert made.status_code == 303
    (card,) = ana.get("/api/lobby").json()["mine"]
    assert card["pace"] == {"kind": "days", "days": 2, "bank": 5, "increment": 0, "policy": "claim"}
    assert "2 days a turn, 5 days in the bank" in ana.get(made.headers["location"]).text
    wrong = ana.post("/games?title=triple_alliance", data=form | {"pace": "days", "pace.days": "99"})
    assert (wrong.status_code, "From 1 to 30." in wrong.text) == (422, True)
    plain = ana.post("/games?title=triple_alliance", data=form)
    assert plain.status_code == 303
