"""Seats of sides: whose side each seat is on, and its place in the scenario's order."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Until now every seat was its side, and the two titles named these first."""
    op.add_column("seats", sa.Column("side", sa.Text(), server_default="", nullable=False))
    op.add_column("seats", sa.Column("place", sa.SmallInteger(), server_default="0", nullable=False))
    op.execute("""update seats set side = seat, place = case when (g.title, seat) in
        (('triple_alliance', 'paraguay'), ('ultimo_hombre', 'allied')) then 0 else 1 end
        from games g where g.id = game_id""")
    op.alter_column("seats", "side", server_default=None)
    op.alter_column("seats", "place", server_default=None)


def downgrade() -> None:
    op.drop_column("seats", "place")
    op.drop_column("seats", "side")
