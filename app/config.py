"""Settings, from the environment and the command line."""

import secrets
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """`MARISCAL_*` variables, and `DATABASE_URL` for a PostgreSQL that the server does not start itself."""

    model_config = SettingsConfigDict(env_prefix="MARISCAL_", populate_by_name=True)

    data: Path = ROOT / "data"
    database_url: str = Field(default="", validation_alias="DATABASE_URL")
    secret_key: str = ""
    worker: bool | None = None  # whether jobs are done in this process; a server does them unless it is told not to
    metrics_token: str = ""
    log: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    url: str = ""  # how the site is reached from outside: all addresses that are given away begin with it
    reached: str = "http://127.0.0.1:8000"  # how this process is reached, for addresses where `url` is not given

    @field_validator("database_url")
    @classmethod
    def _driver(cls, url: str) -> str:
        """Hosts hand out `postgres://` or `postgresql://`; the driver is always psycopg."""
        scheme, found, rest = url.partition("://")
        return f"postgresql+psycopg://{rest}" if found and scheme in {"postgres", "postgresql"} else url

    @field_validator("url")
    @classmethod
    def _site(cls, url: str) -> str:
        """Raises ValueError for what is no site's address: the pages name each other from the root."""
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
            raise ValueError(f"MARISCAL_URL is {url!r}; it has to be like https://games.example.org")
        if parts.path.strip("/"):
            raise ValueError(
                f"MARISCAL_URL is {url!r}: the site can't live below a path ({parts.path}); give it a name of its own, "
                f"as {parts.scheme}://games.{parts.hostname}"
            )
        return url

    def secret(self) -> bytes:
        """The key that blinds addresses in the rate table; made once, in the data folder, unless it is given."""
        if self.secret_key:
            return self.secret_key.encode()
        path = self.data / "secret.key"
        if not path.exists():
            self.data.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_text(secrets.token_hex(32))
        return path.read_bytes()
