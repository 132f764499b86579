"""The nightly packing away of finished games."""

from app.archive import service
from app.archive.config import storage_settings
from app.jobs.registry import Work, job


@job("archive.sweep", cron="23 3 * * *", tries=0)
async def sweep(work: Work) -> None:
    days = storage_settings().archive_days
    while days and await service.sweep(work.store.pool, days) == service.AT_ONCE:
        pass
