"""Boards that one tries."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, Created


class Board(Created, Base):
    """A board. `root` is its first position and `body` the lab file that laid it out; `nodes` are its branches
    (`app.boards.tree`); `maker` the hash of the key that whoever made it has, `owner` who keeps it. One that asks what
    would be in a game is `private_to` its player while that runs, and what `side` can't know of it is guessed."""

    __tablename__ = "boards"

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str]
    data_digest: Mapped[str] = mapped_column(ForeignKey("data_sets.digest"))
    schema: Mapped[int]
    body: Mapped[dict[str, object]] = mapped_column(JSONB)
    root: Mapped[bytes] = mapped_column(LargeBinary)
    nodes: Mapped[list[dict[str, object]]] = mapped_column(JSONB)
    maker: Mapped[bytes] = mapped_column(LargeBinary)
    owner: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    side: Mapped[str | None]
    private_to: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
