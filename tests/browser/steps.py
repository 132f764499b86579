"""What a player does on the game page, step by step, and what his page was sent while he did it."""

import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response, WebSocket, WebSocketRoute, expect

from tests.browser import conftest
from tests.browser.conftest import LiveServer
from tests.conftest import PASSWORD

DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
PATIENCE = conftest.PATIENCE  # ms
KEY = re.compile(r"[A-Z]{2}-[A-Z]{3}-[A-Za-z0-9-]+")  # a unit's id
PAN = 80  # pixels the map moves for one Shift+arrow

CENTRE = """async (loc) => {
    const { title, digest } = document.getElementById('main').dataset
    if (!globalThis.testPlaces) {
        const script = document.querySelector('script[src$="js/game/main.js"]').src
        const { placesOf } = await import(new URL('../board/places.js', script))
        const { map, units } = await (await fetch(`/api/titles/${title}/data?digest=${digest}`)).json()
        globalThis.testPlaces = await placesOf(map, units)
        globalThis.testPlaces.follow?.(document.querySelector('.board-sheet > svg.map'))
    }
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const sheet = [...document.querySelectorAll('.board-sheet > svg')].find((s) => s.querySelector('.l-counters'))
    const box = sheet.getBoundingClientRect(), from = sheet.viewBox.baseVal
    const at = globalThis.testPlaces.centre(loc), scale = box.width / from.width
    return [box.left + (at.x - from.x) * scale, box.top + (at.y - from.y) * scale]
}"""
FREE = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.board-view'))"


@dataclass
class Player:
    """One person at one page. `heard` holds all the page got from the game: frames of its lines and HTTP bodies."""

    page: Page
    context: BrowserContext
    url: str
    touch: bool = False
    seat: str = ""
    frames: list[str] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    presses: int = 0  # of the finger or the mouse

    def listen(self, page: Page) -> None:
        page.on("websocket", self._line)
        page.on("response", lambda r: self.responses.append(r) if "/games/" in r.url else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda m: self.faults.append(m.text) if "Content Security Policy" in m.text else None)

    def _line(self, line: WebSocket) -> None:
        line.on("framereceived", lambda frame: self.frames.append(str(frame)))

    @property
    def heard(self) -> list[str]:
        table = [r for r in self.responses if self.url in (r.url, r.request.headers.get("referer"))]
        bodies = [r.text() for r in table if r.status != 204]
        return [*self.frames, *bodies]

    @property
    def site(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def api(self) -> str:
        return f"{self.site}/api{urlsplit(self.url).path}"

    def get(self, path: str = "") -> Any:
        answer = self.context.request.get(f"{self.api}{path}", params={"seat": self.seat} if self.seat else {})
        assert answer.ok, answer.text()
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        answer = self.context.request.post(f"{self.api}{path}?seat={self.seat}", data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def answer(self, answer: dict[str, Any], key: str | None = None) -> Any:
        """An answer of this seat to what it is asked now."""
        seq = self.get("/view")["request"]["seq"]
        return self.post("/answers", {"seq": seq, "key": key or secrets.token_hex(8), "answer": answer})

    def create(self, opponent: str, **more: Any) -> str:
        """A game of one's own through the API; its id."""
        wish = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": opponent, **more}
        made = self.context.request.post(f"{self.site}/api/games", data=wish)
        assert made.ok, made.text()
        game: str = made.json()["id"]
        return game

    def view(self) -> dict[str, Any]:
        """Fragments of the view that the server holds for this seat."""
        fragments: dict[str, Any] = self.get("/view")["view"]["fragments"]
        return fragments

    def key(self, name: str) -> Locator:
        """The control the page draws again and again under this name."""
        return self.page.locator(f'[data-key="{name}"]:visible')

    def press(self, locator: Locator) -> None:
        self.presses += 1
        if self.touch:
            locator.tap()
        else:
            locator.click()

    def go(self) -> None:
        self.press(self.key("go"))

    def tap(self, loc: str) -> None:
        """Click or tap a space of the map, brought into sight first."""
        point = self.bring(loc)
        self.presses += 1
        if self.touch:
            self.page.touchscreen.tap(*point)
        else:
            self.page.mouse.click(*point)

    def bring(self, loc: str) -> tuple[float, float]:
        board = self.page.locator(".board-view")
        for attempt in range(8):
            x, y = self.still(loc)
            if self.page.evaluate(FREE, [x, y]):
                return x, y
            if attempt == 5:  # at the sheet's rim, under the tools of the map: nearer it can be drawn away from them
                board.focus()
                self.page.keyboard.press("+")
                x, y = self.still(loc)
            box = board.bounding_box()
            assert box
            spots = [(box["x"] + box["width"] * fx, box["y"] + box["height"] * fy)
                     for fx, fy in ((0.5, 0.4), (0.3, 0.3), (0.75, 0.3), (0.5, 0.15), (0.25, 0.6))]
            to = next(spot for spot in spots if self.page.evaluate(FREE, list(spot)))
            board.focus()
            for far, keys in ((to[0] - x, ("Left", "Right")), (to[1] - y, ("Up", "Down"))):
                for _press in range(round(abs(far) / PAN)):
                    self.page.keyboard.press(f"Shift+Arrow{keys[0] if far > 0 else keys[1]}")
        raise AssertionError(f"{loc} can't be brought into sight")

    def still(self, loc: str) -> tuple[float, float]:
        """Where the space is in the window, once the map has come to rest."""
        before: Any = None
        while (now := self.page.evaluate(CENTRE, loc)) != before:
            before = now
            self.page.wait_for_timeout(60)
        return now[0], now[1]

    def stack(self, loc: str) -> Locator:
        return self.page.locator(f'.counters [data-at="{loc}"]')

    def tab_to(self, key: str, back: bool = False) -> None:
        """By Tab alone to a control of the page, the map under the name `map`."""
        here = "() => document.activeElement.matches('.board-view') ? 'map' : document.activeElement.dataset.key"
        for _ in range(120):
            if self.page.evaluate(here) == key:
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"Tab does not lead to {key}")

    def walk(self, loc: str) -> None:
        """With the arrows to a space of the map."""
        self.tab_to("map", back=True)
        cursor = self.page.locator(".board-live")
        for _ in range(60):
            found = re.search(r"\d{4}", cursor.text_content() or "")
            column, row = (int(loc[i : i + 2]) - int(found[0][i : i + 2]) for i in (0, 2)) if found else (1, 0)
            if not (column or row):
                return
            key = ("Right" if column > 0 else "Left") if column else ("Down" if row > 0 else "Up")
            self.page.keyboard.press(f"Arrow{key}")
        raise AssertionError(f"the arrows do not lead to {loc}")

    def until(self, true: Callable[[], bool]) -> None:
        """Ask the server again and again until something is so."""
        end = time.monotonic() + PATIENCE / 1000
        while not true():
            assert time.monotonic() < end, "it never came"
            self.page.wait_for_timeout(100)

    def asked(self, key: str) -> None:
        """Wait until this seat is asked `prompt.KEY`."""

        def now() -> bool:
            request = self.get("/view")["request"]
            return bool(request and request["mine"] and request["prompt"]["key"] == f"prompt.{key}")

        self.until(now)


def newcomer(browser: Browser, server: LiveServer, device: dict[str, Any]) -> Player:
    context = browser.new_context(**device)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    player = Player(page, context, server.url, touch="has_touch" in device)
    player.listen(page)
    return player


def account(browser: Browser, server: LiveServer, name: str, device: dict[str, Any]) -> Player:
    """Somebody with an account, made over the API: no page has been opened."""
    player = newcomer(browser, server, device)
    made = player.context.request.post(f"{server.url}/api/account", data={"name": name, "password": PASSWORD})
    assert made.ok, made.text()
    return player


def sign_up(browser: Browser, server: LiveServer, name: str, device: dict[str, Any]) -> Player:
    player = newcomer(browser, server, device)
    page = player.page
    page.goto(f"{server.url}/sign-up")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.click("main button.go")
    page.wait_for_url(f"{server.url}/")
    return player


def begin(maker: Player, guest: Player, seat: str = "allied", title: str = "triple_alliance") -> None:
    """The maker creates a private game as `seat`; the guest comes by the link and takes what is free."""
    page = maker.page
    page.goto(f"{maker.url}/games/new?title={title}")
    page.get_by_label("Another person").check()
    page.locator(f'input[name="seat"][value="{seat}"]').check()
    page.get_by_role("button", name="Create the game").click()
    link = page.get_by_label("Link for the opponent").input_value()
    guest.page.goto(link)
    guest.press(guest.page.locator('main button[name="seat"]'))
    for player in (maker, guest):
        player.url = link.partition("/join")[0]
        player.page.wait_for_url(player.url)
        ready(player)
        (player.seat,) = player.get()["your_seats"]


def ready(player: Player, page: Page | None = None) -> None:
    expect((page or player.page).locator("#main")).to_have_attribute("data-ready", "yes", timeout=PATIENCE)


def units_of(fragments: dict[str, Any]) -> set[str]:
    """Every unit named in a view."""
    return set(KEY.findall(json.dumps(fragments)))


def same_stacks(player: Player, *locs: str) -> None:
    """The page shows of these spaces what the server's view of its seat says: how many, and the top unit if seen."""
    view = player.view()
    for loc in locs:
        space, shown = view.get(f"space:{loc}", {}), player.stack(loc)
        count = space.get("count", 0)
        expect(shown).to_have_count(1 if count else 0, timeout=PATIENCE)
        expect(shown.locator(".stack-count text")).to_have_text([str(count)] if count > 1 or "box" in space else [])
        top = space["units"][0]["id"] if "units" in space else space.get("top", {}).get("id")
        if top:
            expect(shown.locator(f'use[href="#c-{top}"]')).to_have_count(1)


def place(player: Player) -> None:
    """The suggested set-up, through the API."""
    player.asked(f"set_up_{player.seat}")
    form = player.get("/view")["request"]["forms"][0]
    player.answer({"form": form["form"], "placed": form["suggested"], "boxes": form["suggested_boxes"]})


def choose(player: Player, units: list[str]) -> None:
    """Open the stack of Itapirú and take these units of it, no others."""
    player.tap("1434")
    player.press(player.key("select-none"))
    for unit in units:
        player.press(player.key(f"unit-{unit}"))
    expect(player.page.locator(".b-costs text").first).to_be_visible(timeout=PATIENCE)


def told(player: Player, event: str) -> int:
    """How often the record tells something that still stands."""
    entries = player.get("/record")["entries"]
    return sum(step["event"] == event for e in entries if not e["retracted"] for step in e["steps"])


HOLD = """() => {
    const { send } = WebSocket.prototype, held = []
    WebSocket.prototype.send = function (text) {
        if (JSON.parse(text).type === 'answer') held.push(() => send.call(this, text))
        else send.call(this, text)
    }
    globalThis.letGo = () => {
        WebSocket.prototype.send = send
        for (const go of held) go()
    }
}"""


@contextmanager
def slow_answers(page: Page) -> Iterator[None]:
    """What the page answers in the block is sent after it."""
    page.evaluate(HOLD)
    yield
    page.evaluate("letGo()")


class Wire:
    """The network of one page, that can be cut."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.whole = True
        self.lines: list[WebSocketRoute] = []
        player.page.route_web_socket(re.compile("/socket"), self._line)
        player.page.reload()
        ready(player)

    def _line(self, line: WebSocketRoute) -> None:
        if self.whole:
            line.connect_to_server()
            self.lines.append(line)
        else:
            line.close()

    @contextmanager
    def cut(self) -> Iterator[None]:
        offline = self.player.page.locator("#offline")
        self.whole = False
        self.player.context.set_offline(True)
        while self.lines:
            self.lines.pop().close()
        expect(offline).to_be_visible(timeout=PATIENCE)
        yield
        self.whole = True
        self.player.context.set_offline(False)
        expect(offline).to_be_hidden(timeout=PATIENCE)
