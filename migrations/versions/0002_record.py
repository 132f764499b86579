"""What take-backs and imported games need of the record."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("entries", sa.Column("sides", sa.Integer(), nullable=True))
    op.add_column("entries", sa.Column("reveals", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("entries", sa.Column("commits", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column(
        "games", sa.Column("undo_refused", sa.ARRAY(sa.Integer()), server_default=sa.text("'{}'"), nullable=False)
    )
    op.add_column("seats", sa.Column("name", sa.Text(), nullable=True))
    op.drop_column("checkpoints", "newest")


def downgrade() -> None:
    op.add_column("checkpoints", sa.Column("newest", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.drop_column("seats", "name")
    op.drop_column("games", "undo_refused")
    op.drop_column("entries", "commits")
    op.drop_column("entries", "reveals")
    op.drop_column("entries", "sides")
