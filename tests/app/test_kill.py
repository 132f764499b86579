"""A server killed in mid-game: every answer it acknowledged is there when it starts again."""

import contextlib
import hashlib
import signal
import threading
from pathlib import Path
from typing import Any

import httpx

from tests.app.test_serve import data, serving
from tests.app.toy_table import NONCES, new_key
from tests.conftest import PASSWORD

__all__ = ["data"]

SEATS = ("paraguay", "allied")


def easy(request: dict[str, Any]) -> dict[str, Any]:
    """Some legal answer to what the real title asks: what is suggested, the least, or the option that goes on."""
    by_kind = {form["kind"]: form for form in request["forms"]}
    if place := by_kind.get("place"):
        placed = place["suggested"]
        free = {u: g["where"][0] for g in place["groups"] if g["must"] for u in g["units"] if u not in placed}
        if placed or free:
            return {"form": place["form"], "placed": {**free, **placed}, "boxes": place["suggested_boxes"]}
    if choose := by_kind.get("choose"):
        return {"form": choose["form"], "option": choose["options"][-1]["id"]}
    lots = {
        lot["id"]: sorted(lot["units"], key=lot["last"].__contains__)[: lot["min"]]
        for lot in by_kind["allocate"]["lots"]
    }
    return {"form": by_kind["allocate"]["form"], "lots": lots}


class Table:
    """Both seats of a game, held by one person, at a server that may go away."""

    def __init__(self, browser: httpx.Client) -> None:
        self.browser = browser
        browser.post("/api/account", json={"name": "Ana", "password": PASSWORD}).raise_for_status()
        wish = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": "both"}
        self.id = browser.post("/api/games", json=wish).raise_for_status().json()["id"]
        nonces = dict(zip(SEATS, NONCES.values(), strict=True))
        for seat, nonce in nonces.items():
            self.post("/dice", seat, {"hash": hashlib.sha256(bytes.fromhex(nonce)).hexdigest()})
        for seat, nonce in nonces.items():
            self.post("/dice", seat, {"nonce": nonce})
        self.acknowledged: dict[int, str] = {}

    def get(self, path: str) -> Any:
        return self.browser.get(f"/api/games/{self.id}{path}").raise_for_status().json()

    def post(self, path: str, seat: str, body: Any) -> Any:
        return self.browser.post(f"/api/games/{self.id}{path}?seat={seat}", json=body).raise_for_status().json()

    def last(self) -> int:
        """The last entry of the record."""
        while True:
            with contextlib.suppress(httpx.TransportError):
                return int(self.get("")["seq"])

    def play_on(self, enough: threading.Event, at_least: int) -> None:
        """Answers until the server is gone; notes what was acknowledged."""
        try:
            while True:
                request = self.get("/view")["request"]
                said = {"seq": request["seq"], "key": new_key(), "answer": easy(request)}
                self.acknowledged[self.post("/answers", request["seat"], said)["seq"]] = "answer"
                if len(self.acknowledged) >= at_least:
                    enough.set()
        except httpx.TransportError:
            enough.set()


def test_every_acknowledged_answer_survives(data: Path) -> None:
    with serving(data) as first, httpx.Client(base_url=first.url) as browser:
        table = Table(browser)
        enough = threading.Event()
        player = threading.Thread(target=table.play_on, args=(enough, 12))
        player.start()
        assert enough.wait(60)
        first.process.send_signal(signal.SIGKILL)
        player.join(20)
        assert len(table.acknowledged) >= 12
        cookies = browser.cookies
    with serving(data) as again, httpx.Client(base_url=again.url, cookies=cookies) as browser:
        table.browser = browser
        kept = {entry["seq"]: entry["kind"] for entry in table.get("/record?seat=paraguay")["entries"]}
        assert table.acknowledged.items() <= kept.items()
        request = table.get("/view")["request"]
        said = {"seq": request["seq"], "key": new_key(), "answer": easy(request)}
        assert table.post("/answers", request["seat"], said)["seq"] > max(kept)
