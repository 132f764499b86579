"""The nightly forgetting of lessons that browsers without an account did long ago."""

from app.jobs.registry import Work, job
from app.lessons import service


@job("lessons.sweep", cron="47 3 * * *", tries=0)
async def sweep(work: Work) -> None:
    await service.sweep(work.store)
