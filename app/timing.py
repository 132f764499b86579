"""What time it is. Everything of the server that asks for it in Python asks here, so that there is one clock to set."""

from datetime import UTC, datetime


def now() -> datetime:
    """In UTC."""
    return datetime.now(UTC)
