"""A war of Triple Alliance on the game page, for tests of the room itself: begun, fought a little, recorded."""

import hashlib
import secrets
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser import steps
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, Player

FOOT = [f"PY-INF-{n}" for n in range(1, 9)]


def both_seats(browser: Browser, server: LiveServer, device: dict[str, Any] = DESKTOP) -> Player:
    """One person at both seats; the suggested set-ups are done and Paraguay moves."""
    player = steps.sign_up(browser, server, "Ana", device)
    player.url = f"{server.url}/games/{player.create('both')}"
    seal((player, "paraguay"), (player, "allied"))
    begin(player, player)
    return player


def at_a_table(browser: Browser, server: LiveServer, title: str, scenario: str, seats: tuple[str, str],
               device: dict[str, Any] = DESKTOP, dice: bool = True) -> tuple[Player, Player]:
    """Ana and Bea at the two seats of a private game, whose dice are sealed if so wished; nobody has opened it yet."""
    ana, bea = steps.sign_up(browser, server, "Ana", device), steps.sign_up(browser, server, "Bea", DESKTOP)
    wish = {"title": title, "scenario": scenario, "seat": seats[0], "opponent": "person", "visibility": "private"}
    made = ana.context.request.post(f"{ana.site}/api/games", data=wish).json()
    joined = {"seat": seats[1], "token": made["join_token"]}
    assert bea.context.request.post(f"{bea.site}/api/games/{made['id']}/join", data=joined).ok
    for player, seat in ((ana, seats[0]), (bea, seats[1])):
        player.url, player.seat = f"{player.site}/games/{made['id']}", seat
    if dice:
        seal((ana, seats[0]), (bea, seats[1]))
    return ana, bea


def two_people(browser: Browser, server: LiveServer, device: dict[str, Any]) -> tuple[Player, Player]:
    """Ana is the Allied player, Bea, who has no page open, Paraguay's; the suggested set-ups are done and Bea moves."""
    ana, bea = at_a_table(browser, server, "triple_alliance", "war", ("allied", "paraguay"), device)
    begin(ana, bea)
    return ana, bea


def seal(*seats: tuple[Player, str]) -> None:
    """The dice, as each one's page would do it."""
    nonces = [(player, seat, secrets.token_bytes(32)) for player, seat in seats]
    for player, seat, nonce in nonces:
        player.seat = seat
        player.post("/dice", {"hash": hashlib.sha256(nonce).hexdigest()})
    for player, seat, nonce in nonces:
        player.seat = seat
        player.post("/dice", {"nonce": nonce.hex()})


def begin(allied: Player, paraguay: Player) -> None:
    """No invasion, and the suggested set-ups."""
    allied.seat = "allied"
    allied.answer({"form": "no_invasion", "option": "no_invasion"})
    for player, seat in ((allied, "allied"), (paraguay, "paraguay")):
        player.seat = seat
        steps.place(player)


def open_page(player: Player, at: str = "") -> Page:
    player.page.goto(f"{player.url}{at}")
    steps.ready(player)
    return player.page


def fight(paraguay: Player, allied: Player) -> None:
    """Through the API: a march, an attack on Corrientes with its die and losses, and the end of the phase."""
    paraguay.seat = "paraguay"
    paraguay.answer({"form": "move", "units": FOOT, "path": ["1434", "1435"], "aboard": {}})
    paraguay.answer({"form": "end", "option": "end"})
    paraguay.answer({"form": "attack", "target": "1335", "units": FOOT})
    for _ in range(6):
        seat = paraguay.get("/view")["request"]["seat"]
        player = allied if seat == "allied" else paraguay
        player.seat = seat
        form = player.get("/view")["request"]["forms"][0]
        if form["kind"] != "allocate":
            break
        lots = {lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]}
        player.answer({"form": form["form"], "lots": lots})


def plain(player: Player) -> dict[str, Any]:
    """The plainest answer to what a player is asked: to decline, or to do what is suggested."""
    forms = player.get("/view")["request"]["forms"]
    form = next(form for form in forms if form["kind"] in ("choose", "place", "allocate"))
    if form["kind"] == "choose":
        ids = [option["id"] for option in form["options"]]
        quiet = [i for i in ids if i.startswith(("no_", "end", "accept"))]
        return {"form": form["form"], "option": (quiet or ids)[0]}
    if form["kind"] == "place":
        where = {unit: group["where"][0] for group in form["groups"] for unit in group["units"]}
        return {"form": form["form"], "placed": form["suggested"] or where}
    return {"form": form["form"], "lots": {lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]}}


def record(player: Player) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = player.get("/record")["entries"]
    return entries


def fold(entries: list[dict[str, Any]], until: int = 10_000) -> dict[str, Any]:
    """What the steps up to an entry add up to."""
    shown: dict[str, Any] = {}
    for entry in entries:
        for step in entry["steps"] if entry["seq"] <= until else ():
            shown.update(step["fragments"])
    return {key: content for key, content in shown.items() if content is not None}
