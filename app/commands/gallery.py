"""Takes pictures of every kind of page: three sizes of window, light and dark.

Starts a server of its own with a throw-away data folder, plays a few games into the states to be shown, and writes
NAME-WIDTHxHEIGHT-THEME.png (or .webp) into a folder. Needs the libraries of `./mariscal test` and a Chromium.
"""

import argparse
import base64
import hashlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config import ROOT
from app.texts import LANGUAGES

if TYPE_CHECKING:  # not there on a machine that only serves
    from playwright.sync_api import APIRequestContext, Browser, Page

SIZES = {"1440x900": (1440, 900), "834x1112": (834, 1112), "390x844": (390, 844)}
THEMES = ("light", "dark")
TITLE = "triple_alliance"
FOOT = [f"PY-INF-{n}" for n in range(1, 13)]
CARDS = "ultimo_hombre"
COLUMN = ["br_inf_01", "br_inf_02", "br_inf_03", "br_cav_01", "br_cav_02"]
BLANCOS = {"montevideo": ["ub_cav_2", "ub_inf_1", "ub_inf_3", "ub_inf_5"], "paysandu": ["ub_inf_2", "ub_inf_4"]}
HORSE = ["PY-CAV-AC", "PY-CAV-AV", "PY-CAV-1", "PY-CAV-2"]
PATIENCE = 60_000  # ms
REST = 700  # ms that animations may take


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("gallery"), help="folder for the pictures (default: gallery)")
    parser.add_argument("--format", choices=("png", "webp"), default="png")
    for name, choices in (("scene", tuple(SCENES)), ("size", tuple(SIZES)), ("theme", THEMES)):
        parser.add_argument(f"--{name}", action="append", choices=choices, help="only this one; may be repeated")
    parser.add_argument("--lang", choices=tuple(LANGUAGES), default="en")


def run(args: argparse.Namespace) -> int:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("mariscal: libraries are missing; `./mariscal test --version` installs them.", file=sys.stderr)
        return 1
    args.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, served() as url:
        chromium = find_chromium(playwright.chromium.executable_path)
        if chromium is None:
            print("mariscal: no Chromium; install one or set MARISCAL_CHROMIUM to its path.", file=sys.stderr)
            return 1
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        table = Table(browser, url, args.lang)
        for size, theme, name in product(args.size or SIZES, args.theme or THEMES, args.scene or SCENES):
            shoot(table, name, size, theme, args)
        browser.close()
    return 0


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with a data folder of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mariscal-gallery-") as data:
        command = [sys.executable, "-m", "app.cli", "serve", "--port", "0", "--data", data]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            try:
                for line in server.stderr:
                    if found := re.search(r"serving (http\S+)/", line):
                        yield found[1]
                        break
                else:
                    raise RuntimeError("the server did not start; try `./mariscal serve`")
            finally:
                server.send_signal(signal.SIGINT)
                server.communicate()


class Table:
    """Two players and their games, each in the state that some pictures show."""

    def __init__(self, browser: "Browser", url: str, lang: str) -> None:
        self.browser, self.url, self.lang = browser, url, lang
        self.people = {seat: self._person(name) for seat, name in (("paraguay", "Solano"), ("allied", "Bartolomé"))}
        self.people["paraguayan"] = self.people["paraguay"]
        self.set_up = self._game()
        self.move = self._game()
        self._place(self.move)
        self.attack = self._game()
        self._march(self.attack)
        self.fought = self._game()
        self._march(self.fought)
        self._fight(self.fought)

    def _person(self, name: str) -> "APIRequestContext":
        person = self.browser.new_context().request
        account = {"name": name, "password": secrets.token_urlsafe()}
        _ok(person.post(f"{self.url}/api/account", data=account, headers={"accept-language": self.lang}))
        return person

    def _game(self, title: str = TITLE, first: str = "paraguay") -> str:
        """A game of both, its dice sealed; one of the first title waits for the Allied set-up."""
        wish = {"title": title, "scenario": "war", "seat": first, "opponent": "person", "visibility": "private"}
        made = _ok(self.people[first].post(f"{self.url}/api/games", data=wish))
        joined = {"seat": "allied", "token": made["join_token"]}
        game: str = made["id"]
        _ok(self.people["allied"].post(f"{self.url}/api/games/{game}/join", data=joined))
        nonces = {seat: secrets.token_bytes(32) for seat in (first, "allied")}
        for seat, nonce in nonces.items():
            self._seal(game, seat, {"hash": hashlib.sha256(nonce).hexdigest()})
        for seat, nonce in nonces.items():
            self._seal(game, seat, {"nonce": nonce.hex()})
        if title == TITLE:
            self._answer(game, "allied", {"form": "no_invasion", "option": "no_invasion"})
        return game

    def _seal(self, game: str, seat: str, part: dict[str, str]) -> None:
        _ok(self.people[seat].post(f"{self.url}/api/games/{game}/dice", data=part))

    def _answer(self, game: str, seat: str, answer: dict[str, Any]) -> None:
        at = f"{self.url}/api/games/{game}"
        seq = _ok(self.people[seat].get(f"{at}/view"))["request"]["seq"]
        body = {"seq": seq, "key": secrets.token_hex(8), "answer": answer}
        _ok(self.people[seat].post(f"{at}/answers", data=body))

    def _request(self, game: str) -> tuple[str, dict[str, Any]]:
        """Who is asked, and what."""
        asked = _ok(self.people["paraguay"].get(f"{self.url}/api/games/{game}/view"))["request"]
        seat: str = asked["seat"]
        return seat, _ok(self.people[seat].get(f"{self.url}/api/games/{game}/view"))["request"]

    def _place(self, game: str) -> None:
        for seat in ("allied", "paraguay"):
            form = self._request(game)[1]["forms"][0]
            placed = {**form["suggested"], **({"AR-CAV-3GN": "1335", "AR-CAV-4GN": "1335"} if seat == "allied" else {})}
            self._answer(game, seat, {"form": form["form"], "placed": placed, "boxes": form["suggested_boxes"]})

    def _march(self, game: str) -> None:
        self._place(game)
        for units, path in ((FOOT[:8], ["1434", "1435"]), (HORSE, ["1434", "1435", "1436", "1336"])):
            self._answer(game, "paraguay", {"form": "move", "units": units, "path": path, "aboard": {}})
        self._answer(game, "paraguay", {"form": "end", "option": "end"})

    def _fight(self, game: str) -> None:
        """The attack on Corrientes, with whatever losses the die brings, until the Allies move."""
        self._answer(game, "paraguay", {"form": "attack", "target": "1335", "units": [*FOOT[:8], *HORSE]})
        while (asked := self._request(game))[1]["prompt"]["key"] != "prompt.movement":
            seat, request = asked
            form = request["forms"][-1]
            if form["kind"] == "choose":
                self._answer(game, seat, {"form": form["form"], "option": form["options"][0]["id"]})
                continue
            many = "max" if form["verb"] == "advance" else "min"
            lots = {lot["id"]: lot["units"][: lot[many]] for lot in form["lots"]}
            self._answer(game, seat, {"form": form["form"], "lots": lots})

    # the second title: a game waits where a picture wants it, and is made when first wanted

    @cached_property
    def campaign(self) -> str:
        """The Allied player moves."""
        game = self._game(CARDS, "paraguayan")
        self._answer(game, "allied", {"form": "end_transport", "option": "end"})
        return game

    @cached_property
    def hand(self) -> str:
        """He has two cards to choose from, one of which speaks of some spaces."""
        while True:
            game = self._melo()
            at = f"{self.url}/api/games/{game}/view"
            held = _ok(self.people["allied"].get(at))["view"]["fragments"]["hand:allied"]["cards"]
            if any("spaces" in card for card in held):
                return game

    def _melo(self) -> str:
        """The Allied column has taken Melo."""
        game = self._game(CARDS, "paraguayan")
        self._answer(game, "allied", {"form": "end_transport", "option": "end"})
        self._answer(game, "allied", {"form": "move", "units": COLUMN, "path": ["jaguarao", "melo"], "aboard": {}})
        self._answer(game, "allied", {"form": "end_movement", "option": "end"})
        return game

    def _attack(self) -> str:
        """Six battalions have come over the river; the defender lines up."""
        game = self._melo()
        march = {"form": "move", "aboard": {}}
        self._until(game, "prompt.movement")
        self._answer(game, "paraguayan", {"form": "leaders", "placed": {"diaz": "melo"}})
        for start, units in BLANCOS.items():
            self._answer(game, "paraguayan", {**march, "units": units, "path": [start, "durazno", "melo"]})
        self._answer(game, "paraguayan", {"form": "end_movement", "option": "end"})
        return game

    @cached_property
    def line(self) -> str:
        """The attacker lines up."""
        game = self._attack()
        seat, request = self._request(game)
        self._answer(game, seat, _first(request))
        return game

    @cached_property
    def battle(self) -> str:
        """One round has been fought."""
        game = self._attack()
        self._until(game, "prompt.retreat")
        return game

    def _until(self, game: str, prompt: str) -> None:
        """The first answer to whatever is asked before."""
        while (asked := self._request(game))[1]["prompt"]["key"] != prompt:
            self._answer(game, asked[0], _first(asked[1]))

    def forget(self, game: str, seat: str) -> None:
        """Drop the unfinished answer that an earlier picture has left."""
        self.people[seat].delete(f"{self.url}/api/games/{game}/draft")

    @contextmanager
    def page(self, seat: str, size: str, theme: str, lang: str) -> Iterator["Page"]:
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=width < 900, is_mobile=width < 900, locale=lang,
            color_scheme="dark" if theme == "dark" else "light", storage_state=self._cookies(seat),
        )  # fmt: skip
        context.set_default_timeout(PATIENCE)
        yield context.new_page()
        context.close()

    def _cookies(self, seat: str) -> Any:
        return self.people[seat].storage_state()


def _ok(answer: Any) -> Any:
    if not answer.ok:
        raise RuntimeError(f"{answer.url}: {answer.status} {answer.text()}")
    return answer.json()


def _first(request: dict[str, Any]) -> dict[str, Any]:
    """The closing option, if there is one, else the first thing that can be answered."""
    forms = request["forms"]
    form = next((f for f in forms if f["form"].startswith("end_")), forms[0])
    match form["kind"]:
        case "choose":
            return {"form": form["form"], "option": form["options"][0]["id"]}
        case "place":
            return {"form": form["form"], "placed": form["suggested"]}
        case _:
            return {"form": form["form"], "lots": {lot["id"]: lot["units"][: lot["min"]] for lot in form["lots"]}}


def ready(page: "Page") -> None:
    page.wait_for_selector('#main[data-ready="yes"]')


def press(*keys: str) -> Callable[["Page"], None]:
    """Press controls of the game page one after another, each by the beginning of its name."""

    def act(page: "Page") -> None:
        for key in keys:
            page.locator(f'[data-key^="{key}"]:visible').first.click()

    return act


def in_words(*keys: str) -> Callable[["Page"], None]:
    """Do something on the map by way of the position in words, which needs no pointing."""

    def act(page: "Page") -> None:
        page.keyboard.press("t")
        press(*keys)(page)
        page.keyboard.press("t")

    return act


def come_back(page: "Page") -> None:
    """As one who has seen no more than the beginning."""
    page.evaluate("""() => {
        const game = document.getElementById('main').dataset.game
        localStorage.setItem(`mariscal.seen.${game}.allied`, '4')
    }""")
    page.reload()
    ready(page)


@dataclass(frozen=True)
class Scene:
    """A picture: whose page, which one (the name of a game of the table, or a path), and what is done there first."""

    seat: str
    where: str
    act: Callable[["Page"], None] = lambda _page: None

    def address(self, table: Table) -> str:
        return self.where if self.where.startswith("/") else f"/games/{getattr(table, self.where)}"


SCENES = {
    "lobby": Scene("paraguay", "/"),
    "new-game": Scene("paraguay", f"/games/new?title={TITLE}"),
    "set-up": Scene("allied", "set_up", press("suggest")),
    "stack": Scene("paraguay", "move", in_words("at-1335")),
    "reach": Scene("paraguay", "move", in_words("now-1434")),
    "move": Scene("paraguay", "move", in_words("now-1434", "now-1435")),
    "attack": Scene("paraguay", "attack", in_words("now-1335")),
    "log": Scene("allied", "fought", press("log")),
    "since-you-left": Scene("allied", "fought", come_back),
    "tables": Scene("paraguay", "fought", press("tables")),
    "words": Scene("paraguay", "move", lambda page: page.keyboard.press("t")),
    "points": Scene("allied", "campaign", lambda page: page.locator("#zoom-fit").click()),
    "hand": Scene("allied", "hand"),
    "card-on-map": Scene("allied", "hand", press("map")),
    "line-of-battle": Scene("paraguayan", "line"),
    "battle": Scene("paraguayan", "battle"),
    "battle-words": Scene("allied", "battle", lambda page: page.keyboard.press("t")),
    "cards": Scene("allied", "battle", lambda page: page.get_by_role("tab").nth(2).click()),
}


def shoot(table: Table, name: str, size: str, theme: str, args: argparse.Namespace) -> None:
    scene = SCENES[name]
    at_table = not scene.where.startswith("/")
    if at_table:
        table.forget(getattr(table, scene.where), scene.seat)
    with table.page(scene.seat, size, theme, args.lang) as page:
        page.goto(table.url + scene.address(table))
        if at_table:
            ready(page)
        scene.act(page)
        page.wait_for_timeout(REST)
        how: dict[str, Any] = {"format": "webp", "quality": 82} if args.format == "webp" else {"format": "png"}
        picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", how)
        file: Path = args.out / f"{name}-{size}-{theme}.{args.format}"
        file.write_bytes(base64.b64decode(picture["data"]))
        print(file, flush=True)


def find_chromium(own: str) -> str | None:
    """`MARISCAL_CHROMIUM`, the system's, or Playwright's `own`."""
    names = (os.environ.get("MARISCAL_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    return found or (own if Path(own).exists() else None)
