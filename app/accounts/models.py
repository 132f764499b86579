"""Users, their sessions, one-time links and the hits that rate limits count."""

from datetime import datetime

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    Text,
    false,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.db import Base, Created


class User(Created, Base):
    """An account. A deleted one keeps its row, so that its games stay whole, and nothing that names a person.
    `mail` is proved; `mail_wish` waits until a link in a mail to it was followed, and nothing else is sent there.
    `roles` beside that of the admin; one with a `ban_reason` is banned, until `banned_until` or for good. A `guest`
    has no name and no password yet: for the whole site nobody, but at the boards of his own games (`guests.py`)."""

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint("lang in ('en', 'es', 'it', 'pt')", name="lang"),
        CheckConstraint("theme in ('auto', 'light', 'dark', 'contrast')", name="theme"),
        CheckConstraint("roles <@ array['director', 'moderator']", name="roles"),
        Index("uq_users_mail", func.lower(text("mail")), unique=True),
        Index("ix_users_guests", "id", postgresql_where=text("guest")),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    mail: Mapped[str | None]
    mail_wish: Mapped[str | None]
    password_hash: Mapped[str | None]
    lang: Mapped[str] = mapped_column(server_default="en")
    theme: Mapped[str] = mapped_column(server_default="auto")
    is_admin: Mapped[bool] = mapped_column(server_default=false())
    roles: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    ban_reason: Mapped[str | None]
    banned_until: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    guest: Mapped[bool] = mapped_column(server_default=false())


class Session(Created, Base):
    """A signed-in browser. The cookie holds the token, the table only its SHA-256. `as_user`: with whose eyes an admin
    looks at the site."""

    __tablename__ = "sessions"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    agent: Mapped[str] = mapped_column(server_default="")
    as_user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    user: Mapped[User] = relationship(lazy="joined", foreign_keys=[user_id])
    as_user: Mapped[User | None] = relationship(lazy="joined", foreign_keys=[as_user_id])


class LoginToken(Created, Base):
    """A link that works once: `first_admin` (no user yet), `reset` (a new password) or `mail` (proves that address)."""

    __tablename__ = "login_tokens"
    __table_args__ = (CheckConstraint("purpose in ('first_admin', 'reset', 'mail')", name="purpose"),)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    purpose: Mapped[str]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    mail: Mapped[str | None]
    expires_at: Mapped[datetime]


class RateHit(Base):
    """One attempt. `bucket` is a keyed hash of what was tried and by whom: no addresses are stored."""

    __tablename__ = "rate_hits"
    __table_args__ = (Index("ix_rate_hits_bucket_at", "bucket", "at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    bucket: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
