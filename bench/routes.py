"""What every address that can be read costs, in a house that has been lived in. The table of docs/hosting.md is made of
this part."""

import asyncio
import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import httpx
import psycopg
from fastapi.routing import APIRoute

from app.main import _modules
from app.rulebook.book import examples_of
from app.tables import PREFIX
from app.tables.columns import TABLES
from bench import filled, titled
from bench.campaign import _answers
from bench.figures import Figure
from bench.players import Game, People
from bench.site import Site

SHOWN = 30.0  # ms; a figure of its own has what costs more
SLOW = 100.0  # ms
TIMES = 5
ONCE = {"/account/export", "/admin/games?check=true"}  # looked at but once: hundreds of games, or fifty by the rules
PATIENCE = 3600.0  # seconds that an address may take on a busy machine
LONG = 1000  # answers of the game that is looked at

# What stands for the names in the addresses of routes; `{at}` is an address of its own where the name is not enough.
AT = {"lang": "en", "name": "Player 7", "token": "wrong", "user_id": "{other}", "league_id": "{league}"}
OWN = {
    "/account/mail/{token}": "/account/mail/wrong",
    "/report": "/report?player=Player%207",
    "/texts/{lang}.json": "/texts/en.json",
    "/events/{event_id}/{tab}": "/events/{event_id}/acts",
    "/titles/{title_id}/examples/{name}.png": "/titles/{title_id}/examples/{example}.png",
}
# What is made, or found, for the rest.
MADE = ("game_id", "copy", "event_id", "league", "other", "title_id", "example", "board_id", "pairing_id", "calendar",
        "digest")  # fmt: skip
SKIPPED = {"/metrics"}  # asks for a key of its own
MORE = ("/admin/games?status=finished", "/admin/games?q=Player%207", "/admin?q=7",
        "/api/games/{copy}/export", "/games/{copy}/replay", "/api/games/{game_id}/record?since=0",
        "/events/{event_id}/schedule", "/admin/games?check=true")  # fmt: skip


def unknown() -> set[str]:
    """Names in addresses for which nothing stands here."""
    paths = [OWN.get(path, path) for path in (*routes(), *MORE) if path not in SKIPPED]
    return {name for path in paths for name in re.findall(r"\{(\w+)\}", path)} - {*AT, *MADE}


def measure(site: Site) -> Iterator[Figure]:
    if missing := unknown():
        raise LookupError(f"addresses with {', '.join(sorted(missing))}: name them in bench/routes.py")
    url = site.database("routes")
    people = People(site.serve("games", url))
    browser = people.browsers[0]
    me = browser.get("/api/account").raise_for_status().json()
    with psycopg.connect(people.served.database, autocommit=True) as conn:
        [[mine]] = conn.execute("select id from users where name = %s", (me["name"],)).fetchall()
        conn.execute("update users set is_admin = true where id = %s", (mine,))
    short, long = people.new_game(1, filled.KEPT), people.new_game(2, LONG)
    asyncio.run(_play(short, long))
    event, league = (_made(browser, kind) for kind in ("events", "leagues"))
    filled.fill(url, mine, short.id, event)
    at = AT | {"game_id": long.id, "event_id": event, "league": league, "copy": "copy1", "other": str(mine + 5),
               "title_id": titled.chosen()} | _tried(browser)  # fmt: skip
    at |= _secrets(people.served.database, event, browser, at)
    yield from _measured(Cost(browser, people.served.process.pid, site.cluster.process.pid), at)


async def _play(*games: Game) -> None:
    for game in games:
        await _answers(game)


def _made(browser: httpx.Client, kind: str) -> str:
    form = {"name": "Cup", "format": "swiss", "seeding": "joined", "pace": "days", "hosts_play": "true", "rounds": "9",
            f"board.{titled.chosen()}.{titled.scenario().id}": "on"}  # fmt: skip
    return str(browser.post(f"/{kind}", data=form).headers["location"]).removeprefix(f"/{kind}/")


def _tried(browser: httpx.Client) -> dict[str, str]:
    """An example of the title, and a board on which it is tried."""
    name = next(iter(examples_of(titled.chosen())))
    wish = {"title": titled.chosen(), "example": name}
    return {"example": name, "board_id": browser.post("/api/boards", json=wish).raise_for_status().json()["id"]}


def _secrets(database: str, event: str, browser: httpx.Client, at: dict[str, Any]) -> dict[str, str]:
    """What only the database and the pages know."""
    browser.get("/account/notifications").raise_for_status()
    with psycopg.connect(database) as conn:
        [[pairing]] = conn.execute("select min(id) from pairings where event_id = %s", (event,)).fetchall()
        [[calendar]] = conn.execute("select token from notice_settings limit 1").fetchall()
        [[digest]] = conn.execute("select data_digest from games where id = %s", (at["game_id"],)).fetchall()
    return {"pairing_id": str(pairing), "calendar": str(calendar), "digest": str(digest)}


def routes() -> Iterator[str]:
    """The addresses of all that can be read."""
    for module in (*_modules("routes"), *_modules("pages")):
        yield from _of(module.router)


def _of(router: Any) -> Iterator[str]:
    for route in router.routes:
        if isinstance(route, APIRoute):
            yield from (route.path for method in route.methods or () if method == "GET")
        elif hasattr(route, "original_router"):
            inner = route.original_router
            yield from (p if p.startswith(router.prefix) else router.prefix + p for p in _of(inner))


def _filled(path: str, at: dict[str, str]) -> str:
    while "{" in path:
        path = re.sub(r"\{(\w+)\}", lambda found: at[found[1]], path)
    return path


@dataclass
class Cost:
    """A browser, and the processes whose time its requests cost: the server's, and all of PostgreSQL's."""

    browser: httpx.Client
    server: int
    postmaster: int

    def spent(self) -> float:
        """Milliseconds of processor so far."""
        ticks = 0
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "stat").read_text().rpartition(") ")[2].split()
                if folder.name == str(self.server) or words[1] == str(self.postmaster):
                    ticks += int(words[11]) + int(words[12])
        return 1000 * ticks / os.sysconf("SC_CLK_TCK")

    def of(self, method: str, path: str, address: str) -> Figure:
        """Of one look, without the first; its time by the clock as the floor."""
        times = 1 if path in ONCE else TIMES
        taken = []
        if times > 1:
            self.ask(method, address)
        before = self.spent()
        for _ in range(times):
            began = perf_counter()
            answer = self.ask(method, address)
            taken.append(1000 * (perf_counter() - began))
        cost = (self.spent() - before) / times
        note = f"{answer.status_code}, {len(answer.content) / 1000:.0f} kB"
        return Figure(f"{method} {path}", "ms", cost, median(taken), note=note)

    def ask(self, method: str, address: str) -> httpx.Response:
        if method == "GET":
            return self.browser.get(address, timeout=PATIENCE)
        token = self.browser.cookies.get("starlette_admin_csrftoken") or ""
        form = {"format": "csv", "scope": "all"}
        return self.browser.post(address, data=form, headers={"X-CSRFToken": token}, timeout=PATIENCE)


def _measured(cost: Cost, at: dict[str, str]) -> Iterator[Figure]:
    """Processor time, since that is the same on a busy machine; by the clock as the floor."""
    quick = slow = 0
    paths = [OWN.get(path, path) for path in dict.fromkeys(routes()) if path not in SKIPPED]
    calendar = {path: f"{path.partition('{')[0]}{at['calendar']}" + (".ics" if path.endswith(".ics") else "")
                for path in paths if path.startswith(("/calendar/", "/unsubscribe/"))}  # fmt: skip
    tables = [("GET", f"{PREFIX}/{key}/list") for key in TABLES]
    tables += [("POST", f"{PREFIX}/_api/{key}/action?name=export") for key in TABLES]
    asked = [("GET", calendar.get(path, path)) for path in (*paths, *MORE)]
    for method, path in (*asked, *tables):
        figure = cost.of(method, path, _filled(path, at))
        slow += figure.ours > SLOW
        if figure.ours > SHOWN:
            yield figure
        else:
            quick += 1
    yield Figure(f"routes within {SHOWN:.0f} ms", "routes", quick)
    yield Figure(f"routes above {SLOW:.0f} ms", "routes", slow)
