"""Clocks: pace of games, time banks, vacations."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

JSON_COLUMNS = ("pace", "clock", "clock_offer")


def upgrade() -> None:
    for name in JSON_COLUMNS:
        op.add_column("games", sa.Column(name, postgresql.JSONB()))
    op.add_column("games", sa.Column("deadline", sa.DateTime(timezone=True)))
    op.add_column("games", sa.Column("wants_substitute", sa.Text()))
    op.create_index("ix_games_deadline", "games", ["deadline"])
    op.create_table(
        "calendar_weeks",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("holds_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("quiet_from", sa.Time()),
        sa.Column("quiet_to", sa.Time()),
        sa.Column("rest", postgresql.ARRAY(sa.Integer()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("(quiet_from is null) = (quiet_to is null)", name=op.f("ck_calendar_weeks_quiet")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_calendar_weeks_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "holds_from", name=op.f("pk_calendar_weeks")),
    )
    op.create_table(
        "vacations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_vacations_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    op.create_index("ix_vacations_user_id_ends_at", "vacations", ["user_id", "ends_at"])


def downgrade() -> None:
    op.drop_table("vacations")
    op.drop_table("calendar_weeks")
    op.drop_index("ix_games_deadline", "games")
    for name in ("wants_substitute", "deadline", *JSON_COLUMNS):
        op.drop_column("games", name)
