"""Who played a game that was taken in from a file is asked whether it was them."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("invitations", sa.Column("seat", sa.Text()))


def downgrade() -> None:
    op.execute("delete from invitations where seat is not null")
    op.drop_column("invitations", "seat")
