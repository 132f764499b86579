"""Lessons under way, and which are done."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_runs",
        sa.Column("board_id", sa.Text(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("marks", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_lesson_runs_board_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_lesson_runs")),
    )
    op.create_table(
        "lessons_done",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("maker", sa.LargeBinary()),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("(user_id is null) <> (maker is null)", name=op.f("ck_lessons_done_one_doer")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_lessons_done_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lessons_done")),
    )
    for doer in ("user_id", "maker"):
        op.create_index(op.f(f"ix_lessons_done_{doer.removesuffix('_id')}"), "lessons_done", [doer, "title", "lesson"],
                        unique=True, postgresql_where=sa.text(f"{doer} is not null"))  # fmt: skip


def downgrade() -> None:
    op.drop_table("lessons_done")
    op.drop_table("lesson_runs")
