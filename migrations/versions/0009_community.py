"""Profiles, friends, blocks, direct messages, reports; what each seat has read of its chat."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

WHO = "in ('all', 'friends', 'nobody')"
NOW = sa.func.now()


def when(name: str, **options: object) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), **options)  # type: ignore[arg-type]


def user(name: str, gone: str | None = "CASCADE", **options: object) -> "sa.Column[object]":
    return sa.Column(name, sa.BigInteger(), sa.ForeignKey("users.id", ondelete=gone), **options)  # type: ignore[arg-type]


def number() -> "sa.Column[int]":
    return sa.Column("id", sa.BigInteger(), sa.Identity(), primary_key=True)


def words(name: str, **options: object) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=False, **options)  # type: ignore[arg-type]


def upgrade() -> None:
    op.create_table(
        "profiles",
        user("user_id", primary_key=True),
        words("about", server_default=""),
        sa.Column("languages", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        words("zone", server_default=""),
        words("seen_by", server_default="friends"),
        words("messages_from", server_default="all"),
        words("invited_by", server_default="all"),
        *(sa.CheckConstraint(f"{name} {WHO}", name=f"ck_profiles_{name}")
          for name in ("seen_by", "messages_from", "invited_by")),
    )  # fmt: skip
    op.create_table(
        "blocks",
        user("user_id", primary_key=True),
        user("blocked_id", primary_key=True),
        when("created_at", server_default=NOW, nullable=False),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])
    op.create_table(
        "friendships",
        user("asker_id", primary_key=True),
        user("other_id", primary_key=True),
        when("accepted_at"),
        when("created_at", server_default=NOW, nullable=False),
    )
    op.create_index("ix_friendships_other_id", "friendships", ["other_id"])
    op.create_index("uq_friendships_pair", "friendships",
                    [sa.text("least(asker_id, other_id)"), sa.text("greatest(asker_id, other_id)")],
                    unique=True)  # fmt: skip
    op.create_table(
        "invitations",
        number(),
        sa.Column("game_id", sa.Text(), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        user("by_user", nullable=False),
        user("user_id", nullable=False),
        when("declined_at"),
        when("created_at", server_default=NOW, nullable=False),
        sa.UniqueConstraint("game_id", "user_id", name="uq_invitations_game_id_user_id"),
    )
    op.create_index("ix_invitations_user_id", "invitations", ["user_id"])
    op.create_table(
        "direct_messages",
        number(),
        user("from_id", None, nullable=False),
        user("to_id", None, nullable=False),
        words("text"),
        when("read_at"),
        when("created_at", server_default=NOW, nullable=False),
    )
    op.create_index("ix_direct_messages_from_id_id", "direct_messages", ["from_id", "id"])
    op.create_index("ix_direct_messages_to_id_id", "direct_messages", ["to_id", "id"])
    op.create_table(
        "reports",
        number(),
        words("kind"),
        user("by_user", None, nullable=False),
        user("about_user", None, nullable=False),
        sa.Column("game_id", sa.Text(), sa.ForeignKey("games.id", ondelete="SET NULL")),
        words("quote", server_default=""),
        words("reason"),
        user("handled_by", None),
        when("handled_at"),
        words("note", server_default=""),
        when("created_at", server_default=NOW, nullable=False),
        sa.CheckConstraint("kind in ('player', 'message', 'chat')", name="ck_reports_kind"),
        sa.CheckConstraint("(handled_at is null) = (handled_by is null)", name="ck_reports_handled"),
    )
    op.create_index("ix_reports_about_user", "reports", ["about_user"])
    op.create_index("ix_reports_handled_at_id", "reports", ["handled_at", "id"])
    op.add_column("seats", sa.Column("chat_read", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("seats", sa.Column("chat_muted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("""update seats set chat_read = m.last from (select game_id, max(id) as last from messages group by 1) m
        where m.game_id = seats.game_id""")


def downgrade() -> None:
    op.drop_column("seats", "chat_muted")
    op.drop_column("seats", "chat_read")
    for table in ("reports", "direct_messages", "invitations", "friendships", "blocks", "profiles"):
        op.drop_table(table)
