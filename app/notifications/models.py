"""Notices to people, how each wants them, where they go, and what became of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, ForeignKey, Identity, Index, Text, false, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, Created

TASKS = text("withdrawn_at is null and kind in ('turn', 'take_back', 'draw')")  # kinds.TASKS, open


class Notice(Created, Base):
    """Something a person is told. Rendered late: `args` name texts and rows, `by_user` who caused it. `due_at`: when
    it goes out; `sent_at`: when nothing is left to send; `withdrawn_at`: when it had no more point, as after the
    answer; `seen_at`: when its reader saw it on the site. At most one open task of a kind for a seat."""

    __tablename__ = "notices"
    __table_args__ = (
        Index("ix_notices_user_id_id", "user_id", "id"),
        Index("ix_notices_due", "due_at", postgresql_where=text("sent_at is null and withdrawn_at is null")),
        Index("uq_notices_task", "game_id", "seat", "kind", "user_id", unique=True, postgresql_where=TASKS),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str]
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    seat: Mapped[str | None]
    by_user: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    args: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    due_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    seen_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]


class NoticeSettings(Base):
    """How a person wants to be told; who has no row wants what the defaults say. `off`: kinds that are not sent;
    `token`: opens the calendar and ends mails without a password; `held`: told once, waits for a visit."""

    __tablename__ = "notice_settings"
    __table_args__ = (
        CheckConstraint("timing in ('now', 'hourly', 'daily', 'visit')", name="timing"),
        CheckConstraint("hour between 0 and 23", name="hour"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    timing: Mapped[str] = mapped_column(server_default="now")
    hour: Mapped[int] = mapped_column(server_default="8")
    zone: Mapped[str] = mapped_column(server_default="UTC")
    off: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    token: Mapped[str] = mapped_column(unique=True)
    held: Mapped[bool] = mapped_column(server_default=false())


class NoticeChannel(Created, Base):
    """A way to a person: `mail` (the account's address), `push` (a browser's subscription, JSON) or `url` (a service by
    its address). `role`: `first` is always used, `backup` when the others failed. `failing`: failures in a row."""

    __tablename__ = "notice_channels"
    __table_args__ = (
        CheckConstraint("kind in ('mail', 'push', 'url')", name="kind"),
        CheckConstraint("role in ('first', 'backup', 'off')", name="role"),
        Index("uq_notice_channels_user_id_address", "user_id", func.md5(text("address")), unique=True),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str]
    role: Mapped[str] = mapped_column(server_default="first")
    name: Mapped[str]
    address: Mapped[str] = mapped_column(server_default="")
    failing: Mapped[int] = mapped_column(server_default="0")


class NoticeSending(Base):
    """That a notice went out by a channel, or that the channel was given up for it."""

    __tablename__ = "notice_sendings"

    notice_id: Mapped[int] = mapped_column(ForeignKey("notices.id", ondelete="CASCADE"), primary_key=True)
    channel_id: Mapped[int] = mapped_column(
        ForeignKey("notice_channels.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    ok: Mapped[bool]


class NoticeDelivery(Base):
    """The log a person sees: one attempt to send by one channel. `notices`: how many it told; 0: a test."""

    __tablename__ = "notice_deliveries"
    __table_args__ = (Index("ix_notice_deliveries_user_id_at", "user_id", "at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    kind: Mapped[str]
    name: Mapped[str]
    notices: Mapped[int]
    error: Mapped[str | None]


class PushKey(Created, Base):
    """The key by which browsers' push services know this site (VAPID); there is one row."""

    __tablename__ = "push_keys"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    private: Mapped[str]
    public: Mapped[str]
