"""Logs: lines for a terminal, or one JSON object a line for a collector. They name no person and no address.

A request is logged by its route, never by its path: paths hold the secrets of private games and one-time links.
"""

import logging
import logging.config
from typing import Literal

import structlog

Style = Literal["text", "json"]

SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def set_up(style: Style, level: str) -> None:
    """For the whole process; the logs of libraries go the same way."""
    final: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if style == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    last = [structlog.processors.format_exc_info] if style == "json" else []
    logging.config.dictConfig({
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last, final],
            "foreign_pre_chain": [*SHARED, structlog.stdlib.ExtraAdder()],
        }},
        "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["out"], "level": "WARNING"},
        "loggers": {"app": {"level": level.upper()}, "uvicorn.access": {"level": "CRITICAL"}},
    })  # fmt: skip
