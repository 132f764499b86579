"""Boards that one tries."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "boards",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("data_digest", sa.Text(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("body", postgresql.JSONB(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("nodes", postgresql.JSONB(), nullable=False),
        sa.Column("maker", sa.LargeBinary(), nullable=False),
        sa.Column("owner", sa.BigInteger()),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["data_digest"], ["data_sets.digest"], name=op.f("fk_boards_data_digest")),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name=op.f("fk_boards_owner"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
    )
    op.create_index(op.f("ix_boards_owner"), "boards", ["owner"])
    op.create_index(op.f("ix_boards_seen_at"), "boards", ["seen_at"])


def downgrade() -> None:
    op.drop_table("boards")
