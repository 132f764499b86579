"""Roles, bans, the audit log."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    roles = sa.Column("roles", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False)
    op.add_column("users", roles)
    op.add_column("users", sa.Column("ban_reason", sa.Text()))
    op.add_column("users", sa.Column("banned_until", sa.DateTime(timezone=True)))
    op.create_check_constraint(op.f("ck_users_roles"), "users", "roles <@ array['director', 'moderator']")
    op.add_column("sessions", sa.Column("as_user_id", sa.BigInteger()))
    op.create_foreign_key(
        op.f("fk_sessions_as_user_id"), "sessions", "users", ["as_user_id"], ["id"], ondelete="SET NULL"
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("by_user", sa.BigInteger(), nullable=False),
        sa.Column("deed", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("game_id", sa.Text()),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("args", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.ForeignKeyConstraint(["by_user"], ["users.id"], name=op.f("fk_audit_by_user")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_audit_user_id")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_audit_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_user_id_id", "audit", ["user_id", "id"])
    op.create_index("ix_audit_game_id_id", "audit", ["game_id", "id"])


def downgrade() -> None:
    op.drop_table("audit")
    op.drop_constraint(op.f("fk_sessions_as_user_id"), "sessions", type_="foreignkey")
    op.drop_column("sessions", "as_user_id")
    op.drop_constraint(op.f("ck_users_roles"), "users", type_="check")
    for name in ("banned_until", "ban_reason", "roles"):
        op.drop_column("users", name)
