"""Jobs and notifications."""

from importlib.util import find_spec
from pathlib import Path

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TASKS = sa.text("withdrawn_at is null and kind in ('turn', 'take_back', 'draw')")
NOW = sa.func.now()


def when(name: str, **options: object) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), **options)  # type: ignore[arg-type]


def user(name: str = "user_id", gone: str = "CASCADE", **options: object) -> "sa.Column[object]":
    return sa.Column(name, sa.BigInteger(), sa.ForeignKey("users.id", ondelete=gone), **options)  # type: ignore[arg-type]


def library_schema() -> bytes:
    """The job library's own tables, as its installed version has them; found without importing it, since every start of
    the server reads this file."""
    spec = find_spec("procrastinate")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "sql/schema.sql").read_bytes()


def upgrade() -> None:
    op.get_bind().connection.cursor().execute(library_schema())  # many statements, with signs of their own: raw
    op.create_table(
        "notices",
        sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True),
        user(nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Text(), sa.ForeignKey("games.id", ondelete="CASCADE")),
        sa.Column("seat", sa.Text()),
        user("by_user", "SET NULL"),
        sa.Column("args", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        when("created_at", server_default=NOW, nullable=False),
        when("due_at", nullable=False),
        when("sent_at"),
        when("seen_at"),
        when("withdrawn_at"),
    )
    op.create_index("ix_notices_user_id_id", "notices", ["user_id", "id"])
    op.create_index("ix_notices_game_id", "notices", ["game_id"])
    op.create_index("ix_notices_due", "notices", ["due_at"],
                    postgresql_where=sa.text("sent_at is null and withdrawn_at is null"))  # fmt: skip
    op.create_index("uq_notices_task", "notices", ["game_id", "seat", "kind", "user_id"], unique=True,
                    postgresql_where=TASKS)  # fmt: skip
    op.create_table(
        "notice_settings",
        user(primary_key=True),
        sa.Column("timing", sa.Text(), server_default="now", nullable=False),
        sa.Column("hour", sa.Integer(), server_default="8", nullable=False),
        sa.Column("zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("off", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("held", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("timing in ('now', 'hourly', 'daily', 'visit')", name="ck_notice_settings_timing"),
        sa.CheckConstraint("hour between 0 and 23", name="ck_notice_settings_hour"),
        sa.UniqueConstraint("token", name="uq_notice_settings_token"),
    )
    op.create_table(
        "notice_channels",
        sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True),
        user(nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), server_default="first", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), server_default="", nullable=False),
        sa.Column("failing", sa.Integer(), server_default="0", nullable=False),
        when("created_at", server_default=NOW, nullable=False),
        sa.CheckConstraint("kind in ('mail', 'push', 'url')", name="ck_notice_channels_kind"),
        sa.CheckConstraint("role in ('first', 'backup', 'off')", name="ck_notice_channels_role"),
    )
    op.create_index("uq_notice_channels_user_id_address", "notice_channels", ["user_id", sa.text("md5(address)")],
                    unique=True)  # fmt: skip
    op.create_table(
        "notice_sendings",
        sa.Column("notice_id", sa.BigInteger(), sa.ForeignKey("notices.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("channel_id", sa.BigInteger(), sa.ForeignKey("notice_channels.id", ondelete="CASCADE"),
                  primary_key=True),
        sa.Column("ok", sa.Boolean(), nullable=False),
    )  # fmt: skip
    op.create_index("ix_notice_sendings_channel_id", "notice_sendings", ["channel_id"])
    op.create_table(
        "notice_deliveries",
        sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True),
        user(nullable=False),
        when("at", server_default=NOW, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("notices", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text()),
    )
    op.create_index("ix_notice_deliveries_user_id_at", "notice_deliveries", ["user_id", "at"])
    op.create_table(
        "push_keys",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("private", sa.Text(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        when("created_at", server_default=NOW, nullable=False),
    )


def downgrade() -> None:
    for table in ("push_keys", "notice_deliveries", "notice_sendings", "notice_channels", "notice_settings", "notices"):
        op.drop_table(table)
    for table in ("events", "periodic_defers", "jobs", "workers"):
        op.execute(f"drop table procrastinate_{table} cascade")
    op.execute("""do $$ declare one regprocedure; begin
        for one in select oid::regprocedure from pg_proc where proname like 'procrastinate\\_%' loop
            execute 'drop function ' || one || ' cascade';
        end loop;
    end $$""")
    for kind in ("job_to_defer_v1", "job_event_type", "job_status"):
        op.execute(f"drop type if exists procrastinate_{kind}")
