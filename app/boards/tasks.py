"""The nightly clearing of boards that nobody came back to."""

from app.boards import service
from app.jobs.registry import Work, job


@job("boards.sweep", cron="41 3 * * *", tries=0)
async def sweep(work: Work) -> None:
    await service.sweep(work.store)
