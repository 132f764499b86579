"""An event for six, from its making to the final table, in real browsers; bots answer for the players, for speed.

On the way a substitute comes in, somebody loses on time, the director rules on a game, and somebody withdraws.
"""

import asyncio
import hashlib
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import rules.bots
from app.games import play
from app.games.config import game_settings
from app.games.live import conninfo
from app.games.store import Store
from app.reactions import REACTIONS
from tests.browser.conftest import LiveServer
from tests.browser.test_access import AXE, RUN
from tests.conftest import PASSWORD

NONCES = ("11" * 32, "22" * 32)
PATIENCE = 30.0
PEOPLE = ("Ana", "Bea", "Carl", "Dora", "Eva")
People = dict[str, Page]


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the server starts, which reads it once."""
    monkeypatch.setenv("MARISCAL_BOT_PAUSE", "0")
    game_settings.cache_clear()


@pytest.fixture
def people(browser: Browser, live_server: LiveServer) -> People:
    """Everybody's browser, signed in; Olga organises, Finn stands by."""
    pages = {}
    for name in ("Olga", *PEOPLE, "Finn"):
        page = pages[name] = browser.new_context(locale="en-GB").new_page()
        account = {"name": name, "password": PASSWORD}
        assert page.request.post(f"{live_server.url}/api/account", data=account).ok
    return pages


class Event:
    """The event as the API tells it."""

    def __init__(self, server: LiveServer, page: Page) -> None:
        self.server, self.page, self.at = server, page, ""

    def now(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.request.get(f"{self.server.url}/api{self.at}").json()
        return found

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while not true(now := self.now()):
            assert time.monotonic() < end, now["rounds"]
            time.sleep(0.1)
        return now

    def round(self, number: int) -> list[dict[str, Any]]:
        """The pairings of a round, once it is open."""
        now = self.until(lambda now: len(now["rounds"]) >= number)
        pairings: list[dict[str, Any]] = now["rounds"][number - 1]["pairings"]
        return pairings

    def between_people(self, number: int) -> dict[str, Any]:
        return next(one for one in self.round(number)
                    if one["state"] == "playing" and one["first"]["name"] and one["second"]["name"])  # fmt: skip

    def play(self, number: int) -> None:
        """What is still open in a round is played to its end."""
        for one in self.round(number):
            if one["state"] == "playing":
                with ThreadPoolExecutor(1) as aside:
                    aside.submit(asyncio.run, played(self.server.settings.database_url, one["game"])).result()


async def played(database_url: str, game_id: str) -> None:
    """Answers for both sides of a game until it is over."""
    store, bot, rng = Store(conninfo(database_url), 4, REACTIONS), rules.bots.make("random"), Random(game_id)
    await store.open()
    try:
        async with store.locked(game_id) as change:
            if len(change.row.dice["nonces"]) < 2:
                await seal(change)
        over = False
        while not over:
            async with store.locked(game_id) as change:
                over = change.row.status == "finished"
                if not over:
                    seat, loaded = change.row.waiting_for[0], await change.loaded()
                    await play.answer(change, seat, change.row.seq, None, bot.answer(loaded.referee, seat, rng), None)
    finally:
        await store.close()


async def seal(change: Any) -> None:
    """The players' part of the dice; a bot's is there already."""
    people = [seat for seat in sorted(change.row.seats) if not change.row.seats[seat]["bot"]]
    for seat, nonce in zip(people, NONCES, strict=False):
        await play.seal_dice(change, seat, hashlib.sha256(bytes.fromhex(nonce)).hexdigest(), None)
    for seat, nonce in zip(people, NONCES, strict=False):
        await play.seal_dice(change, seat, None, nonce)


async def left_alone(database_url: str, game_id: str) -> str:
    """The dice are sealed, and then nobody has done anything for a hundred days. Who is asked."""
    store = Store(conninfo(database_url), 1, REACTIONS)
    await store.open()
    try:
        async with store.locked(game_id) as change:
            await seal(change)
        async with store.pool.connection() as conn:
            (asked,) = (await store.row(game_id)).waiting_for
            await conn.execute("update entries set at = at - interval '100 days' where game_id = %s", (game_id,))
            await conn.execute(
                """update games set deadline = now() - interval '90 days', clock = jsonb_set(clock,
                       array['seats', %s, 'deadline'], to_jsonb((now() - interval '90 days')::text)) where id = %s""",
                (asked, game_id),
            )
        return asked
    finally:
        await store.close()


@pytest.mark.long
def test_an_event_for_six_is_played_to_its_end(people: People, live_server: LiveServer) -> None:
    event = Event(live_server, people["Olga"])
    make_and_enter(event, people)
    put_in_a_substitute(event, people)
    event.play(1)
    lose_on_time(event, people)
    event.play(2)
    asked = ask_for_a_ruling(event, people)
    left = withdraw(event, people)
    event.play(3)
    final = event.until(lambda now: now["state"] == "finished")
    as_they_were_played(final, asked, left)
    the_table_adds_up(final)
    for tab in ("", "/cross", "/schedule", "/rules", "/acts", "/direct"):
        event.page.goto(f"{live_server.url}{event.at}{tab}")
        event.page.evaluate(AXE)
        assert event.page.evaluate(RUN, "html") == []


def make_and_enter(event: Event, people: People) -> None:
    """Olga makes the event; everybody enters, one as a substitute, and a bot fills the last place."""
    olga, site = event.page, event.server.url
    olga.goto(f"{site}/leagues")
    olga.get_by_role("link", name="New event").click()
    olga.get_by_label("Name", exact=True).fill("Cup of the Paraná")
    olga.get_by_label("Swiss system").check()
    expect(olga.get_by_label("Twice, with the sides changed")).to_be_hidden()
    olga.locator("#rounds").fill("3")
    expect(olga.get_by_label("As they entered")).to_be_hidden()
    olga.get_by_text("Seeding, points and tie-breaks").click()
    olga.get_by_label("As they entered").check()
    olga.get_by_role("button", name="Make the event").click()
    olga.wait_for_url(re.compile(r"/events/\w{8}$"))
    event.at = olga.url.removeprefix(site)
    for name in PEOPLE:
        people[name].goto(olga.url)
        people[name].get_by_role("button", name="Enter").click()
        expect(people[name].get_by_text("You are in.")).to_be_visible()
    people["Finn"].goto(olga.url)
    people["Finn"].get_by_role("button", name="Stand by as a substitute").click()
    olga.get_by_role("link", name="Direct", exact=True).click()
    olga.get_by_role("button", name="Add").first.click()
    olga.get_by_role("button", name="Begin now").click()
    expect(olga.get_by_role("heading", name="Round 1")).to_be_visible()


def put_in_a_substitute(event: Event, people: People) -> None:
    """Round 1: Dora falls ill, Finn takes her place and finds the game in his lobby."""
    olga, site = event.page, event.server.url
    olga.goto(f"{site}{event.at}/direct")
    olga.get_by_label("In the place of").select_option(label="Dora")
    olga.get_by_label("Who plays on").fill("Finn")
    olga.get_by_label("Reason, for all to read").first.fill("Dora is ill.")
    olga.get_by_role("button", name="Put in a substitute").click()
    expect(olga.get_by_label("In the place of").get_by_role("option", name="Finn")).to_be_attached()
    people["Finn"].goto(site)
    expect(people["Finn"].locator(".matches", has_text="against")).to_be_visible()


def lose_on_time(event: Event, people: People) -> None:
    """Round 2: somebody lets the time run out, and the opponent claims the game."""
    late = event.between_people(2)
    with ThreadPoolExecutor(1) as aside:
        asked_seat = aside.submit(asyncio.run, left_alone(event.server.settings.database_url, late["game"])).result()
    claimed_by = late["first" if late["seats"][1] == asked_seat else "second"]["name"]
    people[claimed_by].goto(f"{event.server.url}/games/{late['game']}/clock")
    people[claimed_by].get_by_role("button", name="Claim the win").click()
    won = event.until(lambda now: result(now, late["id"])["state"] == "done")
    assert result(won, late["id"])["how"] == "time_out"
    assert winner(result(won, late["id"])) == claimed_by


def ask_for_a_ruling(event: Event, people: People) -> dict[str, Any]:
    """Round 3: a player asks for a ruling and gets it, on the pairing that is given back."""
    olga, site = event.page, event.server.url
    asked = event.between_people(3)
    board = f"{site}{event.at}/pairings/{asked['id']}"
    claimant = people[asked["first"]["name"]]
    claimant.goto(board)
    claimant.get_by_label("I ask for").select_option("draw")
    claimant.get_by_label("Why").fill("Neither side can get any further.")
    claimant.get_by_role("button", name="Ask for a ruling").click()
    olga.goto(board)
    expect(olga.get_by_text("Neither side can get any further.").first).to_be_visible()
    olga.get_by_label("Result", exact=True).select_option("draw")
    olga.locator("#rule-reason").fill("True: both are out of supply.")
    olga.get_by_role("button", name="Rule", exact=True).click()
    expect(olga.get_by_text("True: both are out of supply.")).to_be_visible()
    return asked


def withdraw(event: Event, people: People) -> dict[str, Any]:
    """Another withdraws, from the pairing that is given back."""
    left = event.between_people(3)
    leaver = left["first"]["name"]
    people[leaver].goto(f"{event.server.url}{event.at}")
    people[leaver].get_by_text("Withdraw", exact=True).click()
    people[leaver].get_by_role("button", name="Withdraw from the event").click()
    expect(people[leaver].get_by_text("You have withdrawn.")).to_be_visible()
    return left


def as_they_were_played(final: dict[str, Any], asked: dict[str, Any], left: dict[str, Any]) -> None:
    """Nine games, each with its end."""
    pairings = [one for each in final["rounds"] for one in each["pairings"]]
    assert len(pairings) == 9
    assert all(one["state"] == "done" and one["game"] for one in pairings)
    assert sum(one["how"] == "played" for one in pairings) == 6
    ruled, lost = result(final, asked["id"]), result(final, left["id"])
    assert (ruled["outcome"], ruled["how"]) == ("draw", "adjudicated")
    assert (winner(lost), lost["how"]) == (left["second"]["name"], "withdrawn")


def the_table_adds_up(final: dict[str, Any]) -> None:
    """The table is what the results make it."""
    pairings = [one for each in final["rounds"] for one in each["pairings"]]
    points = dict.fromkeys((one["id"] for one in final["entrants"]), 0.0)
    for one in pairings:
        first, second = {"first": (1, 0), "second": (0, 1), "draw": (0.5, 0.5)}[one["outcome"]]
        points[one["first"]["id"]] += first
        points[one["second"]["id"]] += second
    table = {row["who"]["id"]: row["points"] for row in final["table"]}
    assert {one: float(str(text).replace("½", ".5")) for one, text in table.items()} == points
    assert [row["rank"] for row in final["table"]] == sorted(row["rank"] for row in final["table"])
    assert {"Finn", "Ana", "Bea", "Carl", "Eva", None} == {row["who"]["name"] for row in final["table"]}


def result(now: dict[str, Any], pairing: int) -> dict[str, Any]:
    return next(one for each in now["rounds"] for one in each["pairings"] if one["id"] == pairing)


def winner(pairing: dict[str, Any]) -> str | None:
    name: str | None = pairing[pairing["outcome"]]["name"]
    return name
