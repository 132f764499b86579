"""Metrics for Prometheus, and the line of the log about each request."""

import logging
import time
from collections.abc import Iterable
from secrets import token_hex
from typing import Any

import structlog
from fastapi import FastAPI
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import text
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.db import Database

log = logging.getLogger(__name__)

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
MOUNTED = ("/static", "/admin/tables")
COUNTS = """
    select 'games', status, count(*) from games group by status
    union all select 'jobs', status::text, count(*) from procrastinate_jobs group by status
    union all select 'accounts', case when guest then 'guest' when deleted_at is null then 'open' else 'deleted' end,
        count(*) from users
        group by 2
"""


async def alive(db: Database) -> None:
    """Raises when the database does not answer."""
    async with db.begin() as session:
        await session.execute(text("select 1"))


class Metrics:
    """The figures of one application."""

    def __init__(self, api: FastAPI) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("mariscal_requests", "Requests answered.", ["method", "route", "status"],
                                registry=self.registry)  # fmt: skip
        self.seconds = Histogram("mariscal_request_seconds", "Time to the answer's head.", ["route"], buckets=SECONDS,
                                 registry=self.registry)  # fmt: skip
        ProcessCollector(registry=self.registry)
        self.registry.register(_Live(api))

    async def shown(self, db: Database) -> bytes:
        """All figures in Prometheus' text format, those of the database counted now."""
        stored: dict[str, dict[str, int]] = {}
        async with db.begin() as session:
            for what, state, n in await session.execute(text(COUNTS)):
                stored.setdefault(what, {})[state] = n
        counted = CollectorRegistry()
        counted.register(_Stored(stored))
        return bytes(generate_latest(self.registry)) + bytes(generate_latest(counted))


class _Live(Collector):
    """What this process holds open, read when it is asked."""

    def __init__(self, api: FastAPI) -> None:
        self.api = api

    def collect(self) -> Iterable[Metric]:
        live = getattr(self.api.state, "games", None)
        rooms = live.hub.rooms.values() if live else ()
        yield GaugeMetricFamily("mariscal_rooms", "Games somebody looks at.", len(rooms))
        yield GaugeMetricFamily("mariscal_sockets", "Open connections.", sum(len(room.connections) for room in rooms))
        held = live.store.held_games if live else 0
        yield GaugeMetricFamily("mariscal_games_in_memory", "Games held in memory.", held)


class _Stored(Collector):
    def __init__(self, stored: dict[str, dict[str, int]]) -> None:
        self.stored = stored

    def collect(self) -> Iterable[Metric]:
        for what, by_state in self.stored.items():
            family = GaugeMetricFamily(f"mariscal_{what}", f"Stored {what} by state.", labels=["state"])
            for state, n in by_state.items():
                family.add_metric([state], n)
            yield family


class Watched:
    """Counts and logs every request under a number of its own, which its answer names (X-Request-ID)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number, begin, status = token_hex(6), time.perf_counter(), 500
        structlog.contextvars.bind_contextvars(request=number)

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", number.encode())]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            took, route = time.perf_counter() - begin, _route(scope)
            metrics: Metrics = scope["app"].state.metrics
            metrics.requests.labels(scope["method"], route, status).inc()
            metrics.seconds.labels(route).observe(took)
            log.info("request", extra={"method": scope["method"], "route": route, "status": status,
                                       "ms": round(took * 1000, 1)})  # fmt: skip
            structlog.contextvars.clear_contextvars()


def _route(scope: Scope) -> str:
    """The template of the address; one name for all that lead nowhere."""
    route: Any = scope.get("route")
    path = getattr(route, "path", None)
    if path is None:  # what is mounted counts as one
        path = next((name for name in MOUNTED if scope["path"].startswith(f"{name}/")), None)
    return str(path) if path else "none"
