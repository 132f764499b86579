"""Settings of what games may hold, from the environment."""

from functools import cache

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class StorageSettings(BaseSettings):
    """`MARISCAL_ARCHIVE_DAYS`: days after its end when a game's record is packed away (0: never);
    `MARISCAL_MOST_ENTRIES`: of one record; `MARISCAL_CHAT_BYTES`: of one game's chat; `MARISCAL_DESK_BYTES`: of one
    seat's notes and drawings together."""

    model_config = SettingsConfigDict(env_prefix="MARISCAL_", extra="ignore")

    archive_days: int = Field(default=180, ge=0)
    most_entries: int = Field(default=60_000, ge=1)
    chat_bytes: int = Field(default=2_000_000, ge=1)
    desk_bytes: int = Field(default=300_000, ge=1)


@cache
def storage_settings() -> StorageSettings:
    return StorageSettings()
