"""Mail addresses that are proved; who has sat where; games taken in from files; names of deleted accounts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

PURPOSE = op.f("ck_login_tokens_purpose")


def upgrade() -> None:
    op.add_column("users", sa.Column("mail_wish", sa.Text()))
    op.add_column("login_tokens", sa.Column("mail", sa.Text()))
    op.drop_constraint(PURPOSE, "login_tokens")
    op.create_check_constraint(PURPOSE, "login_tokens", "purpose in ('first_admin', 'reset', 'mail')")
    op.add_column("games", sa.Column("imported", postgresql.JSONB()))
    op.create_table(
        "sat",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_sat_game_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sat_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "user_id", "seat", name=op.f("pk_sat")),
    )
    op.execute("insert into sat select game_id, user_id, seat from seats where user_id is not null")
    op.execute("update users set name = 'deleted:' || id, name_key = 'deleted:' || id where deleted_at is not null")


def downgrade() -> None:
    op.execute("update users set name = 'deleted_' || id, name_key = 'deleted_' || id where deleted_at is not null")
    op.drop_table("sat")
    op.drop_column("games", "imported")
    op.execute("delete from login_tokens where purpose = 'mail'")
    op.drop_constraint(PURPOSE, "login_tokens")
    op.create_check_constraint(PURPOSE, "login_tokens", "purpose in ('first_admin', 'reset')")
    op.drop_column("login_tokens", "mail")
    op.drop_column("users", "mail_wish")
