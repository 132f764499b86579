"""Archived games."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class Archive(Base):
    """The record and checkpoints of a finished game, `entries` of them, as compressed JSON (`repository.freeze`)."""

    __tablename__ = "archives"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    entries: Mapped[int]
    body: Mapped[bytes] = mapped_column(LargeBinary)
