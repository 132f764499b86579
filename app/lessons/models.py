"""What is kept of lessons: those under way on boards, and which are done."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, LargeBinary, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class LessonRun(Base):
    """A lesson on a board. `marks`: where it stands at each node (`app.lessons.judging.Mark`) by its number."""

    __tablename__ = "lesson_runs"

    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id", ondelete="CASCADE"), primary_key=True)
    lesson: Mapped[str]
    marks: Mapped[dict[str, object]] = mapped_column(JSONB)


class LessonDone(Base):
    """A lesson that an account, or a browser without one (the hash of its key), has done."""

    __tablename__ = "lessons_done"
    __table_args__ = (
        CheckConstraint("(user_id is null) <> (maker is null)", name="one_doer"),
        Index("ix_lessons_done_user", "user_id", "title", "lesson", unique=True,
              postgresql_where=text("user_id is not null")),
        Index("ix_lessons_done_maker", "maker", "title", "lesson", unique=True,
              postgresql_where=text("maker is not null")),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    maker: Mapped[bytes | None] = mapped_column(LargeBinary)
    title: Mapped[str]
    lesson: Mapped[str]
    done_at: Mapped[datetime] = mapped_column(server_default=func.now())
