"""A real server on a real port, and a real Chromium."""

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Playwright

from app.config import Settings
from app.main import create_app

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(playwright: Playwright) -> str:
    """`MARISCAL_CHROMIUM`, the system's, Playwright's own, or a fresh one from apt (as root).
    Fails, with what to do, rather than skip."""
    for name in (os.environ.get("MARISCAL_CHROMIUM", ""), *NAMES):
        if path := name and shutil.which(name):
            return path
    own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=True, stdout=subprocess.DEVNULL)
        if path := shutil.which("chromium"):
            return path
    pytest.fail("no Chromium: install one (Debian: apt-get install chromium) or set MARISCAL_CHROMIUM to its path")


@pytest.fixture(scope="session")
def browser_type_launch_args(playwright: Playwright) -> dict[str, Any]:
    quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
    return {
        "executable_path": find_chromium(playwright),
        "headless": True,
        "args": ["--no-sandbox", "--disable-component-update", *quiet],
    }


@dataclass(frozen=True)
class LiveServer:
    url: str
    settings: Settings


@pytest.fixture
def live_server(settings: Settings) -> Iterator[LiveServer]:
    """The application in a thread, with a database of its own."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            create_app(settings), log_level="warning", timeout_graceful_shutdown=1, ws="websockets-sansio"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield LiveServer(f"http://127.0.0.1:{listener.getsockname()[1]}", settings)
        server.should_exit = True
        thread.join(10)
