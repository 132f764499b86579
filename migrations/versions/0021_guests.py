"""Guests: people who play the computer before they have an account."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("guest", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("ix_users_guests", "users", ["id"], postgresql_where=sa.text("guest"))


def downgrade() -> None:
    """Guests become accounts that nobody can sign in to: their games stay whole."""
    op.execute("""update users set name = 'deleted:' || id, name_key = 'deleted:' || id, deleted_at = now()
                  where guest""")
    op.execute("delete from sessions using users where users.id = user_id and users.guest")
    op.drop_index("ix_users_guests", table_name="users")
    op.drop_column("users", "guest")
