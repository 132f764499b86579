"""Two people at a toy game, as the tests of games need them."""

import hashlib
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

OVERLAYS = Path(__file__).parent / "overlays"
NONCES = {"red": "11" * 32, "blue": "22" * 32}
_keys = itertools.count()

HIDE = {"form": "hide", "placed": {"coin": "left"}}
ROLL = {"form": "end", "option": "roll"}
PASS = {"form": "end", "option": "pass"}
STAY = {"form": "blue", "option": "pass"}
LOOK = {"form": "blue", "option": "look"}


def move(*path: str) -> dict[str, Any]:
    return {"form": "move", "units": ["red"], "path": list(path)}


def bid(n: int) -> dict[str, Any]:
    return {"form": "bid", "option": str(n)}


def new_key() -> str:
    return f"key-{next(_keys):08}"


def new_game(browser: TestClient, **wishes: Any) -> dict[str, Any]:
    """A game made over HTTP; its card."""
    body = {"title": "toy", "scenario": "duel", "seat": "red", **wishes}
    made = browser.post("/api/games", json=body)
    assert made.status_code == 201, made.text
    card: dict[str, Any] = made.json()
    return card


@dataclass
class Side:
    """One seat of a game and the browser that plays it."""

    browser: TestClient
    game: str
    seat: str

    @property
    def at(self) -> str:
        return f"/api/games/{self.game}"

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        got = self.browser.get(self.at + path, params={"seat": self.seat, **query})
        assert got.status_code == 200, got.text
        body: dict[str, Any] = got.json()
        return body

    def post(self, path: str, body: Any = None, expect: int | tuple[int, ...] = (200, 201, 204)) -> Any:
        got = self.browser.post(self.at + path, params={"seat": self.seat}, json={} if body is None else body)
        wanted = (expect,) if isinstance(expect, int) else expect
        assert got.status_code in wanted, f"{got.status_code} {got.text}"
        return got.json() if got.content else None

    def put(self, path: str, body: Any, expect: int = 204) -> Any:
        got = self.browser.put(self.at + path, params={"seat": self.seat}, json=body)
        assert got.status_code == expect, f"{got.status_code} {got.text}"
        return got.json() if got.content else None

    def view(self) -> dict[str, Any]:
        return self.get("/view")

    @property
    def seq(self) -> int:
        return int(self.view()["seq"])

    def answer(self, answer: dict[str, Any], seq: int | None = None, key: str | None = None, expect: int = 200) -> Any:
        body = {"seq": self.seq if seq is None else seq, "key": key or new_key(), "answer": answer}
        return self.post("/answers", body, expect)

    def record(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.get("/record", since=0)["entries"]
        return entries


@dataclass
class Pair:
    red: Side
    blue: Side

    def seal(self) -> None:
        for side in (self.red, self.blue):
            side.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(NONCES[side.seat])).hexdigest()})
        for side in (self.red, self.blue):
            side.post("/dice", {"nonce": NONCES[side.seat]})

    def hide(self) -> None:
        self.red.answer(HIDE)
        self.blue.answer(HIDE)

    def round(self, red: int = 1, blue: int = 2) -> None:
        self.red.answer(ROLL)
        if not self.blue.view()["request"]["together"]:
            self.blue.answer(STAY)
        self.red.answer(bid(red))
        self.blue.answer(bid(blue))

    def to_the_end(self) -> None:
        for _ in range(3):
            self.round()

    def to_the_end_from_blue(self) -> None:
        """From blue's turn of the first round."""
        self.blue.answer(STAY)
        self.to_the_end_from_bids()

    def to_the_end_from_bids(self) -> None:
        self.red.answer(bid(1))
        self.blue.answer(bid(2))
        for _ in range(2):
            self.round()
