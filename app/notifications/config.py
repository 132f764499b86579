"""Settings of mail and notices, from the environment."""

from datetime import timedelta
from functools import cache
from typing import Literal

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class MailSettings(BaseSettings):
    """`MARISCAL_SMTP_*`. Mail works when `host` and `sender` are given, and the site's own address, `MARISCAL_URL`."""

    model_config = SettingsConfigDict(env_prefix="MARISCAL_SMTP_", extra="ignore")

    host: str = ""
    port: int = 587
    user: str = ""
    password: SecretStr = SecretStr("")
    tls: Literal["start", "on", "off"] = "start"
    sender: str = ""
    timeout: float = 30.0


class NoticeSettings(BaseSettings):
    """`MARISCAL_NOTICE_DELAY`: seconds that a notice waits before it is sent at once, so that nobody is mailed what is
    answered by then. `MARISCAL_NOTICE_PRIVATE`: whether services at private addresses may be told, as in a home
    network. `MARISCAL_NOTICE_RETRY`: seconds to the second try; each later one waits four times as long."""

    model_config = SettingsConfigDict(env_prefix="MARISCAL_NOTICE_", extra="ignore")

    delay: float = 60.0
    private: bool = False
    retry: float = 30.0

    def again(self, failures: int) -> timedelta:
        """How long to wait after so many failures in a row."""
        return timedelta(seconds=self.retry * 4 ** min(failures - 1, 4))


@cache
def mail_settings() -> MailSettings:
    return MailSettings()


@cache
def notice_settings() -> NoticeSettings:
    return NoticeSettings()
