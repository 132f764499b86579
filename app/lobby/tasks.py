"""The nightly forgetting of guests."""

from app.jobs.registry import Work, job
from app.lobby import guests


@job("guests.sweep", cron="53 3 * * *", tries=0)
async def sweep(work: Work) -> None:
    await guests.sweep(work.db)
