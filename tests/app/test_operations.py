"""Health, metrics, logs."""

import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from app.config import Settings
from app.operations import logs

TOKEN = "for the collector"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"metrics_token": TOKEN})


@pytest.fixture
def logging_restored() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("app")
    kept = root.handlers[:], root.level, ours.level
    yield
    root.handlers[:], root.level, ours.level = kept


def figures(client: TestClient) -> dict[tuple[str, ...], float]:
    """Every sample by its name and label values."""
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return {(sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(answer.text) for sample in family.samples}  # fmt: skip


def test_health(client: TestClient) -> None:
    assert client.get("/health").text == "ok"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "}])
def test_metrics_are_for_the_collector_alone(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/metrics", headers=headers).status_code == 404


def test_without_a_token_there_are_no_metrics(client: TestClient, settings: Settings) -> None:
    client.app.state.settings = settings.model_copy(update={"metrics_token": ""})  # type: ignore[attr-defined]
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.usefixtures("toy")
def test_figures_count_requests_by_route_and_what_is_stored(
    client: TestClient, person: Callable[[str], TestClient]
) -> None:
    ana = person("Ana")
    for _ in range(3):
        client.get("/games/nosuchgame/join?t=secret-of-the-link")
    client.get("/nowhere/at/all")
    made = ana.post("/api/games", json={"title": "toy", "scenario": "duel", "seat": "red", "opponent": "both"}).json()
    with ana.websocket_connect(f"/api/games/{made['id']}/socket") as socket:
        socket.receive_json()
        seen = figures(client)
    assert seen[("mariscal_requests_total", "GET", "/games/{game_id}/join", "404")] == 3
    assert seen[("mariscal_requests_total", "GET", "none", "404")] == 1
    assert seen[("mariscal_request_seconds_count", "/games/{game_id}/join")] == 3
    assert seen[("mariscal_games", "active")] == 1
    assert seen[("mariscal_accounts", "open")] == 1
    assert seen[("mariscal_rooms",)] == seen[("mariscal_sockets",)] == 1
    assert not any("secret" in str(key) or made["id"] in str(key) for key in seen)


@pytest.mark.usefixtures("logging_restored")
def test_json_logs_name_route_and_request_but_nobody(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.set_up("json", "info")
    answer = client.get("/games/nosuchgame/join?t=secret-of-the-link")
    (line,) = [json.loads(line) for line in capsys.readouterr().err.splitlines() if '"request"' in line]
    assert (line["event"], line["method"], line["route"], line["status"]) == (
        "request", "GET", "/games/{game_id}/join", 404)  # fmt: skip
    assert line["request"] == answer.headers["x-request-id"]
    assert re.fullmatch(r"[\d.]+", str(line["ms"]))
    assert not {"secret-of-the-link", "nosuchgame", "testclient"} & set(re.findall(r"[\w-]+", json.dumps(line)))


@pytest.mark.usefixtures("logging_restored")
def test_a_fault_is_logged_with_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json", "warning")
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("app.somewhere").exception("it broke")
    line = json.loads(capsys.readouterr().err)
    assert line["level"] == "error"
    assert "ValueError: broken" in line["exception"]
