"""A page with nothing but a board, under the site's own content security policy: for tests of the board alone."""

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles
from playwright.sync_api import Page

from app.config import ROOT
from app.security import SecurityHeaders

SHEETS = ("css/fonts.css", "css/map.css", "css/board.css", "css/counters.css", "css/relief.css", "css/troops.css")
STYLE = """html, body { margin: 0; height: 100% } #board { position: absolute; inset: 0 }
#mini { position: absolute; width: 90px; height: 160px; left: 0; bottom: 0 } """
BEGIN = """
import * as api from '/static/js/board/api.js'
import { placesOf } from '/static/js/board/places.js'
const text = async (url) => (await fetch(url)).text()
const [mapSvgText, symbolsSvgText, body] = await Promise.all(['/map.svg', '/counters.svg', '/data.json'].map(text))
const data = JSON.parse(body)
const places = await placesOf(data.map, data.units)
const told = []
const given = { mapSvgText, symbolsSvgText, units: data.units, places, label: 'Map' }
const element = document.getElementById('board')
"""
END = """
Object.assign(window, { api, board, places, told })
await document.fonts.ready
document.documentElement.dataset.ready = 'yes'
"""


def page_of(sheets: Sequence[str], parts: Sequence[str]) -> str:
    """HTML with a board and more, `parts` by id; `sheets` below /static."""
    links = "".join(f'<link rel="stylesheet" href="/static/{path}">' for path in sheets)
    return (
        '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>board</title>{links}'
        f'<link rel="stylesheet" href="/page.css">{"".join(f"<div id={part!r}></div>" for part in parts)}'
        '<script type="module" src="/page.js"></script></html>'
    )


@contextmanager
def listening(bodies: Mapping[str, Response]) -> Iterator[str]:
    """The address of a site of these answers, by path, and the static files, under its content security policy."""
    site = FastAPI()
    site.add_middleware(SecurityHeaders)
    for path, body in bodies.items():
        site.add_api_route(path, lambda body=body: body, response_model=None)
    site.mount("/static", StaticFiles(directory=ROOT / "static"))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(site, log_level="warning", timeout_graceful_shutdown=1, ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        server.should_exit = True
        thread.join(10)


@contextmanager
def served(
    data: Mapping[str, Any], drawn: str, symbols: str, script: str, *,
    sheets: Sequence[str] = (), style: str = "", parts: Sequence[str] = ("board", "mini", "panel"),
) -> Iterator[str]:  # fmt: skip
    """The address of a page with a board of `data` (`map`, `units`), its sheets drawn. `script` makes `board` out of
    what `BEGIN` has; what it imports comes first."""
    svg, script_type = "image/svg+xml", "text/javascript"
    bodies: dict[str, Response] = {
        "/": Response(page_of((*SHEETS, *sheets), parts), media_type="text/html"),
        "/page.css": Response(STYLE + style, media_type="text/css"),
        "/page.js": Response(BEGIN + script + END, media_type=script_type),
        "/data.json": Response(json.dumps(data), media_type="application/json"),
        "/map.svg": Response(drawn, media_type=svg),
        "/counters.svg": Response(symbols, media_type=svg),
        "/favicon.ico": Response(status_code=204),
    }
    with listening(bodies) as address:
        yield address


@contextmanager
def opened(page: Page, address: str, fragments: Mapping[str, Any], at: str, zoom: float) -> Iterator[Page]:
    """The page with a view on its board, one place in the middle; no message may reach the console."""
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.evaluate("f => board.setFragments(f)", fragments)
    page.evaluate("([loc, zoom]) => board.focus(loc, {zoom, slowly: false})", [at, zoom])
    yield page
    assert messages == []


def until(page: Page, true: str) -> None:
    """Waits for an expression of the page, which its content security policy keeps `wait_for_function` from."""
    page.evaluate(f"new Promise((done) => {{ const look = () => ({true}) ? done() : setTimeout(look, 20); look() }})")


def drawn(page: Page) -> None:
    """Waits until what was asked for is on the screen: two frames."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
