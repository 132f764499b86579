"""What was done by those who look after the site."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class Audit(Base):
    """One act: who did what (`deed`, with `args`) to whom or to which game, why, and when. Rows are only added."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_user_id_id", "user_id", "id"), Index("ix_audit_game_id_id", "game_id", "id"))

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    by_user: Mapped[int] = mapped_column(ForeignKey("users.id"))
    deed: Mapped[str]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    reason: Mapped[str] = mapped_column(server_default="")
    args: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
