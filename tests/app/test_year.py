"""A year of the league server, simulated: people with lives, mails that get lost, and a server killed every week."""

import time
from pathlib import Path
from random import Random

import psycopg
import pytest
import uvloop

from app.config import Settings
from app.games.live import conninfo
from tests.app.toy_table import OVERLAYS
from tests.app.year import audit, faults
from tests.app.year.clock import Clock
from tests.app.year.lives import Server
from tests.app.year.people import people
from tests.app.year.sinks import sinks
from tests.app.year.year import START, Scale, Year

WEEK = Scale(people=8, games=8, wars=0, days=8, haste=4.0)
YEAR = Scale(people=200, games=1000, wars=2, days=365, haste=1.5)


async def live(scale: Scale, settings: Settings) -> dict[str, object]:
    """Lives through it; what the audit found."""
    rng = Random(scale.days)
    began = time.monotonic()
    clock = Clock(START)
    async with (
        sinks(rng) as (mail, web),
        await psycopg.AsyncConnection.connect(conninfo(settings.database_url), autocommit=True) as conn,
    ):
        await clock.install(conn)
        environment = {
            "MARISCAL_OVERLAYS": str(OVERLAYS), "MARISCAL_NOTICE_PRIVATE": "1", "MARISCAL_SMTP_HOST": "127.0.0.1",
            "MARISCAL_SMTP_PORT": str(mail.port), "MARISCAL_SMTP_TLS": "off", "MARISCAL_SMTP_TIMEOUT": "0.5",
            "MARISCAL_SMTP_SENDER": "mariscal@year.club",
        }  # fmt: skip
        server = Server(settings, environment, clock, conn)
        folk = list(people(rng, scale.people, START.date(), scale.days))
        year = Year(server, scale, folk, mail, web, rng)
        try:
            await year.run()
        finally:
            await server.kill()
        figures = await audit.audit(year)
        missed = await faults.plant(year)
        assert not missed, f"an audit that finds nothing: {missed}"
    return figures | {"seconds": round(time.monotonic() - began)}


@pytest.fixture
def served(settings: Settings, tmp_path: Path) -> Settings:
    return settings.model_copy(update={"data": tmp_path, "worker": True, "url": "http://year.club"})


@pytest.mark.long
def test_a_week(served: Settings) -> None:
    figures = uvloop.run(live(WEEK, served))
    assert figures["kills"] == 2, figures


@pytest.mark.long
def test_a_year(served: Settings) -> None:
    figures = uvloop.run(live(YEAR, served))
    assert figures["kills"] == 53, figures
