"""What people say of themselves and to one another: profiles, friends, blocks, invitations, messages, reports."""

from datetime import datetime

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, Created

WHO = "in ('all', 'friends', 'nobody')"


class Profile(Base):
    """What a person tells everybody, and who may do what; who has no row has said nothing and allows the defaults.
    `languages`: tags of languages spoken; `zone`: '' for none told; `seen_by`: who learns when they were last here."""

    __tablename__ = "profiles"
    __table_args__ = (
        CheckConstraint(f"seen_by {WHO}", name="seen_by"),
        CheckConstraint(f"messages_from {WHO}", name="messages_from"),
        CheckConstraint(f"invited_by {WHO}", name="invited_by"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    about: Mapped[str] = mapped_column(server_default="")
    languages: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    zone: Mapped[str] = mapped_column(server_default="")
    seen_by: Mapped[str] = mapped_column(server_default="friends")
    messages_from: Mapped[str] = mapped_column(server_default="all")
    invited_by: Mapped[str] = mapped_column(server_default="all")


class Block(Created, Base):
    """That `user_id` wants nothing to do with `blocked_id`; it holds both ways."""

    __tablename__ = "blocks"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    blocked_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)


class Friendship(Created, Base):
    """Asked by one, accepted by the other or not yet; at most one for two people."""

    __tablename__ = "friendships"
    __table_args__ = (
        Index("uq_friendships_pair", func.least(text("asker_id"), text("other_id")),
              func.greatest(text("asker_id"), text("other_id")), unique=True),
    )  # fmt: skip

    asker_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    accepted_at: Mapped[datetime | None]


class Invitation(Created, Base):
    """To a game that has not begun; with a `seat`, to say that one has played it in a game that was taken in."""

    __tablename__ = "invitations"
    __table_args__ = (UniqueConstraint("game_id", "user_id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    by_user: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    seat: Mapped[str | None]
    declined_at: Mapped[datetime | None]


class DirectMessage(Created, Base):
    """From one person to another, outside any game."""

    __tablename__ = "direct_messages"
    __table_args__ = (
        Index("ix_direct_messages_from_id_id", "from_id", "id"),
        Index("ix_direct_messages_to_id_id", "to_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    from_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    to_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str]
    read_at: Mapped[datetime | None]


class Report(Created, Base):
    """To the moderators, about a person; `quote`: the words that gave cause, as they stood then, of a message or of a
    line of a game's chat."""

    __tablename__ = "reports"
    __table_args__ = (
        CheckConstraint("kind in ('player', 'message', 'chat')", name="kind"),
        CheckConstraint("(handled_at is null) = (handled_by is null)", name="handled"),
        Index("ix_reports_handled_at_id", "handled_at", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    by_user: Mapped[int] = mapped_column(ForeignKey("users.id"))
    about_user: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="SET NULL"))
    quote: Mapped[str] = mapped_column(server_default="")
    reason: Mapped[str]
    handled_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    handled_at: Mapped[datetime | None]
    note: Mapped[str] = mapped_column(server_default="")
