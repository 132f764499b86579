"""Partners: who has still to agree to a take-back, a draw or a pause; lines of chat for a side alone."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

OTHERS = "(select {} from seats s where s.game_id = games.id and s.seat <> {})"


def upgrade() -> None:
    """What is open in games of two is asked of the other seat."""
    op.add_column("games", sa.Column("draw_asks", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False))
    op.add_column("messages", sa.Column("side", sa.Text()))
    op.execute(f"""update games set draw_asks = {OTHERS.format("array_agg(s.seat)", "draw_offer")}
        where draw_offer is not null and status = 'active'""")
    for offer in ("undo_request", "clock_offer"):
        asks = OTHERS.format("jsonb_agg(s.seat)", f"{offer} ->> 'seat'")
        op.execute(f"""update games set {offer} = {offer} || jsonb_build_object('asks', {asks})
            where {offer} is not null and jsonb_typeof({offer}) = 'object'""")


def downgrade() -> None:
    op.drop_column("messages", "side")
    op.drop_column("games", "draw_asks")
