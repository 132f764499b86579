"""When users have time for their games. Both tables are histories: what has been counted by is never changed."""

from datetime import date, datetime, time

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, ForeignKey, Identity, Index, Integer, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, Created


class Week(Created, Base):
    """The hours of a user's week from an instant on: the time zone, quiet hours by its wall clock, days of rest (1 is
    Monday)."""

    __tablename__ = "calendar_weeks"
    __table_args__ = (CheckConstraint("(quiet_from is null) = (quiet_to is null)", name="quiet"),)

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    holds_from: Mapped[datetime] = mapped_column(primary_key=True)
    zone: Mapped[str]
    quiet_from: Mapped[time | None]
    quiet_to: Mapped[time | None]
    rest: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=text("'{}'"))


class Vacation(Created, Base):
    """Days away: the local dates that count against the year's budget, and the instants between which no clock runs."""

    __tablename__ = "vacations"
    __table_args__ = (Index("ix_vacations_user_id_ends_at", "user_id", "ends_at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    first_day: Mapped[date]
    last_day: Mapped[date]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
