"""Games that were found out of step with the rules."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class Mending(Base):
    """A game that the rules of `version` did not fit when it was looked at: its players have been told. `seat`
    proposes `what`, the resumption before entry `to` or the end."""

    __tablename__ = "mendings"
    __table_args__ = (CheckConstraint("what in ('resume', 'end')", name="what"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    found_at: Mapped[datetime] = mapped_column(server_default=func.now())
    version: Mapped[str]
    seat: Mapped[str | None]
    what: Mapped[str | None]
    to: Mapped[int | None]
