"""Accounts, games, and all that the first title needs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "data_sets",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_data_sets")),
    )
    op.create_table(
        "rate_hits",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("bucket", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rate_hits")),
    )
    op.create_index("ix_rate_hits_bucket_at", "rate_hits", ["bucket", "at"], unique=False)
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("mail", sa.Text(), nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("lang", sa.Text(), server_default="en", nullable=False),
        sa.Column("theme", sa.Text(), server_default="auto", nullable=False),
        sa.Column("is_admin", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("lang in ('en', 'es')", name=op.f("ck_users_lang")),
        sa.CheckConstraint("theme in ('auto', 'light', 'dark', 'contrast')", name=op.f("ck_users_theme")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_index("uq_users_mail", "users", [sa.literal_column("lower(mail)")], unique=True)
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("scenario", sa.Text(), nullable=False),
        sa.Column("data_digest", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), server_default="open", nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("join_token", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("seq", sa.Integer(), server_default="0", nullable=False),
        sa.Column("waiting_for", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("dice", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("dice_seed", sa.LargeBinary(), nullable=False),
        sa.Column("rolls", sa.Integer(), server_default="0", nullable=False),
        sa.Column("draw_offer", sa.Text(), nullable=True),
        sa.Column("undo_request", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("created_by", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("policy in ('run_and_consent', 'run', 'none')", name=op.f("ck_games_policy")),
        sa.CheckConstraint("status in ('open', 'active', 'finished')", name=op.f("ck_games_status")),
        sa.CheckConstraint("visibility in ('open', 'private')", name=op.f("ck_games_visibility")),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_games_created_by")),
        sa.ForeignKeyConstraint(["data_digest"], ["data_sets.digest"], name=op.f("fk_games_data_digest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index(
        "ix_games_status_visibility_created_at", "games", ["status", "visibility", "created_at"], unique=False
    )
    op.create_table(
        "login_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("purpose in ('first_admin', 'reset')", name=op.f("ck_login_tokens_purpose")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_login_tokens_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_login_tokens")),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("agent", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "checkpoints",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("newest", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_checkpoints_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "phase", name=op.f("pk_checkpoints")),
    )
    op.create_table(
        "entries",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column("by_user", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("clause", sa.Text(), nullable=True),
        sa.Column("answer", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("forced", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("roll_no", sa.Integer(), nullable=True),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("told", sa.LargeBinary(), nullable=False),
        sa.Column("retracted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("key", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["by_user"], ["users.id"], name=op.f("fk_entries_by_user")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_entries_game_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_entries")),
        sa.UniqueConstraint("game_id", "key", name=op.f("uq_entries_game_id_key")),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_messages_game_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_messages_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index("ix_messages_game_id_id", "messages", ["game_id", "id"], unique=False)
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("notes", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint("user_id is null or bot is null", name=op.f("ck_seats_one_player")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id"], unique=False)
    op.create_table(
        "drafts",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"],
            ["seats.game_id", "seats.seat"],
            name=op.f("fk_drafts_game_id_seat"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_drafts")),
    )


def downgrade() -> None:

    op.drop_table("drafts")
    op.drop_index(op.f("ix_seats_user_id"), table_name="seats")
    op.drop_table("seats")
    op.drop_index("ix_messages_game_id_id", table_name="messages")
    op.drop_table("messages")
    op.drop_table("entries")
    op.drop_table("checkpoints")
    op.drop_index(op.f("ix_sessions_user_id"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_table("login_tokens")
    op.drop_index("ix_games_status_visibility_created_at", table_name="games")
    op.drop_table("games")
    op.drop_index("uq_users_mail", table_name="users")
    op.drop_table("users")
    op.drop_index("ix_rate_hits_bucket_at", table_name="rate_hits")
    op.drop_table("rate_hits")
    op.drop_table("data_sets")
