"""Settings of the games, from the environment."""

from functools import cache
from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class GameSettings(BaseSettings):
    """`MARISCAL_OVERLAYS`: a folder laid over `scenarios/`; `MARISCAL_BOT_PAUSE`: seconds between a bot's answers."""

    model_config = SettingsConfigDict(env_prefix="MARISCAL_", extra="ignore")

    overlays: Path | None = None
    bot_pause: float = 0.7
    games_in_memory: int = 200


@cache
def game_settings() -> GameSettings:
    return GameSettings()
