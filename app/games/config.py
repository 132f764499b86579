"""Settings of the games, from the environment."""

from functools import cache
from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class GameSettings(BaseSettings):
    """`MARISCAL_OVERLAYS`: a folder laid over `scenarios/`; `MARISCAL_BOT_PAUSE`: seconds between a bot's answers;
    `MARISCAL_NATS_URL`: a NATS server that carries news between processes, the same for all of them."""

    model_config = SettingsConfigDict(env_prefix="MARISCAL_", extra="ignore")

    overlays: Path | None = None
    bot_pause: float = 0.7
    games_in_memory: int = 200
    nats_url: str = ""


@cache
def game_settings() -> GameSettings:
    return GameSettings()
