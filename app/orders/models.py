"""Standing orders of seats."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, BigInteger, ForeignKeyConstraint, Identity, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, Created


class StandingOrder(Created, Base):
    """A decision left with the server: which (`name`, `settings`), where (`places`; none means everywhere), until when
    and how often still (null: no end). Private to its seat."""

    __tablename__ = "standing_orders"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], ondelete="CASCADE"),
        Index("ix_standing_orders_game_id_seat", "game_id", "seat"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    game_id: Mapped[str]
    seat: Mapped[str]
    name: Mapped[str]
    settings: Mapped[dict[str, Any]] = mapped_column(JSONB)
    places: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    until: Mapped[datetime | None]
    uses_left: Mapped[int | None]
    used: Mapped[int] = mapped_column(server_default="0")
