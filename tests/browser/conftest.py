"""A real server on a real port, and a real Chromium."""

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Playwright, expect

from app.chromium import find_chromium
from app.commands.serve import IDLE_TIME
from app.config import Settings
from app.main import create_app

PATIENCE = 90_000  # ms: the machine may be slow and loaded
expect.set_options(timeout=PATIENCE)


def chromium(playwright: Playwright) -> str:
    """The one there is, or a fresh one from apt (as root). Fails, with what to do, rather than skip."""
    if path := find_chromium(playwright.chromium.executable_path):
        return path
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=True, stdout=subprocess.DEVNULL)
        if path := shutil.which("chromium"):
            return path
    pytest.fail("no Chromium: install one (Debian: apt-get install chromium) or set MARISCAL_CHROMIUM to its path")


@pytest.fixture(scope="session")
def browser_type_launch_args(playwright: Playwright) -> dict[str, Any]:
    quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
    return {
        "executable_path": chromium(playwright),
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
        settings = settings.model_copy(update={"reached": f"http://127.0.0.1:{listener.getsockname()[1]}"})
        config = uvicorn.Config(
            create_app(settings), log_level="warning", timeout_graceful_shutdown=1, ws="websockets-sansio",
            timeout_keep_alive=IDLE_TIME,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield LiveServer(f"http://127.0.0.1:{listener.getsockname()[1]}", settings)
        server.should_exit = True
        thread.join(10)
