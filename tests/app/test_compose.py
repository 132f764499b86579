"""The production set-up: parsed, and its processes started without Docker against a PostgreSQL of somebody else."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import yaml

from app.config import ROOT
from tests.app.test_serve import PATIENCE, serving
from tests.conftest import PASSWORD


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert set(compose["volumes"]) == {"app", "postgres", "caddy"}
    found: dict[str, Any] = compose["services"]
    return found


def dockerfile() -> list[tuple[str, str]]:
    """The image's instructions."""
    lines = (ROOT / "docker/Dockerfile").read_text().splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line)]


def test_only_the_proxy_is_open_to_the_world(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"caddy"}
    caddyfile = (ROOT / "docker/Caddyfile").read_text()
    port = services["app"]["command"][services["app"]["command"].index("--port") + 1]
    assert f"reverse_proxy app:{port}" in caddyfile
    assert services["caddy"]["volumes"][0].startswith("./docker/Caddyfile:")


def test_the_app_waits_for_a_healthy_database(services: dict[str, Any]) -> None:
    assert services["app"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert re.match(r"postgresql://mariscal:\S+.*@postgres/mariscal$", services["app"]["environment"]["DATABASE_URL"])
    assert services["postgres"]["environment"]["POSTGRES_DB"] == "mariscal"


def test_the_image_holds_what_the_server_reads_and_ends_in_the_same_command(services: dict[str, Any]) -> None:
    instructions = dockerfile()
    copied = {rest.split()[0] for word, rest in instructions if word == "COPY"}
    assert copied == {"requirements.lock", "app", "rules", "scenarios", "static", "templates", "migrations"}
    assert all((ROOT / name).exists() for name in copied)
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert admitted == copied
    (command,) = (rest for word, rest in instructions if word == "CMD")
    assert yaml.safe_load(command) == services["app"]["command"]
    assert ("USER", "mariscal") in instructions


def test_the_same_processes_run_without_docker(services: dict[str, Any], database_url: str, tmp_path: Path) -> None:
    command = services["app"]["command"]
    assert command[:4] == ["python", "-m", "app.cli", "serve"]
    environment = {
        "DATABASE_URL": database_url,
        "FORWARDED_ALLOW_IPS": services["app"]["environment"]["FORWARDED_ALLOW_IPS"],
    }
    proxied = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7"}
    with (
        serving(tmp_path, environment) as served,
        httpx.Client(base_url=served.url, headers=proxied, timeout=PATIENCE) as browser,
    ):
        test = services["app"]["healthcheck"]["test"]
        health = [sys.executable, *(word.replace("http://127.0.0.1:8000", served.url) for word in test[2:])]
        assert subprocess.run(health, env=os.environ).returncode == 0, shlex.join(health)
        answer = browser.post("/api/account", json={"name": "Ana", "password": PASSWORD})
        assert answer.headers["set-cookie"].startswith("__Host-session=")
        assert not (tmp_path / "postgres").exists()
        assert served.end(signal.SIGTERM)[0] == 0
    with psycopg.connect(database_url.replace("+psycopg", "")) as connection:
        assert connection.execute("select name from users").fetchall() == [("Ana",)]
